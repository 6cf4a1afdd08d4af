#include "models/fit/fault_fit.h"

#include "core/base/memory.h"
#include "models/stats/poisson_interval.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"
#include "models/stats/survival_posterior.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DRAWS 1000
/* Twice the gain of the logarithm of the likelihood, above which a shape is taken: a chi-square of
 * one degree exceeds it in one of a hundred cases. */
#define MOST_GAIN      6.635
#define LEAST_RENEWALS 10
#define LEAST_EXPECTED 5.0
#define DAY_NS         ((int64_t)86400 * 1000000000)
#define RARE           "rare_causes"

/* ---- incidents ---- */

/* A group of strikes: a cause, and whether it took several nodes. */
static int64_t group_of(const struct hc_fit_strike *strike)
{
    return 2 * (int64_t)strike->cause + (strike->n_hit > 1);
}

/* Strikes are in order of time: the last incident of a group is the one to look at. A single
 * node's incident has one node only, where that is known. */
static enum hc_status number_incidents(struct hc_fault_fits *fits,
                                       const struct hc_fit_records *records, struct hc_error *err)
{
    size_t n_groups = 2 * records->causes.n;
    int64_t *last = hc_new_array(n_groups, sizeof *last, err);
    if (!last)
        return err->status;
    for (size_t g = 0; g < n_groups; g++)
        last[g] = -1;
    for (size_t i = 0; i < records->n_strikes; i++) {
        const struct hc_fit_strike *strike = &records->strikes[i];
        int64_t before = last[group_of(strike)];
        const struct hc_fit_strike *other = before < 0 ? NULL : &records->strikes[before];
        bool is_same = other && strike->time_ns - other->time_ns <= HC_FIT_INCIDENT_NS &&
                       (strike->n_hit > 1 || strike->node == other->node);
        fits->incident[i] = is_same ? fits->incident[before] : fits->n_incidents++;
        last[group_of(strike)] = (int64_t)i;
    }
    free(last);
    return HC_OK;
}

/* ---- causes ---- */

/* Of each group its incidents so far, and the fit that it goes to. */
struct group {
    int64_t n_incidents, last;
    int32_t fit;
};

static void name_fit(struct hc_fault_fit *fit, const struct hc_fit_records *records, size_t group)
{
    const char *cause = records->causes.text[group / 2];
    snprintf(fit->name, sizeof fit->name, "%.50s%s", cause, group % 2 ? "_domain" : "");
}

static int compare_fits(const void *a, const void *b)
{
    const struct hc_fault_fit *x = a, *y = b;
    int x_last = strcmp(x->name, RARE) == 0, y_last = strcmp(y->name, RARE) == 0;
    return x_last != y_last ? x_last - y_last : strcmp(x->name, y->name);
}

static void count_groups(struct group *groups, const struct hc_fault_fits *fits,
                         const struct hc_fit_records *records)
{
    for (size_t i = 0; i < records->n_strikes; i++) {
        struct group *group = &groups[group_of(&records->strikes[i])];
        group->n_incidents += group->n_incidents == 0 || fits->incident[i] != group->last;
        group->last = fits->incident[i];
    }
}

/* A fit for each group that has enough, one for the others. */
static void choose_fits(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                        const struct group *groups, int64_t least)
{
    bool has_others = false;
    for (size_t g = 0; g < 2 * records->causes.n; g++) {
        has_others |= groups[g].n_incidents > 0 && groups[g].n_incidents < least;
        if (groups[g].n_incidents > 0 && groups[g].n_incidents >= least)
            name_fit(&fits->fit[fits->n++], records, g);
    }
    if (has_others)
        snprintf(fits->fit[fits->n++].name, sizeof fits->fit->name, RARE);
    if (fits->n)
        qsort(fits->fit, fits->n, sizeof *fits->fit, compare_fits);
}

static int32_t fit_named(const struct hc_fault_fits *fits, const char *name)
{
    int32_t i = 0;
    while (strcmp(fits->fit[i].name, name) != 0)
        i++;
    return i;
}

