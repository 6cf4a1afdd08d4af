#include "reports/whatif/whatif_csv.h"

#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/files/outfile.h"
#include "core/text/text_stream.h"
#include "reports/whatif/culprits/culprit_records.h"
#include "reports/whatif/whatif_records.h"

#include <stdlib.h>
#include <string.h>

/* ---- job.csv ---- */

/* What tells a job from others: the first rows of job.csv, by which its directory is known again.
 */
static void write_identity(FILE *stream, const struct hc_whatif_report *report)
{
    fputs("key,value,unit\n", stream);
    hc_record_csv_pairs(stream, &hc_whatif_record,
                        "cluster=job.cluster,id=job.id,attempt=job.attempt",
                        &(struct hc_item){.record = report});
}

static void write_job(FILE *stream, const struct hc_whatif_report *report)
{
    static const char columns[] =
        "source=input.path,sha256=input.sha256,source_size=input.size_bytes,format=input.format,"
        "archive=input.archive,segment=input.segment,tool_version,steps_option=options.steps,"
        "threshold=options.threshold,dp_size=trace.dp_size,pp_size=trace.pp_size,"
        "vpp_size=trace.vpp_size,tp_size=job.tp_size,gpus=cost.gpus,workers=trace.workers,"
        "steps=trace.steps,steps_left_out=trace.steps_left_out,ops=trace.ops,rows_read=rows.read,"
        "rows_skipped=rows.skipped,slowdown=figures.slowdown,slowdown_low=intervals.slowdown.low,"
        "slowdown_high=intervals.slowdown.high,waste=figures.waste,"
        "mean_traced=figures.mean_traced_s,mean_replayed=figures.mean_replayed_s,"
        "mean_ideal=figures.mean_ideal_s,launch_slowdown=figures.launch_slowdown,"
        "discrepancy=figures.discrepancy,m_w=m_w.explained_by_removing,m_w_low=intervals.m_w.low,"
        "m_w_high=intervals.m_w.high,m_s=m_s.explained_by_removing,m_s_low=intervals.m_s.low,"
        "m_s_high=intervals.m_s.high,interval_level=intervals.level,"
        "gpu_hours_traced=cost.gpu_hours_traced,gpu_hours_lost=cost.gpu_hours_lost,"
        "cause=verdict.cause,verdict=verdict.text";
    write_identity(stream, report);
    hc_record_csv_pairs(stream, &hc_whatif_record, columns, &(struct hc_item){.record = report});
}

/* ---- steps and workers ---- */

static void write_steps(FILE *stream, const struct hc_whatif_report *report)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_step_record,
                        "step,traced_ns,replayed_ns,ideal_ns,replayed_end_ns,ideal_end_ns,slowdown,"
                        "launch_slowdown",
                        NULL);
    for (size_t s = 0; s < report->result->n_steps; s++)
        hc_record_csv_row(&csv, &(struct hc_item){report->result, s, NULL});
}

static void write_workers(FILE *stream, const struct hc_whatif_report *report)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_worker_record,
                        "rank,dp_rank,stage,slowdown_approximated=slowdown,slowdown_exact", NULL);
    for (size_t w = 0; w < report->result->n_workers; w++)
        hc_record_csv_row(&csv, &(struct hc_item){&report->result->workers[w], w, NULL});
}

static void write_worker_steps(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_worker_step_record,
                        "step,rank,dp_rank,stage,end_ns,slowdown=slowdown_in_step", NULL);
    for (size_t s = 0; result->worker_end_ns && s < result->n_steps; s++)
        for (size_t w = 0; w < result->n_workers; w++) {
            const struct hc_item worker = {&result->workers[w], w, NULL};
            hc_record_csv_row(&csv, &(struct hc_item){result, s, &worker});
        }
}

static void write_left_out(FILE *stream, const struct hc_whatif_report *report)
{
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_left_out_record, "step,reason,detail", NULL);
    for (size_t i = 0; i < report->result->n_left_out; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&report->result->left_out[i], i, NULL});
}

/* ---- where it comes from, and what would help ---- */

static void write_splits(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_group_record, "kind,partition,group,slowdown",
                        NULL);
    for (size_t i = 0; i < 2 * HC_N_PARTITIONS; i++) {
        const struct hc_split *splits = i < HC_N_PARTITIONS ? result->blocking : result->launch;
        const struct hc_item kind = {result, i / HC_N_PARTITIONS, NULL};
        const struct hc_item split = {&splits[i % HC_N_PARTITIONS], i % HC_N_PARTITIONS, &kind};
        for (size_t g = 0; g < splits[split.index].n_groups; g++)
            hc_record_csv_row(&csv, &(struct hc_item){&splits[split.index].groups[g], g, &split});
    }
}

static void write_fixes(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_item result = {.record = report->result};
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_fix_point_record,
                        "of,fixed,last_fixed,mean_step_s,recovered,is_knee", NULL);
    for (size_t kind = 0; kind < HC_N_FIX_KINDS; kind++) {
        const struct hc_fix_curve *curve = &report->result->depth.fixes[kind];
        const struct hc_item parent = {curve, kind, &result};
        for (size_t p = 0; p < curve->n_points; p++)
            hc_record_csv_row(&csv, &(struct hc_item){&curve->points[p], p, &parent});
    }
}

static void write_shapley(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_shapley *shapley = &report->result->depth.shapley;
    const struct hc_item result = {.record = report->result};
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_share_record,
                        "op_type,types,share_s,slowdown_alone", NULL);
    for (size_t g = 0; g < shapley->n_groups; g++)
        hc_record_csv_row(&csv, &(struct hc_item){&shapley->groups[g], g, &result});
}

