#include "reports/fleet/fleet_charts.h"

#include "core/base/memory.h"
#include "reports/fleet/fleet_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cumulative distributions ---- */

/* Distributions of one figure: by jobs with the quantiles marked, then by other weights, whose
 * quantiles the note under it says. */
struct curves {
    const char *name, *title, *axis; /* of the files, of the figure, of its x axis */
    size_t n;
    enum hc_fleet_cdf_id ids[3];
    double low, high; /* shown even where no value is */
    double rule;      /* a limit to be drawn, NaN: none */
    const char *rule_text;
    const char *note; /* put before the quantiles, or NULL */
};

static const struct curves waste_curves[] = {
    {"waste",
     "Waste of a job",
     "waste 1 - 1/S",
     2,
     {HC_CDF_WASTE_BY_JOBS, HC_CDF_WASTE_BY_HOURS},
     0,
     0.1,
     1 - 1 / HC_STRAGGLING,
     "S 1.1",
     NULL},
    {"slowdown",
     "Slowdown of a job",
     "S",
     2,
     {HC_CDF_SLOWDOWN_BY_JOBS, HC_CDF_SLOWDOWN_BY_HOURS},
     1,
     1.1,
     HC_STRAGGLING,
     "S 1.1",
     NULL},
};

static const struct curves test_curves[] = {
    {"m-w",
     "M_W: what the slowest 3 % of the workers explain",
     "M_W",
     3,
     {HC_CDF_M_W_BY_JOBS, HC_CDF_M_W_BY_HOURS, HC_CDF_M_W_BY_WASTE},
     0,
     1,
     0.5,
     "0.5",
     NULL},
    {"m-s",
     "M_S: what the last stage explains",
     "M_S",
     3,
     {HC_CDF_M_S_BY_JOBS, HC_CDF_M_S_BY_HOURS, HC_CDF_M_S_BY_WASTE},
     0,
     1,
     0.5,
     "0.5",
     NULL},
    {"r",
     "r: forward against backward passes",
     "r",
     3,
     {HC_CDF_R_BY_JOBS, HC_CDF_R_BY_HOURS, HC_CDF_R_BY_WASTE},
     0,
     1,
     0.9,
     "0.9",
     NULL},
    {"launch",
     "Launch slowdown: traced over replayed",
     "launch slowdown",
     1,
     {HC_CDF_LAUNCH_BY_JOBS},
     1,
     1.02,
     NAN,
     NULL,
     "Of all analysed jobs whose launch delays are known."},
};

static const struct curves step_curves[] = {
    {"steps",
     "Slowdown of a step over S of its job",
     "step slowdown / S",
     1,
     {HC_CDF_STEPS},
     0.95,
     1.05,
     NAN,
     NULL,
     "Steps drawn from each straggling job."},
    {"discrepancy",
     "Discrepancy of the replay",
     "replayed against traced",
     1,
     {HC_CDF_DISCREPANCY_BY_JOBS},
     0,
     0.01,
     NAN,
     NULL,
     "Of all jobs replayed, also those discarded for it."},
};

#define N_QUANTILES 3
static const int percents[N_QUANTILES] = {50, 90, 99}; /* the quantiles that are marked */

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

/* Series, marks and texts of one figure. */
struct drawing {
    struct hc_figure_series series[6]; /* the curves, then the dots upon them */
    struct hc_figure_mark marks[N_QUANTILES];
    double shares[HC_CDF_INTERVALS + 1], quantiles[3][N_QUANTILES], heights[N_QUANTILES];
    char lines[3][N_QUANTILES][64], mark_texts[N_QUANTILES][64], columns[3][64];
    const char *texts[3][N_QUANTILES];
    size_t n_series;
};

static void add_dots(struct drawing *drawing, size_t c, enum hc_fleet_cdf_id id,
                     const struct hc_fleet_cdf *cdf)
{
    char number[HC_NUMBER_TEXT];
    for (int p = 0; p < N_QUANTILES; p++) {
        double value = hc_fleet_cdf_percent(cdf, percents[p]);
        drawing->quantiles[c][p] = value;
        snprintf(drawing->lines[c][p], sizeof drawing->lines[c][p], "P%d %s by %s", percents[p],
                 hc_fleet_cdf_value(id, value, number), hc_fleet_weight_text(id));
        drawing->texts[c][p] = drawing->lines[c][p];
    }
    snprintf(drawing->columns[c], sizeof drawing->columns[c], "quantiles by %s",
             hc_fleet_weight_text(id));
    drawing->series[drawing->n_series++] = (struct hc_figure_series){
        .kind = HC_SERIES_POINTS,
        .color = hc_series_color(c),
        .column = drawing->columns[c],
        .n = N_QUANTILES,
        .x = drawing->quantiles[c],
        .y = drawing->heights,
        .texts = drawing->texts[c],
    };
}

