#include "entry.h"
#include "question_private.h"

json_t *entry_provider(const struct index_provider *provider) {
    return json_pack("{s:s, s:s, s:s, s:s}", "slug", provider->slug, "name", provider->name,
                     "status", question_status_names[provider->status], "kind", provider->kind);
}

json_t *entry_offering(const struct catalogue_index *index, size_t slot) {
    const struct index_slot *entry = &index->slots[slot];
    return json_pack("{s:s?, s:s, s:s?, s:b}", "slug", entry->offering, "name", entry->name,
                     "stage", entry->stage, "default", (int)entry->is_default);
}
