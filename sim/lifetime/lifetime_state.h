/* lifetime_state.h - one replica while it runs; of lifetime*.c only.
 *
 * Time passes in three ways: hc_life_run_stretch() (steps run, fault clocks go), hc_life_exposed()
 * (start-up, fault clocks may go) and hc_life_down() (nothing can strike). Each books what it lets
 * pass, so that the leaves sum to the time held: hc_life_live() checks that to the nanosecond.
 */
#ifndef HC_SIM_LIFETIME_LIFETIME_STATE_H
#define HC_SIM_LIFETIME_LIFETIME_STATE_H

#include "core/random/philox.h"
#include "sim/engine/event_heap.h"
#include "sim/lifetime/backup_placement.h"
#include "sim/lifetime/lifetime.h"

#define HC_LIFE_NEVER (INT64_MAX / 4)
#define HC_LIFE_RING  8 /* durable checkpoints that can be gone back to */

/* ---- what is derived from the config once ---- */

struct hc_compiled_lifetime {
    const struct hc_lifetime_config *config;
    int64_t work_ns, horizon_ns;
    int64_t every_ns;     /* run time between snapshots; HC_LIFE_NEVER: no checkpoints */
    int32_t remote_every; /* in memory: every how many saves goes to remote storage; 0: n/a */
    double stall_extra_s, durable_extra_s, load_extra_s; /* size / bandwidth */
    double step_mean_s, step_cv;
    int32_t standbys;
    int32_t n_nodes; /* job, or pool and spares */
    bool finite;
    bool places_copies; /* in memory, by shape */
    struct hc_backup_shape shape;
    bool lemons_differ, has_records, has_clocks, has_infants;
    double rate_healthy[HC_LIFETIME_MAX_FAULTS], rate_lemon[HC_LIFETIME_MAX_FAULTS]; /* per ns */
    int32_t n_units[HC_LIFETIME_MAX_FAULTS];
};

/* lifetime_config.c */
enum hc_status hc_life_check_members(const struct hc_lifetime_config *config, struct hc_error *err);

/* lifetime_plan.c; of members that were checked */
double hc_life_whole_steps(const struct hc_compiled_lifetime *plan, double seconds);
enum hc_status hc_compiled_lifetime(struct hc_compiled_lifetime *plan,
                                    const struct hc_lifetime_config *config, struct hc_error *err);

/* ---- one replica ---- */

/* Streams of a replica; those of the arrivals of cause f follow at HC_STREAM_ARRIVAL + f. */
enum hc_life_stream {
    HC_STREAM_LEMONS,
    HC_STREAM_PLACE, /* which node */
    HC_STREAM_DETECT,
    HC_STREAM_RECOVER,
    HC_STREAM_START,
    HC_STREAM_SAVE,
    HC_STREAM_REPAIR,
    HC_STREAM_STEPS,
    HC_STREAM_ARRIVAL,
    HC_STREAM_COUNT = HC_STREAM_ARRIVAL + HC_LIFETIME_MAX_FAULTS
};

/* Streams of parts that came later: beside the others, so that these stay what they were. */
enum hc_life_extra { HC_EXTRA_INFANTS, HC_EXTRA_QUARANTINE, HC_EXTRA_INTERVAL, HC_EXTRA_COUNT };

enum hc_life_event {
    HC_LIFE_AUTOMATIC_ENDS, /* who: node */
    HC_LIFE_MANUAL_ENDS,
    HC_LIFE_CHECK_ENDS, /* of an innocent node, or of quarantine */
    HC_LIFE_STANDBY,    /* one standby more */
    HC_LIFE_FOUND,      /* who: open incident */
    HC_LIFE_PASSES,     /* who: open incident: a slow one that ends by itself */
    HC_LIFE_PLANNED,    /* who: planned stop */
    HC_LIFE_CODE,       /* who: change of code */
    HC_LIFE_CHOSEN,     /* who: slot whose replacement is chosen now */
    HC_LIFE_ARRIVES     /* who: slot whose replacement is there */
};

enum hc_life_place { HC_LIFE_JOB, HC_LIFE_STANDBY_LIST, HC_LIFE_FREE, HC_LIFE_SPARE, HC_LIFE_OUT };

/* Time in steps, and what it brought. */
struct hc_life_run {
    int64_t ideal_ns, excess_ns, work_ns;
};

/* Durable saves that each brought the same. */
struct hc_life_gap {
    struct hc_life_run run;
    int64_t times;
};

struct hc_life_list {
    int32_t *node;
    int32_t n;
};

/* The nodes of a pool with an end that no job has. Jobs that share it point at the same one, and
 * act on it in the order of their times: hc_life_meet(). */
