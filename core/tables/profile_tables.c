#include "core/tables/profile_tables.h"

/* Profiles came with minor schema version 3. */
#define SINCE 3

static const struct hc_column_def gpu_columns[HC_GPU_N_COLUMNS] = {
    [HC_GPU_START_NS] = {"start_ns", HC_I64, "ns", "start, from the base of its rank", NULL},
    [HC_GPU_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
    [HC_GPU_DEVICE] = {"device", HC_I32, "", "index of the GPU", NULL},
    [HC_GPU_STREAM] = {"stream", HC_I32, "", "stream of the GPU", NULL},
    [HC_GPU_CLASS] = {"class", HC_I32, "", "0 kernel, 1 copy, 2 set", NULL},
    [HC_GPU_ACTIVITY] = {"activity", HC_I32, "", "0 computes, 1 communicates, 2 copies", NULL},
    [HC_GPU_NAME] = {"name", HC_I32, "", "name of the kernel", "event"},
    [HC_GPU_CORRELATION] = {"correlation", HC_I64, "", "of the call that launched it", NULL},
    [HC_GPU_BYTES] = {"bytes", HC_I64, "B", "copied", NULL},
};

const struct hc_table_def hc_gpu_def = {"gpu", HC_GPU_N_COLUMNS, gpu_columns, SINCE};

static const struct hc_column_def calls_columns[HC_CALLS_N_COLUMNS] = {
    [HC_CALLS_START_NS] = {"start_ns", HC_I64, "ns", "start, from the base of its rank", NULL},
    [HC_CALLS_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
    [HC_CALLS_THREAD] = {"thread", HC_I32, "", "process and thread", "thread"},
    [HC_CALLS_NAME] = {"name", HC_I32, "", "function of the runtime or driver", "event"},
    [HC_CALLS_CORRELATION] = {"correlation", HC_I64, "", "with what it launched", NULL},
};

static const struct hc_table_def calls_def = {"calls", HC_CALLS_N_COLUMNS, calls_columns, SINCE};

static const struct hc_column_def syncs_columns[HC_SYNCS_N_COLUMNS] = {
    [HC_SYNCS_START_NS] = {"start_ns", HC_I64, "ns", "start, from the base of its rank", NULL},
    [HC_SYNCS_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
    [HC_SYNCS_KIND] = {"kind", HC_I32, "", "what waits for what", "event"},
    [HC_SYNCS_STREAM] = {"stream", HC_I32, "", "stream that waits", NULL},
    [HC_SYNCS_AWAITED_STREAM] = {"awaited_stream", HC_I32, "", "stream that is waited for", NULL},
    [HC_SYNCS_RECORD_CORRELATION] = {"record_correlation", HC_I64, "",
                                     "of the call that recorded the awaited event", NULL},
    [HC_SYNCS_CORRELATION] = {"correlation", HC_I64, "", "of the call that waits", NULL},
};

static const struct hc_table_def syncs_def = {"syncs", HC_SYNCS_N_COLUMNS, syncs_columns, SINCE};

static const struct hc_column_def marks_columns[HC_MARKS_N_COLUMNS] = {
    [HC_MARKS_START_NS] = {"start_ns", HC_I64, "ns", "start, from the base of its rank", NULL},
    [HC_MARKS_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
    [HC_MARKS_THREAD] = {"thread", HC_I32, "", "process and thread", "thread"},
    [HC_MARKS_NAME] = {"name", HC_I32, "", "name of the op, where names are kept", "event"},
};

static const struct hc_table_def marks_def = {"marks", HC_MARKS_N_COLUMNS, marks_columns, SINCE};

static const struct hc_column_def annotations_columns[HC_ANNOTATIONS_N_COLUMNS] = {
    [HC_ANNOTATIONS_START_NS] = {"start_ns", HC_I64, "ns", "start, from the base of its rank",
                                 NULL},
    [HC_ANNOTATIONS_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
    [HC_ANNOTATIONS_THREAD] = {"thread", HC_I32, "", "process and thread", "thread"},
    [HC_ANNOTATIONS_NAME] = {"name", HC_I32, "", "text of the annotation", "event"},
};

static const struct hc_table_def annotations_def = {"annotations", HC_ANNOTATIONS_N_COLUMNS,
                                                    annotations_columns, SINCE};

static const struct hc_column_def comms_columns[HC_COMMS_N_COLUMNS] = {
    [HC_COMMS_START_NS] = {"start_ns", HC_I64, "ns", "start, from the base of its rank", NULL},
    [HC_COMMS_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
    [HC_COMMS_ORIGIN] = {"origin", HC_I32, "", "0 said by a kernel, 1 by a record_param_comms",
                         NULL},
    [HC_COMMS_THREAD] = {"thread", HC_I32, "", "process and thread of a record", "thread"},
    [HC_COMMS_STREAM] = {"stream", HC_I32, "", "stream of a kernel", NULL},
    [HC_COMMS_CORRELATION] = {"correlation", HC_I64, "", "of a kernel", NULL},
    [HC_COMMS_OP] = {"op", HC_I32, "", "operation, canonical", "collective"},
    [HC_COMMS_GROUP] = {"group", HC_I32, "", "name of the process group", "group"},
    [HC_COMMS_DESCRIPTION] = {"description", HC_I32, "", "description of the process group",
                              "group_description"},
    [HC_COMMS_GROUP_SIZE] = {"group_size", HC_I32, "", "ranks of the group", NULL},
    [HC_COMMS_IN_ELEMENTS] = {"in_elements", HC_I64, "", "elements that go in", NULL},
    [HC_COMMS_OUT_ELEMENTS] = {"out_elements", HC_I64, "", "elements that come out", NULL},
    [HC_COMMS_DTYPE] = {"dtype", HC_I32, "", "type of the elements", "dtype"},
    [HC_COMMS_RANK_START] = {"rank_start", HC_I32, "", "first rank of the group", NULL},
    [HC_COMMS_RANK_STRIDE] = {"rank_stride", HC_I32, "", "between the ranks of the group", NULL},
    [HC_COMMS_SOURCE_RANK] = {"source_rank", HC_I32, "", "rank that sends", NULL},
    [HC_COMMS_DESTINATION_RANK] = {"destination_rank", HC_I32, "", "rank that receives", NULL},
    [HC_COMMS_SEQ] = {"seq", HC_I64, "", "sequence number in the group", NULL},
    [HC_COMMS_IS_P2P] = {"is_p2p", HC_I32, "", "1: between two ranks", NULL},
};

const struct hc_table_def hc_comms_def = {"comms", HC_COMMS_N_COLUMNS, comms_columns, SINCE};

static const struct hc_column_def groups_columns[HC_GROUPS_N_COLUMNS] = {
    [HC_GROUPS_GROUP] = {"group", HC_I32, "", "name of the process group", "group"},
    [HC_GROUPS_DESCRIPTION] = {"description", HC_I32, "", "its description", "group_description"},
    [HC_GROUPS_SIZE] = {"size", HC_I32, "", "its ranks", NULL},
    [HC_GROUPS_MEMBER] = {"member", HC_I32, "", "global rank of a member", NULL},
};

const struct hc_table_def hc_groups_def = {"groups", HC_GROUPS_N_COLUMNS, groups_columns, SINCE};

static const struct hc_column_def ranks_columns[HC_RANKS_N_COLUMNS] = {
    [HC_RANKS_RANK] = {"rank", HC_I32, "", "global rank", NULL},
    [HC_RANKS_RANK_ORIGIN] = {"rank_origin", HC_I32, "",
                              "0 recorded, 1 from the name of the file, 2 the only file", NULL},
    [HC_RANKS_WORLD_SIZE] = {"world_size", HC_I32, "", "ranks of the job", NULL},
    [HC_RANKS_BASE_NS] = {"base_ns", HC_I64, "ns", "Unix time that starts of the rank count from",
                          NULL},
    [HC_RANKS_N_EVENTS] = {"n_events", HC_I64, "", "events of any class", NULL},
    [HC_RANKS_N_CPU_OPS] = {"n_cpu_ops", HC_I64, "", "ops of the framework", NULL},
    [HC_RANKS_N_CALLS] = {"n_calls", HC_I64, "", "calls of the runtime and driver", NULL},
    [HC_RANKS_N_KERNELS] = {"n_kernels", HC_I64, "", "kernels", NULL},
    [HC_RANKS_N_MEMCPYS] = {"n_memcpys", HC_I64, "", "copies", NULL},
    [HC_RANKS_N_MEMSETS] = {"n_memsets", HC_I64, "", "sets", NULL},
    [HC_RANKS_N_ANNOTATIONS] = {"n_annotations", HC_I64, "", "annotations", NULL},
    [HC_RANKS_N_SYNCS] = {"n_syncs", HC_I64, "", "waits that the GPU recorded", NULL},
    [HC_RANKS_N_PYTHON] = {"n_python", HC_I64, "", "calls of Python functions, not kept", NULL},
    [HC_RANKS_N_OTHERS] = {"n_others", HC_I64, "", "events of other classes, not kept", NULL},
    [HC_RANKS_N_NO_OBJECTS] = {"n_no_objects", HC_I64, "", "dropped: no object", NULL},
    [HC_RANKS_N_NO_TIME] = {"n_no_time", HC_I64, "", "dropped: no time", NULL},
    [HC_RANKS_N_NO_DURATION] = {"n_no_duration", HC_I64, "", "dropped: no duration", NULL},
    [HC_RANKS_N_NEGATIVE] = {"n_negative", HC_I64, "", "dropped: negative duration", NULL},
    [HC_RANKS_N_OUT_OF_RANGE] = {"n_out_of_range", HC_I64, "", "dropped: time out of range", NULL},
    [HC_RANKS_N_DAMAGED] = {"n_damaged", HC_I64, "", "stretches that are no JSON, read over", NULL},
    [HC_RANKS_FIRST_START_NS] = {"first_start_ns", HC_I64, "ns",
                                 "of all events that were read, those without a row too", NULL},
    [HC_RANKS_LAST_END_NS] = {"last_end_ns", HC_I64, "ns", "of them", NULL},
    [HC_RANKS_IS_CUT] = {"is_cut", HC_I32, "", "1: the tail is missing", NULL},
};

const struct hc_table_def hc_ranks_def = {"ranks", HC_RANKS_N_COLUMNS, ranks_columns, SINCE};

const struct hc_table_def *const hc_profile_tables[HC_PROFILE_N_TABLES + 1] = {
    [HC_PROFILE_GPU] = &hc_gpu_def,
    [HC_PROFILE_CALLS] = &calls_def,
    [HC_PROFILE_SYNCS] = &syncs_def,
    [HC_PROFILE_MARKS] = &marks_def,
    [HC_PROFILE_ANNOTATIONS] = &annotations_def,
    [HC_PROFILE_COMMS] = &hc_comms_def,
    [HC_PROFILE_GROUPS] = &hc_groups_def,
    [HC_PROFILE_RANKS] = &hc_ranks_def,
};
