/* op_types.c - ops other than passes that take longer: on one worker, or a group of them (an
 * optimizer, a collector, a checkpoint); and what takes longer on all workers alike in some of the
 * steps, which is no fault of any of them (docs/methods/causes.md). */
#include "sim/whatif/cause/culprit_search.h"
#include "sim/whatif/change/two_levels.h"

#include "core/base/memory.h"
#include "core/base/select.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What all workers have in common is told from so much on, of compute and of transfers. */
#define LEAST_RISE          0.06
#define LEAST_TRANSFER_RISE 0.5
/* In this part of the workers; and what is so in more of the steps is usual. */
#define PART_OF_ALL 0.9
#define MOST_STEPS  0.8
/* The first steps of a trace are often slow: so many of them are no change of the job. */
#define MOST_WARM_UP 2
/* Extra time of one worker is told as steps of so much of a mean step. */
#define LEAST_EXTRA 0.01
/* A worker that is slow in its passes is slow in a type of ops, too, that takes so many times as
 * long in the same steps. */
#define LEAST_JOINED 1.1
/* Or of so many standard deviations of a usual worker, where it is at no level. */
#define BURST_DEVIATIONS 6.0
/* What one worker takes longer in all steps is so many spreads of what its peers differ by. */
#define CHANCE_SPREADS 4.0

/* What all workers have in common of one type. */
struct common_change {
    bool found, is_same;
    double cost_ns, usual_ns; /* that it adds to the mean step; that it usually takes of it */
    uint8_t *is_high;         /* [n_steps] */
};

struct types_search {
    struct hc_straggler_cause_search *search;
    struct hc_grouping grouping;
    size_t n_workers, n_steps, n_stages;
    double least_ns; /* that it must add to the mean step, if nothing hides it */
    int type;
    bool is_local;    /* it waits for no other worker */
    double *ns;       /* [n_workers][n_steps] all ops of the type */
    double *usual_ns; /* [n_stages][n_steps] of a usual worker, where is_local */
    double *series;   /* [n_steps] */
    double *scratch;  /* [max(n_workers, n_steps)] */
    double *extra_ns; /* [n_workers] that it takes longer than usual, of a mean step */
    struct common_change changes[HC_N_OP_TYPES];
    double *ratio;           /* [HC_N_OP_TYPES][n_steps] of common changes, over the lowest level */
    uint8_t *is_high;        /* [HC_N_OP_TYPES][n_steps] */
    uint8_t *is_slow;        /* [n_workers][n_steps] */
    uint8_t *is_slow_worker; /* [n_workers] */
    uint8_t *is_done;        /* [n_workers] whose extra time is a culprit's already */
};

/* Add up the ops of the type. Returns how many there are. */
static size_t sum_type(struct types_search *s)
{
    const struct hc_step_lanes *lanes = &s->search->analysis->lanes;
    size_t dp_size = (size_t)lanes->dp_size, n = 0;
    memset(s->ns, 0, s->n_workers * s->n_steps * sizeof *s->ns);
    for (size_t i = 0; i < lanes->n_structures; i++) {
        const struct hc_step_structure *structure = &lanes->structures[i];
        for (size_t p = 0; p < structure->order.n_ops; p++) {
            if (structure->op_type[p] != s->type)
                continue;
            bool moves = hc_first_link(structure, p, lanes->n_stages, dp_size) != HC_NO_LINK;
            if (!moves && hc_op_is_p2p(s->type)) /* without a partner */
                continue;
            s->is_local = !moves;
            n++;
            double *to = s->ns + (size_t)structure->stage[p] * s->n_steps;
            for (size_t k = 0; k < structure->n_blocks; k++) {
                const struct hc_lane_block *block = &structure->blocks[k];
                const double *row = block->duration + p * block->stride;
                for (size_t t = 0; t < block->n_steps; t++)
                    for (size_t d = 0; d < dp_size; d++)
                        to[d * s->n_stages * s->n_steps + block->step[t]] += row[t * dp_size + d];
            }
        }
    }
    return n;
}

