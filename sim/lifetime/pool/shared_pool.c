/* A replica of several jobs on one pool: each job lives in a coroutine of its own, and is resumed
 * when it is its turn. */
#include "sim/lifetime/pool/shared_pool_state.h"

#include "core/base/memory.h"
#include "sim/lifetime/nodes/pool_turns.h"

#include <stdlib.h>
#include <string.h>

/* ---- turns ---- */

/* After an error no job may be left in its middle: each ends as fast as it can, and says nothing.
 */
static void give_up(struct hc_pool_seats *seats, enum hc_status status)
{
    if (!status || seats->nodes.is_given_up)
        return;
    seats->nodes.is_given_up = true;
    for (size_t i = 0; i < seats->n; i++)
        hc_life_give_up(seats->seat[i].life, status);
}

static void resume(struct hc_pool_seats *seats, struct hc_node_client *client)
{
    struct hc_pool_seat *seat = &seats->seat[client->index];
    if (hc_coroutine_resume(client->turn.routine))
        return;
    client->turn.kind = HC_TURN_GONE;
    give_up(seats, seat->status);
    if (seats->nodes.is_given_up)
        return;
    hc_life_leave(seat->life);
    give_up(seats, hc_life_status(seat->life));
}

static void live(struct hc_pool_seats *seats)
{
    struct hc_next_turn next;
    while ((next = hc_turn_next(&seats->nodes)).kind != HC_NEXT_NONE) {
        if (next.kind == HC_NEXT_CLIENT) {
            resume(seats, next.client);
            continue;
        }
        struct hc_node_client *client = hc_turn_node_event(&seats->nodes);
        give_up(seats, client->lent.end->status);
    }
}

/* ---- a replica ---- */

static void body(void *context)
{
    struct hc_pool_seat *seat = context;
    seat->status = hc_life_live(seat->life);
}

static void begin(struct hc_pool_seats *seats, uint64_t replica, struct hc_lifetime_replica *out)
{
    hc_turns_begin(&seats->nodes);
    for (size_t i = 0; i < seats->n; i++) {
        struct hc_pool_seat *seat = &seats->seat[i];
        seat->status = HC_OK;
        hc_life_begin(seat->life, replica, &out[i]);
        hc_coroutine_start(seat->client->turn.routine, body, seat);
    }
    hc_node_pool_begin(&seats->nodes);
}

enum hc_status hc_shared_pool_replica(struct hc_pool_seats *seats, uint64_t replica,
                                      struct hc_lifetime_replica *job,
                                      struct hc_lifetime_pool *pool)
{
    struct hc_node_pool *nodes = &seats->nodes;
    begin(seats, replica, job);
    live(seats);
    for (size_t i = 0; i < seats->n; i++)
        if (seats->seat[i].status)
            return seats->seat[i].status;
    hc_node_pool_idle(nodes, nodes->now_ns);
    pool->wall_ns = nodes->now_ns;
    pool->idle = nodes->idle_ns * seats->config->job[0].config.job.gpus_per_node;
    return HC_OK;
}

/* ---- memory ---- */

static enum hc_status init_seat(struct hc_pool_seats *seats, size_t i, struct hc_error *err)
{
    struct hc_pool_seat *seat = &seats->seat[i];
    seat->client = &seats->nodes.client[i];
    if (hc_compile_lifetime(&seat->compiled, &seats->config->job[i].config, err) ||
        hc_node_pool_join(&seats->nodes, (int32_t)i, &seat->compiled, err) ||
        hc_life_new(&seat->life, &seat->compiled, seat->client, err))
        return err->status;
    seat->client->turn.routine = hc_coroutine_new(err);
    return seat->client->turn.routine ? HC_OK : err->status;
}

enum hc_status hc_pool_seats_init(struct hc_pool_seats *seats, const struct hc_shared_pool *config,
                                  struct hc_error *err)
{
    memset(seats, 0, sizeof *seats);
    seats->config = config;
    seats->seat = hc_new_array(config->n_jobs, sizeof *seats->seat, err);
    if (!seats->seat || hc_node_pool_init(&seats->nodes, config->n_jobs, true, err))
        return err->status;
    seats->n = config->n_jobs;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < seats->n && !status; i++)
        status = init_seat(seats, i, err);
    return status;
}

void hc_pool_seats_fini(struct hc_pool_seats *seats)
{
    for (size_t i = 0; i < seats->n; i++) {
        hc_life_free(seats->seat[i].life);
        hc_coroutine_free(seats->nodes.client[i].turn.routine);
    }
    hc_node_pool_fini(&seats->nodes);
    free(seats->seat);
}