static void write_evidence(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_verdict *verdict = &report->result->depth.verdict;
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_evidence_record,
                        "test,cause,value,limit,passed,text", NULL);
    for (size_t i = 0; i < verdict->n_evidence; i++)
        hc_record_csv_row(&csv, &(struct hc_item){&verdict->evidence[i], i, NULL});
}

static void write_culprits(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_culprits *culprits = &report->result->depth.culprits;
    const struct hc_item result = {.record = report->result};
    struct hc_record_csv csv;
    hc_record_csv_start(
        &csv, stream, &hc_whatif_culprit_record,
        "culprit,name,kind,ops,op_types,pattern,cause,dp_rank,stage,rank,direction,host,switch,"
        "factor=factor.value,factor_low=factor.low,factor_high=factor.high,"
        "forward_factor=forward_factor.value,backward_factor=backward_factor.value,"
        "transfer_factor=transfer_factor.value,duty=duty.value,duty_low=duty.low,"
        "duty_high=duty.high,pass_duty=pass_duty.value,alone_s,alone_share=alone_share.value,"
        "alone_share_low=alone_share.low,alone_share_high=alone_share.high,split_s,split_share,"
        "gpu_hours_lost,since,until,lasts,slow_steps,steps,period_steps,text",
        NULL);
    for (size_t c = 0; c < culprits->n; c++)
        hc_record_csv_row(&csv, &(struct hc_item){&culprits->culprits[c], c, &result});
}

static void write_stretches(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_culprits *culprits = &report->result->depth.culprits;
    const struct hc_item result = {.record = report->result};
    struct hc_record_csv csv;
    hc_record_csv_start(&csv, stream, &hc_whatif_stretch_record,
                        "culprit,name,first,last,first_low,first_high,last_low,last_high,factor",
                        NULL);
    for (size_t c = 0; c < culprits->n; c++) {
        const struct hc_culprit *culprit = &culprits->culprits[c];
        const struct hc_item parent = {culprit, c, &result};
        for (size_t i = 0; i < culprit->n_stretches; i++)
            hc_record_csv_row(&csv, &(struct hc_item){&culprit->stretches[i], i, &parent});
    }
}

/* ---- the files ---- */

static const struct {
    const char *name;
    void (*write)(FILE *stream, const struct hc_whatif_report *report);
} tables[] = {
    {"job.csv", write_job},           {"steps.csv", write_steps},
    {"workers.csv", write_workers},   {"worker_steps.csv", write_worker_steps},
    {"splits.csv", write_splits},     {"fixes.csv", write_fixes},
    {"shapley.csv", write_shapley},   {"evidence.csv", write_evidence},
    {"culprits.csv", write_culprits}, {"stretches.csv", write_stretches},
    {"left_out.csv", write_left_out},
};

enum { N_TABLES = sizeof tables / sizeof tables[0] };

/* Whether the file begins with these bytes; a file that is not there does. */
static enum hc_status check_same_job(const char *path, const char *identity, size_t size,
                                     struct hc_error *err)
{
    enum hc_file_kind kind;
    if (hc_look_at_file(path, &kind, err))
        return err->status;
    if (kind != HC_FILE_REGULAR) /* a pipe in its place is written to, and never waited for */
        return HC_OK;
    char *there = hc_new_array(size + 1, 1, err);
    size_t length = 0;
    enum hc_status status =
        there ? hc_input_file_head(path, there, size, &length, err) : err->status;
    if (status == HC_OK && (length < size || memcmp(there, identity, size) != 0))
        status = hc_fail(err, HC_USAGE,
                         "'%s' is not of this job: give each job a directory of its own", path);
    free(there);
    return status;
}

/* The tables of another job are not overwritten, and a directory never holds a mixture. */
static enum hc_status check_directory(const char *directory, const struct hc_whatif_report *report,
                                      struct hc_error *err)
{
    char *identity = NULL, *path = hc_new_text(err, "%s/%s", directory, tables[0].name);
    size_t size = 0;
    FILE *stream = path ? hc_text_stream(&identity, &size, err) : NULL;
    if (!stream) {
        free(path);
        return err->status;
    }
    write_identity(stream, report);
    enum hc_status status = hc_text_stream_end(stream, &identity, HC_OK, err);
    if (status == HC_OK)
        status = check_same_job(path, identity, size, err);
    free(identity);
    free(path);
    return status;
}

static enum hc_status write_table(struct hc_outset *set, size_t table, const char *directory,
                                  const struct hc_whatif_report *report, struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/%s", directory, tables[table].name);
    enum hc_status status = path ? hc_outset_add_table(set, path, &stream, err) : err->status;
    if (status == HC_OK)
        tables[table].write(stream, report);
    free(path);
    return status;
}

enum hc_status hc_whatif_write_csv(struct hc_outset *set, const char *directory,
                                   const struct hc_whatif_report *report, struct hc_error *err)
{
    if (hc_outset_directory(set, directory, err) || check_directory(directory, report, err) ||
        hc_outset_index_begin(set, directory, HC_OUTSET_INDEX, report->run_id, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t t = 0; t < N_TABLES && status == HC_OK; t++)
        status = write_table(set, t, directory, report, err);
    hc_outset_index_end(set);
    return status;
}

void hc_whatif_write_csv_job(FILE *stream, const struct hc_whatif_report *report)
{
    write_job(stream, report);
}
