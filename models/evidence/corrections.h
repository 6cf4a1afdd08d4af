/* corrections.h - what people know better than the records, found for each end of an attempt.
 *
 * A correction is about a job (all its attempts, or those with an array task, a number of restarts
 * or a time), or about a node at a time: then about the failures that it is in the window of. Of
 * several about one end the one of the latest date holds; of one date the one that says more
 * closely what it is about, which is told, since they contradict each other. What corrections say
 * of incidents by name is looked up by hc_corrections_of_incident.
 */
#ifndef HC_MODELS_EVIDENCE_CORRECTIONS_H
#define HC_MODELS_EVIDENCE_CORRECTIONS_H

#include "core/base/int_map.h"
#include "core/base/status.h"
#include "core/tables/corrections/correction_table.h"
#include "core/text/text_set.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

__extension__ typedef __int128 hc_corrected_gpu_ns;

/* What became of a correction. */
enum hc_correction_outcome {
    HC_CORRECTION_ACTED,     /* on one end or incident at least */
    HC_CORRECTION_OVERRULED, /* all that it is about is said by others that hold */
    HC_CORRECTION_UNMATCHED, /* there is nothing that it is about */
    HC_N_CORRECTION_OUTCOMES
};

/* A row of `corrections`; texts are those of hc_corrections.texts, NULL: not said. */
struct hc_correction {
    int64_t date_ns, job, time_ns, line;
    int32_t array_task, restarts;
    const char *cluster, *incident, *node, *detail, *author, *reason, *source;
    enum hc_correction_cause cause;
    int32_t scope; /* enum hc_incident_scope, or missing */
    /* Counted by hc_corrections_find: */
    int64_t n_about, n_held;    /* ends or incidents that it is about; where it held */
    int64_t n_tied;             /* another of the same date says another cause */
    hc_corrected_gpu_ns gpu_ns; /* of the ends where it held */
};

struct hc_corrections {
    struct hc_text_set texts, nodes, incidents;
    size_t n, room;
    struct hc_correction *list;                     /* by date, file and line, once all are there */
    struct hc_int_map of_job, of_node, of_incident; /* to the last of list; the others by before */
    int32_t *before;
    int64_t as_of_ns; /* what was written later is not known; 0: all is */
};

/* An end that may be corrected. */
struct hc_corrected_end {
    const char *cluster, *nodes; /* nodes: a list as the scheduler writes it, or NULL */
    int64_t job;
    int64_t from_ns, to_ns; /* in which a time that a correction names must lie */
    int64_t gpu_ns;         /* held */
    int32_t array_task, restarts;
    bool is_launch;  /* of training, that another followed in place: only a time tells it */
    bool is_failure; /* by the rules; a node at a time is about failures only */
};

/* Copies the texts. HC_NO_MEMORY only. */
enum hc_status hc_corrections_add(struct hc_corrections *corrections,
                                  const struct hc_correction *row, struct hc_error *err);
/* After the last. */
enum hc_status hc_corrections_end(struct hc_corrections *corrections, struct hc_error *err);
/* Zeroed memory has none. */
void hc_corrections_fini(struct hc_corrections *corrections);

/* The one that holds for an end, counted there, or NULL. */
const struct hc_correction *hc_corrections_find(struct hc_corrections *corrections,
                                                const struct hc_corrected_end *end);
/* The same for the incident of a name. */
const struct hc_correction *hc_corrections_of_incident(struct hc_corrections *corrections,
                                                       const char *name);

/* How many had an outcome; n_tied: how many contradict another of their date. */
struct hc_correction_counts {
    int64_t n[HC_N_CORRECTION_OUTCOMES], n_tied, n_held;
};
struct hc_correction_counts hc_corrections_count(const struct hc_corrections *corrections);
enum hc_correction_outcome hc_correction_outcome(const struct hc_correction *correction);

/* "acted" */
const char *hc_correction_outcome_name(enum hc_correction_outcome outcome);
/* What it is about, as "job 4711_2, restart 1", "n07 at 2026-03-02T10:00Z". */
void hc_correction_subject(const struct hc_correction *correction, char *text, size_t room);

#endif
