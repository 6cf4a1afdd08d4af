#include "study/engines/replay/replay_result.h"

const char *hc_replay_part_name(int part)
{
    return part == HC_REPLAY_DELAY   ? "launch delay"
           : part == HC_REPLAY_EXTRA ? "replacement"
                                     : hc_op_type_name(part);
}

const char *hc_replay_group_name(int group)
{
    static const char *const names[HC_REPLAY_N_GROUPS] = {
        [HC_GROUP_FORWARD] = "forward passes",
        [HC_GROUP_BACKWARD] = "backward passes",
        [HC_GROUP_BETWEEN_STAGES] = "sends and receives",
        [HC_GROUP_ALL_GATHER] = "params-all-gather",
        [HC_GROUP_REDUCE_SCATTER] = "grads-reduce-scatter",
        [HC_GROUP_REDUCTIONS] = "other reductions",
        [HC_GROUP_OPTIMIZER] = "optimizer and clip",
        [HC_GROUP_GC] = "gc",
        [HC_GROUP_DELAY] = "launch delays",
        [HC_GROUP_EXTRA] = "replacements"};
    return names[group];
}

const char *hc_replay_rank_name(int rank)
{
    static const char *const names[HC_N_STEP_RANKS] = {"shortest", "median", "P95", "longest"};
    return names[rank];
}
