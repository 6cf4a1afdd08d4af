/* Segments that are damaged, odd or cut short: damage is told, never read. */
#include "store/objects/segment_layout.h"
#include "store/segment/hdf5_util.h"
#include "tests/support/segment_fixture.h"

#include <hdf5.h>
#include <signal.h>
#include <sys/resource.h>

static char *scratch;
static uint64_t seed;

/* Do something to an open segment with HDF5. */
static void edit(const char *path, void (*change)(hid_t file))
{
    hc_hdf5_lock();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    change(file);
    ck_assert_int_ge(H5Fclose(file), 0);
    hc_hdf5_unlock();
}

static void raise_major(hid_t file)
{
    struct hc_error err = {0};
    H5Adelete(file, HC_ATTRIBUTE_MAJOR);
    hc_attribute_write_int(file, HC_ATTRIBUTE_MAJOR, H5T_STD_I32LE, 2, &err);
}

static void drop_column(hid_t file)
{
    ck_assert_int_ge(H5Ldelete(file, "ops/rank", H5P_DEFAULT), 0);
}

static void shorten_column(hid_t file)
{
    hsize_t n = 499;
    hid_t dataset = H5Dopen2(file, "ops/rank", H5P_DEFAULT);
    ck_assert_int_ge(H5Dset_extent(dataset, &n), 0);
    H5Dclose(dataset);
}

static void lengthen_table(hid_t file)
{
    static const char *const columns[] = {
        "steps/step",      "steps/first_start_ns", "steps/last_end_ns",    "steps/n_ops",
        "steps/structure", "steps/bad_rows",       "steps/duplicate_rows", "steps/absent_rows"};
    hsize_t n = (hsize_t)1 << 40;
    for (size_t i = 0; i < sizeof columns / sizeof *columns; i++) {
        hid_t dataset = H5Dopen2(file, columns[i], H5P_DEFAULT);
        ck_assert_int_ge(H5Dset_extent(dataset, &n), 0);
        H5Dclose(dataset);
    }
}

static void link_elsewhere(hid_t file)
{
    H5Ldelete(file, "ops/rank", H5P_DEFAULT);
    ck_assert_int_ge(
        H5Lcreate_external("other.h5", "/x", file, "ops/rank", H5P_DEFAULT, H5P_DEFAULT), 0);
}

static void skip_filters(hid_t file)
{
    static const uint8_t bytes[2000];
    hsize_t offset = 0;
    hid_t dataset = H5Dopen2(file, "ops/rank", H5P_DEFAULT);
    ck_assert_int_ge(H5Dwrite_chunk(dataset, H5P_DEFAULT, 7, &offset, sizeof bytes, bytes), 0);
    H5Dclose(dataset);
}