/* ---- what all workers have in common ---- */

/* The usual time of a type in a step, over what is usual for each worker; 1 in the median step of
 * most workers. Returns what the type takes of a mean worker and step, ns; 0 where few have it. */
static double find_common(struct types_search *s)
{
    double sum_ns = 0;
    size_t n_with = 0;
    for (size_t w = 0; w < s->n_workers; w++) {
        memcpy(s->scratch, s->ns + w * s->n_steps, s->n_steps * sizeof *s->scratch);
        s->extra_ns[w] = hc_lower_median(s->scratch, s->n_steps); /* until it is found, the usual */
        sum_ns += s->extra_ns[w] / (double)s->n_workers;
        n_with += s->extra_ns[w] > 0;
    }
    for (size_t t = 0; n_with && t < s->n_steps; t++) {
        size_t n = 0;
        for (size_t w = 0; w < s->n_workers; w++)
            if (s->extra_ns[w] > 0)
                s->scratch[n++] = s->ns[w * s->n_steps + t] / s->extra_ns[w];
        s->series[t] = hc_lower_median(s->scratch, n);
    }
    return sum_ns;
}

/* The same of passes, whose levels are there. */
static double find_common_pass(struct types_search *s, enum hc_pass pass)
{
    const struct hc_step_levels *levels = &s->search->levels;
    double sum_ns = 0;
    memcpy(s->series, levels->part[HC_LEVEL_JOB][pass], s->n_steps * sizeof *s->series);
    for (size_t stage = 0; stage < s->n_stages; stage++)
        sum_ns += levels->work_ns[pass][stage] / (double)s->n_stages;
    return sum_ns;
}

/* Enter the type among those of a culprit, with no ratio yet. */
static double *enter_type(struct types_search *s, struct hc_culprit *culprit)
{
    if (!culprit->type_ratio) {
        size_t n = HC_N_OP_TYPES * s->n_steps;
        culprit->type_ratio = hc_new_array(n, sizeof(double), s->search->analysis->err);
        for (size_t i = 0; culprit->type_ratio && i < n; i++)
            culprit->type_ratio[i] = 1;
    }
    culprit->op_types |= 1u << s->type;
    return culprit->type_ratio ? culprit->type_ratio + (size_t)s->type * s->n_steps : NULL;
}

static double value_of(const struct types_search *s, size_t worker, size_t step)
{
    const struct hc_step_levels *levels = &s->search->levels;
    int pass = s->type == HC_FORWARD_COMPUTE ? HC_FORWARD_PASS : HC_BACKWARD_PASS;
    return hc_op_is_pass(s->type) ? levels->part[HC_LEVEL_JOB][pass][step] *
                                        hc_worker_level(levels, worker, step, pass)
                                  : s->ns[worker * s->n_steps + step];
}

/* Whether nearly all workers that have the type take longer in the slow steps, and not only the
 * half of them that the median shows: at least half as much as the median does. */
static bool have_all(const struct types_search *s, const struct hc_two_levels *found)
{
    size_t n_with = 0, n_slow = 0;
    double least = 1 + (found->high / found->low - 1) / 2;
    for (size_t w = 0; w < s->n_workers; w++) {
        double sum[2] = {0, 0}, n[2] = {0, 0};
        for (size_t t = 0; t < s->n_steps; t++) {
            sum[found->is_high[t]] += value_of(s, w, t);
            n[found->is_high[t]]++;
        }
        n_with += sum[0] > 0;
        n_slow += sum[0] > 0 && sum[1] / n[1] >= least * sum[0] / n[0];
    }
    return (double)n_slow >= PART_OF_ALL * (double)n_with;
}

