#include "sim/edits/selector.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/base/select.h"
#include "sim/replay/op_times.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* What a selector must look up, found: sets by worker, thresholds by class, starts. */
struct hc_selection {
    const struct hc_selector *selector;
    const struct hc_replay_base *base;
    const struct hc_edit_draws *draws;
    uint8_t *worker;              /* [n_workers] among those that are named, or slowest; or NULL */
    double *above_ns;             /* [classes.n] durations above it are meant; or NULL */
    uint8_t ***slowest;           /* [n_structures][n_blocks] the slowest ops are 1; or NULL */
    struct hc_op_classes classes; /* of outliers or slowest ops */
    double ***start_ns;           /* [n_structures][n_blocks] replayed starts; of a window */
    struct hc_selection **all, **any, *none;
};

/* ---- making ready ---- */

static enum hc_status select_workers(struct hc_selection *s, struct hc_error *err)
{
    const struct hc_selector *of = s->selector;
    const struct hc_replay_base *base = s->base;
    if (!of->n_workers && !of->ranks.n && !of->n_nodes)
        return HC_OK;
    s->worker = hc_new_array(base->n_workers, 1, err);
    if (!s->worker)
        return err->status;
    for (size_t w = 0; w < base->n_workers; w++) {
        int32_t dp_rank = (int32_t)(w / (size_t)base->lanes.n_stages),
                stage = (int32_t)(w % (size_t)base->lanes.n_stages);
        const char *host = hc_worker_host(&base->places, w);
        bool is_named = !of->n_workers, is_there = !of->n_nodes;
        for (size_t i = 0; i < of->n_workers; i++)
            is_named |= of->workers[i][0] == dp_rank && of->workers[i][1] == stage;
        for (size_t i = 0; i < of->n_nodes; i++)
            is_there |= host && strcmp(host, of->nodes[i]) == 0;
        bool is_ranked = !of->ranks.n || (base->rank[w] != HC_MISSING_I32 &&
                                          hc_step_ranges_include(&of->ranks, base->rank[w]));
        s->worker[w] = is_named && is_there && is_ranked;
    }
    return HC_OK;
}

struct rated {
    double slow;
    size_t id;
};

static int compare_rated(const void *x, const void *y)
{
    const struct rated *a = x, *b = y;
    if (a->slow != b->slow)
        return a->slow > b->slow ? -1 : 1;
    return (a->id > b->id) - (a->id < b->id);
}

static bool is_of(const struct hc_replay_base *base, int of, size_t worker, size_t id)
{
    size_t n_stages = (size_t)base->lanes.n_stages;
    return of == HC_SLOWEST_WORKERS    ? worker == id
           : of == HC_SLOWEST_DP_RANKS ? worker / n_stages == id
                                       : worker % n_stages == id;
}

/* The slowest percent of the workers, dp ranks or stages, rounded up. */
static enum hc_status select_slowest(struct hc_selection *s, struct hc_error *err)
{
    const struct hc_replay_base *base = s->base;
    int of = s->selector->slowest_of;
    const double *slow = of == HC_SLOWEST_WORKERS    ? base->slow_worker
                         : of == HC_SLOWEST_DP_RANKS ? base->slow_rank
                                                     : base->slow_stage;
    size_t n = of == HC_SLOWEST_WORKERS    ? base->n_workers
               : of == HC_SLOWEST_DP_RANKS ? (size_t)base->lanes.dp_size
                                           : (size_t)base->lanes.n_stages;
    struct rated *rated = hc_new_array(n, sizeof *rated, err);
    uint8_t *chosen = hc_new_array(base->n_workers, 1, err);
    if (!rated || !chosen) {
        free(rated);
        free(chosen);
        return err->status;
    }
    for (size_t i = 0; i < n; i++)
        rated[i] = (struct rated){slow[i], i};
    qsort(rated, n, sizeof *rated, compare_rated);
    size_t n_chosen = (size_t)ceil(s->selector->percent * (double)n / 100);
    for (size_t i = 0; i < n_chosen && i < n; i++)
        for (size_t w = 0; w < base->n_workers; w++)
            chosen[w] |= is_of(base, of, w, rated[i].id) && (!s->worker || s->worker[w]);
    free(rated);
    free(s->worker);
    s->worker = chosen;
    return HC_OK;
}

