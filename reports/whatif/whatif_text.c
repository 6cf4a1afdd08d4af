#include "reports/whatif/whatif_text.h"

#include "core/base/memory.h"
#include "core/base/text_layout.h"
#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "reports/whatif/culprits/culprit_tables.h"
#include "reports/whatif/whatif_depth_text.h"
#include "reports/whatif/whatif_split_text.h"
#include "reports/whatif/whatif_views.h"
#include "reports/write/heatmap_text.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MAX_STEPS    8 /* named of those left out for one reason */
#define MAX_WORKERS  4 /* named of the slowest */
#define HEATMAP_LOW  1.0
#define HEATMAP_HIGH 1.5

/* ", tp 4" where the size is known. */
static void add_size(struct hc_text_line *line, const char *name, int32_t size)
{
    if (size != HC_MISSING_I32)
        hc_line_add(line, ", %s %" PRId32, name, size);
}

/* The end of a list of n of which only the first n_named were named. */
static void add_more(struct hc_text_line *line, size_t n, size_t n_named)
{
    if (n > n_named)
        hc_line_add(line, " ... and %zu more", n - n_named);
}

/* ---- where it came from ---- */

static void put_file(FILE *stream, const char *label, const char *path, const char *sha256)
{
    char shown[HC_TEXT_WIDTH + 8];
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s",
                hc_text_tail(shown, sizeof shown, path, HC_TEXT_WIDTH - HC_LABEL_WIDTH - 1));
    if (sha256 && sha256[0])
        hc_line_add(&line, ", sha256 %.12s", sha256);
    hc_line_put(stream, label, &line);
}

static void put_job(FILE *stream, const struct hc_job *job)
{
    char id[HC_TEXT_WIDTH + 8], cluster[HC_TEXT_WIDTH + 8];
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "%s",
                hc_text_head(id, sizeof id, job->id, HC_TEXT_WIDTH - HC_LABEL_WIDTH - 1));
    if (job->cluster)
        hc_line_add(&line, ", cluster %s", hc_text_head(cluster, sizeof cluster, job->cluster, 40));
    if (job->attempt != HC_MISSING_I32)
        hc_line_add(&line, ", attempt %" PRId32, job->attempt);
    hc_line_put(stream, "job", &line);
}

static void put_source(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_job *job = &report->result->job;
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    put_file(stream, "source", report->source_path, report->source_sha256);
    if (report->format) {
        hc_line_add(&line, "%s, version %" PRId32 " of its reader, %s", report->format,
                    report->format_version, hc_format_bytes(report->source_size, number));
        hc_line_put(stream, "format", &line);
    }
    if (job->meta_path)
        put_file(stream, "metadata", job->meta_path, job->meta_sha256);
    if (report->archive)
        put_file(stream, "archive", report->archive, NULL);
    if (report->segment)
        put_file(stream, "segment", report->segment, NULL);
}

static void put_parallelism(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    hc_line_add(&line, "dp %" PRId32 " x pp %" PRId32 " x vpp %" PRId32, result->dp_size,
                result->pp_size, result->vpp_size);
    add_size(&line, "tp", result->job.tp_size);
    add_size(&line, "dsp", result->job.dsp_size);
    if (result->job.world_size != HC_MISSING_I32)
        hc_line_add(&line, "; %s GPUs", hc_format_count(result->job.world_size, number));
    else
        hc_line_add(&line, "; GPUs not known (no metadata)");
    hc_line_add(&line, ", %s workers", hc_format_count((int64_t)result->n_workers, number));
    hc_line_put(stream, "parallelism", &line);
}

/* ---- what was used, and what not ---- */

static void add_left_out(struct hc_text_line *line, const struct hc_whatif_result *result,
                         enum hc_step_fate fate)
{
    const char *detail = "";
    size_t n = 0;
    for (size_t i = 0; i < result->n_left_out; i++) {
        const struct hc_left_out_step *out = &result->left_out[i];
        if (out->fate != fate)
            continue;
        if (n++ < MAX_STEPS && fate != HC_STEP_NOT_SELECTED)
            hc_line_add(line, "%s %" PRId32, n == 1 ? "" : ",", out->step);
        if (!detail[0])
            detail = out->detail;
    }
    if (fate != HC_STEP_NOT_SELECTED)
        add_more(line, n, MAX_STEPS);
    if (detail[0])
        hc_line_add(line, " (first: %s)", detail);
}