struct hc_life_fleet;
struct hc_life_pool {
    struct hc_life_list free, spare;
    hc_gpu_ns idle_ns; /* of free nodes, up to since_ns */
    int64_t since_ns;
    struct hc_life_fleet *fleet; /* NULL: of one job */
};

/* A fault that did not stop the job at once: slow, corrupt, or a change that waits. */
struct hc_life_open {
    int32_t fault;
    int32_t slot, n_slots; /* those in a row whose nodes it struck */
    int32_t at;            /* in the list of live ones */
    bool live;
};

enum hc_life_stop_kind {
    HC_STOP_FAULT,
    HC_STOP_OPEN,
    HC_STOP_PLANNED,
    HC_STOP_CODE,
    HC_STOP_REJOIN
};

enum hc_life_start {
    HC_START_FIRST,
    HC_START_FULL,
    HC_START_HOT,
    HC_START_NONE /* what is left runs on */
};

struct hc_life_stop {
    int32_t kind;  /* enum hc_life_stop_kind */
    int32_t which; /* cause, planned stop or change of code */
    int32_t n_slots;
};

struct hc_life {
    const struct hc_compiled_lifetime *plan;
    const struct hc_lifetime_config *config;
    struct hc_lifetime_replica *out;
    struct hc_error *err;
    enum hc_status status; /* of what failed inside; ends the replica */

    int64_t now_ns, exposure_ns;
    bool over;
    struct hc_philox rng[HC_STREAM_COUNT], extra[HC_EXTRA_COUNT];
    struct hc_event_heap calendar;           /* by wall time */
    struct hc_event_heap clocks;             /* renewals, by exposure; kind: cause, who: unit; of
                                                infants: cause + HC_LIFETIME_MAX_FAULTS, slot */
    int64_t next_ns[HC_LIFETIME_MAX_FAULTS]; /* exponential arrivals, by exposure */
    size_t next_incident[HC_LIFETIME_MAX_FAULTS];
    int64_t *clock_ns[HC_LIFETIME_MAX_FAULTS]; /* of each unit of a renewal: tells stale entries */

    /* Nodes. Without an end, slot i holds node i, renewed in place. */
    int32_t *slot_node;                               /* -1: empty (pool with an end) */
    int32_t *born;                                    /* of slot: n_open when its node changed */
    int8_t *place;                                    /* of node */
    bool *lemon;                                      /* node */
    bool *was_lemon;                                  /* node, at its last eviction */
    int32_t *lemon_slot, *lemon_index, n_lemon_slots; /* slots with lemons, and where they stand */
    struct hc_life_list standby;
    /* While the job stands and no node is to be had: how many it lacks, and those that came back
     * since, which are for it. */
    int32_t n_wanted;
    struct hc_life_list handed;
    struct hc_life_pool *pool, own_pool;
    int32_t index, first_node; /* among the jobs of the pool; of what it has at first */
    int32_t n_standby;         /* also where they are not nodes */
    hc_gpu_ns standby_ns;
    int64_t standby_since_ns;
    int64_t *history; /* of node: its last quarantine_faults faults */

    /* Progress. */
    struct hc_life_run kept, flight, fresh, tainted, unremote;
    struct hc_life_gap gap[HC_LIFE_RING];
    int32_t n_gaps, gap_end;
    int64_t saves_tainted, saves_unremote; /* how many are in the two runs of these names */
    bool is_tainted;
    int64_t since_ns;                     /* run time since the last snapshot */
    int64_t stall_left_ns, pending_at_ns; /* of the save in flight */
    int64_t stall_ns, durable_ns;
    int64_t every_ns;                     /* of this fault-free interval */
    double code_speed, step_factor, slow; /* slow: step time with / without */

    /* What is open, and what became due while the job stood. */
    struct hc_life_open *open;
    size_t n_open, open_capacity;
    int32_t *live; /* those that are, in no order */
    size_t n_live, live_capacity;
    struct hc_event *due;
    size_t first_due, n_due, due_capacity;

    struct hc_life_stop stop;
    bool stopped;
    int64_t stopped_at_ns; /* when steps last stopped; -1: none since */
    int32_t *stop_slot, *evict_slot;
    bool *guilty;   /* of evict_slot */
    bool *in_group; /* of slot; only where there is a shape */
    int32_t blame;  /* cause that time is charged to; HC_LIFETIME_MAX_FAULTS: none */

    int64_t leaf_ns[HC_WHAT_COUNT][HC_WHY_COUNT]; /* of wall time, all nodes of the job */