static void assign(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                   struct group *groups, int64_t least)
{
    for (size_t g = 0; g < 2 * records->causes.n; g++) {
        struct hc_fault_fit named;
        if (groups[g].n_incidents == 0)
            continue;
        name_fit(&named, records, g);
        groups[g].fit = fit_named(fits, groups[g].n_incidents < least ? RARE : named.name);
    }
    for (size_t i = 0; i < records->n_strikes; i++)
        fits->of_strike[i] = groups[group_of(&records->strikes[i])].fit;
}

/* ---- rates ---- */

double hc_fault_independent(const struct hc_fault_fit *fit)
{
    double n = floor(fit->n_counted / fit->dispersion + 1e-9);
    return n > 1 ? n : 1;
}

static int compare_counts(const void *a, const void *b)
{
    int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
    return (x > y) - (x < y);
}

/* Strikes of each incident of a fit, ascending by incident: sum of squares, and their nodes. */
static double sum_squares(const struct hc_fault_fits *fits, const struct hc_fit_records *records,
                          int32_t fit, int64_t *numbers, int64_t *hit)
{
    size_t n = 0;
    double sum = 0;
    for (size_t i = 0; i < records->n_strikes; i++)
        if (fits->of_strike[i] == fit) {
            hit[n] = records->strikes[i].n_hit;
            numbers[n++] = fits->incident[i];
        }
    if (n)
        qsort(numbers, n, sizeof *numbers, compare_counts);
    if (n)
        qsort(hit, n, sizeof *hit, compare_counts);
    for (size_t i = 0, m; i < n; i += m) {
        for (m = 1; i + m < n && numbers[i + m] == numbers[i]; m++)
            ;
        fits->fit[fit].n_incidents++;
        sum += (double)m * (double)m;
    }
    fits->fit[fit].domain_nodes = n ? (double)hit[n / 2] : 1;
    return sum;
}

static double domain_days(const struct hc_fit_records *records, double domain_nodes)
{
    double days = 0;
    for (size_t i = 0; i < records->n_sizes; i++) {
        double nodes = records->sizes[i].nodes;
        days += records->sizes[i].node_days / nodes * ceil(nodes / domain_nodes);
    }
    return days;
}

/* Incidents of each day that is kept apart, counted once, at their first strike. */
static void count_days(int64_t *counts, const struct hc_fault_fits *fits,
                       const struct hc_fit_records *records)
{
    int64_t n_seen = 0; /* incidents are numbered in order of their first strike */
    for (size_t i = 0; i < records->n_strikes; i++) {
        int64_t day = records->strikes[i].time_ns / DAY_NS - records->first_day;
        if (fits->incident[i] < n_seen)
            continue;
        n_seen = fits->incident[i] + 1;
        if (day >= 0 && day < (int64_t)records->n_days)
            counts[day]++;
    }
}

/* How much more than Poisson numbers incidents vary: Pearson's statistic over spans of days that
 * expect LEAST_EXPECTED each, over its degrees of freedom; 1 unless that many or more would come by
 * chance in less than one of twenty cases. */
static double burst_index(const int64_t *counts, const struct hc_fit_records *records)
{
    double n = 0, days = 0, seen = 0, used = 0, pearson = 0;
    int spans = 0;
    for (size_t d = 0; d < records->n_days; d++) {
        n += (double)counts[d];
        days += records->day_use_days[d];
    }
    double least = n > 0 ? LEAST_EXPECTED * days / n : INFINITY; /* node-days of a span */
    for (size_t d = 0; d < records->n_days; d++) {
        seen += (double)counts[d];
        used += records->day_use_days[d];
        if (used < least)
            continue;
        double expected = n * used / days;
        pearson += (seen - expected) * (seen - expected) / expected;
        spans++;
        seen = used = 0;
    }
    double freedom = spans - 1;
    bool varies = spans > 2 && hc_sf_gamma_upper(freedom / 2, pearson / 2) < 0.05;
    return varies && pearson > freedom ? hc_round_digits(pearson / freedom, HC_STATS_DIGITS) : 1;
}

