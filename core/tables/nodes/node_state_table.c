#include "core/tables/nodes/node_state_table.h"

#include "core/tables/nodes/record_rows.h"

static const struct hc_column_def columns[HC_NODE_STATES_N_COLUMNS] = {
    [HC_NODE_STATES_SINCE_NS] = {"since_ns", HC_I64, "ns", "since when, or at when, it was so",
                                 NULL},
    [HC_NODE_STATES_UNTIL_NS] = {"until_ns", HC_I64, "ns", "until when it was so", NULL},
    [HC_NODE_STATES_CLUSTER] = {"cluster", HC_I32, "", "cluster", "cluster"},
    [HC_NODE_STATES_NODE] = {"node", HC_I32, "", "node", "node_name"},
    [HC_NODE_STATES_STATE] = {"state", HC_I32, "", "base state", "node_state"},
    [HC_NODE_STATES_FLAGS] = {"flags", HC_I32, "", "bits of what holds beside it", NULL},
    [HC_NODE_STATES_REASON] = {"reason", HC_I32, "", "why", "node_reason"},
    [HC_NODE_STATES_REASON_NS] = {"reason_ns", HC_I64, "ns", "when that was said", NULL},
    [HC_NODE_STATES_USER] = {"user", HC_I32, "", "who said why", "user"},
    [HC_NODE_STATES_GPUS] = {"gpus", HC_I32, "", "GPUs of the node", NULL},
    [HC_NODE_STATES_GPUS_USED] = {"gpus_used", HC_I32, "", "GPUs that jobs held", NULL},
    [HC_NODE_STATES_GPU_TYPE] = {"gpu_type", HC_I32, "", "type of its GPUs", "gpu_type"},
    [HC_NODE_STATES_CPUS] = {"cpus", HC_I32, "", "CPUs of the node", NULL},
    [HC_NODE_STATES_PARTITIONS] = {"partitions", HC_I32, "", "its partitions", "partitions"},
    [HC_NODE_STATES_HOW] = {"how", HC_I32, "", "of a history, seen at an instant, or planned",
                            "how_known"},
    [HC_NODE_STATES_CLOCK] = {"clock", HC_I32, "", "how the time is known", "time_basis"},
    [HC_NODE_STATES_FACT] = {"fact", HC_I64, "", "hash of node and how", NULL},
    [HC_NODE_STATES_SOURCE] = {"source", HC_I32, "", "file that says so", "source"},
    [HC_NODE_STATES_LINE] = {"line", HC_I64, "", "line of that file", NULL},
};

const struct hc_table_def hc_node_states_def = {"node_states", HC_NODE_STATES_N_COLUMNS, columns,
                                                1};

const struct hc_table_def *const hc_node_state_tables[] = {&hc_node_states_def, NULL};

enum hc_status hc_node_state_names_init(struct hc_table_names *names, struct hc_error *err)
{
    static const char *const bases[HC_N_TIME_BASES] = HC_TIME_BASIS_NAMES;
    static const char *const how[HC_N_NODE_KNOWLEDGES] = {"history", "snapshot", "plan"};
    if (hc_table_names_init(names, hc_node_state_tables, err))
        return err->status;
    if (hc_record_fixed_names(names, "node_state", hc_node_base_names, HC_N_NODE_BASES, err) ||
        hc_record_fixed_names(names, "time_basis", bases, HC_N_TIME_BASES, err) ||
        hc_record_fixed_names(names, "how_known", how, HC_N_NODE_KNOWLEDGES, err))
        hc_table_names_fini(names);
    return err->status;
}

int64_t hc_node_state_fact(enum hc_node_knowledge how, const char *node, size_t length)
{
    return hc_record_fact((int64_t)how, node, length);
}

bool hc_node_state_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b)
{
    int64_t until_a = hc_table_i64(a, HC_NODE_STATES_UNTIL_NS)[row_a];
    int64_t until_b = hc_table_i64(b, HC_NODE_STATES_UNTIL_NS)[row_b];
    if (until_a != until_b)
        return until_a > until_b; /* a missing one is the least of all numbers */
    return hc_table_i32(a, HC_NODE_STATES_CLOCK)[row_a] <
           hc_table_i32(b, HC_NODE_STATES_CLOCK)[row_b];
}
