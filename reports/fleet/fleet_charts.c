#include "reports/fleet/fleet_charts.h"

#include "core/base/memory.h"
#include "reports/figure/svg_bars.h"
#include "reports/figure/svg_chart.h"
#include "reports/fleet/fleet_views.h"
#include "reports/page/html_page.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const series[] = {"s1", "s2", "s3"};
static const int percents[] = {50, 90, 99}; /* the quantiles that are marked */

/* ---- cumulative distributions ---- */

/* What is beyond this many of its own middle widths is left to the edge of the plot, so that one
 * odd job does not squeeze all others into a line. */
#define FAR 8

static void widen(struct hc_axis *axis, const struct hc_fleet_cdf *cdf)
{
    if (cdf->n == 0)
        return;
    double low = hc_fleet_cdf_percent(cdf, 0), high = hc_fleet_cdf_percent(cdf, 100);
    double p5 = hc_fleet_cdf_percent(cdf, 5), p95 = hc_fleet_cdf_percent(cdf, 95);
    double reach = FAR * fmax(p95 - p5, fmax(fabs(p95), 1e-3) * 0.02);
    axis->low = fmin(axis->low, fmax(low, p5 - reach));
    axis->high = fmax(axis->high, fmin(high, p95 + reach));
}

static void draw_curve(struct hc_svg_chart *chart, const char *class,
                       const struct hc_fleet_cdf *cdf)
{
    double share[HC_CDF_PARTS + 1];
    for (int k = 0; k <= HC_CDF_PARTS; k++)
        share[k] = (double)k / HC_CDF_PARTS;
    hc_svg_chart_steps(chart, class, cdf->at, share, HC_CDF_PARTS + 1);
}

/* Whether the curve is flat to the left of a quantile, so that there is no room beside it there. */
static bool is_flat(const struct hc_svg_chart *chart, const struct hc_fleet_cdf *cdf, int percent)
{
    return hc_svg_chart_x(chart, hc_fleet_cdf_percent(cdf, percent)) -
               hc_svg_chart_x(chart, hc_fleet_cdf_percent(cdf, percent - 4)) >
           60;
}

#define LABEL_WIDTH  112
#define LABEL_HEIGHT 17

/* The labels of the quantiles, from the top down and none on another. A curve that rises has room
 * below it to the right, and above it to the left. */
static void name_quantiles(struct hc_svg_chart *chart, enum hc_fleet_cdf_id id,
                           const struct hc_fleet_cdf *cdf)
{
    char number[HC_NUMBER_TEXT], text[64];
    double above = chart->top - 10;
    for (int p = 2; p >= 0; p--) {
        double value = hc_fleet_cdf_percent(cdf, percents[p]);
        double x = fmin(hc_svg_chart_x(chart, value), chart->right);
        bool is_right = x + LABEL_WIDTH < chart->width;
        bool is_below = is_right || is_flat(chart, cdf, percents[p]);
        double y = hc_svg_chart_y(chart, percents[p] / 100.0) + (is_below ? 16 : 4);
        y = fmax(y, above + LABEL_HEIGHT);
        above = y;
        snprintf(text, sizeof text, "P%d %s", percents[p], hc_fleet_cdf_value(id, value, number));
        hc_svg_text(chart->stream, x + (is_right ? 7 : -9), y, is_right ? 's' : 'e', "strong",
                    text);
    }
}

static void mark_quantiles(struct hc_svg_chart *chart, const char *class, enum hc_fleet_cdf_id id,
                           const struct hc_fleet_cdf *cdf, bool is_named)
{
    char number[HC_NUMBER_TEXT], text[64];
    for (int p = 0; p < 3 && cdf->n > 0; p++) {
        double value = hc_fleet_cdf_percent(cdf, percents[p]);
        snprintf(text, sizeof text, "P%d %s by %s", percents[p],
                 hc_fleet_cdf_value(id, value, number), hc_fleet_weight_text(id));
        hc_svg_chart_dot(chart, class, value, percents[p] / 100.0, text);
    }
    if (is_named && cdf->n > 0)
        name_quantiles(chart, id, cdf);
}

static bool is_share(enum hc_fleet_cdf_id id)
{
    char number[HC_NUMBER_TEXT];
    return strchr(hc_fleet_cdf_value(id, 0.5, number), '%') != NULL;
}

