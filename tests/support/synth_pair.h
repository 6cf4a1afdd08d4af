/* synth_pair.h - the same synthetic job without and with what is planted, op by op. */
#ifndef HC_TESTS_UNIT_SYNTH_PAIR_H
#define HC_TESTS_UNIT_SYNTH_PAIR_H

#include "tests/support/synth_run.h"

/* A run without and a run with what options plant; rows of the two correspond, and know when they
 * were ready and joined. */
struct pair {
    size_t n;
    struct rule_row *healthy, *sick;
};

static int in_order(const void *left, const void *right)
{
    const struct rule_row *a = left, *b = right;
    const int32_t difference[] = {a->step - b->step, a->dp - b->dp, a->stage - b->stage,
                                  a->type - b->type, a->seq - b->seq};
    for (size_t i = 0; i < 5; i++)
        if (difference[i])
            return difference[i];
    return 0;
}

static struct rule_row *rows_of(const struct hc_synth_steps_options *o, size_t *n)
{
    struct rule_row *rows = generate(o, 5000, n);
    for (int k = 0; k < o->n_steps; k++) {
        struct rule_step step = step_of(o, rows, *n, k);
        rule_apply(&step);
    }
    qsort(rows, *n, sizeof *rows, in_order);
    return rows;
}

static struct pair pair_of(const struct hc_synth_steps_options *healthy,
                           const struct hc_synth_steps_options *sick)
{
    struct pair pair;
    size_t n;
    pair.healthy = rows_of(healthy, &n);
    pair.sick = rows_of(sick, &pair.n);
    ck_assert_uint_eq(n, pair.n);
    return pair;
}

static void free_pair(struct pair *pair)
{
    free(pair->healthy);
    free(pair->sick);
}

/* What an op takes by itself: of communication the transfer. */
static double taken(const struct rule_row *row)
{
    return (double)(row->end - (row->joined < 0 ? row->start : row->joined));
}

#endif
