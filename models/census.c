#include "models/census.h"

#include "core/int_map.h"
#include "core/memory.h"
#include "core/op_table.h"
#include "core/op_type.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define WORD_BITS 64
/* Bits of an op's key: type, stage, seq id, model chunk (+ 1, so that "none" is 0). */
#define STAGE_BITS 20
#define SEQ_BITS   24
#define CHUNK_BITS 14
/* Words that any trace may take, besides four a row (8 MB). */
#define FREE_WORDS (1 << 20)

/* Which ops one (step, dp rank) has. */
struct cell {
    uint64_t *bits; /* by op index */
    uint32_t n_words;
    uint32_t n_rows;
    int32_t dp_rank;
};

/* The cells of a step: only the dp ranks that it has, so that a stray dp rank of a billion costs no
 * memory. Ascending by dp rank after hc_census_finish. */
struct step_cells {
    size_t n_cells, capacity;
    struct cell *cells;
};

struct structure {
    uint64_t *bits;
    size_t n_words;
};

struct hc_census {
    struct hc_int_map op_map; /* key of an op -> its index (the entry itself) */
    size_t n_ops, ops_capacity, next_capacity;
    struct hc_census_op *ops;
    int32_t *next; /* the op that followed last time: rows mostly come in the same order */

    struct hc_int_map step_map; /* step -> entry */
    size_t n_steps, steps_capacity, cells_capacity;
    struct hc_census_step *steps;
    struct step_cells *cells;
    struct hc_int_map cell_map; /* (step index, dp rank) -> index among the cells of the step */
    struct hc_int_map dp_map;   /* dp ranks seen */

    struct hc_int_map worker_map; /* (dp rank, stage) -> rank */
    struct hc_int_map rank_map;   /* rank -> entry of worker_map */
    int64_t dp_size;              /* a dp rank may be INT32_MAX until hc_census_finish */
    int32_t n_stages;
    int64_t n_rows;
    int64_t n_words; /* of all cells and structures */

    size_t n_structures, structures_capacity;
    struct structure *structures;
};

/* Where the last row went: rows come in runs of one step, dp rank and worker. */
struct cursor {
    int32_t step, dp_rank, stage, rank;
    size_t step_index;
    struct cell *cell;
    int32_t op;
};

enum hc_status hc_census_new(struct hc_census **census, struct hc_error *err)
{
    *census = hc_new_array(1, sizeof **census, err);
    return *census ? HC_OK : err->status;
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
        free(census->structures[i].bits);
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
                                struct cell **cell, struct hc_error *err)
{
    struct step_cells *row = &census->cells[step];
    size_t entry = 0, seen = 0;
    if (hc_int_map_insert(&census->cell_map, pair_key(step, dp_rank), (int32_t)row->n_cells, &entry,
                          err))
        return err->status;
    size_t index = (size_t)census->cell_map.values[entry];
    if (index == row->n_cells) {
        if (hc_reserve(&row->cells, &row->capacity, index + 1, sizeof *row->cells, err) ||
            hc_int_map_insert(&census->dp_map, (uint32_t)dp_rank, 0, &seen, err))
            return err->status;
        row->cells[row->n_cells++] = (struct cell){.dp_rank = dp_rank};
        if (dp_rank >= census->dp_size)
            census->dp_size = (int64_t)dp_rank + 1;
    }
    *cell = &row->cells[index];
    return HC_OK;
}

/* One rank stands for one (dp rank, stage) and the other way round. */
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
    return HC_OK;
}

static enum hc_status insert_op(struct hc_census *census, const struct hc_census_op *op,
                                int32_t *index, struct hc_error *err)
{
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
        if (op->stage >= census->n_stages)
            census->n_stages = op->stage + 1;
    }
    *index = (int32_t)entry;
    return HC_OK;
}

static bool same_op(const struct hc_census_op *a, const struct hc_census_op *b)
{
    return a->seq_id == b->seq_id && a->op_type == b->op_type && a->stage == b->stage &&
           a->model_chunk == b->model_chunk;
}

/* The op after the cursor's, guessed from what followed it last time. */
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

/* A cell costs a bit for each op known, so steps that have nothing in common would cost the product
 * of steps and ops. Real steps share their ops: their words are about a 64th of the rows. */
static enum hc_status charge_words(struct hc_census *census, size_t n_words, struct hc_error *err)
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

static void describe_op(char *text, size_t size, const struct hc_census_op *op)
{
    int n = snprintf(text, size, "%s seq %d, stage %d", hc_op_type_name(op->op_type), op->seq_id,
                     op->stage);
    if (op->model_chunk != HC_MISSING_I32 && n > 0 && (size_t)n < size)
        snprintf(text + n, size - (size_t)n, ", mc %d", op->model_chunk);
}

