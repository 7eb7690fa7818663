/* /corrections/: how to report an error, with a text prepared for one fact where ?fact= names it.
 */
#include "handlers.h"
#include "parameter.h"
#include "provider_record.h"
#include "text.h"
#include "view.h"
#include <stdlib.h>
#include <string.h>

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

/* The parts of a fact's name "provider:attribute" or "provider/offering:attribute". */
struct fact_name {
    char *copy; /* owns the parts; freed by the caller */
    const char *provider;
    const char *offering; /* NULL: the provider's own */
    const char *attribute;
};

/* Splits a name. attribute is NULL where it is no such name. False: out of memory. */
static bool split(const char *text, struct fact_name *out) {
    *out = (struct fact_name){.copy = strdup(text)};
    if (out->copy == NULL) {
        return false;
    }
    out->provider = out->copy;
    char *colon = strchr(out->copy, ':');
    if (colon == NULL) {
        return true;
    }
    *colon = '\0';
    out->attribute = colon + 1;
    char *slash = strchr(out->copy, '/');
    if (slash != NULL) {
        *slash = '\0';
        out->offering = slash + 1;
    }
    return true;
}

/* The fact that a provider or an offering itself states under an attribute, with a reference, or
 * NULL: then either error is set or there is none. */
static json_t *find_fact(struct catalogue *catalogue, const struct fact_name *name,
                         struct error *error) {
    const struct catalogue_index *index = generation_index(catalogue_generation(catalogue));
    if (name->attribute == NULL || index_provider(index, name->provider) == NULL ||
        index_attribute(index, name->attribute) == NULL) {
        return NULL;
    }
    json_t *record = provider_record(catalogue, name->provider, error);
    json_t *facts = name->offering == NULL ? json_object_get(record, "facts") : NULL;
    size_t i = 0;
    json_t *offering = NULL;
    json_array_foreach(json_object_get(record, "offerings"), i, offering) {
        if (name->offering != NULL && strcmp(string_of(offering, "slug"), name->offering) == 0) {
            facts = json_object_get(offering, "facts");
        }
    }
    json_t *fact = json_incref(json_object_get(facts, name->attribute));
    json_decref(record);
    return fact;
}

bool canonical_corrections(const struct call *call, struct buf *out, struct reply *reply,
                           bool *out_refused, struct error *error) {
    (void)reply;
    (void)out_refused;
    (void)error;
    parameter_add(out, out->length, "fact", parameter_text(call, "fact"));
    return true;
}

/* Who can be reached, by the catalogue's settings: an address is shown as a link, anything else as
 * text. */
static void set_contact(struct view *view) {
    const struct generation *generation = catalogue_generation(view->call->catalogue);
    const char *address = generation_setting(generation, "corrections_url");
    const char *contact = generation_setting(generation, "contact");
    bool contact_is_address = contact != NULL && text_starts(contact, "https://");
    if (address == NULL && contact_is_address) {
        address = contact;
    }
    view_set(view, "correction_url", address == NULL ? json_null() : json_string(address));
    view_set(view, "correction_contact",
             contact == NULL || contact_is_address ? json_null() : json_string(contact));
    view_set(view, "correction_unreachable", json_boolean(address == NULL && contact == NULL));
}

/* The fact on show: who and what, its cell, and where it stands. */
static json_t *subject_of(struct view *view, const struct fact_name *name, const json_t *fact) {
    const struct catalogue_index *index =
        generation_index(catalogue_generation(view->call->catalogue));
    const struct index_provider *provider = index_provider(index, name->provider);
    const struct index_slot *slot =
        name->offering == NULL ? NULL : index_slot(index, provider, name->offering);
    const struct index_attribute *attribute = index_attribute(index, name->attribute);
    json_t *subject = slot == NULL ? json_string(provider->name)
                                   : json_sprintf("%s, %s", provider->name, slot->name);
    if (subject == NULL) {
        return NULL;
    }
    json_t *cell = view_cell(view, attribute, fact, json_string_value(subject));
    const json_t *source = json_object_get(fact, "source");
    return json_pack(
        "{s:o, s:s, s:o, s:o, s:o, s:O, s:O, s:O, s:O, s:O, s:O, s:O}", "subject", subject, "label",
        attribute->label, "cell", cell, "path",
        json_sprintf("/sandboxes/%s/#%s%s%s", provider->slug, slot == NULL ? "" : name->offering,
                     slot == NULL ? "" : "-", attribute->key),
        "checked", view_date(view, string_of(fact, "checked_on")), "id",
        json_object_get(fact, "id"), "text", json_object_get(fact, "text"), "detail",
        json_object_get(fact, "detail"), "checked_on", json_object_get(fact, "checked_on"), "basis",
        json_object_get(fact, "basis"), "source_title",
        source == NULL || json_is_null(source) ? json_null() : json_object_get(source, "title"),
        "source_url",
        source == NULL || json_is_null(source) ? json_null() : json_object_get(source, "url"));
}

static bool fill_page(const struct call *call, const struct fact_name *name, const json_t *fact,
                      struct reply *reply, struct error *error) {
    struct view view;
    view_start(&view, call, "/corrections/", "Report an error",
               "How to report a wrong, old or missing value, which needs no account: what to send, "
               "where to, and what happens to the old value.");
    set_contact(&view);
    json_t *subject = fact == NULL ? json_null() : view_new(&view, subject_of(&view, name, fact));
    if (json_is_object(subject)) {
        view_set(&view, "page_title",
                 json_sprintf("Report an error: %s, %s", string_of(subject, "subject"),
                              string_of(subject, "label")));
        view_set(&view, "page_heading", json_string("Report an error"));
    }
    view_set(&view, "correction_fact", subject);
    return view_finish(&view, reply, error);
}

bool handle_corrections(const struct call *call, struct reply *reply, struct error *error) {
    const char *wanted = parameter_text(call, "fact");
    reply->model = json_object();
    if (reply->model == NULL) {
        return error_no_memory(error);
    }
    if (wanted == NULL) {
        return fill_page(call, NULL, NULL, reply, error);
    }
    struct fact_name name;
    if (!split(wanted, &name)) {
        return error_no_memory(error);
    }
    error->kind = ERROR_NONE;
    json_t *fact = find_fact(call->catalogue, &name, error);
    bool good = false;
    if (fact != NULL) {
        good = fill_page(call, &name, fact, reply, error);
    } else if (error->kind == ERROR_NONE) {
        good = parameter_refuse(
            reply, "fact", wanted,
            "There is no fact of that name. A fact is named provider:attribute, or "
            "provider/offering:attribute where an offering states its own.",
            NULL, error);
    }
    json_decref(fact);
    free(name.copy);
    return good;
}
