#include "store/objects/dataset_shape.h"

#include "store/codec/chunk_codec.h"
#include "store/objects/segment_layout.h"

#include <inttypes.h>

#define DEFLATE_MAX_RATIO 1032 /* no stream of deflate is shorter than its contents by more */

static enum hc_status read_type(const struct hc_object *dataset, struct hc_dataset_shape *shape,
                                struct hc_error *err)
{
    const struct hc_message *type = hc_object_find(dataset, HC_MESSAGE_DATATYPE, 0);
    if (!type)
        return hc_fail(err, HC_BAD_INPUT, "it is not a dataset");
    if (!hc_value_type_read(type->data, type->size, &shape->values))
        return hc_fail(err, HC_BAD_INPUT,
                       "its type is none of 32-bit integer, 64-bit integer, double and text");
    return HC_OK;
}

/* Version, class, dimensions with that of the bytes of a value, address of the index, sizes. */
static enum hc_status read_layout(const struct hc_object *dataset,
                                  const struct hc_segment_file *file,
                                  struct hc_dataset_shape *shape, struct hc_error *err)
{
    const struct hc_message *layout = hc_object_find(dataset, HC_MESSAGE_LAYOUT, 19);
    const uint8_t *data = layout ? layout->data : NULL;
    if (!data || data[0] != 3 || data[1] != 2 || data[2] != 2 ||
        hc_little_endian(data + 15, 4) != shape->values.size)
        return hc_fail(err, HC_BAD_INPUT, "it is not chunked in one dimension as in a segment");
    shape->index = hc_segment_file_address(file, data + 3);
    shape->chunk_rows = (int64_t)hc_little_endian(data + 11, 4);
    if (shape->chunk_rows < 1 || shape->chunk_rows > HC_CHUNK_ROWS_MAX ||
        shape->chunk_rows > HC_CHUNK_BYTES_MAX / (int64_t)shape->values.size)
        return hc_fail(err, HC_BAD_INPUT, "chunks of %" PRId64 " rows are not allowed",
                       shape->chunk_rows);
    return HC_OK;
}

/* Version and number of filters; of each its number, flags and parameters. A filter's name comes
 * with numbers from 256 on, which ours have not. */
static bool has_our_filters(const struct hc_message *message, size_t value_size)
{
    enum { SHUFFLE = 2, DEFLATE = 1, FLETCHER32 = 3 };
    static const unsigned filters[] = {SHUFFLE, DEFLATE, FLETCHER32};
    size_t at = 2;
    if (!message || message->data[0] != 2 || message->data[1] != 3)
        return false;
    for (int i = 0; i < 3; i++) {
        const uint8_t *filter = message->data + at;
        if (message->size < at + 6 || hc_little_endian(filter, 2) != filters[i])
            return false;
        size_t n_parameters = hc_little_endian(filter + 4, 2);
        at += 6 + 4 * n_parameters;
        if (message->size < at ||
            (i == 0 && (n_parameters != 1 || hc_little_endian(filter + 6, 4) != value_size)))
            return false;
    }
    return true;
}

static enum hc_status read_rows(const struct hc_object *dataset, const struct hc_segment_file *file,
                                struct hc_dataset_shape *shape, struct hc_error *err)
{
    uint64_t n_rows = 0;
    const struct hc_message *space = hc_object_find(dataset, HC_MESSAGE_DATASPACE, 0);
    if (!space || !hc_dataspace_is_row(space->data, space->size, &n_rows))
        return hc_fail(err, HC_BAD_INPUT, "it is not one-dimensional");
    uint64_t most =
        (uint64_t)file->size * DEFLATE_MAX_RATIO / shape->values.size + (uint64_t)shape->chunk_rows;
    if (n_rows > most)
        return hc_fail(err, HC_BAD_INPUT,
                       "it claims %" PRIu64 " rows, more than a file of this size can hold",
                       n_rows);
    shape->n_rows = (int64_t)n_rows;
    return HC_OK;
}

enum hc_status hc_dataset_shape_read(const struct hc_object *dataset,
                                     const struct hc_segment_file *file,
                                     struct hc_dataset_shape *shape, struct hc_error *err)
{
    if (read_type(dataset, shape, err) || read_layout(dataset, file, shape, err) ||
        read_rows(dataset, file, shape, err))
        return err->status;
    if (!has_our_filters(hc_object_find(dataset, HC_MESSAGE_FILTERS, 2), shape->values.size))
        return hc_fail(err, HC_BAD_INPUT, "its filters are not shuffle, deflate and fletcher32");
    return HC_OK;
}

/* Other writers' deflate may expand noise a little more than ours; HDF5 allows 0.1 %. */
size_t hc_dataset_stored_bound(const struct hc_dataset_shape *shape)
{
    size_t n = (size_t)shape->chunk_rows, size = shape->values.size;
    return hc_chunk_bound(n, size) + n * size / 512;
}
