/* trial_make.c - a trial: drawn until it is one of its case, with what its plantings cost. */
#include "tests/trials/trial.h"

#include <stdlib.h>
#include <string.h>

#define MOST_DRAWS 2000

/* A seed of a generator, by case, seed and draw (FNV-1a over their text would do as well). */
static unsigned long mix(const char *name, uint64_t seed, unsigned draw)
{
    uint64_t h = seed * 0x9e3779b97f4a7c15u + draw;
    for (; *name; name++)
        h = (h ^ (uint64_t)(unsigned char)*name) * 0x100000001b3u;
    h ^= h >> 31;
    h *= 0xbf58476d1ce4e5b9u;
    return (unsigned long)(h >> 32);
}

void trial_fini(struct trial *trial)
{
    for (int i = 0; i < trial->n_plants; i++) {
        free(trial->plants[i].is_member);
        free(trial->plants[i].is_slow);
    }
    free(trial->drawn);
    *trial = (struct trial){0};
}

static void make_room(struct trial *trial)
{
    const struct trial_shape *shape = &trial->shape;
    size_t n = trial->n_slots = trial_slot(shape, shape->n_steps, 0, TRIAL_FORWARD, 0);
    double *space = malloc((6 * n + (size_t)shape->n_steps) * sizeof *space);
    if (!space)
        abort();
    trial->drawn = space;
    trial->drawn_delay = space + n;
    trial->duration = space + 2 * n;
    trial->delay = space + 3 * n;
    trial->start = space + 4 * n;
    trial->end = space + 5 * n;
    trial->step_s = space + 6 * n;
}

/* Costs of the plantings; the trial is left with all of them laid. */
static void weigh(struct trial *trial)
{
    unsigned all = (1u << trial->n_plants) - 1;
    for (int i = 0; i < trial->n_plants; i++) {
        trial_lay(trial, all & ~(1u << i));
        trial->plants[i].without_s = trial_run(trial, true);
    }
    trial_lay(trial, all);
    trial->ideal_s = trial_run_ideal(trial);
    trial_lay(trial, all);
    trial->launched_s = trial_run(trial, false);
    trial->mean_s = trial_run(trial, true);
    for (int i = 0; i < trial->n_plants; i++) {
        struct trial_plant *plant = &trial->plants[i];
        double lost = trial->mean_s - plant->without_s;
        plant->share = lost / (trial->mean_s - trial->ideal_s);
        plant->cost = lost / trial->mean_s;
        plant->onset = -1;
        for (int k = 0; k < trial->shape.n_steps; k++)
            if (plant->is_slow[k]) {
                plant->onset = plant->onset < 0 ? k : plant->onset;
                plant->end = k;
            }
    }
}

static double run_with(struct trial *trial, unsigned mask, bool with_delays)
{
    trial_lay(trial, mask);
    return trial_run(trial, with_delays);
}

/* What is lost to each of two plantings: the mean of what goes when it is mended first and last. */
static void lose_fairly(struct trial *trial, double lost_s[2], bool with_delays)
{
    trial->is_even = true;
    double only_first = run_with(trial, 1, with_delays),
           only_second = run_with(trial, 2, with_delays);
    double none = run_with(trial, 0, with_delays), both = run_with(trial, 3, with_delays);
    trial->is_even = false;
    lost_s[0] = (both - only_second + only_first - none) / 2;
    lost_s[1] = (both - only_first + only_second - none) / 2;
}

static void weigh_fairly(struct trial *trial)
{
    double excess = trial->mean_s - trial->ideal_s, lost_s[2];
    lose_fairly(trial, lost_s, true);
    for (int i = 0; i < 2; i++)
        trial->plants[i].fair_share = lost_s[i] / excess;
}

/* Shares as a replay can find them, which knows no launch delays. */
static void weigh_replay(struct trial *trial)
{
    double excess = trial->launched_s - trial->ideal_s, lost_s[TRIAL_MAX_PLANTS] = {0};
    unsigned all = (1u << trial->n_plants) - 1;
    for (int i = 0; i < trial->n_plants; i++) {
        struct trial_plant *plant = &trial->plants[i];
        bool is_late = plant->what == TRIAL_LATE || plant->what == TRIAL_LATE_START;
        lost_s[i] = trial->launched_s - run_with(trial, all & ~(1u << i), false);
        plant->saved_s = is_late ? trial->mean_s - plant->without_s : lost_s[i];
    }
    if (trial->n_plants == 2)
        lose_fairly(trial, lost_s, false);
    for (int i = 0; i < trial->n_plants; i++)
        trial->plants[i].replay_share = lost_s[i] / excess;
    run_with(trial, all, true);
}

static bool have_share(const struct trial *trial)
{
    return trial->plants[0].share >= 0.2 && trial->plants[1].share >= 0.2;
}

static int count_members(const struct trial *trial, const struct trial_plant *plant)
{
    int n = 0;
    for (int w = 0; w < trial_n_workers(&trial->shape); w++)
        n += plant->is_member[w];
    return n;
}

static bool are_costly(const struct trial *trial)
{
    bool are = true;
    for (int i = 0; i < trial->n_plants; i++)
        are &= trial->plants[i].cost >= 0.02;
    return are;
}

