/* The rules, errors and warnings, in the order in which they are told. A JSON column is read only
 * where it is JSON, since the order in which SQLite looks at conditions is its own. */
#include "check.h"
#include "check_rows.h"
#include "statements.h"

const char sql_last_day[] =
    "SELECT max(?1, coalesce((SELECT value FROM setting WHERE key = 'catalogue_date'), ''))";

const char sql_prose_bodies[] = "SELECT 'term ' || slug, body FROM glossary_term UNION ALL "
                                "SELECT 'guide ' || slug, body FROM guide";
const char sql_prose_reviewed[] =
    "SELECT 'term ' || slug, reviewed_on FROM glossary_term UNION ALL "
    "SELECT 'guide ' || slug, reviewed_on FROM guide";
const char sql_prose_facts[] =
    "SELECT provider || coalesce('/' || offering, '') || ':' || attribute, valid_from FROM fact "
    "WHERE valid_to IS NULL";
const char sql_prose_sources[] = "SELECT id, '' FROM source";
const char sql_prose_providers[] = "SELECT slug, '' FROM provider";
const char sql_term_bodies[] = "SELECT slug, body FROM glossary_term";
const char sql_term_body_set[] = "UPDATE glossary_term SET body = ?1 WHERE slug = ?2";
const char sql_guide_bodies[] = "SELECT slug, body FROM guide";
const char sql_guide_body_set[] = "UPDATE guide SET body = ?1 WHERE slug = ?2";

/* Addresses of what an overlay adds may be internal ones. */
#define NOT_PRIVATE "p.slug NOT GLOB 'private-*' AND "

