#include "template.h"
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#define HTML "{{%AUTOESCAPE context=\"HTML\"}}\n"
#define XML "{{%AUTOESCAPE context=\"XML\"}}\n"

static struct template_set *load(const char *name, const char *text, const char *part_name,
                                 const char *part, struct error *error) {
    const struct template_file files[] = {
        {name, text, strlen(text)},
        {part_name, part, part == NULL ? 0 : strlen(part)},
    };
    return template_load(files, part == NULL ? 1 : 2, error);
}

static json_t *parse(const char *model) {
    json_error_t problem;
    json_t *value = json_loads(model, 0, &problem);
    if (value == NULL) {
        fail_msg("model: %s", problem.text);
    }
    return value;
}

/* Loads, renders with a model, compares. */
static void expect_with_part(const char *name, const char *text, const char *part_name,
                             const char *part, const char *model, const char *expected) {
    struct error error = {0};
    struct template_set *set = load(name, text, part_name, part, &error);
    if (set == NULL) {
        fail_msg("%s", error.message);
    }
    json_t *value = parse(model);
    struct buf buf;
    buf_init(&buf, 1 << 20);
    if (!template_render(set, name, value, &buf, &error)) {
        fail_msg("%s", error.message);
    }
    assert_string_equal(buf.data == NULL ? "" : buf.data, expected);
    buf_free(&buf);
    json_decref(value);
    template_free(set);
}

static void expect_html(const char *text, const char *model, const char *expected) {
    char file[2048];
    snprintf(file, sizeof file, "%s%s", HTML, text);
    expect_with_part("html/page.html", file, NULL, NULL, model, expected);
}

static void expect_md(const char *text, const char *model, const char *expected) {
    expect_with_part("md/page.md", text, NULL, NULL, model, expected);
}

/* Loads, and expects the message of a failure to hold each of the words. */
static void expect_refused(const char *name, const char *text, const char *word,
                           const char *other) {
    struct error error = {0};
    struct template_set *set = load(name, text, NULL, NULL, &error);
    if (set != NULL) {
        fail_msg("loaded: %s", text);
    }
    if (strstr(error.message, word) == NULL || strstr(error.message, other) == NULL ||
        strncmp(error.message, name, strlen(name)) != 0) {
        fail_msg("'%s' lacks '%s' or '%s'", error.message, word, other);
    }
    assert_int_equal(error.kind, ERROR_INVALID);
}

static void refuse_html(const char *text, const char *word) {
    char file[2048];
    snprintf(file, sizeof file, "%s%s", HTML, text);
    expect_refused("html/page.html", file, word, "");
}

static void refuse_md(const char *text, const char *word) {
    expect_refused("md/page.md", text, word, "");
}

/* Renders, expects a failure that names all words, and an untouched buffer. */
static void expect_fails(const char *text, const char *model, const char *word, const char *other) {
    char file[2048];
    struct error error = {0};
    snprintf(file, sizeof file, "%s%s", HTML, text);
    struct template_set *set = load("html/page.html", file, NULL, NULL, &error);
    if (set == NULL) {
        fail_msg("%s", error.message);
    }
    json_t *value = parse(model);
    struct buf buf;
    buf_init(&buf, 1 << 20);
    buf_add_text(&buf, "before");
    assert_false(template_render(set, "html/page.html", value, &buf, &error));
    assert_string_equal(buf.data, "before");
    if (strstr(error.message, word) == NULL || strstr(error.message, other) == NULL ||
        strstr(error.message, "html/page.html") == NULL) {
        fail_msg("'%s' lacks '%s' or '%s'", error.message, word, other);
    }
    buf_free(&buf);
    json_decref(value);
    template_free(set);
}

static void scalars(void **state) {
    (void)state;
    expect_html("{{a}} {{b}} {{c}} {{d}} {{e}} [{{f}}]",
                "{\"a\":\"x\",\"b\":12,\"c\":0.0504,\"d\":true,\"e\":false,\"f\":null}",
                "x 12 0.0504 true false []");
    expect_html("{{a}} {{b}}", "{\"a\":-9007199254740993,\"b\":1e-5}", "-9007199254740993 0.00001");
}

