/* The journal: what writes it while a catalogue file is edited, and what goes back by it. */
#include "statements.h"

/* The tables whose rows are journalled. */
#define TABLES                                                                                     \
    "sqlite_schema t WHERE t.type = 'table' AND t.name NOT GLOB 'sqlite_*' "                       \
    "AND t.name NOT GLOB 'search*' AND t.name <> 'journal'"

/* The columns c that name a row of table t. */
#define KEY_COLUMNS                                                                                \
    "(SELECT name FROM pragma_table_info(t.name) WHERE pk > 0 "                                    \
    "OR name IN ('provider', 'offering') AND t.name IN ('fact', 'rate_size', 'billing_rule') "     \
    "OR name IN ('attribute', 'valid_from') AND t.name = 'fact' "                                  \
    "OR name = 'position' AND t.name = 'rate_size' ORDER BY cid) c"
#define ALL_COLUMNS "(SELECT name FROM pragma_table_info(t.name) ORDER BY cid) c"

/* SQL text: a JSON object of columns of the row "new" or "old". */
#define OBJECT(columns, row)                                                                       \
    "(SELECT 'json_object(' || group_concat('''' || c.name || ''', " row ".' || c.name, ', ') "    \
    "|| ')' FROM " columns ")"

/* SQL text: a JSON object of the columns that an update changes, as they were before. */
#define CHANGED_COLUMNS                                                                            \
    "(SELECT '(SELECT json_group_object(name, value) FROM (' || group_concat('SELECT ''' || "      \
    "c.name || ''' AS name, old.' || c.name || ' AS value WHERE old.' || c.name || ' IS NOT "      \
    "new.' || c.name, ' UNION ALL ') || '))' FROM " ALL_COLUMNS ")"

#define IS_CHANGED                                                                                 \
    "' WHEN ' || (SELECT group_concat('old.' || c.name || ' IS NOT new.' || c.name, ' OR ') "      \
    "FROM " ALL_COLUMNS ")"

/* SQL text: one row of the journal. The days of one row never go back, so that undoing a day's
 * changes never meets later ones. */
#define TRIGGER(event, change, condition, key, before)                                             \
    "SELECT 'CREATE TEMP TRIGGER journal_" change "_' || t.name || ' AFTER " event                 \
    " ON main.' || t.name || " condition                                                           \
    " || ' BEGIN INSERT INTO journal (day, change, table_name, row_key, before) "                  \
    "SELECT max(d.day, coalesce((SELECT max(j.day) FROM journal j WHERE j.table_name = ''' || "    \
    "t.name || ''' AND j.row_key = k.key), '''')), ''" change "'', ''' || t.name || ''', "         \
    "k.key, ' || " before " || ' FROM edit_day d, (SELECT ' || " key                               \
    " || ' AS key) k; END' AS made FROM " TABLES

const char sql_journal_day[] = "CREATE TEMP TABLE edit_day (day TEXT NOT NULL)";

const char sql_journal_triggers[] = "SELECT group_concat(made, '; ') FROM (" TRIGGER(
    "INSERT", "added", "''", OBJECT(KEY_COLUMNS, "new"),
    "'NULL'") " UNION ALL " TRIGGER("UPDATE", "changed", IS_CHANGED, OBJECT(KEY_COLUMNS, "new"),
                                    CHANGED_COLUMNS) " UNION ALL " TRIGGER("DELETE", "removed",
                                                                           "''",
                                                                           OBJECT(KEY_COLUMNS,
                                                                                  "old"),
                                                                           OBJECT(ALL_COLUMNS,
                                                                                  "old")) ")";

/* What to undo for a day, newest first: the key (?1) and what was before (?2), and the statement
 * that takes them. */
const char sql_journal_undo[] =
    "SELECT j.row_key, j.before, CASE j.change "
    "WHEN 'removed' THEN 'INSERT INTO ' || t.name || ' SELECT ' || (SELECT "
    "group_concat('json_extract(?2, ''$.' || c.name || ''')', ', ') FROM " ALL_COLUMNS ") "
    "ELSE iif(j.change = 'added', 'DELETE FROM ' || t.name, 'UPDATE ' || t.name || ' SET ' || "
    "(SELECT group_concat(c.name || ' = json_extract(?2, ''$.' || c.name || ''')', ', ') "
    "FROM " ALL_COLUMNS " JOIN json_each(j.before) b ON b.key = c.name)) || ' WHERE ' || "
    "(SELECT group_concat(c.name || ' IS json_extract(?1, ''$.' || c.name || ''')', ' AND ') "
    "FROM " KEY_COLUMNS ") END "
    "FROM journal j JOIN " TABLES " AND t.name = j.table_name AND j.day > ?1 "
    "ORDER BY j.number DESC";

