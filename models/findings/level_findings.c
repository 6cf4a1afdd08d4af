/* Whether a level (of start-up times, of waits, of an ETTR) is worse than it was.
 *
 * What is usual on a day: the median of the baseline, with weekdays and trend where they are asked
 * for. How far days lie from that says how far one may lie by chance. It takes a day far out, two
 * or three in a row, or most of seven; each of these ways has a part of what may be false. A day
 * alone is never enough for the ETTR of a run: one failure takes that much, and is an incident.
 *
 * A trend is the median of the slopes between the same weekdays (Hirsch, Slack and Smith, Water
 * Resources Research 18 (1982) 107-121); it is followed only where it expects worse, so that a past
 * that fell is not taken to go on falling.
 *
 * The tail of a day is the larger of two: Student's t, with the errors of the day and of what is
 * usual, and the worst fifth of the baseline as exponential excesses (peaks over a threshold, with
 * the predictive distribution for so few), since failures make the days of a run anything but
 * normal.
 *
 * Of a run there may be two levels: its ETTR, and what was productive of the time that its stops
 * did not take. Failures make the days of the first differ; the second hardly notices them, and
 * shows within two days what slows each hour a little. Each may spend half of what the run may.
 */
#include "models/findings/findings_judge.h"

#include "core/base/select.h"
#include "core/random/stable_math.h"
#include "models/stats/rounding.h"
#include "models/stats/student.h"

#include <string.h>

#define MOST_DAYS       HC_FINDING_MOST_BASELINE
#define LEVEL_DAYS      28
#define MOST_FREEDOM    20.0 /* of Student's t: the tails of real days are no normal ones */
#define ONE_DAY_FREEDOM 4.0  /* one day alone must lie very far out */
#define MOST_SERIAL     0.9
#define LEAST_VALUES    5.0  /* of a day with times */
#define LEAST_HELD      0.25 /* GPU-hours of a day of a run, over the median */
#define USUAL_SHARE     0.05 /* of the past may have been as bad */
#define TAIL_SHARE      0.2  /* of the baseline: its worst days */
#define TAIL_SHAPE      0.1  /* their tail is a little heavier than exponential */
#define SPREAD_SHARE    0.7  /* of the standard deviation that counts where days far out are many */
#define FEW_SLOPES      20

/* So many of the last days each above what is usual. */
struct way {
    int days, needed;
    double orders; /* in which that many of these days can be chosen */
    double share;  /* of what may be false */
};
#define N_WAYS 4
static const struct way time_ways[N_WAYS] = {
    {1, 1, 1, 0.2}, {2, 2, 1, 0.5}, {3, 3, 1, 0.1}, {7, 4, 35, 0.2}};
static const struct way run_ways[N_WAYS] = {
    {2, 2, 1, 0.4}, {3, 3, 1, 0.2}, {7, 5, 21, 0.2}, {7, 6, 7, 0.2}};

struct level_day {
    int day, weekday;
    double value; /* higher is worse */
    double error2;
    double excess; /* over what is usual */
};

struct level_past {
    int n;
    struct level_day days[MOST_DAYS + HC_FINDING_RECENT_DAYS]; /* baseline, then n_recent */
    int n_recent;
    bool has_weekdays;
    double weekday[7];
    int n_weekday[7];
    double middle, spread, slope, level, recent_level;
    double sd, error2; /* of days; of it, the mean square of what is within a day */
    double serial;     /* correlation of a day with the next */
    double freedom;
    double tail_from, tail_mean, n_tail; /* of the worst days: the excess of the best of them, and
                                            by how much the others are above it */
};

/* ---- the days ---- */

static double worse_is_higher(const struct hc_finding_series *series, int day)
{
    return series->kind == HC_FINDING_RUN_ETTR ? -series->amount[day] / series->exposure[day]
                                               : series->amount[day];
}

static double least_exposure(const struct hc_finding_series *series, int from, int to)
{
    double held[MOST_DAYS + HC_FINDING_RECENT_DAYS];
    size_t n = 0;
    if (series->kind != HC_FINDING_RUN_ETTR)
        return LEAST_VALUES;
    for (int day = from; day <= to; day++)
        if (hc_finding_is_watched(series, day))
            held[n++] = series->exposure[day];
    return n ? LEAST_HELD * hc_median(held, n) : 0;
}

