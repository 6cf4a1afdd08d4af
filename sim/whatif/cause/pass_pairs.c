/* pass_pairs.c - the forward and backward pass of a microbatch, and how they go together within a
 * stage (paper section 5.3). */
#include "sim/whatif/cause/cause_search.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int32_t chunk_of(const struct hc_graph_op *op)
{
    return op->model_chunk == HC_MISSING_I32 ? 0 : op->model_chunk;
}

static enum hc_pass pass_of(const struct hc_graph_op *op)
{
    return op->op_type == HC_FORWARD_COMPUTE ? HC_FORWARD_PASS : HC_BACKWARD_PASS;
}

/* A pass of a structure, before it has a place in the layout. */
struct pass {
    int32_t stage, chunk, microbatch, seq_id;
    enum hc_pass pass;
    uint32_t position;
};

static int compare_numbers(int32_t a, int32_t b)
{
    return (a > b) - (a < b);
}

/* Order by line, then forward before backward, then by when it runs in the stage. */
static int compare_passes(const void *x, const void *y)
{
    const struct pass *a = x, *b = y;
    int order = compare_numbers(a->stage, b->stage);
    order = order ? order : compare_numbers(a->chunk, b->chunk);
    order = order ? order : (int)a->pass - (int)b->pass;
    return order ? order : compare_numbers(a->seq_id, b->seq_id);
}

static int compare_ids(const void *x, const void *y)
{
    return compare_numbers(*(const int32_t *)x, *(const int32_t *)y);
}

static struct pass *new_passes(const struct hc_step_structure *structure, size_t *n,
                               struct hc_error *err)
{
    const struct hc_step_graph *graph = &structure->graph;
    struct pass *passes = hc_new_array(graph->n_ops, sizeof *passes, err);
    *n = 0;
    for (size_t i = 0; passes && i < graph->n_ops; i++) {
        const struct hc_graph_op *op = &graph->ops[i];
        if (hc_op_is_pass(op->op_type))
            passes[(*n)++] = (struct pass){op->stage,  chunk_of(op), op->microbatch,
                                           op->seq_id, pass_of(op),  structure->order.position[i]};
    }
    if (passes)
        qsort(passes, *n, sizeof *passes, compare_passes);
    return passes;
}

/* ---- lines ---- */

