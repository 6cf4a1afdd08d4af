#include "reports/whatif/whatif_html.h"

#include "core/tables/table.h"
#include "core/text/number_format.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/whatif/culprits/culprit_tables.h"
#include "reports/whatif/whatif_depth_text.h"
#include "reports/whatif/whatif_sections.h"
#include "reports/whatif/whatif_views.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MAX_LEFT_OUT 200 /* listed */
#define MAX_CULPRITS 30

/* ---- the top: who, what is wrong, how much it costs ---- */

static void write_head(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_whatif_result *result = report->result;
    const struct hc_job *job = &result->job;
    char subtitle[512], gpus[HC_NUMBER_TEXT], tp[32] = "", attempt[32] = "", first[64] = "";
    char from[32], to[32];
    if (job->tp_size != HC_MISSING_I32)
        snprintf(tp, sizeof tp, " x tp %" PRId32, job->tp_size);
    if (job->attempt != HC_MISSING_I32)
        snprintf(attempt, sizeof attempt, ", attempt %" PRId32, job->attempt);
    if (result->n_steps > 0)
        snprintf(first, sizeof first, " (%" PRId32 " to %" PRId32 ")", result->steps[0],
                 result->steps[result->n_steps - 1]);
    if (result->n_gpus > 0)
        hc_format_count(result->n_gpus, gpus);
    else
        snprintf(gpus, sizeof gpus, "unknown number of");
    snprintf(subtitle, sizeof subtitle,
             "Cluster %s%s. dp %" PRId32 " x pp %" PRId32 " x vpp %" PRId32
             "%s, %s GPUs. %zu steps analysed%s, %zu left out.",
             job->cluster ? job->cluster : "unknown", attempt, result->dp_size, result->pp_size,
             result->vpp_size, tp, gpus, result->n_steps, first, result->n_left_out);
    bool has_steps = result->n_steps > 0;
    hc_html_start(
        stream,
        &(struct hc_html_head){
            "What stragglers cost a job", job->id, subtitle, report->run_id,
            has_steps ? hc_html_time(hc_step_unix_ns(result, 0), from) : NULL,
            has_steps ? hc_html_time(hc_step_unix_ns(result, result->n_steps - 1), to) : NULL});
}

static enum hc_html_tone tone_of(const struct hc_whatif_result *result)
{
    const struct hc_verdict *verdict = &result->depth.verdict;
    if (verdict->done && verdict->cause == HC_STRAGGLER_NONE)
        return HC_TONE_GOOD;
    if (verdict->done && verdict->cause == HC_STRAGGLER_UNEXPLAINED)
        return HC_TONE_WARNING;
    return result->slowdown >= HC_STRAGGLING ? HC_TONE_BAD : HC_TONE_GOOD;
}

/* The verdict as a sentence under its cause. */
static void write_verdict_text(FILE *stream, const struct hc_verdict *verdict)
{
    char text[sizeof verdict->text];
    snprintf(text, sizeof text, "%s", verdict->text + verdict->detail);
    text[0] = (char)toupper((unsigned char)text[0]);
    hc_html_paragraph(stream, "lead", "%s.", text);
}

#define LEAST_SHARE 0.05 /* of the excess: a remedy that brings less is left to the evidence */

static bool is_remedy(const struct hc_evidence *evidence)
{
    size_t length = strlen(evidence->key);
    return length > 6 && strcmp(evidence->key + length - 6, "_share") == 0 &&
           evidence->value >= LEAST_SHARE;
}

/* The remedy that brings most of those that are not done. */
static const struct hc_evidence *next_remedy(const struct hc_verdict *verdict, const bool *is_done)
{
    const struct hc_evidence *best = NULL;
    for (size_t i = 0; i < verdict->n_evidence; i++)
        if (!is_done[i] && is_remedy(&verdict->evidence[i]) &&
            (!best || verdict->evidence[i].value > best->value))
            best = &verdict->evidence[i];
    return best;
}

/* What each remedy would bring by itself, where there are several. */
static void write_remedies(FILE *stream, const struct hc_verdict *verdict)
{
    bool is_done[HC_MAX_EVIDENCE] = {false};
    char share[HC_NUMBER_TEXT];
    size_t n = 0;
    for (size_t i = 0; i < verdict->n_evidence; i++)
        n += is_remedy(&verdict->evidence[i]);
    if (n < 2)
        return;
    fputs("<p>What would go of the excess without each cause alone, most first: ", stream);
    for (size_t rank = 1; rank <= n; rank++) {
        const struct hc_evidence *remedy = next_remedy(verdict, is_done);
        is_done[remedy - verdict->evidence] = true;
        hc_html_textf(stream, "%s%zu. %s, %s", rank > 1 ? "; " : "", rank,
                      hc_straggler_cause_text(remedy->cause),
                      hc_format_percent(remedy->value, share));
    }
    fputs(".</p>\n", stream);
}

