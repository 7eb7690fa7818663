/* robots.txt: groups of rules, of which one product token picks some. */
#include "robots.h"
#include "buf.h"
#include "limit.h"
#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A pattern is one NUL-terminated text after the other in one buffer, led by 'a' or 'd'. */
struct robots {
    struct buf rules;
    double delay;
};

struct line {
    const char *key;
    size_t key_length;
    const char *value;
    size_t value_length;
};

static bool is_blank(char c) {
    return c == ' ' || c == '\t';
}

static void trim(const char **text, size_t *length) {
    while (*length > 0 && is_blank(**text)) {
        (*text)++;
        (*length)--;
    }
    while (*length > 0 && is_blank((*text)[*length - 1])) {
        (*length)--;
    }
}

static bool split_line(const char *text, size_t length, struct line *out) {
    const char *comment = memchr(text, '#', length);
    length = comment == NULL ? length : (size_t)(comment - text);
    const char *colon = memchr(text, ':', length);
    if (colon == NULL) {
        return false;
    }
    *out =
        (struct line){text, (size_t)(colon - text), colon + 1, length - (size_t)(colon - text) - 1};
    trim(&out->key, &out->key_length);
    trim(&out->value, &out->value_length);
    return true;
}

static bool is_key(const struct line *line, const char *key) {
    return line->key_length == strlen(key) && strncasecmp(line->key, key, line->key_length) == 0;
}

/* The token is the leading letters, "-" and "_" of the value: "Bot/1.0" names "Bot". */
static bool names_product(const struct line *line, const char *product) {
    size_t length = 0;
    while (length < line->value_length &&
           (isalpha((unsigned char)line->value[length]) || line->value[length] == '-' ||
            line->value[length] == '_')) {
        length++;
    }
    return length == strlen(product) && strncasecmp(line->value, product, length) == 0;
}

static int hex_digit(char c) {
    if (c >= '0' && c <= '9') {
        return c - '0';
    }
    c = (char)tolower((unsigned char)c);
    return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

static bool is_unreserved(int c) {
    return isalnum(c) || c == '-' || c == '.' || c == '_' || c == '~';
}

/* Octets in one form: escaped where they must be, in capitals, and nowhere else. */
static void add_normal(struct buf *out, const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        int c = (unsigned char)text[i];
        int high = c == '%' && i + 2 < length ? hex_digit(text[i + 1]) : -1;
        int low = high < 0 ? -1 : hex_digit(text[i + 2]);
        if (low >= 0) {
            c = high * 16 + low;
            i += 2;
            if (is_unreserved(c)) {
                buf_add_char(out, (char)c);
            } else {
                buf_add_format(out, "%%%02X", (unsigned)c);
            }
        } else if (c <= ' ' || c >= 0x7F) {
            buf_add_format(out, "%%%02X", (unsigned)c);
        } else {
            buf_add_char(out, (char)c);
        }
    }
}

static void add_rule(struct robots *robots, const struct line *line) {
    bool allow = is_key(line, "allow");
    if ((!allow && !is_key(line, "disallow")) || line->value_length == 0) {
        return; /* an empty rule matches nothing */
    }
    buf_add_char(&robots->rules, allow ? 'a' : 'd');
    add_normal(&robots->rules, line->value, line->value_length);
    buf_add_char(&robots->rules, '\0');
}

static void take_delay(struct robots *robots, const struct line *line) {
    char number[32] = "";
    if (!is_key(line, "crawl-delay") || line->value_length >= sizeof(number)) {
        return;
    }
    memcpy(number, line->value, line->value_length);
    double seconds = strtod(number, NULL);
    if (isfinite(seconds) && seconds > robots->delay) {
        robots->delay = seconds;
    }
}

/* Takes the rules of the groups that name the product ("*": all). Answers whether there is such a
 * group. */
static bool take_groups(struct robots *robots, const char *text, size_t length,
                        const char *product) {
    bool found = false;
    bool in_group = false;
    bool in_names = false;
    for (const char *end = text + length; text < end;) {
        size_t size = 0;
        while (text + size < end && text[size] != '\n' && text[size] != '\r') {
            size++;
        }
        struct line line;
        if (split_line(text, size, &line)) {
            if (is_key(&line, "user-agent")) {
                bool named = product == NULL ? line.value_length == 1 && line.value[0] == '*'
                                             : names_product(&line, product);
                in_group = named || (in_names && in_group);
                in_names = true;
                found = found || named;
            } else if (is_key(&line, "allow") || is_key(&line, "disallow") ||
                       is_key(&line, "crawl-delay")) {
                in_names = false;
                if (in_group) {
                    add_rule(robots, &line);
                    take_delay(robots, &line);
                }
            }
        }
        text += size + 1;
    }
    return found;
}

struct robots *robots_parse(const char *text, size_t length, const char *product) {
    struct robots *robots = calloc(1, sizeof(*robots));
    if (robots == NULL) {
        return NULL;
    }
    buf_init(&robots->rules, 4 * (size_t)LIMIT_ROBOTS_BYTES);
    static const char mark[] = "\xEF\xBB\xBF";
    if (length >= strlen(mark) && memcmp(text, mark, strlen(mark)) == 0) {
        text += strlen(mark);
        length -= strlen(mark);
    }
    if (!take_groups(robots, text, length, product)) {
        (void)take_groups(robots, text, length, NULL);
    }
    if (robots->rules.failed) {
        robots_free(robots);
        return NULL;
    }
    return robots;
}

/* "*" is any octets, "$" at the end is the end of the path. Greedy with one way back, so the time
 * is at most the product of both lengths. */
static bool matches(const char *pattern, const char *path) {
    const char *star = NULL;
    const char *back = NULL;
    for (;;) {
        bool at_end = pattern[0] == '$' && pattern[1] == '\0';
        if (*pattern == '\0' || (at_end && *path == '\0')) {
            return true;
        }
        if (*pattern == '*') {
            star = ++pattern;
            back = path;
        } else if (*path != '\0' && *pattern == *path && !at_end) {
            pattern++;
            path++;
        } else if (star != NULL && *back != '\0') {
            pattern = star;
            path = ++back;
        } else {
            return false;
        }
    }
}

bool robots_allow(const struct robots *robots, const char *path) {
    struct buf normal;
    buf_init(&normal, 4 * (size_t)LIMIT_ROBOTS_BYTES);
    add_normal(&normal, path, strlen(path));
    size_t longest = 0;
    bool allowed = true;
    const char *rule = robots->rules.data;
    for (size_t left = robots->rules.length; left > 0;) {
        size_t length = strlen(rule + 1);
        bool allow = rule[0] == 'a';
        if (normal.data != NULL && length >= longest && matches(rule + 1, normal.data)) {
            allowed = allow || (length == longest && longest > 0 && allowed);
            longest = length;
        }
        rule += length + 2;
        left -= length + 2;
    }
    allowed = allowed && !normal.failed;
    buf_free(&normal);
    return allowed;
}

double robots_delay(const struct robots *robots) {
    return robots->delay;
}

void robots_free(struct robots *robots) {
    if (robots != NULL) {
        buf_free(&robots->rules);
        free(robots);
    }
}
