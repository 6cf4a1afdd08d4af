#include "sim/lifetime/pool/life_host.h"

#include "core/base/memory.h"
#include "sim/lifetime/pool/shared_pool_state.h"

#include <stdlib.h>

struct hc_life_host {
    struct hc_life *life;            /* that is looked at: alone, or of a seat */
    struct hc_life *alone;           /* NULL: it has others beside it */
    struct hc_lifetime_replica *all; /* of the jobs on a shared pool */
    struct hc_shared_pool jobs;
    struct hc_pool_seats seats;
};

enum hc_status hc_life_host_new(struct hc_life_host **result,
                                const struct hc_compiled_lifetime *compiled, struct hc_error *err)
{
    struct hc_life_host *host = *result = hc_new_array(1, sizeof *host, err);
    if (!host)
        return err->status;
    if (!compiled->config->n_others) {
        enum hc_status status = hc_life_new(&host->alone, compiled, NULL, err);
        host->life = host->alone;
        return status;
    }
    if (hc_shared_pool_make(&host->jobs, compiled->config, err) ||
        !(host->all = hc_new_array(host->jobs.n_jobs, sizeof *host->all, err)) ||
        hc_pool_seats_init(&host->seats, &host->jobs, err))
        return err->status;
    host->life = host->seats.seat[0].life;
    return HC_OK;
}

void hc_life_host_free(struct hc_life_host *host)
{
    if (!host)
        return;
    hc_life_free(host->alone);
    hc_pool_seats_fini(&host->seats);
    hc_shared_pool_fini(&host->jobs);
    free(host->all);
    free(host);
}

static enum hc_status live(struct hc_life_host *host, uint64_t replica,
                           struct hc_lifetime_replica *out)
{
    struct hc_lifetime_pool pool;
    if (host->alone)
        return hc_life_replica(host->alone, replica, out);
    enum hc_status status = hc_shared_pool_replica(&host->seats, replica, host->all, &pool);
    if (status)
        return status;
    *out = host->all[0];
    out->account.leaf[HC_WHAT_POOL_IDLE][HC_WHY_NONE] = pool.idle;
    return HC_OK;
}

enum hc_status hc_life_host_record(struct hc_life_host *host, uint64_t replica,
                                   struct hc_lifetime_replica *out, struct hc_lifetime_trace *trace)
{
    hc_life_watch(host->life, trace);
    enum hc_status status = live(host, replica, out);
    hc_life_unwatch(host->life);
    return status;
}
