/* trial_plants.c - what is planted: whom it hits and when, and what it does to the ops. */
#include "tests/trials/trial.h"

#include <gsl/gsl_randist.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- whom ------------------------------------------------------------------------------------- */

static int place_of(const struct trial *trial, enum trial_kind kind, int worker)
{
    const struct trial_shape *shape = &trial->shape;
    switch (kind) {
    case TRIAL_DP_RANK:
        return worker / shape->pp;
    case TRIAL_STAGE:
        return worker % shape->pp;
    case TRIAL_HOST:
        return trial_node(shape, worker);
    case TRIAL_SWITCH:
        return trial_switch(shape, worker);
    case TRIAL_SLOT:
        return trial_slot_of_node(shape, worker);
    case TRIAL_JOB:
        return 0;
    default:
        return worker;
    }
}

/* Whether all workers of some dp rank, node or switch of several are members: then that would be
 * the right name. */
static bool holds_place(const struct trial *trial, const struct trial_plant *plant)
{
    static const enum trial_kind kinds[] = {TRIAL_DP_RANK, TRIAL_HOST, TRIAL_SWITCH, TRIAL_SLOT};
    int n_workers = trial_n_workers(&trial->shape);
    for (int w = 0; w < n_workers; w++)
        for (size_t k = 0; plant->is_member[w] && k < sizeof kinds / sizeof *kinds; k++) {
            int place = place_of(trial, kinds[k], w), n = 0, n_members = 0;
            for (int v = 0; v < n_workers; v++)
                if (place >= 0 && place_of(trial, kinds[k], v) == place) {
                    n++;
                    n_members += plant->is_member[v];
                }
            if (n > 1 && n_members == n && kinds[k] != plant->kind)
                return true;
        }
    return false;
}

/* Peers are the workers of a stage: at most half of them may be members, and at least one place
 * must be left that is none. A host is no host when it holds one worker, nor a switch one node. */
static bool is_placed_well(const struct trial *trial, const struct trial_plant *plant)
{
    const struct trial_shape *shape = &trial->shape;
    int n = 0, nodes[1024] = {0}, n_nodes = 0;
    for (int w = 0; w < trial_n_workers(shape); w++) {
        n += plant->is_member[w];
        int node = trial_node(shape, w);
        if (plant->is_member[w] && node >= 0 && !nodes[node]++)
            n_nodes++;
    }
    for (int s = 0; s < shape->pp && plant->kind != TRIAL_STAGE && plant->kind != TRIAL_JOB; s++) {
        int slow = 0;
        for (int d = 0; d < shape->dp; d++)
            slow += plant->is_member[trial_worker(shape, d, s)];
        if (2 * slow > shape->dp)
            return false;
    }
    if (plant->kind >= TRIAL_SLOT)
        return n > 1 && !holds_place(trial, plant);
    return plant->kind == TRIAL_HOST ? n > 1 : plant->kind == TRIAL_SWITCH ? n_nodes > 1 : n > 0;
}

static void draw_several(const struct trial *trial, struct trial_plant *plant, gsl_rng *rng)
{
    const struct trial_shape *shape = &trial->shape;
    int n = plant->kind == TRIAL_SERIES ? 2 : 2 + (int)gsl_rng_uniform_int(rng, 3);
    int dp = (int)gsl_rng_uniform_int(rng, (unsigned long)shape->dp);
    for (int i = 0; i < n; i++) {
        int stage = (int)gsl_rng_uniform_int(rng, (unsigned long)shape->pp);
        plant->is_member[trial_worker(shape, dp, stage)] = 1;
        if (plant->kind == TRIAL_SEVERAL)
            dp = (int)gsl_rng_uniform_int(rng, (unsigned long)shape->dp);
    }
}

/* A worker that no other planting hits; there are more workers than plantings. */
static int draw_free_worker(const struct trial *trial, gsl_rng *rng)
{
    int w;
    bool is_free;
    do {
        w = (int)gsl_rng_uniform_int(rng, (unsigned long)trial_n_workers(&trial->shape));
        is_free = true;
        for (int i = 0; trial->n_copies && i < trial->n_plants - 1; i++)
            is_free &= !trial->plants[i].is_member[w];
    } while (!is_free);
    return w;
}