/* The quantiles by jobs are named; below the dot where the curve is flat to its left. */
static void add_marks(struct drawing *drawing, enum hc_fleet_cdf_id id,
                      const struct hc_fleet_cdf *cdf, const struct hc_axis *axis)
{
    char number[HC_NUMBER_TEXT];
    for (int p = 0; p < N_QUANTILES; p++) {
        double value = hc_fleet_cdf_percent(cdf, percents[p]);
        double before = hc_fleet_cdf_percent(cdf, percents[p] - 4);
        snprintf(drawing->mark_texts[p], sizeof drawing->mark_texts[p], "P%d %s", percents[p],
                 hc_fleet_cdf_value(id, value, number));
        drawing->marks[p] = (struct hc_figure_mark){
            .x = value,
            .y = drawing->heights[p],
            .color = HC_BLUE,
            .text = drawing->mark_texts[p],
            .is_below = hc_axis_place(axis, value) - hc_axis_place(axis, before) > 0.15,
        };
    }
}

static void fill(struct drawing *drawing, const struct hc_fleet_summary *summary,
                 const struct curves *curves, const struct hc_axis *axis)
{
    for (int k = 0; k <= HC_CDF_INTERVALS; k++)
        drawing->shares[k] = (double)k / HC_CDF_INTERVALS;
    for (int p = 0; p < N_QUANTILES; p++)
        drawing->heights[p] = percents[p] / 100.0;
    for (size_t c = 0; c < curves->n; c++)
        drawing->series[drawing->n_series++] = (struct hc_figure_series){
            .kind = HC_SERIES_STEPS,
            .color = hc_series_color(c),
            .name = curves->n > 1 ? hc_fleet_weight_text(curves->ids[c]) : NULL,
            .column = "share",
            .n = HC_CDF_INTERVALS + 1,
            .x = summary->cdf[curves->ids[c]].at,
            .y = drawing->shares,
        };
    for (size_t c = 0; c < curves->n; c++)
        if (summary->cdf[curves->ids[c]].n > 0)
            add_dots(drawing, c, curves->ids[c], &summary->cdf[curves->ids[c]]);
    add_marks(drawing, curves->ids[0], &summary->cdf[curves->ids[0]], axis);
}

static enum hc_status put_curves(const struct hc_figure_sink *sink,
                                 const struct hc_fleet_summary *summary,
                                 const struct curves *curves, struct hc_error *err)
{
    struct drawing drawing = {.n_series = 0};
    char note[1024];
    bool is_known = summary->cdf[curves->ids[0]].n > 0;
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = curves->name,
        .title = curves->title,
        .x = {.title = curves->axis,
              .low = curves->low,
              .high = curves->high,
              .is_share = hc_fleet_cdf_is_share(curves->ids[0])},
        .y = {.title = "share", .low = 0, .high = 1, .is_share = true},
        .n_rules = isfinite(curves->rule),
        .rules = &(struct hc_figure_rule){true, curves->rule, curves->rule_text},
    };
    snprintf(note, sizeof note, "%s", curves->note ? curves->note : "");
    for (size_t c = 0; c < curves->n; c++) {
        widen(&figure.x, &summary->cdf[curves->ids[c]]);
        if (summary->cdf[curves->ids[c]].n > 0)
            add_quantiles(note, sizeof note, curves->ids[c], &summary->cdf[curves->ids[c]]);
    }
    hc_axis_round(&figure.x, 6);
    figure.note = note[0] ? note + (note[0] == ' ') : NULL;
    if (is_known) {
        fill(&drawing, summary, curves, &figure.x);
        figure.n_series = drawing.n_series;
        figure.series = drawing.series;
        figure.n_marks = N_QUANTILES;
        figure.marks = drawing.marks;
    }
    return hc_figure_put(sink, &figure, err);
}

