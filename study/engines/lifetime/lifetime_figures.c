/* The figures that results have, each computed from one replica. */
#include "study/engines/lifetime/lifetime_wing.h"

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

static double ettr(const struct hc_engine_figure *figure, const void *replica,
                   const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return hc_lifetime_figure(r, HC_FIGURE_ETTR_BYTEROBUST);
}

static double ettr_meta(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return hc_lifetime_figure(r, HC_FIGURE_ETTR_META);
}

static double goodput(const struct hc_engine_figure *figure, const void *replica,
                      const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return hc_lifetime_figure(r, HC_FIGURE_GOODPUT);
}

static double wall_d(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->wall_ns * 1e-9 / 86400;
}

static double work_d(const struct hc_engine_figure *figure, const void *replica,
                     const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->productive_ns * 1e-9 / 86400;
}

static double queue_h(const struct hc_engine_figure *figure, const void *replica,
                      const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
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

static double cost(const struct hc_engine_figure *figure, const void *replica,
                   const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    return leaves_gpu_h(r, ALL) * scale->price_per_gpu_h;
}

static double gpus(const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_config *config = scale->config;
    return (double)config->job.nodes * config->job.gpus_per_node;
}

/* Nodes that an elastic job goes on without ran with the others, as far as time goes. */
static double running_h(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    return (leaves_gpu_h(r, RUNNING) + hc_gpu_hours(r->absent_gpu_ns)) / gpus(scale);
}

/* All that is neither steps nor the first start, and the queues after the first. */
static double standing_s(const struct hc_engine_figure *figure, const void *replica,
                         const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            if (why != HC_WHY_FIRST_START &&
                !((RUNNING | LEAF(STANDBY_IDLE) | LEAF(POOL_IDLE)) >> what & 1))
                sum += r->account.leaf[what][why];
    return hc_gpu_hours(sum) * 3600 / gpus(scale) +
           (double)(r->queue_ns - r->first_queue_ns) * 1e-9;
}

static double longest_stop_h(const struct hc_engine_figure *figure, const void *replica,
                             const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->longest_stop_ns * 1e-9 / 3600;
}

static double stops(const struct hc_engine_figure *figure, const void *replica,
                    const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->count[HC_COUNT_STOPS];
}

static double gpu_hours(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    (void)scale;
    return leaves_gpu_h(replica, (uint32_t)figure->of);
}

static double counted(const struct hc_engine_figure *figure, const void *replica,
                      const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)scale;
    return (double)r->count[figure->of];
}

/* ---- the table ---- */

#define GPU_HOURS(mask)    .unit = "GPU-h", .has_interval = true, .above = gpu_hours, .of = (mask)
#define COUNTED(count)     .unit = "", .has_interval = true, .above = counted, .of = HC_COUNT_##count
#define COMPUTED(name, of) .unit = (name), .has_interval = true, .above = (of)

