/* Every handler, for the route table. One file a page. */
#ifndef AGENT_SANDBOXES_HANDLERS_H
#define AGENT_SANDBOXES_HANDLERS_H

#include "handler.h"
#include "route.h"

handler_function handle_asset;
handler_function handle_best;
handler_function handle_best_index;
handler_function handle_compare_data;
handler_function handle_health;
handler_function handle_home;
handler_function handle_pair;
handler_function handle_profile;
handler_function handle_provider_json;
handler_function handle_providers_json;
handler_function handle_robots;

canonical_function canonical_best;
canonical_function canonical_compare;
canonical_function canonical_home;
canonical_function canonical_pair;

#endif
