/* straggler_split.h - productive steps divided into what they would take without stragglers and the
 * excess, by the what-if of timelines of the same attempt (account.md 2).
 *
 * Of a traced step the excess is its time x (1 - 1/S), S the slowdown of its timeline: measured.
 * Other steps of the attempt are divided by the S of the traced ones together, which is an
 * estimate, and only where tracing is declared to be at random or periodic: people trace slow jobs.
 * Else that S only bounds what they hide. Nothing but productive.unsplit is touched, and what it is
 * cut into has its time, GPUs and steps: ETTR never depends on tracing.
 */
#ifndef HC_MODELS_ACCOUNT_TREE_STRAGGLER_SPLIT_H
#define HC_MODELS_ACCOUNT_TREE_STRAGGLER_SPLIT_H

#include "models/account/tree/slice.h"

#include <stdbool.h>

/* A timeline whose replay differs from the trace by more divides nothing. */
#define HC_SPLIT_DISCREPANCY 0.05

/* Steps that a timeline has, one behind the other. */
struct hc_traced_stretch {
    int64_t from_ns, to_ns; /* Unix time */
    double slowdown;        /* S of the timeline */
    bool is_estimated;      /* when they were: the timeline does not tell exactly */
    int32_t source;         /* code of the texts of the joins: the timeline */
};

/* What is traced of an attempt. */
struct hc_traced {
    size_t n;
    const struct hc_traced_stretch *stretches; /* in order of time, without overlap */
    double slowdown; /* of all of them: traced time over ideal time; NaN where n is 0 */
    bool is_sample;  /* tracing is declared to be at random or periodic */
};

/* What became of the timelines of ops of the attempts of a walk. */
struct hc_timeline_use {
    int64_t n_joined;     /* to an attempt that was walked */
    int64_t n_split;      /* by which steps were divided */
    int64_t n_discrepant; /* by which nothing was: the replay differs too much */
    int64_t n_unusable;   /* that cannot be replayed, or read */
};

/* Put stretches in order of time; where two overlap, the earlier one keeps what both have. */
void hc_traced_order(struct hc_traced_stretch *stretches, size_t *n);
/* Traced time over ideal time; NaN where there is none. */
double hc_traced_slowdown(const struct hc_traced_stretch *stretches, size_t n);

/* Give a slice to sink: as it is, or cut. Cuts lie also on the quarters of an hour, since days of
 * any zone begin there: so each day has its own share. */
enum hc_status hc_straggler_split(const struct hc_slice *slice, const struct hc_traced *traced,
                                  const struct hc_slice_sink *sink, struct hc_error *err);

#endif
