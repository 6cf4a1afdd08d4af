/* The figures that results have, each computed from one replica. */
#include "study/grammar/scenario_keys.h"

#include <string.h>

#define LEAF(what) (1u << HC_WHAT_##what)

#define STARTUP                                                                                    \
    (LEAF(STARTUP_IMAGE) | LEAF(STARTUP_ENVIRONMENT) | LEAF(STARTUP_INIT) | LEAF(STARTUP_LOAD) |   \
     LEAF(STARTUP_COMPILE) | LEAF(STARTUP_FIRST_STEP) | LEAF(STARTUP_FAILED) |                     \
     LEAF(STARTUP_UNSPLIT))
#define PRODUCTIVE                                                                                 \
    (LEAF(PRODUCTIVE_IDEAL) | LEAF(PRODUCTIVE_STRAGGLER_EXCESS) | LEAF(PRODUCTIVE_UNSPLIT))
#define RUNNING (PRODUCTIVE | LEAF(DEGRADED) | LEAF(CHECKPOINT_STALL) | LEAF(LOST_WORK))
#define ALL     ((1u << HC_WHAT_COUNT) - 1)

/* ---- what an account cannot give by its leaves alone ---- */

static double ettr(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return hc_lifetime_figure(r, HC_FIGURE_ETTR_BYTEROBUST);
}

static double ettr_meta(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return hc_lifetime_figure(r, HC_FIGURE_ETTR_META);
}

static double goodput(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return hc_lifetime_figure(r, HC_FIGURE_GOODPUT);
}

static double wall_d(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return (double)r->wall_ns * 1e-9 / 86400;
}

static double work_d(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return (double)r->productive_ns * 1e-9 / 86400;
}

static double queue_h(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return (double)r->queue_ns * 1e-9 / 3600;
}

static double leaves_gpu_h(const struct hc_lifetime_replica *r, uint32_t leaves)
{
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        if (leaves >> what & 1)
            sum += hc_account_what(&r->account, (enum hc_what)what);
    return hc_gpu_hours(sum);
}

static double cost(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    return leaves_gpu_h(r, ALL) * scale->price_per_gpu_h;
}

/* Nodes that an elastic job goes on without ran with the others, as far as time goes. */
static double running_h(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    return (leaves_gpu_h(r, RUNNING) + hc_gpu_hours(r->absent_gpu_ns)) / scale->gpus;
}

/* All that is neither steps nor the first start, and the queues after the first. */
static double standing_s(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            if (why != HC_WHY_FIRST_START &&
                !((RUNNING | LEAF(STANDBY_IDLE) | LEAF(POOL_IDLE)) >> what & 1))
                sum += r->account.leaf[what][why];
    return hc_gpu_hours(sum) * 3600 / scale->gpus +
           (double)(r->queue_ns - r->first_queue_ns) * 1e-9;
}

static double longest_stop_h(const struct hc_lifetime_replica *r,
                             const struct hc_figure_scale *scale)
{
    (void)scale;
    return (double)r->longest_stop_ns * 1e-9 / 3600;
}

static double stops(const struct hc_lifetime_replica *r, const struct hc_figure_scale *scale)
{
    (void)scale;
    return (double)r->count[HC_COUNT_STOPS];
}

/* ---- the table ---- */

#define GPU_HOURS(mask)    .unit = "GPU-h", .has_interval = true, .leaves = (mask)
#define COUNTED(of)        .unit = "", .has_interval = true, .count = 1 + HC_COUNT_##of
#define COMPUTED(name, of) .unit = (name), .has_interval = true, .above = (of)

