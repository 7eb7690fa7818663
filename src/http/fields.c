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

/* Before 0.9.77 the library cuts a target and a value at a NUL, drops a field without a name, takes
 * a lone LF for the end of a line, and adds a line that goes on in the next one to the *name* of
 * its field: each hides from this program what a proxy in front may see. But all texts stand in the
 * buffer as they came, with the blank behind the target and each CR and LF made a NUL; so what does
 * not stand where the one before ends is odd. Later versions refuse all this themselves. */
static const bool stands_in_place = MHD_VERSION < 0x00097701;

enum { LINE_END_BYTES = 2 };

static void follow(struct fields *fields, const char *name, const char *value) {
    if (name != fields->end + LINE_END_BYTES || value == NULL) {
        fields->has_odd_line = true;
    }
    fields->end = value == NULL ? name : value + strcspn(value, "\r");
    fields->has_odd_line = fields->has_odd_line || *fields->end != '\0';
}

static enum MHD_Result look(void *context, enum MHD_ValueKind kind, const char *name,
                            const char *value) {
    (void)kind;
    struct fields *fields = context;
    size_t length = token_length(name);
    fields->total++;
    if (stands_in_place) {
        follow(fields, name, value);
    }
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

void fields_read(struct MHD_Connection *connection, const char *target, const char *url,
                 const char *version, struct fields *out_fields) {
    static const char line_ends[2 * LINE_END_BYTES];
    *out_fields = (struct fields){.end = version + strlen(version)};
    out_fields->has_odd_line = stands_in_place && version != url + strlen(target) + 1;
    (void)MHD_get_connection_values(connection, MHD_HEADER_KIND, look, out_fields);
    /* The blank line that ends the head. */
    if (stands_in_place && !out_fields->has_odd_line &&
        memcmp(out_fields->end, line_ends, sizeof(line_ends)) != 0) {
        out_fields->has_odd_line = true;
    }
}
