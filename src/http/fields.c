#include "fields.h"
#include "base.h"
#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    size_t length;
} names[FIELD__COUNT] = {
#define NAME(text) {text, sizeof(text) - 1}
    [FIELD_ACCEPT] = NAME("Accept"),
    [FIELD_ACCEPT_ENCODING] = NAME("Accept-Encoding"),
    [FIELD_CONTENT_LENGTH] = NAME("Content-Length"),
    [FIELD_COOKIE] = NAME("Cookie"),
    [FIELD_HOST] = NAME("Host"),
    [FIELD_IF_MODIFIED_SINCE] = NAME("If-Modified-Since"),
    [FIELD_IF_NONE_MATCH] = NAME("If-None-Match"),
    [FIELD_IF_RANGE] = NAME("If-Range"),
    [FIELD_RANGE] = NAME("Range"),
    [FIELD_TRANSFER_ENCODING] = NAME("Transfer-Encoding"),
#undef NAME
};

/* tchar of RFC 9110 section 5.6.2. */
static bool is_token_byte(unsigned char byte) {
    static const bool marks[128] = {
        ['!'] = true,  ['#'] = true, ['$'] = true, ['%'] = true, ['&'] = true,
        ['\''] = true, ['*'] = true, ['+'] = true, ['-'] = true, ['.'] = true,
        ['^'] = true,  ['_'] = true, ['`'] = true, ['|'] = true, ['~'] = true};
    unsigned char lower = byte | 0x20;
    return (lower >= 'a' && lower <= 'z') || (byte >= '0' && byte <= '9') ||
           (byte < sizeof(marks) && marks[byte]);
}

/* The length of a token, 0 where it is none. */
static size_t token_length(const char *name) {
    size_t length = 0;
    while (is_token_byte((unsigned char)name[length])) {
        length++;
    }
    return name[length] == '\0' ? length : 0;
}

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *name,
                            const char *value) {
    (void)kind;
    struct fields *fields = context;
    size_t length = token_length(name);
    fields->total++;
    fields->has_odd_name = fields->has_odd_name || length == 0;
    for (size_t i = 0; i < FIELD__COUNT; i++) {
        if (names[i].length != length || strcasecmp(names[i].name, name) != 0) {
            continue;
        }
        if (fields->counts[i]++ == 0) {
            fields->values[i] = value;
        }
        if (i == FIELD_CONTENT_LENGTH &&
            (value == NULL || value[0] == '\0' || value[strspn(value, "0123456789")] != '\0')) {
            fields->has_odd_length = true;
        }
        break;
    }
    return MHD_YES;
}

void fields_read(struct MHD_Connection *connection, struct fields *out_fields) {
    *out_fields = (struct fields){.total = 0};
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, look, out_fields);
}
