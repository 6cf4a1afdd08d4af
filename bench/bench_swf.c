/* A log in the Standard Workload Format to rows of jobs: a million lines of 18 numbers. */
#include "bench/bench.h"
#include "core/tables/jobs/job_table.h"
#include "parsers/registry/format_registry.h"
#include "tests/support/bytes_source.h"

#include <stdio.h>
#include <stdlib.h>

#define N_LINES    1000000
#define BATCH_ROWS 262144 /* as ingest has them */

struct log {
    struct hc_source source;
    struct hc_table_names names;
    struct hc_table rows;
    int64_t n_rows;
};

static void read_log(void *context)
{
    struct log *log = context;
    struct hc_row_report report = {0};
    struct hc_error err = {0};
    void *parser = NULL;
    const struct hc_parse_options options = {.names = &log->names};
    enum hc_status status = hc_format_swf.open(&parser, &log->source, &options, &err);
    log->n_rows = 0;
    do {
        log->rows.n_rows = 0;
        if (!status)
            status = hc_format_swf.next_batch(parser, &log->rows, &report, &err);
        log->n_rows += (int64_t)log->rows.n_rows;
        hc_table_names_fini(&log->names); /* as ingest does for each batch */
        if (!status)
            status = hc_job_names_init(&log->names, &err);
    } while (!status && log->rows.n_rows);
    if (status)
        hc_bench_stop(&err);
    hc_format_swf.close(parser);
    hc_row_report_fini(&report);
}

static char *make_log(size_t *size)
{
    char *text = NULL;
    FILE *stream = open_memstream(&text, size);
    if (!stream)
        return NULL;
    fputs("; Version: 2.2\n; UnixStartTime: 1767225600\n; TimeZoneString: UTC\n", stream);
    for (int i = 0; i < N_LINES; i++)
        fprintf(stream, "%7d %9d %6d %6d %5d -1 -1 %5d %6d -1 %d %3d %3d -1 %d %d -1 -1\n", i + 1,
                i * 7, i % 3600, 60 + i % 86400, 8 << i % 6, 8 << i % 6, 86400, i % 17 ? 1 : 5,
                1 + i % 300, 1 + i % 20, 1 + i % 4, 1 + i % 3);
    return fclose(stream) ? NULL : text;
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_error err = {0};
    size_t size = 0;
    char *text = make_log(&size);
    if (!text)
        return 1;
    struct log log = {.source = bytes_source("made.swf", text, size)};
    if (hc_job_names_init(&log.names, &err) ||
        hc_table_init(&log.rows, &hc_jobs_def, BATCH_ROWS, &err))
        hc_bench_stop(&err);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, read_log, &log);
    hc_bench_limit(&bench, "SWF to rows", &pair, (double)log.n_rows, "M lines/s", 1210);
    hc_table_fini(&log.rows);
    hc_table_names_fini(&log.names);
    hc_source_close(&log.source);
    free(text);
    return hc_bench_end(&bench);
}
