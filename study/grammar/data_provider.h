/* data_provider.h - recorded data that a scenario names, for engines that know neither files nor
 * archives: who starts a study hands in a provider, and it reads each source once, before the run.
 * pipeline/inputs/study_data.h has the one of the program. */
#ifndef HC_STUDY_GRAMMAR_DATA_PROVIDER_H
#define HC_STUDY_GRAMMAR_DATA_PROVIDER_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "models/incidents/incident_set.h"
#include "models/stats/survival_fit.h"

#include <stdbool.h>

enum hc_data_kind {
    HC_DATA_NONE,
    HC_DATA_INCIDENTS, /* a list of recorded incidents */
    HC_DATA_WHATIF,    /* what the straggler what-if says of a job */
    HC_DATA_TIMELINE,  /* the steps of a job themselves */
    HC_DATA_REPLAY     /* what another scenario makes of the steps of a job */
};

/* The figure of a what-if that costs a replay of each worker: it is asked for by this word. */
#define HC_DATA_WORST_WORKER "worst_worker"

/* A distribution as it was fitted, and draws of what the times leave open. */
struct hc_source_fit {
    struct hc_source_fit *next;
    char *words; /* what was asked for, as JSON */
    int family;  /* enum hc_fit_family */
    struct hc_fit fit;
    int64_t n_events, n_censored, n_residual; /* of the times */
    double *scale, *shape;                    /* [HC_INPUT_MOST_DRAWS]; NULL: not drawn yet */
};

/* The step times of a variant of another scenario, in order of the steps. */
struct hc_source_steps {
    struct hc_source_steps *next;
    char *variant; /* "base", ... */
    size_t n;
    double *traced_s, *untouched_s,
        *edited_s; /* [n] as recorded; replayed without and with edits */
};

/* One that was read. Texts are the source's own. */
struct hc_data_source {
    struct hc_data_source *next;
    enum hc_data_kind kind;
    bool is_job; /* by the name of a job of the archive; else a file */
    char *name;  /* the path, or the name of the job */
    char *steps; /* of a timeline: which steps of it, or NULL */

    /* Filled by the provider. */
    char *path; /* of the file that was read: the list, the trace, or the segment */
    char sha256[HC_DIGEST_TEXT];
    char *meta_path; /* of the metadata beside a trace file, or NULL */
    char meta_sha256[HC_DIGEST_TEXT];
    struct hc_incident_set set;       /* incidents: initialised before */
    struct hc_source_fit *fits;       /* distributions that were fitted to them */
    char *title;                      /* what-if: of the job, for people */
    double slowdown, worst_worker;    /* the latter NaN unless asked for */
    struct hc_source_steps *variants; /* of a replay */
    void *timeline; /* what the engine of the scenario takes, and how to free it */
    void (*free_timeline)(void *timeline);
};

struct hc_data_provider {
    void *context;
    /* Fill source, whose kind, is_job and name are given. HC_BAD_INPUT for what is a mistake of the
     * scenario, as a file that is not there; HC_IO for what the system refuses and may be read the
     * next time. */
    enum hc_status (*read)(void *context, struct hc_data_source *source, bool wants_workers,
                           struct hc_error *err);
    void (*close)(void *context); /* NULL: nothing to be done */
};

/* All of a list. */
void hc_data_sources_free(struct hc_data_source *first);

#endif