static enum hc_status put_all(const struct hc_figure_sink *sink,
                              const struct hc_fleet_summary *summary, const struct curves *curves,
                              size_t n, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && status == HC_OK; i++)
        status = put_curves(sink, summary, &curves[i], err);
    return status;
}

#define ALL_OF(curves) curves, sizeof curves / sizeof curves[0]

enum hc_status hc_fleet_waste_figures(const struct hc_figure_sink *sink,
                                      const struct hc_fleet_report *report,
                                      const struct hc_fleet_summary *summary, struct hc_error *err)
{
    (void)report;
    return put_all(sink, summary, ALL_OF(waste_curves), err);
}

enum hc_status hc_fleet_test_figures(const struct hc_figure_sink *sink,
                                     const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err)
{
    (void)report;
    return put_all(sink, summary, ALL_OF(test_curves), err);
}

enum hc_status hc_fleet_step_figures(const struct hc_figure_sink *sink,
                                     const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err)
{
    (void)report;
    return put_all(sink, summary, ALL_OF(step_curves), err);
}

/* ---- S against GPUs ---- */

/* The jobs of one colour: those that straggle, or the others. */
struct dots {
    double *gpus, *slowdowns;
    char (*lines)[400];
    const char **texts;
    size_t n;
};

static void dots_fini(struct dots *dots)
{
    free(dots->gpus);
    free(dots->lines);
    free(dots->texts);
}

static void add_job(struct dots *dots, const struct hc_fleet_row *row)
{
    char job[256], s[HC_NUMBER_TEXT], n[HC_NUMBER_TEXT];
    size_t at = dots->n++;
    dots->gpus[at] = (double)row->n_gpus;
    dots->slowdowns[at] = row->slowdown;
    dots->texts[at] = dots->lines[at];
    snprintf(dots->lines[at], sizeof dots->lines[at], "%s: S %s, %s GPUs, %s",
             hc_fleet_job_text(row, job, sizeof job), hc_format_fixed(row->slowdown, 3, s),
             hc_format_count(row->n_gpus, n), hc_straggler_cause_text(row->cause));
}

static enum hc_status dots_init(struct dots *dots, const struct hc_fleet_report *report,
                                bool straggle, struct hc_error *err)
{
    const struct hc_fleet_summary *summary = report->summary;
    size_t n = summary->n_sized[straggle];
    *dots = (struct dots){.gpus = hc_new_array(n, 2 * sizeof *dots->gpus, err)};
    dots->lines = dots->gpus ? hc_new_array(n, sizeof *dots->lines, err) : NULL;
    dots->texts = dots->lines ? hc_new_array(n, sizeof *dots->texts, err) : NULL;
    if (!dots->texts)
        return err->status;
    dots->slowdowns = dots->gpus + n;
    for (size_t i = 0; i < n; i++)
        add_job(dots, &report->rows[summary->sized[straggle][i]]);
    return HC_OK;
}

static void size_axes(struct hc_figure *figure, const struct dots dots[2])
{
    figure->x = (struct hc_axis){.title = "GPUs", .is_log = true, .low = INFINITY};
    figure->y = (struct hc_axis){.title = "slowdown S", .low = 1, .high = 1.1};
    for (int d = 0; d < 2; d++) {
        for (size_t i = 0; i < dots[d].n; i++)
            hc_axis_widen(&figure->x, (double[]){dots[d].gpus[i] / 1.15, dots[d].gpus[i] * 1.15},
                          2);
        hc_axis_widen(&figure->y, dots[d].slowdowns, dots[d].n);
    }
    /* A few very slow jobs must not press all others onto the axis. */
    figure->y.is_log = figure->y.high > 4 && figure->y.low > 0;
    if (figure->y.is_log)
        figure->y.high *= 1.05;
    else
        hc_axis_round(&figure->y, 6);
}

static struct hc_figure_series dots_series(const struct dots *dots, const char *name,
                                           enum hc_color color)
{
    return (struct hc_figure_series){.kind = HC_SERIES_POINTS,
                                     .color = color,
                                     .name = name,
                                     .column = "slowdown S",
                                     .n = dots->n,
                                     .x = dots->gpus,
                                     .y = dots->slowdowns,
                                     .texts = dots->texts};
}