static void sections_by_type(void **state) {
    (void)state;
    const char *text = "{{#x}}yes{{/x}}{{#no_x}}no{{/no_x}}";
    static const char *const shown[] = {"true", "0", "0.0", "\"a\"", "{\"k\":1}", "[1]", "[null]"};
    static const char *const hidden[] = {"false", "null", "\"\"", "[]", "{}"};
    char model[64];
    for (size_t i = 0; i < ARRAY_LENGTH(shown); i++) {
        snprintf(model, sizeof model, "{\"x\":%s}", shown[i]);
        expect_html(text, model, "yes");
    }
    for (size_t i = 0; i < ARRAY_LENGTH(hidden); i++) {
        snprintf(model, sizeof model, "{\"x\":%s}", hidden[i]);
        expect_html(text, model, "no");
    }
}

static void scalar_sections_stay_in_the_object(void **state) {
    (void)state;
    expect_html("{{#rows}}{{#a}}{{#b}}[{{a}} {{b}} "
                "{{name}}]{{/b}}{{/a}}{{#no_a}}({{name}}){{/no_a}}{{/rows}}",
                "{\"name\":\"page\",\"a\":\"A\",\"b\":\"B\",\"rows\":["
                "{\"a\":1,\"b\":2,\"name\":\"one\"},{\"a\":1,\"b\":null,\"name\":\"two\"},{\"a\":"
                "null,\"name\":\"three\"}]}",
                "[1 2 one](three)");
}

static void objects_arrays_items_separators(void **state) {
    (void)state;
    expect_html(
        "{{#o}}{{p}}{{/o}}: {{#tags}}{{item}}{{#tags_separator}}, {{/tags_separator}}{{/tags}}",
        "{\"o\":{\"p\":\"in\"},\"tags\":[\"a<\",1,0.5,true]}", "in: a&lt;, 1, 0.5, true");
    expect_html("{{#r}}{{n}}{{#r_separator}}-{{n}}-{{/r_separator}}{{/r}}",
                "{\"r\":[{\"n\":1},{\"n\":2},{\"n\":3}]}", "1-1-2-2-3");
    expect_html("{{#t}}{{#item}}{{item}}{{/item}}{{#no_item}}?{{/no_item}}{{#site_s}}{{item}};{{/"
                "site_s}}{{/t}}",
                "{\"site_s\":true,\"t\":[\"a\",\"\",2]}", "aa;?;22;");
    expect_html("{{#a}}{{#a}}{{#a}}{{v}}{{/a}}{{/a}}{{/a}}", "{\"a\":{\"a\":{\"a\":{\"v\":7}}}}",
                "7");
    expect_html("{{#a}}{{x}}{{/a}}{{#a}}{{y}}{{/a}}",
                "{\"a\":[{\"x\":1,\"y\":2},{\"x\":3,\"y\":4}]}", "1324");
}

static void site_values_at_any_depth(void **state) {
    (void)state;
    expect_html("{{site_n}}{{#r}}{{#q}}{{site_n}}{{#site_on}}!{{/site_on}}{{#no_site_off}}?{{/"
                "no_site_off}}{{/q}}{{/r}}",
                "{\"site_n\":\"S\",\"site_on\":true,\"site_off\":false,\"r\":[{\"q\":[{\"site_n\":"
                "\"wrong\"}]}]}",
                "SS!?");
}

/* The trap of the library: an item without a value, or without a section, shows the one around it.
 */
