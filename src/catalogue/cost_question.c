/* Reading a question about costs, strictly. */
#include "cost.h"
#include "cost_exact.h"
#include "text.h"
#include <ctype.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

enum parameter {
    P_SANDBOXES,
    P_HOURS,
    P_ACTIVE,
    P_PAUSED,
    P_RUNS,
    P_VCPU,
    P_MEMORY,
    P_STORAGE,
    P_GPU_HOURS,
    P_GPU, /* this and the rest are no numbers */
    P_FORMAT,
    P__COUNT
};

enum { P_NUMBERS = P_GPU };

/* Bounds in the parameter's units. */
static const struct parameter_form {
    const char *name;
    size_t offset;
    int digits;
    int64_t least;
    int64_t most;
    int64_t usual;
} forms[P_NUMBERS] = {
    [P_SANDBOXES] = {"sandboxes", offsetof(struct cost_question, sandboxes), 0, 1,
                     COST_SANDBOXES_MAXIMUM, 1},
    [P_HOURS] = {"hours", offsetof(struct cost_question, hours), COST_HOUR_DIGITS, 0,
                 (int64_t)COST_HOURS_MAXIMUM *COST_HOUR_UNITS, (int64_t)100 * COST_HOUR_UNITS},
    [P_ACTIVE] = {"active", offsetof(struct cost_question, active), COST_HOUR_DIGITS, 0,
                  COST_HOUR_UNITS, COST_HOUR_UNITS},
    [P_PAUSED] = {"paused", offsetof(struct cost_question, paused), COST_HOUR_DIGITS, 0,
                  COST_HOUR_UNITS, 0},
    [P_RUNS] = {"runs", offsetof(struct cost_question, runs), 0, 1, COST_RUNS_MAXIMUM, 0},
    [P_VCPU] = {"vcpu", offsetof(struct cost_question, vcpu), COST_SIZE_DIGITS, 100,
                (int64_t)COST_VCPU_MAXIMUM *COST_SIZE_UNITS, (int64_t)2 * COST_SIZE_UNITS},
    [P_MEMORY] = {"memory_gib", offsetof(struct cost_question, memory_gib), COST_SIZE_DIGITS, 100,
                  (int64_t)COST_MEMORY_MAXIMUM *COST_SIZE_UNITS, (int64_t)4 * COST_SIZE_UNITS},
    [P_STORAGE] = {"storage_gib", offsetof(struct cost_question, storage_gib), COST_SIZE_DIGITS, 0,
                   (int64_t)COST_STORAGE_MAXIMUM *COST_SIZE_UNITS, 0},
    [P_GPU_HOURS] = {"gpu_hours", offsetof(struct cost_question, gpu_hours), COST_HOUR_DIGITS, 0,
                     (int64_t)COST_HOURS_MAXIMUM *COST_HOUR_UNITS, 0},
};

static const char *const parameter_names[P__COUNT] = {
    [P_SANDBOXES] = "sandboxes", [P_HOURS] = "hours",         [P_ACTIVE] = "active",
    [P_PAUSED] = "paused",       [P_RUNS] = "runs",           [P_VCPU] = "vcpu",
    [P_MEMORY] = "memory_gib",   [P_STORAGE] = "storage_gib", [P_GPU] = "gpu",
    [P_GPU_HOURS] = "gpu_hours", [P_FORMAT] = "format"};

static int64_t units_of(int digits) {
    int64_t units = 1;
    for (int i = 0; i < digits; i++) {
        units *= 10;
    }
    return units;
}

static int64_t *number_of(struct cost_question *question, enum parameter parameter) {
    void *number = (char *)question + forms[parameter].offset;
    return number;
}

void cost_add_decimal(struct buf *out, int64_t value, int64_t units) {
    buf_add_format(out, "%lld", (long long)(value / units));
    int64_t rest = value % units;
    if (rest != 0) {
        buf_add_char(out, '.');
    }
    while (rest != 0) {
        rest *= 10;
        buf_add_char(out, (char)('0' + rest / units));
        rest %= units;
    }
}

/* Copies a decimal to a small text. */
static void decimal_text(int64_t value, int64_t units, char *out, size_t size) {
    struct buf text;
    buf_init(&text, size);
    cost_add_decimal(&text, value, units);
    (void)snprintf(out, size, "%s", text.failed ? "" : text.data);
    buf_free(&text);
}

/* --- faults --- */

static enum cost_result fault_names(struct cost_fault *fault, const char *parameter,
                                    const char *detail, const char *given, const char *const *names,
                                    size_t count, struct error *error) {
    *fault = (struct cost_fault){.allowed = json_array()};
    (void)snprintf(fault->parameter, sizeof(fault->parameter), "%s", parameter);
    (void)snprintf(fault->detail, sizeof(fault->detail), "%s", detail);
    const char *nearest = text_nearest(given, names, count);
    (void)snprintf(fault->nearest, sizeof(fault->nearest), "%s", nearest == NULL ? "" : nearest);
    for (size_t i = 0; i < count; i++) {
        if (json_array_append_new(fault->allowed, json_string(names[i])) != 0) {
            json_decref(fault->allowed);
            fault->allowed = NULL;
            (void)error_no_memory(error);
            return COST_FAILED;
        }
    }
    return COST_FAULTY;
}

