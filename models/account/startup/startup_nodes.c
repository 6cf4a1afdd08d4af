#include "models/account/startup/startup_nodes.h"

#include "core/base/memory.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What is gathered of a node beside its row. */
struct seen {
    size_t start, slow_start; /* 1 + the last in which it was seen, and slow */
    int64_t n_starts;         /* in which it was seen */
};

static void gather(struct hc_startup_node_row *rows, struct seen *seen,
                   const struct hc_startup_input *input)
{
    for (size_t i = 0; i < input->n_own; i++) {
        const struct hc_startup_own *own = &input->own[i];
        int64_t from_ns = input->starts[own->start].from_ns;
        struct hc_startup_node_row *row = &rows[own->node];
        struct seen *s = &seen[own->node];
        if (from_ns < input->from_ns || from_ns >= input->to_ns)
            continue;
        row->n_times++;
        row->own_s += own->own_s;
        s->n_starts += s->start != own->start + 1;
        s->start = own->start + 1;
        if (!own->is_slow)
            continue;
        row->n_slow++;
        row->n_starts += s->slow_start != own->start + 1;
        s->slow_start = own->start + 1;
    }
}

/* Own times of a phase of a start stand in order: what its slowest node takes beyond the second
 * slowest, all GPUs wait for it. */
static void charge(struct hc_startup_node_row *rows, const struct hc_startup_input *input)
{
    size_t at = 0;
    for (size_t i = 0; i < input->n_phases; i++) {
        const struct hc_startup_phase *p = &input->phases[i];
        const struct hc_startup_own *own = &input->own[at];
        int64_t from_ns = input->starts[p->start].from_ns;
        at += p->n_nodes;
        if (p->n_nodes > 1 && from_ns >= input->from_ns && from_ns < input->to_ns)
            rows[p->slowest].extra_gpu_hours +=
                (own[p->n_nodes - 1].own_s - own[p->n_nodes - 2].own_s) * p->gpus / 3600;
    }
}

static void judge(struct hc_startup_node_row *rows, size_t n)
{
    int64_t n_times = 0, n_slow = 0;
    size_t n_seen = 0;
    for (size_t i = 0; i < n; i++) {
        n_times += rows[i].n_times;
        n_slow += rows[i].n_slow;
        n_seen += rows[i].n_times > 0;
    }
    for (size_t i = 0; i < n; i++) {
        struct hc_startup_node_row *row = &rows[i];
        double rate =
            ((double)(n_slow - row->n_slow) + 0.5) / ((double)(n_times - row->n_times) + 1);
        row->expected = rate * (double)row->n_times;
        row->chance = 1;
        if (row->n_slow > 0)
            row->chance = hc_sf_beta_lower((double)row->n_slow,
                                           (double)(row->n_times - row->n_slow) + 1, rate) *
                          (double)n_seen;
        row->chance = hc_round_digits(fmin(row->chance, 1), HC_FIT_DIGITS);
        row->is_slow = row->n_starts >= 2 && row->chance < HC_STARTUP_SLOW_LEVEL;
    }
}

static int compare(const void *a, const void *b)
{
    const struct hc_startup_node_row *x = a, *y = b;
    if (x->chance != y->chance)
        return x->chance < y->chance ? -1 : 1;
    if (x->extra_gpu_hours != y->extra_gpu_hours)
        return x->extra_gpu_hours > y->extra_gpu_hours ? -1 : 1;
    return strcmp(x->node, y->node);
}

enum hc_status hc_startup_nodes_make(struct hc_startup_result *result,
                                     const struct hc_startup_input *input, struct hc_error *err)
{
    size_t n = input->nodes.n;
    struct seen *seen = hc_new_array(n, sizeof *seen, err);
    struct hc_startup_node_row *rows = seen ? hc_new_array(n, sizeof *rows, err) : NULL;
    result->nodes = rows;
    if (rows) {
        gather(rows, seen, input);
        charge(rows, input);
        judge(rows, n);
    }
    for (size_t i = 0; i < n && rows; i++) {
        rows[i].node = input->nodes.text[i];
        rows[i].own_s = seen[i].n_starts ? rows[i].own_s / (double)seen[i].n_starts : NAN;
        if (rows[i].n_times)
            rows[result->n_nodes++] = rows[i];
    }
    free(seen);
    if (result->n_nodes)
        qsort(rows, result->n_nodes, sizeof *rows, compare);
    return rows ? HC_OK : err->status;
}
