/* chunk_index.h - where the chunks of a dataset are, read from the file itself and not by HDF5.
 *
 * The index (a version 1 B-tree of the HDF5 file format) has no checksum, and HDF5 1.10 follows
 * whatever it says: a node that is its own child takes the stack until the process dies, and nodes
 * that share their children take hours. Here every step is bounded by the size of the file.
 */
#ifndef HC_STORE_CHUNK_INDEX_H
#define HC_STORE_CHUNK_INDEX_H

#include "core/status.h"
#include "store/column_dataset.h"

#include <stdint.h>

/* A file whose indexes are read. */
struct hc_chunk_file {
    int fd;
    int64_t size;      /* bytes of the file */
    int64_t base;      /* where its address 0 is: behind a block of another writer, if any */
    int64_t unclaimed; /* what no chunk was found in yet: size at first */
};

/* Where all chunks of a dataset of that shape are, for the caller to free; room for one at least.
 * Every chunk takes its bytes and those of its entry from what is unclaimed, so that no file makes
 * its reader hold more places than fit into it. HC_BAD_INPUT when a chunk is missing, larger than
 * its values can be or not filtered, or when the index is not one of exactly these chunks. */
enum hc_status hc_chunk_index_read(struct hc_chunk_file *file, const struct hc_dataset_shape *shape,
                                   struct hc_chunk_place **places, struct hc_error *err);

#endif
