#include "reports/whatif/whatif_csv.h"

#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "core/text/csv_writer.h"
#include "reports/whatif/whatif_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- job.csv ---- */

static void key_text(struct hc_csv *csv, const char *key, const char *value)
{
    hc_csv_text(csv, key);
    hc_csv_text(csv, value);
    hc_csv_text(csv, NULL);
    hc_csv_end(csv);
}

static void key_count(struct hc_csv *csv, const char *key, int64_t value, const char *unit)
{
    hc_csv_text(csv, key);
    hc_csv_i64(csv, value);
    hc_csv_text(csv, unit);
    hc_csv_end(csv);
}

static void key_size(struct hc_csv *csv, const char *key, int32_t value)
{
    key_count(csv, key, value == HC_MISSING_I32 ? HC_MISSING_I64 : value, NULL);
}

static void key_real(struct hc_csv *csv, const char *key, double value, const char *unit)
{
    hc_csv_text(csv, key);
    hc_csv_real(csv, value);
    hc_csv_text(csv, unit);
    hc_csv_end(csv);
}

/* What tells a job from others: the first rows of job.csv, by which its directory is known again.
 */
static void write_identity(FILE *stream, const struct hc_whatif_report *report)
{
    struct hc_csv csv;
    const struct hc_job *job = &report->result->job;
    hc_csv_start(&csv, stream, "key,value,unit");
    key_text(&csv, "cluster", job->cluster);
    key_text(&csv, "id", job->id);
    key_size(&csv, "attempt", job->attempt);
}

static void write_sizes(struct hc_csv *csv, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    key_size(csv, "dp_size", result->dp_size);
    key_size(csv, "pp_size", result->pp_size);
    key_size(csv, "vpp_size", result->vpp_size);
    key_size(csv, "tp_size", result->job.tp_size);
    key_count(csv, "gpus", result->n_gpus > 0 ? result->n_gpus : HC_MISSING_I64, NULL);
    key_count(csv, "workers", (int64_t)result->n_workers, NULL);
    key_count(csv, "steps", (int64_t)result->n_steps, NULL);
    key_count(csv, "steps_left_out", (int64_t)result->n_left_out, NULL);
    key_count(csv, "ops", result->n_ops, NULL);
    key_count(csv, "rows_read", result->rows.rows_read, NULL);
    key_count(csv, "rows_skipped", hc_row_report_total_bad(&result->rows), NULL);
}

static void write_figures(struct hc_csv *csv, const struct hc_whatif_result *result)
{
    const struct hc_intervals *intervals = &result->depth.intervals;
    bool done = intervals->done;
    key_real(csv, "slowdown", result->slowdown, NULL);
    key_real(csv, "slowdown_low", done ? intervals->slowdown.low : NAN, NULL);
    key_real(csv, "slowdown_high", done ? intervals->slowdown.high : NAN, NULL);
    key_real(csv, "waste", result->waste, NULL);
    key_real(csv, "mean_traced", result->traced_s, "s");
    key_real(csv, "mean_replayed", result->replayed_s, "s");
    key_real(csv, "mean_ideal", result->ideal_s, "s");
    key_real(csv, "launch_slowdown", result->launch_slowdown, NULL);
    key_real(csv, "discrepancy", result->discrepancy, NULL);
    key_real(csv, "m_w", result->m_w.done ? result->m_w.rem : NAN, NULL);
    key_real(csv, "m_w_low", done ? intervals->m_w.low : NAN, NULL);
    key_real(csv, "m_w_high", done ? intervals->m_w.high : NAN, NULL);
    key_real(csv, "m_s", result->m_s.done ? result->m_s.rem : NAN, NULL);
    key_real(csv, "m_s_low", done ? intervals->m_s.low : NAN, NULL);
    key_real(csv, "m_s_high", done ? intervals->m_s.high : NAN, NULL);
    key_real(csv, "interval_level", done ? intervals->level : NAN, NULL);
    key_real(csv, "gpu_hours_traced", result->n_gpus > 0 ? result->gpu_hours_traced : NAN,
             "GPU-hours");
    key_real(csv, "gpu_hours_lost", result->n_gpus > 0 ? result->gpu_hours_lost : NAN, "GPU-hours");
}

