/* Catalogues that are too large for files which hold every fact. */
#include "catalogue_index.h"
#include "data_file.h"
#include "limit.h"

bool data_is_too_large(const struct call *call) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    return index->attribute_count > 0 &&
           index->slot_count > LIMIT_DATA_ANSWERS / index->attribute_count;
}

bool data_refuse_large(struct reply *reply, struct error *error) {
    return reply_problem(
        reply, 404, "too-large", "Too large for one file",
        "This catalogue has more facts than one file can hold. "
        "/data/catalogue.sqlite has them all, /data/providers/{slug}.json those of "
        "one provider.",
        NULL, error);
}
