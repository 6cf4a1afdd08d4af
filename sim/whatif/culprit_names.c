/* culprit_names.c - the names of what is slow, of which ops and when, for JSON and CSV. */
#include "sim/whatif/culprits.h"

const char *hc_culprit_kind_key(enum hc_culprit_kind kind)
{
    static const char *const keys[HC_N_CULPRIT_KINDS] = {
        [HC_CULPRIT_WORKER] = "worker", [HC_CULPRIT_DP_RANK] = "dp_rank",
        [HC_CULPRIT_STAGE] = "stage",   [HC_CULPRIT_HOST] = "host",
        [HC_CULPRIT_SWITCH] = "switch", [HC_CULPRIT_LINK] = "link",
        [HC_CULPRIT_SLOT] = "slot",     [HC_CULPRIT_JOB] = "job"};
    return keys[kind];
}

const char *hc_slow_ops_key(enum hc_slow_ops ops)
{
    static const char *const keys[HC_N_SLOW_OPS] = {
        [HC_SLOW_FORWARD] = "forward", [HC_SLOW_BACKWARD] = "backward",
        [HC_SLOW_PASSES] = "passes",   [HC_SLOW_TRANSFERS] = "transfers",
        [HC_SLOW_ALL] = "all",         [HC_SLOW_LAUNCHES] = "launches",
        [HC_SLOW_TYPES] = "op_type"};
    return keys[ops];
}

const char *hc_slow_pattern_key(enum hc_slow_pattern pattern)
{
    static const char *const keys[HC_N_SLOW_PATTERNS] = {
        [HC_SLOW_ALWAYS] = "always",       [HC_SLOW_SINCE] = "since",
        [HC_SLOW_UNTIL] = "until",         [HC_SLOW_BETWEEN] = "between",
        [HC_SLOW_RECURRENT] = "recurrent", [HC_SLOW_SOME_PASSES] = "some_passes"};
    return keys[pattern];
}