static void nothing_is_inherited(void **state) {
    (void)state;
    const char *model =
        "{\"gpu\":\"H100\",\"tags\":[\"neighbour\"],\"detail\":{\"t\":\"neighbour\"},"
        "\"rows\":[{\"gpu\":\"A10\",\"tags\":[\"x\"],\"detail\":{\"t\":\"d\"}},"
        "{\"gpu\":null,\"tags\":[],\"detail\":null}]}";
    expect_html("{{gpu}}|{{#tags}}{{item}}{{/tags}}|{{#detail}}{{t}}{{/detail}};{{#rows}}"
                "{{gpu}}{{#no_gpu}}not documented{{/no_gpu}}|{{#tags}}{{item}}{{/tags}}|"
                "{{#detail}}{{t}}{{/detail}};{{/rows}}",
                model, "H100|neighbour|neighbour;A10|x|d;not documented||;");
    expect_md("{{gpu:x-md}}\n{{#rows}}\n[{{gpu:x-md}}{{#tags}}{{item:x-md}}{{/tags}}]\n{{/rows}}\n",
              model, "H100\n[A10x]\n[]\n");
}

static void missing_names_fail(void **state) {
    (void)state;
    expect_fails("{{title}}", "{}", "'title'", "top level");
    expect_fails("{{#rows}}{{gpu}}{{/rows}}", "{\"gpu\":1,\"rows\":[{\"gpu\":1},{}]}", "'gpu'",
                 "section rows");
    expect_fails("{{#a}}{{#b}}{{c}}{{/b}}{{/a}}", "{\"c\":1,\"a\":{\"c\":1,\"b\":[{}, {\"d\":1}]}}",
                 "'c'", "section a/b");
    expect_fails("\n{{#rows}}x{{/rows}}", "{}", "'rows'", "html/page.html:3");
    expect_fails("{{#no_rows}}x{{/no_rows}}", "{}", "'rows'", "top level");
    expect_fails("{{#r}}{{site_n}}{{/r}}", "{\"r\":[{\"site_n\":1}]}", "'site_n'", "section r");
    expect_fails("{{#r}}{{name}}{{/r}}", "{\"name\":1,\"r\":[1]}", "'name'", "section r");
    expect_fails("{{a}}", "{\"a\":{\"b\":1}}", "'a'", "not a scalar");
    expect_fails("{{a}}", "{\"a\":[]}", "'a'", "not a scalar");
    expect_fails("{{#a}}x{{/a}}", "{\"a\":[[1]]}", "'a'", "arrays");
    expect_fails("{{a}}", "[1]", "not an object", "");
}

static void hidden_sections_ask_for_nothing(void **state) {
    (void)state;
    expect_html("{{#a}}{{b}}{{/a}}{{#no_a}}-{{/no_a}}", "{\"a\":null}", "-");
}

static void html_escapes_text_and_attributes(void **state) {
    (void)state;
    const char *model = "{\"v\":\"\\\"><script>x</script>'&\\n\\ty\"}";
    expect_html("<p>{{v}}</p>", model,
                "<p>&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;  y</p>");
    expect_html("<p title=\"{{v}}\" lang='{{v}}'>", model,
                "<p title=\"&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;  y\" "
                "lang='&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;  y'>");
    expect_html("<title>{{v}}</title>", model,
                "<title>&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;  y</title>");
    expect_html("<pre>{{v}}</pre>{{v}}<textarea>{{v}}</textarea>", model,
                "<pre>&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;\n\ty</pre>"
                "&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;  y"
                "<textarea>&quot;&gt;&lt;script&gt;x&lt;/script&gt;&#39;&amp;\n\ty</textarea>");
}

