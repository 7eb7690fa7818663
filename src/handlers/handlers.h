/* Every handler, for the route table. One file a page. */
#ifndef AGENT_SANDBOXES_HANDLERS_H
#define AGENT_SANDBOXES_HANDLERS_H

#include "handler.h"
#include "route.h"

handler_function handle_about;
handler_function handle_alternatives;
handler_function handle_alternatives_index;
handler_function handle_asset;
handler_function handle_best;
handler_function handle_best_index;
handler_function handle_changes;
handler_function handle_compare_data;
handler_function handle_corrections;
handler_function handle_data;
handler_function handle_glossary;
handler_function handle_guide;
handler_function handle_guides;
handler_function handle_directory;
handler_function handle_health;
handler_function handle_home;
handler_function handle_llms;
handler_function handle_llms_full;
handler_function handle_manifest;
handler_function handle_measurements;
handler_function handle_measurements_csv;
handler_function handle_measurements_json;
handler_function handle_measurements_provider;
handler_function handle_methodology;
handler_function handle_pair;
handler_function handle_problem_type;
handler_function handle_problems;
handler_function handle_profile;
handler_function handle_provider_json;
handler_function handle_providers_json;
handler_function handle_robots;
handler_function handle_search;
handler_function handle_security;
handler_function handle_sitemap;
handler_function handle_sources;
handler_function handle_term;

canonical_function canonical_best;
canonical_function canonical_changes;
canonical_function canonical_compare;
canonical_function canonical_directory;
canonical_function canonical_corrections;
canonical_function canonical_home;
canonical_function canonical_pair;
canonical_function canonical_search;
canonical_function canonical_sources;

#endif
