/* Segments: what is written is read, by us, by HDF5 and by h5py; damage is told, never read. */
#include "store/column_dataset.h"
#include "store/dictionary.h"
#include "store/hdf5_util.h"
#include "store/segment_layout.h"
#include "store_fixture.h"

#include <hdf5.h>
#ifdef _OPENMP
#include <omp.h>
#endif
#include <signal.h>
#include <sys/resource.h>

static char *scratch;
static uint64_t seed;

static const struct hc_column_def mixed_columns[] = {
    {"id", HC_I32, "", "an id", NULL},
    {"kind", HC_I32, "", "an op type", "op_type"},
    {"time", HC_I64, "ns", "a time", NULL},
    {"value", HC_F64, "W", "a measurement", NULL},
};
static const struct hc_table_def mixed_def = {"mixed", 4, mixed_columns};

static void fill_mixed(struct hc_table *table, size_t n)
{
    table->n_rows = n;
    for (size_t i = 0; i < n; i++) {
        uint64_t r = next_random(&seed);
        hc_table_i32(table, 0)[i] = r & 15 ? (int32_t)(i / 3) : HC_MISSING_I32;
        hc_table_i32(table, 1)[i] = r >> 4 & 15 ? (int32_t)(r % HC_N_OP_TYPES) : HC_MISSING_I32;
        hc_table_i64(table, 2)[i] = r >> 8 & 15 ? (int64_t)(r >> 24) : HC_MISSING_I64;
        hc_table_f64(table, 3)[i] = r >> 12 & 15 ? (double)(r >> 33) * 0.001 : __builtin_nan("");
    }
}

static struct hc_segment_writer *start(const char *path)
{
    struct hc_segment_writer *writer = NULL;
    unlink(path);
    ASSERT_OK(hc_segment_writer_open(&writer, path, &err));
    return writer;
}

static void finish(struct hc_segment_writer *writer)
{
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    ASSERT_OK(hc_segment_writer_close(writer, &job, &provenance, &err));
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
}

/* Write the rows of table in batches of random sizes. */
static void write_in_batches(const char *path, const struct hc_table *table)
{
    struct hc_segment_writer *writer = start(path);
    struct hc_table batch = *table;
    batch.n_rows = 0;
    ASSERT_OK(hc_segment_writer_append(writer, &batch, &err));
    for (size_t first = 0; first < table->n_rows; first += batch.n_rows) {
        batch.n_rows = 1 + next_random(&seed) % 200000;
        if (batch.n_rows > table->n_rows - first)
            batch.n_rows = table->n_rows - first;
        for (size_t c = 0; c < table->def->n_columns; c++)
            batch.column[c] =
                (char *)table->column[c] + first * hc_type_size(table->def->columns[c].type);
        ASSERT_OK(hc_segment_writer_append(writer, &batch, &err));
    }
    finish(writer);
}

/* The rows that were read from a segment are those of table, from row first on. */
static void assert_rows(const struct hc_table *rows, const struct hc_table *table, size_t first)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        ck_assert_int_eq(
            memcmp(rows->column[c], (char *)table->column[c] + first * size, rows->n_rows * size),
            0);
    }
}

static void assert_segment_holds(const char *path, const struct hc_table *table)
{
    struct hc_segment *segment = NULL;
    struct hc_table rows = {0};
    ASSERT_OK(hc_segment_open(&segment, path, &err));
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
    ASSERT_OK(hc_segment_verify(path, &err));
}

