#include "reports/fleet/fleet_report.h"

#include "core/base/memory.h"
#include "core/tables/table.h"
#include "core/text/csv_writer.h"
#include "reports/fleet/fleet_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What the writers of the files share. */
struct tables {
    const struct hc_fleet_report *report;
    const struct hc_fleet_summary *summary;
    const size_t *rank; /* of each row, 0: none */
    struct hc_csv csv;
};

/* ---- cells ---- */

static void put_real(struct tables *tables, double value)
{
    hc_csv_real(&tables->csv, value);
}

static void put_int(struct tables *tables, int64_t value)
{
    hc_csv_i64(&tables->csv, value == HC_MISSING_I32 ? HC_MISSING_I64 : value);
}

static void put_text(struct tables *tables, const char *text)
{
    hc_csv_text(&tables->csv, text);
}

static void put_end(struct tables *tables)
{
    hc_csv_end(&tables->csv);
}

static void put_part(struct tables *tables, const struct hc_fleet_part *part)
{
    put_int(tables, (int64_t)part->n);
    put_int(tables, (int64_t)part->of);
    put_real(tables, part->share);
    put_real(tables, part->hours);
    put_real(tables, part->of_hours);
    put_real(tables, part->hours_share);
    put_int(tables, (int64_t)part->unknown);
    put_int(tables, (int64_t)part->of_unknown);
}

#define PART_HEAD                                                                                  \
    "jobs,of_jobs,share,gpu_hours,of_gpu_hours,gpu_hours_share,gpu_hours_unknown,"                 \
    "of_gpu_hours_unknown"
#define STRAGGLING_HEAD                                                                            \
    "straggling_jobs,jobs,straggling_share,straggling_gpu_hours,gpu_hours,"                        \
    "straggling_gpu_hours_share,straggling_gpu_hours_unknown,gpu_hours_unknown"
#define CDF_HEAD "values,total_weight,mean,minimum,p50,p90,p99,maximum"

static void put_cdf(struct tables *tables, const struct hc_fleet_cdf *cdf)
{
    static const int percents[] = {0, 50, 90, 99, 100};
    put_int(tables, (int64_t)cdf->n);
    put_real(tables, cdf->weight);
    put_real(tables, cdf->mean);
    for (int p = 0; p < 5; p++)
        put_real(tables, hc_fleet_cdf_percent(cdf, percents[p]));
}

/* ---- jobs.csv ---- */

static void put_job_key(struct tables *tables, const struct hc_fleet_row *row, size_t rank)
{
    char name[HC_FLEET_PAGE_NAME];
    put_text(tables, row->cluster);
    put_text(tables, row->job_id);
    put_int(tables, row->attempt);
    put_text(tables, hc_fleet_stage_key(row->fate));
    put_text(tables, row->detail);
    put_int(tables, rank > 0 ? (int64_t)rank : HC_MISSING_I64);
    put_text(tables, row->fate == HC_FLEET_ANALYSED ? hc_fleet_page_name(row, name) : "");
    put_text(tables, row->segment_sha256);
    put_int(tables, row->dp_size);
    put_int(tables, row->pp_size);
    put_int(tables, row->vpp_size);
    put_int(tables, row->tp_size);
    put_int(tables, row->n_gpus > 0 ? row->n_gpus : HC_MISSING_I64);
    put_int(tables, row->n_ops);
    put_int(tables, row->n_steps);
    put_int(tables, row->n_steps_left_out);
}

static void put_job_figures(struct tables *tables, const struct hc_fleet_row *row)
{
    const double figures[] = {row->gpu_hours_traced,
                              row->gpu_hours_lost,
                              row->mean_traced_s,
                              row->mean_replayed_s,
                              row->mean_ideal_s,
                              row->slowdown,
                              row->slowdown_interval.low,
                              row->slowdown_interval.high,
                              row->waste,
                              row->launch_slowdown,
                              row->discrepancy,
                              row->m_w,
                              row->m_s,
                              row->correlation,
                              row->max_worker};
    bool is_analysed = row->fate == HC_FLEET_ANALYSED, is_first = true;
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++)
        put_real(tables, figures[i]);
    put_text(tables, is_analysed ? hc_straggler_cause_key(row->cause) : "");
    put_text(tables, "");
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES && is_analysed; id++)
        if (row->also >> id & 1) {
            fprintf(tables->csv.stream, "%s%s", is_first ? "" : " ", hc_straggler_cause_key(id));
            is_first = false;
        }
}

static void put_jobs(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream,
                 "cluster,id,attempt,fate,detail,rank,page,segment_sha256,dp_size,pp_size,"
                 "vpp_size,tp_size,gpus,ops,steps,steps_left_out,gpu_hours_traced,"
                 "gpu_hours_lost,mean_traced_s,mean_replayed_s,mean_ideal_s,slowdown,"
                 "interval_low,interval_high,waste,launch_slowdown,discrepancy,m_w,m_s,"
                 "correlation,max_worker_slowdown,cause,also");
    for (size_t i = 0; i < tables->report->n_rows; i++) {
        put_job_key(tables, &tables->report->rows[i], tables->rank[i]);
        put_job_figures(tables, &tables->report->rows[i]);
        put_end(tables);
    }
}

/* ---- the others ---- */