const char sql_go_back_begin[] = "PRAGMA foreign_keys = OFF; BEGIN";

/* Providers of which nothing was known yet. */
#define NOT_YET                                                                                    \
    "(SELECT p.slug FROM provider p WHERE EXISTS (SELECT 1 FROM fact f WHERE f.provider = "        \
    "p.slug) AND NOT EXISTS (SELECT 1 FROM fact f WHERE f.provider = p.slug AND f.valid_from <= "  \
    "?1))"

#define LAST_REVIEW                                                                                \
    "(SELECT max(r.reviewed_on) FROM review r WHERE r.provider = fact.provider "                   \
    "AND r.reviewed_on <= ?1 AND r.scope IN ('all facts', fact.attribute))"

#define IS_USED                                                                                    \
    "id IN (SELECT source FROM fact UNION SELECT source FROM event UNION SELECT source FROM "      \
    "measurement UNION SELECT source FROM rate UNION SELECT source FROM rate_size UNION SELECT "   \
    "source FROM billing_rule UNION SELECT source FROM billing_plan UNION SELECT source FROM "     \
    "glossary_fact UNION SELECT source FROM guide_fact UNION SELECT status_source FROM provider)"

const char *const sql_go_back[] = {
    "DELETE FROM journal WHERE day > ?1", "DELETE FROM claim WHERE provider IN " NOT_YET,
    "DELETE FROM conflict WHERE provider IN " NOT_YET,
    "DELETE FROM event WHERE provider IN " NOT_YET, "DELETE FROM review WHERE provider IN " NOT_YET,
    "DELETE FROM measurement WHERE provider IN " NOT_YET,
    "DELETE FROM rate WHERE provider IN " NOT_YET,
    "DELETE FROM rate_size WHERE provider IN " NOT_YET,
    "DELETE FROM billing_rule WHERE provider IN " NOT_YET,
    "DELETE FROM billing_plan WHERE provider IN " NOT_YET,
    "DELETE FROM offering WHERE provider IN " NOT_YET,
    "DELETE FROM pair WHERE a IN " NOT_YET " OR b IN " NOT_YET,
    "DELETE FROM provider WHERE slug IN " NOT_YET, "DELETE FROM fact WHERE valid_from > ?1",
    "UPDATE fact SET valid_to = NULL WHERE valid_to > ?1",
    "UPDATE fact SET checked_on = max(valid_from, coalesce(" LAST_REVIEW ", valid_from)) "
    "WHERE checked_on > ?1",
    "DELETE FROM review WHERE reviewed_on > ?1", "DELETE FROM claim WHERE reviewed_on > ?1",
    "DELETE FROM measurement WHERE day > ?1", "DELETE FROM rate WHERE checked_on > ?1",
    "DELETE FROM rate_size WHERE checked_on > ?1", "DELETE FROM billing_rule WHERE checked_on > ?1",
    "DELETE FROM billing_plan WHERE checked_on > ?1",
    /* An announcement names a day ahead: it is known from the day on which it was read. */
    "DELETE FROM event WHERE date > substr(?1, 1, length(date)) "
    "AND source IN (SELECT id FROM source WHERE accessed_on > ?1)",
    "DELETE FROM source WHERE accessed_on > ?1 AND NOT coalesce(" IS_USED ", 0)",
    "DELETE FROM source_failure WHERE checked_on > ?1 OR source NOT IN (SELECT id FROM source)",
    "DELETE FROM source_exemption WHERE source NOT IN (SELECT id FROM source)",
    "UPDATE source SET accessed_on = coalesce((SELECT max(f.checked_on) FROM fact f "
    "WHERE f.source = source.id), ?1) WHERE accessed_on > ?1",
    "UPDATE source SET verified_on = NULL WHERE verified_on > ?1",
    "UPDATE source SET copy_date = NULL WHERE copy_date > accessed_on",
    "UPDATE glossary_term SET reviewed_on = ?1 WHERE reviewed_on > ?1",
    "UPDATE guide SET reviewed_on = ?1 WHERE reviewed_on > ?1",
    "UPDATE setting SET value = coalesce((SELECT max(reviewed_on) FROM review), ?1) "
    "WHERE key = 'catalogue_date' AND value > ?1",
    NULL};
