/* subject.h - the attempts of one run, job or node, each with what its GPU-time went into and what
 * ended it.
 */
#ifndef HC_MODELS_ACCOUNT_SUBJECT_SUBJECT_H
#define HC_MODELS_ACCOUNT_SUBJECT_SUBJECT_H

#include "models/account/night/night.h"
#include "models/evidence/failures.h"

enum hc_subject_kind { HC_SUBJECT_RUN, HC_SUBJECT_JOB, HC_SUBJECT_NODE, HC_N_SUBJECT_KINDS };

/* Columns of time. */
enum hc_subject_part {
    HC_SUBJECT_PRODUCTIVE,
    HC_SUBJECT_STARTUP,
    HC_SUBJECT_STALLS, /* checkpoints, evaluation, data */
    HC_SUBJECT_LOST,   /* lost and abandoned work */
    HC_SUBJECT_FAULTS, /* failed start-up, detection, localisation, recovery */
    HC_SUBJECT_OTHER,
    HC_SUBJECT_UNKNOWN,
    HC_N_SUBJECT_PARTS
};

struct hc_subject_attempt {
    int64_t job, start_ns, end_ns;
    int32_t array_task, restarts, gpus, state, launches;
    bool is_running;
    int32_t user;    /* code of the names of the subject */
    int32_t failure; /* that ended it, the last of its launches; -1: none */
    int64_t n_failures;
    double share; /* of its GPU-time that is the subject's: of a node, its part of the nodes */
    hc_gpu_ns gpu_ns[HC_WHAT_COUNT];
};

struct hc_subject {
    enum hc_subject_kind kind;
    const char *name;
    struct hc_text_set users;
    size_t n, room;
    struct hc_subject_attempt *attempts; /* by start, once all are there */
    /* Of a node: failures that it is the place of, and what its time gives at the rate of all. */
    int64_t n_own, n_all;
    double own_node_days, all_node_days;
    /* Filled by hc_subject_end: GPU-hours. */
    double hours, parts[HC_N_SUBJECT_PARTS];
    double leaves[HC_WHAT_COUNT];
};

/* The attempt that follows; its slices come next. user: NULL: not recorded. */
enum hc_status hc_subject_take_attempt(struct hc_subject *subject,
                                       const struct hc_subject_attempt *attempt, const char *user,
                                       struct hc_error *err);
void hc_subject_take_slice(struct hc_subject *subject, const struct hc_slice *slice);
void hc_subject_end(struct hc_subject *subject);
void hc_subject_fini(struct hc_subject *subject);

/* GPU-hours of an attempt in a column, of the subject. */
double hc_subject_hours(const struct hc_subject_attempt *attempt, enum hc_subject_part part);

/* "run"; "startup" */
const char *hc_subject_kind_name(enum hc_subject_kind kind);

#endif