static void take_days(struct level_past *past, const struct hc_finding_batch *batch,
                      const struct hc_finding_series *series)
{
    int n_days = batch->options->baseline_days + HC_FINDING_RECENT_DAYS;
    int from = hc_finding_first_day(batch->day, n_days);
    double least = least_exposure(series, from, batch->day);
    for (int day = from; day <= batch->day; day++) {
        double error = series->error ? series->error[day] : 0;
        if (!hc_finding_is_watched(series, day) || series->exposure[day] < least ||
            !isfinite(error) || error < 0)
            continue;
        struct level_day *to = &past->days[past->n + past->n_recent];
        *to = (struct level_day){.day = day,
                                 .weekday = hc_finding_weekday(batch->input, day),
                                 .value = worse_is_higher(series, day),
                                 .error2 = error * error};
        if (day > batch->day - HC_FINDING_RECENT_DAYS)
            past->n_recent++;
        else
            past->n++;
    }
}

/* ---- what is usual ---- */

static void find_slope(struct level_past *past)
{
    double slopes[MOST_DAYS * (MOST_DAYS / 7 + 1) / 2], sum = 0;
    size_t n = 0;
    for (int i = 0; i < past->n; i++)
        sum += past->days[i].day;
    past->middle = sum / past->n;
    for (int i = 0; i < past->n; i++) {
        const struct level_day *a = &past->days[i];
        past->spread += (a->day - past->middle) * (a->day - past->middle);
        for (int j = i + 1; j < past->n && past->has_weekdays; j++) {
            const struct level_day *b = &past->days[j];
            if (a->weekday == b->weekday)
                slopes[n++] = (b->value - a->value) / (b->day - a->day);
        }
    }
    past->slope = n >= FEW_SLOPES ? hc_median(slopes, n) : 0;
}

static double usual_on(const struct level_past *past, const struct level_day *day)
{
    double weekday = past->weekday[day->weekday];
    double trend = past->level + past->slope * (day->day - past->middle);
    return trend + weekday;
}

/* The medians of the weekdays about the level, held near 0 as by one day more. */
static void find_weekdays(struct level_past *past)
{
    double values[MOST_DAYS];
    for (int k = 0; k < 7 && past->has_weekdays; k++) {
        size_t n = 0;
        for (int i = 0; i < past->n; i++)
            if (past->days[i].weekday == k)
                values[n++] = past->days[i].value - usual_on(past, &past->days[i]);
        past->n_weekday[k] = (int)n;
        past->weekday[k] = n >= 3 ? hc_median(values, n) * (double)n / ((double)n + 1) : 0;
    }
}

static double median_level(const struct level_past *past, int first, double slope)
{
    double values[MOST_DAYS];
    size_t n = 0;
    for (int i = first; i < past->n; i++) {
        const struct level_day *day = &past->days[i];
        values[n++] = day->value - past->weekday[day->weekday] - slope * (day->day - past->middle);
    }
    return hc_median(values, n);
}

static double fitted_numbers(const struct level_past *past)
{
    return past->has_weekdays ? 8 : 1;
}

/* The spread of days about what is usual: of their middle half, or of all where those far out are
 * many. */
static void find_spread(struct level_past *past)
{
    double values[MOST_DAYS], squares = 0, together = 0, errors2 = 0;
    for (int i = 0; i < past->n; i++) {
        struct level_day *day = &past->days[i];
        day->excess = day->value - usual_on(past, day);
        values[i] = fabs(day->excess);
        squares += day->excess * day->excess;
        errors2 += day->error2;
        if (i && past->days[i - 1].day == day->day - 1)
            together += past->days[i - 1].excess * day->excess;
    }
    double n = past->n, free_days = fmax(n - fitted_numbers(past), 3);
    double middle = HC_MAD_TO_SD * hc_median(values, (size_t)past->n);
    past->sd = fmax(middle, SPREAD_SHARE * sqrt(squares / n)) * sqrt(n / free_days);
    past->error2 = errors2 / n;
    /* Fitted days resemble each other less than they did. */
    double serial = squares > 0 ? together / squares + fitted_numbers(past) / n / 2 : 0;
    past->serial = fmin(fmax(serial, 0), MOST_SERIAL);
    double r2 = past->serial * past->serial;
    past->freedom = fmin(MOST_FREEDOM, fmax(3, free_days * (1 - r2) / (1 + r2)));
}

static void find_tail(struct level_past *past)
{
    double values[MOST_DAYS], sum = 0;
    for (int i = 0; i < past->n; i++)
        values[i] = past->days[i].excess;
    hc_sort(values, (size_t)past->n);
    int first = past->n - 1 - (int)ceil(TAIL_SHARE * past->n);
    for (int i = first + 1; i < past->n; i++)
        sum += values[i] - values[first];
    past->n_tail = past->n - 1 - first;
    past->tail_from = values[first];
    past->tail_mean = sum / past->n_tail;
}

