/* culprit_passes.c - the figures of a culprit of which some passes are slow: in which steps, how
 * many of them, and how slow. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"
#include "models/stats/binomial_interval.h"
#include "models/stats/student.h"

#include <math.h>
#include <stdlib.h>

/* Of the kinds of passes of which some are slow, and of both: sums by step of durations, and of
 * what is expected of the same passes. */
#define BOTH_PASSES HC_N_PASSES
#define N_SUMS      (HC_N_PASSES + 1)

struct pass_sums {
    double *ns, *expected_ns; /* [n_steps] */
};

struct tally {
    const struct hc_pass_model *model;
    const int32_t *culprit_of; /* [n_workers] */
    int32_t culprit;
    size_t first_member;
    double *n[HC_N_PASSES], *n_slow[HC_N_PASSES]; /* [n_steps] */
    struct pass_sums slow[N_SUMS], healthy[N_SUMS];
    /* Of the first member, by step: the sum of the positions of its slow passes, of which some_slow
     * tells, and how many; then, of its passes from their mean on, how many are healthy and slow.
     */
    double *positions, *n_positions;
    double n_from[HC_N_PASSES][2];
};

static void add_pass(struct pass_sums *sums, size_t step, double ns, double expected_ns)
{
    sums->ns[step] += ns;
    sums->expected_ns[step] += expected_ns;
}

static void tally_row(void *context, const struct hc_pass_row *row)
{
    struct tally *tally = context;
    const struct hc_pass_model *model = tally->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    for (size_t d = 0; d < dp_size; d++) {
        size_t worker = d * n_stages + (size_t)row->stage;
        double limit = model->slow_pass_limit[row->pass][row->line * dp_size + d];
        if (tally->culprit_of[worker] != tally->culprit)
            continue;
        bool is_told = model->some_slow[worker] & 1 << row->pass;
        for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
            size_t step = row->block->lanes->step[s];
            double ns = row->duration[s * dp_size + d];
            double expected_ns = hc_expected_pass_ns(model, row, d, s);
            bool is_slow = ns > limit * expected_ns;
            struct pass_sums *sums = is_slow ? tally->slow : tally->healthy;
            tally->n[row->pass][step]++;
            tally->n_slow[row->pass][step] += is_slow;
            if (!is_told)
                continue;
            if (is_slow && worker == tally->first_member) {
                tally->positions[step] += row->position;
                tally->n_positions[step]++;
            }
            add_pass(&sums[row->pass], step, ns, expected_ns);
            add_pass(&sums[BOTH_PASSES], step, ns, expected_ns);
        }
    }
}

static void count_from(void *context, const struct hc_pass_row *row)
{
    struct tally *tally = context;
    const struct hc_pass_model *model = tally->model;
    size_t dp_size = (size_t)model->lanes->dp_size, n_stages = (size_t)model->lanes->n_stages;
    size_t d = tally->first_member / n_stages;
    if (tally->first_member % n_stages != (size_t)row->stage)
        return;
    double limit = model->slow_pass_limit[row->pass][row->line * dp_size + d];
    for (size_t s = 0; s < row->block->lanes->n_steps; s++) {
        size_t step = row->block->lanes->step[s];
        double n = tally->n_positions[step];
        if (n == 0 || row->position + 0.5 < tally->positions[step] / n)
            continue;
        bool is_slow =
            row->duration[s * dp_size + d] > limit * hc_expected_pass_ns(model, row, d, s);
        tally->n_from[row->pass][is_slow]++;
    }
}

/* From the middle of the slow passes of a step on, nearly all of one kind are slow, and hardly any
 * of the other are healthy: it throttles late in each step, and the last passes are backward ones.
 * Then the other kind says nothing against a slow GPU. */
#define PART_OF_TAIL  0.8
#define PART_OF_OTHER 0.25

static bool is_tail(const struct tally *tally, enum hc_pass slow)
{
    const double *own = tally->n_from[slow], *other = tally->n_from[!slow];
    return own[1] >= PART_OF_TAIL * (own[0] + own[1]) && other[0] <= PART_OF_OTHER * own[1];
}

static struct hc_measured mean_ratio(const struct pass_sums *sums, size_t n_steps, double *values)
{
    size_t n = 0;
    for (size_t t = 0; t < n_steps; t++)
        if (sums->expected_ns[t] > 0)
            values[n++] = sums->ns[t] / sums->expected_ns[t];
    return hc_mean_of_steps(values, n);
}

