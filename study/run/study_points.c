/* Many points of a study, each kept as its values only. */
#include "study/run/study_work.h"

#include "core/base/memory.h"
#include "core/process/threads.h"

#include <stdlib.h>

#define BATCH     256                 /* points that are bound at a time */
#define MOST_KEPT ((size_t)256 << 20) /* bytes of points that are bound before anything runs */

/* ---- one point ---- */

/* What one thread needs to run points. */
struct bench_of_cells {
    struct hc_arena arena;
    void *replicas; /* [block] */
    struct hc_figure_value *sample;
    struct hc_study_tally tally;
};

static void add_replica(struct hc_study_work *work, struct bench_of_cells *bench,
                        const struct hc_figure_scale *scale, const void *replica)
{
    const struct hc_figure_value *const sample = bench->sample;
    hc_study_sample(&work->columns, replica, scale, bench->sample);
    hc_study_tally_add(&bench->tally, &sample);
}

static enum hc_status run_cell(struct hc_study_work *work, struct bench_of_cells *bench,
                               const struct hc_engine_point *point, struct hc_study_cell *cell,
                               struct hc_error *err)
{
    const struct hc_engine *engine = work->scenario->engine;
    const struct hc_figure_scale scale = {point->config, work->study->price_per_gpu_h,
                                          work->study->done_by_d};
    double confidence = point->settings.confidence;
    uint64_t all = (uint64_t)work->study->replicas;
    for (uint64_t at = 0; at < all; at += work->block) {
        size_t n = all - at < work->block ? (size_t)(all - at) : work->block;
        if (engine->run(point->config, at, n, bench->replicas, err))
            return err->status;
        for (size_t i = 0; i < n; i++) {
            const void *replica = hc_study_replica(work, bench->replicas, i);
            add_replica(work, bench, &scale, replica);
            cell->n_unfinished += engine->is_finished && !engine->is_finished(replica);
        }
        cell->n_replicas += n;
        hc_study_progress(work, n);
        if (hc_study_is_enough(work, &bench->tally, confidence))
            break;
    }
    for (size_t i = 0; i < work->columns.n; i++)
        cell->value[i] = hc_study_tally_value(&bench->tally, i, confidence);
    return HC_OK;
}

static enum hc_status start_cell(struct hc_study_work *work, struct bench_of_cells *bench,
                                 struct hc_error *err)
{
    if (!bench->replicas) {
        bench->replicas = hc_new_array(work->block, work->scenario->engine->replica_size, err);
        bench->sample = hc_new_array(work->columns.n, sizeof *bench->sample, err);
        if (!bench->replicas || !bench->sample)
            return err->status;
    }
    hc_arena_fini(&bench->arena);
    if (hc_study_tally_init(&bench->tally, &work->columns, 1, false, &bench->arena, err))
        return err->status;
    bench->tally.factor[0] = 1;
    return HC_OK;
}

static void bench_fini(struct bench_of_cells *bench)
{
    free(bench->replicas);
    free(bench->sample);
    hc_arena_fini(&bench->arena);
}

/* ---- a batch ---- */

struct batch {
    struct hc_study_work *work;
    size_t n, failed_at;
    struct hc_engine_point *point; /* [n] */
    struct hc_study_cell *cell;
    struct hc_error err;
};

static void fail_batch(struct batch *batch, size_t at, const struct hc_error *err)
{
#pragma omp critical(hc_study_batch)
    if (at < batch->failed_at) {
        batch->failed_at = at;
        batch->err = *err;
    }
}

static void run_share(struct batch *batch)
{
    struct bench_of_cells bench = {.replicas = NULL};
    struct hc_error err = {.status = HC_OK};
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < batch->n; i++)
        if (start_cell(batch->work, &bench, &err) ||
            run_cell(batch->work, &bench, &batch->point[i], &batch->cell[i], &err))
            fail_batch(batch, i, &err);
    bench_fini(&bench);
}

