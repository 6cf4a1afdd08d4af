/* shared_pool.h - several jobs that live at once on one pool of nodes, and compete for them.
 *
 * Each job has a config of its own. What belongs to the pool must be the same in all of them: its
 * nodes and spares, whether spares return, the repair, lemons, the GPUs of a node, what was seeded.
 * Each job begins with its nodes and standbys; the rest is free, for whichever job needs it. A job
 * that has ended gives its nodes to the pool. docs/methods/lifetime.md, "Several jobs".
 */
#ifndef HC_SIM_LIFETIME_POOL_SHARED_POOL_H
#define HC_SIM_LIFETIME_POOL_SHARED_POOL_H

#include "sim/lifetime/lifetime.h"

struct hc_shared_pool {
    const struct hc_shared_pool_job *job; /* job.priority: higher goes first; keys differ */
    size_t n_jobs;
};

/* The jobs of a config with others: itself, named "job", and these, with keys by their names.
 * Release with _fini in any case. */
enum hc_status hc_shared_pool_make(struct hc_shared_pool *shared,
                                   const struct hc_lifetime_config *config, struct hc_error *err);
void hc_shared_pool_fini(struct hc_shared_pool *shared);

/* As hc_lifetime_config_check and hc_lifetime_run, for a config with others. */
enum hc_status hc_lifetime_others_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err);
enum hc_status hc_lifetime_others_run(const struct hc_lifetime_config *config, uint64_t first,
                                      size_t n, struct hc_lifetime_replica *result,
                                      struct hc_error *err);

/* What the pool cost beside its jobs, whose accounts have no HC_WHAT_POOL_IDLE here. */
struct hc_lifetime_pool {
    int64_t wall_ns; /* from the submission of all jobs to the end of the last */
    hc_gpu_ns idle;  /* free nodes, until then */
};

struct hc_shared_pool_lives {
    struct hc_lifetime_replica *job; /* [n * n_jobs]: by replica, then by job */
    struct hc_lifetime_pool *pool;   /* [n] */
};

/* Replicas [first, first + n), on the threads of the first job's config. HC_BAD_INPUT with the
 * member named as in hc_lifetime_config_check; of a job that is not the first with "/jobs/<name>"
 * before it. */
enum hc_status hc_shared_pool_run(const struct hc_shared_pool *shared, uint64_t first, size_t n,
                                  struct hc_shared_pool_lives *lives, struct hc_error *err);

#endif
