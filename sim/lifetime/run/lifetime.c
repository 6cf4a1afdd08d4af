/* Replicas of one job in parallel; a config with other jobs goes to pool/shared_pool_run.c. */
#include "sim/lifetime/lifetime.h"

#include "core/base/memory.h"
#include "sim/lifetime/life/life.h"
#include "sim/lifetime/pool/shared_pool.h"

#include <omp.h>
#include <stdlib.h>

enum hc_status hc_lifetime_config_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    if (config->n_others)
        return hc_lifetime_others_check(config, err);
    return hc_lifetime_check_members(config, err) ? err->status
                                                  : hc_compile_lifetime(&compiled, config, err);
}

/* One thread's share; the first error of the lowest replica is kept. */
struct crew {
    const struct hc_compiled_lifetime *compiled;
    uint64_t first;
    size_t n, failed_at;
    struct hc_lifetime_replica *result;
    struct hc_error err;
};

static void fail_crew(struct crew *crew, size_t at, const struct hc_error *err)
{
#pragma omp critical(hc_lifetime_crew)
    if (at < crew->failed_at) {
        crew->failed_at = at;
        crew->err = *err;
    }
}

static void work(struct crew *crew)
{
    struct hc_error err;
    struct hc_life *life = NULL;
    bool ready = !hc_life_new(&life, crew->compiled, NULL, &err);
    if (!ready)
        fail_crew(crew, 0, &err);
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < crew->n; i++)
        if (ready && hc_life_replica(life, crew->first + i, &crew->result[i]))
            fail_crew(crew, i, &err);
    hc_life_free(life);
}

enum hc_status hc_lifetime_run(const struct hc_lifetime_config *config, uint64_t first, size_t n,
                               struct hc_lifetime_replica *result, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    if (config->n_others)
        return hc_lifetime_others_run(config, first, n, result, err);
    if (hc_lifetime_check_members(config, err) || hc_compile_lifetime(&compiled, config, err))
        return err->status;
    struct crew crew = {
        .compiled = &compiled, .first = first, .n = n, .failed_at = n, .result = result};
    int threads = config->threads ? config->threads : omp_get_max_threads();
    if ((size_t)threads > n)
        threads = n ? (int)n : 1;
#pragma omp parallel num_threads(threads)
    work(&crew);
    if (crew.failed_at < n) {
        *err = crew.err;
        return err->status;
    }
    return HC_OK;
}