static void html_checks_addresses(void **state) {
    (void)state;
    static const char *const bad[] = {"javascript:alert(1)", " javascript:alert(1)", "JaVaScRiPt:x",
                                      "java\\tscript:x",     "data:text/html,x",     "vbscript:x"};
    char model[128];
    for (size_t i = 0; i < ARRAY_LENGTH(bad); i++) {
        snprintf(model, sizeof model, "{\"u\":\"%s\"}", bad[i]);
        expect_html("<a href=\"{{u}}\"><form action=\"{{u}}\"><q cite=\"{{u}}\">", model,
                    "<a href=\"#\"><form action=\"#\"><q cite=\"#\">");
        expect_html("<a href=\"{{#u}}{{u}}{{/u}}\">", model, "<a href=\"#\">");
        expect_html("<svg><use href=\"{{u}}\"/></svg>", model, "<svg><use href=\"#\"/></svg>");
    }
    expect_html("<a href=\"{{u}}\">", "{\"u\":\"https://e.org/a?b=1&c=\\\"\"}",
                "<a href=\"https://e.org/a?b=1&amp;c=&quot;\">");
    expect_html("<a href=\"{{u}}\"><img src=\"{{u}}\" alt=\"\">", "{\"u\":\"/x/?y=1#z\"}",
                "<a href=\"/x/?y=1#z\"><img src=\"/x/?y=1#z\" alt=\"\">");
    expect_html("<a href=\"#{{u}}\"><a href=\"/s/{{u}}/\"><a href=\"mailto:{{u}}\">",
                "{\"u\":\"a\"}", "<a href=\"#a\"><a href=\"/s/a/\"><a href=\"mailto:a\">");
}

static void html_raw_paths(void **state) {
    (void)state;
    expect_html("<div>{{b_html:x-html}}</div>", "{\"b_html\":\"<b>\\n&amp;</b>\"}",
                "<div><b>\n&amp;</b></div>");
    expect_html("<script type=\"application/ld+json\">{{ld_json:x-json}}</script>",
                "{\"ld_json\":\"{\\\"a\\\": \\\"it's \\\\u003C/script>\\\"}\"}",
                "<script type=\"application/ld+json\">{\"a\": \"it's \\u003C/script>\"}</script>");
    expect_fails("<script type=\"application/ld+json\">{{ld_json:x-json}}</script>",
                 "{\"ld_json\":\"{\\\"a\\\":\\\"</script>\\\"}\"}", "'ld_json'", "raw <");
    expect_fails("{{#r}}<script type='application/ld+json'>\n{{ld_json:x-json}}\n</script>{{/r}}",
                 "{\"r\":[{\"ld_json\":\"<!--\"}]}", "'ld_json'", "section r");
}

static void xml_escapes(void **state) {
    (void)state;
    expect_with_part("xml/map.xml", XML "<?xml version=\"1.0\"?>\n<u a=\"{{v}}\">{{v}}</u>\n", NULL,
                     NULL, "{\"v\":\"<&>\\\"'\"}",
                     "<?xml version=\"1.0\"?>\n<u "
                     "a=\"&lt;&amp;&gt;&quot;&#39;\">&lt;&amp;&gt;&quot;&#39;</u>\n");
    expect_refused("xml/map.xml", HTML "<u/>", "line 1", "XML");
    expect_refused("xml/map.xml", XML "<{{u}}/>", "name", "u");
    expect_refused("xml/map.xml", XML "<a>{{u_html:x-html}}</a>", "u_html", "");
}

static void md_escapes_text(void **state) {
    (void)state;
    static const char *const pairs[][2] = {
        {"plain text, 1.5 (R&D)", "plain text, 1.5 (R&D)"},
        {"snake_case _em_ *b*", "snake_case \\_em\\_ \\*b\\*"},
        {"[x](javascript:alert(1))", "\\[x\\](javascript:alert(1))"},
        {"![x](y)", "!\\[x\\](y)"},
        {"<img onerror=x>", "&lt;img onerror=x&gt;"},
        {"&lt;b&#106; a&b", "&amp;lt;b&amp;#106; a&b"},
        {"a|b`c`~d~\\\\", "a\\|b\\`c\\`\\~d\\~\\\\"},
        {"one\\n\\n# two\\r\\n- x", "one  # two  - x"},
        {"# head", "\\# head"},
        {"\\n# head", " \\# head"},
        {"    code", " code"},
        {"- item", "\\- item"},
        {"-5", "-5"},
        {"---", "\\---"},
        {"+ item", "\\+ item"},
        {"1. item", "1\\. item"},
        {"12) item", "12\\) item"},
        {"1.", "1\\."},
        {"2026.5", "2026.5"},
        {"===", "\\==="},
        {"> quote", "&gt; quote"},
    };
    char model[256];
    for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
        snprintf(model, sizeof model, "{\"v\":\"%s\"}", pairs[i][0]);
        expect_md("{{v:x-md}}", model, pairs[i][1]);
    }
}

