/* life_state.h - one replica of one job while it runs. Private to this wing.
 *
 * The parts keep their own state, each behind its header, and know neither this struct nor each
 * other's; the files of life_driver.h alone see all of it.
 *
 * Time passes in three ways, all in life_time.c: hc_life_run_stretch() (steps run, fault clocks
 * go), hc_life_exposed() (start-up, fault clocks may go) and hc_life_down() and hc_life_queue()
 * (nothing can strike). Each books what it lets pass, so that the leaves of the account sum to the
 * time held: the end of the life checks that to the nanosecond.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_STATE_H
#define HC_SIM_LIFETIME_LIFE_LIFE_STATE_H

#include "sim/lifetime/life/life.h"
#include "sim/lifetime/life/life_account.h"
#include "sim/lifetime/life/life_arrivals.h"
#include "sim/lifetime/life/life_fault_log.h"
#include "sim/lifetime/life/life_incidents.h"
#include "sim/lifetime/life/life_progress.h"
#include "sim/lifetime/life/life_recorder.h"
#include "sim/lifetime/life/life_slots.h"

enum hc_life_stop_kind {
    HC_STOP_FAULT,   /* which: cause, noticed while the job stands */
    HC_STOP_OPEN,    /* which: open incident, noticed while it ran */
    HC_STOP_PLANNED, /* which: planned stop */
    HC_STOP_CODE,    /* which: change of code */
    HC_STOP_REJOIN   /* of an elastic job: replicas are whole again */
};

/* How steps are reached again. */
enum hc_life_start {
    HC_START_FIRST,
    HC_START_FULL,
    HC_START_HOT,
    HC_START_NONE /* what is left runs on */
};

/* Why the job stands, and the slots that this concerns, ascending. */
struct hc_life_stop {
    int32_t kind, which; /* enum hc_life_stop_kind */
    int32_t n_slots;
    int32_t *slot;
    struct hc_life_origin origin; /* until nodes of the fault are evicted */
};

/* Whose nodes are to go, ascending, and which of them a fault struck. */
struct hc_life_evicted {
    int32_t *slot;
    bool *guilty;
    bool *in_group; /* of each slot; only where the job has a shape */
};

/* Stops that became due while the job stood anyway. */
struct hc_life_due {
    struct hc_event *event;
    size_t first, n, capacity;
};

struct hc_life {
    const struct hc_compiled_lifetime *compiled;
    const struct hc_lifetime_config *config;
    struct hc_lifetime_replica *out;

    int64_t now_ns;     /* wall time since submission */
    int64_t tell_at_ns; /* when to tell how far the life has come; HC_LIFE_NEVER: nobody looks */
    double told;        /* share of the life */
    struct hc_life_end end;
    struct hc_life_streams streams;
    struct hc_event_heap calendar;

    struct hc_life_slots slots;
    struct hc_life_arrivals arrivals;
    struct hc_life_incidents incidents;
    struct hc_life_progress progress;
    struct hc_life_account account;
    struct hc_node_client *client; /* in its pool, which may be own_pool */
    struct hc_node_pool own_pool;
    struct hc_life_elastic *elastic;   /* NULL: off */
    struct hc_life_fault_log *log;     /* NULL: nobody asks what struck */
    struct hc_life_recorder *recorder; /* NULL: nobody looks; else own_recorder */
    struct hc_life_recorder own_recorder;

    struct hc_life_due due;
    bool has_origins; /* of faults: some were recorded, or there is a log. Else all stay none */
    bool stopped;
    struct hc_life_stop stop, struck; /* struck: by the last fault, which need not stop the job */
    int64_t stopped_at_ns;            /* when steps last stopped; -1: none since */
    struct hc_life_evicted evicted;
    bool waits_for_hosts; /* what comes to the pool is for the job that stands */
};

#define HC_LIFE_NO_ORIGIN ((struct hc_life_origin){.noted = -1})

static inline void hc_life_push(struct hc_life *s, int64_t at_ns, enum hc_life_event kind,
                                int32_t who)
{
    hc_life_enter(&s->calendar, &s->end,
                  (struct hc_event){.time_ns = at_ns, .kind = (int32_t)kind, .who = who});
}

#endif
