/* export: the whole site as files. */
#include "../static/static.h"
#include "base_path.h"
#include "cli.h"
#include "limit.h"
#include "log.h"
#include "options.h"
#include "server.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

struct export_options {
    const char *folder;
    const char *db;
    const char *overlay;
    struct site_options site;
};

/* The answers come from a server of this program that only this command talks to. */
static int export_from(struct server *server, const struct site *site,
                       const struct generation *generation, const char *folder) {
    struct error error;
    struct static_result result = {0};
    const struct static_export job = {server_address(server), site, generation, folder};
    if (!static_export(&job, &result, &error)) {
        return cli_fail(EXIT_FAULT, &error);
    }
    (void)printf("%s  %zu files, %zu bytes, %zu redirects\n", folder, result.files, result.bytes,
                 result.redirects);
    return EXIT_OK;
}

static int export_site(const struct export_options *options) {
    const struct server_options server_options = {
        .listen = "127.0.0.1:0", .workers = 1, .limits = server_default_limits()};
    struct error error;
    struct site site = {0};
    struct generation *generation = cli_load_catalogue(options->db, &error);
    if (generation == NULL) {
        return cli_fail(EXIT_FAULT, &error);
    }
    if (!site_load(&options->site, &site, &error)) {
        generation_release(generation);
        return cli_fail(EXIT_FAULT, &error);
    }
    struct generation *own = generation_retain(generation);
    struct server *server = server_start(&server_options, &site, generation, &error);
    int code = server == NULL ? cli_fail(EXIT_FAULT, &error)
                              : export_from(server, &site, own, options->folder);
    generation_release(own);
    if (server != NULL) {
        (void)server_stop(server);
    }
    site_free(&site);
    return code;
}

int cli_export(int argc, char **argv) {
    struct export_options options = {0};
    const struct cli_option accepted[] = {
        {"static", "FOLDER", "the folder to fill; it must be missing or empty", NULL,
         &options.folder},
        {"public-url", "URL",
         "the address that readers use, for canonical links and the sitemap; its path is the base "
         "path",
         NULL, &options.site.public_url},
        {"db", "FILE", "export this catalogue instead of the built-in one", NULL, &options.db},
        {"overlay", "FILE", "refused: what is private is never exported", NULL, &options.overlay},
        {"templates", "FOLDER", "use these templates instead of the built-in ones", NULL,
         &options.site.templates_folder},
        {"site", "FILE", "the site file: name, logo, colours, footer and the language of dates",
         NULL, &options.site.site_file},
        {"public", "FOLDER", "use these assets instead of the built-in ones", NULL,
         &options.site.public_folder},
    };
    const struct cli_line line = {
        .command = "export",
        .synopsis = "--static FOLDER --public-url URL [options]",
        .about = "Writes every page, Markdown twin and data file as the server answers it, each "
                 "text also with .gz and .br, for a\n"
                 "server of files. What needs a question (/compare, /match, /cost) is left out; "
                 "the page /compare/ filters in\n"
                 "the browser.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.overlay != NULL) {
        return cli_usage_error("export",
                               "an overlay is private: only the public catalogue is exported");
    }
    if (options.folder == NULL || options.site.public_url == NULL) {
        return cli_usage_error("export", "%s is missing",
                               options.folder == NULL ? "--static" : "--public-url");
    }
    code = cli_take_public_url("export", options.site.public_url, NULL, &options.site.base_path);
    if (code != EXIT_OK) {
        return code;
    }
    log_configure(LOG_WARN, LOG_TEXT);
    return export_site(&options);
}
