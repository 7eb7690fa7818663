#include "coding.h"

#include "cmocka_all.h"

#include <brotli/decode.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include <zstd.h>

static const enum coding codings[] = {CODING_GZIP, CODING_BROTLI, CODING_ZSTD};

static size_t decode_gzip(const void *bytes, size_t length, char *out, size_t room) {
    z_stream stream = {0};
    assert_int_equal(inflateInit2(&stream, 15 + 16), Z_OK);
    stream.next_in = (z_const Bytef *)bytes;
    stream.avail_in = (uInt)length;
    stream.next_out = (Bytef *)out;
    stream.avail_out = (uInt)room;
    assert_int_equal(inflate(&stream, Z_FINISH), Z_STREAM_END);
    assert_int_equal(stream.avail_in, 0);
    size_t written = stream.total_out;
    inflateEnd(&stream);
    return written;
}

/* As browsers do it: with the window of RFC 9659 at the most. */
static size_t decode_zstd(const void *bytes, size_t length, char *out, size_t room) {
    ZSTD_DCtx *context = ZSTD_createDCtx();
    assert_non_null(context);
    assert_false(ZSTD_isError(ZSTD_DCtx_setParameter(context, ZSTD_d_windowLogMax, 23)));
    ZSTD_inBuffer in = {bytes, length, 0};
    ZSTD_outBuffer to = {out, room, 0};
    size_t left;
    do {
        left = ZSTD_decompressStream(context, &to, &in);
        assert_false(ZSTD_isError(left));
    } while (left > 0 && in.pos < in.size);
    assert_int_equal(left, 0);
    ZSTD_freeDCtx(context);
    return to.pos;
}

static size_t decode_brotli(const void *bytes, size_t length, char *out, size_t room) {
    size_t written = room;
    assert_int_equal(BrotliDecoderDecompress(length, bytes, &written, (uint8_t *)out),
                     BROTLI_DECODER_RESULT_SUCCESS);
    return written;
}

static size_t decode(enum coding coding, const void *bytes, size_t length, char *out, size_t room) {
    return coding == CODING_GZIP   ? decode_gzip(bytes, length, out, room)
           : coding == CODING_ZSTD ? decode_zstd(bytes, length, out, room)
                                   : decode_brotli(bytes, length, out, room);
}

/* Encodes twice, expects the same, decodes and compares; gives the encoded length. */
static size_t check_round_trip(enum coding coding, const void *bytes, size_t length) {
    struct error error = {0};
    void *encoded = NULL;
    void *again = NULL;
    size_t encoded_length = 0;
    size_t again_length = 0;
    assert_true(coding_encode(coding, bytes, length, &encoded, &encoded_length, &error));
    assert_true(coding_encode(coding, bytes, length, &again, &again_length, &error));
    assert_int_equal(encoded_length, again_length);
    assert_memory_equal(encoded, again, encoded_length);
    char *decoded = malloc(length + 100);
    assert_non_null(decoded);
    assert_int_equal(decode(coding, encoded, encoded_length, decoded, length + 100), length);
    if (length > 0) {
        assert_memory_equal(decoded, bytes, length);
    }
    free(decoded);
    free(encoded);
    free(again);
    return encoded_length;
}

static void empty_bodies_round_trip(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(codings); i++) {
        assert_true(check_round_trip(codings[i], NULL, 0) > 0);
        assert_true(check_round_trip(codings[i], "", 0) > 0);
    }
}

static void random_bodies_round_trip(void **state) {
    (void)state;
    enum { MOST = 70000 };
    char *bytes = malloc(MOST);
    assert_non_null(bytes);
    unsigned seed = 11;
    for (int round = 0; round < 30; round++) {
        size_t length = (size_t)rand_r(&seed) % (round < 15 ? 50 : MOST);
        /* From letters alone to bytes that cannot be pressed. */
        int values = round % 3 == 0 ? 256 : round % 3 == 1 ? 26 : 2;
        for (size_t i = 0; i < length; i++) {
            bytes[i] = (char)((values == 256 ? 0 : 'a') + rand_r(&seed) % values);
        }
        for (size_t i = 0; i < ARRAY_LENGTH(codings); i++) {
            check_round_trip(codings[i], bytes, length);
        }
    }
    free(bytes);
}

static void check_large(enum coding coding, size_t length) {
    char *bytes = malloc(length);
    assert_non_null(bytes);
    for (size_t i = 0; i < length; i++) {
        bytes[i] = "{\"provider\":\"example\",\"value\":null},"[i % 36];
    }
    assert_true(check_round_trip(coding, bytes, length) < length / 100);
    free(bytes);
}

static void large_bodies_round_trip_and_shrink(void **state) {
    (void)state;
    enum { MEBIBYTE = 1024 * 1024 };
    check_large(CODING_GZIP, MEBIBYTE);
    check_large(CODING_BROTLI, MEBIBYTE);
    /* Above the window that a decoder must offer. */
    check_large(CODING_ZSTD, 9 * MEBIBYTE);
}

static void gzip_header_tells_nothing(void **state) {
    (void)state;
    struct error error = {0};
    void *encoded = NULL;
    size_t length = 0;
    assert_true(coding_encode(CODING_GZIP, "hello", 5, &encoded, &length, &error));
    /* Magic, deflate, no flags, no time, neither best nor fastest, unknown system. */
    assert_memory_equal(encoded, "\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", 10);
    free(encoded);
}

static void other_codings_are_refused(void **state) {
    (void)state;
    static const enum coding refused[] = {CODING_IDENTITY, CODING__COUNT};
    for (size_t i = 0; i < ARRAY_LENGTH(refused); i++) {
        struct error error = {0};
        void *encoded = &error;
        size_t length = 42;
        assert_false(coding_encode(refused[i], "hello", 5, &encoded, &length, &error));
        assert_int_equal(error.kind, ERROR_INTERNAL);
        assert_ptr_equal(encoded, &error);
        assert_int_equal(length, 42);
    }
}

/* Beyond what an encoder takes: refused before a byte is read. */
static void absurd_lengths_are_refused(void **state) {
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(codings); i++) {
        struct error error = {0};
        void *encoded = NULL;
        size_t length = 42;
        assert_false(coding_encode(codings[i], "x", SIZE_MAX - 2, &encoded, &length, &error));
        assert_int_not_equal(error.kind, ERROR_NONE);
        assert_null(encoded);
        assert_int_equal(length, 42);
    }
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(empty_bodies_round_trip),
        cmocka_unit_test(random_bodies_round_trip),
        cmocka_unit_test(large_bodies_round_trip_and_shrink),
        cmocka_unit_test(gzip_header_tells_nothing),
        cmocka_unit_test(other_codings_are_refused),
        cmocka_unit_test(absurd_lengths_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
