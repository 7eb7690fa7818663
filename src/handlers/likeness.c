#include "likeness.h"
#include "card.h"
#include "facts.h"
#include "ranking.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- loading --- */

static bool load_facts(struct likeness *likeness, struct error *error) {
    size_t attributes = likeness->index->attribute_count;
    size_t slots = likeness->detailed + 1;
    int64_t *rowids = calloc(attributes * slots + 1, sizeof(*rowids));
    if (rowids == NULL) {
        return error_no_memory(error);
    }
    for (size_t i = 0; i < slots; i++) {
        size_t slot = i == 0 ? likeness->slot : likeness->list[i - 1].slot;
        for (size_t j = 0; j < attributes; j++) {
            rowids[i * attributes + j] = likeness->index->attributes[j].facts[slot];
        }
    }
    likeness->facts = facts_by_rowid(likeness->call->catalogue, rowids, attributes * slots, error);
    free(rowids);
    return likeness->facts != NULL;
}

bool likeness_load(struct likeness *likeness, const struct call *call,
                   const struct index_provider *provider, size_t detailed, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    *likeness = (struct likeness){.call = call, .index = index, .provider = provider};
    likeness->slot = similarity_slot(index, provider);
    likeness->list = calloc(index->provider_count + 1, sizeof(*likeness->list));
    if (likeness->list == NULL) {
        return error_no_memory(error);
    }
    likeness->count = similarity_rank(index, provider, likeness->list);
    likeness->detailed = detailed < likeness->count ? detailed : likeness->count;
    likeness->pairs = catalogue_rows(call->catalogue, STATEMENT_PAIRS, NULL, 0, error);
    return likeness->pairs != NULL && load_facts(likeness, error);
}

void likeness_free(struct likeness *likeness) {
    free(likeness->list);
    json_decref(likeness->facts);
    json_decref(likeness->pairs);
    *likeness = (struct likeness){0};
}

static const json_t *fact_of(const struct likeness *likeness,
                             const struct index_attribute *attribute, size_t slot) {
    char rowid[24];
    (void)snprintf(rowid, sizeof(rowid), "%lld", (long long)attribute->facts[slot]);
    return json_object_get(likeness->facts, rowid);
}

json_t *likeness_fact_address(const json_t *fact) {
    const char *id = string_of(fact, "id");
    if (id == NULL) {
        return NULL;
    }
    const char *colon = strchr(id, ':');
    size_t place = strcspn(id, ":");
    size_t slug = strcspn(id, "/:");
    if (slug == place) {
        return json_sprintf("/sandboxes/%.*s/#%s", (int)slug, id, colon + 1);
    }
    return json_sprintf("/sandboxes/%.*s/#%.*s-%s", (int)slug, id, (int)(place - slug - 1),
                        id + slug + 1, colon + 1);
}

/* --- one alternative --- */

json_t *likeness_entry(const struct likeness *likeness, size_t place) {
    const struct similarity *entry = &likeness->list[place];
    const char *slug = entry->provider->slug;
    const char *offering =
        entry->provider->has_offerings ? likeness->index->slots[entry->slot].name : NULL;
    return json_pack("{s:i, s:s, s:o, s:o, s:s, s:s, s:s?, s:o, s:o}", "place", (int)place + 1,
                     "slug", slug, "href", json_sprintf("/sandboxes/%s/", slug), "more",
                     json_sprintf("/alternatives/%s/", slug), "name", entry->provider->name,
                     "provider", likeness->provider->name, "offering", offering, "score",
                     ranking_score(entry->low, entry->high), "pair",
                     card_pair_address(likeness->pairs, likeness->provider->slug, slug));
}

struct lists {
    json_t *shares;
    json_t *gains;
    json_t *loses;
    json_t *unknown;
    json_t *differing;
    bool failed;
};

static void append(struct lists *lists, json_t *list, json_t *entry) {
    if (json_array_append_new(list, entry) != 0) {
        lists->failed = true;
    }
}

static json_t *line(const struct index_attribute *attribute, json_t *text, const json_t *fact) {
    return json_pack("{s:s, s:o, s:o}", "label", attribute->label, "text", text, "href",
                     likeness_fact_address(fact));
}

/* Members of a set that one slot has and the other lacks, as words; NULL: none. */
static json_t *surplus(const struct index_attribute *attribute, size_t one, size_t other) {
    enum { TEXT_BYTES = 16 * 1024 };
    struct buf text;
    buf_init(&text, TEXT_BYTES);
    for (size_t i = 0; i < attribute->value_count; i++) {
        const struct index_value *value = &attribute->values[i];
        if (slot_set_has(value->slots, one) && !slot_set_has(value->slots, other)) {
            buf_add_format(&text, "%s%s", text.length == 0 ? "" : ", ", value->label);
        }
    }
    json_t *result = text.failed || text.length == 0 ? NULL : json_stringn(text.data, text.length);
    buf_free(&text);
    return result;
}

