#include "base.h"
#include "cmocka_all.h"
#include "network_address.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <string.h>
#include <sys/un.h>

static bool is_public(const char *text) {
    struct sockaddr_in in = {.sin_family = AF_INET};
    struct sockaddr_in6 in6 = {.sin6_family = AF_INET6};
    if (inet_pton(AF_INET, text, &in.sin_addr) == 1) {
        return network_address_is_public((const struct sockaddr *)&in);
    }
    assert_int_equal(inet_pton(AF_INET6, text, &in6.sin6_addr), 1);
    return network_address_is_public((const struct sockaddr *)&in6);
}

/* The first and the last address of each block, and their neighbours. */
static void test_ipv4_blocks(void **state) {
    static const char *const private[] = {
        "0.0.0.0",         "0.255.255.255",  "10.0.0.0",        "10.255.255.255", "100.64.0.0",
        "100.127.255.255", "127.0.0.0",      "127.255.255.255", "169.254.0.0",    "169.254.169.254",
        "169.254.255.255", "172.16.0.0",     "172.31.255.255",  "192.0.0.0",      "192.0.0.255",
        "192.0.2.0",       "192.0.2.255",    "192.88.99.1",     "192.168.0.0",    "192.168.255.255",
        "198.18.0.0",      "198.19.255.255", "198.51.100.7",    "203.0.113.255",  "224.0.0.0",
        "239.255.255.255", "240.0.0.0",      "255.255.255.255"};
    static const char *const public[] = {
        "1.0.0.0",         "9.255.255.255", "11.0.0.0",        "100.63.255.255",  "100.128.0.0",
        "126.255.255.255", "128.0.0.0",     "169.253.255.255", "169.255.0.0",     "172.15.255.255",
        "172.32.0.0",      "192.0.1.0",     "192.0.3.0",       "192.167.255.255", "192.169.0.0",
        "198.17.255.255",  "198.20.0.0",    "203.0.112.255",   "203.0.114.0",     "223.255.255.255",
        "8.8.8.8"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(private); i++) {
        assert_false(is_public(private[i]));
    }
    for (size_t i = 0; i < ARRAY_LENGTH(public); i++) {
        assert_true(is_public(public[i]));
    }
}

static void test_ipv6_blocks(void **state) {
    static const char *const private[] = {
        "::",      "::1",         "::8.8.8.8", "fe80::1",     "febf::1",      "fc00::",
        "fdff::1", "ff02::1",     "2001::1",   "2001:1ff::1", "2001:db8::1",  "2002:7f00:1::",
        "3fff::1", "3fff:fff::1", "100::1",    "4000::1",     "64:ff9b:1::1", "5f00::1"};
    static const char *const public[] = {"2001:200::1",  "2001:4860:4860::8888", "2003::1",
                                         "2606:4700::1", "2a00:1450::1",         "3ffe::1"};
    (void)state;
    for (size_t i = 0; i < ARRAY_LENGTH(private); i++) {
        assert_false(is_public(private[i]));
    }
    for (size_t i = 0; i < ARRAY_LENGTH(public); i++) {
        assert_true(is_public(public[i]));
    }
}

static void test_ipv4_inside_ipv6(void **state) {
    (void)state;
    assert_true(is_public("::ffff:8.8.8.8"));
    assert_true(is_public("64:ff9b::8.8.8.8"));
    assert_false(is_public("::ffff:127.0.0.1"));
    assert_false(is_public("::ffff:10.1.2.3"));
    assert_false(is_public("64:ff9b::169.254.169.254"));
    assert_false(is_public("64:ff9b::192.168.0.1"));
}

static void test_other_families(void **state) {
    const struct sockaddr_un local = {.sun_family = AF_UNIX};
    (void)state;
    assert_false(network_address_is_public((const struct sockaddr *)&local));
}

int main(void) {
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_ipv4_blocks),
        cmocka_unit_test(test_ipv6_blocks),
        cmocka_unit_test(test_ipv4_inside_ipv6),
        cmocka_unit_test(test_other_families),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