static enum hc_status find_bursts(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                                  struct hc_error *err)
{
    int64_t *counts = hc_new_array(records->n_days, sizeof *counts, err);
    if (!counts)
        return err->status;
    count_days(counts, fits, records);
    fits->bursts = burst_index(counts, records);
    free(counts);
    return HC_OK;
}

/* squares: of the strikes of each incident, the sum; bursts: how much incidents vary. */
static void take_rate(struct hc_fault_fit *fit, double squares, double bursts)
{
    bool is_domain = fit->domain_nodes > 1;
    double n = (double)(is_domain ? fit->n_strikes : fit->n_incidents), low, high;
    fit->rate = hc_no_estimate;
    fit->n_counted = n;
    fit->dispersion = bursts * (is_domain ? hc_round_digits(squares / n, HC_STATS_DIGITS) : 1);
    if (fit->exposure_days <= 0)
        return;
    double independent = hc_fault_independent(fit);
    hc_poisson_interval((int64_t)independent, HC_FIT_LEVEL, &low, &high);
    double scale = 1000 * n / independent / fit->exposure_days;
    fit->rate = (struct hc_estimate){hc_round_digits(1000 * n / fit->exposure_days, HC_FIT_DIGITS),
                                     hc_round_digits(low * scale, HC_FIT_DIGITS),
                                     hc_round_digits(high * scale, HC_FIT_DIGITS)};
}

/* ---- renewals ---- */

static enum hc_status take_weibull(struct hc_fault_fit *fit, const struct hc_fit *weibull,
                                   const struct hc_survival *times, uint64_t stream,
                                   struct hc_error *err)
{
    double *scale = hc_new_array(2 * DRAWS, sizeof *scale, err);
    if (!scale)
        return err->status;
    double *shape = scale + DRAWS;
    enum hc_status status =
        hc_fit_posterior(HC_FIT_WEIBULL, weibull, times, stream, DRAWS, scale, shape, err);
    if (!status) {
        for (int i = 0; i < DRAWS; i++)
            scale[i] = hc_fit_mean(HC_FIT_WEIBULL, scale[i], shape[i]) / 3600;
        fit->is_weibull = true;
        fit->mean_h = hc_estimate_of_draws(weibull->mean / 3600, scale, DRAWS);
        fit->shape = hc_estimate_of_draws(weibull->shape, shape, DRAWS);
    }
    free(scale);
    return status;
}

/* Strikes of a fit on nodes that are known, an incident on a node once. */
static size_t strikes_of(struct hc_node_strike *out, const struct hc_fault_fits *fits,
                         const struct hc_fit_records *records, int32_t fit)
{
    size_t n = 0;
    int64_t last = -1;
    for (size_t i = 0; i < records->n_strikes; i++) {
        const struct hc_fit_strike *strike = &records->strikes[i];
        if (fits->of_strike[i] != fit)
            continue;
        if (strike->node < 0)
            fits->fit[fit].n_without_node++;
        else if (fits->incident[i] != last)
            out[n++] = (struct hc_node_strike){strike->node, strike->time_ns};
        last = fits->incident[i];
    }
    return n;
}

static enum hc_status fit_renewals(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                                   int32_t which, struct hc_node_strike *strikes,
                                   struct hc_error *err)
{
    struct hc_fault_fit *fit = &fits->fit[which];
    struct hc_survival times = {.n = 0};
    struct hc_fits found;
    size_t n = strikes_of(strikes, fits, records, which);
    fit->n_renewals = (int64_t)n;
    if (fit->domain_nodes > 1 || fit->n_without_node || !records->has_all_uses ||
        n < LEAST_RENEWALS)
        return HC_OK;
    enum hc_status status =
        hc_node_renewals_add(&times, records->uses, records->n_uses, strikes, n, err);
    hc_survival_finish(&times);
    if (!status)
        status = hc_fit_survival(&found, &times, err);
    const struct hc_fit *weibull = &found.fit[HC_FIT_WEIBULL];
    if (!status && !weibull->lacks && !found.fit[HC_FIT_EXPONENTIAL].lacks) {
        fit->gain = 2 * (weibull->log_likelihood - found.fit[HC_FIT_EXPONENTIAL].log_likelihood);
        if (fit->gain > MOST_GAIN && weibull->shape > 0.05 && weibull->shape < 100)
            status = take_weibull(fit, weibull, &times, 1000 + (uint64_t)which, err);
    }
    hc_survival_fini(&times);
    return status;
}

