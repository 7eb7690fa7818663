/* The statements that change a catalogue file. */
#include "edit.h"
#include "statements.h"

const char sql_source_set[] = "UPDATE source SET ";
const char sql_source_where[] = " WHERE id = ";

const char sql_edit_begin[] = "PRAGMA temp_store = MEMORY; PRAGMA cache_size = -65536; "
                              "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE";
const char sql_edit_commit[] = "COMMIT";
const char sql_edit_rollback[] = "ROLLBACK";

const char sql_journal_today[] = "INSERT INTO edit_day VALUES (?1)";

#define CURRENT_FACT                                                                               \
    "WHERE provider = ?1 AND offering IS ?2 AND attribute = ?3 AND valid_to IS NULL"

const char *const edit_texts[EDIT__COUNT] = {
    [EDIT_ATTRIBUTE] = "SELECT type FROM attribute WHERE key = ?1",
    [EDIT_FACT] = "SELECT state, value, detail, note, source, basis, checked_on, valid_from "
                  "FROM fact " CURRENT_FACT,
    [EDIT_FACT_END] = "UPDATE fact SET valid_to = ?4 " CURRENT_FACT " AND valid_from < ?4",
    [EDIT_FACT_DROP] = "DELETE FROM fact " CURRENT_FACT " AND valid_from >= ?4",
    [EDIT_FACT_ADD] =
        "INSERT INTO fact VALUES (?1, ?2, ?3, ?4, ?5, nullif(?6, ''), nullif(?7, ''), ?8, ?9, ?10, "
        "?10, NULL)",
    [EDIT_FACT_UPDATE] =
        "UPDATE fact SET detail = nullif(?4, ''), note = nullif(?5, ''), source = ?6, basis = ?7, "
        "checked_on = max(checked_on, ?8) " CURRENT_FACT,
    [EDIT_REVIEW_FACTS] =
        "UPDATE fact SET checked_on = ?2 WHERE provider = ?1 AND valid_to IS NULL "
        "AND (?3 IS NULL OR attribute = ?3) AND checked_on <= ?2",
    [EDIT_REVIEW_CLAIMS] =
        "UPDATE claim SET reviewed_on = ?2 WHERE provider = ?1 AND reviewed_on < ?2",
    [EDIT_REVIEW_ADD] = "INSERT INTO review VALUES (?1, ?2, ?3, ?4) "
                        "ON CONFLICT DO UPDATE SET note = coalesce(excluded.note, note)",
    [EDIT_PROVIDER_ADD] =
        "INSERT INTO provider VALUES (?1, ?2, ?3, ?4, ?5, NULL, NULL, ?6, ?7, ?8, ?9, ?10)",
    [EDIT_PROVIDER_FACTS] = "INSERT INTO fact SELECT ?1, NULL, key, 'not_documented', NULL, NULL, "
                            "NULL, NULL, NULL, ?2, ?2, NULL FROM attribute",
    [EDIT_OFFERING_ADD] =
        "INSERT INTO offering VALUES (?1, (SELECT coalesce(max(position), 0) + 1 FROM offering "
        "WHERE provider = ?1), ?2, ?3, ?4, ?5)",
    [EDIT_SOURCE_ADD] =
        "INSERT INTO source VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, NULL, ?8, ?9, ?10, NULL)",
    [EDIT_MEASUREMENT_ADD] = "INSERT INTO measurement VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9)",
    [EDIT_SOURCE_VERIFIED] = "UPDATE source SET verified_on = ?2 WHERE id = ?1 "
                             "AND ?2 >= accessed_on AND ?2 > coalesce(verified_on, '')",
    [EDIT_SOURCE_MOVED] = "UPDATE source SET url = ?2 WHERE id = ?1 AND url <> ?2",
    [EDIT_SOURCE_FAILED] =
        "INSERT INTO source_failure VALUES (?1, ?2, ?3, ?4) ON CONFLICT (source) DO UPDATE SET "
        "state = excluded.state, reason = excluded.reason, checked_on = excluded.checked_on WHERE "
        "(source_failure.state, source_failure.reason, source_failure.checked_on) IS NOT "
        "(excluded.state, excluded.reason, excluded.checked_on)",
    [EDIT_SOURCE_FOUND] = "DELETE FROM source_failure WHERE source = ?1",
    [EDIT_EXEMPTION_PUT] =
        "INSERT INTO source_exemption VALUES (?1, ?2, ?3) ON CONFLICT (source) DO UPDATE SET "
        "reason = excluded.reason, until = excluded.until",
    [EDIT_JOURNAL_DAY] = "UPDATE edit_day SET day = ?1",
    [EDIT_DAY] = "UPDATE setting SET value = ?1 WHERE key = 'catalogue_date' AND value < ?1",
    [EDIT_SOURCE_PUT] =
        "INSERT INTO source VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, CAST(?10 AS INTEGER),"
        " ?11, NULL) ON CONFLICT (id) DO UPDATE SET url = excluded.url, title = "
        "excluded.title, publisher = excluded.publisher, kind = excluded.kind, copy_date = "
        "excluded.copy_date, accessed_on = excluded.accessed_on, verified_on = "
        "excluded.verified_on, via = excluded.via, quote_words = excluded.quote_words, "
        "quote_sha256 = excluded.quote_sha256 WHERE (source.url, source.title, "
        "source.publisher, source.kind, source.copy_date, source.accessed_on, "
        "source.verified_on, source.via, source.quote_words, source.quote_sha256) IS NOT "
        "(excluded.url, excluded.title, excluded.publisher, excluded.kind, "
        "excluded.copy_date, excluded.accessed_on, excluded.verified_on, excluded.via, "
        "excluded.quote_words, excluded.quote_sha256)",
    [EDIT_PROVIDER_PUT] =
        "INSERT INTO provider VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12) ON "
        "CONFLICT (slug) DO UPDATE SET name = excluded.name, vendor = excluded.vendor, kind ="
        " excluded.kind, status = excluded.status, status_note = excluded.status_note, "
        "status_source = excluded.status_source, homepage = excluded.homepage, docs_url = "
        "excluded.docs_url, pricing_url = excluded.pricing_url, repo_url = excluded.repo_url,"
        " summary = excluded.summary WHERE (provider.name, provider.vendor, provider.kind, "
        "provider.status, provider.status_note, provider.status_source, provider.homepage, "
        "provider.docs_url, provider.pricing_url, provider.repo_url, provider.summary) IS NOT"
        " (excluded.name, excluded.vendor, excluded.kind, excluded.status, "
        "excluded.status_note, excluded.status_source, excluded.homepage, excluded.docs_url, "
        "excluded.pricing_url, excluded.repo_url, excluded.summary)",
    [EDIT_OFFERING_DEFAULT] =
        "UPDATE offering SET is_default = 0 WHERE provider = ?1 AND slug <> ?2 AND is_default",
    [EDIT_OFFERING_PUT] =
        "INSERT INTO offering SELECT ?1, (SELECT coalesce(max(position), 0) + 1 FROM offering"
        " WHERE provider = ?1), ?2, ?3, ?4, CAST(?5 AS INTEGER) WHERE true ON CONFLICT "
        "(provider, slug) DO UPDATE SET name = excluded.name, release_stage = "
        "excluded.release_stage, is_default = excluded.is_default WHERE (offering.name, "
        "offering.release_stage, offering.is_default) IS NOT (excluded.name, "
        "excluded.release_stage, excluded.is_default)",
    [EDIT_FACT_PUT] =
        "INSERT INTO fact VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, NULL)",
    [EDIT_CLAIM_PUT] =
        "INSERT INTO claim VALUES (?1, ?5, CAST(?2 AS INTEGER), ?3, ?4, ?6) ON CONFLICT "
        "(provider, kind, position) DO UPDATE SET text = excluded.text, facts = "
        "excluded.facts, reviewed_on = excluded.reviewed_on WHERE (claim.text, claim.facts, "
        "claim.reviewed_on) IS NOT (excluded.text, excluded.facts, excluded.reviewed_on)",
    [EDIT_CLAIM_CUT] =
        "DELETE FROM claim WHERE provider = ?1 AND kind = ?3 AND position > CAST(?2 AS "
        "INTEGER)",
    [EDIT_CONFLICT_PUT] =
        "INSERT INTO conflict VALUES (?1, CAST(?2 AS INTEGER), ?3, ?4) ON CONFLICT (provider,"
        " position) DO UPDATE SET text = excluded.text, facts = excluded.facts WHERE "
        "(conflict.text, conflict.facts) IS NOT (excluded.text, excluded.facts)",
    [EDIT_CONFLICT_CUT] =
        "DELETE FROM conflict WHERE provider = ?1 AND position > CAST(?2 AS INTEGER)",
    [EDIT_EVENT_PUT] =
        "INSERT INTO event VALUES (?1, CAST(?2 AS INTEGER), ?3, ?4, ?5) ON CONFLICT "
        "(provider, position) DO UPDATE SET date = excluded.date, text = excluded.text, "
        "source = excluded.source WHERE (event.date, event.text, event.source) IS NOT "
        "(excluded.date, excluded.text, excluded.source)",
    [EDIT_EVENT_CUT] = "DELETE FROM event WHERE provider = ?1 AND position > CAST(?2 AS INTEGER)",
    [EDIT_MEASUREMENT_PUT] =
        "INSERT INTO measurement VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) ON CONFLICT "
        "(provider, mode, day) DO UPDATE SET runs = excluded.runs, median_ms = "
        "excluded.median_ms, p95_ms = excluded.p95_ms, p99_ms = excluded.p99_ms, success_rate"
        " = excluded.success_rate, source = excluded.source WHERE (measurement.runs, "
        "measurement.median_ms, measurement.p95_ms, measurement.p99_ms, "
        "measurement.success_rate, measurement.source) IS NOT (excluded.runs, "
        "excluded.median_ms, excluded.p95_ms, excluded.p99_ms, excluded.success_rate, "
        "excluded.source)",
    [EDIT_REVIEW_PUT] =
        "INSERT INTO review SELECT ?1, ?2, 'all facts', NULL WHERE NOT EXISTS (SELECT 1 FROM "
        "review WHERE provider = ?1 AND reviewed_on >= ?2)",
    [EDIT_NEW_SETTINGS] = "INSERT INTO setting SELECT key, value FROM json_each(?1, '$.settings')",
    [EDIT_NEW_VOLATILITIES] =
        "INSERT INTO volatility SELECT DISTINCT 'days-' || (value ->> 'review_days'), 'Every ' || "
        "(value ->> 'review_days') || ' days', value ->> 'review_days' "
        "FROM json_each(?1, '$.attributes')",
    [EDIT_NEW_GROUPS] = "INSERT INTO attribute_group SELECT value ->> 'key', key + 1, value ->> "
                        "'label' FROM json_each(?1, '$.groups')",
    [EDIT_NEW_ATTRIBUTES] =
        "INSERT INTO attribute SELECT value ->> 'key', key + 1, value ->> 'group', value ->> "
        "'label', value ->> 'type', value ->> 'unit', value ->> 'better', NULL, "
        "coalesce(value ->> 'headline', 0), coalesce(value ->> 'filterable', 1), "
        "'days-' || (value ->> 'review_days'), value ->> 'description' "
        "FROM json_each(?1, '$.attributes')",
    [EDIT_NEW_VALUES] =
        "INSERT INTO attribute_value SELECT a.value ->> 'key', v.key + 1, v.value ->> 'value', "
        "coalesce(v.value ->> 'label', v.value ->> 'value') FROM json_each(?1, '$.attributes') a, "
        "json_each(a.value, '$.values') v",
    [EDIT_NEW_RANKINGS] =
        "INSERT INTO use_case SELECT value ->> 'slug', key + 1, CASE value ->> 'slug' WHEN "
        "'overall' THEN '/' ELSE '/best/' || (value ->> 'slug') || '/' END, value ->> 'title', "
        "coalesce(value -> 'require', '{}') FROM json_each(?1, '$.rankings')",
    [EDIT_NEW_CRITERIA] =
        "INSERT INTO criterion SELECT u.value ->> 'slug', c.key + 1, c.value ->> 'attribute', "
        "c.value ->> 'weight', c.value -> 'rule', c.value ->> 'why' "
        "FROM json_each(?1, '$.rankings') u, json_each(u.value, '$.criteria') c",
    [EDIT_NEW_JOURNAL] = "DELETE FROM journal",
    [EDIT_RATES_DROP] = sql_rates_drop,
    [EDIT_SEARCH_CLEAR] = "DELETE FROM search",
    [EDIT_SEARCH_FILL] = "INSERT INTO search SELECT kind, slug, title, body FROM search_source",
};
