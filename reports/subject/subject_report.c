#include "reports/subject/subject_report.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/gpu_hours.h"

#include <math.h>

static void put_failure(struct hc_section *section, const struct hc_subject_report *report,
                        const struct hc_subject_attempt *a)
{
    const struct hc_failure *f = a->failure < 0 ? NULL : &report->failures->failures[a->failure];
    char text[80] = "";
    if (f && f->side == HC_SIDE_INFRASTRUCTURE)
        snprintf(text, sizeof text, "infrastructure, %s", hc_evidence_name(f->evidence));
    else if (f)
        snprintf(text, sizeof text, "%s", hc_failure_side_name(f->side));
    hc_section_text(section, text);
}

static struct hc_section make_attempts(const struct hc_subject_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "start", .width = 19},
        {.title = "job", .gap = 1, .width = 10, .is_right = true},
        {.title = "GPUs", .gap = 1, .width = 5, .is_right = true},
        {.title = "state", .gap = 2, .width = 10},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
        {.title = "productive", .gap = 1, .width = 10, .is_right = true},
        {.title = "start-up", .gap = 1, .width = 8, .is_right = true},
        {.title = "stalls", .gap = 1, .width = 7, .is_right = true},
        {.title = "lost", .gap = 1, .width = 7, .is_right = true},
        {.title = "faults", .gap = 1, .width = 7, .is_right = true},
        {.title = "other", .gap = 1, .width = 7, .is_right = true},
        {.title = "unknown", .gap = 1, .width = 8, .is_right = true},
        {.title = "failures", .gap = 1, .width = 8, .is_right = true},
        {.title = "the last", .gap = 2, .width = 26},
    };
    const struct hc_subject *subject = report->subject;
    struct hc_section section = {.title = "ATTEMPTS", .columns = columns, .n_columns = 14};
    for (size_t i = 0; i < subject->n && i < report->top; i++) {
        const struct hc_subject_attempt *a = &subject->attempts[i];
        char text[48];
        hc_format_iso8601(a->start_ns, text);
        text[19] = '\0';
        hc_section_text(&section, text);
        snprintf(text, sizeof text, a->array_task == HC_MISSING_I32 ? "%lld" : "%lld_%d",
                 (long long)a->job, a->array_task);
        hc_section_text(&section, text);
        hc_section_count(&section, a->gpus);
        hc_section_text(&section, a->state < 0 ? "?" : hc_job_state_name(a->state));
        hc_section_gpu_hours(&section, hc_subject_hours(a, HC_N_SUBJECT_PARTS));
        for (int p = 0; p < HC_N_SUBJECT_PARTS; p++)
            hc_section_gpu_hours(&section, hc_subject_hours(a, (enum hc_subject_part)p));
        hc_section_count(&section, a->n_failures);
        put_failure(&section, report, a);
    }
    if (subject->n > report->top)
        hc_section_note(&section, "%zu more (--top)", subject->n - report->top);
    return section;
}

static struct hc_section make_leaves(const struct hc_subject_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "what", .width = 30},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
        {.title = "share", .gap = 1, .width = 7, .is_right = true},
    };
    const struct hc_subject *subject = report->subject;
    struct hc_section section = {
        .title = "WHERE ITS GPU-HOURS WENT", .columns = columns, .n_columns = 3};
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        if (!(subject->leaves[what] > 0))
            continue;
        hc_section_text(&section, hc_what_title((enum hc_what)what));
        hc_section_gpu_hours(&section, subject->leaves[what]);
        hc_section_share(&section, subject->leaves[what] / subject->hours);
    }
    return section;
}