static void add_plain_dataset(hid_t file)
{
    hsize_t dims[2] = {3, 3};
    hid_t space = H5Screate_simple(2, dims, NULL);
    hid_t dataset =
        H5Dcreate2(file, "ops/plain", H5T_STD_I32LE, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
    ck_assert_int_ge(dataset, 0);
    H5Dclose(dataset);
    H5Sclose(space);
}

START_TEST(odd_segments_are_refused_by_name)
{
    static const struct {
        void (*change)(hid_t file);
        const char *message;
    } cases[] = {
        {raise_major, "schema version 2.0"},
        {drop_column, "table 'ops' has no column 'rank'"},
        {shorten_column, "has 499 rows"},
        {lengthen_table, "more than a file of this size can hold"},
        {link_elsewhere, "links that no segment has"},
        {skip_filters, "skips filters"},
        {add_plain_dataset, "'/ops/plain'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct hc_segment *segment = NULL;
        struct hc_table rows = {0};
        struct hc_error err = {0};
        char *path = write_small(scratch);
        edit(path, cases[i].change);
        ASSERT_OK(hc_table_init(&rows, &hc_ops_def, 500, &err));
        enum hc_status status = segment_open_path(&segment, path, &err);
        if (!status)
            status = hc_segment_read(segment, &hc_ops_def, UINT32_MAX, 0, &rows, &err);
        ck_assert_int_eq(status, HC_BAD_INPUT);
        ck_assert_msg(strstr(err.message, cases[i].message) != NULL, "%s", err.message);
        ck_assert_msg(strstr(err.message, "small.h5") != NULL, "%s", err.message);
        hc_segment_close(segment);
        hc_table_fini(&rows);
        free(path);
    }
}
END_TEST

START_TEST(foreign_files_are_refused)
{
    struct hc_segment *segment = NULL;
    struct hc_error err = {0};
    char *path = join(scratch, "foreign.h5");
    write_bytes(path, "not hdf5", 8);
    ck_assert_int_eq(segment_open_path(&segment, path, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "foreign.h5"));
    ck_assert_int_eq(segment_open_path(&segment, scratch, &err), HC_BAD_INPUT);
    free(path);
}
END_TEST

/* All that can be read of a segment, for comparison. */
struct contents {
    struct hc_table ops, steps;
    struct hc_job job;
    struct hc_provenance provenance;
};

static void contents_fini(struct contents *contents)
{
    hc_table_fini(&contents->ops);
    hc_table_fini(&contents->steps);
    hc_job_fini(&contents->job);
    hc_provenance_fini(&contents->provenance);
}

static enum hc_status read_table(struct hc_segment *segment, const struct hc_table_def *def,
                                 struct hc_table *rows, struct hc_error *err)
{
    int64_t n = hc_segment_n_rows(segment, def), chunk_rows = hc_segment_chunk_rows(segment, def);
    ck_assert_int_le(chunk_rows, 1 << 20);
    enum hc_status status = hc_table_init(rows, def, (size_t)chunk_rows, err);
    if (!status && n != chunk_rows)
        return hc_fail(err, HC_FINDING, "%s: another shape than was written", def->name);
    return status ? status : hc_segment_read(segment, def, UINT32_MAX, 0, rows, err);
}

static enum hc_status read_contents(const char *path, struct contents *contents,
                                    struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    memset(contents, 0, sizeof *contents);
    enum hc_status status = segment_open_path(&segment, path, err);
    if (!status)
        status = read_table(segment, &hc_ops_def, &contents->ops, err);
    if (!status)
        status = read_table(segment, &hc_steps_def, &contents->steps, err);
    if (!status) {
        const struct hc_provenance *provenance = hc_segment_provenance(segment);
        ASSERT_OK(hc_job_copy(&contents->job, hc_segment_job(segment), &err));
        contents->provenance = *provenance;
        contents->provenance.table = strdup(provenance->table);
        contents->provenance.source_path = strdup(provenance->source_path);
        contents->provenance.format = strdup(provenance->format);
        contents->provenance.options = strdup(provenance->options);
        contents->provenance.tool_version = strdup(provenance->tool_version);
    }
    hc_segment_close(segment);
    return status;
}

/* Read damaged bytes: an error, or exactly what the whole segment holds. Returns whether it was an
 * error. */
static bool try_damaged(const char *path, const uint8_t *bytes, size_t size,
                        const struct contents *whole)
{
    struct contents now;
    struct hc_error err = {0};
    write_bytes(path, bytes, size);
    enum hc_status status = read_contents(path, &now, &err);
    ck_assert_msg(status != HC_FINDING, "%s", err.message);
    ck_assert_msg(!status || *err.message, "an error without a message");
    if (!status) {
        ck_assert_uint_eq(now.ops.n_rows, whole->ops.n_rows);
        ck_assert_uint_eq(now.steps.n_rows, whole->steps.n_rows);
        assert_rows(&now.ops, &whole->ops, 0);
        assert_rows(&now.steps, &whole->steps, 0);
        assert_same_job(&now.job, &whole->job);
        assert_same_provenance(&now.provenance, &whole->provenance);
    }
    contents_fini(&now);
    return status != HC_OK;
}

START_TEST(damage_is_never_read)
{
    char *path = write_small(scratch), *damaged = join(scratch, "damaged.h5");
    struct contents whole;
    size_t size = 0, n_errors = 0;
    uint8_t *bytes = read_bytes(path, &size);
    ASSERT_OK(read_contents(path, &whole, &err));
    const int n_flips = getenv("HC_TEST_FLIPS") ? atoi(getenv("HC_TEST_FLIPS")) : 600;
    for (int i = 0; i < n_flips; i++) {
        size_t at = next_random(&seed) % size;
        uint8_t bit = (uint8_t)(1 << next_random(&seed) % 8);
        bytes[at] ^= bit;
        n_errors += try_damaged(damaged, bytes, size, &whole);
        bytes[at] ^= bit;
    }
    ck_assert_uint_gt(n_errors, 0);
    for (int i = 0; i < 100; i++)
        ck_assert(try_damaged(damaged, bytes, next_random(&seed) % size, &whole));
    ck_assert(!try_damaged(damaged, bytes, size, &whole));
    contents_fini(&whole);
    free(bytes);
    free(damaged);
    free(path);
}
END_TEST

START_TEST(full_disk_leaves_no_file)
{
    char *path = join(scratch, "full.h5");
    struct rlimit before, limit;
    struct hc_error err = {0};
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    ck_assert_int_eq(getrlimit(RLIMIT_FSIZE, &before), 0);
    signal(SIGXFSZ, SIG_IGN);
    struct hc_segment_writer *writer = start_segment(path);
    limit = before;
    limit.rlim_cur = 100000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    append_made_up(writer, 100000, 10, 3);
    enum hc_status status = hc_segment_writer_close(writer, &job, &provenance, &err);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(status, HC_IO);
    ck_assert_msg(strstr(err.message, "File too large") != NULL, "%s", err.message);
    ck_assert_int_ne(access(path, F_OK), 0);
    free(write_small(scratch)); /* and the next segment is not touched by it */
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

int main(void)
{
    seed = 4711;
    scratch = make_scratch();
    Suite *suite = suite_create("segment damage");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, odd_segments_are_refused_by_name);
    tcase_add_test(tests, foreign_files_are_refused);
    tcase_add_test(tests, damage_is_never_read);
    tcase_add_test(tests, full_disk_leaves_no_file);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return failed != 0;
}
