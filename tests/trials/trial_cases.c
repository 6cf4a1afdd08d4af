/* trial_cases.c - the kinds of trial. */
#include "tests/trials/trial.h"

#include <string.h>

#define PATTERN(x) (1u << TRIAL_##x)
#define ALWAYS     PATTERN(ALWAYS)
#define STRETCHES  (PATTERN(BETWEEN) | PATTERN(SINCE) | PATTERN(UNTIL))
#define STEPS      (STRETCHES | PATTERN(RECURRENT) | PATTERN(PERIODIC))
#define ANY_STEPS  (STEPS | PATTERN(BURSTS))

/* What is planted. */
#define PLANT(cause_, what_, kind_, ops_, patterns_, low_, high_, types_)                          \
    {                                                                                              \
        .cause = cause_, .what = TRIAL_##what_, .kind = TRIAL_##kind_, .ops = TRIAL_OPS_##ops_,    \
        .patterns = patterns_, .low = low_, .high = high_, .types = types_                         \
    }
#define SLOW(kind, ops, patterns, low, high)                                                       \
    PLANT("worker", SLOW, kind, ops, patterns, low, high, 0)
#define SLOW_STAGE(patterns, low, high) PLANT("stage", SLOW, STAGE, PASSES, patterns, low, high, 0)
#define SLOW_LINK(kind, ops, patterns, low, high)                                                  \
    PLANT("link", SLOW, kind, ops, patterns, low, high, 0)
#define LENGTHS(low, high)               PLANT("sequence", LENGTHS, JOB, PASSES, ALWAYS, low, high, 0)
#define PAUSES(ops, patterns, low, high) PLANT("gc", PAUSES, JOB, ops, patterns, low, high, 0)
#define LATE(kind, patterns, low, high)                                                            \
    PLANT("launch", LATE, kind, LAUNCHES, patterns, low, high, 0)
#define OWN(types, patterns, low, high)                                                            \
    PLANT("worker", SLOW, WORKER, TYPES, patterns, low, high, types)
#define ADDED(types, patterns, low, high)                                                          \
    PLANT("worker", ADDED, WORKER, TYPES, patterns, low, high, types)
#define LATE_START(patterns, low, high)                                                            \
    PLANT("launch", LATE_START, WORKER, LAUNCHES, patterns, low, high, 0)
#define MOVED(low, high)       PLANT("stage", MOVED, STAGE, PASSES, STRETCHES, low, high, 0)
#define COMMON(ops, low, high) PLANT("common", SLOW, JOB, ops, ANY_STEPS, low, high, 0)
#define COMMON_TYPES(types, low, high)                                                             \
    PLANT("common", SLOW, JOB, TYPES, ANY_STEPS, low, high, types)

/* In what jobs. */
#define CASE(name_, group_, least, most, dp, pp, nuisance_, fit_, ...)                             \
    .name = name_, .group = group_, .least_steps = least, .most_steps = most, .least_dp = dp,      \
    .least_pp = pp, .nuisance = nuisance_, .fit = fit_, .recipes = {__VA_ARGS__}
#define LASTING(name, dp, pp, recipe)                                                              \
    {                                                                                              \
        CASE(name, "lasting", 10, 60, dp, pp, TRIAL_ORDINARY, TRIAL_IS_FELT, recipe)               \
    }
#define PARTIAL(name, dp, pp, recipe)                                                              \
    {                                                                                              \
        CASE(name, "partial", 40, 60, dp, pp, TRIAL_ORDINARY, TRIAL_IS_COSTLY, recipe)             \
    }
