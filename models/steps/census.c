/* census.c - counting the rows of a timeline, and looking at what was counted. */
#include "models/steps/census_data.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Bits of the key of an op, from the top: type, stage, seq id, model chunk + 1 (0: none). */
#define STAGE_BITS 20
#define SEQ_BITS   24
#define CHUNK_BITS 14
/* Words of bit sets that any trace may take (8 MB); above that, four for each row. */
#define FREE_WORDS (1 << 20)

/* Where the row before went. Rows mostly come in runs of one step, dp rank and worker, and then no
 * map needs to be asked. */
struct cursor {
    int32_t step, dp_rank, stage, rank;
    size_t step_index;
    struct hc_census_cell *cell;
    int32_t op;
};

enum hc_status hc_census_new(struct hc_census **census, struct hc_error *err)
{
    *census = hc_new_array(1, sizeof **census, err);
    if (!*census)
        return err->status;
    (*census)->max_step_ops = UINT32_MAX;
    return HC_OK;
}

void hc_census_limit_ops(struct hc_census *census, int64_t max_step_ops)
{
    census->max_step_ops =
        max_step_ops > 0 && max_step_ops < UINT32_MAX ? (uint32_t)max_step_ops : UINT32_MAX;
}

void hc_census_free(struct hc_census *census)
{
    if (!census)
        return;
    for (size_t s = 0; s < census->n_steps; s++) {
        for (size_t d = 0; d < census->cells[s].n_cells; d++)
            free(census->cells[s].cells[d].bits);
        free(census->cells[s].cells);
    }
    for (size_t i = 0; i < census->n_structures; i++)
        free(census->structures[i]);
    free(census->structures);
    free(census->cells);
    free(census->steps);
    free(census->ops);
    free(census->next);
    hc_int_map_fini(&census->op_map);
    hc_int_map_fini(&census->step_map);
    hc_int_map_fini(&census->cell_map);
    hc_int_map_fini(&census->dp_map);
    hc_int_map_fini(&census->worker_map);
    hc_int_map_fini(&census->rank_map);
    free(census);
}

static uint64_t pair_key(uint64_t high, int32_t low)
{
    return high << 32 | (uint32_t)low;
}

/* ---- finding the place of a row ---- */

static enum hc_status find_step(struct hc_census *census, int32_t step, size_t *index,
                                struct hc_error *err)
{
    if (hc_int_map_insert(&census->step_map, (uint32_t)step, 0, index, err))
        return err->status;
    if (*index < census->n_steps)
        return HC_OK;
    if (hc_reserve(&census->steps, &census->steps_capacity, *index + 1, sizeof *census->steps,
                   err) ||
        hc_reserve(&census->cells, &census->cells_capacity, *index + 1, sizeof *census->cells, err))
        return err->status;
    census->steps[*index] = (struct hc_census_step){
        .step = step, .structure = -1, .first_start_ns = INT64_MAX, .last_end_ns = INT64_MIN};
    memset(&census->cells[*index], 0, sizeof *census->cells);
    census->n_steps++;
    return HC_OK;
}

static enum hc_status find_cell(struct hc_census *census, size_t step, int32_t dp_rank,
                                struct hc_census_cell **cell, struct hc_error *err)
{
    struct hc_step_cells *row = &census->cells[step];
    size_t entry = 0, seen = 0;
    if (hc_int_map_insert(&census->cell_map, pair_key(step, dp_rank), (int32_t)row->n_cells, &entry,
                          err))
        return err->status;
    size_t index = (size_t)census->cell_map.values[entry];
    if (index == row->n_cells) {
        if (hc_reserve(&row->cells, &row->capacity, index + 1, sizeof *row->cells, err) ||
            hc_int_map_insert(&census->dp_map, (uint32_t)dp_rank, 0, &seen, err))
            return err->status;
        row->cells[row->n_cells++] = (struct hc_census_cell){.dp_rank = dp_rank};
        if (dp_rank >= census->dp_size)
            census->dp_size = dp_rank + 1;
    }
    *cell = &row->cells[index];
    return HC_OK;
}

