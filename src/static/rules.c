#include "rules.h"
#include "limit.h"
#include "text.h"
#include <string.h>

/* Addresses that grow with the catalogue and are answered with the same fields; any other address
 * has a rule of its own, as hosts take about a hundred. */
static const struct {
    const char *start;
    const char *end;
} families[RULES_FAMILIES] = {
    {"/", "/"},
    {"/", ".md"},
    {"/", ".png"},
    {"/", ".js"},
    {"/", ".atom"},
    {"/", ".csv"},
    {"/badge/", ".svg"},
    {"/data/providers/", ".json"},
    {"/data/", ".schema.json"},
};

/* Those that follow from the address and not from the content. */
static const char *const names[] = {
    "Content-Security-Policy",
    "X-Content-Type-Options",
    "Referrer-Policy",
    "Permissions-Policy",
    "Cross-Origin-Opener-Policy",
    "Cross-Origin-Resource-Policy",
    "Access-Control-Allow-Origin",
    "Access-Control-Expose-Headers",
    "Cache-Control",
    "Content-Type",
};

/* RULES_FAMILIES: none. */
static size_t family_of(const char *path) {
    size_t family = 0;
    while (family < RULES_FAMILIES &&
           !(strlen(path) >= strlen(families[family].start) + strlen(families[family].end) &&
             text_starts(path, families[family].start) && text_ends(path, families[family].end))) {
        family++;
    }
    return family;
}

static void add_fields(const struct loopback_answer *answer, struct buf *out) {
    char value[LOOPBACK_FIELD_BYTES];
    for (size_t i = 0; i < ARRAY_LENGTH(names); i++) {
        loopback_field(answer, names[i], value, sizeof(value));
        if (value[0] != '\0') {
            buf_add_format(out, "  %s: %s\n", names[i], value);
        }
    }
}

void rules_init(struct rules *rules) {
    *rules = (struct rules){0};
    buf_init(&rules->text, LIMIT_ANSWER_BYTES);
}

bool rules_add(struct rules *rules, const char *base_path, const char *path,
               const struct loopback_answer *answer, struct error *error) {
    size_t family = family_of(path);
    if (family == RULES_FAMILIES) {
        buf_add_format(&rules->text, "%s%s\n", base_path, path);
    } else if (!rules->is_written[family]) {
        rules->is_written[family] = true;
        buf_add_format(&rules->text, "%s%s*%s\n", base_path, families[family].start,
                       families[family].end);
    } else {
        return true;
    }
    add_fields(answer, &rules->text);
    return !rules->text.failed || error_no_memory(error);
}

void rules_free(struct rules *rules) {
    buf_free(&rules->text);
}
