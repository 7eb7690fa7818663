#include "statements.h"

const char sql_application_id[] = "PRAGMA application_id";
const char sql_user_version[] = "PRAGMA user_version";
const char sql_integrity_check[] = "PRAGMA integrity_check(1)";
const char sql_compact[] = "VACUUM";
const char sql_hold_state[] = "BEGIN; SELECT count(*) FROM sqlite_schema";
const char sql_memory[] = "PRAGMA temp_store = MEMORY";
const char sql_freeze[] = "PRAGMA query_only = 1";

/* Views that stand in front of the tables of the same names, so that every statement sees what was
 * known on a day. A provider or an offering is there from the first day of any of its facts. */
const char sql_past[] =
    "CREATE TEMP VIEW fact AS SELECT rowid AS rowid, provider, offering, attribute, state, value, "
    "detail, note, source, basis, checked_on, valid_from, iif(valid_to > %Q, NULL, valid_to) AS "
    "valid_to FROM main.fact WHERE valid_from <= %Q;"
    "CREATE TEMP VIEW provider AS SELECT * FROM main.provider p WHERE coalesce((SELECT "
    "min(f.valid_from) FROM main.fact f WHERE f.provider = p.slug), '') <= %Q;"
    "CREATE TEMP VIEW offering AS SELECT * FROM main.offering o WHERE o.provider IN (SELECT slug "
    "FROM temp.provider) AND coalesce((SELECT min(f.valid_from) FROM main.fact f WHERE f.provider "
    "= o.provider AND f.offering = o.slug), '') <= %Q;"
    "CREATE TEMP VIEW review AS SELECT * FROM main.review WHERE reviewed_on <= %Q;"
    "CREATE TEMP VIEW measurement AS SELECT * FROM main.measurement WHERE day <= %Q;";
const char sql_map[] = "PRAGMA mmap_size = 2147418112";

#define SOURCE_COLUMNS                                                                             \
    "s.id AS source_id, s.url AS source_url, s.title AS source_title, s.publisher AS "             \
    "source_publisher, "                                                                           \
    "s.kind AS source_kind, s.copy_date AS source_copy_date, s.accessed_on AS "                    \
    "source_accessed_on, "                                                                         \
    "s.verified_on AS source_verified_on"

#define FACT_COLUMNS                                                                               \
    "f.rowid AS rowid, f.provider, f.offering, f.attribute, f.state, f.value AS \"value:json\", "  \
    "f.detail, f.note, "                                                                           \
    "f.basis, f.checked_on, f.valid_from, " SOURCE_COLUMNS

#define PROVIDER_COLUMNS                                                                           \
    "slug, name, vendor, kind, status, status_note, status_source, homepage, docs_url, "           \
    "pricing_url, repo_url, summary"

