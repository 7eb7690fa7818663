/* The build's own tool: the command `build`, linked before there is a catalogue, or what is drawn
 * of it, to build in. What is built into the program is held to its rules here, as the program does
 * not ask again. */
#include "builtin.h"
#include "cli.h"
#include "site.h"

const struct builtin_file *builtin_catalogue(void) {
    static const struct builtin_file none = {0};
    return &none;
}

const struct builtin_file *builtin_drawn(size_t *out_count) {
    *out_count = 0;
    return NULL;
}

int main(int argc, char **argv) {
    struct error error;
    return site_prove_templates(&error) ? cli_build(argc, argv) : cli_fail(EXIT_FAULT, &error);
}
