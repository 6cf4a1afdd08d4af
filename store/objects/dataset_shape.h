/* dataset_shape.h - what a dataset of a segment says of itself: its type, its rows, its chunks.
 *
 * Written from the HDF5 file format specification, version 3.0: "The Data Layout Message" (version
 * 3, chunked) and "The Data Storage - Filter Pipeline Message" (version 2).
 */
#ifndef HC_STORE_OBJECTS_DATASET_SHAPE_H
#define HC_STORE_OBJECTS_DATASET_SHAPE_H

#include "store/objects/object_header.h"
#include "store/objects/value_type.h"

struct hc_dataset_shape {
    struct hc_value_type values;
    int64_t n_rows, chunk_rows;
    int64_t index; /* byte of the root of its index of chunks (store/objects/chunk_index.h); -1
                      without */
};

/* Describe a dataset, which must be one that store/segment/column_dataset.h can write: one
 * dimension, chunked, with the three filters, and with no more rows than the file can hold. */
enum hc_status hc_dataset_shape_read(const struct hc_object *dataset,
                                     const struct hc_segment_file *file,
                                     struct hc_dataset_shape *shape, struct hc_error *err);

/* The most bytes that a chunk of that shape takes in the file, whoever wrote it. */
size_t hc_dataset_stored_bound(const struct hc_dataset_shape *shape);

#endif