static enum hc_status find_outliers(struct hc_selection *s, struct hc_error *err)
{
    if (hc_op_classes_make(&s->classes, s->base, s->selector->outliers_by, NULL, NULL, err))
        return err->status;
    s->above_ns = hc_new_array(s->classes.n, sizeof *s->above_ns, err);
    for (size_t i = 0; i < s->classes.n && s->above_ns; i++) {
        if (!hc_op_class_n(&s->classes, i))
            continue;
        double median = hc_op_class_quantile(&s->classes, i, 0.5);
        s->above_ns[i] = median + s->selector->mad * hc_op_class_mad(&s->classes, i);
    }
    return s->above_ns ? HC_OK : err->status;
}

/* An op in a lane, and how much longer it took than the median of its type. */
struct slow_op {
    double ratio;
    struct hc_op_row row;
    size_t lane;
    int32_t id[5]; /* step, dp rank, stage, op type, seq id */
};

static int compare_ops(const void *x, const void *y)
{
    const struct slow_op *a = x, *b = y;
    if (a->ratio != b->ratio)
        return a->ratio > b->ratio ? -1 : 1;
    for (size_t i = 0; i < 5; i++)
        if (a->id[i] != b->id[i])
            return a->id[i] > b->id[i] ? 1 : -1;
    return 0;
}

static size_t list_ops(const struct hc_selection *s, const double *median_ns, struct slow_op *list)
{
    const struct hc_step_lanes *lanes = &s->base->lanes;
    size_t dp_size = (size_t)lanes->dp_size, n = 0;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t p = 0; p < lanes->structures[i].order.n_ops; p++) {
                const struct hc_step_structure *of = &lanes->structures[i];
                const struct hc_lane_block *block = &of->blocks[k];
                const struct hc_graph_op *op = &of->graph.ops[of->order.op_at[p]];
                for (size_t l = 0; l < block->n_lanes; l++) {
                    struct hc_op_row row = {i, k, p};
                    double usual = median_ns[hc_op_class(&s->classes, &row, l)];
                    double ratio = usual > 0 ? block->duration[p * block->stride + l] / usual : 0;
                    list[n++] = (struct slow_op){ratio,
                                                 row,
                                                 l,
                                                 {lanes->steps[block->step[l / dp_size]],
                                                  (int32_t)(l % dp_size), op->stage, op->op_type,
                                                  op->seq_id}};
                }
            }
    return n;
}

static void rows_free(const struct hc_replay_base *base, void *rows)
{
    void ***of = rows;
    for (size_t i = 0; of && i < base->lanes.n_structures; i++) {
        for (size_t k = 0; of[i] && k < base->lanes.structures[i].n_blocks; k++)
            free(of[i][k]);
        free(of[i]);
    }
    free(of);
}

/* Room for a value of each op and lane, by structure and block; NULL with err filled. */
static void *new_rows(const struct hc_replay_base *base, size_t size, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &base->lanes;
    void ***rows = hc_new_array(lanes->n_structures, sizeof *rows, err);
    bool all = rows;
    for (size_t i = 0; i < lanes->n_structures && all; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        all = (rows[i] = hc_new_array(of->n_blocks, sizeof **rows, err)) != NULL;
        for (size_t k = 0; k < of->n_blocks && all; k++)
            all = (rows[i][k] = hc_new_array(of->order.n_ops * of->blocks[k].stride, size, err)) !=
                  NULL;
    }
    if (all)
        return rows;
    rows_free(base, rows);
    return NULL;
}

