#include "past_request.h"
#include "as_of.h"
#include "route.h"
#include "text.h"
#include <string.h>

static const char parameter[] = "as_of";

bool past_is_asked(const struct target *target) {
    bool found = false;
    for (size_t i = 0; i < target->pair_count; i++) {
        found = found || strcmp(target->pairs[i].key, parameter) == 0;
    }
    return found;
}

/* Takes every pair of that name out; answers how many there were, and the value of the last. */
static size_t take_pairs(struct target *target, const char **out_value) {
    size_t left = 0;
    for (size_t i = 0; i < target->pair_count; i++) {
        if (strcmp(target->pairs[i].key, parameter) == 0) {
            *out_value = target->pairs[i].value;
        } else {
            target->pairs[left++] = target->pairs[i];
        }
    }
    size_t taken = target->pair_count - left;
    target->pair_count = left;
    return taken;
}

static bool refuse(struct reply *reply, int64_t first, int64_t last, const char *fault,
                   struct error *error) {
    char from[TEXT_DATE_BYTES];
    char to[TEXT_DATE_BYTES];
    char detail[256];
    text_iso_date(first, from);
    text_iso_date(last, to);
    (void)snprintf(detail, sizeof(detail),
                   "as_of %s: it takes one day from %s, the first of which anything is known, to "
                   "%s, today.",
                   fault, from, to);
    json_t *extra =
        json_pack("{s:s, s:[o], s:s, s:s}", "parameter", parameter, "allowed",
                  json_sprintf("%s to %s", from, to), "first_day", from, "last_day", to);
    return extra == NULL ? error_no_memory(error)
                         : reply_problem(reply, 400, "invalid-parameter", "Invalid parameter",
                                         detail, extra, error);
}

bool past_take_day(const struct call *call, struct target *target, struct edition *present,
                   bool *out_is_asked, struct past_day *out_day, struct reply *reply,
                   struct error *error) {
    const char *value = NULL;
    *out_is_asked = false;
    size_t count = take_pairs(target, &value);
    if (count == 0) {
        return true;
    }
    const int64_t *days = NULL;
    size_t day_count = 0;
    int64_t day = 0;
    if (!edition_days(present, call->catalogue, &days, &day_count, error)) {
        return false;
    }
    int64_t first = days[0];
    int64_t last = generation_today(edition_generation(present));
    bool is_day = text_day(value, &day);
    const char *fault = count > 1     ? "stands there more than once"
                        : !is_day     ? "is no day such as 2026-12-24"
                        : day < first ? "is a day before the catalogue begins"
                        : day > last  ? "is a day to come"
                                      : NULL;
    if (fault != NULL) {
        return refuse(reply, first, last, fault, error);
    }
    *out_is_asked = true;
    *out_day = (struct past_day){.day = day, .last = as_of_last(days, day_count, day)};
    return true;
}
