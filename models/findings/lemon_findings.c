/* Nodes that fail too often: gamma-Poisson over their days in use in a window.
 *
 * The rate of a node is gamma distributed about that of the fleet, with a shape that is fitted to
 * the fleet's own nodes; a share of the nodes, lemon_prevalence, are lemons, whose rates are gamma
 * distributed (shape 2) about ten times that of the fleet, so that one of them in a thousand good
 * nodes does not have to look like chance. The posterior of a node is the mixture of the two.
 *
 * Failures that follow each other on one node within a week are no independent evidence: the
 * dispersion says how many more such pairs there are than a steady rate would have, on the other
 * nodes. The posterior counts failures over the dispersion, and counts are as widely spread.
 *
 * by_chance is a number of nodes: those whose rate is not above the factor, and that reach this
 * count on this very day (by a failure of it: the window moves slowly, and a node that reached the
 * count yesterday is no new finding).
 */
#include "models/findings/findings_judge.h"

#include "core/base/memory.h"
#include "core/random/stable_math.h"
#include "models/stats/root.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_SHAPE  1e-2
#define MOST_SHAPE   1e3 /* rates that differ by 3 % */
#define SLAB_SHAPE   2.0
#define SLAB_FACTOR  10.0
#define ROUNDS       4 /* of fitting the good nodes without the lemons */
#define BLOCK_DAYS   7
#define MOST_BLOCKS  16
#define LIKELY       0.5 /* probability from which by_chance is worked out; it is 1 per node below */
#define LEAST_TERM   1e-12
#define MOST_TERMS   400
#define LEAST_BURSTS 20.0 /* failures that hold the dispersion near 1 */

/* Windows: that of the options, and shorter ones, in which a node that fails daily shows sooner. */
#define N_WINDOWS 3
static const int shorter[N_WINDOWS] = {0, 7, 2};
static const double window_share[N_WINDOWS] = {0.6, 0.2, 0.2}; /* of what may be false */

struct node {
    double count;                   /* of failures in the window, each its part */
    double failures;                /* those that are independent: count / dispersion */
    double days;                    /* in use */
    double together, chance, pairs; /* of the failures of the longer past: within one block, as many
                                       as a steady rate would have, and what both may be at most */
    double dispersion;
    double good; /* probability to be no lemon */
    int32_t n_runs, n_sources;
};

struct fleet {
    const struct hc_finding_batch *batch;
    int window_days;
    double share;       /* of what may be false, of this window */
    struct node *nodes; /* [n] */
    double rate, shape; /* of good nodes, failures a day; infinite: no two differ */
};

/* ---- counts ---- */

static bool is_good(const struct hc_finding_failure *f, const struct hc_finding_batch *batch)
{
    return f->day >= 0 && f->day < batch->input->n_days && f->weight > 0 && f->weight <= 1;
}

