/* lifetime_case.h - lifetimes that tests and benchmarks start from. */
#ifndef HC_TESTS_SUPPORT_LIFETIME_CASE_H
#define HC_TESTS_SUPPORT_LIFETIME_CASE_H

#include "sim/lifetime/lifetime.h"

#define DAY_S 86400.0

/* AIReSim's default case (arXiv 2603.07041). Its bad servers have a process of their own beside the
 * one that all servers have; the 686 failures are those of that process. */
struct hc_airesim_case {
    struct hc_lifetime_fault fault[2];
    struct hc_lifetime_config config;
};

static inline void hc_airesim_case_init(struct hc_airesim_case *a)
{
    for (int i = 0; i < 2; i++) {
        a->fault[i] = hc_lifetime_fault_defaults();
        a->fault[i].name = i ? "systematic" : "random";
        a->fault[i].per_day = i ? 0.05 : 0.01;
        a->fault[i].on_healthy = !i;
        a->fault[i].remedy_s = hc_distribution_constant(20 * 60);
    }
    struct hc_lifetime_config *c = &a->config;
    *c = hc_lifetime_config_defaults();
    c->job.nodes = 4096;
    c->job.work_s = 256 * DAY_S;
    c->fault = a->fault;
    c->n_faults = 2;
    c->lemon_share = 0.15;
    /* No checkpoints and no lost work: a save that is free after each millisecond. */
    c->checkpoint.mode = HC_CHECKPOINT_ASYNC;
    c->checkpoint.every_s = 0.001;
    c->recovery.warm_standbys = 16;
    c->recovery.pool_nodes = 4160;
    c->recovery.spare_nodes = 200;
    c->recovery.wait_for = HC_WAIT_FOR_STANDBYS;
    c->recovery.refill = HC_REFILL_AT_RESCHEDULE;
    c->recovery.reschedule_s = hc_distribution_constant(3 * 60);
    c->recovery.preempt_s = hc_distribution_constant(20 * 60);
    c->repair.automatic_s = hc_distribution_exponential(120 * 60);
    c->repair.to_manual = 0.8;
    c->repair.manual_s = hc_distribution_exponential(2880 * 60);
    c->repair.automatic_false = 0.4;
    c->repair.manual_false = 0.2;
    c->replicas = 10;
}

/* One cause on all nodes, stop and restart, free or blocking saves: what the closed form describes.
 */
struct hc_renewal_case {
    struct hc_lifetime_fault fault;
    struct hc_lifetime_phase phase;
    struct hc_lifetime_config config;
};

static inline void hc_renewal_case_init(struct hc_renewal_case *r, const struct hc_ettr_terms *t)
{
    r->fault = hc_lifetime_fault_defaults();
    r->fault.name = "node";
    r->fault.unit = HC_PER_JOB;
    r->fault.per_day = t->rate_per_s * DAY_S;
    r->fault.remedy = t->queue_s > 0 ? HC_REMEDY_REQUEUE : HC_REMEDY_REATTEMPT;
    r->phase = hc_lifetime_phase_defaults();
    r->phase.first_s = r->phase.full_s = r->phase.hot_s = hc_distribution_constant(t->restart_s);
    struct hc_lifetime_config *c = &r->config;
    *c = hc_lifetime_config_defaults();
    c->job.nodes = 100;
    c->fault = &r->fault;
    c->n_faults = 1;
    c->strikes = HC_STRIKES_HELD;
    c->startup.phase = &r->phase;
    c->startup.n_phases = 1;
    c->recovery.queue_s = hc_distribution_constant(t->queue_s);
    c->checkpoint.every_s = t->every_s;
    c->checkpoint.mode = t->write_s > 0 ? HC_CHECKPOINT_BLOCKING : HC_CHECKPOINT_ASYNC;
    c->checkpoint.stall_s = hc_distribution_constant(t->write_s);
}

#endif
