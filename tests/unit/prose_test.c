/* Prose: every body of the catalogue holds what it promises, and a mark that does not says so. */
#include "builtin.h"
#include "cmocka_all.h"
#include "facts.h"
#include "prose.h"
#include "site.h"
#include "text.h"
#include <stdlib.h>
#include <string.h>

static struct generation *generation;
static struct catalogue *catalogue;
static struct site site;
static struct call call;

static int set_up(void **state) {
    (void)state;
    struct error error = {0};
    const struct builtin_file *file = builtin_catalogue();
    struct image image = {.bytes = (unsigned char *)file->bytes, .length = file->length};
    generation = generation_create(&image, text_today(), &error);
    catalogue = generation == NULL ? NULL : catalogue_open(generation, &error);
    const struct site_options options = {.public_url = "https://example.org"};
    if (catalogue == NULL || !site_load(&options, &site, &error)) {
        print_error("%s\n", error.message);
        return -1;
    }
    call = (struct call){.catalogue = catalogue, .site = &site, .query = ""};
    return 0;
}

static int tear_down(void **state) {
    (void)state;
    site_free(&site);
    catalogue_close(catalogue);
    generation_release(generation);
    return 0;
}

/* Builds one prose on a page of its own; the view is given up again. */
static bool build(const char *name, const char *markdown, struct prose *out, struct error *error) {
    struct view view;
    struct reply reply = {0};
    view_start(&view, &call, "/", "Title", "Description");
    bool good = prose_build(&view, name, markdown, out, error);
    assert_true(view_finish(&view, &reply, NULL));
    reply_free(&reply);
    return good;
}

static json_t *bodies(enum statement list, enum statement one) {
    struct error error = {0};
    json_t *rows = catalogue_rows(catalogue, list, NULL, 0, &error);
    assert_non_null(rows);
    json_t *result = json_array();
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *slug = json_string_value(json_object_get(row, "slug"));
        json_t *whole = CATALOGUE_ROW(catalogue, one, &error, BIND_TEXT(slug));
        assert_non_null(whole);
        assert_int_equal(json_array_append_new(result, whole), 0);
    }
    json_decref(rows);
    return result;
}

static const char *text_of(const json_t *row, const char *key) {
    return json_string_value(json_object_get(row, key));
}

/* --- every body of the catalogue --- */

static void assert_all_build(json_t *rows) {
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        struct prose prose = {0};
        struct error error = {0};
        if (!build(text_of(row, "slug"), text_of(row, "body"), &prose, &error)) {
            fail_msg("%s", error.message);
        }
        assert_true(json_array_size(prose.blocks) > 0);
        prose_free(&prose);
    }
    json_decref(rows);
}

static void test_every_body(void **state) {
    (void)state;
    assert_all_build(bodies(STATEMENT_GUIDES, STATEMENT_GUIDE));
    assert_all_build(bodies(STATEMENT_TERMS, STATEMENT_TERM));
}

static json_t *facts_of(const char *slug) {
    struct error error = {0};
    json_t *rows = CATALOGUE_ROWS(catalogue, STATEMENT_FACTS_OF_PROVIDER, &error, BIND_TEXT(slug));
    json_t *list = rows == NULL ? NULL : facts_from_rows(generation, rows, &error);
    assert_non_null(list);
    json_t *facts = json_object();
    size_t i = 0;
    json_t *fact = NULL;
    json_array_foreach(list, i, fact) {
        assert_int_equal(json_object_set(facts, text_of(fact, "id"), fact), 0);
    }
    json_decref(list);
    return facts;
}

/* No prose was reviewed before a fact that it cites came to hold: then its words may be outdated.
 */
static void assert_not_older(json_t *rows) {
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        struct error error = {0};
        json_t *references = prose_references(text_of(row, "slug"), text_of(row, "body"), &error);
        assert_non_null(references);
        size_t j = 0;
        json_t *reference = NULL;
        json_array_foreach(json_object_get(references, "facts"), j, reference) {
            json_t *facts = facts_of(text_of(reference, "provider"));
            const json_t *fact =
                prose_fact(facts, text_of(reference, "provider"), text_of(reference, "offering"),
                           text_of(reference, "attribute"));
            assert_non_null(fact);
            if (strcmp(text_of(row, "reviewed_on"), text_of(fact, "valid_from")) < 0) {
                fail_msg("%s was reviewed on %s, but %s changed on %s", text_of(row, "slug"),
                         text_of(row, "reviewed_on"), text_of(fact, "id"),
                         text_of(fact, "valid_from"));
            }
            json_decref(facts);
        }
        json_decref(references);
    }
    json_decref(rows);
}

static void test_no_prose_is_older_than_its_facts(void **state) {
    (void)state;
    assert_not_older(bodies(STATEMENT_GUIDES, STATEMENT_GUIDE));
    assert_not_older(bodies(STATEMENT_TERMS, STATEMENT_TERM));
}

/* --- references --- */

static void test_references(void **state) {
    (void)state;
    struct error error = {0};
    json_t *references = prose_references(
        "test",
        "A [[e2b:gpu]] and [[daytona/container:isolation|words]].[^one][^two]\n\n"
        "- [link](/guides/x/)\n\n[[table gpu=true | T]]\n\n[[diagram egress-path | D]]\n\n"
        "`[[not:one]]`\n",
        &error);
    assert_non_null(references);
    json_t *expected =
        json_pack("{s:[{s:s,s:n,s:s},{s:s,s:s,s:s}], s:[s,s], s:[s], s:[s], s:[s]}", "facts",
                  "provider", "e2b", "offering", "attribute", "gpu", "provider", "daytona",
                  "offering", "container", "attribute", "isolation", "sources", "one", "two",
                  "tables", "gpu=true", "diagrams", "egress-path", "links", "/guides/x/");
    assert_non_null(expected);
    assert_true(json_equal(references, expected));
    json_decref(expected);
    json_decref(references);
}