static void write_verdict(FILE *stream, const struct hc_whatif_result *result)
{
    const struct hc_verdict *verdict = &result->depth.verdict;
    char title[128], percent[HC_NUMBER_TEXT];
    snprintf(title, sizeof title, "%s",
             verdict->done                       ? hc_straggler_cause_text(verdict->cause)
             : result->slowdown >= HC_STRAGGLING ? "straggling"
             : isfinite(result->slowdown)        ? "not straggling"
                                                 : "no slowdown can be given");
    title[0] = (char)toupper((unsigned char)title[0]);
    hc_html_callout_start(stream, tone_of(result), title);
    if (verdict->done) {
        write_verdict_text(stream, verdict);
        write_remedies(stream, verdict);
    }
    if (!verdict->done)
        hc_html_paragraph(stream, "lead",
                          "A job straggles from a slowdown of 1.1 on. The cause "
                          "was not looked for.");
    hc_html_callout_end(stream);
    if (result->discrepancy > HC_DISCREPANCY_LIMIT) {
        hc_html_callout_start(stream, HC_TONE_WARNING, "Read with care");
        hc_html_paragraph(stream, NULL,
                          "The replay takes %s more or less time than the recorded steps. Above "
                          "5 %% it does not stand for the job.",
                          hc_format_percent(result->discrepancy, percent));
        hc_html_callout_end(stream);
    }
}

/* What a figure is measured in, with its interval where these were asked for: "times the ideal
 * step; 95 %: 1.961 to 1.985". */
static const char *interval_note(const struct hc_intervals *intervals,
                                 const struct hc_interval *interval, const char *unit,
                                 char text[HC_INTERVAL_TEXT])
{
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT], level[HC_NUMBER_TEXT];
    if (!intervals->done)
        return unit;
    if (!isfinite(interval->low) || !isfinite(interval->high))
        return "no interval: see Input and replay";
    snprintf(text, HC_INTERVAL_TEXT, "%s; %s %%: %s to %s", unit,
             hc_format_fixed(100 * intervals->level, 0, level),
             hc_format_fixed(interval->low, 3, low), hc_format_fixed(interval->high, 3, high));
    return text;
}

static void write_cost_tiles(FILE *stream, const struct hc_whatif_result *result)
{
    char value[HC_NUMBER_TEXT], other[HC_NUMBER_TEXT], note[128];
    if (result->n_gpus > 0 && isfinite(result->gpu_hours_lost)) {
        snprintf(note, sizeof note, "of %s GPU-hours",
                 hc_format_fixed(result->gpu_hours_traced, 2, other));
        hc_html_tile(stream, HC_TONE_PLAIN, "GPU-hours lost",
                     hc_format_fixed(result->gpu_hours_lost, 2, value), note);
    }
    snprintf(note, sizeof note, "ideal %s, recorded %s", hc_format_seconds(result->ideal_s, value),
             hc_format_seconds(result->traced_s, other));
    hc_html_tile(stream, HC_TONE_PLAIN, "Mean step", hc_format_seconds(result->replayed_s, value),
                 note);
}

static void write_tiles(FILE *stream, const struct hc_whatif_result *result)
{
    const struct hc_intervals *intervals = &result->depth.intervals;
    char value[HC_NUMBER_TEXT], note[HC_INTERVAL_TEXT];
    bool straggles = result->slowdown >= HC_STRAGGLING;
    hc_html_tiles_start(stream);
    hc_html_tile(stream, straggles ? HC_TONE_BAD : HC_TONE_GOOD, "Slowdown S",
                 hc_format_fixed(result->slowdown, 3, value),
                 interval_note(intervals, &intervals->slowdown, "times the ideal step", note));
    hc_html_tile(stream, HC_TONE_PLAIN, "Waste", hc_format_percent(result->waste, value),
                 "of the GPU time");
    write_cost_tiles(stream, result);
    if (result->m_w.done)
        hc_html_tile(stream, HC_TONE_PLAIN, "M_W, workers",
                     hc_format_fixed(result->m_w.rem, 3, value),
                     interval_note(intervals, &intervals->m_w, "of the excess", note));
    if (result->m_s.done && result->pp_size > 1)
        hc_html_tile(stream, HC_TONE_PLAIN, "M_S, last stage",
                     hc_format_fixed(result->m_s.rem, 3, value),
                     interval_note(intervals, &intervals->m_s, "of the excess", note));
    hc_html_tile(stream, HC_TONE_PLAIN, "Launch delays",
                 result->hides_waiting ? "unknown"
                                       : hc_format_fixed(result->launch_slowdown, 3, value),
                 result->hides_waiting ? "the trace hides waiting" : "times the replayed step");
    hc_html_tiles_end(stream);
}