static size_t find_line(const struct hc_pass_pairs *pairs, const struct pass *pass)
{
    size_t low = 0, high = pairs->n_lines;
    while (low < high) {
        size_t middle = (low + high) / 2;
        const struct hc_pass_line *line = &pairs->lines[middle];
        int order = compare_numbers(line->stage, pass->stage);
        order = order ? order : compare_numbers(line->chunk, pass->chunk);
        if (order < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool is_line(const struct hc_pass_pairs *pairs, size_t line, const struct pass *pass)
{
    return line < pairs->n_lines && pairs->lines[line].stage == pass->stage &&
           pairs->lines[line].chunk == pass->chunk;
}

/* Add the lines of passes to the list, which stays sorted. The passes of a structure are sorted
 * themselves, so few lines are inserted in the middle. */
static enum hc_status add_lines(struct hc_pass_pairs *pairs, size_t *capacity,
                                const struct pass *passes, size_t n, struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        size_t at = find_line(pairs, &passes[i]);
        if (is_line(pairs, at, &passes[i]))
            continue;
        if (hc_reserve(&pairs->lines, capacity, pairs->n_lines + 1, sizeof *pairs->lines, err))
            return err->status;
        memmove(pairs->lines + at + 1, pairs->lines + at,
                (pairs->n_lines - at) * sizeof *pairs->lines);
        pairs->lines[at] = (struct hc_pass_line){passes[i].stage, passes[i].chunk};
        pairs->n_lines++;
    }
    return HC_OK;
}

/* ---- layouts ---- */

/* Number the passes of each line 0, 1, ... as they run, where the trace has no usable microbatches.
 * Returns the largest count. */
static size_t number_by_order(struct pass *passes, size_t n)
{
    size_t most = 0, next = 0;
    for (size_t i = 0; i < n; i++) {
        bool is_first = i == 0 || passes[i].stage != passes[i - 1].stage ||
                        passes[i].chunk != passes[i - 1].chunk ||
                        passes[i].pass != passes[i - 1].pass;
        next = is_first ? 0 : next + 1;
        passes[i].microbatch = (int32_t)next;
        most = next + 1 > most ? next + 1 : most;
    }
    return most;
}

/* Number the passes by their microbatch: the ids of the trace become 0, 1, ... in ascending order.
 */
static enum hc_status number_by_id(struct pass *passes, size_t n, size_t *n_microbatches,
                                   struct hc_error *err)
{
    int32_t *ids = hc_new_array(n, sizeof *ids, err);
    if (!ids)
        return err->status;
    for (size_t i = 0; i < n; i++)
        ids[i] = passes[i].microbatch;
    qsort(ids, n, sizeof *ids, compare_ids);
    size_t n_ids = 0;
    for (size_t i = 0; i < n; i++)
        if (n_ids == 0 || ids[i] != ids[n_ids - 1])
            ids[n_ids++] = ids[i];
    for (size_t i = 0; i < n; i++) {
        const int32_t *id = bsearch(&passes[i].microbatch, ids, n_ids, sizeof *ids, compare_ids);
        passes[i].microbatch = (int32_t)(id - ids);
    }
    *n_microbatches = n_ids;
    free(ids);
    return HC_OK;
}

static enum hc_status new_layout(struct hc_pass_layout *layout, size_t n_lines,
                                 size_t n_microbatches, struct hc_error *err)
{
    layout->n_microbatches = n_microbatches;
    for (int p = 0; p < HC_N_PASSES; p++) {
        free(layout->position[p]);
        layout->position[p] = hc_new_array(n_lines * n_microbatches, sizeof(uint32_t), err);
        if (!layout->position[p])
            return err->status;
        for (size_t i = 0; i < n_lines * n_microbatches; i++)
            layout->position[p][i] = HC_NO_POSITION;
    }
    return HC_OK;
}

/* Put each pass in its place of the layout; false when two passes have the same one. */
static bool place(const struct hc_pass_pairs *pairs, struct hc_pass_layout *layout,
                  const struct pass *passes, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if ((size_t)passes[i].microbatch >= layout->n_microbatches)
            continue;
        size_t at =
            find_line(pairs, &passes[i]) * layout->n_microbatches + (size_t)passes[i].microbatch;
        uint32_t *position = &layout->position[passes[i].pass][at];
        if (*position != HC_NO_POSITION)
            return false;
        *position = passes[i].position;
    }
    return true;
}

static bool has_microbatches(const struct pass *passes, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (passes[i].microbatch == HC_MISSING_I32)
            return false;
    return true;
}

static enum hc_status fill_layout(struct hc_pass_pairs *pairs, struct hc_pass_layout *layout,
                                  struct pass *passes, size_t n, struct hc_error *err)
{
    size_t n_microbatches = 0;
    /* Use the microbatch ids of the trace, unless they leave places empty or put two passes in one:
     * then they are no microbatches. */
    if (has_microbatches(passes, n)) {
        if (number_by_id(passes, n, &n_microbatches, err))
            return err->status;
        if (n_microbatches * pairs->n_lines <= n) {
            if (new_layout(layout, pairs->n_lines, n_microbatches, err))
                return err->status;
            if (place(pairs, layout, passes, n))
                return HC_OK;
        }
    }
    pairs->by_order = true;
    n_microbatches = number_by_order(passes, n);
    /* A layout has n_microbatches places for every line. Where one line has nearly all of the
     * passes, that would be far more places than passes: limit it to as many as there are. */
    if (n_microbatches * pairs->n_lines > n)
        n_microbatches = n / pairs->n_lines;
    if (new_layout(layout, pairs->n_lines, n_microbatches, err))
        return err->status;
    place(pairs, layout, passes, n);
    return HC_OK;
}

enum hc_status hc_pass_pairs_find(struct hc_pass_pairs *pairs, const struct hc_step_lanes *lanes,
                                  struct hc_error *err)
{
    memset(pairs, 0, sizeof *pairs);
    pairs->layouts = hc_new_array(lanes->n_structures, sizeof *pairs->layouts, err);
    enum hc_status status = pairs->layouts ? HC_OK : err->status;
    size_t capacity = 0;
    /* First round: collect the lines of all structures. Second round: lay out the passes in them.
     */
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; status == HC_OK && i < lanes->n_structures; i++) {
            size_t n = 0;
            struct pass *passes = new_passes(&lanes->structures[i], &n, err);
            if (!passes)
                status = err->status;
            else if (round == 0)
                status = add_lines(pairs, &capacity, passes, n, err);
            else
                status = fill_layout(pairs, &pairs->layouts[pairs->n_layouts++], passes, n, err);
            free(passes);
        }
    if (status)
        hc_pass_pairs_fini(pairs);
    return status;
}

