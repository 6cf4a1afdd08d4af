/* shared_pool_state.h - one replica of several jobs; of shared_pool.c only. */
#ifndef HC_SIM_LIFETIME_POOL_SHARED_POOL_STATE_H
#define HC_SIM_LIFETIME_POOL_SHARED_POOL_STATE_H

#include "sim/engine/coroutine.h"
#include "sim/lifetime/lifetime_state.h"
#include "sim/lifetime/pool/shared_pool.h"

enum hc_life_seat_state {
    HC_SEAT_ACTS,  /* has a request, at the time of its life */
    HC_SEAT_NODE,  /* one of its nodes comes back, or a standby is due */
    HC_SEAT_WAITS, /* for a node */
    HC_SEAT_LOOKS, /* still, and something has happened: looks for one in its turn */
    HC_SEAT_ENDS,
    HC_SEAT_GONE
};

/* A job among the others. */
struct hc_life_seat {
    struct hc_life life;
    struct hc_compiled_lifetime plan;
    struct hc_coroutine *routine;
    int32_t state;    /* enum hc_life_seat_state */
    int32_t priority; /* higher goes first */
    int64_t since_ns; /* of its last request */
    bool is_starved;  /* no node can come any more */
    enum hc_status status;
};

struct hc_life_fleet {
    const struct hc_shared_pool *config;
    struct hc_life_seat *seat; /* [n] */
    size_t n;
    struct hc_event_heap calendar; /* of nodes whose job is gone, or may be ahead */
    int64_t now_ns;
    bool is_given_up;                  /* after an error: all jobs end */
    struct hc_lifetime_replica nobody; /* counts for jobs that are gone */
};

enum hc_status hc_life_fleet_init(struct hc_life_fleet *fleet, const struct hc_shared_pool *config,
                                  struct hc_error *err);
void hc_life_fleet_fini(struct hc_life_fleet *fleet);
enum hc_status hc_shared_pool_replica(struct hc_life_fleet *fleet, uint64_t replica,
                                      struct hc_lifetime_replica *job,
                                      struct hc_lifetime_pool *pool);

/* ---- a life that is looked at ---- */

/* The life of a config's job: alone, or among the others. Large: on the heap. */
struct hc_life_host {
    struct hc_life *life;
    struct hc_life alone;
    struct hc_shared_pool jobs;
    struct hc_life_fleet fleet;
    struct hc_lifetime_replica *all; /* of the jobs; NULL: it is alone */
};

enum hc_status hc_life_host_init(struct hc_life_host *host, const struct hc_compiled_lifetime *plan,
                                 struct hc_error *err);
void hc_life_host_fini(struct hc_life_host *host);
/* As hc_lifetime_run gives it. */
enum hc_status hc_life_host_replica(struct hc_life_host *host, uint64_t replica,
                                    struct hc_lifetime_replica *out);

#endif
