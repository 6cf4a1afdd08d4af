/* finding_series.h - the daily series that findings are looked for in, gathered while attempts are
 * walked: nodes in use, runs, start-up, waits; and, at the end, failures, events and sources. */
#ifndef HC_PIPELINE_NIGHT_FINDING_SERIES_H
#define HC_PIPELINE_NIGHT_FINDING_SERIES_H

#include "models/account/night/night.h"
#include "models/findings/findings.h"
#include "pipeline/night/account_walk.h"

/* Numbers a day by subject; row i is values + i * n_days. */
struct hc_day_rows {
    struct hc_text_set names;
    size_t n, room;
    double *values;
};

/* Times of a day, to be summed up at the end. */
struct hc_day_times {
    struct hc_text_set names;
    size_t n, room;
    struct hc_day_time {
        int32_t name, day;
        double seconds;
    } * list;
};

struct hc_finding_series_set {
    struct hc_night_days days; /* longer than those that are reported */
    struct hc_day_rows nodes;  /* GPU-ns held; names are cluster/node */
    size_t n_gpus, gpus_room;
    int32_t *gpus_of_node;               /* most that one attempt had there */
    struct hc_day_rows productive, held; /* of runs, GPU-hours; names are of held */
    struct hc_day_rows kept, going;      /* the same without what the stops of a run took */
    struct hc_day_rows accounted,
        recorded; /* GPU-hours of all slices; of the scheduler's records */
    struct hc_day_times starts, waits;
    int32_t code; /* of the run of the attempt at hand, or -1 */
    /* Made at the end, of one life: */
    size_t n_blocks, blocks_room;
    void **blocks;                   /* what input points to */
    struct hc_text_set *event_names; /* in a block */
    const char **node_subjects;      /* in a block: of each node, its name, with that of its cluster
                                        where another cluster has a node of the same name */
    size_t n_series, series_room;
    struct hc_finding_series *series;
    struct hc_findings_input input;
};

enum hc_status hc_finding_series_attempt(struct hc_finding_series_set *set,
                                         const struct hc_walked_attempt *attempt,
                                         const struct hc_attempt_facts *facts, const char *run,
                                         struct hc_error *err);
enum hc_status hc_finding_series_slice(struct hc_finding_series_set *set,
                                       const struct hc_slice *slice, struct hc_error *err);

struct hc_finding_series_source {
    const struct hc_archive *archive;
    const char *cluster; /* NULL: all */
    const struct hc_walk *walk;
    const struct hc_night *night; /* whose incidents have their costs */
    int64_t first_day;            /* of the series, since 1970-01-01 */
};

/* After the last: fill set->input. */
enum hc_status hc_finding_series_end(struct hc_finding_series_set *set,
                                     const struct hc_finding_series_source *source,
                                     struct hc_error *err);
/* Zeroed memory has none; frees the days too. */
void hc_finding_series_fini(struct hc_finding_series_set *set);

/* ---- for the files that make the input at the end ---- */

struct hc_finding_ending {
    struct hc_finding_series_set *set;
    const struct hc_finding_series_source *source;
    double *in_use; /* node-days of the cluster, a day each: of hc_finding_end_nodes */
};

/* Zeroed memory that lives as long as the set. */
void *hc_finding_room(struct hc_finding_series_set *set, size_t n, size_t size,
                      struct hc_error *err);
enum hc_status hc_finding_add_series(struct hc_finding_series_set *set,
                                     const struct hc_finding_series *series, struct hc_error *err);
/* The index of the day of a time; -1: none of them. */
int32_t hc_finding_day(const struct hc_night_days *days, int64_t ns);
/* NULL: a missing code. */
const char *hc_finding_text(const struct hc_text_set *set, int32_t code);
/* The row of a node, whose first n bytes are its name; -1: it was not in use in these days. */
int32_t hc_finding_node(const struct hc_finding_series_set *set, const char *cluster,
                        const char *node, size_t n);
/* Nodes in use, and the failures of each (node_findings.c). */
enum hc_status hc_finding_end_nodes(struct hc_finding_ending *e, struct hc_error *err);

#endif
