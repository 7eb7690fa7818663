/* The statements of a private overlay. */
#include "overlay_private.h"

#define PLACE "place TEXT NOT NULL DEFAULT (overlay_place())"

const char sql_overlay_is_known[] =
    "SELECT count(*) FROM sqlite_schema WHERE name IN ('source', 'fact') AND instr(sql, "
    "'''private''') > 0";

const char sql_overlay_begin[] =
    "CREATE TEMP TABLE overlay (name TEXT NOT NULL, " PLACE ");"
    "CREATE TEMP TABLE overlay_source (id TEXT NOT NULL, url TEXT NOT NULL, title TEXT NOT NULL, "
    "publisher TEXT NOT NULL, day TEXT NOT NULL, " PLACE ");"
    "CREATE TEMP TABLE overlay_fact (provider TEXT NOT NULL, offering TEXT, attribute TEXT NOT "
    "NULL, value TEXT NOT NULL, detail TEXT, note TEXT, source TEXT, day TEXT, " PLACE ");"
    "CREATE TEMP TABLE overlay_note (provider TEXT NOT NULL, text TEXT NOT NULL, source TEXT, "
    "day TEXT, " PLACE ");"
    "CREATE TEMP TABLE overlay_provider (slug TEXT NOT NULL, name TEXT NOT NULL, vendor TEXT NOT "
    "NULL, kind TEXT NOT NULL, homepage TEXT NOT NULL, docs_url TEXT, pricing_url TEXT, repo_url "
    "TEXT, summary TEXT NOT NULL, " PLACE ");"
    "CREATE TEMP TABLE overlay_hidden (provider TEXT NOT NULL, reason TEXT NOT NULL, " PLACE ");"
    "CREATE TEMP TABLE overlay_banned_region (region TEXT NOT NULL, reason TEXT NOT NULL, " PLACE
    ");"
    "BEGIN";

const struct overlay_list overlay_lists[] = {
    {"name", "INSERT INTO overlay (name) VALUES (?1)", {{"name", FIELD_NEEDED}}},
    {"sources",
     "INSERT INTO overlay_source (id, url, title, publisher, day) VALUES (?1, ?2, ?3, ?4, ?5)",
     {{"id", FIELD_NEEDED},
      {"url", FIELD_NEEDED},
      {"title", FIELD_NEEDED},
      {"publisher", FIELD_NEEDED},
      {"day", FIELD_NEEDED}}},
    {"facts",
     "INSERT INTO overlay_fact (provider, offering, attribute, value, detail, note, source, day) "
     "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
     {{"provider", FIELD_NEEDED},
      {"offering", FIELD_OPTIONAL},
      {"attribute", FIELD_NEEDED},
      {"value", FIELD_VALUE},
      {"detail", FIELD_OPTIONAL},
      {"note", FIELD_OPTIONAL},
      {"source", FIELD_OPTIONAL},
      {"day", FIELD_OPTIONAL}}},
    {"notes",
     "INSERT INTO overlay_note (provider, text, source, day) VALUES (?1, ?2, ?3, ?4)",
     {{"provider", FIELD_NEEDED},
      {"text", FIELD_NEEDED},
      {"source", FIELD_OPTIONAL},
      {"day", FIELD_OPTIONAL}}},
    {"providers",
     "INSERT INTO overlay_provider (slug, name, vendor, kind, homepage, docs_url, pricing_url, "
     "repo_url, summary) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
     {{"slug", FIELD_NEEDED},
      {"name", FIELD_NEEDED},
      {"vendor", FIELD_NEEDED},
      {"kind", FIELD_NEEDED},
      {"homepage", FIELD_NEEDED},
      {"docs_url", FIELD_OPTIONAL},
      {"pricing_url", FIELD_OPTIONAL},
      {"repo_url", FIELD_OPTIONAL},
      {"summary", FIELD_NEEDED}}},
    {"hidden",
     "INSERT INTO overlay_hidden (provider, reason) VALUES (?1, ?2)",
     {{"provider", FIELD_NEEDED}, {"reason", FIELD_NEEDED}}},
    {"banned_regions",
     "INSERT INTO overlay_banned_region (region, reason) VALUES (?1, ?2)",
     {{"region", FIELD_NEEDED}, {"reason", FIELD_NEEDED}}},
    {.name = NULL},
};

const char *const overlay_functions[] = {"abs",
                                         "coalesce",
                                         "count",
                                         "date",
                                         "group_concat",
                                         "glob",
                                         "ifnull",
                                         "iif",
                                         "instr",
                                         "json",
                                         "json_array",
                                         "json_each",
                                         "json_extract",
                                         "json_group_array",
                                         "json_group_object",
                                         "json_object",
                                         "json_quote",
                                         "json_remove",
                                         "json_replace",
                                         "json_set",
                                         "json_type",
                                         "json_valid",
                                         "length",
                                         "like",
                                         "lower",
                                         "ltrim",
                                         "max",
                                         "min",
                                         "nullif",
                                         "overlay_place",
                                         "quote",
                                         "replace",
                                         "round",
                                         "rtrim",
                                         "substr",
                                         "substring",
                                         "sum",
                                         "total",
                                         "trim",
                                         "upper",
                                         "->",
                                         "->>",
                                         "avg",
                                         NULL};

/* --- mistakes --- */

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
        "WHEN f.offering IS NOT NULL AND NOT EXISTS (SELECT 1 FROM offering o WHERE o.provider = f.provider AND o.slug = f.offering) "
            "THEN 'names an offering that is not there: ' || f.provider || '/' || f.offering "
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

    NULL};
