/* Sums that should agree, and sources that should have spoken. */
#include "models/findings/findings_judge.h"

#include "core/random/stable_math.h"
#include "models/stats/rounding.h"

#define LEAST_SCALE_H 1.0 /* hours by which the age of a source may differ from night to night */

/* No chance here: it differs by more than the limit, or not. */
enum hc_status hc_judge_sums(const struct hc_finding_batch *batch, struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < batch->n; i++) {
        const struct hc_finding_series *series = batch->series[i];
        if (!hc_finding_is_watched(series, batch->day))
            continue;
        double ours = series->amount[batch->day], theirs = series->exposure[batch->day];
        bool differs = fabs(ours - theirs) > batch->options->reconciliation_limit * theirs;
        batch->verdicts[i] = (struct hc_finding_verdict){.is_tested = true,
                                                         .p_value = differs ? 0 : 1,
                                                         .probability = NAN,
                                                         .value = ours,
                                                         .expected = theirs,
                                                         .dispersion = NAN,
                                                         .window_days = 1};
    }
    return HC_OK;
}

/* The ages of the baseline above the least of them are taken as exponential, with a mean that
 * explains their mean and the largest of them; the mean is known from n ages. */
static void judge_source(const struct hc_finding_batch *batch, size_t i)
{
    const struct hc_finding_series *series = batch->series[i];
    double least = INFINITY, most = 0, sum = 0;
    int n = 0, to = batch->day - HC_FINDING_RECENT_DAYS + 1;
    for (int day = hc_finding_first_day(to - 1, batch->options->baseline_days); day < to; day++) {
        if (!hc_finding_is_watched(series, day))
            continue;
        least = fmin(least, series->amount[day]);
        most = fmax(most, series->amount[day]);
        sum += series->amount[day];
        n++;
    }
    if (n < (batch->options->least_baseline + 1) / 2 || !hc_finding_is_watched(series, batch->day))
        return;
    double scale = fmax(sum / n - least, (most - least) / hc_stable_log(n + 1));
    scale = fmax(scale, LEAST_SCALE_H);
    double beyond = fmax(0, series->amount[batch->day] - least) / (n * scale);
    double p = hc_stable_exp(-n * hc_stable_log(1 + beyond));
    batch->verdicts[i] = (struct hc_finding_verdict){
        .is_tested = true,
        .p_value = series->amount[batch->day] > most ? hc_round_digits(p, HC_STATS_DIGITS) : 1,
        .probability = NAN,
        .value = series->amount[batch->day],
        .expected = most,
        .dispersion = NAN,
        .window_days = 1,
        .n_baseline = n};
}

enum hc_status hc_judge_sources(const struct hc_finding_batch *batch, struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < batch->n; i++)
        judge_source(batch, i);
    return HC_OK;
}
