/* Sets of templates that are read when they are first rendered. */
#include "template.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#define HTML "{{%AUTOESCAPE context=\"HTML\"}}\n"

static const struct template_file proved_files[] = {
    {"html/page.html", HTML "<p>{{>part}}{{a}}</p>", sizeof(HTML "<p>{{>part}}{{a}}</p>") - 1},
    {"html/part.html", HTML "<b>{{a}}</b>", sizeof(HTML "<b>{{a}}</b>") - 1},
    {"html/faulty.html", HTML "{{#a}}", sizeof(HTML "{{#a}}") - 1},
};

static json_t *model_of(const char *text) {
    json_t *model = json_loads(text, 0, NULL);
    assert_non_null(model);
    return model;
}

static struct template_set *load_proved(size_t count) {
    struct error error = {0};
    struct template_set *set = template_load_proved(proved_files, count, &error);
    if (set == NULL) {
        fail_msg("%s", error.message);
    }
    return set;
}

static void proved_sets_render_the_same(void **state) {
    (void)state;
    struct template_set *set = load_proved(2);
    struct error error = {0};
    json_t *model = model_of("{\"a\":\"<\"}");
    struct buf buf;
    buf_init(&buf, 64);
    assert_true(template_render(set, "html/page.html", model, &buf, &error));
    assert_true(template_render(set, "html/page.html", model, &buf, &error));
    assert_string_equal(buf.data, "<p><b>&lt;</b>&lt;</p><p><b>&lt;</b>&lt;</p>");
    assert_false(template_render(set, "html/none.html", model, &buf, &error));
    assert_int_equal(error.kind, ERROR_NOT_FOUND);
    buf_free(&buf);
    template_free(set);
    json_decref(model);
}

/* What the build should have refused is told each time it is asked for, and harms nothing else. */
static void proved_sets_name_a_fault_late(void **state) {
    (void)state;
    struct template_set *set = load_proved(3);
    json_t *model = model_of("{\"a\":\"x\"}");
    struct buf buf;
    buf_init(&buf, 64);
    for (int i = 0; i < 2; i++) {
        struct error error = {0};
        assert_false(template_render(set, "html/faulty.html", model, &buf, &error));
        assert_non_null(strstr(error.message, "html/faulty.html:2"));
        assert_int_equal(buf.length, 0);
    }
    struct error error = {0};
    assert_true(template_render(set, "html/page.html", model, &buf, &error));
    buf_free(&buf);
    template_free(set);
    json_decref(model);
}

static void *render_proved(void *set) {
    struct error error = {0};
    json_t *model = model_of("{\"a\":\"x\"}");
    struct buf buf;
    buf_init(&buf, 64);
    bool good = template_render(set, "html/page.html", model, &buf, &error) &&
                strcmp(buf.data, "<p><b>x</b>x</p>") == 0;
    buf_free(&buf);
    json_decref(model);
    return good ? set : NULL;
}

static void proved_sets_are_asked_by_threads_at_once(void **state) {
    (void)state;
    enum { THREADS = 4 };
    struct template_set *set = load_proved(2);
    pthread_t threads[THREADS];
    for (size_t i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, render_proved, set), 0);
    }
    for (size_t i = 0; i < THREADS; i++) {
        void *result = NULL;
        assert_int_equal(pthread_join(threads[i], &result), 0);
        assert_ptr_equal(result, set);
    }
    template_free(set);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(proved_sets_render_the_same),
        cmocka_unit_test(proved_sets_name_a_fault_late),
        cmocka_unit_test(proved_sets_are_asked_by_threads_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
