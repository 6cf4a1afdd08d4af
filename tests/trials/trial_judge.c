/* trial_judge.c - whether an answer is right: what was planted is named, and nothing else. */
#include "tests/trials/trial_answer.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FELT      1.1  /* from here on the verdict names a cause */
#define TOLD_COST 0.02 /* what costs so much of the mean step has the verdict, whatever S is */
#define BLAMED_COST                                                                                \
    0.015 /* a worker, node or link said to cost so much of the mean step is blamed */

struct judging {
    const struct trial *trial;
    const struct trial_answer *answer;
    struct trial_outcome *outcome;
};

static void settle(struct judging *judging, enum trial_question question, bool passed)
{
    unsigned bit = 1u << question;
    bool first = !(judging->outcome->asked & bit);
    judging->outcome->asked |= bit;
    if (!passed)
        judging->outcome->passed &= ~bit;
    else if (first)
        judging->outcome->passed |= bit;
}

static bool has_members(const struct judging *judging, const struct trial_culprit *culprit,
                        const struct trial_plant *plant)
{
    for (int w = 0; w < trial_n_workers(&judging->trial->shape); w++)
        if (culprit->is_member[w] != (bool)plant->is_member[w])
            return false;
    return true;
}

static bool shares_members(const struct judging *judging, const struct trial_culprit *culprit,
                           const struct trial_plant *plant)
{
    for (int w = 0; w < trial_n_workers(&judging->trial->shape); w++)
        if (culprit->is_member[w] && plant->is_member[w])
            return true;
    return false;
}

/* With one dp rank, a slow worker and a stage with more work are the same. Garbage collection of
 * one worker may have either name. */
static bool is_cause_of(const struct judging *judging, const char *cause,
                        const struct trial_plant *plant)
{
    return strcmp(cause, plant->cause) == 0 ||
           (plant->types == TRIAL_TYPE(GC) && strcmp(cause, "gc") == 0) ||
           (judging->trial->shape.dp == 1 && strcmp(plant->cause, "stage") == 0 &&
            strcmp(cause, "worker") == 0);
}

/* Op types are named one by one, none that was not planted; all transfers, or all P2P, also as
 * "transfers". */
static bool has_types(const struct trial_culprit *culprit, unsigned types)
{
    if (culprit->types)
        return !(culprit->types & ~types);
    bool has_p2p = (types & TRIAL_P2P) == TRIAL_P2P;
    return has_p2p && strcmp(culprit->ops, "transfers") == 0;
}

static bool has_ops(const struct trial_culprit *culprit, const struct trial_plant *plant)
{
    static const char *const names[] = {"forward", "backward",  "passes",   "transfers",
                                        "all",     "transfers", "launches", "op_type"};
    if (plant->ops == TRIAL_OPS_TYPES)
        return has_types(culprit, plant->types);
    if (plant->kind == TRIAL_JOB && plant->ops == TRIAL_OPS_PASSES) /* of GPUs that are all slow */
        return has_types(culprit,
                         TRIAL_TYPE(FORWARD) | TRIAL_TYPE(BACKWARD) | TRIAL_TYPE(OPTIMIZER));
    return strcmp(culprit->ops, names[plant->ops]) == 0 ||
           (plant->ops == TRIAL_OPS_FORWARD && culprit->types == TRIAL_TYPE(FORWARD)) ||
           (plant->ops == TRIAL_OPS_BACKWARD && culprit->types == TRIAL_TYPE(BACKWARD));
}

/* A network card is named by its worker, or by the transfers that it spoils: a link to it, or the
 * collectives of its stage. */
static bool matches(const struct judging *judging, const struct trial_culprit *culprit,
                    const struct trial_plant *plant)
{
    if (!is_cause_of(judging, culprit->cause, plant))
        return false;
    if (strcmp(plant->cause, "link") == 0)
        return shares_members(judging, culprit, plant);
    if (strcmp(plant->cause, "common") == 0)
        return strcmp(culprit->kind, "job") == 0 && has_ops(culprit, plant);
    return has_members(judging, culprit, plant);
}

static bool is_part(const struct judging *judging, const struct trial_culprit *culprit,
                    const struct trial_plant *plant)
{
    bool is = is_cause_of(judging, culprit->cause, plant);
    for (int w = 0; w < trial_n_workers(&judging->trial->shape); w++)
        is &= !culprit->is_member[w] || plant->is_member[w];
    return is;
}

