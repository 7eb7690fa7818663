#include "builtin.h"
#include "catalogue_index.h"
#include "cmocka_all.h"
#include "score.h"
#include "text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double precision = 1e-9;

static struct catalogue *small;
static struct catalogue *real;

/* The bytes of a file of the project, NUL-terminated; the caller frees. */
static char *read_text(const char *name) {
    FILE *file = fopen(name, "rb");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    size_t length = (size_t)ftell(file);
    rewind(file);
    char *text = calloc(1, length + 1);
    assert_non_null(text);
    assert_int_equal(fread(text, 1, length, file), length);
    (void)fclose(file);
    return text;
}

static struct catalogue *open_image(struct image *image, const char *day) {
    struct error error = {0};
    int64_t today = 0;
    assert_true(text_day(day, &today));
    struct generation *generation = generation_create(image, today, &error);
    assert_string_equal(error.message, "");
    assert_non_null(generation);
    struct catalogue *catalogue = catalogue_open(generation, &error);
    generation_release(generation);
    assert_non_null(catalogue);
    return catalogue;
}

static int set_up(void **state) {
    (void)state;
    char *schema = read_text(SOURCE_DIR "/sql/schema.sql");
    char *seed = read_text(SOURCE_DIR "/tests/unit/score_seed.sql");
    struct error error = {0};
    struct image image = {0};
    bool built = image_build(schema, seed, NULL, &image, &error);
    free(schema);
    free(seed);
    assert_string_equal(error.message, "");
    assert_true(built);
    small = open_image(&image, "2026-03-01");
    const struct builtin_file *file = builtin_catalogue();
    image = (struct image){.bytes = (unsigned char *)file->bytes, .length = file->length};
    real = open_image(&image, "2026-11-30");
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    catalogue_close(small);
    catalogue_close(real);
    return 0;
}

static json_t *rank(struct catalogue *catalogue, const char *use_case, const json_t *weights) {
    struct error error = {0};
    json_t *model = score_ranking(catalogue, use_case, weights, &error);
    assert_string_equal(error.message, "");
    assert_non_null(model);
    return model;
}

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static double number_of(const json_t *object, const char *key) {
    assert_true(json_is_number(json_object_get(object, key)));
    return json_number_value(json_object_get(object, key));
}

static const json_t *entry_of(const json_t *list, const char *key, const char *value) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(list, i, entry) {
        if (strcmp(string_of(entry, key), value) == 0) {
            return entry;
        }
    }
    return NULL;
}

static const json_t *ranked(const json_t *model, const char *slug) {
    return entry_of(json_object_get(model, "ranked"), "slug", slug);
}

static const json_t *criterion(const json_t *model, const char *slug, const char *attribute) {
    const json_t *entry = ranked(model, slug);
    assert_non_null(entry);
    const json_t *found = entry_of(json_object_get(entry, "criteria"), "attribute", attribute);
    assert_non_null(found);
    return found;
}

static void expect_share(const char *use_case, const char *slug, const char *attribute, double low,
                         double high) {
    json_t *model = rank(small, use_case, NULL);
    const json_t *entry = criterion(model, slug, attribute);
    if (fabs(number_of(entry, "share_low") - low) > precision ||
        fabs(number_of(entry, "share_high") - high) > precision) {
        fail_msg("%s, %s of %s: %g to %g, expected %g to %g", use_case, attribute, slug,
                 number_of(entry, "share_low"), number_of(entry, "share_high"), low, high);
    }
    json_decref(model);
}

static void test_is(void **state) {
    (void)state;
    expect_share("one", "alpha", "level", 0.6, 0.6);
    expect_share("one", "alpha", "gpu", 1, 1);
    expect_share("one", "india", "gpu", 0, 0); /* a value without a score */
}

static void test_best_of(void **state) {
    (void)state;
    expect_share("one", "alpha", "tags", 0.7, 0.7);
    expect_share("one", "india", "tags", 0, 0);
}

static void test_each(void **state) {
    (void)state;
    expect_share("two", "alpha", "tags", 0.5, 0.5); /* two of four, one of which nobody has */
    expect_share("two", "india", "tags", 0, 0);
}

static void test_any(void **state) {
    (void)state;
    expect_share("two", "alpha", "level", 1, 1);
    expect_share("two", "foxtrot", "level", 1, 1);
}

static void test_count(void **state) {
    (void)state;
    expect_share("three", "alpha", "tags", 0.5, 0.5);
    expect_share("three", "alpha", "prices", 1, 1); /* three of two */
    expect_share("three", "india", "tags", 0, 0);
}

static void test_documented(void **state) {
    (void)state;
    expect_share("two", "alpha", "billing", 1, 1);
    expect_share("four", "india", "tags", 0, 0); /* stated, but empty */
    expect_share("four", "india", "start", 1, 1);
}

