#include "reports/ettr/ettr_report.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "reports/figure/figure_page.h"
#include "reports/page/html_page.h"
#include "reports/page/section_html.h"
#include "reports/write/gpu_hours.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables ---- */

static void add_why_not(struct hc_section *section, const struct hc_ettr_row *row)
{
    const char *name = row->name ? row->name : "?";
    if (row->n_missing)
        hc_section_note(section,
                        "%s: no meta: restart counts tell of %lld more attempts, which no record "
                        "has (dump with --duplicates)",
                        name, (long long)row->n_missing);
    if (row->n_gaps)
        hc_section_note(section,
                        "%s: no meta: %lld launches began from what no launch here had saved: "
                        "attempts or logs are missing",
                        name, (long long)row->n_gaps);
    if (row->rule == HC_RUN_BY_JOB)
        hc_section_note(section, "%s: by its job alone: nothing tells of a run of several", name);
    if (row->is_provisional)
        hc_section_note(
            section, "%s: it runs: provisional, steps behind its last checkpoint may be lost yet",
            name);
}

static struct hc_section make_runs(const struct hc_ettr_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "run", .width = 22},
        {.title = "GPUs", .gap = 1, .width = 6, .is_right = true},
        {.title = "GPU-hours", .gap = 1, .width = 9, .is_right = true},
        {.title = "attempts", .gap = 1, .width = 8, .is_right = true},
        {.title = "failures", .gap = 1, .width = 8, .is_right = true},
        {.title = "meta", .gap = 1, .width = 7, .is_right = true},
        {.title = "byterobust", .gap = 1, .width = 10, .is_right = true},
        {.title = "goodput", .gap = 1, .width = 7, .is_right = true},
        {.title = "nominal", .gap = 1, .width = 7, .is_right = true},
        {.title = "least hour", .gap = 1, .width = 10, .is_right = true},
        {.title = "last hour", .gap = 1, .width = 9, .is_right = true},
    };
    const struct hc_ettr_result *result = report->result;
    struct hc_section section = {.title = "RUNS, EACH OVER THE WHOLE OF ITS LIFE SO FAR",
                                 .columns = columns,
                                 .n_columns = 11};
    for (size_t i = 0; i < result->n && i < report->top; i++) {
        const struct hc_ettr_row *row = &result->rows[i];
        hc_section_text(&section, row->name);
        hc_section_count(&section, row->run->most_gpus);
        hc_section_gpu_hours(&section, row->gpu_hours);
        hc_section_count(&section, row->run->n_attempts);
        hc_section_count(&section, row->run->n_stops);
        for (int e = 0; e < HC_N_ETTRS; e++)
            hc_section_real(&section, row->ratio[e].value, 4);
        hc_section_real(&section, row->hour.least, 4);
        hc_section_real(&section, row->hour.last, 4);
    }
    if (result->n > report->top)
        hc_section_note(&section, "%zu more (--top)", result->n - report->top);
    for (size_t i = 0; i < result->n && i < report->top; i++)
        add_why_not(&section, &result->rows[i]);
    return section;
}

static const struct hc_section_column hours_columns[] = {
    {.title = "", .width = 22},
    {.title = "meta", .gap = 1, .width = 19, .is_right = true},
    {.title = "byterobust", .gap = 1, .width = 19, .is_right = true},
    {.title = "goodput (GPU-h)", .gap = 1, .width = 19, .is_right = true},
    {.title = "nominal", .gap = 1, .width = 19, .is_right = true},
};

static void put_hours(struct hc_section *section, const struct hc_ettr_ratio *ratio)
{
    char text[2 * HC_NUMBER_TEXT + 4], number[2][HC_NUMBER_TEXT];
    snprintf(text, sizeof text, "%s / %s",
             isnan(ratio->productive) ? "-" : hc_format_fixed(ratio->productive, 2, number[0]),
             hc_format_fixed(ratio->all, 2, number[1]));
    hc_section_text(section, text);
}

