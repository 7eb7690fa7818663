/* The mistakes that an overlay can make in its tables, and where a row of it stands. */
#include "overlay_private.h"

#define KNOWN_PROVIDER "(SELECT slug FROM provider UNION ALL SELECT slug FROM overlay_provider)"
#define SLUG "GLOB 'private-?*' AND NOT slug GLOB '*[^a-z0-9-]*'"
#define DAY_FAULT(alias)                                                                           \
    "WHEN " alias ".day IS NOT NULL AND " alias ".day IS NOT date(" alias                          \
    ".day, '+0 days') THEN 'is no day: ' || " alias                                                \
    ".day || '; write one such as 2026-11-30' WHEN " alias                                         \
    ".day > ?1 THEN 'is of a day to come: ' || " alias ".day "
#define SOURCE_FAULT(alias)                                                                        \
    "WHEN " alias ".source IS NOT NULL AND " alias ".source NOT IN (SELECT id FROM "               \
    "overlay_source) THEN 'rests on a source that the overlay does not have: ' || " alias          \
    ".source || '; add it to its sources' WHEN NOT EXISTS (SELECT 1 FROM overlay_source) THEN "    \
    "'rests on no source; add at least one to the sources of the overlay' "
#define PROVIDER_FAULT(alias)                                                                      \
    "WHEN " alias ".provider NOT IN " KNOWN_PROVIDER                                               \
    " THEN 'names a provider that is not there: ' || " alias                                       \
    ".provider || '; take a slug of /data/providers.json, or add it to providers' WHEN " alias     \
    ".provider IN (SELECT provider FROM overlay_hidden) THEN 'is about a provider that the "       \
    "overlay hides: ' || " alias ".provider || '; do one or the other' "

#define OFFERING_FAULT(alias)                                                                      \
    "WHEN " alias ".offering IS NOT NULL AND NOT EXISTS (SELECT 1 FROM (SELECT provider, slug "    \
    "FROM offering UNION ALL SELECT provider, slug FROM overlay_offering) n WHERE n.provider = "   \
    "" alias ".provider AND n.slug = " alias                                                       \
    ".offering) THEN 'names an offering that is not there: ' || " alias                            \
    ".provider || '/' || " alias ".offering "
#define EMPTY_FAULT(column, words) "WHEN trim(" column ") = '' THEN '" words "' "
#define MONEY_FAULT(column)                                                                        \
    "WHEN " column " NOT GLOB '[0-9]*' OR " column " GLOB '*[^0-9.]*' THEN 'has the " column       \
    " ' || " column " || '; write dollars, such as 150 or 0.05' "
#define NUMBER_FAULT(column, type, condition, words)                                               \
    "WHEN " column " IS NOT NULL AND (typeof(" column ") <> '" type "' OR NOT " column             \
    " " condition ") THEN 'has the " column " ' || " column " || '; write " words "' "
#define POSITIVE_FAULT(column) NUMBER_FAULT(column, "real", "> 0", "a number above 0")
#define WHOLE_FAULT(column, least)                                                                 \
    NUMBER_FAULT(column, "integer", ">= " least, "a whole number from " least)
#define AMOUNT_FAULT(column) NUMBER_FAULT(column, "real", ">= 0", "a number from 0")
#define FLAG_FAULT(column)                                                                         \
    NUMBER_FAULT(column, "integer", "IN (0, 1)", "true or false (in SQL 1 or 0)")
#define STATE_FAULT(column)                                                                        \
    "WHEN " column " NOT IN ('full', 'used', 'none') THEN 'has the " column " ' || " column        \
    " || '; take full, used or none, or leave it out' "

/* The mistakes of one table: the place of each row that has one, and the first of its cases that
 * holds. */
#define FAULTS(table, cases)                                                                       \
    "SELECT * FROM (SELECT place, CASE " cases "END AS fault FROM " table                          \
    ") WHERE fault IS NOT NULL"