static int by_number(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

static int32_t count_different(uint64_t *numbers, size_t n)
{
    int32_t different = 0;
    if (n)
        qsort(numbers, n, sizeof *numbers, by_number);
    for (size_t i = 0; i < n; i++)
        different += i == 0 || numbers[i] != numbers[i - 1];
    return different;
}

/* The weights go into the sum in the order of their size, so that the order of the failures does
 * not matter. */
static int by_weight(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

struct scratch {
    double *weights;
    uint64_t *numbers;
};

static void count_window(struct node *node, const struct fleet *fleet,
                         const struct hc_finding_series *series, const struct scratch *scratch)
{
    const struct hc_finding_batch *batch = fleet->batch;
    int from = hc_finding_first_day(batch->day, fleet->window_days);
    node->count = node->days = 0;
    for (int day = from; day <= batch->day; day++)
        if (hc_finding_is_watched(series, day))
            node->days += series->exposure[day];
    size_t n = 0, n_runs = 0;
    for (size_t i = 0; i < series->n_failures; i++) {
        const struct hc_finding_failure *f = &series->failures[i];
        if (!is_good(f, batch) || f->day < from || f->day > batch->day)
            continue;
        scratch->weights[n++] = f->weight;
        if (f->run)
            scratch->numbers[n_runs++] = f->run;
    }
    node->n_runs = count_different(scratch->numbers, n_runs);
    if (n)
        qsort(scratch->weights, n, sizeof *scratch->weights, by_weight);
    for (size_t i = 0; i < n; i++)
        node->count += scratch->weights[i];
    n = 0;
    for (size_t i = 0; i < series->n_failures; i++) {
        const struct hc_finding_failure *f = &series->failures[i];
        if (is_good(f, batch) && f->day >= from && f->day <= batch->day)
            scratch->numbers[n++] = (uint64_t)(uint32_t)f->source;
    }
    node->n_sources = count_different(scratch->numbers, n);
}

/* Over the baseline and the recent days, in blocks of a week: pairs of failures of one block. */
static void count_pairs(struct node *node, const struct hc_finding_batch *batch,
                        const struct hc_finding_series *series)
{
    double days[MOST_BLOCKS] = {0}, failures[MOST_BLOCKS] = {0}, all_days = 0, n = 0;
    int n_blocks = (batch->options->baseline_days + HC_FINDING_RECENT_DAYS) / BLOCK_DAYS;
    n_blocks = n_blocks < MOST_BLOCKS ? n_blocks : MOST_BLOCKS;
    for (int b = 0; b < n_blocks; b++)
        for (int i = 0; i < BLOCK_DAYS; i++) {
            int day = batch->day - b * BLOCK_DAYS - i;
            if (day >= 0 && hc_finding_is_watched(series, day))
                days[b] += series->exposure[day];
        }
    for (size_t i = 0; i < series->n_failures; i++) {
        const struct hc_finding_failure *f = &series->failures[i];
        if (!is_good(f, batch) || f->day > batch->day)
            continue;
        int b = (batch->day - f->day) / BLOCK_DAYS;
        if (b >= n_blocks || !(days[b] > 0))
            continue;
        failures[b]++;
        n++;
    }
    for (int b = 0; b < n_blocks; b++)
        all_days += days[b];
    double shares = 0;
    for (int b = 0; b < n_blocks && all_days > 0; b++) {
        node->together += failures[b] * (failures[b] - 1);
        shares += days[b] / all_days * (days[b] / all_days);
    }
    node->chance = n * (n - 1) * shares;
    node->pairs = n * (1 - shares);
}

/* How many failures one fault makes, for each node as the others tell. */
static void find_dispersions(struct fleet *fleet)
{
    double excess = 0, pairs = LEAST_BURSTS;
    for (size_t i = 0; i < fleet->batch->n; i++) {
        count_pairs(&fleet->nodes[i], fleet->batch, fleet->batch->series[i]);
        excess += fleet->nodes[i].together - fleet->nodes[i].chance;
        pairs += fleet->nodes[i].pairs;
    }
    for (size_t i = 0; i < fleet->batch->n; i++) {
        struct node *node = &fleet->nodes[i];
        double others = pairs - node->pairs;
        node->dispersion = 1 + fmax(0, (excess - node->together + node->chance) / others);
    }
}

/* ---- what good nodes are like ---- */

/* Derivative of the likelihood by the shape, as in models/incidents/lemon_nodes.c, each node with
 * the probability that it is no lemon. */
static double shape_slope(double a, void *context)
{
    const struct fleet *fleet = context;
    double slope = 0, digamma = hc_sf_digamma(a);
    for (size_t i = 0; i < fleet->batch->n; i++) {
        const struct node *node = &fleet->nodes[i];
        double mean = fleet->rate * node->days;
        double change = node->failures > 0 ? hc_sf_digamma(a + node->failures) - digamma : 0;
        slope += node->good *
                 (change + hc_stable_log(a / (a + mean)) + 1 - (a + node->failures) / (a + mean));
    }
    return slope;
}

/* Of a count with this mean, whose rate is gamma distributed with this shape, and whose failures
 * come in bursts: negative binomial with the variance of both. */
static double log_probability(double n, double mean, double shape, double dispersion)
{
    double widened = dispersion - 1 + (isfinite(shape) ? mean / shape : 0);
    if (widened < 1e-9)
        return n * hc_stable_log(mean) - mean - hc_sf_log_gamma(n + 1);
    double r = mean / widened;
    return hc_sf_log_gamma(n + r) - hc_sf_log_gamma(r) - hc_sf_log_gamma(n + 1) +
           r * hc_stable_log(r / (r + mean)) + n * hc_stable_log(mean / (r + mean));
}

static double probability_good(const struct fleet *fleet, const struct node *node)
{
    double share = fleet->batch->options->lemon_prevalence;
    double mean = fleet->rate * node->days * node->dispersion;
    double good = log_probability(node->count, mean, fleet->shape, node->dispersion);
    double bad = log_probability(node->count, SLAB_FACTOR * mean, SLAB_SHAPE, node->dispersion);
    return 1 / (1 + share / (1 - share) * hc_stable_exp(bad - good));
}

static void fit_good(struct fleet *fleet)
{
    for (int round = 0; round < ROUNDS; round++) {
        double failures = 0, days = 0;
        for (size_t i = 0; i < fleet->batch->n; i++) {
            struct node *node = &fleet->nodes[i];
            if (!(node->days > 0))
                continue;
            node->good = round ? probability_good(fleet, node) : 1;
            failures += node->good * node->failures;
            days += node->good * node->days;
        }
        if (!(failures > 0)) {
            fleet->rate = 0;
            return;
        }
        fleet->rate = hc_round_digits(failures / days, HC_FIT_DIGITS);
        fleet->shape = INFINITY;
        if (hc_find_root(shape_slope, fleet, LEAST_SHAPE, MOST_SHAPE, &fleet->shape))
            fleet->shape = hc_round_digits(fleet->shape, HC_FIT_DIGITS);
        else if (shape_slope(LEAST_SHAPE, fleet) < 0)
            fleet->shape = LEAST_SHAPE;
    }
}

/* ---- who is a lemon ---- */

/* That the rate of a good node with n failures is above the factor. */
static double good_above(const struct fleet *fleet, double n, double mean)
{
    double factor = fleet->batch->options->lemon_factor;
    if (!isfinite(fleet->shape))
        return 0;
    return hc_sf_gamma_upper(fleet->shape + n, (fleet->shape + mean) * factor);
}

static double probability_above(const struct fleet *fleet, const struct node *node)
{
    double mean = fleet->rate * node->days, n = node->failures;
    double factor = fleet->batch->options->lemon_factor;
    double lemon = hc_sf_gamma_upper(SLAB_SHAPE + n, (SLAB_SHAPE / SLAB_FACTOR + mean) * factor);
    double good = probability_good(fleet, node);
    return hc_round_digits(good * good_above(fleet, n, mean) + (1 - good) * lemon, HC_STATS_DIGITS);
}

/* Probability of a node that is not above the factor to have this count or a higher one. */
static double chance_of(const struct fleet *fleet, const struct node *node)
{
    double days = fleet->rate * node->days, mean = days * node->dispersion, sum = 0;
    for (int i = 0; i < MOST_TERMS; i++) {
        double n = node->count + i;
        double term = hc_stable_exp(log_probability(n, mean, fleet->shape, node->dispersion)) *
                      (1 - good_above(fleet, n / node->dispersion, days));
        sum += term;
        if (n > mean && term < LEAST_TERM * sum)
            break;
    }
    return hc_round_digits(sum, HC_STATS_DIGITS);
}

/* What the longest window says of every node; a shorter one replaces it where it says more. */
static struct hc_finding_verdict verdict_of(const struct fleet *fleet, const struct node *node,
                                            double n_nodes)
{
    const struct hc_findings_options *options = fleet->batch->options;
    double budget = hc_finding_budget(options, HC_FINDING_LEMON_NODE);
    struct hc_finding_verdict verdict = {.is_tested = true,
                                         .p_value = NAN,
                                         .by_chance = n_nodes,
                                         .value = node->count,
                                         .expected = fleet->rate * node->days * node->dispersion,
                                         .dispersion = node->dispersion,
                                         .window_days = fleet->window_days,
                                         .n_baseline = fleet->window_days,
                                         .n_runs = node->n_runs,
                                         .n_sources = node->n_sources};
    if (!(node->count > 0))
        return verdict;
    verdict.probability = probability_above(fleet, node);
    if (verdict.probability < LIKELY)
        return verdict;
    verdict.p_value = chance_of(fleet, node);
    double today = fmin(1, node->count / fleet->window_days);
    double unsure = (1 - verdict.probability) / options->lemon_fdr;
    verdict.by_chance = fmax(n_nodes * verdict.p_value * today / fleet->share, unsure * budget);
    if (node->n_runs < 2 && node->n_sources < 2) {
        verdict.is_withheld = verdict.by_chance <= budget;
        verdict.by_chance = n_nodes;
    }
    return verdict;
}

static void judge_window(struct fleet *fleet, const struct scratch *scratch)
{
    double n_nodes = 0;
    for (size_t i = 0; i < fleet->batch->n; i++) {
        struct node *node = &fleet->nodes[i];
        count_window(node, fleet, fleet->batch->series[i], scratch);
        node->failures = node->count / node->dispersion;
        n_nodes += node->days > 0;
    }
    fit_good(fleet);
    /* A fleet without a failure has nothing that a node could be compared with. */
    for (size_t i = 0; i < fleet->batch->n && fleet->rate > 0; i++) {
        struct hc_finding_verdict *verdict = &fleet->batch->verdicts[i];
        if (!(fleet->nodes[i].days > 0))
            continue;
        struct hc_finding_verdict found = verdict_of(fleet, &fleet->nodes[i], n_nodes);
        bool was_withheld = verdict->is_withheld || found.is_withheld;
        if (!verdict->is_tested || found.by_chance < verdict->by_chance)
            *verdict = found;
        verdict->is_withheld = was_withheld;
    }
}

/* No fewer than 1. */
static size_t most_failures(const struct hc_finding_batch *batch)
{
    size_t most = 1;
    for (size_t i = 0; i < batch->n; i++)
        most = batch->series[i]->n_failures > most ? batch->series[i]->n_failures : most;
    return most;
}

enum hc_status hc_judge_lemons(const struct hc_finding_batch *batch, struct hc_error *err)
{
    size_t most = most_failures(batch);
    struct fleet fleet = {.batch = batch,
                          .nodes = hc_new_array(batch->n, sizeof *fleet.nodes, err)};
    struct scratch scratch = {.weights = hc_new_array(most, sizeof *scratch.weights, err),
                              .numbers = hc_new_array(most, sizeof *scratch.numbers, err)};
    bool is_ready = fleet.nodes && scratch.weights && scratch.numbers;
    if (is_ready)
        find_dispersions(&fleet);
    for (int w = 0; w < N_WINDOWS && is_ready; w++) {
        fleet.window_days = w ? shorter[w] : batch->options->lemon_window_days;
        fleet.share = window_share[w];
        if (w == 0 || fleet.window_days < batch->options->lemon_window_days)
            judge_window(&fleet, &scratch);
    }
    for (size_t i = 0; i < batch->n && is_ready; i++)
        if (batch->verdicts[i].by_chance <=
            hc_finding_budget(batch->options, HC_FINDING_LEMON_NODE))
            batch->verdicts[i].is_withheld = false;
    free(scratch.numbers);
    free(scratch.weights);
    free(fleet.nodes);
    return is_ready ? HC_OK : err->status;
}
