/* life_account.h - where the wall time of a job goes, and what that is in GPU-time.
 * Private to this wing.
 *
 * Whoever lets time pass books it here at once: one `what` and one `why` for each nanosecond that
 * the nodes are held. Time in steps is not booked but kept by progress, as it may still be lost;
 * what was not lost by the end is productive. hc_life_account_close() adds it and proves that no
 * nanosecond is missing.
 *
 * Leaves are in wall time, as if all nodes were there. An elastic job goes on without some: what
 * the leaves have too much of is kept apart, in node-ns, and taken off at the end. For steps it
 * depends on what becomes of them, so that they are kept on a stack of stretches with the same
 * nodes: what is lost is always what ran last.
 *
 * Invariants: n_absent changes between bookings only. Queues are not booked here: no nodes are
 * held.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_ACCOUNT_H
#define HC_SIM_LIFETIME_LIFE_LIFE_ACCOUNT_H

#include "sim/lifetime/life/life_progress.h"
#include "sim/lifetime/life_calendar.h"

/* Steps with the same nodes. */
struct hc_life_stretch {
    int64_t ideal_ns, excess_ns;
    int32_t n_run, n_absent; /* nodes with a part in the steps; nodes that are not there */
    int32_t cause;           /* of what is missing */
};

/* What is booked of nodes that are not there: of elastic jobs only. */
struct hc_life_absence {
    hc_gpu_ns less_ns[HC_WHAT_COUNT][HC_WHY_COUNT]; /* node-ns */
    hc_gpu_ns absent_ns;                            /* node-ns, up to since_ns */
    int64_t since_ns;                               /* of time held */
    struct hc_life_stretch *stretch;
    size_t n_stretches, capacity;
};

struct hc_life_account {
    struct hc_lifetime_replica *out;
    int64_t leaf_ns[HC_WHAT_COUNT][HC_WHY_COUNT];
    int32_t blame; /* cause that time is charged to; HC_LIFETIME_MAX_FAULTS: none */
    int32_t n_absent;
    struct hc_life_absence *absence; /* NULL: not elastic */
};

enum hc_status hc_life_account_init(struct hc_life_account *a, bool is_elastic,
                                    struct hc_error *err);
void hc_life_account_fini(struct hc_life_account *a);
void hc_life_account_begin(struct hc_life_account *a, struct hc_lifetime_replica *out);

/* ns of wall time were what for why. */
static inline void hc_life_book(struct hc_life_account *a, enum hc_what what, enum hc_why why,
                                int64_t ns)
{
    a->leaf_ns[what][why] += ns;
    a->out->unproductive_ns[a->blame] += ns;
    if (a->n_absent)
        a->absence->less_ns[what][why] += (hc_gpu_ns)a->n_absent * ns;
}

/* These steps are lost: what ran last, with the nodes that were absent then. */
void hc_life_book_loss(struct hc_life_account *a, const struct hc_life_run *lost, enum hc_why why);

/* ---- elastic jobs ---- */

/* The number of absent nodes changes now; held_ns: wall time so far without queues. */
void hc_life_count_absent(struct hc_life_account *a, int32_t change, int64_t held_ns);
/* Steps for ideal_ns + excess_ns with these nodes and, of what is missing, this cause. */
void hc_life_book_stretch(struct hc_life_account *a, const struct hc_life_stretch *ran,
                          struct hc_life_end *end);

/* ---- the end ---- */

struct hc_life_closing {
    const struct hc_lifetime_config *config;
    struct hc_life_run counts; /* steps that were not lost */
    int64_t wall_ns;
    hc_gpu_ns standby_ns,
        idle_ns; /* node-ns; idle_ns is 0 in a shared pool, whose free nodes are nobody's alone */
};

/* Fills out's account, times of steps and wall_ns. HC_INTERNAL when the leaves are not the time
 * that the nodes were held. */
enum hc_status hc_life_account_close(struct hc_life_account *a, const struct hc_life_closing *c,
                                     struct hc_error *err);

#endif
