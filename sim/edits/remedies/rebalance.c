/* Microbatches dealt out anew. What a pass takes is read as
 *     usual time of its worker * work of its microbatch * rest
 * and only the work moves: a slow worker stays as slow as it is, whatever it is given. The work of
 * a microbatch is the median, over all passes of it in a step and dp rank, of their time over the
 * median of their worker, direction and chunk. */
#include "sim/edits/applying.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/select.h"
#include "sim/edits/remedies/multiway_partition.h"

#include <stdlib.h>
#include <string.h>

#define LEAST_WORK 0.01 /* passes are divided by it */

/* The microbatches of a structure, and the work of each in a block. */
struct loads {
    size_t n;         /* microbatches */
    int32_t *slot_of; /* [n_ops] by position: of a pass its microbatch, from 0; else -1 */
    double *work;     /* [n][n_lanes] as measured */
    double *dealt;    /* [n][n_lanes] after */
    double *usual_ns; /* [classes.n] */
    double *ratios;   /* scratch [n_ops] */
    size_t *bin;
    double *cost;
};

static int compare_ids(const void *x, const void *y)
{
    int32_t a = *(const int32_t *)x, b = *(const int32_t *)y;
    return (a > b) - (a < b);
}

/* Number the microbatches of the passes of a structure. */
static enum hc_status number_microbatches(struct hc_applying *a, size_t i, struct loads *loads)
{
    const struct hc_step_structure *of = &a->lanes->base->lanes.structures[i];
    const int32_t *microbatch = a->lanes->base->microbatch[i];
    int32_t *ids = hc_new_array(of->order.n_ops, sizeof *ids, a->err);
    size_t n = 0;
    loads->n = 0;
    if (!ids)
        return a->err->status;
    for (size_t p = 0; p < of->order.n_ops; p++)
        if (hc_op_is_pass(of->op_type[p]) && microbatch[p] != HC_MISSING_I32)
            ids[n++] = microbatch[p];
    qsort(ids, n, sizeof *ids, compare_ids);
    for (size_t k = 0; k < n; k++)
        if (!k || ids[k] != ids[k - 1])
            ids[loads->n++] = ids[k];
    for (size_t p = 0; p < of->order.n_ops; p++) {
        bool is_pass = hc_op_is_pass(of->op_type[p]) && microbatch[p] != HC_MISSING_I32;
        const int32_t *at =
            is_pass ? bsearch(&microbatch[p], ids, loads->n, sizeof *ids, compare_ids) : NULL;
        loads->slot_of[p] = at ? (int32_t)(at - ids) : -1;
    }
    free(ids);
    return loads->n ? HC_OK
                    : hc_fail(a->err, HC_BAD_INPUT,
                              "rebalance: the trace does not say which microbatch a pass is of");
}

static void find_work(struct hc_applying *a, size_t i, size_t k, struct loads *loads)
{
    const struct hc_step_structure *of = &a->lanes->base->lanes.structures[i];
    size_t n_lanes = of->blocks[k].n_lanes;
    for (size_t slot = 0; slot < loads->n; slot++)
        for (size_t l = 0; l < n_lanes; l++) {
            size_t n = 0;
            for (size_t p = 0; p < of->order.n_ops; p++) {
                const struct hc_op_row row = {i, k, p};
                if (loads->slot_of[p] != (int32_t)slot)
                    continue;
                double usual = loads->usual_ns[hc_op_class(&a->classes, &row, l)];
                loads->ratios[n++] = usual > 0 ? hc_applying_durations(a, &row)[l] / usual : 1;
            }
            double work = n ? hc_median(loads->ratios, n) : 1;
            loads->work[slot * n_lanes + l] = work > LEAST_WORK ? work : LEAST_WORK;
        }
}

/* ---- dealing out ---- */

