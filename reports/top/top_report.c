#include "reports/top/top_report.h"
#include "core/base/clock.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/gpu_hours.h"
#include "reports/write/section.h"

#include <math.h>
#include <string.h>

#define MOST_BARS 12

static const char *const titles[HC_N_CUBE_DIMENSIONS] = {[HC_CUBE_USER] = "USERS",
                                                         [HC_CUBE_ACCOUNT] = "ACCOUNTS",
                                                         [HC_CUBE_PARTITION] = "PARTITIONS",
                                                         [HC_CUBE_SIZE] = "GPUS OF A JOB",
                                                         [HC_CUBE_RUN] = "RUNS",
                                                         [HC_CUBE_NODE] =
                                                             "NODES THAT IT WAS HELD ON",
                                                         [HC_CUBE_CAUSE] = "CAUSES OF FAILURES"};

static const char *name_of(const struct hc_top_rows *rows, const struct hc_top_row *row)
{
    return row->name                   ? row->name
           : rows->by == HC_CUBE_CAUSE ? "(no failure)"
           : rows->by == HC_CUBE_RUN   ? "(no run)"
                                       : "(none)";
}

static bool is_lost(const struct hc_top_report *report)
{
    return strcmp(report->leaf, "lost") == 0;
}

static struct hc_section make_section(const struct hc_top_report *report,
                                      const struct hc_top_rows *rows)
{
    static const struct hc_section_column columns[] = {
        {.title = "name", .width = 24},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
        {.title = "share", .gap = 1, .width = 6, .is_right = true},
        {.title = "lost work", .gap = 1, .width = 9, .is_right = true},
        {.title = "failed starts", .gap = 1, .width = 13, .is_right = true},
        {.title = "detection", .gap = 1, .width = 9, .is_right = true},
        {.title = "recovery", .gap = 1, .width = 8, .is_right = true},
        {.title = "start-up", .gap = 1, .width = 8, .is_right = true},
        {.title = "other", .gap = 1, .width = 7, .is_right = true},
        {.title = "infrastructure", .gap = 1, .width = 14, .is_right = true},
        {.title = "of held", .gap = 1, .width = 7, .is_right = true},
        {.title = "before", .gap = 1, .width = 8, .is_right = true},
    };
    struct hc_section section = {.title = titles[rows->by],
                                 .columns = columns,
                                 .n_columns = sizeof columns / sizeof *columns};
    for (size_t i = 0; i < rows->n && i < report->rows; i++) {
        const struct hc_top_row *row = &rows->rows[i];
        hc_section_text(&section, name_of(rows, row));
        hc_section_gpu_hours(&section, row->gpu_hours);
        hc_section_share(&section, row->share);
        for (int p = 0; p < HC_N_TOP_PARTS; p++)
            hc_section_gpu_hours(&section, row->parts[p]);
        hc_section_gpu_hours(&section, row->infrastructure);
        hc_section_share(&section, row->share_of_held);
        hc_section_gpu_hours(&section, row->before);
    }
    if (rows->n > report->rows)
        hc_section_note(&section, "%zu more (--rows)", rows->n - report->rows);
    if (!rows->adds_up)
        hc_section_note(&section, "the rows do NOT sum to the total: this is a bug");
    return section;
}

/* ---- text ---- */

static void put_head(FILE *stream, const struct hc_top_report *report)
{
    const struct hc_top_row *total = &report->top->total;
    struct hc_text_line line = {.used = 0};
    char number[2][HC_NUMBER_TEXT], percent[HC_NUMBER_TEXT], as_of[32];
    hc_line_add(&line, "%s to %s (%s)", report->first_day, report->last_day, report->zone);
    hc_line_put(stream, "days", &line);
    hc_format_iso8601(report->as_of_ns, as_of);
    hc_line_add(&line, "'%s'", report->archive);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    if (report->as_of_ns != INT64_MIN)
        hc_line_add(&line, ", as known at %.19sZ", as_of);
    hc_line_put(stream, "archive", &line);
    if (!is_lost(report))
        hc_line_add(&line, "%s: ", report->leaf);
    hc_line_add(&line, "%s of %s GPU-hours held", hc_gpu_hours_text(total->gpu_hours, number[0]),
                hc_gpu_hours_text(total->held, number[1]));
    if (total->held > 0)
        hc_line_add(&line, " (%s)", hc_format_percent(total->share_of_held, percent));
    hc_line_add(&line, "; %s by failures of the infrastructure, certain or likely",
                hc_gpu_hours_text(total->infrastructure, number[0]));
    if (!isnan(total->before))
        hc_line_add(&line, "; in as many days before: %s",
                    hc_gpu_hours_text(total->before, number[0]));
    hc_line_put(stream, is_lost(report) ? "lost" : "leaves", &line);
    if (is_lost(report)) {
        hc_line_add(&line, "lost and abandoned work, start-up that failed, detection, "
                           "localisation, recovery, and start-up again after a failure, a "
                           "pre-emption or an end that nobody knows; not what was planned");
        hc_line_put(stream, "counts", &line);
    }
}