/* Slow passes against healthy ones of the same workers, the mean over the steps that have some,
 * with the doubt of both. values: [n_steps] scratch. */
static struct hc_measured factor_of(const struct tally *tally, int which, size_t n_steps,
                                    double *values)
{
    struct hc_measured slow = mean_ratio(&tally->slow[which], n_steps, values);
    struct hc_measured healthy = mean_ratio(&tally->healthy[which], n_steps, values);
    if (!(healthy.value > 0))
        return (struct hc_measured){slow.value, NAN, NAN};
    double factor = slow.value / healthy.value;
    double half = factor * hypot((slow.high - slow.value) / slow.value,
                                 (healthy.high - healthy.value) / healthy.value);
    bool is_told = factor - half > 1;
    return (struct hc_measured){factor, is_told ? factor - half : NAN,
                                is_told ? factor + half : NAN};
}

/* Which steps have slow passes, and the share of their passes that is slow: of the kinds `passes`.
 */
static void fill_duty(struct hc_culprit *culprit, const struct tally *tally, uint8_t passes,
                      size_t n_steps)
{
    double n = 0, n_slow = 0;
    for (size_t t = 0; t < n_steps; t++) {
        double of[2] = {0, 0};
        for (int p = 0; p < HC_N_PASSES; p++)
            if (passes & 1 << p) {
                of[0] += tally->n[p][t];
                of[1] += tally->n_slow[p][t];
            }
        culprit->is_slow[t] = of[1] > 0;
        n += of[1] > 0 ? of[0] : 0;
        n_slow += of[1];
    }
    culprit->pass_duty.value = n > 0 ? n_slow / n : NAN;
    hc_binomial_interval((size_t)n_slow, (size_t)n, HC_CONFIDENCE, &culprit->pass_duty.low,
                         &culprit->pass_duty.high);
}

static void fill(struct hc_culprit *culprit, struct tally *tally, size_t n_steps, double *values)
{
    const uint8_t forward = 1 << HC_FORWARD_PASS, backward = 1 << HC_BACKWARD_PASS;
    uint8_t passes = 0;
    for (size_t i = 0; i < culprit->n_members; i++)
        passes |= tally->model->some_slow[culprit->members[i]];
    hc_pass_rows_each(tally->model, count_from, tally);
    if ((passes == forward && is_tail(tally, HC_FORWARD_PASS)) ||
        (passes == backward && is_tail(tally, HC_BACKWARD_PASS)))
        passes = forward | backward;
    culprit->ops = passes == forward    ? HC_SLOW_FORWARD
                   : passes == backward ? HC_SLOW_BACKWARD
                                        : HC_SLOW_PASSES;
    fill_duty(culprit, tally, passes, n_steps);
    culprit->forward_factor = factor_of(tally, HC_FORWARD_PASS, n_steps, values);
    culprit->backward_factor = factor_of(tally, HC_BACKWARD_PASS, n_steps, values);
    culprit->transfer_factor = (struct hc_measured){NAN, NAN, NAN};
    culprit->factor = factor_of(tally, BOTH_PASSES, n_steps, values);
}

enum hc_status hc_culprit_measure_passes(struct hc_straggler_cause_search *search, size_t number)
{
    struct hc_error *err = search->analysis->err;
    struct hc_culprit *culprit = &search->analysis->result->depth.culprits.culprits[number];
    size_t n_steps = search->analysis->result->n_steps;
    struct tally tally = {.model = &search->model,
                          .culprit_of = search->remedies.some_passes_of,
                          .culprit = (int32_t)number,
                          .first_member = (size_t)culprit->members[0]};
    size_t n_rows = 3 + 2 * HC_N_PASSES + 4 * N_SUMS; /* the first one is scratch */
    double *space = hc_new_array(n_rows * n_steps, sizeof *space, err), *at = space;
    if (!space)
        return err->status;
    tally.positions = at += n_steps;
    tally.n_positions = at += n_steps;
    for (int p = 0; p < HC_N_PASSES; p++) {
        tally.n[p] = at += n_steps;
        tally.n_slow[p] = at += n_steps;
    }
    for (int i = 0; i < N_SUMS; i++) {
        tally.slow[i].ns = at += n_steps;
        tally.slow[i].expected_ns = at += n_steps;
        tally.healthy[i].ns = at += n_steps;
        tally.healthy[i].expected_ns = at += n_steps;
    }
    hc_pass_rows_each(&search->model, tally_row, &tally);
    fill(culprit, &tally, n_steps, space);
    free(space);
    return HC_OK;
}
