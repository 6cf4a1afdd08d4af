/* Segments that lack columns of today are written anew, with all that they had; others stay. */
#include "core/tables/nodes/phase_table.h"
#include "pipeline/ingest/segment_migrate.h"
#include "pipeline/kinds/kind.h"
#include "store/objects/segment_layout.h"
#include "tests/support/archive_fixture.h"
#include "tests/support/archive_obstacles.h"

#define N_OLD  (HC_PHASES_N_COLUMNS - 2) /* columns of the older definition */
#define N_ROWS 3000

struct said {
    int n, n_refused;
    int64_t size_after;
};

static void take_said(const struct hc_migrated_segment *segment, void *context)
{
    struct said *said = context;
    said->n++;
    said->n_refused += segment->refusal != NULL;
    said->size_after = segment->size_after;
}

static struct said migrate(const char *path, bool is_dry, const char *before)
{
    struct said said = {0};
    const struct hc_segment_migrate settings = {
        .before = before, .is_dry = is_dry, .done = take_said, .context = &said};
    ASSERT_OK(hc_segment_migrate_run(path, &settings, &err));
    return said;
}

/* Some rows whose values tell row and column; codes are of a dictionary of two texts. */
static void fill_rows(struct hc_table *rows)
{
    for (size_t c = 0; c < rows->def->n_columns; c++)
        for (size_t i = 0; i < N_ROWS; i++) {
            if (rows->def->columns[c].type == HC_I64)
                hc_table_i64(rows, c)[i] = (int64_t)(i * 1000 + c);
            else if (rows->def->columns[c].type == HC_F64)
                hc_table_f64(rows, c)[i] = (double)i + 0.5;
            else
                hc_table_i32(rows, c)[i] = (int32_t)(i + c) % 2;
        }
    rows->n_rows = N_ROWS;
}

/* A segment of the table phases by a definition that need not be that of today. */
static void put_segment(const char *path, const struct hc_table_def *def, const char *day,
                        const char *rewrites)
{
    struct hc_archive *archive = open_archive(path);
    struct hc_archive_ingest *ingest = NULL;
    struct hc_table rows;
    struct hc_table_names names = {0};
    struct hc_job job;
    struct hc_provenance provenance;
    bool replaced;
    int32_t code;
    const struct hc_table_def *const tables[] = {def, NULL};
    ASSERT_OK(hc_table_init(&rows, def, N_ROWS, &err));
    fill_rows(&rows);
    ASSERT_OK(hc_table_names_init(&names, tables, &err));
    ASSERT_OK(hc_archive_ingest_begin(&ingest, archive, true, &err));
    for (size_t i = 0; i < names.n; i++) {
        ASSERT_OK(hc_text_set_add(&names.set[i], "one", 3, &code, &err));
        ASSERT_OK(hc_text_set_add(&names.set[i], "two", 3, &code, &err));
        ASSERT_OK(hc_segment_writer_names(hc_archive_ingest_writer(ingest), names.dictionary[i],
                                          &names.set[i], &err));
    }
    ASSERT_OK(hc_segment_writer_append(hc_archive_ingest_writer(ingest), &rows, &err));
    ASSERT_OK(hc_job_init(&job, "phases", &err));
    snprintf(job.day, sizeof job.day, "%s", day);
    fill_provenance(&provenance, day);
    free(provenance.table);
    provenance.table = strdup("phases");
    if (rewrites)
        hc_archive_ingest_rewrites(ingest, rewrites);
    ASSERT_OK(hc_archive_ingest_commit(ingest, &job, &provenance, &replaced, &err));
    ck_assert(!rewrites || !replaced);
    hc_job_fini(&job);
    hc_provenance_fini(&provenance);
    hc_table_names_fini(&names);
    hc_table_fini(&rows);
    hc_archive_close(archive);
}

static struct hc_table_def older(void)
{
    struct hc_table_def def = hc_phases_def;
    def.n_columns = N_OLD;
    def.minor = 0;
    return def;
}

