/* life_progress.h - the work of a job: steps and saves between two events, computed in one go.
 * Private to this wing.
 *
 * Run time is cut into intervals of every_ns, each followed by a stall of stall_ns at whose start
 * the snapshot is taken; it is durable durable_ns later. Work is in three parts: kept (durable), in
 * flight (up to a snapshot that is not durable yet) and fresh (since the last snapshot).
 *
 * Invariants: there is at most one save in flight. `tainted` and `unremote` are ends of `kept`:
 * what became durable since a silent corruption, and since the last save to remote storage. The
 * ring `gap` knows the last saves, so that a job can go back to one that is not the last.
 *
 * Progress knows no clock and books nothing: it is told how much time passes, and functions that
 * take work away return what was lost, for the account (life_account.h). What is lost in several
 * pieces must be booked in these pieces and in this order: the recorder cuts the stretches of steps
 * there.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_PROGRESS_H
#define HC_SIM_LIFETIME_LIFE_LIFE_PROGRESS_H

#include "sim/lifetime/compiled_lifetime.h"

#define HC_LIFE_RING 8 /* durable checkpoints that can be gone back to */

/* Time in steps, and what it brought: ideal_ns + excess_ns is the time, work_ns the progress at the
 * nominal step time. */
struct hc_life_run {
    int64_t ideal_ns, excess_ns, work_ns;
};

/* Durable saves that each brought the same. */
struct hc_life_gap {
    struct hc_life_run run;
    int64_t times;
};

struct hc_life_progress {
    const struct hc_compiled_lifetime *compiled;
    struct hc_life_run kept, flight, fresh, tainted, unremote;
    struct hc_life_gap gap[HC_LIFE_RING];
    int32_t n_gaps, gap_end;
    int64_t saves_tainted, saves_unremote; /* how many are in the two runs of these names */
    bool is_tainted;
    int64_t since_ns;                     /* run time since the last snapshot */
    int64_t stall_left_ns, pending_at_ns; /* of the save in flight: wall time when it is durable */
    int64_t stall_ns, durable_ns, every_ns; /* of this fault-free interval */
    bool is_held;                           /* the job stands and may go on with all that it has */
    int64_t held_pending_at_ns;             /* pending_at_ns of a job that is held */
    double code_speed, step_factor;
    double slow; /* step time with / without what slows the job now */
};

void hc_work_begin(struct hc_life_progress *p, const struct hc_compiled_lifetime *compiled);

/* ---- steps run ---- */

/* Steps begin; the next event is steps_ns away. On the state of the last durable save, what holds
 * for the fault-free interval is drawn anew. On a state that was held they go on as they were: the
 * next snapshot comes a whole interval of steps after the last one, and the save in flight ends. */
void hc_work_start_run(struct hc_life_progress *p, struct hc_life_streams *streams,
                       int64_t steps_ns);
/* From now_ns on ns pass in steps and saves, at one speed. Returns how much of it was stalls. */
int64_t hc_work_advance(struct hc_life_progress *p, int64_t now_ns, int64_t ns);
/* Wall time until the work is done, if nothing happens; HC_LIFE_NEVER. */
int64_t hc_work_to_completion(const struct hc_life_progress *p);
/* All that was not lost so far. */
struct hc_life_run hc_work_sum(const struct hc_life_progress *p);

/* ---- steps stop ---- */

/* Nothing is lost yet: who runs on has the state of now_ns. A loss before the next steps takes the
 * save in flight too, whenever it would have been durable. */
void hc_work_hold(struct hc_life_progress *p, int64_t now_ns);
/* A save before a stop that was foreseen is written: the job stood for it, and it is durable.
 * hc_work_settle() comes first, at the moment of the stop. */
void hc_work_save(struct hc_life_progress *p);
/* A snapshot whose time has come by now_ns is durable. */
void hc_work_settle(struct hc_life_progress *p, int64_t now_ns);

/* ---- losses: each returns the piece that is lost ---- */

/* The steps since the last durable save. */
struct hc_life_run hc_work_lose(struct hc_life_progress *p, int64_t now_ns);
/* One durable save further back; false where none is remembered. */
bool hc_work_fall_back(struct hc_life_progress *p, struct hc_life_run *lost);
/* What became durable since a silent corruption is worthless. */
struct hc_life_run hc_work_lose_taint(struct hc_life_progress *p);
/* The copies in memory are gone: back to the last remote save. */
struct hc_life_run hc_work_lose_memory(struct hc_life_progress *p);

/* ---- faults that the job goes on with ---- */

/* The slowest of them, 1 for none, and whether one is a silent corruption. */
void hc_work_weigh(struct hc_life_progress *p, double slow, bool is_tainted);

#endif
