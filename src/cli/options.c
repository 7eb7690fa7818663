#include "options.h"
#include "cli.h"
#include "text.h"
#include <getopt.h>
#include <stdio.h>
#include <string.h>

enum { OPTIONS_MAXIMUM = 32, HELP_CODE = OPTIONS_MAXIMUM, NAME_WIDTH = 24 };

static int print_help(const struct cli_line *line) {
    (void)printf("Usage: agent-sandboxes %s %s\n\n%s\n", line->command, line->synopsis,
                 line->about);
    for (size_t i = 0; i < line->option_count; i++) {
        const struct cli_option *option = &line->options[i];
        char name[64];
        (void)snprintf(name, sizeof(name), "--%s%s%s", option->name,
                       option->argument == NULL ? "" : " ",
                       option->argument == NULL ? "" : option->argument);
        (void)printf("  %-*s %s\n", NAME_WIDTH, name, option->help);
    }
    return printf("  %-*s %s\n", NAME_WIDTH, "--help", "print this") < 0 ? EXIT_FAULT : EXIT_OK;
}

static int take_arguments(const struct cli_line *line, int count, char **words) {
    if ((size_t)count > line->argument_count && line->rest != NULL) {
        *line->rest = (const char **)(words + line->argument_count);
        *line->rest_count = (size_t)count - line->argument_count;
    } else if ((size_t)count > line->argument_count) {
        return cli_usage_error(line->command, "unexpected argument \"%s\"",
                               words[line->argument_count]);
    }
    for (size_t i = 0; i < line->argument_count; i++) {
        const struct cli_argument *argument = &line->arguments[i];
        if (i < (size_t)count) {
            *argument->text = words[i];
        } else if (!argument->optional) {
            return cli_usage_error(line->command, "%s is missing", argument->name);
        }
    }
    return EXIT_OK;
}

static void describe(const struct cli_line *line, struct option out[OPTIONS_MAXIMUM + 2]) {
    for (size_t i = 0; i < line->option_count && i < OPTIONS_MAXIMUM; i++) {
        const struct cli_option *option = &line->options[i];
        out[i] = (struct option){
            option->name, option->argument == NULL ? no_argument : required_argument, NULL, (int)i};
    }
    out[line->option_count] = (struct option){"help", no_argument, NULL, HELP_CODE};
}

bool cli_parse(const struct cli_line *line, int argc, char **argv, int *out_code) {
    struct option options[OPTIONS_MAXIMUM + 2] = {0};
    describe(line, options);
    optind = 0;
    opterr = 0;
    int code = 0;
    while ((code = getopt_long(argc, argv, ":", options, NULL)) != -1) {
        if (code == HELP_CODE) {
            *out_code = print_help(line);
            return false;
        }
        if (code == '?' || code == ':') {
            *out_code = cli_usage_error(line->command,
                                        code == ':' ? "%s needs a value" : "unknown option %s",
                                        argv[optind - 1]);
            return false;
        }
        const struct cli_option *option = &line->options[code];
        if (option->flag != NULL) {
            *option->flag = true;
        } else {
            *option->text = optarg;
        }
    }
    *out_code = take_arguments(line, argc - optind, argv + optind);
    return *out_code == EXIT_OK;
}
