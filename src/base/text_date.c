/* Days and dates in the proleptic Gregorian calendar, without the C library's clocks and locales.
 */
#include "text.h"
#include "text_language.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum {
    DAY_SECONDS = 24 * 60 * 60,
    /* Days of 400 years. */
    ERA_DAYS = 146097,
    /* Days from 0000-03-01, where an era starts, to 1970-01-01: four eras and a rest. */
    EPOCH_ERAS = 4,
    EPOCH_REST = 135080,
};

struct date {
    int64_t year;
    int month; /* 1 to 12 */
    int day;   /* 1 to 31 */
};

static const char month_names[12][4] = {"Jan", "Feb", "Mar", "Apr", "May", "Jun",
                                        "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"};
/* 1970-01-01 was a Thursday. */
static const char day_names[7][10] = {"Thursday", "Friday",  "Saturday", "Sunday",
                                      "Monday",   "Tuesday", "Wednesday"};

/* Years start in March here, so that the leap day is the last of its year. */
static int64_t day_from_date(struct date date) {
    int64_t year = date.month <= 2 ? date.year - 1 : date.year;
    int64_t era = (year >= 0 ? year : year - 399) / 400;
    int64_t year_of_era = year - era * 400;
    int64_t month = (date.month + 9) % 12;
    int64_t day_of_year = (153 * month + 2) / 5 + date.day - 1;
    int64_t day_of_era = year_of_era * 365 + year_of_era / 4 - year_of_era / 100 + day_of_year;
    return (era - EPOCH_ERAS) * ERA_DAYS + day_of_era - EPOCH_REST;
}

static struct date date_from_day(int64_t day) {
    int64_t era = day / ERA_DAYS;
    int64_t day_of_era = day % ERA_DAYS;
    if (day_of_era < 0) {
        day_of_era += ERA_DAYS;
        era--;
    }
    era += EPOCH_ERAS;
    day_of_era += EPOCH_REST;
    if (day_of_era >= ERA_DAYS) {
        day_of_era -= ERA_DAYS;
        era++;
    }
    int64_t year_of_era =
        (day_of_era - day_of_era / 1460 + day_of_era / 36524 - day_of_era / (ERA_DAYS - 1)) / 365;
    int64_t day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    int64_t month = (5 * day_of_year + 2) / 153;
    struct date date = {.year = era * 400 + year_of_era,
                        .month = (int)(month < 10 ? month + 3 : month - 9),
                        .day = (int)(day_of_year - (153 * month + 2) / 5 + 1)};
    if (date.month <= 2) {
        date.year++;
    }
    return date;
}

