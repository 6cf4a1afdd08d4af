/* life_host.h - the life of a config's own job, on a pool of its own or beside others: for those
 * who look at one life, and want what hc_lifetime_run() gives.
 */
#ifndef HC_SIM_LIFETIME_POOL_LIFE_HOST_H
#define HC_SIM_LIFETIME_POOL_LIFE_HOST_H

#include "sim/lifetime/compiled_lifetime.h"
#include "sim/lifetime/lifetime_trace.h"

struct hc_life_host;

/* *host is to be freed in any case; err also gets what fails in replicas. */
enum hc_status hc_life_host_new(struct hc_life_host **host,
                                const struct hc_compiled_lifetime *compiled, struct hc_error *err);
void hc_life_host_free(struct hc_life_host *host);

/* Live this replica, and take it down into trace. */
enum hc_status hc_life_host_record(struct hc_life_host *host, uint64_t replica,
                                   struct hc_lifetime_replica *out,
                                   struct hc_lifetime_trace *trace);

#endif
