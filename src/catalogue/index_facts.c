/* The facts of the index. One pass over the rows keeps each fact in short and says which one
 * answers for which slot; then, once it is known which values there are, each is filed under its
 * slots. */
#include "buf.h"
#include "index_private.h"
#include "rows.h"
#include "text.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Columns of STATEMENT_INDEX_FACTS. */
enum {
    FACT_ROWID,
    FACT_PROVIDER,
    FACT_OFFERING,
    FACT_ATTRIBUTE,
    FACT_STATE,
    FACT_VALUE,
    FACT_CHECKED
};

/* A value of a fact by its number within the attribute; of a money map with its amount. */
struct member {
    uint32_t value;
    double amount;
};

/* A fact while the index is being made. */
struct kept_fact {
    int64_t rowid;
    int64_t checked; /* day */
    double number;   /* of an attribute of one number; NAN: none */
    size_t first_member;
    uint32_t member_count;
    uint32_t attribute;
    uint32_t first_slot;
    uint32_t slot_count; /* more than one for a fact of a whole provider */
    bool own;            /* of an offering */
    bool documented;
    bool not_applicable;
};

struct scan {
    struct catalogue_index *index;
    struct buf facts;                      /* struct kept_fact */
    struct buf members;                    /* struct member */
    const struct index_provider *provider; /* of the row before: rows of one stand together */
    struct index_attribute *attribute;
};

enum { SCAN_BYTES = 1024 * 1024 * 1024 };

/* --- values --- */

static bool add_member(struct scan *scan, struct kept_fact *fact, const char *value, size_t length,
                       double amount) {
    struct index_attribute *attribute = &scan->index->attributes[fact->attribute];
    struct member member = {.amount = amount};
    fact->member_count++;
    return index_add_value(attribute, value, length, &member.value) &&
           buf_add(&scan->members, &member, sizeof(member));
}

/* Whether a text is a JSON number in its plainest form, without an exponent. */
static bool is_plain_number(const char *text) {
    text += *text == '-';
    size_t whole = strspn(text, "0123456789");
    if (whole == 0 || (whole > 1 && text[0] == '0')) {
        return false;
    }
    text += whole;
    if (*text == '.') {
        size_t fraction = strspn(text + 1, "0123456789");
        text += fraction == 0 ? 0 : fraction + 1;
    }
    return *text == '\0';
}

/* Whether a text is a JSON string that reads as it is written. */
static bool is_plain_string(const char *text, size_t length) {
    if (length < 2 || text[0] != '"' || text[length - 1] != '"') {
        return false;
    }
    for (size_t i = 1; i < length - 1; i++) {
        unsigned char byte = (unsigned char)text[i];
        if (byte == '"' || byte == '\\' || byte < 0x20) {
            return false;
        }
    }
    return text_is_utf8(text, length);
}

static bool take_string(struct scan *scan, struct kept_fact *fact, const char *text,
                        size_t length) {
    const struct index_attribute *attribute = &scan->index->attributes[fact->attribute];
    if (attribute_is_numeric(attribute)) {
        fact->number = INFINITY;
        return attribute->type == TYPE_DURATION;
    }
    return add_member(scan, fact, text, length, NAN);
}

static bool take_list(struct scan *scan, struct kept_fact *fact, const json_t *list) {
    size_t i = 0;
    json_t *member = NULL;
    json_array_foreach(list, i, member) {
        if (!json_is_string(member) ||
            !add_member(scan, fact, json_string_value(member), json_string_length(member), NAN)) {
            return false;
        }
    }
    return true;
}

static bool take_map(struct scan *scan, struct kept_fact *fact, const json_t *map) {
    const char *name = NULL;
    json_t *amount = NULL;
    json_object_foreach((json_t *)map, name, amount) {
        if (!json_is_number(amount) ||
            !add_member(scan, fact, name, strlen(name), json_number_value(amount))) {
            return false;
        }
    }
    return true;
}

/* Any other JSON. */
static bool take_json(struct scan *scan, struct kept_fact *fact, const json_t *value) {
    const struct index_attribute *attribute = &scan->index->attributes[fact->attribute];
    if (json_is_string(value)) {
        return take_string(scan, fact, json_string_value(value), json_string_length(value));
    }
    if (attribute_is_numeric(attribute)) {
        fact->number = json_number_value(value);
        return json_is_number(value);
    }
    return json_is_array(value) ? take_list(scan, fact, value)
                                : json_is_object(value) && take_map(scan, fact, value);
}

static bool take_value(struct scan *scan, struct kept_fact *fact, const char *text, size_t length) {
    const struct index_attribute *attribute = &scan->index->attributes[fact->attribute];
    fact->documented = true;
    if (attribute->type == TYPE_BOOL) {
        return (strcmp(text, "true") == 0 || strcmp(text, "false") == 0) &&
               add_member(scan, fact, text, length, NAN);
    }
    if (attribute_is_numeric(attribute) && is_plain_number(text)) {
        fact->number = strtod(text, NULL);
        return true;
    }
    if (is_plain_string(text, length)) {
        return take_string(scan, fact, text + 1, length - 2);
    }
    json_t *value = json_loadb(text, length, JSON_DECODE_ANY, NULL);
    bool good = value != NULL && take_json(scan, fact, value);
    json_decref(value);
    return good;
}

/* --- rows --- */

