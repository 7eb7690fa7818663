/* Requirements on a small catalogue that shows every case: who fits, who is undecided, who misses
 * by one, who is excluded, why, in which order, and what to ask. */
#include "asking.h"
#include "match.h"

static struct catalogue *small;

static int setup(void **state) {
    (void)state;
    small = open_catalogue(SOURCE_DIR "/tests/unit/small_catalogue.sql");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    catalogue_close(small);
    return 0;
}

/* Parses a query; the caller frees requirements, target and fault->allowed. */
static enum question_result parse(const char *query, struct requirements *requirements,
                                  struct question_fault *fault, struct target *target) {
    struct error error = {0};
    char raw[1024];
    snprintf(raw, sizeof raw, "/match?%s", query);
    assert_true(target_parse(raw, strlen(raw), target, &error));
    json_t *use_cases = catalogue_rows(small, STATEMENT_USE_CASES, NULL, 0, &error);
    assert_non_null(use_cases);
    enum question_result result =
        requirements_parse(generation_index(catalogue_generation(small)), use_cases, target->pairs,
                           target->pair_count, requirements, fault, &error);
    json_decref(use_cases);
    return result;
}

static json_t *ask(const char *query) {
    struct error error = {0};
    struct requirements requirements;
    struct question_fault fault;
    struct target target;
    if (parse(query, &requirements, &fault, &target) != QUESTION_GOOD) {
        fail_msg("%s: %s", query, fault.detail);
    }
    json_t *answer = match_answer(small, &requirements, &error);
    if (answer == NULL) {
        fail_msg("%s: %s", query, error.message);
    }
    requirements_free(&requirements);
    target_free(&target);
    return answer;
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static void add_list(struct buf *out, const json_t *list) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(list, i, entry) {
        const json_t *offering = json_object_get(entry, "offering");
        buf_add_format(out, "%s%s", i == 0 ? "" : " ", text_of(entry, "slug"));
        if (text_of(offering, "slug") != NULL) {
            buf_add_format(out, "/%s", text_of(offering, "slug"));
        }
    }
}

/* "fits | undecided | near misses | excluded". */
static void assert_match(const char *query, const char *expected) {
    json_t *answer = ask(query);
    struct buf shown;
    buf_init(&shown, 4096);
    static const char *const lists[] = {"fits", "undecided", "near_misses", "excluded"};
    for (size_t i = 0; i < ARRAY_LENGTH(lists); i++) {
        buf_add_text(&shown, i == 0 ? "" : " | ");
        add_list(&shown, json_object_get(answer, lists[i]));
    }
    if (strcmp(shown.data, expected) != 0) {
        fail_msg("%s: %s, not %s", query, shown.data, expected);
    }
    buf_free(&shown);
    json_decref(answer);
}

static void test_lists(void **state) {
    (void)state;
    assert_match("", "alpha beta/one gamma |  |  | ");
    /* Of beta, container and microVM are sold, but the GPU only with the container. */
    assert_match("must.gpu=true", "beta/three | gamma | alpha | ");
    assert_match("must.isolation=microvm&must.gpu=true", " | beta/one gamma | alpha | ");
    assert_match("must.isolation=container&must.gpu=true", "beta/three | gamma |  | alpha");
    assert_match("must.gpu=true&must.session__gte=2h", " | gamma | alpha beta/three | ");
    /* One must fails and another is not documented: neither near nor undecided. */
    assert_match("must.level=high&must.gpu=true&must.isolation=vm", " | gamma | alpha | beta");
}

static void test_stage(void **state) {
    (void)state;
    assert_match("must.isolation=microvm&must.gpu=true&stage=any", "beta/two | gamma | alpha | ");
    assert_match("must.gpu=true&stage=deprecated&providers=beta", "beta/two |  |  | ");
    json_t *answer = ask("must.gpu=true&stage=beta&providers=alpha,beta");
    const json_t *beta = json_array_get(json_object_get(answer, "undecided"), 0);
    assert_string_equal(text_of(beta, "slug"), "beta");
    const json_t *open = json_object_get(json_object_get(beta, "must"), "not_documented");
    assert_string_equal(text_of(json_array_get(open, 0), "attribute"), "stage");
    assert_string_equal(text_of(json_array_get(open, 0), "question"),
                        "At what release stage is Three of beta?");
    json_decref(answer);
}

static void test_points(void **state) {
    (void)state;
    assert_match("prefer.gpu=true", "beta/three alpha gamma |  |  | ");
    assert_match("avoid.gpu=true", "alpha beta/one gamma |  |  | ");
    assert_match("avoid.gpu=false", "beta/one gamma alpha |  |  | ");
    assert_match("prefer.gpu=true&avoid.isolation=container", "alpha beta/one gamma |  |  | ");
    /* The score comes after the points, and before the default offering. */
    assert_match("use_case=any", "beta/three gamma alpha |  |  | ");
}

