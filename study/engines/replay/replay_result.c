#include "study/engines/replay/replay_result.h"

#include "sim/profiles/profile_whatif.h"

static const char *const path_parts[HC_REPLAY_N_PARTS] = {[HC_PATH_CPU] = "CPU",
                                                          [HC_PATH_WAKE] = "waking a thread",
                                                          [HC_PATH_LAUNCH] = "launch",
                                                          [HC_PATH_SYNC] = "synchronisation",
                                                          [HC_PATH_COMPUTE] = "compute",
                                                          [HC_PATH_MEMCPY] = "memcpy",
                                                          [HC_PATH_COMM] = "transfer",
                                                          [HC_PATH_STREAM] = "next on the stream",
                                                          [HC_PATH_EVENT] = "event",
                                                          [HC_PATH_UNEXPLAINED] =
                                                              "unexplained, and delays",
                                                          [HC_N_PATH_PARTS] = "start of the rank"};

const char *hc_replay_part_name(const struct hc_replay_findings *found, int part)
{
    return found->is_profile         ? path_parts[part]
           : part == HC_REPLAY_DELAY ? "launch delay"
           : part == HC_REPLAY_EXTRA ? "replacement"
                                     : hc_op_type_name(part);
}

static const char *const group_names[HC_REPLAY_N_GROUPS] = {
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

/* As study/engines/replay/profile_answer.c fills them. */
static const char *const path_groups[HC_REPLAY_N_GROUPS] = {
    [HC_GROUP_FORWARD] = "compute",
    [HC_GROUP_BACKWARD] = "CPU",
    [HC_GROUP_BETWEEN_STAGES] = "transfers",
    [HC_GROUP_ALL_GATHER] = "memcpy",
    [HC_GROUP_REDUCE_SCATTER] = "waking, synchronisation",
    [HC_GROUP_REDUCTIONS] = "launches",
    [HC_GROUP_OPTIMIZER] = "streams and events",
    [HC_GROUP_GC] = "start of the rank",
    [HC_GROUP_DELAY] = "unexplained, and delays",
    [HC_GROUP_EXTRA] = "nothing of these"};

const char *hc_replay_group_name(const struct hc_replay_findings *found, int group)
{
    return found->is_profile ? path_groups[group] : group_names[group];
}

const char *hc_replay_rank_name(int rank)
{
    static const char *const names[HC_N_STEP_RANKS] = {"shortest", "median", "P95", "longest"};
    return names[rank];
}