static void write_job(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_verdict *verdict = &report->result->depth.verdict;
    struct hc_csv csv = {.stream = stream};
    write_identity(stream, report);
    key_text(&csv, "source", report->source_path);
    key_text(&csv, "sha256", report->source_sha256);
    key_count(&csv, "source_size", report->source_size, "B");
    key_text(&csv, "format", report->format);
    key_text(&csv, "archive", report->archive);
    key_text(&csv, "segment", report->segment);
    key_text(&csv, "tool_version", HC_VERSION);
    key_text(&csv, "steps_option", report->steps_option);
    key_real(&csv, "threshold", report->result->threshold, NULL);
    write_sizes(&csv, report);
    write_figures(&csv, report->result);
    key_text(&csv, "cause", verdict->done ? hc_straggler_cause_key(verdict->cause) : NULL);
    key_text(&csv, "verdict", verdict->done ? verdict->text : NULL);
}

/* ---- steps and workers ---- */

static void write_steps(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_csv csv;
    hc_csv_start(&csv, stream,
                 "step,traced_ns,replayed_ns,ideal_ns,replayed_end_ns,ideal_end_ns,slowdown,"
                 "launch_slowdown");
    for (size_t s = 0; s < result->n_steps; s++) {
        hc_csv_i32(&csv, result->steps[s]);
        hc_csv_i64(&csv, result->traced_ns[s]);
        hc_csv_i64(&csv, result->replayed_ns[s]);
        hc_csv_i64(&csv, result->ideal_ns[s]);
        hc_csv_i64(&csv, result->replayed_end_ns[s]);
        hc_csv_i64(&csv, result->ideal_end_ns[s]);
        hc_csv_real(&csv, result->step_slowdown[s]);
        hc_csv_real(&csv, result->step_launch_slowdown[s]);
        hc_csv_end(&csv);
    }
}

static void write_workers(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "rank,dp_rank,stage,slowdown_approximated,slowdown_exact");
    for (size_t w = 0; w < result->n_workers; w++) {
        const struct hc_worker *worker = &result->workers[w];
        hc_csv_i32(&csv, worker->rank);
        hc_csv_i32(&csv, worker->dp_rank);
        hc_csv_i32(&csv, worker->stage);
        hc_csv_real(&csv, worker->slowdown);
        hc_csv_real(&csv, worker->exact > 0 ? worker->exact : NAN);
        hc_csv_end(&csv);
    }
}

static void write_worker_steps(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "step,rank,dp_rank,stage,end_ns,slowdown");
    for (size_t s = 0; result->worker_end_ns && s < result->n_steps; s++)
        for (size_t w = 0; w < result->n_workers; w++) {
            hc_csv_i32(&csv, result->steps[s]);
            hc_csv_i32(&csv, result->workers[w].rank);
            hc_csv_i32(&csv, result->workers[w].dp_rank);
            hc_csv_i32(&csv, result->workers[w].stage);
            hc_csv_i64(&csv, result->worker_end_ns[w * result->n_steps + s]);
            hc_csv_real(&csv, hc_worker_step_slowdown(result, w, s));
            hc_csv_end(&csv);
        }
}

static void write_left_out(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "step,reason,detail");
    for (size_t i = 0; i < result->n_left_out; i++) {
        hc_csv_i32(&csv, result->left_out[i].step);
        hc_csv_text(&csv, hc_step_fate_key(result->left_out[i].fate));
        hc_csv_text(&csv, result->left_out[i].detail);
        hc_csv_end(&csv);
    }
}

/* ---- where it comes from, and what would help ---- */

static void write_partition(struct hc_csv *csv, const char *family, enum hc_partition partition,
                            const struct hc_split *split)
{
    for (size_t g = 0; g < split->n_groups; g++) {
        hc_csv_text(csv, family);
        hc_csv_text(csv, hc_whatif_partition_key(partition));
        if (split->groups[g].name)
            hc_csv_text(csv, split->groups[g].name);
        else
            hc_csv_i32(csv, split->groups[g].id);
        hc_csv_real(csv, split->groups[g].slowdown);
        hc_csv_end(csv);
    }
}

static void write_splits(FILE *stream, const struct hc_whatif_report *report)
{
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "kind,partition,group,slowdown");
    for (int p = 0; p < HC_N_PARTITIONS; p++)
        write_partition(&csv, "blocking", p, &report->result->blocking[p]);
    for (int p = 0; p < HC_N_PARTITIONS; p++)
        write_partition(&csv, "launch", p, &report->result->launch[p]);
}