/* Culprits that are parts of a planting on several workers, if together they are all of it: the
 * first of them. */
static const struct trial_culprit *find_parts(const struct judging *judging,
                                              const struct trial_plant *plant)
{
    const struct trial_culprit *first = NULL;
    int n_found = 0, n_members = 0;
    for (int w = 0; w < trial_n_workers(&judging->trial->shape); w++) {
        const struct trial_culprit *of = NULL;
        for (int i = judging->answer->n_culprits - 1; plant->is_member[w] && i >= 0; i--) {
            const struct trial_culprit *culprit = &judging->answer->culprits[i];
            if (culprit->is_member[w] && is_part(judging, culprit, plant))
                of = culprit;
        }
        first = of && (!first || of < first) ? of : first;
        n_found += of != NULL;
        n_members += plant->is_member[w];
    }
    return n_found == n_members ? first : NULL;
}

/* Plantings that are told by their parts: a switch does not lengthen compute, so its hosts are
 * named. */
static bool is_of_parts(const struct trial_plant *plant)
{
    return plant->kind == TRIAL_SERIES || plant->kind == TRIAL_SEVERAL ||
           plant->kind == TRIAL_SWITCH;
}

static const struct trial_culprit *find_match(const struct judging *judging,
                                              const struct trial_plant *plant)
{
    if (is_of_parts(plant))
        return find_parts(judging, plant);
    for (int i = 0; i < judging->answer->n_culprits; i++)
        if (matches(judging, &judging->answer->culprits[i], plant))
            return &judging->answer->culprits[i];
    return NULL;
}

static bool is_named(const struct trial_answer *answer, const char *cause)
{
    bool is = strcmp(answer->cause, cause) == 0;
    for (int i = 0; i < answer->n_also; i++)
        is |= strcmp(answer->also[i], cause) == 0;
    return is;
}

/* The place in the words of the verdict, for programs without culprits and for causes that last. */
static bool says_place(const struct judging *judging, const struct trial_plant *plant)
{
    const struct trial_shape *shape = &judging->trial->shape;
    const char *text = judging->answer->text;
    int w = trial_first_member(plant);
    char place[64];
    if (strcmp(plant->cause, "link") == 0) {
        snprintf(place, sizeof place, "stage %d", w % shape->pp);
        return strstr(text, place);
    }
    switch (plant->kind) {
    case TRIAL_WORKER:
        snprintf(place, sizeof place, "rank %d (dp %d, stage %d", trial_rank(shape, w),
                 w / shape->pp, w % shape->pp);
        return strstr(text, place) && !strstr(text, " workers, the worst");
    case TRIAL_DP_RANK:
        snprintf(place, sizeof place, "dp rank %d,", w / shape->pp);
        return strstr(text, place);
    case TRIAL_STAGE:
        snprintf(place, sizeof place, "stage %d ", w % shape->pp);
        return strstr(text, place);
    case TRIAL_HOST:
        snprintf(place, sizeof place, "host node-%03d", trial_node(shape, w));
        return strstr(text, place);
    case TRIAL_SWITCH:
        snprintf(place, sizeof place, "switch switch-%02d", trial_switch(shape, w));
        return strstr(text, place);
    default:
        return plant->kind == TRIAL_JOB;
    }
}

static bool is_stretch(const struct trial_plant *plant)
{
    return plant->pattern == TRIAL_SINCE || plant->pattern == TRIAL_UNTIL ||
           plant->pattern == TRIAL_BETWEEN || plant->pattern == TRIAL_LEVELS;
}

static bool is_near(const struct judging *judging, int number, int step)
{
    const struct trial_shape *shape = &judging->trial->shape;
    return abs(number - (shape->first_step + step * shape->stride)) <= 2 * shape->stride;
}

static bool is_inside(const struct judging *judging, const struct trial_culprit *culprit,
                      const struct trial_plant *plant)
{
    const struct trial_shape *shape = &judging->trial->shape;
    int onset = shape->first_step + plant->onset * shape->stride;
    int end = shape->first_step + plant->end * shape->stride;
    return culprit->first_low <= onset && onset <= culprit->first_high &&
           culprit->last_low <= end && end <= culprit->last_high;
}

