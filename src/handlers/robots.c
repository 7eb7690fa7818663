/* /robots.txt */
#include "buf.h"
#include "handlers.h"
#include "limit.h"
#include "site.h"

bool handle_robots(const struct call *call, struct reply *reply, struct error *error) {
    struct buf text;
    buf_init(&text, LIMIT_TARGET_BYTES);
    buf_add_format(&text, "User-agent: *\nAllow: /\n\nSitemap: %s/sitemap.xml\n",
                   call->site->public_url);
    reply->text = buf_take(&text);
    return reply->text != NULL || error_no_memory(error);
}
