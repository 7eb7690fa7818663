#include "csv.h"

#include "text.h"
#include <string.h>

/* What makes a spreadsheet calculate, in the wide forms of East Asian keyboards too. text_number
 * refuses a leading plus, and so do we: "+1" may be a telephone number, and a formula. */
static bool is_formula(const char *text) {
    static const char *const starts[] = {
        "=",  "+",  "-", "@", "\xef\xbc\x9d", "\xef\xbc\x8b", "\xef\xbc\x8d", "\xef\xbc\xa0",
        "\t", "\r", "\n"};
    for (size_t i = 0; i < ARRAY_LENGTH(starts); i++) {
        if (text_starts(text, starts[i])) {
            double number;
            return !text_number(text, &number);
        }
    }
    return false;
}

void csv_add_field(struct csv *csv, const char *text) {
    if (csv->in_row) {
        buf_add_char(csv->out, ',');
    }
    csv->in_row = true;
    if (text == NULL) {
        return;
    }
    const char *guard = is_formula(text) ? "'" : "";
    if (strpbrk(text, ",\"\r\n") == NULL) {
        buf_add_text(csv->out, guard);
        buf_add_text(csv->out, text);
        return;
    }
    buf_add_char(csv->out, '"');
    buf_add_text(csv->out, guard);
    for (const char *quote = strchr(text, '"'); quote != NULL; quote = strchr(text, '"')) {
        buf_add(csv->out, text, (size_t)(quote - text) + 1);
        buf_add_char(csv->out, '"');
        text = quote + 1;
    }
    buf_add_text(csv->out, text);
    buf_add_char(csv->out, '"');
}

void csv_end_row(struct csv *csv) {
    buf_add_text(csv->out, "\r\n");
    csv->in_row = false;
}
