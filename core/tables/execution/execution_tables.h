/* execution_tables.h - the tables of an execution trace: the ops that a framework ran, or is to
 * run, what each hangs on, and what it communicates. PyTorch's execution traces and Chakra's.
 *
 * A set of these tables is of one rank. What a trace leaves open is HC_MISSING_I32 or
 * HC_MISSING_I64.
 */
#ifndef HC_CORE_TABLES_EXECUTION_EXECUTION_TABLES_H
#define HC_CORE_TABLES_EXECUTION_EXECUTION_TABLES_H

#include "core/tables/table.h"

/* The tables in the order of their kind; the first is the main one. */
enum hc_execution_table {
    HC_EXECUTION_NODES,
    HC_EXECUTION_DEPENDENCIES,
    HC_EXECUTION_COMMS,
    HC_EXECUTION_EXECUTIONS,
    HC_EXECUTION_N_TABLES
};

/* One row a node, in the order of the trace. */
enum hc_et_nodes_column {
    HC_ET_NODES_ID,
    HC_ET_NODES_PARENT, /* of a tree of calls; missing where there is none */
    HC_ET_NODES_NAME,   /* code of dictionary "et_name" */
    HC_ET_NODES_TYPE,   /* code of dictionary "et_type": "op", "comp", "comm_coll", ... */
    HC_ET_NODES_THREAD,
    HC_ET_NODES_SEQUENCE, /* by which forward and backward belong together */
    HC_ET_NODES_START_NS,
    HC_ET_NODES_DURATION_NS,
    HC_ET_NODES_N_COLUMNS
};

/* One row a dependency beside the parent. */
enum hc_et_dependencies_column {
    HC_ET_DEPENDENCIES_NODE,
    HC_ET_DEPENDENCIES_ON,
    HC_ET_DEPENDENCIES_IS_DATA, /* 1: of data, 0: of control */
    HC_ET_DEPENDENCIES_N_COLUMNS
};

/* One row a node that communicates, or waits for what does. */
enum hc_et_comms_column {
    HC_ET_COMMS_NODE,
    HC_ET_COMMS_THREAD,
    HC_ET_COMMS_OP,          /* code of dictionary "collective": canonical, "wait" too */
    HC_ET_COMMS_GROUP,       /* code of dictionary "group" */
    HC_ET_COMMS_DESCRIPTION, /* code of dictionary "group_description" */
    HC_ET_COMMS_GROUP_SIZE,
    HC_ET_COMMS_IN_ELEMENTS,
    HC_ET_COMMS_OUT_ELEMENTS,
    HC_ET_COMMS_DTYPE, /* code of dictionary "dtype": as written */
    HC_ET_COMMS_BYTES, /* where the trace says bytes */
    HC_ET_COMMS_SOURCE_RANK,
    HC_ET_COMMS_DESTINATION_RANK,
    HC_ET_COMMS_N_COLUMNS
};

/* One row: the trace as a whole. */
enum hc_executions_column {
    HC_EXECUTIONS_RANK,
    HC_EXECUTIONS_RANK_ORIGIN, /* enum hc_rank_origin (profile_tables.h) */
    HC_EXECUTIONS_SCHEMA,      /* code of dictionary "et_schema": "1.1.0-chakra.0.0.4" */
    HC_EXECUTIONS_N_NODES,
    HC_EXECUTIONS_N_COMMS,
    HC_EXECUTIONS_N_DROPPED,         /* nodes without an id, or that are none */
    HC_EXECUTIONS_N_REPEATED,        /* nodes whose number was there before */
    HC_EXECUTIONS_N_MISSING_PARENTS, /* nodes that hang on one that is not there */
    HC_EXECUTIONS_N_IN_CYCLES, /* nodes that hang on themselves by others, and those between */
    HC_EXECUTIONS_IS_CUT,      /* 1: the tail is missing */
    HC_EXECUTIONS_N_COLUMNS
};

extern const struct hc_table_def hc_et_nodes_def, hc_et_comms_def, hc_executions_def;

/* In the order of enum hc_execution_table, ending in NULL. */
extern const struct hc_table_def *const hc_execution_tables[HC_EXECUTION_N_TABLES + 1];

#endif
