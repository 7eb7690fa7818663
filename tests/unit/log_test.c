#include "log.h"

#include "cmocka_all.h"

#include <errno.h>
#include <jansson.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static int real_stderr = -1;
static FILE *captured;

static void capture_start(void) {
    captured = tmpfile();
    assert_non_null(captured);
    real_stderr = dup(STDERR_FILENO);
    assert_true(real_stderr >= 0);
    assert_true(dup2(fileno(captured), STDERR_FILENO) >= 0);
}

/* What was written to standard error since capture_start; the caller frees. */
static char *capture_end(void) {
    assert_true(dup2(real_stderr, STDERR_FILENO) >= 0);
    close(real_stderr);
    off_t size = lseek(fileno(captured), 0, SEEK_END);
    assert_true(size >= 0);
    char *text = calloc((size_t)size + 1, 1);
    assert_non_null(text);
    assert_int_equal(pread(fileno(captured), text, (size_t)size, 0), size);
    fclose(captured);
    return text;
}

/* Checks the time stamp and the end of line, and gives what stands between. */
static char *without_time(char *line) {
    static const char shape[] = "dddd-dd-ddTdd:dd:dd.dddZ ";
    assert_true(strlen(line) > sizeof shape);
    for (size_t i = 0; i < sizeof shape - 1; i++) {
        if (shape[i] == 'd') {
            assert_in_range(line[i], '0', '9');
        } else {
            assert_int_equal(line[i], shape[i]);
        }
    }
    size_t length = strlen(line);
    assert_int_equal(line[length - 1], '\n');
    line[length - 1] = '\0';
    assert_null(strchr(line, '\n'));
    return line + sizeof shape - 1;
}

static void writes_text(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_TEXT);
    capture_start();
    LOG(LOG_WARN, "reload", LOG_STR("path", "a.db"), LOG_INT("rows", -12), LOG_REAL("ms", 0.25),
        LOG_STR("none", NULL), LOG_STR("empty", ""), LOG_STR("word", "null"),
        LOG_REAL("nan", (double)NAN));
    char *text = capture_end();
    assert_string_equal(
        without_time(text),
        "warn reload path=a.db rows=-12 ms=0.25 none=null empty=\"\" word=\"null\" nan=null");
    free(text);
}

static void quotes_what_would_mislead(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_TEXT);
    capture_start();
    LOG(LOG_INFO, "e", LOG_STR("a", "x y"), LOG_STR("b", "x=y"), LOG_STR("c", "say \"hi\""),
        LOG_STR("d", "back\\slash"), LOG_STR("e", "caf\xC3\xA9"));
    char *text = capture_end();
    assert_string_equal(without_time(text), "info e a=\"x y\" b=\"x=y\" c=\"say \\\"hi\\\"\" "
                                            "d=\"back\\\\slash\" e=caf\xC3\xA9");
    free(text);
}

static void a_line_stays_a_line(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_TEXT);
    capture_start();
    LOG(LOG_INFO, "e", LOG_STR("a", "x\nerror forged=1\r\t"), LOG_STR("b", "\x1B[31m\x7F"),
        LOG_STR("c", "\xFF\xC3("), LOG_STR("d", "\xC2\x85\xE2\x80\xA8"),
        LOG_STR("e", "\xED\xA0\x80"), LOG_STR("f", "\xC3"));
    char *text = capture_end();
    assert_string_equal(without_time(text),
                        "info e a=\"x\\nerror forged=1\\r\\t\" b=\"\\x1b[31m\\x7f\" "
                        "c=\"\\xff\\xc3(\" d=\"\\xc2\\x85\\xe2\\x80\\xa8\" "
                        "e=\"\\xed\\xa0\\x80\" f=\"\\xc3\"");
    free(text);
}

static json_t *json_line(char *text) {
    size_t length = strlen(text);
    assert_true(length > 0 && text[length - 1] == '\n');
    assert_ptr_equal(strchr(text, '\n'), text + length - 1);
    json_error_t error;
    json_t *line = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    assert_non_null(line);
    return line;
}

static void writes_json(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_JSON);
    capture_start();
    LOG(LOG_ERROR, "start \"now\"", LOG_STR("s", "a\n\"\\\x01\xFF\xC3\xA9"),
        LOG_INT("i", INT64_MIN), LOG_REAL("r", 1e-7), LOG_REAL("inf", (double)INFINITY),
        LOG_STR("n", NULL));
    char *text = capture_end();
    json_t *line = json_line(text);
    assert_string_equal(json_string_value(json_object_get(line, "level")), "error");
    assert_string_equal(json_string_value(json_object_get(line, "event")), "start \"now\"");
    assert_string_equal(json_string_value(json_object_get(line, "s")), "a\n\"\\\\x01\\xff\xC3\xA9");
    assert_true(json_integer_value(json_object_get(line, "i")) == INT64_MIN);
    assert_true(json_real_value(json_object_get(line, "r")) == 1e-7);
    assert_true(json_is_null(json_object_get(line, "inf")));
    assert_true(json_is_null(json_object_get(line, "n")));
    assert_int_equal(strlen(json_string_value(json_object_get(line, "time"))), 24);
    json_decref(line);
    free(text);
}

