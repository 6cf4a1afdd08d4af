/* keyed_hash.h - numbers in the place of texts, which only who has the key can make: HMAC-SHA-256
 * (RFC 2104). */
#ifndef HC_CORE_FILES_KEYED_HASH_H
#define HC_CORE_FILES_KEYED_HASH_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

#define HC_KEY_BYTES 32

struct hc_key {
    uint8_t bytes[HC_KEY_BYTES];
};

/* The key in the file at path: 64 hexadecimal digits and an end of line. With none there, one is
 * drawn from the kernel's random numbers and kept there, for its owner only to read. HC_BAD_INPUT:
 * the file holds no key. HC_IO: it can be neither read nor made. */
enum hc_status hc_key_load(struct hc_key *key, const char *path, struct hc_error *err);

/* The first 64 bits of HMAC-SHA-256(key, domain NUL bytes): the same bytes of two domains have
 * nothing in common. */
uint64_t hc_keyed_hash(const struct hc_key *key, const char *domain, const void *bytes,
                       size_t length);

#endif
