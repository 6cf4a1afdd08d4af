#include "sim/profiles/profile_predict.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hc_predict_fini(struct hc_predict *predict)
{
    for (size_t r = 0; predict->ranks && r < predict->n_ranks; r++) {
        struct hc_predict_rank *rank = &predict->ranks[r];
        hc_int_map_fini(&rank->twins);
        free(rank->row);
        free(rank->w_ns);
        free(rank->large_ns);
        free(rank->first);
        free(rank->sorted_ns);
    }
    free(predict->ranks);
    *predict = (struct hc_predict){0};
}

/* ---- what works took ---- */

static enum hc_status reserve(struct hc_predict_rank *rank, size_t n, struct hc_error *err)
{
    size_t capacity = rank->capacity;
    if (n <= capacity)
        return HC_OK;
    if (hc_reserve(&rank->row, &capacity, n, sizeof *rank->row, err))
        return err->status;
    capacity = rank->capacity;
    return hc_reserve(&rank->w_ns, &rank->capacity, n, sizeof *rank->w_ns, err);
}

static enum hc_status note_weight(struct hc_predict_rank *rank, int64_t w_ns, struct hc_error *err)
{
    bool is_large = w_ns < 0 || w_ns >= HC_PREDICT_LARGE;
    rank->w_ns[rank->n++] = is_large ? HC_PREDICT_LARGE : (uint32_t)w_ns;
    if (!is_large)
        return HC_OK;
    if (rank->n_large == rank->large_capacity &&
        hc_reserve(&rank->large_ns, &rank->large_capacity, rank->n_large + 1,
                   sizeof *rank->large_ns, err))
        return err->status;
    rank->large_ns[rank->n_large++] = w_ns;
    return HC_OK;
}

