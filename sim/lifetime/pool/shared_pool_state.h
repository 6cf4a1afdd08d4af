/* shared_pool_state.h - one replica of several jobs on one pool. Private to this wing. */
#ifndef HC_SIM_LIFETIME_POOL_SHARED_POOL_STATE_H
#define HC_SIM_LIFETIME_POOL_SHARED_POOL_STATE_H

#include "sim/lifetime/life/life.h"
#include "sim/lifetime/pool/shared_pool.h"

/* One job of the pool; its place among the others is client->turn. */
struct hc_pool_seat {
    struct hc_compiled_lifetime compiled;
    struct hc_life *life;
    struct hc_node_client *client;
    enum hc_status status; /* of its life, when that has ended */
};

/* Everything that a thread needs to live replicas, one after another. */
struct hc_pool_seats {
    const struct hc_shared_pool *config;
    struct hc_node_pool nodes;
    struct hc_pool_seat *seat; /* [n], in the order of the config; also that of the clients */
    size_t n;
};

enum hc_status hc_pool_seats_init(struct hc_pool_seats *seats, const struct hc_shared_pool *config,
                                  struct hc_error *err);
void hc_pool_seats_fini(struct hc_pool_seats *seats);

/* job[n] and *pool are filled. */
enum hc_status hc_shared_pool_replica(struct hc_pool_seats *seats, uint64_t replica,
                                      struct hc_lifetime_replica *job,
                                      struct hc_lifetime_pool *pool);

#endif
