#include "models/fit/node_renewal.h"

#include <stdlib.h>

static int compare_uses(const void *a, const void *b)
{
    const struct hc_node_use *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    return (x->to_ns > y->to_ns) - (x->to_ns < y->to_ns);
}

void hc_node_uses_unite(struct hc_node_use *uses, size_t *n)
{
    size_t kept = 0;
    if (*n)
        qsort(uses, *n, sizeof *uses, compare_uses);
    for (size_t i = 0; i < *n; i++) {
        struct hc_node_use *before = kept ? &uses[kept - 1] : NULL;
        if (before && before->node == uses[i].node && uses[i].from_ns <= before->to_ns)
            before->to_ns = uses[i].to_ns > before->to_ns ? uses[i].to_ns : before->to_ns;
        else
            uses[kept++] = uses[i];
    }
    *n = kept;
}

static int compare_strikes(const void *a, const void *b)
{
    const struct hc_node_strike *x = a, *y = b;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->time_ns > y->time_ns) - (x->time_ns < y->time_ns);
}

/* The clock of a node, with the strike that it has come to. */
struct clock {
    int64_t used_ns;  /* before the use at hand */
    int64_t since_ns; /* of the clock, at the last strike */
    bool has_struck;
};

static enum hc_status add_time(struct hc_survival *times, struct clock *clock, int64_t at_ns,
                               bool is_cut, struct hc_error *err)
{
    double seconds = (double)(at_ns - clock->since_ns) * 1e-9;
    bool is_residual = !clock->has_struck;
    clock->since_ns = at_ns;
    clock->has_struck = !is_cut;
    if (is_cut && seconds <= 0)
        return HC_OK;
    return is_residual ? hc_survival_add_residual(times, seconds, is_cut, 1, err)
                       : hc_survival_add(times, seconds, is_cut, 1, err);
}

/* Uses and strikes, and how far of both is done. */
struct walk {
    struct hc_survival *times;
    const struct hc_node_use *uses;
    const struct hc_node_strike *strikes;
    size_t use, n_uses, strike, n_strikes;
};

/* The strikes of a node that fall into a use, or between it and the next. */
static enum hc_status add_use(struct walk *walk, struct clock *clock, bool is_last,
                              struct hc_error *err)
{
    const struct hc_node_use *use = &walk->uses[walk->use];
    for (; walk->strike < walk->n_strikes; walk->strike++) {
        const struct hc_node_strike *strike = &walk->strikes[walk->strike];
        int64_t at_ns = strike->time_ns;
        if (strike->node != use->node || (!is_last && at_ns >= use[1].from_ns))
            break;
        at_ns = at_ns < use->from_ns ? use->from_ns : at_ns > use->to_ns ? use->to_ns : at_ns;
        if (add_time(walk->times, clock, clock->used_ns + at_ns - use->from_ns, false, err))
            return err->status;
    }
    clock->used_ns += use->to_ns - use->from_ns;
    return HC_OK;
}

static enum hc_status add_node(struct walk *walk, struct hc_error *err)
{
    struct clock clock = {.used_ns = 0};
    int32_t node = walk->uses[walk->use].node;
    for (; walk->use < walk->n_uses && walk->uses[walk->use].node == node; walk->use++) {
        bool is_last = walk->use + 1 == walk->n_uses || walk->uses[walk->use + 1].node != node;
        if (add_use(walk, &clock, is_last, err))
            return err->status;
    }
    return add_time(walk->times, &clock, clock.used_ns, true, err);
}

enum hc_status hc_node_renewals_add(struct hc_survival *times, const struct hc_node_use *uses,
                                    size_t n_uses, struct hc_node_strike *strikes, size_t n_strikes,
                                    struct hc_error *err)
{
    struct walk walk = {times, uses, strikes, 0, n_uses, 0, n_strikes};
    if (n_strikes)
        qsort(strikes, n_strikes, sizeof *strikes, compare_strikes);
    while (walk.use < n_uses) {
        for (; walk.strike < n_strikes && strikes[walk.strike].node < uses[walk.use].node;
             walk.strike++)
            times->n_unknown++;
        if (add_node(&walk, err))
            return err->status;
    }
    times->n_unknown += (int64_t)(n_strikes - walk.strike);
    return HC_OK;
}
