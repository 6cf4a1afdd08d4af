/* culprit_names.c - the names of causes, and of what is slow, of which ops and when: keys for JSON
 * and CSV, and words for people. */
#include "sim/whatif/culprits.h"

#include <stdio.h>

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

/* So many types are named one by one. */
#define MOST_NAMED 4

/* Of a network that is slow as a whole both kinds of transfers are. */
static bool is_network(uint32_t op_types)
{
    const uint32_t p2p = 1u << HC_FORWARD_SEND | 1u << HC_FORWARD_RECV | 1u << HC_BACKWARD_SEND |
                         1u << HC_BACKWARD_RECV;
    const uint32_t local =
        1u << HC_FORWARD_COMPUTE | 1u << HC_BACKWARD_COMPUTE | 1u << HC_GC | 1u << HC_OPTIMIZER;
    return op_types & p2p && op_types & ~(p2p | local) && !(op_types & local);
}

const char *hc_culprit_ops_text(const struct hc_culprit *culprit, char text[HC_OPS_TEXT])
{
    static const char *const ops[HC_N_SLOW_OPS] = {[HC_SLOW_FORWARD] = "forward passes",
                                                   [HC_SLOW_BACKWARD] = "backward passes",
                                                   [HC_SLOW_PASSES] = "passes",
                                                   [HC_SLOW_TRANSFERS] = "transfers",
                                                   [HC_SLOW_ALL] = "passes and transfers",
                                                   [HC_SLOW_LAUNCHES] = "launches",
                                                   [HC_SLOW_TYPES] = ""};
    int n_types = __builtin_popcount(culprit->op_types), n = 0;
    int n_named = n_types > MOST_NAMED ? 2 : n_types;
    int used = snprintf(text, HC_OPS_TEXT, "%s%s", ops[culprit->ops],
                        is_network(culprit->op_types) ? "transfers (the network): " : "");
    bool follows = culprit->ops != HC_SLOW_TYPES;
    for (int type = 0; type < HC_N_OP_TYPES && n < n_named; type++)
        if (culprit->op_types >> type & 1) {
            bool is_last = ++n == n_types && (n > 1 || follows);
            used += snprintf(text + used, (size_t)(HC_OPS_TEXT - used), "%s%s",
                             is_last            ? " and "
                             : n > 1 || follows ? ", "
                                                : "",
                             hc_op_type_name(type));
        }
    if (n_types > n_named)
        snprintf(text + used, (size_t)(HC_OPS_TEXT - used), " and %d more types",
                 n_types - n_named);
    return text;
}

const char *hc_slow_pattern_key(enum hc_slow_pattern pattern)
{
    static const char *const keys[HC_N_SLOW_PATTERNS] = {
        [HC_SLOW_ALWAYS] = "always",       [HC_SLOW_SINCE] = "since",
        [HC_SLOW_UNTIL] = "until",         [HC_SLOW_BETWEEN] = "between",
        [HC_SLOW_RECURRENT] = "recurrent", [HC_SLOW_SOME_PASSES] = "some_passes"};
    return keys[pattern];
}

const char *hc_straggler_cause_key(enum hc_straggler_cause cause)
{
    static const char *const keys[HC_N_STRAGGLER_CAUSES] = {[HC_STRAGGLER_NONE] = "none",
                                                            [HC_STRAGGLER_WORKER] = "worker",
                                                            [HC_STRAGGLER_STAGE] = "stage",
                                                            [HC_STRAGGLER_SEQUENCE] = "sequence",
                                                            [HC_STRAGGLER_GC] = "gc",
                                                            [HC_STRAGGLER_LINK] = "link",
                                                            [HC_STRAGGLER_COMMON] = "common",
                                                            [HC_STRAGGLER_LAUNCH] = "launch",
                                                            [HC_STRAGGLER_UNEXPLAINED] =
                                                                "unexplained"};
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
