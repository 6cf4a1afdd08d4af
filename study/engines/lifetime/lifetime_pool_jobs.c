/* Several jobs on one pool: the figures of each, and of the pool. The lives are those of the run,
 * lived again for the jobs that its values are not of. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "core/base/memory.h"
#include "sim/lifetime/pool/shared_pool.h"

#include <stdlib.h>

struct jobs_work {
    struct hc_study_work *work;
    struct hc_shared_pool pool;
    struct hc_shared_pool_lives lives; /* of a block */
    struct hc_study_tally *tally;      /* [n_jobs] */
    struct hc_figure_value *sample;
    struct hc_moments idle, total;
};

static void add_life(struct jobs_work *j, size_t which)
{
    const struct hc_figure_value *const sample = j->sample;
    const struct hc_lifetime_replica *life = &j->lives.job[which * j->pool.n_jobs];
    hc_gpu_ns total = j->lives.pool[which].idle;
    for (size_t i = 0; i < j->pool.n_jobs; i++) {
        struct hc_figure_scale scale = {&j->pool.job[i].config, j->work->study->price_per_gpu_h,
                                        j->work->study->done_by_d};
        hc_study_sample(&j->work->columns, &life[i], &scale, j->sample);
        hc_study_tally_add(&j->tally[i], &sample);
        total += hc_account_total(&life[i].account);
    }
    hc_moments_add(&j->idle, hc_gpu_hours(j->lives.pool[which].idle));
    hc_moments_add(&j->total, hc_gpu_hours(total));
}

static enum hc_status run_lives(struct jobs_work *j, uint64_t all, struct hc_error *err)
{
    size_t block = j->work->block;
    for (uint64_t at = 0; at < all; at += block) {
        size_t n = all - at < block ? (size_t)(all - at) : block;
        if (hc_shared_pool_run(&j->pool, at, n, &j->lives, err))
            return err->status;
        for (size_t i = 0; i < n; i++)
            add_life(j, i);
        hc_study_progress(j->work, n);
    }
    return HC_OK;
}

static struct hc_study_value value_of(const struct hc_moments *moments, double confidence)
{
    double half = hc_moments_half_width(moments, confidence), sd = hc_moments_sd(moments);
    if (moments->n < 2)
        return (struct hc_study_value){moments->mean, __builtin_nan(""), __builtin_nan(""),
                                       __builtin_nan("")};
    return hc_study_value_of(moments->mean, half, sd, 0);
}

/* All but the numbers; names live as long as the run. */
static enum hc_status new_jobs(struct jobs_work *j, struct hc_study_jobs *jobs,
                               struct hc_error *err)
{
    struct hc_study_work *work = j->work;
    jobs->n_jobs = j->pool.n_jobs;
    jobs->job = hc_arena_new(work->arena, jobs->n_jobs * sizeof *jobs->job, err);
    j->tally = hc_arena_new(work->arena, jobs->n_jobs * sizeof *j->tally, err);
    if (!jobs->job || !j->tally)
        return err->status;
    for (size_t i = 0; i < jobs->n_jobs; i++) {
        struct hc_study_job *job = &jobs->job[i];
        job->name = j->pool.job[i].name;
        job->nodes = j->pool.job[i].config.job.nodes;
        job->priority = j->pool.job[i].config.job.priority;
        job->value = hc_arena_new(work->arena, work->columns.n * sizeof *job->value, err);
        if (!job->value ||
            hc_study_tally_init(&j->tally[i], &work->columns, 1, false, work->arena, err))
            return err->status;
        j->tally[i].factor[0] = 1;
    }
    return HC_OK;
}

static enum hc_status run_jobs(struct jobs_work *j, struct hc_study_run *run, struct hc_error *err)
{
    double confidence = hc_life_run_detail(run)->config->confidence;
    struct hc_study_jobs *jobs = hc_arena_new(j->work->arena, sizeof *jobs, err);
    if (!jobs || hc_shared_pool_make(&j->pool, hc_life_run_detail(run)->config, err) ||
        new_jobs(j, jobs, err))
        return err->status;
    size_t n_jobs = jobs->n_jobs, block = j->work->block;
    if (!(j->lives.job = hc_new_array(block * n_jobs, sizeof *j->lives.job, err)) ||
        !(j->lives.pool = hc_new_array(block, sizeof *j->lives.pool, err)) ||
        !(j->sample = hc_new_array(j->work->columns.n, sizeof *j->sample, err)) ||
        run_lives(j, run->n_replicas, err))
        return err->status;
    for (size_t i = 0; i < n_jobs; i++)
        for (size_t k = 0; k < j->work->columns.n; k++)
            jobs->job[i].value[k] = hc_study_tally_value(&j->tally[i], k, confidence);
    jobs->pool_idle_gpu_h = value_of(&j->idle, confidence);
    jobs->total_gpu_h = value_of(&j->total, confidence);
    hc_life_run_detail(run)->jobs = jobs;
    return HC_OK;
}

enum hc_status hc_lifetime_each_job(struct hc_study_work *work, struct hc_study_run *run,
                                    struct hc_error *err)
{
    struct jobs_work j = {.work = work};
    if (!hc_life_run_detail(run)->config->n_others)
        return HC_OK;
    enum hc_status status = run_jobs(&j, run, err);
    free(j.lives.job);
    free(j.lives.pool);
    free(j.sample);
    hc_shared_pool_fini(&j.pool);
    return status;
}