static bool draw_members(const struct trial *trial, struct trial_plant *plant, gsl_rng *rng)
{
    const struct trial_shape *shape = &trial->shape;
    int n = trial_n_workers(shape);
    int chosen = place_of(trial, plant->kind, draw_free_worker(trial, rng));
    if (chosen < 0)
        return false;
    for (int w = 0; plant->kind <= TRIAL_SLOT && w < n; w++)
        plant->is_member[w] = place_of(trial, plant->kind, w) == chosen;
    if (plant->kind > TRIAL_SLOT)
        draw_several(trial, plant, rng);
    plant->backward = gsl_rng_uniform(rng) < 0.5;
    if (plant->ops == TRIAL_OPS_LINK)
        for (int w = 0; w < n; w++) /* the boundary behind the last stage leads nowhere */
            if (plant->is_member[w] && w % shape->pp == shape->pp - 1)
                return false;
    return is_placed_well(trial, plant);
}

/* The stage from which work is moved to that of the members. */
static bool draw_from(const struct trial *trial, struct trial_plant *plant, gsl_rng *rng)
{
    int n = trial->shape.pp, to = trial_first_member(plant) % n;
    if (n < 2)
        return false;
    plant->from = (to + 1 + (int)gsl_rng_uniform_int(rng, (unsigned long)(n - 1))) % n;
    return true;
}

/* --- when ------------------------------------------------------------------------------------- */

static enum trial_pattern draw_pattern(unsigned patterns, gsl_rng *rng)
{
    int chosen[TRIAL_N_PATTERNS], n = 0;
    for (int i = 0; i < TRIAL_N_PATTERNS; i++)
        if (patterns & 1u << i)
            chosen[n++] = i;
    return (enum trial_pattern)chosen[gsl_rng_uniform_int(rng, (unsigned long)n)];
}

/* Stretches of three to six steps, far enough apart to be told apart. */
static void draw_bursts(struct trial_plant *plant, int n_steps, int left, gsl_rng *rng)
{
    int n_bursts = left / 4 < 2 ? 2 : left / 4;
    for (int i = 0, at = 0; i < n_bursts; i++) {
        int room = n_steps / n_bursts, n = 3 + (int)gsl_rng_uniform_int(rng, 3);
        n = n > room - 3 ? room - 3 : n;
        int first = at + (int)gsl_rng_uniform_int(rng, (unsigned long)(room - n - 1));
        for (int k = first; k < first + n; k++)
            plant->is_slow[k] = 1;
        at += room;
    }
}

/* Levels that rise from the planting's factor on, 1.2 to 1.5 times each, over n steps from `first`;
 * none shorter than four steps. */
static void draw_levels(struct trial_plant *plant, int first, int n, gsl_rng *rng)
{
    double factor = plant->factor;
    for (int i = 0; i < plant->n_levels; i++) {
        int length = n / plant->n_levels;
        plant->level_first[i] = first + i * length;
        if (i > 0 && length > 4)
            plant->level_first[i] += (int)gsl_rng_uniform_int(rng, (unsigned long)(length - 3));
        plant->level_factor[i] = factor;
        factor *= gsl_ran_flat(rng, 1.2, 1.5);
    }
}

/* Of many plantings each has a stretch of its own of three to nine steps, the costliest one of
 * twelve or more; some overlap. */
static void draw_stretch(const struct trial *trial, struct trial_plant *plant, gsl_rng *rng)
{
    bool is_costliest = trial->n_plants - 1 == trial->costliest;
    int n = (is_costliest ? 12 : 3) + (int)gsl_rng_uniform_int(rng, 7);
    int room = trial->shape.n_steps - n;
    memset(plant->is_slow + gsl_rng_uniform_int(rng, (unsigned long)room), 1, (size_t)n);
    plant->pass_share = 1;
}

