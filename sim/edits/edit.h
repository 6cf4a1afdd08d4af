/* edit.h - what a scenario changes of a step timeline: one edit is which ops, and what is done to
 * them (docs/methods/step-scenarios.md). Edits are applied in their order. */
#ifndef HC_SIM_EDITS_EDIT_H
#define HC_SIM_EDITS_EDIT_H

#include "sim/edits/selector.h"
#include "sim/engine/distribution.h"

enum hc_edit_kind {
    HC_EDIT_NOTHING,
    HC_EDIT_SCALE,   /* duration times value */
    HC_EDIT_ADD,     /* duration plus value */
    HC_EDIT_SET,     /* value instead of it */
    HC_EDIT_CAP,     /* at most value */
    HC_EDIT_REPLACE, /* by what is usual in its class */
    HC_EDIT_SWAP,    /* those of two workers */
    HC_EDIT_DELAY,   /* launches later by value */
    HC_EDIT_PAUSE,   /* a stop before the op, on the compute stream */
    HC_EDIT_LINK,    /* transfers over a slower link */
    /* Remedies: */
    HC_EDIT_REBALANCE,   /* microbatches dealt out anew over dp ranks, or made even */
    HC_EDIT_PLANNED_GC,  /* pauses at the same time everywhere instead of now here, now there */
    HC_EDIT_REPARTITION, /* part of a stage's work moved to others */
    HC_EDIT_OVERLAP,     /* transfers hidden behind compute */
    HC_EDIT_EVICT,       /* a worker that stays slow is replaced */
    /* Another plan (sim/rearrange/), which edits of lanes know nothing of: */
    HC_EDIT_REARRANGE,   /* other schedule, chunks, microbatches, stages */
    HC_EDIT_EXTRAPOLATE, /* more dp ranks */
    HC_EDIT_STOP,        /* a worker stops: the step is lost, and nothing else is changed */
    HC_N_EDIT_KINDS
};

enum hc_replacement {
    HC_REPLACE_IDEAL, /* mean of passes, optimizer and gc, median of the rest: the what-if's ideal
                       */
    HC_REPLACE_MEAN,
    HC_REPLACE_MEDIAN,
    HC_REPLACE_QUANTILE
};

enum hc_class_over { HC_OVER_ALL, HC_OVER_SELECTION, HC_OVER_OTHERS };
enum hc_class_after { HC_AFTER_NOTHING, HC_AFTER_EDITS };

enum hc_pause_as { HC_PAUSE_DURATION, HC_PAUSE_DELAY };

enum hc_plan_schedule { HC_PLAN_AS_MEASURED, HC_PLAN_1F1B, HC_PLAN_INTERLEAVED, HC_PLAN_GPIPE };
enum hc_plan_layers { HC_LAYERS_KEEP, HC_LAYERS_MOVE };
enum hc_plan_order { HC_PLAN_REVERSED, HC_PLAN_ASCENDING };

/* Another plan of a step; 0: as the measured step has it. */
struct hc_rearrangement {
    int32_t schedule; /* enum hc_plan_schedule */
    int32_t chunks;   /* a stage, of an interleaved schedule */
    int32_t layers;   /* enum hc_plan_layers: whether work moves between workers with the chunks */
    int32_t order;    /* enum hc_plan_order: of GPipe's backward passes */
    int32_t microbatches, stages;
    /* Reductions of gradients begin when the last backward pass of their chunk has ended, beside
     * what follows, as if the job overlapped them; asked for by the overlap of an edit. */
    bool dp_when_ready, is_overlap;
};

struct hc_edit {
    const char *name;
    struct hc_selector select;
    int32_t kind;                 /* enum hc_edit_kind */
    struct hc_distribution value; /* a factor; s of ADD, SET, DELAY, PAUSE */
    int32_t drawn_per;            /* enum hc_drawn_per: of a value that is drawn */
    double cap_s;
    struct {
        int32_t how; /* enum hc_replacement */
        double quantile;
        unsigned by;   /* enum hc_class_by bits */
        int32_t over;  /* enum hc_class_over */
        int32_t after; /* enum hc_class_after */
    } replace;
    int32_t swap[2][2]; /* dp rank, stage of the two */
    int32_t pause_as;   /* enum hc_pause_as */
    struct {
        double bandwidth; /* factor on it: below 1 is slower */
        double latency_s; /* added */
    } link;
    struct {
        int32_t over;   /* enum hc_rebalance_over */
        int32_t counts; /* enum hc_rebalance_counts */
        int32_t order;  /* enum hc_rebalance_order */
    } rebalance;
    struct {
        int32_t every_steps;
        double pause_s, mad;
    } planned_gc;
    struct {
        double move_fraction;
        struct hc_step_ranges to; /* stages; empty: all others */
    } repartition;
    struct {
        int32_t when; /* enum hc_overlap_when */
        double efficiency, compute_slowdown;
        double tp_comm_share; /* of passes that is communication of tensor parallelism; 0: none */
    } overlap;
    struct {
        int32_t after_steps;
        double factor, cost_s;
    } evict;
    struct hc_rearrangement rearrange;
    struct {
        int32_t dp; /* dp ranks to draw */
    } extrapolate;
    struct {
        double at_s, timeout_s;
    } stop;
    uint32_t stream; /* of random numbers: differs between edits of a scenario */
};

enum hc_overlap_when { HC_WHEN_TRACED, HC_WHEN_INPUTS_READY };
enum hc_rebalance_over { HC_OVER_DP_RANKS, HC_OVER_MICROBATCHES };
enum hc_rebalance_counts { HC_COUNTS_EQUAL, HC_COUNTS_FREE };
enum hc_rebalance_order { HC_ORDER_MEASURED, HC_ORDER_LONGEST_FIRST };

/* Whether a selector, or one within it, draws. */
bool hc_selector_draws(const struct hc_selector *selector);

/* Whether random numbers matter: a value or a selector that draws. */
bool hc_edit_draws_numbers(const struct hc_edit *edit);

#endif