/* Find whether a type changes on all workers alike, by s->series. */
static enum hc_status find_change(struct types_search *s, double usual_ns)
{
    struct common_change *change = &s->changes[s->type];
    bool moves = !hc_op_is_pass(s->type) && !s->is_local;
    struct hc_level_rule rule = {0, moves ? LEAST_TRANSFER_RISE : LEAST_RISE, true};
    struct hc_two_levels found = {.is_high = s->is_high + (size_t)s->type * s->n_steps};
    double *ratio = s->ratio + (size_t)s->type * s->n_steps;
    size_t n_first = 0;
    *change = (struct common_change){.is_high = found.is_high};
    if (!(usual_ns > 0))
        return HC_OK;
    if (hc_two_levels_find(&found, s->series, s->n_steps, &rule, s->search->analysis->err))
        return s->search->analysis->err->status;
    for (size_t t = 0; found.found && t < s->n_steps; t++) {
        ratio[t] = found.is_high[t] ? fmax(s->series[t] / found.low, 1) : 1;
        change->cost_ns += (ratio[t] - 1) * found.low * usual_ns / (double)s->n_steps;
        n_first += found.is_high[t] && n_first == t;
    }
    bool is_warm_up = n_first == found.n_high && n_first <= MOST_WARM_UP;
    bool is_usual = (double)found.n_high > MOST_STEPS * (double)s->n_steps;
    change->found = found.found && !is_warm_up && !is_usual && have_all(s, &found);
    change->usual_ns = usual_ns * found.low;
    return HC_OK;
}

/* Make a culprit of the types that change in the same steps as this one, if they cost enough
 * together. */
static enum hc_status add_common(struct types_search *s, const struct common_change *first)
{
    double cost_ns = 0;
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        struct common_change *change = &s->changes[type];
        change->is_same =
            change->found && hc_same_steps(first->is_high, change->is_high, s->n_steps);
        cost_ns += change->is_same ? change->cost_ns : 0;
    }
    if (cost_ns < s->least_ns)
        return HC_OK;
    s->grouping.is_slow = NULL;
    if (hc_culprits_add_job(&s->grouping, HC_CULPRIT_JOB))
        return s->search->analysis->err->status;
    struct hc_culprits *culprits = &s->search->analysis->result->depth.culprits;
    struct hc_culprit *culprit = &culprits->culprits[culprits->n - 1];
    memset(culprit->is_slow, 0, s->n_steps);
    for (s->type = 0; s->type < HC_N_OP_TYPES; s->type++) {
        struct common_change *change = &s->changes[s->type];
        double *ratio = change->is_same ? enter_type(s, culprit) : NULL;
        if (!change->is_same)
            continue;
        if (!ratio)
            return s->search->analysis->err->status;
        memcpy(ratio, s->ratio + (size_t)s->type * s->n_steps, s->n_steps * sizeof *ratio);
        culprit->type_ns[s->type] = change->usual_ns;
        for (size_t t = 0; t < s->n_steps; t++)
            culprit->is_slow[t] |= change->is_high[t];
        change->found = false;
    }
    return HC_OK;
}

static enum hc_status add_changes(struct types_search *s)
{
    for (;;) {
        const struct common_change *costliest = NULL;
        for (int type = 0; type < HC_N_OP_TYPES; type++) {
            struct common_change *change = &s->changes[type];
            if (change->found && (!costliest || change->cost_ns > costliest->cost_ns))
                costliest = change;
        }
        if (!costliest)
            return HC_OK;
        if (add_common(s, costliest))
            return s->search->analysis->err->status;
        s->changes[costliest - s->changes].found = false;
    }
}

/* ---- what one worker takes longer ---- */

/* What a usual worker of each stage takes in each step. With one dp rank, what it takes in all
 * steps and what all stages take longer in this one. */
static void find_usual(struct types_search *s)
{
    size_t dp_size = s->n_workers / s->n_stages;
    for (size_t stage = 0; stage < s->n_stages; stage++) {
        double *usual = s->usual_ns + stage * s->n_steps;
        for (size_t t = 0; t < s->n_steps; t++) {
            for (size_t d = 0; d < dp_size; d++)
                s->scratch[d] = s->ns[(d * s->n_stages + stage) * s->n_steps + t];
            usual[t] = hc_lower_median(s->scratch, dp_size);
        }
        if (dp_size > 1)
            continue;
        memcpy(s->scratch, usual, s->n_steps * sizeof *usual);
        s->extra_ns[stage] = hc_lower_median(s->scratch, s->n_steps);
    }
    for (size_t t = 0; dp_size == 1 && t < s->n_steps; t++) {
        for (size_t stage = 0; stage < s->n_stages; stage++)
            s->scratch[stage] = s->ns[stage * s->n_steps + t] - s->extra_ns[stage];
        double common = fmax(hc_lower_median(s->scratch, s->n_stages), 0);
        for (size_t stage = 0; stage < s->n_stages; stage++)
            s->usual_ns[stage * s->n_steps + t] =
                s->extra_ns[stage] + (s->n_stages > 1 ? common : 0);
    }
}

