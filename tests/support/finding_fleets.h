/* finding_fleets.h - fleets in which nothing changes, or one thing does, for findings.
 *
 * What a day of a fleet is like is drawn after one of several laws, most of which are not what the
 * tests of models/findings assume: bursts, weekdays, trends, heavy tails, levels that wander.
 */
#ifndef HC_TESTS_SUPPORT_FINDING_FLEETS_H
#define HC_TESTS_SUPPORT_FINDING_FLEETS_H

#include "models/findings/findings.h"

struct fleet_law {
    const char *name;
    double burst;       /* events of one fault, mean of a geometric number; 1: no bursts */
    double heavy_burst; /* else: standard deviation of the logarithm of a lognormal number */
    double repeat;      /* probability that a failed node fails again within the week */
    double node_shape;  /* of the gamma distribution of the rates of nodes; 0: all are equal */
    double weekend;     /* rate of Saturday and Sunday over the others; level of queues, too */
    double trend;       /* growth of rates and levels, of their logarithm a day */
    double day_sd;      /* of the logarithm of rates and levels, from day to day */
    double day_tail;    /* degrees of freedom of Student's t of that; 0: normal */
    double serial;      /* correlation of a day with the next */
    double wait_sd;     /* of the logarithm of waits and starts */
    double zero_waits;  /* share of jobs that start at once */
    double run_sd;      /* of the ETTR of a run, from day to day */
    double run_dips;    /* failures of a run a day, each costs exponential hours of mean 2 */
    double night;       /* rate of failed jobs at night over that of the day */
    double storm;       /* hours with ten times the failed jobs, share */
    double step;        /* of the logarithm of a level, once from day 20 to day 70, its deviation */
    double outage;      /* share of the days with a tenth of the fleet and of its jobs */
};

#define N_FLEET_LAWS 7
/* The first is the plainest; the last one was made when models/findings was done, and nothing there
 * was changed for it. */
extern const struct fleet_law fleet_laws[N_FLEET_LAWS];

struct fleet_plan {
    const struct fleet_law *law;
    uint64_t seed;
    int n_days;
    int n_nodes;
    double failures_per_28_days; /* of a node */
    int n_events, n_phases, n_runs, n_queues, n_sources;
    double events_a_day; /* of the planted class of events; the others are spread about it */
    double values_a_day; /* of the planted phase and the planted queue */
    double ends_a_day;   /* failed jobs */
    /* From change_day on, the first subject of each kind is worse by this; 1 and 0: none is. */
    int change_day;
    double lemon_factor, event_factor, startup_factor, queue_factor, ettr_fall;
    bool has_cofailure; /* 8 jobs of 6 users of one rack, on change_day */
    bool is_silent;     /* the first source, from change_day on */
};

/* 300 nodes with half a failure in 28 days, 20 classes of events, 6 phases, 20 runs, 8 queues. */
struct fleet_plan fleet_plan_usual(const struct fleet_law *law, uint64_t seed, int n_days);

struct finding_fleet {
    struct hc_findings_input input;
    struct hc_finding_series *series; /* of input, to be changed by a test */
    struct hc_failure_end *ends;
    void **blocks;
    size_t n_blocks;
};
void finding_fleet_make(struct finding_fleet *fleet, const struct fleet_plan *plan);
void finding_fleet_free(struct finding_fleet *fleet);

/* A fleet with the series of one kind only, what there is to see of it a day (failures of a node in
 * 28 days; events, values or failed jobs a day; number of runs), and a change in it most_delay days
 * before the end: 10 times the failures, 3 times the events, twice the start-up, 1.5 times the
 * wait, 5 points of ETTR, 8 jobs of 6 users of a rack at once. */
struct fleet_plan fleet_plan_changed(const struct fleet_law *law, uint64_t seed,
                                     enum hc_finding_kind kind, double exposure, int most_delay);

/* On which day of that change it is found, 1 for the first; most_delay + 1: on none. */
int finding_fleet_delay(const struct fleet_plan *plan, enum hc_finding_kind kind, int most_delay);

/* Adds the findings of a fleet over its last days to n. */
void finding_fleet_count(const struct fleet_plan *plan, int n_days, size_t n[HC_N_FINDING_KINDS]);

#endif