static void make_even(const struct hc_lane_block *block, struct loads *loads)
{
    for (size_t l = 0; l < block->n_lanes; l++) {
        double sum = 0;
        for (size_t slot = 0; slot < loads->n; slot++)
            sum += loads->work[slot * block->n_lanes + l];
        for (size_t slot = 0; slot < loads->n; slot++)
            loads->dealt[slot * block->n_lanes + l] = sum / (double)loads->n;
    }
}

struct placed {
    double work;
    size_t item; /* slot * dp_size + dp rank, where it was measured */
};

static int compare_longest(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    if (a->work != b->work)
        return a->work > b->work ? -1 : 1;
    return (a->item > b->item) - (a->item < b->item);
}

/* More microbatches than places: the two with least work become one, until they fit. */
static size_t join_smallest(struct placed *list, size_t n, size_t n_places)
{
    while (n > n_places) {
        qsort(list, n, sizeof *list, compare_longest);
        list[n - 2].work += list[n - 1].work;
        list[n - 2].item =
            list[n - 2].item < list[n - 1].item ? list[n - 2].item : list[n - 1].item;
        n--;
    }
    return n;
}

static int compare_measured(const void *x, const void *y)
{
    const struct placed *a = x, *b = y;
    return (a->item > b->item) - (a->item < b->item);
}

/* Put what a dp rank got into its places, in the order that is asked for; places that are left get
 * no work. */
static void place_rank(const struct hc_applying *a, struct loads *loads, size_t lane,
                       size_t n_lanes, struct placed *list, size_t n)
{
    bool is_measured = a->edit->rebalance.order == HC_ORDER_MEASURED;
    n = join_smallest(list, n, loads->n);
    qsort(list, n, sizeof *list, is_measured ? compare_measured : compare_longest);
    for (size_t slot = 0; slot < loads->n; slot++)
        loads->dealt[slot * n_lanes + lane] = slot < n ? list[slot].work : 0;
}

/* What the deal of a step did to the fullest dp rank. */
static void count_deal(struct hc_dealt *dealt, const struct loads *loads, size_t n, size_t dp_size)
{
    double sum = 0, before = 0, after = 0;
    for (size_t d = 0; d < dp_size; d++) {
        double was = 0, is = 0;
        for (size_t i = 0; i < n; i++) {
            was += i % dp_size == d ? loads->cost[i] : 0;
            is += loads->bin[i] == d ? loads->cost[i] : 0;
        }
        sum += was;
        before = was > before ? was : before;
        after = is > after ? is : after;
    }
    double mean = sum / (double)dp_size;
    dealt->n_steps++;
    dealt->before += before / mean;
    dealt->after += after / mean;
    dealt->bound += hc_partition_bound(loads->cost, n, dp_size) / mean;
}

static enum hc_status deal_step(struct hc_applying *a, const struct hc_lane_block *block,
                                size_t step, struct loads *loads)
{
    size_t dp_size = (size_t)a->lanes->base->lanes.dp_size, n = loads->n * dp_size;
    struct placed *list = hc_new_array(n, sizeof *list, a->err);
    bool are_equal = a->edit->rebalance.counts == HC_COUNTS_EQUAL;
    if (!list)
        return a->err->status;
    for (size_t i = 0; i < n; i++)
        loads->cost[i] = loads->work[i / dp_size * block->n_lanes + step * dp_size + i % dp_size];
    enum hc_status status =
        hc_multiway_partition(loads->cost, n, dp_size, are_equal, loads->bin, a->err);
    for (size_t d = 0; d < dp_size && !status; d++) {
        size_t n_its = 0;
        for (size_t i = 0; i < n; i++)
            if (loads->bin[i] == d)
                list[n_its++] = (struct placed){loads->cost[i], i};
        place_rank(a, loads, step * dp_size + d, block->n_lanes, list, n_its);
    }
    free(list);
    if (!status)
        count_deal(&a->lanes->dealt, loads, n, dp_size);
    return status;
}

/* ---- all steps ---- */

