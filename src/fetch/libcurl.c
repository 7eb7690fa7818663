/* Finds the functions by name. */
#include "libcurl.h"
#include "base.h"
#include <dlfcn.h>
#include <stddef.h>
#include <string.h>

static const char soname[] = "libcurl.so.4";

static bool find_functions(void *library, struct libcurl *out, struct error *error) {
    const struct {
        const char *name;
        size_t place;
    } functions[] = {
#define LIBCURL_PLACE(name) {"curl_" #name, offsetof(struct libcurl, name)},
        LIBCURL_FUNCTIONS(LIBCURL_PLACE)
#undef LIBCURL_PLACE
    };
    for (size_t i = 0; i < ARRAY_LENGTH(functions); i++) {
        void *function = dlsym(library, functions[i].name);
        if (function == NULL) {
            return error_set(error, ERROR_IO, "%s is too old: it has no %s", soname,
                             functions[i].name);
        }
        memcpy((char *)out + functions[i].place, &function, sizeof(function));
    }
    return true;
}

const struct libcurl *libcurl_load(struct error *error) {
    static struct libcurl loaded;
    static bool is_loaded;
    if (is_loaded) {
        return &loaded;
    }
    void *library = dlopen(soname, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        (void)error_set(
            error, ERROR_IO,
            "%s cannot be loaded; Debian has it in the package libcurl4t64 (13) or libcurl4 (12)",
            soname);
        return NULL;
    }
    if (!find_functions(library, &loaded, error)) {
        (void)dlclose(library);
        return NULL;
    }
    is_loaded = true;
    return &loaded;
}