static void md_escapes_cells_code_and_links(void **state) {
    (void)state;
    expect_md("| {{v:x-cell}} |\n", "{\"v\":\"a|b\\nc`d [x](javascript:1) # \"}",
              "| a\\|b c\\`d \\[x\\](javascript:1) #  |\n");
    expect_md("| {{v:x-cell}} |\n", "{\"v\":\"- 1. \\\\\"}", "| - 1. \\\\ |\n");
    expect_md("use `{{v:x-code}}` now", "{\"v\":\"a`b|c\\n*d*\"}", "use `a'b|c *d*` now");
    expect_md("| `{{v:x-code}}` |", "{\"v\":\"a`b|c\\\\|d\"}", "| `a'b\\|c\\\\\\|d` |");
    expect_md("{{v:x-raw}}", "{\"v\":\"# *x*\\n|\"}", "# *x*\n|");
    static const char *const pairs[][2] = {
        {"https://e.org/a_b?c=1&d=2", "https://e.org/a_b?c=1&d=2"},
        {"https://e.org/a) [x](y", "https://e.org/a%29%20%5Bx%5D%28y"},
        {"/a/b#c", "/a/b#c"},
        {"javascript:alert(1)", "#"},
        {"\\njavascript:x", "#"},
        {"&#106;avascript:x", "#"},
        {"java&Tab;script:x", "#"},
        {"data:text/html,x", "#"},
        {"mailto:a@b.c", "mailto:a@b.c"},
        {"a?b=&lt;", "a?b=&amp;lt;"},
    };
    char model[256];
    char expected[256];
    for (size_t i = 0; i < ARRAY_LENGTH(pairs); i++) {
        snprintf(model, sizeof model, "{\"v\":\"%s\"}", pairs[i][0]);
        snprintf(expected, sizeof expected, "[n](%s)", pairs[i][1]);
        expect_md("[n]({{v:x-url}})", model, expected);
    }
}

static void md_keeps_blank_lines_and_drops_marker_lines(void **state) {
    (void)state;
    expect_md("# T\n\n| a |\n| - |\n{{#r}}\n| {{a:x-cell}} |\n{{/r}}\n\n{{! note\nmore }}\nend\n",
              "{\"r\":[{\"a\":1},{\"a\":2}]}", "# T\n\n| a |\n| - |\n| 1 |\n| 2 |\n\nend\n");
}

static void parts(void **state) {
    (void)state;
    expect_with_part("html/page.html", HTML "<p>{{>part_x}}</p>\n{{#r}}\n  {{>part_x}}\n{{/r}}\n",
                     "html/part_x.html", HTML "<b>{{n}}</b>\n", "{\"n\":\"<1>\",\"r\":[{\"n\":2}]}",
                     "<p><b>&lt;1&gt;</b></p>\n<b>2</b>\n");
    expect_with_part("md/page.md", "a {{>x}} c\n", "md/x.md", "{{n:x-md}}\n", "{\"n\":\"*\"}",
                     "a \\* c\n");
    /* A part sees the object in which it stands, and only that. */
    struct error error = {0};
    struct template_set *set =
        load("html/page.html", HTML "{{#r}}{{>x}}{{/r}}", "html/x.html", HTML "{{n}}", &error);
    assert_non_null(set);
    json_t *model = parse("{\"n\":1,\"r\":[{}, {\"m\":1}]}");
    struct buf buf;
    buf_init(&buf, 100);
    assert_false(template_render(set, "html/page.html", model, &buf, &error));
    assert_non_null(strstr(error.message, "html/x.html:2"));
    assert_false(template_render(set, "html/x.html", model, &buf, &error));
    assert_int_equal(error.kind, ERROR_NOT_FOUND);
    buf_free(&buf);
    json_decref(model);
    template_free(set);
}

