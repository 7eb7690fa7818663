/* Exact decimals for money. Private to src/catalogue.
 *
 * Units: time is counted in hundred-millionths of a second, an amount in thousandths, a rate in
 * ten-thousand-millionths of a dollar, money that is shown in tenths of a cent. */
#ifndef AGENT_SANDBOXES_COST_EXACT_H
#define AGENT_SANDBOXES_COST_EXACT_H

#include "buf.h"
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 cost_exact;

#define COST_SECOND ((cost_exact)100000000)
#define COST_DOLLAR ((cost_exact)10000000000)
enum {
    COST_RATE_DIGITS = 10,
    COST_HOUR_DIGITS = 4,
    COST_SIZE_DIGITS = 3,
    COST_MILLS = 1000 /* tenths of a cent in a dollar */
};

/* Parses a plain decimal ("12", "0.05"; no sign, exponent or blank) with at most digits digits
 * after the point into a whole number of 10^-digits. */
bool cost_exact_parse(const char *text, int digits, int64_t *out_value) MUST_USE;

/* The same for a number or a text of JSON; false for null. Digits that do not fit are refused. */
bool cost_exact_json(const json_t *value, int digits, int64_t *out_value) MUST_USE;

/* quantity (time x amount) x rate / seconds, rounded half up to tenths of a cent. False: too large
 * for the type. */
bool cost_exact_money(cost_exact quantity, int64_t rate, int64_t seconds,
                      int64_t *out_mills) MUST_USE;

/* The smallest whole number that is not below value / step. */
cost_exact cost_exact_ceiling(cost_exact value, cost_exact step);

/* Appends tenths of a cent as dollars to the cent ("$1,234.50", "-$3.00"). */
void cost_add_money(struct buf *out, int64_t mills);

/* Appends value / units as a plain decimal with thousands apart ("1,234.5"). */
void cost_add_grouped(struct buf *out, cost_exact value, int digits);

#endif
