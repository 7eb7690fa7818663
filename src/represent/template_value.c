#include "template_value.h"

#include "buf.h"
#include "text.h"
#include <stdio.h>

bool template_value_shows(const json_t *value) {
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return json_object_size(value) > 0;
    case JSON_ARRAY:
        return json_array_size(value) > 0;
    case JSON_STRING:
        return json_string_length(value) > 0;
    case JSON_INTEGER:
    case JSON_REAL:
    case JSON_TRUE:
        return true;
    case JSON_FALSE:
    case JSON_NULL:
        break;
    }
    return false;
}

bool template_value_write(const json_t *value, char out[TEMPLATE_VALUE_BYTES]) {
    struct buf text;
    buf_init(&text, TEMPLATE_VALUE_BYTES - 1);
    if (json_is_integer(value)) {
        buf_add_format(&text, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    } else if (json_is_real(value)) {
        text_add_number(&text, json_real_value(value));
    } else if (json_is_boolean(value)) {
        buf_add_text(&text, json_is_true(value) ? "true" : "false");
    }
    bool good = !text.failed;
    (void)snprintf(out, TEMPLATE_VALUE_BYTES, "%s", text.data == NULL ? "" : text.data);
    buf_free(&text);
    return good;
}
