#include "sim/synth/cluster/cluster_plant.h"

#include "core/base/memory.h"
#include "core/random/stable_math.h"
#include "sim/synth/cluster/cluster_places.h"
#include "sim/synth/cluster/cluster_plan.h"

#include <stdlib.h>

#define DAY_S         86400
#define SECOND_MS     1000
#define BUSY_NODES    8 /* the first ones for whole nodes: those that are used most */
#define SETTLED_S     (5 * DAY_S)
#define MORE_OF_LEMON 10.0
#define MORE_OF_XID   3.0
#define MORE_OF_PULLS 2.0
#define LOST_ETTR     0.05
#define MORE_OF_QUEUE 1.5
#define LINE_S        600
#define EVALUATES     500 /* iterations, of a run without evaluations whose ones become longer */

static const struct {
    const char *name;
    double factor;
} kinds[HC_CLUSTER_N_PLANTS] = {
    [HC_CLUSTER_LEMON] = {"lemon", MORE_OF_LEMON},
    [HC_CLUSTER_XID] = {"xid", MORE_OF_XID},
    [HC_CLUSTER_PULLS] = {"image", MORE_OF_PULLS},
    [HC_CLUSTER_ETTR] = {"ettr", LOST_ETTR},
    [HC_CLUSTER_QUEUE] = {"queue", MORE_OF_QUEUE},
    [HC_CLUSTER_SAVES] = {"saves", LOST_ETTR},
    [HC_CLUSTER_EVALUATIONS] = {"evaluations", LOST_ETTR},
    [HC_CLUSTER_LOOKS] = {"looks", MORE_OF_QUEUE},
};

const char *hc_cluster_plant_name(enum hc_cluster_plant_kind kind)
{
    return kinds[kind].name;
}

double hc_cluster_plant_factor(enum hc_cluster_plant_kind kind)
{
    return kinds[kind].factor;
}

int64_t hc_cluster_plant_s(const struct hc_cluster *cluster, const struct hc_cluster_plant *plant)
{
    return cluster->options.start_s + (int64_t)plant->day * DAY_S;
}

const struct hc_cluster_plant *hc_cluster_planted(const struct hc_cluster *cluster,
                                                  enum hc_cluster_plant_kind kind, int32_t subject,
                                                  int64_t at_s)
{
    for (int32_t i = 0; i < cluster->options.n_plants; i++) {
        const struct hc_cluster_plant *plant = &cluster->options.plants[i];
        if (plant->kind == kind && plant->subject == subject &&
            hc_cluster_plant_s(cluster, plant) <= at_s)
            return plant;
    }
    return NULL;
}

/* ---- subjects ---- */

static bool is_of_run(const struct hc_cluster_plant *plant)
{
    return plant->kind == HC_CLUSTER_ETTR || plant->kind == HC_CLUSTER_SAVES ||
           plant->kind == HC_CLUSTER_EVALUATIONS;
}

/* Whether a plant before this one is about the run. */
static bool is_taken(const struct hc_cluster *cluster, const struct hc_cluster_plant *plant,
                     int32_t run)
{
    for (const struct hc_cluster_plant *p = cluster->options.plants; p < plant; p++)
        if (is_of_run(p) && p->subject == run)
            return true;
    return false;
}

/* Of the runs that have gone on for some days by then, and that no plant before is about, the one
 * that would go on longest; where there is none, the first. */
static int32_t longest_run(const struct hc_cluster *cluster, const struct hc_cluster_plant *plant)
{
    int64_t at_s = hc_cluster_plant_s(cluster, plant);
    int32_t longest = cluster->n_runs ? 0 : HC_CLUSTER_NONE;
    int64_t end_s = 0;
    for (size_t i = 0; i < cluster->n_runs; i++) {
        const struct hc_cluster_run *run = &cluster->runs[i];
        int64_t start_s = hc_cluster_run_start_s(cluster, i);
        int64_t ends_s = start_s + run->iterations * run->step_s;
        if (start_s + SETTLED_S <= at_s && ends_s > end_s &&
            !is_taken(cluster, plant, (int32_t)i)) {
            longest = (int32_t)i;
            end_s = ends_s;
        }
    }
    return longest;
}

/* It goes on to the end of the record and beyond, and its log has a line in ten minutes, as those
 * of runs that somebody watches: what becomes of a day is told by more than a few lines. */
static void prolong(struct hc_cluster_run *run, int32_t n_days)
{
    int64_t iterations = (int64_t)n_days * DAY_S / run->step_s;
    int64_t lines = LINE_S / run->step_s / 10 * 10;
    run->iterations = run->iterations > iterations ? run->iterations : iterations;
    run->line_iterations = lines > 10 ? lines : 10;
}

/* A run that is never evaluated is from now on, briefly. */
static void evaluate(struct hc_cluster_run *run)
{
    if (run->evaluation_iterations)
        return;
    run->evaluation_iterations = EVALUATES;
    run->evaluation_s = run->step_s;
}

