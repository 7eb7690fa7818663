#include "check_prose.h"
#include "check.h"
#include "prose.h"
#include <string.h>

struct prose_rule {
    const char *key;
    const char *severity;
    const char *mend;
};

static const struct prose_rule unreadable = {"prose-mark", "error",
                                             "write the mark as include/prose.h says"};
static const struct prose_rule missing_fact = {
    "prose-fact", "error", "name a fact of the catalogue as provider:attribute"};
static const struct prose_rule missing_source = {"prose-source", "error",
                                                 "name a source of the catalogue"};
static const struct prose_rule older = {
    "prose-older", "error", "read the prose again beside the new value, and move its reviewed_on"};

static bool report(json_t *findings, const struct prose_rule *rule, const char *name,
                   const char *message, struct error *error) {
    json_t *finding = json_pack("{s:s, s:s, s:s, s:s, s:s, s:n, s:n}", "rule", rule->key,
                                "severity", rule->severity, "row", name, "message", message, "mend",
                                rule->mend, "line_start", "line_end");
    return json_array_append_new(findings, finding) == 0 || error_no_memory(error);
}

static const char *string_of(const json_t *object, const char *key) {
    return json_string_value(json_object_get(object, key));
}

static bool check_fact(const json_t *data, json_t *findings, const char *name, const json_t *fact,
                       struct error *error) {
    const json_t *facts = json_object_get(data, "facts");
    const char *provider = string_of(fact, "provider");
    const char *offering = string_of(fact, "offering");
    const char *attribute = string_of(fact, "attribute");
    char message[256];
    const char *since = json_string_value(prose_fact(facts, provider, offering, attribute));
    const char *reviewed = string_of(json_object_get(data, "reviewed"), name);
    if (since == NULL) {
        (void)snprintf(message, sizeof(message), "cites the missing fact %s%s%s:%s", provider,
                       offering == NULL ? "" : "/", offering == NULL ? "" : offering, attribute);
        return report(findings, &missing_fact, name, message, error);
    }
    if (reviewed != NULL && strcmp(since, reviewed) > 0) {
        (void)snprintf(message, sizeof(message), "was reviewed on %s, before %s:%s changed on %s",
                       reviewed, provider, attribute, since);
        return report(findings, &older, name, message, error);
    }
    return true;
}

static bool check_body(const json_t *data, json_t *findings, const char *name, const char *body,
                       struct error *error) {
    struct error fault = {0};
    json_t *references = prose_references(name, body, &fault);
    if (references == NULL) {
        return fault.kind == ERROR_NO_MEMORY
                   ? error_no_memory(error)
                   : report(findings, &unreadable, name, fault.message, error);
    }
    bool good = true;
    size_t i = 0;
    json_t *reference = NULL;
    json_array_foreach(json_object_get(references, "facts"), i, reference) {
        good = good && check_fact(data, findings, name, reference, error);
    }
    json_array_foreach(json_object_get(references, "sources"), i, reference) {
        char message[256];
        const char *id = json_string_value(reference);
        if (json_object_get(json_object_get(data, "sources"), id) == NULL) {
            (void)snprintf(message, sizeof(message), "cites the missing source %s", id);
            good = good && report(findings, &missing_source, name, message, error);
        }
    }
    json_decref(references);
    return good;
}

bool check_prose(const struct image *image, json_t *findings, struct error *error) {
    json_t *data = check_prose_data(image, error);
    bool good = data != NULL;
    const char *name = NULL;
    json_t *body = NULL;
    json_object_foreach(json_object_get(data, "bodies"), name, body) {
        good = good && check_body(data, findings, name, json_string_value(body), error);
    }
    json_decref(data);
    return good;
}