void hc_pass_pairs_fini(struct hc_pass_pairs *pairs)
{
    for (size_t i = 0; i < pairs->n_layouts; i++)
        for (int p = 0; p < HC_N_PASSES; p++)
            free(pairs->layouts[i].position[p]);
    free(pairs->layouts);
    free(pairs->lines);
    memset(pairs, 0, sizeof *pairs);
}

/* ---- Pearson's r ---- */

void hc_pair_sums_add(struct hc_pair_sums *to, const struct hc_pair_sums *more)
{
    to->n += more->n;
    to->x += more->x;
    to->y += more->y;
    to->xx += more->xx;
    to->yy += more->yy;
    to->xy += more->xy;
}

double hc_pair_sums_pearson(const struct hc_pair_sums *s)
{
    double n = (double)s->n;
    double vx = s->xx - s->x * s->x / n, vy = s->yy - s->y * s->y / n;
    /* Where all values are equal the sums leave a little rounding error, not 0: that is no spread.
     */
    if (s->n < 3 || vx <= 1e-12 * s->xx || vy <= 1e-12 * s->yy)
        return NAN;
    return fmax(-1, fmin(1, (s->xy - s->x * s->y / n) / sqrt(vx * vy)));
}

/* Sum the pairs (forward, backward) of one line and microbatch over a block; durations are divided
 * by unit_ns. */
static struct hc_pair_sums sum_rows(const double *forward, const double *backward, size_t n,
                                    const double unit_ns[HC_N_PASSES])
{
    struct hc_pair_sums sums = {.n = (int64_t)n};
    for (size_t l = 0; l < n; l++) {
        double x = forward[l] / unit_ns[HC_FORWARD_PASS] - 1;
        double y = backward[l] / unit_ns[HC_BACKWARD_PASS] - 1;
        sums.x += x;
        sums.y += y;
        sums.xx += x * x;
        sums.yy += y * y;
        sums.xy += x * y;
    }
    return sums;
}

/* The unit of durations in the sums: the ideal duration of each pass, so that values are near 1 and
 * their squares lose no digits. */
static void find_units(const struct hc_step_structure *structure,
                       const struct hc_pass_layout *layout, size_t line, double *unit_ns)
{
    for (int p = 0; p < HC_N_PASSES; p++)
        for (size_t m = 0; m < layout->n_microbatches; m++) {
            uint32_t at = layout->position[p][line * layout->n_microbatches + m];
            if (at != HC_NO_POSITION && structure->ideal[at] > 0)
                unit_ns[p] = structure->ideal[at];
        }
}

static void sum_line(struct hc_pair_sums *sums, const struct hc_step_structure *structure,
                     const struct hc_pass_layout *layout, size_t line)
{
    double unit_ns[HC_N_PASSES] = {1, 1};
    find_units(structure, layout, line, unit_ns);
    for (size_t k = 0; k < structure->n_blocks; k++) {
        const struct hc_lane_block *block = &structure->blocks[k];
        for (size_t m = 0; m < layout->n_microbatches; m++) {
            size_t at = line * layout->n_microbatches + m;
            uint32_t f = layout->position[HC_FORWARD_PASS][at];
            uint32_t b = layout->position[HC_BACKWARD_PASS][at];
            if (f == HC_NO_POSITION || b == HC_NO_POSITION)
                continue;
            struct hc_pair_sums row =
                sum_rows(block->duration + f * block->stride, block->duration + b * block->stride,
                         block->n_lanes, unit_ns);
            hc_pair_sums_add(sums, &row);
        }
    }
}

enum hc_status hc_pass_correlations(const struct hc_pass_pairs *pairs,
                                    const struct hc_step_lanes *lanes, double *r, int64_t *n,
                                    struct hc_error *err)
{
    struct hc_pair_sums *by_line = hc_new_array(pairs->n_lines, sizeof *by_line, err);
    if (!by_line)
        return err->status;
#pragma omp parallel for schedule(dynamic)
    for (size_t line = 0; line < pairs->n_lines; line++)
        for (size_t i = 0; i < lanes->n_structures; i++)
            sum_line(&by_line[line], &lanes->structures[i], &pairs->layouts[i], line);
    for (int32_t stage = 0; stage < lanes->n_stages; stage++) {
        struct hc_pair_sums sums = {0};
        for (size_t line = 0; line < pairs->n_lines; line++)
            if (pairs->lines[line].stage == stage)
                hc_pair_sums_add(&sums, &by_line[line]);
        r[stage] = hc_pair_sums_pearson(&sums);
        n[stage] = sums.n;
    }
    free(by_line);
    return HC_OK;
}