static void draw_steps(const struct trial *trial, struct trial_plant *plant, gsl_rng *rng)
{
    int n_steps = trial->shape.n_steps;
    double duty = gsl_ran_flat(rng, 0.1, 0.5);
    int n = (int)fmax(2, lround(duty * n_steps)), first = 0;
    bool is_mended = strcmp(trial->of->group, "mended") == 0;
    if (plant->pattern == TRIAL_LEVELS) {
        plant->n_levels = 2 + (int)gsl_rng_uniform_int(rng, TRIAL_MOST_LEVELS - 1);
        n = (int)fmax(n, 4 * plant->n_levels);
        draw_levels(plant, n_steps - n, n, rng);
    }
    if (plant->pattern == TRIAL_BETWEEN)
        first = 1 + (int)gsl_rng_uniform_int(rng, (unsigned long)(n_steps - n - 1));
    else if (plant->pattern == TRIAL_SINCE || plant->pattern == TRIAL_RAMP ||
             plant->pattern == TRIAL_LEVELS)
        first = n_steps - n;
    if (is_mended)
        n = n_steps * 6 / 10;
    int every = (int)lround(1 / duty), phase = (int)gsl_rng_uniform_int(rng, (unsigned long)every);
    int left = n;
    plant->period = plant->pattern == TRIAL_PERIODIC ? every : 0;
    if (plant->pattern == TRIAL_BURSTS)
        draw_bursts(plant, n_steps, left, rng);
    for (int i = 0; i < n_steps && plant->pattern != TRIAL_BURSTS; i++) {
        bool is_slow = true;
        if (plant->pattern == TRIAL_SINCE || plant->pattern == TRIAL_UNTIL ||
            plant->pattern == TRIAL_BETWEEN || plant->pattern == TRIAL_RAMP ||
            plant->pattern == TRIAL_LEVELS)
            is_slow = i >= first && i < first + n;
        else if (plant->pattern == TRIAL_PERIODIC)
            is_slow = i % every == phase;
        else if (plant->pattern == TRIAL_RECURRENT)
            is_slow = gsl_rng_uniform(rng) * (n_steps - i) < left;
        left -= is_slow;
        plant->is_slow[i] = is_slow;
    }
    plant->pass_share = plant->pattern == TRIAL_SOME_PASSES || plant->pattern == TRIAL_THROTTLED
                            ? gsl_ran_flat(rng, 0.1, 0.5)
                            : 1;
}

bool trial_draw_plant(struct trial *trial, const struct trial_recipe *recipe, gsl_rng *rng)
{
    struct trial_plant *plant = &trial->plants[trial->n_plants++];
    *plant =
        (struct trial_plant){.what = recipe->what,
                             .kind = recipe->kind,
                             .ops = recipe->ops,
                             .types = recipe->types,
                             .cause = recipe->cause,
                             .factor = exp(gsl_ran_flat(rng, log(recipe->low), log(recipe->high))),
                             .wander = gsl_ran_flat(rng, 0, 0.15),
                             .rate = exp(gsl_ran_flat(rng, log(0.05), log(0.4))),
                             .seed = (uint32_t)gsl_rng_get(rng),
                             .is_member = calloc((size_t)trial_n_workers(&trial->shape), 1),
                             .is_slow = calloc((size_t)trial->shape.n_steps, 1)};
    if (!plant->is_member || !plant->is_slow)
        abort();
    plant->pattern = draw_pattern(recipe->patterns, rng);
    if (trial->n_copies)
        draw_stretch(trial, plant, rng);
    else
        draw_steps(trial, plant, rng);
    return draw_members(trial, plant, rng) &&
           (plant->what != TRIAL_MOVED || draw_from(trial, plant, rng));
}

/* --- what it does ----------------------------------------------------------------------------- */

struct laying {
    struct trial *trial;
    struct trial_plant *plant;
    gsl_rng *rng;
    int step;
    double factor; /* of this step */
};

static void stretch(struct laying *laying, int worker, enum trial_op op, int seq)
{
    struct trial *trial = laying->trial;
    if (worker >= 0 && trial_has_op(&trial->shape, op, worker % trial->shape.pp))
        trial->duration[trial_slot(&trial->shape, laying->step, worker, op, seq)] *= laying->factor;
}

