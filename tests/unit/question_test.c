/* The filter grammar: what a query string becomes, what it is called, and what is refused. */
#include "asking.h"
#include "limit.h"
#include <math.h>

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

static void assert_canonical(const char *query, const char *expected) {
    struct question question;
    struct question_fault fault;
    struct target target;
    if (parse_query(small, query, &question, &fault, &target) != QUESTION_GOOD) {
        fail_msg("%s: %s", query, fault.detail);
    }
    struct buf canonical;
    buf_init(&canonical, 4096);
    question_add_canonical(&question, &canonical);
    assert_false(canonical.failed);
    assert_string_equal(canonical.data == NULL ? "" : canonical.data, expected);
    buf_free(&canonical);
    question_free(&question);
    target_free(&target);
    if (strcmp(query, expected) != 0) {
        assert_canonical(expected, expected);
    }
}

static void test_canonical(void **state) {
    (void)state;
    assert_canonical("", "");
    assert_canonical("gpu=TRUE&GPU=true", "gpu=true");
    assert_canonical("isolation=container,+MICROVM+,", "isolation=microvm,container");
    assert_canonical("isolation=unknown,vm&isolation=microvm", "isolation=microvm,vm,unknown");
    assert_canonical("isolation=unknown", "isolation=unknown");
    assert_canonical("isolation__not=vm&isolation__all=vm&isolation=vm",
                     "isolation=vm&isolation__all=vm&isolation__not=vm");
    assert_canonical("session__lte=unlimited&session__gte=24h",
                     "session__gte=86400&session__lte=unlimited");
    assert_canonical("session=90m,1.5h,5400s,UNLIMITED", "session=5400,unlimited");
    assert_canonical("price__lte=-0", "price__lte=0");
    assert_canonical("price=0.50,5e-1,3", "price=0.5,3");
    assert_canonical("q=Wombat%21wombat+a", "q=a%20wombat");
    assert_canonical("providers=delta,ALPHA&kind=hosted,local-tool&status=winding-down,active",
                     "providers=alpha,delta&kind=hosted,local-tool&status=active,winding-down");
    assert_canonical("providers=alpha,beta,gamma,delta", "");
    assert_canonical("stage=beta,GA", "stage=ga,beta");
    assert_canonical("stage=any,ga", "stage=any");
    assert_canonical("stage__not=deprecated&status=active&limit=50&offset=0&sort=name", "");
    assert_canonical("offset=1&limit=2&columns=memo,gpu&sort=-price&use_case=ANY",
                     "use_case=any&sort=-price&columns=gpu,memo&limit=2&offset=1");
    assert_canonical("sort=name&use_case=any", "use_case=any&sort=name");
    assert_canonical("columns=isolation,gpu,session", "");
    assert_canonical("utm_source=a&utm_x=b&ref=c&gclid=d&fbclid=e&format=csv", "");
    assert_canonical("gpu=&q=&price__lte=&sort=&limit=&isolation=,", "");
}

static void test_values_with_commas(void **state) {
    (void)state;
    assert_canonical("tags=a,+b", "tags=a%2C%20b");
    assert_canonical("tags=b,a", "tags=a&tags=b");
    assert_canonical("tags=a,+b&tags=a,unknown", "tags=a%2C%20b&tags=a&tags=unknown");
    assert_canonical("licence=apache-2.0,+WITH+parts", "licence=Apache-2.0%2C%20with%20parts");
}

static void test_parts(void **state) {
    (void)state;
    struct question question;
    struct question_fault fault;
    struct target target;
    assert_int_equal(parse_query(small, "session__gte=unlimited&gpus__lte=2&isolation=unknown,vm",
                                 &question, &fault, &target),
                     QUESTION_GOOD);
    assert_int_equal(question.condition_count, 3);
    assert_string_equal(question.conditions[0].attribute->key, "isolation");
    assert_int_equal(question.conditions[0].kind, CONDITION_ANY);
    assert_true(question.conditions[0].or_unknown);
    assert_true(isinf(question.conditions[1].bound));
    assert_string_equal(question.conditions[2].attribute->key, "gpus");
    assert_true(question.conditions[2].bound == 2);
    assert_int_equal(question.statuses, STATUS_BIT_ACTIVE);
    assert_int_equal(question.limit, LIMIT_PAGE_ROWS);
    question_free(&question);
    target_free(&target);
}

