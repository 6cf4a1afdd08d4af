/* synth_rules.h - what a step timeline must obey, worked out row by
 * row from the rules alone: nothing here knows how the generator or the replay do it.
 */
#ifndef HC_TESTS_UNIT_SYNTH_RULES_H
#define HC_TESTS_UNIT_SYNTH_RULES_H

#include "core/tables/op_table.h"
#include "core/tables/op_type.h"

#include <check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

struct rule_row {
    int32_t step, dp, stage, rank, type, seq, chunk, global_chunk, microbatch;
    int64_t start, end;
    int64_t ready;  /* latest end of what it waits for; -1: it waits for nothing */
    int64_t joined; /* latest start in its group; -1: it is in none */
    bool is_no_op;
};

/* Rows of one step, all dp ranks, in start order: (dp, stage, start, seq, type). */
struct rule_step {
    size_t n_rows;
    struct rule_row *rows;
    int32_t dp, pp, vpp;
    bool uses_dp;
};

/* One worker's ops of one type, or of all: a range of pointers in start order. */
struct rule_list {
    size_t n;
    struct rule_row **row;
};

#define RULE_EPS_NS 50000

static int rule_in_order(const void *left, const void *right)
{
    const struct rule_row *a = left, *b = right;
    const int64_t difference[] = {a->dp - b->dp, a->stage - b->stage, a->start - b->start,
                                  a->seq - b->seq, a->type - b->type};
    for (size_t i = 0; i < 5; i++)
        if (difference[i])
            return difference[i] < 0 ? -1 : 1;
    return 0;
}

static struct rule_list rule_select(const struct rule_step *step, int32_t dp, int32_t stage,
                                    uint32_t types)
{
    struct rule_list list = {.row = calloc(step->n_rows + 1, sizeof *list.row)};
    for (size_t i = 0; i < step->n_rows; i++) {
        struct rule_row *row = &step->rows[i];
        if (row->dp == dp && row->stage == stage && types >> row->type & 1)
            list.row[list.n++] = row;
    }
    return list;
}

static struct rule_row *rule_find(const struct rule_step *step, int32_t dp, int32_t stage, int type,
                                  int32_t seq)
{
    for (size_t i = 0; i < step->n_rows; i++) {
        struct rule_row *row = &step->rows[i];
        if (row->dp == dp && row->stage == stage && row->type == type && row->seq == seq)
            return row;
    }
    return NULL;
}

static void rule_edge(const struct rule_row *from, struct rule_row *to)
{
    ck_assert_ptr_nonnull(from);
    ck_assert_ptr_nonnull(to);
    to->ready = from->end > to->ready ? from->end : to->ready;
}

static void rule_chain(const struct rule_list *list)
{
    for (size_t i = 1; i < list->n; i++)
        rule_edge(list->row[i - 1], list->row[i]);
}

/* 3.2, 3.3 */
static void rule_p2p(const struct rule_step *step, int32_t dp, int32_t stage, int type)
{
    bool forward = type == HC_FORWARD_SEND || type == HC_FORWARD_RECV;
    bool recv = type == HC_FORWARD_RECV || type == HC_BACKWARD_RECV;
    int pass_type = forward ? HC_FORWARD_COMPUTE : HC_BACKWARD_COMPUTE;
    int delta = forward == recv ? -1 : 1;
    struct rule_list ops = rule_select(step, dp, stage, 1u << type);
    struct rule_list passes = rule_select(step, dp, stage, 1u << pass_type);
    int64_t last_start = INT64_MIN, first_end = INT64_MAX;
    for (size_t i = 0; i < passes.n; i++) {
        last_start = passes.row[i]->start > last_start ? passes.row[i]->start : last_start;
        first_end = passes.row[i]->end < first_end ? passes.row[i]->end : first_end;
    }
    size_t n_live = 0;
    for (size_t i = 0; i < ops.n; i++) {
        struct rule_row *op = ops.row[i];
        ck_assert(recv ? op->start <= last_start + RULE_EPS_NS
                       : op->end >= first_end - RULE_EPS_NS);
        struct rule_row *pass = rule_find(step, dp, stage, pass_type, (int32_t)n_live);
        ck_assert_ptr_nonnull(pass);
        int32_t peer = pass->global_chunk + delta;
        op->is_no_op = peer < 0 || peer >= step->vpp * step->pp;
        rule_edge(recv ? op : pass, recv ? pass : op);
        if (recv && n_live > 0)
            rule_edge(rule_find(step, dp, stage, pass_type, (int32_t)n_live - 1), op);
        n_live++;
    }
    bool at_end = stage == 0 || stage == step->pp - 1;
    ck_assert(n_live == passes.n || (n_live == 0 && at_end && step->vpp == 1));
    rule_chain(&ops);
    free(ops.row);
    free(passes.row);
}