static bool find_owner(struct scan *scan, sqlite3_stmt *row, struct error *error) {
    const char *provider = row_text(row, FACT_PROVIDER);
    const char *attribute = row_text(row, FACT_ATTRIBUTE);
    if (provider == NULL || attribute == NULL) {
        return error_no_memory(error);
    }
    if (scan->provider == NULL || strcmp(scan->provider->slug, provider) != 0) {
        scan->provider = index_provider(scan->index, provider);
    }
    /* The facts of a provider mostly come by the position of their attribute. */
    const struct index_attribute *end = scan->index->attributes + scan->index->attribute_count;
    struct index_attribute *next = scan->attribute == NULL ? NULL : scan->attribute + 1;
    scan->attribute = next != NULL && next < end && strcmp(next->key, attribute) == 0
                          ? next
                          : index_attribute_mutable(scan->index, attribute);
    return (scan->provider != NULL && scan->attribute != NULL) ||
           error_set(error, ERROR_CORRUPT,
                     "a fact of the catalogue names a missing provider or attribute");
}

/* A slot's own fact is marked by its negative rowid until it is filed, so that a provider's fact
 * never replaces it. */
static void place_fact(const struct catalogue_index *index, const struct kept_fact *fact) {
    int64_t *facts = index->attributes[fact->attribute].facts + fact->first_slot;
    if (fact->own) {
        facts[0] = -fact->rowid;
        return;
    }
    for (size_t i = 0; i < fact->slot_count; i++) {
        facts[i] = facts[i] < 0 ? facts[i] : fact->rowid;
    }
}

static bool keep_fact(void *context, sqlite3_stmt *row, struct error *error) {
    struct scan *scan = context;
    struct catalogue_index *index = scan->index;
    if (!find_owner(scan, row, error)) {
        return false;
    }
    const char *offering = row_text(row, FACT_OFFERING);
    const char *state = row_text(row, FACT_STATE);
    const char *value = row_text(row, FACT_VALUE);
    const struct index_slot *slot =
        offering == NULL ? NULL : index_slot(index, scan->provider, offering);
    struct kept_fact fact = {
        .rowid = sqlite3_column_int64(row, FACT_ROWID),
        .number = NAN,
        .first_member = scan->members.length / sizeof(struct member),
        .attribute = (uint32_t)(scan->attribute - index->attributes),
        .first_slot =
            (uint32_t)(slot == NULL ? scan->provider->first_slot : (size_t)(slot - index->slots)),
        .slot_count = (uint32_t)(slot == NULL ? scan->provider->slot_count : 1),
        .own = slot != NULL,
        .not_applicable = state != NULL && strcmp(state, "not_applicable") == 0};
    if ((offering != NULL && slot == NULL) ||
        !text_day(row_text(row, FACT_CHECKED), &fact.checked)) {
        return error_set(error, ERROR_CORRUPT, "the fact %s of %s cannot be read",
                         scan->attribute->key, scan->provider->slug);
    }
    if (value != NULL &&
        !take_value(scan, &fact, value, (size_t)sqlite3_column_bytes(row, FACT_VALUE))) {
        return error_set(error, ERROR_CORRUPT,
                         "the fact %s of %s has a value that is no JSON or of the wrong type",
                         scan->attribute->key, scan->provider->slug);
    }
    place_fact(index, &fact);
    return buf_add(&scan->facts, &fact, sizeof(fact)) || error_no_memory(error);
}

/* --- filing --- */

static void file_members(struct index_attribute *attribute, const struct member *members,
                         size_t count, size_t slot) {
    for (size_t i = 0; i < count; i++) {
        struct index_value *value = &attribute->values[members[i].value];
        if (attribute->type == TYPE_TEXT) {
            attribute->texts[slot] = members[i].value + 1;
            continue;
        }
        slot_set_add(value->slots, slot);
        if (attribute->type == TYPE_MONEY_MAP) {
            value->amounts[slot] = members[i].amount;
            attribute->numbers[slot] = fmin(attribute->numbers[slot], members[i].amount);
        }
    }
}

static void file_fact(const struct catalogue_index *index, const struct kept_fact *fact,
                      const struct member *members) {
    struct index_attribute *attribute = &index->attributes[fact->attribute];
    for (size_t slot = fact->first_slot; slot < fact->first_slot + fact->slot_count; slot++) {
        if (!fact->own && attribute->facts[slot] != fact->rowid) {
            continue;
        }
        attribute->facts[slot] = fact->rowid;
        attribute->review_by[slot] = fact->checked + attribute->review_days;
        if (fact->documented || fact->not_applicable) {
            slot_set_remove(attribute->not_documented, slot);
        }
        if (fact->documented) {
            slot_set_add(attribute->documented, slot);
            if (attribute_is_numeric(attribute)) {
                attribute->numbers[slot] = fact->number;
            }
            if (members != NULL) {
                file_members(attribute, members, fact->member_count, slot);
            }
        }
    }
}

bool index_load_facts(struct catalogue_index *index, struct catalogue *catalogue,
                      const json_t *labels, struct error *error) {
    struct scan scan = {.index = index};
    buf_init(&scan.facts, SCAN_BYTES);
    buf_init(&scan.members, SCAN_BYTES);
    bool good = rows_each(catalogue, STATEMENT_INDEX_FACTS, NULL, 0, keep_fact, &scan, error) &&
                (index_allocate_values(index, labels) || error_no_memory(error));
    const void *fact_bytes = scan.facts.data;
    const void *member_bytes = scan.members.data;
    const struct kept_fact *facts = fact_bytes;
    const struct member *members = member_bytes;
    size_t count = scan.facts.length / sizeof(struct kept_fact);
    for (size_t i = 0; good && i < count; i++) {
        file_fact(index, &facts[i], members == NULL ? NULL : members + facts[i].first_member);
    }
    buf_free(&scan.facts);
    buf_free(&scan.members);
    return good;
}
