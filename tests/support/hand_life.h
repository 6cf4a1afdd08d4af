/* hand_life.h - a job whose every nanosecond can be worked out by hand: constant times and recorded
 * faults. */
#ifndef HC_TESTS_HAND_LIFE_H
#define HC_TESTS_HAND_LIFE_H

#include "tests/support/lifetime_case.h"

#include <string.h>

/* 1,000 s of work on 10 nodes, saved every 100 s; start-up 50 (first), 40 (full) or 20 s (hot), and
 * 5 s to load. One incident of node 3 at 300 s: 250 s into the run. A second cause, just like the
 * first, is there with n_faults 2. */
struct life {
    struct hc_lifetime_config config; /* points into the rest */
    struct hc_lifetime_fault fault[2];
    struct hc_lifetime_incident incident[4]; /* the first of each cause; then more of either */
    struct hc_lifetime_phase phase;
    struct hc_lifetime_replica out;
};

static inline void life_init(struct life *l)
{
    memset(l, 0, sizeof *l);
    l->config = hc_lifetime_config_defaults();
    l->config.job.nodes = 10;
    l->config.job.work_s = 1000;
    l->phase = hc_lifetime_phase_defaults();
    l->phase.what = HC_WHAT_STARTUP_INIT;
    l->phase.first_s = hc_distribution_constant(50);
    l->phase.full_s = hc_distribution_constant(40);
    l->phase.hot_s = hc_distribution_constant(20);
    l->config.startup.phase = &l->phase;
    l->config.startup.n_phases = 1;
    l->config.checkpoint.mode = HC_CHECKPOINT_ASYNC;
    l->config.checkpoint.every_s = 100;
    l->config.checkpoint.load_s = hc_distribution_constant(5);
    for (int i = 0; i < 2; i++) {
        l->incident[i] = (struct hc_lifetime_incident){300, 3, 1};
        l->fault[i] = hc_lifetime_fault_defaults();
        l->fault[i].name = i ? "second" : "first";
        l->fault[i].incident = &l->incident[i];
        l->fault[i].n_incidents = 1;
    }
    l->config.fault = l->fault;
    l->config.n_faults = 1;
}

#endif
