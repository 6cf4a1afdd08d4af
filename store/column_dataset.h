/* column_dataset.h - the datasets of a segment: 1-D, extendible, chunked, with the three filters.
 *
 * Called under the HDF5 lock, but for hc_chunk_read_place; what a chunk's bytes are is
 * chunk_codec's matter.
 */
#ifndef HC_STORE_COLUMN_DATASET_H
#define HC_STORE_COLUMN_DATASET_H

#include "core/status.h"

#include <hdf5.h>
#include <stddef.h>
#include <stdint.h>

/* No chunk of a segment is larger, whoever wrote it: the bound on memory per thread. */
#define HC_CHUNK_ROWS_MAX  ((int64_t)1 << 20)
#define HC_CHUNK_BYTES_MAX ((int64_t)64 << 20)

/* The bytes of a chunk as they are in the file. */
struct hc_stored_chunk {
    uint8_t *bytes;
    size_t size, capacity;
};

/* Where the bytes of a chunk are in the file. */
struct hc_chunk_place {
    int64_t address, size;
};

/* What a dataset says of itself. */
struct hc_dataset_shape {
    H5T_class_t class;
    size_t size; /* bytes of a value */
    int64_t n_rows, chunk_rows;
    int64_t header; /* address of its object header, from where the file's addresses count */
};

/* Create an empty dataset of a fixed-size type with chunks of chunk_rows values. fill (of that
 * type) may be NULL. Negative with err filled on failure. */
hid_t hc_dataset_create(hid_t group, const char *name, hid_t type, int64_t chunk_rows,
                        const void *fill, struct hc_error *err);

/* Write chunk number chunk; the dataset must reach over it already. */
enum hc_status hc_dataset_write_chunk(hid_t dataset, int64_t chunk, int64_t chunk_rows,
                                      const struct hc_stored_chunk *stored, struct hc_error *err);

/* Check that a dataset is one that this module could have written, in a file of file_size bytes
 * (which bounds the rows that it can hold), and describe it. */
enum hc_status hc_dataset_inspect(hid_t dataset, int64_t file_size, struct hc_dataset_shape *shape,
                                  struct hc_error *err);

/* The most bytes that a chunk of that shape takes in the file, whoever wrote it. */
size_t hc_dataset_stored_bound(const struct hc_dataset_shape *shape);

/* Read the stored bytes of a chunk from its place (store/chunk_index.h), growing stored as needed:
 * no call of HDF5, so not under its lock. */
enum hc_status hc_chunk_read_place(int fd, const struct hc_chunk_place *place, int64_t chunk,
                                   struct hc_stored_chunk *stored, struct hc_error *err);

#endif
