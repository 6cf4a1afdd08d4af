/* account_walk.h - every attempt of a window with its slices, out of an archive.
 *
 * The walk joins logs to attempts, judges failures, and cuts the time of each attempt into slices
 * (models/account/tree). It hands them on one attempt after the other, uncut by the window: who
 * takes them cuts and sums. In memory are the joins, the failures, and the steps of the attempts
 * of the window; of the attempts themselves one day.
 */
#ifndef HC_PIPELINE_NIGHT_ACCOUNT_WALK_H
#define HC_PIPELINE_NIGHT_ACCOUNT_WALK_H

#include "models/account/night/night.h"
#include "models/account/tree/attempt_slices.h"
#include "models/account/tree/straggler_split.h"
#include "pipeline/daily/failure_input.h"
#include "pipeline/site/site_file.h"

/* Texts last for the call; NULL: not recorded. */
struct hc_walked_attempt {
    int64_t job, raw_job, submit_ns, eligible_ns, start_ns;
    int64_t end_ns; /* of one that runs: as far as its record says that it had run */
    int64_t line;
    int32_t array_task, restarts, gpus, nodes, state;
    int32_t attempt, run; /* of the joins, or -1 */
    bool is_running, has_estimated_gpus;
    bool is_traced; /* timelines of ops joined it, by which its steps are split */
    const char *cluster, *user, *account, *partition, *name, *node_list, *source;
};

/* A phase of the start-up of an attempt that a node, or a rank of it, marked. */
struct hc_own_phase {
    size_t launch;    /* of the attempt, from 0 */
    const char *node; /* of the life of the walk */
    enum hc_phase phase;
    int64_t from_ns, to_ns;
};

/* What takes the walk. attempt is called before the phases and slices of each; any may be NULL. */
struct hc_walk_sink {
    enum hc_status (*attempt)(const struct hc_walked_attempt *attempt,
                              const struct hc_attempt_facts *facts, void *context,
                              struct hc_error *err);
    enum hc_status (*slice)(const struct hc_walked_attempt *attempt, const struct hc_slice *slice,
                            void *context, struct hc_error *err);
    void *context;
    enum hc_status (*phase)(const struct hc_walked_attempt *attempt,
                            const struct hc_own_phase *phase, void *context, struct hc_error *err);
};

struct hc_walk_choice {
    const struct hc_archive *archive;
    const char *cluster;        /* NULL: all */
    const struct hc_site *site; /* NULL: none */
    int64_t from_ns, to_ns;     /* attempts that held GPUs in between are walked */
    int64_t as_of_ns;           /* what came later is not known; INT64_MAX: all is */
};

/* What the walk has found, besides what it gave: of one life. */
struct hc_walk {
    struct hc_failure_records records; /* joins and failures */
    struct hc_launches launches;
    int64_t n_attempts;        /* walked */
    struct hc_night_gaps gaps; /* in the window; launches without attempt or clock: in all */
    int64_t last_ns;           /* latest time of any record of a job */
    struct hc_timeline_use timelines;
};

/* HC_BAD_INPUT: the archive has no accounting of a scheduler. walk is the caller's to hc_walk_fini
 * whatever the result. */
enum hc_status hc_walk_run(struct hc_walk *walk, const struct hc_walk_choice *choice,
                           const struct hc_walk_sink *sink, struct hc_error *err);
void hc_walk_fini(struct hc_walk *walk);

/* Whether a segment tells of a cluster (NULL: of any): other records than those of jobs may be of
 * any where nobody said of which they are. */
bool hc_entry_tells_of(const struct hc_manifest_entry *entry, const char *cluster);

#endif