/* The rows of the only segment of a day, by the definition of today. */
static void assert_rows(const char *path, const char *day, bool has_all_columns)
{
    struct hc_archive *archive = open_archive(path);
    struct hc_segment *segment = NULL;
    struct hc_table rows, expected;
    size_t at = 0;
    while (at < archive->n_entries && strcmp(archive->entries[at].day, day) != 0)
        at++;
    ck_assert_uint_lt(at, archive->n_entries);
    ASSERT_OK(hc_archive_open_segment(archive, &archive->entries[at], &segment, &err));
    ck_assert_int_eq(hc_segment_fit(segment, &hc_phases_def),
                     has_all_columns ? HC_SEGMENT_FITS : HC_SEGMENT_LACKS);
    ck_assert_str_eq(hc_segment_provenance(segment)->tool_version, "0.1.0");
    ASSERT_OK(hc_table_init(&rows, &hc_phases_def, N_ROWS, &err));
    ASSERT_OK(hc_table_init(&expected, &hc_phases_def, N_ROWS, &err));
    fill_rows(&expected);
    rows.n_rows = 0;
    ASSERT_OK(hc_segment_read(segment, &hc_phases_def, ~(uint64_t)0, 0, &rows, &err));
    ck_assert_uint_eq(rows.n_rows, N_ROWS);
    for (size_t c = 0; c < N_OLD; c++)
        ck_assert_mem_eq(rows.column[c], expected.column[c],
                         N_ROWS * hc_type_size(hc_phases_def.columns[c].type));
    for (size_t c = N_OLD; c < HC_PHASES_N_COLUMNS; c++) {
        union hc_value missing = hc_missing_value(hc_phases_def.columns[c].type);
        ck_assert_mem_eq(rows.column[c], &missing, hc_type_size(hc_phases_def.columns[c].type));
    }
    for (size_t c = 0; c < N_OLD; c++) {
        struct hc_text_set set = {0};
        if (!hc_phases_def.columns[c].dictionary)
            continue;
        ASSERT_OK(hc_segment_names(segment, hc_phases_def.columns[c].dictionary, &set, &err));
        ck_assert_uint_eq(set.n, 2);
        ck_assert_str_eq(set.text[1], "two");
        hc_text_set_fini(&set);
    }
    hc_table_fini(&rows);
    hc_table_fini(&expected);
    hc_segment_close(segment);
    hc_archive_close(archive);
}

START_TEST(older_segments_get_the_columns_of_today)
{
    char *path = new_path();
    const struct hc_table_def old = older();
    put_segment(path, &old, "2026-03-01", NULL);
    put_segment(path, &old, "2026-03-02", NULL);
    assert_rows(path, "2026-03-01", false);
    struct said said = migrate(path, true, NULL);
    ck_assert_int_eq(said.n, 2);
    ck_assert_int_eq(said.size_after, 0);
    assert_rows(path, "2026-03-02", false);
    said = migrate(path, false, "2026-03-02");
    ck_assert_int_eq(said.n, 1);
    ck_assert_int_gt(said.size_after, 0);
    assert_rows(path, "2026-03-01", true);
    assert_rows(path, "2026-03-02", false);
    ck_assert_int_eq(migrate(path, false, NULL).n, 1);
    ck_assert_int_eq(migrate(path, false, NULL).n, 0);
    assert_rows(path, "2026-03-01", true);
    assert_rows(path, "2026-03-02", true);
    assert_clean(path, 2);
    struct findings findings = {0};
    ASSERT_OK(hc_archive_gc(path, take_finding, &findings, &err));
    ck_assert_int_eq(findings.count[HC_CHECK_UNPUBLISHED], 2);
    assert_rows(path, "2026-03-02", true);
    free(path);
}
END_TEST

START_TEST(newer_and_other_segments_stay)
{
    char *path = new_path();
    struct hc_column_def columns[HC_PHASES_N_COLUMNS + 1];
    struct hc_table_def newer = hc_phases_def;
    memcpy(columns, hc_phases_def.columns, HC_PHASES_N_COLUMNS * sizeof *columns);
    columns[HC_PHASES_N_COLUMNS] =
        (struct hc_column_def){"colour", HC_I32, "", "of a later version", NULL};
    newer.columns = columns;
    newer.n_columns++;
    newer.minor++;
    put_segment(path, &newer, "2026-03-01", NULL);
    put_segment(path, &hc_phases_def, "2026-03-02", NULL);
    struct said said = migrate(path, false, NULL);
    ck_assert_int_eq(said.n, 1);
    ck_assert_int_eq(said.n_refused, 1);
    assert_clean(path, 2);
    free(path);
}
END_TEST

/* What was ingested while a segment was written anew is not undone by that. */
START_TEST(a_rewriting_of_what_was_replaced_is_dropped)
{
    char *path = new_path(), digest[HC_DIGEST_TEXT];
    const struct hc_table_def old = older();
    put_segment(path, &old, "2026-03-01", NULL);
    fill_digest(digest, "of another segment");
    put_segment(path, &hc_phases_def, "2026-03-01", digest);
    assert_rows(path, "2026-03-01", false);
    assert_clean(path, 1);
    free(path);
}
END_TEST

int main(void)
{
    const TTest *const all[] = {
        older_segments_get_the_columns_of_today,
        newer_and_other_segments_stay,
        a_rewriting_of_what_was_replaced_is_dropped,
    };
    return run_archive_tests("segment_migrate", all, sizeof all / sizeof *all);
}