/* 3.4 */
static void rule_first_backward(const struct rule_step *step, const struct rule_list *passes)
{
    size_t b = 0;
    while (passes->row[b]->type != HC_BACKWARD_COMPUTE)
        b++;
    if (b < 2)
        return;
    int32_t dp = passes->row[0]->dp, stage = passes->row[0]->stage;
    struct rule_row *recv = rule_find(step, dp, stage, HC_BACKWARD_RECV, 0);
    struct rule_row *send = rule_find(step, dp, stage, HC_BACKWARD_SEND, 0);
    ck_assert_int_eq(passes->row[b - 2]->type, HC_FORWARD_COMPUTE);
    if (recv)
        rule_edge(passes->row[b - 2], recv);
    if (send)
        rule_edge(passes->row[b - 2], send);
}

/* 3.5 to 3.7; returns whether gradients are reduced under the backward passes. */
static bool rule_dp_stream(const struct rule_step *step, int32_t dp, int32_t stage)
{
    bool overlaps = rule_find(step, 0, 0, HC_SEPARATE_GRADS_ALL_REDUCE, 0) != NULL;
    struct rule_list stream =
        rule_select(step, dp, stage, 1u << HC_PARAMS_ALL_GATHER | 1u << HC_GRADS_REDUCE_SCATTER);
    struct rule_list passes =
        rule_select(step, dp, stage, 1u << HC_FORWARD_COMPUTE | 1u << HC_BACKWARD_COMPUTE);
    ck_assert_uint_eq(stream.n, step->uses_dp ? 2 * (size_t)step->vpp : 0);
    rule_chain(&stream);
    for (size_t i = 0; i < stream.n; i++) {
        struct rule_row *op = stream.row[i], *first = NULL, *last = NULL;
        for (size_t j = 0; j < passes.n; j++) {
            struct rule_row *pass = passes.row[j];
            if (pass->chunk != op->chunk)
                continue;
            if (pass->type == HC_FORWARD_COMPUTE && (!first || pass->start < first->start))
                first = pass;
            if (pass->type == HC_BACKWARD_COMPUTE && (!last || pass->end > last->end))
                last = pass;
        }
        if (op->type == HC_PARAMS_ALL_GATHER)
            rule_edge(op, first);
        else if (overlaps)
            rule_edge(last, op);
    }
    free(stream.row);
    free(passes.row);
    return overlaps;
}

/* 3.8 */
static void rule_end(const struct rule_step *step, const struct rule_list *passes, bool overlaps)
{
    int32_t dp = passes->row[0]->dp, stage = passes->row[0]->stage;
    const struct rule_row *last = passes->row[0];
    for (size_t i = 0; i < passes->n; i++)
        last = passes->row[i]->end > last->end ? passes->row[i] : last;
    struct rule_row *gc = rule_find(step, dp, stage, HC_GC, 0);
    struct rule_row *at = rule_find(step, dp, stage, HC_LAYERNORM_GRADS_ALL_REDUCE, 0);
    rule_edge(last, gc);
    rule_edge(gc, at);
    if (overlaps)
        rule_edge(rule_find(step, dp, stage, HC_GRADS_REDUCE_SCATTER, step->vpp - 1), at);
    struct rule_row *chain[64];
    size_t n = 0;
    if (stage == 0 || stage == step->pp - 1)
        chain[n++] = rule_find(step, dp, stage, HC_EMBEDDING_GRADS_ALL_REDUCE, 0);
    if (overlaps)
        chain[n++] = rule_find(step, dp, stage, HC_SEPARATE_GRADS_ALL_REDUCE, 0);
    for (int32_t i = 0; step->uses_dp && !overlaps && i < step->vpp; i++)
        chain[n++] = rule_find(step, dp, stage, HC_GRADS_REDUCE_SCATTER, i);
    chain[n++] = rule_find(step, dp, stage, HC_OPTIMIZER_CLIP_MAIN_GRAD, 0);
    chain[n++] = rule_find(step, dp, stage, HC_OPTIMIZER, 0);
    for (size_t i = 0; i < n; i++) {
        rule_edge(at, chain[i]);
        at = chain[i];
    }
}

