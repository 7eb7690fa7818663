/* What the command line of serve says. */
#ifndef AGENT_SANDBOXES_CLI_SERVE_OPTIONS_H
#define AGENT_SANDBOXES_CLI_SERVE_OPTIONS_H

#include "base_path.h"
#include "log.h"
#include "server.h"
#include "site.h"
#include <stdbool.h>

/* How much the process gives up: all or nothing served, what there is, or nothing. */
enum confine_mode { CONFINE_REQUIRE, CONFINE_AUTO, CONFINE_NOTHING };

struct serve_options {
    struct server_options server;
    struct site_options site;
    const char *db;
    const char *overlay; /* NULL: none */
    enum confine_mode confine;
    enum log_level level;
    enum log_format format;
    char default_url[sizeof("http://") + SERVER_ADDRESS_BYTES +
                     BASE_PATH_BYTES]; /* where public_url points unless given */
};

/* Fills options, which has the defaults. False: do not go on but return *out_code. */
bool serve_parse_options(int argc, char **argv, struct serve_options *options,
                         int *out_code) MUST_USE;

#endif
