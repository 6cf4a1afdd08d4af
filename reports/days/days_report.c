#include "reports/days/days_report.h"

#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/gpu_hours.h"

#include <math.h>

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
    hc_section_note(&section, "change: of the share, in points; day to day: standard deviation of "
                              "the share, in points");
    hc_section_note(&section,
                    "chance: of as large a change, either way, by days alone (Student's t); "
                    "changed: below %.2f / %zu rows that are tested",
                    HC_COMPARE_LEVEL, result->n_tested);
    return section;
}

static void add_side(struct hc_text_line *line, const struct hc_days_report *report, int s)
{
    const struct hc_compared_side *side = &report->result->side[s];
    char number[HC_NUMBER_TEXT];
    hc_line_add(line, "%s, %s GPU-hours held%s", report->names[s],
                hc_gpu_hours_text(side->sum.held, number),
                side->is_provisional ? "; provisional: later records may restate it" : "");
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
    hc_line_add(&line, "%zu other days tell how much shares change from day to day",
                report->result->n_other);
    hc_line_put(stream, "test", &line);
    fputc('\n', stream);
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
    hc_html_start(stream, &(struct hc_html_head){"comparison of days",
                                                 "Where the GPU-hours went, then and now",
                                                 report->archive, report->run_id});
    for (int s = 0; s < 2; s++) {
        hc_line_add(&line, "%s", s ? "; B: " : "A: ");
        add_side(&line, report, s);
    }
    hc_html_paragraph(stream, "lead", "%s", line.text);
    enum hc_status status =
        hc_section_print_headed(stream, "leaves", "Leaf by leaf", make_section(report), err);
    hc_html_end(stream, inputs, report->archive ? 1 : 2);
    if (status == HC_OK && ferror(stream))
        return hc_fail_errno(err, "cannot write", "the page of the comparison");
    return status;
}