static size_t count_left_out(const struct hc_whatif_result *result, enum hc_step_fate fate)
{
    size_t n = 0;
    for (size_t i = 0; i < result->n_left_out; i++)
        n += result->left_out[i].fate == fate;
    return n;
}

static void put_steps(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    hc_line_add(&line, "%s used", hc_format_count((int64_t)result->n_steps, number));
    if (result->n_steps > 0)
        hc_line_add(&line, " (%" PRId32 " to %" PRId32 ")", result->steps[0],
                    result->steps[result->n_steps - 1]);
    hc_line_add(&line, ", %s left out", hc_format_count((int64_t)result->n_left_out, number));
    if (report->steps_option)
        hc_line_add(&line, "; --steps %s", report->steps_option);
    hc_line_put(stream, "steps", &line);
    for (int fate = HC_STEP_USED + 1; fate < HC_N_STEP_FATES; fate++) {
        size_t n = count_left_out(result, fate);
        if (n == 0)
            continue;
        hc_line_add(&line, "%s left out, %s%s", hc_format_count((int64_t)n, number),
                    hc_step_fate_text(fate), fate == HC_STEP_NOT_SELECTED ? "" : ":");
        add_left_out(&line, result, fate);
        hc_line_put(stream, "", &line);
    }
}

static void put_rows(FILE *stream, const struct hc_row_report *rows)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    hc_line_add(&line, "%s read", hc_format_count(rows->rows_read, number));
    hc_line_add(&line, ", %s skipped", hc_format_count(hc_row_report_total_bad(rows), number));
    if (rows->count[HC_BAD_ABSENT])
        hc_line_add(&line, ", %s absent", hc_format_count(rows->count[HC_BAD_ABSENT], number));
    if (rows->rows_ignored)
        hc_line_add(&line, ", %s ignored as the metadata says",
                    hc_format_count(rows->rows_ignored, number));
    hc_line_put(stream, "rows", &line);
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++) {
        if (rows->count[reason] == 0)
            continue;
        hc_line_add(&line, "%s %s, %s", hc_format_count(rows->count[reason], number),
                    hc_bad_reason_outcome(reason), hc_bad_reason_text(reason));
        if (rows->example[reason][0])
            hc_line_add(&line, "; first: %s", rows->example[reason]);
        hc_line_put(stream, "", &line);
    }
}

static bool has_only_passes(const struct hc_whatif_result *result)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        if (result->n_by_type[type] && !hc_op_is_pass(type))
            return false;
    return result->n_ops > 0;
}

static void put_replay(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    hc_line_add(&line, "%s ops; a graph of %s ops and %s edges per dp rank",
                hc_format_count(result->n_ops, a), hc_format_count((int64_t)result->n_graph_ops, b),
                hc_format_count((int64_t)result->n_graph_edges, c));
    if (result->n_structures > 1)
        hc_line_add(&line, " (the first of %zu different graphs)", result->n_structures);
    hc_line_add(&line, "; with launch delays put back, off by %s",
                hc_format_seconds((double)result->delayed_error_ns * 1e-9, a));
    hc_line_put(stream, "replay", &line);
    if (has_only_passes(result)) {
        hc_line_add(&line, "only passes were recorded: what lies between them (communication, "
                           "optimizer) counts as launch delay or is not seen");
        hc_line_put(stream, "", &line);
    }
    if (result->clamped_transfers || result->clamped_delays) {
        hc_line_add(
            &line,
            "%s transfer times and %s launch delays of -10 ms or less taken as 0: the clocks of "
            "the "
            "workers disagree",
            hc_format_count(result->clamped_transfers, a),
            hc_format_count(result->clamped_delays, b));
        hc_line_put(stream, "", &line);
    }
}

/* ---- the figures ---- */

