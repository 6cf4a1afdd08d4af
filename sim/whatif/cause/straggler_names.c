/* straggler_names.c - the names of straggler causes: keys for JSON and CSV, and words for people.
 */
#include "sim/whatif/whatif_depth.h"

const char *hc_straggler_cause_key(enum hc_straggler_cause cause)
{
    static const char *const keys[HC_N_STRAGGLER_CAUSES] = {
        [HC_STRAGGLER_NONE] = "none",     [HC_STRAGGLER_WORKER] = "worker",
        [HC_STRAGGLER_STAGE] = "stage",   [HC_STRAGGLER_SEQUENCE] = "sequence",
        [HC_STRAGGLER_GC] = "gc",         [HC_STRAGGLER_LINK] = "link",
        [HC_STRAGGLER_COMMON] = "common", [HC_STRAGGLER_LAUNCH] = "launch",
        [HC_STRAGGLER_UNEXPLAINED] = "unexplained"};
    return keys[cause];
}

const char *hc_straggler_cause_text(enum hc_straggler_cause cause)
{
    static const char *const texts[HC_N_STRAGGLER_CAUSES] = {
        [HC_STRAGGLER_NONE] = "not straggling",
        [HC_STRAGGLER_WORKER] = "slow worker",
        [HC_STRAGGLER_STAGE] = "stage partitioning",
        [HC_STRAGGLER_SEQUENCE] = "sequence length imbalance",
        [HC_STRAGGLER_GC] = "garbage collection",
        [HC_STRAGGLER_LINK] = "slow link",
        [HC_STRAGGLER_COMMON] = "all workers alike",
        [HC_STRAGGLER_LAUNCH] = "late launches",
        [HC_STRAGGLER_UNEXPLAINED] = "unexplained"};
    return texts[cause];
}
