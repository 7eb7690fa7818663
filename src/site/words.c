#include "words.h"
#include "site.h"
#include "text.h"
#include "view.h"
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
    [WORD_NOUNS_LONG] = {"nouns_long", WORD_NOUNS, ""},
};

static const char *of_look(const struct look *look, enum word word) {
    return word == WORD_TITLE         ? look->name
           : word == WORD_SHORT_TITLE ? (look->short_name != NULL ? look->short_name : look->name)
                                      : NULL;
}

const char *words_get(const struct call *call, enum word word) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    while (word != WORD__COUNT) {
        const char *own = of_look(&call->site->look, word);
        const char *setting = generation_setting(generation, sources[word].setting);
        if (own != NULL || setting != NULL) {
            return own != NULL ? own : setting;
        }
        if (sources[word].other == WORD__COUNT) {
            break;
        }
        word = sources[word].other;
    }
    return sources[word].text;
}

/* --- the names of templates
 * ------------------------------------------------------------------------------------------------
 */

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

static json_t *word_names(const struct call *call) {
    return json_pack("{s:s, s:s, s:s, s:s, s:o, s:o, s:o}", "site_title",
                     words_get(call, WORD_TITLE), "site_noun", words_get(call, WORD_NOUN),
                     "site_nouns", words_get(call, WORD_NOUNS), "site_nouns_long",
                     words_get(call, WORD_NOUNS_LONG), "site_noun_first",
                     view_capitalised(words_get(call, WORD_NOUN)), "site_nouns_first",
                     view_capitalised(words_get(call, WORD_NOUNS)), "site_nouns_long_first",
                     view_capitalised(words_get(call, WORD_NOUNS_LONG)));
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
    json_t *words = word_names(call);
    json_t *look = look_names(call->site);
    bool good = json_object_update_missing(names, words) == 0 &&
                json_object_update_missing(names, look) == 0;
    json_decref(words);
    json_decref(look);
    if (!good) {
        json_decref(names);
        return NULL;
    }
    return names;
}
