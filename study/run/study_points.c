/* Many points of a study, each kept as its values only. */
#include "study/run/study_work.h"

#include "core/base/memory.h"

#include <stdlib.h>

#define BATCH 256 /* points that are bound at a time */

/* ---- one point ---- */

/* What one thread needs to run points. */
struct bench_of_cells {
    struct hc_arena arena;
    struct hc_lifetime_replica *replica; /* [block] */
    struct hc_figure_value *sample;
    struct hc_study_tally tally;
};

static enum hc_status run_cell(struct hc_study_work *work, struct bench_of_cells *bench,
                               const struct hc_lifetime_config *config, struct hc_study_cell *cell,
                               struct hc_error *err)
{
    struct hc_figure_scale scale = hc_study_scale(work, config);
    const struct hc_figure_value *const sample = bench->sample;
    uint64_t all = (uint64_t)work->study->replicas;
    for (uint64_t at = 0; at < all; at += work->block) {
        size_t n = all - at < work->block ? (size_t)(all - at) : work->block;
        if (hc_lifetime_run(config, at, n, bench->replica, err))
            return err->status;
        for (size_t i = 0; i < n; i++) {
            hc_study_sample(&work->columns, &bench->replica[i], &scale, bench->sample);
            hc_study_tally_add(&bench->tally, &sample);
            cell->n_unfinished += !bench->replica[i].finished;
        }
        cell->n_replicas += n;
        hc_study_progress(work, n);
        if (hc_study_is_enough(work, &bench->tally, config->confidence))
            break;
    }
    for (size_t i = 0; i < work->columns.n; i++)
        cell->value[i] = hc_study_tally_value(&bench->tally, i, config->confidence);
    return HC_OK;
}

static enum hc_status start_cell(struct hc_study_work *work, struct bench_of_cells *bench,
                                 struct hc_error *err)
{
    if (!bench->replica) {
        bench->replica = hc_new_array(work->block, sizeof *bench->replica, err);
        bench->sample = hc_new_array(work->columns.n, sizeof *bench->sample, err);
        if (!bench->replica || !bench->sample)
            return err->status;
    }
    hc_arena_fini(&bench->arena);
    if (hc_study_tally_init(&bench->tally, &work->columns, 1, &bench->arena, err))
        return err->status;
    bench->tally.factor[0] = 1;
    return HC_OK;
}

static void bench_fini(struct bench_of_cells *bench)
{
    free(bench->replica);
    free(bench->sample);
    hc_arena_fini(&bench->arena);
}

/* ---- a batch ---- */

struct batch {
    struct hc_study_work *work;
    size_t n, failed_at;
    struct hc_lifetime_config *config; /* [n] */
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
    struct bench_of_cells bench = {.replica = NULL};
    struct hc_error err = {.status = HC_OK};
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < batch->n; i++)
        if (start_cell(batch->work, &bench, &err) ||
            run_cell(batch->work, &bench, &batch->config[i], &batch->cell[i], &err))
            fail_batch(batch, i, &err);
    bench_fini(&bench);
}

/* Points side by side where they are many, else the replicas of one. */
static enum hc_status run_batch(struct batch *batch, struct hc_error *err)
{
    int threads = batch->work->threads;
    bool is_many = batch->n >= 2 * (size_t)threads;
    for (size_t i = 0; i < batch->n && is_many; i++)
        batch->config[i].threads = 1;
    batch->failed_at = batch->n;
    if (is_many) {
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

static enum hc_status bind_batch(struct batch *batch, size_t first, hc_study_spot_maker *make,
                                 void *context, struct hc_error *err)
{
    for (size_t i = 0; i < batch->n; i++) {
        struct hc_study_spot spot;
        if (make(context, first + i, &spot, err) ||
            hc_study_bind(batch->work, &spot, &batch->config[i], err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_study_check_spots(struct hc_study_work *work, size_t n, hc_study_spot_maker *make,
                                    void *context, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n && status == HC_OK; i++) {
        struct hc_arena_mark mark = hc_arena_mark(&work->scenario->arena);
        struct hc_study_spot spot;
        struct hc_lifetime_config config;
        status = make(context, i, &spot, err);
        if (status == HC_OK)
            status = hc_study_bind(work, &spot, &config, err);
        hc_arena_release(&work->scenario->arena, mark);
    }
    return status;
}

enum hc_status hc_study_run_spots(struct hc_study_work *work, size_t n, hc_study_spot_maker *make,
                                  void *context, struct hc_study_cell *cell, struct hc_error *err)
{
    struct batch batch = {.work = work};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n; i++) {
        cell[i] = (struct hc_study_cell){
            .value = hc_arena_new(work->arena, work->columns.n * sizeof *cell[i].value, err)};
        if (!cell[i].value)
            return err->status;
    }
    batch.config = hc_new_array(n < BATCH ? n : BATCH, sizeof *batch.config, err);
    if (!batch.config)
        return err->status;
    for (size_t at = 0; at < n && status == HC_OK; at += BATCH) {
        struct hc_arena_mark mark = hc_arena_mark(&work->scenario->arena);
        batch.n = n - at < BATCH ? n - at : BATCH;
        batch.cell = cell + at;
        status = bind_batch(&batch, at, make, context, err);
        if (status == HC_OK)
            status = run_batch(&batch, err);
        hc_arena_release(&work->scenario->arena, mark);
    }
    free(batch.config);
    return status;
}
