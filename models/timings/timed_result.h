/* timed_result.h - what logs of timed collectives show: who arrived last, how long the others
 * waited, and how fast the data moved.
 *
 * A kernel of a collective that all members must have begun before any can end spins until the last
 * one is there. So the member with the least time is the last to arrive, and another waited for as
 * long as it took longer: no clock is needed (docs/methods/timed-collectives.md). Records of one
 * communicator, operation and number are one collective.
 */
#ifndef HC_MODELS_TIMINGS_TIMED_RESULT_H
#define HC_MODELS_TIMINGS_TIMED_RESULT_H

#include "models/timings/bandwidth_tables.h"
#include "models/timings/timed_set.h"

/* One collective: its members are those of `members` from first on, by rank. */
struct hc_timed_collective {
    size_t first, n;
    int64_t seq;
    int64_t bytes;     /* of the whole operation, as nccl-tests counts them; missing: unknown */
    int64_t least_ns;  /* the time without waiting; an upper bound where a member is missing */
    int64_t lead_ns;   /* of the last to arrive over the one before; missing of a lone member */
    int64_t waited_ns; /* sum over the members */
    double algobw_gb_s, busbw_gb_s; /* by least_ns; NaN where unknown */
    struct hc_expected_bandwidth expected;
    int32_t communicator, op;
    int32_t last; /* rank; missing where nothing can be said of waits */
    int32_t last_process;
    bool is_complete;     /* every member of the communicator is there */
    bool is_contradicted; /* a member has two records that differ */
    bool are_sizes_other; /* members say different sizes */
    bool are_timed_other; /* members measured in different ways */
};

/* What a process did over all communicators. */
struct hc_timed_process {
    int32_t process;                  /* code of the set */
    int32_t rank;                     /* of the job, where a communicator tells it; missing else */
    int64_t n_records, n_collectives; /* collectives: those of which waits are known */
    int64_t n_last, caused_ns, waited_ns;
};

/* How fast one kind of transfer ran: one operation of one size, of one communicator; or of all
 * communicators of as many ranks, with sizes of the same power of two. */
struct hc_timed_rate {
    int32_t op, communicator; /* communicator: missing, all of n_ranks */
    int32_t n_ranks;
    int64_t bytes; /* the size, or the power of two that it begins with; missing: unknown */
    int64_t n;     /* transfers */
    int64_t total_ns, median_ns;
    double busbw_gb_s, least_busbw_gb_s; /* lower median, and least; NaN unknown */
    double expected_gb_s, share;         /* median of the expectations, and of busbw over them */
    int64_t lost_ns;                     /* beyond what was expected, summed where slower */
    int64_t n_below;                     /* transfers below the share that was asked for */
};

struct hc_timed_totals {
    int64_t n_records, n_collectives, n_p2p; /* records that are used */
    int64_t n_repeated;     /* records that are there twice, alike: one was left out */
    int64_t n_contradicted; /* collectives with two records of a member that differ */
    int64_t n_incomplete;   /* collectives of which members are missing */
    int64_t n_joint;        /* collectives of which waits are known */
    int64_t n_other_sizes, n_other_timing;
    int64_t waited_ns;
    int64_t n_compared, n_disagree; /* records whose logged bandwidth was compared; that differ */
    int64_t n_expected, n_below;    /* transfers that the baseline knows; below the share */
    int64_t n_cut, n_unknown, n_dropped, n_other;
    int64_t n_ranks; /* of the largest communicator */
};

struct hc_timed_result {
    struct hc_timed_totals totals;
    int32_t world; /* the communicator whose ranks are those of the job, or -1: none tells */
    size_t n_members;
    uint32_t *members; /* records of the set */
    size_t n_collectives;
    struct hc_timed_collective *collectives; /* by communicator, op and number */
    size_t n_processes;
    struct hc_timed_process *processes; /* by rank or by name */
    size_t n_classes, n_rates;
    struct hc_timed_rate *classes; /* over all communicators, by op, ranks and size */
    struct hc_timed_rate *rates;   /* by what they lost, else by their time; the most first */
    size_t disagreeing;            /* the first record that does, where there is one */
};

struct hc_timed_options {
    const struct hc_bandwidth_tables *baseline; /* or NULL */
    double below;                               /* share of the expected bandwidth, as 0.8 */
};

/* Records are put into an order of their own, so that it does not matter in which order the logs
 * were added. HC_INTERNAL without memory. result is filled on success only. */
enum hc_status hc_timed_analyse(struct hc_timed_result *result, struct hc_timed_set *set,
                                const struct hc_timed_options *options, struct hc_error *err);
void hc_timed_result_fini(struct hc_timed_result *result);

/* The wait of a member of a collective, ns. */
int64_t hc_timed_wait_ns(const struct hc_timed_result *result, const struct hc_timed_set *set,
                         const struct hc_timed_collective *collective, size_t member);

#endif
