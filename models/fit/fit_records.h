/* fit_records.h - what parameters of a cluster are fitted to: plain counts and times, taken from
 * its records (pipeline/fit).
 *
 * A **strike** is a failure of one attempt, or of one launch of training in it, that is the
 * infrastructure's (certain or likely). Strikes of one cause within two minutes are one
 * **incident**: a switch that takes several nodes, or a node with several jobs on it.
 */
#ifndef HC_MODELS_FIT_FIT_RECORDS_H
#define HC_MODELS_FIT_FIT_RECORDS_H

#include "core/base/status.h"
#include "core/text/text_set.h"
#include "models/fit/node_renewal.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_FIT_DAYS 36500 /* of records, at most */

/* What came after a strike. */
enum hc_fit_follow {
    HC_FOLLOW_UNKNOWN,  /* the job is of no run */
    HC_FOLLOW_IN_PLACE, /* the processes were launched again in the same allocation */
    HC_FOLLOW_REQUEUE,  /* the scheduler queued the same job again */
    HC_FOLLOW_NEW_JOB,  /* somebody, or something, submitted another */
    HC_FOLLOW_NOT_YET   /* the run is not done, and nothing of it began until the records end */
};

/* Seconds that are not known are NaN. */
struct hc_fit_strike {
    int64_t time_ns;      /* of the event, else of the end */
    int32_t cause;        /* code of hc_fit_records.causes */
    int32_t node;         /* code of the nodes of uses, or -1 */
    int32_t nodes;        /* of the attempt */
    int32_t run;          /* of the attempt, or -1 */
    int32_t n_hit;        /* nodes with an event of the same kind within two minutes, 1 and more */
    bool is_likely;       /* by an event in its window only, not certain */
    bool is_hang;         /* its log has a watchdog's line */
    double detect_s;      /* from the event, or the bound of the watchdog, to the notice */
    double detect_most_s; /* where there is neither: from the last line before to the notice */
    double line_s;        /* and between the lines of steps of that launch */
    int32_t cycle;        /* that launch, in the joins, or -1 */
    enum hc_fit_follow follow;
    double held_s; /* from the notice to the end of the attempt, or to the next launch in place */
    double gap_s;  /* from that end to the start of the next attempt; NOT_YET: so far */
    double wait_s; /* of these, from its submission on */
};

/* What else ended the attempts of runs, and their launches in place. */
enum hc_fit_stop_kind {
    HC_STOP_USER,       /* a failure of the user's */
    HC_STOP_UNKNOWN,    /* a failure of nobody knows whom */
    HC_STOP_LIMIT,      /* the time limit */
    HC_STOP_CANCELLED,  /* by a person */
    HC_STOP_PREEMPTION, /* for other jobs */
    HC_STOP_END,        /* the job completed, and the run goes on in another */
    HC_N_STOP_KINDS
};

struct hc_fit_stop {
    enum hc_fit_stop_kind kind;
    int32_t run;
    double gap_s; /* from the end to the start of the next attempt; NaN: not known */
    bool is_cut;  /* nothing of the run began until the records end */
};

/* From the start of an attempt, or a launch in place, to its first step. */
struct hc_fit_start {
    double seconds;
    int32_t run;
    bool is_cut, is_in_place;
};

/* A run of training, as `hindcast runs propose` names it. */
struct hc_fit_run {
    const char *name;    /* of the joins that it was taken from */
    int32_t nodes, gpus; /* of its last attempt */
    int64_t n_cycles;
    double days;                                     /* of its attempts */
    int64_t save_iterations, n_saves, n_other_saves; /* most often between saves; how often, and
                                                        how often another number; 0: never two */
};

/* Lines of steps of the run that was asked for; iterations that a line is the mean of. */
struct hc_fit_steps {
    size_t n, room;
    double *seconds, *iterations;
    size_t iterations_room;
    int64_t n_first;  /* left out: with the first iteration of a launch */
    int64_t n_beyond; /* left out: beyond the number that is kept */
};

/* Node-time of attempts with GPUs, by their number of nodes. */
struct hc_fit_size {
    int32_t nodes;
    double node_days;
};

struct hc_fit_records {
    int64_t from_ns, to_ns; /* what is fitted to */
    struct hc_text_set causes, nodes;
    size_t n_strikes, strikes_room;
    struct hc_fit_strike *strikes; /* by time */
    size_t n_uses, uses_room;
    struct hc_node_use *uses;
    bool has_all_uses; /* false: too many, or lists of nodes that cannot be read */
    size_t n_sizes, sizes_room;
    struct hc_fit_size *sizes; /* ascending */
    double node_days;          /* of all sizes */
    double use_days;           /* of nodes that had such an attempt, several at once counted once;
                                  where has_all_uses is not so, node_days */
    int64_t first_day;         /* since 1970, UTC */
    size_t n_days;
    double *day_use_days; /* [n_days] use_days of each */
    size_t n_stops, stops_room;
    struct hc_fit_stop *stops;
    size_t n_starts, starts_room;
    struct hc_fit_start *starts;
    size_t n_runs;
    struct hc_fit_run *runs;
    int32_t run; /* that was asked for, or -1 */
    struct hc_fit_steps steps;
    size_t n_stalls, stalls_room;
    double *stalls; /* seconds that steps of that run stood for a save, as its log times it */
    size_t n_phases, phases_room;
    struct hc_fit_phase {
        int32_t phase; /* enum hc_phase */
        double seconds;
    } * phases;                /* of start-up, that have an end */
    int64_t n_phases_left_out; /* without one, or beyond the number that is kept */
    size_t n_repairs, repairs_room;
    struct hc_fit_repair {
        double seconds;
        bool is_cut;
    } * repairs;
    int64_t n_failures, n_users, n_unknown; /* all, and those of the other sides */
    int64_t n_running;       /* attempts with GPUs that had not ended: their time counts so far */
    double chance;           /* strikes that chance alone would give; NaN: not known */
    int64_t n_repairs_alike; /* nodes taken out together: one repair */
};

/* Zeroed memory has none. */
void hc_fit_records_fini(struct hc_fit_records *records);

#endif