/* The member that a point adds to the one before it: only where it adds one. */
static void write_added(struct hc_csv *csv, const struct hc_whatif_result *result,
                        enum hc_fix_kind kind, size_t point)
{
    const struct hc_fix_curve *curve = &result->depth.fixes[kind];
    char name[HC_MEMBER_TEXT];
    size_t n = curve->points[point].n_fixed;
    bool is_one = point > 0 && n == curve->points[point - 1].n_fixed + 1 && n <= curve->n_groups;
    hc_csv_text(csv, is_one ? hc_fix_member_name(result, kind, curve->order[n - 1], name) : NULL);
}

static void write_fixes(FILE *stream, const struct hc_whatif_report *report)
{
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "of,fixed,last_fixed,mean_step_s,recovered,is_knee");
    for (int kind = 0; kind < HC_N_FIX_KINDS; kind++) {
        const struct hc_fix_curve *curve = &report->result->depth.fixes[kind];
        for (size_t p = 0; p < curve->n_points; p++) {
            hc_csv_text(&csv, hc_fix_kind_key(kind));
            hc_csv_i64(&csv, (int64_t)curve->points[p].n_fixed);
            write_added(&csv, report->result, kind, p);
            hc_csv_real(&csv, curve->points[p].step_s);
            hc_csv_real(&csv, curve->points[p].recovered);
            hc_csv_bool(&csv, p > 0 && p == curve->knee);
            hc_csv_end(&csv);
        }
    }
}

static void write_shapley(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_shapley *shapley = &report->result->depth.shapley;
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "op_type,types,share_s,slowdown_alone");
    for (size_t g = 0; g < shapley->n_groups; g++) {
        hc_csv_text(&csv, shapley->groups[g].name);
        hc_csv_i64(&csv, (int64_t)shapley->groups[g].n_types);
        hc_csv_real(&csv, shapley->groups[g].seconds);
        hc_csv_real(&csv, hc_split_slowdown_of(&report->result->blocking[HC_BY_OP_TYPE],
                                               shapley->groups[g].name));
        hc_csv_end(&csv);
    }
}

static void write_evidence(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_verdict *verdict = &report->result->depth.verdict;
    struct hc_csv csv;
    hc_csv_start(&csv, stream, "test,cause,value,limit,passed,text");
    for (size_t i = 0; i < verdict->n_evidence; i++) {
        const struct hc_evidence *evidence = &verdict->evidence[i];
        hc_csv_text(&csv, evidence->key);
        hc_csv_text(&csv, hc_straggler_cause_key(evidence->cause));
        hc_csv_real(&csv, evidence->value);
        hc_csv_real(&csv, evidence->limit);
        hc_csv_bool(&csv, evidence->passed);
        hc_csv_text(&csv, evidence->text);
        hc_csv_end(&csv);
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
    FILE *file = kind == HC_FILE_REGULAR ? fopen(path, "re") : NULL;
    if (!file) /* a pipe in its place is written to, and never waited for */
        return kind != HC_FILE_REGULAR ? HC_OK : hc_fail_errno(err, "cannot read", path);
    bool is_same = true;
    for (size_t i = 0; i < size && is_same; i++)
        is_same = fgetc(file) == (unsigned char)identity[i];
    bool failed = ferror(file) != 0;
    fclose(file);
    if (failed)
        return hc_fail_errno(err, "cannot read", path);
    if (!is_same)
        return hc_fail(err, HC_USAGE,
                       "'%s' is not of this job: give each job a directory of its own", path);
    return HC_OK;
}

/* The tables of another job are not overwritten, and a directory never holds a mixture. */
static enum hc_status check_directory(const char *directory, const struct hc_whatif_report *report,
                                      struct hc_error *err)
{
    char *identity = NULL, *path = hc_new_text(err, "%s/%s", directory, tables[0].name);
    size_t size = 0;
    FILE *stream = path ? open_memstream(&identity, &size) : NULL;
    if (!stream) {
        free(path);
        return hc_fail_memory(err, 4096);
    }
    write_identity(stream, report);
    enum hc_status status =
        fclose(stream) ? hc_fail_memory(err, 4096) : check_same_job(path, identity, size, err);
    free(identity);
    free(path);
    return status;
}

static enum hc_status write_table(struct hc_outset *set, size_t table, const char *directory,
                                  const struct hc_whatif_report *report, struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/%s", directory, tables[table].name);
    enum hc_status status = path ? hc_outset_add(set, path, &stream, err) : err->status;
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
