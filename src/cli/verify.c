/* verify: is a file what somebody known has signed? */
#include "cli.h"
#include "hash.h"
#include "keygen.h"
#include "limit.h"
#include "options.h"
#include "text.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum verify_result {
    VERIFY_GOOD,
    VERIFY_BAD,     /* the signature is none, or of another namespace */
    VERIFY_UNKNOWN, /* it is a signature, but by nobody of the list */
    VERIFY_CHANGED  /* it is a signature of other bytes, or the sums name another digest */
};

static const struct {
    const char *name;
    int code;
} results[] = {[VERIFY_GOOD] = {"good", EXIT_OK},
               [VERIFY_BAD] = {"bad signature", 3},
               [VERIFY_UNKNOWN] = {"unknown signer", 4},
               [VERIFY_CHANGED] = {"changed", 5}};

struct verify_options {
    const char *file;
    const char *signature;
    const char *signers;
    const char *identity;
    const char *name_space;
    const char *sums;
    bool json;
};

struct verdict {
    enum verify_result result;
    char signer[256];
    char why[400];
};

enum { OUTPUT_BYTES = 16 * 1024 };

static void first_line(const struct buf *output, char *out, size_t size) {
    const char *text = output->data == NULL ? "" : output->data;
    (void)snprintf(out, size, "%.*s", (int)strcspn(text, "\r\n"), text);
}

/* Whether the bytes have this signature, by whichever key. */
static bool check_bytes(const struct verify_options *options, int file, struct verdict *verdict,
                        struct error *error) {
    const char *const arguments[] = {"ssh-keygen",        "-Y", "check-novalidate", "-n",
                                     options->name_space, "-s", options->signature, NULL};
    struct buf output;
    int code = 0;
    buf_init(&output, OUTPUT_BYTES);
    bool good = keygen_run(file, arguments, &output, &code, error);
    if (good && code != 0) {
        bool other = output.data != NULL && strstr(output.data, "incorrect signature") != NULL;
        verdict->result = other ? VERIFY_CHANGED : VERIFY_BAD;
        first_line(&output, verdict->why, sizeof(verdict->why));
        if (other) {
            (void)snprintf(verdict->why, sizeof(verdict->why),
                           "these are not the bytes that were signed");
        }
    }
    buf_free(&output);
    return good;
}

/* Who of the list has the key. That says nothing of the signature. */
static bool find_signer(const struct verify_options *options, int file, struct verdict *verdict,
                        struct error *error) {
    const char *const arguments[] = {"ssh-keygen",       "-Y", "find-principals", "-s",
                                     options->signature, "-f", options->signers,  NULL};
    struct buf output;
    int code = 0;
    buf_init(&output, OUTPUT_BYTES);
    bool good = keygen_run(file, arguments, &output, &code, error);
    if (good && code == 0) {
        first_line(&output, verdict->signer, sizeof(verdict->signer));
    }
    if (good && verdict->signer[0] == '\0') {
        verdict->result = VERIFY_UNKNOWN;
        (void)snprintf(verdict->why, sizeof(verdict->why),
                       "the key that signed is not listed in %.200s", options->signers);
    }
    buf_free(&output);
    return good;
}

/* The signer to check: the one that is asked for, or whose key it is. */
static bool name_signer(const struct verify_options *options, int file, struct verdict *verdict,
                        struct error *error) {
    if (options->identity == NULL) {
        return find_signer(options, file, verdict, error);
    }
    (void)snprintf(verdict->signer, sizeof(verdict->signer), "%s", options->identity);
    return true;
}

static bool check_signer(const struct verify_options *options, int file, struct verdict *verdict,
                         struct error *error) {
    const char *const arguments[] = {"ssh-keygen",        "-Y", "verify",           "-f",
                                     options->signers,    "-I", verdict->signer,    "-n",
                                     options->name_space, "-s", options->signature, NULL};
    struct buf output;
    int code = 0;
    buf_init(&output, OUTPUT_BYTES);
    bool good = keygen_run(file, arguments, &output, &code, error);
    if (good && code != 0) {
        verdict->result = VERIFY_UNKNOWN;
        (void)snprintf(verdict->why, sizeof(verdict->why),
                       "%.200s has not signed it with a key that is listed for that and valid now",
                       verdict->signer);
        verdict->signer[0] = '\0';
    }
    buf_free(&output);
    return good;
}

static const char *base_name(const char *path) {
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

/* Lines of sha256sum: the digest, a blank, a blank or a star, the name. */
static bool find_digest(const char *sums, const char *name, char out[HASH_HEX_BYTES]) {
    enum { DIGITS = HASH_HEX_BYTES - 1 };
    for (const char *line = sums; *line != '\0';) {
        size_t length = strcspn(line, "\n");
        if (length == DIGITS + 2 + strlen(name) && line[DIGITS] == ' ' &&
            memcmp(line + DIGITS + 2, name, strlen(name)) == 0) {
            memcpy(out, line, DIGITS);
            out[DIGITS] = '\0';
            return true;
        }
        line += length + (line[length] == '\n');
    }
    return false;
}

static bool read_open(int file, const char *path, struct buf *out, struct error *error) {
    char chunk[8192];
    ssize_t length = lseek(file, 0, SEEK_SET) == 0 ? 1 : -1;
    while (length > 0 && (length = read(file, chunk, sizeof(chunk))) > 0) {
        buf_add(out, chunk, (size_t)length);
    }
    return (length == 0 && !out->failed && buf_add(out, "", 0)) ||
           error_set(error, ERROR_IO, "cannot read %s", path);
}

static bool hash_file(const char *path, char out[HASH_HEX_BYTES], struct error *error) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        return error_set(error, ERROR_IO, "cannot open %s: %s", path, strerrordesc_np(errno));
    }
    struct buf bytes;
    buf_init(&bytes, LIMIT_CATALOGUE_BYTES);
    bool good = read_open(file, path, &bytes, error);
    if (good) {
        hash_sha256_hex(bytes.data, bytes.length, out);
    }
    buf_free(&bytes);
    (void)close(file);
    return good;
}

