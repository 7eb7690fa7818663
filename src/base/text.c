/* UTF-8, numbers, durations and nearest names. Days and dates are in text_date.c. */
#include "text.h"

#include <ctype.h>
#include <errno.h>
#include <float.h>
#include <inttypes.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The longest plain decimal: "-0.", 323 zeros and 17 digits, or 309 digits. */
enum { NUMBER_BYTES = 400 };

/* How many bytes the well-formed sequence at bytes takes, or 0 (the table of RFC 3629 section 4).
 */
static size_t utf8_sequence(const unsigned char *bytes, size_t length) {
    unsigned char lead = bytes[0];
    if (lead < 0x80) {
        return 1;
    }
    size_t size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
    if (lead < 0xC2 || lead > 0xF4 || size > length) {
        return 0;
    }
    unsigned char low = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
    unsigned char high = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
    if (bytes[1] < low || bytes[1] > high) {
        return 0;
    }
    for (size_t i = 2; i < size; i++) {
        if ((bytes[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    return size;
}

bool text_is_utf8(const char *bytes, size_t length) {
    size_t at = 0;
    while (at < length) {
        size_t size = utf8_sequence((const unsigned char *)bytes + at, length - at);
        if (size == 0) {
            return false;
        }
        at += size;
    }
    return true;
}

bool text_ends(const char *text, const char *suffix) {
    size_t length = strlen(text);
    size_t end = strlen(suffix);
    return length >= end && strcmp(text + length - end, suffix) == 0;
}

bool text_starts(const char *text, const char *prefix) {
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

void text_slug(const char *text, char *out, size_t out_bytes) {
    size_t length = 0;
    bool gap = false;
    for (; *text != '\0'; text++) {
        if (isalnum((unsigned char)*text) == 0) {
            gap = length > 0;
            continue;
        }
        if (length + (gap ? 2 : 1) >= out_bytes) {
            break;
        }
        if (gap) {
            out[length++] = '-';
        }
        gap = false;
        out[length++] = (char)tolower((unsigned char)*text);
    }
    out[length] = '\0';
}

bool text_is_web_address(const char *text) {
    if (text == NULL || !(text_starts(text, "https://") || text_starts(text, "http://"))) {
        return false;
    }
    for (const char *c = text; *c != '\0'; c++) {
        if (*c <= ' ' || *c > '~' || strchr("\"<>\\^`{|}", *c) != NULL) {
            return false;
        }
    }
    return true;
}

bool text_same(const char *one, const char *other) {
    return one == NULL || other == NULL ? one == other : strcmp(one, other) == 0;
}

bool text_is_one_of(const char *text, const char *const *words, size_t count) {
    for (size_t i = 0; i < count; i++) {
        if (strcmp(text, words[i]) == 0) {
            return true;
        }
    }
    return false;
}

static bool is_digit(char character) {
    return character >= '0' && character <= '9';
}

static const char *skip_digits(const char *at) {
    while (is_digit(*at)) {
        at++;
    }
    return at;
}

/* The end of the decimal number at text, or NULL where there is none. */
static const char *number_end(const char *text) {
    const char *start = *text == '-' ? text + 1 : text;
    const char *end = skip_digits(start);
    bool any = end > start;
    if (*end == '.') {
        if (!is_digit(end[1])) {
            return NULL;
        }
        end = skip_digits(end + 1);
        any = true;
    }
    if (!any) {
        return NULL;
    }
    if (*end == 'e' || *end == 'E') {
        const char *digits = end[1] == '-' || end[1] == '+' ? end + 2 : end + 1;
        if (!is_digit(*digits)) {
            return NULL;
        }
        end = skip_digits(digits);
    }
    return end;
}

/* strtod in the C locale, which glibc and musl hand out without allocating. */
static double read_number(const char *text) {
    return strtod_l(text, NULL, newlocale(LC_ALL_MASK, "C", (locale_t)0));
}

bool text_number(const char *text, double *out_number) {
    const char *end = number_end(text);
    if (end == NULL || *end != '\0') {
        return false;
    }
    double number = read_number(text);
    if (!isfinite(number)) {
        return false;
    }
    *out_number = number;
    return true;
}

bool text_integer(const char *text, long long low, long long high, long long *out_integer) {
    const char *digits = *text == '-' ? text + 1 : text;
    const char *end = skip_digits(digits);
    if (end == digits || *end != '\0') {
        return false;
    }
    errno = 0;
    long long integer = strtoll(text, NULL, 10);
    if (errno != 0 || integer < low || integer > high) {
        return false;
    }
    *out_integer = integer;
    return true;
}

bool text_duration(const char *text, double *out_seconds) {
    const char *end = number_end(text);
    if (end == NULL || *text == '-') {
        return false;
    }
    double unit = 1;
    if (*end != '\0') {
        switch (*end) {
        case 's':
            break;
        case 'm':
            unit = 60;
            break;
        case 'h':
            unit = 3600;
            break;
        case 'd':
            unit = 86400;
            break;
        default:
            return false;
        }
        if (end[1] != '\0') {
            return false;
        }
    }
    double seconds = read_number(text) * unit;
    if (!isfinite(seconds)) {
        return false;
    }
    *out_seconds = seconds;
    return true;
}

/* A number as 0.DIGITS times ten to the exponent. */
struct decimal {
    char digits[24];
    int count;
    int exponent;
};

/* Rounds a positive number to a count of digits; false where the result does not read back the
 * same. */
static bool decimal_round(double number, int count, struct decimal *out) {
    char text[40];
    snprintf(text, sizeof text, "%.*e", count - 1, number);
    char *exponent = strchr(text, 'e');
    if (exponent == NULL) {
        return false;
    }
    out->count = 0;
    for (const char *at = text; at < exponent; at++) {
        /* The point is skipped whatever the locale made of it. */
        if (is_digit(*at)) {
            out->digits[out->count++] = *at;
        }
    }
    out->digits[out->count] = '\0';
    out->exponent = (int)strtol(exponent + 1, NULL, 10) + 1;
    char again[48];
    snprintf(again, sizeof again, "%se%d", out->digits, out->exponent - out->count);
    return read_number(again) == number;
}

static struct decimal decimal_shortest(double number) {
    struct decimal decimal = {.count = 0};
    /* Up to DBL_DIG digits survive the way through a normal double, so a shorter form shows as
     * zeros at the end. */
    int first = number >= DBL_MIN ? DBL_DIG : 1;
    for (int count = first; count <= DBL_DECIMAL_DIG; count++) {
        if (decimal_round(number, count, &decimal)) {
            break;
        }
    }
    while (decimal.count > 1 && decimal.digits[decimal.count - 1] == '0') {
        decimal.count--;
    }
    return decimal;
}

/* Writes a finite number without an exponent and returns the length of its part before the point,
 * sign included. */
static size_t write_plain(double number, char out[NUMBER_BYTES]) {
    size_t length = 0;
    if (number == 0) {
        out[length++] = '0';
        out[length] = '\0';
        return length;
    }
    if (number < 0) {
        out[length++] = '-';
    }
    struct decimal decimal = decimal_shortest(fabs(number));
    int at = 0;
    if (decimal.exponent <= 0) {
        out[length++] = '0';
    }
    for (; at < decimal.exponent; at++) {
        out[length++] = at < decimal.count ? decimal.digits[at] : '0';
    }
    size_t whole = length;
    if (at < decimal.count) {
        out[length++] = '.';
        for (int zeros = decimal.exponent; zeros < 0; zeros++) {
            out[length++] = '0';
        }
        while (at < decimal.count) {
            out[length++] = decimal.digits[at++];
        }
    }
    out[length] = '\0';
    return whole;
}

void text_add_number(struct buf *buf, double number) {
    if (!isfinite(number)) {
        buf->failed = true;
        return;
    }
    char text[NUMBER_BYTES];
    write_plain(number, text);
    buf_add_text(buf, text);
}

void text_add_number_grouped(struct buf *buf, double number) {
    if (!isfinite(number)) {
        buf->failed = true;
        return;
    }
    char text[NUMBER_BYTES];
    size_t whole = write_plain(number, text);
    for (size_t i = 0; i < whole; i++) {
        if (i > 0 && text[i - 1] != '-' && (whole - i) % 3 == 0) {
            buf_add_char(buf, ',');
        }
        buf_add_char(buf, text[i]);
    }
    buf_add_text(buf, text + whole);
}

static void add_unit(struct buf *buf, double count, const char *unit) {
    text_add_number_grouped(buf, count);
    buf_add_format(buf, " %s%s", unit, count == 1 ? "" : "s");
}

static void add_blank(struct buf *buf, bool *some) {
    if (*some) {
        buf_add_char(buf, ' ');
    }
    *some = true;
}

void text_add_encoded(struct buf *buf, const char *text) {
    for (const char *at = text; *at != '\0'; at++) {
        unsigned char byte = (unsigned char)*at;
        bool is_plain = (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z') ||
                        (byte >= '0' && byte <= '9') || strchr("-._~", byte) != NULL;
        if (is_plain) {
            buf_add_char(buf, *at);
        } else {
            buf_add_format(buf, "%%%02X", byte);
        }
    }
}

void text_add_duration(struct buf *buf, double seconds) {
    if (!isfinite(seconds)) {
        buf->failed = true;
        return;
    }
    if (seconds < 0) {
        buf_add_char(buf, '-');
        seconds = -seconds;
    }
    /* Below a second in thousandths of a millisecond, below a minute as it is, from there on to the
     * millisecond. */
    double milliseconds = round(seconds * 1e6) / 1e3;
    if (milliseconds >= 1 && milliseconds < 1000) {
        add_unit(buf, milliseconds, "millisecond");
        return;
    }
    if (seconds < 60) {
        add_unit(buf, seconds, "second");
        return;
    }
    double rest = round(seconds * 1e3) / 1e3;
    /* "24 hours" says more than "1 day"; from two days on, days. */
    double days = rest >= 2 * 86400.0 ? floor(rest / 86400) : 0;
    rest -= days * 86400;
    double hours = floor(rest / 3600);
    rest -= hours * 3600;
    double minutes = floor(rest / 60);
    rest = round((rest - minutes * 60) * 1e3) / 1e3;
    const struct {
        double count;
        const char *unit;
    } parts[] = {{days, "day"}, {hours, "hour"}, {minutes, "minute"}, {rest, "second"}};
    bool some = false;
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        if (parts[i].count > 0) {
            add_blank(buf, &some);
            add_unit(buf, parts[i].count, parts[i].unit);
        }
    }
}

static char fold(char character) {
    return character >= 'A' && character <= 'Z' ? (char)(character + ('a' - 'A')) : character;
}

static size_t smaller(size_t one, size_t other) {
    return one < other ? one : other;
}

/* Fills row i of the table of optimal string alignment, rows being prefixes of one; returns its
 * smallest cell. */
static size_t fill_row(const char *one, const char *other, size_t i, size_t width,
                       size_t *const rows[3]) {
    const size_t *before = rows[0];
    const size_t *above = rows[1];
    size_t *row = rows[2];
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j < width; j++) {
        size_t cell = above[j - 1] + (one[i - 1] == other[j - 1] ? 0 : 1);
        cell = smaller(cell, smaller(above[j], row[j - 1]) + 1);
        if (i > 1 && j > 1 && one[i - 1] == other[j - 2] && one[i - 2] == other[j - 1]) {
            cell = smaller(cell, before[j - 2] + 1);
        }
        row[j] = cell;
        least = smaller(least, cell);
    }
    return least;
}

size_t text_distance(const char *one, const char *other, size_t limit) {
    size_t height = strlen(one);
    size_t width = strlen(other);
    size_t longer = height > width ? height : width;
    size_t difference = longer - smaller(height, width);
    if (limit > longer) {
        limit = longer;
    }
    if (difference > limit) {
        return limit + 1;
    }
    size_t columns = width + 1;
    size_t *cells = calloc(columns, 3 * sizeof *cells);
    if (cells == NULL) {
        /* Without memory nothing is near. */
        return limit + 1;
    }
    size_t *rows[3] = {cells, cells + columns, cells + 2 * columns};
    for (size_t j = 0; j < columns; j++) {
        rows[2][j] = j;
    }
    for (size_t i = 1; i <= height; i++) {
        size_t *oldest = rows[0];
        rows[0] = rows[1];
        rows[1] = rows[2];
        rows[2] = oldest;
        size_t least = fill_row(one, other, i, columns, rows);
        /* A swap skips this row, but starts from cells that are at least the limit: nothing below
         * is within it. */
        if (least > limit) {
            break;
        }
    }
    size_t distance = rows[2][width];
    free(cells);
    return smaller(distance, limit + 1);
}

/* A copy in lower case (ASCII), or NULL. */
static char *folded(const char *text) {
    size_t length = strlen(text);
    char *copy = malloc(length + 1);
    for (size_t i = 0; copy != NULL && i <= length; i++) {
        copy[i] = fold(text[i]);
    }
    return copy;
}

const char *text_nearest(const char *text, const char *const *names, size_t count) {
    size_t length = strlen(text);
    size_t limit = (length + 1) / 3;
    if (limit == 0) {
        limit = 1;
    }
    if (limit >= length) {
        /* Every letter replaced is another word. */
        limit = length == 0 ? 0 : length - 1;
    }
    char *wanted = folded(text);
    const char *nearest = NULL;
    for (size_t i = 0; wanted != NULL && length > 0 && i < count; i++) {
        char *name = folded(names[i]);
        size_t distance = name == NULL ? limit + 1 : text_distance(wanted, name, limit);
        free(name);
        if (distance <= limit) {
            nearest = names[i];
            if (distance == 0) {
                break;
            }
            limit = distance - 1;
        }
    }
    free(wanted);
    return nearest;
}
