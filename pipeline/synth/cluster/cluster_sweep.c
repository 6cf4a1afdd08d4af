#include "pipeline/synth/cluster/cluster_sweep.h"

#include "core/base/memory.h"
#include "pipeline/synth/cluster/cluster_text.h"

#include <inttypes.h>
#include <stdlib.h>

/* In the order in which changes of one moment are made: what ends goes before what begins. */
enum change {
    CHANGE_END,
    CHANGE_REPAIR,
    CHANGE_SUBMIT,
    CHANGE_ELIGIBLE,
    CHANGE_START,
    CHANGE_NOTICE
};

struct hc_cluster_change {
    int64_t at_s;
    int32_t who; /* attempt, or fault */
    enum change what;
};

/* ---- partitions ---- */

static enum hc_cluster_partition partition_of_node(const struct hc_cluster *cluster, int32_t node)
{
    int32_t n = cluster->options.n_nodes;
    return node < (n > 3 ? n / 4 : 1) ? HC_CLUSTER_SHARED : HC_CLUSTER_TRAIN;
}

static enum hc_cluster_partition partition_of(const struct hc_cluster_attempt *attempt)
{
    return attempt->gpus >= HC_CLUSTER_GPUS ? HC_CLUSTER_TRAIN : HC_CLUSTER_SHARED;
}

const char *hc_cluster_partition_name(enum hc_cluster_partition partition)
{
    return partition == HC_CLUSTER_TRAIN ? "train" : "shared";
}

/* ---- changes ---- */

