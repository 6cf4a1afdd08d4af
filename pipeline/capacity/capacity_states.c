#include "pipeline/capacity/capacity_loading.h"

#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/nodes/node_state_table.h"

#include <stdio.h>
#include <string.h>

#define BIT HC_CAPACITY_BIT
const uint64_t hc_capacity_state_columns =
    BIT(HC_NODE_STATES_SINCE_NS) | BIT(HC_NODE_STATES_UNTIL_NS) | BIT(HC_NODE_STATES_NODE) |
    BIT(HC_NODE_STATES_STATE) | BIT(HC_NODE_STATES_FLAGS) | BIT(HC_NODE_STATES_GPUS) |
    BIT(HC_NODE_STATES_PARTITIONS) | BIT(HC_NODE_STATES_HOW);
const uint64_t hc_capacity_queue_columns =
    BIT(HC_QUEUE_TIME_NS) | BIT(HC_QUEUE_JOB) | BIT(HC_QUEUE_HET_COMPONENT) |
    BIT(HC_QUEUE_PARTITION) | BIT(HC_QUEUE_STATE) | BIT(HC_QUEUE_WAITS_FOR) | BIT(HC_QUEUE_GPUS);

/* ---- nodes ---- */

/* The partitions that the latest row names. */
static enum hc_status take_partitions(struct hc_capacity_records *records,
                                      const struct hc_capacity_state *row, const char *partitions,
                                      struct hc_error *err)
{
    struct hc_node_facts *facts = hc_node_inventory_of(&records->inventory, row->node, err);
    if (!facts)
        return err->status;
    if (!partitions || row->since_ns < facts->partitions_ns)
        return HC_OK;
    facts->partitions_ns = row->since_ns;
    return hc_capacity_set_partitions(&records->capacity, row->node, partitions, err);
}

/* What a row says of the GPUs of its node, and of when there was one. */
static enum hc_status take_inventory(struct hc_capacity_records *records,
                                     const struct hc_capacity_state *row, int32_t gpus,
                                     struct hc_error *err)
{
    struct hc_node_inventory *inventory = &records->inventory;
    bool is_snapshot = row->how == HC_NODE_SNAPSHOT, is_future = row->state.base == HC_NODE_FUTURE;
    if (row->how == HC_NODE_PLAN)
        return HC_OK;
    if (!is_future &&
        hc_node_inventory_tell(inventory, row->node, row->since_ns, row->since_ns, err))
        return err->status;
    if (is_snapshot && hc_node_inventory_list(inventory, row->node, row->since_ns, err))
        return err->status;
    gpus = is_future ? 0 : gpus;
    return gpus == HC_MISSING_I32 || gpus < 0
               ? HC_OK
               : hc_node_inventory_see(inventory, row->node, row->since_ns, gpus, err);
}

enum hc_status hc_capacity_take_states(const struct hc_record_rows *rows, void *context,
                                       struct hc_error *err)
{
    struct hc_capacity_loading *loading = context;
    struct hc_capacity_records *records = loading->records;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *node = hc_record_text(rows, HC_NODE_STATES_NODE, i);
        int32_t base = hc_table_i32(t, HC_NODE_STATES_STATE)[i];
        int32_t flags = hc_table_i32(t, HC_NODE_STATES_FLAGS)[i];
        struct hc_capacity_state row = {
            .since_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_NODE_STATES_SINCE_NS)[i]),
            .until_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_NODE_STATES_UNTIL_NS)[i]),
            .how = (enum hc_node_knowledge)hc_table_i32(t, HC_NODE_STATES_HOW)[i],
            .state = {base == HC_MISSING_I32 ? HC_NODE_UNKNOWN : (enum hc_node_base)base,
                      flags == HC_MISSING_I32 ? 0 : flags},
        };
        if (!node || !node[0] || row.since_ns == HC_MISSING_I64 || row.how < 0)
            continue;
        records->counts.n_snapshots += row.how == HC_NODE_SNAPSHOT;
        records->counts.n_history += row.how == HC_NODE_HISTORY;
        records->counts.n_plans += row.how == HC_NODE_PLAN;
        if (row.how == HC_NODE_SNAPSHOT)
            row.until_ns = HC_MISSING_I64;
        if (hc_capacity_node(&records->capacity, node, &row.node, err) ||
            take_partitions(records, &row, hc_record_text(rows, HC_NODE_STATES_PARTITIONS, i),
                            err) ||
            take_inventory(records, &row, hc_table_i32(t, HC_NODE_STATES_GPUS)[i], err) ||
            (base != HC_MISSING_I32 && hc_capacity_add_state(&records->capacity, &row, err)))
            return err->status;
    }
    return HC_OK;
}

/* ---- the queue ---- */

static enum hc_status take_demand(struct hc_capacity *capacity, int64_t time_ns,
                                  const char *partitions, struct hc_error *err)
{
    char name[256];
    for (const char *at = partitions ? partitions : ""; *at;) {
        size_t n = strcspn(at, ",");
        snprintf(name, sizeof name, "%.*s", (int)(n < sizeof name ? n : sizeof name - 1), at);
        if (n && hc_capacity_add_demand(capacity, time_ns, name, err))
            return err->status;
        at += n + (at[n] == ',');
    }
    return HC_OK;
}

/* The GPUs of a row; where a look leaves them out, those that the accounting says of the job. */
static int32_t gpus_of(const struct hc_capacity_loading *loading, const struct hc_table *t,
                       size_t i)
{
    int32_t gpus = hc_table_i32(t, HC_QUEUE_GPUS)[i];
    int64_t job = hc_table_i64(t, HC_QUEUE_JOB)[i];
    if (gpus != HC_MISSING_I32 || job == HC_MISSING_I64)
        return gpus;
    int64_t entry =
        hc_int_map_find(&loading->gpus_of_job,
                        hc_capacity_job_key(job, hc_table_i32(t, HC_QUEUE_HET_COMPONENT)[i]));
    return entry < 0 ? HC_MISSING_I32 : loading->gpus_of_job.values[entry];
}

enum hc_status hc_capacity_take_queue(const struct hc_record_rows *rows, void *context,
                                      struct hc_error *err)
{
    struct hc_capacity_loading *loading = context;
    struct hc_capacity_records *records = loading->records;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t time_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_QUEUE_TIME_NS)[i]);
        int32_t wait = hc_table_i32(t, HC_QUEUE_WAITS_FOR)[i];
        int32_t gpus = gpus_of(loading, t, i);
        bool is_waiting = hc_table_i64(t, HC_QUEUE_JOB)[i] != HC_MISSING_I64 &&
                          hc_table_i32(t, HC_QUEUE_STATE)[i] == HC_JOB_PENDING;
        bool is_demand = is_waiting && (wait == HC_WAITS_RESOURCES || wait == HC_WAITS_PRIORITY);
        int kind = !is_waiting || gpus <= 0 ? -1 : wait == HC_MISSING_I32 ? HC_N_QUEUE_WAITS : wait;
        if (time_ns == HC_MISSING_I64)
            continue;
        records->counts.n_queue_gpus_unknown += is_demand && gpus == HC_MISSING_I32;
        if (hc_capacity_add_look(&records->capacity, time_ns, err) ||
            hc_queue_looks_add(&records->looks, time_ns, kind, gpus, err))
            return err->status;
        if (is_demand && gpus > 0 &&
            take_demand(&records->capacity, time_ns, hc_record_text(rows, HC_QUEUE_PARTITION, i),
                        err))
            return err->status;
    }
    return HC_OK;
}