static void draw_chart(FILE *stream, const struct hc_fleet_summary *summary,
                       const struct hc_fleet_curves *curves)
{
    const char *names[3];
    struct hc_svg_chart chart = {.width = HC_SVG_WIDTH, .height = HC_SVG_HEIGHT};
    chart.x = (struct hc_axis){.title = curves->axis,
                               .low = curves->low,
                               .high = curves->high,
                               .is_share = is_share(curves->ids[0])};
    chart.y = (struct hc_axis){.title = "share", .low = 0, .high = 1, .is_share = true};
    for (size_t c = 0; c < curves->n; c++) {
        widen(&chart.x, &summary->cdf[curves->ids[c]]);
        names[c] = hc_fleet_weight_text(curves->ids[c]);
    }
    hc_axis_round(&chart.x, 6);
    hc_svg_chart_start(&chart, stream, curves->title);
    if (curves->n > 1)
        hc_svg_legend(stream, chart.left + 60, 14, names, series, curves->n);
    if (isfinite(curves->rule))
        hc_svg_chart_rule_x(&chart, curves->rule, curves->rule_text);
    for (size_t c = curves->n; c-- > 0;)
        draw_curve(&chart, series[c], &summary->cdf[curves->ids[c]]);
    for (size_t c = curves->n; c-- > 0;)
        mark_quantiles(&chart, series[c], curves->ids[c], &summary->cdf[curves->ids[c]], c == 0);
    hc_svg_chart_end(&chart);
}

/* "By GPU-hours: P50 8.87 %, P90 24.3 %, P99 44.9 % (235 jobs)." */
static void add_quantiles(char *text, size_t size, enum hc_fleet_cdf_id id,
                          const struct hc_fleet_cdf *cdf)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT], c[HC_NUMBER_TEXT], n[HC_NUMBER_TEXT];
    size_t used = strlen(text);
    snprintf(text + used, size - used, " By %s: P50 %s, P90 %s, P99 %s (%s values).",
             hc_fleet_weight_text(id), hc_fleet_cdf_value(id, hc_fleet_cdf_percent(cdf, 50), a),
             hc_fleet_cdf_value(id, hc_fleet_cdf_percent(cdf, 90), b),
             hc_fleet_cdf_value(id, hc_fleet_cdf_percent(cdf, 99), c),
             hc_format_count((int64_t)cdf->n, n));
}

void hc_fleet_draw_curves(FILE *stream, const struct hc_fleet_summary *summary,
                          const struct hc_fleet_curves *curves)
{
    char note[1024];
    snprintf(note, sizeof note, "%s", curves->note ? curves->note : "");
    hc_html_figure_start(stream, curves->title, false);
    if (summary->cdf[curves->ids[0]].n > 0)
        draw_chart(stream, summary, curves);
    else
        hc_html_paragraph(stream, "note", "No job has this figure.");
    for (size_t c = 0; c < curves->n; c++)
        if (summary->cdf[curves->ids[c]].n > 0)
            add_quantiles(note, sizeof note, curves->ids[c], &summary->cdf[curves->ids[c]]);
    hc_html_figure_end(stream, note[0] ? note + (note[0] == ' ') : NULL);
}

/* ---- S against GPUs ---- */

/* Half units of the drawing that have a dot already: a large fleet stays a small file. */
struct dots {
    bool *is_taken;
    int width, height;
};

static bool take(struct dots *dots, double x, double y)
{
    /* In this form what is not a number is outside, too. */
    if (!(x >= 0 && y >= 0 && x * 2 < dots->width && y * 2 < dots->height))
        return false;
    int column = (int)(x * 2), line = (int)(y * 2);
    bool *place = &dots->is_taken[line * dots->width + column];
    bool was_free = !*place;
    *place = true;
    return was_free;
}

static bool has_size(const struct hc_fleet_row *row)
{
    return row->fate == HC_FLEET_ANALYSED && row->n_gpus > 0 && isfinite(row->slowdown);
}

