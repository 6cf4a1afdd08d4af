/* node_state_table.h - the table `node_states`: in what state which node was, and since or at when.
 *
 * A row is an interval of a history (until_ns is missing while it lasts), or what was seen at an
 * instant (`how`: snapshot; since_ns is the instant, and until_ns missing). A history holds where
 * both speak: a snapshot says what else was so, such as how many GPUs were in use, and what came
 * to be while no history was kept. A history knows exceptions (down, drained) only: a node without
 * an interval was up.
 *
 * Its key is the time, and a hash of node and `how`: the same event dumped while it lasts and
 * after its end is one row.
 */
#ifndef HC_CORE_TABLES_NODES_NODE_STATE_TABLE_H
#define HC_CORE_TABLES_NODES_NODE_STATE_TABLE_H

#include "core/tables/nodes/node_state.h"
#include "core/tables/nodes/time_basis.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

enum hc_node_knowledge { HC_NODE_HISTORY, HC_NODE_SNAPSHOT, HC_NODE_PLAN, HC_N_NODE_KNOWLEDGES };

enum hc_node_states_column {
    HC_NODE_STATES_SINCE_NS,
    HC_NODE_STATES_UNTIL_NS,
    HC_NODE_STATES_CLUSTER,
    HC_NODE_STATES_NODE,
    HC_NODE_STATES_STATE, /* enum hc_node_base */
    HC_NODE_STATES_FLAGS, /* bits of enum hc_node_flag */
    HC_NODE_STATES_REASON,
    HC_NODE_STATES_REASON_NS, /* when that reason was given */
    HC_NODE_STATES_USER,      /* who gave it */
    HC_NODE_STATES_GPUS,      /* that it has; 0 where its resources are said, and no GPU is there */
    HC_NODE_STATES_GPUS_USED, /* allocated */
    HC_NODE_STATES_GPU_TYPE,
    HC_NODE_STATES_CPUS,
    HC_NODE_STATES_PARTITIONS, /* "long,short" */
    HC_NODE_STATES_HOW,        /* enum hc_node_knowledge */
    HC_NODE_STATES_CLOCK,      /* enum hc_time_basis */
    HC_NODE_STATES_FACT,       /* hash of node and how */
    HC_NODE_STATES_SOURCE,
    HC_NODE_STATES_LINE,
    HC_NODE_STATES_N_COLUMNS
};

extern const struct hc_table_def hc_node_states_def;

/* The list of the one table, ending in NULL. */
extern const struct hc_table_def *const hc_node_state_tables[];

/* The sets of the table, those of fixed codes filled. */
enum hc_status hc_node_state_names_init(struct hc_table_names *names, struct hc_error *err);

/* The hash of a node and of how its state is known that is part of the key. */
int64_t hc_node_state_fact(enum hc_node_knowledge how, const char *node, size_t length);

/* Whether row a tells of a later moment than row b: an interval that ended over one that lasts, the
 * later end over the earlier; else whether its time is known better. */
bool hc_node_state_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b);

#endif
