#include "reports/fleet/fleet_report.h"

#include "core/tables/table.h"
#include "core/text/json_writer.h"
#include "reports/fleet/fleet_views.h"

#include <math.h>
#include <stdlib.h>

static void write_limits(struct hc_json_writer *json, const struct hc_fleet_report *report)
{
    hc_json_text(json, "archive", report->archive);
    hc_json_text(json, "options", report->options);
    hc_json_object(json, "limits");
    hc_json_i32(json, "max_attempts", report->max_attempts);
    hc_json_i32(json, "min_steps", report->min_steps);
    hc_json_real(json, "max_discrepancy", report->max_discrepancy);
    hc_json_real(json, "straggling_slowdown", HC_STRAGGLING);
    hc_json_end(json);
}

/* The members of a part, in an object that the caller has begun. */
static void write_part(struct hc_json_writer *json, const struct hc_fleet_part *part)
{
    hc_json_i64(json, "jobs", (int64_t)part->n);
    hc_json_i64(json, "of_jobs", (int64_t)part->of);
    hc_json_real(json, "share", part->share);
    hc_json_real(json, "gpu_hours", part->hours);
    hc_json_real(json, "of_gpu_hours", part->of_hours);
    hc_json_real(json, "gpu_hours_share", part->hours_share);
    hc_json_i64(json, "gpu_hours_unknown", (int64_t)part->unknown);
    hc_json_i64(json, "of_gpu_hours_unknown", (int64_t)part->of_unknown);
}

static void write_named_part(struct hc_json_writer *json, const char *key,
                             const struct hc_fleet_part *part)
{
    hc_json_object(json, key);
    write_part(json, part);
    hc_json_end(json);
}

static void write_headline(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_object(json, "figures");
    hc_json_i64(json, "jobs", (int64_t)summary->n_jobs);
    hc_json_i64(json, "jobs_analysed", (int64_t)summary->n_analysed);
    write_named_part(json, "lacking", &summary->lacking);
    hc_json_i64(json, "gpu_hours_unknown", (int64_t)summary->n_hours_unknown);
    hc_json_real(json, "gpu_hours_traced", summary->hours_traced);
    hc_json_real(json, "gpu_hours_lost", summary->hours_lost);
    hc_json_real(json, "lost_share", summary->lost_share);
    hc_json_object(json, "straggling");
    write_part(json, &summary->straggling);
    hc_json_real(json, "interval_low", summary->straggling_interval.low);
    hc_json_real(json, "interval_high", summary->straggling_interval.high);
    hc_json_real(json, "interval_level", HC_FLEET_LEVEL);
    hc_json_real(json, "mean_slowdown", summary->mean_straggling_slowdown);
    hc_json_end(json);
    write_named_part(json, "without_pp", &summary->without_pp);
    write_named_part(json, "straggling_without_pp", &summary->straggling_without_pp);
    hc_json_i64(json, "discarded_late", (int64_t)summary->n_discarded_late);
    hc_json_i64(json, "jobs_split", (int64_t)summary->n_split);
    hc_json_i64(json, "size_pairs", (int64_t)summary->n_size_pairs);
    hc_json_real(json, "size_correlation", summary->size_correlation);
    hc_json_end(json);
}