static void look_back(struct level_past *past, const struct hc_finding_batch *batch,
                      const struct hc_finding_series *series)
{
    past->n = past->n_recent = 0;
    past->spread = past->slope = past->level = 0;
    memset(past->weekday, 0, sizeof past->weekday);
    memset(past->n_weekday, 0, sizeof past->n_weekday);
    past->has_weekdays = series->kind != HC_FINDING_RUN_ETTR;
    take_days(past, batch, series);
    int least = batch->options->least_baseline;
    if (past->n < (past->has_weekdays ? least : (least + 1) / 2))
        return;
    find_slope(past);
    past->level = median_level(past, 0, past->slope);
    find_weekdays(past);
    past->level = median_level(past, 0, past->slope);
    past->recent_level = median_level(past, past->n > LEVEL_DAYS ? past->n - LEVEL_DAYS : 0, 0);
    find_spread(past);
    find_tail(past);
}

/* ---- how far out ---- */

/* What is usual on a recent day: with the trend, or at the level of the last weeks, whichever
 * expects worse. */
static double most_usual_on(const struct level_past *past, const struct level_day *day)
{
    return fmax(usual_on(past, day), past->recent_level + past->weekday[day->weekday]);
}

/* The squares of the errors of that, over that of a day: of level and trend, which the days of a
 * window have together, and of the weekday. */
static double common_error(const struct level_past *past, int day)
{
    double fewer = (1 + past->serial) / (1 - past->serial), ahead = day - past->middle;
    double share = fewer * 1.5 / past->n;
    if (past->has_weekdays)
        share += fewer * ahead * ahead / fmax(past->spread, 1);
    return share;
}

static double error_of_weekday(const struct level_past *past, const struct level_day *day)
{
    return past->has_weekdays ? 1.5 / (past->n_weekday[day->weekday] + 1) : 0;
}

/* Probability of a day to be so far above what is usual. */
static double tail_of_day(const struct level_past *past, const struct level_day *day,
                          double freedom)
{
    double variance = past->sd * past->sd;
    double error2 = fmax(variance - past->error2, 0) + day->error2 +
                    variance * (common_error(past, day->day) + error_of_weekday(past, day));
    if (!(error2 > 0)) /* all days of the baseline are the same: no noise is known */
        return day->excess > 0 ? 0 : 1;
    double t = hc_round_digits(day->excess / sqrt(error2), HC_STATS_DIGITS);
    double p = hc_student_upper(freedom, t), beyond = day->excess - past->tail_from;
    if (!(past->tail_mean > 0) || beyond < 0)
        return p;
    double shape = 1 / past->n_tail + TAIL_SHAPE;
    double worst = past->n_tail / past->n *
                   hc_stable_exp(-hc_stable_log(1 + shape * beyond / past->tail_mean) / shape);
    return fmax(p, worst);
}

/* The value of rank k from the largest (0 is the largest), of few. */
static double ranked(const double *values, int n, int k)
{
    double copy[HC_FINDING_RECENT_DAYS];
    memcpy(copy, values, (size_t)n * sizeof *copy);
    return hc_select(copy, (size_t)n, (size_t)(n - 1 - k));
}

/* Whether the baseline had as many days with this excess in more than a few of its windows. */
static bool was_usual(const struct level_past *past, const struct way *way, double excess)
{
    int n = 0, n_as_bad = 0;
    for (int i = way->days - 1; i < past->n; i++) {
        double window[HC_FINDING_RECENT_DAYS];
        if (past->days[i].day - past->days[i - way->days + 1].day != way->days - 1)
            continue;
        for (int j = 0; j < way->days; j++)
            window[j] = past->days[i - j].excess;
        n++;
        n_as_bad += ranked(window, way->days, way->needed - 1) >= excess;
    }
    return n_as_bad > (int)(USUAL_SHARE * n);
}

/* Mean of the correlations of all pairs of so many days in a row. */
static double mean_correlation(const struct level_past *past, int days)
{
    double sum = 0, of_lag = past->serial;
    for (int lag = 1; lag < days; lag++, of_lag *= past->serial)
        sum += (days - lag) * of_lag;
    return days > 1 ? 2 * sum / (days * (days - 1.0)) : 0;
}

/* Normal values of one correlation r are all above a limit with about the probability of one, to
 * the power of n / (1 + (n - 1) r): the leading term of the logarithm. The days of a window have
 * the error of what is usual in common, besides what they have of each other. */
static double together(const struct level_past *past, const struct way *way, double p, int day)
{
    double common = common_error(past, day);
    double r = (mean_correlation(past, way->days) + common) / (1 + common);
    if (!(p > 0))
        return 0;
    return fmin(1, way->orders *
                       hc_stable_exp(way->needed / (1 + (way->needed - 1) * r) * hc_stable_log(p)));
}