/* Passes of a member; gives how many were slow. */
static int stretch_passes(struct laying *laying, int worker)
{
    const struct trial_plant *plant = laying->plant;
    const struct trial_shape *shape = &laying->trial->shape;
    int n = 0, n_passes = 2 * shape->microbatches;
    for (int i = 0; i < n_passes; i++) {
        struct trial_pass pass = trial_pass_at(shape, worker % shape->pp, i);
        double u = gsl_rng_uniform(laying->rng);
        bool is_hit = plant->pattern == TRIAL_SOME_PASSES ? u < plant->pass_share
                      : plant->pattern == TRIAL_THROTTLED ? i >= (1 - plant->pass_share) * n_passes
                                                          : true;
        if (!is_hit || (plant->ops == TRIAL_OPS_FORWARD && pass.op != TRIAL_FORWARD) ||
            (plant->ops == TRIAL_OPS_BACKWARD && pass.op != TRIAL_BACKWARD))
            continue;
        stretch(laying, worker, pass.op, pass.microbatch);
        n++;
    }
    if ((plant->ops == TRIAL_OPS_PASSES || plant->ops == TRIAL_OPS_ALL) && plant->pass_share == 1)
        stretch(laying, worker, TRIAL_OPTIMIZER, 0);
    return n;
}

/* Transfers over the boundary from a stage to the next: both ends see them slow. */
static void stretch_boundary(struct laying *laying, int worker, bool backward)
{
    enum trial_op send = backward ? TRIAL_BACKWARD_SEND : TRIAL_FORWARD_SEND;
    enum trial_op take = backward ? TRIAL_BACKWARD_RECV : TRIAL_FORWARD_RECV;
    for (int k = 0; k < laying->trial->shape.microbatches; k++) {
        stretch(laying, worker + backward, send, k);
        stretch(laying, worker + !backward, take, k);
    }
}

static bool has_behind(const struct trial_shape *shape, int worker)
{
    return worker >= 0 && worker % shape->pp != shape->pp - 1;
}

/* All transfers of the members' network cards. A collective goes at the pace of its slowest member,
 * so that all dp ranks of its stage see it slow. */
static void stretch_transfers(struct laying *laying)
{
    static const enum trial_op collectives[] = {TRIAL_GATHER, TRIAL_SCATTER, TRIAL_SEPARATE};
    const struct trial_shape *shape = &laying->trial->shape;
    const uint8_t *is_member = laying->plant->is_member;
    for (int w = 0; w < trial_n_workers(shape); w++) {
        if (has_behind(shape, w) && (is_member[w] || is_member[w + 1])) {
            stretch_boundary(laying, w, false);
            stretch_boundary(laying, w, true);
        }
        bool is_met = false;
        for (int d = 0; d < shape->dp; d++)
            is_met |= is_member[trial_worker(shape, d, w % shape->pp)];
        for (size_t i = 0; is_met && i < sizeof collectives / sizeof *collectives; i++)
            stretch(laying, w, collectives[i], 0);
    }
}

/* All ops of the planting's types on its members. A network that is slow for all is not equally
 * slow for each transfer. */
static void stretch_types(struct laying *laying)
{
    const struct trial_plant *plant = laying->plant;
    const struct trial_shape *shape = &laying->trial->shape;
    double of_step = laying->factor;
    for (int w = 0; w < trial_n_workers(shape); w++)
        for (int op = 0; plant->is_member[w] && op < TRIAL_N_OPS; op++)
            for (int k = 0; plant->types >> op & 1 && k < trial_op_count(shape, (enum trial_op)op);
                 k++) {
                if (plant->kind == TRIAL_JOB)
                    laying->factor = 1 + (of_step - 1) * gsl_ran_gamma(laying->rng, 10, 0.1);
                stretch(laying, w, (enum trial_op)op, k);
            }
    laying->factor = of_step;
}

/* Slow steps of a planting, and the share of the passes that are slow in them. */
struct slow_count {
    long n_slow, n_passes;
    int n_steps;
};

