/* The files of public/. No path of a client ever reaches the file system: assets are loaded at
 * start. */
#include "handlers.h"
#include "site.h"

bool handle_asset(const struct call *call, struct reply *reply, struct error *error) {
    const struct asset *asset = site_asset(call->site, call->target->path);
    if (asset == NULL) {
        return error_set(error, ERROR_NOT_FOUND, "there is no such file");
    }
    reply->bytes = asset->bytes;
    reply->length = asset->length;
    reply->content_type = asset->content_type;
    return true;
}
