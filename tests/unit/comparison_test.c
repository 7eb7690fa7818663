/* Who matches, who is undecided, who is excluded and why: on a small catalogue that shows every
 * case, and the worked example on the built-in one. */
#include "../../src/catalogue/verdict.h"
#include "asking.h"

static struct catalogue *small;
static struct catalogue *whole;
static struct catalogue *many;

static int setup(void **state) {
    (void)state;
    small = open_catalogue(SOURCE_DIR "/tests/unit/small_catalogue.sql");
    whole = open_catalogue(NULL);
    many = open_catalogue(SOURCE_DIR "/tests/unit/many_catalogue.sql");
    return 0;
}

static int teardown(void **state) {
    (void)state;
    catalogue_close(small);
    catalogue_close(whole);
    catalogue_close(many);
    return 0;
}

static json_t *ask(struct catalogue *catalogue, const char *query) {
    struct error error = {0};
    struct question question;
    struct question_fault fault;
    struct target target;
    if (parse_query(catalogue, query, &question, &fault, &target) != QUESTION_GOOD) {
        fail_msg("%s: %s", query, fault.detail);
    }
    json_t *answer = comparison_answer(catalogue, &question, &error);
    if (answer == NULL) {
        fail_msg("%s: %s", query, error.message);
    }
    question_free(&question);
    target_free(&target);
    return answer;
}

static const char *text_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* A list in short: "alpha beta/one+three". */
static void add_list(struct buf *out, const json_t *list, bool with_offerings) {
    size_t i = 0;
    json_t *entry = NULL;
    json_array_foreach(list, i, entry) {
        buf_add_format(out, "%s%s", i == 0 ? "" : " ", text_of(entry, "slug"));
        size_t j = 0;
        json_t *offering = NULL;
        json_array_foreach(json_object_get(entry, "offerings"), j, offering) {
            const char *slug = text_of(offering, "slug");
            if (with_offerings && slug != NULL) {
                buf_add_format(out, "%s%s", j == 0 ? "/" : "+", slug);
            }
        }
    }
}

/* "matches | undecided | excluded". */
static void assert_answer(const char *query, const char *expected) {
    json_t *answer = ask(small, query);
    struct buf shown;
    buf_init(&shown, 4096);
    add_list(&shown, json_object_get(answer, "matches"), true);
    buf_add_text(&shown, " | ");
    add_list(&shown, json_object_get(answer, "undecided"), true);
    buf_add_text(&shown, " | ");
    add_list(&shown, json_object_get(answer, "excluded"), false);
    if (strcmp(shown.data, expected) != 0) {
        fail_msg("%s: %s, not %s", query, shown.data, expected);
    }
    buf_free(&shown);
    json_decref(answer);
}

static void test_three_values(void **state) {
    (void)state;
    assert_answer("", "alpha beta/one+three gamma |  | ");
    assert_answer("isolation=microvm&gpu=true", " | beta/one gamma | alpha");
    assert_answer("isolation=microvm&gpu=true&stage=any", "beta/two | gamma | alpha");
    assert_answer("gpu=false", "alpha | beta/one gamma | ");
    assert_answer("gpu=unknown", "beta/one gamma |  | alpha");
    assert_answer("gpu=false,unknown", "alpha beta/one gamma |  | ");
    assert_answer("gpu__not=true", "alpha | beta/one gamma | ");
    assert_answer("isolation__all=vm,microvm", "alpha | gamma | beta");
    assert_answer("isolation__not=microvm", "beta/three | gamma | alpha");
    assert_answer("level=low,mid", " | beta/one+three gamma | alpha");
    assert_answer("level__all=low,high", " | beta/one+three gamma | alpha");
}

static void test_not_applicable_matches_nothing(void **state) {
    (void)state;
    assert_answer("price__gte=0", "alpha beta/one | gamma | ");
    assert_answer("price__not=1", "beta/one | gamma | alpha");
    assert_answer("price=unknown", "gamma |  | alpha beta");
    assert_answer("price=1,2", "alpha beta/one | gamma | ");
}

