#include "../handlers/handlers.h"
#include "route.h"

#define READ (METHOD_GET | METHOD_HEAD)
#define PAGE_OR_JSON .media = MEDIA_BIT(MEDIA_HTML) | MEDIA_BIT(MEDIA_JSON), .fallback = MEDIA_HTML
#define ONLY(medium) .media = MEDIA_BIT(medium), .fallback = (medium)

const struct route route_table[] = {
    {"/healthz", READ, ONLY(MEDIA_TEXT), .cache = CACHE_NEVER, .handler = handle_health,
     .summary = "Answers 200 while the server lives"},
    {"/readyz", READ, ONLY(MEDIA_TEXT), .cache = CACHE_NEVER, .handler = handle_health,
     .summary = "Answers 200 while the catalogue can be read"},
    {"/", READ, PAGE_OR_JSON, .cache = CACHE_CATALOGUE, .handler = handle_home,
     .canonical = canonical_home, .template_name = "html/page_home.html",
     .summary = "The overall ranking; w.<attribute>=<number> sets own weights"},
    {"/robots.txt", READ, ONLY(MEDIA_TEXT), .cache = CACHE_CATALOGUE, .handler = handle_robots,
     .summary = "What crawlers may read"},
    {"/compare", READ, .media = MEDIA_BIT(MEDIA_JSON) | MEDIA_BIT(MEDIA_CSV),
     .explicit_only = MEDIA_BIT(MEDIA_CSV), .fallback = MEDIA_JSON, .cache = CACHE_CATALOGUE,
     .handler = handle_compare_data, .canonical = canonical_compare,
     .summary = "The answer to a question: who matches, who is undecided, who is excluded and why"},
    {"/compare/{a}-vs-{b}/", READ, PAGE_OR_JSON, .cache = CACHE_CATALOGUE, .handler = handle_pair,
     .canonical = canonical_pair, .template_name = "html/page_pair.html",
     .summary = "Any two sandboxes, differences first, with a verdict for each need"},
    {"/data/providers.json", READ, ONLY(MEDIA_JSON), .cache = CACHE_CATALOGUE,
     .handler = handle_providers_json, .summary = "Everything about every provider"},
    {"/data/providers/{slug}.json", READ, ONLY(MEDIA_JSON), .cache = CACHE_CATALOGUE,
     .handler = handle_provider_json, .summary = "Everything about one provider"},
    {"/best/", READ, PAGE_OR_JSON, .cache = CACHE_CATALOGUE, .handler = handle_best_index,
     .template_name = "html/page_best_index.html", .summary = "The first places of every ranking"},
    {"/best/{use_case}/", READ, PAGE_OR_JSON, .cache = CACHE_CATALOGUE, .handler = handle_best,
     .canonical = canonical_best, .template_name = "html/page_best.html",
     .summary = "A ranking with its arithmetic; w.<attribute>=<number> sets own weights"},
    {"/sandboxes/{slug}/", READ, ONLY(MEDIA_HTML), .cache = CACHE_CATALOGUE,
     .handler = handle_profile, .template_name = "html/page_profile.html",
     .summary = "Everything about one provider, as a page"},
    {"/{file...}", READ, ONLY(MEDIA_TEXT), .cache = CACHE_CATALOGUE, .handler = handle_asset,
     .summary = "Style sheets, scripts and images"},
};

const size_t route_count = ARRAY_LENGTH(route_table);
