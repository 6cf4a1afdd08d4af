/* scalar_code.h - an op order in a second form, for sweeps of one lane: runs of nodes of one shape,
 * with the slots they read and write as one stream of numbers. Private to this wing. */
#ifndef HC_SIM_REPLAY_SCALAR_CODE_H
#define HC_SIM_REPLAY_SCALAR_CODE_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_op_order;

/* A plain node: up to four slots read, one or two written. Each has the same two words, so that the
 * loop over them has no branch to mispredict; a node of one op writes its second end to a slot that
 * nobody reads. Slots are 16 bits each, the first in the lowest bits. */
struct hc_code_node {
    uint64_t read;  /* four slots */
    uint64_t write; /* two slots, and the number of ops */
};

/* A run of plain nodes, or one of nodes that are not plain and are read from the op order. */
struct hc_code_run {
    uint32_t first_node, n_nodes;
    uint32_t is_plain;
};

struct hc_scalar_code {
    size_t n_runs;
    struct hc_code_run *runs;
    struct hc_code_node *nodes; /* the plain ones */
};

/* Write the code of an op order whose nodes and slots are assigned. */
enum hc_status hc_scalar_code_write(struct hc_scalar_code *code, const struct hc_op_order *order,
                                    struct hc_error *err);
void hc_scalar_code_fini(struct hc_scalar_code *code);

/* Sweep one lane without delays or negative durations. duration: [n_ops] by position, ns; slots:
 * [n_slots + 1] scratch. *end: latest optimizer end; *span_end: latest end of any op. */
void hc_scalar_code_run(const struct hc_op_order *order, const double *duration, double *slots,
                        double *end, double *span_end);

#endif
