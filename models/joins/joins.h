/* joins.h - the records of a cluster, joined: which log and which launch of training belongs to
 * which attempt, and which attempts are one run.
 *
 * Run, attempt and cycle are as account.md 1 has them: a cycle is one launch of the training
 * processes, an attempt one allocation of the scheduler, a run the training that a person means. A
 * cycle joins the attempt whose record names the log it is in (StdOut, StdErr), else the one in
 * whose work directory the log lies, else the one whose number the log's name has; of several the
 * one that its name has the number of, else the one that ran then. What none matches, or several
 * do, is told, never dropped.
 *
 * Filled in this order (join_logs.h, lineage.h): cycles, checkpoints, all attempts (of which those
 * are kept that a log may belong to), the match, the runs.
 */
#ifndef HC_MODELS_JOINS_JOINS_H
#define HC_MODELS_JOINS_JOINS_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 hc_gpu_ns;

/* How a log came to its attempt; a better one has a smaller number. */
enum hc_join_method {
    HC_JOIN_PATH,     /* the record's StdOut or StdErr names the log */
    HC_JOIN_WORK_DIR, /* the log lies in the record's work directory */
    HC_JOIN_NUMBER,   /* the log's name has the job's number */
    HC_N_JOIN_METHODS
};

/* Why a cycle has no attempt. */
enum hc_join_failure {
    HC_JOINED,
    HC_JOIN_NO_ATTEMPT, /* nothing matches */
    HC_JOIN_SEVERAL,    /* several match equally well */
    HC_JOIN_NOT_THEN,   /* several match, and none ran then */
    HC_JOIN_RELATIVE,   /* of a timeline: its times are relative */
    HC_N_JOIN_FAILURES
};

/* Texts are codes of hc_joins.texts; HC_MISSING_I32: not known. */
struct hc_join_attempt {
    int64_t job, raw_job, submit_ns, start_ns;
    int64_t end_ns; /* missing while it runs */
    int64_t gpu_ns; /* that its record says it held so far */
    int64_t line;
    int32_t array_task, restarts, state, nodes, gpus;
    int32_t cluster, user, name, work_dir, source;
    int32_t named; /* run that a rule of the site names, or missing */
    int32_t run;   /* -1: none */
    int32_t n_cycles;
};

struct hc_join_log {
    int32_t cluster;                 /* that its source was said to be of, or missing: any */
    int64_t id, job;                 /* job: the number in its name, or missing */
    int32_t path;                    /* a file it was read from */
    int32_t name;                    /* its path without what rotation and compression put behind */
    size_t cycles, n_cycles;         /* in hc_joins.cycles */
    size_t facts, n_facts;           /* in hc_joins.facts */
    int64_t timeline_ns;             /* when the timeline that it stands for began; or missing */
    size_t candidates, n_candidates; /* in hc_joins.candidates, after the match */
};

struct hc_join_candidate {
    int32_t log, attempt;
    int32_t parts;  /* components of the path, from the last, that agree */
    int32_t number; /* enum hc_log_number: how well the log's name tells it from others */
    enum hc_join_method method;
};

struct hc_join_cycle {
    int64_t start_ns, first_step_ns, end_ns;
    int64_t first_iteration, last_iteration, loaded_iteration, saved_iteration;
    int64_t line;
    int32_t log, number, world_size, source;
    int32_t save_path, load_path; /* directories of checkpoints */
    bool has_clock, is_done;
    int32_t attempt; /* -1: none */
    enum hc_join_method method;
    enum hc_join_failure failure;
    bool is_off;    /* joined, though it began at a time at which the attempt did not run */
    int32_t run;    /* -1: none */
    int32_t parent; /* cycle that wrote what it loaded, or -1 */
};

/* A moment of which the log of a job tells: a failure, a signal. */
struct hc_join_fact {
    int64_t time_ns;
    int32_t log;
    int32_t tag; /* the caller's */
    bool has_clock;
    int32_t attempt; /* -1: none */
};