/* clang-format on */

const char sql_overlay_place[] =
    "SELECT place FROM overlay_fact WHERE 'fact ' || provider || coalesce('/' || offering, '') || "
    "' ' || attribute = ?1 UNION ALL SELECT place FROM overlay_source WHERE 'source ' || id = ?1 "
    "UNION ALL SELECT place FROM overlay_provider WHERE 'provider ' || slug = ?1 UNION ALL SELECT "
    "place FROM overlay_note WHERE ?1 GLOB 'event ' || provider || ' *' LIMIT 1";

/* --- laying --- */

#define HIDE(table) "DELETE FROM " table " WHERE provider IN (SELECT provider FROM overlay_hidden)"
#define FIRST_SOURCE "(SELECT id FROM overlay_source ORDER BY rowid LIMIT 1)"
#define FILL(table)                                                                                \
    "UPDATE " table " SET source = coalesce(source, " FIRST_SOURCE ")",                            \
        "UPDATE " table " SET day = coalesce(day, (SELECT s.day FROM overlay_source s WHERE s.id " \
        "= source))"
#define COUNTED(table, one, many)                                                                  \
    "(SELECT count(*) || iif(count(*) = 1, ' " one "', ' " many "') FROM " table ")"

#define LISTED(heading, rows)                                                                      \
    "coalesce(" heading "(SELECT group_concat(words, '; ') FROM (" rows ")) || '.', '')"

/* clang-format off */
const char *const sql_overlay_lay[] = {
    FILL("overlay_fact"), FILL("overlay_note"),
    /* What it does, in words and for the index; while what it hides is still there. */
    "INSERT INTO setting SELECT 'overlay', name FROM overlay",
    "INSERT INTO setting SELECT 'overlay_words', name || ' lays ' || "
        COUNTED("overlay_fact", "value", "values") " || ', ' || "
        COUNTED("overlay_note", "note", "notes") " || ' and ' || "
        COUNTED("overlay_provider", "provider", "providers") " || ' of its own over the public catalogue.' || "
        LISTED("' Hidden: ' || ", "SELECT p.name || ' (' || h.reason || ')' AS words FROM overlay_hidden h "
            "JOIN provider p ON p.slug = h.provider ORDER BY lower(p.name)") " || "
        LISTED("' Banned regions: ' || ", "SELECT v.label || ' (' || b.reason || ')' AS words FROM overlay_banned_region b "
            "JOIN attribute_value v ON v.attribute = 'region_groups' AND v.value = b.region ORDER BY v.position") " FROM overlay",
    "INSERT INTO setting SELECT 'overlay_banned_regions', json_group_array(region) FROM (SELECT "
    "region FROM overlay_banned_region ORDER BY region)",
    HIDE("fact"), HIDE("claim"), HIDE("conflict"), HIDE("event"), HIDE("review"),
    HIDE("measurement"), HIDE("rate"), HIDE("rate_size"), HIDE("billing_rule"),
    HIDE("billing_plan"),
    "DELETE FROM pair WHERE a IN (SELECT provider FROM overlay_hidden) OR b IN (SELECT provider "
    "FROM overlay_hidden)",
    HIDE("offering"), "DELETE FROM provider WHERE slug IN (SELECT provider FROM overlay_hidden)",
    "INSERT INTO source SELECT id, url, title, publisher, 'private', NULL, day, NULL, NULL, NULL, "
    "NULL, NULL FROM overlay_source",
    "INSERT INTO provider SELECT slug, name || ' (private)', vendor, kind, 'active', NULL, NULL, "
    "homepage, docs_url, pricing_url, repo_url, summary FROM overlay_provider",
    "INSERT INTO fact SELECT p.slug, NULL, a.key, 'not_documented', NULL, NULL, NULL, NULL, NULL, "
    "s.day, s.day, NULL FROM overlay_provider p, attribute a, overlay_source s WHERE s.id "
    "= " FIRST_SOURCE,
    /* The history of what is replaced is public, and shown as such elsewhere. */
    "DELETE FROM fact WHERE EXISTS (SELECT 1 FROM overlay_fact o WHERE o.provider = fact.provider "
    "AND o.offering IS fact.offering AND o.attribute = fact.attribute)",
    "INSERT INTO fact SELECT provider, offering, attribute, 'documented', value, detail, note, "
    "source, 'private', day, day, NULL FROM overlay_fact",
    /* A rate is the published form of the price fact that was just replaced. */
    "DELETE FROM rate WHERE EXISTS (SELECT 1 FROM overlay_fact o WHERE o.provider = rate.provider "
    "AND o.attribute = CASE rate.resource WHEN 'vcpu' THEN 'price_vcpu_hour_usd' WHEN 'memory' "
    "THEN 'price_memory_gib_hour_usd' ELSE 'price_storage_gib_month_usd' END)",
    "INSERT INTO event SELECT n.provider, (SELECT coalesce(max(e.position), 0) FROM event e WHERE "
    "e.provider = n.provider) + row_number() OVER (PARTITION BY n.provider ORDER BY n.rowid), "
    "n.day, 'Private note: ' || n.text, n.source FROM overlay_note n",
    "UPDATE provider SET name = name || ' (private values)' WHERE slug IN (SELECT provider FROM "
    "overlay_fact) AND slug NOT IN (SELECT slug FROM overlay_provider)",
    "DELETE FROM search", "INSERT INTO search SELECT kind, slug, title, body FROM search_source",
    NULL};
/* clang-format on */