static void add_summary(struct hc_text_line *line, const struct hc_subject_report *report)
{
    const struct hc_subject *subject = report->subject;
    char number[3][HC_NUMBER_TEXT];
    hc_line_add(
        line, "%zu attempts, %s GPU-hours, %s of them productive", subject->n,
        hc_gpu_hours_text(subject->hours, number[0]),
        hc_format_percent(subject->parts[HC_SUBJECT_PRODUCTIVE] / subject->hours, number[1]));
    if (subject->kind == HC_SUBJECT_NODE)
        hc_line_add(line,
                    "; held for %s days; its events tell of %lld failures of the infrastructure, "
                    "where %s are expected by the rate of all nodes",
                    hc_format_fixed(subject->own_node_days, 1, number[0]),
                    (long long)subject->n_own,
                    subject->all_node_days > 0
                        ? hc_format_fixed((double)subject->n_all * subject->own_node_days /
                                              subject->all_node_days,
                                          2, number[2])
                        : "-");
    for (int e = 0; e < HC_N_ETTRS && report->ettr; e++)
        hc_line_add(line, "%s %s %s", e ? "," : "; ETTR:", hc_ettr_name((enum hc_ettr)e),
                    isnan(report->ettr[e]) ? "-" : hc_format_fixed(report->ettr[e], 4, number[0]));
}

/* "from 2026-10-03 04:05 UTC: slow by itself in job ...". */
static void add_slow(struct hc_text_line *line, const struct hc_history_item *item)
{
    char date[32];
    hc_format_iso8601(item->time_ns, date);
    hc_line_add(line, "from %.10s %.5s UTC: %s", date, date + 11, item->text);
}

enum hc_status hc_subject_write_text(const struct hc_subject_report *report, FILE *stream,
                                     struct hc_error *err)
{
    struct hc_text_line line = {.used = 0};
    hc_line_add(&line, "'%s' of archive '%s'", report->subject->name, report->archive);
    hc_line_put(stream, hc_subject_kind_name(report->subject->kind), &line);
    add_summary(&line, report);
    hc_line_put(stream, "account", &line);
    for (size_t i = 0; report->slow && i < report->slow->n; i++) {
        add_slow(&line, &report->slow->items[i]);
        hc_line_put(stream, i ? "" : "slow", &line);
    }
    return hc_section_print(stream, make_leaves(report), err) ||
                   hc_section_print(stream, make_attempts(report), err)
               ? err->status
               : HC_OK;
}

static int64_t first_start(const struct hc_subject *subject)
{
    return subject->n > 0 ? subject->attempts[0].start_ns : HC_MISSING_I64;
}

static int64_t last_end(const struct hc_subject *subject)
{
    int64_t last = HC_MISSING_I64;
    for (size_t i = 0; i < subject->n; i++)
        last = subject->attempts[i].end_ns > last ? subject->attempts[i].end_ns : last;
    return last;
}

enum hc_status hc_subject_write_html(const struct hc_subject_report *report, FILE *stream,
                                     struct hc_error *err)
{
    const struct hc_html_input input = {.label = "archive", .path = report->archive};
    struct hc_section leaves = make_leaves(report), attempts = make_attempts(report);
    struct hc_text_line line = {.used = 0};
    char from[32], to[32];
    leaves.title = attempts.title = NULL;
    hc_html_start(stream,
                  &(struct hc_html_head){hc_subject_kind_name(report->subject->kind),
                                         report->subject->name, report->archive, report->run_id,
                                         hc_html_time(first_start(report->subject), from),
                                         hc_html_time(last_end(report->subject), to)});
    add_summary(&line, report);
    hc_html_paragraph(stream, "lead", "%s", line.text);
    for (size_t i = 0; report->slow && i < report->slow->n; i++) {
        struct hc_text_line slow = {.used = 0};
        add_slow(&slow, &report->slow->items[i]);
        hc_html_paragraph(stream, NULL, "%s.", slow.text);
    }
    enum hc_status status =
        hc_section_print_headed(stream, "leaves", "Where its GPU-hours went", leaves, err);
    if (!status)
        status = hc_section_print_headed(stream, "attempts", "Attempts", attempts, err);
    else
        hc_section_fini(&attempts);
    hc_html_end(stream, &input, 1);
    return hc_html_written(stream, status, "the page", err);
}
