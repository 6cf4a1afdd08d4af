/* straggler_causes.h - the causes that a job can straggle of, and their names
 * (sim/whatif/culprit_names.c). */
#ifndef HC_SIM_WHATIF_STRAGGLER_CAUSES_H
#define HC_SIM_WHATIF_STRAGGLER_CAUSES_H

enum hc_straggler_cause {
    HC_STRAGGLER_NONE,        /* not straggling */
    HC_STRAGGLER_WORKER,      /* few workers slow all along: hardware or software fault */
    HC_STRAGGLER_STAGE,       /* a stage has more work than the others */
    HC_STRAGGLER_SEQUENCE,    /* sequence lengths differ: forward and backward slow together */
    HC_STRAGGLER_GC,          /* forward pauses, other workers at other steps */
    HC_STRAGGLER_LINK,        /* transfers of one link (a stage boundary of a dp rank) slow */
    HC_STRAGGLER_COMMON,      /* ops of some types slow in some steps, on all workers alike */
    HC_STRAGGLER_LAUNCH,      /* ops start late: the host, not the device */
    HC_STRAGGLER_UNEXPLAINED, /* straggling, and no test says why */
    HC_N_STRAGGLER_CAUSES
};

/* "worker", "stage", "sequence", "gc", "link", "common", "launch", "none", "unexplained": for JSON,
 * CSV and the truth of synthetic fleets. */
const char *hc_straggler_cause_key(enum hc_straggler_cause cause);
/* "slow worker", "stage partitioning", ... for people. */
const char *hc_straggler_cause_text(enum hc_straggler_cause cause);

#endif