const struct hc_engine_figure hc_lifetime_figures[] = {
    {.name = "ettr",
     .help = "productive time / wall time since the first start",
     COMPUTED("share", ettr),
     .title = "ETTR",
     .is_gain = true,
     .compared = HC_COMPARED_BY_DEFAULT,
     .compare_place = 3, /* a faster step can lower ETTR and still be better */
     .lead_place = 1,
     .tile = "ETTR"},
    {.name = "ettr_meta",
     .help = "productive time / wall time, the first queue included",
     COMPUTED("share", ettr_meta),
     .title = "ETTR with the first queue",
     .is_gain = true},
    {.name = "goodput",
     .help = "productive time / time that nodes were held",
     COMPUTED("share", goodput),
     .is_gain = true},
    {.name = "wall_d",
     .help = "wall time, days",
     COMPUTED("d", wall_d),
     .title = "wall time",
     .compared = HC_COMPARED_ALWAYS,
     .compare_place = 1,
     .lead_place = 2,
     .tile = "Wall time"},
    {.name = "work_d",
     .help = "productive time, days",
     COMPUTED("d", work_d),
     .title = "productive time",
     .is_gain = true},
    {.name = "queue_h",
     .help = "hours in the queue, no nodes held",
     COMPUTED("h", queue_h),
     .title = "time in the queue"},
    {.name = "total_gpu_h",
     .help = "GPU-hours held, idle standbys and free nodes of the pool included",
     GPU_HOURS(ALL),
     .title = "GPU-hours",
     .compared = HC_COMPARED_ALWAYS,
     .compare_place = 2,
     .lead_place = 3,
     .tile = "GPU-hours held"},
    {.name = "productive_gpu_h",
     .help = "GPU-hours of steps that count",
     GPU_HOURS(PRODUCTIVE),
     .title = "productive GPU-hours",
     .is_gain = true},
    {.name = "straggler_gpu_h",
     .help = "those of them that slow nodes cost",
     GPU_HOURS(LEAF(PRODUCTIVE_STRAGGLER_EXCESS)),
     .title = "excess of slow steps"},
    {.name = "lost_gpu_h",
     .help = "GPU-hours of steps that were done again",
     GPU_HOURS(LEAF(LOST_WORK)),
     .title = "lost work"},
    {.name = "startup_gpu_h",
     .help = "GPU-hours of start-up",
     GPU_HOURS(STARTUP),
     .title = "start-up"},
    {.name = "checkpoint_gpu_h",
     .help = "GPU-hours of checkpoint stalls",
     GPU_HOURS(LEAF(CHECKPOINT_STALL)),
     .title = "checkpoint stalls"},
    {.name = "detection_gpu_h",
     .help = "GPU-hours from faults to their notice",
     GPU_HOURS(LEAF(DETECTION)),
     .title = "detection"},
    {.name = "localisation_gpu_h",
     .help = "GPU-hours from notice to place",
     GPU_HOURS(LEAF(LOCALISATION)),
     .title = "localisation"},
    {.name = "recovery_gpu_h",
     .help = "GPU-hours of remedies, outside start-up",
     GPU_HOURS(LEAF(RECOVERY)),
     .title = "recovery"},
    {.name = "degraded_gpu_h",
     .help = "GPU-hours of held nodes that idled while the job ran smaller",
     GPU_HOURS(LEAF(DEGRADED)),
     .title = "degraded"},
    {.name = "standby_idle_gpu_h",
     .help = "GPU-hours of warm standbys that waited",
     GPU_HOURS(LEAF(STANDBY_IDLE)),
     .title = "idle standbys"},
    {.name = "pool_idle_gpu_h",
     .help = "GPU-hours of free nodes of a pool with an end",
     GPU_HOURS(LEAF(POOL_IDLE)),
     .title = "free nodes of the pool"},
    {.name = "unproductive_gpu_h",
     .help = "GPU-hours held less productive ones",
     GPU_HOURS(ALL & ~PRODUCTIVE),
     .title = "unproductive GPU-hours",
     .tile = "Unproductive"},
    {.name = "interruptions",
     .help = "number of stops",
     COUNTED(STOPS),
     .title = "interruptions",
     .tile = "Interruptions"},
    {.name = "mtbf_h",
     .help = "hours of running between stops",
     .unit = "h",
     .has_interval = true,
     .above = running_h,
     .below = stops,
     .title = "time between stops",
     .is_gain = true,
     .tile = "Between stops"},
    {.name = "mttr_s",
     .help = "seconds from a stop to the next step",
     .unit = "s",
     .has_interval = true,
     .above = standing_s,
     .below = stops,
     .title = "time of a stop",
     .tile = "Length of a stop"},
    {.name = "longest_stop_h",
     .help = "hours of the longest time from a stop to the next step",
     COMPUTED("h", longest_stop_h),
     .title = "longest stop"},
    {.name = "evicted_nodes",
     .help = "nodes that were replaced",
     COUNTED(EVICTED),
     .title = "nodes evicted"},
    {.name = "innocent_nodes",
     .help = "of these, nodes without a fault",
     COUNTED(INNOCENT),
     .title = "nodes evicted without fault"},
    {.name = "standbys_used",
     .help = "standbys that were brought in",
     COUNTED(STANDBYS_USED),
     .title = "standbys used"},
    {.name = "requeues",
     .help = "times that the job went back to the queue",
     COUNTED(REQUEUES),
     .title = "times queued again"},
    {.name = "cost",
     .help = "GPU-hours held times the price",
     COMPUTED("money", cost),
     .title = "cost",
     .needs_price = true,
     .tile = "Cost"},
    {.name = NULL},
};
