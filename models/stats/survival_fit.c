#include "models/stats/survival_fit.h"

#include "core/base/memory.h"
#include "core/random/gamma_function.h"
#include "core/random/stable_math.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"
#include "models/stats/survival_families.h"

#include <math.h>
#include <stdlib.h>

#define NORMAL_975 1.95996398454005423552 /* HC_FIT_LEVEL, both sides */
/* Second differences of a likelihood are noise from the seventh digit on. */
#define INTERVAL_DIGITS 6
/* A root of first differences is as good as this. */
#define RESIDUAL_DIGITS 7

/* ---- how good, how sure ---- */

/* Interval of a parameter whose logarithm has this variance. */
static void spread(double value, double variance, double *low, double *high)
{
    double factor = variance > 0 ? hc_stable_exp(NORMAL_975 * sqrt(variance)) : NAN;
    *low = hc_round_digits(value / factor, INTERVAL_DIGITS);
    *high = hc_round_digits(value * factor, INTERVAL_DIGITS);
}

/* From the second differences of the likelihood in the logarithms of both parameters, over steps of
 * about a tenth of their spread. */
static void take_intervals(struct hc_fit *fit, enum hc_fit_family family,
                           const struct hc_survival *survival)
{
    if (family == HC_FIT_EXPONENTIAL) {
        spread(fit->scale, 1 / (double)survival->n_events, &fit->scale_low, &fit->scale_high);
        return;
    }
    double step = 0.1 / sqrt((double)survival->n_events), at[3][3];
    step = step < 1e-3 ? 1e-3 : step > 0.02 ? 0.02 : step;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            at[i][j] =
                hc_fit_log_likelihood(family, survival, fit->scale * hc_stable_exp((i - 1) * step),
                                      fit->shape * hc_stable_exp((j - 1) * step));
    double square = step * step;
    double a = (2 * at[1][1] - at[0][1] - at[2][1]) / square,
           b = (2 * at[1][1] - at[1][0] - at[1][2]) / square,
           c = (at[0][2] + at[2][0] - at[0][0] - at[2][2]) / (4 * square), d = a * b - c * c;
    bool is_maximum = a > 0 && b > 0 && d > 0;
    spread(fit->scale, is_maximum ? b / d : NAN, &fit->scale_low, &fit->scale_high);
    spread(fit->shape, is_maximum ? a / d : NAN, &fit->shape_low, &fit->shape_high);
}

/* Largest distance of the fit from the curve of Kaplan and Meier, on either side of its steps. */
static double distance(const struct hc_fit *fit, enum hc_fit_family family,
                       const struct hc_survival *survival)
{
    int64_t n_whole = survival->n_events + survival->n_censored - survival->n_residual;
    double left = (double)n_whole, above = 1, most = 0;
    bool has_any = false;
    for (size_t i = 0; i < survival->n; i++) {
        const struct hc_survival_time *time = &survival->times[i];
        double count = (double)time->count;
        if (time->is_residual)
            continue;
        if (!time->is_censored) {
            has_any = true;
            double fitted =
                hc_stable_exp(hc_fit_log_survival(family, fit->scale, fit->shape, time->time));
            double before = fabs(fitted - above);
            above *= 1 - count / left;
            double after = fabs(fitted - above);
            most = before > most ? before : most;
            most = after > most ? after : most;
        }
        left -= count;
    }
    return has_any ? most : NAN;
}

static void judge(struct hc_fit *fit, enum hc_fit_family family, const struct hc_survival *survival)
{
    double parameters = family == HC_FIT_EXPONENTIAL ? 1 : 2;
    fit->mean = hc_round_digits(hc_fit_mean(family, fit->scale, fit->shape), HC_STATS_DIGITS);
    fit->log_likelihood = hc_round_digits(
        hc_fit_log_likelihood(family, survival, fit->scale, fit->shape), HC_STATS_DIGITS);
    fit->aic = 2 * parameters - 2 * fit->log_likelihood;
    fit->bic = parameters * hc_stable_log((double)survival->n_events) - 2 * fit->log_likelihood;
    double left = (double)survival->n_events - parameters - 1;
    fit->aicc = left > 0 ? fit->aic + 2 * parameters * (parameters + 1) / left : INFINITY;
    fit->distance = hc_round_digits(distance(fit, family, survival), HC_STATS_DIGITS);
    take_intervals(fit, family, survival);
}