static struct hc_section make_hours(const struct hc_ettr_report *report)
{
    const struct hc_ettr_result *result = report->result;
    const struct hc_ettr_fleet *fleet = &result->fleet;
    struct hc_section section = {
        .title = "HOURS: PRODUCTIVE / ALL", .columns = hours_columns, .n_columns = 5};
    for (size_t i = 0; i < result->n && i < report->top; i++) {
        hc_section_text(&section, result->rows[i].name);
        for (int e = 0; e < HC_N_ETTRS; e++)
            put_hours(&section, &result->rows[i].ratio[e]);
    }
    if (result->n > 1 && fleet->n_runs > 0) {
        hc_section_text(&section, "all that count");
        for (int e = 0; e < HC_N_ETTRS; e++)
            put_hours(&section, &fleet->ratio[e]);
    }
    for (int e = 0; e < HC_N_ETTRS; e++)
        hc_section_note(&section, "%s: %s", hc_ettr_name((enum hc_ettr)e),
                        hc_ettr_sentence((enum hc_ettr)e));
    hc_section_note(&section, "least hour, last hour: byterobust over a sliding hour");
    return section;
}

static struct hc_section make_days(const struct hc_ettr_report *report)
{
    static const struct hc_section_column columns[] = {
        {.title = "day", .width = 10},
        {.title = "byterobust", .gap = 2, .width = 10, .is_right = true},
        {.title = "productive h", .gap = 1, .width = 12, .is_right = true},
        {.title = "of h", .gap = 1, .width = 6, .is_right = true},
        {.title = "so far", .gap = 1, .width = 7, .is_right = true},
    };
    const struct hc_ettr_result *result = report->result;
    struct hc_section section = {.title = "DAY BY DAY", .columns = columns, .n_columns = 5};
    for (size_t i = 0; i < result->n_days; i++) {
        const struct hc_ettr_day *day = &result->days[i];
        hc_section_text(&section, day->day);
        hc_section_real(&section, day->ratio.value, 4);
        hc_section_real(&section, day->ratio.productive, 2);
        hc_section_real(&section, day->ratio.all, 2);
        hc_section_real(&section, day->cumulative, 4);
    }
    return section;
}

/* ---- text ---- */

static void add_filter(struct hc_text_line *line, const struct hc_ettr_report *report)
{
    const struct hc_ettr_fleet *fleet = &report->result->fleet;
    char number[HC_NUMBER_TEXT];
    hc_line_add(line, "%zu run%s of at least %lld GPU%s and %s h", fleet->n_runs,
                fleet->n_runs == 1 ? "" : "s", (long long)report->least_gpus,
                report->least_gpus == 1 ? "" : "s",
                hc_format_fixed(report->least_hours, 0, number));
    if (fleet->n_left_out)
        hc_line_add(line, " (%zu left out)", fleet->n_left_out);
    hc_line_add(line, ", ratios of sums:");
    for (int e = 0; e < HC_N_ETTRS; e++)
        hc_line_add(
            line, "%s %s %s", e ? "," : "", hc_ettr_name((enum hc_ettr)e),
            isnan(fleet->ratio[e].value) ? "-" : hc_format_fixed(fleet->ratio[e].value, 4, number));
    if (fleet->n_of[HC_ETTR_META] != fleet->n_runs)
        hc_line_add(line, "; meta of %zu of them", fleet->n_of[HC_ETTR_META]);
}

static void put_head(FILE *stream, const struct hc_ettr_report *report)
{
    struct hc_text_line line = {.used = 0};
    char as_of[32];
    hc_line_add(&line, "'%s'", report->archive);
    if (report->cluster)
        hc_line_add(&line, ", cluster '%s'", report->cluster);
    if (report->as_of_ns != INT64_MIN) {
        hc_format_iso8601(report->as_of_ns, as_of);
        hc_line_add(&line, ", as known at %.19sZ", as_of);
    }
    hc_line_put(stream, "archive", &line);
    if (report->from || report->to) {
        hc_line_add(&line, "that held GPUs from %s to %s (%s)",
                    report->from ? report->from : "the first day",
                    report->to ? report->to : "the last day", report->zone);
        hc_line_put(stream, "runs", &line);
    }
    add_filter(&line, report);
    hc_line_put(stream, "all", &line);
}

enum hc_status hc_ettr_write_text(const struct hc_ettr_report *report, FILE *stream,
                                  struct hc_error *err)
{
    put_head(stream, report);
    if (report->result->n == 0) {
        fprintf(stream, "\nNo run held GPUs: logs of training make runs (hindcast joins).\n");
        return HC_OK;
    }
    if (hc_section_print(stream, make_runs(report), err) ||
        hc_section_print(stream, make_hours(report), err))
        return err->status;
    return report->run ? hc_section_print(stream, make_days(report), err) : HC_OK;
}

/* ---- figures and page ---- */

/* Sums of the days of all runs that are shown. */
struct day_sums {
    size_t n;
    double *x, *y;
    const char *first;
};

