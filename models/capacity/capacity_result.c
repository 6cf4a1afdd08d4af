#include "models/capacity/capacity_result.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *hc_capacity_leaf_title(enum hc_capacity_leaf leaf)
{
    static const char *const titles[HC_N_CAPACITY_LEAVES] = {
        [HC_CAPACITY_ALLOCATED] = "allocated",
        [HC_CAPACITY_DOWN] = "down",
        [HC_CAPACITY_DRAINED] = "drained",
        [HC_CAPACITY_MAINTENANCE] = "maintenance",
        [HC_CAPACITY_RESERVED] = "reserved",
        [HC_CAPACITY_IDLE_DEMAND] = "idle with demand",
        [HC_CAPACITY_IDLE_NO_DEMAND] = "idle without demand",
        [HC_CAPACITY_IDLE_UNKNOWN] = "idle, demand unknown",
    };
    return titles[leaf];
}

#define NS_PER_HOUR 3600e9

static double hours_of(hc_capacity_ns ns)
{
    return (double)ns / NS_PER_HOUR;
}

/* Without any inventory. */
static struct hc_capacity_row row_of_allocated(const struct hc_capacity_sum *sum, const char *name)
{
    struct hc_capacity_row row = {.name = name,
                                  .installed = NAN,
                                  .available = NAN,
                                  .used_of_installed = NAN,
                                  .used_of_available = NAN};
    row.sum.leaf[HC_CAPACITY_ALLOCATED] = sum->outside;
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        row.hours[leaf] = leaf == HC_CAPACITY_ALLOCATED ? hours_of(sum->outside) : NAN;
    return row;
}

static struct hc_capacity_row row_of(const struct hc_capacity_result *result,
                                     const struct hc_capacity_sum *sum, const char *name)
{
    if (result->begins_at_allocated)
        return row_of_allocated(sum, name);
    struct hc_capacity_row row = {.name = name, .sum = *sum};
    hc_capacity_ns installed = hc_capacity_installed(sum), lacking = 0;
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++) {
        row.hours[leaf] = hours_of(sum->leaf[leaf]);
        if (leaf >= HC_CAPACITY_DOWN && leaf <= HC_CAPACITY_RESERVED)
            lacking += sum->leaf[leaf];
    }
    hc_capacity_ns available = installed - lacking, used = sum->leaf[HC_CAPACITY_ALLOCATED];
    row.installed = hours_of(installed);
    row.available = hours_of(available);
    row.used_of_installed = installed ? (double)used / (double)installed : NAN;
    row.used_of_available = available ? (double)used / (double)available : NAN;
    row.over = hours_of(sum->over);
    row.outside = hours_of(sum->outside);
    row.assumed = hours_of(sum->assumed);
    row.unheard = hours_of(sum->unheard);
    row.partly_used = hours_of(sum->partly_used);
    return row;
}

/* ---- days ---- */

static enum hc_status make_days(struct hc_capacity_result *result,
                                const struct hc_capacity_facts *facts, struct hc_error *err)
{
    const struct hc_capacity *capacity = facts->capacity;
    result->n_days = capacity->n_days;
    result->days = hc_new_array(capacity->n_days, sizeof *result->days, err);
    if (!result->days)
        return err->status;
    for (size_t i = 0; i < capacity->n_days; i++) {
        struct hc_capacity_day *day = &result->days[i];
        const struct hc_free_nodes_day *is_free = &facts->free_nodes->days[i];
        double length_ns = (double)(capacity->day_ns[i + 1] - capacity->day_ns[i]);
        day->row = row_of(result, &capacity->by_day[i], NULL);
        day->row.from_ns = capacity->day_ns[i];
        day->row.to_ns = capacity->day_ns[i + 1];
        bool is_known = !result->begins_at_allocated;
        day->free_nodes = is_known ? (double)is_free->node_ns / length_ns : NAN;
        day->least_free_nodes = is_known ? is_free->least : HC_MISSING_I64;
        day->most_free_nodes = is_known ? is_free->most : HC_MISSING_I64;
        day->most_free_gpus = is_known ? is_free->most_gpus : HC_MISSING_I64;
        if (!facts->backlog->days)
            continue;
        day->waiting = facts->backlog->days[i];
        day->backlog_hours = hours_of(day->waiting.work_gpu_ns);
        day->backlog_limit_hours = hours_of(day->waiting.limit_gpu_ns);
    }
    return HC_OK;
}

/* ---- nodes and partitions ---- */

static int compare_names(const void *a, const void *b)
{
    const struct hc_capacity_row *x = a, *y = b;
    return strcmp(x->name, y->name);
}

static int compare_sizes(const void *a, const void *b)
{
    const struct hc_capacity_row *x = a, *y = b;
    if (x->installed != y->installed)
        return x->installed > y->installed ? -1 : 1;
    return strcmp(x->name ? x->name : "", y->name ? y->name : "");
}

static bool is_nothing(const struct hc_capacity_sum *sum)
{
    return hc_capacity_installed(sum) == 0 && sum->outside == 0;
}

static enum hc_status make_nodes(struct hc_capacity_result *result, struct hc_error *err)
{
    const struct hc_capacity *capacity = result->capacity;
    result->nodes = hc_new_array(capacity->nodes.n, sizeof *result->nodes, err);
    if (!result->nodes)
        return err->status;
    for (size_t i = 0; i < capacity->nodes.n; i++) {
        if (is_nothing(&capacity->by_node[i]))
            continue;
        struct hc_capacity_row *row = &result->nodes[result->n_nodes++];
        *row = row_of(result, &capacity->by_node[i], capacity->nodes.text[i]);
        row->from_ns = result->from_ns;
        row->to_ns = result->to_ns;
        result->n_installed_nodes += row->installed > 0;
    }
    if (result->n_nodes)
        qsort(result->nodes, result->n_nodes, sizeof *result->nodes, compare_names);
    return HC_OK;
}