    struct hc_life_recorder *recorder; /* NULL: nobody looks */
    struct hc_life_infants *infants;   /* NULL: none */
    struct hc_life_elastic *elastic;   /* NULL: off */
    int32_t n_absent;                  /* nodes that it goes on without; changes between bookings */
    bool waits_for_hosts;              /* what comes to the pool is for the job that stands */
};

/* n_absent nodes had no part in what is booked for ns. */
void hc_life_elastic_absent(struct hc_life *s, enum hc_what what, enum hc_why why, int64_t ns);

/* ns of wall time were what for why. */
static inline void hc_life_book(struct hc_life *s, enum hc_what what, enum hc_why why, int64_t ns)
{
    s->leaf_ns[what][why] += ns;
    s->out->unproductive_ns[s->blame] += ns;
    if (s->n_absent)
        hc_life_elastic_absent(s, what, why, ns);
}

/* lifetime_replica.c */
enum hc_status hc_life_init(struct hc_life *s, const struct hc_compiled_lifetime *plan,
                            struct hc_error *err);
void hc_life_fini(struct hc_life *s);
void hc_life_begin(struct hc_life *s, uint64_t replica, struct hc_lifetime_replica *out);
enum hc_status hc_life_live(struct hc_life *s);
enum hc_status hc_life_replica(struct hc_life *s, uint64_t replica,
                               struct hc_lifetime_replica *out);

/* lifetime_time.c */
static inline int64_t hc_life_ns(double seconds)
{
    return seconds < (double)HC_LIFE_NEVER * 1e-9 ? (int64_t)(seconds * 1e9 + 0.5) : HC_LIFE_NEVER;
}

/* Most of what is drawn is constant: inline, so that this costs no call. */
static inline int64_t hc_life_draw(struct hc_life *s, const struct hc_distribution *d,
                                   enum hc_life_stream stream)
{
    if (d->kind == HC_DISTRIBUTION_CONSTANT)
        return d->scale > 0 ? hc_life_ns(d->scale) : 0;
    return hc_life_ns(hc_distribution_draw(d, &s->rng[stream]));
}

static inline bool hc_life_chance(struct hc_life *s, double probability, enum hc_life_stream stream)
{
    if (probability <= 0 || probability >= 1)
        return probability >= 1;
    return hc_philox_uniform(&s->rng[stream]) < probability;
}

/* Does it stand for want of nodes, also after those that have come back for it? */
static inline bool hc_life_is_short(const struct hc_life *s)
{
    return s->handed.n < s->n_wanted;
}

void hc_life_push(struct hc_life *s, int64_t at_ns, enum hc_life_event kind, int32_t who);
void hc_life_down(struct hc_life *s, int64_t ns, enum hc_what what, enum hc_why why);
void hc_life_queue(struct hc_life *s, int64_t ns);
bool hc_life_exposed(struct hc_life *s, int64_t ns, int64_t *passed_ns);
void hc_life_run_stretch(struct hc_life *s);
void hc_life_handle(struct hc_life *s, bool running);

/* lifetime_faults.c */
void hc_life_faults_start(struct hc_life *s);
int64_t hc_life_fault_ns(const struct hc_life *s, int32_t *cause);
void hc_life_strike(struct hc_life *s, int32_t cause, bool running);
void hc_life_rates_changed(struct hc_life *s, int32_t lemons_before);
void hc_life_drop_stale(struct hc_life *s);
void hc_life_renew_clocks(struct hc_life *s, int32_t slot);
int64_t hc_life_detect_ns(struct hc_life *s, const struct hc_lifetime_fault *fault);
void hc_life_close_open(struct hc_life *s, size_t which);
void hc_life_stop_open(struct hc_life *s, size_t which);
void hc_life_node_leaves(struct hc_life *s, int32_t slot);
void hc_life_skip_incidents(struct hc_life *s);

/* lifetime_progress.c */
void hc_life_advance(struct hc_life *s, int64_t ns);
int64_t hc_life_to_completion(const struct hc_life *s);
int64_t hc_life_measured_ns(struct hc_life *s);
void hc_life_begin_run(struct hc_life *s, int64_t until_ns);
void hc_life_lose(struct hc_life *s, enum hc_why why);
void hc_life_fall_back(struct hc_life *s, int32_t n, enum hc_why why);
void hc_life_lose_taint(struct hc_life *s, enum hc_why why);
void hc_life_lose_memory(struct hc_life *s, enum hc_why why);
void hc_life_save_now(struct hc_life *s);
void hc_life_hold(struct hc_life *s);

