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

static double productive_d(const struct hc_engine_figure *figure, const void *replica,
                           const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->productive_ns * 1e-9 / 86400;
}

static double progress_d(const struct hc_engine_figure *figure, const void *replica,
                         const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->work_done_ns * 1e-9 / 86400;
}

/* account.md 3: net new work x reference step time / wall-clock. */
static double ettr_nominal(const struct hc_engine_figure *figure, const void *replica,
                           const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    int64_t since_ns = r->wall_ns - r->first_queue_ns;
    (void)figure;
    (void)scale;
    return since_ns ? (double)r->work_done_ns / (double)since_ns : 0;
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

static double held_gpu_h(const struct hc_engine_figure *figure, const void *replica,
                         const struct hc_figure_scale *scale)
{
    (void)figure;
    (void)scale;
    return leaves_gpu_h(replica, ALL);
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

static double stopped_s(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    (void)figure;
    (void)scale;
    return (double)r->stopped_ns * 1e-9;
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

/* 1 or 0. A life that was cut off before that day is not known to be done by it. */
static double done_by_d(const struct hc_engine_figure *figure, const void *replica,
                        const struct hc_figure_scale *scale)
{
    const struct hc_lifetime_replica *r = replica;
    return r->finished && wall_d(figure, replica, scale) <= scale->done_by_d;
}

/* ---- the table ---- */

#define GPU_HOURS(mask)    .unit = "GPU-h", .has_interval = true, .above = gpu_hours, .of = (mask)
#define COUNTED(count)     .unit = "", .has_interval = true, .above = counted, .of = HC_COUNT_##count
#define COMPUTED(name, of) .unit = (name), .has_interval = true, .above = (of)

/* Of lives that a horizon cuts off: how far they got, and at what price. Their wall time is given,
 * and their ETTR counts slow steps as if they were not. */
static const struct hc_figure_places progress_cut = {HC_COMPARED_ALWAYS, 1, 1, "Progress"},
                                     ettr_nominal_cut = {HC_COMPARED_BY_DEFAULT, 2, 2,
                                                         "ETTR at nominal speed"},
                                     nominal_day_gpu_h_cut = {HC_COMPARED_ALWAYS, 3, 3, NULL},
                                     nominal_day_cost_cut = {HC_COMPARED_ALWAYS, 4, 4, NULL},
                                     ettr_cut = {HC_COMPARED_BY_DEFAULT, 5, 5, "ETTR"},
                                     total_cut = {HC_COMPARED_BY_DEFAULT, 6, 6, "GPU-hours held"},
                                     wall_cut = {HC_COMPARED_WHEN_ASKED, 0, 0, "Wall time"},
                                     done_cut = {HC_COMPARED_WHEN_ASKED, 0, 0, NULL};

const struct hc_engine_figure hc_lifetime_figures[] = {
    {.name = "ettr",
     .help = "productive time / wall time since the first start",
     COMPUTED("share", ettr),
     .title = "ETTR",
     .is_gain = true,
     .places.compared = HC_COMPARED_BY_DEFAULT,
     .places.compare_place = 3, /* a faster step can lower ETTR and still be better */
     .places.lead_place = 1,
     .places.tile = "ETTR",
     .cut_off = &ettr_cut},
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
     .places.compared = HC_COMPARED_ALWAYS,
     .places.compare_place = 1,
     .places.lead_place = 2,
     .places.tile = "Wall time",
     .cut_off = &wall_cut},
    {.name = "done_by_d",
     .help = "share of lives whose work is done by the day that /report/done_by_d says",
     COMPUTED("share", done_by_d),
     .title = "done by the day",
     .is_gain = true,
     .needs_done_by = true,
     .is_share_of_replicas = true,
     .places.compared = HC_COMPARED_BY_DEFAULT,
     .places.compare_place = 5,
     .places.lead_place = 4,
     .places.tile = "Done by the day",
     .cut_off = &done_cut},
    {.name = "progress_d",
     .redefined = 1,
     .help = "work that is kept, in days of nominal steps",
     COMPUTED("d", progress_d),
     .title = "progress",
     .is_gain = true,
     .cut_off = &progress_cut},
    {.name = "ettr_nominal",
     .help = "progress / wall time since the first start: slow steps count as far as they get",
     COMPUTED("share", ettr_nominal),
     .title = "ETTR at nominal speed",
     .is_gain = true,
     .cut_off = &ettr_nominal_cut},
    {.name = "productive_d",
     .redefined = 1,
     .help = "time of steps that count, slow ones too, in days",
     COMPUTED("d", productive_d),
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
     .places.compared = HC_COMPARED_ALWAYS,
     .places.compare_place = 2,
     .places.lead_place = 3,
     .places.tile = "GPU-hours held",
     .cut_off = &total_cut},
    {.name = "nominal_day_gpu_h",
     .help = "GPU-hours held for each day of progress",
     .unit = "GPU-h",
     .has_interval = true,
     .above = held_gpu_h,
     .below = progress_d,
     .title = "GPU-hours of a nominal day",
     .cut_off = &nominal_day_gpu_h_cut},
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
     .places.tile = "Unproductive"},
    {.name = "interruptions",
     .redefined = 1,
     .help = "number of stops",
     COUNTED(STOPS),
     .title = "interruptions",
     .places.tile = "Interruptions"},
    {.name = "rejoins",
     .redefined = 1,
     .help = "times that an elastic job stood to take replicas back; no interruptions",
     COUNTED(REJOINS)},
    {.name = "mtbf_h",
     .redefined = 1,
     .help = "hours of running between stops",
     .unit = "h",
     .has_interval = true,
     .above = running_h,
     .below = stops,
     .title = "time between stops",
     .is_gain = true,
     .places.tile = "Between stops"},
    {.name = "mttr_s",
     .redefined = 1,
     .help = "seconds from a stop to the next step",
     .unit = "s",
     .has_interval = true,
     .above = stopped_s,
     .below = stops,
     .title = "time of a stop",
     .places.tile = "Length of a stop"},
    {.name = "longest_stop_h",
     .redefined = 1,
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
     .places.tile = "Cost"},
    {.name = "nominal_day_cost",
     .help = "the same for each day of progress",
     .unit = "money",
     .has_interval = true,
     .above = cost,
     .below = progress_d,
     .title = "cost of a nominal day",
     .needs_price = true,
     .cut_off = &nominal_day_cost_cut},
    {.name = NULL},
};
