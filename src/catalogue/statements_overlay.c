/* The tables that a private overlay fills, and how the JSON form fills them. */
#include "overlay_private.h"

#define PLACE "place TEXT NOT NULL DEFAULT (overlay_place())"
#define RESTS "note TEXT, source TEXT, day TEXT, " PLACE

const char sql_overlay_is_known[] =
    "SELECT count(*) FROM sqlite_schema WHERE name IN ('source', 'fact', 'rate_size', "
    "'billing_rule', 'billing_plan') AND instr(sql, '''private''') > 0";

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
    "CREATE TEMP TABLE overlay_offering (provider TEXT NOT NULL, slug TEXT NOT NULL, name TEXT NOT "
    "NULL, stage TEXT, " PLACE ");"
    "CREATE TEMP TABLE overlay_plan (provider TEXT NOT NULL, name TEXT NOT NULL, fee_usd TEXT NOT "
    "NULL, credit_usd TEXT, vcpu_hours REAL, memory_gib_hours REAL, storage_gib_hours REAL, stops "
    "INTEGER, pauses INTEGER, max_sandboxes INTEGER, max_gpus INTEGER, max_runs INTEGER, max_vcpu "
    "REAL, max_memory_gib REAL, max_storage_gib REAL, max_run_hours REAL, position INTEGER, " RESTS
    ");"
    "CREATE TEMP TABLE overlay_size (provider TEXT NOT NULL, offering TEXT, name TEXT NOT NULL, "
    "vcpu REAL, memory_gib REAL, usd TEXT NOT NULL, seconds INTEGER NOT NULL, position "
    "INTEGER, " RESTS ");"
    "CREATE TEMP TABLE overlay_billing (provider TEXT NOT NULL, offering TEXT, charge TEXT NOT "
    "NULL, reason TEXT, cpu_active TEXT, cpu_idle TEXT, cpu_paused TEXT, memory_active TEXT, "
    "memory_idle TEXT, memory_paused TEXT, storage_active TEXT, storage_idle TEXT, storage_paused "
    "TEXT, step_seconds REAL, minimum_seconds REAL, memory_floor_gib REAL, memory_gib_vcpu_least "
    "REAL, memory_gib_vcpu_most REAL, vcpu_multiple INTEGER, cpu_in_memory INTEGER, "
    "gpu_includes_cpu INTEGER, sizes_complete INTEGER, usd_million_runs TEXT, lower_bound "
    "TEXT, " RESTS ");"
    "CREATE TEMP TABLE overlay_hidden (provider TEXT NOT NULL, reason TEXT NOT NULL, " PLACE ");"
    "CREATE TEMP TABLE overlay_banned_region (region TEXT NOT NULL, reason TEXT NOT NULL, " PLACE
    ");"
    "BEGIN";

#define RESTS_FIELDS                                                                               \
    {"note", FIELD_OPTIONAL}, {"source", FIELD_OPTIONAL}, {                                        \
        "day", FIELD_OPTIONAL                                                                      \
    }

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
    {"offerings",
     "INSERT INTO overlay_offering (provider, slug, name, stage) VALUES (?1, ?2, ?3, ?4)",
     {{"provider", FIELD_NEEDED},
      {"slug", FIELD_NEEDED},
      {"name", FIELD_NEEDED},
      {"stage", FIELD_OPTIONAL}}},
    {"plans",
     "INSERT INTO overlay_plan (provider, name, fee_usd, credit_usd, vcpu_hours, memory_gib_hours, "
     "storage_gib_hours, stops, pauses, max_sandboxes, max_gpus, max_runs, max_vcpu, "
     "max_memory_gib, max_storage_gib, max_run_hours, note, source, day) VALUES (?1, ?2, ?3, ?4, "
     "?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19)",
     {{"provider", FIELD_NEEDED},
      {"name", FIELD_NEEDED},
      {"fee_usd", FIELD_NUMBER_NEEDED},
      {"credit_usd", FIELD_NUMBER},
      {"vcpu_hours", FIELD_NUMBER},
      {"memory_gib_hours", FIELD_NUMBER},
      {"storage_gib_hours", FIELD_NUMBER},
      {"stops", FIELD_FLAG},
      {"pauses", FIELD_FLAG},
      {"max_sandboxes", FIELD_NUMBER},
      {"max_gpus", FIELD_NUMBER},
      {"max_runs", FIELD_NUMBER},
      {"max_vcpu", FIELD_NUMBER},
      {"max_memory_gib", FIELD_NUMBER},
      {"max_storage_gib", FIELD_NUMBER},
      {"max_run_hours", FIELD_NUMBER},
      RESTS_FIELDS}},
    {"sizes",
     "INSERT INTO overlay_size (provider, offering, name, vcpu, memory_gib, usd, seconds, note, "
     "source, day) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)",
     {{"provider", FIELD_NEEDED},
      {"offering", FIELD_OPTIONAL},
      {"name", FIELD_NEEDED},
      {"vcpu", FIELD_NUMBER},
      {"memory_gib", FIELD_NUMBER},
      {"usd", FIELD_NUMBER_NEEDED},
      {"seconds", FIELD_NUMBER_NEEDED},
      RESTS_FIELDS}},
    {"billing",
     "INSERT INTO overlay_billing (provider, offering, charge, reason, cpu_active, cpu_idle, "
     "cpu_paused, memory_active, memory_idle, memory_paused, storage_active, storage_idle, "
     "storage_paused, step_seconds, minimum_seconds, memory_floor_gib, memory_gib_vcpu_least, "
     "memory_gib_vcpu_most, vcpu_multiple, cpu_in_memory, gpu_includes_cpu, sizes_complete, "
     "usd_million_runs, lower_bound, note, source, day) VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, "
     "?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18, ?19, ?20, ?21, ?22, ?23, ?24, ?25, ?26, "
     "?27)",
     {{"provider", FIELD_NEEDED},
      {"offering", FIELD_OPTIONAL},
      {"charge", FIELD_NEEDED},
      {"reason", FIELD_OPTIONAL},
      {"cpu_active", FIELD_OPTIONAL},
      {"cpu_idle", FIELD_OPTIONAL},
      {"cpu_paused", FIELD_OPTIONAL},
      {"memory_active", FIELD_OPTIONAL},
      {"memory_idle", FIELD_OPTIONAL},
      {"memory_paused", FIELD_OPTIONAL},
      {"storage_active", FIELD_OPTIONAL},
      {"storage_idle", FIELD_OPTIONAL},
      {"storage_paused", FIELD_OPTIONAL},
      {"step_seconds", FIELD_NUMBER},
      {"minimum_seconds", FIELD_NUMBER},
      {"memory_floor_gib", FIELD_NUMBER},
      {"memory_gib_vcpu_least", FIELD_NUMBER},
      {"memory_gib_vcpu_most", FIELD_NUMBER},
      {"vcpu_multiple", FIELD_NUMBER},
      {"cpu_in_memory", FIELD_FLAG},
      {"gpu_includes_cpu", FIELD_FLAG},
      {"sizes_complete", FIELD_FLAG},
      {"usd_million_runs", FIELD_NUMBER},
      {"lower_bound", FIELD_OPTIONAL},
      RESTS_FIELDS}},
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
