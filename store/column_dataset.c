#include "store/column_dataset.h"

#include "core/memory.h"
#include "store/chunk_codec.h"
#include "store/hdf5_util.h"

#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define DEFLATE_LEVEL     1
#define DEFLATE_MAX_RATIO 1032 /* no stream of deflate is shorter than its contents by more */

static const H5Z_filter_t filters[] = {H5Z_FILTER_SHUFFLE, H5Z_FILTER_DEFLATE,
                                       H5Z_FILTER_FLETCHER32};
#define N_FILTERS (int)(sizeof filters / sizeof *filters)

/* ---- writing ---- */

static hid_t creation_properties(hid_t type, int64_t chunk_rows, const void *fill)
{
    hsize_t chunk = (hsize_t)chunk_rows;
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    if (dcpl >= 0 && H5Pset_chunk(dcpl, 1, &chunk) >= 0 && H5Pset_shuffle(dcpl) >= 0 &&
        H5Pset_deflate(dcpl, DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(dcpl) >= 0 &&
        H5Pset_obj_track_times(dcpl, false) >= 0 &&
        (!fill || H5Pset_fill_value(dcpl, type, fill) >= 0))
        return dcpl;
    if (dcpl >= 0)
        H5Pclose(dcpl);
    return -1;
}

hid_t hc_dataset_create(hid_t group, const char *name, hid_t type, int64_t chunk_rows,
                        const void *fill, struct hc_error *err)
{
    hsize_t now = 0, most = H5S_UNLIMITED;
    hid_t dataset = -1, dcpl = creation_properties(type, chunk_rows, fill);
    hid_t space = H5Screate_simple(1, &now, &most);
    if (dcpl >= 0 && space >= 0)
        dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, dcpl, H5P_DEFAULT);
    if (dataset < 0)
        hc_hdf5_fail(err, HC_IO, "cannot create dataset '%s'", name);
    if (space >= 0)
        H5Sclose(space);
    if (dcpl >= 0)
        H5Pclose(dcpl);
    return dataset;
}

enum hc_status hc_dataset_write_chunk(hid_t dataset, int64_t chunk, int64_t chunk_rows,
                                      const struct hc_stored_chunk *stored, struct hc_error *err)
{
    hsize_t offset = (hsize_t)(chunk * chunk_rows);
    if (H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &offset, stored->size, stored->bytes) < 0)
        return hc_hdf5_fail(err, HC_IO, "cannot write chunk %" PRId64, chunk);
    return HC_OK;
}

/* ---- reading ---- */

static bool has_our_filters(hid_t dcpl)
{
    if (H5Pget_nfilters(dcpl) != N_FILTERS)
        return false;
    for (int i = 0; i < N_FILTERS; i++) {
        unsigned flags = 0;
        size_t n_values = 0;
        if (H5Pget_filter2(dcpl, (unsigned)i, &flags, &n_values, NULL, 0, NULL, NULL) != filters[i])
            return false;
    }
    return true;
}

static enum hc_status inspect_layout(hid_t dataset, struct hc_dataset_shape *shape,
                                     struct hc_error *err)
{
    hsize_t chunk = 0;
    hid_t dcpl = H5Dget_create_plist(dataset);
    if (dcpl < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "cannot read its properties");
    enum hc_status status = HC_OK;
    if (H5Pget_layout(dcpl) != H5D_CHUNKED || H5Pget_chunk(dcpl, 1, &chunk) != 1)
        status = hc_fail(err, HC_BAD_INPUT, "it is not chunked in one dimension");
    else if (!has_our_filters(dcpl))
        status = hc_fail(err, HC_BAD_INPUT, "its filters are not shuffle, deflate and fletcher32");
    else if (chunk < 1 || chunk > (hsize_t)HC_CHUNK_ROWS_MAX ||
             (int64_t)chunk > HC_CHUNK_BYTES_MAX / (int64_t)shape->size)
        status = hc_fail(err, HC_BAD_INPUT, "chunks of %" PRIu64 " rows are larger than allowed",
                         (uint64_t)chunk);
    shape->chunk_rows = (int64_t)chunk;
    H5Pclose(dcpl);
    return status;
}