static void test_numbers(void **state) {
    (void)state;
    assert_answer("session__gte=1h", "alpha beta/one+three | gamma | ");
    assert_answer("session__gte=unlimited", "alpha | gamma | beta");
    assert_answer("session__lte=unlimited", "alpha beta/one+three | gamma | ");
    assert_answer("session=60m", "beta/one+three | gamma | alpha");
    assert_answer("session=unlimited", "alpha | gamma | beta");
    assert_answer("session__lte=59m", " | gamma | alpha beta");
}

static void test_money_maps(void **state) {
    (void)state;
    assert_answer("gpus=H100", "alpha | beta/one+three gamma | ");
    assert_answer("gpus__lte=0.5&status=any", "alpha | beta/one+three gamma | delta");
    assert_answer("gpus__gte=1", " | beta/one+three gamma | alpha");
    assert_answer("gpus__not=H100&status=any", "delta | beta/one+three gamma | alpha");
}

static void test_texts(void **state) {
    (void)state;
    assert_answer("licence=MIT", "alpha | gamma | beta");
    assert_answer("licence__not=MIT", "beta/one+three | gamma | alpha");
    assert_answer("licence=unknown", "gamma |  | alpha beta");
    assert_answer("tags=a,+b", "alpha | gamma | beta");
    assert_answer("tags=b,a", "beta/one+three | gamma | alpha");
}

static void test_provider_filters(void **state) {
    (void)state;
    assert_answer("status=any", "alpha beta/one+three delta gamma |  | ");
    assert_answer("status=discontinued", "delta |  | ");
    assert_answer("stage=ga", "beta/one | alpha gamma | ");
    assert_answer("stage=deprecated", "beta/two | alpha gamma | ");
    assert_answer("stage=alpha", " | alpha beta/three gamma | ");
    assert_answer("stage=alpha&providers=beta&gpu=false", " |  | alpha beta gamma");
    assert_answer("kind=hosted", "alpha |  | beta gamma");
    assert_answer("providers=gamma,alpha", "alpha gamma |  | beta");
    assert_answer("q=womb", "beta/one+three |  | alpha gamma");
    assert_answer("q=runs+quokka", "alpha |  | beta gamma");
    assert_answer("q=quokkas+OR+wombats", " |  | alpha beta gamma");
}

static void assert_order(const char *query, const char *expected) {
    json_t *answer = ask(small, query);
    struct buf shown;
    buf_init(&shown, 4096);
    add_list(&shown, json_object_get(answer, "matches"), false);
    assert_string_equal(shown.data == NULL ? "" : shown.data, expected);
    buf_free(&shown);
    json_decref(answer);
}

static void test_orders(void **state) {
    (void)state;
    assert_order("status=any&sort=-name", "gamma delta beta alpha");
    assert_order("status=any&sort=session", "delta beta alpha gamma");
    assert_order("status=any&sort=-session", "alpha beta delta gamma");
    assert_order("status=any&sort=price", "alpha beta delta gamma");
    assert_order("status=any&sort=-price", "beta alpha delta gamma");
    assert_order("status=any&sort=-gpu", "beta alpha delta gamma");
    assert_order("status=any&sort=gpu", "alpha beta delta gamma");
    assert_order("status=any&sort=-isolation", "alpha beta delta gamma");
    assert_order("status=any&sort=licence", "beta alpha delta gamma");
    assert_order("status=any&sort=-licence", "alpha beta delta gamma");
    assert_order("status=any&sort=session&limit=2&offset=1", "beta alpha");
    assert_order("offset=3", "");
}

