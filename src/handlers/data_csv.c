/* JSON rows as CSV. */
#include "data_file.h"
#include "limit.h"
#include "text.h"

static void add_text(struct buf *out, const json_t *value) {
    size_t i = 0;
    json_t *member = NULL;
    const char *name = NULL;
    const char *separator = "";
    if (json_is_boolean(value)) {
        buf_add_text(out, json_is_true(value) ? "true" : "false");
    } else if (json_is_string(value)) {
        buf_add_text(out, json_string_value(value));
    } else if (json_is_number(value)) {
        text_add_number(out, json_number_value(value));
    } else if ((json_is_array(value) || json_is_object(value)) &&
               json_array_size(value) + json_object_size(value) == 0) {
        buf_add_text(out, "none");
    }
    json_array_foreach(value, i, member) {
        buf_add_text(out, separator);
        add_text(out, member);
        separator = "; ";
    }
    json_object_foreach((json_t *)value, name, member) {
        buf_add_format(out, "%s%s=", separator, name);
        add_text(out, member);
        separator = "; ";
    }
}

void data_add_value(struct csv *csv, const json_t *value) {
    struct buf text;
    buf_init(&text, LIMIT_ANSWER_BYTES);
    add_text(&text, value);
    csv_add_field(csv, text.data);
    csv->out->failed = csv->out->failed || text.failed;
    buf_free(&text);
}

void data_add_fact_value(struct csv *csv, const json_t *fact) {
    if (json_is_true(json_object_get(fact, "unlimited"))) {
        csv_add_field(csv, "unlimited");
    } else {
        data_add_value(csv, json_object_get(fact, "value"));
    }
}

bool data_reply_text(struct reply *reply, struct buf *out, struct error *error) {
    reply->text = buf_take(out);
    buf_free(out);
    return reply->text != NULL || error_no_memory(error);
}

bool data_reply_csv(struct reply *reply, const struct data_column *columns, json_t *rows,
                    struct error *error) {
    struct buf out;
    buf_init(&out, LIMIT_ANSWER_BYTES);
    struct csv csv = {.out = &out};
    for (const struct data_column *column = columns; column->name != NULL; column++) {
        csv_add_field(&csv, column->name);
    }
    csv_end_row(&csv);
    size_t i = 0;
    json_t *row = NULL;
    json_array_foreach(rows, i, row) {
        for (const struct data_column *column = columns; column->name != NULL; column++) {
            data_add_value(&csv, json_object_get(row, column->name));
        }
        csv_end_row(&csv);
    }
    json_decref(rows);
    return data_reply_text(reply, &out, error);
}
