/* column_dataset.h - writing the datasets of a segment: 1-D, extendible, chunked, with the three
 * filters. All under the HDF5 lock. What a chunk's bytes are is chunk_codec's matter; reading is
 * dataset_shape's and chunk_index's. Private to this wing.
 */
#ifndef HC_STORE_SEGMENT_COLUMN_DATASET_H
#define HC_STORE_SEGMENT_COLUMN_DATASET_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "store/codec/chunk_codec.h"

#include <hdf5.h>
#include <stdint.h>

/* The type of a column in the file; under the HDF5 lock. */
static inline hid_t hc_file_type(enum hc_type type)
{
    return type == HC_I32 ? H5T_STD_I32LE : type == HC_I64 ? H5T_STD_I64LE : H5T_IEEE_F64LE;
}

/* What a dataset is filled with: the missing value of its type (enum hc_type), or nothing. */
enum { HC_FILL_NONE = HC_F64 + 1, HC_N_FILLS };

/* How datasets are stored: in chunks of chunk_rows values, with the filters. They are made once for
 * each fill, as to make them takes as long as a dataset: they hold until the next call with that
 * fill, and are not closed. Negative with err filled on failure. */
hid_t hc_dataset_properties(int fill, int64_t chunk_rows, struct hc_error *err);

/* Create an empty dataset with such properties. The caller closes it; negative with err filled on
 * failure. */
hid_t hc_dataset_create(hid_t group, const char *name, hid_t type, hid_t properties,
                        struct hc_error *err);

/* Write chunk number chunk; the dataset must reach over it already. */
enum hc_status hc_dataset_write_chunk(hid_t dataset, int64_t chunk, int64_t chunk_rows,
                                      const struct hc_stored_chunk *stored, struct hc_error *err);

#endif