static double extra_of(const struct types_search *s, size_t worker, size_t step)
{
    return s->ns[worker * s->n_steps + step] -
           s->usual_ns[worker % s->n_stages * s->n_steps + step];
}

/* The spread of what the workers of a stage take longer, of a mean step. */
static double spread_of_peers(struct types_search *s, size_t worker)
{
    size_t n = 0;
    for (size_t w = worker % s->n_stages; w < s->n_workers; w += s->n_stages)
        s->scratch[n++] = fabs(s->extra_ns[w]);
    return HC_MAD_TO_SD * hc_lower_median(s->scratch, n);
}

/* Whether a worker takes longer, and in which steps: those at an upper level, or all, or those in
 * which it takes far longer than usual. */
static enum hc_status judge_worker(struct types_search *s, size_t worker, double noise)
{
    const struct hc_whatif_result *r = s->search->analysis->result;
    uint8_t *is_slow = s->is_slow + worker * s->n_steps;
    double step_ns = 1e9 * r->replayed_s, slow_ns = 0;
    struct hc_level_rule rule = {noise, LEAST_EXTRA, true};
    struct hc_two_levels found = {.is_high = is_slow};
    for (size_t t = 0; t < s->n_steps; t++)
        s->series[t] = 1 + fmax(extra_of(s, worker, t), 0) / step_ns;
    if (hc_two_levels_find(&found, s->series, s->n_steps, &rule, s->search->analysis->err))
        return s->search->analysis->err->status;
    for (size_t t = 0; found.found && t < s->n_steps; t++)
        slow_ns += is_slow[t] ? extra_of(s, worker, t) / (double)s->n_steps : 0;
    if (found.found && slow_ns >= s->least_ns) {
        s->is_slow_worker[worker] = 1;
        return HC_OK;
    }
    for (size_t t = 0; t < s->n_steps; t++)
        s->scratch[t] = extra_of(s, worker, t);
    bool lasts = hc_select(s->scratch, s->n_steps, s->n_steps / 4) >= s->extra_ns[worker] / 2;
    s->is_slow_worker[worker] = lasts && s->n_workers > s->n_stages &&
                                s->extra_ns[worker] >= CHANCE_SPREADS * spread_of_peers(s, worker);
    memset(is_slow, s->is_slow_worker[worker], s->n_steps);
    if (s->is_slow_worker[worker])
        return HC_OK;
    /* Pauses of all lengths are at no level: the steps that have one. */
    slow_ns = 0;
    for (size_t t = 0; t < s->n_steps; t++) {
        is_slow[t] = s->series[t] - 1 >= fmax(LEAST_EXTRA, BURST_DEVIATIONS * noise);
        slow_ns += is_slow[t] ? extra_of(s, worker, t) / (double)s->n_steps : 0;
    }
    s->is_slow_worker[worker] = slow_ns >= s->least_ns;
    return HC_OK;
}

