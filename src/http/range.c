#include "range.h"
#include "text.h"
#include <string.h>
#include <strings.h>

static const char blanks[] = " \t";

/* Reads digits as a position; one too large for a size_t is SIZE_MAX. False: no digit. */
static bool read_position(const char **at, size_t *out) {
    const size_t ten = 10;
    const char *start = *at;
    size_t position = 0;
    for (; **at >= '0' && **at <= '9'; (*at)++) {
        size_t digit = (size_t)(**at - '0');
        position = position > (SIZE_MAX - digit) / ten ? SIZE_MAX : position * ten + digit;
    }
    *out = position;
    return *at > start;
}

/* The last bytes of the body. */
static enum range_result suffix(size_t wanted, size_t length, struct range *out) {
    if (wanted == 0 || length == 0) {
        return RANGE_UNSATISFIABLE;
    }
    out->length = wanted < length ? wanted : length;
    out->first = length - out->length;
    return RANGE_PART;
}

enum range_result range_parse(const char *field, size_t length, struct range *out) {
    static const char unit[] = "bytes=";
    if (field == NULL || strncasecmp(field, unit, strlen(unit)) != 0) {
        return RANGE_NONE;
    }
    const char *at = field + strlen(unit);
    at += strspn(at, blanks);
    size_t first = 0;
    size_t last = SIZE_MAX;
    bool has_first = read_position(&at, &first);
    if (*at++ != '-') {
        return RANGE_NONE;
    }
    bool has_last = read_position(&at, &last);
    at += strspn(at, blanks);
    if (*at != '\0' || (!has_first && !has_last) || (has_first && has_last && last < first)) {
        return RANGE_NONE;
    }
    if (!has_first) {
        return suffix(last, length, out);
    }
    if (first >= length) {
        return RANGE_UNSATISFIABLE;
    }
    last = has_last && last < length ? last : length - 1;
    out->first = first;
    out->length = last - first + 1;
    return RANGE_PART;
}

bool range_holds(const char *if_range, const char *entity_tag, int64_t modified) {
    int64_t seconds = 0;
    return if_range == NULL || strcmp(if_range, entity_tag) == 0 ||
           (text_parse_http_date(if_range, &seconds) && seconds == modified);
}
