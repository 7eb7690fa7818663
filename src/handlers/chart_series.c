/* The daily series of one provider: a panel for each mode, on one logarithmic scale. */
#include "chart.h"
#include "limit.h"
#include "site.h"
#include "text.h"
#include <math.h>
#include <string.h>

enum {
    LEFT_UNITS = 48,
    RIGHT_UNITS = 412,
    TOP_UNITS = 24,    /* of the first panel's plot, below its name */
    PANEL_UNITS = 84,  /* height of a plot */
    STRIDE_UNITS = 118 /* from one plot's top to the next */
};

static const char *const modes[] = {"sequential", "staggered", "burst"};
static const char *const mode_labels[] = {
    "Sequential: one after another", "Staggered: starts spread over time", "Burst: all at once"};

/* Where things are. */
struct axes {
    struct chart_scale times; /* from the bottom of a plot to its top, the top at 0 */
    int64_t first;
    int64_t last;
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* The days and times that the panels must hold. False: nothing can be drawn. */
static bool axes_of(const json_t *rows, const char *first_day, struct axes *out_axes) {
    double least = INFINITY;
    double most = -INFINITY;
    int64_t first = INT64_MAX;
    int64_t last = INT64_MIN;
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        int64_t day = 0;
        double median = number_of(row, "median_ms");
        double p95 = number_of(row, "p95_ms");
        if (!(median > 0) || !text_day(string_of(row, "day"), &day)) {
            continue;
        }
        least = fmin(least, median);
        most = fmax(most, fmax(median, p95));
        first = day < first ? day : first;
        last = day > last ? day : last;
    }
    int64_t wanted = 0;
    if (first_day != NULL && text_day(first_day, &wanted) && wanted < first) {
        first = wanted;
    }
    if (first >= last || !(least <= most)) {
        return false;
    }
    *out_axes = (struct axes){
        .times = chart_scale_over(least, most, PANEL_UNITS, 0), .first = first, .last = last};
    return true;
}

static double x_of(const struct axes *axes, int64_t day) {
    return LEFT_UNITS + (double)(RIGHT_UNITS - LEFT_UNITS) * (double)(day - axes->first) /
                            (double)(axes->last - axes->first);
}

/* One measured day in a panel. */
struct point {
    int64_t day;
    double x;
    double median;
    double p95;
};

/* The point of a row, if it is of this mode and has a time. */
static bool point_of(const struct axes *axes, const json_t *row, const char *mode, double top,
                     struct point *out_point) {
    double median = number_of(row, "median_ms");
    double p95 = number_of(row, "p95_ms");
    int64_t day = 0;
    if (strcmp(string_of(row, "mode"), mode) != 0 || !(median > 0) ||
        !text_day(string_of(row, "day"), &day)) {
        return false;
    }
    *out_point = (struct point){
        .day = day,
        .x = x_of(axes, day),
        .median = top + chart_scale_at(&axes->times, median),
        .p95 = top + chart_scale_at(&axes->times, p95 > 0 ? p95 : median),
    };
    return true;
}

/* The paths of one mode: the line of medians, broken where a day is missing, and a stroke from each
 * median to its p95. */
static json_t *panel_of(const struct axes *axes, const json_t *rows, size_t mode) {
    double top = TOP_UNITS + STRIDE_UNITS * (double)mode;
    struct buf line;
    struct buf tails;
    buf_init(&line, LIMIT_ANSWER_BYTES);
    buf_init(&tails, LIMIT_ANSWER_BYTES);
    int64_t previous = INT64_MIN / 2;
    size_t days = 0;
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        struct point point;
        if (!point_of(axes, row, modes[mode], top, &point)) {
            continue;
        }
        bool joined = point.day == previous + 1;
        /* A day between two gaps is a dot: a line of no length with round ends. */
        buf_add_format(&line, "%s%.1f %.1f", joined ? "L" : "M", point.x, point.median);
        if (!joined) {
            buf_add_text(&line, "h0");
        }
        buf_add_format(&tails, "M%.1f %.1fV%.1f", point.x, point.median, point.p95);
        previous = point.day;
        days++;
    }
    json_t *panel = line.failed || tails.failed
                        ? NULL
                        : json_pack("{s:s, s:o, s:I, s:s, s:s}", "label", mode_labels[mode],
                                    "label_y", chart_number(top - 10), "days", (json_int_t)days,
                                    "line", line.data == NULL ? "" : line.data, "tails",
                                    tails.data == NULL ? "" : tails.data);
    buf_free(&line);
    buf_free(&tails);
    return panel;
}

