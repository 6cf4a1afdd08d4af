/* cause_names.c - causes as keys, and for people. */
#include "sim/whatif_depth.h"

const char *hc_cause_key(enum hc_cause cause)
{
    static const char *const keys[HC_N_CAUSES] = {
        [HC_CAUSE_NONE] = "none",     [HC_CAUSE_WORKER] = "worker",
        [HC_CAUSE_STAGE] = "stage",   [HC_CAUSE_SEQUENCE] = "sequence",
        [HC_CAUSE_GC] = "gc",         [HC_CAUSE_LINK] = "link",
        [HC_CAUSE_LAUNCH] = "launch", [HC_CAUSE_UNEXPLAINED] = "unexplained"};
    return keys[cause];
}

const char *hc_cause_text(enum hc_cause cause)
{
    static const char *const texts[HC_N_CAUSES] = {
        [HC_CAUSE_NONE] = "not straggling",      [HC_CAUSE_WORKER] = "slow worker",
        [HC_CAUSE_STAGE] = "stage partitioning", [HC_CAUSE_SEQUENCE] = "sequence length imbalance",
        [HC_CAUSE_GC] = "garbage collection",    [HC_CAUSE_LINK] = "slow link",
        [HC_CAUSE_LAUNCH] = "late launches",     [HC_CAUSE_UNEXPLAINED] = "unexplained"};
    return texts[cause];
}
