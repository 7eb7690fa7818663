/* /badge/<slug>.svg: one fact of a provider as a small picture; without attribute= how much of it
 * is documented, and since when. */
#include "facts.h"
#include "handlers.h"
#include "limit.h"
#include "parameter.h"
#include "site.h"
#include "text.h"
#include <stdio.h>
#include <string.h>

enum { VALUE_CHARACTERS = 40, HEIGHT = 20, BASELINE = 14, PADDING = 6 };

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* --- text --- */

/* The width of a text in tenths of a pixel, in a sans serif of 11 pixels. The picture stretches the
 * text to it, so that it fits in whatever font there is. */
static int width_of(const char *text) {
    enum { NARROW = 37, MIDDLE = 65, WIDE = 77, WIDEST = 100 };
    int width = 0;
    for (; *text != '\0'; text++) {
        unsigned char byte = (unsigned char)*text;
        if ((byte & 0xc0U) == 0x80U) {
            continue;
        }
        bool is_narrow = strchr("iIjl.,:;'!|()[]ftr /-", *text) != NULL;
        bool is_wide = (byte >= 'A' && byte <= 'Z') || byte >= 0x80U;
        width += strchr("MWmw@%", *text) != NULL ? WIDEST
                 : is_narrow                     ? NARROW
                 : is_wide                       ? WIDE
                                                 : MIDDLE;
    }
    return width / 10;
}

/* At most so many characters, then an ellipsis. New reference. */
static json_t *shorten(const char *text) {
    size_t bytes = 0;
    size_t characters = 0;
    while (text[bytes] != '\0') {
        if (characters == VALUE_CHARACTERS && ((unsigned char)text[bytes] & 0xc0U) != 0x80U) {
            return json_sprintf("%.*s\u2026", (int)bytes, text);
        }
        characters += ((unsigned char)text[bytes] & 0xc0U) != 0x80U;
        bytes++;
    }
    return json_string(text);
}

/* --- what it says --- */

/* Texts of a badge; the references are owned. */
struct badge {
    json_t *value;
    json_t *description;
    const char *colour;
};

/* Dark enough for white text: the contrast is at least 4.5. */
static const char good_colour[] = "#1a6b3c";
static const char plain_colour[] = "#1f5f8b";
static const char unknown_colour[] = "#5c6066";
static const char ended_colour[] = "#9c2f2f";

static struct badge of_status(const char *name, enum provider_status status) {
    bool ended = status == STATUS_DISCONTINUED;
    return (struct badge){
        .value = json_string(ended ? "discontinued" : "winding down"),
        .description = json_sprintf("%s is %s.", name, ended ? "discontinued" : "winding down"),
        .colour = ended_colour};
}

static bool is_of_provider(const json_t *fact) {
    return strchr(string_of(fact, "id"), '/') == NULL;
}

/* How many facts are documented, and the newest day on which one was checked. */
static struct badge of_all(const struct call *call, const char *name, const json_t *facts) {
    size_t documented = 0;
    const char *checked = "";
    size_t i = 0;
    json_t *fact = NULL;
    json_array_foreach(facts, i, fact) {
        documented += strcmp(string_of(fact, "state"), "documented") == 0;
        checked = strcmp(string_of(fact, "checked_on"), checked) > 0 ? string_of(fact, "checked_on")
                                                                     : checked;
    }
    char day[TEXT_DATE_BYTES] = "";
    bool has_day = checked[0] != '\0' && text_human_date(call->site->look.language, checked, day);
    return (struct badge){
        .value = json_sprintf("%zu sourced facts%s%s", documented, has_day ? ", " : "", day),
        .description = json_sprintf("%zu facts about %s are documented, each with its source; last "
                                    "checked %s.",
                                    documented, name, has_day ? day : "never"),
        .colour = good_colour};
}

static bool has_state(const json_t *fact, const char *state) {
    return strcmp(string_of(fact, "state"), state) == 0;
}

/* " (vm)" of a fact of an offering, "" of a provider's. New reference. */
static json_t *of_offering(const json_t *fact) {
    const char *slash = strchr(string_of(fact, "id"), '/');
    return slash == NULL ? json_string("")
                         : json_sprintf(" (%.*s)", (int)strcspn(slash + 1, ":"), slash + 1);
}

