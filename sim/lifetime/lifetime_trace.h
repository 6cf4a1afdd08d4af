/* lifetime_trace.h - what one replica lived through, stretch by stretch; and ETTR over time.
 *
 * A replica is run again with its life recorded: the same streams give the same life, and runs that
 * nobody looks at pay nothing for it.
 */
#ifndef HC_SIM_LIFETIME_LIFETIME_TRACE_H
#define HC_SIM_LIFETIME_LIFETIME_TRACE_H

#include "sim/lifetime/lifetime.h"

/* Spans follow each other without gaps, from submission to the end of the life. Steps whose work a
 * later fault destroyed are spans of HC_WHAT_LOST_WORK, at the time when they ran. */
#define HC_SPAN_QUEUE (-1) /* what: waiting in the queue, no nodes held */

struct hc_lifetime_span {
    int64_t start_ns, end_ns;    /* wall time since submission */
    int32_t what;                /* enum hc_what, or HC_SPAN_QUEUE; steps that count are
                                    HC_WHAT_PRODUCTIVE_IDEAL */
    int32_t why;                 /* enum hc_why */
    int32_t cause;               /* the fault (index of config->fault) from which the job recovers
                                    in this span, or because of which an elastic job runs its steps
                                    with fewer replicas; -1: none */
    int64_t stall_ns, excess_ns; /* of spans of steps: the part in checkpoint stalls, and the part
                                    by which slow steps were longer; both spread evenly over it */
    int64_t missing_ns;          /* productive steps of an elastic job: time in steps times the
                                    share of its dp replicas that did not run; else 0 */
    int32_t more;                /* stretches beside this one that are in it: it is the sum of those
                                    of its kind in a slice; 0: it is one stretch */
};

/* The moment of a fault, of a planned stop or of a change of code. */
struct hc_lifetime_mark {
    int64_t time_ns;
    int32_t cause;     /* index of config->fault, or -1: planned stop or change of code */
    int32_t node_slot; /* first node that it took, or -1 */
    const char *name;  /* of the config */
    int32_t more;      /* marks of its kind beside this one, the first, in a slice */
};

/* Memory is bounded where `most` says so: a life with more stretches, or marks, is summed up in
 * slices of time. Within a slice, stretches of one state, reason and cause are one span, which
 * `more` tells; those that reach over the end of a slice stay as they are. So sums up to the end of
 * a slice are exact. */
struct hc_lifetime_trace {
    /* Before a life is recorded: */
    size_t most;           /* spans, and marks, that are kept one by one; 0: all */
    const int64_t *cut_ns; /* [n_cuts] ascending: where slices end; NULL: even ones, as wide as
                              needed. It is only read while a life is recorded. */
    size_t n_cuts;
    struct hc_life_fold_state {
        int64_t slice_ns; /* width of even slices; 0: nothing was summed up */
        size_t next_spans, next_marks;
    } fold;
    struct hc_lifetime_span *span;
    size_t n_spans, span_capacity;
    struct hc_lifetime_mark *mark;
    size_t n_marks, mark_capacity;
};

/* Live a replica once more and record it. result may be NULL. trace->fold.slice_ns tells whether
 * there was more than is kept one by one. Release with _fini in any case. */
struct hc_life_request {
    uint64_t replica;
    size_t most; /* spans, and marks; 0: no bound */
};
enum hc_status hc_lifetime_trace_within(struct hc_lifetime_trace *trace,
                                        const struct hc_lifetime_config *config,
                                        const struct hc_life_request *request,
                                        struct hc_lifetime_replica *result, struct hc_error *err);

/* The same, whole, however long it is. */
static inline enum hc_status
hc_lifetime_trace_run(struct hc_lifetime_trace *trace, const struct hc_lifetime_config *config,
                      uint64_t replica, struct hc_lifetime_replica *result, struct hc_error *err)
{
    const struct hc_life_request whole = {.replica = replica};
    return hc_lifetime_trace_within(trace, config, &whole, result, err);
}
void hc_lifetime_trace_fini(struct hc_lifetime_trace *trace);

