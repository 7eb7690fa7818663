/* Charts: coordinates for the templates part_chart_*.html, which hold the SVG. No markup here.
 *
 * Each chart is one object that its part shows: {{#x}}{{>part_chart_claims}}{{/x}}. It has chart_id
 * (a prefix of every id inside, so that several charts can stand on a page), the drawing in units
 * of a 420 wide box, and its data as a table. JSON null where there is nothing to draw: then the
 * section is not shown. The data comes from start_times_read, prices_read, features_read or
 * STATEMENT_MEASUREMENTS_OF_PROVIDER, read before the view starts. New references; failures are
 * sticky in the view. */
#ifndef AGENT_SANDBOXES_CHART_H
#define AGENT_SANDBOXES_CHART_H

#include "view.h"

/* Slugs whose rows stand out, and are shown even where a chart would leave them out. */
struct chart_focus {
    const char *slugs[2]; /* NULL: none */
};

/* part_chart_claims: claimed start time, measured median and p95 on a logarithmic scale, for every
 * measured provider and those in focus. */
json_t *chart_claims(struct view *view, const json_t *start_times, struct chart_focus focus);

/* part_chart_series: the daily medians and p95 of one provider in three modes, on one logarithmic
 * scale, with gaps where days are missing. first_day is where the time axis begins (NULL: at the
 * first measurement). With a table of every day, or a link to the page that has it. */
json_t *chart_series(struct view *view, const char *slug, const char *name,
                     const json_t *measurements, const char *first_day, bool with_table);

/* What an hour costs by published rates. The caller owns the array. Each entry: slug, name,
 * offering, vcpu, memory, billing (fact objects or null), vcpu_hour_usd, common_hour_usd (1 vCPU
 * and 2 GiB; null unless both rates are published): cheapest common hour first, those without one
 * last. */
json_t *prices_read(struct catalogue *catalogue, struct error *error) MUST_USE;

/* part_chart_prices: bars of prices_read. */
json_t *chart_prices(struct view *view, const json_t *prices, struct chart_focus focus);

/* Which features each provider has. The caller owns the object: features [{key, label, glossary}],
 * providers [{slug, name, offering, values [{attribute, mark, text}]}]. Features are the yes-or-no
 * attributes and the headline enums of which one value is "no" or "none"; mark is "yes", "no",
 * "part", "na" or "nd". Active providers only, each with the class that a new user gets. */
json_t *features_read(struct catalogue *catalogue, struct error *error) MUST_USE;

/* part_chart_heat: a mark for each provider and feature. */
json_t *chart_heat(struct view *view, const json_t *features);

/* --- shared by the charts --- */

/* A logarithmic scale of whole decades over [from, to]. */
struct chart_scale {
    double low; /* exponents of ten */
    double high;
    double from; /* coordinates */
    double to;
};

/* A scale of the decades that hold least and most. */
struct chart_scale chart_scale_over(double least, double most, double from, double to);
double chart_scale_at(const struct chart_scale *scale, double value);

/* A coordinate with one decimal, as text. */
json_t *chart_number(double coordinate);

/* A time in milliseconds exactly as the number is ("490.7 ms"; JSON null for NAN), or short for an
 * axis ("100 ms", "1 s"). */
json_t *chart_milliseconds(double milliseconds);
json_t *chart_tick_label(double milliseconds);

/* A name for a drawing: without what stands in brackets at its end, which the table has. */
json_t *chart_name(const char *name);

/* The slot of the class that a new user gets: the default offering, else the first. */
size_t chart_default_slot(const struct catalogue_index *index,
                          const struct index_provider *provider);

/* Sorts an array in place; compare gets pointers to json_t pointers, as qsort gives them. False:
 * out of memory. */
bool chart_sort(json_t *array, int (*compare)(const void *, const void *)) MUST_USE;

/* Whether a slug is in focus. */
bool chart_in_focus(struct chart_focus focus, const char *slug);

#endif