/* A number outside [least, most]; the nearest one within is the bound that it passed. */
static enum cost_result fault_range(struct cost_fault *fault, enum parameter parameter,
                                    int64_t least, int64_t most, const char *why, const char *given,
                                    struct error *error) {
    const struct parameter_form *form = &forms[parameter];
    char low[32];
    char high[32];
    decimal_text(least, units_of(form->digits), low, sizeof(low));
    decimal_text(most, units_of(form->digits), high, sizeof(high));
    *fault = (struct cost_fault){.allowed = json_array()};
    (void)snprintf(fault->parameter, sizeof(fault->parameter), "%s", form->name);
    if (form->digits == 0) {
        (void)snprintf(fault->detail, sizeof(fault->detail),
                       "%s is a whole number from %s to %s%s.", form->name, low, high, why);
    } else {
        (void)snprintf(fault->detail, sizeof(fault->detail),
                       "%s is a plain number from %s to %s%s, with at most %d digits after the "
                       "point.",
                       form->name, low, high, why, form->digits);
    }
    double number = 0;
    if (text_number(given, &number)) {
        bool below = number * (double)units_of(form->digits) < (double)least;
        bool above = number * (double)units_of(form->digits) > (double)most;
        (void)snprintf(fault->nearest, sizeof(fault->nearest), "%s",
                       below   ? low
                       : above ? high
                               : "");
    }
    if (json_array_append_new(fault->allowed, json_sprintf("%s to %s", low, high)) != 0) {
        json_decref(fault->allowed);
        fault->allowed = NULL;
        (void)error_no_memory(error);
        return COST_FAILED;
    }
    return COST_FAULTY;
}

/* --- the GPU --- */

static void fold(const char *text, char *out, size_t size) {
    size_t length = 0;
    for (; *text != '\0' && length + 1 < size; text++) {
        if (isalnum((unsigned char)*text)) {
            out[length++] = (char)tolower((unsigned char)*text);
        }
    }
    out[length] = '\0';
}

static bool same_name(const char *one, const char *other) {
    char a[64];
    char b[64];
    fold(one, a, sizeof(a));
    fold(other, b, sizeof(b));
    return a[0] != '\0' && strcmp(a, b) == 0;
}

static bool model_is(const json_t *row, const char *name) {
    size_t i = 0;
    json_t *also = NULL;
    json_array_foreach(json_object_get(row, "also"), i, also) {
        if (same_name(json_string_value(also), name)) {
            return true;
        }
    }
    return same_name(json_string_value(json_object_get(row, "slug")), name);
}

static enum cost_result take_gpu(struct catalogue *catalogue, const char *name,
                                 struct cost_question *question, struct cost_fault *fault,
                                 struct error *error) {
    enum { MODELS = 128 };
    const char *names[MODELS];
    size_t count = 0;
    json_t *rows = catalogue_rows(catalogue, STATEMENT_COST_GPUS, NULL, 0, error);
    enum cost_result result = rows == NULL ? COST_FAILED : COST_FAULTY;
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        const char *slug = json_string_value(json_object_get(row, "slug"));
        if (count < MODELS) {
            names[count++] = slug;
        }
        if (model_is(row, name)) {
            (void)snprintf(question->gpu, sizeof(question->gpu), "%s", slug);
            result = COST_GOOD;
        }
    }
    if (result == COST_FAULTY) {
        result = fault_names(fault, "gpu", "The catalogue has no price for a GPU of this name.",
                             name, names, count, error);
    }
    json_decref(rows);
    return result;
}

/* --- all of it --- */

static enum cost_result take_pair(struct catalogue *catalogue, const struct pair *pair,
                                  bool seen[P__COUNT], struct cost_question *question,
                                  struct cost_fault *fault, struct error *error) {
    int parameter = 0;
    while (parameter < P__COUNT && strcmp(parameter_names[parameter], pair->key) != 0) {
        parameter++;
    }
    if (parameter == P__COUNT) {
        return fault_names(fault, pair->key, "There is no such parameter.", pair->key,
                           parameter_names, P__COUNT, error);
    }
    if (parameter == P_FORMAT || pair->value[0] == '\0') {
        return COST_GOOD;
    }
    if (seen[parameter]) {
        return fault_names(fault, pair->key, "This parameter can be given once.", "", NULL, 0,
                           error);
    }
    seen[parameter] = true;
    if (parameter == P_GPU) {
        return take_gpu(catalogue, pair->value, question, fault, error);
    }
    const struct parameter_form *form = &forms[parameter];
    int64_t value = 0;
    if (!cost_exact_parse(pair->value, form->digits, &value) || value < form->least ||
        value > form->most) {
        return fault_range(fault, (enum parameter)parameter, form->least, form->most, "",
                           pair->value, error);
    }
    *number_of(question, (enum parameter)parameter) = value;
    return COST_GOOD;
}