static enum hc_status inspect_rows(hid_t dataset, int64_t file_size, struct hc_dataset_shape *shape,
                                   struct hc_error *err)
{
    hsize_t n_rows = 0;
    hid_t space = H5Dget_space(dataset);
    bool one_dimension = space >= 0 && H5Sis_simple(space) > 0 &&
                         H5Sget_simple_extent_ndims(space) == 1 &&
                         H5Sget_simple_extent_dims(space, &n_rows, NULL) == 1;
    if (space >= 0)
        H5Sclose(space);
    if (!one_dimension)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "it is not one-dimensional");
    hsize_t most =
        (hsize_t)file_size * DEFLATE_MAX_RATIO / shape->size + (hsize_t)shape->chunk_rows;
    if (n_rows > most)
        return hc_fail(err, HC_BAD_INPUT,
                       "it claims %" PRIu64 " rows, more than a file of this size can hold",
                       (uint64_t)n_rows);
    shape->n_rows = (int64_t)n_rows;
    return HC_OK;
}

#if H5_VERSION_GE(1, 12, 0)
typedef H5O_info1_t object_info; /* the newer one has a token where this has the address */
#else
typedef H5O_info_t object_info;
#endif

/* Where its object header is. */
static enum hc_status inspect_place(hid_t dataset, struct hc_dataset_shape *shape,
                                    struct hc_error *err)
{
    object_info info;
    if (H5Oget_info2(dataset, &info, H5O_INFO_BASIC) < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "cannot find its header");
    shape->header = (int64_t)info.addr;
    return HC_OK;
}

enum hc_status hc_dataset_inspect(hid_t dataset, int64_t file_size, struct hc_dataset_shape *shape,
                                  struct hc_error *err)
{
    hid_t type = H5Dget_type(dataset);
    if (type < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "cannot read its type");
    shape->class = H5Tget_class(type);
    shape->size = H5Tget_size(type);
    bool number = (shape->class == H5T_INTEGER || shape->class == H5T_FLOAT) &&
                  (H5Tequal(type, H5T_STD_I32LE) > 0 || H5Tequal(type, H5T_STD_I64LE) > 0 ||
                   H5Tequal(type, H5T_IEEE_F64LE) > 0);
    bool text = shape->class == H5T_STRING && H5Tis_variable_str(type) == 0 && shape->size >= 1 &&
                shape->size <= HC_TEXT_MAX;
    H5Tclose(type);
    if (!number && !text)
        return hc_fail(err, HC_BAD_INPUT,
                       "its type is none of 32-bit integer, 64-bit integer, double and text");
    if (inspect_place(dataset, shape, err) || inspect_layout(dataset, shape, err))
        return err->status;
    return inspect_rows(dataset, file_size, shape, err);
}

/* Other writers' deflate may expand noise a little more than ours; HDF5 allows 0.1 %. */
size_t hc_dataset_stored_bound(const struct hc_dataset_shape *shape)
{
    size_t n = (size_t)shape->chunk_rows;
    return hc_chunk_bound(n, shape->size) + n * shape->size / 512;
}

/* ---- reading without HDF5 ---- */

enum hc_status hc_chunk_read_place(int fd, const struct hc_chunk_place *place, int64_t chunk,
                                   struct hc_stored_chunk *stored, struct hc_error *err)
{
    size_t done = 0, size = (size_t)place->size;
    if (hc_reserve(&stored->bytes, &stored->capacity, size, 1, err))
        return err->status;
    while (done < size) {
        ssize_t n = pread(fd, stored->bytes + done, size - done, place->address + (off_t)done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return hc_fail(err, HC_BAD_INPUT, "cannot read chunk %" PRId64 ": %s", chunk,
                           n < 0 ? strerror(errno) : "the file has become shorter");
        done += (size_t)n;
    }
    stored->size = size;
    return HC_OK;
}