/* The slowest percent of the ops, by their duration over the median of their type. */
static enum hc_status find_slowest_ops(struct hc_selection *s, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &s->base->lanes;
    if (hc_op_classes_make(&s->classes, s->base, HC_CLASS_OP, NULL, NULL, err))
        return err->status;
    double *median_ns = hc_new_array(s->classes.n, sizeof *median_ns, err);
    struct slow_op *list = hc_new_array((size_t)lanes->n_rows, sizeof *list, err);
    s->slowest = new_rows(s->base, 1, err);
    bool all = median_ns && list && s->slowest;
    for (size_t i = 0; i < s->classes.n && all; i++)
        if (hc_op_class_n(&s->classes, i))
            median_ns[i] = hc_op_class_quantile(&s->classes, i, 0.5);
    size_t n = all ? list_ops(s, median_ns, list) : 0;
    size_t n_chosen = (size_t)ceil(s->selector->percent * (double)n / 100);
    if (n)
        qsort(list, n, sizeof *list, compare_ops);
    for (size_t i = 0; i < n_chosen; i++) {
        const struct hc_op_row *row = &list[i].row;
        size_t stride = lanes->structures[row->structure].blocks[row->block].stride;
        s->slowest[row->structure][row->block][row->position * stride + list[i].lane] = 1;
    }
    free(median_ns);
    free(list);
    return all ? HC_OK : err->status;
}

struct start_place {
    size_t structure, block, step;
};

static enum hc_status fill_starts(struct hc_selection *s, struct hc_op_times *times,
                                  const struct start_place *at, struct hc_error *err)
{
    const struct hc_step_structure *structure = &s->base->lanes.structures[at->structure];
    const struct hc_lane_block *block = &structure->blocks[at->block];
    const struct hc_step_place place = {structure, block, at->step};
    size_t dp_size = (size_t)s->base->lanes.dp_size;
    double *to = s->start_ns[at->structure][at->block];
    double begin_ns = (double)s->base->start_ns[block->step[at->step]];
    if (hc_op_times_find(times, &place, s->base->lanes.dp_size, HC_TIMELINE_REPLAYED, err))
        return err->status;
    for (size_t p = 0; p < structure->order.n_ops; p++)
        for (size_t d = 0; d < dp_size; d++)
            to[p * block->stride + at->step * dp_size + d] =
                times->start[hc_op_times_index(times, p, d)] + begin_ns;
    return HC_OK;
}

/* Replayed starts of the untouched job, by structure and block. */
static enum hc_status find_starts(struct hc_selection *s, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &s->base->lanes;
    struct hc_op_times times = {.n_ops = 0};
    enum hc_status status = HC_OK;
    s->start_ns = new_rows(s->base, sizeof(double), err);
    if (!s->start_ns)
        return err->status;
    for (size_t i = 0; i < lanes->n_structures; i++)
        for (size_t k = 0; k < lanes->structures[i].n_blocks; k++)
            for (size_t step = 0; step < lanes->structures[i].blocks[k].n_steps && !status; step++)
                status = fill_starts(s, &times, &(struct start_place){i, k, step}, err);
    hc_op_times_fini(&times);
    return status;
}

static enum hc_status make_list(struct hc_selection ***list, const struct hc_selector *of, size_t n,
                                const struct hc_selection *like, struct hc_error *err)
{
    *list = hc_new_array(n, sizeof **list, err);
    for (size_t i = 0; i < n && *list; i++)
        if (hc_selection_new(&(*list)[i], &of[i], like->base, like->draws, err))
            return err->status;
    return *list ? HC_OK : err->status;
}

