/* study_result.h - what the runs of a scenario gave. Every view (JSON, text, CSV, HTML) is made of
 * this; whoever runs the study fills it. Nothing here is computed by a view.
 *
 * All of it is the same for every engine. What only one engine has stands in two places: tables
 * that it wants shown (struct hc_study_section), which every view shows without knowing them, and
 * `detail` of a run, which only the views of that engine read (study/engines/lifetime/
 * lifetime_result.h). */
#ifndef HC_STUDY_RUN_STUDY_RESULT_H
#define HC_STUDY_RUN_STUDY_RESULT_H

#include "core/text/condition.h"

#include <stdint.h>

#define HC_STUDY_NONE SIZE_MAX /* no index */

/* Mean over replicas, its interval, and the deviation between replicas. NaN where there is none. */
struct hc_study_value {
    double mean, low, high, sd;
};

/* Between replicas: quantiles of what one of them had, with intervals of their own. */
struct hc_study_spread {
    struct hc_study_value p05, p50, p95;
    uint64_t
        n_replicas; /* of which this is made: the first, as many as are kept and have a value */
};

/* What a column of values is. */
struct hc_study_column {
    const char *name;  /* "ettr" */
    const char *unit;  /* "share", "d", "GPU-h", "", ... */
    const char *help;  /* a sentence */
    bool is_reported;  /* the scenario asks for it in its summary (report/figures) */
    bool is_compared;  /* and in its comparison */
    const char *title; /* what people call it: "wall time" */
    bool is_gain;      /* more of it is better; else less is */
    /* Where reports put it first, as its engine says (struct hc_engine_figure). */
    int compare_place, lead_place;
    const char *tile; /* NULL: none */
    int32_t method;   /* version of its definition, from 1 */
};

/* A table that the engine adds to the report of a run. */
struct hc_study_section_column {
    const char *name;  /* key in JSON, head in CSV: "wait_s" */
    const char *title; /* head for people: "wait" */
    const char *unit;  /* of its numbers, "" for texts and plain numbers */
};
struct hc_study_section_cell {
    const char *text; /* or NULL: the number */
    double number;    /* NaN: not known */
    bool is_count;    /* it is a whole number, below 2^53 */
};
struct hc_study_section {
    const char *name;  /* key in JSON, anchor in the page: "queues" */
    const char *title; /* heading: "Queues" */
    const char *help;  /* a sentence */
    const struct hc_study_section_column *column;
    size_t n_columns, n_rows;
    const struct hc_study_section_cell *cell; /* [n_rows * n_columns], by row */
    bool is_told; /* by views of the engine, so that text and page leave it out */
};

/* The scenario, or one variant of it, without sweep. */
struct hc_study_run {
    const char *name;                /* "base", or that of the variant */
    uint64_t n_replicas, n_finished; /* n_finished: of these, those that came to their end */
    struct hc_study_value *value;    /* [n_columns] */
    struct hc_study_spread *spread;  /* [n_columns]; NaN for quantiles and shares of replicas */
    /* What each of the first n_kept replicas had: replica_value[column][replica], NaN where one has
     * no such figure; NULL of a column that is one of all replicas. */
    const double *const *replica_value; /* [n_columns] */
    size_t n_kept;
    /* Against the base of the comparison; by replica with common random numbers. NULL: not
     * compared, or the base itself. */
    struct hc_study_value *difference;  /* [n_columns] */
    struct hc_study_value *interaction; /* [n_columns]; NULL unless it combines several variants */
    const char *const *combines;        /* their names */
    size_t n_combines;
    /* [n_columns] where the inputs are others that the records allow: low and high are quantiles
     * over draws of them, at the level of the intervals; NaN where a draw has no such figure. NULL:
     * none is drawn. */
    struct hc_study_value *inputs;
    /* The same of the difference: each draw against the same draw of the base. NULL where none is
     * drawn, or nothing compared. */
    struct hc_study_value *difference_inputs;
    const char *const *input_path; /* keys that are drawn: fitted or recorded */
    size_t n_input_paths;
    const struct hc_study_section *section;
    size_t n_sections;  /* the same in every run */
    const char *engine; /* whose detail it is */
    void *detail;       /* NULL: none */
};

/* One key that is swept. */
struct hc_study_axis {
    const char *path, *unit; /* "/recovery/warm_standbys"; unit may be "" */
    size_t n;
    const char *const *label; /* [n] values as written */
    const double *number;     /* [n], NaN where the value is no number */
    size_t base;              /* index of the value that the scenario itself has, or NONE */
};

/* One point of the sweep of one variant. */
struct hc_study_cell {
    uint64_t n_replicas, n_unfinished;
    struct hc_study_value *value; /* [n_columns] */
};

/* One value that was tried for `find`. */
struct hc_study_try {
    double number;
    struct hc_study_value value;       /* of the figure of the condition, of several the first */
    const struct hc_study_value *also; /* [n_terms - 1] of those of the other terms */
    bool holds;
    double margin; /* of what the condition looks at (mean, low or high end) from its number; of
                      several terms the least */
    bool is_near;  /* the margin is below a tenth of half the interval: digits do not show it */
};

/* How sure it is that an answer is the smallest (largest) value, or that there is none. Better ones
 * are smaller (larger); where there is none, every value would be better. */