static void test_contains(void **state) {
    (void)state;
    expect_share("one", "alpha", "billing", 1, 1);
    expect_share("one", "india", "billing", 0, 0);
}

static void test_log(void **state) {
    (void)state;
    expect_share("one", "alpha", "start", 0.5, 0.5);
    expect_share("one", "india", "start", 1, 1);   /* better than the best */
    expect_share("one", "india", "session", 0, 0); /* worse than the worst */
    expect_share("one", "alpha", "session", 1, 1); /* unlimited */
}

static void test_key_log(void **state) {
    (void)state;
    expect_share("one", "alpha", "prices", 0.5,
                 0.5); /* the cheaper of two; the cheapest of all is another */
    expect_share("two", "alpha", "prices", 0, 1); /* no such entry: not documented */
}

static void test_not_documented_is_an_interval(void **state) {
    (void)state;
    static const char *const attributes[] = {"level", "gpu",     "tags",  "billing",
                                             "start", "session", "prices"};
    for (size_t i = 0; i < ARRAY_LENGTH(attributes); i++) {
        expect_share("one", "charlie", attributes[i], 0, 1);
        expect_share("one", "bravo", attributes[i], 0, 0); /* does not apply */
    }
    expect_share("two", "bravo", "billing", 0, 0);
    json_t *model = rank(small, "one", NULL);
    const json_t *fact = json_object_get(criterion(model, "charlie", "gpu"), "fact");
    assert_string_equal(string_of(fact, "state"), "not_documented");
    assert_true(fabs(number_of(ranked(model, "charlie"), "low")) < precision);
    assert_true(fabs(number_of(ranked(model, "charlie"), "high") - 100) < precision);
    json_decref(model);
}

static void test_stale_counts_half(void **state) {
    (void)state;
    expect_share("one", "delta", "level", 0.3, 0.6);
    expect_share("one", "delta", "gpu", 0.5, 1);
    json_t *model = rank(small, "one", NULL);
    assert_true(json_is_true(json_object_get(criterion(model, "delta", "gpu"), "stale")));
    assert_false(json_is_true(json_object_get(criterion(model, "alpha", "gpu"), "stale")));
    assert_true(fabs(2 * number_of(ranked(model, "delta"), "low") -
                     number_of(ranked(model, "alpha"), "low")) < precision);
    json_decref(model);
}

static void test_points_add_up(void **state) {
    (void)state;
    json_t *model = rank(small, "four", NULL);
    const json_t *alpha = ranked(model, "alpha");
    assert_true(fabs(number_of(criterion(model, "alpha", "tags"), "points_low") - 25) < precision);
    assert_true(fabs(number_of(criterion(model, "alpha", "start"), "points_low") - 75) < precision);
    assert_true(fabs(number_of(alpha, "low") - 100) < precision);
    assert_true(fabs(number_of(model, "weight_sum") - 4) < precision);
    json_decref(model);
}

static void test_order(void **state) {
    (void)state;
    /* Equal scores by name (zulu's is Aardvark), then less; equal low scores by the high one. */
    static const char *const expected[] = {"zulu",    "alpha",   "india", "delta",
                                           "charlie", "foxtrot", "bravo"};
    json_t *model = rank(small, "four", NULL);
    const json_t *list = json_object_get(model, "ranked");
    assert_int_equal(json_array_size(list), ARRAY_LENGTH(expected));
    for (size_t i = 0; i < ARRAY_LENGTH(expected); i++) {
        assert_string_equal(string_of(json_array_get(list, i), "slug"), expected[i]);
        assert_int_equal(json_integer_value(json_object_get(json_array_get(list, i), "place")),
                         i + 1);
    }
    json_decref(model);
}

static void test_offerings(void **state) {
    (void)state;
    json_t *model = rank(small, "fast-or-high", NULL);
    /* The alpha offering would be best, but it is not the default; the experimental one is. */
    assert_string_equal(string_of(ranked(model, "foxtrot"), "offering"), "plus");
    assert_true(json_is_null(json_object_get(ranked(model, "alpha"), "offering")));
    const json_t *unranked = json_object_get(model, "unranked");
    assert_int_equal(json_array_size(unranked), 2);
    assert_string_equal(string_of(entry_of(unranked, "slug", "echo"), "reason"), "Discontinued");
    assert_string_equal(string_of(entry_of(unranked, "slug", "golf"), "reason"),
                        "Has only alpha, experimental or deprecated offerings");
    json_decref(model);
}

