/* The rules of what costs are computed from: numbers that fit the exact arithmetic of cost_exact.h,
 * for every question that cost.h allows; and rates that are those of the price facts. */
#include "check_rows.h"
#include "statements.h"

#define UNION_ALL " UNION ALL "

/* Digits after the point, of a text. */
#define TEXT_DIGITS(column)                                                                        \
    "iif(instr(" column ", '.') = 0, 0, length(" column ") - instr(" column ", '.'))"

/* Money is a text; it buys one unit of something for so many hours. */
#define MONEY(ROW, table, column, digits, most, hours)                                             \
    "SELECT " ROW ", 'has an amount that cannot be counted: ' || " column " FROM " table           \
    " WHERE " column                                                                               \
    " IS NOT NULL AND (" TEXT_DIGITS(column) " > " digits " OR " column " GLOB '*.' OR " column    \
                                             " GLOB '*.*.*' OR CAST(" column " AS REAL) > " most   \
                                             " * (" hours "))"

#define SIZE(ROW, table, column, digits, most)                                                     \
    "SELECT " ROW ", 'has a " column " that cannot be counted: ' || " column " FROM " table        \
    " WHERE " column " IS NOT NULL AND (round(" column ", " digits ") <> " column " OR " column    \
    " > " most ")"

#define RATE_HOURS "CASE per WHEN 'second' THEN 1 / 3600.0 WHEN 'hour' THEN 1 ELSE 730 END"
#define UNIT_HOURS "iif(f.attribute = 'price_storage_gib_month_usd', 730, 1)"

/* clang-format off */
const char sql_cost_numbers[] =
    MONEY(RATE, "rate t", "t.usd", "10", "100", RATE_HOURS)
    UNION_ALL
    MONEY(RATE_SIZE, "rate_size z", "z.usd", "10", "10000", "z.seconds / 3600.0")
    UNION_ALL
    MONEY(BILLING_RULE, "billing_rule b", "b.usd_million_runs", "10", "1000000", "1")
    UNION_ALL
    MONEY(BILLING_PLAN, "billing_plan l", "l.fee_usd", "3", "1000000000", "1")
    UNION_ALL
    MONEY(BILLING_PLAN, "billing_plan l", "l.credit_usd", "3", "1000000000", "1")
    UNION_ALL
    SIZE(RATE_SIZE, "rate_size z", "vcpu", "3", "1000000")
    UNION_ALL
    SIZE(RATE_SIZE, "rate_size z", "memory_gib", "3", "1000000")
    UNION_ALL
    SIZE(RATE_SIZE, "rate_size z", "seconds", "0", "31622400")
    UNION_ALL
    SIZE(BILLING_RULE, "billing_rule b", "step_seconds", "8", "2678400")
    UNION_ALL
    SIZE(BILLING_RULE, "billing_rule b", "minimum_seconds", "8", "2678400")
    UNION_ALL
    SIZE(BILLING_RULE, "billing_rule b", "memory_floor_gib", "3", "2048")
    UNION_ALL
    SIZE(BILLING_RULE, "billing_rule b", "memory_gib_vcpu_least", "3", "2048")
    UNION_ALL
    SIZE(BILLING_RULE, "billing_rule b", "memory_gib_vcpu_most", "3", "2048")
    UNION_ALL
    SIZE(BILLING_RULE, "billing_rule b", "vcpu_multiple", "0", "512")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "vcpu_hours", "3", "1000000000")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "memory_gib_hours", "3", "1000000000")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "storage_gib_hours", "3", "1000000000")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "max_vcpu", "3", "1000000")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "max_memory_gib", "3", "1000000")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "max_storage_gib", "3", "1000000000")
    UNION_ALL
    SIZE(BILLING_PLAN, "billing_plan l", "max_run_hours", "4", "1000000")
    UNION_ALL
    "SELECT " FACT ", 'is a price that cannot be counted: ' || f.value FROM fact f, "
        "json_each(iif(json_valid(f.value), f.value, 'null')) m WHERE f.valid_to IS NULL AND f.attribute IN "
        "('price_vcpu_hour_usd', 'price_memory_gib_hour_usd', 'price_storage_gib_month_usd', 'price_gpu_hour_usd') "
        "AND m.type IN ('integer', 'real') AND (round(m.value, 10) <> m.value OR m.value > "
        "iif(f.attribute = 'price_gpu_hour_usd', 10000, 100 * " UNIT_HOURS "))";
/* clang-format on */

/* A rate t is another one than the price fact, of which it is the published form: fact and rate may
 * be rounded. */
#define RATE_DISAGREES                                                                             \
    "EXISTS (SELECT 1 FROM fact f WHERE f.provider = t.provider AND f.offering IS NULL AND "       \
    "f.valid_to IS NULL AND f.attribute = CASE t.resource WHEN 'vcpu' THEN "                       \
    "'price_vcpu_hour_usd' WHEN 'memory' THEN 'price_memory_gib_hour_usd' ELSE "                   \
    "'price_storage_gib_month_usd' END AND (f.value IS NULL OR abs(CAST(f.value AS REAL) - "       \
    "CAST(t.usd AS REAL) / (" RATE_HOURS ") * iif(t.resource = 'storage', 730, 1)) > 0.02 * "      \
    "CAST(f.value AS REAL)))"

const char sql_rates_apart[] =
    "SELECT " RATE ", 'is $' || t.usd || ' per ' || t.per || ', and its price fact is another' "
    "FROM rate t WHERE " RATE_DISAGREES;

const char sql_rates_drop[] = "DELETE FROM rate AS t WHERE " RATE_DISAGREES;
