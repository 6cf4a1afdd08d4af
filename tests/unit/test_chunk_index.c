/* Indexes of chunks: those that HDF5 writes are read as it reads them, crafted ones are refused by
 * name and in no time, whatever they point at. */
#include "store/objects/chunk_index.h"
#include "store/objects/group_links.h"
#include "store/segment/column_dataset.h"
#include "store/segment/hdf5_util.h"
#include "tests/support/segment_fixture.h"

#include <fcntl.h>
#include <hdf5.h>

#define CHUNK_ROWS  8
#define CHUNK_BYTES 20
#define TREE        1024 /* where the made-up file has what */
#define NODE        1024 /* room for a node */
#define DATA        65536
#define FILE_SIZE   (DATA + 4096)

static char *scratch;

/* ---- indexes that HDF5 wrote ---- */

/* Attributes as in a segment, which take the header into further blocks. */
static void write_dataset(const char *path, int64_t n_rows, bool is_small)
{
    static char text[1000];
    hsize_t n = (hsize_t)n_rows;
    int64_t *values = calloc((size_t)n_rows, sizeof *values);
    uint64_t state = 5;
    struct hc_error err = {0};
    for (int64_t i = 0; i < n_rows; i++)
        values[i] = (int64_t)next_random(&state);
    hid_t file = hc_hdf5_create(path, is_small, &err);
    hid_t properties = hc_dataset_properties(HC_FILL_NONE, CHUNK_ROWS, &err);
    hid_t dataset = hc_dataset_create(file, "x", H5T_STD_I64LE, properties, &err);
    ck_assert_int_ge(H5Dset_extent(dataset, &n), 0);
    ck_assert_int_ge(H5Dwrite(dataset, H5T_STD_I64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    memset(text, 'a', sizeof text - 1);
    for (int i = 0; i < 5; i++) {
        char name[] = {'a', (char)('0' + i), '\0'};
        ASSERT_OK(hc_attribute_write_text(dataset, name, text, &err));
    }
    ck_assert_int_ge(H5Dclose(dataset), 0);
    ck_assert_int_ge(H5Fclose(file), 0);
    free(values);
    (void)err;
}

static void open_file(struct hc_segment_file *file, const char *path)
{
    ASSERT_OK(hc_segment_file_init(file, open(path, O_RDONLY), path, &err));
}

/* The shape of the dataset /x. */
static void read_shape(struct hc_segment_file *file, struct hc_dataset_shape *shape)
{
    struct hc_link root = {.name = ""};
    struct hc_link_list links;
    struct hc_object object;
    ASSERT_OK(hc_superblock_read(file, &root.object, &err));
    ASSERT_OK(hc_group_read(&object, file, &root, &links, &err));
    hc_object_fini(&object);
    ck_assert_uint_eq(links.n, 1);
    ASSERT_OK(hc_object_read(&object, file, hc_link_find(&links, "x")->object, &err));
    ck_assert_uint_gt(object.n_blocks, 1);
    ASSERT_OK(hc_dataset_shape_read(&object, file, shape, &err));
    hc_object_fini(&object);
}

static void check_against_hdf5(int64_t n_rows, bool is_small)
{
    struct hc_dataset_shape shape = {0};
    struct hc_chunk_place *places = NULL;
    struct hc_segment_file ours;
    char *path = join(scratch, "hdf5.h5");
    hc_hdf5_lock(); /* HDF5 is quiet from now on; there is one thread */
    hc_hdf5_unlock();
    write_dataset(path, n_rows, is_small);
    open_file(&ours, path);
    read_shape(&ours, &shape);
    ASSERT_OK(hc_chunk_index_read(&ours, &shape, &places, &err));
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "x", H5P_DEFAULT);
    for (int64_t chunk = 0; chunk * CHUNK_ROWS < n_rows; chunk += 1 + chunk / 20) {
        hsize_t row = (hsize_t)chunk * CHUNK_ROWS, size = 0;
        haddr_t address = 0;
        unsigned mask = 0;
        ck_assert_int_ge(H5Dget_chunk_info_by_coord(dataset, &row, &mask, &address, &size), 0);
        ck_assert_int_eq(places[chunk].address, (int64_t)address);
        ck_assert_int_eq(places[chunk].size, (int64_t)size);
    }
    H5Dclose(dataset);
    H5Fclose(file);
    close(ours.fd);
    free(places);
    free(path);
}

START_TEST(places_are_those_of_hdf5)
{
    static const int64_t n_rows[] = {1, 8, 9, 64 * 8, 65 * 8, 5000 * 8 + 3};
    for (size_t i = 0; i < sizeof n_rows / sizeof *n_rows; i++) {
        check_against_hdf5(n_rows[i], false);
        check_against_hdf5(n_rows[i], true);
    }
}
END_TEST

/* ---- indexes made up ---- */

static uint8_t bytes[FILE_SIZE];
static int64_t size_now, root_now;

static void put(int64_t at, uint64_t value, int n)
{
    for (int i = 0; i < n; i++)
        bytes[at + i] = (uint8_t)(value >> 8 * i);
}

static int64_t node_at(int number)
{
    return TREE + number * NODE;
}

static void put_node(int number, int level, int n_entries)
{
    int64_t at = node_at(number);
    memcpy(bytes + at, "TREE\1", 5);
    put(at + 5, (uint64_t)level, 1);
    put(at + 6, (uint64_t)n_entries, 2);
    put(at + 8, UINT64_MAX, 8);
    put(at + 16, UINT64_MAX, 8);
}

static int64_t entry_at(int number, int entry)
{
    return node_at(number) + 24 + 32 * entry;
}

/* An entry of a leaf: its chunk. */
static void put_chunk(int number, int entry, int64_t chunk)
{
    int64_t at = entry_at(number, entry);
    put(at, CHUNK_BYTES, 4);
    put(at + 4, 0, 4);
    put(at + 8, (uint64_t)chunk * CHUNK_ROWS, 8);
    put(at + 16, 0, 8);
    put(at + 24, DATA + (uint64_t)chunk * CHUNK_BYTES, 8);
}

static void put_child(int number, int entry, int child)
{
    put(entry_at(number, entry) + 24, (uint64_t)node_at(child), 8);
}

/* A root with two leaves of three chunks. */
static void make_file(void)
{
    memset(bytes, 0, sizeof bytes);
    size_now = FILE_SIZE;
    root_now = node_at(0);
    put_node(0, 1, 2);
    for (int leaf = 0; leaf < 2; leaf++) {
        put_child(0, leaf, 1 + leaf);
        put_node(1 + leaf, 0, 3);
        for (int i = 0; i < 3; i++)
            put_chunk(1 + leaf, i, 3 * leaf + i);
    }
}

static enum hc_status read_index(int64_t n_chunks, struct hc_error *err)
{
    struct hc_dataset_shape shape = {.values = {.type = HC_I64, .size = 8},
                                     .n_rows = n_chunks * CHUNK_ROWS,
                                     .chunk_rows = CHUNK_ROWS,
                                     .index = root_now};
    struct hc_chunk_place *places = NULL;
    struct hc_segment_file file;
    char *path = join(scratch, "crafted.bin");
    write_bytes(path, bytes, (size_t)size_now);
    open_file(&file, path);
    enum hc_status status = hc_chunk_index_read(&file, &shape, &places, err);
    for (int64_t i = 0; !status && i < n_chunks; i++)
        ck_assert(places[i].address >= 0 && places[i].size > 0 &&
                  places[i].address + places[i].size <= size_now);
    close(file.fd);
    free(places);
    free(path);
    return status;
}

static void check_refused(int64_t n_chunks, const char *message)
{
    struct hc_error err = {0};
    ck_assert_int_eq(read_index(n_chunks, &err), HC_BAD_INPUT);
    ck_assert_str_eq(err.message, message);
}

#define IN_INDEX             "the index of its chunks: "
#define DAMAGED(where, what) IN_INDEX "byte " where ": " what "; ingest the source again"

static void self_pointing(void)
{
    put_child(0, 0, 0);
}

/* Every level of a tall tree leads to the next one a thousand times. */
static void shared_nodes(void)
{
    for (int level = 0; level <= 8; level++) {
        put_node(8 - level, level, level ? 20 : 3);
        for (int i = 0; i < 20 && level; i++)
            put_child(8 - level, i, 9 - level);
    }
    for (int i = 0; i < 3; i++)
        put_chunk(8, i, i);
}

static void too_tall(void)
{
    put_node(0, 9, 2);
}

static void level_jump(void)
{
    put_node(0, 2, 2);
}

static void level_up(void)
{
    put_node(2, 1, 3);
}

static void other_tree(void)
{
    bytes[node_at(2) + 4] = 0; /* of a group */
}

static void no_entries(void)
{
    put_node(2, 0, 0);
}

static void too_many_entries(void)
{
    put_node(2, 0, 65535);
}

static void child_outside(void)
{
    put(entry_at(0, 1) + 24, FILE_SIZE - 10, 8);
}

static void child_nowhere(void)
{
    put(entry_at(0, 1) + 24, UINT64_MAX, 8);
}

static void cut_in_node(void)
{
    size_now = entry_at(2, 1) + 10;
}

static void out_of_order(void)
{
    put_chunk(2, 1, 5);
    put_chunk(2, 2, 4);
}

static void twice(void)
{
    put_chunk(2, 0, 2);
}

static void between(void)
{
    put(entry_at(1, 1) + 8, CHUNK_ROWS + 1, 8);
}

static void chunk_outside(void)
{
    put(entry_at(1, 1) + 24, FILE_SIZE - CHUNK_BYTES + 1, 8);
}

static void too_large(void)
{
    put(entry_at(1, 1), 1 << 30, 4);
}

static void skipping(void)
{
    put(entry_at(1, 1) + 4, 6, 4);
}

static void no_root(void)
{
    root_now = -1;
}

START_TEST(crafted_indexes_are_refused)
{
    static const struct {
        void (*craft)(void);
        const char *message;
    } cases[] = {
        {self_pointing, DAMAGED("1024", "a node of another level than its place in the tree")},
        {shared_nodes, DAMAGED("9240", "a chunk that is not the next one")},
        {too_tall, DAMAGED("1024", "a node of another level than its place in the tree")},
        {level_jump, DAMAGED("2048", "a node of another level than its place in the tree")},
        {level_up, DAMAGED("3072", "a node of another level than its place in the tree")},
        {other_tree, DAMAGED("3072", "no node of a B-tree of chunks")},
        {no_entries, DAMAGED("3072", "a node without entries")},
        {too_many_entries, DAMAGED("3192", "a chunk that is not the next one")},
        {child_outside, DAMAGED("69622", "it lies outside the file")},
        {child_nowhere, DAMAGED("-1", "it lies outside the file")},
        {cut_in_node, DAMAGED("2072", "a chunk outside the file")},
        {out_of_order, IN_INDEX "chunk 4 is missing"},
        {twice, DAMAGED("3096", "a chunk that is not the next one")},
        {between, DAMAGED("2104", "a chunk that is not the next one")},
        {chunk_outside, DAMAGED("2104", "a chunk outside the file")},
        {too_large, IN_INDEX "chunk 1 takes 1073741824 bytes, more than its values can"},
        {skipping, IN_INDEX "chunk 1 skips filters (mask 0x6)"},
        {no_root, "chunk 0 is missing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        make_file();
        ASSERT_OK(read_index(6, &err));
        cases[i].craft();
        check_refused(6, cases[i].message);
    }
    make_file();
    check_refused(7, "chunk 6 is missing");
    check_refused(5, DAMAGED("3160", "a chunk that is not the next one"));
    check_refused(1 << 20, "it has 1048576 chunks, more than a file of this size can hold");
}
END_TEST

/* At whatever byte the file ends, and whatever a byte of the tree is. */
START_TEST(damage_is_told)
{
    struct hc_error err = {0};
    for (int64_t cut = 0; cut < DATA; cut += 1 + cut / 100) {
        make_file();
        size_now = cut;
        ck_assert_int_eq(read_index(6, &err), HC_BAD_INPUT);
    }
    make_file();
    for (int64_t at = TREE; at < entry_at(2, 3); at++)
        for (int bit = 0; bit < 8; bit++) {
            if (bytes[at] == 0 && at % 7)
                continue;
            bytes[at] ^= (uint8_t)(1 << bit);
            enum hc_status status = read_index(6, &err);
            ck_assert(status == HC_OK || status == HC_BAD_INPUT);
            bytes[at] ^= (uint8_t)(1 << bit);
        }
}
END_TEST

/* A leaf with one chunk, both beyond what 32 bits can say. */
START_TEST(large_files_are_read)
{
    const int64_t tree = (int64_t)5 << 30, data = tree + 100000;
    struct hc_dataset_shape shape = {.values = {.type = HC_I64, .size = 8},
                                     .n_rows = CHUNK_ROWS,
                                     .chunk_rows = CHUNK_ROWS,
                                     .index = tree};
    struct hc_chunk_place *places = NULL;
    struct hc_segment_file file;
    char *path = join(scratch, "large.bin");
    make_file();
    put_node(0, 0, 1);
    put_chunk(0, 0, 0);
    put(entry_at(0, 0) + 24, (uint64_t)data, 8);
    write_bytes(path, bytes, FILE_SIZE);
    int fd = open(path, O_RDWR);
    ck_assert_int_eq(ftruncate(fd, (off_t)6 << 30), 0); /* all holes but for the leaf */
    ck_assert_int_eq(pwrite(fd, bytes + node_at(0), NODE, tree), NODE);
    close(fd);
    open_file(&file, path);
    ASSERT_OK(hc_chunk_index_read(&file, &shape, &places, &err));
    ck_assert_int_eq(places[0].address, data);
    close(file.fd);
    unlink(path);
    free(places);
    free(path);
}
END_TEST

/* ---- in a segment ---- */

/* The root of some index becomes its own child: libhdf5 1.10.8 dies of that. */
START_TEST(segment_with_an_index_in_itself_is_refused)
{
    size_t size = 0, n_refused = 0;
    char *path = write_small(scratch);
    uint8_t *whole = read_bytes(path, &size), *crafted = malloc(size);
    ck_assert_ptr_nonnull(crafted);
    for (size_t at = 0; at + 64 < size; at++) {
        struct hc_error err = {0};
        char expected[200];
        if (memcmp(whole + at, "TREE\1\0\1", 7) != 0)
            continue;
        memcpy(crafted, whole, size);
        crafted[at + 5] = 1;
        for (int i = 0; i < 8; i++)
            crafted[at + 48 + (size_t)i] = (uint8_t)(at >> 8 * i);
        write_bytes(path, crafted, size);
        ck_assert_int_eq(segment_verify_path(path, &err), HC_BAD_INPUT);
        snprintf(expected, sizeof expected,
                 "': the index of its chunks: byte %zu: a node of another level than "
                 "its place in the tree; ingest the source again",
                 at);
        const char *found = strstr(err.message, expected);
        ck_assert_msg(found && !found[strlen(expected)] &&
                          strstr(err.message, "small.h5': dataset '/"),
                      "%s", err.message);
        n_refused++;
    }
    ck_assert_uint_gt(n_refused, 15); /* one a column and dictionary */
    free(crafted);
    free(whole);
    free(path);
}
END_TEST

int main(void)
{
    scratch = make_scratch();
    Suite *suite = suite_create("chunk index");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, places_are_those_of_hdf5);
    tcase_add_test(tests, crafted_indexes_are_refused);
    tcase_add_test(tests, damage_is_told);
    tcase_add_test(tests, large_files_are_read);
    tcase_add_test(tests, segment_with_an_index_in_itself_is_refused);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return failed != 0;
}