static void refuse_part(const char *text, const char *part, const char *word) {
    struct error error = {0};
    struct template_set *set = load("html/page.html", text, "html/x.html", part, &error);
    if (set != NULL) {
        fail_msg("loaded: %s with %s", text, part);
    }
    if (strstr(error.message, word) == NULL) {
        fail_msg("'%s' lacks '%s'", error.message, word);
    }
}

static void faulty_parts(void **state) {
    (void)state;
    refuse_html("{{>nowhere}}", "html/nowhere.html");
    refuse_part(HTML "{{>x}}", HTML "{{>x}}", "contains itself");
    refuse_part(HTML "{{>x}}", HTML "{{>page}}", "contains itself");
    refuse_part(HTML "{{>x}}", "<b>{{n}}</b>", "html/x.html:1");
    refuse_part(HTML "{{>x}}", HTML "{{#a}}", "html/x.html:2");
    refuse_part(HTML "<script>{{>x}}</script>", HTML "{{n}}", "html/x.html:2");
    refuse_part(HTML "not used", HTML "<i {{n}}>", "html/x.html:2");
}

static void pragma_must_come_first(void **state) {
    (void)state;
    expect_refused("html/page.html", "<p>{{a}}</p>", "line 1", "AUTOESCAPE");
    expect_refused("html/page.html", "\n" HTML "<p>", "line 1", "AUTOESCAPE");
    expect_refused("html/page.html", "{% AUTOESCAPE context=\"HTML\" %}\n<p>", "line 1",
                   "AUTOESCAPE");
    expect_refused("html/page.html", "{{%AUTOESCAPE context=\"JSON\"}}\n<p>", "line 1",
                   "AUTOESCAPE");
    expect_refused("html/page.html", "{{%AUTOESCAPE context=\"HTML\"}}<p>", "line 1", "AUTOESCAPE");
    expect_refused("html/page.html", "", "line 1", "AUTOESCAPE");
    refuse_html("<p>\n{{%AUTOESCAPE context=\"HTML\"}}", "line 1 only");
    refuse_html("{% if x %}", "stray '{%'");
    refuse_html("a %} b", "stray '%}'");
    refuse_md("{% raw %}", "stray '{%'");
    refuse_html("a }} b", "stray '}}'");
}

static void faulty_markers(void **state) {
    (void)state;
    refuse_html("{{a b}}", "not a marker");
    refuse_html("{{}}", "not a marker");
    refuse_html("{{{a}}}", "not a marker");
    refuse_html("{{&a}}", "not a marker");
    refuse_html("{{=<% %>=}}", "not a marker");
    refuse_html("{{a", "without end");
    refuse_html("{{a\n}}", "without end");
    refuse_html("{{! a", "without end");
    refuse_html("{{#a}}", "has no end");
    refuse_html("{{/a}}", "not the open one");
    refuse_html("{{#a}}{{#b}}{{/a}}{{/b}}", "not the open one");
    refuse_html("{{#a_separator}}, {{/a_separator}}", "outside section");
    refuse_html("{{#a}}{{#b}}{{#a_separator}}{{/a_separator}}{{/b}}{{/a}}", "outside section");
    expect_refused("html/page.html", HTML "\n\n{{a b}}", "html/page.html:4", "");
    expect_refused("html/page.txt", HTML, ".html", "");
    expect_refused("html/page.html", HTML "\xff", "UTF-8", "");
    struct error error = {0};
    assert_null(load("md/a.md", "x", "md/a.md", "y", &error));
    assert_non_null(strstr(error.message, "twice"));
}

