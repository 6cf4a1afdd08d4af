/* A replica lived once more, with a recorder. */
#include "sim/lifetime_trace.h"

#include "core/memory.h"
#include "sim/lifetime_recorder.h"

#include <stdlib.h>

static enum hc_status live(struct hc_life *s, struct hc_lifetime_trace *trace, uint64_t replica,
                           struct hc_lifetime_replica *result)
{
    struct hc_life_recorder recorder = {0};
    s->recorder = &recorder;
    hc_life_recorder_start(&recorder, trace);
    enum hc_status status = hc_life_replica(s, replica, result);
    hc_life_recorder_end(&recorder, s->config->job.nodes);
    hc_life_recorder_fini(&recorder);
    s->recorder = NULL;
    return status;
}

enum hc_status hc_lifetime_trace_run(struct hc_lifetime_trace *trace,
                                     const struct hc_lifetime_config *config, uint64_t replica,
                                     struct hc_lifetime_replica *result, struct hc_error *err)
{
    struct hc_life_plan plan;
    *trace = (struct hc_lifetime_trace){0};
    if (hc_lifetime_config_check(config, err) || hc_life_plan(&plan, config, err))
        return err->status;
    struct hc_life *s = hc_new_array(1, sizeof *s, err);
    struct hc_lifetime_replica *own = hc_new_array(1, sizeof *own, err);
    enum hc_status status = s && own ? hc_life_init(s, &plan, err) : err->status;
    if (!status)
        status = live(s, trace, replica, result ? result : own);
    if (s)
        hc_life_fini(s);
    free(s);
    free(own);
    return status;
}

void hc_lifetime_trace_fini(struct hc_lifetime_trace *trace)
{
    free(trace->span);
    free(trace->mark);
    *trace = (struct hc_lifetime_trace){0};
}