static void lay_slow(struct laying *laying, struct slow_count *count)
{
    const struct trial_plant *plant = laying->plant;
    const struct trial_shape *shape = &laying->trial->shape;
    bool moves = plant->ops == TRIAL_OPS_TRANSFERS || plant->ops == TRIAL_OPS_ALL;
    bool computes = plant->ops <= TRIAL_OPS_PASSES || plant->ops == TRIAL_OPS_ALL;
    long n = 0, of = 0;
    for (int w = 0; w < trial_n_workers(shape); w++) {
        if (!plant->is_member[w])
            continue;
        if (computes) {
            n += stretch_passes(laying, w);
            of += shape->microbatches *
                  (plant->ops == TRIAL_OPS_FORWARD || plant->ops == TRIAL_OPS_BACKWARD ? 1 : 2);
        }
        if (plant->ops == TRIAL_OPS_LINK)
            stretch_boundary(laying, w, plant->backward);
    }
    if (moves)
        stretch_transfers(laying);
    if (plant->ops == TRIAL_OPS_TYPES)
        stretch_types(laying);
    if (n > 0 || !computes) {
        count->n_slow += n;
        count->n_passes += of;
        count->n_steps++;
    }
}

/* What a pass of a stage takes before anything is planted, over one of another stage. */
static double base_of(const struct trial_shape *shape, int stage)
{
    return stage == shape->pp - 1 ? shape->last_stage : 1;
}

/* Work moved to the members' stage: what it gains, `from` loses. */
static void lay_moved(struct laying *laying)
{
    const struct trial_plant *plant = laying->plant;
    const struct trial_shape *shape = &laying->trial->shape;
    double more = laying->factor;
    int to = trial_first_member(plant) % shape->pp;
    double less = 1 - (more - 1) * base_of(shape, to) / base_of(shape, plant->from);
    for (int d = 0; d < shape->dp; d++) {
        laying->factor = more;
        stretch_passes(laying, trial_worker(shape, d, to));
        laying->factor = fmax(0.1, less);
        stretch_passes(laying, trial_worker(shape, d, plant->from));
    }
    laying->factor = more;
}

static void lay_lengths(struct laying *laying)
{
    struct trial *trial = laying->trial;
    const struct trial_shape *shape = &trial->shape;
    for (int d = 0; d < shape->dp; d++)
        for (int k = 0; k < shape->microbatches; k++) {
            laying->factor = trial_draw_load(laying->rng, laying->plant->factor);
            for (int s = 0; s < shape->pp; s++) {
                stretch(laying, trial_worker(shape, d, s), TRIAL_FORWARD, k);
                stretch(laying, trial_worker(shape, d, s), TRIAL_BACKWARD, k);
            }
        }
}

static void lay_pauses(struct laying *laying)
{
    struct trial *trial = laying->trial;
    const struct trial_shape *shape = &trial->shape;
    const struct trial_plant *plant = laying->plant;
    double mean = plant->factor * shape->mean_s[TRIAL_FORWARD];
    for (int w = 0; w < trial_n_workers(shape); w++) {
        double u = gsl_rng_uniform(laying->rng), pause = gsl_ran_gamma(laying->rng, 12, mean / 12);
        int k = (int)gsl_rng_uniform_int(laying->rng, (unsigned long)shape->microbatches);
        enum trial_op op = plant->ops == TRIAL_OPS_BACKWARD ? TRIAL_BACKWARD : TRIAL_FORWARD;
        if (u < plant->rate && plant->is_member[w])
            trial->duration[trial_slot(shape, laying->step, w, op, k)] += pause;
    }
}

/* Seconds of one op of each member: of the ops of its types (a collection of garbage, a checkpoint
 * that is written in the optimizer), or before its first forward pass (a late data loader). */
static void lay_added(struct laying *laying)
{
    struct trial *trial = laying->trial;
    const struct trial_shape *shape = &trial->shape;
    const struct trial_plant *plant = laying->plant;
    bool is_start = plant->what == TRIAL_LATE_START;
    unsigned types = is_start ? TRIAL_TYPE(FORWARD) : plant->types;
    double *seconds = is_start ? trial->delay : trial->duration;
    double mean = plant->factor * shape->mean_s[TRIAL_FORWARD];
    for (int w = 0; w < trial_n_workers(shape); w++)
        for (int op = 0; plant->is_member[w] && op < TRIAL_N_OPS; op++)
            if (types >> op & 1)
                seconds[trial_slot(shape, laying->step, w, (enum trial_op)op, 0)] +=
                    gsl_ran_gamma(laying->rng, 12, mean / 12);
}

