/* Rows of a table of records, as `hindcast query jobs --where 'gpus >= 8' --group-by state` reads
 * them: two columns of 32 bits from the segments of a month of 500,000 jobs. */
#include "bench/bench.h"
#include "core/tables/jobs/job_table.h"
#include "models/query/query_condition.h"
#include "models/query/query_groups.h"
#include "pipeline/daily/record_scan.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_ROWS 1000000

struct query {
    struct hc_archive *archive;
    struct hc_query_condition *condition;
    struct hc_query_plan plan;
    struct hc_query_groups *groups;
    uint8_t *is_wanted;
    double n_rows;
};

static enum hc_status take(const struct hc_record_rows *rows, void *context, struct hc_error *err)
{
    struct query *q = context;
    q->n_rows += (double)rows->table->n_rows;
    if (hc_query_condition_filter(q->condition, rows->table, rows->names, q->is_wanted, err))
        return err->status;
    return hc_query_groups_add(q->groups, rows->table, rows->names, rows->entry, q->is_wanted, err);
}

static void run(void *context)
{
    struct query *q = context;
    struct hc_error err = {0};
    const struct hc_record_scan scan = {.archive = q->archive,
                                        .def = &hc_jobs_def,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .columns = hc_query_condition_columns(q->condition) |
                                                   hc_query_plan_columns(&q->plan)};
    q->n_rows = 0;
    if (hc_query_groups_new(&q->groups, &q->plan, &err) || hc_record_scan_run(&scan, take, q, &err))
        hc_bench_stop(&err);
    hc_query_groups_free(q->groups);
}

/* An archive of a month of jobs; false: it could not be made. */
static bool make_archive(const char *archive)
{
    struct hc_bench_usage usage;
    char cluster[HC_BENCH_PATH], dump[HC_BENCH_PATH + 20];
    hc_bench_scratch(cluster, "cluster");
    snprintf(dump, sizeof dump, "%s/slurm/sacct.txt", cluster);
    const char *const synth[] = {hc_bench_hindcast(),
                                 "synth",
                                 "cluster",
                                 "-q",
                                 "--nodes",
                                 "5000",
                                 "--days",
                                 "30",
                                 "--jobs",
                                 "500000",
                                 "--runs",
                                 "1",
                                 "-o",
                                 cluster,
                                 NULL};
    const char *const ingest[] = {hc_bench_hindcast(), "ingest", "-q", "-a", archive, dump, NULL};
    return hc_bench_command(synth, &usage) && hc_bench_command(ingest, &usage);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_error err = {0};
    struct query q = {.is_wanted = malloc(MOST_ROWS)};
    char archive[HC_BENCH_PATH];
    hc_bench_scratch(archive, "archive");
    if (!q.is_wanted || !make_archive(archive))
        return 1;
    if (hc_archive_open(&q.archive, archive, false, &err) ||
        hc_query_condition_parse(&q.condition, "gpus >= 8", &hc_jobs_def, &err) ||
        hc_query_plan_parse(&q.plan, &hc_jobs_def, "state", NULL, &err))
        hc_bench_stop(&err);
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_BYTES, run, &q);
    hc_bench_limit(&bench, "query, two columns of 32 bits", &pair, q.n_rows, "M rows/s", 20);
    hc_query_condition_free(q.condition);
    hc_archive_close(q.archive);
    free(q.is_wanted);
    return hc_bench_end(&bench);
}
