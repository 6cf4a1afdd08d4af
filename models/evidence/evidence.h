/* evidence.h - why attempts of a scheduler ended: what their nodes and their own logs said, and how
 * sure that is (account.md 4).
 *
 * Evidence that the infrastructure ended an attempt is
 * - certain: the scheduler says that a node failed, a kernel names the process of the rank that
 *   failed first, or a recorded incident of the infrastructure names the job;
 * - likely: an event, or a recorded incident, on one of its nodes that can stop a job, from 10
 * minutes before the fault to 5 minutes after its notice, and before the end unless a node failed;
 * - coincident: an event in that window that is neither: one that follows any end (the driver
 *   cleans up), that is the program's own most often, of another process, or after the end.
 * The number of likely ones that chance alone would give is counted beside them: the same windows
 * on the same nodes, shifted by up to 7 days either way.
 *
 * The fault lies between the earliest bound that the job's own log gives (a watchdog's) and the
 * end.
 */
#ifndef HC_MODELS_EVIDENCE_EVIDENCE_H
#define HC_MODELS_EVIDENCE_EVIDENCE_H

#include "core/base/status.h"
#include "core/tables/events/event_class.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HC_EVIDENCE_BEFORE_NS ((int64_t)600 * 1000000000)
#define HC_EVIDENCE_AFTER_NS  ((int64_t)300 * 1000000000)
#define HC_EVIDENCE_HANG_NS   ((int64_t)720 * 1000000000)
#define HC_EVIDENCE_SHIFTS    7 /* days to either side */

/* Places of recorded incidents that name no node: that of a job by its number, and that of a
 * partition or cluster. No node is called so. */
#define HC_EVIDENCE_JOB   "\001job "
#define HC_EVIDENCE_GROUP "\001group "

enum hc_failure_evidence {
    HC_EVIDENCE_CERTAIN,
    HC_EVIDENCE_LIKELY,
    HC_EVIDENCE_COINCIDENT,
    HC_EVIDENCE_NONE,
    HC_N_EVIDENCES
};

/* Whose failure an end is; without evidence of the infrastructure, what the job's own log says. */
enum hc_failure_side { HC_SIDE_INFRASTRUCTURE, HC_SIDE_USER, HC_SIDE_UNKNOWN, HC_N_FAILURE_SIDES };

/* What a kernel or driver said on a node. */
struct hc_node_event {
    int64_t time_ns, pid, line;
    int32_t node;         /* code of hc_evidence_set.nodes */
    int32_t code;         /* Xid */
    int32_t source, name; /* codes of hc_evidence_set.texts, or missing */
    int32_t n_repeats;    /* the same within 5 s of the one before */
    enum hc_event_class event_class;
    enum hc_event_effect effect;
    bool is_of_tool;  /* of a process that watches GPUs, not of a job */
    int32_t incident; /* 1 + that of the recorded ones (recorded.h); 0: a node said it */
    bool names_job;   /* of an incident, at the place of its job */
    int32_t attempt;  /* there: restarts that it names, or missing */
};

/* All of them: on nodes; texts without a node are not taken. */
struct hc_evidence_set {
    struct hc_text_set nodes, texts;
    size_t n, room;
    struct hc_node_event *events; /* by node and time, once all are there */
    size_t *first;                /* of a node: events[first[node]] to events[first[node + 1]] */
    int64_t first_ns, last_ns;
    int64_t n_repeats, n_of_tools;
    int64_t n_of_incidents; /* of the events */
    size_t n_places;        /* of the nodes, those that are none */
};

/* An event as its table has it. */
struct hc_node_event_row {
    struct hc_node_event event; /* without codes of texts */
    const char *node, *process, *source, *name;
};
enum hc_status hc_evidence_add(struct hc_evidence_set *set, const struct hc_node_event_row *row,
                               struct hc_error *err);
/* After the last: they are put in order, and repeats counted. */
enum hc_status hc_evidence_end(struct hc_evidence_set *set, struct hc_error *err);
/* A zeroed set is empty. */
void hc_evidence_fini(struct hc_evidence_set *set);

/* An end to be judged. */
struct hc_end {
    int64_t start_ns, end_ns;
    int64_t fault_ns;      /* earliest that it may have failed; at most end_ns */
    int64_t root_pid;      /* of the rank that failed first, or missing */
    const char *root_node; /* where that was, or NULL */
    bool is_node_failure;  /* the scheduler says so */
    int64_t job;           /* its number; by it, its restarts, partition and cluster recorded */
    int32_t restarts;      /* incidents are found; missing, NULL: none is */
    const char *partition, *cluster;
    const char *nodes; /* list of its nodes, as the scheduler writes it; NULL: not known */
};

struct hc_judgement {
    enum hc_failure_evidence evidence;
    const struct hc_node_event *event; /* that tells most, or NULL */
    int32_t n_shifts;                  /* days of which it is known what the nodes said then */
    int32_t n_chance;                  /* of them, those on which it would have been likely */
    bool has_bad_list;                 /* its list of nodes cannot be read */
};

/* HC_INTERNAL only. */
void hc_evidence_judge(const struct hc_evidence_set *set, const struct hc_end *end,
                       struct hc_judgement *judgement);

/* "certain", "infrastructure" */
const char *hc_evidence_name(enum hc_failure_evidence evidence);
const char *hc_failure_side_name(enum hc_failure_side side);

/* Whether events of a class are said by nodes, not by the program in a job's log. */
bool hc_evidence_is_of_node(enum hc_event_class event_class);

#endif
