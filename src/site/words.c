#include "words.h"
#include "catalogue_index.h"
#include "folder.h"
#include "site.h"
#include "text.h"
#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The setting of each word, and what stands for it where the catalogue has none: another word, or
 * the text. */
static const struct {
    const char *setting;
    enum word other; /* WORD__COUNT: none */
    const char *text;
} sources[WORD__COUNT] = {
    [WORD_TITLE] = {"title", WORD__COUNT, "A comparison"},
    [WORD_SHORT_TITLE] = {"short_title", WORD_TITLE, ""},
    [WORD_DESCRIPTION] = {"description", WORD_SUBTITLE, ""},
    [WORD_SUBTITLE] = {"subtitle", WORD__COUNT, "A comparison with a source for every value"},
    [WORD_NOUN] = {"noun", WORD__COUNT, "provider"},
    [WORD_NOUNS] = {"nouns", WORD__COUNT, "providers"},
    [WORD_NOUN_LONG] = {"noun_long", WORD_NOUN, ""},
    [WORD_NOUNS_LONG] = {"nouns_long", WORD_NOUNS, ""},
    [WORD_SUBJECT] = {"subject", WORD_NOUNS_LONG, ""},
};

/* Texts that a catalogue can say better than the program, which knows nothing of its subject. */
static const struct {
    const char *name; /* of the setting */
    const char *text;
} texts[] = {
    {"text_about",
     "What this comparison of {nouns_long} is for, what it does not do, how it is made "
     "and kept, and how to check or reuse it."},
    {"text_asked", "What can be had at once"},
    {"text_choose", "helps you choose among {nouns_long}."},
    {"text_compare", "Ask for what you need: who matches, who is undecided because it is not "
                     "documented, and who is excluded and why."},
    {"text_criteria", ""},
    {"text_directory", "Every {noun} in the catalogue as a card. Filter by what you need."},
    {"text_glossary",
     "The terms of {nouns_long} from A to Z in plain English, each with sources and "
     "with who offers it."},
    {"text_guides", "Guides to {nouns_long}, with a source for every statement."},
    {"text_guides_lead", "What to know before choosing."},
    {"text_home", "{nouns}, ranked. Every value has its source, its day and how it is known."},
    {"text_listed", ""},
    {"text_match",
     "Say what must hold, what you prefer and what you avoid: who fits, who nearly does, "
     "whom to ask, and why the others are out."},
    {"text_measured", "measured values are those of the publisher named beside them."},
    {"text_no_promise", "It gives no assurance: what is reported is what is documented."},
    {"text_offerings", "A provider may sell one thing with the one quality, and another with the "
                       "other. That does not make it a seller of both at once."},
    {"text_places", "{nouns_long}"},
    {"text_profile", "facts, sources and alternatives"},
    {"text_search",
     "Search {nouns_long}, the terms around them and the guides by words; what you type "
     "is taken as text, in any order."},
    {"text_service", "{Noun_long}"},
    {"text_why",
     "Vendors describe the same few things in different words. Some of it stands in the "
     "documentation, some on a price list, some nowhere."},
};

static const char *of_look(const struct look *look, enum word word) {
    return word == WORD_TITLE         ? look->name
           : word == WORD_SHORT_TITLE ? (look->short_name != NULL ? look->short_name : look->name)
                                      : NULL;
}

static const char *setting(const struct call *call, const char *key) {
    return generation_setting(catalogue_generation(call->catalogue), key);
}

const char *words_get(const struct call *call, enum word word) {
    for (;;) {
        const char *own = of_look(&call->site->look, word);
        const char *said = own != NULL ? own : setting(call, sources[word].setting);
        if (said != NULL) {
            return said;
        }
        if (sources[word].other == WORD__COUNT) {
            return sources[word].text;
        }
        word = sources[word].other;
    }
}

/* --- examples --- */

