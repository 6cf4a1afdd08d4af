#include "sim/edits/replay_shared.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* Of changes one in so many durations of a type has room: a median out of more of them takes as
 * long as one out of all durations. */
#define CHANGES_KEPT 8

#define MOST_KEPT 64 /* selectors; a sweep over what they say is not kept beyond */

struct kept_rows {
    const void *identity;
    bool with_pairs;
    struct hc_selected_rows rows;
};

struct hc_replay_shared {
    size_t n;
    struct kept_rows *kept[MOST_KEPT];
    struct hc_work_lanes *free; /* not in use */
};

struct hc_replay_shared *hc_replay_shared_new(struct hc_error *err)
{
    return hc_new_array(1, sizeof(struct hc_replay_shared), err);
}

/* ---- selectors ---- */

static const struct kept_rows *find_kept(const struct hc_replay_shared *shared,
                                         const void *identity, bool with_pairs)
{
    for (size_t i = 0; i < shared->n; i++)
        if (shared->kept[i]->identity == identity && shared->kept[i]->with_pairs == with_pairs)
            return shared->kept[i];
    return NULL;
}

/* Two threads may find the same at once: the second keeps its own. */
static bool keep(struct hc_replay_shared *shared, struct kept_rows *made)
{
    bool is_kept = false;
#pragma omp critical(hc_replay_shared)
    if (shared->n < MOST_KEPT && !find_kept(shared, made->identity, made->with_pairs)) {
        shared->kept[shared->n++] = made;
        is_kept = true;
    }
    return is_kept;
}

enum hc_status hc_shared_rows(const struct hc_selected_rows **rows, bool *own,
                              const struct hc_selector *selector, const struct hc_replay_base *base,
                              const struct hc_edit_draws *draws, bool with_pairs,
                              struct hc_error *err)
{
    const struct kept_rows *found = NULL;
    *own = false;
    if (selector->identity) {
#pragma omp critical(hc_replay_shared)
        found = find_kept(base->shared, selector->identity, with_pairs);
    }
    if (found) {
        *rows = &found->rows;
        return HC_OK;
    }
    struct kept_rows *made = hc_new_array(1, sizeof *made, err);
    if (!made)
        return err->status;
    made->identity = selector->identity;
    made->with_pairs = with_pairs;
    if (hc_selected_rows_find(&made->rows, selector, base, draws, with_pairs, err)) {
        hc_selected_rows_fini(&made->rows);
        free(made);
        return err->status;
    }
    *own = !selector->identity || !keep(base->shared, made);
    *rows = &made->rows;
    return HC_OK;
}

void hc_shared_rows_release(const struct hc_selected_rows *rows)
{
    struct kept_rows *made = (struct kept_rows *)(void *)((unsigned char *)(uintptr_t)rows -
                                                          offsetof(struct kept_rows, rows));
    hc_selected_rows_fini(&made->rows);
    free(made);
}

/* ---- lanes ---- */

static void rows_fini(struct hc_lane_rows *rows, const struct hc_replay_base *base)
{
    for (size_t i = 0; rows->duration && i < base->lanes.n_structures; i++) {
        for (size_t k = 0; rows->duration[i] && k < base->lanes.structures[i].n_blocks; k++)
            free(rows->duration[i][k]);
        free(rows->duration[i]);
    }
    free(rows->duration);
}

static enum hc_status rows_init(struct hc_lane_rows *rows, const struct hc_replay_base *base,
                                bool is_copy, struct hc_error *err)
{
    const struct hc_step_lanes *lanes = &base->lanes;
    rows->duration = hc_new_array(lanes->n_structures, sizeof *rows->duration, err);
    for (size_t i = 0; i < lanes->n_structures && rows->duration; i++) {
        const struct hc_step_structure *of = &lanes->structures[i];
        rows->duration[i] = hc_new_array(of->n_blocks, sizeof(double *), err);
        for (size_t k = 0; k < of->n_blocks && rows->duration[i]; k++) {
            size_t n = of->order.n_ops * of->blocks[k].stride;
            double *to = rows->duration[i][k] = hc_new_aligned(n, sizeof *to, err);
            if (!to)
                return err->status;
            if (is_copy)
                memcpy(to, of->blocks[k].duration, n * sizeof *to);
            else
                memset(to, 0, n * sizeof *to);
        }
        if (!rows->duration[i])
            return err->status;
    }
    return rows->duration ? HC_OK : err->status;
}

