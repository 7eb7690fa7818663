/* /healthz: the process serves. /readyz: it can answer from its catalogue. */
#include "handlers.h"
#include <stdlib.h>
#include <string.h>

bool handle_health(const struct call *call, struct reply *reply, struct error *error) {
    json_t *row = catalogue_row(call->catalogue, STATEMENT_LAST_REVIEWED, NULL, 0, error);
    if (row == NULL) {
        return false;
    }
    json_decref(row);
    reply->text = strdup("ok\n");
    return reply->text != NULL || error_no_memory(error);
}