/* Whether an example can stand in an address as it is. */
static bool fits_address(const char *text) {
    static const char allowed[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~:,=&+";
    return text[strspn(text, allowed)] == '\0';
}

/* An example of the catalogue; NULL where it has none, or one that the rules of check refuse. */
static const char *example_setting(const struct call *call, const char *key) {
    const char *given = setting(call, key);
    return given != NULL && fits_address(given) ? given : NULL;
}

/* The first attribute that can be asked about and has a value to name; NULL: none. */
static const struct index_attribute *asked_attribute(const struct catalogue_index *index) {
    for (size_t i = 0; i < index->attribute_count; i++) {
        const struct index_attribute *attribute = &index->attributes[i];
        bool has_words = attribute->type == TYPE_BOOL || attribute->type == TYPE_ENUM ||
                         attribute->type == TYPE_SET;
        if (attribute->filterable && has_words && attribute->value_count > 0) {
            return attribute;
        }
    }
    return NULL;
}

/* The example in the setting, else one of the first attribute ("key=value", "key__not=value"). */
static const char *example(const struct call *call, const char *key, const char *between,
                           char out[WORDS_BYTES]) {
    const char *given = example_setting(call, key);
    const struct index_attribute *attribute =
        asked_attribute(generation_index(catalogue_generation(call->catalogue)));
    if (given != NULL || attribute == NULL) {
        (void)snprintf(out, WORDS_BYTES, "%s", given == NULL ? "" : given);
    } else {
        const char *value = attribute->type == TYPE_BOOL ? "true" : attribute->values[0].value;
        (void)snprintf(out, WORDS_BYTES, "%s%s%s", attribute->key, between, value);
    }
    return out;
}

const char *words_example_question(const struct call *call, char out[WORDS_BYTES]) {
    return example(call, "example_question", "=", out);
}

/* The slug in the setting, else the one of the first row. */
static const char *example_slug(const struct call *call, const char *key, enum statement statement,
                                char out[WORDS_BYTES]) {
    struct error ignored;
    const char *given = example_setting(call, key);
    json_t *rows =
        given != NULL ? NULL : catalogue_rows(call->catalogue, statement, NULL, 0, &ignored);
    const char *first = json_string_value(json_object_get(json_array_get(rows, 0), "slug"));
    (void)snprintf(out, WORDS_BYTES, "%s",
                   given != NULL   ? given
                   : first != NULL ? first
                                   : "a-slug");
    json_decref(rows);
    return out;
}

/* The slug of a provider: the one in the setting, else the one at a place. "" where there is none.
 */
static const char *example_provider(const struct call *call, const char *key, size_t place) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const char *given = example_setting(call, key);
    return given != NULL                   ? given
           : index->provider_count > place ? index->providers[place].slug
                                           : "";
}

/* The example as a JSON object, for agents. */
static const char *example_where(const struct call *call, char out[WORDS_BYTES]) {
    const char *given = setting(call, "example_where");
    char question[WORDS_BYTES / 2];
    char whole[WORDS_BYTES];
    (void)snprintf(question, sizeof(question), "%.500s", words_example_question(call, whole));
    size_t key = strcspn(question, "=");
    if (given != NULL || question[key] == '\0') {
        (void)snprintf(out, WORDS_BYTES, "%s", given == NULL ? "{}" : given);
    } else {
        (void)snprintf(out, WORDS_BYTES, "{\"%.*s\":\"%s\"}", (int)key, question,
                       question + key + 1);
    }
    return out;
}

static const char *example_must(const struct call *call, char out[WORDS_BYTES]) {
    const char *given = example_setting(call, "example_must");
    char question[WORDS_BYTES];
    (void)words_example_question(call, question);
    (void)snprintf(out, WORDS_BYTES, "%s%.900s",
                   given != NULL || question[0] == '\0' ? "" : "must.",
                   given != NULL ? given : question);
    return out;
}

/* A word that a search finds: the first of the noun. */
static const char *example_word(const struct call *call, char out[WORDS_BYTES]) {
    const char *given = example_setting(call, "example_word");
    const char *noun = given != NULL ? given : words_get(call, WORD_NOUN);
    (void)snprintf(out, WORDS_BYTES, "%.*s", (int)strcspn(noun, " "), noun);
    return fits_address(out) ? out : "word";
}

static const char *example_attribute(const struct call *call) {
    const struct index_attribute *attribute =
        asked_attribute(generation_index(catalogue_generation(call->catalogue)));
    const char *given = example_setting(call, "example_attribute");
    return given != NULL ? given : attribute != NULL ? attribute->key : "";
}

/* The example of a name behind "example_", or NULL. */
static const char *example_named(const struct call *call, const char *name, char out[WORDS_BYTES]) {
    return strcmp(name, "question") == 0    ? words_example_question(call, out)
           : strcmp(name, "where") == 0     ? example_where(call, out)
           : strcmp(name, "must") == 0      ? example_must(call, out)
           : strcmp(name, "not") == 0       ? example(call, "example_not", "__not=", out)
           : strcmp(name, "word") == 0      ? example_word(call, out)
           : strcmp(name, "attribute") == 0 ? example_attribute(call)
           : strcmp(name, "provider") == 0  ? example_provider(call, "example_provider", 0)
           : strcmp(name, "other") == 0     ? example_provider(call, "example_other", 1)
           : strcmp(name, "ranking") == 0
               ? example_slug(call, "example_ranking", STATEMENT_USE_CASES, out)
           : strcmp(name, "guide") == 0 ? example_slug(call, "example_guide", STATEMENT_GUIDES, out)
           : strcmp(name, "term") == 0  ? example_slug(call, "example_term", STATEMENT_TERMS, out)
                                        : NULL;
}

