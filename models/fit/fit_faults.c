/* fit_faults.c - the faults of a fitted scenario: rate, detection, remedy of each cause. */
#include "models/fit/fit_making.h"

#include "core/random/gamma_function.h"
#include "core/random/philox.h"
#include "core/random/stable_math.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <math.h>
#include <stdio.h>

#define SEED       UINT64_C(0x6669742d6661756c)
#define DRAWS      1000
#define LEAST_GAPS 4 /* of which an error is known */

static const char rate_source[] = "jobs, events";
static const char log_source[] = "events, cycles of logs";

/* What a fault of the scenario is made of: a cause, or the part of it of one remedy. */
struct part {
    const struct hc_fault_fit *fault;
    int32_t number; /* of the fault */
    bool is_in_place;
    int64_t n_followed, n_of_it; /* strikes of which it is known what followed, and of the part */
    char path[HC_FIT_PATH];      /* "/faults/xid_79" */
};

/* Whether a strike went on in the way of a part. */
static bool is_of_part(const struct hc_fit_strike *strike, const struct part *part)
{
    return (strike->follow == HC_FOLLOW_IN_PLACE) == part->is_in_place;
}

/* ---- rates ---- */

static double draw_gamma(struct hc_philox *rng, double shape)
{
    double u = (hc_philox_uniform(rng) * 0x1p53 + 0.5) * 0x1p-53;
    return hc_gamma_exceeded(shape, u < 1 ? u : 1 - 0x1p-53);
}

/* A share k of m of a rate: both drawn from their posteriors, with Jeffreys' priors. The share is
 * beta, which is a gamma variable over the sum of it and another. */
static struct hc_estimate share_of_rate(const struct part *part, uint64_t stream)
{
    const struct hc_fault_fit *fault = part->fault;
    double draws[DRAWS], k = (double)part->n_of_it, m = (double)part->n_followed;
    double independent = hc_fault_independent(fault);
    double scale = fault->rate.value / independent;
    struct hc_philox rng;
    hc_philox_seek(&rng, SEED, stream, 0);
    for (int i = 0; i < DRAWS; i++) {
        double rate = scale * draw_gamma(&rng, independent + 0.5);
        double of_it = draw_gamma(&rng, k + 0.5), others = draw_gamma(&rng, m - k + 0.5);
        draws[i] = rate * of_it / (of_it + others);
    }
    struct hc_estimate e = hc_estimate_of_draws(fault->rate.value * k / m, draws, DRAWS);
    return (struct hc_estimate){hc_round_digits(e.value, HC_FIT_DIGITS),
                                hc_round_digits(e.low, HC_FIT_DIGITS),
                                hc_round_digits(e.high, HC_FIT_DIGITS)};
}

static enum hc_status add_word(struct hc_fit_making *making, const struct part *part,
                               const char *key, const char *word, struct hc_error *err)
{
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "", err, "%s/%s", part->path, key);
    if (!p)
        return err->status;
    p->form = HC_FIT_WORD;
    p->word = word;
    return HC_OK;
}

static void note_rate(struct hc_fit_parameter *p, const struct hc_fault_fit *fault)
{
    hc_fit_note(p, "%lld failures in %lld incidents, %.0f %s-days", (long long)fault->n_strikes,
                (long long)fault->n_incidents, fault->exposure_days,
                fault->domain_nodes > 1 ? "domain" : "node");
    if (fault->dispersion > 1)
        hc_fit_note(p, "dispersion %.2f", fault->dispersion);
    if (fault->n_likely)
        hc_fit_note(p, "%lld by an event in the window only", (long long)fault->n_likely);
    if (!isnan(fault->gain))
        hc_fit_note(p, "a Weibull shape gains %.1f (6.63 would be significant)", fault->gain);
    else if (fault->domain_nodes <= 1 && fault->n_without_node)
        hc_fit_note(p, "exponential untested: of %lld no event says on which node",
                    (long long)fault->n_without_node);
}

