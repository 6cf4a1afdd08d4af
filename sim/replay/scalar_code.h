/* scalar_code.h - a plan once more, written for sweeps of one lane: runs of nodes of one shape,
 * with the slots they read and write as one stream of numbers. */
#ifndef HC_SIM_REPLAY_SCALAR_CODE_H
#define HC_SIM_REPLAY_SCALAR_CODE_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

struct hc_op_order;

/* A plain node reads up to four slots and writes one or two, in two words whatever it is, so that
 * nothing in the loop over them depends on a branch. A node of one op writes its second end to a
 * slot that nobody reads. Numbers are 16 bits, the first in the lowest bits. */
struct hc_code_node {
    uint64_t read;  /* four slots */
    uint64_t write; /* two slots, and the number of ops */
};

/* A run of plain nodes, or of nodes that are read from the plan itself. */
struct hc_code_run {
    uint32_t first_node, n_nodes;
    uint32_t is_plain;
};

struct hc_scalar_code {
    size_t n_runs;
    struct hc_code_run *runs;
    struct hc_code_node *nodes; /* the plain ones */
};

/* Write the code of a plan whose nodes and slots are assigned. */
enum hc_status hc_scalar_code_write(struct hc_scalar_code *code, const struct hc_op_order *plan,
                                    struct hc_error *err);
void hc_scalar_code_fini(struct hc_scalar_code *code);

/* Sweep one lane without delays or negative durations. duration: [n_ops] by position, ns; slots:
 * [n_slots + 1] scratch. *end: latest optimizer end; *span_end: latest end of any op. */
void hc_scalar_code_run(const struct hc_op_order *plan, const double *duration, double *slots,
                        double *end, double *span_end);

#endif
