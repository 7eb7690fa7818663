/* What months are called, and how a day is written, in the languages that dates can have. */
#include "text_language.h"
#include "text.h"
#include <string.h>

static const struct text_language languages[] = {
    {"en",
     {"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"},
     "",
     ""},
    {"de",
     {"Jan.", "Feb.", "März", "Apr.", "Mai", "Juni", "Juli", "Aug.", "Sept.", "Okt.", "Nov.",
      "Dez."},
     ".",
     "."},
    {"es",
     {"ene", "feb", "mar", "abr", "may", "jun", "jul", "ago", "sept", "oct", "nov", "dic"},
     "",
     ""},
    {"fr",
     {"janv.", "févr.", "mars", "avr.", "mai", "juin", "juil.", "août", "sept.", "oct.", "nov.",
      "déc."},
     "er",
     ""},
    {"nl",
     {"jan.", "feb.", "mrt.", "apr.", "mei", "juni", "juli", "aug.", "sep.", "okt.", "nov.",
      "dec."},
     "",
     ""},
};

const struct text_language *text_language_find(const char *code) {
    for (size_t i = 0; i < ARRAY_LENGTH(languages); i++) {
        if (strcmp(code, languages[i].code) == 0) {
            return &languages[i];
        }
    }
    return NULL;
}

const char *text_language_code(const struct text_language *language) {
    return language == NULL ? languages[0].code : language->code;
}

const struct text_language *text_language_or_english(const struct text_language *language) {
    return language == NULL ? &languages[0] : language;
}