static void modifiers_in_html(void **state) {
    (void)state;
    refuse_html("{{a:none}}", "'a'");
    refuse_html("{{a:x-html}}", "'a'");
    refuse_html("{{a_html:x-htm}}", "'a_html'");
    refuse_html("{{a_html}}", "'a_html'");
    refuse_html("{{a_html:x-html:h}}", "'a_html'");
    refuse_html("{{a:}}", "empty modifier");
    refuse_html("{{a:x-md}}", "'a'");
    refuse_html("{{a_json:x-json}}", "outside");
    refuse_html("<p title=\"{{a_html:x-html}}\">", "attribute");
    refuse_html("<textarea>{{a_html:x-html}}</textarea>", "textarea");
    refuse_html("<script type=\"application/ld+json\">{{a_html:x-html}}</script>", "JSON-LD");
    refuse_html("<script type=\"application/ld+json\">{{a_json}}</script>", "JSON-LD");
    refuse_html("<script type=\"module\">{{a_json:x-json}}</script>", "script");
}

static void modifiers_in_md(void **state) {
    (void)state;
    refuse_md("{{a}}", "needs one of");
    refuse_md("{{a:x-html}}", "needs one of");
    refuse_md("{{a:none}}", "needs one of");
    refuse_md("{{a:x-code-cell}}", "needs one of");
    refuse_md("`{{a:x-md}}`", "x-code");
    refuse_md("```\n{{a:x-md}}\n```", "x-code");
    refuse_md("{{a:x-code}}", "backticks");
    refuse_md("```\nx\n```\n{{a:x-code}}", "backticks");
    refuse_md("[a]({{a:x-md}})", "x-url");
    refuse_md("[a]({{a:x-raw}})", "x-url");
    refuse_md("[a](/x/{{a:x-cell}}/)", "x-url");
}

static void places_in_html(void **state) {
    (void)state;
    static const char *const closed[] = {
        "<script>{{a}}</script>",
        "<SCRIPT>var a = \"{{a}}\";</SCRIPT>",
        "<script>if (1 </script x) {{a}}</script>",
        "<style>{{a}}</style>",
        "<svg><style>{{a}}</style></svg>",
        "<iframe>{{a}}</iframe>",
        "<script src=\"{{a}}\"></script>",
        "<iframe src=\"{{a}}\"></iframe>",
        "<base href=\"{{a}}\">",
        "<object data=\"{{a}}\"></object>",
        "<embed src=\"{{a}}\">",
        "<animate to=\"{{a}}\"/>",
        "<p onclick=\"{{a}}\">",
        "<p ONCLICK='{{a}}'>",
        "<p style=\"width:{{a}}%\">",
        "<img srcset=\"{{a}}\">",
        "<button formaction=\"{{a}}\">",
        "<a xlink:href=\"{{a}}\">",
        "<a ping=\"{{a}}\">",
        "<div srcdoc=\"{{a}}\">",
        "<video poster=\"{{a}}\">",
        "<link imagesrcset=\"{{a}}\">",
        "<p title={{a}}>",
        "<p title=x{{a}}>",
        "<p {{a}}>",
        "<p {{a}}=\"x\">",
        "<p data-{{a}}=\"x\">",
        "<{{a}}>",
        "<p{{a}}>",
        "</{{a}}>",
        "<!-- {{a}} -->",
        "<!doctype {{a}}>",
        "<meta http-equiv=\"refresh\" content=\"0;url={{a}}\">",
        "<meta content=\"0;url={{a}}\" http-equiv=\"refresh\">",
        "<meta http-equiv=\"{{a}}\">",
        "<a href=\"java{{a}}\">",
        "<a href=\"{{a}}{{b}}\">",
        "<a href=\"{{#a}}/x{{/a}}{{b}}\">",
        "<a href=\"{{#a}}{{a}}{{/a}}{{#no_a}}{{b}}{{/no_a}}\">",
        "<a HREF=' {{a}}'>",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(closed); i++) {
        refuse_html(closed[i], "html/page.html:2");
    }
}