static int month_days(int64_t year, int month) {
    static const int days[12] = {31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
    bool leap = (year % 4 == 0 && year % 100 != 0) || year % 400 == 0;
    return month == 2 && leap ? 29 : days[month - 1];
}

static bool date_is_valid(struct date date) {
    return date.month >= 1 && date.month <= 12 && date.day >= 1 &&
           date.day <= month_days(date.year, date.month);
}

/* Reads exactly count digits and moves on. */
static bool take_digits(const char **at, int count, int *out) {
    int number = 0;
    for (int i = 0; i < count; i++) {
        char character = (*at)[i];
        if (character < '0' || character > '9') {
            return false;
        }
        number = number * 10 + (character - '0');
    }
    *at += count;
    *out = number;
    return true;
}

static bool take_text(const char **at, const char *text) {
    if (!text_starts(*at, text)) {
        return false;
    }
    *at += strlen(text);
    return true;
}

bool text_day(const char *iso_date, int64_t *out_day) {
    const char *at = iso_date;
    int year;
    struct date date;
    if (!take_digits(&at, 4, &year) || !take_text(&at, "-") || !take_digits(&at, 2, &date.month) ||
        !take_text(&at, "-") || !take_digits(&at, 2, &date.day) || *at != '\0') {
        return false;
    }
    date.year = year;
    if (!date_is_valid(date)) {
        return false;
    }
    *out_day = day_from_date(date);
    return true;
}

void text_iso_date(int64_t day, char out[TEXT_DATE_BYTES]) {
    struct date date = date_from_day(day);
    const char *sign = date.year < 0 ? "-" : "";
    int64_t year = date.year < 0 ? -date.year : date.year;
    snprintf(out, TEXT_DATE_BYTES, "%s%04" PRId64 "-%02d-%02d", sign, year, date.month, date.day);
}

bool text_human_date(const struct text_language *language, const char *iso_date,
                     char out[TEXT_DATE_BYTES]) {
    const struct text_language *words = text_language_or_english(language);
    const char *at = iso_date;
    int year;
    if (!take_digits(&at, 4, &year)) {
        return false;
    }
    if (*at == '\0') {
        snprintf(out, TEXT_DATE_BYTES, "%04d", year);
        return true;
    }
    int month;
    if (!take_text(&at, "-") || !take_digits(&at, 2, &month) || month < 1 || month > 12) {
        return false;
    }
    const char *name = words->months[month - 1];
    if (*at == '\0') {
        snprintf(out, TEXT_DATE_BYTES, "%s %04d", name, year);
        return true;
    }
    int day;
    if (!take_text(&at, "-") || !take_digits(&at, 2, &day) || *at != '\0' || day < 1 ||
        day > month_days(year, month)) {
        return false;
    }
    snprintf(out, TEXT_DATE_BYTES, "%d%s %s %04d", day,
             day == 1 ? words->first_day : words->other_day, name, year);
    return true;
}

/* Whether a byte beside a day makes it a part of something longer: a name, a path, a version. */
static bool joins(char byte) {
    return byte != '\0' && (strchr("-_/.:#=@+", byte) != NULL || (byte >= '0' && byte <= '9') ||
                            (byte >= 'a' && byte <= 'z') || (byte >= 'A' && byte <= 'Z'));
}

void text_add_with_dates(struct buf *buf, const struct text_language *language, const char *text) {
    enum { DAY_BYTES = sizeof("2026-11-30") - 1 };
    for (const char *at = text; *at != '\0';) {
        char iso[DAY_BYTES + 1];
        char human[TEXT_DATE_BYTES];
        (void)snprintf(iso, sizeof(iso), "%s", at);
        /* A full stop or a colon after it ends what was said, unless more follows at once. */
        const char *after = at + strlen(iso);
        bool more = joins(*after) && (strchr(".:", *after) == NULL || joins(after[1]));
        bool alone = strlen(iso) == DAY_BYTES && !more && (at == text || !joins(at[-1]));
        if (alone && text_human_date(language, iso, human)) {
            buf_add_text(buf, human);
            at = after;
        } else {
            buf_add_char(buf, *at++);
        }
    }
}

static int64_t day_of_seconds(int64_t seconds, int64_t *out_rest) {
    int64_t day = seconds / DAY_SECONDS;
    int64_t rest = seconds % DAY_SECONDS;
    if (rest < 0) {
        rest += DAY_SECONDS;
        day--;
    }
    *out_rest = rest;
    return day;
}

void text_http_date(int64_t seconds, char out[TEXT_DATE_BYTES]) {
    /* The form has four digits for a year. */
    int64_t first = day_from_date((struct date){0, 1, 1}) * DAY_SECONDS;
    int64_t last = (day_from_date((struct date){9999, 12, 31}) + 1) * DAY_SECONDS - 1;
    seconds = seconds < first ? first : seconds > last ? last : seconds;
    int64_t rest;
    int64_t day = day_of_seconds(seconds, &rest);
    struct date date = date_from_day(day);
    int64_t weekday = (day % 7 + 7) % 7;
    snprintf(out, TEXT_DATE_BYTES, "%.3s, %02d %s %04d %02d:%02d:%02d GMT", day_names[weekday],
             date.day, month_names[date.month - 1], (int)date.year, (int)(rest / 3600),
             (int)(rest / 60 % 60), (int)(rest % 60));
}

static bool take_day_name(const char **at, bool whole) {
    for (size_t i = 0; i < ARRAY_LENGTH(day_names); i++) {
        size_t length = whole ? strlen(day_names[i]) : 3;
        if (strncmp(*at, day_names[i], length) == 0) {
            *at += length;
            return true;
        }
    }
    return false;
}

static bool take_month_name(const char **at, int *out_month) {
    for (size_t i = 0; i < ARRAY_LENGTH(month_names); i++) {
        if (take_text(at, month_names[i])) {
            *out_month = (int)i + 1;
            return true;
        }
    }
    return false;
}

/* "08:49:37"; a leap second counts as the first of the next minute. */
static bool take_time(const char **at, int *out_seconds) {
    int hour;
    int minute;
    int second;
    if (!take_digits(at, 2, &hour) || !take_text(at, ":") || !take_digits(at, 2, &minute) ||
        !take_text(at, ":") || !take_digits(at, 2, &second) || hour > 23 || minute > 59 ||
        second > 60) {
        return false;
    }
    *out_seconds = hour * 3600 + minute * 60 + second;
    return true;
}

/* "Sun, 06 Nov 1994 08:49:37 GMT" */
static bool take_fixdate(const char *at, struct date *date, int *seconds) {
    int year;
    if (!take_day_name(&at, false) || !take_text(&at, ", ") || !take_digits(&at, 2, &date->day) ||
        !take_text(&at, " ") || !take_month_name(&at, &date->month) || !take_text(&at, " ") ||
        !take_digits(&at, 4, &year) || !take_text(&at, " ") || !take_time(&at, seconds) ||
        !take_text(&at, " GMT")) {
        return false;
    }
    date->year = year;
    return *at == '\0';
}

/* "Sunday, 06-Nov-94 08:49:37 GMT": a year more than 50 years ahead is the latest one past that
 * ends alike. */
static bool take_rfc850(const char *at, struct date *date, int *seconds) {
    int year;
    if (!take_day_name(&at, true) || !take_text(&at, ", ") || !take_digits(&at, 2, &date->day) ||
        !take_text(&at, "-") || !take_month_name(&at, &date->month) || !take_text(&at, "-") ||
        !take_digits(&at, 2, &year) || !take_text(&at, " ") || !take_time(&at, seconds) ||
        !take_text(&at, " GMT")) {
        return false;
    }
    int64_t this_year = date_from_day(text_today()).year;
    date->year = this_year - this_year % 100 + year;
    if (date->year > this_year + 50) {
        date->year -= 100;
    }
    return *at == '\0';
}

/* "Sun Nov  6 08:49:37 1994" */
static bool take_asctime(const char *at, struct date *date, int *seconds) {
    int year;
    if (!take_day_name(&at, false) || !take_text(&at, " ") || !take_month_name(&at, &date->month) ||
        !take_text(&at, " ")) {
        return false;
    }
    int digits = *at == ' ' ? 1 : 2;
    at += 2 - digits;
    if (!take_digits(&at, digits, &date->day) || !take_text(&at, " ") || !take_time(&at, seconds) ||
        !take_text(&at, " ") || !take_digits(&at, 4, &year)) {
        return false;
    }
    date->year = year;
    return *at == '\0';
}

bool text_parse_http_date(const char *text, int64_t *out_seconds) {
    struct date date;
    int seconds;
    if (!take_fixdate(text, &date, &seconds) && !take_rfc850(text, &date, &seconds) &&
        !take_asctime(text, &date, &seconds)) {
        return false;
    }
    if (!date_is_valid(date)) {
        return false;
    }
    *out_seconds = day_from_date(date) * DAY_SECONDS + seconds;
    return true;
}

int64_t text_today(void) {
    int64_t rest;
    return day_of_seconds((int64_t)time(NULL), &rest);
}