static void assert_facet(struct catalogue *catalogue, const char *query, const char *attribute,
                         const char *value, int expected) {
    json_t *answer = ask(catalogue, query);
    json_t *list = json_object_get(json_object_get(answer, "facets"), attribute);
    size_t i = 0;
    json_t *facet = NULL;
    int count = -1;
    json_array_foreach(list, i, facet) {
        if (strcmp(text_of(facet, "value"), value) == 0) {
            count = (int)json_integer_value(json_object_get(facet, "count"));
        }
    }
    json_decref(answer);
    assert_int_equal(count, expected);
}

static void test_facets(void **state) {
    (void)state;
    assert_facet(small, "", "isolation", "microvm", 2);
    assert_facet(small, "", "isolation", "container", 1);
    assert_facet(small, "gpu=true", "isolation", "microvm", 0);
    assert_facet(small, "gpu=true&stage=any", "isolation", "microvm", 1);
    assert_facet(small, "isolation=container", "isolation", "container", 1);
    assert_facet(small, "isolation=container", "isolation", "vm", 2);
    assert_facet(small, "gpu=unknown", "gpu", "false", 3);
    assert_facet(small, "isolation__all=vm", "isolation", "container", 0);
    assert_facet(small, "licence=MIT", "licence", "Apache-2.0, with parts", 2);
    assert_facet(small, "gpu=true", "licence", "MIT", 0);
    assert_facet(small, "", "gpus", "T4", 1);
    assert_facet(small, "", "session", "3600", -1);
    assert_facet(small, "", "memo", "x", -1);
}

static void test_reasons(void **state) {
    (void)state;
    json_t *answer = ask(small, "isolation=vm&gpu=true");
    json_t *because =
        json_object_get(json_array_get(json_object_get(answer, "excluded"), 1), "because");
    assert_int_equal(json_array_size(because), 3);
    const char *const expected[][3] = {{"one", "isolation", "isolation=vm"},
                                       {"two", "stage", "stage__not=deprecated"},
                                       {"three", "isolation", "isolation=vm"}};
    for (size_t i = 0; i < 3; i++) {
        json_t *reason = json_array_get(because, i);
        assert_string_equal(text_of(reason, "offering"), expected[i][0]);
        assert_string_equal(text_of(reason, "attribute"), expected[i][1]);
        assert_string_equal(text_of(reason, "condition"), expected[i][2]);
    }
    json_t *fact = json_object_get(json_array_get(because, 0), "fact");
    assert_string_equal(text_of(fact, "id"), "beta/one:isolation");
    assert_string_equal(text_of(json_object_get(fact, "source"), "id"), "src");
    json_decref(answer);
}