/* lifetime_nodes.c */
void hc_life_nodes_start(struct hc_life *s);
void hc_life_pool_start(struct hc_life *const *job, size_t n);
void hc_life_pool_idle(struct hc_life_pool *pool, int64_t now_ns);
void hc_life_release(struct hc_life *s);
void hc_life_standbys(struct hc_life *s, int32_t change);
void hc_life_node_event(struct hc_life *s, const struct hc_event *event);
int hc_life_replace(struct hc_life *s, const int32_t *slot, int32_t n, enum hc_why why);
int hc_life_requeue(struct hc_life *s, enum hc_why why);
void hc_life_vacate(struct hc_life *s, int32_t slot, bool guilty);
void hc_life_occupy(struct hc_life *s, int32_t slot, int32_t node);
int32_t hc_life_wake_standby(struct hc_life *s);
int32_t hc_life_free_node(struct hc_life *s);
int32_t hc_life_preempt_one(struct hc_life *s);

/* lifetime_infants.c; only where s->infants is there */
enum hc_status hc_life_infants_init(struct hc_life *s, struct hc_error *err);
void hc_life_infants_fini(struct hc_life *s);
void hc_life_infants_reset(struct hc_life *s);
void hc_life_infant_repaired(struct hc_life *s, int32_t node);
void hc_life_infant_leaves(struct hc_life *s, int32_t slot);
void hc_life_infant_comes(struct hc_life *s, int32_t slot);
int64_t hc_life_infant_next_ns(const struct hc_life *s, int32_t cause, int32_t slot);
int32_t hc_life_infant_strikes(struct hc_life *s, int32_t cause);
bool hc_life_infant_struck(struct hc_life *s, int32_t cause, int32_t slot, bool added);

/* lifetime_elastic.c; only where s->elastic is there */
enum hc_status hc_life_elastic_init(struct hc_life *s, struct hc_error *err);
void hc_life_elastic_fini(struct hc_life *s);
void hc_life_elastic_reset(struct hc_life *s);
int32_t hc_life_elastic_present(struct hc_life *s, int32_t n);
bool hc_life_elastic_may_leave(const struct hc_life *s, int32_t n);
int hc_life_elastic_leave(struct hc_life *s, int32_t n, enum hc_why why);
void hc_life_elastic_event(struct hc_life *s, const struct hc_event *event, bool running);
bool hc_life_elastic_wants(struct hc_life *s, int32_t node);
void hc_life_elastic_requeued(struct hc_life *s);
double hc_life_elastic_begin(struct hc_life *s);
void hc_life_elastic_struck(struct hc_life *s, int32_t cause);
void hc_life_elastic_advance(struct hc_life *s, int64_t ns);
void hc_life_elastic_lost(struct hc_life *s, const struct hc_life_run *run, enum hc_why why);
void hc_life_elastic_close(struct hc_life *s);
int32_t hc_life_elastic_blame(const struct hc_life *s);
int32_t hc_life_elastic_without(const struct hc_life *s);

/* lifetime_backups.c */
enum hc_status hc_compile_backups(struct hc_compiled_lifetime *plan, struct hc_error *err);
int32_t hc_life_parallel_group(struct hc_life *s, enum hc_parallel dimension);
bool hc_life_loses_copies(const struct hc_life *s, int32_t n);

/* lifetime_recorder.c; only where there is a recorder */
void hc_life_record(struct hc_life *s, int32_t what, enum hc_why why);
void hc_life_record_queue(struct hc_life *s);
void hc_life_record_failed_start(struct hc_life *s, int64_t since_ns);
void hc_life_record_steps(struct hc_life *s);
void hc_life_record_loss(struct hc_life *s, const struct hc_life_run *run, enum hc_why why);
void hc_life_record_mark(struct hc_life *s, int32_t cause, int32_t slot, const char *name);

/* lifetime_recovery.c */
void hc_life_start(struct hc_life *s, int kind, enum hc_why why);
void hc_life_recover(struct hc_life *s);

/* shared_pool.c: for jobs that share a pool. */
enum hc_life_meeting { HC_MEETS_END, HC_MEETS_NODE, HC_MEETS_REQUEST };
void hc_life_fleet_meet(struct hc_life *s, enum hc_life_meeting why);
void hc_life_fleet_ask(struct hc_life *s);
void hc_life_fleet_push(struct hc_life *s, int64_t at_ns, enum hc_life_event kind, int32_t who);
int64_t hc_life_fleet_wait(struct hc_life *s);
void hc_life_fleet_look(struct hc_life *s);
struct hc_life *hc_life_fleet_heir(struct hc_life *s);
struct hc_life *hc_life_fleet_victim(struct hc_life *s);
bool hc_life_fleet_waits(const struct hc_life *s);

/* Before the job acts on its pool: let happen there what comes before. */
static inline void hc_life_meet(struct hc_life *s, enum hc_life_meeting why)
{
    if (s->pool->fleet)
        hc_life_fleet_meet(s, why);
}

#endif
