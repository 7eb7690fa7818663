/* One rule that every text keeps: no control characters, line breaks or marks that turn the
 * direction of text around, and nothing that XML cannot hold. In JSON they may hide behind a
 * backslash; prose has lines and tabs. */
#include "check_rows.h"
#include "statements.h"

#define CONTROL                                                                                    \
    "'*[' || char(1) || '-' || char(31) || char(127) || '-' || char(159) || char(0x2028) || '-' "  \
    "|| char(0x202e) || char(0x2066) || '-' || char(0x2069) || char(0xfffe) || char(0xffff) || "   \
    "']*'"
#define UNION_ALL " UNION ALL "
#define ALSO(column) " || coalesce(" column ", '')"
#define TEXTS(ROW, table, texts)                                                                   \
    "SELECT " ROW ", 'holds a control character' FROM " table " WHERE " texts " GLOB " CONTROL
#define MEMBERS(column)                                                                            \
    "(instr(replace(" column ", '\\\\', ''), '\\u0000') OR EXISTS (SELECT 1 FROM json_tree("       \
    "iif(json_valid(" column "), " column ", 'null')) m WHERE m.atom GLOB " CONTROL                \
    " OR m.key GLOB " CONTROL "))"
#define JSON(ROW, table, column)                                                                   \
    "SELECT " ROW ", 'holds a control character' FROM " table " WHERE " MEMBERS(column)
#define PROSE(ROW, table, column)                                                                  \
    TEXTS(ROW, table, "replace(replace(" column ", char(10), ''), char(9), '')")

/* clang-format off */
const char sql_control_characters[] =
    TEXTS(SETTING, "setting k", "k.value")
    UNION_ALL
    TEXTS(VOLATILITY, "volatility v", "v.label")
    UNION_ALL
    TEXTS(ATTRIBUTE_GROUP, "attribute_group d", "d.label")
    UNION_ALL
    TEXTS(ATTRIBUTE, "attribute a", "a.label || a.description" ALSO("a.unit"))
    UNION_ALL
    TEXTS(ATTRIBUTE_VALUE, "attribute_value w", "w.value || w.label")
    UNION_ALL
    TEXTS(TERM, "glossary_term t", "t.term || t.description")
    UNION_ALL
    JSON(TERM, "glossary_term t", "t.also")
    UNION_ALL
    PROSE(TERM, "glossary_term t", "t.body")
    UNION_ALL
    TEXTS(SOURCE, "source s", "s.title || s.publisher" ALSO("s.via") ALSO("s.quote"))
    UNION_ALL
    TEXTS(SOURCE_FAILURE, "source_failure j", "coalesce(j.reason, '')")
    UNION_ALL
    TEXTS(SOURCE_EXEMPTION, "source_exemption e", "e.reason")
    UNION_ALL
    TEXTS(PROVIDER, "provider p", "p.name || p.vendor || p.summary" ALSO("p.status_note"))
    UNION_ALL
    TEXTS(OFFERING, "offering o", "o.name")
    UNION_ALL
    TEXTS(FACT, "fact f", "coalesce(f.value, '')" ALSO("f.detail") ALSO("f.note"))
    UNION_ALL
    /* Few values have a backslash at all. */
    JSON(FACT, "fact f", "f.value") " AND instr(f.value, '\\')"
    UNION_ALL
    TEXTS(CLAIM, "claim c", "c.text")
    UNION_ALL
    TEXTS(CONFLICT, "conflict c", "c.text")
    UNION_ALL
    TEXTS(EVENT, "event e", "e.text")
    UNION_ALL
    TEXTS(REVIEW, "review r", "r.scope" ALSO("r.note"))
    UNION_ALL
    TEXTS(GPU_MODEL, "gpu_model g", "g.name")
    UNION_ALL
    JSON(GPU_MODEL, "gpu_model g", "g.also")
    UNION_ALL
    TEXTS(RATE, "rate t", "coalesce(t.note, '')")
    UNION_ALL
    TEXTS(RATE_SIZE, "rate_size z", "z.name" ALSO("z.note"))
    UNION_ALL
    TEXTS(BILLING_RULE, "billing_rule b", "coalesce(b.reason, '')" ALSO("b.lower_bound") ALSO("b.note"))
    UNION_ALL
    JSON(BILLING_RULE, "billing_rule b", "b.assumptions")
    UNION_ALL
    TEXTS(BILLING_PLAN, "billing_plan l", "l.name" ALSO("l.note"))
    UNION_ALL
    TEXTS(COST_PRESET, "cost_preset e", "e.title || e.description")
    UNION_ALL
    TEXTS(USE_CASE, "use_case u", "u.title")
    UNION_ALL
    TEXTS(CRITERION, "criterion c", "c.why")
    UNION_ALL
    TEXTS(GLOSSARY_FACT, "glossary_fact x", "x.text")
    UNION_ALL
    TEXTS(GUIDE, "guide g", "g.title || g.description")
    UNION_ALL
    JSON(GUIDE, "guide g", "g.takeaways")
    UNION_ALL
    JSON(GUIDE, "guide g", "g.outline")
    UNION_ALL
    PROSE(GUIDE, "guide g", "g.body")
    UNION_ALL
    TEXTS(GUIDE_FACT, "guide_fact y", "y.text");
/* clang-format on */