const struct hc_scenario_figure hc_scenario_figures[] = {
    {"ettr", "productive time / wall time since the first start", COMPUTED("share", ettr),
     .title = "ETTR", .is_gain = true},
    {"ettr_meta", "productive time / wall time, the first queue included",
     COMPUTED("share", ettr_meta), .title = "ETTR with the first queue", .is_gain = true},
    {"goodput", "productive time / time that nodes were held", COMPUTED("share", goodput),
     .is_gain = true},
    {"wall_d", "wall time, days", COMPUTED("d", wall_d), .title = "wall time"},
    {"work_d", "productive time, days", COMPUTED("d", work_d), .title = "productive time",
     .is_gain = true},
    {"queue_h", "hours in the queue, no nodes held", COMPUTED("h", queue_h),
     .title = "time in the queue"},
    {"total_gpu_h", "GPU-hours held, idle standbys and free nodes of the pool included",
     GPU_HOURS(ALL), .title = "GPU-hours"},
    {"productive_gpu_h", "GPU-hours of steps that count", GPU_HOURS(PRODUCTIVE),
     .title = "productive GPU-hours", .is_gain = true},
    {"straggler_gpu_h", "those of them that slow nodes cost",
     GPU_HOURS(LEAF(PRODUCTIVE_STRAGGLER_EXCESS)), .title = "excess of slow steps"},
    {"lost_gpu_h", "GPU-hours of steps that were done again", GPU_HOURS(LEAF(LOST_WORK)),
     .title = "lost work"},
    {"startup_gpu_h", "GPU-hours of start-up", GPU_HOURS(STARTUP), .title = "start-up"},
    {"checkpoint_gpu_h", "GPU-hours of checkpoint stalls", GPU_HOURS(LEAF(CHECKPOINT_STALL)),
     .title = "checkpoint stalls"},
    {"detection_gpu_h", "GPU-hours from faults to their notice", GPU_HOURS(LEAF(DETECTION)),
     .title = "detection"},
    {"localisation_gpu_h", "GPU-hours from notice to place", GPU_HOURS(LEAF(LOCALISATION)),
     .title = "localisation"},
    {"recovery_gpu_h", "GPU-hours of remedies, outside start-up", GPU_HOURS(LEAF(RECOVERY)),
     .title = "recovery"},
    {"degraded_gpu_h", "GPU-hours of held nodes that idled while the job ran smaller",
     GPU_HOURS(LEAF(DEGRADED)), .title = "degraded"},
    {"standby_idle_gpu_h", "GPU-hours of warm standbys that waited", GPU_HOURS(LEAF(STANDBY_IDLE)),
     .title = "idle standbys"},
    {"pool_idle_gpu_h", "GPU-hours of free nodes of a pool with an end", GPU_HOURS(LEAF(POOL_IDLE)),
     .title = "free nodes of the pool"},
    {"unproductive_gpu_h", "GPU-hours held less productive ones", GPU_HOURS(ALL & ~PRODUCTIVE),
     .title = "unproductive GPU-hours"},
    {"interruptions", "number of stops", COUNTED(STOPS), .title = "interruptions"},
    {"mtbf_h", "hours of running between stops", .unit = "h", .has_interval = true,
     .above = running_h, .below = stops, .title = "time between stops", .is_gain = true},
    {"mttr_s", "seconds from a stop to the next step", .unit = "s", .has_interval = true,
     .above = standing_s, .below = stops, .title = "time of a stop"},
    {"longest_stop_h", "hours of the longest time from a stop to the next step",
     COMPUTED("h", longest_stop_h), .title = "longest stop"},
    {"evicted_nodes", "nodes that were replaced", COUNTED(EVICTED), .title = "nodes evicted"},
    {"innocent_nodes", "of these, nodes without a fault", COUNTED(INNOCENT),
     .title = "nodes evicted without fault"},
    {"standbys_used", "standbys that were brought in", COUNTED(STANDBYS_USED),
     .title = "standbys used"},
    {"requeues", "times that the job went back to the queue", COUNTED(REQUEUES),
     .title = "times queued again"},
    {"cost", "GPU-hours held times the price", COMPUTED("money", cost), .title = "cost"},
    {"interaction", "what variants bring together beyond the sum of each", .unit = ""},
    {.name = NULL},
};

const struct hc_scenario_figure *hc_scenario_figure(const char *name, size_t length)
{
    for (const struct hc_scenario_figure *figure = hc_scenario_figures; figure->name; figure++)
        if (strlen(figure->name) == length && memcmp(figure->name, name, length) == 0)
            return figure;
    return NULL;
}

struct hc_figure_value hc_figure_of(const struct hc_scenario_figure *figure,
                                    const struct hc_lifetime_replica *replica,
                                    const struct hc_figure_scale *scale)
{
    struct hc_figure_value value = {0, 1};
    if (figure->above)
        value.above = figure->above(replica, scale);
    else if (figure->count)
        value.above = (double)replica->count[figure->count - 1];
    else
        value.above = leaves_gpu_h(replica, figure->leaves);
    if (figure->below)
        value.below = figure->below(replica, scale);
    return value;
}
