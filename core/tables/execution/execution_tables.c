#include "core/tables/execution/execution_tables.h"

/* Execution traces came with minor schema version 3. */
#define SINCE 3

static const struct hc_column_def nodes_columns[HC_ET_NODES_N_COLUMNS] = {
    [HC_ET_NODES_ID] = {"id", HC_I64, "", "number of the node", NULL},
    [HC_ET_NODES_PARENT] = {"parent", HC_I64, "", "node that called it", NULL},
    [HC_ET_NODES_NAME] = {"name", HC_I32, "", "name of the op", "et_name"},
    [HC_ET_NODES_TYPE] = {"type", HC_I32, "", "what it is", "et_type"},
    [HC_ET_NODES_THREAD] = {"thread", HC_I32, "", "number of its thread", NULL},
    [HC_ET_NODES_SEQUENCE] = {"sequence", HC_I64, "",
                              "number that an op of the forward and one of the backward pass share",
                              NULL},
    [HC_ET_NODES_START_NS] = {"start_ns", HC_I64, "ns", "start, of a clock of its own", NULL},
    [HC_ET_NODES_DURATION_NS] = {"duration_ns", HC_I64, "ns", "duration", NULL},
};

const struct hc_table_def hc_et_nodes_def = {"et_nodes", HC_ET_NODES_N_COLUMNS, nodes_columns,
                                             SINCE};

static const struct hc_column_def dependencies_columns[HC_ET_DEPENDENCIES_N_COLUMNS] = {
    [HC_ET_DEPENDENCIES_NODE] = {"node", HC_I64, "", "number of the node", NULL},
    [HC_ET_DEPENDENCIES_ON] = {"on", HC_I64, "", "node that it waits for", NULL},
    [HC_ET_DEPENDENCIES_IS_DATA] = {"is_data", HC_I32, "", "1: of data, 0: of control", NULL},
};

static const struct hc_table_def dependencies_def = {
    "et_dependencies", HC_ET_DEPENDENCIES_N_COLUMNS, dependencies_columns, SINCE};

static const struct hc_column_def comms_columns[HC_ET_COMMS_N_COLUMNS] = {
    [HC_ET_COMMS_NODE] = {"node", HC_I64, "", "number of the node", NULL},
    [HC_ET_COMMS_THREAD] = {"thread", HC_I32, "", "number of its thread", NULL},
    [HC_ET_COMMS_OP] = {"op", HC_I32, "", "operation", "collective"},
    [HC_ET_COMMS_GROUP] = {"group", HC_I32, "", "name of the process group", "group"},
    [HC_ET_COMMS_DESCRIPTION] = {"description", HC_I32, "", "description of the process group",
                                 "group_description"},
    [HC_ET_COMMS_GROUP_SIZE] = {"group_size", HC_I32, "", "ranks in the group", NULL},
    [HC_ET_COMMS_IN_ELEMENTS] = {"in_elements", HC_I64, "", "elements that go in", NULL},
    [HC_ET_COMMS_OUT_ELEMENTS] = {"out_elements", HC_I64, "", "elements that come out", NULL},
    [HC_ET_COMMS_DTYPE] = {"dtype", HC_I32, "", "type of the elements, as written", "dtype"},
    [HC_ET_COMMS_BYTES] = {"bytes", HC_I64, "", "bytes, where the trace says them", NULL},
    [HC_ET_COMMS_SOURCE_RANK] = {"source_rank", HC_I32, "", "rank that sends", NULL},
    [HC_ET_COMMS_DESTINATION_RANK] = {"destination_rank", HC_I32, "", "rank that receives", NULL},
};

const struct hc_table_def hc_et_comms_def = {"et_comms", HC_ET_COMMS_N_COLUMNS, comms_columns,
                                             SINCE};

static const struct hc_column_def executions_columns[HC_EXECUTIONS_N_COLUMNS] = {
    [HC_EXECUTIONS_RANK] = {"rank", HC_I32, "", "global rank", NULL},
    [HC_EXECUTIONS_RANK_ORIGIN] = {"rank_origin", HC_I32, "",
                                   "0 recorded, 1 from the name of the file, 2 the only file",
                                   NULL},
    [HC_EXECUTIONS_SCHEMA] = {"schema", HC_I32, "", "version of the trace", "et_schema"},
    [HC_EXECUTIONS_N_NODES] = {"n_nodes", HC_I64, "", "nodes", NULL},
    [HC_EXECUTIONS_N_COMMS] = {"n_comms", HC_I64, "", "nodes that communicate, or wait for it",
                               NULL},
    [HC_EXECUTIONS_N_DROPPED] = {"n_dropped", HC_I64, "", "nodes without a number", NULL},
    [HC_EXECUTIONS_N_REPEATED] = {"n_repeated", HC_I64, "", "nodes whose number was there before",
                                  NULL},
    [HC_EXECUTIONS_N_MISSING_PARENTS] = {"n_missing_parents", HC_I64, "",
                                         "nodes that hang on one that is not there", NULL},
    [HC_EXECUTIONS_N_IN_CYCLES] = {"n_in_cycles", HC_I64, "",
                                   "nodes that hang on themselves by others", NULL},
    [HC_EXECUTIONS_IS_CUT] = {"is_cut", HC_I32, "", "1: the tail is missing", NULL},
};

const struct hc_table_def hc_executions_def = {"executions", HC_EXECUTIONS_N_COLUMNS,
                                               executions_columns, SINCE};

const struct hc_table_def *const hc_execution_tables[HC_EXECUTION_N_TABLES + 1] = {
    [HC_EXECUTION_NODES] = &hc_et_nodes_def,
    [HC_EXECUTION_DEPENDENCIES] = &dependencies_def,
    [HC_EXECUTION_COMMS] = &hc_et_comms_def,
    [HC_EXECUTION_EXECUTIONS] = &hc_executions_def,
};