/* The hours of each sandbox that are not paused, rounded down. */
static int64_t running_hours(const struct cost_question *question) {
    return question->hours * (COST_HOUR_UNITS - question->paused) / COST_HOUR_UNITS;
}

/* What depends on more than one parameter. */
static enum cost_result finish(struct cost_question *question, const bool seen[P__COUNT],
                               struct cost_fault *fault, struct error *error) {
    char given[32];
    int64_t *active = &question->active;
    if (*active + question->paused > COST_HOUR_UNITS && !seen[P_ACTIVE]) {
        *active = COST_HOUR_UNITS - question->paused;
    }
    if (*active + question->paused > COST_HOUR_UNITS) {
        decimal_text(question->paused, COST_HOUR_UNITS, given, sizeof(given));
        return fault_range(fault, P_PAUSED, 0, COST_HOUR_UNITS - *active,
                           ", as active and paused are shares of the same hours", given, error);
    }
    if (!seen[P_RUNS]) {
        question->runs = question->sandboxes;
    }
    if (question->runs < question->sandboxes) {
        decimal_text(question->runs, 1, given, sizeof(given));
        return fault_range(fault, P_RUNS, question->sandboxes, COST_RUNS_MAXIMUM,
                           ", as each sandbox starts at least once", given, error);
    }
    bool has_gpu = question->gpu[0] != '\0';
    int64_t most = has_gpu ? running_hours(question) : 0;
    if (!seen[P_GPU_HOURS]) {
        question->gpu_hours = most;
    }
    if (question->gpu_hours > most) {
        decimal_text(question->gpu_hours, COST_HOUR_UNITS, given, sizeof(given));
        return fault_range(fault, P_GPU_HOURS, 0, most,
                           has_gpu ? ", the hours in which a sandbox is not paused"
                                   : ", as no gpu is named",
                           given, error);
    }
    return COST_GOOD;
}

enum cost_result cost_question_parse(struct catalogue *catalogue, const struct pair *pairs,
                                     size_t pair_count, struct cost_question *out_question,
                                     struct cost_fault *out_fault, struct error *error) {
    struct cost_question question = {0};
    bool seen[P__COUNT] = {false};
    for (int i = 0; i < P_NUMBERS; i++) {
        *number_of(&question, (enum parameter)i) = forms[i].usual;
    }
    enum cost_result result = COST_GOOD;
    for (size_t i = 0; result == COST_GOOD && i < pair_count; i++) {
        result = take_pair(catalogue, &pairs[i], seen, &question, out_fault, error);
    }
    if (result == COST_GOOD) {
        result = finish(&question, seen, out_fault, error);
    }
    if (result == COST_GOOD) {
        *out_question = question;
    }
    return result;
}

void cost_question_add_canonical(const struct cost_question *question, struct buf *out) {
    struct cost_question copy = *question;
    const char *separator = "";
    for (int i = 0; i < P__COUNT; i++) {
        if (i == P_GPU && question->gpu[0] != '\0') {
            buf_add_format(out, "%sgpu=%s", separator, question->gpu);
            separator = "&";
        }
        if (i >= P_NUMBERS) {
            continue;
        }
        int64_t usual = i == P_RUNS ? question->sandboxes
                        : i == P_GPU_HOURS
                            ? (question->gpu[0] == '\0' ? 0 : running_hours(question))
                        : i == P_ACTIVE ? COST_HOUR_UNITS - question->paused
                                        : forms[i].usual;
        int64_t value = *number_of(&copy, (enum parameter)i);
        if (value != usual) {
            buf_add_format(out, "%s%s=", separator, forms[i].name);
            cost_add_decimal(out, value, units_of(forms[i].digits));
            separator = "&";
        }
    }
}

json_t *cost_question_model(const struct cost_question *question) {
    struct cost_question copy = *question;
    json_t *model = json_object();
    bool good = model != NULL;
    for (int i = 0; good && i < P__COUNT; i++) {
        if (i == P_GPU) {
            good = json_object_set_new(model, "gpu",
                                       question->gpu[0] == '\0' ? json_null()
                                                                : json_string(question->gpu)) == 0;
        } else if (i < P_NUMBERS) {
            int64_t value = *number_of(&copy, (enum parameter)i);
            int64_t units = units_of(forms[i].digits);
            json_t *number = value % units == 0 ? json_integer(value / units)
                                                : json_real((double)value / (double)units);
            good = json_object_set_new(model, forms[i].name, number) == 0;
        }
    }
    if (!good) {
        json_decref(model);
        return NULL;
    }
    return model;
}
