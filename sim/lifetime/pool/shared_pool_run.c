/* What several jobs must have in common, and their replicas in parallel. */
#include "core/base/memory.h"
#include "sim/engine/crew.h"
#include "sim/lifetime/pool/shared_pool_state.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what is refused ---- */

static bool same_distribution(const struct hc_distribution *a, const struct hc_distribution *b)
{
    return a->kind == b->kind && a->scale == b->scale && a->shape == b->shape &&
           a->n_values == b->n_values &&
           (!a->n_values || memcmp(a->value, b->value, a->n_values * sizeof *a->value) == 0);
}

static bool same_repair(const struct hc_lifetime_repair *a, const struct hc_lifetime_repair *b)
{
    return same_distribution(&a->automatic_s, &b->automatic_s) &&
           same_distribution(&a->manual_s, &b->manual_s) &&
           same_distribution(&a->innocent_s, &b->innocent_s) && a->to_manual == b->to_manual &&
           a->automatic_false == b->automatic_false && a->manual_false == b->manual_false &&
           a->retire == b->retire && a->quarantine_s == b->quarantine_s &&
           a->quarantine_faults == b->quarantine_faults &&
           a->quarantine_false == b->quarantine_false &&
           a->quarantine_window_s == b->quarantine_window_s;
}

/* Members that describe the pool or the run must be the same in the configs of all jobs. */
static enum hc_status check_shared(const struct hc_lifetime_config *a,
                                   const struct hc_lifetime_config *b, struct hc_error *err)
{
    const struct {
        const char *place;
        double first, other;
    } shared[] = {
        {"/job/gpus_per_node", a->job.gpus_per_node, b->job.gpus_per_node},
        {"/recovery/pool_nodes", a->recovery.pool_nodes, b->recovery.pool_nodes},
        {"/recovery/spare_nodes", a->recovery.spare_nodes, b->recovery.spare_nodes},
        {"/recovery/spares_return", a->recovery.spares_return, b->recovery.spares_return},
        {"/lemon_share", a->lemon_share, b->lemon_share},
        {"/seed", (double)a->seed, (double)b->seed},
    };
    for (size_t i = 0; i < sizeof shared / sizeof *shared; i++)
        if (shared[i].first != shared[i].other)
            return hc_fail_at(err, shared[i].place,
                              "%g; all jobs share one pool, and the first has %g", shared[i].other,
                              shared[i].first);
    if (!same_repair(&a->repair, &b->repair))
        return hc_fail_at(err, "/repair",
                          "all jobs share one pool, and the first has another repair");
    return HC_OK;
}

/* The check of one job names a member of its config; put the job's own place in front. */
static enum hc_status of_job(const struct hc_shared_pool *shared, size_t which,
                             struct hc_error *err)
{
    char place[256];
    snprintf(place, sizeof place, "/jobs/%s", shared->job[which].name);
    return which ? hc_fail_within(err, place) : err->status;
}

static enum hc_status check_one(const struct hc_lifetime_config *c, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    if (hc_lifetime_check_members(c, err) || hc_compile_lifetime(&compiled, c, err))
        return err->status;
    if (c->recovery.pool_nodes <= 0)
        return hc_fail_at(err, "/recovery/pool_nodes", "several jobs share a pool that has an end");
    if (c->recovery.wait_for != HC_WAIT_FOR_JOB)
        return hc_fail_at(err, "/recovery/wait_for",
                          "to wait for standbys is not simulated where jobs share a pool");
    if (c->elastic.on)
        return hc_fail_at(err, "/elastic/on",
                          "elastic jobs that share a pool are not simulated yet");
    for (size_t i = 0; i < c->n_faults; i++)
        if (c->fault[i].infant_factor != 1) {
            char place[256];
            snprintf(place, sizeof place, "/faults/%s/infant_factor",
                     c->fault[i].name ? c->fault[i].name : "?");
            return hc_fail_at(err, place,
                              "infant mortality is not simulated where jobs share a pool");
        }
    return HC_OK;
}

/* Every job must find its nodes and standbys at the beginning. */
static enum hc_status check_room(const struct hc_shared_pool *shared, struct hc_error *err)
{
    int64_t nodes = 0, standbys = 0;
    for (size_t i = 0; i < shared->n_jobs; i++) {
        struct hc_compiled_lifetime compiled;
        if (hc_compile_lifetime(&compiled, &shared->job[i].config, err))
            return of_job(shared, i, err);
        nodes += shared->job[i].config.job.nodes;
        standbys += compiled.standbys;
    }
    int32_t pool = shared->job[0].config.recovery.pool_nodes;
    if (nodes + standbys > pool)
        return hc_fail_at(err, "/recovery/pool_nodes",
                          "%d nodes do not hold jobs of %lld and %lld standbys", (int)pool,
                          (long long)nodes, (long long)standbys);
    return HC_OK;
}

/* HC_BAD_INPUT with the member named as in hc_lifetime_config_check; of a job that is not the first
 * with "/jobs/<name>" before it. */