static enum hc_status mark(struct hc_census *census, const struct cursor *at, struct hc_error *err)
{
    struct cell *cell = at->cell;
    uint32_t word = (uint32_t)at->op / WORD_BITS;
    if (word >= cell->n_words) {
        size_t capacity = cell->n_words;
        if (hc_reserve(&cell->bits, &capacity, word + 1, sizeof *cell->bits, err))
            return err->status;
        memset(cell->bits + cell->n_words, 0, (capacity - cell->n_words) * sizeof *cell->bits);
        if (charge_words(census, capacity - cell->n_words, err))
            return err->status;
        cell->n_words = (uint32_t)capacity;
    }
    uint64_t bit = 1ull << (at->op % WORD_BITS);
    cell->n_rows++;
    census->n_rows++;
    if (!(cell->bits[word] & bit)) {
        cell->bits[word] |= bit;
        return HC_OK;
    }
    struct hc_census_step *step = &census->steps[at->step_index];
    if (step->n_duplicate++ == 0 && !step->detail[0]) {
        char op[96];
        describe_op(op, sizeof op, &census->ops[at->op]);
        snprintf(step->detail, sizeof step->detail, "two rows for %s, dp_rank %d", op, at->dp_rank);
    }
    return HC_OK;
}

static enum hc_status move_cursor(struct hc_census *census, const struct hc_op_columns *row,
                                  size_t i, struct cursor *at, struct hc_error *err)
{
    if (find_step(census, row->step[i], &at->step_index, err) ||
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
        struct hc_census_step *step = &census->steps[at.step_index];
        int64_t end_ns = 0;
        if (__builtin_add_overflow(row.start_ns[i], row.duration_ns[i], &end_ns))
            return hc_fail(err, HC_BAD_INPUT, "step %d: start_ts + duration is out of range",
                           row.step[i]);
        if (row.start_ns[i] < step->first_start_ns)
            step->first_start_ns = row.start_ns[i];
        if (end_ns > step->last_end_ns)
            step->last_end_ns = end_ns;
    }
    return HC_OK;
}

/* ---- comparing ---- */

static uint64_t word_at(const struct cell *cell, size_t word)
{
    return word < cell->n_words ? cell->bits[word] : 0;
}

/* All ops that some dp rank of the step has, in bits[n_words]. */
static void unite(const struct step_cells *row, uint64_t *bits, size_t n_words)
{
    memset(bits, 0, n_words * sizeof *bits);
    for (size_t d = 0; d < row->n_cells; d++)
        for (size_t w = 0; w < n_words; w++)
            bits[w] |= word_at(&row->cells[d], w);
}

/* Ops that cell lacks of the union; the first is described when nothing else was wrong. */
static int64_t count_lacking(const struct hc_census *census, struct hc_census_step *step,
                             const struct cell *cell, const uint64_t *bits, size_t n_words)
{
    int64_t n_lacking = 0;
    for (size_t w = 0; w < n_words; w++) {
        uint64_t lacking = bits[w] & ~word_at(cell, w);
        if (lacking && !step->detail[0]) {
            char op[96];
            describe_op(op, sizeof op,
                        &census->ops[w * WORD_BITS + (size_t)__builtin_ctzll(lacking)]);
            snprintf(step->detail, sizeof step->detail, "dp_rank %d lacks %s", cell->dp_rank, op);
        }
        n_lacking += __builtin_popcountll(lacking);
    }
    return n_lacking;
}

static int64_t count_absent(const struct hc_census *census, struct hc_census_step *step,
                            const struct step_cells *row, const uint64_t *bits, size_t n_words)
{
    int64_t n_absent = 0, n_ops = 0;
    for (size_t d = 0; d < row->n_cells; d++)
        n_absent += count_lacking(census, step, &row->cells[d], bits, n_words);
    if (row->n_cells == (size_t)census->dp_size)
        return n_absent;
    for (size_t w = 0; w < n_words; w++)
        n_ops += __builtin_popcountll(bits[w]);
    size_t gap = 0;
    while (gap < row->n_cells && row->cells[gap].dp_rank == (int32_t)gap)
        gap++;
    if (!step->detail[0])
        snprintf(step->detail, sizeof step->detail, "dp_rank %zu has no rows", gap);
    return n_absent + n_ops * (census->dp_size - (int64_t)row->n_cells);
}

static enum hc_status number_structure(struct hc_census *census, struct hc_census_step *step,
                                       const uint64_t *bits, size_t n_words, struct hc_error *err)
{
    for (size_t i = 0; i < census->n_structures; i++)
        if (memcmp(census->structures[i].bits, bits, n_words * sizeof *bits) == 0) {
            step->structure = (int32_t)i;
            return HC_OK;
        }
    if (charge_words(census, n_words, err) ||
        hc_reserve(&census->structures, &census->structures_capacity, census->n_structures + 1,
                   sizeof *census->structures, err))
        return err->status;
    uint64_t *copy = hc_new_array(n_words, sizeof *copy, err);
    if (!copy)
        return err->status;
    memcpy(copy, bits, n_words * sizeof *bits);
    census->structures[census->n_structures] = (struct structure){copy, n_words};
    step->structure = (int32_t)census->n_structures++;
    return HC_OK;
}

