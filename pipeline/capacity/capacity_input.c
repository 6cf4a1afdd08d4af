#include "pipeline/capacity/capacity_input.h"

#include "core/base/missing.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/nodes/node_state_table.h"
#include "pipeline/capacity/capacity_days.h"
#include "pipeline/capacity/capacity_loading.h"

#include <stdlib.h>
#include <string.h>

#define BIT HC_CAPACITY_BIT

/* ---- which cluster ---- */

static bool is_named(const char *cluster)
{
    return strcmp(cluster, HC_CAPACITY_NO_CLUSTER) != 0;
}

/* The only cluster that a table has records of, one with a name before those without; *n is how
 * many there are. */
static const char *only_cluster(const struct hc_archive *archive, const struct hc_table_def *def,
                                size_t *n)
{
    const char *found = NULL;
    *n = 0;
    for (size_t i = 0; i < archive->n_entries; i++) { /* by cluster */
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!hc_manifest_entry_is(entry, def) || (found && strcmp(found, entry->cluster) == 0))
            continue;
        if (*n == 0 || is_named(entry->cluster))
            *n += !found || is_named(found);
        found = !found || is_named(entry->cluster) ? entry->cluster : found;
    }
    return found;
}

static bool has_cluster(const struct hc_archive *archive, const char *cluster)
{
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (strcmp(entry->cluster, cluster) == 0 &&
            (hc_manifest_entry_is(entry, &hc_jobs_def) ||
             hc_manifest_entry_is(entry, &hc_node_states_def)))
            return true;
    }
    return false;
}

static enum hc_status find_cluster(const char **cluster, const struct hc_capacity_choice *choice,
                                   struct hc_error *err)
{
    size_t n = 0;
    *cluster = choice->cluster ? choice->cluster : only_cluster(choice->archive, &hc_jobs_def, &n);
    if (!*cluster)
        *cluster = only_cluster(choice->archive, &hc_node_states_def, &n);
    if (n > 1)
        return hc_fail(err, HC_USAGE, "archive '%s' has %zu clusters: choose one with --cluster",
                       choice->archive->path, n);
    if (!*cluster || !has_cluster(choice->archive, *cluster))
        return hc_fail(err, HC_BAD_INPUT,
                       "archive '%s' has neither jobs nor states of nodes%s%s%s: ingest a dump of "
                       "sacct, and of scontrol show node, first (hindcast formats)",
                       choice->archive->path, *cluster ? " of cluster '" : "",
                       *cluster ? *cluster : "", *cluster ? "'" : "");
    return HC_OK;
}

/* ---- scans ---- */

/* Rows of the cluster and, where has_unnamed, those of which nothing says their cluster. */
static enum hc_status scan(const struct hc_capacity_loading *loading,
                           const struct hc_record_scan *of, bool has_unnamed, hc_record_sink *sink,
                           void *context, struct hc_error *err)
{
    struct hc_record_scan own = *of;
    own.archive = loading->choice->archive;
    own.cluster = loading->records->cluster;
    if (hc_record_scan_run(&own, sink, context, err))
        return err->status;
    if (!has_unnamed || !is_named(own.cluster))
        return HC_OK;
    own.cluster = HC_CAPACITY_NO_CLUSTER;
    return hc_record_scan_run(&own, sink, context, err);
}

struct extent {
    int64_t first_ns, last_ns;
};

static void widen(struct extent *extent, int64_t ns)
{
    if (!hc_capacity_is_sane(ns))
        return;
    extent->first_ns = ns < extent->first_ns ? ns : extent->first_ns;
    extent->last_ns = ns > extent->last_ns ? ns : extent->last_ns;
}

static enum hc_status widen_by_jobs(const struct hc_record_rows *rows, void *context,
                                    struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        bool is_running;
        int64_t end_ns = hc_capacity_end_of(rows->table, i, &is_running);
        if (end_ns != HC_MISSING_I64) {
            widen(context, hc_table_i64(rows->table, HC_JOBS_START_NS)[i]);
            widen(context, end_ns);
        }
    }
    return HC_OK;
}

static enum hc_status widen_by_states(const struct hc_record_rows *rows, void *context,
                                      struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (hc_table_i32(rows->table, HC_NODE_STATES_HOW)[i] == HC_NODE_SNAPSHOT)
            widen(context, hc_table_i64(rows->table, HC_NODE_STATES_SINCE_NS)[i]);
    return HC_OK;
}

static enum hc_status widen_by_queue(const struct hc_record_rows *rows, void *context,
                                     struct hc_error *err)
{
    (void)err;
    for (size_t i = 0; i < rows->table->n_rows; i++)
        widen(context, hc_table_i64(rows->table, HC_QUEUE_TIME_NS)[i]);
    return HC_OK;
}

static struct hc_record_scan scan_of(const struct hc_table_def *def, uint64_t columns)
{
    return (struct hc_record_scan){
        .def = def, .from_ns = INT64_MIN, .to_ns = INT64_MAX, .columns = columns};
}