/* What the slot has over the other, as words; NULL: nothing that can be called more. Kinds of
 * isolation are no gains by number, so they only differ; enums have no better end. */
static json_t *advantage(const struct index_attribute *attribute, size_t slot, size_t other,
                         const json_t *fact, const json_t *other_fact) {
    if (attribute->type == TYPE_SET) {
        return strcmp(attribute->key, "isolation") == 0 ? NULL : surplus(attribute, slot, other);
    }
    if (attribute->type == TYPE_BOOL) {
        return json_is_true(json_object_get(fact, "value")) ? json_string("yes") : NULL;
    }
    if (!attribute_is_numeric(attribute) || attribute->better == BETTER_NEITHER) {
        return NULL;
    }
    double mine = attribute->numbers[slot];
    double theirs = attribute->numbers[other];
    bool better = attribute->better == BETTER_HIGHER ? mine > theirs : mine < theirs;
    return better ? json_sprintf("%s instead of %s", string_of(fact, "text"),
                                 string_of(other_fact, "text"))
                  : NULL;
}

static void add_contrast(const struct likeness *likeness, const struct similarity *entry,
                         const struct index_attribute *attribute, struct view *view,
                         struct lists *lists) {
    const json_t *mine = fact_of(likeness, attribute, likeness->slot);
    const json_t *theirs = fact_of(likeness, attribute, entry->slot);
    json_t *gain = advantage(attribute, entry->slot, likeness->slot, theirs, mine);
    json_t *loss = advantage(attribute, likeness->slot, entry->slot, mine, theirs);
    if (gain != NULL) {
        append(lists, lists->gains, line(attribute, gain, theirs));
    }
    if (loss != NULL) {
        append(lists, lists->loses, line(attribute, loss, mine));
    }
    if (view != NULL && attribute->headline) {
        append(lists, lists->differing,
               json_pack("{s:s, s:s, s:o, s:s, s:o}", "label", attribute->label, "mine_name",
                         likeness->provider->name, "mine", view_cell_linked(view, attribute, mine),
                         "theirs_name", entry->provider->name, "theirs",
                         view_cell_linked(view, attribute, theirs)));
    }
}

static void add_attribute(const struct likeness *likeness, const struct similarity *entry,
                          const struct index_attribute *attribute, struct view *view,
                          struct lists *lists) {
    const double alike = 1;
    struct agreement agreement = similarity_agreement(attribute, likeness->slot, entry->slot);
    const json_t *theirs = fact_of(likeness, attribute, entry->slot);
    if (agreement.weight <= 0) {
        return;
    }
    if (slot_set_has(attribute->not_documented, entry->slot)) {
        append(lists, lists->unknown,
               json_pack("{s:s, s:o}", "label", attribute->label, "href",
                         theirs == NULL ? json_null() : likeness_fact_address(theirs)));
    } else if (agreement.low >= alike) {
        append(lists, lists->shares,
               line(attribute, json_incref(json_object_get(theirs, "text")), theirs));
    } else if (slot_set_has(attribute->documented, entry->slot)) {
        add_contrast(likeness, entry, attribute, view, lists);
    }
}

json_t *likeness_detail(const struct likeness *likeness, size_t place, struct view *view) {
    const struct similarity *entry = &likeness->list[place];
    struct lists lists = {.shares = json_array(),
                          .gains = json_array(),
                          .loses = json_array(),
                          .unknown = json_array(),
                          .differing = json_array()};
    for (size_t i = 0; i < likeness->index->attribute_count; i++) {
        add_attribute(likeness, entry, &likeness->index->attributes[i], view, &lists);
    }
    json_t *result = likeness_entry(likeness, place);
    size_t shared = json_array_size(lists.shares);
    size_t unknown = json_array_size(lists.unknown);
    bool differs = json_array_size(lists.differing) > 0;
    json_t *added =
        json_pack("{s:I, s:I, s:b, s:o, s:o, s:o, s:o, s:o}", "shared_count", (json_int_t)shared,
                  "unknown_count", (json_int_t)unknown, "has_differing", (int)differs, "shares",
                  lists.shares, "gains", lists.gains, "loses", lists.loses, "unknown",
                  lists.unknown, "differing", lists.differing);
    bool good = !lists.failed && added != NULL && json_object_update(result, added) == 0;
    json_decref(added);
    if (!good) {
        json_decref(result);
        return NULL;
    }
    return result;
}
