/* How findings of check name rows: the first three columns of a rule's statement, which are the
 * row's name and the start and end of its line in seed.sql. Each row has the alias that its macro
 * uses. Private to src/catalogue. */
#ifndef AGENT_SANDBOXES_CHECK_ROWS_H
#define AGENT_SANDBOXES_CHECK_ROWS_H

#define FACT                                                                                       \
    "'fact ' || f.provider || coalesce('/' || f.offering, '') || ' ' || "                          \
    "f.attribute, 'INSERT INTO fact VALUES (' || quote(f.provider) || ', ' || "                    \
    "quote(f.offering) || ', ' || quote(f.attribute) || ', ', ', ' || "                            \
    "quote(f.valid_from) || ', ' || quote(f.valid_to) || ');'"
#define SOURCE "'source ' || s.id, 'INSERT INTO source VALUES (' || quote(s.id) || ',', NULL"
#define SOURCE_FAILURE                                                                             \
    "'source_failure ' || j.source, 'INSERT INTO source_failure VALUES (' || quote(j.source) || "  \
    "',', NULL"
#define SOURCE_EXEMPTION                                                                           \
    "'source_exemption ' || e.source, 'INSERT INTO source_exemption VALUES (' || "                 \
    "quote(e.source) || ',', NULL"
#define PROVIDER                                                                                   \
    "'provider ' || p.slug, 'INSERT INTO provider VALUES (' || quote(p.slug) || "                  \
    "',', NULL"
#define CLAIM                                                                                      \
    "'claim ' || c.provider || ' ' || c.kind || ' ' || c.position, 'INSERT INTO "                  \
    "claim VALUES (' || quote(c.provider) || ', ' || quote(c.kind) || ', ' || "                    \
    "c.position || ',', NULL"
#define CONFLICT                                                                                   \
    "'conflict ' || c.provider || ' ' || c.position, 'INSERT INTO conflict "                       \
    "VALUES (' || quote(c.provider) || ', ' || c.position || ',', NULL"
#define MEASUREMENT                                                                                \
    "'measurement ' || m.provider || ' ' || m.mode || ' ' || m.day, 'INSERT INTO "                 \
    "measurement VALUES (' || quote(m.provider) || ', ' || quote(m.mode) || ', ' "                 \
    "|| quote(m.day) || ',', NULL"
#define EVENT                                                                                      \
    "'event ' || e.provider || ' ' || e.position, 'INSERT INTO event VALUES (' "                   \
    "|| quote(e.provider) || ', ' || e.position || ',', NULL"
#define USE_CASE                                                                                   \
    "'use_case ' || u.slug, 'INSERT INTO use_case VALUES (' || quote(u.slug) || "                  \
    "',', NULL"
#define CRITERION                                                                                  \
    "'criterion ' || c.use_case || ' ' || c.attribute, 'INSERT INTO criterion "                    \
    "VALUES (' || quote(c.use_case) || ', ' || c.position || ',', NULL"
#define TERM                                                                                       \
    "'glossary_term ' || t.slug, 'INSERT INTO glossary_term VALUES (' || "                         \
    "quote(t.slug) || ',', NULL"
#define GUIDE                                                                                      \
    "'guide ' || g.slug, 'INSERT INTO guide VALUES (' || quote(g.slug) || ',', "                   \
    "NULL"
#define REVIEW                                                                                     \
    "'review ' || r.provider || ' ' || r.reviewed_on, 'INSERT INTO review VALUES "                 \
    "(' || quote(r.provider) || ', ' || quote(r.reviewed_on) || ',', NULL"
#define RATE                                                                                       \
    "'rate ' || t.provider || ' ' || t.resource, 'INSERT INTO rate VALUES (' || "                  \
    "quote(t.provider) || ', ' || quote(t.resource) || ',', NULL"
#define RATE_SIZE                                                                                  \
    "'rate_size ' || z.provider || coalesce('/' || z.offering, '') || ' ' || z.position, "         \
    "'INSERT INTO rate_size VALUES (' || quote(z.provider) || ', ' || quote(z.offering) || ', ' "  \
    "|| z.position || ',', NULL"
#define BILLING_RULE                                                                               \
    "'billing_rule ' || b.provider || coalesce('/' || b.offering, ''), 'INSERT INTO billing_rule " \
    "VALUES (' || quote(b.provider) || ', ' || quote(b.offering) || ',', NULL"
#define BILLING_PLAN                                                                               \
    "'billing_plan ' || l.provider || ' ' || l.position, 'INSERT INTO billing_plan VALUES (' || "  \
    "quote(l.provider) || ', ' || l.position || ',', NULL"
#define OFFERING                                                                                   \
    "'offering ' || o.provider || '/' || o.slug, 'INSERT INTO offering VALUES (' || "              \
    "quote(o.provider) || ', ' || o.position || ',', NULL"
#define ATTRIBUTE                                                                                  \
    "'attribute ' || a.key, 'INSERT INTO attribute VALUES (' || quote(a.key) || ',', NULL"
#define ATTRIBUTE_VALUE                                                                            \
    "'attribute_value ' || w.attribute || ' ' || w.value, 'INSERT INTO attribute_value VALUES "    \
    "(' || quote(w.attribute) || ', ' || w.position || ',', NULL"
#define PAIR                                                                                       \
    "'pair ' || p.a || ' ' || p.b, 'INSERT INTO pair VALUES (' || quote(p.a) || ', ' || "          \
    "quote(p.b) || ',', NULL"
#define GLOSSARY_FACT                                                                              \
    "'glossary_fact ' || x.term || ' ' || x.position, 'INSERT INTO glossary_fact VALUES (' || "    \
    "quote(x.term) || ', ' || x.position || ',', NULL"
#define GUIDE_FACT                                                                                 \
    "'guide_fact ' || y.guide || ' ' || y.position, 'INSERT INTO guide_fact VALUES (' || "         \
    "quote(y.guide) || ', ' || y.position || ',', NULL"
#define GPU_MODEL                                                                                  \
    "'gpu_model ' || g.slug, 'INSERT INTO gpu_model VALUES (' || quote(g.slug) || ',', NULL"
#define COST_PRESET                                                                                \
    "'cost_preset ' || e.slug, 'INSERT INTO cost_preset VALUES (' || quote(e.slug) || ',', NULL"
#define VOLATILITY                                                                                 \
    "'volatility ' || v.key, 'INSERT INTO volatility VALUES (' || quote(v.key) || ',', NULL"
#define ATTRIBUTE_GROUP                                                                            \
    "'attribute_group ' || d.key, 'INSERT INTO attribute_group VALUES (' || quote(d.key) || "      \
    "',', NULL"
#define SETTING "'setting ' || k.key, 'INSERT INTO setting VALUES (' || quote(k.key) || ',', NULL"

#endif
