/* recorded.h - incidents that somebody recorded (a list of them, a ticket system), joined with the
 * attempts of a scheduler.
 *
 * One joins by the number of the job that it names; else every attempt on a node that it names (a
 * list of nodes, of a switch or rack, as the scheduler writes it) that ran between its beginning
 * and its recovery; else, where it names a group only, every such attempt of the partition or
 * cluster of that name. What joins none, and why, is counted.
 */
#ifndef HC_MODELS_EVIDENCE_RECORDED_H
#define HC_MODELS_EVIDENCE_RECORDED_H

#include "core/base/int_map.h"
#include "core/tables/incidents/incident_table.h"
#include "core/text/text_set.h"
#include "models/evidence/corrections.h"
#include "models/evidence/evidence.h"

enum hc_recorded_method {
    HC_RECORDED_BY_JOB,
    HC_RECORDED_BY_NODE,
    HC_RECORDED_BY_GROUP,
    HC_RECORDED_NO_PLACE, /* it names neither job nor node nor group, or nodes that are no list */
    HC_RECORDED_NO_CLOCK, /* its time is relative, or local to a place that is not said */
    HC_N_RECORDED_METHODS
};

/* Texts are those of hc_recorded.texts, NULL: not said. */
struct hc_recorded_incident {
    int64_t time_ns, recovered_ns; /* of a source without a clock missing */
    int64_t row;                   /* of its list, from 1 */
    int64_t job;                   /* its number, or missing */
    int32_t attempt;               /* restarts, or missing */
    int32_t cause;                 /* enum hc_incident_cause */
    int32_t noticed;               /* enum hc_incident_class */
    int32_t scope;                 /* enum hc_incident_scope, or missing */
    const char *cluster, *list, *source, *node, *group, *text; /* list: the name of its source */
    enum hc_recorded_method method;                            /* by which it may join */
    enum hc_event_effect effect;            /* stops jobs; program: the user's; else informs */
    const struct hc_correction *correction; /* that says the effect, or NULL */
    int64_t n_attempts;                     /* that it joined */
    hc_corrected_gpu_ns gpu_ns;             /* held by them */
    int64_t last;                           /* attempt that it joined last, as offered */
};

/* Where an incident is: sorted by place and time. */
struct hc_recorded_stay {
    int32_t place, incident;
    int64_t from_ns, to_ns;
};

struct hc_recorded {
    struct hc_text_set texts, places;
    size_t n, room;
    struct hc_recorded_incident *list;
    struct hc_int_map of_job; /* to the last of list; the others by before */
    int32_t *before;
    size_t n_stays, stays_room;
    struct hc_recorded_stay *stays;
    size_t *first;       /* of a place: stays[first[place]] to stays[first[place + 1]] */
    int64_t *longest_ns; /* of the stays of a place */
    int64_t n_offered;   /* attempts so far */
    int64_t as_of_ns;    /* what happened later is not known; 0: all is */
};

/* An attempt that is offered. */
struct hc_recorded_attempt {
    const char *cluster, *partition, *nodes; /* NULL: not known */
    int64_t job, start_ns, end_ns;           /* end_ns: missing while it runs */
    int64_t gpu_ns;
    int32_t restarts;
};

/* "incidents#3", in text. */
void hc_recorded_name(const struct hc_recorded_incident *incident, char *text, size_t room);
/* "node" */
const char *hc_recorded_method_name(enum hc_recorded_method method);

/* Copies the texts; method, effect and what it joined are worked out. HC_NO_MEMORY only. */
enum hc_status hc_recorded_add(struct hc_recorded *recorded, const struct hc_recorded_incident *row,
                               struct hc_corrections *corrections, struct hc_error *err);
/* After the last. */
enum hc_status hc_recorded_end(struct hc_recorded *recorded, struct hc_error *err);
/* Join an attempt that ran. */
void hc_recorded_offer(struct hc_recorded *recorded, const struct hc_recorded_attempt *attempt);
/* As events beside those of nodes, by which ends are judged. */
enum hc_status hc_recorded_as_evidence(const struct hc_recorded *recorded,
                                       struct hc_evidence_set *set, struct hc_error *err);
/* Zeroed memory has none. */
void hc_recorded_fini(struct hc_recorded *recorded);

#endif
