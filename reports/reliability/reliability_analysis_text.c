/* Fits, trend, two times and lemon nodes as text. */
#include "reports/reliability/reliability_report.h"

#include "core/base/text_layout.h"
#include "core/text/number_format.h"

#include <inttypes.h>
#include <math.h>

#define MAX_LEMONS 20 /* listed; JSON has them all */
#define WIDTH      32 /* columns of a name */

static void put_name(FILE *stream, const char *name, const char *otherwise)
{
    char text[WIDTH * 4];
    hc_text_head(text, sizeof text, name ? name : otherwise, WIDTH);
    size_t columns = hc_text_columns(text);
    fprintf(stream, "%s%*s", text, (int)(columns < WIDTH ? WIDTH - columns : 0), "");
}

/* ---- fits ---- */

static void put_shape(FILE *stream, const struct hc_fit *fit)
{
    char text[3 * HC_NUMBER_TEXT] = "-";
    if (isfinite(fit->shape_low))
        snprintf(text, sizeof text, "%.3f (%.3f-%.3f)", fit->shape, fit->shape_low,
                 fit->shape_high);
    else if (isfinite(fit->shape))
        snprintf(text, sizeof text, "%.3f", fit->shape);
    fprintf(stream, "%-22s", text);
}

/* The best family, then by how much the AICc of the others is above its own. */
static void put_fits(FILE *stream, const struct hc_fits *fits, int64_t n, const char *lacks)
{
    char mean[HC_NUMBER_TEXT], count[HC_NUMBER_TEXT];
    fprintf(stream, " %8s", hc_format_count(n, count));
    if (lacks || fits->best < 0) {
        fprintf(stream, "  %s\n", lacks ? lacks : fits->fit[0].lacks);
        return;
    }
    const struct hc_fit *best = &fits->fit[fits->best];
    fprintf(stream, "  %-11s %10s  ", hc_fit_family_name((enum hc_fit_family)fits->best),
            hc_reliability_hours(best->mean / 3600, mean));
    put_shape(stream, best);
    fprintf(stream, " %6.3f  ", best->distance);
    int n_put = 0;
    for (int i = 0; i < HC_N_FIT_FAMILIES; i++) {
        if (i == fits->best || !isfinite(fits->fit[i].aicc))
            continue;
        fprintf(stream, "%s%s +%.1f", n_put++ ? ", " : "",
                hc_fit_family_name((enum hc_fit_family)i), fits->fit[i].aicc - best->aicc);
    }
    fputs(n_put ? "" : "-", stream);
    fputc('\n', stream);
}

static const char *group_name(const struct hc_reliability_report *report, int32_t source,
                              int32_t group)
{
    if (source < 0)
        return "all groups";
    const char *name = hc_reliability_name(report, HC_NAMES_GROUP, group);
    return name ? name : "(no group)";
}

static void put_fit_table(const struct hc_reliability_report *report, FILE *stream, bool of_repair)
{
    const struct hc_group_fits *fits = report->fits;
    fprintf(stream, "\n%-*s %8s  %-11s %10s  %-22s %6s  %s\n", WIDTH,
            of_repair ? "time to repair" : "time in use to failure",
            of_repair ? "repairs" : "count", "best fit", "mean", "shape (95 %)", "KS",
            "AICc of the others");
    for (size_t i = 0; i < fits->n; i++) {
        const struct hc_group_fit *fit = &fits->rows[i];
        put_name(stream, group_name(report, fit->source, fit->group), "");
        put_fits(stream, of_repair ? &fit->repair : &fit->between,
                 of_repair ? fit->n_repairs : fit->n_failures, of_repair ? NULL : fit->lacks);
    }
}

static void put_trends(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_group_fits *fits = report->fits;
    fprintf(stream, "\n%-*s %10s %9s\n", WIDTH, "trend (Laplace)", "statistic", "p");
    for (size_t i = 0; i < fits->n; i++) {
        const struct hc_group_fit *fit = &fits->rows[i];
        if (!fit->has_trend_test)
            continue;
        put_name(stream, group_name(report, fit->source, fit->group), "");
        fprintf(stream, " %+10.2f %9.2g%s\n", fit->trend, fit->trend_p,
                fit->trend_p >= HC_TREND_P ? ""
                : fit->trend > 0 ? "  more and more failures: a fit mixes times that differ"
                                 : "  fewer and fewer failures: a fit mixes times that differ");
    }
}