static void write_contents(FILE *stream, const struct hc_whatif_result *result)
{
    const struct {
        bool is_there;
        const char *anchor, *title;
    } sections[] = {
        {hc_whatif_has_culprits(result), "culprits", "Slower than its peers"},
        {result->depth.verdict.done, "evidence", "Evidence"},
        {hc_whatif_html_has_workers(result), "workers", "Workers"},
        {result->n_steps > 0, "steps", "Steps"},
        {hc_whatif_html_has_splits(result), "splits", "Where it comes from"},
        {hc_whatif_html_has_fixes(result), "fixes", "What a fix would bring"},
        {result->depth.picture.done, "picture", "One step"},
        {true, "source", "Input and replay"},
    };
    hc_html_contents_start(stream);
    for (size_t i = 0; i < sizeof sections / sizeof sections[0]; i++)
        if (sections[i].is_there)
            hc_html_contents_link(stream, sections[i].anchor, sections[i].title);
    hc_html_contents_end(stream);
}

/* ---- culprits ---- */

static enum hc_status write_details(FILE *stream, const char *title, struct hc_section section,
                                    struct hc_error *err)
{
    if (hc_section_is_empty(&section)) {
        hc_section_fini(&section);
        return HC_OK;
    }
    hc_html_details_start(stream, title);
    enum hc_status status = hc_section_print_html(stream, section, err);
    hc_html_details_end(stream);
    return status;
}

static enum hc_status write_culprits(FILE *stream, const struct hc_whatif_report *report,
                                     struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    char command[HC_TRY_TEXT];
    enum hc_status status = HC_OK;
    if (!hc_whatif_has_culprits(result))
        return HC_OK;
    hc_html_section_start(stream, "culprits", "Slower than its peers");
    hc_html_paragraph(stream, NULL,
                      "What takes longer than the same work elsewhere, found step by step before "
                      "anything is averaged. In brackets: intervals of 95 %%.");
    for (size_t i = 0; i < result->depth.n_asked_fixes; i++) {
        char text[HC_FIX_TEXT];
        hc_html_paragraph(stream, NULL, "%s.",
                          hc_whatif_fix_text(result, &result->depth.asked_fixes[i], text));
    }
    if (result->depth.culprits.n > 0)
        status = hc_section_print_html(stream, hc_whatif_culprits_table(result, MAX_CULPRITS), err);
    if (hc_whatif_try_text(report, command))
        hc_html_paragraph(stream, NULL, "To try it: %s", command);
    if (status == HC_OK)
        status = write_details(stream, "Stretches of slow steps",
                               hc_whatif_stretches_table(result, MAX_LEFT_OUT), err);
    if (status == HC_OK)
        status = write_details(stream, "Levels of the job as a whole",
                               hc_whatif_levels_table(result), err);
    hc_html_section_end(stream);
    return status;
}

/* ---- evidence ---- */

static enum hc_status write_correlations(FILE *stream, const struct hc_verdict *verdict,
                                         struct hc_error *err)
{
    if (verdict->n_stages == 0)
        return HC_OK;
    hc_html_details_start(stream, "Forward against backward passes, by stage");
    enum hc_status status =
        hc_section_print_html(stream, hc_whatif_correlations_table(verdict), err);
    hc_html_details_end(stream);
    return status;
}

static enum hc_status write_evidence(FILE *stream, const struct hc_whatif_result *result,
                                     struct hc_error *err)
{
    const struct hc_verdict *verdict = &result->depth.verdict;
    if (!verdict->done)
        return HC_OK;
    hc_html_section_start(stream, "evidence", "Evidence");
    hc_html_paragraph(stream, NULL,
                      "Every test that was made, also those that fail. A test passes when its "
                      "value reaches the limit.");
    enum hc_status status = hc_section_print_html(stream, hc_whatif_evidence_table(verdict), err);
    if (status == HC_OK)
        status = write_correlations(stream, verdict, err);
    hc_html_section_end(stream);
    return status;
}

/* ---- where it comes from ---- */

static enum hc_status write_left_out(FILE *stream, const struct hc_whatif_result *result,
                                     struct hc_error *err)
{
    if (result->n_left_out == 0)
        return HC_OK;
    hc_html_details_start(stream, "Steps left out");
    enum hc_status status =
        hc_section_print_html(stream, hc_whatif_left_out_table(result, MAX_LEFT_OUT), err);
    hc_html_details_end(stream);
    return status;
}