/* Adds the example that a placeholder names; false: it names none. */
static bool add_example(const struct call *call, const char *name, size_t length, struct buf *out) {
    static const char start[] = "example_";
    char bare[32];
    char text[WORDS_BYTES];
    size_t start_length = strlen(start);
    if (length <= start_length || length - start_length >= sizeof(bare) ||
        strncmp(name, start, start_length) != 0) {
        return false;
    }
    (void)snprintf(bare, sizeof(bare), "%.*s", (int)(length - start_length), name + start_length);
    const char *said = example_named(call, bare, text);
    /* Of an empty catalogue an address can only show its form. */
    bool is_slug = strcmp(bare, "provider") == 0 || strcmp(bare, "other") == 0;
    return said != NULL && buf_add_text(out, said[0] == '\0' && is_slug ? "a-slug" : said);
}

/* --- placeholders --- */

/* "a" or "an", by the first letter: English of the common sort. */
static const char *article(const char *noun) {
    return strchr("aeioAEIO", noun[0]) != NULL && noun[0] != '\0' ? "an" : "a";
}

/* Adds the word that a placeholder names, without its braces; false: it names none. */
static bool add_word(const struct call *call, const char *name, size_t length, struct buf *out) {
    static const enum word words[] = {WORD_NOUN, WORD_NOUNS, WORD_NOUN_LONG, WORD_NOUNS_LONG,
                                      WORD_SUBJECT};
    static const char folder[] = "folder";
    if (length == sizeof(folder) - 1 && strncmp(name, folder, length) == 0) {
        return buf_add_text(out, folder_of(call));
    }
    bool has_article = length > 2 && strncasecmp(name, "a_", 2) == 0;
    const char *bare = name + (has_article ? 2 : 0);
    size_t bare_length = length - (has_article ? 2 : 0);
    for (size_t i = 0; i < ARRAY_LENGTH(words); i++) {
        const char *known = sources[words[i]].setting;
        if (strlen(known) == bare_length && strncasecmp(bare, known, bare_length) == 0) {
            size_t start = out->length;
            const char *word = words_get(call, words[i]);
            if (has_article) {
                buf_add_format(out, "%s ", article(word));
            }
            buf_add_text(out, word);
            if (isupper((unsigned char)name[0]) != 0 && out->length > start) {
                out->data[start] = (char)toupper((unsigned char)out->data[start]);
            }
            return true;
        }
    }
    return false;
}

const char *words_fill(const struct call *call, const char *text, char out[WORDS_BYTES]) {
    struct buf filled;
    buf_init(&filled, WORDS_BYTES - 1);
    while (*text != '\0') {
        size_t plain = strcspn(text, "{");
        buf_add(&filled, text, plain);
        text += plain;
        size_t length = *text == '{' ? strcspn(text, "}") : 0;
        if (length > 0 && text[length] == '}' &&
            (add_word(call, text + 1, length - 1, &filled) ||
             add_example(call, text + 1, length - 1, &filled))) {
            text += length + 1;
        } else if (*text != '\0') {
            buf_add_char(&filled, *text++);
        }
    }
    (void)snprintf(out, WORDS_BYTES, "%s", filled.length == 0 ? "" : filled.data);
    buf_free(&filled);
    return out;
}

const char *words_text(const struct call *call, const char *name, char out[WORDS_BYTES]) {
    const char *text = setting(call, name);
    for (size_t i = 0; text == NULL && i < ARRAY_LENGTH(texts); i++) {
        text = strcmp(texts[i].name, name) == 0 ? texts[i].text : NULL;
    }
    return words_fill(call, text == NULL ? "" : text, out);
}

const char *words_key(const struct call *call, char out[WORDS_BYTES]) {
    text_slug(words_get(call, WORD_TITLE), out, WORDS_BYTES);
    return out;
}

/* Each example that templates show, as a name; null where the catalogue has none. */
static json_t *example_names(const struct call *call) {
    static const char *const shown[] = {"question", "must", "not", "attribute", "provider", "word"};
    char text[WORDS_BYTES];
    json_t *names =
        json_pack("{s:o}", "site_bibtex", json_sprintf("@misc{%s,", words_key(call, text)));
    bool good = names != NULL;
    for (size_t i = 0; good && i < ARRAY_LENGTH(shown); i++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "site_example_%s", shown[i]);
        good =
            json_object_set_new(names, name, json_string(example_named(call, shown[i], text))) == 0;
    }
    if (!good) {
        json_decref(names);
        return NULL;
    }
    return names;
}