static enum hc_status add_domain(struct hc_fit_making *making, const struct part *part,
                                 struct hc_error *err)
{
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "events", err, "%s/domain_nodes", part->path);
    if (!p)
        return err->status;
    p->form = HC_FIT_COUNT;
    p->first.value = part->fault->domain_nodes;
    hc_fit_note(p, "nodes with the same event within two minutes, the median");
    if (making->records->run >= 0) {
        double nodes = making->records->runs[making->records->run].nodes;
        if (nodes > 0 && nodes < p->first.value) {
            hc_fit_note(p, "it was %.0f, of which the job has %.0f", p->first.value, nodes);
            p->first.value = nodes;
        }
    }
    return HC_OK;
}

/* Weibull times between the faults of a node, in place of a rate. */
static enum hc_status add_weibull(struct hc_fit_making *making, const struct part *part,
                                  struct hc_error *err)
{
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, rate_source, err, "%s/between_h", part->path);
    if (!p)
        return err->status;
    p->form = HC_FIT_DISTRIBUTION;
    p->family = HC_FIT_WEIBULL;
    p->unit = "h";
    p->first = part->fault->mean_h;
    p->second = part->fault->shape;
    p->n = part->fault->n_renewals;
    note_rate(p, part->fault);
    return add_word(making, part, "unit", "node", err) ||
                   add_word(making, part, "age", "stationary", err)
               ? err->status
               : HC_OK;
}

static enum hc_status add_rate(struct hc_fit_making *making, const struct part *part,
                               struct hc_error *err)
{
    const struct hc_fault_fit *fault = part->fault;
    bool is_domain = fault->domain_nodes > 1, is_part = part->n_of_it < part->n_followed;
    if (fault->is_weibull && !is_part)
        return add_weibull(making, part, err);
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, rate_source, err, "%s/%s", part->path,
                             is_domain ? "per_1000_domain_days" : "per_1000_node_days");
    if (!p)
        return err->status;
    p->form = HC_FIT_NUMBER;
    p->unit = "1/1000 d";
    p->n = fault->n_incidents;
    p->first = fault->rate;
    note_rate(p, fault);
    if (is_part) {
        p->first = share_of_rate(part, making->stream++);
        hc_fit_note(p, "%lld of %lld went on %s", (long long)part->n_of_it,
                    (long long)part->n_followed,
                    part->is_in_place ? "in place" : "in a new allocation");
    }
    return is_domain ? add_domain(making, part, err) : HC_OK;
}

/* ---- detection ---- */

static bool is_of_fault(const struct hc_fit_making *making, size_t i, int32_t number)
{
    return number < 0 || making->faults.of_strike[i] == number;
}

/* What is known of a detection that no record times: from the last line of the log to the notice,
 * g, and between the lines of steps, l. The fault fell anywhere between two lines, so that g is l /
 * 2 longer in the mean than detection takes. */
struct gaps {
    int64_t n, n_lines;
    double sum, sum_less, sum_squares; /* of g; of g - l / 2, where l is known */
};

static void add_gap(struct gaps *gaps, const struct hc_fit_strike *strike)
{
    double less = strike->detect_most_s - strike->line_s / 2;
    gaps->n++;
    gaps->sum += strike->detect_most_s;
    if (isnan(less))
        return;
    gaps->n_lines++;
    gaps->sum_less += less;
    gaps->sum_squares += less * less;
}

/* The value that a normal variable which is above 0 does not exceed with a probability. */
static double above_nothing(double mean, double error, double share)
{
    double above = hc_stable_exp(hc_sf_normal_log_upper(-mean / error));
    return mean - error * hc_normal_quantile((1 - share) * above);
}

/* Whether the gaps tell the mean of detection and its error; *e then. */
static bool is_told(const struct gaps *gaps, struct hc_estimate *e)
{
    double n = (double)gaps->n_lines, mean = gaps->sum_less / n;
    double error = sqrt((gaps->sum_squares - n * mean * mean) / (n - 1) / n);
    if (gaps->n_lines < gaps->n || gaps->n < LEAST_GAPS || !(error > 0) || mean < -6 * error)
        return false;
    *e = (struct hc_estimate){hc_round_digits(above_nothing(mean, error, 0.5), HC_FIT_DIGITS),
                              hc_round_digits(above_nothing(mean, error, 0.025), HC_FIT_DIGITS),
                              hc_round_digits(above_nothing(mean, error, 0.975), HC_FIT_DIGITS)};
    return true;
}

