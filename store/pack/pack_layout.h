/* pack_layout.h - the bytes of a pack that its reader and its writer agree on.
 *
 * Private to this wing. All numbers are little-endian. The index:
 *
 *     text     about
 *     u32      tables; each: text name, u32 columns; each of these: text name, u8 type, text
 *              dictionary ("" without)
 *     u32      entries; each: 32 bytes SHA-256 of the segment, u32 table, u64 rows, u64 rows of a
 *              chunk, u64 offset of its first block; then an item for each dictionary of the table
 *              and for each column of each chunk
 *
 * A text is its length (u32) and its bytes. An item is 16 bytes: u32 length of the block, u32 how
 * many texts are in it (of a column 0), u64 its sum. The blocks of an entry lie one behind the
 * other in the order of its items.
 */
#ifndef HC_STORE_PACK_PACK_LAYOUT_H
#define HC_STORE_PACK_PACK_LAYOUT_H

#include "store/pack/pack.h"

#include <stdint.h>

#define HC_PACK_MAGIC_BYTES  8
#define HC_PACK_TAIL_BYTES   24 /* u64 length of the index, u64 its sum, the magic again */
#define HC_PACK_DIGEST_BYTES 32

/* "hcpack", a byte that no text has, and the version. */
extern const uint8_t hc_pack_magic[HC_PACK_MAGIC_BYTES];

struct hc_pack_item {
    uint32_t length, n_texts;
    uint64_t sum;
};

/* Dictionaries of a table, in the order in which its columns first name them, as struct
 * hc_table_names has them. */
size_t hc_pack_dictionaries(const struct hc_table_def *def,
                            const char *dictionaries[HC_MOST_DICTIONARIES]);

#endif
