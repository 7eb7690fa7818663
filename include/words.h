/* What the site calls itself and the things that it compares. All of it is the catalogue's to say,
 * in its settings (docs/own-catalogue.md); the name of the site file (look.h) stands before its
 * title. */
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
    WORD_NOUN_LONG,   /* "agent sandbox" */
    WORD_NOUNS_LONG,  /* "agent sandboxes", where they are named first */
    WORD_SUBJECT,     /* "AI agent sandboxes", for readers who come from elsewhere */
    WORD__COUNT
};

enum { WORDS_BYTES = 1024 };

/* Never NULL: a catalogue without the setting has a plain word. Lives as long as site and
 * generation. */
const char *words_get(const struct call *call, enum word word);

/* Writes text with {noun}, {nouns}, {noun_long}, {nouns_long} and {subject} in it, {a_noun} with
 * its article, each with a capital as {Noun}, {folder} of the profiles, and the examples of words.c
 * ({example_provider} and so on); cut where it is too long. Returns out. */
const char *words_fill(const struct call *call, const char *text, char out[WORDS_BYTES]);

/* The setting of a text that a catalogue can have of its own, else the program's plain one, filled.
 * Its name is one of the table in words.c. */
const char *words_text(const struct call *call, const char *name, char out[WORDS_BYTES]);

/* A question of the catalogue that has an answer, for documentation ("isolation=microvm&gpu=true"):
 * its setting, else one made from its first attributes. "" where it has none. Returns out. */
const char *words_example_question(const struct call *call, char out[WORDS_BYTES]);

/* The title as a key for machines: "agent-sandboxes". Returns out. */
const char *words_key(const struct call *call, char out[WORDS_BYTES]);

/* The names site_* of all templates (template.h): a new object, NULL: out of memory. */
json_t *words_names(const struct call *call);

#endif