static struct badge of_fact(const char *name, const struct index_attribute *attribute,
                            const json_t *fact) {
    if (fact == NULL || !has_state(fact, "documented")) {
        const char *text = fact == NULL ? "not documented" : string_of(fact, "text");
        return (struct badge){.value = json_sprintf("%s: %s", attribute->label, text),
                              .description =
                                  json_sprintf("%s of %s: %s.", attribute->label, name, text),
                              .colour = unknown_colour};
    }
    json_t *text = shorten(string_of(fact, "text"));
    const json_t *source = json_object_get(fact, "source");
    json_t *of = of_offering(fact);
    struct badge badge = {.value = json_sprintf("%s: %s%s", attribute->label,
                                                json_string_value(text), json_string_value(of)),
                          .description =
                              json_sprintf("%s of %s%s: %s. Source: %s, %s, checked %s.",
                                           attribute->label, name, json_string_value(of),
                                           string_of(fact, "text"), string_of(source, "title"),
                                           string_of(source, "url"), string_of(fact, "checked_on")),
                          .colour = plain_colour};
    json_decref(of);
    json_decref(text);
    return badge;
}

/* The provider's own fact of an attribute; where it is not documented, that of the one offering of
 * which it is; or NULL. */
static const json_t *find_fact(const json_t *facts, const char *key) {
    const json_t *own = NULL;
    const json_t *offered = NULL;
    size_t documented = 0;
    size_t i = 0;
    json_t *fact = NULL;
    json_array_foreach(facts, i, fact) {
        bool is_asked = strcmp(string_of(fact, "attribute"), key) == 0;
        if (is_asked && is_of_provider(fact)) {
            own = fact;
        } else if (is_asked && has_state(fact, "documented")) {
            offered = fact;
            documented++;
        }
    }
    return documented == 1 && (own == NULL || has_state(own, "not_documented")) ? offered : own;
}

/* Takes the texts over. */
static json_t *picture(const char *name, struct badge badge) {
    const char *value = json_string_value(badge.value);
    const int left = width_of(name);
    const int right = width_of(value == NULL ? "" : value);
    const int left_box = left + 2 * PADDING;
    const int right_box = right + 2 * PADDING;
    return json_pack(
        "{s:s, s:o, s:o, s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "badge_name", name,
        "badge_value", badge.value, "badge_description", badge.description, "badge_colour",
        badge.colour, "badge_width", left_box + right_box, "badge_height", HEIGHT, "badge_left",
        left_box, "badge_right", right_box, "badge_left_text", left, "badge_right_text", right,
        "badge_left_x", PADDING, "badge_right_x", left_box + PADDING, "badge_y", BASELINE);
}

/* --- the address --- */

/* The attribute asked for, or NULL. */
static bool read_attribute(const struct call *call, const struct index_attribute **out_attribute,
                           struct reply *reply, bool *out_refused, struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(call->catalogue));
    const char *key = parameter_text(call, "attribute");
    *out_attribute = key == NULL ? NULL : index_attribute(index, key);
    if (key == NULL || *out_attribute != NULL) {
        return true;
    }
    json_t *allowed = json_array();
    for (size_t i = 0; i < index->attribute_count; i++) {
        if (json_array_append_new(allowed, json_string(index->attributes[i].key)) != 0) {
            json_decref(allowed);
            return error_no_memory(error);
        }
    }
    *out_refused = true;
    return parameter_refuse(reply, "attribute", key, "There is no attribute of that name.", allowed,
                            error);
}

bool canonical_badge(const struct call *call, struct buf *out, struct reply *reply,
                     bool *out_refused, struct error *error) {
    const struct index_attribute *attribute = NULL;
    bool good = read_attribute(call, &attribute, reply, out_refused, error);
    parameter_add(out, out->length, "attribute", attribute == NULL ? NULL : attribute->key);
    return good;
}

bool handle_badge(const struct call *call, struct reply *reply, struct error *error) {
    const struct generation *generation = catalogue_generation(call->catalogue);
    const struct index_provider *provider =
        index_provider(generation_index(generation), call->captures[0]);
    const struct index_attribute *attribute = NULL;
    bool refused = false;
    if (provider == NULL) {
        return reply_not_found(call, reply, error);
    }
    if (!read_attribute(call, &attribute, reply, &refused, error) || refused) {
        return refused;
    }
    json_t *rows = CATALOGUE_ROWS(call->catalogue, STATEMENT_FACTS_OF_PROVIDER, error,
                                  BIND_TEXT(provider->slug));
    json_t *facts = rows == NULL ? NULL : facts_from_rows(generation, rows, error);
    if (facts == NULL) {
        return false;
    }
    reply->model = picture(
        provider->name,
        attribute != NULL ? of_fact(provider->name, attribute, find_fact(facts, attribute->key))
        : provider->status != STATUS_ACTIVE ? of_status(provider->name, provider->status)
                                            : of_all(call, provider->name, facts));
    json_decref(facts);
    return reply->model != NULL || error_no_memory(error);
}