/* ---- two times ---- */

static void put_comparison(const struct hc_reliability_report *report, FILE *stream)
{
    char a[HC_NUMBER_TEXT], b[HC_NUMBER_TEXT];
    fprintf(stream, "\n%-*s %18s %18s  %-24s %9s\n", WIDTH, "failures, then and compared",
            "first (node-days)", "second (node-days)", "rate, times (95 %)", "p");
    for (int i = 0; i < HC_N_RATES; i++) {
        const struct hc_rate_comparison *c = &report->comparison[i];
        char first[2 * HC_NUMBER_TEXT], second[2 * HC_NUMBER_TEXT], ratio[96] = "-";
        snprintf(first, sizeof first, "%" PRId64 " (%s)", c->first,
                 hc_format_count((int64_t)(c->first_days + 0.5), a));
        snprintf(second, sizeof second, "%" PRId64 " (%s)", c->second,
                 hc_format_count((int64_t)(c->second_days + 0.5), b));
        if (isfinite(c->ratio.value))
            snprintf(ratio, sizeof ratio, "%.3f (%.3f-%.3f)", c->ratio.value, c->ratio.low,
                     c->ratio.high);
        put_name(stream, hc_rate_rule_name((enum hc_rate_rule)i), "");
        fprintf(stream, " %18s %18s  %-24s", first, second, ratio);
        if (isfinite(c->p_value))
            fprintf(stream, " %9.2g\n", c->p_value);
        else
            fprintf(stream, " %9s\n", "-");
    }
}

/* ---- lemons ---- */

static void put_lemon(const struct hc_reliability_report *report, const struct hc_lemon *lemon,
                      FILE *stream)
{
    char from[HC_PERIOD_TEXT], to[HC_PERIOD_TEXT];
    put_name(stream, hc_reliability_name(report, HC_NAMES_NODE, lemon->node), "");
    fprintf(stream, " %s to %s %8" PRId64 " %6" PRId64 " %9.1f %7.4f  ",
            hc_reliability_day(lemon->from_ns, report->is_relative, from),
            hc_reliability_day(lemon->to_ns, report->is_relative, to), lemon->n_failures,
            lemon->n_shared, lemon->per_1000, lemon->probability);
    const char *cause = hc_incident_cause_info((enum hc_incident_cause)lemon->cause)->name;
    if (lemon->n_causes > 1)
        fprintf(stream, "%s and %d more\n", cause, (int)lemon->n_causes - 1);
    else
        fprintf(stream, "%s\n", cause);
}

static void put_lemons(const struct hc_reliability_report *report, FILE *stream)
{
    const struct hc_lemons *lemons = report->lemons;
    char a[HC_NUMBER_TEXT];
    fprintf(stream,
            "\nlemons: %zu of %s windows of %.6g days of a node, in which its rate is above %.6g "
            "times that of its group;\n  %.1f of them are expected to be none (limit %.4g %%)\n",
            lemons->n_named, hc_format_count(lemons->n_windows, a), lemons->options.window_days,
            lemons->options.factor, lemons->expected_false, 100 * lemons->options.fdr);
    if (!lemons->n_named)
        return;
    fprintf(stream, "%-*s %-24s %8s %6s %9s %7s  %s\n", WIDTH, "node", "window", "failures",
            "shared", "per 1,000", "prob.", "causes");
    for (size_t i = 0; i < lemons->n_named && i < MAX_LEMONS; i++)
        put_lemon(report, &lemons->rows[i], stream);
    if (lemons->n_named > MAX_LEMONS)
        fprintf(stream, "and %zu more, which --json lists\n", lemons->n_named - MAX_LEMONS);
}

void hc_reliability_write_analysis_text(const struct hc_reliability_report *report, FILE *stream)
{
    if (report->comparison)
        put_comparison(report, stream);
    if (report->fits) {
        put_fit_table(report, stream, false);
        put_fit_table(report, stream, true);
        put_trends(report, stream);
    }
    if (report->lemons)
        put_lemons(report, stream);
}