enum hc_status hc_top_write_text(const struct hc_top_report *report, FILE *stream,
                                 struct hc_error *err)
{
    put_head(stream, report);
    for (size_t i = 0; i < report->top->n; i++)
        if (report->top->by[i].n > 0 &&
            hc_section_print(stream, make_section(report, &report->top->by[i]), err))
            return err->status;
    return HC_OK;
}

/* ---- figures and page ---- */

static enum hc_status put_bars(const struct hc_figure_sink *sink, const struct hc_top_rows *rows,
                               struct hc_error *err)
{
    struct hc_figure_row bars[MOST_BARS];
    char texts[MOST_BARS][HC_NUMBER_TEXT], name[64], title[96];
    size_t n = 0;
    for (size_t i = 0; i < rows->n && n < MOST_BARS; i++)
        if (rows->rows[i].gpu_ns) {
            bars[n] =
                (struct hc_figure_row){.name = name_of(rows, &rows->rows[i]),
                                       .text = hc_gpu_hours_text(rows->rows[i].gpu_hours, texts[n]),
                                       .value = rows->rows[i].gpu_hours,
                                       .color = HC_VERMILLION};
            n++;
        }
    snprintf(name, sizeof name, "top-%s", hc_cube_dimension_name(rows->by));
    snprintf(title, sizeof title, "GPU-hours by %s", hc_cube_dimension_name(rows->by));
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = name,
        .title = title,
        .note = "The groups that took most of the leaves that were asked for.",
        .x = {.title = "GPU-hours"},
        .n_rows = n,
        .rows = bars,
    };
    return n ? hc_figure_put(sink, &figure, err) : HC_OK;
}

enum hc_status hc_top_put_figures(const struct hc_figure_sink *sink,
                                  const struct hc_top_report *report, struct hc_error *err)
{
    for (size_t i = 0; i < report->top->n; i++)
        if (put_bars(sink, &report->top->by[i], err))
            return err->status;
    return HC_OK;
}

static enum hc_status put_page(FILE *stream, const struct hc_top_report *report,
                               struct hc_error *err)
{
    const struct hc_figure_sink sink = hc_figure_page(stream);
    const struct hc_html_input input = {.label = "archive", .path = report->archive};
    const struct hc_top_row *total = &report->top->total;
    char title[160], subtitle[256], number[2][HC_NUMBER_TEXT];
    snprintf(title, sizeof title, "%s GPU-hours of '%s' in %s to %s",
             hc_gpu_hours_text(total->gpu_hours, number[0]), report->leaf, report->first_day,
             report->last_day);
    snprintf(subtitle, sizeof subtitle, "%s%s%s, days of %s; %s GPU-hours were held",
             report->archive, report->cluster ? ", cluster " : "",
             report->cluster ? report->cluster : "", report->zone,
             hc_gpu_hours_text(total->held, number[1]));
    hc_html_start(stream, &(struct hc_html_head){"top", title, subtitle, report->run_id,
                                                 report->first_day, report->last_day});
    for (size_t i = 0; i < report->top->n; i++) {
        const struct hc_top_rows *rows = &report->top->by[i];
        const char *by = hc_cube_dimension_name(rows->by);
        char heading[64];
        struct hc_section section = make_section(report, rows);
        section.title = NULL;
        snprintf(heading, sizeof heading, "By %s", by);
        hc_html_section_start(stream, by, heading);
        if (rows->n == 0)
            hc_html_paragraph(stream, NULL, "Nothing of it.");
        hc_html_grid_start(stream);
        enum hc_status status = put_bars(&sink, rows, err);
        hc_html_grid_end(stream);
        if (status)
            hc_section_fini(&section);
        if (status || hc_section_print_html(stream, section, err))
            return err->status;
        hc_html_section_end(stream);
    }
    hc_html_end(stream, &input, 1);
    return HC_OK;
}

enum hc_status hc_top_write_html(const struct hc_top_report *report, FILE *stream,
                                 struct hc_error *err)
{
    return hc_html_written(stream, put_page(stream, report, err), "the page of what took most",
                           err);
}