static enum hc_status prepare(struct hc_selection *s, struct hc_error *err)
{
    const struct hc_selector *of = s->selector;
    if (select_workers(s, err) || (of->has_outliers && find_outliers(s, err)) ||
        (of->has_window && find_starts(s, err)) || make_list(&s->all, of->all, of->n_all, s, err) ||
        make_list(&s->any, of->any, of->n_any, s, err))
        return err->status;
    if (of->has_slowest &&
        (of->slowest_of == HC_SLOWEST_OPS ? find_slowest_ops(s, err) : select_slowest(s, err)))
        return err->status;
    return of->none ? hc_selection_new(&s->none, of->none, s->base, s->draws, err) : HC_OK;
}

enum hc_status hc_selection_new(struct hc_selection **selection, const struct hc_selector *selector,
                                const struct hc_replay_base *base,
                                const struct hc_edit_draws *draws, struct hc_error *err)
{
    struct hc_selection *s = *selection = hc_new_array(1, sizeof *s, err);
    if (!s)
        return err->status;
    s->selector = selector;
    s->base = base;
    s->draws = draws;
    return prepare(s, err);
}

static void list_free(struct hc_selection **list, size_t n)
{
    for (size_t i = 0; list && i < n; i++)
        hc_selection_free(list[i]);
    free(list);
}

void hc_selection_free(struct hc_selection *s)
{
    if (!s)
        return;
    rows_free(s->base, s->start_ns);
    rows_free(s->base, s->slowest);
    list_free(s->all, s->selector->n_all);
    list_free(s->any, s->selector->n_any);
    hc_selection_free(s->none);
    hc_op_classes_fini(&s->classes);
    free(s->worker);
    free(s->above_ns);
    free(s);
}

/* ---- a row ---- */

static bool includes(const struct hc_step_ranges *ranges, int32_t id)
{
    return !ranges->n || (id != HC_MISSING_I32 && hc_step_ranges_include(ranges, id));
}

bool hc_stages_include(const struct hc_step_ranges *stages, int32_t stage, int32_t n_stages)
{
    return includes(stages, stage) || (stage == n_stages - 1 && includes(stages, HC_LAST_STAGE));
}

/* What the op alone tells. */
static bool is_op_meant(const struct hc_selection *s, const struct hc_op_row *row)
{
    const struct hc_selector *of = s->selector;
    const struct hc_step_structure *structure = &s->base->lanes.structures[row->structure];
    const struct hc_graph_op *op = &structure->graph.ops[structure->order.op_at[row->position]];
    return (!of->op_types || of->op_types >> op->op_type & 1) &&
           hc_stages_include(&of->stages, op->stage, s->base->lanes.n_stages) &&
           includes(&of->chunks, op->model_chunk) &&
           includes(&of->microbatches, s->base->microbatch[row->structure][row->position]);
}

static bool is_lane_meant(const struct hc_selection *s, const struct hc_op_row *row, size_t lane)
{
    const struct hc_selector *of = s->selector;
    const struct hc_step_structure *structure = &s->base->lanes.structures[row->structure];
    const struct hc_lane_block *block = &structure->blocks[row->block];
    size_t dp_size = (size_t)s->base->lanes.dp_size, dp_rank = lane % dp_size;
    size_t at = row->position * block->stride + lane;
    if (!includes(&of->dp_ranks, (int32_t)dp_rank) ||
        !includes(&of->steps, s->base->lanes.steps[block->step[lane / dp_size]]))
        return false;
    if (s->worker &&
        !s->worker[hc_replay_worker(s->base, dp_rank, structure->stage[row->position])])
        return false;
    if (s->above_ns && !(block->duration[at] > s->above_ns[hc_op_class(&s->classes, row, lane)]))
        return false;
    if (s->slowest && !s->slowest[row->structure][row->block][at])
        return false;
    if (s->start_ns && !(s->start_ns[row->structure][row->block][at] >= of->from_s * 1e9 &&
                         s->start_ns[row->structure][row->block][at] < of->to_s * 1e9))
        return false;
    return !of->is_random ||
           hc_edit_uniform(s->base, s->draws, of->stream, (enum hc_drawn_per)of->drawn_per, row,
                           lane) < of->probability;
}