#define MAX_SIZES   65
#define CLASS_ENDS  3 /* points of a class: its two ends, and a gap */
#define MAX_MEDIANS (CLASS_ENDS * MAX_SIZES)

static size_t find_medians(const struct hc_fleet_summary *summary, double gpus[MAX_MEDIANS],
                           double medians[MAX_MEDIANS])
{
    size_t n = 0;
    for (size_t i = 0; i < summary->n_sizes && i < MAX_SIZES; i++) {
        const struct hc_fleet_size *size = &summary->sizes[i];
        if (size->from == 0 || size->slowdown.n == 0)
            continue;
        /* Over all sizes of the class, so that it lies among the dots that it is the median of. */
        const double at[CLASS_ENDS] = {(double)size->from, (double)size->to, NAN};
        for (size_t end = 0; end < CLASS_ENDS; end++, n++) {
            gpus[n] = at[end];
            medians[n] = hc_fleet_cdf_percent(&size->slowdown, 50);
        }
    }
    return n;
}

static void note_sizes(char *note, size_t size, const struct hc_fleet_summary *summary)
{
    char r[HC_NUMBER_TEXT], n[HC_NUMBER_TEXT], unknown[HC_NUMBER_TEXT];
    size_t n_unknown = summary->n_size_unknown;
    snprintf(note, size,
             "A dot a job; where several fall on one place, the first is drawn. A line is the "
             "median of a class, from one power of two to the next. Spearman's rank correlation "
             "of S and GPUs is %s over %s jobs%s%s%s.",
             hc_format_fixed(summary->size_correlation, 3, r),
             hc_format_count((int64_t)summary->n_size_pairs, n), n_unknown ? "; of " : "",
             n_unknown ? hc_format_count((int64_t)n_unknown, unknown) : "",
             n_unknown ? " more the GPUs are not known" : "");
}

static enum hc_status put_sizes(const struct hc_figure_sink *sink,
                                const struct hc_fleet_summary *summary, const struct dots dots[2],
                                struct hc_error *err)
{
    double gpus[MAX_MEDIANS], medians[MAX_MEDIANS];
    char note[512];
    const struct hc_figure_series series[] = {
        dots_series(&dots[0], "S < 1.1", HC_GREY),
        dots_series(&dots[1], "S >= 1.1", HC_VERMILLION),
        {.kind = HC_SERIES_LINE,
         .color = HC_BLUE,
         .name = "median",
         .n = find_medians(summary, gpus, medians),
         .x = gpus,
         .y = medians},
    };
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = "sizes",
        .title = "Slowdown against size",
        .says = "slowdown S of each job against its number of GPUs",
        .note = note,
        .is_wide = true,
        .height = 340,
        .n_rules = 1,
        .rules = &(struct hc_figure_rule){.at = HC_STRAGGLING},
    };
    note_sizes(note, sizeof note, summary);
    if (summary->n_size_pairs > 0) {
        size_axes(&figure, dots);
        figure.n_series = 3;
        figure.series = series;
    }
    return hc_figure_put(sink, &figure, err);
}

enum hc_status hc_fleet_size_figures(const struct hc_figure_sink *sink,
                                     const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err)
{
    struct dots dots[2] = {{.n = 0}, {.n = 0}};
    enum hc_status status = HC_OK;
    for (int straggle = 0; straggle < 2 && status == HC_OK; straggle++)
        status = dots_init(&dots[straggle], report, straggle == 1, err);
    if (status == HC_OK)
        status = put_sizes(sink, summary, dots, err);
    dots_fini(&dots[0]);
    dots_fini(&dots[1]);
    return status;
}

/* ---- bars ---- */

static enum hc_color cause_color(enum hc_straggler_cause id, bool is_lost)
{
    if (id == HC_STRAGGLER_NONE || id == HC_STRAGGLER_UNEXPLAINED)
        return HC_GREY;
    return is_lost ? HC_VERMILLION : HC_BLUE;
}

/* The causes by which straggling jobs are told apart, the last first in order: what is not
 * straggling has a share of the GPU-hours lost only. */
