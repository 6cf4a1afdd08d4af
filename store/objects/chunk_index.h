/* chunk_index.h - where the chunks of a dataset are, and their bytes.
 *
 * Written from the HDF5 file format specification, version 3.0: "Version 1 B-trees". The index has
 * no checksum, and HDF5 1.10 follows whatever it says: a node that is its own child takes the stack
 * until the process dies, and nodes that share their children take hours. Here every step is
 * bounded by the size of the file.
 */
#ifndef HC_STORE_OBJECTS_CHUNK_INDEX_H
#define HC_STORE_OBJECTS_CHUNK_INDEX_H

#include "store/codec/chunk_codec.h"
#include "store/objects/dataset_shape.h"
#include "store/objects/segment_file.h"

#include <stdint.h>

/* Where the bytes of a chunk are in the file. */
struct hc_chunk_place {
    int64_t address, size;
};

/* Where all chunks of a dataset of that shape are, for the caller to free; room for one at least.
 * Every chunk claims its bytes and those of its entry, so that no file makes its reader hold more
 * places than fit into it. HC_BAD_INPUT when a chunk is missing, larger than its values can be or
 * not filtered, or when the index is not one of exactly these chunks. */
enum hc_status hc_chunk_index_read(struct hc_segment_file *file,
                                   const struct hc_dataset_shape *shape,
                                   struct hc_chunk_place **places, struct hc_error *err);

/* Read the stored bytes of a chunk from its place, growing stored as needed. chunk is its number,
 * for messages. */
enum hc_status hc_chunk_read(struct hc_segment_file *file, const struct hc_chunk_place *place,
                             int64_t chunk, struct hc_stored_chunk *stored, struct hc_error *err);

#endif