static void write_funnel(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_array(json, "funnel");
    for (int s = 0; s < HC_N_FLEET_FATES; s++) {
        const struct hc_fleet_stage *stage = &summary->funnel[hc_fleet_stages[s]];
        hc_json_object(json, NULL);
        hc_json_text(json, "fate", hc_fleet_stage_key(hc_fleet_stages[s]));
        write_part(json, &stage->part);
        hc_json_real(json, "share_of_all", stage->share_of_all);
        hc_json_real(json, "gpu_hours_share_of_all", stage->hours_share_of_all);
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* The members of a distribution, in an object that the caller has begun. */
static void write_cdf(struct hc_json_writer *json, const struct hc_fleet_cdf *cdf)
{
    hc_json_i64(json, "values", (int64_t)cdf->n);
    hc_json_real(json, "total_weight", cdf->weight);
    hc_json_real(json, "mean", cdf->mean);
    hc_json_real(json, "p50", hc_fleet_cdf_percent(cdf, 50));
    hc_json_real(json, "p90", hc_fleet_cdf_percent(cdf, 90));
    hc_json_real(json, "p99", hc_fleet_cdf_percent(cdf, 99));
}

static void write_distributions(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_array(json, "distributions");
    for (int id = 0; id < HC_N_FLEET_CDFS; id++) {
        const struct hc_fleet_cdf *cdf = &summary->cdf[id];
        hc_json_object(json, NULL);
        hc_json_text(json, "figure", hc_fleet_cdf_figure(id));
        hc_json_text(json, "weight", hc_fleet_cdf_weight(id));
        write_cdf(json, cdf);
        hc_json_array_line(json, "quantiles");
        for (int k = 0; k <= HC_CDF_PARTS && cdf->n > 0; k++)
            hc_json_real(json, NULL, cdf->at[k]);
        hc_json_end(json);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_tests(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_array(json, "tests");
    for (int id = 0; id < HC_N_FLEET_METRICS; id++) {
        const struct hc_fleet_metric *metric = &summary->metric[id];
        hc_json_object(json, NULL);
        hc_json_text(json, "figure", hc_fleet_metric_key(id));
        hc_json_real(json, "limit", metric->limit);
        write_part(json, &metric->passed);
        hc_json_i64(json, "figure_unknown", (int64_t)metric->n_unknown);
        hc_json_real(json, "mean_slowdown", metric->mean_slowdown);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_causes(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_array(json, "causes");
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES; id++) {
        const struct hc_fleet_cause *cause = &summary->causes[id];
        hc_json_object(json, NULL);
        hc_json_text(json, "cause", hc_straggler_cause_key(id));
        write_part(json, &cause->part);
        hc_json_i64(json, "jobs_also", (int64_t)cause->n_also);
        hc_json_real(json, "share_of_straggling", cause->share_of_straggling);
        hc_json_real(json, "mean_slowdown", cause->mean_slowdown);
        hc_json_real(json, "gpu_hours_lost", cause->hours_lost);
        hc_json_real(json, "lost_share", cause->lost_share);
        hc_json_end(json);
    }
    hc_json_end(json);
}

static void write_type(struct hc_json_writer *json, const char *name,
                       const struct hc_fleet_type_waste *waste)
{
    hc_json_object(json, NULL);
    hc_json_text(json, "class", hc_fleet_class_key(waste->op_class));
    hc_json_text(json, "op_type", name);
    hc_json_object_line(json, "waste_by_jobs");
    write_cdf(json, &waste->by_jobs);
    hc_json_end(json);
    hc_json_object_line(json, "waste_by_gpu_hours");
    write_cdf(json, &waste->by_hours);
    hc_json_end(json);
    hc_json_end(json);
}

static void write_types(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_array(json, "op_types");
    for (int c = 0; c < HC_N_FLEET_CLASSES; c++)
        write_type(json, NULL, &summary->class_waste[c]);
    for (size_t t = 0; t < summary->n_types; t++)
        write_type(json, summary->types[t].name, &summary->types[t]);
    hc_json_end(json);
}

static void write_sizes(struct hc_json_writer *json, const struct hc_fleet_summary *summary)
{
    hc_json_array(json, "sizes");
    for (size_t i = 0; i < summary->n_sizes; i++) {
        const struct hc_fleet_size *size = &summary->sizes[i];
        bool is_known = size->from > 0;
        hc_json_object(json, NULL);
        hc_json_i64(json, "gpus_from", is_known ? size->from : HC_MISSING_I64);
        hc_json_i64(json, "gpus_to", is_known ? size->to - 1 : HC_MISSING_I64);
        hc_json_object_line(json, "slowdown_by_jobs");
        write_cdf(json, &size->slowdown);
        hc_json_end(json);
        hc_json_object(json, "straggling");
        write_part(json, &size->straggling);
        hc_json_end(json);
        hc_json_real(json, "gpu_hours_lost", is_known ? size->hours_lost : NAN);
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* ---- the jobs ---- */

static void write_key(struct hc_json_writer *json, const struct hc_fleet_row *row, size_t rank)
{
    char name[HC_FLEET_PAGE_NAME];
    hc_json_text(json, "cluster", row->cluster);
    hc_json_text(json, "id", row->job_id);
    hc_json_i32(json, "attempt", row->attempt);
    hc_json_text(json, "segment_sha256", row->segment_sha256[0] ? row->segment_sha256 : NULL);
    hc_json_text(json, "fate", hc_fleet_stage_key(row->fate));
    hc_json_text(json, "detail", row->detail[0] ? row->detail : NULL);
    hc_json_i64(json, "rank", rank > 0 ? (int64_t)rank : HC_MISSING_I64);
    hc_json_text(json, "page",
                 row->fate == HC_FLEET_ANALYSED ? hc_fleet_page_name(row, name) : NULL);
    hc_json_i32(json, "dp_size", row->dp_size);
    hc_json_i32(json, "pp_size", row->pp_size);
    hc_json_i32(json, "vpp_size", row->vpp_size);
    hc_json_i32(json, "tp_size", row->tp_size);
    hc_json_i64(json, "gpus", row->n_gpus > 0 ? row->n_gpus : HC_MISSING_I64);
    hc_json_i64(json, "ops", row->n_ops);
    hc_json_i64(json, "steps", row->n_steps);
    hc_json_i64(json, "steps_left_out", row->n_steps_left_out);
}

static void write_row_figures(struct hc_json_writer *json, const struct hc_fleet_row *row)
{
    hc_json_real(json, "gpu_hours_traced", row->gpu_hours_traced);
    hc_json_real(json, "gpu_hours_lost", row->gpu_hours_lost);
    hc_json_real(json, "mean_traced_s", row->mean_traced_s);
    hc_json_real(json, "mean_replayed_s", row->mean_replayed_s);
    hc_json_real(json, "mean_ideal_s", row->mean_ideal_s);
    hc_json_real(json, "slowdown", row->slowdown);
    hc_json_real(json, "interval_low", row->slowdown_interval.low);
    hc_json_real(json, "interval_high", row->slowdown_interval.high);
    hc_json_real(json, "waste", row->waste);
    hc_json_real(json, "launch_slowdown", row->launch_slowdown);
    hc_json_real(json, "discrepancy", row->discrepancy);
    hc_json_real(json, "m_w", row->m_w);
    hc_json_real(json, "m_s", row->m_s);
    hc_json_real(json, "correlation", row->correlation);
    hc_json_real(json, "max_worker_slowdown", row->max_worker);
}

static void write_row_cause(struct hc_json_writer *json, const struct hc_fleet_row *row)
{
    bool is_analysed = row->fate == HC_FLEET_ANALYSED;
    hc_json_text(json, "cause", is_analysed ? hc_straggler_cause_key(row->cause) : NULL);
    hc_json_array_line(json, "also");
    for (int id = 0; id < HC_N_STRAGGLER_CAUSES && is_analysed; id++)
        if (row->also >> id & 1)
            hc_json_text(json, NULL, hc_straggler_cause_key(id));
    hc_json_end(json);
    hc_json_array(json, "op_types");
    for (size_t t = 0; t < row->n_types; t++) {
        hc_json_object_line(json, NULL);
        hc_json_text(json, "op_type", row->types[t].name);
        hc_json_real(json, "slowdown", row->types[t].slowdown);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_array_line(json, "sampled_step_slowdowns");
    for (size_t s = 0; s < row->n_sampled; s++)
        hc_json_real(json, NULL, row->sampled[s]);
    hc_json_end(json);
}

static enum hc_status write_jobs(struct hc_json_writer *json, const struct hc_fleet_report *report,
                                 const struct hc_fleet_summary *summary, struct hc_error *err)
{
    size_t *rank = hc_fleet_ranks(report, summary, err);
    if (!rank)
        return err->status;
    hc_json_array(json, "jobs");
    for (size_t i = 0; i < report->n_rows; i++) {
        hc_json_object(json, NULL);
        write_key(json, &report->rows[i], rank[i]);
        write_row_figures(json, &report->rows[i]);
        write_row_cause(json, &report->rows[i]);
        hc_json_end(json);
    }
    hc_json_end(json);
    free(rank);
    return HC_OK;
}

static enum hc_status write_all(struct hc_json_writer *json, const struct hc_fleet_report *report,
                                const struct hc_fleet_summary *summary, struct hc_error *err)
{
    hc_json_object(json, NULL);
    hc_json_text(json, "schema", HC_FLEET_SCHEMA);
    hc_json_i32(json, "schema_major", HC_FLEET_SCHEMA_MAJOR);
    hc_json_i32(json, "schema_minor", HC_FLEET_SCHEMA_MINOR);
    hc_json_text(json, "tool_version", HC_VERSION);
    if (report->run_id)
        hc_json_text(json, "run_id", report->run_id);
    write_limits(json, report);
    write_headline(json, summary);
    write_funnel(json, summary);
    write_causes(json, summary);
    write_tests(json, summary);
    write_distributions(json, summary);
    write_types(json, summary);
    write_sizes(json, summary);
    enum hc_status status = write_jobs(json, report, summary, err);
    hc_json_end(json);
    return status;
}

enum hc_status hc_fleet_write_json(FILE *stream, const struct hc_fleet_report *report,
                                   struct hc_error *err)
{
    struct hc_fleet_summary summary;
    struct hc_json_writer json;
    enum hc_status status = hc_fleet_summarise(&summary, report->rows, report->n_rows, err);
    if (status != HC_OK)
        return status;
    hc_json_start(&json, stream, 2);
    status = write_all(&json, report, &summary, err);
    hc_fleet_summary_fini(&summary);
    fputc('\n', stream);
    return status == HC_OK ? hc_json_finish(&json, "the JSON record", err) : status;
}
