/* --public-url and --base-path, alike for every command that shows the site. */
#include "base_path.h"
#include "cli.h"
#include "text.h"
#include <string.h>

/* The path of an address without a slash at its end: "" or "/guide". NULL: it is no such address.
 */
static const char *path_of(const char *url) {
    size_t length = strlen(url);
    if (!text_is_web_address(url) || url[length - 1] == '/') {
        return NULL;
    }
    const char *host = strstr(url, "://") + strlen("://");
    return host + strcspn(host, "/");
}

int cli_take_public_url(const char *command, const char *public_url, const char *base_path,
                        const char **out_base) {
    if (base_path != NULL && !base_path_valid(base_path)) {
        return cli_usage_error(command,
                               "--base-path takes a path such as /guide, of letters, digits, "
                               "\"-\", \"_\" and \".\", without a slash at its end, not \"%s\"",
                               base_path);
    }
    *out_base = base_path;
    if (public_url == NULL) {
        return EXIT_OK;
    }
    const char *path = path_of(public_url);
    if (path == NULL) {
        return cli_usage_error(
            command,
            "--public-url takes an http or https address without a slash at its end, not \"%s\"",
            public_url);
    }
    if (base_path != NULL && strcmp(path, base_path) != 0) {
        return cli_usage_error(command, "--public-url %s does not end in --base-path %s",
                               public_url, base_path);
    }
    if (path[0] != '\0' && !base_path_valid(path)) {
        return cli_usage_error(command, "--public-url has a path that no site can be at: \"%s\"",
                               path);
    }
    *out_base = path[0] == '\0' ? NULL : path;
    return EXIT_OK;
}
