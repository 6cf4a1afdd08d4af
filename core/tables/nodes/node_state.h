/* node_state.h - the state of a node: a base state with flags, as Slurm's commands write them.
 * Names of base states are stable: the archive keeps them, not the numbers. The bits of flags are
 * stable too. */
#ifndef HC_CORE_TABLES_NODES_NODE_STATE_H
#define HC_CORE_TABLES_NODES_NODE_STATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum hc_node_base {
    HC_NODE_UNKNOWN, /* or not said: an event "DRAIN" does not tell what ran there */
    HC_NODE_IDLE,
    HC_NODE_ALLOCATED,
    HC_NODE_MIXED,
    HC_NODE_DOWN,
    HC_NODE_ERROR,
    HC_NODE_FUTURE,
    HC_N_NODE_BASES
};

/* What holds beside the base state. */
enum hc_node_flag {
    HC_NODE_DRAIN = 1 << 0,
    HC_NODE_FAIL = 1 << 1,
    HC_NODE_MAINT = 1 << 2,
    HC_NODE_RESERVED = 1 << 3,
    HC_NODE_PLANNED = 1 << 4, /* kept free for a job that is to start */
    HC_NODE_NOT_RESPONDING = 1 << 5,
    HC_NODE_COMPLETING = 1 << 6,
    HC_NODE_POWERED_DOWN = 1 << 7,
    HC_NODE_POWERING_DOWN = 1 << 8,
    HC_NODE_POWERING_UP = 1 << 9,
    HC_NODE_REBOOT = 1 << 10,  /* asked for or under way */
    HC_NODE_INVALID = 1 << 11, /* registered with other resources than it is to have */
    HC_NODE_CLOUD = 1 << 12,
    HC_NODE_BLOCKED = 1 << 13,
    HC_NODE_OTHER = 1 << 14 /* a word that is none of these */
};

struct hc_node_state {
    enum hc_node_base base;
    int32_t flags; /* of enum hc_node_flag */
};

/* Of codes of base states: "allocated". */
extern const char *const hc_node_base_names[HC_N_NODE_BASES];

/* Join a word to a state, which begins as {HC_NODE_UNKNOWN, 0}: "IDLE", "MIXED*", "drained",
 * "idle~", "DOWN+NOT_RESPONDING", "alloc", in any case. A word that ends in '+' was cut to its
 * column. Returns false where some of it is not known; HC_NODE_OTHER is set then. */
bool hc_node_state_add(struct hc_node_state *state, const char *text, size_t length);

#endif
