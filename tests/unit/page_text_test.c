#include "base.h"
#include "cmocka_all.h"
#include "hash.h"
#include "page_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *read_as(enum page_reading reading, const char *bytes, size_t length) {
    struct buf out;
    buf_init(&out, 1 << 20);
    assert_true(page_words(bytes, length, reading, &out));
    assert_true(buf_add(&out, "", 0));
    char *text = buf_take(&out);
    return text == NULL ? strdup("") : text;
}

static void demand(enum page_reading reading, const char *page, const char *expected) {
    char *words = read_as(reading, page, strlen(page));
    assert_string_equal(words, expected);
    free(words);
}

/* The same, read both ways. */
static void both(const char *page, const char *expected) {
    demand(PAGE_APART, page, expected);
    demand(PAGE_INLINE, page, expected);
}

static void test_plain(void **state) {
    (void)state;
    demand(PAGE_PLAIN, "", "");
    demand(PAGE_PLAIN, "  The QUICK-brown\tfox's 13.5% ", "the quick brown fox s 13 5");
    demand(PAGE_PLAIN, "caf\xC3\xA9 na\xC3\xAFve \xFF ok", "caf na ve ok");
    demand(PAGE_PLAIN, "<b>a</b>&amp;c", "b a b amp c");
}

static void test_tags(void **state) {
    (void)state;
    both("<p>One</p><p>two", "one two");
    both("a<br>b<br/>c<hr />d", "a b c d");
    both("<td title='x > y'>1</td><td data-a=\"<b>\">2</td>", "1 2");
    both("<a href=x\ty=z/>v", "v");
    both("a<p a='unclosed>b", "a");
    both("a<p", "a");
    both("a</p ignored=1>b", "a b");
    both("1 < 2 and 3<4 <> </> x<", "1 2 and 3 4 x");
    both("<!doctype html><?xml a?>x<![CDATA[y]]>z", "x z");
    demand(PAGE_APART, "fire<b>cracker</b>s", "fire cracker s");
    demand(PAGE_INLINE, "fire<b>cracker</b>s", "firecrackers");
    demand(PAGE_INLINE, "fire<CODE class=a>cracker</CODE><div>s", "firecracker s");
    demand(PAGE_INLINE, "a<bold>b", "a b");
    demand(PAGE_INLINE, "0<!-- -->.<!-- -->05<!-- -->c", "0 05c");
    demand(PAGE_APART, "a<!-- -->b", "a b");
}

static void test_what_is_no_text(void **state) {
    (void)state;
    both("a<script>b</script>c", "a c");
    both("a<SCRIPT src=x>if (1 < 2) '</scripty>' </ScRiPt >c", "a c");
    both("a<style>b</style/>c", "a c");
    both("a<script>b", "a");
    both("a<iframe><p>b</iframe>c", "a c");
    both("a <!-- b --> c", "a c");
    both("a <!--> b --> c", "a b c");
    both("a <!---> b", "a b");
    both("a <!-- b --!> c <!-- d", "a c");
    both("a <!-- b -- > c --> d", "a d");
    both("<title>How to write <script> & <b></title>x", "how to write script b x");
    both("<textarea><script></textarea>x", "script x");
    both("<img alt='a b'>x", "x");
}

static void test_references(void **state) {
    (void)state;
    both("a&amp;b &lt;c&gt; &#65;&#x42;&#X43;d&#101", "a b c abcde");
    both("a&nbsp;b&mdash;c&CounterClockwiseContourIntegral;d", "a b c d");
    both("AT&T &unknown x&y;z", "at t unknown x z");
    both("&copy2026 &nbspx &ampamp &notit &whatever;", "2026 x amp it");
    both("&eacute;t&eacute &frac12x &sup2x", "t x x");
    both("&#0;a&#1114112;b&#99999999999999999999;c&#xD800;d&#;e&#x;f", "a b c d e x f");
    both("&fjlig;ord", "fjord");
    both("&", "");
    both("&#", "");
    both("&amp;lt;", "lt");
    both("&abcdefghijklmnopqrstuvwxyzabcdefghijklmnop;",
         "abcdefghijklmnopqrstuvwxyzabcdefghijklmnop");
}

static void test_utf16(void **state) {
    static const char little[] = "\xFF\xFE<\0b\0>\0A\0\xE9\0B\0A\x01";
    static const char big[] = "\xFE\xFF\0<\0p\0>\0A\0 \0B\0";
    (void)state;
    char *words = read_as(PAGE_APART, little, sizeof(little) - 1);
    assert_string_equal(words, "a b");
    free(words);
    words = read_as(PAGE_APART, big, sizeof(big) - 1);
    assert_string_equal(words, "a b");
    free(words);
    demand(PAGE_APART, "\xFF\xFE", "");
}