/* The file has the digest that the signed sums give it. */
static bool check_sums(const struct verify_options *options, int sums, struct verdict *verdict,
                       struct error *error) {
    struct buf list;
    char listed[HASH_HEX_BYTES] = "";
    char digest[HASH_HEX_BYTES] = "";
    buf_init(&list, LIMIT_FILE_BYTES);
    bool good =
        read_open(sums, options->sums, &list, error) && hash_file(options->file, digest, error);
    bool known =
        good && list.data != NULL && find_digest(list.data, base_name(options->file), listed);
    if (good && (!known || strcmp(listed, digest) != 0)) {
        verdict->result = VERIFY_CHANGED;
        (void)snprintf(verdict->why, sizeof(verdict->why),
                       known ? "%.200s gives it another digest" : "%.200s does not list it",
                       options->sums);
    }
    buf_free(&list);
    return good;
}

static int print_verdict(const struct verify_options *options, const struct verdict *verdict) {
    const char *result = results[verdict->result].name;
    bool good = verdict->result == VERIFY_GOOD;
    if (options->json) {
        json_t *report =
            json_pack("{s:s, s:s, s:s?, s:s?}", "result", result, "file", options->file, "signer",
                      verdict->signer[0] == '\0' ? NULL : verdict->signer, "why",
                      verdict->why[0] == '\0' ? NULL : verdict->why);
        int code = cli_print_json(report);
        json_decref(report);
        return good ? code : results[verdict->result].code;
    }
    if (good) {
        (void)printf("%s: good, signed by %s\n", options->file, verdict->signer);
    } else {
        (void)fprintf(stderr, "agent-sandboxes: %s: %s: %s\n", options->file, result, verdict->why);
    }
    return results[verdict->result].code;
}

static int verify(const struct verify_options *options) {
    struct error error;
    struct verdict verdict = {.result = VERIFY_GOOD};
    const char *path = options->sums == NULL ? options->file : options->sums;
    const char *const needed[] = {path, options->signature, options->signers};
    for (size_t i = 0; i < ARRAY_LENGTH(needed); i++) {
        if (access(needed[i], R_OK) != 0) {
            (void)error_set(&error, ERROR_IO, "cannot read %s: %s", needed[i],
                            strerrordesc_np(errno));
            return cli_fail(EXIT_FAULT, &error);
        }
    }
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        (void)error_set(&error, ERROR_IO, "cannot open %s: %s", path, strerrordesc_np(errno));
        return cli_fail(EXIT_FAULT, &error);
    }
    bool good = check_bytes(options, file, &verdict, &error);
    if (good && verdict.result == VERIFY_GOOD) {
        good = name_signer(options, file, &verdict, &error);
    }
    if (good && verdict.result == VERIFY_GOOD) {
        good = check_signer(options, file, &verdict, &error);
    }
    if (good && verdict.result == VERIFY_GOOD && options->sums != NULL) {
        good = check_sums(options, file, &verdict, &error);
    }
    (void)close(file);
    return good ? print_verdict(options, &verdict) : cli_fail(EXIT_FAULT, &error);
}

int cli_verify(int argc, char **argv) {
    struct verify_options options = {.name_space = "agent-sandboxes"};
    const struct cli_option accepted[] = {
        {"signature", "FILE", "the signature, as ssh-keygen -Y sign writes it", NULL,
         &options.signature},
        {"signers", "FILE", "who may sign: ALLOWED SIGNERS of ssh-keygen(1)", NULL,
         &options.signers},
        {"identity", "NAME", "it must be signed by this one of them (default: by any)", NULL,
         &options.identity},
        {"namespace", "NAME", "what it is signed for (default: agent-sandboxes)", NULL,
         &options.name_space},
        {"sums", "FILE", "the signature is of this SHA256SUMS, which lists the file", NULL,
         &options.sums},
        {"json", NULL, "print JSON", &options.json, NULL},
    };
    const struct cli_argument arguments[] = {{"FILE", &options.file, false}};
    const struct cli_line line = {
        .command = "verify",
        .synopsis = "FILE --signature FILE --signers FILE [options]",
        .about = "Says whether a file is what somebody known has signed, by ssh-keygen -Y verify. "
                 "Exits with 0 where it is, with 3\n"
                 "for a bad signature, 4 for an unknown signer, 5 for a changed file.\n",
        .options = accepted,
        .option_count = ARRAY_LENGTH(accepted),
        .arguments = arguments,
        .argument_count = ARRAY_LENGTH(arguments)};
    int code = EXIT_OK;
    if (!cli_parse(&line, argc, argv, &code)) {
        return code;
    }
    if (options.signature == NULL || options.signers == NULL) {
        return cli_usage_error("verify", "%s is missing",
                               options.signature == NULL ? "--signature" : "--signers");
    }
    return verify(&options);
}