/* 4: the members of a group all know the latest start among them. */
static void rule_join(struct rule_row **members, size_t n)
{
    int64_t joined = INT64_MIN;
    for (size_t i = 0; i < n; i++)
        joined = members[i]->start > joined ? members[i]->start : joined;
    for (size_t i = 0; i < n; i++)
        members[i]->joined = joined;
}

static void rule_pairs(const struct rule_step *step, int32_t dp, int32_t stage, int type, int other,
                       int delta)
{
    int32_t peer = (stage + delta + step->pp) % step->pp;
    struct rule_list sends = rule_select(step, dp, stage, 1u << type);
    struct rule_list recvs = rule_select(step, dp, peer, 1u << other);
    size_t k = 0;
    for (size_t i = 0; i < sends.n; i++) {
        if (sends.row[i]->is_no_op)
            continue;
        while (k < recvs.n && recvs.row[k]->is_no_op)
            k++;
        ck_assert_uint_lt(k, recvs.n);
        rule_join((struct rule_row *[]){sends.row[i], recvs.row[k++]}, 2);
    }
    while (k < recvs.n && recvs.row[k]->is_no_op)
        k++;
    ck_assert_uint_eq(k, recvs.n);
    free(sends.row);
    free(recvs.row);
}

static void rule_groups(const struct rule_step *step)
{
    struct rule_row **all = calloc(step->n_rows + 1, sizeof *all);
    for (int32_t stage = 0; stage < step->pp; stage++)
        for (int32_t dp = 0; dp < step->dp; dp++) {
            rule_pairs(step, dp, stage, HC_FORWARD_SEND, HC_FORWARD_RECV, 1);
            rule_pairs(step, dp, stage, HC_BACKWARD_SEND, HC_BACKWARD_RECV, -1);
        }
    for (int32_t dp = 0; dp < step->dp; dp++)
        rule_join((struct rule_row *[]){rule_find(step, dp, 0, HC_EMBEDDING_GRADS_ALL_REDUCE, 0),
                                        rule_find(step, dp, step->pp - 1,
                                                  HC_EMBEDDING_GRADS_ALL_REDUCE, 0)},
                  2);
    static const int synced[] = {HC_PARAMS_ALL_GATHER, HC_GRADS_REDUCE_SCATTER,
                                 HC_SEPARATE_GRADS_ALL_REDUCE, HC_OPTIMIZER_CLIP_MAIN_GRAD};
    for (size_t t = 0; t < 4; t++)
        for (int32_t stage = 0; stage < step->pp; stage++)
            for (int32_t seq = 0; seq < step->vpp; seq++) {
                size_t n = 0;
                for (size_t i = 0; i < step->n_rows; i++) {
                    struct rule_row *row = &step->rows[i];
                    bool here = row->stage == stage || row->type == HC_OPTIMIZER_CLIP_MAIN_GRAD;
                    if (row->type == synced[t] && row->seq == seq && here)
                        all[n++] = row;
                }
                rule_join(all, n);
            }
    for (size_t i = 0; i < step->n_rows; i++)
        if (step->rows[i].is_no_op)
            step->rows[i].joined = step->rows[i].start;
    free(all);
}

/* Work out ready and joined of each row; fails the test where a rule cannot be applied. */
static void rule_apply(struct rule_step *step)
{
    qsort(step->rows, step->n_rows, sizeof *step->rows, rule_in_order);
    for (size_t i = 0; i < step->n_rows; i++)
        step->rows[i].ready = step->rows[i].joined = -1;
    for (int32_t dp = 0; dp < step->dp; dp++)
        for (int32_t stage = 0; stage < step->pp; stage++) {
            struct rule_list passes =
                rule_select(step, dp, stage, 1u << HC_FORWARD_COMPUTE | 1u << HC_BACKWARD_COMPUTE);
            rule_chain(&passes);
            rule_p2p(step, dp, stage, HC_FORWARD_SEND);
            rule_p2p(step, dp, stage, HC_FORWARD_RECV);
            rule_p2p(step, dp, stage, HC_BACKWARD_SEND);
            rule_p2p(step, dp, stage, HC_BACKWARD_RECV);
            rule_first_backward(step, &passes);
            rule_end(step, &passes, rule_dp_stream(step, dp, stage));
            free(passes.row);
        }
    rule_groups(step);
}

#endif
