/* The tree of installed GPU-time of a large site: 5,000 nodes over a year, 1.5 million pieces of
 * jobs on them, a look at the queue every 5 minutes, a snapshot of each node a night. */
#include "bench/bench.h"

#include "core/base/missing.h"
#include "core/random/philox.h"
#include "models/capacity/installed.h"

#include <stdio.h>

#define S       ((int64_t)1000000000)
#define DAY     (86400 * S)
#define N_DAYS  365
#define N_NODES 5000
#define N_HELD  1500000

static int64_t days[N_DAYS + 1];
static hc_capacity_ns allocated;

static enum hc_status add_nodes(struct hc_capacity *capacity, struct hc_philox *rng,
                                struct hc_error *err)
{
    for (int i = 0; i < N_NODES; i++) {
        char name[32];
        struct hc_capacity_inventory gpus = {.from_ns = 0, .gpus = 8};
        snprintf(name, sizeof name, "node%05d", i);
        if (hc_capacity_node(capacity, name, &gpus.node, err) ||
            hc_capacity_set_partitions(capacity, gpus.node, i % 3 ? "long,short" : "short", err) ||
            hc_capacity_add_inventory(capacity, &gpus, err))
            return err->status;
        for (int64_t day = 0; day < N_DAYS; day++) {
            struct hc_capacity_state row = {.since_ns = day * DAY + 3600 * S,
                                            .until_ns = HC_MISSING_I64,
                                            .node = gpus.node,
                                            .how = HC_NODE_SNAPSHOT,
                                            .state = {HC_NODE_IDLE, 0}};
            if (hc_philox_integer(rng, 50) == 0)
                row.state.flags = HC_NODE_DRAIN;
            if (hc_capacity_add_state(capacity, &row, err))
                return err->status;
        }
    }
    return HC_OK;
}

static enum hc_status fill(struct hc_capacity *capacity, struct hc_error *err)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, 15, 0, 0);
    if (add_nodes(capacity, &rng, err))
        return err->status;
    for (int64_t at_ns = 0; at_ns < N_DAYS * DAY; at_ns += 300 * S) {
        if (hc_capacity_add_look(capacity, at_ns, err) ||
            (hc_philox_integer(&rng, 3) && hc_capacity_add_demand(capacity, at_ns, "long", err)))
            return err->status;
    }
    for (int i = 0; i < N_HELD; i++) {
        int64_t from_ns = (int64_t)hc_philox_integer(&rng, N_DAYS * 86400) * S;
        const struct hc_capacity_allocation held = {
            from_ns, from_ns + (int64_t)hc_philox_integer(&rng, 2 * 86400) * S,
            (int32_t)hc_philox_integer(&rng, N_NODES), 4};
        if (hc_capacity_add_allocation(capacity, &held, err))
            return err->status;
    }
    return HC_OK;
}

static void count(void *context)
{
    struct hc_error err;
    struct hc_capacity capacity = {.day_ns = days, .n_days = N_DAYS};
    (void)context;
    if (fill(&capacity, &err) || hc_capacity_finish(&capacity, NULL, &err))
        hc_bench_stop(&err);
    allocated = capacity.total.leaf[HC_CAPACITY_ALLOCATED];
    hc_capacity_fini(&capacity);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    for (int i = 0; i <= N_DAYS; i++)
        days[i] = i * DAY;
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_SORT, count, NULL);
    hc_bench_limit(&bench, "installed tree, of 1.5 M pieces of jobs", &pair, N_HELD, "M pieces/s",
                   20);
    hc_bench_note(&bench, "allocated", (double)(allocated / (hc_capacity_ns)(3600 * S)),
                  "GPU-hours");
    hc_bench_at_most(&bench, "resident size", hc_bench_peak_mb(), "MB", 300);
    return hc_bench_end(&bench);
}