static enum hc_status move_work(struct hc_applying *a, size_t i, size_t k,
                                const struct loads *loads)
{
    const struct hc_step_structure *of = &a->lanes->base->lanes.structures[i];
    size_t n_lanes = of->blocks[k].n_lanes;
    for (size_t p = 0; p < of->order.n_ops; p++) {
        const struct hc_op_row row = {i, k, p};
        if (loads->slot_of[p] < 0)
            continue;
        enum hc_selected selected = hc_selection_row(a->selection, &row, a->mask);
        size_t at = (size_t)loads->slot_of[p] * n_lanes;
        for (size_t l = 0; l < n_lanes; l++) {
            double now_ns = hc_applying_durations(a, &row)[l];
            double then_ns = hc_whole_ns(now_ns * loads->dealt[at + l] / loads->work[at + l]);
            if (hc_applying_is_meant(a, selected, l) && hc_applying_put(a, &row, l, then_ns))
                return a->err->status;
        }
    }
    return HC_OK;
}

static enum hc_status new_loads(struct hc_applying *a, size_t i, struct loads *loads)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    size_t n_ops = lanes->structures[i].order.n_ops, widest = hc_replay_widest(a->lanes->base);
    loads->slot_of = hc_new_array(n_ops, sizeof *loads->slot_of, a->err);
    loads->ratios = hc_new_array(n_ops, sizeof *loads->ratios, a->err);
    if (!loads->slot_of || !loads->ratios || number_microbatches(a, i, loads))
        return a->err->status;
    size_t n_items = loads->n * (size_t)lanes->dp_size;
    loads->work = hc_new_array(loads->n * widest, sizeof(double), a->err);
    loads->dealt = hc_new_array(loads->n * widest, sizeof(double), a->err);
    loads->cost = hc_new_array(n_items, sizeof(double), a->err);
    loads->bin = hc_new_array(n_items, sizeof(size_t), a->err);
    return loads->work && loads->dealt && loads->cost && loads->bin ? HC_OK : a->err->status;
}

static void loads_fini(struct loads *loads)
{
    free(loads->slot_of);
    free(loads->ratios);
    free(loads->work);
    free(loads->dealt);
    free(loads->cost);
    free(loads->bin);
}

static enum hc_status rebalance_structure(struct hc_applying *a, size_t i, double *usual_ns)
{
    const struct hc_step_structure *of = &a->lanes->base->lanes.structures[i];
    struct loads loads = {.usual_ns = usual_ns};
    enum hc_status status = new_loads(a, i, &loads);
    for (size_t k = 0; k < of->n_blocks && !status; k++) {
        find_work(a, i, k, &loads);
        if (a->edit->rebalance.over == HC_OVER_MICROBATCHES)
            make_even(&of->blocks[k], &loads);
        for (size_t s = 0;
             a->edit->rebalance.over == HC_OVER_DP_RANKS && s < of->blocks[k].n_steps && !status;
             s++)
            status = deal_step(a, &of->blocks[k], s, &loads);
        if (!status)
            status = move_work(a, i, k, &loads);
    }
    loads_fini(&loads);
    return status;
}

enum hc_status hc_apply_rebalance(struct hc_applying *a)
{
    const struct hc_step_lanes *lanes = &a->lanes->base->lanes;
    if (hc_op_classes_make(&a->classes, a->lanes->base,
                           HC_CLASS_OP | HC_CLASS_WORKER | HC_CLASS_CHUNK, &a->lanes->rows, NULL,
                           a->err))
        return a->err->status;
    double *usual_ns = hc_new_array(a->classes.n, sizeof *usual_ns, a->err);
    enum hc_status status = usual_ns ? HC_OK : a->err->status;
    for (size_t c = 0; c < a->classes.n && !status; c++)
        usual_ns[c] = hc_op_class_n(&a->classes, c) ? hc_op_class_quantile(&a->classes, c, 0.5) : 0;
    for (size_t i = 0; i < lanes->n_structures && !status; i++)
        if (lanes->structures[i].n_blocks)
            status = rebalance_structure(a, i, usual_ns);
    free(usual_ns);
    return status;
}
