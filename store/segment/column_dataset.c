#include "store/segment/column_dataset.h"

#include "store/objects/segment_layout.h"
#include "store/segment/hdf5_util.h"

#include <inttypes.h>

#define DEFLATE_LEVEL 1

static bool set_fill(hid_t properties, int fill)
{
    if (fill == HC_FILL_NONE)
        return true;
    union hc_value missing = hc_missing_value((enum hc_type)fill);
    return H5Pset_fill_value(properties, hc_file_type((enum hc_type)fill), &missing) >= 0;
}

/* Of chunks of a row, until they are set. */
static hid_t make_properties(int fill)
{
    const hsize_t chunk = 1;
    hid_t dcpl = H5Pcreate(H5P_DATASET_CREATE);
    if (dcpl >= 0 && H5Pset_chunk(dcpl, 1, &chunk) >= 0 && H5Pset_shuffle(dcpl) >= 0 &&
        H5Pset_deflate(dcpl, DEFLATE_LEVEL) >= 0 && H5Pset_fletcher32(dcpl) >= 0 &&
        H5Pset_obj_track_times(dcpl, false) >= 0 && set_fill(dcpl, fill))
        return dcpl;
    if (dcpl >= 0)
        H5Pclose(dcpl);
    return -1;
}

hid_t hc_dataset_properties(int fill, int64_t chunk_rows, struct hc_error *err)
{
    static hid_t made[HC_N_FILLS]; /* 0: not yet */
    hsize_t chunk = (hsize_t)chunk_rows;
    if (made[fill] <= 0)
        made[fill] = make_properties(fill);
    if (made[fill] >= 0 && H5Pset_chunk(made[fill], 1, &chunk) >= 0)
        return made[fill];
    hc_hdf5_fail(err, HC_IO, "cannot set properties of a dataset");
    return -1;
}

hid_t hc_dataset_create(hid_t group, const char *name, hid_t type, hid_t properties,
                        struct hc_error *err)
{
    hsize_t now = 0, most = H5S_UNLIMITED;
    hid_t dataset = -1, space = H5Screate_simple(1, &now, &most);
    if (space >= 0)
        dataset = H5Dcreate2(group, name, type, space, H5P_DEFAULT, properties, H5P_DEFAULT);
    if (dataset < 0)
        hc_hdf5_fail(err, HC_IO, "cannot create dataset '%s'", name);
    if (space >= 0)
        H5Sclose(space);
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