static void test_worked_example(void **state) {
    (void)state;
    static const struct {
        const char *query;
        const char *matches;
    } asked[] = {
        {"isolation=microvm&gpu=true",
         "docker-sandboxes/local-gpu koyeb/gpu northflank/own-cloud-microvm"},
        {"isolation=microvm&gpu=true&status=any",
         "docker-sandboxes/local-gpu koyeb/gpu northflank/own-cloud-microvm runloop/gpu-devbox"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(asked); i++) {
        json_t *answer = ask(whole, asked[i].query);
        struct buf shown;
        buf_init(&shown, 4096);
        add_list(&shown, json_object_get(answer, "matches"), true);
        assert_string_equal(shown.data, asked[i].matches);
        buf_free(&shown);
        buf_init(&shown, 4096);
        add_list(&shown, json_object_get(answer, "undecided"), true);
        assert_string_equal(shown.data, "aws-agentcore/browser beam/vm-backed-sandbox "
                                        "daytona/v2-linux gke-agent-sandbox/kata+gke-microvm");
        buf_free(&shown);
        json_decref(answer);
    }
}

/* The lists of a question are pages, of which counts know the whole. */
static void test_pages(void **state) {
    (void)state;
    static const struct {
        const char *query;
        const char *list;
        size_t shown;
        json_int_t of;
        const char *first;
        const char *last;
    } asked[] = {
        {"", "matches", 50, 150, "p-150", "p-101"},
        {"offset=140", "matches", 10, 150, "p-010", "p-001"},
        {"offset=150", "matches", 0, 150, NULL, NULL},
        {"limit=3&offset=149", "matches", 1, 150, "p-001", "p-001"},
        {"sort=-name&limit=2&offset=1", "matches", 2, 150, "p-002", "p-003"},
        {"sort=licence&limit=2", "matches", 2, 150, "p-150", "p-149"},
        {"sort=licence&limit=3&offset=19", "matches", 3, 150, "p-131", "p-002"},
        {"gpu=true", "excluded", 50, 100, "p-149", "p-076"},
        {"gpu=true&limit=1", "excluded", 50, 100, "p-149", "p-076"},
        {"gpu=true&limit=500&offset=7", "excluded", 100, 100, "p-149", "p-001"},
        {"gpu=true", "undecided", 50, 50, "p-150", "p-003"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(asked); i++) {
        json_t *answer = ask(many, asked[i].query);
        const json_t *list = json_object_get(answer, asked[i].list);
        size_t shown = json_array_size(list);
        assert_int_equal(shown, asked[i].shown);
        assert_int_equal(
            json_integer_value(json_object_get(json_object_get(answer, "counts"), asked[i].list)),
            asked[i].of);
        if (shown > 0) {
            assert_string_equal(text_of(json_array_get(list, 0), "slug"), asked[i].first);
            assert_string_equal(text_of(json_array_get(list, shown - 1), "slug"), asked[i].last);
        }
        json_decref(answer);
    }
}

/* Of more texts than a form can show, those asked for and the most frequent ones are counted. */
static void test_facets_are_cut(void **state) {
    (void)state;
    json_t *answer = ask(many, "");
    const json_t *facets = json_object_get(json_object_get(answer, "facets"), "licence");
    assert_int_equal(json_array_size(facets), 100);
    assert_int_equal(
        json_integer_value(json_object_get(json_object_get(answer, "facets_cut"), "licence")), 131);
    json_decref(answer);
    assert_facet(many, "", "licence", "Common", 20);
    assert_facet(many, "", "licence", "Own p-001", 1);
    assert_facet(many, "", "licence", "Own p-130", -1);
    assert_facet(many, "licence=Own+p-130", "licence", "Own p-130", 1);
    assert_facet(many, "licence=Own+p-130", "licence", "Common", 21);
    assert_facet(many, "licence=Own+p-130", "licence", "Own p-099", -1);
    answer = ask(small, "");
    assert_null(json_object_get(answer, "facets_cut"));
    json_decref(answer);
}

/* Counting by addition against counting one by one, on random providers of 1 to 100 slots. */
static void test_count_providers(void **state) {
    (void)state;
    enum { WORDS = 40, SLOTS = WORDS * 64 };
    uint32_t seed = 1;
    for (int round = 0; round < 500; round++) {
        uint64_t set[WORDS] = {0};
        uint64_t last[WORDS] = {0};
        size_t expected = 0;
        size_t slot = 0;
        while (slot < SLOTS - 100) {
            seed = seed * 1664525u + 1013904223u;
            size_t length = 1 + (seed >> 16) % (round % 2 == 0 ? 3 : 100);
            bool any = false;
            for (size_t i = 0; i < length; i++, slot++) {
                seed = seed * 1664525u + 1013904223u;
                if ((seed >> 16) % (length * 2) == 0) {
                    slot_set_add(set, slot);
                    any = true;
                }
            }
            slot_set_add(last, slot - 1);
            expected += any ? 1 : 0;
        }
        assert_int_equal(slot_set_providers(set, last, WORDS, NULL), expected);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_three_values),
        cmocka_unit_test(test_not_applicable_matches_nothing),
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_money_maps),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_provider_filters),
        cmocka_unit_test(test_orders),
        cmocka_unit_test(test_facets),
        cmocka_unit_test(test_reasons),
        cmocka_unit_test(test_worked_example),
        cmocka_unit_test(test_count_providers),
        cmocka_unit_test(test_pages),
        cmocka_unit_test(test_facets_are_cut),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
