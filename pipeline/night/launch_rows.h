/* launch_rows.h - steps, saves, evaluations and phases of the launches of an archive, by launch.
 * Private to this wing. */
#ifndef HC_PIPELINE_NIGHT_LAUNCH_ROWS_H
#define HC_PIPELINE_NIGHT_LAUNCH_ROWS_H

#include "models/account/tree/attempt_slices.h"
#include "store/archive/archive.h"

/* Rows of the launches that are wanted; those of launch i are row[first[i]] to row[first[i + 1]].
 */
struct hc_launch_rows {
    size_t n_steps, steps_room, n_saves, saves_room, n_evaluations, evaluations_room;
    size_t n_phases, phases_room;
    struct hc_step_of {
        int32_t launch;
        struct hc_step_row row;
    } * step_list;
    struct hc_moment_of {
        int32_t launch;
        struct hc_moment_row row;
    } * save_list, *evaluation_list;
    /* In one array a kind, in order of launch and time: */
    struct hc_step_row *steps;
    struct hc_moment_row *saves, *evaluations;
    size_t *first_step, *first_save, *first_evaluation;
    /* Phases are looked for by job, or by launch where a log tells them. */
    struct hc_phase_of {
        int64_t job, from_ns, to_ns; /* job: missing where the log is known to be of a launch */
        int32_t restarts, array_task, launch, cycle;
        int32_t cluster; /* code of clusters, or missing */
        int32_t node;    /* code of nodes, or missing */
        enum hc_phase phase;
    } * phases;                           /* by job and time */
    size_t *log_phases, *first_log_phase; /* those of launch i: phases[log_phases[first...]] */
    struct hc_text_set clusters, nodes;
};

struct hc_launch_rows_source {
    const struct hc_archive *archive;
    const struct hc_joins *joins;
    const struct hc_launches *launches;
    const bool *is_wanted;     /* of launches */
    int64_t from_ns, as_of_ns; /* what is told before, or after, is left */
};

enum hc_status hc_launch_rows_load(struct hc_launch_rows *rows,
                                   const struct hc_launch_rows_source *source,
                                   struct hc_error *err);
void hc_launch_rows_fini(struct hc_launch_rows *rows);

#endif
