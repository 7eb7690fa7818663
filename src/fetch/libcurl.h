/* libcurl, loaded when something is to be fetched and not before: it brings twenty libraries for
 * TLS, Kerberos and LDAP, which the server has no use for and would start later and larger with.
 * Private to src/fetch. */
#ifndef AGENT_SANDBOXES_LIBCURL_H
#define AGENT_SANDBOXES_LIBCURL_H

#include "base.h"
#include "error.h"
#include <curl/curl.h>

/* The macros that check an option's type call the functions by name. */
#undef curl_easy_setopt
#undef curl_easy_getinfo

/* What src/fetch calls. */
#define LIBCURL_FUNCTIONS(X)                                                                       \
    X(easy_cleanup)                                                                                \
    X(easy_getinfo)                                                                                \
    X(easy_init)                                                                                   \
    X(easy_setopt)                                                                                 \
    X(easy_strerror)                                                                               \
    X(free)                                                                                        \
    X(global_cleanup)                                                                              \
    X(global_init)                                                                                 \
    X(multi_add_handle)                                                                            \
    X(multi_cleanup)                                                                               \
    X(multi_info_read)                                                                             \
    X(multi_init)                                                                                  \
    X(multi_perform)                                                                               \
    X(multi_poll)                                                                                  \
    X(multi_remove_handle)                                                                         \
    X(multi_strerror)                                                                              \
    X(slist_append)                                                                                \
    X(slist_free_all)                                                                              \
    X(url)                                                                                         \
    X(url_cleanup)                                                                                 \
    X(url_get)                                                                                     \
    X(url_set)

struct libcurl {
#define LIBCURL_MEMBER(name) __typeof__(curl_##name) *(name);
    LIBCURL_FUNCTIONS(LIBCURL_MEMBER)
#undef LIBCURL_MEMBER
};

/* The library's functions, loaded by the first call; not for several threads at once. NULL: it is
 * not installed, or too old. It stays loaded. */
const struct libcurl *libcurl_load(struct error *error) MUST_USE;

#endif
