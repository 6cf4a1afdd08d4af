/* capacity_input.h - the installed GPU-time of a cluster, and what waited for it, from what an
 * archive has: states of nodes, attempts, looks at the queue. */
#ifndef HC_PIPELINE_CAPACITY_CAPACITY_INPUT_H
#define HC_PIPELINE_CAPACITY_CAPACITY_INPUT_H

#include "core/base/zone.h"
#include "models/capacity/capacity_result.h"
#include "pipeline/capacity/node_inventory.h"
#include "pipeline/site/site_file.h"
#include "store/archive/archive.h"

/* What is counted. */
struct hc_capacity_choice {
    const struct hc_archive *archive;
    const char *cluster;        /* NULL: the only one that has records */
    const struct hc_site *site; /* what partitions have; NULL: not known */
    const struct hc_zone *zone; /* of the days */
    /* The time, where it is given: else from the first to the last moment that jobs, snapshots of
     * nodes or looks at the queue tell of. */
    bool has_from, has_to;
    int64_t from_ns, to_ns;
};

/* All of it, of one life. Zeroed memory is empty. */
struct hc_capacity_records {
    struct hc_capacity capacity;
    struct hc_free_nodes free_nodes;
    struct hc_backlog backlog;
    struct hc_queue_looks looks;
    struct hc_job_waits waits;
    struct hc_node_inventory inventory;
    int64_t *day_ns; /* boundaries, [capacity.n_days + 1] */
    const char *cluster;
    struct hc_capacity_counts counts;
};

/* HC_BAD_INPUT: the archive has neither jobs nor states of nodes of the cluster, or an empty time;
 * HC_USAGE: several clusters, and none is chosen. fini in any case. */
enum hc_status hc_capacity_load(struct hc_capacity_records *records,
                                const struct hc_capacity_choice *choice, struct hc_error *err);

/* What a result is made of. */
struct hc_capacity_facts hc_capacity_facts_of(const struct hc_capacity_records *records);
void hc_capacity_records_fini(struct hc_capacity_records *records);

#endif
