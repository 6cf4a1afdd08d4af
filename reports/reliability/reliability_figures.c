#include "reports/reliability/reliability_figures.h"

#include "core/base/memory.h"
#include "core/tables/incidents/incident_table.h"
#include "core/text/number_format.h"

#include <math.h>
#include <stdlib.h>

#define MAX_CAUSES 20 /* rows of a figure; the most frequent */
#define MAX_MONTHS 36 /* rows; the last */

static const char *cause_name(const struct hc_tally *cause)
{
    return hc_incident_cause_info((enum hc_incident_cause)cause->key)->name;
}

/* ---- rates ---- */

static enum hc_status put_rates(const struct hc_figure_sink *sink, const struct hc_tallies *causes,
                                struct hc_error *err)
{
    struct hc_figure_row rows[MAX_CAUSES];
    char texts[MAX_CAUSES][HC_NUMBER_TEXT];
    size_t n = 0;
    for (size_t i = 0; i < causes->n && n < MAX_CAUSES; i++) {
        const struct hc_estimate *rate = &causes->rows[i].per_1000;
        if (!isfinite(rate->value))
            continue;
        rows[n] = (struct hc_figure_row){.name = cause_name(&causes->rows[i]),
                                         .text = hc_format_fixed(rate->value, 3, texts[n]),
                                         .value = rate->value,
                                         .low = rate->low,
                                         .high = rate->high,
                                         .color = HC_BLUE};
        n++;
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_RANGES,
        .name = "rates-causes",
        .title = "Rates by cause",
        .note = "The most frequent causes, with exact 95 % Poisson intervals.",
        .x = {.title = "incidents per 1,000 node-days"},
        .n_rows = n,
        .rows = rows,
    };
    return hc_figure_put(sink, &figure, err);
}

/* ---- repair ---- */

static enum hc_status put_repairs(const struct hc_figure_sink *sink,
                                  const struct hc_tallies *causes, struct hc_error *err)
{
    struct hc_figure_row rows[MAX_CAUSES];
    char texts[MAX_CAUSES][HC_NUMBER_TEXT];
    size_t n = 0;
    for (size_t i = 0; i < causes->n && n < MAX_CAUSES; i++) {
        const struct hc_tally *cause = &causes->rows[i];
        if (cause->n_repairs == 0)
            continue;
        rows[n] = (struct hc_figure_row){
            .name = cause_name(cause),
            .text = hc_reliability_hours(cause->repair_mean_s / 3600, texts[n]),
            .value = cause->repair_mean_s / 3600,
            .color = HC_VERMILLION};
        n++;
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = "repair-causes",
        .title = "Time to repair, by cause",
        .note = "Means over the incidents whose end is known, of the most frequent causes.",
        .x = {.title = "mean time to repair", .unit = "h"},
        .n_rows = n,
        .rows = rows,
    };
    return hc_figure_put(sink, &figure, err);
}

/* ---- months ---- */

static enum hc_status put_months(const struct hc_figure_sink *sink, const struct hc_tallies *months,
                                 struct hc_error *err)
{
    struct hc_figure_row rows[MAX_MONTHS];
    char names[MAX_MONTHS][HC_PERIOD_TEXT], texts[MAX_MONTHS][HC_NUMBER_TEXT];
    size_t first = months->n > MAX_MONTHS ? months->n - MAX_MONTHS : 0, n = months->n - first;
    for (size_t i = 0; i < n; i++) {
        const struct hc_tally *month = &months->rows[first + i];
        rows[i] = (struct hc_figure_row){.name = hc_reliability_month(month->key, names[i]),
                                         .text = hc_format_count(month->count, texts[i]),
                                         .value = (double)month->count,
                                         .color = HC_BLUE};
    }
    const struct hc_figure figure = {
        .kind = HC_FIGURE_BARS,
        .name = "months",
        .title = "Incidents by month",
        .x = {.title = "incidents", .is_counts = true},
        .n_rows = n,
        .rows = rows,
    };
    return hc_figure_put(sink, &figure, err);
}

/* ---- survival ---- */

/* What a curve is called, and the unit of its axis. */
struct survival_words {
    const char *name, *title, *axis, *unit;
    double unit_s;
};

static enum hc_status put_curve(const struct hc_figure_sink *sink,
                                const struct hc_survival_curve *curve, const struct hc_fits *fits,
                                const struct survival_words *words, struct hc_error *err)
{
    if (curve->n < 3)
        return HC_OK;
    double *times = hc_new_array(curve->n, sizeof *times, err);
    if (!times)
        return err->status;
    for (size_t i = 0; i < curve->n; i++)
        times[i] = curve->time_s[i] / words->unit_s;
    const struct hc_figure_series series[] = {
        {.kind = HC_SERIES_STEPS,
         .color = HC_BLUE,
         .name = "recorded",
         .n = curve->n,
         .x = times,
         .y = curve->above},
        {.kind = HC_SERIES_LINE,
         .color = HC_VERMILLION,
         .name = fits->best >= 0 ? hc_fit_family_name((enum hc_fit_family)fits->best) : NULL,
         .n = curve->n,
         .x = times,
         .y = curve->fitted},
    };
    struct hc_figure figure = {
        .kind = HC_FIGURE_CHART,
        .name = words->name,
        .title = words->title,
        .note = "The share that lasts longer, after Kaplan and Meier, and the best fit.",
        .x = {.title = words->axis, .unit = words->unit, .high = times[curve->n - 1]},
        .y = {.title = "share that lasts longer", .high = 1, .is_share = true},
        .n_series = fits->best >= 0 ? 2 : 1,
        .series = series,
    };
    hc_axis_round(&figure.x, 5);
    enum hc_status status = hc_figure_put(sink, &figure, err);
    free(times);
    return status;
}

/* Of all groups together, the first of the fits. */
static enum hc_status put_survival(const struct hc_figure_sink *sink,
                                   const struct hc_reliability_report *report, struct hc_error *err)
{
    static const struct survival_words between = {
        "between-failures", "Time between failures of a node", "time in use", "days", 86400};
    static const struct survival_words repair = {"repair", "Time to repair", "time down", "h",
                                                 3600};
    if (!report->fits || report->fits->n == 0)
        return HC_OK;
    const struct hc_group_fit *all = &report->fits->rows[0];
    if (put_curve(sink, &all->between_curve, &all->between, &between, err))
        return err->status;
    return put_curve(sink, &all->repair_curve, &all->repair, &repair, err);
}

enum hc_status hc_reliability_put_figures(const struct hc_figure_sink *sink,
                                          const struct hc_reliability_report *report,
                                          struct hc_error *err)
{
    const struct hc_reliability *result = report->result;
    if (put_rates(sink, &result->causes, err) || put_repairs(sink, &result->causes, err))
        return err->status;
    if (put_months(sink, &result->months, err))
        return err->status;
    return put_survival(sink, report, err);
}
