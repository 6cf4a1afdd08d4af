#include "reports/evidence/failures_report.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "core/text/number_format.h"
#include "reports/evidence/corrections_report.h"
#include "reports/write/section.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#define NS_PER_HOUR 3600e9
#define NS_PER_DAY  86400e9

static const char *hours(hc_lost_gpu_ns ns, char text[HC_NUMBER_TEXT])
{
    double value = (double)ns / NS_PER_HOUR;
    return hc_format_fixed(value, value < 100 ? 1 : 0, text);
}

/* ---- head ---- */

static void put_events(FILE *stream, const struct hc_failures_report *report)
{
    const struct hc_evidence_set *set = report->failures->set;
    struct hc_text_line line = {.used = 0};
    char count[3][HC_NUMBER_TEXT];
    hc_line_add(&line, "%s of %zu nodes",
                hc_format_count((int64_t)set->n - set->n_of_incidents, count[0]),
                set->nodes.n - set->n_places);
    if (report->failures->recorded && report->failures->recorded->n)
        hc_line_add(&line, ", %zu recorded incidents", report->failures->recorded->n);
    if (set->n_repeats)
        hc_line_add(&line, " (and %s repeats within 5 s)",
                    hc_format_count(set->n_repeats, count[1]));
    hc_line_add(&line, "; %s in logs of jobs",
                hc_format_count((int64_t)report->failures->n_own, count[2]));
    if (report->n_own_unjoined)
        hc_line_add(&line, ", %s of which joined no attempt",
                    hc_format_count(report->n_own_unjoined, count[1]));
    hc_line_put(stream, "events", &line);
}

static void put_ends(FILE *stream, const struct hc_failures *f)
{
    struct hc_text_line line = {.used = 0};
    char count[5][HC_NUMBER_TEXT];
    hc_line_add(&line,
                "%s attempts ran and ended: %s completed, %s stopped by a person, a limit or "
                "pre-emption; %s failures, restarts in place included",
                hc_format_count(f->n_ends, count[0]), hc_format_count(f->n_healthy, count[1]),
                hc_format_count(f->n_stopped, count[2]), hc_format_count((int64_t)f->n, count[3]));
    hc_line_put(stream, "ends", &line);
    if (f->n_healthy) {
        hc_line_add(
            &line,
            "beside %s of the completed ones a node reported something (%s %%), beside %s "
            "something that can stop a job",
            hc_format_count(f->n_healthy_any, count[0]),
            hc_format_fixed(100 * (double)f->n_healthy_any / (double)f->n_healthy, 1, count[1]),
            hc_format_count(f->n_healthy_beside, count[2]));
        hc_line_put(stream, "healthy", &line);
    }
    if (f->n_without_log) {
        hc_line_add(
            &line,
            "of %s failures no log was read: they may have hung for up to 12 minutes before "
            "their end, and events are looked for from 10 minutes before that",
            hc_format_count(f->n_without_log, count[0]));
        hc_line_put(stream, "no log", &line);
    }
    if (f->n_taken_out || f->n_put_in) {
        hc_line_add(&line,
                    "by corrections %s ends that the rules take for failures are none, and %s that "
                    "they do not are",
                    hc_format_count(f->n_taken_out, count[0]),
                    hc_format_count(f->n_put_in, count[1]));
        hc_line_put(stream, "corrected", &line);
    }
    if (f->n_bad_lists) {
        hc_line_add(&line, "%s failures have a list of nodes that cannot be read: judged without",
                    hc_format_count(f->n_bad_lists, count[0]));
        hc_line_put(stream, "note", &line);
    }
}

/* ---- tables ---- */

static enum hc_status put_evidence(FILE *stream, const struct hc_failures *f, struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "evidence", .width = 40},
        {.title = "failures", .gap = 2, .is_right = true},
        {.title = "GPU-hours", .gap = 2, .is_right = true},
        {.title = "by chance alone", .gap = 2, .is_right = true},
    };
    static const char *const words[HC_N_EVIDENCES] = {
        [HC_EVIDENCE_CERTAIN] = "certain: infrastructure",
        [HC_EVIDENCE_LIKELY] = "likely: infrastructure",
        [HC_EVIDENCE_COINCIDENT] = "coincident event, which proves nothing",
        [HC_EVIDENCE_NONE] = "none"};
    struct hc_section section = {.title = "EVIDENCE", .columns = columns, .n_columns = 4};
    char text[HC_NUMBER_TEXT], chance[96], low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT];
    snprintf(chance, sizeof chance, "%s (%s to %s)", hc_format_fixed(f->chance, 1, text),
             hc_format_fixed(f->chance_low, 1, low), hc_format_fixed(f->chance_high, 1, high));
    for (int k = 0; k < HC_N_EVIDENCES; k++) {
        hc_section_text(&section, words[k]);
        hc_section_count(&section, f->by_evidence[k].n);
        hc_section_text(&section, hours(f->by_evidence[k].gpu_ns, text));
        hc_section_text(&section, k == HC_EVIDENCE_LIKELY && !isnan(f->chance) ? chance : "");
    }
    return hc_section_print(stream, section, err);
}

