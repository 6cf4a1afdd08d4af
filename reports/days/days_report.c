#include "reports/days/days_report.h"

#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/gpu_hours.h"

#include <math.h>
#include <string.h>

static void put_change(struct hc_section *section, double change)
{
    char text[48], number[HC_NUMBER_TEXT];
    snprintf(text, sizeof text, "%s%s", change > 0 ? "+" : "",
             isnan(change) ? "-" : hc_format_fixed(100 * change, 2, number));
    hc_section_text(section, text);
}

static struct hc_section make_section(const struct hc_days_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "what", .width = 30},
        {.title = "A GPU-hours", .gap = 1, .width = 11, .is_right = true},
        {.title = "B GPU-hours", .gap = 1, .width = 11, .is_right = true},
        {.title = "A share", .gap = 1, .width = 7, .is_right = true},
        {.title = "B share", .gap = 1, .width = 7, .is_right = true},
        {.title = "change", .gap = 1, .width = 7, .is_right = true},
        {.title = "day to day", .gap = 1, .width = 10, .is_right = true},
        {.title = "chance", .gap = 1, .width = 8, .is_right = true},
        {.title = "", .gap = 2, .width = 8},
    };
    const struct hc_day_compare *result = report->result;
    struct hc_section section = {.columns = columns, .n_columns = 9};
    for (size_t i = 0; i < result->n; i++) {
        const struct hc_compared_row *row = &result->rows[i];
        char text[32] = "-";
        if (!isnan(row->probability))
            snprintf(text, sizeof text, row->probability < 0.001 ? "%.0e" : "%.3f",
                     row->probability);
        hc_section_text(&section, hc_compared_title(row->what));
        for (int s = 0; s < 2; s++)
            hc_section_gpu_hours(&section, row->hours[s]);
        for (int s = 0; s < 2; s++)
            hc_section_share(&section, row->share[s]);
        put_change(&section, row->change);
        hc_section_real(&section, 100 * row->spread, 2);
        hc_section_text(&section, text);
        hc_section_text(&section, row->has_changed ? "changed" : "");
    }
    if (report->runs)
        section.title = "WHERE THEIR GPU-HOURS WENT";
    hc_section_note(&section, "change: of the share, in points; day to day: standard deviation of "
                              "the share, in points");
    hc_section_note(&section,
                    "chance: of as large a change, either way, by days alone (Student's t); "
                    "changed: below %.2f / %zu rows that are tested",
                    HC_COMPARE_LEVEL, result->n_tested);
    if (report->has_other_site)
        hc_section_note(&section, "A and B were made by different site files: runs, zones and GPUs "
                                  "of nodes may be defined differently");
    return section;
}

static struct hc_section make_ettr_section(const struct hc_days_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "ETTR", .width = 12},
        {.title = "A", .gap = 1, .width = 8, .is_right = true},
        {.title = "B", .gap = 1, .width = 8, .is_right = true},
        {.title = "points", .gap = 1, .width = 7, .is_right = true},
        {.title = "it is", .gap = 2, .is_below = true},
    };
    struct hc_section section = {
        .title = "TRAINING TIME RATIOS", .columns = columns, .n_columns = 5};
    for (int e = 0; e < HC_N_ETTRS; e++) {
        double a = report->runs[0].ettr[e], b = report->runs[1].ettr[e];
        hc_section_text(&section, hc_ettr_name((enum hc_ettr)e));
        hc_section_real(&section, a, 4);
        hc_section_real(&section, b, 4);
        put_change(&section, b - a);
        hc_section_text(&section, hc_ettr_sentence((enum hc_ettr)e));
    }
    const char *rules[2] = {report->runs[0].rule, report->runs[1].rule};
    if (rules[0] && rules[1] && strcmp(rules[0], rules[1]) != 0)
        hc_section_note(&section,
                        "the attempts of A are one run by '%s', those of B by '%s': what counts as "
                        "queued or recovered may differ",
                        rules[0], rules[1]);
    return section;
}

static void add_side(struct hc_text_line *line, const struct hc_days_report *report, int s)
{
    const struct hc_compared_side *side = &report->result->side[s];
    char number[HC_NUMBER_TEXT];
    hc_line_add(line, "%s, %s GPU-hours held", report->names[s],
                hc_gpu_hours_text(side->sum.held, number));
    if (report->runs) {
        const struct hc_compared_run *run = &report->runs[s];
        hc_line_add(line,
                    " by %lld attempts of at most %lld GPUs, %lld launches, of which failures "
                    "ended %lld",
                    (long long)run->attempts, (long long)run->gpus, (long long)run->launches,
                    (long long)run->failures);
    }
    if (side->is_provisional)
        hc_line_add(line, "; provisional: later records may restate it");
}

enum hc_status hc_days_write_text(const struct hc_days_report *report, FILE *stream,
                                  struct hc_error *err)
{
    struct hc_text_line line = {.used = 0};
    for (int s = 0; s < 2; s++) {
        add_side(&line, report, s);
        hc_line_put(stream, s ? "B" : "A", &line);
    }
    if (report->archive) {
        hc_line_add(&line, "'%s'%s%s%s (%s)", report->archive, report->cluster ? ", cluster '" : "",
                    report->cluster ? report->cluster : "", report->cluster ? "'" : "",
                    report->zone);
        hc_line_put(stream, "archive", &line);
    }
    if (report->runs)
        hc_line_add(&line, "%zu days of the two tell how much shares change from day to day",
                    report->result->n_days);
    else
        hc_line_add(&line, "%zu other days tell how much shares change from day to day",
                    report->result->n_other);
    hc_line_put(stream, "test", &line);
    if (!report->runs)
        fputc('\n', stream); /* titles have their own */
    if (report->runs && hc_section_print(stream, make_ettr_section(report), err))
        return err->status;
    return hc_section_print(stream, make_section(report), err);
}

enum hc_status hc_days_write_html(const struct hc_days_report *report, FILE *stream,
                                  struct hc_error *err)
{
    const struct hc_html_input inputs[] = {
        {.label = report->archive ? "archive" : "A",
         .path = report->archive ? report->archive : report->names[0]},
        {.label = "B", .path = report->names[1]}};
    struct hc_text_line line = {.used = 0};
    bool has_days = !report->runs && report->archive; /* else they are names of runs, or of files */
    hc_html_start(stream, &(struct hc_html_head){
                              report->runs ? "comparison of runs" : "comparison of days",
                              report->runs ? "Where the GPU-hours of two runs went"
                                           : "Where the GPU-hours went, then and now",
                              report->archive, report->run_id, has_days ? report->names[0] : NULL,
                              has_days ? report->names[1] : NULL});
    for (int s = 0; s < 2; s++) {
        hc_line_add(&line, "%s", s ? "; B: " : "A: ");
        add_side(&line, report, s);
    }
    hc_html_paragraph(stream, "lead", "%s", line.text);
    enum hc_status status = HC_OK;
    if (report->runs) {
        struct hc_section ettr = make_ettr_section(report);
        ettr.title = NULL;
        status = hc_section_print_headed(stream, "ettr", "Training time ratios", ettr, err);
    }
    struct hc_section leaves = make_section(report);
    leaves.title = NULL;
    if (status == HC_OK)
        status = hc_section_print_headed(stream, "leaves", "Leaf by leaf", leaves, err);
    else
        hc_section_fini(&leaves);
    hc_html_end(stream, inputs, report->archive ? 1 : 2);
    return hc_html_written(stream, status, "the page of the comparison", err);
}
