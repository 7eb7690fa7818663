/* The words of one language's dates. */
#ifndef AGENT_SANDBOXES_TEXT_LANGUAGE_H
#define AGENT_SANDBOXES_TEXT_LANGUAGE_H

struct text_language {
    const char *code; /* ISO 639-1 */
    const char *months[12];
    const char *first_day; /* what follows the number of a month's first day */
    const char *other_day; /* and of any other */
};

/* The language itself, English for NULL. */
const struct text_language *text_language_or_english(const struct text_language *language);

#endif
