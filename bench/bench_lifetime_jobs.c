/* Several jobs on one pool against as many jobs on pools of their own. */
#include "bench/bench.h"

#include "core/base/memory.h"
#include "sim/lifetime/pool/shared_pool.h"
#include "tests/support/lifetime_case.h"

#include <stdlib.h>

enum { REPLICAS = 200 };

struct subject {
    struct hc_lifetime_config config[2];
    struct hc_lifetime_replica *result;
    double events;
};

static void run_one(struct subject *s, const struct hc_lifetime_config *config)
{
    struct hc_error err;
    if (hc_lifetime_run(config, 0, REPLICAS, s->result, &err))
        hc_bench_stop(&err);
    for (size_t i = 0; i < REPLICAS; i++)
        s->events += (double)s->result[i].count[HC_COUNT_EVENTS] / REPLICAS;
}

static void run_alone(void *context)
{
    struct subject *s = context;
    s->events = 0;
    for (int i = 0; i < 2; i++) {
        struct hc_lifetime_config c = s->config[i];
        c.recovery.pool_nodes = c.job.nodes + 36;
        run_one(s, &c);
    }
}

static void run_together(void *context)
{
    struct subject *s = context;
    struct hc_shared_pool_job small = {"small", s->config[1]};
    struct hc_lifetime_config c = s->config[0];
    c.other = &small;
    c.n_others = 1;
    run_one(s, &c);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct hc_lifetime_fault fault = hc_lifetime_fault_defaults();
    struct hc_error err;
    struct subject s = {.result = hc_new_array(REPLICAS, sizeof *s.result, &err)};
    if (!s.result)
        hc_bench_stop(&err);
    fault.name = "node";
    fault.per_day = 0.006;
    for (int i = 0; i < 2; i++) {
        struct hc_lifetime_config *c = &s.config[i];
        *c = hc_lifetime_config_defaults();
        c->job.nodes = i ? 256 : 1024;
        c->job.horizon_s = 60 * DAY_S;
        c->fault = &fault;
        c->n_faults = 1;
        c->threads = 1;
        c->recovery.pool_nodes = 1320;
        c->repair.automatic_s = hc_distribution_exponential(4 * DAY_S);
    }
    double alone = hc_bench_seconds(run_alone, &s) / REPLICAS;
    hc_bench_note(&bench, "1,024 and 256 nodes, 60 days: events", s.events, "a replica");
    double together = hc_bench_seconds(run_together, &s) / REPLICAS;
    hc_bench_note(&bench, "each on a pool of its own", alone * 1e6, "us a replica");
    hc_bench_note(&bench, "on one pool", together * 1e6, "us a replica");
    free(s.result);
    return hc_bench_end(&bench);
}