static enum hc_status check_pool(const struct hc_shared_pool *shared, struct hc_error *err)
{
    if (!shared->n_jobs || shared->n_jobs > HC_LIFETIME_MAX_JOBS)
        return hc_fail_at(err, "/jobs", "%zu jobs are not from 1 to %d", shared->n_jobs,
                          HC_LIFETIME_MAX_JOBS);
    for (size_t i = 0; i < shared->n_jobs; i++) {
        const struct hc_lifetime_config *c = &shared->job[i].config;
        enum hc_status status = check_one(c, err);
        if (!status)
            status = check_shared(&shared->job[0].config, c, err);
        for (size_t k = 0; k < i && !status; k++)
            if (shared->job[k].config.key == c->key)
                status =
                    hc_fail_at(err, "/key", "is that of job '%s': both would have the same faults",
                               shared->job[k].name);
        if (status)
            return of_job(shared, i, err);
    }
    return check_room(shared, err);
}

/* ---- replicas ---- */

struct errand {
    const struct hc_shared_pool *config;
    uint64_t first;
    struct hc_shared_pool_lives *lives;
};

static enum hc_status hire(void **worker, const void *errand, struct hc_error *err)
{
    struct hc_pool_seats *seats = hc_new_array(1, sizeof *seats, err);
    *worker = seats;
    return seats ? hc_pool_seats_init(seats, ((const struct errand *)errand)->config, err)
                 : err->status;
}

static enum hc_status work(void *worker, const void *errand, size_t i, struct hc_error *err)
{
    const struct errand *e = errand;
    (void)err; /* the seats got it when they were made */
    return hc_shared_pool_replica(worker, e->first + i, &e->lives->job[i * e->config->n_jobs],
                                  &e->lives->pool[i]);
}

static void dismiss(void *worker)
{
    if (worker)
        hc_pool_seats_fini(worker);
    free(worker);
}

enum hc_status hc_shared_pool_run(const struct hc_shared_pool *shared, uint64_t first, size_t n,
                                  struct hc_shared_pool_lives *lives, struct hc_error *err)
{
    static const struct hc_crew_trade trade = {hire, work, dismiss};
    if (check_pool(shared, err))
        return err->status;
    const struct errand errand = {.config = shared, .first = first, .lives = lives};
    return hc_crew_run(&trade, &errand, n, shared->job[0].config.threads, err);
}

/* ---- a config with others ---- */

/* FNV-1a. The name alone decides a job's random streams, so that they stay the same when other jobs
 * are added or reordered. */
static uint64_t hash_name(const char *name)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *name; name++)
        hash = (hash ^ (unsigned char)*name) * 0x100000001B3u;
    return hash;
}

enum hc_status hc_shared_pool_make(struct hc_shared_pool *shared,
                                   const struct hc_lifetime_config *config, struct hc_error *err)
{
    *shared = (struct hc_shared_pool){0};
    struct hc_shared_pool_job *job = hc_new_array(1 + config->n_others, sizeof *job, err);
    if (!job)
        return err->status;
    job[0] = (struct hc_shared_pool_job){"job", *config};
    for (size_t i = 0; i < config->n_others; i++) {
        job[i + 1] = config->other[i];
        job[i + 1].config.seed = config->seed;
        job[i + 1].config.first_replica = config->first_replica;
        job[i + 1].config.key = config->key ^ hash_name(config->other[i].name);
        job[i + 1].config.replicas = config->replicas;
    }
    job[0].config.other = NULL;
    job[0].config.n_others = 0;
    *shared = (struct hc_shared_pool){job, 1 + config->n_others};
    return HC_OK;
}

void hc_shared_pool_fini(struct hc_shared_pool *shared)
{
    free((void *)shared->job);
    *shared = (struct hc_shared_pool){0};
}

enum hc_status hc_lifetime_others_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err)
{
    struct hc_shared_pool shared;
    enum hc_status status = hc_shared_pool_make(&shared, config, err);
    if (!status)
        status = check_pool(&shared, err);
    hc_shared_pool_fini(&shared);
    return status;
}

enum hc_status hc_lifetime_others_run(const struct hc_lifetime_config *config, uint64_t first,
                                      size_t n, struct hc_lifetime_replica *result,
                                      struct hc_error *err)
{
    struct hc_shared_pool shared;
    struct hc_shared_pool_lives lives = {NULL, NULL};
    enum hc_status status = hc_shared_pool_make(&shared, config, err);
    if (!status && !((lives.job = hc_new_array(n * shared.n_jobs, sizeof *lives.job, err)) &&
                     (lives.pool = hc_new_array(n, sizeof *lives.pool, err))))
        status = err->status;
    if (!status)
        status = hc_shared_pool_run(&shared, first, n, &lives, err);
    for (size_t i = 0; i < n && !status; i++) {
        result[i] = lives.job[i * shared.n_jobs];
        result[i].account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = lives.pool[i].idle;
    }
    free(lives.job);
    free(lives.pool);
    hc_shared_pool_fini(&shared);
    return status;
}
