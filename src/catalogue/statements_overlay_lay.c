/* How the tables of an overlay are laid over the catalogue. */
#include "overlay_private.h"

#define HIDE(table) "DELETE FROM " table " WHERE provider IN (SELECT provider FROM overlay_hidden)"
#define FIRST_SOURCE "(SELECT id FROM overlay_source ORDER BY rowid LIMIT 1)"
#define FILL(table)                                                                                \
    "UPDATE " table " SET source = coalesce(source, " FIRST_SOURCE ")",                            \
        "UPDATE " table " SET day = coalesce(day, (SELECT s.day FROM overlay_source s WHERE s.id " \
        "= source))"
#define NUMBERED(table, order)                                                                     \
    "UPDATE " table " SET position = n.number FROM (SELECT rowid AS id, row_number() OVER "        \
    "(PARTITION BY " order ") AS number FROM " table ") n WHERE n.id = " table ".rowid"
#define TERMS                                                                                      \
    "(SELECT provider FROM overlay_plan UNION ALL SELECT provider FROM overlay_size "              \
    "UNION ALL SELECT provider FROM overlay_billing)"
#define COUNTED(table, one, many)                                                                  \
    "(SELECT count(*) || iif(count(*) = 1, ' " one "', ' " many "') FROM " table ")"

#define LISTED(heading, rows)                                                                      \
    "coalesce(" heading "(SELECT group_concat(words, '; ') FROM (" rows ")) || '.', '')"

/* clang-format off */
const char *const sql_overlay_lay[] = {
    FILL("overlay_fact"), FILL("overlay_note"), FILL("overlay_plan"), FILL("overlay_size"),
    FILL("overlay_billing"),
    /* The first size that is large enough is charged: the cheapest one comes first. */
    NUMBERED("overlay_plan", "provider ORDER BY rowid"),
    NUMBERED("overlay_size", "provider, offering ORDER BY CAST(usd AS REAL) / seconds, rowid"),
    /* What it does, in words and for the index; while what it hides is still there. */
    "INSERT INTO setting SELECT 'overlay', name FROM overlay",
    "INSERT INTO setting SELECT 'overlay_words', name || ' lays ' || "
        COUNTED("overlay_fact", "value", "values") " || ', ' || "
        "(SELECT iif(count(*) = 0, '', count(*) || iif(count(*) = 1, ' term', ' terms') || ' of payment, ') FROM " TERMS ") || "
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
    "INSERT INTO offering SELECT provider, row_number() OVER own, slug, name || ' (private)', "
    "stage, row_number() OVER own = 1 FROM overlay_offering WINDOW own AS (PARTITION BY provider "
    "ORDER BY rowid)",
    /* The history of what is replaced is public, and shown as such elsewhere. */
    "DELETE FROM fact WHERE EXISTS (SELECT 1 FROM overlay_fact o WHERE o.provider = fact.provider "
    "AND o.offering IS fact.offering AND o.attribute = fact.attribute)",
    "INSERT INTO fact SELECT provider, offering, attribute, 'documented', value, detail, note, "
    "source, 'private', day, day, NULL FROM overlay_fact",
    /* A rate is the published form of the price fact that was just replaced. */
    "DELETE FROM rate WHERE EXISTS (SELECT 1 FROM overlay_fact o WHERE o.provider = rate.provider "
    "AND o.attribute = CASE rate.resource WHEN 'vcpu' THEN 'price_vcpu_hour_usd' WHEN 'memory' "
    "THEN 'price_memory_gib_hour_usd' ELSE 'price_storage_gib_month_usd' END)",
    /* Plans and sizes are lists: an overlay's own stand in place of all public ones. */
    "DELETE FROM billing_plan WHERE provider IN (SELECT provider FROM overlay_plan)",
    "INSERT INTO billing_plan SELECT provider, position, name, fee_usd, coalesce(credit_usd, '0'), "
    "coalesce(vcpu_hours, 0), coalesce(memory_gib_hours, 0), coalesce(storage_gib_hours, 0), "
    "coalesce(stops, 0), pauses, max_sandboxes, max_gpus, max_runs, max_vcpu, max_memory_gib, "
    "max_storage_gib, max_run_hours, source, 'private', day, note FROM overlay_plan",
    "DELETE FROM rate_size WHERE provider IN (SELECT provider FROM overlay_size)",
    "INSERT INTO rate_size SELECT provider, offering, position, name, vcpu, memory_gib, usd, "
    "seconds, source, 'private', day, note FROM overlay_size",
    "DELETE FROM billing_rule WHERE EXISTS (SELECT 1 FROM overlay_billing o WHERE o.provider = "
    "billing_rule.provider AND o.offering IS billing_rule.offering)",
    "INSERT INTO billing_rule SELECT provider, offering, charge, reason, cpu_active, cpu_idle, "
    "cpu_paused, memory_active, memory_idle, memory_paused, storage_active, storage_idle, "
    "storage_paused, step_seconds, minimum_seconds, memory_floor_gib, memory_gib_vcpu_least, "
    "memory_gib_vcpu_most, vcpu_multiple, coalesce(cpu_in_memory, 0), gpu_includes_cpu, "
    "sizes_complete, usd_million_runs, lower_bound, '[]', source, 'private', day, note FROM "
    "overlay_billing",
    "INSERT INTO event SELECT n.provider, (SELECT coalesce(max(e.position), 0) FROM event e WHERE "
    "e.provider = n.provider) + row_number() OVER (PARTITION BY n.provider ORDER BY n.rowid), "
    "n.day, 'Private note: ' || n.text, n.source FROM overlay_note n",
    "UPDATE provider SET name = name || ' (private values)' WHERE slug IN (SELECT provider FROM "
    "overlay_fact UNION SELECT provider FROM " TERMS ") AND slug NOT IN (SELECT slug FROM overlay_provider)",
    "DELETE FROM search", "INSERT INTO search SELECT kind, slug, title, body FROM search_source",
    NULL};
/* clang-format on */
