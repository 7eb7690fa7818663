/* Every handler, for the route table. One file a page. */
#ifndef AGENT_SANDBOXES_HANDLERS_H
#define AGENT_SANDBOXES_HANDLERS_H

#include "handler.h"
#include "route.h"

handler_function handle_asset;
handler_function handle_health;
handler_function handle_profile;
handler_function handle_provider_json;
handler_function handle_providers_json;
handler_function handle_robots;

#endif
