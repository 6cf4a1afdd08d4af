/* Segments: what is written is read, by us and by HDF5. */
#include "store/objects/segment_layout.h"
#include "store/segment/column_dataset.h"
#include "store/segment/dictionary.h"
#include "store/segment/hdf5_util.h"
#include "tests/support/mixed_table.h"

#include <hdf5.h>
#ifdef _OPENMP
#include <omp.h>
#endif

static void assert_segment_holds(const char *path, const struct hc_table *table)
{
    struct hc_segment *segment = NULL;
    struct hc_table rows = {0};
    ASSERT_OK(segment_open_path(&segment, path, &err));
    ck_assert_int_eq(hc_segment_n_rows(segment, table->def), (int64_t)table->n_rows);
    size_t chunk_rows = (size_t)hc_segment_chunk_rows(segment, table->def);
    size_t expected = table->n_rows < HC_SEGMENT_CHUNK_ROWS ? table->n_rows : HC_SEGMENT_CHUNK_ROWS;
    ck_assert_uint_eq(chunk_rows, expected ? expected : 1);
    ASSERT_OK(hc_table_init(&rows, table->def, chunk_rows, &err));
    size_t first = 0;
    for (int64_t chunk = 0; first < table->n_rows; chunk++, first += rows.n_rows) {
        ASSERT_OK(hc_segment_read(segment, table->def, UINT32_MAX, chunk, &rows, &err));
        assert_rows(&rows, table, first);
    }
    struct hc_error err = {0};
    int64_t past = (int64_t)((table->n_rows + chunk_rows - 1) / chunk_rows);
    ck_assert_int_eq(hc_segment_read(segment, table->def, 1, past, &rows, &err), HC_INTERNAL);
    hc_table_fini(&rows);
    hc_segment_close(segment);
    ASSERT_OK(segment_verify_path(path, &err));
}