static const char *name_of_day(const struct hc_ettr_result *result, bool is_last)
{
    const char *found = NULL;
    for (size_t i = 0; i < result->n_days; i++) {
        const char *day = result->days[i].day;
        if (!found || (is_last ? strcmp(day, found) > 0 : strcmp(day, found) < 0))
            found = day;
    }
    return found;
}

/* Names of days in one array follow each other, so their distance is that of the days. */
static size_t place_of(const char *day, const char *first)
{
    return (size_t)(day - first) / 11;
}

static enum hc_status sum_days(struct day_sums *sums, const struct hc_ettr_result *result,
                               struct hc_error *err)
{
    sums->first = name_of_day(result, false);
    sums->n = place_of(name_of_day(result, true), sums->first) + 1;
    sums->x = hc_new_array(sums->n, sizeof *sums->x, err);
    sums->y = hc_new_array(2 * sums->n, sizeof *sums->y, err);
    if (!sums->x || !sums->y)
        return err->status;
    for (size_t i = 0; i < result->n_days; i++) {
        size_t day = place_of(result->days[i].day, sums->first);
        sums->y[day] += result->days[i].ratio.productive;
        sums->y[sums->n + day] += result->days[i].ratio.all;
    }
    for (size_t i = 0; i < sums->n; i++) {
        sums->x[i] = (double)i;
        sums->y[i] = sums->y[sums->n + i] > 0 ? sums->y[i] / sums->y[sums->n + i] : NAN;
    }
    return HC_OK;
}

enum hc_status hc_ettr_put_figures(const struct hc_figure_sink *sink,
                                   const struct hc_ettr_report *report, struct hc_error *err)
{
    struct day_sums sums = {.n = 0};
    char note[160];
    if (report->result->n_days == 0)
        return HC_OK;
    enum hc_status status = sum_days(&sums, report->result, err);
    snprintf(note, sizeof note, "Productive time over time since the first start; day 0 is %.10s.",
             sums.first);
    const struct hc_figure_series series = {.kind = HC_SERIES_POINTS,
                                            .color = HC_GREEN,
                                            .column = "ettr",
                                            .n = sums.n,
                                            .x = sums.x,
                                            .y = sums.y};
    const struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "ettr-days",
        .title = "ETTR (byterobust) day by day",
        .note = note,
        .is_wide = true,
        .x = {.title = "day", .low = -0.5, .high = (double)sums.n - 0.5, .is_counts = true},
        .y = {.title = "ETTR", .low = 0, .high = 1},
        .n_series = 1,
        .series = &series,
    };
    if (!status)
        status = hc_figure_put(sink, &figure, err);
    free(sums.x);
    free(sums.y);
    return status;
}

static enum hc_status put_page(FILE *stream, const struct hc_ettr_report *report,
                               struct hc_error *err)
{
    const struct hc_figure_sink sink = hc_figure_page(stream);
    const struct hc_html_input input = {.label = "archive", .path = report->archive};
    struct hc_text_line line = {.used = 0};
    struct hc_section runs = make_runs(report), hours = make_hours(report);
    runs.title = hours.title = NULL;
    hc_html_start(stream, &(struct hc_html_head){"effective training time ratio",
                                                 report->run ? report->run : "ETTR of the runs",
                                                 report->archive, report->run_id,
                                                 name_of_day(report->result, false),
                                                 name_of_day(report->result, true)});
    add_filter(&line, report);
    hc_html_paragraph(stream, "lead", "%s", line.text);
    hc_html_section_start(stream, "days", "Day by day");
    enum hc_status status = hc_ettr_put_figures(&sink, report, err);
    if (!status && report->run) {
        struct hc_section days = make_days(report);
        days.title = NULL;
        status = hc_section_print_html(stream, days, err);
    }
    hc_html_section_end(stream);
    if (!status)
        status = hc_section_print_headed(stream, "runs", "Runs", runs, err);
    else
        hc_section_fini(&runs);
    if (!status)
        status = hc_section_print_headed(stream, "hours", "Hours: productive / all", hours, err);
    else
        hc_section_fini(&hours);
    hc_html_end(stream, &input, 1);
    return status;
}

enum hc_status hc_ettr_write_html(const struct hc_ettr_report *report, FILE *stream,
                                  struct hc_error *err)
{
    return hc_html_written(stream, put_page(stream, report, err), "the page of the ETTR", err);
}