static enum hc_status note_rank(struct hc_predict_rank *rank, const struct hc_profile_build *build,
                                size_t rank_index, struct hc_error *err)
{
    size_t n = build->peers.n_works[rank_index];
    if (reserve(rank, rank->n + n, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        const struct hc_peer_work *work = &build->peers.works[rank_index][i];
        const struct hc_graph_arc *arc = &build->graph.arcs[work->arc];
        size_t row;
        if (arc->work == HC_WORK_FIXED)
            continue;
        if (hc_int_map_insert(&rank->twins, work->twin, (int32_t)rank->twins.n, &row, err))
            return err->status;
        rank->row[rank->n] = (uint32_t)row;
        if (note_weight(rank, arc->w_ns, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_predict_note(struct hc_predict *predict, const struct hc_profile_build *build,
                               struct hc_error *err)
{
    if (!predict->ranks) {
        predict->ranks = hc_new_array(build->n_ranks, sizeof *predict->ranks, err);
        if (!predict->ranks)
            return err->status;
        predict->n_ranks = build->n_ranks;
    }
    for (size_t r = 0; r < build->n_ranks; r++)
        if (note_rank(&predict->ranks[r], build, r, err))
            return err->status;
    return HC_OK;
}

static int compare_times(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

static enum hc_status sort_rank(struct hc_predict_rank *rank, struct hc_error *err)
{
    size_t n_rows = rank->twins.n;
    rank->first = hc_new_array(n_rows + 1, sizeof *rank->first, err);
    rank->sorted_ns = rank->first ? hc_new_array(rank->n, sizeof *rank->sorted_ns, err) : NULL;
    if (!rank->sorted_ns)
        return err->status;
    for (size_t i = 0; i < rank->n; i++)
        rank->first[rank->row[i] + 1]++;
    for (size_t row = 0; row < n_rows; row++)
        rank->first[row + 1] += rank->first[row];
    /* Filled from the end of each row, then moved back to its begin. */
    for (size_t i = 0, large = 0; i < rank->n; i++)
        rank->sorted_ns[rank->first[rank->row[i]]++] =
            rank->w_ns[i] == HC_PREDICT_LARGE ? rank->large_ns[large++] : rank->w_ns[i];
    for (size_t row = n_rows; row > 0; row--)
        rank->first[row] = rank->first[row - 1];
    rank->first[0] = 0;
    for (size_t row = 0; row < n_rows; row++)
        qsort(rank->sorted_ns + rank->first[row], rank->first[row + 1] - rank->first[row],
              sizeof *rank->sorted_ns, compare_times);
    /* What came in is not needed once it is sorted. */
    free(rank->row);
    free(rank->w_ns);
    free(rank->large_ns);
    rank->row = rank->w_ns = NULL;
    rank->large_ns = NULL;
    return HC_OK;
}

/* The lower median of the other works of a row; false: there are none. */
static bool median_of_others(const struct hc_predict_rank *rank, uint64_t twin, int64_t own_ns,
                             int64_t *median_ns)
{
    int64_t row = hc_int_map_find(&rank->twins, twin);
    if (row < 0)
        return false;
    const int64_t *sorted = rank->sorted_ns + rank->first[row];
    size_t n = rank->first[row + 1] - rank->first[row];
    if (n < 2)
        return false;
    size_t at = (n - 2) / 2;
    *median_ns = sorted[at] < own_ns ? sorted[at] : sorted[at + 1];
    return true;
}

/* ---- a step ---- */

/* The works of the part at the level of other steps; the share of their time without any. */
static double take_others(const struct hc_predict *predict, struct hc_profile_build *build)
{
    double all = 0, alone = 0;
    for (size_t r = 0; r < build->n_ranks; r++)
        for (size_t i = 0; i < build->peers.n_works[r]; i++) {
            const struct hc_peer_work *work = &build->peers.works[r][i];
            struct hc_graph_arc *arc = &build->graph.arcs[work->arc];
            if (arc->work == HC_WORK_FIXED)
                continue;
            arc->alt_ns = arc->w_ns;
            all += (double)arc->w_ns;
            if (!median_of_others(&predict->ranks[r], work->twin, arc->w_ns, &arc->alt_ns))
                alone += (double)arc->w_ns;
        }
    return all > 0 ? alone / all : 0;
}

/* The latest point of the part, all carried ones being as traced. value_ns: room for its points. */
static int64_t replay_part(const struct hc_profile_build *build, int64_t begin_ns,
                           int64_t *value_ns)
{
    const struct hc_profile_graph *graph = &build->graph;
    int64_t latest = begin_ns;
    for (size_t i = 0; i < build->order.n; i++) {
        uint32_t p = build->order.points[i];
        const struct hc_graph_point *point = &graph->points[p];
        size_t a = point->first_arc, end = hc_graph_end_arc(graph, p);
        int64_t value = a == end ? point->t_ns : INT64_MIN;
        for (; a < end; a++) {
            const struct hc_graph_arc *arc = &graph->arcs[a];
            int64_t from = arc->from & HC_CARRIED ? build->order.carried_ns[arc->from & ~HC_CARRIED]
                                                  : value_ns[arc->from];
            int64_t at = from + (arc->work == HC_WORK_FIXED ? arc->w_ns : arc->alt_ns);
            value = at > value ? at : value;
        }
        value_ns[p] = value + point->residual_ns;
        latest = value_ns[p] > latest ? value_ns[p] : latest;
    }
    return latest;
}

/* At least begin_ns: a part may have no point. */
static int64_t latest_traced(const struct hc_profile_graph *graph, int64_t begin_ns)
{
    int64_t latest = begin_ns;
    for (size_t p = 0; p < graph->n_points; p++)
        latest = graph->points[p].t_ns > latest ? graph->points[p].t_ns : latest;
    return latest;
}

/* begin_ns: the end of the part before, as traced. */
static enum hc_status predict_part(const struct hc_predict *predict, struct hc_profile_build *build,
                                   int64_t *begin_ns, struct hc_step_prediction *prediction,
                                   struct hc_error *err)
{
    int64_t *value_ns = hc_new_array(build->graph.n_points, sizeof *value_ns, err);
    if (!value_ns)
        return err->status;
    int64_t end_ns = latest_traced(&build->graph, *begin_ns);
    *prediction = (struct hc_step_prediction){
        .first_step = build->window->numbers[build->next_step],
        .last_step = build->window->numbers[build->end_step - 1],
        .traced_ns = end_ns - *begin_ns,
        .share_without_twin = take_others(predict, build),
    };
    prediction->predicted_ns = replay_part(build, *begin_ns, value_ns) - *begin_ns;
    prediction->error = prediction->traced_ns > 0
                            ? (double)prediction->predicted_ns / (double)prediction->traced_ns - 1
                            : NAN;
    *begin_ns = end_ns;
    free(value_ns);
    return HC_OK;
}

/* ---- all steps ---- */

static int compare_sizes(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static enum hc_status sum_up(struct hc_profile_whatif_result *result, struct hc_error *err)
{
    size_t n = 0;
    double *sizes = hc_new_array(result->n_predictions, sizeof *sizes, err), worst = -1;
    if (!sizes)
        return err->status;
    for (size_t i = 0; i < result->n_predictions; i++) {
        double size = fabs(result->predictions[i].error);
        if (isnan(size))
            continue;
        sizes[n++] = size;
        if (size > worst) {
            worst = size;
            result->worst_prediction = i;
        }
    }
    qsort(sizes, n, sizeof *sizes, compare_sizes);
    if (n > 0)
        result->median_prediction_error = sizes[(n - 1) / 2];
    free(sizes);
    return HC_OK;
}

enum hc_status hc_predict_run(struct hc_predict *predict, const struct hc_scan_window *window,
                              struct hc_profile_whatif_result *result, struct hc_error *err)
{
    struct hc_profile_build build = {0};
    enum hc_status status = HC_OK;
    result->predictions = hc_new_array(window->n_steps, sizeof *result->predictions, err);
    if (!result->predictions)
        return err->status;
    for (size_t r = 0; status == HC_OK && r < predict->n_ranks; r++)
        status = sort_rank(&predict->ranks[r], err);
    if (status == HC_OK)
        status = hc_build_init(&build, window, err);
    int64_t begin_ns = build.median_start_ns;
    while (status == HC_OK && hc_build_next(&build, err))
        status = predict_part(predict, &build, &begin_ns,
                              &result->predictions[result->n_predictions++], err);
    if (status == HC_OK)
        status = err->status;
    hc_build_fini(&build);
    return status ? status : sum_up(result, err);
}