static void put_discrepancy(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char number[HC_NUMBER_TEXT];
    if (result->discrepancy > HC_DISCREPANCY_LIMIT)
        hc_line_add(
            &line,
            "%s: WARNING, above 5 %% the replay does not stand for the job (the paper drops such "
            "jobs); read the rest with care",
            hc_format_percent(result->discrepancy, number));
    else if (isnan(result->discrepancy))
        hc_line_add(&line, "- (the traced steps take no time)");
    else
        hc_line_add(&line, "%s between replayed and traced steps (fine up to 5 %%)",
                    hc_format_percent(result->discrepancy, number));
    hc_line_put(stream, "discrepancy", &line);
}

/* How the intervals were found, or why there are none though they were asked for. */
static void put_intervals(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_intervals *intervals = &report->result->depth.intervals;
    struct hc_text_line line = {.used = 0};
    char text[HC_INTERVALS_TEXT];
    if (intervals->done)
        hc_line_add(&line, "of %s", hc_whatif_intervals_text(intervals, text));
    else if (report->depth & HC_DEPTH_INTERVALS)
        hc_line_add(&line, "none: fewer than %d steps (%zu)", HC_INTERVALS_LEAST_STEPS,
                    report->result->n_steps);
    else
        return;
    hc_line_put(stream, "intervals", &line);
}

static void put_cost(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (result->n_gpus <= 0 || !isfinite(result->gpu_hours_traced))
        return;
    hc_line_add(&line, "%s GPU-hours in these steps (%s GPUs), %s of them lost to stragglers",
                hc_format_fixed(result->gpu_hours_traced, 2, a), hc_format_count(result->n_gpus, b),
                hc_format_fixed(result->gpu_hours_lost, 2, c));
    hc_line_put(stream, "cost", &line);
}

static void put_launch(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    if (result->hides_waiting) {
        hc_line_add(&line, "unknown: the trace shows transfers without the wait before them");
    } else {
        hc_line_add(&line, "%s, traced over replayed%s",
                    hc_format_fixed(result->launch_slowdown, 3, a),
                    isfinite(result->launch_slowdown) ? "" : " (the replayed step takes no time)");
        if (result->launch[HC_BY_OP_TYPE].n_groups == 0)
            hc_line_add(&line, "; not decomposed (from %s on)",
                        hc_format_fixed(result->threshold, 2, b));
    }
    hc_line_put(stream, "launch delays", &line);
}

static void put_slowdown(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], interval[HC_INTERVAL_TEXT];
    const struct hc_intervals *intervals = &result->depth.intervals;
    if (isfinite(result->slowdown))
        hc_line_add(&line, "S %s%s, waste %s: %s", hc_format_fixed(result->slowdown, 3, a),
                    hc_whatif_interval_text(intervals, &intervals->slowdown, interval),
                    hc_format_percent(result->waste, b),
                    result->slowdown >= HC_STRAGGLING ? "STRAGGLING" : "not straggling");
    else
        hc_line_add(&line, "S -, waste - (the ideal step takes no time)");
    hc_line_put(stream, "slowdown", &line);
    hc_line_add(&line, "traced %s, replayed %s, ideal %s", hc_format_seconds(result->traced_s, a),
                hc_format_seconds(result->replayed_s, b), hc_format_seconds(result->ideal_s, c));
    hc_line_put(stream, "mean step", &line);
    put_cost(stream, result);
    put_launch(stream, result);
}

static void put_fixes(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char text[HC_FIX_TEXT];
    for (size_t i = 0; i < result->depth.n_asked_fixes; i++) {
        hc_line_add(&line, "%s", hc_whatif_fix_text(result, &result->depth.asked_fixes[i], text));
        hc_line_put(stream, i ? "" : "fix", &line);
    }
}