const struct check_rule check_rules[] = {
    {"reference", CHECK_ERROR, "add the row that is meant, or name another one", sql_references},
    {"json", CHECK_ERROR, "write one compact JSON value, as docs/catalogue.md says",
     "SELECT " FACT ", 'holds a value that is not JSON' FROM fact f WHERE f.value IS NOT NULL AND "
     "NOT json_valid(f.value) UNION ALL SELECT " CLAIM
     ", 'lists facts in what is not a JSON array' FROM claim c WHERE NOT "
     "json_valid(c.facts) OR json_type(iif(json_valid(c.facts), c.facts, 'null')) <> "
     "'array' UNION ALL SELECT " CONFLICT
     ", 'lists facts in what is not a JSON array' FROM conflict c WHERE NOT "
     "json_valid(c.facts) OR json_type(iif(json_valid(c.facts), c.facts, 'null')) <> "
     "'array' UNION ALL SELECT " TERM
     ", 'has other names or related terms that are not JSON arrays' FROM "
     "glossary_term t WHERE NOT json_valid(t.also) OR NOT json_valid(t.related) OR "
     "json_type(iif(json_valid(t.also), t.also, 'null')) <> 'array' OR "
     "json_type(iif(json_valid(t.related), t.related, 'null')) <> 'array' UNION ALL "
     "SELECT " GUIDE
     ", 'has takeaways or an outline that are not JSON arrays' FROM guide g WHERE NOT "
     "json_valid(g.takeaways) OR NOT json_valid(g.outline) OR "
     "json_type(iif(json_valid(g.takeaways), g.takeaways, 'null')) <> 'array' OR "
     "json_type(iif(json_valid(g.outline), g.outline, 'null')) <> 'array' UNION ALL "
     "SELECT " USE_CASE ", 'requires what is not a JSON object' FROM use_case u WHERE NOT "
     "json_valid(u.require) OR json_type(iif(json_valid(u.require), u.require, "
     "'null')) <> 'object' UNION ALL SELECT " CRITERION
     ", 'has a rule that is not a JSON object' FROM criterion c WHERE NOT "
     "json_valid(c.rule) OR json_type(iif(json_valid(c.rule), c.rule, 'null')) <> "
     "'object'"},
    {"value-type", CHECK_ERROR, "write the value as docs/catalogue.md says for this type",
     "SELECT " FACT ", 'is not a value of type ' || a.type || ': ' || f.value FROM fact f JOIN "
     "attribute a ON a.key = f.attribute WHERE f.value IS NOT NULL AND "
     "json_valid(f.value) AND NOT CASE a.type WHEN 'bool' THEN "
     "json_type(iif(json_valid(f.value), f.value, 'null')) IN ('true', 'false') WHEN "
     "'number' THEN json_type(iif(json_valid(f.value), f.value, 'null')) IN "
     "('integer', 'real') WHEN 'money' THEN json_type(iif(json_valid(f.value), "
     "f.value, 'null')) IN ('integer', 'real') WHEN 'duration' THEN "
     "json_type(iif(json_valid(f.value), f.value, 'null')) IN ('integer', 'real') OR "
     "f.value = '\"unlimited\"' WHEN 'set' THEN json_type(iif(json_valid(f.value), "
     "f.value, 'null')) = 'array' AND NOT EXISTS (SELECT 1 FROM "
     "json_each(iif(json_valid(f.value), f.value, 'null')) m WHERE m.type <> 'text' "
     "OR trim(m.value) = '' OR trim(m.value) <> m.value) AND (SELECT count(*) = "
     "count(DISTINCT value) FROM json_each(iif(json_valid(f.value), f.value, "
     "'null'))) WHEN 'money-map' THEN json_type(iif(json_valid(f.value), f.value, "
     "'null')) = 'object' AND NOT EXISTS (SELECT 1 FROM "
     "json_each(iif(json_valid(f.value), f.value, 'null')) m WHERE m.type NOT IN "
     "('integer', 'real')) ELSE json_type(iif(json_valid(f.value), f.value, 'null')) "
     "= 'text' AND trim(json_extract(iif(json_valid(f.value), f.value, 'null'), '$')) "
     "<> '' END"},
    {"value-range", CHECK_ERROR,
     "write a number that is not below zero; what is not known is not documented",
     "SELECT " FACT ", 'holds a number below zero: ' || f.value FROM fact f, "
     "json_each(iif(json_valid(f.value), f.value, 'null')) m WHERE f.value IS NOT "
     "NULL AND m.type IN ('integer', 'real') AND m.value < 0"},
    {"vocabulary", CHECK_ERROR, "take one of the values of attribute_value, or add this one there",
     "SELECT " FACT ", 'has the unknown value ' || m.value FROM fact f JOIN attribute a ON a.key = "
     "f.attribute AND a.type IN ('enum', 'set'), json_each(iif(json_valid(f.value), "
     "f.value, 'null')) m WHERE f.value IS NOT NULL AND (a.type = 'enum' OR EXISTS "
     "(SELECT 1 FROM attribute_value w WHERE w.attribute = a.key)) AND m.value NOT IN "
     "(SELECT w.value FROM attribute_value w WHERE w.attribute = a.key)"},
    {"one-source", CHECK_ERROR, "name the one source on which the value rests, and how it is known",
     "SELECT " FACT ", 'is documented without a source and a basis' FROM fact f WHERE f.state = "
     "'documented' AND (f.source IS NULL OR f.basis IS NULL)"},
    {"state", CHECK_ERROR, "only a documented fact has a value, and it always has one",
     "SELECT " FACT ", 'has a state that its value contradicts' FROM fact f WHERE (f.state = "
     "'documented') <> (f.value IS NOT NULL)"},
    {"day", CHECK_ERROR, "write a day that the calendar has, such as 2026-11-30", sql_days},
    {"source-dates", CHECK_ERROR,
     "the copy is from before it was read, and the passage was found after that",
     "SELECT " SOURCE
     ", 'has dates out of order: copy ' || coalesce(s.copy_date, 'none') || ', read ' "
     "|| s.accessed_on || ', verified ' || coalesce(s.verified_on, 'never') FROM "
     "source s WHERE substr(s.copy_date, 1, length(s.copy_date)) > "
     "substr(s.accessed_on, 1, length(s.copy_date)) OR s.verified_on < s.accessed_on "
     "OR s.verified_on < s.copy_date"},
    {"verified-passage", CHECK_ERROR,
     "only a passage that was found again makes a source verified: add its fingerprint, or take "
     "verified_on back",
     "SELECT " SOURCE ", 'is verified, but has no passage to be found' FROM source s WHERE "
     "s.verified_on IS NOT NULL AND s.quote_sha256 IS NULL"},
    {"exemption-reason", CHECK_ERROR,
     "say why the page is not checked, and until when: a year at most",
     "SELECT " SOURCE_EXEMPTION
     ", 'gives no reason' FROM source_exemption e WHERE trim(e.reason) = "
     "'' UNION ALL SELECT " SOURCE_EXEMPTION ", 'holds for more than a year, until ' || e.until "
     "FROM source_exemption e WHERE e.until > date(?1, '+366 days')"},
    {"exemption-past", CHECK_REVIEW,
     "check the source again; take the exemption away, or give it a new day and a reason",
     "SELECT " SOURCE_EXEMPTION ", 'ended on ' || e.until FROM source_exemption e WHERE e.until < "
     "max(?2, ?1)"},
    {"source-failed", CHECK_REVIEW,
     "read the page, then review or set the fact; or exempt the source from checks, with a reason",
     "SELECT " FACT ", 'rests on ' || j.source || ', which was ' || j.state || ' on ' || "
     "j.checked_on FROM fact f JOIN source_failure j ON j.source = f.source AND j.state IN "
     "('changed', 'gone') WHERE f.valid_to IS NULL AND f.checked_on < j.checked_on AND NOT EXISTS "
     "(SELECT 1 FROM source_exemption e WHERE e.source = f.source AND e.until >= max(?2, ?1))"},
    {"fact-dates", CHECK_ERROR, "a value is checked on the day from which it holds, or later",
     "SELECT " FACT ", 'was checked on ' || f.checked_on || ', before its value held from ' || "
     "f.valid_from FROM fact f WHERE f.checked_on < f.valid_from"},
    {"fact-older", CHECK_REVIEW, "read the source again, and say so with review or set",
     "SELECT " FACT ", 'was checked on ' || f.checked_on || ', and the copy of its source is of ' "
     "|| s.copy_date FROM fact f JOIN source s ON s.id = f.source WHERE f.valid_to IS NULL AND "
     "substr(s.copy_date, 1, length(s.copy_date)) > substr(f.checked_on, 1, "
     "length(s.copy_date))"},
    {"fact-history", CHECK_ERROR, "end the earlier value on the day on which the later one begins",
     "SELECT " FACT
     ", 'overlaps the value that holds from ' || n.valid_from FROM fact f JOIN fact n "
     "ON n.provider = f.provider AND coalesce(n.offering, '') = coalesce(f.offering, "
     "'') AND n.attribute = f.attribute AND n.valid_from > f.valid_from AND "
     "(f.valid_to IS NULL OR f.valid_to > n.valid_from)"},
    {"future", CHECK_ERROR, "correct the day, or move the setting catalogue_date on",
     "SELECT " FACT ", 'has a day in the future' FROM fact f WHERE max(f.checked_on, f.valid_from, "
     "coalesce(f.valid_to, '')) > ?1 UNION ALL SELECT " SOURCE
     ", 'has a day in the future' FROM source s WHERE max(s.accessed_on, "
     "coalesce(s.verified_on, ''), coalesce(s.copy_date, '')) > ?1 UNION ALL SELECT " CLAIM
     ", 'has a day in the future' FROM claim c WHERE c.reviewed_on > ?1 UNION ALL "
     "SELECT " MEASUREMENT
     ", 'has a day in the future' FROM measurement m WHERE m.day > ?1 UNION ALL "
     "SELECT " REVIEW
     ", 'has a day in the future' FROM review r WHERE r.reviewed_on > ?1 UNION ALL "
     "SELECT " TERM
     ", 'has a day in the future' FROM glossary_term t WHERE t.reviewed_on > ?1 UNION "
     "ALL SELECT " GUIDE ", 'has a day in the future' FROM guide g WHERE g.reviewed_on > ?1 UNION "
     "ALL SELECT " RATE ", 'has a day in the future' FROM rate t WHERE t.checked_on > ?1 UNION ALL "
     "SELECT " RATE_SIZE ", 'has a day in the future' FROM rate_size z WHERE z.checked_on > ?1 "
     "UNION ALL SELECT " BILLING_RULE ", 'has a day in the future' FROM billing_rule b WHERE "
     "b.checked_on > ?1 UNION ALL SELECT " BILLING_PLAN ", 'has a day in the future' FROM "
     "billing_plan l WHERE l.checked_on > ?1 UNION ALL SELECT " SOURCE_FAILURE
     ", 'has a day in the future' FROM source_failure j WHERE j.checked_on > ?1"},
    {"catalogue-date", CHECK_ERROR, "write the day of the newest change, such as 2026-11-30",
     "SELECT " SETTING ", 'is no day: ' || k.value FROM setting k WHERE k.key = 'catalogue_date' "
     "AND k.value IS NOT date(k.value, '+0 days')"},
    {"catalogue-future", CHECK_WARNING, "correct the day, or the clock of this machine",
     "SELECT " SETTING ", 'lies in the future: ' || k.value FROM setting k WHERE k.key = "
     "'catalogue_date' AND k.value > ?2"},
    {"event-date", CHECK_ERROR, "write a day, a month or a year",
     "SELECT " EVENT ", 'has no such date: ' || e.date FROM event e WHERE date(e.date || CASE "
     "length(e.date) WHEN 4 THEN '-01-01' WHEN 7 THEN '-01' ELSE '' END, '+0 days') IS NOT "
     "e.date || CASE length(e.date) WHEN 4 THEN '-01-01' WHEN 7 THEN '-01' ELSE '' END"},
    {"gpu-types", CHECK_ERROR, "set gpu to true, or take the GPU types and prices away",
     "SELECT " FACT
     ", 'names GPUs, but gpu is false there' FROM fact f JOIN fact h ON h.provider = "
     "f.provider AND h.offering IS f.offering AND h.attribute = 'gpu' AND h.valid_to "
     "IS NULL AND h.value = 'false' WHERE f.valid_to IS NULL AND f.attribute IN "
     "('gpu_types', 'price_gpu_hour_usd') AND f.value NOT IN ('[]', '{}')"},
    {"gpu-prices", CHECK_ERROR, "name the GPU type in gpu_types as well",
     "SELECT " FACT
     ", 'prices a GPU that gpu_types does not list: ' || m.key FROM fact f JOIN fact "
     "h ON h.provider = f.provider AND h.offering IS f.offering AND h.attribute = "
     "'gpu_types' AND h.valid_to IS NULL AND h.state = 'documented', "
     "json_each(iif(json_valid(f.value), f.value, 'null')) m WHERE f.valid_to IS NULL "
     "AND f.attribute = 'price_gpu_hour_usd' AND f.value IS NOT NULL AND m.key NOT IN "
     "(SELECT value FROM json_each(iif(json_valid(h.value), h.value, 'null')))"},
    {"gpu-listed", CHECK_WARNING, "list the types, or say in gpu what is meant",
     "SELECT " FACT ", 'is true, but gpu_types is empty' FROM fact f JOIN fact h ON h.provider = "
     "f.provider AND h.offering IS f.offering AND h.attribute = 'gpu_types' AND "
     "h.valid_to IS NULL AND h.value = '[]' WHERE f.valid_to IS NULL AND f.attribute "
     "= 'gpu' AND f.value = 'true'"},
    {"default-offering", CHECK_WARNING, "mark one offering as the one that a new user gets",
     "SELECT " PROVIDER ", 'has offerings, but not one default' FROM provider p JOIN offering o ON "
     "o.provider = p.slug GROUP BY p.slug HAVING sum(o.is_default) <> 1"},
    {"offering-agrees", CHECK_WARNING, "widen what the provider says, or correct the offering",
     "SELECT " FACT
     ", 'says ' || f.value || ', which its provider excludes: ' || p.value FROM fact "
     "f JOIN fact p ON p.provider = f.provider AND p.offering IS NULL AND p.attribute "
     "= f.attribute AND p.valid_to IS NULL JOIN attribute a ON a.key = f.attribute "
     "WHERE f.valid_to IS NULL AND f.offering IS NOT NULL AND f.value IS NOT NULL AND "
     "p.value IS NOT NULL AND CASE a.type WHEN 'bool' THEN p.value = 'false' AND "
     "f.value = 'true' WHEN 'set' THEN EXISTS (SELECT 1 FROM "
     "json_each(iif(json_valid(f.value), f.value, 'null')) m WHERE m.value NOT IN "
     "(SELECT value FROM json_each(iif(json_valid(p.value), p.value, 'null')))) ELSE "
     "0 END"},
    {"memory-snapshot", CHECK_WARNING, "a kept memory is resumed or forked: check all three",
     "SELECT " FACT
     ", 'keeps memory, but neither pause_resume nor fork is there' FROM fact f WHERE "
     "f.valid_to IS NULL AND f.attribute = 'snapshots' AND f.value LIKE "
     "'%\"memory\"%' AND 2 = (SELECT count(*) FROM fact h WHERE h.provider = "
     "f.provider AND h.offering IS f.offering AND h.attribute IN ('pause_resume', "
     "'fork') AND h.valid_to IS NULL AND h.value = 'false')"},
    {"timeout", CHECK_WARNING, "the default timeout cannot exceed the longest session",
     "SELECT " FACT ", 'exceeds the longest session, ' || h.value FROM fact f JOIN fact h ON "
     "h.provider = f.provider AND h.offering IS f.offering AND h.attribute = "
     "'max_session_seconds' AND h.valid_to IS NULL AND h.value <> '\"unlimited\"' "
     "WHERE f.valid_to IS NULL AND f.attribute = 'default_timeout_seconds' AND "
     "f.value <> '\"unlimited\"' AND CAST(f.value AS REAL) > CAST(h.value AS REAL)"},
    {"price-zero", CHECK_WARNING,
     "a price that nobody charges does not apply, and one that is not published is "
     "not documented",
     "SELECT " FACT ", 'is a price of 0' FROM fact f WHERE f.valid_to IS NULL AND f.attribute GLOB "
     "'price_*' AND CAST(f.value AS REAL) = 0 AND json_type(iif(json_valid(f.value), "
     "f.value, 'null')) IN ('integer', 'real')"},
    {"cost-number", CHECK_ERROR,
     "write a plain decimal: fees with up to 3 digits after the point, sizes with 3, rates with "
     "10; "
     "and up to $100 an hour for a vCPU or a GiB, $10,000 for a whole size or a GPU",
     sql_cost_numbers},
    {"rate-agrees", CHECK_REVIEW,
     "correct the one that is wrong; without a rate, costs are computed with the fact",
     sql_rates_apart},
    {"plan-agrees", CHECK_WARNING, "correct the fact, or the plans that costs are computed from",
     "SELECT " FACT ", 'is ' || f.value || ', which is the fee of no plan' FROM fact f WHERE "
     "f.valid_to IS NULL AND f.offering IS NULL AND f.attribute = 'base_plan_usd_month' AND "
     "f.value IS NOT NULL AND EXISTS (SELECT 1 FROM billing_plan l WHERE l.provider = f.provider) "
     "AND NOT EXISTS (SELECT 1 FROM billing_plan l WHERE l.provider = f.provider AND "
     "CAST(l.fee_usd AS REAL) = CAST(f.value AS REAL)) UNION ALL SELECT " BILLING_PLAN
     ", 'costs nothing and stops, but free_tier is not documented' FROM billing_plan l WHERE "
     "l.stops AND CAST(l.fee_usd AS REAL) = 0 AND NOT EXISTS (SELECT 1 FROM fact f WHERE "
     "f.provider = l.provider AND f.attribute = 'free_tier' AND f.valid_to IS NULL AND f.state = "
     "'documented')"},
    {"vendor-speed", CHECK_WARNING, "a speed that the vendor states has the basis vendor-claim",
     "SELECT " FACT ", 'has the basis ' || f.basis FROM fact f JOIN attribute a ON a.key = "
     "f.attribute AND a.volatility = 'speed' WHERE f.valid_to IS NULL AND f.attribute "
     "<> 'measured_tti_ms' AND f.basis NOT IN ('vendor-claim', 'third-party')"},
    {"measured-basis", CHECK_ERROR,
     "a measurement is of a third party; a figure of the vendor is cold_start_ms",
     "SELECT " FACT
     ", 'has the basis ' || f.basis FROM fact f WHERE f.attribute = 'measured_tti_ms' "
     "AND f.basis <> 'third-party'"},
    {"measured-newest", CHECK_WARNING, "set the fact to the newest median, or add the measurement",
     "SELECT " FACT ", 'is not the newest sequential median, ' || m.median_ms FROM fact f JOIN "
     "measurement m ON m.provider = f.provider AND m.mode = 'sequential' WHERE "
     "f.valid_to IS NULL AND f.offering IS NULL AND f.attribute = 'measured_tti_ms' "
     "AND m.day = (SELECT max(n.day) FROM measurement n WHERE n.provider = m.provider "
     "AND n.mode = m.mode) AND CAST(f.value AS REAL) IS NOT m.median_ms"},
    {"measurement-order", CHECK_ERROR,
     "a larger share of runs cannot be faster: read the figures again",
     "SELECT " MEASUREMENT
     ", 'has percentiles out of order' FROM measurement m WHERE m.median_ms > "
     "m.p95_ms OR m.p95_ms > m.p99_ms"},
    {"unanswered", CHECK_WARNING, "add a fact; \"not documented\" is an answer",
     "SELECT " PROVIDER
     ", 'says nothing of ' || a.key FROM provider p, attribute a WHERE NOT EXISTS "
     "(SELECT 1 FROM fact f WHERE f.provider = p.slug AND f.offering IS NULL AND "
     "f.attribute = a.key AND f.valid_to IS NULL)"},
    {"claim-facts", CHECK_ERROR,
     "name an attribute, or offering/attribute, that the provider states",
     "SELECT " CLAIM ", 'rests on a fact that is not there: ' || r.value FROM claim c, "
     "json_each(iif(json_valid(c.facts), c.facts, 'null')) r WHERE NOT EXISTS (SELECT "
     "1 FROM fact f WHERE f.provider = c.provider AND f.valid_to IS NULL AND "
     "f.attribute = substr(r.value, instr(r.value, '/') + 1) AND coalesce(f.offering, "
     "'') = substr(r.value, 1, max(instr(r.value, '/') - 1, 0))) UNION ALL SELECT " CONFLICT
     ", 'rests on a fact that is not there: ' || r.value FROM conflict c, "
     "json_each(iif(json_valid(c.facts), c.facts, 'null')) r WHERE NOT EXISTS (SELECT "
     "1 FROM fact f WHERE f.provider = c.provider AND f.valid_to IS NULL AND "
     "f.attribute = substr(r.value, instr(r.value, '/') + 1) AND coalesce(f.offering, "
     "'') = substr(r.value, 1, max(instr(r.value, '/') - 1, 0))) UNION ALL SELECT " CLAIM
     ", 'rests on no fact' FROM claim c WHERE c.facts = '[]' UNION ALL SELECT " CONFLICT
     ", 'rests on no fact' FROM conflict c WHERE c.facts = '[]'"},
    {"conflict-explained", CHECK_ERROR, "say how the sources differ, and which one was taken",
     "SELECT " CONFLICT ", 'explains nothing' FROM conflict c WHERE trim(c.text) = ''"},
    {"claim-documented", CHECK_REVIEW, "rest the verdict on what is documented, or take it back",
     "SELECT " CLAIM ", 'rests on what is not documented: ' || r.value FROM claim c, "
     "json_each(iif(json_valid(c.facts), c.facts, 'null')) r JOIN fact f ON "
     "f.provider = c.provider AND f.valid_to IS NULL AND f.attribute = "
     "substr(r.value, instr(r.value, '/') + 1) AND coalesce(f.offering, '') = "
     "substr(r.value, 1, max(instr(r.value, '/') - 1, 0)) WHERE f.state = "
     "'not_documented' AND c.kind IN ('strength', 'best_for')"},
    {"claim-contradicts", CHECK_REVIEW, "take the verdict back, or read the fact again",
     "SELECT " CLAIM ", 'praises what its facts deny: ' || c.facts FROM claim c WHERE c.kind IN "
     "('strength', 'best_for') AND c.facts <> '[]' AND NOT EXISTS (SELECT 1 FROM "
     "json_each(iif(json_valid(c.facts), c.facts, 'null')) r JOIN fact f ON f.provider = "
     "c.provider AND f.valid_to IS NULL AND f.attribute = substr(r.value, instr(r.value, '/') + "
     "1) AND coalesce(f.offering, '') = substr(r.value, 1, max(instr(r.value, '/') - 1, 0)) WHERE "
     "coalesce(f.value, '') NOT IN ('false', '[]', '{}', '\"no\"', '\"none\"'))"},
    {"claim-stale", CHECK_REVIEW, "check the fact again, then the verdict",
     "SELECT " CLAIM ", 'rests on a fact past its review-by day: ' || r.value FROM claim c, "
     "json_each(iif(json_valid(c.facts), c.facts, 'null')) r JOIN fact f ON "
     "f.provider = c.provider AND f.valid_to IS NULL AND f.attribute = "
     "substr(r.value, instr(r.value, '/') + 1) AND coalesce(f.offering, '') = "
     "substr(r.value, 1, max(instr(r.value, '/') - 1, 0)) JOIN attribute a ON a.key = "
     "f.attribute JOIN volatility w ON w.key = a.volatility WHERE date(f.checked_on, "
     "'+' || w.review_days || ' days') < max(?2, ?1) AND f.state = 'documented'"},
    {"claim-older", CHECK_REVIEW, "read the verdict again beside the new value, and move its day",
     "SELECT " CLAIM ", 'was reviewed before its fact changed: ' || r.value FROM claim c, "
     "json_each(iif(json_valid(c.facts), c.facts, 'null')) r JOIN fact f ON "
     "f.provider = c.provider AND f.valid_to IS NULL AND f.attribute = "
     "substr(r.value, instr(r.value, '/') + 1) AND coalesce(f.offering, '') = "
     "substr(r.value, 1, max(instr(r.value, '/') - 1, 0)) WHERE f.valid_from > "
     "c.reviewed_on"},
    {"related-terms", CHECK_ERROR, "name a term of the glossary",
     "SELECT " TERM ", 'is related to a missing term: ' || r.value FROM glossary_term t, "
     "json_each(iif(json_valid(t.related), t.related, 'null')) r WHERE r.value NOT IN "
     "(SELECT slug FROM glossary_term)"},
    {"require", CHECK_ERROR, "require an attribute, and values that it can have",
     "SELECT " USE_CASE ", 'requires what cannot be: ' || r.key FROM use_case u, "
     "json_each(iif(json_valid(u.require), u.require, 'null')) r LEFT JOIN attribute "
     "a ON a.key = r.key WHERE a.key IS NULL OR (r.type = 'array' AND EXISTS (SELECT "
     "1 FROM json_each(r.value) m WHERE EXISTS (SELECT 1 FROM attribute_value w WHERE "
     "w.attribute = a.key) AND m.value NOT IN (SELECT w.value FROM attribute_value w "
     "WHERE w.attribute = a.key)))"},
    {"criterion-rule", CHECK_ERROR,
     "use one of the rules of docs/scores.md, with values of the attribute",
     "SELECT " CRITERION
     ", 'has an unknown rule: ' || c.rule FROM criterion c WHERE json_valid(c.rule) "
     "AND (1 <> (SELECT count(*) FROM json_each(iif(json_valid(c.rule), c.rule, "
     "'null'))) OR EXISTS (SELECT 1 FROM json_each(iif(json_valid(c.rule), c.rule, "
     "'null')) r WHERE r.key NOT IN ('is', 'best_of', 'each', 'any', 'count', "
     "'documented', 'contains', 'log', 'key_log'))) UNION ALL SELECT " CRITERION
     ", 'scores a value that the attribute cannot have: ' || coalesce(iif(m.type = "
     "'text', m.value, NULL), m.key) FROM criterion c, "
     "json_each(iif(json_valid(c.rule), c.rule, 'null')) r, json_each(iif(r.type IN "
     "('object', 'array'), r.value, '[]')) m WHERE r.key IN ('is', 'best_of', 'each', "
     "'any') AND EXISTS (SELECT 1 FROM attribute_value w WHERE w.attribute = "
     "c.attribute) AND NOT EXISTS (SELECT 1 FROM attribute_value w WHERE w.attribute "
     "= c.attribute AND w.value = iif(m.type = 'text', m.value, m.key))"},
    {"pair-twice", CHECK_ERROR, "keep one of the two",
     "SELECT 'pair ' || p.a || ' ' || p.b, 'INSERT INTO pair VALUES (' || quote(p.a) "
     "|| ', ' || quote(p.b) || ',', NULL, 'is there the other way round as well' FROM "
     "pair p JOIN pair q ON q.a = p.b AND q.b = p.a"},
    {"duplicate-source", CHECK_ERROR, "keep one, and let every row name that one",
     "SELECT " SOURCE
     ", 'repeats source ' || (SELECT min(o.id) FROM source o WHERE o.url = s.url AND "
     "o.quote_sha256 = s.quote_sha256) FROM source s WHERE s.quote_sha256 IS NOT NULL "
     "GROUP BY s.url, s.quote_sha256, s.quote_words HAVING count(*) > 1 AND s.id = "
     "max(s.id)"},
    {"same-page", CHECK_WARNING, "give each passage its fingerprint, or keep one source",
     "SELECT " SOURCE
     ", 'has the address of ' || min(o.id) || ', and neither has a fingerprint' FROM "
     "source s JOIN source o ON o.url = s.url AND o.title = s.title AND o.id < s.id "
     "WHERE s.quote_sha256 IS NULL AND o.quote_sha256 IS NULL GROUP BY s.id"},
    {"unused-source", CHECK_WARNING, "cite it, or take it away",
     "SELECT " SOURCE
     ", 'is cited nowhere' FROM source s WHERE s.id NOT IN (SELECT source FROM fact "
     "WHERE source IS NOT NULL UNION SELECT source FROM event UNION SELECT source "
     "FROM measurement UNION SELECT source FROM glossary_fact UNION SELECT source "
     "FROM guide_fact UNION SELECT source FROM rate UNION SELECT source FROM "
     "rate_size UNION SELECT source FROM billing_rule UNION SELECT source FROM "
     "billing_plan UNION SELECT status_source FROM provider WHERE status_source IS "
     "NOT NULL) AND NOT EXISTS (SELECT 1 FROM glossary_term WHERE instr(body, '[^' || "
     "s.id || ']')) AND NOT EXISTS (SELECT 1 FROM guide WHERE instr(body, '[^' || "
     "s.id || ']'))"},
    {"address", CHECK_ERROR, "write the public http or https address of the page",
     "SELECT " SOURCE ", 'has an address that ' || address_fault(s.url) FROM source s WHERE "
     "s.kind <> 'private' AND address_fault(s.url) IS NOT NULL UNION ALL SELECT " PROVIDER
     ", 'has a homepage that ' || address_fault(p.homepage) FROM provider p WHERE "
     "" NOT_PRIVATE "address_fault(p.homepage) IS NOT NULL UNION ALL SELECT " PROVIDER
     ", 'has a docs_url that ' || address_fault(p.docs_url) FROM provider p WHERE "
     "" NOT_PRIVATE "address_fault(p.docs_url) IS NOT NULL UNION ALL SELECT " PROVIDER
     ", 'has a pricing_url that ' || address_fault(p.pricing_url) FROM provider p "
     "WHERE " NOT_PRIVATE "address_fault(p.pricing_url) IS NOT NULL UNION ALL SELECT " PROVIDER
     ", 'has a repo_url that ' || address_fault(p.repo_url) FROM provider p WHERE "
     "" NOT_PRIVATE "address_fault(p.repo_url) IS NOT NULL UNION ALL SELECT " SETTING
     ", 'is an address that ' || address_fault(k.value) FROM setting k WHERE k.key GLOB '*_url' "
     "AND address_fault(k.value) IS NOT NULL"},
    {"example", CHECK_ERROR, "write it as it stands in an address, such as isolation=microvm",
     "SELECT " SETTING
     ", 'holds what cannot stand in an address: ' || k.value FROM setting k WHERE "
     "k.key GLOB 'example_*' AND k.key <> 'example_where' AND k.value GLOB "
     "'*[^A-Za-z0-9._~:,=&+-]*' UNION ALL SELECT " SETTING
     ", 'is no JSON object: ' || k.value FROM setting k WHERE k.key = 'example_where' AND "
     "iif(json_valid(k.value), json_type(k.value), '') <> 'object'"},
    {"folder", CHECK_ERROR,
     "take another name of a-z, 0-9 and -, up to 64 long, with which no other address begins",
     "SELECT " SETTING ", 'cannot be the folder of the profiles: ' || k.value FROM setting k WHERE "
     "k.key = 'folder' AND (k.value = '' OR length(k.value) > 64 OR k.value GLOB '*[^a-z0-9-]*' OR "
     "k.value IN ('about', 'alternatives', 'badge', 'best', 'calendar', 'changes', 'compare', "
     "'corrections', 'cost', 'data', 'embed', 'glossary', 'guides', 'healthz', 'index', 'llms', "
     "'llms-full', 'match', 'mcp', 'measurements', 'methodology', 'oembed', 'openapi', 'pricing', "
     "'problems', 'readyz', 'robots', 'search', 'share', 'site', 'sitemap', 'sources'))"},
    {"limits", CHECK_ERROR, "write a JSON array of sentences",
     "SELECT " SETTING ", 'is no JSON array of sentences' FROM setting k WHERE k.key = "
     "'measurements_limits' AND (iif(json_valid(k.value), json_type(k.value), '') <> 'array' OR "
     "EXISTS (SELECT 1 FROM json_each(iif(json_valid(k.value), k.value, 'null')) m WHERE m.type <> "
     "'text'))"},
    {"private", CHECK_ERROR,
     "what is private belongs into an overlay (docs/overlay.md), never into a catalogue",
     "SELECT " SOURCE ", 'is private' FROM source s WHERE s.kind = 'private' OR s.id GLOB "
     "'private-*' UNION ALL SELECT " FACT ", 'is private' FROM fact f WHERE f.basis = 'private' "
     "UNION ALL SELECT " RATE_SIZE ", 'is private' FROM rate_size z WHERE z.basis = 'private' "
     "UNION ALL SELECT " BILLING_RULE ", 'is private' FROM billing_rule b WHERE b.basis = "
     "'private' UNION ALL SELECT " BILLING_PLAN ", 'is private' FROM billing_plan l WHERE l.basis "
     "= 'private' UNION ALL SELECT " PROVIDER
     ", 'is private' FROM provider p WHERE p.slug GLOB 'private-*' "
     "UNION ALL SELECT " SETTING ", 'is of an overlay' FROM setting k WHERE k.key GLOB "
     "'overlay*'"},
    {"journal", CHECK_ERROR, "take the row away: only commands write the journal",
     "SELECT 'journal ' || j.number, 'INSERT INTO journal VALUES (' || j.number || ',', NULL, "
     "'is no change that can be undone, or of a day to come' FROM journal j WHERE j.day > ?1 OR "
     "NOT json_valid(j.row_key) OR NOT json_valid(coalesce(j.before, '{}')) OR j.table_name NOT "
     "IN (SELECT name FROM sqlite_schema WHERE type = 'table') OR EXISTS (SELECT 1 FROM "
     "json_each(iif(json_valid(j.row_key), j.row_key, '{}')) k WHERE k.key NOT IN (SELECT name "
     "FROM pragma_table_info(j.table_name)))"},
    {"control-characters", CHECK_ERROR,
     "take control characters, line breaks and marks of direction out of the text",
     sql_control_characters},
    {"prose-mark", CHECK_ERROR, "write the mark as include/prose.h says", NULL},
    {"prose-fact", CHECK_ERROR, "name a fact of the catalogue as provider:attribute", NULL},
    {"prose-source", CHECK_ERROR, "name a source of the catalogue", NULL},
    {"prose-link", CHECK_ERROR, "write a path of this site, or a public http or https address",
     NULL},
    {"prose-drawing", CHECK_ERROR,
     "ask the table what /compare/ would answer, or draw a diagram of this program, once", NULL},
    {"prose-older", CHECK_REVIEW,
     "read the prose again beside the new value, and move its reviewed_on", NULL},
};

const size_t check_rule_count = ARRAY_LENGTH(check_rules);
