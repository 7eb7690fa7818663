/* Small files at fixed addresses: the web manifest and security.txt (RFC 9116). */
#include "buf.h"
#include "handlers.h"
#include "limit.h"
#include "site.h"
#include "text.h"
#include "words.h"
#include <stdlib.h>
#include <string.h>

static const char *setting(const struct call *call, const char *key, const char *otherwise) {
    const char *value = generation_setting(catalogue_generation(call->catalogue), key);
    return value == NULL ? otherwise : value;
}

/* The images that a device may choose from: the logo of the site file, or those that the build
 * drew. */
static json_t *icons(const struct look *look) {
    if (look->logo != NULL) {
        bool is_png = text_ends(look->logo, ".png");
        return json_pack("[{s:o, s:s, s:s}]", "src", json_sprintf("/%s", look->logo), "type",
                         is_png ? "image/png" : "image/svg+xml", "sizes", "any");
    }
    return json_pack("[{s:s, s:s, s:s}, {s:s, s:s, s:s}, {s:s, s:s, s:s}]", "src", "/icon.svg",
                     "type", "image/svg+xml", "sizes", "any", "src", "/icon-192.png", "type",
                     "image/png", "sizes", "192x192", "src", "/icon-512.png", "type", "image/png",
                     "sizes", "512x512");
}

bool handle_manifest(const struct call *call, struct reply *reply, struct error *error) {
    const struct look *look = &call->site->look;
    reply->model = json_pack(
        "{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:o}", "name", words_get(call, WORD_TITLE),
        "short_name", words_get(call, WORD_SHORT_TITLE), "description",
        words_get(call, WORD_DESCRIPTION), "lang", setting(call, "language", "en-GB"), "start_url",
        "/", "display", "browser", "background_color", look->has_colours ? look->paper : "#fcfcfa",
        "theme_color", look->has_colours ? look->accent : "#0a5f50", "icons", icons(look));
    return reply->model != NULL || error_no_memory(error);
}

/* The Expires field must hold for as long as someone may keep the answer, so it is counted from
 * today and the answer is never kept. */
bool handle_security(const struct call *call, struct reply *reply, struct error *error) {
    enum { VALID_DAYS = 180 };
    const char *url = call->site->public_url;
    const char *contact = setting(call, "security_contact", NULL);
    char expires[TEXT_DATE_BYTES];
    text_iso_date(text_today() + VALID_DAYS, expires);
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    if (contact != NULL) {
        buf_add_format(&text, "Contact: %s\n", contact);
    }
    buf_add_format(&text,
                   "Contact: %s/corrections/\nExpires: %sT00:00:00Z\nPreferred-Languages: en\n"
                   "Canonical: %s/.well-known/security.txt\n",
                   url, expires, url);
    reply->text = buf_take(&text);
    return reply->text != NULL || error_no_memory(error);
}
