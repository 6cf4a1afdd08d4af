/* profile_tables.h - the tables of a profiler trace: what one process (a rank) recorded of its GPU,
 * of the calls that feed it and of the collectives that it took part in.
 *
 * A set of these tables is of one rank. Starts count in ns from the base of the trace (base_ns of
 * its row of `ranks`): a trace tells its base behind its events, as often as not, when their rows
 * are long on their way. Start plus base is Unix time on the clock of that rank; of old traces the
 * base is 0 and the start all of it. Either is within 2^62, so the sum always fits. What a trace
 * leaves open is HC_MISSING_I32 or HC_MISSING_I64.
 */
#ifndef HC_CORE_TABLES_PROFILE_TABLES_H
#define HC_CORE_TABLES_PROFILE_TABLES_H

#include "core/tables/table.h"

/* The tables in the order of their kind; the first is the main one. */
enum hc_profile_table {
    HC_PROFILE_GPU,
    HC_PROFILE_CALLS,
    HC_PROFILE_SYNCS,
    HC_PROFILE_MARKS,
    HC_PROFILE_ANNOTATIONS,
    HC_PROFILE_COMMS,
    HC_PROFILE_GROUPS,
    HC_PROFILE_RANKS,
    HC_PROFILE_N_TABLES
};

enum hc_gpu_class { HC_GPU_KERNEL, HC_GPU_MEMCPY, HC_GPU_MEMSET };
/* What a GPU event counts as in a breakdown; a memset computes. */
enum hc_gpu_activity { HC_GPU_COMPUTES, HC_GPU_COMMUNICATES, HC_GPU_COPIES };

/* One row an event of the GPU, in the order of the trace. */
enum hc_gpu_column {
    HC_GPU_START_NS,
    HC_GPU_DURATION_NS,
    HC_GPU_DEVICE,
    HC_GPU_STREAM,
    HC_GPU_CLASS,
    HC_GPU_ACTIVITY,
    HC_GPU_NAME,        /* code of dictionary "event" */
    HC_GPU_CORRELATION, /* with the call that launched it; missing where absent or 0 */
    HC_GPU_BYTES,       /* copied; missing where the trace does not say */
    HC_GPU_N_COLUMNS
};

/* One row a call of the runtime or driver. */
enum hc_calls_column {
    HC_CALLS_START_NS,
    HC_CALLS_DURATION_NS,
    HC_CALLS_THREAD, /* code of dictionary "thread": "<pid>/<tid>" */
    HC_CALLS_NAME,   /* code of dictionary "event" */
    HC_CALLS_CORRELATION,
    HC_CALLS_N_COLUMNS
};

/* One row a wait that the GPU's side recorded (cuda_sync). */
enum hc_syncs_column {
    HC_SYNCS_START_NS,
    HC_SYNCS_DURATION_NS,
    HC_SYNCS_KIND, /* code of dictionary "event": "Stream Wait Event", "Context Sync", ... */
    HC_SYNCS_STREAM,
    HC_SYNCS_AWAITED_STREAM,
    HC_SYNCS_RECORD_CORRELATION, /* of the call that recorded the awaited event */
    HC_SYNCS_CORRELATION,        /* of the call that waits */
    HC_SYNCS_N_COLUMNS
};

/* One row a cpu_op. Calls are marks too, and stand in their own table only. */
enum hc_marks_column {
    HC_MARKS_START_NS,
    HC_MARKS_DURATION_NS,
    HC_MARKS_THREAD,
    HC_MARKS_NAME, /* missing unless names were asked for */
    HC_MARKS_N_COLUMNS
};

/* One row an annotation that an analysis uses: ProfilerStep#N, nccl:*, Optimizer.*. */
enum hc_annotations_column {
    HC_ANNOTATIONS_START_NS,
    HC_ANNOTATIONS_DURATION_NS,
    HC_ANNOTATIONS_THREAD,
    HC_ANNOTATIONS_NAME, /* code of dictionary "event" */
    HC_ANNOTATIONS_N_COLUMNS
};

