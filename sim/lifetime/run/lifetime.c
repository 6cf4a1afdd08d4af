/* Replicas of one job in parallel; a config with other jobs goes to pool/shared_pool_run.c. */
#include "sim/lifetime/lifetime.h"

#include "sim/engine/crew.h"
#include "sim/lifetime/life/life.h"
#include "sim/lifetime/pool/shared_pool.h"

enum hc_status hc_lifetime_config_check(const struct hc_lifetime_config *config,
                                        struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    if (config->n_others)
        return hc_lifetime_others_check(config, err);
    return hc_lifetime_check_members(config, err) ? err->status
                                                  : hc_compile_lifetime(&compiled, config, err);
}

/* ---- replicas ---- */

struct errand {
    const struct hc_compiled_lifetime *compiled;
    uint64_t first;
    struct hc_lifetime_replica *result;
};

static enum hc_status hire(void **worker, const void *errand, struct hc_error *err)
{
    struct hc_life *life = NULL;
    enum hc_status status =
        hc_life_new(&life, ((const struct errand *)errand)->compiled, NULL, err);
    *worker = life;
    return status;
}

static enum hc_status work(void *worker, const void *errand, size_t i, struct hc_error *err)
{
    const struct errand *e = errand;
    (void)err; /* the life got it when it was made */
    return hc_life_replica(worker, e->first + i, &e->result[i]);
}

static void dismiss(void *worker)
{
    hc_life_free(worker);
}

enum hc_status hc_lifetime_run(const struct hc_lifetime_config *config, uint64_t first, size_t n,
                               struct hc_lifetime_replica *result, struct hc_error *err)
{
    static const struct hc_crew_trade trade = {hire, work, dismiss};
    struct hc_compiled_lifetime compiled;
    if (config->n_others)
        return hc_lifetime_others_run(config, first, n, result, err);
    if (hc_lifetime_check_members(config, err) || hc_compile_lifetime(&compiled, config, err))
        return err->status;
    const struct errand errand = {.compiled = &compiled, .first = first, .result = result};
    return hc_crew_run(&trade, &errand, n, config->threads, err);
}
