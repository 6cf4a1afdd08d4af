/* old_segment.c - put a day of start-up phases into an archive, in a segment of an older schema:
 * one that lacks the last two columns of today, for 'archive migrate'.
 *
 *   old_segment ARCHIVE DAY
 */
#include "core/base/clock.h"
#include "core/tables/nodes/phase_table.h"
#include "store/archive/archive.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define N_ROWS 10

static struct hc_table_def older(void)
{
    struct hc_table_def def = hc_phases_def;
    def.n_columns -= 2;
    def.minor = 0;
    return def;
}

/* Phases of a second each, all values small numbers; the first code of every dictionary. */
static void fill(struct hc_table *rows, int64_t day_ns)
{
    for (size_t i = 0; i < N_ROWS; i++)
        for (size_t c = 0; c < rows->def->n_columns; c++)
            if (rows->def->columns[c].type == HC_I64)
                hc_table_i64(rows, c)[i] = (int64_t)i;
            else
                hc_table_i32(rows, c)[i] = 0;
    for (size_t i = 0; i < N_ROWS; i++) {
        hc_table_i64(rows, HC_PHASES_START_NS)[i] = day_ns + (int64_t)i * 1000000000;
        hc_table_i64(rows, HC_PHASES_END_NS)[i] = day_ns + (int64_t)(i + 1) * 1000000000;
    }
    rows->n_rows = N_ROWS;
}

/* The sets stay, until the segment is written. */
static enum hc_status write_names(struct hc_segment_writer *writer, struct hc_table_names *names,
                                  struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < names->n && !status; i++) {
        int32_t code;
        status = hc_text_set_add(&names->set[i], "one", 3, &code, err);
        if (!status)
            status = hc_segment_writer_names(writer, names->dictionary[i], &names->set[i], err);
    }
    return status;
}

static enum hc_status put(struct hc_archive *archive, const char *day, struct hc_error *err)
{
    const struct hc_table_def def = older();
    const struct hc_provenance provenance = {
        .table = "phases",
        .source_path = "/logs/phases.log",
        .source_sha256 = "0000000000000000000000000000000000000000000000000000000000000000",
        .format = "phase-marks",
        .format_version = 1,
        .options = "",
        .tool_version = "0.1.0",
        .rows_read = N_ROWS};
    struct hc_archive_ingest *ingest = NULL;
    const struct hc_table_def *const tables[] = {&def, NULL};
    struct hc_table_names names = {0};
    struct hc_table rows = {0};
    struct hc_job job;
    char midnight[32];
    int64_t day_ns;
    bool replaced;
    int n = snprintf(midnight, sizeof midnight, "%sT00:00:00Z", day);
    if (n >= (int)sizeof midnight || !hc_parse_iso8601(midnight, (size_t)n, &day_ns))
        return hc_fail(err, HC_USAGE, "'%s' is no day", day);
    if (hc_job_init(&job, "phases", err))
        return err->status;
    snprintf(job.day, sizeof job.day, "%s", day);
    enum hc_status status = hc_table_init(&rows, &def, N_ROWS, err);
    if (!status)
        status = hc_table_names_init(&names, tables, err);
    if (!status)
        status = hc_archive_ingest_begin(&ingest, archive, true, err);
    if (!status) {
        fill(&rows, day_ns);
        status = write_names(hc_archive_ingest_writer(ingest), &names, err);
    }
    if (!status)
        status = hc_segment_writer_append(hc_archive_ingest_writer(ingest), &rows, err);
    if (!status)
        status = hc_archive_ingest_commit(ingest, &job, &provenance, &replaced, err);
    hc_table_names_fini(&names);
    hc_table_fini(&rows);
    hc_job_fini(&job);
    return status;
}

int main(int argc, char **argv)
{
    struct hc_error err = {0};
    struct hc_archive *archive = NULL;
    if (argc != 3) {
        fputs("usage: old_segment ARCHIVE DAY\n", stderr);
        return 2;
    }
    if (hc_archive_open(&archive, argv[1], true, &err) || put(archive, argv[2], &err))
        fprintf(stderr, "old_segment: %s\n", err.message);
    hc_archive_close(archive);
    return (int)err.status;
}