static enum hc_status put_cause_bars(const struct hc_figure_sink *sink,
                                     const struct hc_fleet_summary *summary, bool is_lost,
                                     struct hc_error *err)
{
    struct hc_figure_row bars[HC_N_STRAGGLER_CAUSES];
    char texts[HC_N_STRAGGLER_CAUSES][HC_NUMBER_TEXT];
    size_t n = 0;
    for (int k = 1; k <= HC_N_STRAGGLER_CAUSES; k++) {
        enum hc_straggler_cause id = k % HC_N_STRAGGLER_CAUSES;
        const struct hc_fleet_cause *cause = &summary->causes[id];
        double share = is_lost ? cause->lost_share : cause->share_of_straggling;
        if (id == HC_STRAGGLER_NONE && !is_lost)
            continue;
        bars[n] = (struct hc_figure_row){.name = hc_straggler_cause_text(id),
                                         .value = share,
                                         .text = hc_format_percent(share, texts[n]),
                                         .color = cause_color(id, is_lost)};
        n++;
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = is_lost ? "causes-hours" : "causes-jobs",
        .title = is_lost ? "GPU-hours lost, by cause" : "Jobs, by cause",
        .x = {.title = is_lost ? "share of all GPU-hours lost" : "share of the straggling jobs",
              .is_share = true},
        .n_rows = n,
        .rows = bars,
    };
    return hc_figure_put(sink, &figure, err);
}

enum hc_status hc_fleet_cause_figures(const struct hc_figure_sink *sink,
                                      const struct hc_fleet_report *report,
                                      const struct hc_fleet_summary *summary, struct hc_error *err)
{
    (void)report;
    enum hc_status status = put_cause_bars(sink, summary, false, err);
    return status ? status : put_cause_bars(sink, summary, true, err);
}

static enum hc_color class_color(enum hc_fleet_class op_class)
{
    return op_class == HC_CLASS_COMPUTE ? HC_BLUE
           : op_class == HC_CLASS_PP    ? HC_VERMILLION
           : op_class == HC_CLASS_DP    ? HC_GREEN
                                        : HC_GREY;
}

static enum hc_status put_type_bars(const struct hc_figure_sink *sink,
                                    const struct hc_fleet_summary *summary, bool is_hours,
                                    struct hc_figure_row *bars, struct hc_error *err)
{
    char(*texts)[HC_NUMBER_TEXT] = hc_new_array(summary->n_types, sizeof *texts, err);
    if (!texts)
        return err->status;
    for (size_t t = 0; t < summary->n_types; t++) {
        const struct hc_fleet_type_waste *type = &summary->types[t];
        double mean = is_hours ? type->by_hours.mean : type->by_jobs.mean;
        bars[t] = (struct hc_figure_row){.name = type->name,
                                         .value = mean,
                                         .text = hc_format_percent(mean, texts[t]),
                                         .color = class_color(type->op_class)};
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = is_hours ? "op-types-hours" : "op-types-jobs",
        .title = is_hours ? "By GPU-hours" : "By jobs",
        .x = {.title = is_hours ? "mean waste, weighted by GPU-hours" : "mean waste over jobs",
              .is_share = true},
        .n_rows = summary->n_types,
        .rows = bars,
    };
    enum hc_status status = hc_figure_put(sink, &figure, err);
    free(texts);
    return status;
}

enum hc_status hc_fleet_type_figures(const struct hc_figure_sink *sink,
                                     const struct hc_fleet_report *report,
                                     const struct hc_fleet_summary *summary, struct hc_error *err)
{
    (void)report;
    struct hc_figure_row *bars = hc_new_array(summary->n_types, sizeof *bars, err);
    enum hc_status status = bars ? HC_OK : err->status;
    for (int is_hours = 0; is_hours < 2 && status == HC_OK; is_hours++)
        status = put_type_bars(sink, summary, is_hours == 1, bars, err);
    free(bars);
    return status;
}

/* ---- all of them ---- */

enum hc_status hc_fleet_put_figures(const struct hc_figure_sink *sink,
                                    const struct hc_fleet_report *report, struct hc_error *err)
{
    static hc_fleet_figure_section *const sections[] = {
        hc_fleet_waste_figures, hc_fleet_cause_figures, hc_fleet_test_figures,
        hc_fleet_type_figures,  hc_fleet_size_figures,  hc_fleet_step_figures};
    const struct hc_fleet_summary *summary = report->summary;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < sizeof sections / sizeof sections[0] && summary->n_analysed > 0; i++)
        if (status == HC_OK)
            status = sections[i](sink, report, summary, err);
    return status;
}
