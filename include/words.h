/* What the site calls itself and the things that it compares: the catalogue's settings, with the
 * name of the site file before its title. */
#ifndef AGENT_SANDBOXES_WORDS_H
#define AGENT_SANDBOXES_WORDS_H

#include "handler.h"

enum word {
    WORD_TITLE,
    WORD_SHORT_TITLE, /* for a device's screen */
    WORD_DESCRIPTION, /* one sentence */
    WORD_SUBTITLE,    /* the same without a verb */
    WORD_NOUN,        /* "sandbox" */
    WORD_NOUNS,       /* "sandboxes" */
    WORD_NOUNS_LONG,  /* "agent sandboxes", where they are named first */
    WORD__COUNT
};

/* Never NULL: a catalogue without the setting has a plain word. Lives as long as site and
 * generation. */
const char *words_get(const struct call *call, enum word word);

/* The names site_* of all templates (template.h): a new object, NULL: out of memory. */
json_t *words_names(const struct call *call);

#endif