/* HDF5's own filters read the same values. */
static void assert_hdf5_reads(const char *path, const struct hc_table *table)
{
    size_t bytes = table->n_rows * sizeof(int64_t);
    void *values = malloc(bytes + 1);
    hc_hdf5_lock();
    hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
    ck_assert_int_ge(file, 0);
    for (size_t c = 0; c < table->def->n_columns; c++) {
        const struct hc_column_def *column = &table->def->columns[c];
        char name[100];
        snprintf(name, sizeof name, "%s/%s", table->def->name, column->name);
        hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
        ck_assert_int_ge(dataset, 0);
        ck_assert_int_ge(
            H5Dread(dataset, hc_file_type(column->type), H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
        ck_assert_int_eq(
            memcmp(values, table->column[c], table->n_rows * hc_type_size(column->type)), 0);
        H5Dclose(dataset);
    }
    H5Fclose(file);
    hc_hdf5_unlock();
    free(values);
}

START_TEST(tables_round_trip)
{
    static const size_t counts[] = {0, 1, 2, 1000, 262143, 262144, 262145, 700001};
    char *path = join(scratch, "round.h5"), *again = join(scratch, "again.h5");
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        struct hc_table table = {0};
        ASSERT_OK(hc_table_init(&table, &mixed_def, counts[i], &err));
        fill_mixed(&table, counts[i]);
        write_in_batches(path, &table);
        assert_segment_holds(path, &table);
        assert_hdf5_reads(path, &table);
#ifdef _OPENMP
        omp_set_num_threads(3);
#endif
        /* Neither batches, threads nor the time change a byte. */
        write_in_batches(again, &table);
#ifdef _OPENMP
        omp_set_num_threads(1);
#endif
        size_t size = 0, size_again = 0;
        uint8_t *bytes = read_bytes(path, &size), *bytes_again = read_bytes(again, &size_again);
        ck_assert_uint_eq(size, size_again);
        ck_assert_mem_eq(bytes, bytes_again, size);
        free(bytes);
        free(bytes_again);
        hc_table_fini(&table);
    }
    free(path);
    free(again);
}
END_TEST

START_TEST(job_and_provenance_round_trip)
{
    char *path = write_small(scratch);
    struct hc_segment *segment = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    ASSERT_OK(segment_open_path(&segment, path, &err));
    assert_same_job(hc_segment_job(segment), &job);
    assert_same_provenance(hc_segment_provenance(segment), &provenance);
    int64_t stored = 0, raw = 0;
    ASSERT_OK(hc_segment_sizes(segment, &hc_ops_def, &stored, &raw, &err));
    ck_assert_int_eq(raw, 500 * 52);
    ck_assert_int_gt(stored, 0);
    ck_assert_int_lt(stored, raw);
    ck_assert_int_eq(hc_segment_n_rows(segment, &mixed_def), 0);
    hc_segment_close(segment);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

START_TEST(switches_and_absent_ops_round_trip)
{
    static const char *const switches[] = {"leaf 1", "leaf 2"}, *const nodes[] = {"a", "b", "c"};
    char *path = join(scratch, "switches.h5");
    struct hc_segment_writer *writer = start_segment(path);
    struct hc_segment *segment = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    job.switches = calloc(2, sizeof *job.switches);
    for (; job.n_switches < 2; job.n_switches++)
        job.switches[job.n_switches] = strdup(switches[job.n_switches]);
    job.switched = calloc(3, sizeof *job.switched);
    for (; job.n_switched < 3; job.n_switched++)
        job.switched[job.n_switched] = (struct hc_switched_node){
            .node = strdup(nodes[job.n_switched]), .switch_code = job.n_switched == 1};
    job.absent_ops = 1u << HC_EMBEDDING_GRADS_ALL_REDUCE | 1u << HC_OPTIMIZER_CLIP_MAIN_GRAD;
    append_made_up(writer, 500, 20, 7);
    ASSERT_OK(hc_segment_writer_close(writer, &job, &provenance, &err));
    ASSERT_OK(segment_open_path(&segment, path, &err));
    assert_same_job(hc_segment_job(segment), &job);
    ck_assert_uint_eq(hc_segment_tables(segment)->n, 2); /* ops and steps: no list of the job */
    hc_segment_close(segment);
    ASSERT_OK(segment_verify_path(path, &err));
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

START_TEST(job_without_lists_round_trips)
{
    char *path = join(scratch, "bare.h5");
    struct hc_segment_writer *writer = start_segment(path);
    struct hc_segment *segment = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    ASSERT_OK(hc_job_init(&job, "", &err));
    fill_provenance(&provenance, "source");
    ASSERT_OK(hc_segment_writer_close(writer, &job, &provenance, &err));
    ASSERT_OK(segment_open_path(&segment, path, &err));
    assert_same_job(hc_segment_job(segment), &job);
    ck_assert_int_eq(hc_segment_n_rows(segment, &hc_ops_def), 0);
    hc_segment_close(segment);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

/* The main table is the one that the writer named, else the first by name; a segment of a day says
 * so. */
START_TEST(main_table_and_day_round_trip)
{
    static const struct {
        const char *given, *found;
    } cases[] = {{NULL, "ops"}, {"ops", "ops"}, {"steps", "steps"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *path = join(scratch, "main.h5");
        struct hc_segment *segment = NULL;
        struct hc_segment_writer *writer = start_segment(path);
        append_made_up(writer, 20, 3, 1);
        finish_segment_of(writer, cases[i].given);
        ASSERT_OK(segment_open_path(&segment, path, &err));
        ck_assert_str_eq(hc_segment_provenance(segment)->table, cases[i].found);
        const struct hc_table_counts *tables = hc_segment_tables(segment);
        ck_assert_uint_eq(tables->n, 2);
        ck_assert_int_eq(hc_table_counts_rows(tables, "ops"), 20);
        ck_assert_int_eq(hc_table_counts_rows(tables, "steps"), 3);
        ck_assert_int_eq(hc_table_counts_rows(tables, "job/nodes"), 0);
        hc_segment_close(segment);
        free(path);
    }
    char *path = join(scratch, "day.h5");
    struct hc_segment_writer *writer = start_segment(path);
    struct hc_segment *segment = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    append_made_up(writer, 20, 3, 1);
    ASSERT_OK(hc_job_init(&job, "rack-7", &err));
    memcpy(job.day, "2026-03-01", sizeof job.day);
    fill_provenance(&provenance, "source");
    ASSERT_OK(hc_segment_writer_close(writer, &job, &provenance, &err));
    ASSERT_OK(segment_open_path(&segment, path, &err));
    ck_assert_str_eq(hc_segment_job(segment)->day, "2026-03-01");
    hc_segment_close(segment);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

START_TEST(main_table_that_is_not_written_is_refused)
{
    char *path = join(scratch, "nothing.h5");
    struct hc_segment_writer *writer = start_segment(path);
    struct hc_error err = {0};
    struct hc_job job;
    struct hc_provenance provenance;
    append_made_up(writer, 20, 3, 1);
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    memcpy(provenance.table, "owl", sizeof "owl");
    ck_assert_int_eq(hc_segment_writer_close(writer, &job, &provenance, &err), HC_INTERNAL);
    ck_assert_ptr_nonnull(strstr(err.message, "'owl'"));
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

/* Write a segment and read it again, in any thread; assertions are the caller's. */
static enum hc_status write_and_read(int number, struct hc_error *err)
{
    char name[32];
    struct hc_segment_writer *writer = NULL;
    struct hc_table ops = {0};
    struct hc_job job;
    struct hc_provenance provenance;
    snprintf(name, sizeof name, "thread-%d.h5", number);
    char *path = join(scratch, name);
    memset(&provenance, 0, sizeof provenance);
    enum hc_status status = hc_job_init(&job, name, err);
    if (!status)
        status = hc_table_init(&ops, &hc_ops_def, 5000, err);
    if (!status)
        status = hc_segment_writer_open(&writer, path, false, err);
    fill_ops(&ops, 5000, (uint64_t)number);
    for (int i = 0; !status && i < 60; i++)
        status = hc_segment_writer_append(writer, &ops, err);
    if (!status)
        status = hc_segment_writer_close(writer, &job, &provenance, err);
    if (!status)
        status = segment_verify_path(path, err);
    hc_table_fini(&ops);
    hc_job_fini(&job);
    free(path);
    return status;
}

START_TEST(threads_may_use_segments_of_their_own)
{
    struct hc_error errors[8] = {0};
    enum hc_status statuses[8];
#pragma omp parallel for num_threads(8) schedule(static, 1)
    for (int i = 0; i < 8; i++)
        statuses[i] = write_and_read(i, &errors[i]);
    for (int i = 0; i < 8; i++)
        ck_assert_msg(statuses[i] == HC_OK, "%s", errors[i].message);
}
END_TEST

/* ---- other software ---- */

START_TEST(chunks_of_hdf5s_filters_are_read)
{
    char *path = write_small(scratch);
    struct hc_segment *segment = NULL;
    struct hc_table rows = {0};
    enum { N = 500 };
    int32_t values[N];
    for (size_t i = 0; i < N; i++)
        values[i] = (int32_t)(next_random(&seed) >> (i % 60));
    hc_hdf5_lock();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t dataset = H5Dopen2(file, "ops/rank", H5P_DEFAULT);
    ck_assert_int_ge(H5Dwrite(dataset, H5T_STD_I32LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    H5Dclose(dataset);
    ck_assert_int_ge(H5Fclose(file), 0);
    hc_hdf5_unlock();
    ASSERT_OK(segment_open_path(&segment, path, &err));
    ASSERT_OK(hc_table_init(&rows, &hc_ops_def, N, &err));
    ASSERT_OK(hc_segment_read(segment, &hc_ops_def, 1u << HC_OPS_RANK, 0, &rows, &err));
    ck_assert_mem_eq(hc_table_i32(&rows, HC_OPS_RANK), values, sizeof values);
    hc_table_fini(&rows);
    hc_segment_close(segment);
    free(path);
}
END_TEST

/* ---- dictionaries and versions ---- */

/* Replace the op_type dictionary of the small segment by these names. */
static void replace_op_types(const char *path, const char *const *names, size_t n)
{
    struct hc_error err = {0};
    struct hc_codec_pool pool = {.writing = true};
    hc_hdf5_lock();
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    hid_t group = H5Gopen2(file, HC_DICTIONARY_GROUP, H5P_DEFAULT);
    ck_assert_int_ge(H5Ldelete(group, HC_DICTIONARY_OP_TYPE, H5P_DEFAULT), 0);
    ASSERT_OK(hc_dictionary_write(group, HC_DICTIONARY_OP_TYPE, names, n, &pool, &err));
    H5Gclose(group);
    H5Fclose(file);
    hc_hdf5_unlock();
    (void)err;
    hc_codec_pool_fini(&pool);
}

/* Read the op types of the small segment. */
static enum hc_status read_op_types(const char *path, struct hc_table *rows, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    enum hc_status status = segment_open_path(&segment, path, err);
    if (!status)
        status = hc_segment_read(segment, &hc_ops_def, 1u << HC_OPS_OP_TYPE, 0, rows, err);
    hc_segment_close(segment);
    return status;
}

START_TEST(op_types_are_translated_by_name)
{
    const char *names[HC_N_OP_TYPES];
    struct hc_table ops = {0}, rows = {0};
    struct hc_error err = {0};
    char *path = write_small(scratch);
    ASSERT_OK(hc_table_init(&ops, &hc_ops_def, 500, &err));
    ASSERT_OK(hc_table_init(&rows, &hc_ops_def, 500, &err));
    fill_ops(&ops, 500, 7);
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        names[type] = hc_op_type_name(HC_N_OP_TYPES - 1 - type);
    replace_op_types(path, names, HC_N_OP_TYPES);
    ASSERT_OK(read_op_types(path, &rows, &err));
    for (size_t i = 0; i < 500; i++)
        ck_assert_int_eq(hc_table_i32(&rows, HC_OPS_OP_TYPE)[i],
                         HC_N_OP_TYPES - 1 - hc_table_i32(&ops, HC_OPS_OP_TYPE)[i]);
    ASSERT_OK(segment_verify_path(path, &err));

    names[3] = "offload-activations";
    replace_op_types(path, names, HC_N_OP_TYPES);
    ck_assert_int_eq(read_op_types(path, &rows, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "'offload-activations' is not known"));
    ck_assert_ptr_nonnull(strstr(err.message, "/ops/op_type"));

    replace_op_types(path, names, 3); /* codes above are out of range now */
    ck_assert_int_eq(read_op_types(path, &rows, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "row "));
    ck_assert_int_eq(segment_verify_path(path, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "is not a code of dictionary 'op_type'"));
    hc_table_fini(&ops);
    hc_table_fini(&rows);
    free(path);
}
END_TEST

START_TEST(writer_refuses_codes_without_names)
{
    char *path = join(scratch, "codes.h5");
    struct hc_segment_writer *writer = start_segment(path);
    struct hc_table table = {0};
    struct hc_error err = {0};
    struct hc_job job;
    struct hc_provenance provenance;
    ASSERT_OK(hc_table_init(&table, &mixed_def, 10, &err));
    fill_mixed(&table, 10);
    hc_table_i32(&table, 1)[6] = HC_N_OP_TYPES;
    ASSERT_OK(hc_segment_writer_append(writer, &table, &err));
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    ck_assert_int_eq(hc_segment_writer_close(writer, &job, &provenance, &err), HC_INTERNAL);
    ck_assert_ptr_nonnull(strstr(err.message, "row 6 of 'mixed/kind'"));
    ck_assert_int_ne(access(path, F_OK), 0);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    hc_table_fini(&table);
    free(path);
}
END_TEST

int main(void)
{
    seed = 4711;
    scratch = make_scratch();
    Suite *suite = suite_create("segment");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 300);
    tcase_add_test(tests, tables_round_trip);
    tcase_add_test(tests, job_and_provenance_round_trip);
    tcase_add_test(tests, switches_and_absent_ops_round_trip);
    tcase_add_test(tests, main_table_and_day_round_trip);
    tcase_add_test(tests, main_table_that_is_not_written_is_refused);
    tcase_add_test(tests, job_without_lists_round_trips);
    tcase_add_test(tests, threads_may_use_segments_of_their_own);
    tcase_add_test(tests, chunks_of_hdf5s_filters_are_read);
    tcase_add_test(tests, op_types_are_translated_by_name);
    tcase_add_test(tests, writer_refuses_codes_without_names);
    suite_add_tcase(suite, tests);
    SRunner *runner = srunner_create(suite);
    srunner_set_fork_status(runner, CK_NOFORK);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return failed != 0;
}