/* nearest and allowed: NULL where there is none. */
static void assert_fault(const char *query, const char *parameter, const char *nearest,
                         const char *allowed) {
    struct question question;
    struct question_fault fault;
    struct target target;
    enum question_result result = parse_query(small, query, &question, &fault, &target);
    if (result != QUESTION_FAULTY) {
        fail_msg("%s was taken", query);
    }
    assert_string_equal(fault.parameter, parameter);
    if (nearest == NULL) {
        assert_null(fault.nearest);
    } else if (fault.nearest == NULL) {
        fail_msg("%s has nothing near", query);
    } else {
        assert_string_equal(fault.nearest, nearest);
    }
    bool found = allowed == NULL;
    size_t i = 0;
    json_t *name = NULL;
    json_array_foreach(fault.allowed, i, name) {
        found = found || strcmp(json_string_value(name), allowed) == 0;
    }
    assert_true(found);
    assert_true(strlen(fault.detail) > 0);
    json_decref(fault.allowed);
    question_free(&question);
    target_free(&target);
}

static void test_faults(void **state) {
    (void)state;
    assert_fault("gpuu=true", "gpuu", "gpu", "columns");
    assert_fault("gpu=ture", "gpu", "true", "unknown");
    assert_fault("gpu__not=ture", "gpu__not", "true", "false");
    assert_fault("level=Middle", "level", "mid", "low");
    assert_fault("level__gte=low", "level__gte", "level", "level__not");
    assert_fault("session__gt=1", "session__gt", "session__gte", "session__lte");
    assert_fault("memo=x", "memo", NULL, "gpu");
    assert_fault("tags=cc,a", "tags", "c", "a, b");
    assert_fault("licence=MTI", "licence", "MIT", "unknown");
    assert_fault("session=1y", "session", NULL, "24h");
    assert_fault("price__gte=unlimited", "price__gte", NULL, "0.05");
    assert_fault("price__gte=1e999", "price__gte", NULL, "0.05");
    assert_fault("gpus__lte=cheap", "gpus__lte", NULL, "0.05");
    assert_fault("price__gte=2&price__lte=1", "price__gte", NULL, NULL);
    assert_fault("session__gte=unlimited&session__lte=1d", "session__gte", NULL, NULL);
    assert_fault("price__gte=2&PRICE__GTE=2", "price__gte", NULL, NULL);
    assert_fault("providers=alhpa", "providers", "alpha", "gamma");
    assert_fault("use_case=anyy", "use_case", "any", "any");
    assert_fault("sort=prize", "sort", "price", "name");
    assert_fault("columns=name", "columns", NULL, "memo");
    assert_fault("status=activ", "status", "active", "any");
    assert_fault("stage=gaa", "stage", "ga", "any");
    assert_fault("kind=host", "kind", NULL, "hosted");
    assert_fault("stage__not=ga", "stage__not", "stage", "stage");
    assert_fault("limit__gte=3", "limit__gte", "limit", "limit");
    assert_fault("limit=501", "limit", NULL, NULL);
    assert_fault("offset=1.5", "offset", NULL, NULL);
    assert_fault("q=a&q=b", "q", NULL, NULL);
    assert_fault("q=%22", "q", NULL, NULL);
    assert_fault("q=a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p+r", "q", NULL, NULL);
    assert_fault("=x", "", NULL, "gpu");
}

/* A detail that is cut is still a text. */
static void test_long_fault(void **state) {
    (void)state;
    char query[2000] = "gpu=x";
    for (size_t i = 0; i < 300; i++) {
        memcpy(query + 5 + i * 6, "%C3%A9", 7);
    }
    struct question question;
    struct question_fault fault;
    struct target target;
    assert_int_equal(parse_query(small, query, &question, &fault, &target), QUESTION_FAULTY);
    json_t *text = json_string(fault.detail);
    assert_non_null(text);
    assert_true(strlen(fault.detail) > 300);
    json_decref(text);
    json_decref(fault.allowed);
    question_free(&question);
    target_free(&target);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_canonical),  cmocka_unit_test(test_values_with_commas),
        cmocka_unit_test(test_parts),      cmocka_unit_test(test_faults),
        cmocka_unit_test(test_long_fault),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}