/* How many stretches, and marks, of the life there are in what was recorded. */
int64_t hc_life_n_stretches(const struct hc_lifetime_trace *trace);
int64_t hc_life_n_events(const struct hc_lifetime_trace *trace);

/* Running sum of the time in steps of one kind, up to any moment of a life:
 * HC_WHAT_PRODUCTIVE_IDEAL (all productive steps, slow ones too) or HC_WHAT_LOST_WORK, without the
 * stalls among them and the share that an elastic job misses. Within a stretch they are spread
 * evenly. */
struct hc_life_reader {
    const struct hc_lifetime_trace *trace;
    int32_t what;
    size_t span;    /* that was reached ... */
    int64_t sum_ns; /* ... and the sum of those before it */
};

/* Time of the kind from submission to at_ns, which does not go back from call to call. */
int64_t hc_life_read_total(struct hc_life_reader *reader, int64_t at_ns);

/* Spans that follow each other and are of one cause, or for one reason without a cause. */
struct hc_life_episode {
    size_t n;        /* spans */
    int64_t lost_ns; /* their steps whose work was lost, without checkpoint stalls */
};

/* The episode that begins with the span `first`, which there is. */
struct hc_life_episode hc_life_read_episode(const struct hc_lifetime_trace *trace, size_t first);

/* ---- one life over time ---- */

#define HC_LIFE_MOST_SAMPLES 10000

/* At one time: productive time that was never lost over wall time (arXiv 2509.16293), since the
 * first start and within the window before; GPU-time in steps that were lost later. */
struct hc_life_sample {
    int64_t at_ns; /* since submission */
    double cumulative, sliding, lost_gpu_h;
};

/* Samples of one recorded life at evenly spaced times from its first start to its end, the end
 * among them. They are read one after the other, so memory does not grow with the life. */
struct hc_life_samples {
    int64_t first_start_ns, end_ns; /* since submission */
    int64_t window_ns;              /* one that would begin before the first start begins there */
    int64_t n;                      /* a quarter of the window apart, or HC_LIFE_MOST_SAMPLES */

    /* How far it was read. */
    struct hc_life_reader now, before, lost;
    double gpus;
    int64_t n_read;
};

/* window_s 0: an hour where the life has at most ten days, else a day. job: whose life it is. */
void hc_life_samples_start(struct hc_life_samples *samples, const struct hc_lifetime_trace *trace,
                           const struct hc_lifetime_job *job, double window_s);

/* Read the next one; false when there is none. */
bool hc_life_samples_next(struct hc_life_samples *samples, struct hc_life_sample *sample);

/* ---- ETTR over time, of many lives ---- */

enum hc_curve_line {
    HC_CURVE_MEAN,
    HC_CURVE_P05,
    HC_CURVE_P25,
    HC_CURVE_P50,
    HC_CURVE_P75,
    HC_CURVE_P95,
    HC_CURVE_N_LINES
};

/* At n times since the first start: productive time that was never lost over wall time
 * (arXiv 2509.16293), since the first start and within the last window_s. A window that would begin
 * before the first start begins there, so both are the same until window_s. A replica counts up to
 * its end; n_alive says how many are left. Values are NaN where none is. Quantiles lie between the
 * two nearest values (of n sorted ones, level q at place q (n - 1)). */
struct hc_lifetime_curve {
    size_t n;
    double window_s;
    uint64_t n_replicas;
    double *time_s;   /* [n], ascending, since the first start; the last is the longest life */
    int64_t *n_alive; /* [n] */
    double *cumulative[HC_CURVE_N_LINES], *sliding[HC_CURVE_N_LINES]; /* [n] each */
};

/* From replicas [0, n_replicas), each lived again, twice; threads as in config. The same bytes for
 * any number of threads. Memory: 2 * n_replicas * n doubles, and one bounded trace a thread.
 * Release with _fini in any case. */
enum hc_status hc_lifetime_curve_run(struct hc_lifetime_curve *curve,
                                     const struct hc_lifetime_config *config, uint64_t n_replicas,
                                     size_t n, double window_s, struct hc_error *err);
void hc_lifetime_curve_fini(struct hc_lifetime_curve *curve);

#endif
