/* The tables in the order of schema.sql, each with its rows in canonical order. */
#include "dump.h"
#include "statements.h"

const char dump_head[] =
    "-- The catalogue of Agent Sandboxes, one row a line, in the canonical form of "
    "docs/catalogue.md, which the dump command writes.\n"
    "-- Load it after sql/schema.sql, from the top folder of the project.\n"
    "PRAGMA foreign_keys=ON;\n"
    "BEGIN;\n";

const char dump_insert[] = "INSERT INTO ";

const char dump_tail[] = "\n"
                         "INSERT INTO search SELECT kind, slug, title, body FROM search_source;\n"
                         "COMMIT;\n";

const struct dump_table dump_tables[DUMP_TABLES] = {
    {"setting", "SELECT * FROM setting ORDER BY key", 1, NULL},
    {"volatility", "SELECT * FROM volatility ORDER BY key", 1, NULL},
    {"attribute_group", "SELECT * FROM attribute_group ORDER BY position", 1, NULL},
    {"glossary_term", "SELECT * FROM glossary_term ORDER BY slug", 1, "sql/prose/glossary/"},
    {"attribute", "SELECT * FROM attribute ORDER BY position", 1, NULL},
    {"attribute_value",
     "SELECT v.* FROM attribute_value v LEFT JOIN attribute a ON a.key = v.attribute "
     "ORDER BY a.position, v.position",
     3, NULL},
    {"source", "SELECT * FROM source ORDER BY id", 1, NULL},
    {"source_failure", "SELECT * FROM source_failure ORDER BY source", 1, NULL},
    {"source_exemption", "SELECT * FROM source_exemption ORDER BY source", 1, NULL},
    {"provider", "SELECT * FROM provider ORDER BY slug", 1, NULL},
    {"offering", "SELECT * FROM offering ORDER BY provider, position", 3, NULL},
    {"fact",
     "SELECT f.* FROM fact f LEFT JOIN attribute a ON a.key = f.attribute "
     "LEFT JOIN offering o ON o.provider = f.provider AND o.slug = f.offering "
     "ORDER BY f.provider, o.position, a.position, f.valid_from",
     3, NULL},
    {"claim", "SELECT * FROM claim ORDER BY provider, kind, position", 3, NULL},
    {"conflict", "SELECT * FROM conflict ORDER BY provider, position", 2, NULL},
    {"event", "SELECT * FROM event ORDER BY provider, position", 2, NULL},
    {"review", "SELECT * FROM review ORDER BY provider, reviewed_on, scope", 3, NULL},
    {"measurement", "SELECT * FROM measurement ORDER BY provider, mode, day", 3, NULL},
    {"gpu_model", "SELECT * FROM gpu_model ORDER BY position", 1, NULL},
    {"rate", "SELECT * FROM rate ORDER BY provider, resource", 2, NULL},
    {"rate_size",
     "SELECT r.* FROM rate_size r LEFT JOIN offering o ON o.provider = r.provider "
     "AND o.slug = r.offering ORDER BY r.provider, o.position, r.position",
     3, NULL},
    {"billing_rule",
     "SELECT b.* FROM billing_rule b LEFT JOIN offering o ON o.provider = b.provider "
     "AND o.slug = b.offering ORDER BY b.provider, o.position",
     2, NULL},
    {"billing_plan", "SELECT * FROM billing_plan ORDER BY provider, position", 2, NULL},
    {"cost_preset", "SELECT * FROM cost_preset ORDER BY position", 1, NULL},
    {"use_case", "SELECT * FROM use_case ORDER BY position", 1, NULL},
    {"criterion",
     "SELECT c.* FROM criterion c LEFT JOIN use_case u ON u.slug = c.use_case "
     "ORDER BY u.position, c.position",
     3, NULL},
    {"pair", "SELECT * FROM pair ORDER BY position", 2, NULL},
    {"glossary_fact", "SELECT * FROM glossary_fact ORDER BY term, position", 2, NULL},
    {"guide", "SELECT * FROM guide ORDER BY position", 1, "sql/prose/guides/"},
    {"guide_fact",
     "SELECT g.* FROM guide_fact g LEFT JOIN guide u ON u.slug = g.guide "
     "ORDER BY u.position, g.position",
     2, NULL},
    {"journal", "SELECT * FROM journal ORDER BY number", 1, NULL},
};
