#include "fact_value.h"
#include "limit.h"
#include "text.h"
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

/* The bytes of a buffer, which is empty after that; NULL: it failed. */
static char *taken(struct buf *text) {
    char *bytes = text->failed ? NULL : buf_take(text);
    buf_free(text);
    return bytes;
}

/* The shortest decimal form, which Jansson's own is not. */
static char *number_text(double number) {
    struct buf text;
    buf_init(&text, LIMIT_FILE_BYTES);
    text_add_number(&text, number);
    return taken(&text);
}

static char *read_number(const char *type, const char *text) {
    double number = 0;
    if (strcmp(type, "duration") == 0 ? text_duration(text, &number) : text_number(text, &number)) {
        return number_text(number);
    }
    return NULL;
}

/* The next member of a list, without blanks around it; NULL: there is none. */
static char *next_member(char **rest) {
    if (*rest == NULL) {
        return NULL;
    }
    char *member = *rest + strspn(*rest, " ");
    char *comma = strchr(member, ',');
    *rest = comma == NULL ? NULL : comma + 1;
    size_t length = comma == NULL ? strlen(member) : (size_t)(comma - member);
    while (length > 0 && member[length - 1] == ' ') {
        length--;
    }
    member[length] = '\0';
    return member;
}

static char *dump(json_t *value) {
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    json_decref(value);
    return text;
}

static char *read_set(char *list) {
    json_t *set = json_array();
    char *rest = list;
    for (char *member = next_member(&rest); member != NULL; member = next_member(&rest)) {
        if (member[0] == '\0' || json_array_append_new(set, json_string(member)) != 0) {
            json_decref(set);
            return NULL;
        }
    }
    return dump(set);
}

static char *read_map(char *list) {
    struct buf map;
    buf_init(&map, LIMIT_FILE_BYTES);
    buf_add_char(&map, '{');
    char *rest = list;
    for (char *member = next_member(&rest); member != NULL; member = next_member(&rest)) {
        char *sign = strrchr(member, '=');
        double amount = 0;
        if (sign == NULL || sign == member || !text_number(sign + 1, &amount)) {
            buf_free(&map);
            return NULL;
        }
        *sign = '\0';
        char *name = dump(json_string(member));
        buf_add_format(&map, "%s%s:", map.length > 1 ? "," : "", name == NULL ? "" : name);
        text_add_number(&map, amount);
        map.failed = map.failed || name == NULL;
        free(name);
    }
    buf_add_char(&map, '}');
    return taken(&map);
}

static char *read_list(const char *type, const char *text) {
    bool set = strcmp(type, "set") == 0;
    if (strcmp(text, "none") == 0) {
        return strdup(set ? "[]" : "{}");
    }
    char *list = strdup(text);
    char *value = list == NULL ? NULL : set ? read_set(list) : read_map(list);
    free(list);
    return value;
}

char *fact_value_read(const char *type, const char *text, struct error *error) {
    char *value = NULL;
    if (strcmp(type, "bool") == 0) {
        bool yes = strcmp(text, "yes") == 0 || strcmp(text, "true") == 0;
        bool no = strcmp(text, "no") == 0 || strcmp(text, "false") == 0;
        value = yes ? strdup("true") : no ? strdup("false") : NULL;
    } else if (strcmp(type, "duration") == 0 && strcmp(text, "unlimited") == 0) {
        value = strdup("\"unlimited\"");
    } else if (strcmp(type, "number") == 0 || strcmp(type, "money") == 0 ||
               strcmp(type, "duration") == 0) {
        value = read_number(type, text);
    } else if (strcmp(type, "set") == 0 || strcmp(type, "money-map") == 0) {
        value = read_list(type, text);
    } else if (text[0] != '\0') {
        value = dump(json_string(text));
    }
    if (value == NULL) {
        (void)error_set(error, ERROR_INVALID, "\"%s\" is no value of type %s", text, type);
    }
    return value;
}
