/* /sitemap.xml: every page, with the day on which what it shows was last reviewed. */
#include "addresses.h"
#include "handlers.h"

bool handle_sitemap(const struct call *call, struct reply *reply, struct error *error) {
    json_t *addresses = addresses_all(call->catalogue, error);
    if (addresses == NULL) {
        return false;
    }
    reply->model = json_pack("{s:o}", "addresses", addresses);
    return reply->model != NULL || error_no_memory(error);
}