static enum hc_status put_sides(FILE *stream, const struct hc_failures *f, struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "side", .width = 40},
        {.title = "failures", .gap = 2, .is_right = true},
        {.title = "GPU-hours", .gap = 2, .is_right = true},
        {.title = "a 1,000 node-days", .gap = 2, .is_right = true},
    };
    struct hc_section section = {.title = "WHOSE", .columns = columns, .n_columns = 4};
    double node_days = (double)f->gpu_node_ns / NS_PER_DAY;
    char text[HC_NUMBER_TEXT];
    for (int k = 0; k < HC_N_FAILURE_SIDES; k++) {
        hc_section_text(&section, hc_failure_side_name((enum hc_failure_side)k));
        hc_section_count(&section, f->by_side[k].n);
        hc_section_text(&section, hours(f->by_side[k].gpu_ns, text));
        hc_section_text(&section,
                        node_days > 0
                            ? hc_format_fixed(1000 * (double)f->by_side[k].n / node_days, 2, text)
                            : "-");
    }
    return hc_section_print(stream, section, err);
}

static int compare_costs(const void *a, const void *b)
{
    const struct hc_failure *x = *(const struct hc_failure *const *)a;
    const struct hc_failure *y = *(const struct hc_failure *const *)b;
    if (x->gpu_ns != y->gpu_ns)
        return x->gpu_ns > y->gpu_ns ? -1 : 1;
    return (x > y) - (x < y);
}

static void put_failure(struct hc_section *section, const struct hc_failures *f,
                        const struct hc_failure *failure)
{
    struct hc_text_line line = {.used = 0};
    char text[HC_NUMBER_TEXT], time[48];
    hc_line_add(&line, "%" PRId64, failure->job);
    if (failure->array_task != HC_MISSING_I32)
        hc_line_add(&line, "_%" PRId32, failure->array_task);
    hc_section_text(section, line.text);
    hc_format_iso8601(failure->end_ns, time);
    time[16] = '\0';
    hc_section_text(section, time);
    hc_section_count(section, failure->gpus);
    hc_section_text(section, hours(failure->gpu_ns, text));
    hc_section_text(section, hc_evidence_name(failure->evidence));
    line = (struct hc_text_line){.used = 0};
    if (failure->correction)
        hc_line_add(&line, "by %.60s%s%.100s%s",
                    failure->correction->author ? failure->correction->author : "?",
                    failure->correction->detail ? ": " : "",
                    failure->correction->detail ? failure->correction->detail : "",
                    failure->event ? "; " : "");
    if (failure->event) {
        const char *node = f->set->nodes.text[failure->event->node];
        int32_t name = failure->event->name;
        if (failure->event->incident)
            hc_line_add(&line, "incident %.100s",
                        name == HC_MISSING_I32 ? "?" : f->set->texts.text[name]);
        else
            hc_line_add(&line, "%s", hc_event_class_name(failure->event->event_class));
        if (failure->event->code != HC_MISSING_I32)
            hc_line_add(&line, " %" PRId32, failure->event->code);
        if (node[0] != HC_EVIDENCE_JOB[0])
            hc_line_add(&line, " on %s", node);
    } else if (failure->cycle == HC_MISSING_I32 && !failure->correction) {
        hc_line_add(&line, "%s", hc_job_state_name((enum hc_job_state)failure->state));
    }
    if (failure->own >= 0)
        hc_line_add(&line, "%s%s in the log", line.used ? ", " : "",
                    hc_event_class_name(f->own[failure->own].event_class));
    if (failure->cycle != HC_MISSING_I32)
        hc_line_add(&line, "%srestarted in place", line.used ? ", " : "");
    hc_section_text(section, line.used ? line.text : "");
}

/* The largest of the infrastructure's. */
static enum hc_status put_failures(FILE *stream, const struct hc_failures_report *report,
                                   struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "job", .width = 12},
        {.title = "ended", .gap = 1},
        {.title = "GPUs", .gap = 1, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .is_right = true},
        {.title = "evidence", .gap = 2},
        {.title = "what", .gap = 2},
    };
    const struct hc_failures *f = report->failures;
    struct hc_section section = {
        .title = "OF THE INFRASTRUCTURE, BY GPU-HOURS", .columns = columns, .n_columns = 6};
    const struct hc_failure **order = hc_new_array(f->n, sizeof(const struct hc_failure *), err);
    size_t n = 0;
    if (!order)
        return err->status;
    for (size_t i = 0; i < f->n; i++)
        if (f->failures[i].side == HC_SIDE_INFRASTRUCTURE)
            order[n++] = &f->failures[i];
    if (n)
        qsort(order, n, sizeof *order, compare_costs);
    for (size_t i = 0; i < n && i < report->top; i++)
        put_failure(&section, f, order[i]);
    if (n > report->top)
        hc_section_note(&section, "and %zu more, which --csv and --json list", n - report->top);
    free(order);
    if (n)
        return hc_section_print(stream, section, err);
    hc_section_fini(&section);
    return HC_OK;
}

enum hc_status hc_failures_write_text(const struct hc_failures_report *report, FILE *stream,
                                      struct hc_error *err)
{
    put_events(stream, report);
    put_ends(stream, report->failures);
    hc_corrections_put_head(stream, report->failures->corrections);
    if (put_evidence(stream, report->failures, err) || put_sides(stream, report->failures, err))
        return err->status;
    if (put_failures(stream, report, err))
        return err->status;
    return hc_corrections_put(stream, report->failures->corrections, report->top, err);
}