static double judge_way(const struct level_past *past, const struct hc_finding_batch *batch,
                        const struct way *way, double least_excess)
{
    double excess[HC_FINDING_RECENT_DAYS], p[HC_FINDING_RECENT_DAYS];
    double freedom = way->days == 1 ? fmin(past->freedom, ONE_DAY_FREEDOM) : past->freedom;
    for (int i = 0; i < way->days; i++) {
        const struct level_day *day = &past->days[past->n + past->n_recent - 1 - i];
        excess[i] = day->excess;
        p[i] = tail_of_day(past, day, freedom);
    }
    double decides = ranked(excess, way->days, way->needed - 1);
    if (decides < least_excess || was_usual(past, way, decides))
        return 1;
    return together(past, way, ranked(p, way->days, way->days - way->needed), batch->day);
}

/* ---- verdicts ---- */

static double least_excess(const struct hc_finding_batch *batch)
{
    if (batch->kind == HC_FINDING_RUN_ETTR)
        return batch->options->least_fall_ettr;
    return hc_stable_log(batch->kind == HC_FINDING_STARTUP ? batch->options->least_growth_startup
                                                           : batch->options->least_growth_queue);
}

/* In the unit that people read: seconds, or a share. */
static void tell_levels(const struct level_past *past, const struct hc_finding_batch *batch,
                        struct hc_finding_verdict *verdict)
{
    double value = 0, usual = 0;
    for (int i = 0; i < verdict->window_days; i++) {
        const struct level_day *day = &past->days[past->n + past->n_recent - 1 - i];
        value += day->value / verdict->window_days;
        usual += most_usual_on(past, day) / verdict->window_days;
    }
    bool is_log = batch->kind != HC_FINDING_RUN_ETTR;
    verdict->value = hc_round_digits(is_log ? hc_stable_exp(value) : -value, HC_STATS_DIGITS);
    verdict->expected = hc_round_digits(is_log ? hc_stable_exp(usual) : -usual, HC_STATS_DIGITS);
}

static void judge_series(struct level_past *past, const struct hc_finding_batch *batch,
                         struct hc_finding_verdict *verdict)
{
    *verdict = (struct hc_finding_verdict){.is_tested = true,
                                           .probability = NAN,
                                           .n_baseline = past->n,
                                           .window_days = 1,
                                           .dispersion = past->sd};
    int end = past->n + past->n_recent;
    for (int i = past->n; i < end; i++)
        past->days[i].excess = past->days[i].value - most_usual_on(past, &past->days[i]);
    double least = 1;
    for (int w = 0; w < N_WAYS; w++) {
        const struct way *way = batch->kind == HC_FINDING_RUN_ETTR ? &run_ways[w] : &time_ways[w];
        if (way->days > past->n_recent ||
            past->days[end - way->days].day != batch->day - way->days + 1)
            continue;
        double p = judge_way(past, batch, way, least_excess(batch)) / way->share;
        if (p < least) {
            least = p;
            verdict->window_days = way->days;
        }
    }
    verdict->p_value = hc_round_digits(least, HC_STATS_DIGITS);
    tell_levels(past, batch, verdict);
}

static void judge_level(const struct hc_finding_batch *batch,
                        const struct hc_finding_series *series, struct hc_finding_verdict *verdict)
{
    struct level_past past;
    look_back(&past, batch, series);
    int least = batch->options->least_baseline;
    bool is_today = past.n_recent && past.days[past.n + past.n_recent - 1].day == batch->day;
    if (is_today && past.n >= (past.has_weekdays ? least : (least + 1) / 2))
        judge_series(&past, batch, verdict);
}

/* The worse of the two levels of a run decides, and counts twice as likely by chance. */
static void judge_steady(const struct hc_finding_batch *batch,
                         const struct hc_finding_series *series, struct hc_finding_verdict *verdict)
{
    const struct hc_finding_series steady = hc_finding_steady(series);
    struct hc_finding_verdict other = {.is_tested = false};
    judge_level(batch, &steady, &other);
    if (!other.is_tested)
        return;
    bool is_of_both = verdict->is_tested;
    if (!is_of_both || other.p_value < verdict->p_value) {
        *verdict = other;
        verdict->is_steady = true;
    }
    if (is_of_both)
        verdict->p_value = hc_round_digits(fmin(1, 2 * verdict->p_value), HC_STATS_DIGITS);
}

enum hc_status hc_judge_levels(const struct hc_finding_batch *batch, struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < batch->n; i++) {
        judge_level(batch, batch->series[i], &batch->verdicts[i]);
        if (batch->series[i]->steady_amount)
            judge_steady(batch, batch->series[i], &batch->verdicts[i]);
    }
    return HC_OK;
}
