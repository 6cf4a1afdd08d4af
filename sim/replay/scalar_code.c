#include "sim/replay/scalar_code.h"

#include "core/base/memory.h"
#include "sim/replay/op_order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static inline double max2(double a, double b)
{
    return a > b ? a : b;
}

void hc_scalar_code_fini(struct hc_scalar_code *code)
{
    free(code->runs);
    free(code->nodes);
    memset(code, 0, sizeof *code);
}

/* A node takes the fast way unless an end of it goes into the results (an op that nothing waits
 * for, or an optimizer op), or it is the very last position: a plain node always reads two
 * durations. */
static bool is_plain(const struct hc_op_order *order, const struct hc_op_order_node *node)
{
    if (node->has_root || node->n_deps == 0 || node->n_deps > 4 || node->n_ops > 2)
        return false;
    for (uint32_t m = 0; m < node->n_ops; m++) {
        uint32_t position = node->first_position + m;
        if (order->slot[position] == HC_NO_SLOT || order->is_optimizer[position])
            return false;
    }
    return node->first_position + 1 < order->n_ops && order->n_slots < UINT16_MAX;
}

static struct hc_code_node code_of(const struct hc_op_order *order,
                                   const struct hc_op_order_node *node)
{
    const uint32_t *dep = order->dep_slot + node->first_dep;
    uint64_t second = node->n_ops == 2 ? order->slot[node->first_position + 1] : order->n_slots;
    struct hc_code_node code = {.read = 0};
    for (uint32_t k = 0; k < 4; k++)
        code.read |= (uint64_t)dep[k < node->n_deps ? k : 0] << (16 * k);
    code.write = order->slot[node->first_position] | second << 16 | (uint64_t)node->n_ops << 32;
    return code;
}

enum hc_status hc_scalar_code_write(struct hc_scalar_code *code, const struct hc_op_order *order,
                                    struct hc_error *err)
{
    memset(code, 0, sizeof *code);
    code->runs = hc_new_array(order->n_nodes, sizeof *code->runs, err);
    code->nodes = hc_new_array(order->n_nodes, sizeof *code->nodes, err);
    if (!code->runs || !code->nodes) {
        hc_scalar_code_fini(code);
        return err->status;
    }
    size_t n_plain = 0;
    for (uint32_t i = 0; i < order->n_nodes; i++) {
        bool plain = is_plain(order, &order->nodes[i]);
        if (!code->n_runs || code->runs[code->n_runs - 1].is_plain != plain)
            code->runs[code->n_runs++] = (struct hc_code_run){i, 0, plain};
        code->runs[code->n_runs - 1].n_nodes++;
        if (plain)
            code->nodes[n_plain++] = code_of(order, &order->nodes[i]);
    }
    return HC_OK;
}

struct scalar_run {
    const struct hc_op_order *order;
    const double *duration;
    double *slots;
    double end, span_end;
};

static void run_other(struct scalar_run *run, const struct hc_op_order_node *node)
{
    const struct hc_op_order *order = run->order;
    const uint32_t *dep = order->dep_slot + node->first_dep;
    double start = node->n_deps ? run->slots[dep[0]] : 0;
    for (uint32_t k = 1; k < node->n_deps; k++)
        start = max2(start, run->slots[dep[k]]);
    if (node->has_root)
        start = max2(start, 0);
    for (uint32_t m = 0; m < node->n_ops; m++) {
        uint32_t position = node->first_position + m;
        double end = start + run->duration[position];
        if (order->is_optimizer[position])
            run->end = max2(run->end, end);
        if (order->slot[position] == HC_NO_SLOT)
            run->span_end = max2(run->span_end, end);
        else
            run->slots[order->slot[position]] = end;
    }
}

/* Slot k of the four that one word holds: the loop is bound by loads, and packing makes one of
 * four. */
static inline size_t slot_of(uint64_t word, unsigned k)
{
    return (uint16_t)(word >> (16 * k));
}

/* The nodes of a run; returns where the next one begins. */
static const struct hc_code_node *run_plain(const struct hc_code_node *node, uint32_t n_nodes,
                                            const double *length, double *slots)
{
    for (const struct hc_code_node *end = node + n_nodes; node < end; node++) {
        uint64_t read = node->read, write = node->write;
        double start = max2(max2(slots[slot_of(read, 0)], slots[slot_of(read, 1)]),
                            max2(slots[slot_of(read, 2)], slots[slot_of(read, 3)]));
        slots[slot_of(write, 1)] = start + length[1];
        slots[slot_of(write, 0)] = start + length[0];
        length += slot_of(write, 2);
    }
    return node;
}

void hc_scalar_code_run(const struct hc_op_order *order, const double *duration, double *slots,
                        double *end, double *span_end)
{
    struct scalar_run run = {order, duration, slots, -INFINITY, -INFINITY};
    const struct hc_code_node *node = order->code.nodes;
    for (size_t r = 0; r < order->code.n_runs; r++) {
        const struct hc_code_run *code = &order->code.runs[r];
        const struct hc_op_order_node *first = &order->nodes[code->first_node];
        if (code->is_plain)
            node = run_plain(node, code->n_nodes, duration + first->first_position, slots);
        else
            for (uint32_t i = 0; i < code->n_nodes; i++)
                run_other(&run, first + i);
    }
    *end = run.end;
    *span_end = run.span_end;
}