static bool names_node(const struct trial_culprit *culprit, int node)
{
    char name[32];
    snprintf(name, sizeof name, "node-%03d", node);
    return strstr(culprit->text, name) || strcmp(culprit->host, name) == 0;
}

/* The node of a planting is named where all of it is on one; of a link, the node of either end. */
static void judge_host(struct judging *judging, const struct trial_culprit *culprit,
                       const struct trial_plant *plant)
{
    const struct trial_shape *shape = &judging->trial->shape;
    int w = trial_first_member(plant), node = trial_node(shape, w);
    bool is_link = plant->ops == TRIAL_OPS_LINK;
    if (node < 0 || plant->kind == TRIAL_DP_RANK || plant->kind == TRIAL_STAGE ||
        plant->kind == TRIAL_SWITCH || plant->kind >= TRIAL_JOB)
        return;
    settle(judging, TRIAL_ASKS_HOST,
           names_node(culprit, node) || (is_link && names_node(culprit, trial_node(shape, w + 1))));
}

static bool holds(const struct trial_measured *interval, double truth)
{
    return interval->low <= truth && truth <= interval->high;
}

static void judge_interval(struct judging *judging, enum trial_figure figure,
                           const struct trial_measured *interval, double truth)
{
    static const char *const names[TRIAL_N_FIGURES] = {"factor", "share", "duty", "pass duty"};
    struct trial_outcome *outcome = judging->outcome;
    bool is_given = !isnan(interval->low) && !isnan(interval->high);
    bool is_held = is_given && holds(interval, truth);
    outcome->n_figures[figure]++;
    outcome->n_given[figure] += is_given;
    outcome->n_held[figure] += is_held;
    size_t n = strlen(outcome->missed);
    if (!is_held)
        snprintf(outcome->missed + n, sizeof outcome->missed - n,
                 " %s %.4f is not in %.4f (%.4f to %.4f)", names[figure], truth, interval->value,
                 interval->low, interval->high);
}

/* Intervals of what was planted. Which steps are slow, and how many passes, is known as it came
 * out in the trace. */
static void judge_intervals(struct judging *judging, const struct trial_culprit *culprit,
                            const struct trial_plant *plant)
{
    bool some_passes = plant->pattern == TRIAL_SOME_PASSES || plant->pattern == TRIAL_THROTTLED;
    if (plant->what == TRIAL_SLOW && !isnan(culprit->factor.low))
        settle(judging, TRIAL_ASKS_BAND, holds(&culprit->factor, plant->mean_factor));
    if (plant->what == TRIAL_SLOW)
        judge_interval(judging, TRIAL_FIGURE_FACTOR, &culprit->factor, plant->mean_factor);
    if (judging->answer->slowdown >= FELT)
        judge_interval(judging, TRIAL_FIGURE_SHARE, &culprit->share, plant->replay_share);
    if (plant->pattern != TRIAL_ALWAYS)
        judge_interval(judging, TRIAL_FIGURE_DUTY, &culprit->duty, plant->duty);
    if (some_passes)
        judge_interval(judging, TRIAL_FIGURE_PASS_DUTY, &culprit->pass_duty, plant->pass_duty);
}

/* What the program says that fixing a worker or node alone saves, or else what it costs. Not asked
 * where two are planted, nor of workers that save something only when all are fixed. */
static void judge_gain(struct judging *judging, const struct trial_culprit *culprit,
                       const struct trial_plant *plant)
{
    double least = fmax(0.15 * plant->saved_s, 0.005 * judging->trial->mean_s);
    bool is_worker = strcmp(plant->cause, "worker") == 0 && !is_of_parts(plant);
    if (judging->trial->n_plants != 2 && (is_worker || plant->what == TRIAL_LATE_START))
        settle(judging, TRIAL_ASKS_GAIN, fabs(culprit->alone_s - plant->saved_s) <= least);
}