static void lay_late(struct laying *laying)
{
    struct trial *trial = laying->trial;
    const struct trial_shape *shape = &trial->shape;
    double mean = laying->plant->factor * shape->mean_s[TRIAL_FORWARD];
    for (int w = 0; w < trial_n_workers(shape); w++)
        for (int o = 0; laying->plant->is_member[w] && o < TRIAL_N_OPS; o++)
            for (int k = 0; k < trial_op_count(shape, (enum trial_op)o); k++)
                trial->delay[trial_slot(shape, laying->step, w, (enum trial_op)o, k)] +=
                    gsl_ran_gamma(laying->rng, 3, mean / 3);
}

/* The factor of a planting in a step, before it wanders: that of the level which holds the step. */
static double factor_at(const struct trial_plant *plant, int step)
{
    double factor = plant->factor;
    for (int i = 0; i < plant->n_levels; i++)
        if (step >= plant->level_first[i])
            factor = plant->level_factor[i];
    return factor;
}

static void lay_step(struct laying *laying, struct slow_count *count)
{
    switch (laying->plant->what) {
    case TRIAL_SLOW:
        lay_slow(laying, count);
        break;
    case TRIAL_LENGTHS:
        lay_lengths(laying);
        break;
    case TRIAL_PAUSES:
        lay_pauses(laying);
        break;
    case TRIAL_MOVED:
        lay_moved(laying);
        break;
    case TRIAL_ADDED:
    case TRIAL_LATE_START:
        lay_added(laying);
        break;
    default:
        lay_late(laying);
        break;
    }
}

static void lay_plant(struct trial *trial, struct trial_plant *plant)
{
    struct laying laying = {.trial = trial, .plant = plant, .rng = gsl_rng_alloc(gsl_rng_taus2)};
    struct slow_count count = {0};
    if (!laying.rng)
        abort();
    gsl_rng_set(laying.rng, plant->seed);
    double sum = 0;
    int n = 0, n_slow = 0;
    for (int i = 0; i < trial->shape.n_steps; i++)
        n_slow += plant->is_slow[i];
    for (laying.step = 0; laying.step < trial->shape.n_steps; laying.step++) {
        double factor = factor_at(plant, laying.step);
        laying.factor =
            1 + (factor - 1) * fmax(0.4, 1 + gsl_ran_gaussian(laying.rng, plant->wander));
        if (!plant->is_slow[laying.step])
            continue;
        if (plant->pattern == TRIAL_RAMP)
            laying.factor = 1 + (laying.factor - 1) * (n + 1) / n_slow;
        sum += laying.factor;
        n++;
        lay_step(&laying, &count);
    }
    plant->mean_factor = sum / n;
    plant->duty = (double)(plant->what == TRIAL_SLOW ? count.n_steps : n) / trial->shape.n_steps;
    plant->pass_duty = count.n_passes ? (double)count.n_slow / (double)count.n_passes : 1;
    gsl_rng_free(laying.rng);
}

/* The work of a stage that has too much, cut evenly: every stage has its part of it. Moved work
 * is none that is added. */
static void lay_evenly(struct trial *trial, const struct trial_plant *plant)
{
    const struct trial_shape *shape = &trial->shape;
    struct laying laying = {.trial = trial, .factor = 1 + (plant->factor - 1) / shape->pp};
    for (laying.step = 0; laying.step < shape->n_steps; laying.step++)
        for (int w = 0; plant->is_slow[laying.step] && w < trial_n_workers(shape); w++)
            for (int k = 0; k < shape->microbatches; k++) {
                stretch(&laying, w, TRIAL_FORWARD, k);
                stretch(&laying, w, TRIAL_BACKWARD, k);
            }
}

void trial_lay(struct trial *trial, unsigned mask)
{
    memcpy(trial->duration, trial->drawn, trial->n_slots * sizeof *trial->drawn);
    memcpy(trial->delay, trial->drawn_delay, trial->n_slots * sizeof *trial->drawn);
    for (int i = 0; i < trial->n_plants; i++)
        if (mask & 1u << i)
            lay_plant(trial, &trial->plants[i]);
        else if (trial->is_even && trial->plants[i].what == TRIAL_SLOW &&
                 trial->plants[i].kind == TRIAL_STAGE)
            lay_evenly(trial, &trial->plants[i]);
}
