/* Two rules that every table keeps: what a row names is there, and a day is a day. */
#include "check_rows.h"
#include "statements.h"

#define UNION_ALL " UNION ALL "
#define MISSING(ROW, table, column, parent, key)                                                   \
    "SELECT " ROW ", 'names a missing " parent ": ' || " column " FROM " table " WHERE " column    \
    " IS NOT NULL AND " column " NOT IN (SELECT " key " FROM " parent ")"
#define NO_OFFERING(ROW, table, alias)                                                             \
    "SELECT " ROW ", 'names a missing offering: ' || " alias ".provider || '/' || " alias          \
    ".offering FROM " table " WHERE " alias ".offering IS NOT NULL AND NOT EXISTS (SELECT 1 FROM " \
    "offering n WHERE n.provider = " alias ".provider AND n.slug = " alias ".offering)"

/* clang-format off */
const char sql_references[] =
    MISSING(FACT, "fact f", "f.provider", "provider", "slug")
    UNION_ALL
    MISSING(FACT, "fact f", "f.attribute", "attribute", "key")
    UNION_ALL
    MISSING(FACT, "fact f", "f.source", "source", "id")
    UNION_ALL
    MISSING(SOURCE_FAILURE, "source_failure j", "j.source", "source", "id")
    UNION_ALL
    MISSING(SOURCE_EXEMPTION, "source_exemption e", "e.source", "source", "id")
    UNION_ALL
    MISSING(OFFERING, "offering o", "o.provider", "provider", "slug")
    UNION_ALL
    MISSING(ATTRIBUTE, "attribute a", "a.group_key", "attribute_group", "key")
    UNION_ALL
    MISSING(ATTRIBUTE, "attribute a", "a.glossary", "glossary_term", "slug")
    UNION_ALL
    MISSING(ATTRIBUTE, "attribute a", "a.volatility", "volatility", "key")
    UNION_ALL
    MISSING(ATTRIBUTE_VALUE, "attribute_value w", "w.attribute", "attribute", "key")
    UNION_ALL
    MISSING(PROVIDER, "provider p", "p.status_source", "source", "id")
    UNION_ALL
    MISSING(CLAIM, "claim c", "c.provider", "provider", "slug")
    UNION_ALL
    MISSING(CONFLICT, "conflict c", "c.provider", "provider", "slug")
    UNION_ALL
    MISSING(EVENT, "event e", "e.provider", "provider", "slug")
    UNION_ALL
    MISSING(EVENT, "event e", "e.source", "source", "id")
    UNION_ALL
    MISSING(REVIEW, "review r", "r.provider", "provider", "slug")
    UNION_ALL
    MISSING(MEASUREMENT, "measurement m", "m.provider", "provider", "slug")
    UNION_ALL
    MISSING(MEASUREMENT, "measurement m", "m.source", "source", "id")
    UNION_ALL
    MISSING(RATE, "rate t", "t.provider", "provider", "slug")
    UNION_ALL
    MISSING(RATE, "rate t", "t.source", "source", "id")
    UNION_ALL
    MISSING(RATE_SIZE, "rate_size z", "z.provider", "provider", "slug")
    UNION_ALL
    MISSING(RATE_SIZE, "rate_size z", "z.source", "source", "id")
    UNION_ALL
    MISSING(BILLING_RULE, "billing_rule b", "b.provider", "provider", "slug")
    UNION_ALL
    MISSING(BILLING_RULE, "billing_rule b", "b.source", "source", "id")
    UNION_ALL
    MISSING(BILLING_PLAN, "billing_plan l", "l.provider", "provider", "slug")
    UNION_ALL
    MISSING(BILLING_PLAN, "billing_plan l", "l.source", "source", "id")
    UNION_ALL
    MISSING(CRITERION, "criterion c", "c.use_case", "use_case", "slug")
    UNION_ALL
    MISSING(CRITERION, "criterion c", "c.attribute", "attribute", "key")
    UNION_ALL
    MISSING(PAIR, "pair p", "p.a", "provider", "slug")
    UNION_ALL
    MISSING(PAIR, "pair p", "p.b", "provider", "slug")
    UNION_ALL
    MISSING(GLOSSARY_FACT, "glossary_fact x", "x.term", "glossary_term", "slug")
    UNION_ALL
    MISSING(GLOSSARY_FACT, "glossary_fact x", "x.source", "source", "id")
    UNION_ALL
    MISSING(GUIDE_FACT, "guide_fact y", "y.guide", "guide", "slug")
    UNION_ALL
    MISSING(GUIDE_FACT, "guide_fact y", "y.source", "source", "id")
    UNION_ALL
    NO_OFFERING(FACT, "fact f", "f")
    UNION_ALL
    NO_OFFERING(RATE_SIZE, "rate_size z", "z")
    UNION_ALL
    NO_OFFERING(BILLING_RULE, "billing_rule b", "b");
/* clang-format on */

/* date() alone takes the 31st of any month. */
#define NO_DAY(ROW, table, column)                                                                 \
    "SELECT " ROW ", 'has no such day: ' || " column " FROM " table " WHERE " column               \
    " IS NOT date(" column ", '+0 days')"

/* clang-format off */
const char sql_days[] =
    NO_DAY(FACT, "fact f", "f.checked_on")
    UNION_ALL
    NO_DAY(FACT, "fact f", "f.valid_from")
    UNION_ALL
    NO_DAY(FACT, "fact f", "f.valid_to")
    UNION_ALL
    NO_DAY(SOURCE, "source s", "s.accessed_on")
    UNION_ALL
    NO_DAY(SOURCE, "source s", "s.verified_on")
    UNION_ALL
    NO_DAY(SOURCE_FAILURE, "source_failure j", "j.checked_on")
    UNION_ALL
    NO_DAY(SOURCE_EXEMPTION, "source_exemption e", "e.until")
    UNION_ALL
    NO_DAY(CLAIM, "claim c", "c.reviewed_on")
    UNION_ALL
    NO_DAY(REVIEW, "review r", "r.reviewed_on")
    UNION_ALL
    NO_DAY(MEASUREMENT, "measurement m", "m.day")
    UNION_ALL
    NO_DAY(TERM, "glossary_term t", "t.reviewed_on")
    UNION_ALL
    NO_DAY(GUIDE, "guide g", "g.reviewed_on")
    UNION_ALL
    NO_DAY(RATE, "rate t", "t.checked_on")
    UNION_ALL
    NO_DAY(RATE_SIZE, "rate_size z", "z.checked_on")
    UNION_ALL
    NO_DAY(BILLING_RULE, "billing_rule b", "b.checked_on")
    UNION_ALL
    NO_DAY(BILLING_PLAN, "billing_plan l", "l.checked_on")
    UNION_ALL
    "SELECT " SOURCE ", 'has no such day: ' || s.copy_date FROM source s WHERE s.copy_date || "
    "iif(length(s.copy_date) = 7, '-01', '') IS NOT date(s.copy_date || iif(length(s.copy_date) = "
    "7, '-01', ''), '+0 days')";
/* clang-format on */