static void judge_figures(struct judging *judging, const struct trial_culprit *culprit,
                          const struct trial_plant *plant)
{
    if (is_stretch(plant)) {
        settle(judging, TRIAL_ASKS_ONSET, is_near(judging, culprit->since, plant->onset));
        settle(judging, TRIAL_ASKS_END, is_near(judging, culprit->until, plant->end));
    }
    if (plant->what == TRIAL_SLOW && plant->pattern != TRIAL_ALWAYS) {
        double pass_duty = isnan(culprit->pass_duty.value) ? 1 : culprit->pass_duty.value;
        double planted = plant->duty * plant->pass_duty;
        settle(judging, TRIAL_ASKS_DUTY, fabs(culprit->duty.value * pass_duty - planted) <= 0.1);
    }
    settle(judging, TRIAL_ASKS_OPS, has_ops(culprit, plant));
    if (plant->what == TRIAL_SLOW)
        settle(judging, TRIAL_ASKS_FACTOR,
               fabs(log(culprit->factor.value / plant->mean_factor)) <= log(1.1));
    if (is_stretch(plant) && culprit->n_stretches == 1)
        settle(judging, TRIAL_ASKS_SPAN, is_inside(judging, culprit, plant));
    if (plant->period)
        settle(judging, TRIAL_ASKS_PERIOD, culprit->period == plant->period);
    judge_gain(judging, culprit, plant);
    judge_intervals(judging, culprit, plant);
    judge_host(judging, culprit, plant);
}

/* Cause and place of one planting. What is common to all has no place, but op types. */
static void judge_plant(struct judging *judging, const struct trial_plant *plant)
{
    const struct trial_answer *answer = judging->answer;
    const struct trial_culprit *culprit = find_match(judging, plant);
    const struct trial *trial = judging->trial;
    /* One that must be told first: the only one, or the costliest of many. */
    bool is_first =
        trial->n_plants == 1 || (trial->n_copies && plant == &trial->plants[trial->costliest]);
    bool must_say = answer->slowdown >= FELT || plant->cost >= TOLD_COST;
    bool is_cause = is_first && must_say ? is_cause_of(judging, answer->cause, plant)
                                         : culprit || is_named(answer, plant->cause);
    if (plant->what == TRIAL_PAUSES && plant->ops == TRIAL_OPS_BACKWARD)
        is_cause |= strstr(answer->text, "paus") && strstr(answer->text, "backward");
    bool is_words = says_place(judging, plant) &&
                    (!answer->has_culprits || plant->pattern == TRIAL_ALWAYS) &&
                    is_named(answer, plant->cause);
    bool is_all = plant->kind == TRIAL_JOB && strcmp(plant->cause, "common") != 0;
    bool is_place =
        is_all || is_words || (culprit && (!is_first || culprit == &answer->culprits[0]));
    settle(judging, TRIAL_ASKS_CAUSE, is_cause);
    settle(judging, TRIAL_ASKS_PLACE, is_place);
    /* Of two causes that last the verdict must name both; only the first has its place in words. */
    bool is_besides = !is_first && plant->pattern == TRIAL_ALWAYS;
    settle(judging, TRIAL_ASKS_RIGHT, is_cause && (is_place || is_besides));
    if (culprit)
        judge_figures(judging, culprit, plant);
}

/* A culprit that is none of the plantings; a change of the whole job blames nobody. */
static bool is_innocent(const struct judging *judging, const struct trial_culprit *culprit)
{
    if (strcmp(culprit->kind, "job") == 0)
        return false;
    for (int i = 0; i < judging->trial->n_plants; i++) {
        const struct trial_plant *plant = &judging->trial->plants[i];
        if (is_cause_of(judging, culprit->cause, plant) && shares_members(judging, culprit, plant))
            return false;
    }
    return true;
}

/* Causes that the noise of the job has in it, if mildly. */
static bool is_excused(const struct trial *trial, const char *cause)
{
    return strcmp(cause, "none") == 0 || strcmp(cause, "unexplained") == 0 ||
           (strcmp(cause, "sequence") == 0 && trial->noise.length_sd > 0) ||
           (strcmp(cause, "gc") == 0 && trial->noise.planned_every) ||
           (strcmp(cause, "common") == 0 &&
            (trial->noise.step_sd > 0 || trial->noise.warm_up || trial->noise.planned_every));
}

/* Whether a culprit blames a part of the cluster, not a stage or the whole job. */
static bool blames_part(const struct trial_culprit *culprit)
{
    static const char *const kinds[] = {"worker", "dp_rank", "slot", "host", "switch", "link"};
    bool is = false;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        is |= strcmp(culprit->kind, kinds[i]) == 0;
    return is;
}

