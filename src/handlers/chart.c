/* What the charts share, and the claims chart. */
#include "chart.h"
#include "text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The claims chart: the name above, its times on a line below. */
enum {
    ROW_UNITS = 44,
    TOP_UNITS = 30,
    LEFT_UNITS = 14,
    RIGHT_UNITS = 406,
    NAME_UNITS = 12,
    LINE_UNITS = 27
};

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    const json_t *number = json_object_get(object, key);
    return json_is_number(number) ? json_number_value(number) : NAN;
}

/* --- shared --- */

struct chart_scale chart_scale_over(double least, double most, double from, double to) {
    struct chart_scale scale = {
        .low = floor(log10(least)), .high = ceil(log10(most)), .from = from, .to = to};
    if (scale.high <= scale.low) {
        scale.high = scale.low + 1;
    }
    return scale;
}

double chart_scale_at(const struct chart_scale *scale, double value) {
    double share = (log10(value) - scale->low) / (scale->high - scale->low);
    return scale->from + (scale->to - scale->from) * fmin(fmax(share, 0), 1);
}

json_t *chart_number(double coordinate) {
    return json_sprintf("%.1f", coordinate);
}

static json_t *number_with_unit(double number, const char *unit) {
    enum { TEXT_BYTES = 64 };
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    text_add_number_grouped(&text, number);
    buf_add_format(&text, " %s", unit);
    json_t *result = text.failed ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

json_t *chart_milliseconds(double milliseconds) {
    return isnan(milliseconds) ? json_null() : number_with_unit(milliseconds, "ms");
}

json_t *chart_tick_label(double milliseconds) {
    const double second = 1000;
    return milliseconds < second ? number_with_unit(milliseconds, "ms")
                                 : number_with_unit(milliseconds / second, "s");
}

json_t *chart_name(const char *name) {
    const char *bracket = strstr(name, " (");
    /* The mark of an overlay is no part of the name that could be left out. */
    const char *mark = strstr(name, " (private") == NULL ? "" : " (private)";
    return json_sprintf("%.*s%s", (int)(bracket == NULL ? strlen(name) : (size_t)(bracket - name)),
                        name, mark);
}

size_t chart_default_slot(const struct catalogue_index *index,
                          const struct index_provider *provider) {
    for (size_t i = 0; i < provider->slot_count; i++) {
        if (index->slots[provider->first_slot + i].is_default) {
            return provider->first_slot + i;
        }
    }
    return provider->first_slot;
}

bool chart_sort(json_t *array, int (*compare)(const void *, const void *)) {
    size_t count = json_array_size(array);
    json_t **items = calloc(count + 1, sizeof(*items));
    bool good = items != NULL;
    for (size_t i = 0; good && i < count; i++) {
        items[i] = json_incref(json_array_get(array, i));
    }
    if (good) {
        qsort(items, count, sizeof(*items), compare);
    }
    for (size_t i = 0; good && i < count; i++) {
        good = json_array_set_new(array, i, items[i]) == 0;
    }
    free(items);
    return good;
}

bool chart_in_focus(struct chart_focus focus, const char *slug) {
    for (size_t i = 0; i < ARRAY_LENGTH(focus.slugs); i++) {
        if (focus.slugs[i] != NULL && strcmp(focus.slugs[i], slug) == 0) {
            return true;
        }
    }
    return false;
}

/* --- claims --- */

static const json_t *run_of(const json_t *entry) {
    const json_t *run = json_object_get(json_object_get(entry, "measured"), "sequential");
    return json_is_object(run) ? run : NULL;
}

/* Whether a row is drawn. */
static bool is_shown(const json_t *entry, struct chart_focus focus) {
    return run_of(entry) != NULL || chart_in_focus(focus, string_of(entry, "slug"));
}

/* The least and the most of every time that is drawn. False: there is none. */
static bool range_of(const json_t *start_times, struct chart_focus focus, double *least,
                     double *most) {
    *least = INFINITY;
    *most = -INFINITY;
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(start_times, i, entry) {
        const json_t *run = run_of(entry);
        const double times[] = {number_of(entry, "claimed_ms"), number_of(run, "median_ms"),
                                number_of(run, "p95_ms")};
        for (size_t j = 0; is_shown(entry, focus) && j < ARRAY_LENGTH(times); j++) {
            if (times[j] > 0) {
                *least = fmin(*least, times[j]);
                *most = fmax(*most, times[j]);
            }
        }
    }
    return *most >= *least;
}

static json_t *place_or_null(const struct chart_scale *scale, double value, double y) {
    return value > 0 ? json_pack("{s:o, s:o}", "x", chart_number(chart_scale_at(scale, value)), "y",
                                 chart_number(y))
                     : json_null();
}

static json_t *span_or_null(const struct chart_scale *scale, double from, double to, double y) {
    return from > 0 && to > 0
               ? json_pack("{s:o, s:o, s:o, s:o, s:o}", "x1",
                           chart_number(chart_scale_at(scale, from)), "x2",
                           chart_number(chart_scale_at(scale, to)), "y", chart_number(y), "top",
                           chart_number(y - 5), "bottom", chart_number(y + 5))
               : json_null();
}

/* One row of the drawing. */
static json_t *mark_of(const struct chart_scale *scale, const json_t *entry,
                       struct chart_focus focus, size_t place) {
    const json_t *run = run_of(entry);
    double claimed = number_of(entry, "claimed_ms");
    double median = number_of(run, "median_ms");
    double top = TOP_UNITS + ROW_UNITS * (double)place;
    return json_pack(
        "{s:o, s:b, s:o, s:o, s:o, s:o, s:o}", "name", chart_name(string_of(entry, "name")),
        "strong", (int)chart_in_focus(focus, string_of(entry, "slug")), "name_y",
        chart_number(top + NAME_UNITS), "claim", place_or_null(scale, claimed, top + LINE_UNITS),
        "median", place_or_null(scale, median, top + LINE_UNITS), "gap",
        span_or_null(scale, claimed, median, top + LINE_UNITS), "tail",
        span_or_null(scale, median, number_of(run, "p95_ms"), top + LINE_UNITS));
}

/* One row of the table. */
static json_t *row_of(struct view *view, const json_t *entry) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    const struct index_attribute *attribute = index_attribute(index, "cold_start_ms");
    const json_t *run = run_of(entry);
    const json_t *claim = json_object_get(entry, "claimed");
    double ratio = number_of(entry, "ratio");
    const double percent = 100;
    return json_pack(
        "{s:O, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "name", json_object_get(entry, "name"), "href",
        json_sprintf("/sandboxes/%s/", string_of(entry, "slug")), "cell",
        attribute == NULL ? json_null()
                          : view_cell_linked(view, attribute, json_is_object(claim) ? claim : NULL),
        "median", chart_milliseconds(number_of(run, "median_ms")), "p95",
        chart_milliseconds(number_of(run, "p95_ms")), "success",
        run == NULL ? json_null()
                    : json_sprintf("%g %%", round(number_of(run, "success_rate") * percent)),
        "ratio", isnan(ratio) ? json_null() : json_sprintf("%.1f times", ratio), "source",
        json_integer((json_int_t)view_source(view, json_object_get(run, "source"))));
}

