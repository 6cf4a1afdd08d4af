#include "pipeline/capacity/capacity_loading.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_table.h"
#include "core/text/node_list.h"
#include "models/account/job_account.h"

#include <string.h>

#define BIT HC_CAPACITY_BIT
const uint64_t hc_capacity_job_columns =
    BIT(HC_JOBS_JOB) | BIT(HC_JOBS_HET_COMPONENT) | BIT(HC_JOBS_PARTITION) | BIT(HC_JOBS_USER) |
    BIT(HC_JOBS_STATE) | BIT(HC_JOBS_SUBMIT_NS) | BIT(HC_JOBS_ELIGIBLE_NS) | BIT(HC_JOBS_START_NS) |
    BIT(HC_JOBS_END_NS) | BIT(HC_JOBS_ELAPSED_NS) | BIT(HC_JOBS_SUSPENDED_NS) |
    BIT(HC_JOBS_TIME_LIMIT_NS) | BIT(HC_JOBS_NODES) | BIT(HC_JOBS_GPUS) |
    BIT(HC_JOBS_REQUESTED_GPUS) | BIT(HC_JOBS_NODE_LIST);

/* An attempt with GPUs, its codes looked up. */
struct attempt {
    int64_t eligible_ns, start_ns, end_ns, suspended_ns, limit_ns;
    int32_t gpus;
    int32_t site_gpus; /* of a node of its partition; 0: the site does not say */
    bool is_running, is_by_site;
    const char *partition, *user, *node_list;
};

int64_t hc_capacity_end_of(const struct hc_table *jobs, size_t row, bool *is_running)
{
    int64_t start_ns = hc_table_i64(jobs, HC_JOBS_START_NS)[row];
    int64_t end_ns = hc_table_i64(jobs, HC_JOBS_END_NS)[row];
    int64_t elapsed_ns = hc_table_i64(jobs, HC_JOBS_ELAPSED_NS)[row];
    int64_t suspended_ns = hc_table_i64(jobs, HC_JOBS_SUSPENDED_NS)[row];
    *is_running = false;
    if (start_ns == HC_MISSING_I64 || end_ns != HC_MISSING_I64)
        return start_ns == HC_MISSING_I64 || end_ns < start_ns ? HC_MISSING_I64 : end_ns;
    if (elapsed_ns == HC_MISSING_I64 || elapsed_ns < 0)
        return HC_MISSING_I64;
    *is_running = true;
    return hc_capped_sum(hc_capped_sum(start_ns, elapsed_ns), suspended_ns > 0 ? suspended_ns : 0);
}

static int32_t gpus_by_site(const struct hc_site *site, const char *partition)
{
    for (size_t i = 0; site && partition && i < site->n_partitions; i++)
        if (strcmp(site->partitions[i].name, partition) == 0)
            return site->partitions[i].gpus_per_node;
    return 0;
}

/* ---- what it held ---- */

/* GPUs in equal parts, the first nodes one more. */
static enum hc_status place(struct hc_capacity_loading *loading, const struct attempt *a,
                            struct hc_node_list_reader *list, struct hc_error *err)
{
    struct hc_capacity_records *records = loading->records;
    int64_t each = a->gpus / list->n_nodes, more = a->gpus % list->n_nodes;
    const char *name;
    while ((name = hc_node_list_next(list)) != NULL) {
        struct hc_capacity_allocation held = {a->start_ns, a->end_ns, 0,
                                              (int32_t)(each + (more > 0))};
        more--;
        if (hc_capacity_node(&records->capacity, name, &held.node, err) ||
            hc_capacity_add_allocation(&records->capacity, &held, err) ||
            hc_node_inventory_tell(&records->inventory, held.node, a->start_ns, a->end_ns, err))
            return err->status;
        struct hc_node_facts *facts = hc_node_inventory_of(&records->inventory, held.node, err);
        if (!facts)
            return err->status;
        if (a->site_gpus > facts->site_gpus)
            facts->site_gpus = a->site_gpus;
    }
    return HC_OK;
}

/* GPU-time within the window. */
static hc_capacity_ns held_by(const struct hc_capacity_loading *loading, const struct attempt *a)
{
    int64_t from_ns = a->start_ns > loading->from_ns ? a->start_ns : loading->from_ns;
    int64_t to_ns = a->end_ns < loading->to_ns ? a->end_ns : loading->to_ns;
    return from_ns < to_ns ? (hc_capacity_ns)(to_ns - from_ns) * (hc_capacity_ns)a->gpus : 0;
}

static enum hc_status take_held(struct hc_capacity_loading *loading, const struct attempt *a,
                                struct hc_error *err)
{
    struct hc_capacity_records *records = loading->records;
    struct hc_node_list_reader list;
    struct hc_error why;
    hc_capacity_ns held = held_by(loading, a);
    bool is_placed = a->node_list && a->node_list[0] &&
                     !hc_node_list_open(&list, a->node_list, strlen(a->node_list), &why) &&
                     list.n_nodes > 0;
    if (held) {
        records->counts.n_attempts++;
        records->counts.held += held;
        records->counts.n_running += a->is_running;
        records->counts.n_unplaced += !is_placed;
        records->counts.unplaced += is_placed ? 0 : held;
        records->counts.uneven += is_placed && a->gpus % list.n_nodes ? held : 0;
        records->counts.by_site += a->is_by_site ? held : 0;
    }
    return is_placed ? place(loading, a, &list, err) : HC_OK;
}