static enum hc_status find_window(struct hc_capacity_loading *loading, struct hc_error *err)
{
    const struct hc_capacity_choice *choice = loading->choice;
    struct extent extent = {INT64_MAX, INT64_MIN};
    const struct hc_record_scan jobs =
        scan_of(&hc_jobs_def, BIT(HC_JOBS_START_NS) | BIT(HC_JOBS_END_NS) |
                                  BIT(HC_JOBS_ELAPSED_NS) | BIT(HC_JOBS_SUSPENDED_NS));
    const struct hc_record_scan states =
        scan_of(&hc_node_states_def, BIT(HC_NODE_STATES_SINCE_NS) | BIT(HC_NODE_STATES_HOW));
    const struct hc_record_scan queue = scan_of(&hc_queue_def, BIT(HC_QUEUE_TIME_NS));
    if (!choice->has_from || !choice->has_to) {
        if (scan(loading, &jobs, false, widen_by_jobs, &extent, err) ||
            scan(loading, &states, true, widen_by_states, &extent, err) ||
            scan(loading, &queue, true, widen_by_queue, &extent, err))
            return err->status;
    }
    loading->from_ns = choice->has_from ? choice->from_ns : extent.first_ns;
    loading->to_ns = choice->has_to ? choice->to_ns : extent.last_ns;
    return HC_OK;
}

static enum hc_status begin(struct hc_capacity_loading *loading, struct hc_error *err)
{
    struct hc_capacity_records *records = loading->records;
    size_t n_days;
    if (find_cluster(&records->cluster, loading->choice, err) || find_window(loading, err) ||
        hc_capacity_days_make(&records->day_ns, &n_days, loading->choice->zone,
                              (const int64_t[]){loading->from_ns, loading->to_ns}, err))
        return err->status;
    records->capacity.day_ns = records->free_nodes.day_ns = records->backlog.day_ns =
        records->day_ns;
    records->capacity.n_days = records->free_nodes.n_days = records->backlog.n_days = n_days;
    records->looks.from_ns = loading->from_ns;
    records->looks.to_ns = loading->to_ns;
    return HC_OK;
}

static enum hc_status finish(struct hc_capacity_records *records, int64_t from_ns,
                             struct hc_error *err)
{
    const struct hc_capacity_watch watch = {.context = &records->free_nodes,
                                            .span = hc_free_nodes_take};
    hc_queue_looks_end(&records->looks);
    if (hc_node_inventory_end(&records->inventory, &records->capacity, from_ns, err) ||
        hc_capacity_finish(&records->capacity, &watch, err) ||
        hc_free_nodes_end(&records->free_nodes, err))
        return err->status;
    records->counts.n_gone = records->inventory.n_gone;
    records->counts.n_by_site = records->inventory.n_by_site;
    return hc_job_waits_end(&records->waits, err);
}

/* States first, which say what partitions nodes are in; then jobs, which say what those in the
 * queue asked for. */
static enum hc_status read_all(struct hc_capacity_loading *loading, struct hc_error *err)
{
    struct hc_record_scan jobs = scan_of(&hc_jobs_def, hc_capacity_job_columns);
    struct hc_record_scan queue = scan_of(&hc_queue_def, hc_capacity_queue_columns);
    const struct hc_record_scan states = scan_of(&hc_node_states_def, hc_capacity_state_columns);
    size_t n_queues;
    /* Jobs are in the day of their submission, and may run in any later one. */
    jobs.to_ns = loading->to_ns;
    queue.from_ns = loading->from_ns - HC_CAPACITY_QUEUE_HOLDS_NS;
    queue.to_ns = loading->to_ns;
    loading->has_queue = only_cluster(loading->choice->archive, &hc_queue_def, &n_queues) != NULL;
    if (scan(loading, &states, true, hc_capacity_take_states, loading, err) ||
        scan(loading, &jobs, false, hc_capacity_take_jobs, loading, err))
        return err->status;
    return scan(loading, &queue, true, hc_capacity_take_queue, loading, err);
}

enum hc_status hc_capacity_load(struct hc_capacity_records *records,
                                const struct hc_capacity_choice *choice, struct hc_error *err)
{
    struct hc_capacity_loading loading = {.records = records, .choice = choice};
    enum hc_status status = begin(&loading, err);
    if (status == HC_OK)
        status = read_all(&loading, err);
    hc_int_map_fini(&loading.gpus_of_job);
    return status == HC_OK ? finish(records, loading.from_ns, err) : status;
}

void hc_capacity_records_fini(struct hc_capacity_records *records)
{
    hc_capacity_fini(&records->capacity);
    hc_free_nodes_fini(&records->free_nodes);
    hc_backlog_fini(&records->backlog);
    hc_queue_looks_fini(&records->looks);
    hc_job_waits_fini(&records->waits);
    hc_node_inventory_fini(&records->inventory);
    free(records->day_ns);
    *records = (struct hc_capacity_records){0};
}

struct hc_capacity_facts hc_capacity_facts_of(const struct hc_capacity_records *records)
{
    return (struct hc_capacity_facts){.capacity = &records->capacity,
                                      .free_nodes = &records->free_nodes,
                                      .backlog = &records->backlog,
                                      .looks = &records->looks,
                                      .waits = &records->waits,
                                      .counts = &records->counts};
}