/* ---- all of them ---- */

static enum hc_status gather(struct hc_fit_data *data, const struct hc_survival *survival,
                             struct hc_error *err)
{
    *data = (struct hc_fit_data){.unit = survival->times[survival->n - 1].time};
    data->rows = hc_new_array(survival->n, sizeof *data->rows, err);
    data->cut = hc_new_array(survival->n, sizeof *data->cut, err);
    if (!data->rows || !data->cut)
        return err->status;
    for (size_t i = 0; i < survival->n; i++) {
        const struct hc_survival_time *time = &survival->times[i];
        double unit_time = time->time / data->unit, count = (double)time->count;
        struct hc_fit_row row = {unit_time, hc_stable_log(unit_time), count};
        data->sum += count * unit_time;
        if (time->is_censored) {
            data->cut[data->n_cut++] = row;
            continue;
        }
        data->rows[data->n++] = row;
        data->n_events += count;
        data->sum_events += count * unit_time;
        data->sum_log += count * row.log_time;
    }
    return HC_OK;
}

/* Without a time that differs from all others, a shape has no maximum. */
static bool do_differ(const struct hc_survival *survival)
{
    for (size_t i = 0; i < survival->n; i++)
        if (!survival->times[i].is_censored)
            return i + 1 < survival->n;
    return false;
}

static void fit_family(struct hc_fit *fit, enum hc_fit_family family,
                       const struct hc_fit_data *data, const struct hc_survival *survival)
{
    static bool (*const ways[HC_N_FIT_FAMILIES])(const struct hc_fit_data *, double *, double *) = {
        [HC_FIT_WEIBULL] = hc_fit_weibull,
        [HC_FIT_GAMMA] = hc_fit_gamma,
        [HC_FIT_LOGNORMAL] = hc_fit_lognormal,
    };
    double scale = data->sum / data->n_events, shape = NAN;
    if (family != HC_FIT_EXPONENTIAL && survival->n_events < 2)
        fit->lacks = "one time is too few";
    else if (family != HC_FIT_EXPONENTIAL && !do_differ(survival))
        fit->lacks = "the times do not differ";
    else if (ways[family] &&
             !(survival->n_residual ? hc_fit_with_residuals(family, survival, &scale, &shape)
                                    : ways[family](data, &scale, &shape)))
        fit->lacks = "the likelihood has no maximum";
    if (fit->lacks)
        return;
    /* Rounded before they are judged, so that what is reported is what a simulation draws with. */
    if (family == HC_FIT_EXPONENTIAL || !survival->n_residual)
        scale *= data->unit;
    int digits = survival->n_residual ? RESIDUAL_DIGITS : HC_FIT_DIGITS;
    fit->scale = hc_round_digits(scale, digits);
    fit->shape = hc_round_digits(shape, digits);
    judge(fit, family, survival);
}

enum hc_status hc_fit_survival(struct hc_fits *fits, const struct hc_survival *survival,
                               struct hc_error *err)
{
    struct hc_fit_data data = {.n = 0};
    const struct hc_fit none = {NULL, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
    fits->best = -1;
    enum hc_status status = survival->n_events ? gather(&data, survival, err) : HC_OK;
    for (int i = 0; i < HC_N_FIT_FAMILIES && !status; i++) {
        struct hc_fit *fit = &fits->fit[i];
        *fit = none;
        if (!survival->n_events)
            fit->lacks = "nothing happened";
        else
            fit_family(fit, (enum hc_fit_family)i, &data, survival);
        if (!fit->lacks && (fits->best < 0 || fit->aicc < fits->fit[fits->best].aicc))
            fits->best = i;
    }
    free(data.rows);
    free(data.cut);
    return status;
}