static void write_input_facts(FILE *stream, const struct hc_whatif_report *report)
{
    const struct hc_job *job = &report->result->job;
    char number[HC_NUMBER_TEXT];
    hc_html_fact(stream, "Trace", "%s", report->source_path ? report->source_path : "not known");
    if (report->source_sha256)
        hc_html_fact(stream, "SHA-256", "%s", report->source_sha256);
    if (report->format)
        hc_html_fact(stream, "Format", "%s, version %" PRId32 " of its reader, %s", report->format,
                     report->format_version, hc_format_bytes(report->source_size, number));
    if (job->meta_path)
        hc_html_fact(stream, "Metadata", "%s, sha256 %s", job->meta_path, job->meta_sha256);
    if (report->archive)
        hc_html_fact(stream, "Archive", "%s, segment %s", report->archive,
                     report->segment ? report->segment : "not known");
    hc_html_fact(stream, "Options", "threshold %s%s%s%s",
                 hc_format_fixed(report->result->threshold, 2, number),
                 report->steps_option ? ", steps " : "",
                 report->steps_option ? report->steps_option : "",
                 report->depth == 0 ? ", quick" : "");
}

static void write_replay_facts(FILE *stream, const struct hc_whatif_result *result)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], text[HC_INTERVALS_TEXT];
    const struct hc_intervals *intervals = &result->depth.intervals;
    hc_html_fact(stream, "Rows", "%s read, %s skipped, %s absent",
                 hc_format_count(result->rows.rows_read, a),
                 hc_format_count(hc_row_report_total_bad(&result->rows), b),
                 hc_format_count(result->rows.count[HC_BAD_ABSENT], c));
    if (result->rows.count[HC_BAD_CLIPPED])
        hc_html_fact(stream, "Clipped", "%s %s",
                     hc_format_count(result->rows.count[HC_BAD_CLIPPED], a),
                     hc_bad_reason_text(HC_BAD_CLIPPED));
    hc_html_fact(stream, "Replay",
                 "%s ops; a graph of %s ops and %s edges a dp rank; %zu different sets of ops",
                 hc_format_count(result->n_ops, a),
                 hc_format_count((int64_t)result->n_graph_ops, b),
                 hc_format_count((int64_t)result->n_graph_edges, c), result->n_structures);
    hc_html_fact(stream, "Discrepancy",
                 "%s between replayed and recorded mean step (fine up to 5 %%); with launch delays "
                 "put back, off by %s",
                 hc_format_percent(result->discrepancy, a),
                 hc_format_seconds((double)result->delayed_error_ns * 1e-9, b));
    if (result->clamped_transfers || result->clamped_delays)
        hc_html_fact(stream, "Clocks",
                     "%s transfer times and %s launch delays of -10 ms or less taken as 0",
                     hc_format_count(result->clamped_transfers, a),
                     hc_format_count(result->clamped_delays, b));
    if (intervals->done)
        hc_html_fact(stream, "Intervals", "%s", hc_whatif_intervals_text(intervals, text));
}

static enum hc_status write_source(FILE *stream, const struct hc_whatif_report *report,
                                   struct hc_error *err)
{
    hc_html_section_start(stream, "source", "Input and replay");
    hc_html_facts_start(stream);
    write_input_facts(stream, report);
    write_replay_facts(stream, report->result);
    hc_html_facts_end(stream);
    enum hc_status status = write_left_out(stream, report->result, err);
    hc_html_section_end(stream);
    return status;
}

enum hc_status hc_whatif_write_html(FILE *stream, const struct hc_whatif_report *report,
                                    struct hc_error *err)
{
    const struct hc_whatif_result *result = report->result;
    const struct hc_html_input inputs[] = {
        {"Trace", report->source_path, report->source_sha256},
        {"Metadata", result->job.meta_path, result->job.meta_sha256},
    };
    write_head(stream, report);
    write_verdict(stream, result);
    write_tiles(stream, result);
    write_contents(stream, result);
    if (write_culprits(stream, report, err) || write_evidence(stream, result, err) ||
        hc_whatif_html_workers(stream, report, err) || hc_whatif_html_steps(stream, report, err) ||
        hc_whatif_html_splits(stream, report, err) || hc_whatif_html_fixes(stream, report, err) ||
        hc_whatif_html_picture(stream, report, err) || write_source(stream, report, err))
        return err->status;
    hc_html_end(stream, inputs, sizeof inputs / sizeof inputs[0]);
    if (fflush(stream) || ferror(stream))
        return hc_fail_errno(err, "cannot write", "the page");
    return HC_OK;
}