static void size_axes(struct hc_svg_chart *chart, const struct hc_fleet_report *report)
{
    chart->x = (struct hc_axis){.title = "GPUs", .is_log = true, .low = INFINITY};
    chart->y = (struct hc_axis){.title = "slowdown S", .low = 1, .high = 1.1};
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct hc_fleet_row *row = &report->rows[i];
        if (!has_size(row))
            continue;
        chart->x.low = fmin(chart->x.low, (double)row->n_gpus / 1.15);
        chart->x.high = fmax(chart->x.high, (double)row->n_gpus * 1.15);
        chart->y.low = fmin(chart->y.low, row->slowdown);
        chart->y.high = fmax(chart->y.high, row->slowdown);
    }
    /* A few very slow jobs must not press all others onto the axis. */
    chart->y.is_log = chart->y.high > 4 && chart->y.low > 0;
    if (chart->y.is_log)
        chart->y.high *= 1.05;
    else
        hc_axis_round(&chart->y, 6);
}

static void draw_dots(struct hc_svg_chart *chart, const struct hc_fleet_report *report,
                      struct dots *dots)
{
    char job[256], title[400], s[HC_NUMBER_TEXT], n[HC_NUMBER_TEXT];
    for (size_t i = 0; i < report->n_rows; i++) {
        const struct hc_fleet_row *row = &report->rows[i];
        if (!has_size(row))
            continue;
        double x = (double)row->n_gpus;
        if (!take(dots, hc_svg_chart_x(chart, x), hc_svg_chart_y(chart, row->slowdown)))
            continue;
        snprintf(title, sizeof title, "%s: S %s, %s GPUs, %s",
                 hc_fleet_job_text(row, job, sizeof job), hc_format_fixed(row->slowdown, 3, s),
                 hc_format_count(row->n_gpus, n), hc_straggler_cause_text(row->cause));
        hc_svg_chart_dot(chart, row->slowdown >= HC_STRAGGLING ? "s2" : "s5", x, row->slowdown,
                         title);
    }
}

static void draw_medians(struct hc_svg_chart *chart, const struct hc_fleet_summary *summary)
{
    double xs[65], medians[65];
    size_t n = 0;
    for (size_t i = 0; i < summary->n_sizes; i++) {
        const struct hc_fleet_size *size = &summary->sizes[i];
        if (size->from == 0 || size->slowdown.n == 0)
            continue;
        /* Most sizes are powers of two, the lower end of their class. */
        xs[n] = (double)size->from;
        medians[n++] = hc_fleet_cdf_percent(&size->slowdown, 50);
    }
    hc_svg_chart_line(chart, "s1", xs, medians, n);
}

static void note_sizes(char *note, size_t size, const struct hc_fleet_summary *summary)
{
    char r[HC_NUMBER_TEXT], n[HC_NUMBER_TEXT], unknown[HC_NUMBER_TEXT];
    size_t n_unknown = summary->n_analysed - summary->n_size_pairs;
    snprintf(note, size,
             "A dot a job; where several fall on one place, the first is drawn. The line is the "
             "median of each class from one power of two to the next. Spearman's rank correlation "
             "of S and GPUs is %s over %s jobs%s%s%s.",
             hc_format_fixed(summary->size_correlation, 3, r),
             hc_format_count((int64_t)summary->n_size_pairs, n), n_unknown ? "; of " : "",
             n_unknown ? hc_format_count((int64_t)n_unknown, unknown) : "",
             n_unknown ? " more the GPUs are not known" : "");
}

enum hc_status hc_fleet_draw_sizes(FILE *stream, const struct hc_fleet_report *report,
                                   const struct hc_fleet_summary *summary, struct hc_error *err)
{
    static const char *const names[] = {"median", "S >= 1.1", "S < 1.1"};
    static const char *const classes[] = {"s1", "s2", "s5"};
    struct hc_svg_chart chart = {.width = HC_SVG_WIDE_WIDTH, .height = 340};
    struct dots dots = {.width = 2 * HC_SVG_WIDE_WIDTH, .height = 680};
    char note[512];
    dots.is_taken = hc_new_array((size_t)dots.width * (size_t)dots.height, 1, err);
    if (!dots.is_taken)
        return err->status;
    note_sizes(note, sizeof note, summary);
    hc_html_figure_start(stream, "Slowdown against size", true);
    if (summary->n_size_pairs > 0) {
        size_axes(&chart, report);
        hc_svg_chart_start(&chart, stream, "slowdown S of each job against its number of GPUs");
        hc_svg_legend(stream, chart.left + 100, 14, names, classes, 3);
        hc_svg_chart_rule_y(&chart, HC_STRAGGLING, NULL);
        draw_dots(&chart, report, &dots);
        draw_medians(&chart, summary);
        hc_svg_chart_end(&chart);
    }
    hc_html_figure_end(stream, note);
    free(dots.is_taken);
    return HC_OK;
}

