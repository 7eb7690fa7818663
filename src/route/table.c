#include "../handlers/handlers.h"
#include "route.h"

#define READ (METHOD_GET | METHOD_HEAD)
#define ONLY(medium) .media = MEDIA_BIT(medium), .fallback = (medium)

const struct route route_table[] = {
    {"/healthz", READ, ONLY(MEDIA_TEXT), .cache = CACHE_NEVER, .handler = handle_health,
     .summary = "Answers 200 while the server lives"},
    {"/readyz", READ, ONLY(MEDIA_TEXT), .cache = CACHE_NEVER, .handler = handle_health,
     .summary = "Answers 200 while the catalogue can be read"},
    {"/robots.txt", READ, ONLY(MEDIA_TEXT), .cache = CACHE_CATALOGUE, .handler = handle_robots,
     .summary = "What crawlers may read"},
    {"/data/providers.json", READ, ONLY(MEDIA_JSON), .cache = CACHE_CATALOGUE,
     .handler = handle_providers_json, .summary = "Everything about every provider"},
    {"/data/providers/{slug}.json", READ, ONLY(MEDIA_JSON), .cache = CACHE_CATALOGUE,
     .handler = handle_provider_json, .summary = "Everything about one provider"},
    {"/sandboxes/{slug}/", READ, ONLY(MEDIA_HTML), .cache = CACHE_CATALOGUE,
     .handler = handle_profile, .template_name = "html/page_profile.html",
     .summary = "Everything about one provider, as a page"},
    {"/{file...}", READ, ONLY(MEDIA_TEXT), .cache = CACHE_CATALOGUE, .handler = handle_asset,
     .summary = "Style sheets, scripts and images"},
};

const size_t route_count = ARRAY_LENGTH(route_table);