/* Fill the ratios of a culprit, its type's usual time, and by how much it takes longer. */
static enum hc_status measure_own(struct types_search *s, struct hc_culprit *culprit)
{
    double *ratio = enter_type(s, culprit), n = (double)culprit->n_members, n_slow = 0;
    if (!ratio)
        return s->search->analysis->err->status;
    double sum_ns = 0;
    for (size_t t = 0; t < s->n_steps; t++) {
        double own = 0, usual = 0;
        for (size_t i = 0; i < culprit->n_members; i++) {
            size_t w = (size_t)culprit->members[i];
            own += s->ns[w * s->n_steps + t] / n;
            usual += s->usual_ns[w % s->n_stages * s->n_steps + t] / n;
        }
        culprit->type_ns[s->type] += usual / (double)s->n_steps;
        if (!culprit->is_slow[t])
            continue;
        ratio[t] = fmax(own / usual, 1); /* infinite where its peers have no such op */
        sum_ns += own - usual;
        n_slow++;
    }
    culprit->extra_s = n_slow > 0 ? sum_ns / n_slow / 1e9 : 0;
    return HC_OK;
}

/* A culprit of the same workers and steps, before this one. NULL: none. */
static struct hc_culprit *same_before(struct types_search *s, const struct hc_culprit *culprit)
{
    struct hc_culprits *culprits = &s->search->analysis->result->depth.culprits;
    for (struct hc_culprit *other = culprits->culprits; other < culprit; other++)
        if (other->n_members == culprit->n_members && other->pattern != HC_SLOW_SOME_PASSES &&
            memcmp(other->members, culprit->members, culprit->n_members * sizeof(int32_t)) == 0 &&
            hc_same_steps(other->is_slow, culprit->is_slow, s->n_steps))
            return other;
    return NULL;
}

/* A worker that is slow in its passes and in its optimizer is one culprit. */
static enum hc_status join_culprits(struct types_search *s, size_t first)
{
    struct hc_culprits *culprits = &s->search->analysis->result->depth.culprits;
    size_t n = first;
    enum hc_status status = HC_OK;
    for (size_t i = first; i < culprits->n; i++) {
        struct hc_culprit own = culprits->culprits[i], *same;
        culprits->culprits[n] = own;
        same = same_before(s, &culprits->culprits[n]);
        struct hc_culprit *to = same ? same : &culprits->culprits[n];
        if (status == HC_OK)
            status = measure_own(s, to);
        if (same)
            hc_culprit_fini(&own);
        else
            n++;
    }
    culprits->n = n;
    return status;
}

/* Join the type to the workers that are slow in their passes, where it is slow in the same steps:
 * the optimizer of a GPU that is throttled, however little it takes. Those workers are done. */
static enum hc_status join_passes(struct types_search *s)
{
    struct hc_culprits *culprits = &s->search->analysis->result->depth.culprits;
    for (size_t i = 0; i < culprits->n; i++) {
        struct hc_culprit *culprit = &culprits->culprits[i];
        double healthy = 0, n_healthy = 0;
        size_t n_slow = 0;
        if (culprit->cause != HC_STRAGGLER_WORKER || culprit->pattern == HC_SLOW_SOME_PASSES ||
            culprit->ops == HC_SLOW_TYPES)
            continue;
        for (size_t t = 0; t < s->n_steps; t++) {
            double own = 0, usual = 0;
            for (size_t k = 0; k < culprit->n_members; k++) {
                size_t w = (size_t)culprit->members[k];
                own += s->ns[w * s->n_steps + t];
                usual += s->usual_ns[w % s->n_stages * s->n_steps + t];
            }
            if (culprit->is_slow[t]) {
                s->series[n_slow++] = usual > 0 ? own / usual : 0;
            } else {
                healthy += usual > 0 ? own / usual : 0;
                n_healthy++;
            }
        }
        struct hc_measured slow = hc_mean_of_steps(s->series, n_slow);
        double least = n_healthy > 0 ? healthy / n_healthy : 1;
        if (!(slow.low > least) || slow.value < LEAST_JOINED * least)
            continue;
        if (measure_own(s, culprit))
            return s->search->analysis->err->status;
        for (size_t k = 0; k < culprit->n_members; k++)
            s->is_done[culprit->members[k]] = 1;
    }
    return HC_OK;
}