/* A horizontal line with its label for each power of ten of each panel. */
static json_t *levels_of(const struct axes *axes) {
    json_t *levels = json_array();
    for (size_t mode = 0; mode < ARRAY_LENGTH(modes); mode++) {
        for (int exponent = (int)axes->times.low; exponent <= (int)axes->times.high; exponent++) {
            double time = pow(10, exponent);
            double y = TOP_UNITS + STRIDE_UNITS * (double)mode + chart_scale_at(&axes->times, time);
            if (json_array_append_new(levels, json_pack("{s:o, s:o, s:o}", "y", chart_number(y),
                                                        "label_y", chart_number(y + 4), "label",
                                                        chart_tick_label(time))) != 0) {
                json_decref(levels);
                return NULL;
            }
        }
    }
    return levels;
}

/* A vertical line at the first day of each month. */
static json_t *months_of(const struct axes *axes, const struct text_language *language,
                         double bottom) {
    json_t *months = json_array();
    for (int64_t day = axes->first; day <= axes->last; day++) {
        char iso[TEXT_DATE_BYTES];
        char human[TEXT_DATE_BYTES];
        text_iso_date(day, iso);
        if (strcmp(iso + strlen(iso) - 2, "01") == 0 && text_human_date(language, iso, human)) {
            /* "1 Mar 2026" without the year */
            human[strlen(human) - strlen(" 2026")] = '\0';
            if (json_array_append_new(
                    months, json_pack("{s:o, s:o, s:o, s:s}", "x", chart_number(x_of(axes, day)),
                                      "bottom", chart_number(bottom), "y",
                                      chart_number(bottom + 16), "label", human)) != 0) {
                json_decref(months);
                return NULL;
            }
        }
    }
    return months;
}

/* --- the table --- */

static json_t *run_cells(const json_t *row) {
    const double percent = 100;
    return json_pack("{s:o, s:o, s:o}", "median", chart_milliseconds(number_of(row, "median_ms")),
                     "p95", chart_milliseconds(number_of(row, "p95_ms")), "success",
                     json_sprintf("%g %%", round(number_of(row, "success_rate") * percent)));
}

/* One row a day: {date, runs [{run {median, p95, success} or null}]}, newest first. */
static json_t *days_of(struct view *view, const struct axes *axes, const json_t *rows) {
    json_t *by_day = json_object();
    size_t i = 0;
    const json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *day = string_of(row, "day");
        json_t *runs = json_object_get(by_day, day);
        if (runs == NULL) {
            runs = json_pack("[{s:n}, {s:n}, {s:n}]", "run", "run", "run");
            view->failed = view->failed || json_object_set_new(by_day, day, runs) != 0;
        }
        for (size_t mode = 0; mode < ARRAY_LENGTH(modes); mode++) {
            if (strcmp(string_of(row, "mode"), modes[mode]) == 0 &&
                json_object_set_new(json_array_get(runs, mode), "run", run_cells(row)) != 0) {
                view->failed = true;
            }
        }
    }
    json_t *days = json_array();
    for (int64_t day = axes->last; day >= axes->first; day--) {
        char iso[TEXT_DATE_BYTES];
        text_iso_date(day, iso);
        json_t *runs = json_object_get(by_day, iso);
        if (runs != NULL &&
            json_array_append_new(
                days, json_pack("{s:o, s:O}", "date", view_date(view, iso), "runs", runs)) != 0) {
            view->failed = true;
        }
    }
    json_decref(by_day);
    return view_new(view, days);
}

json_t *chart_series(struct view *view, const char *slug, const char *name,
                     const json_t *measurements, const char *first_day, bool with_table) {
    struct axes axes;
    if (!axes_of(measurements, first_day, &axes)) {
        return json_null();
    }
    json_t *panels = json_array();
    for (size_t mode = 0; mode < ARRAY_LENGTH(modes); mode++) {
        if (json_array_append_new(panels, panel_of(&axes, measurements, mode)) != 0) {
            view->failed = true;
        }
    }
    char first[TEXT_DATE_BYTES];
    char last[TEXT_DATE_BYTES];
    text_iso_date(axes.first, first);
    text_iso_date(axes.last, last);
    const size_t last_panel = ARRAY_LENGTH(modes) - 1;
    double bottom = TOP_UNITS + STRIDE_UNITS * (double)last_panel + PANEL_UNITS;
    return view_new(
        view,
        json_pack(
            "{s:o, s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "chart_id",
            json_sprintf("series-%s", slug), "name", name, "height", chart_number(bottom + 24),
            "table_href", json_sprintf("/measurements/%s/", slug), "levels", levels_of(&axes),
            "months", months_of(&axes, view->call->site->look.language, bottom), "panels", panels,
            "since", view_date(view, first), "until", view_date(view, last), "table",
            with_table ? json_pack("{s:o, s:s, s:o}", "table_id", json_sprintf("t-series-%s", slug),
                                   "name", name, "days", days_of(view, &axes, measurements))
                       : json_null()));
}