/* Refuse a rank that stands for two (dp rank, stage), and a (dp rank, stage) that has two ranks. */
static enum hc_status check_worker(struct hc_census *census, int32_t dp_rank, int32_t stage,
                                   int32_t rank, struct hc_error *err)
{
    size_t worker = 0, entry = 0;
    uint64_t key = pair_key((uint32_t)dp_rank, stage);
    if (hc_int_map_insert(&census->worker_map, key, rank, &worker, err))
        return err->status;
    if (census->worker_map.values[worker] != rank)
        return hc_fail(err, HC_BAD_INPUT,
                       "dp_rank %d, stage %d has two ranks, %d and %d: each worker has one",
                       dp_rank, stage, census->worker_map.values[worker], rank);
    if (hc_int_map_insert(&census->rank_map, (uint32_t)rank, (int32_t)worker, &entry, err))
        return err->status;
    uint64_t holder = census->worker_map.keys[census->rank_map.values[entry]];
    if (holder != key)
        return hc_fail(err, HC_BAD_INPUT,
                       "rank %d stands for two workers, (dp_rank %d, stage %d) and (dp_rank %d, "
                       "stage %d)",
                       rank, (int)(holder >> 32), (int)(uint32_t)holder, dp_rank, stage);
    if (stage >= census->n_stages)
        census->n_stages = stage + 1;
    return HC_OK;
}

static enum hc_status insert_op(struct hc_census *census, const struct hc_census_op *op,
                                int32_t *index, struct hc_error *err)
{
    if (op->op_type < 0 || op->op_type >= HC_N_OP_TYPES || op->seq_id < 0 ||
        (op->model_chunk != HC_MISSING_I32 && op->model_chunk < 0))
        return hc_fail(err, HC_BAD_INPUT,
                       "an op of stage %d has op type %d, seq_id %d, mc %d: no op can have these",
                       op->stage, op->op_type, op->seq_id, op->model_chunk);
    int32_t chunk = op->model_chunk == HC_MISSING_I32 ? -1 : op->model_chunk;
    if (op->stage >= 1 << STAGE_BITS || op->seq_id >= 1 << SEQ_BITS ||
        chunk >= (1 << CHUNK_BITS) - 1)
        return hc_fail(err, HC_BAD_INPUT,
                       "stage %d, seq_id %d, mc %d is more than hindcast can hold (%d, %d, %d)",
                       op->stage, op->seq_id, chunk, (1 << STAGE_BITS) - 1, (1 << SEQ_BITS) - 1,
                       (1 << CHUNK_BITS) - 2);
    uint64_t key = (uint64_t)op->op_type;
    key = key << STAGE_BITS | (uint64_t)op->stage;
    key = key << SEQ_BITS | (uint64_t)op->seq_id;
    key = key << CHUNK_BITS | (uint64_t)(chunk + 1);
    size_t entry = 0;
    if (hc_int_map_insert(&census->op_map, key, 0, &entry, err))
        return err->status;
    if (entry == census->n_ops) {
        if (hc_reserve(&census->ops, &census->ops_capacity, entry + 1, sizeof *census->ops, err) ||
            hc_reserve(&census->next, &census->next_capacity, entry + 1, sizeof *census->next, err))
            return err->status;
        census->ops[entry] = *op;
        census->next[entry] = 0;
        census->n_ops++;
    }
    *index = (int32_t)entry;
    return HC_OK;
}

static bool same_op(const struct hc_census_op *a, const struct hc_census_op *b)
{
    return a->seq_id == b->seq_id && a->op_type == b->op_type && a->stage == b->stage &&
           a->model_chunk == b->model_chunk;
}

/* Find the op of a row, asking first for the op that followed the row before's op last time. */
static inline enum hc_status find_op(struct hc_census *census, struct cursor *at,
                                     const struct hc_census_op *op, struct hc_error *err)
{
    if (at->op >= 0) {
        int32_t guess = census->next[at->op];
        if (same_op(&census->ops[guess], op)) {
            at->op = guess;
            return HC_OK;
        }
    }
    int32_t index = 0;
    if (insert_op(census, op, &index, err))
        return err->status;
    if (at->op >= 0)
        census->next[at->op] = index;
    at->op = index;
    return HC_OK;
}