/* ---- bars ---- */

/* The causes by which straggling jobs are told apart, the last first in order: what is not
 * straggling has a share of the GPU-hours lost only. */
static void draw_cause_bars(FILE *stream, const struct hc_fleet_summary *summary, bool is_lost)
{
    struct hc_axis axis = {.is_share = true,
                           .title = is_lost ? "share of all GPU-hours lost"
                                            : "share of the straggling jobs"};
    struct hc_svg_bar bars[HC_N_STRAGGLER_CAUSES];
    char texts[HC_N_STRAGGLER_CAUSES][HC_NUMBER_TEXT];
    size_t n = 0;
    for (int k = 1; k <= HC_N_STRAGGLER_CAUSES; k++) {
        enum hc_straggler_cause id = k % HC_N_STRAGGLER_CAUSES;
        const struct hc_fleet_cause *cause = &summary->causes[id];
        double share = is_lost ? cause->lost_share : cause->share_of_straggling;
        if (id == HC_STRAGGLER_NONE && !is_lost)
            continue;
        bars[n] = (struct hc_svg_bar){.name = hc_straggler_cause_text(id),
                                      .value = share,
                                      .text = hc_format_percent(share, texts[n]),
                                      .class = id == HC_STRAGGLER_NONE          ? "s5"
                                               : id == HC_STRAGGLER_UNEXPLAINED ? "s5"
                                               : is_lost                        ? "s2"
                                                                                : "s1"};
        n++;
    }
    hc_html_figure_start(stream, is_lost ? "GPU-hours lost, by cause" : "Jobs, by cause", false);
    hc_svg_bars(stream, axis.title, &axis, 0, bars, n);
    hc_html_figure_end(stream, NULL);
}

void hc_fleet_draw_causes(FILE *stream, const struct hc_fleet_summary *summary)
{
    draw_cause_bars(stream, summary, false);
    draw_cause_bars(stream, summary, true);
}

static void draw_type_bars(FILE *stream, const struct hc_fleet_summary *summary, bool is_hours,
                           struct hc_svg_bar *bars, char (*texts)[HC_NUMBER_TEXT])
{
    struct hc_axis axis = {.is_share = true,
                           .title = is_hours ? "mean waste, weighted by GPU-hours"
                                             : "mean waste over jobs"};
    for (size_t t = 0; t < summary->n_types; t++) {
        const struct hc_fleet_type_waste *type = &summary->types[t];
        double mean = is_hours ? type->by_hours.mean : type->by_jobs.mean;
        bars[t] = (struct hc_svg_bar){.name = type->name,
                                      .value = mean,
                                      .text = hc_format_percent(mean, texts[t]),
                                      .class = type->op_class == HC_CLASS_COMPUTE ? "s1"
                                               : type->op_class == HC_CLASS_PP    ? "s2"
                                               : type->op_class == HC_CLASS_DP    ? "s3"
                                                                                  : "s5"};
    }
    hc_html_figure_start(stream, is_hours ? "By GPU-hours" : "By jobs", false);
    hc_svg_bars(stream, axis.title, &axis, 0, bars, summary->n_types);
    hc_html_figure_end(stream, NULL);
}

enum hc_status hc_fleet_draw_types(FILE *stream, const struct hc_fleet_summary *summary,
                                   struct hc_error *err)
{
    struct hc_svg_bar *bars = hc_new_array(summary->n_types, sizeof *bars, err);
    char(*texts)[HC_NUMBER_TEXT] = hc_new_array(summary->n_types, sizeof *texts, err);
    enum hc_status status = bars && texts ? HC_OK : err->status;
    for (int is_hours = 0; is_hours < 2 && status == HC_OK; is_hours++)
        draw_type_bars(stream, summary, is_hours, bars, texts);
    free(bars);
    free(texts);
    return status;
}
