/* Scans of records: the rows are the same from segments and from packs, with packs that are there,
 * are not, are damaged in any chunk, or of a month of which some days are new; what a pack is kept
 * for is not read again. */
#include "core/tables/logs/log_tables.h"
#include "pipeline/daily/record_scan.h"
#include "pipeline/packs/pack_source.h"
#include "store/archive/derived_pack.h"
#include "tests/support/archive_fixture.h"

#include <dirent.h>

#define N_ROWS     10
#define CHUNK_ROWS 4
#define DEF        hc_cycles_def

static const struct hc_table_def *const tables[] = {&DEF, NULL};

/* ---- an archive ---- */

static void fill_rows(struct hc_table *rows, uint64_t seed)
{
    for (size_t i = 0; i < rows->n_rows; i++)
        for (size_t c = 0; c < DEF.n_columns; c++) {
            uint64_t r = next_random(&seed);
            const struct hc_column_def *column = &DEF.columns[c];
            if (column->dictionary)
                hc_table_i32(rows, c)[i] = r % 4 == 3 ? HC_MISSING_I32 : (int32_t)(r % 4);
            else if (column->type == HC_I32)
                hc_table_i32(rows, c)[i] = r % 9 ? (int32_t)(r >> 40) : HC_MISSING_I32;
            else if (column->type == HC_I64)
                hc_table_i64(rows, c)[i] = r % 9 ? (int64_t)(r >> (c % 40)) : HC_MISSING_I64;
            else
                hc_table_f64(rows, c)[i] = (double)(r >> 50) / 7;
        }
}

static void add_day(struct hc_archive *archive, const char *day, uint64_t seed)
{
    struct hc_archive_ingest *ingest = NULL;
    struct hc_job job;
    struct hc_provenance provenance;
    struct hc_table rows;
    struct hc_table_names names;
    char contents[64], text[32];
    int32_t code;
    bool replaced;
    ASSERT_OK(hc_job_init(&job, "cycles", &err));
    snprintf(job.day, sizeof job.day, "%s", day);
    snprintf(contents, sizeof contents, "%s %d", day, (int)seed);
    fill_provenance(&provenance, contents);
    free(provenance.table);
    provenance.table = NULL;
    ASSERT_OK(hc_table_init(&rows, &DEF, N_ROWS, &err));
    ASSERT_OK(hc_table_names_init(&names, tables, &err));
    for (size_t d = 0; d < names.n; d++)
        for (int i = 0; i < 3; i++) {
            int n = snprintf(text, sizeof text, "%s-%d-%d", names.dictionary[d], (int)seed, i);
            ASSERT_OK(hc_text_set_add(&names.set[d], text, (size_t)n, &code, &err));
        }
    rows.n_rows = N_ROWS;
    fill_rows(&rows, seed);
    ASSERT_OK(hc_archive_ingest_begin(&ingest, archive, true, &err));
    struct hc_segment_writer *writer = hc_archive_ingest_writer(ingest);
    hc_segment_writer_set_chunk(writer, CHUNK_ROWS);
    for (size_t d = 0; d < names.n; d++)
        ASSERT_OK(hc_segment_writer_names(writer, names.dictionary[d], &names.set[d], &err));
    ASSERT_OK(hc_segment_writer_append(writer, &rows, &err));
    ASSERT_OK(hc_archive_ingest_commit(ingest, &job, &provenance, &replaced, &err));
    hc_table_fini(&rows);
    hc_table_names_fini(&names);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
}

static char *path;

static void set_up(void)
{
    path = new_path();
    struct hc_archive *archive = open_archive(path);
    add_day(archive, "2026-03-01", 1);
    add_day(archive, "2026-03-02", 2);
    add_day(archive, "2026-03-31", 3);
    add_day(archive, "2026-04-01", 4);
    hc_archive_close(archive);
}

static void tear_down(void)
{
    free(path);
    hc_pack_source_use(&(struct hc_pack_source){.keeps = false});
}

/* ---- what a scan gives ---- */

struct printing {
    FILE *stream;
    uint64_t columns;
};