/* ---- adding rows ---- */

/* A cell costs one bit for each op known. Steps that share their ops, as real ones do, take about a
 * 64th of a word for each row; a hostile trace whose steps have no op in common would take steps
 * times ops bits, so that is refused. */
enum hc_status hc_census_charge(struct hc_census *census, size_t n_words, struct hc_error *err)
{
    census->n_words += (int64_t)n_words;
    if (census->n_words <= FREE_WORDS + 4 * census->n_rows)
        return HC_OK;
    return hc_fail(
        err, HC_BAD_INPUT,
        "%zu different ops in %zu steps of only %" PRId64
        " rows: steps that have hardly an op in common are no timeline of a training job",
        census->n_ops, census->n_steps, census->n_rows);
}

void hc_census_describe(char *text, size_t size, const struct hc_census_op *op)
{
    int n = snprintf(text, size, "%s seq %d, stage %d", hc_op_type_name(op->op_type), op->seq_id,
                     op->stage);
    if (op->model_chunk != HC_MISSING_I32 && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", mc %d", op->model_chunk);
}

static enum hc_status too_many_ops(const struct hc_census *census, const struct cursor *at,
                                   struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT,
                   "step %d has more than %" PRIu32 " ops of dp_rank %d: its graph would take "
                   "gigabytes; raise --max-step-ops if it is a step of one training job",
                   at->step, census->max_step_ops, at->dp_rank);
}

static enum hc_status mark(struct hc_census *census, const struct cursor *at, struct hc_error *err)
{
    struct hc_census_cell *cell = at->cell;
    uint32_t word = (uint32_t)at->op / HC_CENSUS_WORD_BITS;
    if (word >= cell->n_words) {
        size_t capacity = cell->n_words;
        if (hc_reserve(&cell->bits, &capacity, word + 1, sizeof *cell->bits, err))
            return err->status;
        memset(cell->bits + cell->n_words, 0, (capacity - cell->n_words) * sizeof *cell->bits);
        if (hc_census_charge(census, capacity - cell->n_words, err))
            return err->status;
        cell->n_words = (uint32_t)capacity;
    }
    uint64_t bit = 1ull << (at->op % HC_CENSUS_WORD_BITS);
    if (cell->n_rows == census->max_step_ops)
        return too_many_ops(census, at, err);
    cell->n_rows++;
    census->n_rows++;
    if (!(cell->bits[word] & bit)) {
        cell->bits[word] |= bit;
        return HC_OK;
    }
    struct hc_census_step *step = &census->steps[at->step_index];
    census->n_duplicates++;
    if (step->n_duplicate++ == 0 && !step->detail[0]) {
        char op[96];
        hc_census_describe(op, sizeof op, &census->ops[at->op]);
        snprintf(step->detail, sizeof step->detail, "two rows for %s, dp_rank %d", op, at->dp_rank);
    }
    return HC_OK;
}

/* Parsers let only rows pass that have a place and a time, but a segment file may come from
 * anywhere, and from here on these numbers are used as indices. */
static enum hc_status check_place(const struct hc_op_columns *row, size_t i, struct hc_error *err)
{
    int32_t dp_rank = row->dp_rank[i], stage = row->stage[i];
    if (row->step[i] >= 0 && dp_rank >= 0 && dp_rank < INT32_MAX && stage >= 0 &&
        stage < INT32_MAX && row->rank[i] >= 0)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "a row of step %d has dp_rank %d, stage %d, rank %d: they count from 0 to %d",
                   row->step[i], dp_rank, stage, row->rank[i], INT32_MAX - 1);
}

static enum hc_status note_times(struct hc_census_step *step, int64_t start_ns, int64_t duration_ns,
                                 struct hc_error *err)
{
    if (duration_ns < 0 || duration_ns > HC_OPS_TIME_LIMIT || start_ns < -HC_OPS_TIME_LIMIT ||
        start_ns > HC_OPS_TIME_LIMIT - duration_ns)
        return hc_fail(err, HC_BAD_INPUT,
                       "step %d: an op starts at %" PRId64 " ns and lasts %" PRId64
                       " ns: out of range",
                       step->step, start_ns, duration_ns);
    if (start_ns < step->first_start_ns)
        step->first_start_ns = start_ns;
    if (start_ns + duration_ns > step->last_end_ns)
        step->last_end_ns = start_ns + duration_ns;
    return HC_OK;
}