#define CLEAN(name, nuisance)                                                                      \
    {                                                                                              \
        CASE(name, "clean", 10, 60, 1, 1, TRIAL_##nuisance, TRIAL_FITS_ALL, {0})                   \
    }
#define TWO(name, dp, pp, ...)                                                                     \
    {                                                                                              \
        CASE(name, "two", 40, 60, dp, pp, TRIAL_ORDINARY, TRIAL_IS_SHARED, __VA_ARGS__)            \
    }
#define HARD(name, nuisance, low)                                                                  \
    {                                                                                              \
        CASE(name, "hard", 40, 60, 2, 1, TRIAL_##nuisance, TRIAL_IS_COSTLY,                        \
             SLOW(WORKER, PASSES, STEPS, low, 2.5))                                                \
    }
#define CHANGE(name, steps, dp, fit, recipe)                                                       \
    {                                                                                              \
        CASE(name, "change", steps, 3 * steps / 2, dp, 2, TRIAL_ORDINARY, TRIAL_##fit, recipe)     \
    }
/* One planting that costs 2 % of the mean step, in a job whose metadata names nodes. */
#define PLACED(name, group, pp, most, recipe)                                                      \
    {                                                                                              \
        CASE(name, group, 40, 60, 2, pp, TRIAL_ORDINARY, TRIAL_IS_COSTLY, recipe),                 \
            .has_nodes = true, .most_pp = most                                                     \
    }
/* Two that cost 2 % each. */
#define PAIR(name, dp, pp, most, ...)                                                              \
    {                                                                                              \
        CASE(name, "pairs", 40, 60, dp, pp, TRIAL_ORDINARY, TRIAL_ARE_COSTLY, __VA_ARGS__),        \
            .has_nodes = true, .most_pp = most                                                     \
    }
#define PLACED_CLEAN(name, nuisance)                                                               \
    {                                                                                              \
        CASE(name, "placed-clean", 10, 60, 2, 1, TRIAL_##nuisance, TRIAL_FITS_ALL, {0}),           \
            .has_nodes = true                                                                      \
    }
#define OPTIMIZER TRIAL_TYPE(OPTIMIZER)
#define NETWORK   (TRIAL_P2P | TRIAL_COLLECTIVES)

const struct trial_case trial_cases[] = {
    LASTING("worker", 2, 1, SLOW(WORKER, PASSES, ALWAYS, 1.15, 2.5)),
    LASTING("worker-forward", 2, 1, SLOW(WORKER, FORWARD, ALWAYS, 1.3, 3)),
    LASTING("worker-backward", 2, 1, SLOW(WORKER, BACKWARD, ALWAYS, 1.2, 2.5)),
    LASTING("dp-rank", 2, 2, SLOW(DP_RANK, PASSES, ALWAYS, 1.15, 2)),
    LASTING("stage", 2, 2, SLOW_STAGE(ALWAYS, 1.2, 2.5)),
    LASTING("lengths", 2, 1, LENGTHS(0.1, 0.6)),
    LASTING("pauses", 2, 1, PAUSES(FORWARD, ALWAYS, 1, 10)),
    LASTING("link", 2, 2, SLOW_LINK(WORKER, LINK, ALWAYS, 4, 25)),
    LASTING("nic", 2, 2, SLOW_LINK(WORKER, TRANSFERS, ALWAYS, 3, 15)),
    {CASE("late-host", "lasting", 10, 60, 2, 1, TRIAL_ORDINARY, TRIAL_IS_LATE,
          LATE(WORKER, ALWAYS, 0.05, 0.6))},
    {CASE("late-all", "lasting", 10, 60, 1, 1, TRIAL_ORDINARY, TRIAL_IS_LATE,
          LATE(JOB, ALWAYS, 0.03, 0.3))},

    PARTIAL("between", 2, 1, SLOW(WORKER, PASSES, PATTERN(BETWEEN), 1.3, 2.5)),
    PARTIAL("since", 2, 1, SLOW(WORKER, PASSES, PATTERN(SINCE), 1.3, 2.5)),
    PARTIAL("until", 2, 1, SLOW(WORKER, PASSES, PATTERN(UNTIL), 1.3, 2.5)),
    PARTIAL("recurrent", 2, 1, SLOW(WORKER, PASSES, PATTERN(RECURRENT), 1.3, 2.5)),
    PARTIAL("periodic", 2, 1, SLOW(WORKER, PASSES, PATTERN(PERIODIC), 1.3, 2.5)),
    PARTIAL("bursts", 2, 1, SLOW(WORKER, PASSES, PATTERN(BURSTS), 1.3, 2.5)),
    PARTIAL("some-passes", 2, 1, SLOW(WORKER, PASSES, PATTERN(SOME_PASSES), 1.3, 2.5)),
    PARTIAL("throttled", 2, 1, SLOW(WORKER, PASSES, PATTERN(THROTTLED), 1.3, 2.5)),
    PARTIAL("forward-part", 2, 1, SLOW(WORKER, FORWARD, STEPS, 1.3, 2.5)),
    PARTIAL("forward-passes", 2, 1, SLOW(WORKER, FORWARD, PATTERN(SOME_PASSES), 1.3, 2.5)),
    PARTIAL("backward-part", 2, 1, SLOW(WORKER, BACKWARD, STEPS, 1.3, 2.5)),
    PARTIAL("dp-rank-part", 2, 2, SLOW(DP_RANK, PASSES, STEPS, 1.3, 2.5)),
    PARTIAL("host-part", 2, 1, SLOW(HOST, PASSES, STEPS, 1.3, 2.5)),
    PARTIAL("host-all-part", 2, 2, SLOW(HOST, ALL, STEPS, 1.3, 2.5)),
    PARTIAL("switch-part", 2, 2, SLOW(SWITCH, PASSES, STEPS, 1.3, 2.5)),
    PARTIAL("nic-part", 2, 2, SLOW_LINK(WORKER, TRANSFERS, STEPS, 3, 15)),

    CLEAN("clean-light", LIGHT),
    CLEAN("clean-heavy", HEAVY),
    CLEAN("clean-harsh", HARSH),
    CLEAN("clean-drift", DRIFTING),
    CLEAN("clean-walk", WALKING),
    CLEAN("clean-steps", STEPS),
    CLEAN("clean-lengths", LOADS),
    CLEAN("clean-warm-up", WARMING),
    CLEAN("clean-planned", PLANNED),
    CLEAN("clean-ordinary", ORDINARY),
    CLEAN("clean-mixed", MIXED),
    CLEAN("clean-spread", SPREAD),

    TWO("worker+stage", 3, 2, SLOW(WORKER, PASSES, ALWAYS, 1.2, 2.5), SLOW_STAGE(ALWAYS, 1.2, 2)),
    TWO("worker+lengths", 3, 1, SLOW(WORKER, PASSES, ALWAYS, 1.2, 2), LENGTHS(0.1, 0.5)),
    TWO("worker+pauses", 3, 1, SLOW(WORKER, PASSES, ALWAYS, 1.2, 2),
        PAUSES(FORWARD, ALWAYS, 1, 10)),
    TWO("worker+link", 3, 2, SLOW(WORKER, PASSES, ALWAYS, 1.2, 2),
        SLOW_LINK(WORKER, LINK, ALWAYS, 10, 60)),
    TWO("stage+lengths", 2, 2, SLOW_STAGE(ALWAYS, 1.2, 2), LENGTHS(0.1, 0.5)),
    TWO("part+stage", 3, 2, SLOW(WORKER, PASSES, STEPS, 1.3, 2.5), SLOW_STAGE(ALWAYS, 1.2, 2)),
    TWO("part+lengths", 3, 1, SLOW(WORKER, PASSES, STEPS, 1.3, 2.5), LENGTHS(0.1, 0.5)),
    TWO("part+part", 4, 1, SLOW(WORKER, PASSES, STEPS, 1.3, 2.5),
        SLOW(WORKER, PASSES, STEPS, 1.3, 2.5)),

    {CASE("worker+work", "two-literal", 40, 60, 3, 2, TRIAL_ORDINARY, TRIAL_IS_LIKELY_SHARED,
          SLOW(WORKER, PASSES, ALWAYS, 1.2, 2.5), SLOW_STAGE(ALWAYS, 1.2, 2))},
    {CASE("part+work", "two-literal", 40, 60, 3, 2, TRIAL_ORDINARY, TRIAL_IS_LIKELY_SHARED,
          SLOW(WORKER, PASSES, STEPS, 1.3, 2.5), SLOW_STAGE(ALWAYS, 1.2, 2))},

    HARD("heavy-part", HEAVY, 1.5),
    HARD("drift-part", DRIFTING, 1.3),
    HARD("steps-part", STEPS, 1.3),
    HARD("lengths-part", LOADS, 1.3),
    HARD("warm-up-part", WARMING, 1.3),

    CHANGE("ramp", 40, 2, IS_COSTLY, SLOW(WORKER, PASSES, PATTERN(RAMP), 1.5, 3)),
    CHANGE("link-part", 40, 2, IS_COSTLY, SLOW_LINK(WORKER, LINK, STEPS, 5, 40)),
    CHANGE("pauses-part", 40, 2, IS_COSTLY, PAUSES(FORWARD, STRETCHES, 2, 10)),
    CHANGE("stage-part", 40, 2, IS_COSTLY, SLOW_STAGE(PATTERN(SINCE), 1.3, 2.5)),
    CHANGE("one-dp", 40, -1, IS_COSTLY, SLOW_STAGE(STEPS, 1.3, 2.5)),
    CHANGE("short-part", 15, 2, IS_COSTLY, SLOW(WORKER, PASSES, STEPS, 1.3, 2.5)),
    CHANGE("late-part", 40, 2, IS_LATE, LATE(WORKER, STRETCHES, 0.1, 1)),
    CHANGE("pauses-backward", 20, 2, IS_FELT, PAUSES(BACKWARD, ALWAYS, 1, 10)),
    {CASE("wander", "change", 10, 60, 4, 2, TRIAL_WANDERING, TRIAL_FITS_ALL, {0})},
    {CASE("experts", "change", 20, 60, 2, 2, TRIAL_EXPERTS, TRIAL_FITS_ALL, {0})},

    {CASE("mended", "mended", 100, 100, 2, 1, TRIAL_ORDINARY, TRIAL_IS_COSTLY,
          SLOW(WORKER, PASSES, PATTERN(UNTIL), 1.3, 2.5))},

    PLACED("stage-since", "stages", 2, 0, SLOW_STAGE(PATTERN(SINCE), 1.2, 2.5)),
    PLACED("stage-until", "stages", 2, 0, SLOW_STAGE(PATTERN(UNTIL), 1.2, 2.5)),
    PLACED("stage-between", "stages", 2, 0, SLOW_STAGE(PATTERN(BETWEEN), 1.2, 2.5)),
    PLACED("stage-moved", "stages", 3, 0, MOVED(1.15, 1.7)),
    PLACED("stage-swapped", "stages", 2, 2, MOVED(1.15, 1.7)),

    PLACED("all-transfers", "common", 2, 0, COMMON_TYPES(NETWORK, 3, 10)),
    PLACED("all-p2p", "common", 2, 0, COMMON_TYPES(TRIAL_P2P, 3, 10)),
    PLACED("all-gathers", "common", 2, 0, COMMON_TYPES(TRIAL_TYPE(GATHER), 2, 10)),
    PLACED("all-scatters", "common", 2, 0, COMMON_TYPES(TRIAL_TYPE(SCATTER), 2, 10)),
    PLACED("sharded-gathers", "common", 1, 1, COMMON_TYPES(TRIAL_TYPE(GATHER), 2, 10)),
    PLACED("sharded-scatters", "common", 1, 1, COMMON_TYPES(TRIAL_TYPE(SCATTER), 2, 10)),
    PLACED("sharded-both", "common", 1, 1,
           COMMON_TYPES(TRIAL_TYPE(GATHER) | TRIAL_TYPE(SCATTER), 2, 10)),
    PLACED("all-forward", "common", 1, 0, COMMON(FORWARD, 1.2, 3)),
    PLACED("all-passes", "common", 1, 0, COMMON(PASSES, 1.1, 2)),

    PLACED("levels-passes", "levels", 1, 0, SLOW(WORKER, PASSES, PATTERN(LEVELS), 1.15, 1.35)),
    PLACED("levels-forward", "levels", 1, 0, SLOW(WORKER, FORWARD, PATTERN(LEVELS), 1.15, 1.35)),
    PLACED("levels-backward", "levels", 1, 0, SLOW(WORKER, BACKWARD, PATTERN(LEVELS), 1.15, 1.35)),

    PLACED("own-optimizer", "own", 1, 0, OWN(OPTIMIZER, ALWAYS, 2, 10)),
    PLACED("own-optimizer-part", "own", 1, 0, OWN(OPTIMIZER, ANY_STEPS, 3, 15)),
    PLACED("own-gc", "own", 1, 0, ADDED(TRIAL_TYPE(GC), ALWAYS | ANY_STEPS, 0.3, 20)),
    PLACED("own-save", "own", 1, 0, ADDED(OPTIMIZER, PATTERN(PERIODIC), 1, 30)),
    PLACED("own-save-late", "own", 1, 0, LATE_START(PATTERN(PERIODIC), 1, 30)),

    {CASE("loader", "loader", 40, 60, 2, 2, TRIAL_ORDINARY, TRIAL_IS_HIDDEN,
          LATE_START(PATTERN(PERIODIC), 0.5, 20)),
     .has_nodes = true},
    {CASE("loader-one-stage", "loader", 40, 60, 2, 1, TRIAL_ORDINARY, TRIAL_IS_HIDDEN,
          LATE_START(PATTERN(PERIODIC), 0.5, 20)),
     .has_nodes = true, .most_pp = 1},

    PLACED("slot", "slots", 1, 0, SLOW(SLOT, PASSES, ANY_STEPS, 1.2, 2.5)),
    {CASE("series", "slots", 40, 60, 2, 3, TRIAL_ORDINARY, TRIAL_IS_COSTLY_EACH,
          SLOW(SERIES, PASSES, ALWAYS | ANY_STEPS, 1.2, 2.5)),
     .has_nodes = true},
    {CASE("several", "slots", 40, 60, 2, 1, TRIAL_ORDINARY, TRIAL_IS_COSTLY_EACH,
          SLOW(SEVERAL, PASSES, ANY_STEPS, 1.2, 2.5)),
     .has_nodes = true},

    {CASE("many", "many", 40, 60, 6, 1, TRIAL_ORDINARY, TRIAL_IS_COSTLIEST,
          SLOW(WORKER, PASSES, PATTERN(BETWEEN), 1.3, 2.5)),
     .least_copies = 13, .most_copies = 20},

    PLACED("link-always", "links", 2, 0, SLOW_LINK(WORKER, LINK, ALWAYS, 4, 25)),
    PLACED("link-steps", "links", 2, 0, SLOW_LINK(WORKER, LINK, STEPS, 5, 40)),
    PLACED("nic-always", "links", 2, 0, SLOW_LINK(WORKER, TRANSFERS, ALWAYS, 3, 15)),
    PLACED("nic-steps", "links", 2, 0, SLOW_LINK(WORKER, TRANSFERS, STEPS, 3, 15)),

    PAIR("stage+part", 3, 2, 0, SLOW_STAGE(STRETCHES, 1.2, 2),
         SLOW(WORKER, PASSES, STEPS, 1.3, 2.5)),
    PAIR("moved+optimizer", 3, 2, 0, MOVED(1.15, 1.7), OWN(OPTIMIZER, ALWAYS | ANY_STEPS, 3, 15)),
    PAIR("save+stage", 3, 2, 0, ADDED(OPTIMIZER, PATTERN(PERIODIC), 1, 30),
         SLOW_STAGE(STRETCHES, 1.2, 2)),
    PAIR("network+part", 3, 2, 0, COMMON_TYPES(NETWORK, 3, 10),
         SLOW(WORKER, PASSES, STEPS, 1.3, 2.5)),
    PAIR("sharded+part", 3, 1, 1, COMMON_TYPES(TRIAL_TYPE(GATHER) | TRIAL_TYPE(SCATTER), 2, 10),
         SLOW(WORKER, PASSES, STEPS, 1.3, 2.5)),
    PAIR("forward+slot", 3, 1, 0, COMMON(FORWARD, 1.2, 3), SLOW(SLOT, PASSES, ANY_STEPS, 1.2, 2.5)),
    PAIR("loader+part", 3, 1, 0, LATE_START(PATTERN(PERIODIC), 0.5, 20),
         SLOW(WORKER, PASSES, STEPS, 1.3, 2.5)),
    PAIR("network+levels", 3, 2, 0, COMMON_TYPES(NETWORK, 3, 10),
         SLOW(WORKER, PASSES, PATTERN(LEVELS), 1.15, 1.35)),
    PAIR("link+levels", 3, 2, 0, SLOW_LINK(WORKER, LINK, ALWAYS, 5, 40),
         SLOW(WORKER, PASSES, PATTERN(LEVELS), 1.15, 1.35)),

    PLACED_CLEAN("placed-light", LIGHT),
    PLACED_CLEAN("placed-heavy", HEAVY),
    PLACED_CLEAN("placed-harsh", HARSH),
    PLACED_CLEAN("placed-drift", DRIFTING),
    PLACED_CLEAN("placed-walk", WALKING),
    PLACED_CLEAN("placed-steps", STEPS),
    PLACED_CLEAN("placed-lengths", LOADS),
    PLACED_CLEAN("placed-warm-up", WARMING),
    PLACED_CLEAN("placed-mixed", MIXED),
    PLACED_CLEAN("placed-spread", SPREAD),
};
const size_t trial_n_cases = sizeof trial_cases / sizeof *trial_cases;

const struct trial_case *trial_find_case(const char *name)
{
    for (size_t i = 0; i < trial_n_cases; i++)
        if (strcmp(trial_cases[i].name, name) == 0)
            return &trial_cases[i];
    return NULL;
}