static void add_to(struct hc_capacity_sum *to, const struct hc_capacity_sum *from)
{
    for (int leaf = 0; leaf < HC_N_CAPACITY_LEAVES; leaf++)
        to->leaf[leaf] += from->leaf[leaf];
    to->over += from->over;
    to->outside += from->outside;
    to->assumed += from->assumed;
    to->unheard += from->unheard;
    to->partly_used += from->partly_used;
}

/* Sums of partitions while they are made. */
struct partition_sums {
    size_t room;
    struct partition_sum {
        struct hc_capacity_sum sum;
        int64_t n_nodes;
    } * sums; /* [partition_names.n + 1], the first of nodes of no known partition */
};

static enum hc_status add_to_partition(struct hc_capacity_result *result,
                                       struct partition_sums *sums, const char *name, size_t length,
                                       const struct hc_capacity_sum *sum, struct hc_error *err)
{
    int32_t code = -1;
    size_t had = sums->sums ? result->partition_names.n + 1 : 0;
    if ((length && hc_text_set_add(&result->partition_names, name, length, &code, err)) ||
        hc_reserve(&sums->sums, &sums->room, result->partition_names.n + 1, sizeof *sums->sums,
                   err))
        return err->status;
    if (result->partition_names.n + 1 > had)
        memset(sums->sums + had, 0, (result->partition_names.n + 1 - had) * sizeof *sums->sums);
    add_to(&sums->sums[code + 1].sum, sum);
    sums->sums[code + 1].n_nodes++;
    return HC_OK;
}

static enum hc_status sum_partitions(struct hc_capacity_result *result, struct partition_sums *sums,
                                     struct hc_error *err)
{
    const struct hc_capacity *capacity = result->capacity;
    for (size_t i = 0; i < capacity->nodes.n; i++) {
        int32_t list = capacity->list_of_node[i];
        const char *at = list < 0 ? "" : capacity->partition_lists.text[list];
        if (is_nothing(&capacity->by_node[i]))
            continue;
        do {
            size_t n = strcspn(at, ",");
            if (add_to_partition(result, sums, at, n, &capacity->by_node[i], err))
                return err->status;
            at += n + (at[n] == ',');
        } while (*at);
    }
    return HC_OK;
}

static enum hc_status make_partitions(struct hc_capacity_result *result, struct hc_error *err)
{
    struct partition_sums sums = {0};
    enum hc_status status = sum_partitions(result, &sums, err);
    size_t n = sums.sums ? result->partition_names.n + 1 : 0;
    if (status == HC_OK) {
        result->partitions = hc_new_array(n, sizeof *result->partitions, err);
        status = result->partitions ? HC_OK : err->status;
    }
    for (size_t i = 0; status == HC_OK && i < n; i++) {
        if (sums.sums[i].n_nodes == 0)
            continue;
        struct hc_capacity_row *row = &result->partitions[result->n_partitions++];
        *row = row_of(result, &sums.sums[i].sum, i ? result->partition_names.text[i - 1] : NULL);
        row->n_nodes = sums.sums[i].n_nodes;
        row->from_ns = result->from_ns;
        row->to_ns = result->to_ns;
    }
    if (result->n_partitions)
        qsort(result->partitions, result->n_partitions, sizeof *result->partitions, compare_sizes);
    free(sums.sums);
    return status;
}

/* ---- demand ---- */

static void make_wants(struct hc_capacity_result *result, const struct hc_queue_looks *looks)
{
    double known_ns = (double)looks->known_ns;
    result->n_looks = looks->n_looks;
    result->queue_known = known_ns / (double)(result->to_ns - result->from_ns);
    for (int wait = 0; wait < HC_N_LOOK_WAITS; wait++) {
        const struct hc_queue_waiting *waiting = &looks->waiting[wait];
        if (waiting->job_ns == 0)
            continue;
        result->wants[result->n_wants++] = (struct hc_capacity_want){
            .name = wait == HC_N_QUEUE_WAITS ? "?" : hc_queue_wait_name((enum hc_queue_wait)wait),
            .gpu_hours = hours_of(waiting->gpu_ns),
            .mean_gpus = (double)waiting->gpu_ns / known_ns,
            .mean_jobs = (double)waiting->job_ns / known_ns,
            .most_gpus = waiting->most_gpus,
            .is_demand = wait == HC_WAITS_RESOURCES || wait == HC_WAITS_PRIORITY};
    }
}

enum hc_status hc_capacity_result_make(struct hc_capacity_result *result,
                                       const struct hc_capacity_facts *facts, struct hc_error *err)
{
    const struct hc_capacity *capacity = facts->capacity;
    *result = (struct hc_capacity_result){.from_ns = capacity->day_ns[0],
                                          .to_ns = capacity->day_ns[capacity->n_days],
                                          .capacity = capacity,
                                          .waits = facts->waits,
                                          .counts = facts->counts};
    result->begins_at_allocated = hc_capacity_installed(&capacity->total) == 0;
    result->total = row_of(result, &capacity->total, NULL);
    result->total.from_ns = result->from_ns;
    result->total.to_ns = result->to_ns;
    if (make_days(result, facts, err) || make_nodes(result, err) || make_partitions(result, err))
        return err->status;
    make_wants(result, facts->looks);
    return HC_OK;
}

void hc_capacity_result_fini(struct hc_capacity_result *result)
{
    free(result->days);
    free(result->partitions);
    free(result->nodes);
    hc_text_set_fini(&result->partition_names);
    *result = (struct hc_capacity_result){.n_days = 0};
}