const struct statement_text statement_texts[STATEMENT__COUNT] = {
    [STATEMENT_SETTINGS] = {"/*scan*/ SELECT key, value FROM setting ORDER BY key", 0},
    [STATEMENT_SECTIONS] =
        {"/*scan*/ SELECT 'guides' AS section WHERE EXISTS (SELECT 1 FROM guide) UNION ALL "
         "SELECT 'glossary' WHERE EXISTS (SELECT 1 FROM glossary_term) UNION ALL "
         "SELECT 'rankings' WHERE EXISTS (SELECT 1 FROM use_case) UNION ALL "
         "SELECT 'overall' WHERE EXISTS (SELECT 1 FROM use_case WHERE slug = 'overall') UNION ALL "
         "SELECT 'pricing' WHERE EXISTS (SELECT 1 FROM billing_rule) UNION ALL "
         "SELECT 'measurements' WHERE EXISTS (SELECT 1 FROM measurement)",
         0},
    [STATEMENT_LAST_REVIEWED] =
        {"/*scan*/ SELECT coalesce(max(reviewed_on), (SELECT value FROM "
         "setting WHERE key = 'catalogue_date')) AS last_reviewed FROM review",
         0},
    [STATEMENT_DAYS] =
        {"/*scan*/ /*sort*/ SELECT day FROM (SELECT valid_from AS day FROM fact UNION SELECT "
         "valid_to FROM "
         "fact UNION SELECT checked_on FROM fact UNION SELECT reviewed_on FROM claim UNION SELECT "
         "reviewed_on FROM review UNION SELECT day FROM measurement UNION SELECT day FROM journal "
         "UNION SELECT date FROM event UNION SELECT checked_on FROM rate UNION SELECT checked_on "
         "FROM rate_size UNION SELECT checked_on FROM billing_rule UNION SELECT checked_on FROM "
         "billing_plan UNION SELECT reviewed_on FROM guide UNION SELECT reviewed_on FROM "
         "glossary_term UNION SELECT accessed_on FROM source UNION SELECT verified_on FROM source) "
         "WHERE day >= (SELECT min(valid_from) FROM fact) ORDER BY day",
         0},
    [STATEMENT_GROUPS] =
        {"/*scan*/ /*sort*/ SELECT key, label FROM attribute_group ORDER BY position", 0},
    [STATEMENT_ATTRIBUTES] =
        {"/*scan*/ /*sort*/ SELECT a.key, a.label, a.group_key, a.type, a.unit, a.better, "
         "a.glossary, "
         "a.headline AS \"headline:bool\", a.filterable AS \"filterable:bool\", v.review_days, "
         "a.description FROM attribute a JOIN volatility v ON v.key = a.volatility "
         "ORDER BY a.position",
         0},
    [STATEMENT_ATTRIBUTE_VALUES] =
        {"/*scan*/ /*sort*/ SELECT attribute, value, label FROM attribute_value "
         "ORDER BY attribute, position",
         0},
    [STATEMENT_INDEX_PROVIDERS] =
        {"/*scan*/ SELECT slug, name, kind, status FROM provider ORDER BY slug", 0},
    [STATEMENT_INDEX_OFFERINGS] =
        {"/*scan*/ /*sort*/ SELECT provider, slug, name, release_stage, "
         "is_default AS \"is_default:bool\" FROM offering ORDER BY provider, position",
         0},
    [STATEMENT_INDEX_FACTS] =
        {"/*scan*/ SELECT rowid, provider, offering, attribute, state, value, "
         "checked_on FROM fact WHERE valid_to IS NULL",
         0},
    [STATEMENT_BANNED_REGIONS] =
        {"SELECT r.value FROM setting s, json_each(s.value) r WHERE s.key = "
         "'overlay_banned_regions'",
         0},
    [STATEMENT_COUNTS] =
        {"/*scan*/ SELECT (SELECT count(*) FROM provider) AS providers, "
         "(SELECT count(*) FROM provider WHERE status = 'active') AS providers_active, "
         "(SELECT count(*) FROM offering) AS offerings, (SELECT count(*) FROM attribute) AS "
         "attributes, "
         "(SELECT count(*) FROM fact WHERE valid_to IS NULL) AS facts, "
         "(SELECT count(*) FROM fact WHERE valid_to IS NULL AND state = 'documented') AS "
         "facts_documented, "
         "(SELECT count(*) FROM fact WHERE valid_to IS NULL AND state = 'not_applicable') AS "
         "facts_not_applicable, "
         "(SELECT count(*) FROM fact WHERE valid_to IS NULL AND state = 'not_documented') AS "
         "facts_not_documented, "
         "(SELECT count(*) FROM source) AS sources, (SELECT count(*) FROM conflict) AS conflicts, "
         "(SELECT count(*) FROM measurement) AS measurements, (SELECT count(*) FROM use_case) AS "
         "use_cases, "
         "(SELECT count(*) FROM pair) AS pairs, (SELECT count(*) FROM glossary_term) AS "
         "glossary_terms, "
         "(SELECT count(*) FROM guide) AS guides",
         0},
    [STATEMENT_BASIS_COUNTS] =
        {"/*scan*/ /*sort*/ SELECT basis, count(*) AS facts FROM fact WHERE valid_to IS NULL AND "
         "state = 'documented' GROUP BY basis ORDER BY facts DESC, basis",
         0},
    [STATEMENT_VOLATILITIES] =
        {"/*scan*/ /*sort*/ SELECT v.key, v.label, v.review_days, count(a.key) AS attributes FROM "
         "volatility v LEFT JOIN attribute a ON a.volatility = v.key GROUP BY v.key "
         "ORDER BY v.review_days, v.label",
         0},
    [STATEMENT_PROVIDERS] = {"/*scan*/ SELECT " PROVIDER_COLUMNS " FROM provider ORDER BY slug", 0},
    [STATEMENT_PROVIDER] = {"SELECT " PROVIDER_COLUMNS " FROM provider WHERE slug = ?1", 1},
    [STATEMENT_OFFERINGS] = {"/*sort*/ SELECT slug, name, release_stage, is_default AS "
                             "\"is_default:bool\" FROM offering "
                             "WHERE provider = ?1 ORDER BY position",
                             1},
    [STATEMENT_FACTS_OF_PROVIDER] =
        {"/*sort*/ SELECT " FACT_COLUMNS " FROM fact f JOIN attribute a ON a.key = f.attribute "
         "LEFT JOIN offering o ON o.provider = f.provider AND o.slug = f.offering "
         "LEFT JOIN source s ON s.id = f.source "
         "WHERE f.provider = ?1 AND f.valid_to IS NULL ORDER BY o.position, a.position",
         1},
    [STATEMENT_FACTS_BY_ROWID] =
        {"SELECT " FACT_COLUMNS " FROM json_each(?1) wanted JOIN fact f ON f.rowid = wanted.value "
         "LEFT JOIN source s ON s.id = f.source",
         1},
    [STATEMENT_CLAIMS] =
        {"SELECT kind, position, text, facts AS \"facts:json\", reviewed_on FROM claim "
         "WHERE provider = ?1 ORDER BY provider, kind, position",
         1},
    [STATEMENT_CONFLICTS] =
        {"SELECT position, text, facts AS \"facts:json\" FROM conflict WHERE provider = ?1 "
         "ORDER BY provider, position",
         1},
    [STATEMENT_EVENTS] = {"/*sort*/ SELECT e.date, e.text, " SOURCE_COLUMNS
                          " FROM event e JOIN source s ON s.id = e.source "
                          "WHERE e.provider = ?1 ORDER BY e.date, e.position",
                          1},
    [STATEMENT_EVENTS_RECENT] =
        {"/*scan*/ /*sort*/ SELECT e.provider, p.name AS provider_name, e.date, "
         "e.text, " SOURCE_COLUMNS
         " FROM event e JOIN provider p ON p.slug = e.provider JOIN source s ON s.id = e.source "
         "ORDER BY e.date DESC, e.provider, e.position LIMIT ?1",
         1},
    [STATEMENT_REVIEWS] = {"SELECT reviewed_on, scope, note FROM review WHERE provider = ?1 "
                           "ORDER BY provider, reviewed_on, scope",
                           1},
    [STATEMENT_SOURCES_OF_PROVIDER] =
        {"/*sort*/ SELECT id, url, title, publisher, kind, copy_date, accessed_on, verified_on, "
         "via, quote_words, "
         "quote_sha256 FROM source WHERE id IN (SELECT source FROM fact WHERE provider = ?1 AND "
         "valid_to IS NULL "
         "UNION SELECT source FROM event WHERE provider = ?1 UNION SELECT status_source FROM "
         "provider WHERE slug = ?1 "
         "UNION SELECT source FROM measurement WHERE provider = ?1) ORDER BY id",
         1},
    [STATEMENT_SOURCES] = {"/*scan*/ /*sort*/ SELECT s.id, s.url, s.title, s.publisher, s.kind, "
                           "s.copy_date, s.accessed_on, s.verified_on, s.via, s.quote_words, "
                           "s.quote_sha256, coalesce(j.state, iif(s.verified_on IS NOT NULL, "
                           "'verified', iif(s.quote_sha256 IS NULL, 'no-passage', 'unchecked'))) "
                           "AS state, j.checked_on AS failed_on, j.reason AS failure, e.until AS "
                           "exempt_until, e.reason AS exemption FROM source s LEFT JOIN "
                           "source_failure j ON j.source = s.id LEFT JOIN source_exemption e ON "
                           "e.source = s.id ORDER BY lower(publisher), lower(title), id",
                           0},
    [STATEMENT_SOURCE_USES] =
        {"/*scan*/ SELECT source, 'fact' AS use, provider, offering, attribute AS what FROM fact "
         "WHERE source IS NOT NULL AND valid_to IS NULL "
         "UNION ALL SELECT source, 'event', provider, NULL, date FROM event "
         "UNION ALL SELECT status_source, 'status', slug, NULL, status FROM provider "
         "WHERE status_source IS NOT NULL "
         "UNION ALL SELECT DISTINCT source, 'measurement', provider, NULL, NULL FROM measurement "
         "UNION ALL SELECT DISTINCT source, 'term', NULL, NULL, term FROM glossary_fact "
         "UNION ALL SELECT DISTINCT source, 'guide', NULL, NULL, guide FROM guide_fact",
         0},
    [STATEMENT_MEASUREMENTS_NEWEST] =
        {"SELECT m.mode, m.day, m.runs, m.median_ms, m.p95_ms, m.p99_ms, "
         "m.success_rate, " SOURCE_COLUMNS
         " FROM measurement m JOIN source s ON s.id = m.source WHERE m.provider = ?1 AND m.day = "
         "(SELECT max(n.day) FROM measurement n WHERE n.provider = m.provider AND n.mode = m.mode) "
         "ORDER BY m.provider, m.mode",
         1},
    [STATEMENT_MEASUREMENTS_OF_PROVIDER] =
        {"SELECT mode, day, runs, median_ms, p95_ms, p99_ms, success_rate, source FROM measurement "
         "WHERE provider = ?1 ORDER BY provider, mode, day",
         1},
    [STATEMENT_MEASUREMENTS] = {"/*scan*/ SELECT provider, mode, day, runs, median_ms, p95_ms, "
                                "p99_ms, success_rate, source "
                                "FROM measurement ORDER BY provider, mode, day",
                                0},
    [STATEMENT_COST_GPUS] = {"/*scan*/ /*sort*/ SELECT slug, name, also AS \"also:json\" FROM "
                             "gpu_model ORDER BY position",
                             0},
    [STATEMENT_COST_RATES] = {"/*scan*/ SELECT r.provider, r.resource, r.usd, r.per, r.basis, "
                              "r.checked_on, r.note, " SOURCE_COLUMNS
                              " FROM rate r JOIN source s ON s.id = r.source "
                              "ORDER BY r.provider, r.resource",
                              0},
    [STATEMENT_COST_SIZES] = {"/*scan*/ /*sort*/ SELECT r.provider, r.offering, r.name, r.vcpu, "
                              "r.memory_gib, r.usd, r.seconds, r.basis, r.checked_on, "
                              "r.note, " SOURCE_COLUMNS
                              " FROM rate_size r JOIN source s ON s.id = r.source "
                              "ORDER BY r.provider, r.offering, r.position",
                              0},
    [STATEMENT_COST_RULES] =
        {"/*scan*/ /*sort*/ SELECT r.provider, r.offering, r.charge, r.reason, r.cpu_active, "
         "r.cpu_idle, r.cpu_paused, r.memory_active, r.memory_idle, r.memory_paused, "
         "r.storage_active, r.storage_idle, r.storage_paused, r.step_seconds, r.minimum_seconds, "
         "r.memory_floor_gib, r.memory_gib_vcpu_least, r.memory_gib_vcpu_most, r.vcpu_multiple, "
         "r.cpu_in_memory AS \"cpu_in_memory:bool\", r.gpu_includes_cpu AS "
         "\"gpu_includes_cpu:bool\", r.sizes_complete AS \"sizes_complete:bool\", "
         "r.usd_million_runs, r.lower_bound, r.assumptions AS \"assumptions:json\", r.basis, "
         "r.checked_on, r.note, " SOURCE_COLUMNS
         " FROM billing_rule r JOIN source s ON s.id = r.source ORDER BY r.provider, r.offering",
         0},
    [STATEMENT_COST_PLANS] =
        {"/*scan*/ SELECT r.provider, r.position, r.name, r.fee_usd, r.credit_usd, r.vcpu_hours, "
         "r.memory_gib_hours, r.storage_gib_hours, r.stops AS \"stops:bool\", r.pauses AS "
         "\"pauses:bool\", r.max_sandboxes, r.max_gpus, r.max_runs, r.max_vcpu, r.max_memory_gib, "
         "r.max_storage_gib, r.max_run_hours, r.basis, r.checked_on, r.note, " SOURCE_COLUMNS
         " FROM billing_plan r JOIN source s ON s.id = r.source ORDER BY r.provider, r.position",
         0},
    [STATEMENT_COST_PRESETS] = {"/*scan*/ /*sort*/ SELECT slug, title, description, parameters AS "
                                "\"parameters:json\" FROM cost_preset ORDER BY position",
                                0},
    [STATEMENT_USE_CASES] =
        {"/*scan*/ /*sort*/ SELECT slug, path, title, require AS \"require:json\" FROM use_case "
         "ORDER BY position",
         0},
    [STATEMENT_CRITERIA] =
        {"SELECT attribute, weight, rule AS \"rule:json\", why FROM criterion WHERE use_case = ?1 "
         "ORDER BY use_case, position",
         1},
    [STATEMENT_PAIRS] =
        {"/*scan*/ /*sort*/ SELECT x.a, pa.name AS a_name, x.b, pb.name AS b_name FROM pair x "
         "JOIN provider pa ON pa.slug = x.a JOIN provider pb ON pb.slug = x.b ORDER BY x.position",
         0},
    [STATEMENT_TERMS] = {"/*scan*/ /*sort*/ SELECT slug, term, also AS \"also:json\", description, "
                         "reviewed_on FROM glossary_term "
                         "ORDER BY lower(term)",
                         0},
    [STATEMENT_TERM] = {"SELECT slug, term, also AS \"also:json\", related AS \"related:json\", "
                        "description, body, reviewed_on "
                        "FROM glossary_term WHERE slug = ?1",
                        1},
    [STATEMENT_TERM_FACTS] = {"SELECT g.text, " SOURCE_COLUMNS
                              " FROM glossary_fact g JOIN source s ON s.id = g.source "
                              "WHERE g.term = ?1 ORDER BY g.term, g.position",
                              1},
    [STATEMENT_GUIDES] = {"/*scan*/ /*sort*/ SELECT slug, title, description, takeaways AS "
                          "\"takeaways:json\", reviewed_on FROM guide "
                          "ORDER BY position",
                          0},
    [STATEMENT_GUIDE] = {"SELECT slug, title, description, takeaways AS \"takeaways:json\", "
                         "outline AS \"outline:json\", body, "
                         "reviewed_on FROM guide WHERE slug = ?1",
                         1},
    [STATEMENT_GUIDE_FACTS] = {"SELECT g.text, " SOURCE_COLUMNS
                               " FROM guide_fact g JOIN source s ON s.id = g.source "
                               "WHERE g.guide = ?1 ORDER BY g.guide, g.position",
                               1},
    /* What matched stands between the control characters 2 and 3, which no text has. */
    [STATEMENT_SEARCH] =
        {"/*sort*/ SELECT kind, slug, title, snippet(search, 3, char(2), char(3), ' ... ', 28) AS "
         "extract FROM search WHERE search MATCH ?1 ORDER BY bm25(search, 0, 0, 100, 1) LIMIT ?2",
         2},
    [STATEMENT_SEARCH_PROVIDERS] =
        {"SELECT slug FROM search WHERE search MATCH ?1 AND kind = 'provider'", 1},
    [STATEMENT_LAST_REVIEWS] =
        {"/*scan*/ SELECT p.slug, p.name, max(r.reviewed_on) AS last_reviewed FROM provider p "
         "LEFT JOIN review r ON r.provider = p.slug GROUP BY p.slug ORDER BY p.slug",
         0},
    [STATEMENT_ALL_REVIEWS] =
        {"/*scan*/ /*sort*/ SELECT r.reviewed_on, r.scope, r.note, r.provider, p.name AS "
         "provider_name FROM review r JOIN provider p ON p.slug = r.provider "
         "ORDER BY r.reviewed_on DESC, r.scope, lower(p.name)",
         0},
    [STATEMENT_FACT_CHANGES] =
        {"/*scan*/ /*sort*/ SELECT o.provider, p.name AS provider_name, o.offering, o.attribute, "
         "o.valid_to AS date, o.state AS old_state, o.value AS \"old_value:json\", n.state AS "
         "new_state, n.value AS \"new_value:json\", " SOURCE_COLUMNS
         " FROM fact o JOIN provider p ON p.slug = o.provider "
         "LEFT JOIN fact n ON n.provider = o.provider AND n.offering IS o.offering "
         "AND n.attribute = o.attribute AND n.valid_from = o.valid_to "
         "LEFT JOIN source s ON s.id = n.source WHERE o.valid_to IS NOT NULL "
         "ORDER BY o.valid_to DESC, o.provider, o.offering, o.attribute",
         0},
    [STATEMENT_MEASURED_PROVIDERS] =
        {"/*scan*/ SELECT m.provider AS slug, p.name, max(m.day) AS last_day FROM measurement m "
         "JOIN provider p ON p.slug = m.provider GROUP BY m.provider ORDER BY m.provider",
         0},
    [STATEMENT_BODIES] =
        {"/*scan*/ SELECT 'term' AS kind, slug, term AS title, body FROM glossary_term "
         "UNION ALL SELECT 'guide', slug, title, body FROM guide",
         0},
    [STATEMENT_FACT_HISTORY] =
        {"/*sort*/ SELECT f.offering, f.attribute, f.state, f.value, f.detail, f.note, f.source, "
         "f.basis, f.checked_on, f.valid_from, f.valid_to FROM fact f JOIN attribute a ON a.key = "
         "f.attribute LEFT JOIN offering o ON o.provider = f.provider AND o.slug = f.offering "
         "WHERE "
         "f.provider = ?1 AND (?2 IS NULL OR f.attribute = ?2) "
         "ORDER BY o.position, a.position, f.valid_from",
         2},
    /* The last day on which a fact is not stale is its review-by day. */
    [STATEMENT_STALE] =
        {"/*scan*/ /*sort*/ SELECT f.provider || coalesce('/' || f.offering, '') || ':' || "
         "f.attribute AS fact, f.provider, f.source, v.key AS volatility, a.headline, "
         "f.checked_on, date(f.checked_on, '+' "
         "|| v.review_days || ' days') AS review_by, CAST(julianday(?1) - julianday(f.checked_on) "
         "- v.review_days AS INTEGER) AS overdue_days FROM fact f JOIN attribute a ON a.key = "
         "f.attribute JOIN volatility v ON v.key = a.volatility WHERE f.valid_to IS NULL AND "
         "f.state = 'documented' AND julianday(?1) + max(?2, -1) >= julianday(f.checked_on) + "
         "v.review_days + (?2 = 0) ORDER BY overdue_days <= 0, a.headline DESC, overdue_days DESC, "
         "v.review_days, f.provider, f.offering, a.position",
         2},
    /* The days on which what is known of these attributes changed, or who and what is there. */
    [STATEMENT_CHANGE_DAYS] =
        {"/*scan*/ /*sort*/ SELECT day FROM (SELECT valid_from AS day FROM fact WHERE attribute IN "
         "(SELECT value FROM json_each(?1)) UNION SELECT valid_to FROM fact WHERE valid_to IS NOT "
         "NULL AND attribute IN (SELECT value FROM json_each(?1)) UNION SELECT min(valid_from) "
         "FROM fact GROUP BY provider, offering) ORDER BY day DESC LIMIT ?2",
         2},
    [STATEMENT_PROVIDERS_ADDED] =
        {"/*scan*/ /*sort*/ SELECT p.slug AS provider, p.name AS provider_name, p.summary, "
         "min(f.valid_from) AS date FROM provider p JOIN fact f ON f.provider = p.slug GROUP BY "
         "p.slug ORDER BY date DESC, p.slug",
         0},
    [STATEMENT_REVIEWS_DUE] =
        {"/*scan*/ /*sort*/ SELECT f.provider, p.name AS provider_name, v.key AS volatility, "
         "v.label, v.review_days, count(*) AS facts, min(f.checked_on) AS checked_first, "
         "max(f.checked_on) AS checked_last, date(min(f.checked_on), '+' || v.review_days || ' "
         "days') AS due FROM fact f JOIN attribute a ON a.key = f.attribute JOIN volatility v ON "
         "v.key = a.volatility JOIN provider p ON p.slug = f.provider WHERE f.valid_to IS NULL AND "
         "f.state = 'documented' AND p.status <> 'discontinued' GROUP BY f.provider, v.key "
         "ORDER BY due, f.provider, v.key",
         0},
    /* What lay ahead when it was read, and by what source a provider ends. */
    [STATEMENT_ENDS] =
        {"/*scan*/ /*sort*/ SELECT e.provider, p.name AS provider_name, e.date, e.text, "
         "s.accessed_on, s.url, p.status <> 'active' AND e.source IS p.status_source AS "
         "\"ends:bool\" FROM event e JOIN provider p ON p.slug = e.provider JOIN source s ON s.id "
         "= e.source WHERE e.date > s.accessed_on OR (p.status <> 'active' AND e.source = "
         "p.status_source) ORDER BY e.date, e.provider, e.position",
         0},
};