static void test_reasons(void **state) {
    (void)state;
    json_t *answer = ask("must.isolation=container&must.gpu=true&prefer.licence=MIT");
    const json_t *alpha = json_array_get(json_object_get(answer, "excluded"), 0);
    const json_t *must =
        json_object_get(json_array_get(json_object_get(alpha, "offerings"), 0), "must");
    const json_t *unmet = json_object_get(must, "not_met");
    assert_int_equal(json_array_size(unmet), 2);
    const json_t *reason = json_array_get(unmet, 0);
    assert_string_equal(text_of(reason, "condition"), "isolation=container");
    assert_string_equal(text_of(reason, "words"), "Isolation: container");
    assert_string_equal(text_of(json_object_get(reason, "fact"), "text"), "microVM, VM");
    assert_non_null(text_of(json_object_get(json_object_get(reason, "fact"), "source"), "url"));
    const json_t *others = json_object_get(answer, "not_considered");
    assert_int_equal(json_array_size(others), 1);
    assert_string_equal(text_of(json_array_get(others, 0), "because"), "status=active");
    json_decref(answer);
}

/* The question to gamma, which documents nothing. */
static void assert_question(const char *condition, const char *expected) {
    char query[256];
    snprintf(query, sizeof query, "providers=gamma&%s", condition);
    json_t *answer = ask(query);
    const json_t *gamma = json_array_get(json_object_get(answer, "undecided"), 0);
    const json_t *open = json_object_get(json_object_get(gamma, "must"), "not_documented");
    assert_int_equal(json_array_size(open), 1);
    assert_string_equal(text_of(json_array_get(open, 0), "question"), expected);
    json_decref(answer);
}

static void test_questions(void **state) {
    (void)state;
    assert_question("must.gpu=true", "Does Gamma have GPUs?");
    assert_question("must.gpu=false", "Does Gamma come without GPUs?");
    assert_question("must.gpu__not=true", "Does Gamma come without GPUs?");
    assert_question("must.isolation=microvm,vm", "Does Gamma have microVM or VM (Isolation)?");
    assert_question("must.isolation__all=microvm,vm",
                    "Does Gamma have microVM and VM (Isolation)?");
    assert_question("must.isolation__not=vm", "Does Gamma come without VM (Isolation)?");
    assert_question("must.session__gte=24h", "Longest session for Gamma: is it at least 24 hours?");
    assert_question("must.level__not=low", "Level for Gamma: is it not low?");
    assert_question("must.gpus__lte=2", "GPU prices for Gamma: is the lowest at most $2?");
    json_t *answer = ask("must.gpu=true&must.isolation=microvm");
    const json_t *beta = json_array_get(json_object_get(answer, "undecided"), 0);
    const json_t *open = json_object_get(json_object_get(beta, "must"), "not_documented");
    assert_string_equal(text_of(json_array_get(open, 0), "question"),
                        "Does One of beta have GPUs?");
    json_decref(answer);
}

static void assert_canonical(const char *query, const char *expected) {
    struct requirements requirements;
    struct question_fault fault;
    struct target target;
    if (parse(query, &requirements, &fault, &target) != QUESTION_GOOD) {
        fail_msg("%s: %s", query, fault.detail);
    }
    struct buf canonical;
    buf_init(&canonical, 4096);
    requirements_add_canonical(&requirements, &canonical);
    assert_string_equal(canonical.data == NULL ? "" : canonical.data, expected);
    buf_free(&canonical);
    requirements_free(&requirements);
    target_free(&target);
}

static void test_canonical(void **state) {
    (void)state;
    assert_canonical("", "");
    assert_canonical("status=any&AVOID.gpu=TRUE&prefer.level=mid,low&must.session__gte=24h&"
                     "must.isolation=vm&use_case=any&utm_source=x&prefer.gpu=",
                     "must.isolation=vm&must.session__gte=86400&prefer.level=low,mid&"
                     "avoid.gpu=true&status=any&use_case=any");
}

static void assert_fault(const char *query, const char *parameter, const char *nearest) {
    struct requirements requirements;
    struct question_fault fault;
    struct target target;
    assert_int_equal(parse(query, &requirements, &fault, &target), QUESTION_FAULTY);
    assert_string_equal(fault.parameter, parameter);
    if (nearest == NULL) {
        assert_null(fault.nearest);
    } else {
        assert_non_null(fault.nearest);
        assert_string_equal(fault.nearest, nearest);
    }
    json_decref(fault.allowed);
    requirements_free(&requirements);
    target_free(&target);
}

static void test_faults(void **state) {
    (void)state;
    assert_fault("must.isolatoin=vm", "must.isolatoin", "must.isolation");
    assert_fault("avoid.isolation=vmm", "avoid.isolation", "vm");
    assert_fault("gpu__not=true", "gpu__not", "must.gpu__not");
    assert_fault("prefer.gpu__gte=1", "prefer.gpu__gte", "prefer.gpu");
    assert_fault("prefer.session__gte=2&prefer.session__lte=1", "prefer.session__gte", NULL);
    assert_fault("must.memo=x", "must.memo", NULL);
    assert_fault("sort=name", "sort", NULL);
    assert_fault("must.=x", "must.", NULL);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lists),     cmocka_unit_test(test_stage),
        cmocka_unit_test(test_points),    cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_questions), cmocka_unit_test(test_canonical),
        cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