static enum hc_status choose(struct hc_cluster *cluster, struct hc_cluster_plant *plant,
                             struct hc_philox *rng, struct hc_error *err)
{
    static const enum hc_cluster_fault_kind xids[] = {HC_CLUSTER_GPU_LOST, HC_CLUSTER_ECC,
                                                      HC_CLUSTER_NVLINK};
    int32_t first = hc_cluster_n_shared(cluster->options.n_nodes);
    int32_t n_whole = cluster->options.n_nodes - first;
    if (plant->day >= cluster->options.n_days)
        return hc_fail(err, HC_USAGE, "'%s:%d': the record has %d days, from 0 on",
                       kinds[plant->kind].name, plant->day, cluster->options.n_days);
    switch (plant->kind) {
    case HC_CLUSTER_LEMON:
        plant->subject = first + (int32_t)hc_philox_integer(
                                     rng, (uint64_t)(n_whole < BUSY_NODES ? n_whole : BUSY_NODES));
        break;
    case HC_CLUSTER_XID:
        plant->subject = (int32_t)xids[hc_philox_integer(rng, sizeof xids / sizeof *xids)];
        break;
    case HC_CLUSTER_ETTR:
    case HC_CLUSTER_SAVES:
    case HC_CLUSTER_EVALUATIONS:
        plant->subject = longest_run(cluster, plant);
        if (plant->subject == HC_CLUSTER_NONE)
            return hc_fail(err, HC_USAGE, "'%s:%d': there are no runs", kinds[plant->kind].name,
                           plant->day);
        prolong(&cluster->runs[plant->subject], cluster->options.n_days);
        if (plant->kind == HC_CLUSTER_EVALUATIONS)
            evaluate(&cluster->runs[plant->subject]);
        break;
    case HC_CLUSTER_LOOKS:
        if (!cluster->options.look_s)
            return hc_fail(err, HC_USAGE,
                           "'looks:%d': the scheduler looks at once: say how often (--looks)",
                           plant->day);
        plant->subject = 0;
        break;
    case HC_CLUSTER_PULLS:
    case HC_CLUSTER_QUEUE:
    case HC_CLUSTER_N_PLANTS:
        plant->subject = 0;
    }
    return HC_OK;
}

enum hc_status hc_cluster_choose_subjects(struct hc_cluster *cluster, struct hc_error *err)
{
    struct hc_philox rng;
    for (int32_t i = 0; i < cluster->options.n_plants; i++) {
        hc_philox_seek(&rng, cluster->options.seed, HC_CLUSTER_PLANT_STREAM, 4 * (uint64_t)i);
        if (choose(cluster, &cluster->options.plants[i], &rng, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- faults ---- */

static int compare_faults(const void *a, const void *b)
{
    const struct hc_cluster_fault *x = a, *y = b;
    if (x->time_s != y->time_s)
        return x->time_s < y->time_s ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->kind > y->kind) - (x->kind < y->kind);
}

static bool is_about(const struct hc_cluster_plant *plant, const struct hc_cluster_fault *fault)
{
    return plant->kind == HC_CLUSTER_LEMON ? fault->n_nodes == 1
                                           : (int32_t)fault->kind == plant->subject;
}

/* Faults at the rate of the whole plan, times `more`, of which those of other kinds are put away.
 */
static enum hc_status add_faults(struct hc_cluster *cluster, const struct hc_cluster_plant *plant,
                                 double more, struct hc_error *err)
{
    struct hc_philox rng;
    const struct hc_cluster_options *options = &cluster->options;
    bool is_lemon = plant->kind == HC_CLUSTER_LEMON;
    double each_s = DAY_S * 1000.0 / (is_lemon ? 1 : options->n_nodes) /
                    options->faults_per_1000_node_days / more;
    double at_s = (double)plant->day * DAY_S, life_s = (double)options->n_days * DAY_S;
    size_t room = cluster->n_faults;
    hc_philox_seek(&rng, options->seed,
                   HC_CLUSTER_PLANT_STREAM + 1 + (uint64_t)(plant - options->plants), 0);
    for (;;) {
        struct hc_cluster_fault fault;
        at_s -= each_s * hc_stable_log(1 - hc_philox_uniform(&rng));
        if (!(at_s < life_s))
            return HC_OK;
        hc_cluster_draw_fault(&fault, &rng, options->start_s + (int64_t)at_s, options);
        if (!is_about(plant, &fault))
            continue;
        if (is_lemon)
            fault.node = plant->subject;
        if (hc_reserve(&cluster->faults, &room, cluster->n_faults + 1, sizeof *cluster->faults,
                       err))
            return err->status;
        cluster->faults[cluster->n_faults++] = fault;
    }
}

enum hc_status hc_cluster_plant_faults(struct hc_cluster *cluster, struct hc_error *err)
{
    for (int32_t i = 0; i < cluster->options.n_plants; i++) {
        const struct hc_cluster_plant *plant = &cluster->options.plants[i];
        double more = kinds[plant->kind].factor - 1;
        if ((plant->kind == HC_CLUSTER_LEMON || plant->kind == HC_CLUSTER_XID) &&
            add_faults(cluster, plant, more, err))
            return err->status;
    }
    if (cluster->options.n_plants && cluster->n_faults)
        qsort(cluster->faults, cluster->n_faults, sizeof *cluster->faults, compare_faults);
    return HC_OK;
}