static void open_places_in_html(void **state) {
    (void)state;
    static const char *const open[] = {
        "<p class=\"x-{{a}}\" data-a='{{a}}' {{#a}}hidden{{/a}}>{{a}}</p>",
        "<script src=\"/x.js\"></script>{{a}}",
        "<style>a{b:c}</style ><p>{{a}}</p>",
        "<!-- <script> --><p>{{a}}</p>",
        "<input value=\"{{a}}\"{{#a}} checked{{/a}}>",
        "<meta name=\"description\" content=\"{{a}}\">",
        "<link rel=\"canonical\" href=\"{{a}}\">",
        "<a href=\"{{#a}}/x/{{a}}{{/a}}\">",
        "<svg viewBox=\"0 0 {{a}} 9\"><text x=\"{{a}}\">{{a}}</text><title>{{a}}</title></svg>",
        "<td{{#a}} title=\"{{a}}\"{{/a}}>{{#a}}<b>{{a}}</b>{{/a}}</td>",
        "a < b {{a}} <3",
        "<progress value=\"{{a}}\" max=\"100\"></progress>",
    };
    for (size_t i = 0; i < ARRAY_LENGTH(open); i++) {
        char file[512];
        struct error error = {0};
        snprintf(file, sizeof file, "%s%s", HTML, open[i]);
        struct template_set *set = load("html/page.html", file, NULL, NULL, &error);
        if (set == NULL) {
            fail_msg("%s: %s", open[i], error.message);
        }
        template_free(set);
    }
}

static void sections_keep_their_place(void **state) {
    (void)state;
    refuse_html("{{#a}}<p title=\"{{/a}}x\">", "kind of place");
    refuse_html("{{#a}}<script>{{/a}}</script>", "kind of place");
    refuse_html("<a {{#a}}href=\"{{/a}}x\">", "kind of place");
    refuse_html("{{#a}}<pre>{{/a}}</pre>", "kind of place");
    refuse_html("{{#a}}<!--{{/a}}-->", "kind of place");
    refuse_html("<p title=\"x", "within a tag");
    refuse_html("<script>", "within a tag");
}

static void renders_do_not_disturb_each_other(void **state) {
    (void)state;
    struct error error = {0};
    struct template_set *one = load("html/page.html", HTML "{{a}}", NULL, NULL, &error);
    struct template_set *two = load("html/page.html", HTML "<i>{{a}}</i>", NULL, NULL, &error);
    json_t *model = parse("{\"a\":\"x\"}");
    struct buf buf;
    buf_init(&buf, 64);
    assert_true(template_render(one, "html/page.html", model, &buf, &error));
    assert_true(template_render(two, "html/page.html", model, &buf, &error));
    template_free(one);
    assert_true(template_render(two, "html/page.html", model, &buf, &error));
    assert_string_equal(buf.data, "x<i>x</i><i>x</i>");
    buf_free(&buf);
    buf_init(&buf, 4);
    assert_false(template_render(two, "html/page.html", model, &buf, &error));
    assert_int_equal(buf.length, 0);
    buf_free(&buf);
    template_free(two);
    template_free(NULL);
    json_decref(model);
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(scalars),
        cmocka_unit_test(sections_by_type),
        cmocka_unit_test(scalar_sections_stay_in_the_object),
        cmocka_unit_test(objects_arrays_items_separators),
        cmocka_unit_test(site_values_at_any_depth),
        cmocka_unit_test(nothing_is_inherited),
        cmocka_unit_test(missing_names_fail),
        cmocka_unit_test(hidden_sections_ask_for_nothing),
        cmocka_unit_test(html_escapes_text_and_attributes),
        cmocka_unit_test(html_checks_addresses),
        cmocka_unit_test(html_raw_paths),
        cmocka_unit_test(xml_escapes),
        cmocka_unit_test(md_escapes_text),
        cmocka_unit_test(md_escapes_cells_code_and_links),
        cmocka_unit_test(md_keeps_blank_lines_and_drops_marker_lines),
        cmocka_unit_test(parts),
        cmocka_unit_test(faulty_parts),
        cmocka_unit_test(pragma_must_come_first),
        cmocka_unit_test(faulty_markers),
        cmocka_unit_test(modifiers_in_html),
        cmocka_unit_test(modifiers_in_md),
        cmocka_unit_test(places_in_html),
        cmocka_unit_test(open_places_in_html),
        cmocka_unit_test(sections_keep_their_place),
        cmocka_unit_test(renders_do_not_disturb_each_other),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
