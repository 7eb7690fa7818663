/* healthcheck: asks a running server for /healthz, for containers that have no other HTTP client.
 */
#include "cli.h"
#include "loopback.h"
#include "options.h"
#include <unistd.h>

enum { PATIENCE_SECONDS = 2 };

static bool is_healthy(const char *address) {
    struct loopback_answer answer = {0};
    struct error error;
    int handle = loopback_connect(address, PATIENCE_SECONDS);
    if (handle < 0) {
        return false;
    }
    bool healthy = loopback_get(handle, "/healthz", "Connection: close\r\n", &answer, &error) &&
                   answer.status == 200;
    loopback_free(&answer);
    (void)close(handle);
    return healthy;
}

int cli_healthcheck(int argc, char **argv) {
    const char *address = "127.0.0.1:8080";
    const struct cli_option accepted[] = {
        {"address", "HOST:PORT", "the server (default 127.0.0.1:8080)", NULL, &address},
    };
    const struct cli_line line = {
        .command = "healthcheck",
        .synopsis = "[--address HOST:PORT]",
        .about = "Exits with 0 when GET /healthz there answers 200 within two seconds, otherwise "
                 "with 1.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (!is_healthy(address)) {
        struct error error;
        (void)error_set(&error, ERROR_IO, "no healthy server answers at %s", address);
        return cli_fail(EXIT_FAULT, &error);
    }
    return EXIT_OK;
}
