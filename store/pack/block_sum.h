/* block_sum.h - a 64-bit sum that tells a block of a pack from one that was damaged.
 *
 * XXH64 with seed 0, as its specification has it (github.com/Cyan4973/xxHash, doc/xxhash_spec.md):
 * several gigabytes a second on any processor, so that it may be looked at each time a block is
 * read. It is against accidents, not against people.
 */
#ifndef HC_STORE_PACK_BLOCK_SUM_H
#define HC_STORE_PACK_BLOCK_SUM_H

#include <stddef.h>
#include <stdint.h>

uint64_t hc_block_sum(const void *bytes, size_t length);

#endif