/* clang-format off */
const char *const sql_overlay_faults[] = {
    "SELECT CASE count(*) WHEN 0 THEN NULL ELSE max(place) END, "
        "'says whose overlay it is ' || iif(count(*) = 0, 'nowhere', 'more than once') || '; give it one name' "
        "FROM overlay HAVING count(*) <> 1",

    "SELECT place, 'has an empty name' FROM overlay WHERE trim(name) = ''",

    FAULTS("overlay_source s",
        "WHEN NOT (id GLOB 'private-?*' AND NOT id GLOB '*[^a-z0-9.-]*') "
            "THEN 'has the id ' || id || '; begin it with private-, then a-z, 0-9, . and -' "
        "WHEN id IN (SELECT id FROM overlay_source o WHERE o.rowid < s.rowid) THEN 'repeats the source ' || id "
        "WHEN NOT (url GLOB 'https://?*' OR url GLOB 'http://?*') "
            "THEN 'has the address ' || url || '; write one of http or https, internal ones too' "
        DAY_FAULT("s")),

    FAULTS("overlay_provider p",
        "WHEN NOT (slug " SLUG ") THEN 'has the slug ' || slug || '; begin it with private-, then a-z, 0-9 and -' "
        "WHEN slug IN (SELECT slug FROM overlay_provider o WHERE o.rowid < p.rowid) THEN 'repeats the provider ' || slug "
        "WHEN kind NOT IN ('hosted', 'cloud-service', 'local-tool', 'self-hostable') "
            "THEN 'has the kind ' || kind || '; take hosted, cloud-service, local-tool or self-hostable' "
        "WHEN trim(name) = '' THEN 'has an empty name' "
        "WHEN name || ' (private)' IN (SELECT name FROM provider UNION ALL "
            "SELECT o.name || ' (private)' FROM overlay_provider o WHERE o.rowid < p.rowid) "
            "THEN 'has the name of another one: ' || name "
        "WHEN NOT EXISTS (SELECT 1 FROM overlay_source) "
            "THEN 'rests on no source; add at least one to the sources of the overlay' "),

    FAULTS("overlay_hidden h",
        "WHEN provider NOT IN (SELECT slug FROM provider) "
            "THEN 'names a provider that is not there: ' || provider || '; take a slug of /data/providers.json' "
        "WHEN provider IN (SELECT provider FROM overlay_hidden o WHERE o.rowid < h.rowid) THEN 'hides it again: ' || provider "
        "WHEN trim(reason) = '' THEN 'gives no reason' "),

    "SELECT max(place), 'hides the last provider; leave one' "
        "FROM overlay_hidden HAVING count(*) >= (SELECT count(*) FROM provider)",

    FAULTS("overlay_banned_region b",
        "WHEN region NOT IN (SELECT value FROM attribute_value WHERE attribute = 'region_groups') "
            "THEN 'bans a region that is not there: ' || region || '; take one of ' || "
                "coalesce((SELECT group_concat(value, ', ') FROM (SELECT value FROM attribute_value "
                "WHERE attribute = 'region_groups' ORDER BY position)), 'none: this catalogue has no attribute region_groups') "
        "WHEN region IN (SELECT region FROM overlay_banned_region o WHERE o.rowid < b.rowid) THEN 'bans it again: ' || region "
        "WHEN trim(reason) = '' THEN 'gives no reason' "),

    FAULTS("overlay_fact f",
        PROVIDER_FAULT("f")
        OFFERING_FAULT("f")
        "WHEN f.attribute NOT IN (SELECT key FROM attribute) "
            "THEN 'names an attribute that is not there: ' || f.attribute || '; take a key of /data/attributes.json' "
        "WHEN NOT json_valid(f.value) "
            "THEN 'has a value that is not JSON: ' || f.value || '; a text stands in double quotes' "
        "WHEN EXISTS (SELECT 1 FROM overlay_fact o WHERE o.rowid < f.rowid AND o.provider = f.provider "
            "AND o.offering IS f.offering AND o.attribute = f.attribute) "
            "THEN 'states it again: ' || f.provider || ' ' || f.attribute "
        SOURCE_FAULT("f")
        DAY_FAULT("f")),

    FAULTS("overlay_note n",
        PROVIDER_FAULT("n")
        "WHEN trim(n.text) = '' THEN 'says nothing' "
        SOURCE_FAULT("n")
        DAY_FAULT("n")),

    FAULTS("overlay_offering o",
        "WHEN o.provider NOT IN (SELECT slug FROM overlay_provider) "
            "THEN 'is of a provider that the overlay does not add: ' || o.provider || '; only its own ones take offerings' "
        "WHEN o.slug NOT GLOB '[a-z0-9]*' OR o.slug GLOB '*[^a-z0-9-]*' "
            "THEN 'has the slug ' || o.slug || '; write a-z, 0-9 and -' "
        "WHEN EXISTS (SELECT 1 FROM overlay_offering n WHERE n.rowid < o.rowid AND n.provider = o.provider "
            "AND n.slug = o.slug) THEN 'repeats the offering ' || o.provider || '/' || o.slug "
        EMPTY_FAULT("name", "has an empty name")
        "WHEN stage NOT IN ('ga', 'beta', 'preview', 'alpha', 'experimental', 'deprecated') "
            "THEN 'has the stage ' || stage || '; take ga, beta, preview, alpha, experimental or deprecated' "),

    FAULTS("overlay_plan l",
        PROVIDER_FAULT("l")
        EMPTY_FAULT("name", "has an empty name")
        "WHEN EXISTS (SELECT 1 FROM overlay_plan o WHERE o.rowid < l.rowid AND o.provider = l.provider "
            "AND o.name = l.name) THEN 'states it again: ' || l.provider || ' ' || l.name "
        MONEY_FAULT("fee_usd") MONEY_FAULT("credit_usd")
        AMOUNT_FAULT("vcpu_hours") AMOUNT_FAULT("memory_gib_hours") AMOUNT_FAULT("storage_gib_hours")
        FLAG_FAULT("stops") FLAG_FAULT("pauses")
        WHOLE_FAULT("max_sandboxes", "1") WHOLE_FAULT("max_gpus", "1") WHOLE_FAULT("max_runs", "1")
        POSITIVE_FAULT("max_vcpu") POSITIVE_FAULT("max_memory_gib") POSITIVE_FAULT("max_storage_gib")
        POSITIVE_FAULT("max_run_hours")
        SOURCE_FAULT("l")
        DAY_FAULT("l")),

    FAULTS("overlay_billing b",
        PROVIDER_FAULT("b")
        OFFERING_FAULT("b")
        "WHEN EXISTS (SELECT 1 FROM overlay_billing o WHERE o.rowid < b.rowid AND o.provider = b.provider "
            "AND o.offering IS b.offering) THEN 'states it again: ' || b.provider "
        "WHEN charge NOT IN ('metered', 'sizes', 'free', 'unpublished') "
            "THEN 'has the charge ' || charge || '; take metered, sizes, free or unpublished' "
        "WHEN charge IN ('free', 'unpublished') AND trim(coalesce(reason, '')) = '' "
            "THEN 'gives no reason; say in words why it is ' || charge "
        "WHEN charge IN ('metered', 'sizes') AND reason IS NOT NULL "
            "THEN 'has a reason, which only free and unpublished have; say it in note' "
        STATE_FAULT("cpu_active") STATE_FAULT("cpu_idle") STATE_FAULT("cpu_paused")
        STATE_FAULT("memory_active") STATE_FAULT("memory_idle") STATE_FAULT("memory_paused")
        STATE_FAULT("storage_active") STATE_FAULT("storage_idle") STATE_FAULT("storage_paused")
        POSITIVE_FAULT("step_seconds") POSITIVE_FAULT("minimum_seconds") POSITIVE_FAULT("memory_floor_gib")
        POSITIVE_FAULT("memory_gib_vcpu_least") POSITIVE_FAULT("memory_gib_vcpu_most")
        WHOLE_FAULT("vcpu_multiple", "2")
        FLAG_FAULT("cpu_in_memory") FLAG_FAULT("gpu_includes_cpu") FLAG_FAULT("sizes_complete")
        MONEY_FAULT("usd_million_runs")
        SOURCE_FAULT("b")
        DAY_FAULT("b")),

    FAULTS("overlay_size z",
        PROVIDER_FAULT("z")
        OFFERING_FAULT("z")
        EMPTY_FAULT("name", "has an empty name")
        "WHEN EXISTS (SELECT 1 FROM overlay_size o WHERE o.rowid < z.rowid AND o.provider = z.provider "
            "AND o.offering IS z.offering AND o.name = z.name) THEN 'states it again: ' || z.provider || ' ' || z.name "
        POSITIVE_FAULT("vcpu") POSITIVE_FAULT("memory_gib")
        MONEY_FAULT("usd")
        WHOLE_FAULT("seconds", "1")
        "WHEN NOT EXISTS (SELECT 1 FROM billing_rule b WHERE b.provider = z.provider AND b.charge = 'sizes' "
            "UNION ALL SELECT 1 FROM overlay_billing b WHERE b.provider = z.provider AND b.charge = 'sizes') "
            "THEN 'is a size of ' || z.provider || ', which is not charged by sizes; add its charge to billing' "
        SOURCE_FAULT("z")
        DAY_FAULT("z")),

    NULL};
/* clang-format on */

const char sql_overlay_place[] =
    "SELECT place FROM overlay_fact WHERE 'fact ' || provider || coalesce('/' || offering, '') || "
    "' ' || attribute = ?1 UNION ALL SELECT place FROM overlay_source WHERE 'source ' || id = ?1 "
    "UNION ALL SELECT place FROM overlay_provider WHERE 'provider ' || slug = ?1 UNION ALL SELECT "
    "place FROM overlay_note WHERE ?1 GLOB 'event ' || provider || ' *' UNION ALL SELECT place "
    "FROM overlay_offering WHERE 'offering ' || provider || '/' || slug = ?1 UNION ALL SELECT "
    "place FROM overlay_billing WHERE 'billing_rule ' || provider || coalesce('/' || offering, '') "
    "= ?1 UNION ALL SELECT place FROM overlay_plan WHERE 'billing_plan ' || provider || ' ' || "
    "position = ?1 UNION ALL SELECT place FROM overlay_size WHERE 'rate_size ' || provider || "
    "coalesce('/' || offering, '') || ' ' || position = ?1 LIMIT 1";