/* Whether one of many plantings costs 1.3 times as much as any other, when it is fixed last as well
 * as when it is fixed first. */
static bool is_costliest(struct trial *trial)
{
    const struct trial_plant *most = &trial->plants[trial->costliest];
    double none_s = run_with(trial, 0, true);
    double alone_s = run_with(trial, 1u << trial->costliest, true) - none_s;
    bool is = most->cost >= 0.02;
    for (int i = 0; i < trial->n_plants && is; i++)
        is = i == trial->costliest || (most->cost >= 1.3 * trial->plants[i].cost &&
                                       alone_s >= 1.3 * (run_with(trial, 1u << i, true) - none_s));
    return is;
}

static bool fits(struct trial *trial)
{
    bool is_felt = trial->launched_s >= 1.1 * trial->ideal_s;
    switch (trial->of->fit) {
    case TRIAL_IS_FELT:
        return is_felt && trial->plants[0].share >= 0.5;
    case TRIAL_IS_LATE:
        return trial->mean_s >= 1.12 * trial->launched_s;
    case TRIAL_IS_COSTLY:
        return trial->plants[0].cost >= 0.02;
    case TRIAL_IS_SHARED:
        return is_felt && have_share(trial) && trial->plants[0].fair_share >= 0.2 &&
               trial->plants[1].fair_share >= 0.2;
    case TRIAL_IS_LIKELY_SHARED:
        return is_felt && have_share(trial);
    case TRIAL_ARE_COSTLY:
        return are_costly(trial);
    case TRIAL_IS_COSTLY_EACH:
        return trial->plants[0].cost >= 0.02 * count_members(trial, &trial->plants[0]);
    case TRIAL_IS_HIDDEN:
        return !is_felt && are_costly(trial) && trial->plants[0].cost <= 0.15;
    case TRIAL_IS_COSTLIEST:
        return is_costliest(trial);
    default:
        return true;
    }
}

/* Two plantings on one worker are one culprit; a stage or the whole job is none. */
static bool is_apart(const struct trial *trial)
{
    for (int w = 0; w < trial_n_workers(&trial->shape); w++) {
        int n = 0;
        for (int i = 0; i < trial->n_plants; i++)
            n += trial->plants[i].kind != TRIAL_STAGE && trial->plants[i].kind != TRIAL_JOB &&
                 trial->plants[i].is_member[w];
        if (n > 1)
            return false;
    }
    return true;
}

static bool draw_plants(struct trial *trial, gsl_rng *rng)
{
    const struct trial_case *of = trial->of;
    if (of->most_copies) {
        int more = of->most_copies - of->least_copies + 1;
        trial->n_copies = of->least_copies + (int)gsl_rng_uniform_int(rng, (unsigned long)more);
        trial->costliest = (int)gsl_rng_uniform_int(rng, (unsigned long)trial->n_copies);
    }
    int n = trial->n_copies ? trial->n_copies : TRIAL_MAX_RECIPES;
    for (int i = 0; i < n; i++) {
        const struct trial_recipe *recipe = &of->recipes[trial->n_copies ? 0 : i];
        if (recipe->cause && !trial_draw_plant(trial, recipe, rng))
            return false;
    }
    return is_apart(trial);
}

static bool draw(struct trial *trial, gsl_rng *rng)
{
    trial_draw_shape(&trial->shape, trial->of, rng);
    trial_draw_noise(&trial->noise, trial->of->nuisance, rng);
    make_room(trial);
    if (!draw_plants(trial, rng))
        return false;
    trial_draw_ops(trial, rng);
    weigh(trial);
    if (trial->n_plants == 2)
        weigh_fairly(trial);
    if (!fits(trial))
        return false;
    weigh_replay(trial);
    return true;
}

bool trial_make(struct trial *trial, const struct trial_case *of, uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    bool is_made = false;
    for (unsigned i = 0; rng && i < MOST_DRAWS && !is_made; i++) {
        *trial = (struct trial){.of = of, .seed = seed};
        gsl_rng_set(rng, mix(of->name, seed, i));
        is_made = draw(trial, rng);
        if (!is_made)
            trial_fini(trial);
    }
    gsl_rng_free(rng);
    return is_made;
}

bool trial_lengthen(struct trial *trial, int n_steps, uint64_t seed)
{
    gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
    if (!rng)
        return false;
    trial->shape.n_steps = n_steps;
    for (int i = 0; i < trial->n_plants; i++) {
        struct trial_plant *plant = &trial->plants[i];
        free(plant->is_slow);
        plant->is_slow = malloc((size_t)n_steps);
        if (!plant->is_slow || plant->pattern != TRIAL_ALWAYS) {
            gsl_rng_free(rng);
            return false;
        }
        memset(plant->is_slow, 1, (size_t)n_steps);
    }
    free(trial->drawn);
    make_room(trial);
    gsl_rng_set(rng, mix(trial->of->name, seed, MOST_DRAWS));
    trial_draw_ops(trial, rng);
    gsl_rng_free(rng);
    weigh(trial);
    return true;
}