static int compare_changes(const void *a, const void *b)
{
    const struct hc_cluster_change *x = a, *y = b;
    if (x->at_s != y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    if (x->what != y->what)
        return x->what < y->what ? -1 : 1;
    return (x->who > y->who) - (x->who < y->who);
}

static void add_change(struct hc_cluster_sweep *sweep, int64_t at_s, enum change what, size_t who)
{
    if (at_s != HC_CLUSTER_NO_TIME_S && at_s <= sweep->cluster->end_s)
        sweep->changes[sweep->n_changes++] = (struct hc_cluster_change){at_s, (int32_t)who, what};
}

static void collect(struct hc_cluster_sweep *sweep)
{
    const struct hc_cluster *c = sweep->cluster;
    for (size_t i = 0; i < c->n_attempts; i++) {
        const struct hc_cluster_attempt *a = &c->attempts[i];
        add_change(sweep, a->submit_s, CHANGE_SUBMIT, i);
        add_change(sweep, a->eligible_s, CHANGE_ELIGIBLE, i);
        add_change(sweep, a->start_s, CHANGE_START, i);
        add_change(sweep, a->end_s, CHANGE_END, i);
    }
    for (size_t i = 0; i < c->n_faults; i++) {
        if (c->faults[i].repaired_s <= c->faults[i].notice_s)
            continue;
        add_change(sweep, c->faults[i].notice_s, CHANGE_NOTICE, i);
        add_change(sweep, c->faults[i].repaired_s, CHANGE_REPAIR, i);
    }
    if (sweep->n_changes)
        qsort(sweep->changes, sweep->n_changes, sizeof *sweep->changes, compare_changes);
}

enum hc_status hc_cluster_sweep_open(struct hc_cluster_sweep *sweep,
                                     const struct hc_cluster *cluster, struct hc_error *err)
{
    size_t n_nodes = (size_t)cluster->options.n_nodes;
    size_t n = cluster->n_attempts + 1, n_faults = cluster->n_faults + 1;
    *sweep = (struct hc_cluster_sweep){
        .cluster = cluster, .first = HC_CLUSTER_NONE, .last = HC_CLUSTER_NONE};
    sweep->changes = hc_new_array(4 * n + 2 * n_faults, sizeof *sweep->changes, err);
    sweep->instant.nodes = hc_new_array(n_nodes, sizeof *sweep->instant.nodes, err);
    sweep->n_down = hc_new_array(n_nodes, sizeof *sweep->n_down, err);
    sweep->n_drained = hc_new_array(n_nodes, sizeof *sweep->n_drained, err);
    sweep->faults = hc_new_array(n_faults, sizeof *sweep->faults, err);
    sweep->after = hc_new_array(n, sizeof *sweep->after, err);
    sweep->before = hc_new_array(n, sizeof *sweep->before, err);
    if (!sweep->changes || !sweep->instant.nodes || !sweep->n_down || !sweep->n_drained ||
        !sweep->faults || !sweep->after || !sweep->before) {
        hc_cluster_sweep_close(sweep);
        return err->status;
    }
    sweep->instant.n_nodes = cluster->options.n_nodes;
    sweep->instant.at_s = cluster->options.start_s;
    for (int32_t node = 0; node < cluster->options.n_nodes; node++)
        sweep->gpus[partition_of_node(cluster, node)][HC_CLUSTER_IDLE] += HC_CLUSTER_GPUS;
    collect(sweep);
    return HC_OK;
}

void hc_cluster_sweep_close(struct hc_cluster_sweep *sweep)
{
    free(sweep->changes);
    free(sweep->instant.nodes);
    free(sweep->n_down);
    free(sweep->n_drained);
    free(sweep->faults);
    free(sweep->after);
    free(sweep->before);
    *sweep = (struct hc_cluster_sweep){0};
}

/* ---- what changes ---- */

/* Count the GPUs of a node in (sign 1) behind or out (-1) before it changes. */
static void count(struct hc_cluster_sweep *sweep, int32_t node, int64_t sign)
{
    int64_t used = sweep->instant.nodes[node].gpus_used;
    int64_t *gpus = sweep->gpus[partition_of_node(sweep->cluster, node)];
    enum hc_cluster_use rest = sweep->n_down[node]      ? HC_CLUSTER_IS_DOWN
                               : sweep->n_drained[node] ? HC_CLUSTER_IS_DRAINED
                                                        : HC_CLUSTER_IDLE;
    gpus[HC_CLUSTER_ALLOCATED] += sign * used;
    gpus[rest] += sign * (HC_CLUSTER_GPUS - used);
}

static void change_jobs(struct hc_cluster_sweep *sweep, const struct hc_cluster_attempt *a,
                        int32_t sign)
{
    for (int32_t k = 0; k < a->n_nodes; k++) {
        int32_t node = sweep->cluster->nodes[a->nodes + (size_t)k];
        count(sweep, node, -1);
        sweep->instant.nodes[node].gpus_used += sign * a->gpus / a->n_nodes;
        sweep->instant.nodes[node].n_jobs += sign;
        count(sweep, node, 1);
    }
}

static void change_faults(struct hc_cluster_sweep *sweep, int32_t fault, int32_t sign)
{
    const struct hc_cluster_fault *f = &sweep->cluster->faults[fault];
    for (int32_t k = 0; k < f->n_nodes; k++) {
        count(sweep, f->node + k, -1);
        sweep->n_drained[f->node + k] += sign;
        if (f->kind == HC_CLUSTER_NODE_DOWN)
            sweep->n_down[f->node + k] += sign;
        count(sweep, f->node + k, 1);
    }
    if (sign > 0) {
        sweep->faults[sweep->n_faults++] = fault;
        return;
    }
    size_t i = 0;
    while (sweep->faults[i] != fault)
        i++;
    sweep->faults[i] = sweep->faults[--sweep->n_faults];
}

static void enter(struct hc_cluster_sweep *sweep, int32_t attempt)
{
    sweep->after[attempt] = HC_CLUSTER_NONE;
    sweep->before[attempt] = sweep->last;
    if (sweep->last == HC_CLUSTER_NONE)
        sweep->first = attempt;
    else
        sweep->after[sweep->last] = attempt;
    sweep->last = attempt;
}

static void leave(struct hc_cluster_sweep *sweep, int32_t attempt)
{
    int32_t before = sweep->before[attempt], after = sweep->after[attempt];
    if (before == HC_CLUSTER_NONE)
        sweep->first = after;
    else
        sweep->after[before] = after;
    if (after == HC_CLUSTER_NONE)
        sweep->last = before;
    else
        sweep->before[after] = before;
}

static void make(struct hc_cluster_sweep *sweep, const struct hc_cluster_change *change)
{
    const struct hc_cluster_attempt *a = &sweep->cluster->attempts[change->who];
    switch (change->what) {
    case CHANGE_END:
        change_jobs(sweep, a, -1);
        leave(sweep, change->who);
        return;
    case CHANGE_REPAIR:
        change_faults(sweep, change->who, -1);
        return;
    case CHANGE_SUBMIT:
        enter(sweep, change->who);
        return;
    case CHANGE_ELIGIBLE:
        sweep->n_wanting[partition_of(a)] += a->gpus > 0;
        return;
    case CHANGE_START:
        sweep->n_wanting[partition_of(a)] -= a->gpus > 0;
        change_jobs(sweep, a, 1);
        return;
    case CHANGE_NOTICE:
        change_faults(sweep, change->who, 1);
    }
}

int64_t hc_cluster_sweep_next_s(const struct hc_cluster_sweep *sweep)
{
    return sweep->next < sweep->n_changes ? sweep->changes[sweep->next].at_s : INT64_MAX;
}

void hc_cluster_sweep_to(struct hc_cluster_sweep *sweep, int64_t at_s)
{
    while (hc_cluster_sweep_next_s(sweep) <= at_s)
        make(sweep, &sweep->changes[sweep->next++]);
    sweep->instant.at_s = at_s;
}

static int compare_numbers(const void *a, const void *b)
{
    int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
    return (x > y) - (x < y);
}

const struct hc_cluster_instant *hc_cluster_sweep_nodes(struct hc_cluster_sweep *sweep)
{
    struct hc_cluster_instant *instant = &sweep->instant;
    for (int32_t node = 0; node < instant->n_nodes; node++) {
        instant->nodes[node].is_down = sweep->n_down[node] > 0;
        instant->nodes[node].is_drained = sweep->n_drained[node] > 0;
        instant->nodes[node].reason = NULL;
    }
    /* Of several faults, the last one has given the reason. */
    if (sweep->n_faults)
        qsort(sweep->faults, sweep->n_faults, sizeof *sweep->faults, compare_numbers);
    for (size_t i = 0; i < sweep->n_faults; i++) {
        const struct hc_cluster_fault *f = &sweep->cluster->faults[sweep->faults[i]];
        for (int32_t k = 0; k < f->n_nodes; k++) {
            instant->nodes[f->node + k].reason = hc_cluster_fault_reason(f->kind);
            instant->nodes[f->node + k].reason_s = f->notice_s;
        }
    }
    return instant;
}

/* ---- the queue ---- */

/* Why an attempt waits: the first of its partition for its nodes, the others behind it. */
static const char *reason_of(const struct hc_cluster_sweep *sweep,
                             const struct hc_cluster_attempt *a, bool is_first[])
{
    enum hc_cluster_partition partition = partition_of(a);
    if (a->eligible_s > sweep->instant.at_s)
        return "BeginTime";
    bool is_it = is_first[partition];
    is_first[partition] = false;
    return is_it ? "Resources" : "Priority";
}

void hc_cluster_write_queue(FILE *stream, const struct hc_cluster_sweep *sweep)
{
    bool is_first[HC_CLUSTER_N_PARTITIONS] = {true, true};
    hc_cluster_put_time(stream, NULL, sweep->instant.at_s, 'T');
    fputs("+00:00\nJOBID|PARTITION|USER|ACCOUNT|STATE|REASON|NODES|TRES_PER_NODE|SUBMIT_TIME\n",
          stream);
    for (int32_t i = sweep->first; i != HC_CLUSTER_NONE; i = sweep->after[i]) {
        const struct hc_cluster_attempt *a = &sweep->cluster->attempts[i];
        bool runs = a->start_s != HC_CLUSTER_NO_TIME_S && a->start_s <= sweep->instant.at_s;
        fprintf(stream, "%" PRId64, a->job);
        if (a->array_task != HC_CLUSTER_NONE)
            fprintf(stream, "_%d", a->array_task);
        fprintf(stream, "|%s|user%02d|lab%d|%s|%s|%d|", hc_cluster_partition_name(partition_of(a)),
                a->user + 1, a->user % 5 + 1, runs ? "RUNNING" : "PENDING",
                runs ? "None" : reason_of(sweep, a, is_first), a->n_nodes);
        if (a->gpus)
            fprintf(stream, "gres/gpu:%d|", a->gpus / a->n_nodes);
        else
            fputs("N/A|", stream);
        hc_cluster_put_time(stream, NULL, a->submit_s, 'T');
        fputc('\n', stream);
    }
}