static void put_step_slowdowns(FILE *stream, const struct hc_whatif_result *result)
{
    const size_t *order = result->findings.steps;
    size_t n = result->n_steps;
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    if (n == 0)
        return;
    hc_line_add(&line, "S min %s, median %s, max %s",
                hc_format_fixed(result->step_slowdown[order[n - 1]], 3, a),
                hc_format_fixed(result->findings.median_step_slowdown, 3, b),
                hc_format_fixed(result->step_slowdown[order[0]], 3, c));
    hc_line_add(&line, "; worst");
    for (size_t i = 0; i < n && i < 3; i++)
        hc_line_add(&line, "%s %" PRId32, i ? "," : "", result->steps[order[i]]);
    hc_line_put(stream, "per step", &line);
}

static void add_slowest(struct hc_text_line *line, const struct hc_whatif_result *result)
{
    char number[HC_NUMBER_TEXT];
    for (size_t i = 0; i < result->n_slowest && i < MAX_WORKERS; i++) {
        const struct hc_worker *worker = &result->workers[result->slowest[i]];
        hc_line_add(line, "%s rank %" PRId32 " (dp %" PRId32 ", stage %" PRId32 ") %s",
                    i ? "," : "", worker->rank, worker->dp_rank, worker->stage,
                    hc_format_fixed(worker->slowdown, 2, number));
    }
    add_more(line, result->n_slowest, MAX_WORKERS);
}

/* Whether a test of the paper may say what to suspect: the verdict, where there is one, must not
 * say something else. */
static bool may_suspect(const struct hc_whatif_result *result, enum hc_straggler_cause cause)
{
    const struct hc_verdict *verdict = &result->depth.verdict;
    return !verdict->done || verdict->cause == HC_STRAGGLER_UNEXPLAINED ||
           hc_verdict_names(verdict, cause);
}

/* What an M_W above 0.5 says: of the 3 % that it takes, only workers that stand out are suspects.
 */
static void add_worker_suspicion(struct hc_text_line *line, const struct hc_whatif_result *result)
{
    char number[HC_NUMBER_TEXT];
    size_t n = result->findings.n_outstanding;
    if (!may_suspect(result, HC_STRAGGLER_WORKER))
        hc_line_add(line, ". Above 0.5, but the verdict names another cause");
    else if (n == 0)
        hc_line_add(line, ". Above 0.5, but none of them stands out");
    else if (n == result->n_slowest)
        hc_line_add(line, ". Above 0.5: suspect a fault of %s",
                    n == 1 ? "this worker" : "these workers");
    else if (n == 1)
        hc_line_add(line, ". Above 0.5: suspect a fault of the first, which stands out");
    else
        hc_line_add(line, ". Above 0.5: suspect faults of the first %s, which stand out",
                    hc_format_count((int64_t)n, number));
}

/* "<rem> of the excess goes when" or why not. Returns whether there is a figure. */
static bool add_explained(struct hc_text_line *line, const struct hc_explained *explained,
                          const char *interval)
{
    char number[HC_NUMBER_TEXT];
    if (!explained->done)
        hc_line_add(line, "- (needs the decomposition)");
    else if (!isfinite(explained->rem))
        hc_line_add(line, "- (the excess over the ideal steps is none, or too small to share out)");
    else
        hc_line_add(line, "%s%s of the excess goes when",
                    hc_format_fixed(explained->rem, 3, number), interval);
    return explained->done && isfinite(explained->rem);
}

static void put_explained(FILE *stream, const struct hc_whatif_result *result)
{
    struct hc_text_line line = {.used = 0};
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT];
    char interval[HC_INTERVAL_TEXT];
    const struct hc_intervals *intervals = &result->depth.intervals;
    bool straggles = result->slowdown >= HC_STRAGGLING;
    hc_whatif_interval_text(intervals, &intervals->m_w, interval);
    if (add_explained(&line, &result->m_w, interval)) {
        hc_line_add(
            &line, " the slowest 3 %% of the workers (%s of %s) are fixed; they alone bring %s:",
            hc_format_count((int64_t)result->n_slowest, a),
            hc_format_count((int64_t)result->n_workers, b), hc_format_fixed(result->m_w.add, 3, c));
        add_slowest(&line, result);
        if (straggles && result->m_w.rem > 0.5)
            add_worker_suspicion(&line, result);
    }
    hc_line_put(stream, "M_W", &line);
    hc_whatif_interval_text(intervals, &intervals->m_s, interval);
    if (result->pp_size == 1)
        hc_line_add(&line, "- (there is one stage)");
    else if (add_explained(&line, &result->m_s, interval)) {
        hc_line_add(&line, " the last stage (%" PRId32 ") is fixed; it alone brings %s",
                    result->pp_size - 1, hc_format_fixed(result->m_s.add, 3, a));
        if (straggles && result->m_s.rem >= 0.5)
            hc_line_add(&line, may_suspect(result, HC_STRAGGLER_STAGE)
                                   ? ". From 0.5 on: suspect that the stages are cut unevenly"
                                   : ". From 0.5 on, but the verdict names another cause");
    }
    hc_line_put(stream, "M_S", &line);
}