static void take_gaps(struct hc_fit_parameter *p, const struct gaps *gaps)
{
    double most = hc_round_digits(gaps->sum / (double)gaps->n, HC_FIT_DIGITS);
    p->form = HC_FIT_NUMBER;
    p->n = gaps->n;
    if (is_told(gaps, &p->first)) {
        hc_fit_note(p,
                    "no record says when it struck: from the last line of the log to the notice, "
                    "%.0f s in the mean, less half of what lies between its lines",
                    most);
        return;
    }
    p->first = (struct hc_estimate){most / 2, most > 40 ? 1 : most / 40, most};
    hc_fit_note(p,
                "no record says when it struck: the middle between the last line of the log and "
                "the notice, %.0f s apart in the mean",
                most);
}

static enum hc_status add_detection(struct hc_fit_making *making, const struct part *part,
                                    struct hc_error *err)
{
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    char path[HC_FIT_PATH];
    struct gaps gaps = {.n = 0};
    int64_t n_left_out = 0;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < making->records->n_strikes && !status; i++) {
        const struct hc_fit_strike *strike = &making->records->strikes[i];
        if (!is_of_fault(making, i, part->number))
            continue;
        if (!isnan(strike->detect_s)) {
            status = hc_survival_add(&times, strike->detect_s, false, 1, err);
        } else if (!isnan(strike->detect_most_s)) {
            add_gap(&gaps, strike);
        } else {
            n_left_out++;
        }
    }
    if (status) {
        hc_survival_fini(&times);
        return status;
    }
    snprintf(path, sizeof path, "%.100s/detect_s", part->path);
    if (hc_fit_making_times(making, &times, path, log_source, &p, err))
        return err->status;
    p->n_left_out = n_left_out + (p->n > 0 ? gaps.n : 0);
    if (p->n == 0 && gaps.n)
        take_gaps(p, &gaps);
    else if (p->n == 0)
        hc_fit_note(p, "no log tells when its failures were noticed");
    else if (p->n_left_out)
        hc_fit_note(p, "%lld of jobs without a log, or without an event", (long long)p->n_left_out);
    return HC_OK;
}

/* ---- remedy ---- */