static enum hc_status finish_step(struct hc_census *census, size_t index, uint64_t *bits,
                                  struct hc_row_report *report, struct hc_error *err)
{
    struct hc_census_step *step = &census->steps[index];
    const struct step_cells *row = &census->cells[index];
    size_t n_words = census->n_ops / WORD_BITS + 1;
    for (size_t d = 0; d < row->n_cells; d++)
        step->n_rows += row->cells[d].n_rows;
    unite(row, bits, n_words);
    bool was_clean = !step->detail[0];
    step->n_absent = count_absent(census, step, row, bits, n_words);
    int64_t bad = hc_int_map_find(&report->bad_steps, (uint32_t)step->step);
    step->n_bad = bad < 0 ? 0 : report->bad_steps.values[bad];
    if (step->n_duplicate && !report->count[HC_BAD_DUPLICATE])
        snprintf(report->example[HC_BAD_DUPLICATE], sizeof report->example[0], "step %d: %s",
                 step->step, step->detail);
    if (step->n_absent && was_clean && !report->example[HC_BAD_ABSENT][0])
        snprintf(report->example[HC_BAD_ABSENT], sizeof report->example[0], "step %d: %s",
                 step->step, step->detail);
    report->count[HC_BAD_DUPLICATE] += step->n_duplicate;
    report->count[HC_BAD_ABSENT] += step->n_absent;
    if (step->n_bad && !step->detail[0])
        snprintf(step->detail, sizeof step->detail, "%" PRId64 " rows could not be read",
                 step->n_bad);
    if (step->n_absent)
        return HC_OK;
    return number_structure(census, step, bits, n_words, err);
}

/* Steps in ascending order, and the cells of each by dp rank. */
static enum hc_status sort_steps(struct hc_census *census, struct hc_error *err);

/* A dp rank without any row would leave no step complete. */
static enum hc_status fail_unseen_dp_rank(const struct hc_census *census, struct hc_error *err)
{
    int32_t dp_rank = 0;
    while (hc_int_map_find(&census->dp_map, (uint32_t)dp_rank) >= 0)
        dp_rank++;
    return hc_fail(err, HC_BAD_INPUT,
                   "dp_rank %d has no rows in any step, though dp_rank %" PRId64
                   " has: ranks count from 0 without gaps",
                   dp_rank, census->dp_size - 1);
}

enum hc_status hc_census_finish(struct hc_census *census, struct hc_row_report *report,
                                struct hc_error *err)
{
    if (census->dp_map.n < (size_t)census->dp_size)
        return fail_unseen_dp_rank(census, err);
    uint64_t *bits = hc_new_array(census->n_ops / WORD_BITS + 1, sizeof *bits, err);
    enum hc_status status = bits ? sort_steps(census, err) : err->status;
    for (size_t i = 0; status == HC_OK && i < census->n_steps; i++)
        status = finish_step(census, i, bits, report, err);
    free(bits);
    return status;
}

struct sort_entry {
    int32_t step;
    size_t index;
};

static int compare_steps(const void *a, const void *b)
{
    const struct sort_entry *x = a, *y = b;
    return (x->step > y->step) - (x->step < y->step);
}

static int compare_cells(const void *a, const void *b)
{
    const struct cell *x = a, *y = b;
    return (x->dp_rank > y->dp_rank) - (x->dp_rank < y->dp_rank);
}

static enum hc_status sort_steps(struct hc_census *census, struct hc_error *err)
{
    size_t n = census->n_steps;
    struct sort_entry *order = hc_new_array(n, sizeof *order, err);
    struct hc_census_step *steps = order ? hc_new_array(n, sizeof *steps, err) : NULL;
    struct step_cells *cells = steps ? hc_new_array(n, sizeof *cells, err) : NULL;
    if (!cells) {
        free(order);
        free(steps);
        return err->status;
    }
    for (size_t i = 0; i < n; i++)
        order[i] = (struct sort_entry){census->steps[i].step, i};
    qsort(order, n, sizeof *order, compare_steps);
    for (size_t i = 0; i < n; i++) {
        steps[i] = census->steps[order[i].index];
        cells[i] = census->cells[order[i].index];
        qsort(cells[i].cells, cells[i].n_cells, sizeof *cells[i].cells, compare_cells);
    }
    free(census->steps);
    free(census->cells);
    census->steps = steps;
    census->cells = cells;
    free(order);
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
    return (int32_t)census->dp_size;
}

int32_t hc_census_n_stages(const struct hc_census *census)
{
    return census->n_stages;
}

int64_t hc_census_n_rows(const struct hc_census *census)
{
    return census->n_rows;
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
