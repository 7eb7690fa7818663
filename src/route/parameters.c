/* The parameters of queries, for the documentation. What attributes give a route is not here: see
 * route_conditions. */
#include "cost.h"
#include "limit.h"
#include "route.h"

static const char *const statuses[] = {"active", "winding-down", "discontinued", "any", NULL};
static const char *const stages[] = {"ga",           "beta",       "preview", "alpha",
                                     "experimental", "deprecated", "any",     NULL};
static const char *const kinds[] = {"hosted", "cloud-service", "local-tool", "self-hostable", NULL};
static const char *const source_kinds[] = {"docs",      "repo",    "third-party", "blog",
                                           "changelog", "pricing", "advisory",    "spec",
                                           "paper",     NULL};

#define STATUS                                                                                     \
    {.name = "status",                                                                             \
     .description = "Statuses of providers to consider; active unless asked otherwise",            \
     .type = PARAMETER_NAMES,                                                                      \
     .names = statuses}
#define STAGE                                                                                      \
    {.name = "stage",                                                                              \
     .description = "Release stages of offerings to consider; every one but deprecated unless "    \
                    "asked otherwise",                                                             \
     .type = PARAMETER_NAMES,                                                                      \
     .names = stages}
#define PROVIDERS                                                                                  \
    {.name = "providers",                                                                          \
     .description = "Only these providers",                                                        \
     .type = PARAMETER_NAMES,                                                                      \
     .source = FROM_PROVIDERS}
#define USE_CASE                                                                                   \
    {.name = "use_case",                                                                           \
     .description = "Ranks by this use case",                                                      \
     .type = PARAMETER_NAME,                                                                       \
     .source = FROM_USE_CASES}
#define PROVIDER                                                                                   \
    {.name = "provider",                                                                           \
     .description = "Only this provider",                                                          \
     .type = PARAMETER_NAME,                                                                       \
     .source = FROM_PROVIDERS}

const struct route_parameter parameters_compare[] = {
    {.name = "q", .description = "Words to be found in what is known of a provider"},
    STATUS,
    STAGE,
    {.name = "kind",
     .description = "Kinds of provider; every one unless asked otherwise",
     .type = PARAMETER_NAMES,
     .names = kinds},
    USE_CASE,
    {.name = "sort",
     .description = "The attribute to sort by, with a minus in front for the largest first; what "
                    "is not documented comes last",
     .type = PARAMETER_NAME,
     .source = FROM_SORTS},
    {.name = "columns",
     .description = "The attributes to show",
     .type = PARAMETER_NAMES,
     .source = FROM_ATTRIBUTES},
    PROVIDERS,
    {.name = "limit",
     .description = "How many matches to show",
     .type = PARAMETER_INTEGER,
     .low = 1,
     .high = LIMIT_PAGE_ROWS_MAX},
    {.name = "offset", .description = "How many matches to pass over", .type = PARAMETER_INTEGER},
    {0}};

const struct route_parameter parameters_match[] = {USE_CASE, STATUS, STAGE, PROVIDERS, {0}};

const struct route_parameter parameters_cost[] = {
    {.name = "sandboxes",
     .description = "How many exist at once; 1",
     .type = PARAMETER_INTEGER,
     .low = 1,
     .high = COST_SANDBOXES_MAXIMUM},
    {.name = "hours",
     .description = "Hours a month for which each of them exists; 100",
     .type = PARAMETER_NUMBER,
     .high = COST_HOURS_MAXIMUM},
    {.name = "active",
     .description = "Share of those hours in which it computes; what paused leaves",
     .type = PARAMETER_NUMBER,
     .high = 1},
    {.name = "paused",
     .description = "Share in which it is paused or stopped; 0",
     .type = PARAMETER_NUMBER,
     .high = 1},
    {.name = "runs",
     .description = "Starts a month, of all {nouns}; as many as there are",
     .type = PARAMETER_INTEGER,
     .low = 1,
     .high = COST_RUNS_MAXIMUM},
    {.name = "vcpu",
     .description = "vCPUs of each {noun}; 2",
     .type = PARAMETER_NUMBER,
     .low = 0.1,
     .high = COST_VCPU_MAXIMUM},
    {.name = "memory_gib",
     .description = "GiB of memory of each {noun}; 4",
     .type = PARAMETER_NUMBER,
     .low = 0.1,
     .high = COST_MEMORY_MAXIMUM},
    {.name = "storage_gib",
     .description = "GiB of storage of each {noun}, held for all of its hours; 0",
     .type = PARAMETER_NUMBER,
     .high = COST_STORAGE_MAXIMUM},
    {.name = "gpu",
     .description = "A GPU model, one for each {noun}; none",
     .type = PARAMETER_NAME,
     .source = FROM_GPUS},
    {.name = "gpu_hours",
     .description = "Hours a month for which each {noun} holds its GPU; all that are not paused",
     .type = PARAMETER_NUMBER,
     .high = COST_HOURS_MAXIMUM},
    {0}};

const struct route_parameter parameters_search[] = {
    {.name = "q", .description = "What to look for", .high = LIMIT_SEARCH_BYTES}, {0}};

const struct route_parameter parameters_sources[] = {
    PROVIDER,
    {.name = "kind",
     .description = "Only sources of this kind",
     .type = PARAMETER_NAME,
     .names = source_kinds},
    {.name = "page", .description = "Number of the page", .type = PARAMETER_INTEGER, .low = 1},
    {0}};

const struct route_parameter parameters_changes[] = {PROVIDER, {0}};

const struct route_parameter parameters_calendar[] = {PROVIDERS, {0}};

const struct route_parameter parameters_badge[] = {
    {.name = "attribute",
     .description = "The attribute to show; how much is documented, unless one is named",
     .type = PARAMETER_NAME,
     .source = FROM_ATTRIBUTES},
    {0}};

static const char *const oembed_formats[] = {"json", "xml", NULL};

const struct route_parameter parameters_oembed[] = {
    {.name = "url", .description = "The address of a comparison or {a_noun} of this site"},
    {.name = "format",
     .description = "json unless asked otherwise",
     .type = PARAMETER_NAME,
     .names = oembed_formats},
    {.name = "maxwidth",
     .description = "The most pixels of width",
     .type = PARAMETER_INTEGER,
     .low = 100,
     .high = 10000},
    {.name = "maxheight",
     .description = "The most pixels of height",
     .type = PARAMETER_INTEGER,
     .low = 100,
     .high = 10000},
    {0}};

const struct route_parameter parameters_changes_page[] = {
    PROVIDER,
    {.name = "from", .description = "The first day that is shown", .type = PARAMETER_DAY},
    {.name = "to", .description = "The last day that is shown", .type = PARAMETER_DAY},
    {0}};

const struct route_parameter parameters_corrections[] = {
    {.name = "fact",
     .description = "Id of the fact that is wrong (\"{example_provider}:{example_attribute}\")"},
    {0}};