static enum hc_status print_rows(const struct hc_record_rows *rows, void *context,
                                 struct hc_error *err)
{
    const struct printing *to = context;
    (void)err;
    fprintf(to->stream, "%s: %zu rows\n", rows->entry->day, rows->table->n_rows);
    for (size_t i = 0; i < rows->table->n_rows; i++)
        for (size_t c = 0; c < DEF.n_columns; c++) {
            if (!(to->columns >> c & 1))
                continue;
            if (DEF.columns[c].dictionary)
                fprintf(to->stream, "%s ", hc_record_text(rows, c, i));
            else if (DEF.columns[c].type == HC_I32)
                fprintf(to->stream, "%d ", (int)hc_table_i32(rows->table, c)[i]);
            else if (DEF.columns[c].type == HC_I64)
                fprintf(to->stream, "%lld ", (long long)hc_table_i64(rows->table, c)[i]);
            else
                fprintf(to->stream, "%a ", hc_table_f64(rows->table, c)[i]);
        }
    return HC_OK;
}

/* All that a scan delivers, as text; the caller frees it. */
static char *scanned(bool keeps, uint64_t columns, int64_t from_ns)
{
    char *text = NULL;
    size_t length = 0;
    struct hc_archive *archive = NULL;
    ASSERT_OK(hc_archive_open(&archive, path, false, &err));
    struct printing to = {open_memstream(&text, &length), columns};
    const struct hc_record_scan scan = {.archive = archive,
                                        .def = &DEF,
                                        .from_ns = from_ns,
                                        .to_ns = INT64_MAX,
                                        .columns = columns};
    hc_pack_source_use(&(struct hc_pack_source){.keeps = keeps});
    ASSERT_OK(hc_record_scan_run(&scan, print_rows, &to, &err));
    ck_assert_msg(!keeps || hc_pack_source().keeps, "something could not be kept");
    fclose(to.stream);
    hc_archive_close(archive);
    return text;
}

static void is_same(uint64_t columns, int64_t from_ns, const char *what)
{
    char *plain = scanned(false, columns, from_ns), *packed = scanned(true, columns, from_ns);
    ck_assert_msg(strcmp(plain, packed) == 0, "%s: %s\nis not\n%s", what, packed, plain);
    free(plain);
    free(packed);
}

/* ---- packs ---- */

/* The pack of a month: "2026-03". The caller frees it. */
static char *pack_of(const char *month)
{
    char prefix[32], *found = NULL, *folder = join(path, "derived");
    snprintf(prefix, sizeof prefix, "records.%s.", month);
    DIR *directory = opendir(folder);
    for (struct dirent *file; directory && (file = readdir(directory));)
        if (strncmp(file->d_name, prefix, strlen(prefix)) == 0) {
            ck_assert_ptr_null(found);
            found = join(folder, file->d_name);
        }
    if (directory)
        closedir(directory);
    free(folder);
    return found;
}

static const uint64_t all = ((uint64_t)1 << HC_CYCLES_N_COLUMNS) - 1;
static const uint64_t few = (uint64_t)1 << HC_CYCLES_NUMBER | (uint64_t)1 << HC_CYCLES_CLUSTER |
                            (uint64_t)1 << HC_CYCLES_FRAMEWORK;

START_TEST(rows_are_the_same_from_packs)
{
    is_same(few, INT64_MIN, "nothing kept");
    is_same(few, INT64_MIN, "all kept");
    is_same(all, INT64_MIN, "other columns");
    is_same((uint64_t)1 << HC_CYCLES_START_NS, INT64_MIN, "one column");
    assert_clean(path, 4);
}
END_TEST

START_TEST(what_is_packed_is_not_read_again)
{
    char *before = scanned(true, all, INT64_MIN);
    char *segments = join(path, "segments"), *away = join(path, "away");
    ck_assert_int_eq(rename(segments, away), 0);
    char *after = scanned(true, all, INT64_MIN);
    ck_assert_str_eq(before, after);
    ck_assert_int_eq(rename(away, segments), 0);
    free(before);
    free(after);
    free(segments);
    free(away);
}
END_TEST

START_TEST(a_scan_of_some_days_keeps_those)
{
    struct stat some, whole;
    /* From 2026-03-31 on: of March one day is kept, then the others are added in front of it. */
    is_same(all, 1774915200000000000, "the last days");
    char *pack = pack_of("2026-03");
    ck_assert_int_eq(stat(pack, &some), 0);
    is_same(all, INT64_MIN, "all days");
    ck_assert_int_eq(stat(pack, &whole), 0);
    ck_assert_int_gt(whole.st_size, 2 * some.st_size);
    is_same(all, 1774915200000000000, "the last days again");
    /* The same bytes as of a pack that was made at once. */
    size_t n_grown, n_new;
    uint8_t *grown = read_bytes(pack, &n_grown);
    ck_assert_int_eq(remove(pack), 0);
    is_same(few, INT64_MIN, "all days anew");
    uint8_t *new = read_bytes(pack, &n_new);
    ck_assert_uint_eq(n_new, n_grown);
    ck_assert_int_eq(memcmp(new, grown, n_new), 0);
    free(new);
    free(grown);
    free(pack);
}
END_TEST