/* ---- decompositions and the map of the workers ---- */

static enum hc_status put_splits(FILE *stream, const struct hc_whatif_result *result,
                                 struct hc_error *err)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    if (result->blocking[HC_BY_OP_TYPE].n_groups == 0) {
        fprintf(stream, "\nS by op type, stage and dp rank: - (S %s is below the threshold %s)\n",
                hc_format_fixed(result->slowdown, 3, a), hc_format_fixed(result->threshold, 2, b));
    } else {
        fputs("\nS with the stragglers of one group only (all other ops ideal). Each line is a\n"
              "replay of its own: they do not add up.\n",
              stream);
        if (hc_whatif_write_split_table(stream, result->blocking, err))
            return err->status;
    }
    if (result->launch[HC_BY_OP_TYPE].n_groups == 0)
        return HC_OK;
    fputs("\nSlowdown with the launch delays of one group only (over replayed). These do not\n"
          "add up either.\n",
          stream);
    return hc_whatif_write_split_table(stream, result->launch, err);
}

static enum hc_status put_workers(FILE *stream, const struct hc_whatif_result *result,
                                  struct hc_error *err)
{
    bool has_exact = result->findings.has_exact;
    bool is_known = result->blocking[HC_BY_OP_TYPE].n_groups > 0 || has_exact;
    if (!is_known || result->n_workers == 0)
        return HC_OK;
    fputs(has_exact ? "\nS by worker: only this worker as recorded, all else ideal\n"
                    : "\nS by worker: the smaller of its dp rank's and its stage's\n",
          stream);
    struct hc_heatmap map = {
        .n_x = (size_t)result->dp_size,
        .n_y = (size_t)result->pp_size,
        .values = result->findings.worker_slowdown,
        .low = HEATMAP_LOW,
        .high = HEATMAP_HIGH,
        .x_name = "dp rank",
        .y_name = "stage",
    };
    hc_heatmap_write_text(stream, &map);
    return hc_whatif_write_worst_workers(stream, result, err);
}

enum hc_status hc_whatif_write_text(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    put_job(stream, &result->job);
    put_parallelism(stream, result);
    put_steps(stream, report);
    put_discrepancy(stream, result);
    fputc('\n', stream);
    hc_whatif_write_verdict(stream, result);
    put_fixes(stream, result);
    put_slowdown(stream, report);
    put_step_slowdowns(stream, result);
    put_explained(stream, result);
    put_intervals(stream, report);
    char command[HC_TRY_TEXT];
    if (hc_whatif_write_culprits(stream, result, err))
        return err->status;
    if (hc_whatif_try_text(report, command))
        fprintf(stream, "  to try it: %s\n", command);
    if (hc_whatif_write_evidence(stream, result, err) || put_workers(stream, result, err) ||
        put_splits(stream, result, err))
        return err->status;
    hc_whatif_write_shapley(stream, result);
    hc_whatif_write_fixes(stream, result);
    fputs("\nInput and replay\n", stream);
    put_source(stream, report);
    if (report->run_id)
        fprintf(stream, "%-*s%s\n", HC_LABEL_WIDTH, "run", report->run_id);
    put_rows(stream, &result->rows);
    put_replay(stream, result);
    if (fflush(stream) || ferror(stream))
        return hc_fail_errno(err, "cannot write", "the summary");
    return HC_OK;
}