static void test_require(void **state) {
    (void)state;
    json_t *model = rank(small, "with-gpu", NULL);
    const json_t *unranked = json_object_get(model, "unranked");
    assert_int_equal(json_array_size(json_object_get(model, "ranked")), 3);
    assert_non_null(ranked(model, "alpha"));
    assert_non_null(ranked(model, "delta"));
    assert_non_null(ranked(model, "zulu"));
    assert_string_equal(string_of(entry_of(unranked, "slug", "charlie"), "reason"),
                        "Not documented: GPU, Level");
    assert_string_equal(string_of(entry_of(unranked, "slug", "india"), "reason"),
                        "This list asks for GPU: yes");
    /* One of its offerings has the GPU, another the level: not on sale together. */
    assert_string_equal(string_of(entry_of(unranked, "slug", "foxtrot"), "reason"),
                        "This list asks for Level: High or Middling");
    json_decref(model);
}

static void test_default_offering_counts(void **state) {
    (void)state;
    /* Without the level, the default offering, experimental as it is, wins by its GPU. */
    json_t *weights = json_pack("{s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "level", 0, "gpu", 1, "tags",
                                0, "billing", 0, "start", 0, "session", 0, "prices", 0);
    json_t *model = rank(small, "one", weights);
    assert_string_equal(string_of(ranked(model, "foxtrot"), "offering"), "basic");
    json_decref(model);
    json_decref(weights);
}

static void test_own_weights(void **state) {
    (void)state;
    json_t *usual = rank(small, "fast-or-high", NULL);
    assert_false(json_is_true(json_object_get(usual, "own_weights")));
    json_t *weights = json_pack("{s:f}", "start", 5.0);
    json_t *own = rank(small, "fast-or-high", weights);
    assert_true(json_is_true(json_object_get(own, "own_weights")));
    assert_true(fabs(number_of(own, "weight_sum") - 7) < precision);
    /* 100 x (2 x 0.6 + 5 x 0.5) / 7 */
    assert_true(fabs(number_of(ranked(own, "alpha"), "low") - 100 * 3.7 / 7) < precision);
    const json_t *start = entry_of(json_object_get(own, "criteria"), "attribute", "start");
    assert_true(fabs(number_of(start, "weight") - 5) < precision);
    assert_true(fabs(number_of(start, "default_weight") - 1) < precision);
    assert_int_equal(json_integer_value(json_object_get(ranked(own, "india"), "place")), 1);
    assert_true(json_equal(json_object_get(ranked(own, "india"), "default_place"),
                           json_object_get(ranked(usual, "india"), "place")));
    assert_false(json_equal(json_object_get(ranked(own, "india"), "default_place"),
                            json_object_get(ranked(own, "india"), "place")));
    json_decref(weights);
    json_decref(usual);
    json_decref(own);
}

static void test_bad_weights(void **state) {
    (void)state;
    static const char *const bad[] = {
        "{\"start\":-1}",    "{\"start\":1000.5}",        "{\"start\":true}",
        "{\"start\":\"1\"}", "{\"level\":0,\"start\":0}", "{\"start\":null}",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        json_t *weights = json_loads(bad[i], 0, NULL);
        struct error error = {0};
        assert_null(score_ranking(small, "fast-or-high", weights, &error));
        assert_int_equal(error.kind, ERROR_INVALID);
        assert_non_null(strstr(error.message, "start"));
        json_decref(weights);
    }
    json_t *weights = json_pack("{s:i}", "gpu", 1);
    struct error error = {0};
    assert_null(score_ranking(small, "fast-or-high", weights, &error));
    assert_int_equal(error.kind, ERROR_INVALID);
    assert_non_null(strstr(error.message, "gpu"));
    json_decref(weights);
}

static void test_unknown_and_broken(void **state) {
    (void)state;
    struct error error = {0};
    assert_null(score_ranking(small, "nothing", NULL, &error));
    assert_int_equal(error.kind, ERROR_NOT_FOUND);
    assert_null(score_places(small, "broken", &error));
    assert_int_equal(error.kind, ERROR_CORRUPT);
    assert_non_null(strstr(error.message, "level"));
}

static void test_places(void **state) {
    (void)state;
    struct error error = {0};
    json_t *model = rank(small, "one", NULL);
    json_t *places = score_places(small, "one", &error);
    assert_int_equal(json_object_size(places), json_array_size(json_object_get(model, "ranked")));
    const char *slug = NULL;
    json_t *place = NULL;
    json_object_foreach(places, slug, place) {
        static const char *const keys[] = {"low", "high", "offering", "place"};
        for (size_t i = 0; i < ARRAY_LENGTH(keys); i++) {
            assert_true(json_equal(json_object_get(place, keys[i]),
                                   json_object_get(ranked(model, slug), keys[i])));
        }
    }
    json_decref(model);
    json_decref(places);
}