/* From the notice to the end of the attempt, or to the launch in place. */
static enum hc_status gather_held(const struct hc_fit_making *making, const struct part *part,
                                  bool is_of_all, struct hc_survival *times, double *most,
                                  struct hc_error *err)
{
    *most = 0;
    for (size_t i = 0; i < making->records->n_strikes; i++) {
        const struct hc_fit_strike *strike = &making->records->strikes[i];
        /* That the scheduler ended a job with the notice says nothing of other causes. */
        if (isnan(strike->held_s) || strike->held_s < (is_of_all ? 1 : 0) ||
            !is_of_part(strike, part) || !is_of_fault(making, i, is_of_all ? -1 : part->number))
            continue;
        *most = strike->held_s > *most ? strike->held_s : *most;
        if (hc_survival_add(times, strike->held_s, false, 1, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status add_remedy(struct hc_fit_making *making, const struct part *part,
                                 struct hc_error *err)
{
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    char path[HC_FIT_PATH];
    double most;
    enum hc_status status = gather_held(making, part, false, &times, &most, err);
    bool is_of_all = times.n == 0;
    if (!status && is_of_all) {
        hc_survival_fini(&times);
        times = (struct hc_survival){.n = 0};
        status = gather_held(making, part, true, &times, &most, err);
    }
    bool is_nothing = times.n > 0 && most <= 1; /* within what stamps can tell */
    if (is_nothing || status) {
        hc_survival_fini(&times);
        times = (struct hc_survival){.n = 0};
    }
    if (status)
        return status;
    snprintf(path, sizeof path, "%.100s/remedy_s", part->path);
    if (hc_fit_making_times(making, &times, path, log_source, &p, err))
        return err->status;
    if (is_nothing)
        hc_fit_note(p, "the allocation ended with the notice: 0");
    else
        hc_fit_note(p, "from the notice to %s%s",
                    part->is_in_place ? "the next launch" : "the end of the allocation",
                    is_of_all ? ", of all causes" : "");
    return HC_OK;
}

/* ---- a cause ---- */

static bool is_hang(const struct hc_fit_making *making, int32_t number)
{
    int64_t n_noticed = 0, n_hangs = 0;
    for (size_t i = 0; i < making->records->n_strikes; i++) {
        const struct hc_fit_strike *strike = &making->records->strikes[i];
        if (making->faults.of_strike[i] != number || isnan(strike->held_s))
            continue;
        n_noticed++;
        n_hangs += strike->is_hang;
    }
    return n_noticed > 0 && 2 * n_hangs >= n_noticed;
}

static enum hc_status add_part(struct hc_fit_making *making, struct part *part,
                               struct hc_error *err)
{
    snprintf(part->path, sizeof part->path, "/faults/%s%s", part->fault->name,
             part->is_in_place ? "_in_place" : "");
    if (add_word(making, part, "class", is_hang(making, part->number) ? "implicit" : "explicit",
                 err) ||
        add_rate(making, part, err) || add_detection(making, part, err) ||
        add_word(making, part, "remedy", part->is_in_place ? "reattempt" : "evict", err))
        return err->status;
    return add_remedy(making, part, err);
}

static enum hc_status add_fault(struct hc_fit_making *making, int32_t number, struct hc_error *err)
{
    struct part part = {.fault = &making->faults.fit[number], .number = number};
    int64_t n_in_place = 0;
    if (isnan(part.fault->rate.value))
        return HC_OK;
    for (size_t i = 0; i < making->records->n_strikes; i++) {
        const struct hc_fit_strike *strike = &making->records->strikes[i];
        if (making->faults.of_strike[i] != number || strike->follow == HC_FOLLOW_UNKNOWN ||
            !hc_fit_is_followed(making, strike))
            continue;
        part.n_followed++;
        n_in_place += strike->follow == HC_FOLLOW_IN_PLACE;
    }
    part.n_of_it = part.n_followed - n_in_place;
    if ((part.n_of_it || !part.n_followed) && add_part(making, &part, err))
        return err->status;
    part.is_in_place = true;
    part.n_of_it = n_in_place;
    return n_in_place ? add_part(making, &part, err) : HC_OK;
}

/* ---- all of them ---- */

/* What a reader asks first; no key of the scenario. */
static enum hc_status add_total(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_records *records = making->records;
    double n = 0, exposure = records->use_days;
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, rate_source, err, "incidents_per_1000_node_days");
    if (!p)
        return err->status;
    p->unit = "1/1000 d";
    p->n = making->faults.n_incidents;
    p->n_left_out = records->n_unknown;
    n = (double)records->n_strikes;
    if (!(exposure > 0) || n <= 0) {
        hc_fit_note(p, "no failure of the infrastructure in %.0f node-days", exposure);
        return HC_OK;
    }
    struct hc_fault_fit total = hc_fault_total(&making->faults, records);
    p->form = HC_FIT_NUMBER;
    p->first = total.rate;
    note_rate(p, &total);
    if (!isnan(records->chance))
        hc_fit_note(p, "chance alone would give %.1f of them", records->chance);
    hc_fit_note(p, "%lld more failures are of unknown side, and %lld the user's",
                (long long)records->n_unknown, (long long)records->n_users);
    if (records->n_running)
        hc_fit_note(p, "%lld jobs still ran: cut off", (long long)records->n_running);
    return HC_OK;
}

enum hc_status hc_fit_make_faults(struct hc_fit_making *making, struct hc_error *err)
{
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "", err, "/exposure/strikes");
    if (!p)
        return err->status;
    p->form = HC_FIT_WORD;
    p->word = "held";
    hc_fit_note(p, "rates are of the time in which jobs held nodes");
    if (add_total(making, err))
        return err->status;
    for (size_t i = 0; i < making->faults.n; i++)
        if (add_fault(making, (int32_t)i, err))
            return err->status;
    return HC_OK;
}
