/* The statements that change a catalogue file. */
#include "edit.h"
#include "statements.h"

const char sql_source_set[] = "UPDATE source SET ";
const char sql_source_where[] = " WHERE id = ";

const char sql_edit_begin[] = "PRAGMA foreign_keys = ON; BEGIN IMMEDIATE";
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
        "INSERT INTO fact VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?10, NULL)",
    [EDIT_FACT_UPDATE] = "UPDATE fact SET detail = ?4, note = ?5, source = ?6, basis = ?7, "
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
    [EDIT_JOURNAL_DAY] = "UPDATE edit_day SET day = ?1",
    [EDIT_DAY] = "UPDATE setting SET value = ?1 WHERE key = 'catalogue_date' AND value < ?1",
    [EDIT_SEARCH_CLEAR] = "DELETE FROM search",
    [EDIT_SEARCH_FILL] = "INSERT INTO search SELECT kind, slug, title, body FROM search_source",
};