static void work_lanes_free(struct hc_work_lanes *lanes, const struct hc_replay_base *base)
{
    rows_fini(&lanes->rows, base);
    rows_fini(&lanes->delays, base);
    for (size_t i = 0; lanes->is_changed && i < base->lanes.n_structures; i++) {
        for (size_t k = 0; lanes->is_changed[i] && k < base->lanes.structures[i].n_blocks; k++)
            free(lanes->is_changed[i][k]);
        free(lanes->is_changed[i]);
    }
    free(lanes->is_changed);
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        hc_change_log_fini(&lanes->changes[type]);
    free(lanes);
}

static enum hc_status new_logs(struct hc_work_lanes *lanes, const struct hc_replay_base *base,
                               struct hc_error *err)
{
    for (int type = 0; type < HC_N_OP_TYPES; type++) {
        size_t room = hc_ideal_is_mean(type) ? 0 : (size_t)base->ideals.n[type] / CHANGES_KEPT;
        if (hc_change_log_init(&lanes->changes[type], room, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status new_marks(struct hc_work_lanes *lanes, const struct hc_replay_base *base,
                                struct hc_error *err)
{
    size_t n = base->lanes.n_structures;
    lanes->is_changed = hc_new_array(n, sizeof *lanes->is_changed, err);
    for (size_t i = 0; i < n && lanes->is_changed; i++) {
        const struct hc_step_structure *of = &base->lanes.structures[i];
        lanes->is_changed[i] = hc_new_array(of->n_blocks, sizeof(uint8_t *), err);
        for (size_t k = 0; k < of->n_blocks && lanes->is_changed[i]; k++) {
            lanes->is_changed[i][k] = hc_new_array(of->order.n_ops, 1, err);
            if (!lanes->is_changed[i][k])
                return err->status;
        }
        if (!lanes->is_changed[i])
            return err->status;
    }
    return lanes->is_changed ? HC_OK : err->status;
}

struct hc_work_lanes *hc_work_lanes_take(const struct hc_replay_base *base, struct hc_error *err)
{
    struct hc_work_lanes *lanes = NULL;
#pragma omp critical(hc_replay_shared)
    if (base->shared->free) {
        lanes = base->shared->free;
        base->shared->free = lanes->next;
    }
    if (lanes)
        return lanes;
    lanes = hc_new_array(1, sizeof *lanes, err);
    if (lanes && (rows_init(&lanes->rows, base, true, err) || new_marks(lanes, base, err) ||
                  new_logs(lanes, base, err))) {
        work_lanes_free(lanes, base);
        return NULL;
    }
    return lanes;
}

enum hc_status hc_work_lanes_delay(struct hc_work_lanes *lanes, const struct hc_replay_base *base,
                                   struct hc_error *err)
{
    return lanes->delays.duration ? HC_OK : rows_init(&lanes->delays, base, false, err);
}

static void put_right(struct hc_work_lanes *lanes, const struct hc_replay_base *base, size_t i,
                      size_t k)
{
    const struct hc_step_structure *of = &base->lanes.structures[i];
    size_t stride = of->blocks[k].stride;
    uint8_t *is_changed = lanes->is_changed[i][k];
    for (size_t p = 0; p < of->order.n_ops; p++) {
        if (is_changed[p] & 1)
            memcpy(lanes->rows.duration[i][k] + p * stride, of->blocks[k].duration + p * stride,
                   stride * sizeof(double));
        if (is_changed[p] & 2)
            memset(lanes->delays.duration[i][k] + p * stride, 0, stride * sizeof(double));
        is_changed[p] = 0;
    }
}

void hc_work_lanes_give_back(struct hc_work_lanes *lanes, const struct hc_replay_base *base)
{
    if (!lanes)
        return;
    for (size_t i = 0; i < base->lanes.n_structures; i++)
        for (size_t k = 0; k < base->lanes.structures[i].n_blocks; k++)
            put_right(lanes, base, i, k);
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        hc_change_log_empty(&lanes->changes[type]);
#pragma omp critical(hc_replay_shared)
    {
        lanes->next = base->shared->free;
        base->shared->free = lanes;
    }
}

void hc_replay_shared_free(struct hc_replay_shared *shared, const struct hc_replay_base *base)
{
    if (!shared)
        return;
    for (size_t i = 0; i < shared->n; i++) {
        hc_selected_rows_fini(&shared->kept[i]->rows);
        free(shared->kept[i]);
    }
    for (struct hc_work_lanes *lanes = shared->free, *next; lanes; lanes = next) {
        next = lanes->next;
        work_lanes_free(lanes, base);
    }
    free(shared);
}