/* --- the names of templates --- */

static json_t *versioned(const struct site *site, const char *path) {
    const struct asset *asset = site_asset(site, path);
    return asset == NULL ? json_null() : json_sprintf("%s?v=%s", path, asset->version);
}

/* The names of the site file: null where it has none. */
static json_t *look_names(const struct site *site) {
    const struct look *look = &site->look;
    char logo[32];
    (void)snprintf(logo, sizeof(logo), "/%s", look->logo == NULL ? "" : look->logo);
    return json_pack(
        "{s:o, s:s, s:s, s:o, s:s?, s:s?, s:s?}", "site_logo",
        look->logo == NULL ? json_null() : versioned(site, logo), "site_icon",
        look->logo == NULL ? "/favicon.svg" : logo, "site_icon_type",
        look->logo != NULL && text_ends(logo, ".png") ? "image/png" : "image/svg+xml",
        "site_colours", look->has_colours ? versioned(site, "/" LOOK_SHEET) : json_null(),
        "site_footer_html", look->footer_html, "site_footer", look->footer, "site_date_language",
        look->language == NULL || strcmp(text_language_code(look->language), "en") == 0
            ? NULL
            : text_language_code(look->language));
}

/* Each placeholder of words_fill as a name, "site_noun_first" for {Noun}, and each text. */
static json_t *word_names(const struct call *call) {
    static const struct {
        const char *name;
        const char *text;
    } words[] = {
        {"site_noun", "{noun}"},
        {"site_nouns", "{nouns}"},
        {"site_noun_long", "{noun_long}"},
        {"site_nouns_long", "{nouns_long}"},
        {"site_subject", "{subject}"},
        {"site_a_noun", "{a_noun}"},
        {"site_a_noun_long", "{a_noun_long}"},
        {"site_noun_first", "{Noun}"},
        {"site_nouns_first", "{Nouns}"},
        {"site_nouns_long_first", "{Nouns_long}"},
        {"site_a_noun_first", "{A_noun}"},
    };
    json_t *names = json_pack("{s:s, s:s}", "site_title", words_get(call, WORD_TITLE),
                              "site_folder", folder_of(call));
    char text[WORDS_BYTES];
    bool good = names != NULL;
    for (size_t i = 0; good && i < ARRAY_LENGTH(words); i++) {
        good = json_object_set_new(names, words[i].name,
                                   json_string(words_fill(call, words[i].text, text))) == 0;
    }
    for (size_t i = 0; good && i < ARRAY_LENGTH(texts); i++) {
        char name[64];
        (void)snprintf(name, sizeof(name), "site_%s", texts[i].name);
        good = json_object_set_new(names, name,
                                   json_string(words_text(call, texts[i].name, text))) == 0;
    }
    if (!good) {
        json_decref(names);
        return NULL;
    }
    return names;
}

static json_t *section_names(const struct call *call) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    return json_pack("{s:b, s:b, s:b, s:b, s:b}", "site_has_guides",
                     (int)generation_has(generation, "guides"), "site_has_glossary",
                     (int)generation_has(generation, "glossary"), "site_has_rankings",
                     (int)generation_has(generation, "rankings"), "site_has_pricing",
                     (int)generation_has(generation, "pricing"), "site_has_measurements",
                     (int)generation_has(generation, "measurements"));
}

static json_t *generation_names(const struct call *call) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const struct asset *style = site_asset(call->site, "/site.css");
    const struct asset *script = site_asset(call->site, "/site.js");
    const char *reviewed_iso = generation_last_reviewed(generation);
    char reviewed[TEXT_DATE_BYTES] = "";
    if (!text_human_date(call->site->look.language, reviewed_iso, reviewed)) {
        reviewed[0] = '\0';
    }
    return json_pack("{s:s, s:s, s:o, s:s, s:s, s:s, s:s}", "site_url", call->site->public_url,
                     "site_generation", generation_id(generation), "site_generation_short",
                     json_stringn(generation_id(generation), 12), "site_style",
                     style == NULL ? "" : style->version, "site_script",
                     script == NULL ? "" : script->version, "site_reviewed", reviewed,
                     "site_reviewed_iso", reviewed_iso);
}

json_t *words_names(const struct call *call) {
    json_t *names = generation_names(call);
    json_t *parts[] = {word_names(call), section_names(call), example_names(call),
                       look_names(call->site)};
    bool good = true;
    for (size_t i = 0; i < ARRAY_LENGTH(parts); i++) {
        good = json_object_update(names, parts[i]) == 0 && good;
        json_decref(parts[i]);
    }
    if (!good) {
        json_decref(names);
        return NULL;
    }
    return names;
}