static bool holds(const char *text, size_t count, const char *passage) {
    struct buf words;
    char digest[HASH_HEX_BYTES];
    hash_sha256_hex(passage, strlen(passage), digest);
    buf_init(&words, 1 << 16);
    assert_true(page_words(text, strlen(text), PAGE_PLAIN, &words));
    bool found = page_words_hold(&words, count, digest);
    buf_free(&words);
    return found;
}

static void test_window(void **state) {
    (void)state;
    assert_true(holds("a b c d", 4, "a b c d"));
    assert_true(holds("a b c d", 2, "a b"));
    assert_true(holds("a b c d", 2, "b c"));
    assert_true(holds("a b c d", 2, "c d"));
    assert_true(holds("a b c d", 1, "d"));
    assert_true(holds("a", 1, "a"));
    assert_false(holds("a b c d", 3, "a b"));
    assert_false(holds("a b c d", 2, "a c"));
    assert_false(holds("a b c d", 5, "a b c d"));
    assert_false(holds("ab cd", 1, "a"));
    assert_false(holds("a b", 0, ""));
    assert_false(holds("", 1, ""));
}

static uint32_t next(uint32_t *number) {
    *number = *number * 1664525 + 1013904223;
    return *number >> 8;
}

/* However a text is written down in HTML, its words are those of the text. */
static void test_any_text_in_html(void **state) {
    static const char *const between[] = {"<p class=\"a > b\">",
                                          "<!-- x -->",
                                          "<script>x<y</script>",
                                          "<br/>",
                                          "</td><td>",
                                          "<style>x</style>",
                                          "&nbsp;",
                                          " ",
                                          "&#32;"};
    uint32_t number = 7;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        char text[64];
        struct buf html;
        buf_init(&html, 1 << 16);
        size_t length = next(&number) % sizeof(text);
        for (size_t i = 0; i < length; i++) {
            uint32_t kind = next(&number) % 8;
            text[i] = (char)(kind == 0 ? ' ' : next(&number) % 256);
            unsigned byte = (unsigned char)text[i];
            if (byte == ' ') {
                buf_add_text(&html, between[next(&number) % ARRAY_LENGTH(between)]);
            } else if (byte == '<' || byte == '&' || kind == 1) {
                buf_add_format(&html, kind & 1 ? "&#%u;" : "&#x%X;", byte);
            } else {
                buf_add_char(&html, text[i]);
            }
        }
        bool wide = length > 1 && (unsigned char)text[0] >= 0xFE && (unsigned char)text[1] >= 0xFE;
        char *plain = read_as(PAGE_PLAIN, text, length);
        char *read = read_as(PAGE_APART, html.data == NULL ? "" : html.data, html.length);
        if (!wide) {
            assert_string_equal(read, plain);
        }
        free(plain);
        free(read);
        buf_free(&html);
    }
}

static void check_form(const char *words) {
    for (size_t i = 0; words[i] != '\0'; i++) {
        bool letter = (words[i] >= 'a' && words[i] <= 'z') || (words[i] >= '0' && words[i] <= '9');
        assert_true(letter ||
                    (words[i] == ' ' && i > 0 && words[i - 1] != ' ' && words[i + 1] != '\0'));
    }
}

static void test_any_bytes(void **state) {
    static const char *const pieces[] = {
        "<",        "</", "<!--",  "-->", "--", "<script>", "</script", "<title>", ">", "\"",
        "'",        "=",  "&",     "&#",  "x",  ";",        "&amp",     "/",       " ", "<b>",
        "\xFF\xFE", "a",  "fjlig", "9",   "!",  "<?",       "</title>", "\x80"};
    uint32_t number = 3;
    (void)state;
    for (int round = 0; round < 3000; round++) {
        struct buf page;
        buf_init(&page, 1 << 16);
        for (uint32_t i = next(&number) % 40; i > 0; i--) {
            buf_add_text(&page, pieces[next(&number) % ARRAY_LENGTH(pieces)]);
        }
        for (int reading = PAGE_PLAIN; reading <= PAGE_INLINE; reading++) {
            char *words = read_as((enum page_reading)reading, page.data == NULL ? "" : page.data,
                                  page.length);
            check_form(words);
            free(words);
        }
        buf_free(&page);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_plain),
        cmocka_unit_test(test_tags),
        cmocka_unit_test(test_what_is_no_text),
        cmocka_unit_test(test_references),
        cmocka_unit_test(test_utf16),
        cmocka_unit_test(test_window),
        cmocka_unit_test(test_any_text_in_html),
        cmocka_unit_test(test_any_bytes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