static enum hc_status add_own(struct types_search *s)
{
    struct hc_error *err = s->search->analysis->err;
    size_t first = s->search->analysis->result->depth.culprits.n, n_judged = 0;
    double *spreads = NULL, noise = 0;
    find_usual(s);
    memset(s->is_done, 0, s->n_workers);
    if (join_passes(s))
        return err->status;
    for (size_t w = 0; w < s->n_workers; w++) {
        double above = 0;
        s->extra_ns[w] = 0;
        for (size_t t = 0; t < s->n_steps; t++) {
            s->extra_ns[w] += extra_of(s, w, t) / (double)s->n_steps;
            above += fmax(extra_of(s, w, t), 0) / (double)s->n_steps;
        }
        s->is_slow_worker[w] = !s->is_done[w] && above >= s->least_ns; /* so far: to be judged */
        n_judged += s->is_slow_worker[w];
    }
    if (n_judged == 0)
        return HC_OK;
    spreads = hc_new_array(s->n_workers, sizeof *spreads, err);
    if (!spreads)
        return err->status;
    for (size_t w = 0; w < s->n_workers; w++) {
        for (size_t t = 0; t < s->n_steps; t++)
            s->series[t] = extra_of(s, w, t) / (1e9 * s->search->analysis->result->replayed_s);
        spreads[w] = hc_spread(s->series, s->n_steps, s->scratch);
    }
    noise = hc_lower_median(spreads, s->n_workers);
    free(spreads);
    memset(s->is_slow, 0, s->n_workers * s->n_steps);
    for (size_t w = 0; w < s->n_workers; w++)
        if (s->is_slow_worker[w] && judge_worker(s, w, noise))
            return err->status;
    if (hc_culprits_split_by_steps(&s->grouping, s->is_slow_worker))
        return err->status;
    return join_culprits(s, first);
}

/* ---- all together ---- */

static enum hc_status search_types(struct types_search *s)
{
    for (s->type = 0; s->type < HC_N_OP_TYPES; s->type++) {
        bool is_pass = hc_op_is_pass(s->type), forward = s->type == HC_FORWARD_COMPUTE;
        if (!is_pass && sum_type(s) == 0)
            continue;
        double usual_ns = is_pass
                              ? find_common_pass(s, forward ? HC_FORWARD_PASS : HC_BACKWARD_PASS)
                              : find_common(s);
        s->grouping.is_slow = s->is_slow;
        bool has_peers = s->n_workers > 1;
        if (find_change(s, usual_ns) || (!is_pass && s->is_local && has_peers && add_own(s)))
            return s->search->analysis->err->status;
    }
    return add_changes(s);
}

enum hc_status hc_culprits_add_types(struct hc_straggler_cause_search *search, double least_s)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_error *err = search->analysis->err;
    size_t n = r->n_workers, n_steps = r->n_steps, longest = n > n_steps ? n : n_steps;
    size_t n_stages = (size_t)r->pp_size, n_figures = n * n_steps + n_stages * n_steps + n_steps +
                                                      longest + n + HC_N_OP_TYPES * n_steps;
    size_t n_marks = HC_N_OP_TYPES * n_steps + n * n_steps + 3 * n;
    double *figures = hc_new_array(n_figures, sizeof *figures, err);
    uint8_t *marks = hc_new_array(n_marks, 1, err);
    enum hc_status status = figures && marks ? HC_OK : err->status;
    if (status == HC_OK) {
        struct types_search s = {
            .search = search,
            .n_workers = n,
            .n_steps = n_steps,
            .n_stages = n_stages,
            .least_ns = 1e9 * least_s,
            .grouping = {
                .search = search, .ops = HC_SLOW_TYPES, .pattern = HC_SLOW_RECURRENT, .in = marks}};
        s.is_slow_worker = marks + n;
        s.is_done = s.is_slow_worker + n;
        s.is_slow = s.is_done + n;
        s.is_high = s.is_slow + n * n_steps;
        s.ns = figures;
        s.usual_ns = s.ns + n * n_steps;
        s.series = s.usual_ns + n_stages * n_steps;
        s.scratch = s.series + n_steps;
        s.extra_ns = s.scratch + longest;
        s.ratio = s.extra_ns + n;
        status = search_types(&s);
    }
    free(figures);
    free(marks);
    return status;
}
