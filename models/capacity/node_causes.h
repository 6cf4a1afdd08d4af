/* node_causes.h - why the GPUs of a node that no job holds cannot be used. */
#ifndef HC_MODELS_CAPACITY_NODE_CAUSES_H
#define HC_MODELS_CAPACITY_NODE_CAUSES_H

#include "core/tables/nodes/node_state.h"

/* In the order in which they are asked. */
enum hc_node_cause {
    HC_CAUSE_DOWN = 1 << 0,
    HC_CAUSE_DRAINED = 1 << 1,
    HC_CAUSE_MAINTENANCE = 1 << 2,
    HC_CAUSE_RESERVED = 1 << 3
};

/* All causes in a state, which may hold several; 0: the node can be used. A node that does not
 * respond is down, and so is one that is to come (future). One that is to be taken out of use
 * (fail) or registered with other resources than it should have is drained. A reboot is
 * maintenance. Nodes that are powered down to save power, or kept free for a job that is to start
 * (planned), can be used. */
unsigned hc_capacity_causes(struct hc_node_state state);

#endif