enum hc_study_proof {
    HC_FOUND_ALL_TRIED,  /* all better ones were tried, and fail */
    HC_FOUND_NEXT_FAILS, /* the next better one fails; it is the best if the condition changes once
                          */
    HC_FOUND_OF_TRIED,   /* there are values between it and the next better one that was tried */
    HC_FOUND_ENDS_FAIL   /* none: the first and the last fail; so do all if the condition changes at
                            most once */
};

/* The point that did best, or the value that was found, run once more with random numbers of its
 * own: what is best of many has had luck, too, and its own interval does not know that. */
struct hc_study_again {
    bool is_there;
    uint64_t n_replicas;
    struct hc_study_value *value;  /* [n_columns] */
    struct hc_study_value *inputs; /* [n_columns] as those of a run; NULL: none is drawn */
    bool holds;                    /* the condition of `find` */
    size_t n_draws, n_hold; /* draws of the inputs, and of these those whose means meet it; n_draws
                               0: none, or it asks about quantiles */
};

struct hc_study_found {
    bool is_asked, is_found, is_smallest;
    const char *path, *unit, *such_that;
    const struct hc_condition_term *term; /* [n_terms] of such_that; `figure` is a column */
    size_t n_terms;
    size_t column;         /* of the first term, or HC_STUDY_NONE */
    double bound;          /* and its number */
    double from, to, step; /* where it was sought; step 0: the sweep, or all that can be */
    size_t n_changes;      /* of the condition, over the tries */
    double number;         /* when found */
    enum hc_study_proof proof;
    int64_t n_untried; /* better values that were not tried; -1: no end of them */
    size_t n_tries;
    struct hc_study_try *tries; /* ascending by number */
    size_t answer;              /* the try that was found, or HC_STUDY_NONE */
    size_t better_fails;        /* the next better try, where it fails, or HC_STUDY_NONE */
    size_t worse_fails;         /* the nearest worse try that fails, or HC_STUDY_NONE */
    struct hc_study_again again;
};

/* One bar of the tornado. */
struct hc_study_bar {
    const char *path, *unit;
    double low, high, base; /* numbers of the key; base NaN when the scenario does not give one */
    struct hc_study_value at_low, at_high;
};

/* Which columns and points are shown, and in what order; filled by hc_study_digest. */
#define HC_STUDY_BEST_POINTS 20
#define HC_STUDY_BRIEF       4
struct hc_study_order {
    const size_t *best_run; /* [n_columns] the run that does best; HC_STUDY_NONE: all do the same */
    const size_t *compared; /* columns of the comparison, by their compare_place */
    size_t n_compared;
    const size_t *swept; /* columns that are reported and vary over the sweep, by lead_place */
    size_t n_swept;
    size_t brief[HC_STUDY_BRIEF]; /* columns for narrow tables: those that the scenario names, or */
    size_t n_brief;               /* of many those that have a lead_place */
    const size_t *best_cell; /* of the sweep, best first by the first swept column: index of cell */
    size_t n_best_cells;
    const bool *is_flat; /* [n_runs * n_columns], by run: the same on all of the plane of the first
                            two axes (hc_study_plane_cell) */
    bool is_ascending; /* the values of the first axis: two or more numbers, each above the last */
    double bar_base;   /* of the base, the figure of the tornado; NaN where it is no column */
};

struct hc_study_input {
    const char *path;
    char sha256[65];
};

struct hc_study_result {
    const char *engine;      /* "lifetime": the kind of the scenario */
    const char *title;       /* of the page: "The life of a job, simulated" */
    const char *one, *many;  /* what a replica is called: "life", "lives" */
    bool has_given_replicas; /* they come with the input, and were not asked for */
    const char *events;      /* what variants have in common, or each its own: "faults" */
    const char *subject;     /* of the base, in words: "1,200 nodes of 8 GPUs, 90 d of work" */

    const char *name;     /* of the scenario: file name without directory and ending */
    const char *run_id;   /* where it is one of several files: what all of them carry; or NULL */
    const char *question; /* or NULL */
    const char *scenario; /* resolved, as JSON on one line */
    const struct hc_study_input *inputs; /* files that were read */
    size_t n_inputs;
    const char *const *notes; /* to be read with the numbers: absorbed incidents, no end reached */
    size_t n_notes;
    uint64_t seed;
    double confidence;
    double price_per_gpu_h; /* 0: none */

    const struct hc_study_column *column;
    size_t n_columns;
    const char *const *table; /* of the engine that are asked for; none: all */
    size_t n_tables;
    struct hc_study_run *run; /* [0] is the base */
    size_t n_runs;
    int32_t n_input_draws;
    bool is_compared, common_random_numbers;
    size_t compare_base; /* index of run */

    const struct hc_study_axis *axis; /* a grid, the last goes fastest */
    size_t n_axes, n_points;          /* n_points: product of the axes; 0 without a sweep */
    struct hc_study_cell *cell;       /* [n_runs * n_points]: by run, then by point */
    struct hc_study_again best_again; /* of order.best_cell[0] */

    struct hc_study_found found;
    const struct hc_study_column *bar_column; /* figure of the tornado, or NULL */
    struct hc_study_bar *bar;                 /* widest first */
    size_t n_bars;

    struct hc_study_order order;
    uint64_t first_replica; /* the number of the first one */
    uint64_t drawn_replica; /* the replica that the scenario wants drawn */
    size_t drawn_events;    /* of it that are kept one by one, at most; 0: all */
    const char *drawn_note; /* how it was summed up, a sentence; NULL: it was not */
};

#endif
