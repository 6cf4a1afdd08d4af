/* phase_table.h - the `phases` table: what a job does on its way to its first step.
 *
 * A row is a phase of a job on a node, or of one of its ranks, from its start on; the end is
 * missing while nothing tells it. What is told once as begun and then as ended is one row: its key
 * is the start, the job, and a hash of node, rank, restart, phase and log.
 *
 * Whoever makes rows fills a struct hc_phase_row and puts it (hc_phase_put).
 */
#ifndef HC_CORE_TABLES_NODES_PHASE_TABLE_H
#define HC_CORE_TABLES_NODES_PHASE_TABLE_H

#include "core/tables/nodes/time_basis.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>

/* Phases in their usual order. Those from image to warm_up are leaves of the account of GPU-time
 * ("startup.image"). */
enum hc_phase {
    HC_PHASE_QUEUE,
    HC_PHASE_ALLOCATE,
    HC_PHASE_IMAGE,       /* fetching and starting the container image */
    HC_PHASE_ENVIRONMENT, /* packages, mounts, checks of the node */
    HC_PHASE_INIT,        /* processes, devices, communicators */
    HC_PHASE_LOAD,        /* the checkpoint */
    HC_PHASE_COMPILE,
    HC_PHASE_WARM_UP,
    HC_PHASE_FIRST_STEP,
    HC_PHASE_DATA,  /* setting up the data loaders */
    HC_PHASE_OTHER, /* a name that is none of these: it is the detail */
    HC_N_PHASES
};

enum hc_phases_column {
    HC_PHASES_START_NS,
    HC_PHASES_END_NS, /* missing: nothing says that it ended */
    HC_PHASES_CLUSTER,
    HC_PHASES_JOB, /* number that users know */
    HC_PHASES_ARRAY_TASK,
    HC_PHASES_RESTARTS, /* as the source says: SLURM_RESTART_COUNT */
    HC_PHASES_CYCLE,    /* launch of the processes within the allocation, from 0 */
    HC_PHASES_NODE,
    HC_PHASES_RANK,
    HC_PHASES_PHASE, /* enum hc_phase */
    HC_PHASES_DETAIL,
    HC_PHASES_CLOCK,  /* enum hc_time_basis */
    HC_PHASES_LOG_ID, /* of the log that tells it, as in the table `cycles`; of a pod */
    HC_PHASES_FACT,   /* hash of node, rank, restart, phase and log */
    HC_PHASES_SOURCE,
    HC_PHASES_LINE,
    HC_PHASES_N_COLUMNS
};

extern const struct hc_table_def hc_phases_def;

/* The list of the one table, ending in NULL. */
extern const struct hc_table_def *const hc_phase_tables[];

/* The sets of the table, those of fixed codes filled. */
enum hc_status hc_phase_names_init(struct hc_table_names *names, struct hc_error *err);

/* "image" */
const char *hc_phase_name(enum hc_phase phase);

/* The phase of a name ("image", "warm_up"), or HC_PHASE_OTHER. */
enum hc_phase hc_phase_find(const char *name, size_t length);

/* Whether row a tells of a later moment of the same phase: with an end, or with a later one. */
bool hc_phase_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b);

/* A piece of text that is not terminated; length 0: nothing is known. */
struct hc_phase_text {
    const char *text;
    size_t length;
};

/* A phase as a reader finds it. */
struct hc_phase_row {
    int64_t start_ns; /* Unix time, must be known */
    int64_t end_ns;
    int64_t job, log_id, line;
    int32_t array_task, restarts, cycle, rank;
    enum hc_phase phase;
    enum hc_time_basis clock;
    struct hc_phase_text node, detail, source;
};

/* A phase of which nothing is known yet. */
extern const struct hc_phase_row hc_phase_none;

/* The hash of node, rank, restart and phase that is part of the key. */
int64_t hc_phase_fact(const struct hc_phase_row *phase);

/* Append a phase as a row; the table must have room. HC_NO_MEMORY only. */
enum hc_status hc_phase_put(const struct hc_phase_row *phase, struct hc_table_names *names,
                            struct hc_table *rows, struct hc_error *err);

#endif