static void put_funnel(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream,
                 "fate," PART_HEAD ",share_of_all,gpu_hours_share_of_all");
    for (int s = 0; s < HC_N_FLEET_FATES; s++) {
        const struct hc_fleet_stage *stage = &tables->summary->funnel[hc_fleet_stages[s]];
        put_text(tables, hc_fleet_stage_key(hc_fleet_stages[s]));
        put_part(tables, &stage->part);
        put_real(tables, stage->share_of_all);
        put_real(tables, stage->hours_share_of_all);
        put_end(tables);
    }
}

static void put_quantiles(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream, "figure,weight," CDF_HEAD);
    for (int id = 0; id < HC_N_FLEET_CDFS; id++) {
        put_text(tables, hc_fleet_cdf_figure(id));
        put_text(tables, hc_fleet_cdf_weight(id));
        put_cdf(tables, &tables->summary->cdf[id]);
        put_end(tables);
    }
}

static void put_curves(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream, "figure,weight,quantile,value");
    for (int id = 0; id < HC_N_FLEET_CDFS; id++)
        for (int k = 0; k <= HC_CDF_PARTS && tables->summary->cdf[id].n > 0; k++) {
            put_text(tables, hc_fleet_cdf_figure(id));
            put_text(tables, hc_fleet_cdf_weight(id));
            put_real(tables, (double)k / HC_CDF_PARTS);
            put_real(tables, tables->summary->cdf[id].at[k]);
            put_end(tables);
        }
}

static void put_causes(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream,
                 "cause," PART_HEAD ",share_of_straggling,jobs_also,mean_slowdown,"
                 "gpu_hours_lost,lost_share");
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES; id++) {
        const struct hc_fleet_cause *cause = &tables->summary->causes[id];
        put_text(tables, hc_straggler_cause_key(id));
        put_part(tables, &cause->part);
        put_real(tables, cause->share_of_straggling);
        put_int(tables, (int64_t)cause->n_also);
        put_real(tables, cause->mean_slowdown);
        put_real(tables, cause->hours_lost);
        put_real(tables, cause->lost_share);
        put_end(tables);
    }
}

static void put_type(struct tables *tables, const struct hc_fleet_type_waste *waste)
{
    for (int is_hours = 0; is_hours < 2; is_hours++) {
        put_text(tables, hc_fleet_class_key(waste->op_class));
        put_text(tables, waste->name);
        put_text(tables, is_hours ? "gpu_hours" : "jobs");
        put_cdf(tables, is_hours ? &waste->by_hours : &waste->by_jobs);
        put_end(tables);
    }
}

static void put_types(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream, "class,op_type,weight," CDF_HEAD);
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++)
        put_type(tables, &tables->summary->class_waste[c]);
    for (size_t t = 0; t < tables->summary->n_types; t++)
        put_type(tables, &tables->summary->types[t]);
}

/* Here the weight is the number of jobs, so "values" is it, and the part is the straggling ones. */
static void put_sizes(struct tables *tables)
{
    hc_csv_start(&tables->csv, tables->csv.stream,
                 "gpus_from,gpus_to," CDF_HEAD "," STRAGGLING_HEAD ",gpu_hours_lost");
    for (size_t i = 0; i < tables->summary->n_sizes; i++) {
        const struct hc_fleet_size *size = &tables->summary->sizes[i];
        bool is_known = size->from > 0;
        put_int(tables, is_known ? size->from : HC_MISSING_I64);
        put_int(tables, is_known ? size->to - 1 : HC_MISSING_I64);
        put_cdf(tables, &size->slowdown);
        put_part(tables, &size->straggling);
        put_real(tables, is_known ? size->hours_lost : NAN);
        put_end(tables);
    }
}

/* ---- the directory ---- */

static const struct {
    const char *name;
    void (*put)(struct tables *tables);
} files[] = {{"jobs.csv", put_jobs},           {"funnel.csv", put_funnel},
             {"quantiles.csv", put_quantiles}, {"curves.csv", put_curves},
             {"causes.csv", put_causes},       {"types.csv", put_types},
             {"sizes.csv", put_sizes}};

#define N_FILES (sizeof files / sizeof files[0])

static enum hc_status write_file(struct hc_outset *set, const char *directory, size_t file,
                                 struct tables *tables, struct hc_error *err)
{
    FILE *stream = NULL;
    char *path = hc_new_text(err, "%s/%s", directory, files[file].name);
    enum hc_status status = path ? hc_outset_add(set, path, &stream, err) : err->status;
    if (status == HC_OK) {
        tables->csv = (struct hc_csv){.stream = stream};
        files[file].put(tables);
    }
    free(path);
    return status;
}

static enum hc_status write_files(struct hc_outset *set, const char *directory,
                                  struct tables *tables, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, tables->report->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < N_FILES && status == HC_OK; i++)
        status = write_file(set, directory, i, tables, err);
    hc_outset_index_end(set);
    return status;
}

enum hc_status hc_fleet_write_csv(struct hc_outset *set, const char *directory,
                                  const struct hc_fleet_report *report, struct hc_error *err)
{
    struct hc_fleet_summary summary;
    enum hc_status status = hc_fleet_summarise(&summary, report->rows, report->n_rows, err);
    if (status != HC_OK)
        return status;
    size_t *rank = hc_fleet_ranks(report, &summary, err);
    struct tables tables = {.report = report, .summary = &summary, .rank = rank};
    status = rank ? write_files(set, directory, &tables, err) : err->status;
    free(rank);
    hc_fleet_summary_fini(&summary);
    return status;
}