/* ---- how it waited ---- */

static enum hc_status take_wait(struct hc_capacity_loading *loading, const struct attempt *a,
                                struct hc_error *err)
{
    bool has_run = a->start_ns != HC_MISSING_I64, has_ended = has_run && !a->is_running;
    has_ended &= a->end_ns != HC_MISSING_I64;
    const struct hc_backlog_job waiting = {
        .eligible_ns = a->eligible_ns,
        .until_ns = has_run ? a->start_ns : a->end_ns,
        .gpus = a->gpus,
        .run_ns = has_ended ? a->end_ns - a->start_ns : HC_MISSING_I64,
        .limit_ns = a->limit_ns,
    };
    const struct hc_job_wait wait = {
        .wait_ns = has_run ? a->start_ns - a->eligible_ns : 0,
        .run_ns = has_ended ? a->end_ns - a->start_ns - (a->suspended_ns > 0 ? a->suspended_ns : 0)
                            : HC_MISSING_I64,
        .gpus = a->gpus,
        .name = {[HC_WAITS_BY_SIZE] = hc_account_size_class(a->gpus),
                 [HC_WAITS_BY_PARTITION] = a->partition,
                 [HC_WAITS_BY_USER] = a->user},
    };
    if (hc_backlog_add(&loading->records->backlog, &waiting, err))
        return err->status;
    bool is_within = has_run && a->start_ns >= loading->from_ns && a->start_ns < loading->to_ns;
    return is_within ? hc_job_waits_add(&loading->records->waits, &wait, err) : HC_OK;
}

/* ---- rows ---- */

/* What an attempt has of GPUs: what its record says, else what the site does; of one that never
 * began, what it asked for. */
static void find_gpus(const struct hc_capacity_loading *loading, const struct hc_table *t, size_t i,
                      struct attempt *a)
{
    int32_t nodes = hc_table_i32(t, HC_JOBS_NODES)[i];
    a->site_gpus = gpus_by_site(loading->choice->site, a->partition);
    a->gpus = hc_table_i32(t, HC_JOBS_GPUS)[i];
    if (a->start_ns == HC_MISSING_I64 && a->gpus <= 0)
        a->gpus = hc_table_i32(t, HC_JOBS_REQUESTED_GPUS)[i];
    if (a->gpus == HC_MISSING_I32 && a->site_gpus > 0 && nodes > 0 &&
        nodes <= INT32_MAX / a->site_gpus) {
        a->gpus = nodes * a->site_gpus;
        a->is_by_site = true;
    }
}

static enum hc_status keep_request(struct hc_capacity_loading *loading, const struct hc_table *t,
                                   size_t i, struct hc_error *err)
{
    int64_t job = hc_table_i64(t, HC_JOBS_JOB)[i];
    int32_t gpus = hc_table_i32(t, HC_JOBS_REQUESTED_GPUS)[i];
    size_t entry;
    if (gpus == HC_MISSING_I32)
        gpus = hc_table_i32(t, HC_JOBS_GPUS)[i];
    if (!loading->has_queue || job == HC_MISSING_I64 || gpus == HC_MISSING_I32)
        return HC_OK;
    return hc_int_map_insert(&loading->gpus_of_job,
                             hc_capacity_job_key(job, hc_table_i32(t, HC_JOBS_HET_COMPONENT)[i]),
                             gpus, &entry, err);
}

enum hc_status hc_capacity_take_jobs(const struct hc_record_rows *rows, void *context,
                                     struct hc_error *err)
{
    struct hc_capacity_loading *loading = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        struct attempt a = {
            .eligible_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_JOBS_ELIGIBLE_NS)[i]),
            .start_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_JOBS_START_NS)[i]),
            .suspended_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_JOBS_SUSPENDED_NS)[i]),
            .limit_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_JOBS_TIME_LIMIT_NS)[i]),
            .partition = hc_record_text(rows, HC_JOBS_PARTITION, i),
            .user = hc_record_text(rows, HC_JOBS_USER, i),
            .node_list = hc_record_text(rows, HC_JOBS_NODE_LIST, i),
        };
        int32_t state = hc_table_i32(t, HC_JOBS_STATE)[i];
        bool has_run = a.start_ns != HC_MISSING_I64;
        a.end_ns = hc_capacity_sane(loading, has_run ? hc_capacity_end_of(t, i, &a.is_running)
                                                     : hc_table_i64(t, HC_JOBS_END_NS)[i]);
        if (a.eligible_ns == HC_MISSING_I64)
            a.eligible_ns = hc_capacity_sane(loading, hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i]);
        if (keep_request(loading, t, i, err))
            return err->status;
        find_gpus(loading, t, i, &a);
        if (a.gpus == HC_MISSING_I32)
            loading->records->counts.n_gpus_unknown += has_run;
        if (a.gpus <= 0)
            continue;
        if (has_run && a.end_ns != HC_MISSING_I64 && take_held(loading, &a, err))
            return err->status;
        /* Of one that left the queue nobody knows when, nothing is known of its wait. */
        bool is_known = has_run || a.end_ns != HC_MISSING_I64 || state == HC_JOB_PENDING;
        if (a.eligible_ns != HC_MISSING_I64 && is_known && take_wait(loading, &a, err))
            return err->status;
    }
    return HC_OK;
}