START_TEST(days_that_changed_leave_the_pack)
{
    is_same(all, INT64_MIN, "at first");
    struct hc_archive *archive = open_archive(path);
    add_day(archive, "2026-03-02", 22);
    add_day(archive, "2026-03-03", 33);
    hc_archive_close(archive);
    is_same(all, INT64_MIN, "a day is other, one is new");
    is_same(all, INT64_MIN, "and kept");
    struct stat info;
    char *pack = pack_of("2026-03");
    ck_assert_int_eq(stat(pack, &info), 0);
    off_t size = info.st_size;
    ck_assert_int_eq(remove(pack), 0);
    is_same(all, INT64_MIN, "anew");
    ck_assert_int_eq(stat(pack, &info), 0);
    ck_assert_int_eq(info.st_size, size); /* nothing of the old day is in it */
    free(pack);
}
END_TEST

/* Each byte in turn, so that every block of every chunk is hit, the index, and both ends. */
START_TEST(a_flipped_byte_changes_no_row)
{
    char *plain = scanned(false, all, INT64_MIN);
    free(scanned(true, all, INT64_MIN));
    char *pack = pack_of("2026-03");
    size_t size, n_mended = 0, n_again;
    uint8_t *bytes = read_bytes(pack, &size);
    for (size_t at = 0; at < size; at += 7) {
        bytes[at] ^= 0x20;
        write_bytes(pack, bytes, size);
        bytes[at] ^= 0x20;
        char *text = scanned(true, all, INT64_MIN);
        ck_assert_msg(strcmp(plain, text) == 0, "byte %zu of %zu", at, size);
        free(text);
        /* Read once more, it is whole again at the latest. */
        text = scanned(true, all, INT64_MIN);
        ck_assert_str_eq(plain, text);
        free(text);
        uint8_t *again = read_bytes(pack, &n_again);
        n_mended += n_again == size && memcmp(again, bytes, size) == 0;
        free(again);
    }
    ck_assert_uint_ge(n_mended, size / 7 * 9 / 10);
    free(bytes);
    free(pack);
    free(plain);
}
END_TEST

/* ---- packs that nobody needs ---- */

START_TEST(check_and_gc_know_packs)
{
    static const char text[] = "somebody's notes";
    free(scanned(true, all, INT64_MIN));
    assert_clean(path, 4);
    char *pack = pack_of("2026-03"), *other = strdup(pack);
    memcpy(strstr(other, "2026-03"), "2025-03", 7); /* of a month that is gone */
    size_t size;
    uint8_t *bytes = read_bytes(pack, &size);
    write_bytes(other, bytes, size);
    char *foreign = strdup(pack);
    memcpy(strstr(foreign, "2026-03"), "2024-03", 7);
    write_bytes(foreign, text, strlen(text));
    char *torn = join(path, "derived/.tmp-1-0123456789abcdef.pack");
    write_bytes(torn, bytes, size / 2);
    struct findings findings = check(path);
    ck_assert_int_eq(findings.count[HC_CHECK_LEFTOVER], 2);
    ck_assert_int_eq(findings.count[HC_CHECK_FOREIGN], 1);
    findings = (struct findings){0};
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    ck_assert_int_eq(access(other, F_OK), -1);
    ck_assert_int_eq(access(torn, F_OK), -1);
    ck_assert_int_eq(access(foreign, F_OK), 0);
    ck_assert_int_eq(access(pack, F_OK), 0);
    free(bytes);
    free(pack);
    free(other);
    free(foreign);
    free(torn);
}
END_TEST

int main(void)
{
    scratch = make_scratch();
    Suite *suite = suite_create("record_scan");
    TCase *tcase = tcase_create("record_scan");
    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, set_up, tear_down);
    tcase_add_test(tcase, rows_are_the_same_from_packs);
    tcase_add_test(tcase, what_is_packed_is_not_read_again);
    tcase_add_test(tcase, a_scan_of_some_days_keeps_those);
    tcase_add_test(tcase, days_that_changed_leave_the_pack);
    tcase_add_test(tcase, a_flipped_byte_changes_no_row);
    tcase_add_test(tcase, check_and_gc_know_packs);
    suite_add_tcase(suite, tcase);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int n_failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    remove_scratch(scratch);
    return n_failed > 0;
}
