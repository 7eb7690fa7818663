#include "cost_exact.h"
#include "text.h"
#include <ctype.h>
#include <string.h>

bool cost_exact_parse(const char *text, int digits, int64_t *out_value) {
    const char *at = text;
    int64_t value = 0;
    int after = -1; /* digits read after the point; -1: no point yet */
    bool any = false;
    for (; *at != '\0'; at++) {
        if (*at == '.' && after < 0 && any) {
            after = 0;
            continue;
        }
        if (!isdigit((unsigned char)*at) || (after >= 0 && after == digits) ||
            __builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, *at - '0', &value)) {
            return false;
        }
        any = true;
        after += after >= 0 ? 1 : 0;
    }
    if (!any || at[-1] == '.') {
        return false;
    }
    for (int i = after < 0 ? 0 : after; i < digits; i++) {
        if (__builtin_mul_overflow(value, 10, &value)) {
            return false;
        }
    }
    *out_value = value;
    return true;
}

bool cost_exact_json(const json_t *value, int digits, int64_t *out_value) {
    if (json_is_string(value)) {
        return cost_exact_parse(json_string_value(value), digits, out_value);
    }
    if (!json_is_number(value)) {
        return false;
    }
    enum { NUMBER_BYTES = 512 };
    struct buf text;
    buf_init(&text, NUMBER_BYTES);
    text_add_number(&text, json_number_value(value));
    bool good = !text.failed && cost_exact_parse(text.data, digits, out_value);
    buf_free(&text);
    return good;
}

bool cost_exact_money(cost_exact quantity, int64_t rate, int64_t seconds, int64_t *out_mills) {
    /* 10^-8 s x 10^-3 x 10^-10 dollars, in tenths of a cent. */
    cost_exact divisor = COST_SECOND * 1000 * (COST_DOLLAR / COST_MILLS) * seconds;
    cost_exact product = 0;
    if (__builtin_mul_overflow(quantity, (cost_exact)rate, &product) ||
        __builtin_add_overflow(product, divisor / 2, &product) || product / divisor > INT64_MAX) {
        return false;
    }
    *out_mills = (int64_t)(product / divisor);
    return true;
}

cost_exact cost_exact_ceiling(cost_exact value, cost_exact step) {
    return (value + step - 1) / step;
}

void cost_add_grouped(struct buf *out, cost_exact value, int digits) {
    enum { DIGITS = 64, GROUP = 3 };
    char text[DIGITS];
    size_t start = sizeof(text) - 1;
    text[start] = '\0';
    bool shown = false; /* zeros at the end of the fraction are not */
    for (int i = 0; i < digits; i++) {
        int digit = (int)(value % 10);
        value /= 10;
        shown = shown || digit != 0;
        if (shown) {
            text[--start] = (char)('0' + digit);
        }
    }
    if (shown) {
        text[--start] = '.';
    }
    for (int i = 0; i == 0 || value > 0; i++) {
        if (i > 0 && i % GROUP == 0) {
            text[--start] = ',';
        }
        text[--start] = (char)('0' + (int)(value % 10));
        value /= 10;
    }
    buf_add_text(out, text + start);
}

void cost_add_money(struct buf *out, int64_t mills) {
    enum { MILLS_OF_CENT = 10, CENTS = 100 };
    int64_t size = mills < 0 ? -mills : mills;
    int64_t cents = (size + MILLS_OF_CENT / 2) / MILLS_OF_CENT;
    buf_add_text(out, mills < 0 && cents > 0 ? "-$" : "$");
    cost_add_grouped(out, cents / CENTS, 0);
    buf_add_format(out, ".%02d", (int)(cents % CENTS));
}
