/* A replica lived once more, with a recorder. */
#include "sim/lifetime/lifetime_trace.h"

#include "core/base/memory.h"
#include "sim/lifetime/lifetime_recorder.h"
#include "sim/lifetime/pool/shared_pool_state.h"

#include <stdlib.h>

static enum hc_status live(struct hc_life_host *host, struct hc_lifetime_trace *trace,
                           uint64_t replica, struct hc_lifetime_replica *result)
{
    struct hc_life_recorder recorder = {0};
    struct hc_life *s = host->life;
    s->recorder = &recorder;
    hc_life_recorder_start(&recorder, trace);
    enum hc_status status = hc_life_host_replica(host, replica, result);
    hc_life_recorder_end(&recorder, s->config->job.nodes);
    hc_life_recorder_fini(&recorder);
    s->recorder = NULL;
    return status;
}

enum hc_status hc_lifetime_trace_run(struct hc_lifetime_trace *trace,
                                     const struct hc_lifetime_config *config, uint64_t replica,
                                     struct hc_lifetime_replica *result, struct hc_error *err)
{
    struct hc_compiled_lifetime plan;
    *trace = (struct hc_lifetime_trace){0};
    if (hc_lifetime_config_check(config, err) || hc_compiled_lifetime(&plan, config, err))
        return err->status;
    struct hc_life_host *host = hc_new_array(1, sizeof *host, err);
    struct hc_lifetime_replica *own = hc_new_array(1, sizeof *own, err);
    enum hc_status status = host && own ? hc_life_host_init(host, &plan, err) : err->status;
    if (!status)
        status = live(host, trace, replica, result ? result : own);
    if (host)
        hc_life_host_fini(host);
    free(host);
    free(own);
    return status;
}

void hc_lifetime_trace_fini(struct hc_lifetime_trace *trace)
{
    free(trace->span);
    free(trace->mark);
    *trace = (struct hc_lifetime_trace){0};
}