/* Points side by side where they are many, else the replicas of one. */
static enum hc_status run_batch(struct batch *batch, struct hc_error *err)
{
    int threads = batch->work->threads;
    bool is_many = batch->n >= 2 * (size_t)threads;
    for (size_t i = 0; i < batch->n && is_many; i++)
        hc_scenario_settle(batch->work->scenario, &batch->point[i], 1);
    batch->failed_at = batch->n;
    if (is_many) {
        threads = hc_threads_raise(threads);
#pragma omp parallel num_threads(threads)
        run_share(batch);
    } else { /* in no region, not even of one thread: within one, OpenMP makes threads anew each
                time */
        run_share(batch);
    }
    if (batch->failed_at == batch->n)
        return HC_OK;
    *err = batch->err;
    return err->status;
}

/* ---- binding ---- */

static enum hc_status bind_one(struct hc_study_work *work, const struct hc_study_points *points,
                               size_t i, struct hc_engine_point *point, struct hc_error *err)
{
    struct hc_study_spot spot;
    return points->make(points->context, i, &spot, err) ? err->status
                                                        : hc_study_bind(work, &spot, point, err);
}

enum hc_status hc_study_bind_spots(struct hc_study_work *work, struct hc_study_points *points,
                                   struct hc_error *err)
{
    struct hc_arena *arena = &work->scenario->arena;
    size_t taken = 0;
    points->n_kept = 0;
    points->kept = hc_arena_new(work->arena, points->n * sizeof *points->kept, err);
    if (!points->kept)
        return err->status;
    for (size_t i = 0; i < points->n; i++) {
        struct hc_arena_mark mark = hc_arena_mark(arena);
        if (bind_one(work, points, i, &points->kept[i], err))
            return err->status;
        taken += hc_arena_taken(arena, mark);
        if (points->n_kept == i && taken <= MOST_KEPT)
            points->n_kept++;
        else
            hc_arena_release(arena, mark);
    }
    return HC_OK;
}

/* Point the batch at the n points from `at`; those that were not kept are bound into `anew`. */
static enum hc_status take_batch(struct batch *batch, const struct hc_study_points *points,
                                 size_t at, struct hc_engine_point *anew, struct hc_error *err)
{
    bool are_kept = at < points->n_kept;
    size_t end = are_kept ? points->n_kept : points->n;
    batch->n = end - at < BATCH ? end - at : BATCH;
    batch->point = are_kept ? points->kept + at : anew;
    for (size_t i = 0; i < batch->n && !are_kept; i++)
        if (bind_one(batch->work, points, at + i, &anew[i], err))
            return err->status;
    return HC_OK;
}

/* ---- running ---- */

enum hc_status hc_study_run_points(struct hc_study_work *work, struct hc_study_points *points,
                                   struct hc_study_cell *cell, struct hc_error *err)
{
    struct batch batch = {.work = work};
    struct hc_engine_point anew[BATCH];
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < points->n; i++) {
        cell[i] = (struct hc_study_cell){
            .value = hc_arena_new(work->arena, work->columns.n * sizeof *cell[i].value, err)};
        if (!cell[i].value)
            return err->status;
    }
    for (size_t at = 0; at < points->n && status == HC_OK; at += batch.n) {
        struct hc_arena_mark mark = hc_arena_mark(&work->scenario->arena);
        batch.cell = cell + at;
        status = take_batch(&batch, points, at, anew, err);
        if (status == HC_OK)
            status = run_batch(&batch, err);
        hc_arena_release(&work->scenario->arena, mark);
    }
    return status;
}

enum hc_status hc_study_run_spots(struct hc_study_work *work, size_t n, hc_study_spot_maker *make,
                                  void *context, struct hc_study_cell *cell, struct hc_error *err)
{
    struct hc_study_points points = {.n = n, .make = make, .context = context};
    return hc_study_run_points(work, &points, cell, err);
}
