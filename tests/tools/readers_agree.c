/* readers_agree.c - read segments with libhdf5 and with our own reader, and compare what both see:
 * groups and datasets by name, attributes with their values, types, rows, chunks and their places.
 *
 *   readers_agree FILE...
 *
 * Exit: 0 when they agree, 1 when not or when one of them cannot read.
 */
#include "store/objects/chunk_index.h"
#include "store/objects/group_links.h"
#include "store/objects/object_attribute.h"

#include <fcntl.h>
#include <hdf5.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct hc_segment_file ours;
static size_t n_objects, n_attributes, n_chunks;

static void require(bool agreed, const char *name, const char *what)
{
    if (agreed)
        return;
    fprintf(stderr, "'%s': %s differs\n", name, what);
    exit(1);
}

/* ---- attributes ---- */

static herr_t compare_attribute(hid_t theirs, const char *name, const H5A_info_t *info,
                                void *context)
{
    static char value[1 << 16];
    const struct hc_object *object = context;
    struct hc_error err = {0};
    int64_t number = 0, our_number = 0;
    char *text = NULL;
    (void)info;
    hid_t attribute = H5Aopen(theirs, name, H5P_DEFAULT), type = H5Aget_type(attribute);
    require(hc_attribute_exists(object, name), name, "whether there is an attribute");
    if (H5Tget_class(type) == H5T_STRING) {
        memset(value, 0, sizeof value);
        require(H5Aread(attribute, type, value) >= 0 &&
                    !hc_attribute_read_text(object, name, &text, &err) && !strcmp(text, value),
                name, "the text of an attribute");
        free(text);
    } else if (H5Tget_class(type) == H5T_INTEGER) {
        require(H5Aread(attribute, H5T_NATIVE_INT64, &number) >= 0 &&
                    !hc_attribute_read_int(object, name, INT64_MIN, INT64_MAX, &our_number, &err) &&
                    number == our_number,
                name, "the number of an attribute");
    }
    n_attributes++;
    H5Tclose(type);
    return H5Aclose(attribute);
}

/* All of theirs are ours; and there are as many. */
static void compare_attributes(hid_t theirs, const struct hc_object *object, const char *name)
{
    hsize_t first = 0;
    size_t n = 0;
    size_t before = n_attributes;
    H5Aiterate2(theirs, H5_INDEX_NAME, H5_ITER_INC, &first, compare_attribute, (void *)object);
    for (size_t i = 0; i < object->n_messages; i++)
        n += object->messages[i].type == HC_MESSAGE_ATTRIBUTE;
    require(n == n_attributes - before, name, "the number of attributes");
}

/* ---- datasets ---- */

static bool same_type(hid_t theirs, const struct hc_value_type *type)
{
    hid_t number = type->type == HC_I32   ? H5T_STD_I32LE
                   : type->type == HC_I64 ? H5T_STD_I64LE
                                          : H5T_IEEE_F64LE;
    if (H5Tget_size(theirs) != type->size)
        return false;
    return type->text ? H5Tget_class(theirs) == H5T_STRING : H5Tequal(theirs, number) > 0;
}

static void compare_chunks(hid_t theirs, const struct hc_dataset_shape *shape, const char *name)
{
    struct hc_chunk_place *places = NULL;
    struct hc_error err = {0};
    require(!hc_chunk_index_read(&ours, shape, &places, &err), name, err.message);
    for (int64_t chunk = 0; chunk * shape->chunk_rows < shape->n_rows; chunk++, n_chunks++) {
        hsize_t row = (hsize_t)(chunk * shape->chunk_rows), size = 0;
        haddr_t address = 0;
        unsigned mask = 0;
        require(H5Dget_chunk_info_by_coord(theirs, &row, &mask, &address, &size) >= 0 &&
                    (int64_t)address == places[chunk].address &&
                    (int64_t)size == places[chunk].size && mask == 0,
                name, "the place of a chunk");
    }
    free(places);
}

static void compare_dataset(hid_t theirs, const struct hc_object *object, const char *name)
{
    struct hc_dataset_shape shape = {0};
    struct hc_error err = {0};
    hsize_t n_rows = 0, chunk_rows = 0;
    hid_t type = H5Dget_type(theirs), space = H5Dget_space(theirs);
    hid_t dcpl = H5Dget_create_plist(theirs);
    require(!hc_dataset_shape_read(object, &ours, &shape, &err), name, err.message);
    require(same_type(type, &shape.values), name, "the type");
    require(H5Sget_simple_extent_dims(space, &n_rows, NULL) == 1 &&
                (int64_t)n_rows == shape.n_rows && H5Pget_chunk(dcpl, 1, &chunk_rows) == 1 &&
                (int64_t)chunk_rows == shape.chunk_rows,
            name, "the number of rows");
    compare_chunks(theirs, &shape, name);
    H5Pclose(dcpl);
    H5Sclose(space);
    H5Tclose(type);
}

/* ---- groups ---- */

static void compare_group(hid_t theirs, const struct hc_link *link);

static void compare_object(hid_t parent, const struct hc_link *link)
{
    struct hc_object object;
    struct hc_error err = {0};
    hid_t theirs = H5Oopen(parent, link->name, H5P_DEFAULT);
    require(theirs >= 0, link->name, "whether there is an object");
    if (H5Iget_type(theirs) == H5I_GROUP) {
        compare_group(theirs, link);
    } else {
        require(!hc_object_read(&object, &ours, link->object, &err), link->name, err.message);
        compare_attributes(theirs, &object, link->name);
        compare_dataset(theirs, &object, link->name);
        hc_object_fini(&object);
        n_objects++;
    }
    H5Oclose(theirs);
}

static void compare_group(hid_t theirs, const struct hc_link *link)
{
    struct hc_object object;
    struct hc_link_list links;
    struct hc_error err = {0};
    H5G_info_t info;
    require(!hc_group_read(&object, &ours, link, &links, &err), link->name, err.message);
    compare_attributes(theirs, &object, link->name);
    require(H5Gget_info(theirs, &info) >= 0 && info.nlinks == links.n, link->name,
            "the number of links");
    for (size_t i = 0; i < links.n; i++)
        compare_object(theirs, &links.links[i]);
    hc_object_fini(&object);
    n_objects++;
}

static void compare_file(const char *path)
{
    struct hc_link root = {.name = "/"};
    struct hc_error err = {0};
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    require(file >= 0 && fd >= 0, path, "whether it can be opened");
    require(!hc_segment_file_init(&ours, fd, path, &err) &&
                !hc_superblock_read(&ours, &root.object, &err),
            path, err.message);
    compare_group(file, &root);
    close(fd);
    H5Fclose(file);
}

int main(int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        compare_file(argv[i]);
    printf("%d files, %zu objects, %zu attributes, %zu chunks\n", argc - 1, n_objects, n_attributes,
           n_chunks);
    return n_chunks == 0 || n_attributes == 0;
}
