/* The strict decoder of request targets: everything is refused that two readers could take for two
 * things. */
#include "target.h"

#include "limit.h"
#include "text.h"

#include <stdlib.h>
#include <string.h>

/* Where decoded bytes go: storage never holds more than the raw target has, plus one NUL. */
struct decoder {
    const char *raw;
    const char *end;
    char *out;
    bool in_query;
};

static int hex_value(char character) {
    if (character >= '0' && character <= '9') {
        return character - '0';
    }
    if (character >= 'a' && character <= 'f') {
        return character - 'a' + 10;
    }
    if (character >= 'A' && character <= 'F') {
        return character - 'A' + 10;
    }
    return -1;
}

static bool is_control(unsigned char byte) {
    return byte < 0x20 || byte == 0x7F;
}

/* Refuses bytes that may not stand in a target as they are. */
static bool check_raw(const char *raw, size_t length, struct error *error) {
    if (length == 0 || raw[0] != '/') {
        return error_set(error, ERROR_INVALID, "The request target must start with a slash.");
    }
    if (length > LIMIT_TARGET_BYTES) {
        return error_set(error, ERROR_INVALID, "The address is longer than %d bytes.",
                         (int)LIMIT_TARGET_BYTES);
    }
    for (size_t i = 0; i < length; i++) {
        unsigned char byte = (unsigned char)raw[i];
        if (is_control(byte)) {
            return error_set(error, ERROR_INVALID, "The address contains a control character.");
        }
        if (byte == ' ') {
            return error_set(error, ERROR_INVALID,
                             "The address contains a blank; write it as %%20.");
        }
        if (byte == '\\') {
            return error_set(error, ERROR_INVALID, "The address contains a backslash.");
        }
        if (byte == '#') {
            return error_set(error, ERROR_INVALID,
                             "The address contains a fragment (#), which belongs to the browser.");
        }
    }
    return true;
}

/* Decodes one character of raw into out. */
static bool decode_one(struct decoder *decoder, struct error *error) {
    char character = *decoder->raw++;
    if (character == '+' && decoder->in_query) {
        character = ' ';
    } else if (character == '%') {
        int high = decoder->end - decoder->raw >= 2 ? hex_value(decoder->raw[0]) : -1;
        int low = high >= 0 ? hex_value(decoder->raw[1]) : -1;
        if (low < 0) {
            return error_set(error, ERROR_INVALID,
                             "The address has a percent sign that two hexadecimal digits do not "
                             "follow; write the sign itself as %%25.");
        }
        decoder->raw += 2;
        character = (char)(high * 16 + low);
        if (is_control((unsigned char)character)) {
            return error_set(error, ERROR_INVALID,
                             "The address contains an encoded control character (%%%02X).",
                             (unsigned)(unsigned char)character);
        }
        if (!decoder->in_query && (character == '/' || character == '\\')) {
            return error_set(error, ERROR_INVALID,
                             "The path contains an encoded slash or backslash.");
        }
    }
    *decoder->out++ = character;
    return true;
}

/* Checks a decoded text: UTF-8, and none of the control characters beyond ASCII (U+0080 to U+009F).
 */
static bool check_text(const char *text, size_t length, struct error *error) {
    if (!text_is_utf8(text, length)) {
        return error_set(error, ERROR_INVALID, "The address is not valid UTF-8.");
    }
    for (size_t i = 0; i + 1 < length; i++) {
        if ((unsigned char)text[i] == 0xC2 && (unsigned char)text[i + 1] < 0xA0) {
            return error_set(error, ERROR_INVALID, "The address contains a control character.");
        }
    }
    return true;
}

/* Decodes up to (not including) the first of the stop characters, ends the text with NUL and checks
 * it. */
static const char *decode_until(struct decoder *decoder, const char *stops, struct error *error) {
    char *text = decoder->out;
    while (decoder->raw < decoder->end && strchr(stops, *decoder->raw) == NULL) {
        if (!decode_one(decoder, error)) {
            return NULL;
        }
    }
    if (!check_text(text, (size_t)(decoder->out - text), error)) {
        return NULL;
    }
    *decoder->out++ = '\0';
    return text;
}

