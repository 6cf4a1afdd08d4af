/* pack_copy.h - the bytes of an entry of a pack as they are, for a writer that takes them over.
 *
 * Private to this wing.
 */
#ifndef HC_STORE_PACK_PACK_COPY_H
#define HC_STORE_PACK_PACK_COPY_H

#include "store/pack/pack.h"

/* Runs of blocks, of which one is in memory at a time. Zeroed before the first. */
struct hc_pack_run {
    const uint8_t *bytes; /* the pack's, until it reads again */
    size_t n_bytes;       /* 0: there are no more */
    size_t next;          /* place of the first block behind it, among those of the entry */
    uint64_t offset;      /* and where that is in the file */
};

/* Read the next blocks of an entry, about a megabyte of them, and check their sums. */
enum hc_status hc_pack_next_run(struct hc_pack *pack, const struct hc_pack_entry *entry,
                                struct hc_pack_run *run, struct hc_error *err);

/* Bytes of all items of an entry in the index. */
size_t hc_pack_items_bytes(const struct hc_pack *pack, const struct hc_pack_entry *entry);

#endif
