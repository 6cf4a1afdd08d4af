#include "reports/fleet/fleet_report.h"

#include "core/base/memory.h"
#include "reports/fleet/fleet_records.h"
#include "reports/fleet/fleet_views.h"

#include <stdlib.h>

#define PART_COLUMNS                                                                               \
    "jobs,of_jobs,share,gpu_hours,of_gpu_hours,gpu_hours_share,gpu_hours_unknown,"                 \
    "of_gpu_hours_unknown"
#define SPREAD_COLUMNS "values,total_weight,mean,minimum,p50,p90,p99,maximum"

/* ---- the tables ---- */

static void put_jobs(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    const struct hc_item parent = {.record = document};
    hc_record_csv_start(&csv, stream, &hc_fleet_row_record,
                        "cluster,id,attempt,fate,detail,rank,page,segment_sha256,dp_size,pp_size,"
                        "vpp_size,tp_size,gpus,ops,steps,steps_left_out,gpu_hours_traced,"
                        "gpu_hours_lost,mean_traced_s,mean_replayed_s,mean_ideal_s,slowdown,"
                        "interval_low,interval_high,waste,launch_slowdown,discrepancy,m_w,m_s,"
                        "correlation,max_worker_slowdown,cause,also,culprit,culprit_kind,"
                        "culprit_since,culprit_until,culprit_factor,culprit_duty,culprit_share",
                        NULL);
    for (size_t i = 0; i < document->report->n_rows; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&document->report->rows[i], i, &parent});
}

static void put_funnel(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_fleet_stage_record,
                        "fate," PART_COLUMNS ",share_of_all,gpu_hours_share_of_all", NULL);
    for (size_t i = 0; i < HC_N_FLEET_FATES; i++)
        hc_record_csv_row(
            &csv, &(struct hc_item){&document->summary->funnel[hc_fleet_stages[i]], i, NULL});
}

static void put_quantiles(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_fleet_cdf_record, "figure,weight," SPREAD_COLUMNS, NULL);
    for (size_t id = 0; id < HC_N_FLEET_CDFS; id++)
        hc_record_csv_row(&csv, &(struct hc_item){&document->summary->cdf[id], id, NULL});
}

static void put_curves(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_fleet_quantile_record, "figure,weight,quantile,value",
                        NULL);
    for (size_t id = 0; id < HC_N_FLEET_CDFS; id++) {
        const struct hc_fleet_cdf *cdf = &document->summary->cdf[id];
        const struct hc_item parent = {cdf, id, NULL};
        for (size_t k = 0; k <= HC_CDF_INTERVALS && cdf->n > 0; k++)
            hc_record_csv_row(&csv, &(struct hc_item){&cdf->at[k], k, &parent});
    }
}

static void put_causes(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_fleet_cause_record,
                        "cause," PART_COLUMNS ",share_of_straggling,jobs_also,mean_slowdown,"
                        "gpu_hours_lost,lost_share",
                        NULL);
    for (size_t id = 0; id < HC_N_STRAGGLER_CAUSES; id++)
        hc_record_csv_row(&csv, &(struct hc_item){&document->summary->causes[id], id, NULL});
}

static void put_type(struct hc_record_csv *csv, const struct hc_fleet_type_waste *waste)
{
    for (size_t weight = 0; weight < 2; weight++)
        hc_record_csv_row(csv, &(struct hc_item){waste, weight, NULL});
}

static void put_types(FILE *stream, const struct hc_fleet_document *document)
{
    const struct hc_fleet_summary *summary = document->summary;
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_fleet_weighted_record,
                        "class,op_type,weight," SPREAD_COLUMNS, NULL);
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++)
        put_type(&csv, &summary->class_waste[c]);
    for (size_t t = 0; t < summary->n_types; t++)
        put_type(&csv, &summary->types[t]);
}

/* The distribution is over jobs, so "values" is their number; the part is the straggling ones. */
#define SPREAD_OF_SIZES                                                                            \
    "values=slowdown_by_jobs.values,total_weight=slowdown_by_jobs.total_weight,"                   \
    "mean=slowdown_by_jobs.mean,minimum=slowdown_by_jobs.minimum,p50=slowdown_by_jobs.p50,"        \
    "p90=slowdown_by_jobs.p90,p99=slowdown_by_jobs.p99,maximum=slowdown_by_jobs.maximum"
