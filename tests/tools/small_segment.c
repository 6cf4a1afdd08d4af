/* small_segment.c - copy a segment with indexes of chunks that have room for two chunks and not for
 * 64, which makes it a few kilobytes large: seeds for fuzzing (tests/fuzz/corpus/segment).
 *
 *   small_segment FROM TO [GROUP...]   leaving out the tables GROUP
 */
#include <hdf5.h>
#include <stdio.h>
#include <string.h>

struct copy {
    hid_t from, to;
    char **left_out;
};

static herr_t copy_object(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    struct copy *copy = context;
    (void)group;
    (void)info;
    for (char **other = copy->left_out; *other; other++)
        if (strcmp(*other, name) == 0)
            return 0;
    return H5Ocopy(copy->from, name, copy->to, name, H5P_DEFAULT, H5P_DEFAULT);
}

static herr_t copy_attribute(hid_t object, const char *name, const H5A_info_t *info, void *context)
{
    struct copy *copy = context;
    char value[1024];
    (void)info;
    hid_t from = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(from);
    hid_t space = H5Aget_space(from);
    if (H5Tget_size(type) > sizeof value || H5Aread(from, type, value) < 0)
        return -1;
    hid_t to = H5Acreate2(copy->to, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
    herr_t status = H5Awrite(to, type, value);
    H5Aclose(from);
    H5Aclose(to);
    H5Sclose(space);
    H5Tclose(type);
    return status;
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fputs("usage: small_segment FROM TO [GROUP...]\n", stderr);
        return 2;
    }
    hid_t fcpl = H5Pcreate(H5P_FILE_CREATE), fapl = H5Pcreate(H5P_FILE_ACCESS);
    H5Pset_istore_k(fcpl, 1);
    H5Pset_obj_track_times(fcpl, false);
    H5Pset_libver_bounds(fapl, H5F_LIBVER_V18, H5F_LIBVER_V18);
    H5Pset_meta_block_size(fapl, 0);
    H5Pset_small_data_block_size(fapl, 0);
    struct copy copy = {.from = H5Fopen(argv[1], H5F_ACC_RDONLY, H5P_DEFAULT),
                        .to = H5Fcreate(argv[2], H5F_ACC_TRUNC, fcpl, fapl),
                        .left_out = argv + 3};
    hsize_t first = 0;
    if (copy.from < 0 || copy.to < 0 ||
        H5Aiterate2(copy.from, H5_INDEX_NAME, H5_ITER_INC, &first, copy_attribute, &copy) < 0 ||
        H5Literate(copy.from, H5_INDEX_NAME, H5_ITER_INC, NULL, copy_object, &copy) < 0)
        return 1;
    return H5Fclose(copy.to) < 0;
}
