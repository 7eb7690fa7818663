/* Any body of a POST to /mcp gets an answer that is no server error. The first byte chooses the
 * headers. */
#include "../../src/handlers/handlers.h"
#include "builtin.h"
#include "catalogue.h"
#include "site.h"
#include "target.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length);

static void demand(bool holds) {
    if (!holds) {
        abort();
    }
}

static uint8_t choice;

static const char *header(const struct post *post, const char *name) {
    static const char *const versions[] = {NULL, "2025-06-18", "2026-07-28", "1999-01-01"};
    (void)post;
    return strcasecmp(name, "Host") == 0                   ? "localhost"
           : strcasecmp(name, "Content-Type") == 0         ? "application/json"
           : strcasecmp(name, "Accept") == 0               ? "application/json, text/event-stream"
           : strcasecmp(name, "MCP-Protocol-Version") == 0 ? versions[choice % 4]
           : strcasecmp(name, "Mcp-Method") == 0 && (choice & 8) != 0 ? "tools/call"
                                                                      : NULL;
}

static struct catalogue *get_catalogue(struct site *site) {
    static struct catalogue *catalogue;
    if (catalogue == NULL) {
        enum { TODAY = 20787 };
        struct error error;
        const struct site_options options = {.public_url = "http://localhost"};
        const struct builtin_file *file = builtin_catalogue();
        struct image image = {.bytes = (unsigned char *)file->bytes, .length = file->length};
        struct generation *generation = generation_create(&image, TODAY, &error);
        demand(generation != NULL && site_load(&options, site, &error));
        catalogue = catalogue_open(generation, &error);
        demand(catalogue != NULL);
    }
    return catalogue;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t length) {
    static struct site site;
    struct error error = {0};
    if (length == 0) {
        return 0;
    }
    choice = bytes[0];
    char *body = malloc(length);
    struct target target = {0};
    demand(body != NULL && target_parse("/mcp", strlen("/mcp"), &target, &error));
    memcpy(body, bytes + 1, length - 1);
    body[length - 1] = '\0';
    const struct post post = {
        .body = length == 1 ? NULL : body, .length = length - 1, .header = header};
    const struct call call = {.target = &target,
                              .media = MEDIA_JSON,
                              .path = "/mcp",
                              .query = "",
                              .catalogue = get_catalogue(&site),
                              .site = &site,
                              .post = &post};
    struct reply reply = {0};
    demand(handle_mcp(&call, &reply, &error));
    demand(reply.status < 500);
    reply_free(&reply);
    target_free(&target);
    free(body);
    return 0;
}