#define STRAGGLING_OF_SIZES                                                                        \
    "straggling_jobs=straggling.jobs,jobs=straggling.of_jobs,straggling_share=straggling.share,"   \
    "straggling_gpu_hours=straggling.gpu_hours,gpu_hours=straggling.of_gpu_hours,"                 \
    "straggling_gpu_hours_share=straggling.gpu_hours_share,"                                       \
    "straggling_gpu_hours_unknown=straggling.gpu_hours_unknown,"                                   \
    "gpu_hours_unknown=straggling.of_gpu_hours_unknown"
static void put_sizes(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    hc_record_csv_start(
        &csv, stream, &hc_fleet_size_record,
        "gpus_from,gpus_to," SPREAD_OF_SIZES "," STRAGGLING_OF_SIZES ",gpu_hours_lost", NULL);
    for (size_t i = 0; i < document->summary->n_sizes; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&document->summary->sizes[i], i, NULL});
}

static void put_hosts(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    const struct hc_item parent = {.record = document};
    hc_record_csv_start(&csv, stream, &hc_fleet_host_total_record,
                        "cluster,host,jobs,stretches,gpu_hours_lost,since_job,since_step,"
                        "since_unix_ns,lasts",
                        NULL);
    for (size_t i = 0; i < document->summary->n_hosts; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&document->summary->hosts[i], i, &parent});
}

static void put_culprits(FILE *stream, const struct hc_fleet_document *document)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_fleet_culprit_record,
                        "cluster,id,attempt,name,kind,ops,cause,fix,since,until,slow_steps,lasts,"
                        "factor,alone_s,split_s,gpu_hours_lost",
                        NULL);
    for (size_t i = 0; i < document->report->n_rows; i++) {
        const struct hc_fleet_row *row = &document->report->rows[i];
        const struct hc_item parent = {.record = row};
        for (size_t k = 0; k < row->n_culprits; k++)
            hc_record_csv_row(&csv, &(struct hc_item){&row->culprits[k], k, &parent});
    }
}

/* ---- the directory ---- */

static const struct {
    const char *name;
    void (*put)(FILE *stream, const struct hc_fleet_document *document);
} files[] = {
    {"jobs.csv", put_jobs},     {"funnel.csv", put_funnel}, {"quantiles.csv", put_quantiles},
    {"curves.csv", put_curves}, {"causes.csv", put_causes}, {"types.csv", put_types},
    {"sizes.csv", put_sizes},   {"hosts.csv", put_hosts},   {"culprits.csv", put_culprits}};

#define N_FILES (sizeof files / sizeof files[0])

static enum hc_status write_file(struct hc_outset *set, const char *directory, size_t file,
                                 const struct hc_fleet_document *document, struct hc_error *err)
{
    FILE *stream = NULL;
    char *path = hc_new_text(err, "%s/%s", directory, files[file].name);
    enum hc_status status = path ? hc_outset_add_table(set, path, &stream, err) : err->status;
    if (status == HC_OK)
        files[file].put(stream, document);
    free(path);
    return status;
}

static enum hc_status write_files(struct hc_outset *set, const char *directory,
                                  const struct hc_fleet_document *document, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, document->report->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < N_FILES && status == HC_OK; i++)
        status = write_file(set, directory, i, document, err);
    hc_outset_index_end(set);
    return status;
}

enum hc_status hc_fleet_write_csv_jobs(FILE *stream, const struct hc_fleet_report *report,
                                       struct hc_error *err)
{
    size_t *rank = hc_fleet_ranks(report, err);
    if (!rank)
        return err->status;
    put_jobs(stream, &(struct hc_fleet_document){report, report->summary, rank});
    free(rank);
    return HC_OK;
}

enum hc_status hc_fleet_write_csv(struct hc_outset *set, const char *directory,
                                  const struct hc_fleet_report *report, struct hc_error *err)
{
    size_t *rank = hc_fleet_ranks(report, err);
    if (!rank)
        return err->status;
    const struct hc_fleet_document document = {report, report->summary, rank};
    enum hc_status status = write_files(set, directory, &document, err);
    free(rank);
    return status;
}