static void test_sensitivity_by_hand(void **state) {
    (void)state;
    /* alpha (and zulu) 0.6 level + 0.5 start, india 0 + 1, foxtrot/plus 0.6 + 0: with level at 2,
     * zulu leads until start weighs 2 x 0.6 / 0.5 = 2.4; with start at 1, india leads below level
     * 0.5 / 0.6. */
    json_t *model = rank(small, "fast-or-high", NULL);
    const json_t *list = json_object_get(model, "sensitivity");
    const json_t *start = json_object_get(entry_of(list, "attribute", "start"), "changes_at");
    const json_t *level = json_object_get(entry_of(list, "attribute", "level"), "changes_at");
    assert_int_equal(json_array_size(start), 1);
    assert_string_equal(string_of(json_array_get(start, 0), "to"), "india");
    assert_true(fabs(number_of(json_array_get(start, 0), "weight") - 2.4) < precision);
    assert_int_equal(json_array_size(level), 1);
    assert_string_equal(string_of(json_array_get(level, 0), "to"), "india");
    assert_true(fabs(number_of(json_array_get(level, 0), "weight") - 0.5 / 0.6) < precision);
    json_decref(model);
    model = rank(small, "with-gpu", NULL); /* one criterion: nothing can change */
    assert_true(json_is_null(
        json_object_get(json_array_get(json_object_get(model, "sensitivity"), 0), "changes_at")));
    json_decref(model);
}

/* Fails unless the provider leads by the low score at this weight of one criterion. */
static void expect_leader(const char *use_case, const char *attribute, double weight,
                          const char *leader) {
    json_t *weights = json_pack("{s:f}", attribute, weight);
    json_t *model = rank(real, use_case, weights);
    const json_t *first = json_array_get(json_object_get(model, "ranked"), 0);
    double ahead = number_of(first, "low") - number_of(ranked(model, leader), "low");
    if (ahead > 1e-6) {
        fail_msg("%s: %s leads at %s = %.12g, expected %s", use_case, string_of(first, "slug"),
                 attribute, weight, leader);
    }
    json_decref(weights);
    json_decref(model);
}

/* Who leads at a weight, by the list of changes. */
static const char *predicted(const json_t *changes, double now, const char *first, double weight) {
    const char *leader = first;
    size_t i = 0;
    json_t *change = NULL;
    json_array_foreach(changes, i, change) {
        double at = number_of(change, "weight");
        if (at < now && weight < at) {
            return string_of(change, "to"); /* ascending: the lowest that is still above */
        }
        if (at >= now && weight > at) {
            leader = string_of(change, "to");
        }
    }
    return leader;
}

static void test_sensitivity_by_recomputing(void **state) {
    (void)state;
    static const char *const use_cases[] = {"coding-agents", "gpu", "open-source"};
    static const double samples[] = {0, 0.3, 0.9, 2.2, 5, 31, 140};
    const double aside = 1e-3;
    for (size_t u = 0; u < ARRAY_LENGTH(use_cases); u++) {
        json_t *model = rank(real, use_cases[u], NULL);
        const char *first = string_of(json_array_get(json_object_get(model, "ranked"), 0), "slug");
        size_t i = 0;
        json_t *entry = NULL;
        json_array_foreach(json_object_get(model, "sensitivity"), i, entry) {
            const char *attribute = string_of(entry, "attribute");
            const json_t *changes = json_object_get(entry, "changes_at");
            double now = number_of(entry, "weight");
            size_t j = 0;
            json_t *change = NULL;
            json_array_foreach(changes, j, change) {
                for (int side = -1; side <= 1; side += 2) {
                    double weight = number_of(change, "weight") + side * aside;
                    expect_leader(use_cases[u], attribute, weight,
                                  predicted(changes, now, first, weight));
                }
            }
            for (j = 0; j < ARRAY_LENGTH(samples); j++) {
                expect_leader(use_cases[u], attribute, samples[j],
                              predicted(changes, now, first, samples[j]));
            }
        }
        json_decref(model);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_is),
        cmocka_unit_test(test_best_of),
        cmocka_unit_test(test_each),
        cmocka_unit_test(test_any),
        cmocka_unit_test(test_count),
        cmocka_unit_test(test_documented),
        cmocka_unit_test(test_contains),
        cmocka_unit_test(test_log),
        cmocka_unit_test(test_key_log),
        cmocka_unit_test(test_not_documented_is_an_interval),
        cmocka_unit_test(test_stale_counts_half),
        cmocka_unit_test(test_points_add_up),
        cmocka_unit_test(test_order),
        cmocka_unit_test(test_offerings),
        cmocka_unit_test(test_require),
        cmocka_unit_test(test_default_offering_counts),
        cmocka_unit_test(test_own_weights),
        cmocka_unit_test(test_bad_weights),
        cmocka_unit_test(test_unknown_and_broken),
        cmocka_unit_test(test_places),
        cmocka_unit_test(test_sensitivity_by_hand),
        cmocka_unit_test(test_sensitivity_by_recomputing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
