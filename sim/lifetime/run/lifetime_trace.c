/* A replica lived once more, with a recorder. */
#include "sim/lifetime/lifetime_trace.h"

#include "core/base/memory.h"
#include "sim/lifetime/pool/life_host.h"

#include <stdlib.h>

enum hc_status hc_lifetime_trace_within(struct hc_lifetime_trace *trace,
                                        const struct hc_lifetime_config *config,
                                        const struct hc_life_request *request,
                                        struct hc_lifetime_replica *result, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    struct hc_life_host *host = NULL;
    *trace = (struct hc_lifetime_trace){.most = request->most};
    if (hc_lifetime_config_check(config, err) || hc_compile_lifetime(&compiled, config, err))
        return err->status;
    struct hc_lifetime_replica *own = hc_new_array(1, sizeof *own, err);
    enum hc_status status = own ? hc_life_host_new(&host, &compiled, err) : err->status;
    if (!status)
        status = hc_life_host_record(host, request->replica, result ? result : own, trace);
    hc_life_host_free(host);
    free(own);
    return status;
}

void hc_lifetime_trace_fini(struct hc_lifetime_trace *trace)
{
    free(trace->span);
    free(trace->mark);
    *trace = (struct hc_lifetime_trace){0};
}