/* ---- all ---- */

struct hc_fault_fit hc_fault_total(const struct hc_fault_fits *fits,
                                   const struct hc_fit_records *records)
{
    struct hc_fault_fit total = {.name = "all",
                                 .n_strikes = (int64_t)records->n_strikes,
                                 .n_incidents = fits->n_incidents,
                                 .domain_nodes = 1,
                                 .exposure_days = records->use_days,
                                 .gain = NAN,
                                 .mean_h = hc_no_estimate,
                                 .shape = hc_no_estimate};
    for (size_t i = 0; i < fits->n; i++)
        total.n_likely += fits->fit[i].n_likely;
    take_rate(&total, 0, fits->bursts);
    return total;
}

static enum hc_status fit_all(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                              struct hc_error *err)
{
    int64_t *numbers = hc_new_array(records->n_strikes, sizeof *numbers, err);
    int64_t *hit = numbers ? hc_new_array(records->n_strikes, sizeof *hit, err) : NULL;
    struct hc_node_strike *strikes =
        hit ? hc_new_array(records->n_strikes, sizeof *strikes, err) : NULL;
    enum hc_status status = strikes ? HC_OK : err->status;
    for (size_t i = 0; i < records->n_strikes && !status; i++) {
        struct hc_fault_fit *fit = &fits->fit[fits->of_strike[i]];
        fit->n_strikes++;
        fit->n_likely += records->strikes[i].is_likely;
    }
    for (size_t k = 0; k < fits->n && !status; k++) {
        struct hc_fault_fit *fit = &fits->fit[k];
        fit->gain = NAN;
        fit->mean_h = fit->shape = hc_no_estimate;
        double squares = sum_squares(fits, records, (int32_t)k, numbers, hit);
        fit->domain_nodes = strcmp(fit->name, RARE) == 0 ? 1 : fit->domain_nodes;
        fit->exposure_days =
            fit->domain_nodes > 1 ? domain_days(records, fit->domain_nodes) : records->use_days;
        take_rate(fit, squares, fits->bursts);
        status = fit_renewals(fits, records, (int32_t)k, strikes, err);
    }
    free(numbers);
    free(hit);
    free(strikes);
    return status;
}

enum hc_status hc_fault_fits_make(struct hc_fault_fits *fits, const struct hc_fit_records *records,
                                  int64_t least, struct hc_error *err)
{
    size_t n_groups = 2 * records->causes.n;
    *fits = (struct hc_fault_fits){.n = 0};
    struct group *groups = hc_new_array(n_groups, sizeof *groups, err);
    fits->fit = groups ? hc_new_array(n_groups + 1, sizeof *fits->fit, err) : NULL;
    fits->of_strike =
        fits->fit ? hc_new_array(records->n_strikes, sizeof *fits->of_strike, err) : NULL;
    fits->incident =
        fits->of_strike ? hc_new_array(records->n_strikes, sizeof *fits->incident, err) : NULL;
    enum hc_status status = fits->incident ? number_incidents(fits, records, err) : err->status;
    if (!status)
        status = find_bursts(fits, records, err);
    if (!status) {
        count_groups(groups, fits, records);
        choose_fits(fits, records, groups, least);
        assign(fits, records, groups, least);
        status = fit_all(fits, records, err);
    }
    free(groups);
    return status;
}

void hc_fault_fits_fini(struct hc_fault_fits *fits)
{
    free(fits->fit);
    free(fits->of_strike);
    free(fits->incident);
    *fits = (struct hc_fault_fits){.n = 0};
}