static bool tells_by_lane(const struct hc_selection *s)
{
    return s->selector->dp_ranks.n || s->selector->steps.n || s->worker || s->above_ns ||
           s->slowest || s->start_ns || s->selector->is_random;
}

/* Lay what another selector says of a row over mask, which is told from here on. */
static enum hc_selected combine(enum hc_selected mine, uint8_t *mask, enum hc_selected other,
                                const uint8_t *its, size_t n, bool is_or)
{
    if (mine == HC_SELECTED_SOME && other == HC_SELECTED_SOME) {
        for (size_t l = 0; l < n; l++)
            mask[l] = is_or ? mask[l] | its[l] : mask[l] & its[l];
        return HC_SELECTED_SOME;
    }
    enum hc_selected strong = is_or ? HC_SELECTED_ALL : HC_SELECTED_NONE;
    if (mine == strong || other == strong)
        return strong;
    if (mine == HC_SELECTED_SOME)
        return mine;
    if (other == HC_SELECTED_SOME)
        memcpy(mask, its, n);
    return other;
}

static enum hc_selected invert(enum hc_selected selected, uint8_t *mask, size_t n)
{
    if (selected != HC_SELECTED_SOME)
        return selected == HC_SELECTED_ALL ? HC_SELECTED_NONE : HC_SELECTED_ALL;
    for (size_t l = 0; l < n; l++)
        mask[l] = !mask[l];
    return selected;
}

/* What the lists of a selector leave of a row. mask has room for those within it. */
static enum hc_selected of_lists(const struct hc_selection *s, const struct hc_op_row *row,
                                 enum hc_selected mine, uint8_t *mask, size_t n)
{
    const struct hc_selector *of = s->selector;
    uint8_t *joined = mask + n, *its_mask = mask + 2 * n;
    for (size_t i = 0; i < of->n_all && mine; i++) {
        enum hc_selected its = hc_selection_row(s->all[i], row, its_mask);
        mine = combine(mine, mask, its, its_mask, n, false);
    }
    enum hc_selected any = HC_SELECTED_NONE;
    for (size_t i = 0; i < of->n_any && mine && any != HC_SELECTED_ALL; i++) {
        enum hc_selected its = hc_selection_row(s->any[i], row, its_mask);
        any = combine(any, joined, its, its_mask, n, true);
    }
    if (of->n_any)
        mine = combine(mine, mask, any, joined, n, false);
    if (s->none && mine) {
        enum hc_selected its = invert(hc_selection_row(s->none, row, its_mask), its_mask, n);
        mine = combine(mine, mask, its, its_mask, n, false);
    }
    return mine;
}

enum hc_selected hc_selection_row(const struct hc_selection *s, const struct hc_op_row *row,
                                  uint8_t *mask)
{
    const struct hc_step_structure *structure = &s->base->lanes.structures[row->structure];
    size_t n = structure->blocks[row->block].n_lanes, n_meant = 0;
    if (!is_op_meant(s, row))
        return HC_SELECTED_NONE;
    enum hc_selected mine = HC_SELECTED_ALL;
    if (tells_by_lane(s)) {
        for (size_t l = 0; l < n; l++)
            n_meant += mask[l] = is_lane_meant(s, row, l);
        mine = !n_meant ? HC_SELECTED_NONE : n_meant == n ? HC_SELECTED_ALL : HC_SELECTED_SOME;
    }
    bool has_lists = s->selector->n_all || s->selector->n_any || s->none;
    return mine && has_lists ? of_lists(s, row, mine, mask, n) : mine;
}

static enum hc_selected choose_row(const void *selection, const struct hc_op_row *row,
                                   uint8_t *mask)
{
    return hc_selection_row(selection, row, mask);
}

struct hc_row_choice hc_selection_choice(const struct hc_selection *selection)
{
    return (struct hc_row_choice){choose_row, selection};
}