/* HDF5's own filters read the same values. */
static void assert_hdf5_reads(const char *path, const struct hc_table *table)
{
    size_t bytes = table->n_rows * sizeof(int64_t);
    void *values = malloc(bytes + 1);
    struct hc_error err = {0};
    hc_hdf5_lock();
    hid_t file = hc_hdf5_open(path, &err);
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

static void assert_same_job(const struct hc_job *a, const struct hc_job *b)
{
    ck_assert_str_eq(a->cluster, b->cluster);
    ck_assert_str_eq(a->id, b->id);
    ck_assert_int_eq(a->attempt, b->attempt);
    ck_assert_int_eq(a->dp_size, b->dp_size);
    ck_assert_int_eq(a->pp_size, b->pp_size);
    ck_assert_int_eq(a->tp_size, b->tp_size);
    ck_assert_int_eq(a->dsp_size, b->dsp_size);
    ck_assert_int_eq(a->vpp_size, b->vpp_size);
    ck_assert_int_eq(a->world_size, b->world_size);
    ck_assert_int_eq(a->start_unix_ns, b->start_unix_ns);
    ck_assert_pstr_eq(a->meta_path, b->meta_path);
    ck_assert_str_eq(a->meta_sha256, b->meta_sha256);
    ck_assert_uint_eq(a->n_aliases, b->n_aliases);
    for (size_t i = 0; i < a->n_aliases; i++) {
        ck_assert_str_eq(a->aliases[i].name, b->aliases[i].name);
        ck_assert_int_eq(a->aliases[i].op_type, b->aliases[i].op_type);
    }
    ck_assert_uint_eq(a->n_nodes, b->n_nodes);
    for (size_t i = 0; i < a->n_nodes; i++) {
        ck_assert_int_eq(a->nodes[i].rank, b->nodes[i].rank);
        ck_assert_str_eq(a->nodes[i].node, b->nodes[i].node);
    }
}

static void assert_same_provenance(const struct hc_provenance *a, const struct hc_provenance *b)
{
    ck_assert_str_eq(a->source_path, b->source_path);
    ck_assert_int_eq(a->source_size, b->source_size);
    ck_assert_str_eq(a->source_sha256, b->source_sha256);
    ck_assert_str_eq(a->format, b->format);
    ck_assert_int_eq(a->format_version, b->format_version);
    ck_assert_str_eq(a->options, b->options);
    ck_assert_str_eq(a->tool_version, b->tool_version);
    ck_assert_int_eq(a->rows_read, b->rows_read);
    ck_assert_int_eq(a->rows_ignored, b->rows_ignored);
    ck_assert_mem_eq(a->bad, b->bad, sizeof a->bad);
}

/* A segment as an ingest of a small trace makes it. */
static char *write_small(void)
{
    char *path = join(scratch, "small.h5");
    struct hc_segment_writer *writer = start(path);
    append_made_up(writer, 500, 20, 7);
    finish(writer);
    return path;
}

START_TEST(job_and_provenance_round_trip)
{
    char *path = write_small();
    struct hc_segment *segment = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    fill_job(&job, "AR");
    fill_provenance(&provenance, "source");
    ASSERT_OK(hc_segment_open(&segment, path, &err));
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

START_TEST(job_without_lists_round_trips)
{
    char *path = join(scratch, "bare.h5");
    struct hc_segment_writer *writer = start(path);
    struct hc_segment *segment = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    ASSERT_OK(hc_job_init(&job, "", &err));
    fill_provenance(&provenance, "source");
    ASSERT_OK(hc_segment_writer_close(writer, &job, &provenance, &err));
    ASSERT_OK(hc_segment_open(&segment, path, &err));
    assert_same_job(hc_segment_job(segment), &job);
    ck_assert_int_eq(hc_segment_n_rows(segment, &hc_ops_def), 0);
    hc_segment_close(segment);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    free(path);
}
END_TEST

/* ---- other software ---- */

START_TEST(h5py_reads_the_same)
{
    static const char *const program =
        "import sys, h5py, numpy\n"
        "f = h5py.File(sys.argv[1], 'r')\n"
        "assert f.attrs['schema'] == b'hindcast-segment', f.attrs['schema']\n"
        "for name, kind, missing in (('id', '<i4', -2**31), ('kind', '<i4', -2**31),\n"
        "                            ('time', '<i8', -2**63), ('value', '<f8', None)):\n"
        "    d = f['mixed'][name]\n"
        "    want = numpy.fromfile(sys.argv[1] + '.' + name, dtype=kind)\n"
        "    assert d.dtype == kind and d.shape == want.shape\n"
        "    assert numpy.array_equal(d[:].view('u1'), want.view('u1')), name\n"
        "    assert d.shuffle and d.fletcher32 and d.compression == 'gzip'\n"
        "    assert missing is None or (d.fillvalue == missing and d.attrs['missing'] == missing)\n"
        "    assert len(d.attrs['description']) > 3\n"
        "assert f['mixed/time'].attrs['unit'] == b'ns'\n"
        "assert f['mixed/kind'].attrs['dictionary'] == b'op_type'\n"
        "assert f['dictionaries/op_type'][4] == b'forward-compute'\n"
        "assert f['job'].attrs['id'] == b'AR' and f['job'].attrs['dp_size'] == 4\n"
        "assert f['dictionaries/node'][f['job/nodes/node'][9]] == b'node-19'\n"
        "assert f['provenance'].attrs['bad_duplicate'] == 3\n";
    char command[4096];
    if (system("/usr/bin/python3 -c 'import h5py, numpy' 2>/dev/null") != 0) {
        printf("skipped: h5py is not installed\n");
        return;
    }
    char *path = join(scratch, "py.h5"), *script = join(scratch, "read.py");
    struct hc_table table = {0};
    ASSERT_OK(hc_table_init(&table, &mixed_def, 300000, &err));
    fill_mixed(&table, 300000);
    write_in_batches(path, &table);
    for (size_t c = 0; c < mixed_def.n_columns; c++) {
        snprintf(command, sizeof command, "%s.%s", path, mixed_columns[c].name);
        write_bytes(command, table.column[c], 300000 * hc_type_size(mixed_columns[c].type));
    }
    write_bytes(script, program, strlen(program));
    snprintf(command, sizeof command, "/usr/bin/python3 '%s' '%s'", script, path);
    ck_assert_int_eq(system(command), 0);
    hc_table_fini(&table);
    free(script);
    free(path);
}
END_TEST

START_TEST(chunks_of_hdf5s_filters_are_read)
{
    char *path = join(scratch, "theirs.h5");
    struct hc_error err = {0};
    struct hc_codec_pool pool = {0};
    struct hc_stored_chunk stored = {0};
    struct hc_dataset_shape shape = {0};
    enum { N = 5000 };
    int64_t values[N], back[N];
    hsize_t n = N;
    for (size_t i = 0; i < N; i++)
        values[i] = (int64_t)(next_random(&seed) >> (i % 60));
    unlink(path);
    hc_hdf5_lock();
    hid_t file = hc_hdf5_create(path, true, &err);
    hid_t dataset = hc_dataset_create(file, "x", H5T_STD_I64LE, N, NULL, &err);
    ck_assert_int_ge(H5Dset_extent(dataset, &n), 0);
    ck_assert_int_ge(H5Dwrite(dataset, H5T_STD_I64LE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
    ck_assert_int_ge(H5Fflush(file, H5F_SCOPE_GLOBAL), 0);
    ASSERT_OK(hc_dataset_inspect(dataset, 100000, &shape, &err));
    ASSERT_OK(hc_dataset_read_chunk(dataset, &shape, 0, &stored, &err));
    H5Dclose(dataset);
    H5Fclose(file);
    hc_hdf5_unlock();
    ASSERT_OK(hc_codec_pool_reserve(&pool, sizeof values, &err));
    ck_assert_int_eq(hc_chunk_decode(hc_codec_pool_mine(&pool), stored.bytes, stored.size, back, N,
                                     sizeof *back),
                     HC_CHUNK_WHOLE);
    ck_assert_mem_eq(back, values, sizeof values);
    free(stored.bytes);
    hc_codec_pool_fini(&pool);
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
    enum hc_status status = hc_segment_open(&segment, path, err);
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
    char *path = write_small();
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
    ASSERT_OK(hc_segment_verify(path, &err));

    names[3] = "offload-activations";
    replace_op_types(path, names, HC_N_OP_TYPES);
    ck_assert_int_eq(read_op_types(path, &rows, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "'offload-activations' is not known"));
    ck_assert_ptr_nonnull(strstr(err.message, "/ops/op_type"));

    replace_op_types(path, names, 3); /* codes above are out of range now */
    ck_assert_int_eq(read_op_types(path, &rows, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "row "));
    ck_assert_int_eq(hc_segment_verify(path, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "is not a code of dictionary 'op_type'"));
    hc_table_fini(&ops);
    hc_table_fini(&rows);
    free(path);
}
END_TEST

START_TEST(writer_refuses_codes_without_names)
{
    char *path = join(scratch, "codes.h5");
    struct hc_segment_writer *writer = start(path);
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
        char *path = write_small();
        edit(path, cases[i].change);
        ASSERT_OK(hc_table_init(&rows, &hc_ops_def, 500, &err));
        enum hc_status status = hc_segment_open(&segment, path, &err);
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

START_TEST(missing_and_foreign_files_are_refused)
{
    struct hc_segment *segment = NULL;
    struct hc_error err = {0};
    char *path = join(scratch, "foreign.h5");
    unlink(path);
    ck_assert_int_eq(hc_segment_open(&segment, path, &err), HC_IO);
    write_bytes(path, "not hdf5", 8);
    ck_assert_int_eq(hc_segment_open(&segment, path, &err), HC_BAD_INPUT);
    ck_assert_ptr_nonnull(strstr(err.message, "foreign.h5"));
    ck_assert_int_eq(hc_segment_open(&segment, scratch, &err), HC_BAD_INPUT);
    struct hc_segment_writer *writer = NULL;
    ck_assert_int_eq(hc_segment_writer_open(&writer, path, &err), HC_IO);
    ck_assert_int_eq(access(path, F_OK), 0);
    free(path);
}
END_TEST

/* ---- damage ---- */

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
    enum hc_status status = hc_segment_open(&segment, path, err);
    if (!status)
        status = read_table(segment, &hc_ops_def, &contents->ops, err);
    if (!status)
        status = read_table(segment, &hc_steps_def, &contents->steps, err);
    if (!status) {
        const struct hc_provenance *provenance = hc_segment_provenance(segment);
        ASSERT_OK(hc_job_copy(&contents->job, hc_segment_job(segment), &err));
        contents->provenance = *provenance;
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
    char *path = write_small(), *damaged = join(scratch, "damaged.h5");
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
    struct hc_segment_writer *writer = start(path);
    limit = before;
    limit.rlim_cur = 100000;
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
    append_made_up(writer, 100000, 10, 3);
    enum hc_status status = hc_segment_writer_close(writer, &job, &provenance, &err);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &before), 0);
    ck_assert_int_eq(status, HC_IO);
    ck_assert_msg(strstr(err.message, "File too large") != NULL, "%s", err.message);
    ck_assert_int_ne(access(path, F_OK), 0);
    free(write_small()); /* and the next segment is not touched by it */
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
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
    tcase_add_test(tests, job_without_lists_round_trips);
    tcase_add_test(tests, h5py_reads_the_same);
    tcase_add_test(tests, chunks_of_hdf5s_filters_are_read);
    tcase_add_test(tests, op_types_are_translated_by_name);
    tcase_add_test(tests, writer_refuses_codes_without_names);
    tcase_add_test(tests, odd_segments_are_refused_by_name);
    tcase_add_test(tests, missing_and_foreign_files_are_refused);
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
