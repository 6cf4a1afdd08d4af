/* failures.h - the failures of a cluster's attempts: each with its side and evidence, and their
 * sums.
 *
 * A failure is an end in a state that tells of one (failed, out of memory, a node's, a boot's, a
 * launch's failure, a requeue), or the end of a launch of training inside an attempt, which may
 * still run, that another follows. What people, limits and pre-emption stopped is no failure. What
 * a person says of an end (corrections.h) goes before all of that: infrastructure and user make a
 * failure of any end, with certain evidence for the infrastructure or none, unknown leaves nobody's
 * failure, and the others say that there was none.
 */
#ifndef HC_MODELS_EVIDENCE_FAILURES_H
#define HC_MODELS_EVIDENCE_FAILURES_H

#include "models/evidence/corrections.h"
#include "models/evidence/evidence.h"
#include "models/evidence/recorded.h"

__extension__ typedef __int128 hc_lost_gpu_ns;

/* What the log of a job says of its end; codes of hc_failures.texts. */
struct hc_own_event {
    int64_t time_ns, from_ns; /* from_ns: earliest that it happened, or missing */
    int64_t pid, line;
    int32_t node, source, name;
    enum hc_event_class event_class;
    enum hc_event_effect effect;
    bool is_stamped; /* its time is its own, not that of a line before it */
};

struct hc_failure {
    int64_t job, raw_job, submit_ns, start_ns, end_ns, fault_ns;
    int64_t notice_ns; /* first that its own log tells of it with a time, or missing */
    int64_t bound_ns;  /* latest that the fault may have been, as a watchdog tells it, or missing */
    int64_t attempt_start_ns; /* also of a launch that another followed: that of the attempt */
    int64_t gpu_ns;           /* held from its start to this end */
    int64_t line;
    int32_t array_task, restarts, gpus, nodes, state;
    int32_t cycle;                             /* launch that ended in place, or missing */
    int32_t cluster, user, name, source;       /* codes of texts */
    int32_t partition, node_list, failed_node; /* the same, or missing */
    enum hc_failure_evidence evidence;
    enum hc_failure_side side;
    const struct hc_node_event *event; /* of the set, or NULL */
    int32_t own;                       /* of hc_failures.own: what its log said first, or -1 */
    int32_t n_shifts, n_chance;
    const struct hc_correction *correction; /* that holds, or NULL; then what the rules say: */
    enum hc_failure_evidence ruled_evidence;
    enum hc_failure_side ruled_side;
    bool is_by_rules; /* a failure for them too */
};

struct hc_failure_sum {
    int64_t n;
    hc_lost_gpu_ns gpu_ns;
};

struct hc_failures {
    const struct hc_evidence_set *set;
    struct hc_corrections *corrections; /* or NULL */
    const struct hc_recorded *recorded; /* incidents that are events of the set; or NULL */
    struct hc_text_set texts;
    size_t n, room;
    struct hc_failure *failures;
    size_t n_own, own_room;
    struct hc_own_event *own;
    int64_t n_ends;             /* attempts that ran and ended */
    int64_t n_healthy;          /* of them, completed */
    int64_t n_healthy_beside;   /* of these, with an event in the window that can stop a job */
    int64_t n_healthy_any;      /* of these, with any event in the window */
    int64_t n_stopped;          /* ended by a person, a limit or pre-emption */
    int64_t n_without_log;      /* failures of which no log was read, node failures apart */
    int64_t n_taken_out;        /* failures by the rules that a correction says were none */
    int64_t n_put_in;           /* failures that only a correction makes */
    int64_t n_bad_lists;        /* failures whose list of nodes cannot be read */
    hc_lost_gpu_ns gpu_node_ns; /* nodes times time of attempts with GPUs */
    /* Filled by hc_failures_sum: */
    struct hc_failure_sum by_evidence[HC_N_EVIDENCES], by_side[HC_N_FAILURE_SIDES];
    double chance, chance_low, chance_high; /* likely ones that chance alone would give, with the
                                             * 95 % interval; NaN: no other day is known */
};

/* An attempt that ended, or a launch in it. */
struct hc_failure_row {
    struct hc_failure failure; /* without codes and judgement */
    struct hc_end end;
    const char *cluster, *user, *name, *source;
    const char *failed_node; /* that the scheduler names, or NULL: then its lines in the log do */
    const int32_t *own; /* what its log said of this end, in order of time; codes of failures.own */
    size_t n_own;
    bool has_log; /* one of it was read */
};

/* Judge an end, and keep it where it is a failure. HC_INTERNAL only. */
enum hc_status hc_failures_add(struct hc_failures *failures, struct hc_failure_row *row,
                               struct hc_error *err);
/* The node that a failure is of: the one whose event is its evidence, else that which the scheduler
 * or its lines in the log say failed. NULL: nothing names one. */
const char *hc_failure_node(const struct hc_failures *failures, const struct hc_failure *failure);
void hc_failures_sum(struct hc_failures *failures);
/* Zeroed memory has none. */
void hc_failures_fini(struct hc_failures *failures);

#endif