/* Whether the verdict is a slow worker or link, and none was planted. */
static bool is_false_verdict(const struct judging *judging)
{
    const char *cause = judging->answer->cause;
    bool is = strcmp(cause, "worker") == 0 || strcmp(cause, "link") == 0;
    for (int i = 0; i < judging->trial->n_plants; i++)
        is &= !is_cause_of(judging, cause, &judging->trial->plants[i]);
    return is;
}

static bool is_same(const struct judging *judging, const struct trial_culprit *a,
                    const struct trial_culprit *b)
{
    size_t n = (size_t)trial_n_workers(&judging->trial->shape);
    return strcmp(a->kind, b->kind) == 0 && strcmp(a->cause, b->cause) == 0 &&
           memcmp(a->is_member, b->is_member, n * sizeof *a->is_member) == 0;
}

static void judge_once(struct judging *judging)
{
    const struct trial_answer *answer = judging->answer;
    for (int i = 0; i < answer->n_culprits; i++)
        for (int k = 0; k < i; k++)
            settle(judging, TRIAL_ASKS_ONCE,
                   !is_same(judging, &answer->culprits[i], &answer->culprits[k]));
}

static void judge_innocent(struct judging *judging)
{
    const struct trial_answer *answer = judging->answer;
    bool is_alone = true, is_blamed = false, is_part_blamed = is_false_verdict(judging);
    for (int i = 0; i < answer->n_culprits; i++) {
        const struct trial_culprit *culprit = &answer->culprits[i];
        bool is_false = is_innocent(judging, culprit);
        double cost = culprit->lost_s / judging->trial->mean_s;
        is_alone &= !is_false;
        is_blamed |= is_false && cost >= TOLD_COST;
        is_part_blamed |= is_false && cost >= BLAMED_COST && blames_part(culprit);
    }
    settle(judging, TRIAL_ASKS_ALONE, is_alone);
    settle(judging, TRIAL_ASKS_BLAME, !is_part_blamed);
    const struct trial_plant *plant = judging->trial->plants;
    if (judging->trial->n_plants == 1 && plant->kind == TRIAL_JOB && plant->what == TRIAL_SLOW &&
        plant->ops == TRIAL_OPS_PASSES && plant->pattern == TRIAL_SINCE && answer->has_culprits)
        settle(judging, TRIAL_ASKS_LEVELS,
               answer->n_levels == 2 && is_near(judging, answer->second_level, plant->onset));
    if (judging->trial->n_plants == 0) {
        settle(judging, TRIAL_ASKS_CAUSE, is_excused(judging->trial, answer->cause));
        settle(judging, TRIAL_ASKS_RIGHT, !is_blamed && is_excused(judging->trial, answer->cause));
    }
}

/* Of many plantings, those that cost enough to be told. */
static bool is_asked(const struct trial *trial, const struct trial_plant *plant)
{
    return trial->n_copies == 0 || plant->cost >= TOLD_COST;
}

static void explain(struct judging *judging)
{
    const struct trial *trial = judging->trial;
    const struct trial_answer *answer = judging->answer;
    char *at = judging->outcome->why, *end = at + sizeof judging->outcome->why;
    for (int i = 0; i < trial->n_plants && at < end; i++) {
        const struct trial_plant *plant = &trial->plants[i];
        if (!is_asked(trial, plant))
            continue;
        at += snprintf(at, (size_t)(end - at),
                       "[%s rank %d x%.2f duty %.2f cost %.1f %% share %.2f] ", plant->cause,
                       trial_rank(&trial->shape, trial_first_member(plant)), plant->factor,
                       plant->duty * plant->pass_duty, 100 * plant->cost, plant->share);
    }
    if (at < end)
        at += snprintf(at, (size_t)(end - at), "S %.3f %s", answer->slowdown, answer->text);
    for (int i = 0; i < answer->n_culprits && at < end; i++)
        at += snprintf(at, (size_t)(end - at), " | %s", answer->culprits[i].text);
}

void trial_judge(struct trial_outcome *outcome, const struct trial *trial,
                 const struct trial_answer *answer)
{
    struct judging judging = {trial, answer, outcome};
    *outcome = (struct trial_outcome){0};
    for (int i = 0; i < trial->n_plants; i++)
        if (is_asked(trial, &trial->plants[i]))
            judge_plant(&judging, &trial->plants[i]);
    judge_innocent(&judging);
    judge_once(&judging);
    explain(&judging);
}