static json_t *ticks_of(const struct chart_scale *scale, double bottom) {
    json_t *ticks = json_array();
    const int low = (int)scale->low;
    const int high = (int)scale->high;
    for (int exponent = low; exponent <= high; exponent++) {
        double time = pow(10, exponent);
        const char *anchor = exponent == low ? "start" : exponent == high ? "end" : "middle";
        if (json_array_append_new(ticks, json_pack("{s:o, s:o, s:o, s:s}", "x",
                                                   chart_number(chart_scale_at(scale, time)),
                                                   "bottom", chart_number(bottom), "label",
                                                   chart_tick_label(time), "anchor", anchor)) !=
            0) {
            json_decref(ticks);
            return NULL;
        }
    }
    return ticks;
}

json_t *chart_claims(struct view *view, const json_t *start_times, struct chart_focus focus) {
    double least = 0;
    double most = 0;
    if (!range_of(start_times, focus, &least, &most)) {
        return json_null();
    }
    struct chart_scale scale = chart_scale_over(least, most, LEFT_UNITS, RIGHT_UNITS);
    json_t *marks = json_array();
    json_t *rows = json_array();
    bool good = marks != NULL && rows != NULL;
    const char *day = NULL;
    size_t i = 0;
    const json_t *entry = NULL;
    json_array_foreach(start_times, i, entry) {
        if (good && is_shown(entry, focus)) {
            const char *own = string_of(run_of(entry), "day");
            day = day == NULL || (own != NULL && strcmp(own, day) > 0) ? own : day;
            good = json_array_append_new(
                       marks, mark_of(&scale, entry, focus, json_array_size(marks))) == 0 &&
                   json_array_append_new(rows, row_of(view, entry)) == 0;
        }
    }
    double height = TOP_UNITS + ROW_UNITS * (double)json_array_size(marks);
    return view_new(view,
                    json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "chart_id", "claims", "height",
                              chart_number(height + 4), "ticks", ticks_of(&scale, height), "marks",
                              marks, "rows", rows, "day", view_date(view, day)));
}