/* A recorded timeline (of ops or of a profiler), which joins as a log does. One whose times are
 * relative joins nothing (account.md 1). */
struct hc_join_timeline {
    int32_t name;           /* that the archive knows it by */
    int64_t from_ns, to_ns; /* Unix time; missing: its times are relative */
    int64_t n_steps;        /* 0: it has no table of them */
    int32_t log, attempt;   /* -1: none */
    enum hc_join_method method;
    enum hc_join_failure failure;
};

/* A checkpoint that was saved. */
struct hc_join_save {
    int64_t time_ns, iteration;
    int32_t path, cycle;
};

/* How a run was put together. */
enum hc_run_rule { HC_RUN_BY_SITE, HC_RUN_BY_LINEAGE, HC_RUN_BY_JOB, HC_N_RUN_RULES };

struct hc_run {
    int32_t name;        /* a text; unlike that of any other run */
    int32_t path;        /* where it saves, or missing */
    int32_t forked_from; /* run, or -1 */
    int64_t fork_iteration;
    int32_t first_cycle, last_cycle; /* by time */
    int32_t n_attempts, n_cycles;
    int32_t n_gaps; /* cycles that began from what no cycle here wrote: attempts or logs are missing
                     */
    int64_t first_ns, last_ns;
    int64_t first_iteration, last_iteration, saved_iteration;
    hc_gpu_ns gpu_ns; /* of its attempts */
    enum hc_run_rule rule;
    bool is_done;
};

/* By how much clocks of logs and of the scheduler differ: what, added to the times of the logs,
 * puts each joined cycle between start and end of its attempt. */
struct hc_join_offset {
    int64_t least_ns, most_ns; /* least above most: no one offset does */
    size_t n;                  /* cycles that tell; 0: none */
};

struct hc_joins {
    struct hc_text_set texts;
    size_t n_attempts, attempts_room;
    struct hc_join_attempt *attempts;
    size_t n_logs, logs_room;
    struct hc_join_log *logs;
    struct hc_int_map log_of_id;
    size_t n_cycles, cycles_room;
    struct hc_join_cycle *cycles; /* by log and number, once all are there */
    size_t n_facts, facts_room;
    struct hc_join_fact *facts; /* by log, once all are there */
    size_t n_timelines, timelines_room;
    struct hc_join_timeline *timelines;
    size_t n_saves, saves_room;
    struct hc_join_save *saves;
    size_t n_candidates, candidates_room;
    struct hc_join_candidate *candidates;
    size_t n_runs, runs_room;
    struct hc_run *runs;
    struct hc_join_index *index; /* of logs, until the match */
    struct hc_join_offset offset;
    int64_t n_offered;            /* attempts that ran */
    int64_t n_without_log;        /* of them, of a node's GPUs (8) or more, without a log */
    hc_gpu_ns without_log_gpu_ns; /* of these */
    hc_gpu_ns offered_gpu_ns;     /* of all */
};

/* GPU-hours that a cycle kept ranks busy, as its log tells: ranks, a GPU each, from the first time
 * to the last. NaN: the log does not say how many ranks, or when. */
double hc_join_cycle_gpu_hours(const struct hc_join_cycle *cycle);

/* "path" */
const char *hc_join_method_name(enum hc_join_method method);
/* "several" */
const char *hc_join_failure_name(enum hc_join_failure failure);
/* "lineage" */
const char *hc_run_rule_name(enum hc_run_rule rule);

/* The code of a text; NULL is missing. HC_NO_MEMORY only. */
enum hc_status hc_joins_text(struct hc_joins *joins, const char *text, int32_t *code,
                             struct hc_error *err);
/* NULL: missing. */
const char *hc_joins_find_text(const struct hc_joins *joins, int32_t code);

/* A zeroed struct has no records. */
void hc_joins_fini(struct hc_joins *joins);

#endif
