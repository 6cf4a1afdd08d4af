/* pack_copy.h - the bytes of an entry of a pack as they are, for a writer that takes them over.
 *
 * Private to this wing.
 */
#ifndef HC_STORE_PACK_PACK_COPY_H
#define HC_STORE_PACK_PACK_COPY_H

#include "store/pack/pack.h"

struct hc_pack_blocks {
    const uint8_t *bytes; /* of all its blocks; the pack's, until it reads again */
    size_t n_bytes, n_item_bytes;
};

/* Read all blocks of an entry and check their sums. */
enum hc_status hc_pack_blocks(struct hc_pack *pack, const struct hc_pack_entry *entry,
                              struct hc_pack_blocks *blocks, struct hc_error *err);

#endif