static enum hc_status move_cursor(struct hc_census *census, const struct hc_op_columns *row,
                                  size_t i, struct cursor *at, struct hc_error *err)
{
    if (check_place(row, i, err) || find_step(census, row->step[i], &at->step_index, err) ||
        find_cell(census, at->step_index, row->dp_rank[i], &at->cell, err) ||
        check_worker(census, row->dp_rank[i], row->stage[i], row->rank[i], err))
        return err->status;
    at->step = row->step[i];
    at->dp_rank = row->dp_rank[i];
    at->stage = row->stage[i];
    at->rank = row->rank[i];
    return HC_OK;
}

enum hc_status hc_census_add(struct hc_census *census, const struct hc_table *ops,
                             int32_t *op_index, struct hc_error *err)
{
    struct hc_op_columns row = hc_op_columns(ops);
    struct cursor at = {.op = -1};
    for (size_t i = 0; i < ops->n_rows; i++) {
        if (!at.cell || row.step[i] != at.step || row.dp_rank[i] != at.dp_rank ||
            row.stage[i] != at.stage || row.rank[i] != at.rank) {
            if (move_cursor(census, &row, i, &at, err))
                return err->status;
        }
        struct hc_census_op op = {row.op_type[i], row.seq_id[i], row.stage[i], row.model_chunk[i]};
        if (find_op(census, &at, &op, err) || mark(census, &at, err))
            return err->status;
        if (op_index)
            op_index[i] = at.op;
        if (note_times(&census->steps[at.step_index], row.start_ns[i], row.duration_ns[i], err))
            return err->status;
    }
    return HC_OK;
}

/* ---- looking ---- */

size_t hc_census_n_steps(const struct hc_census *census)
{
    return census->n_steps;
}

const struct hc_census_step *hc_census_steps(const struct hc_census *census)
{
    return census->steps;
}

size_t hc_census_n_ops(const struct hc_census *census)
{
    return census->n_ops;
}

const struct hc_census_op *hc_census_ops(const struct hc_census *census)
{
    return census->ops;
}

int32_t hc_census_dp_size(const struct hc_census *census)
{
    return census->dp_size;
}

int32_t hc_census_n_stages(const struct hc_census *census)
{
    return census->n_stages;
}

int64_t hc_census_n_rows(const struct hc_census *census)
{
    return census->n_rows;
}

int64_t hc_census_n_duplicates(const struct hc_census *census)
{
    return census->n_duplicates;
}

int32_t hc_census_rank(const struct hc_census *census, int32_t dp_rank, int32_t stage)
{
    int64_t entry = hc_int_map_find(&census->worker_map, pair_key((uint32_t)dp_rank, stage));
    return entry < 0 ? HC_MISSING_I32 : census->worker_map.values[entry];
}

void hc_census_fill_steps(const struct hc_census *census, struct hc_table *steps)
{
    for (size_t i = 0; i < census->n_steps; i++) {
        const struct hc_census_step *step = &census->steps[i];
        size_t row = steps->n_rows++;
        hc_table_i32(steps, HC_STEPS_STEP)[row] = step->step;
        hc_table_i64(steps, HC_STEPS_FIRST_START_NS)[row] = step->first_start_ns;
        hc_table_i64(steps, HC_STEPS_LAST_END_NS)[row] = step->last_end_ns;
        hc_table_i64(steps, HC_STEPS_N_OPS)[row] = step->n_rows;
        hc_table_i32(steps, HC_STEPS_STRUCTURE)[row] =
            step->structure < 0 ? HC_MISSING_I32 : step->structure;
        hc_table_i64(steps, HC_STEPS_BAD)[row] = step->n_bad;
        hc_table_i64(steps, HC_STEPS_DUPLICATE)[row] = step->n_duplicate;
        hc_table_i64(steps, HC_STEPS_ABSENT)[row] = step->n_absent;
    }
}