enum hc_comm_origin { HC_COMM_OF_KERNEL, HC_COMM_OF_RECORD };

/* One row an event that says what is communicated: a kernel with such arguments, or a
 * record_param_comms. A kernel of communication without arguments has no row. */
enum hc_comms_column {
    HC_COMMS_START_NS,
    HC_COMMS_DURATION_NS,
    HC_COMMS_ORIGIN,      /* enum hc_comm_origin */
    HC_COMMS_THREAD,      /* of a record; missing for a kernel */
    HC_COMMS_STREAM,      /* of a kernel; missing for a record */
    HC_COMMS_CORRELATION, /* of a kernel */
    HC_COMMS_OP,    /* code of dictionary "collective": canonical ("all_reduce"), "wait" too */
    HC_COMMS_GROUP, /* code of dictionary "group": process group name */
    HC_COMMS_DESCRIPTION, /* code of dictionary "group_description" */
    HC_COMMS_GROUP_SIZE,
    HC_COMMS_IN_ELEMENTS,
    HC_COMMS_OUT_ELEMENTS,
    HC_COMMS_DTYPE, /* code of dictionary "dtype": as written */
    HC_COMMS_RANK_START,
    HC_COMMS_RANK_STRIDE,
    HC_COMMS_SOURCE_RANK,
    HC_COMMS_DESTINATION_RANK,
    HC_COMMS_SEQ,
    HC_COMMS_IS_P2P, /* 0 or 1 */
    HC_COMMS_N_COLUMNS
};

/* One row a member of a process group (pg_config). */
enum hc_groups_column {
    HC_GROUPS_GROUP,
    HC_GROUPS_DESCRIPTION,
    HC_GROUPS_SIZE,
    HC_GROUPS_MEMBER, /* global rank; missing where a group lists none */
    HC_GROUPS_N_COLUMNS
};

enum hc_rank_origin { HC_RANK_RECORDED, HC_RANK_OF_NAME, HC_RANK_ALONE };

/* One row: the trace as a whole, what was counted in it and what was dropped. */
enum hc_ranks_column {
    HC_RANKS_RANK,
    HC_RANKS_RANK_ORIGIN, /* enum hc_rank_origin */
    HC_RANKS_WORLD_SIZE,  /* missing where the trace does not say */
    HC_RANKS_BASE_NS,     /* baseTimeNanoseconds, or 0: to be added to every start */
    HC_RANKS_N_EVENTS,    /* with ph X */
    HC_RANKS_N_CPU_OPS,
    HC_RANKS_N_CALLS,
    HC_RANKS_N_KERNELS,
    HC_RANKS_N_MEMCPYS,
    HC_RANKS_N_MEMSETS,
    HC_RANKS_N_ANNOTATIONS, /* user_annotation, all of them */
    HC_RANKS_N_SYNCS,
    HC_RANKS_N_PYTHON,
    HC_RANKS_N_OTHERS,
    HC_RANKS_N_NO_OBJECTS,  /* dropped: in the place of an event, but no object */
    HC_RANKS_N_NO_TIME,     /* dropped: no ts */
    HC_RANKS_N_NO_DURATION, /* dropped: no dur */
    HC_RANKS_N_NEGATIVE,    /* dropped: dur < 0 */
    HC_RANKS_N_OUT_OF_RANGE,
    HC_RANKS_N_DAMAGED,      /* stretches of text that are no JSON, read over */
    HC_RANKS_FIRST_START_NS, /* of all events that were read, annotations that are not kept too */
    HC_RANKS_LAST_END_NS,
    HC_RANKS_IS_CUT, /* 1: the tail is missing */
    HC_RANKS_N_COLUMNS
};

extern const struct hc_table_def hc_gpu_def, hc_comms_def, hc_groups_def, hc_ranks_def;

/* In the order of enum hc_profile_table, ending in NULL. */
extern const struct hc_table_def *const hc_profile_tables[HC_PROFILE_N_TABLES + 1];

#endif