/* Every byte, alone and in pairs: the line is one line of valid JSON. */
static void json_survives_any_bytes(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_JSON);
    for (int first = 1; first < 256; first++) {
        capture_start();
        for (int second = 1; second < 256; second++) {
            char value[] = {(char)first, (char)second, '\0'};
            LOG(LOG_INFO, "e", LOG_STR("v", value));
        }
        char *text = capture_end();
        int lines = 0;
        for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
            json_t *parsed = json_loadb(line, (size_t)(end - line), 0, NULL);
            assert_non_null(parsed);
            json_decref(parsed);
            lines++;
        }
        assert_int_equal(lines, 255);
        free(text);
    }
}

static void long_values_are_cut_visibly(void **state) {
    (void)state;
    enum { LONG_BYTES = 100000 };
    char *value = malloc(LONG_BYTES);
    assert_non_null(value);
    memset(value, 'x', LONG_BYTES - 1);
    value[LONG_BYTES - 1] = '\0';
    log_configure(LOG_INFO, LOG_JSON);
    capture_start();
    LOG(LOG_INFO, "e", LOG_STR("v", value), LOG_INT("after", 1));
    char *text = capture_end();
    json_t *line = json_line(text);
    const char *kept = json_string_value(json_object_get(line, "v"));
    assert_in_range(strlen(kept), 1000, 20000);
    assert_string_equal(kept + strlen(kept) - 4, "x...");
    assert_int_equal(json_integer_value(json_object_get(line, "after")), 1);
    json_decref(line);
    free(text);
    free(value);
}

static void level_decides(void **state) {
    (void)state;
    for (int level = 0; level < LOG__COUNT; level++) {
        log_configure((enum log_level)level, LOG_TEXT);
        capture_start();
        for (int line = 0; line < LOG__COUNT; line++) {
            assert_int_equal(log_enabled((enum log_level)line), line <= level);
            log_event((enum log_level)line, "e", NULL, 0);
        }
        char *text = capture_end();
        int lines = 0;
        for (const char *at = text; *at != '\0'; at++) {
            lines += *at == '\n';
        }
        assert_int_equal(lines, level + 1);
        free(text);
    }
}

static void keeps_errno(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_TEXT);
    capture_start();
    int closed = dup(STDERR_FILENO);
    close(STDERR_FILENO);
    errno = EDOM;
    log_event(LOG_ERROR, "nobody_hears", NULL, 0);
    int kept = errno;
    dup2(closed, STDERR_FILENO);
    close(closed);
    free(capture_end());
    assert_int_equal(kept, EDOM);
}

enum { THREADS = 4, LINES = 300 };

static void *write_lines(void *name) {
    for (int i = 0; i < LINES; i++) {
        LOG(LOG_INFO, "thread", LOG_STR("name", name), LOG_INT("line", i));
    }
    return NULL;
}

static void threads_do_not_mix_lines(void **state) {
    (void)state;
    log_configure(LOG_INFO, LOG_JSON);
    capture_start();
    pthread_t threads[THREADS];
    static char names[THREADS][2] = {"a", "b", "c", "d"};
    for (int i = 0; i < THREADS; i++) {
        assert_int_equal(pthread_create(&threads[i], NULL, write_lines, names[i]), 0);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
    char *text = capture_end();
    int lines = 0;
    for (char *line = text, *end; (end = strchr(line, '\n')) != NULL; line = end + 1) {
        json_t *parsed = json_loadb(line, (size_t)(end - line), 0, NULL);
        assert_non_null(parsed);
        json_decref(parsed);
        lines++;
    }
    assert_int_equal(lines, THREADS * LINES);
    free(text);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(writes_text),
        cmocka_unit_test(quotes_what_would_mislead),
        cmocka_unit_test(a_line_stays_a_line),
        cmocka_unit_test(writes_json),
        cmocka_unit_test(json_survives_any_bytes),
        cmocka_unit_test(long_values_are_cut_visibly),
        cmocka_unit_test(level_decides),
        cmocka_unit_test(keeps_errno),
        cmocka_unit_test(threads_do_not_mix_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