/* --- marks that name nothing --- */

static void test_bad_marks(void **state) {
    (void)state;
    static const struct {
        const char *markdown;
        const char *words; /* must stand in the error */
    } cases[] = {
        {"A.[^no-such-source]", "[^no-such-source]"},
        {"A [[nobody:gpu]].", "nobody"},
        {"A [[e2b:no_such_attribute]].", "e2b:no_such_attribute"},
        {"A [[daytona/container:no_such_attribute]].", "daytona/container:no_such_attribute"},
        {"A [[e2b]].", "[e2b]"},
        {"A [[e2b:gpu|]].", "e2b:gpu"},
        {"A [[e2b:gpu.", "does not end"},
        {"A.[^x", "does not end"},
        {"[a [[e2b:gpu]]](/x/)", "link"},
        {"[[diagram no-such-diagram | Caption]]", "no-such-diagram"},
        {"[[diagram ../part_head | Caption]]", "no such kind"},
        {"[[diagram egress-path]]", "egress-path"},
        {"[[diagram egress-path | A]]\n\n[[diagram egress-path | B]]", "twice"},
        {"In a [[table gpu=true | T]] sentence.", "paragraph of its own"},
        {"[[table no_such_key=true | T]]", "no_such_key"},
        {"[[table isolation=no_such_value | T]]", "isolation"},
        {"[[picture x | T]]", "picture"},
        {"# Too high", "Too high"},
        {"| a | b |\n| --- |\n| c | d |", "one length"},
        {"| a | b |\n| c | d |\n| e | f |", "line of dashes"},
    };
    for (size_t i = 0; i < ARRAY_LENGTH(cases); i++) {
        struct prose prose = {0};
        struct error error = {0};
        if (build("guide test", cases[i].markdown, &prose, &error)) {
            fail_msg("%s: taken", cases[i].markdown);
        }
        assert_int_equal(error.kind, ERROR_CORRUPT);
        if (strstr(error.message, cases[i].words) == NULL ||
            strncmp(error.message, "guide test: ", 12) != 0) {
            fail_msg("%s: %s", cases[i].markdown, error.message);
        }
    }
}

/* --- what comes out --- */

static char *html_of(const char *markdown) {
    struct prose prose = {0};
    struct error error = {0};
    if (!build("test", markdown, &prose, &error)) {
        fail_msg("%s", error.message);
    }
    char *text = json_dumps(prose.blocks, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_non_null(text);
    prose_free(&prose);
    return text;
}

static void assert_html(const char *markdown, const char *wanted, const char *unwanted) {
    char *html = html_of(markdown);
    if ((wanted != NULL && strstr(html, wanted) == NULL) ||
        (unwanted != NULL && strstr(html, unwanted) != NULL)) {
        fail_msg("%s\n gives %s", markdown, html);
    }
    free(html);
}

static void test_hostile_text(void **state) {
    (void)state;
    assert_html("a <script>alert(1)</script> b", NULL, "<script");
    assert_html("<script>alert(1)</script>", NULL, "<script");
    assert_html("<img src=x onerror=alert(1)>", NULL, "<img");
    assert_html("[a](javascript:alert(1))", "a", "javascript:");
    assert_html("[a](data:text/html,x)", "a", "data:");
    assert_html("[a](vbscript:x)", "a", "vbscript:");
    assert_html("## <b>x</b>", NULL, "<b>");
    assert_html("| <b>x</b> | y |\n| --- | --- |\n| <i>z</i> | w |", "w", "<i>");
    assert_html("[[e2b:gpu|1 < 2]]", "1 &lt; 2", NULL);
    assert_html("`<script>`", "&lt;script&gt;", "<script");
}

static void test_blocks(void **state) {
    (void)state;
    assert_html("## It's a heading, twice", "\"its-a-heading-twice\"", NULL);
    assert_html("## 1. First", "\"first\"", NULL);
    assert_html("## 42", "\"part\"", NULL);
    assert_html("## Same\n\n## Same", "\"same-2\"", NULL);
    assert_html("## Sources", "\"sources-2\"", NULL); /* the page has one already */
    assert_html("[[daytona/container:isolation]]", "/sandboxes/daytona/#", NULL);
    assert_html("[[e2b:isolation|some words]]", ">some words<", NULL);
    assert_html("`[[e2b:isolation]]`", "[[e2b:isolation]]", "/sandboxes/");
    assert_html("| | b |\n| --- | --- |\n| [[e2b:gpu|x]] | `a` |", "<code>a</code>", "---");
}

static void test_words(void **state) {
    (void)state;
    struct prose prose = {0};
    struct error error = {0};
    assert_true(build("test", "One, **two** three.\n\n- four-and\n\n[[table gpu=true | T]]\n",
                      &prose, &error));
    assert_int_equal(prose.words, 4);
    prose_free(&prose);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_every_body),
        cmocka_unit_test(test_no_prose_is_older_than_its_facts),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_bad_marks),
        cmocka_unit_test(test_hostile_text),
        cmocka_unit_test(test_blocks),
        cmocka_unit_test(test_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