static bool check_segment(const char *segment, size_t length, bool last, struct error *error) {
    if (length == 0 && !last) {
        return error_set(error, ERROR_INVALID, "The path contains an empty segment (//).");
    }
    if ((length == 1 && segment[0] == '.') ||
        (length == 2 && segment[0] == '.' && segment[1] == '.')) {
        return error_set(error, ERROR_INVALID, "The path contains a dot segment (. or ..).");
    }
    return true;
}

/* A slash in the decoded path is a slash of the raw one, since encoded slashes are refused. */
static bool check_segments(const char *path, struct error *error) {
    size_t count = 0;
    const char *segment = path + 1;
    for (;;) {
        size_t length = strcspn(segment, "/");
        bool last = segment[length] == '\0';
        if (!check_segment(segment, length, last, error)) {
            return false;
        }
        count += length > 0;
        if (count > LIMIT_PATH_SEGMENTS) {
            return error_set(error, ERROR_INVALID, "The path has more than %d segments.",
                             (int)LIMIT_PATH_SEGMENTS);
        }
        if (last) {
            return true;
        }
        segment += length + 1;
    }
}

/* How many pairs a query has; nothing between two ampersands is no pair. */
static size_t count_pairs(const char *query, const char *end) {
    size_t count = 0;
    while (query < end) {
        const char *stop = memchr(query, '&', (size_t)(end - query));
        if (stop == NULL) {
            stop = end;
        }
        count += stop > query;
        query = stop + 1;
    }
    return count;
}

static bool decode_pair(struct decoder *decoder, struct pair *out_pair, struct error *error) {
    const char *key = decode_until(decoder, "=&", error);
    if (key == NULL) {
        return false;
    }
    const char *value = "";
    if (decoder->raw < decoder->end && *decoder->raw == '=') {
        decoder->raw++;
        value = decode_until(decoder, "&", error);
        if (value == NULL) {
            return false;
        }
    }
    *out_pair = (struct pair){.key = key, .value = value};
    return true;
}

static bool decode_query(struct decoder *decoder, struct target *target, struct error *error) {
    decoder->in_query = true;
    size_t count = count_pairs(decoder->raw, decoder->end);
    if (count > LIMIT_QUERY_PAIRS) {
        return error_set(error, ERROR_INVALID, "The query has more than %d parameters.",
                         (int)LIMIT_QUERY_PAIRS);
    }
    if (count == 0) {
        return true;
    }
    target->pairs = calloc(count, sizeof *target->pairs);
    if (target->pairs == NULL) {
        return error_no_memory(error);
    }
    while (decoder->raw < decoder->end) {
        if (*decoder->raw == '&') {
            decoder->raw++;
            continue;
        }
        if (!decode_pair(decoder, &target->pairs[target->pair_count], error)) {
            return false;
        }
        target->pair_count++;
    }
    return true;
}

static bool decode_target(struct decoder *decoder, struct target *target, struct error *error) {
    target->path = decode_until(decoder, "?", error);
    if (target->path == NULL || !check_segments(target->path, error)) {
        return false;
    }
    if (decoder->raw < decoder->end) {
        decoder->raw++;
    }
    return decode_query(decoder, target, error);
}

bool target_parse(const char *raw, size_t length, struct target *out_target, struct error *error) {
    if (!check_raw(raw, length, error)) {
        return false;
    }
    /* Every NUL stands where "?", "=" or "&" was, but for the last. */
    struct target target = {.storage = malloc(length + 1)};
    if (target.storage == NULL) {
        return error_no_memory(error);
    }
    struct decoder decoder = {.raw = raw, .end = raw + length, .out = target.storage};
    if (!decode_target(&decoder, &target, error)) {
        target_free(&target);
        return false;
    }
    *out_target = target;
    return true;
}

void target_free(struct target *target) {
    free(target->pairs);
    free(target->storage);
    *target = (struct target){0};
}

const char *target_value(const struct target *target, const char *key) {
    for (size_t i = 0; i < target->pair_count; i++) {
        if (strcmp(target->pairs[i].key, key) == 0) {
            return target->pairs[i].value;
        }
    }
    return NULL;
}
