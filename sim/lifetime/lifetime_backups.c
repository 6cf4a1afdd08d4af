/* Parallel groups of nodes, and copies of states in the memory of other nodes. */
#include "sim/lifetime/lifetime_state.h"

#include <string.h>

/* The nodes that share a group of this dimension with one of s->stop_slot, into s->evict_slot. */
int32_t hc_life_parallel_group(struct hc_life *s, enum hc_parallel dimension)
{
    const struct hc_backup_shape *shape = &s->plan->shape;
    int32_t each = s->config->job.gpus_per_node, nodes = s->config->job.nodes, n = 0, at = 0;
    int64_t stride = 1;
    for (int i = 0; i < (int)dimension; i++)
        stride *= shape->size[i];
    memset(s->in_group, false, (size_t)nodes * sizeof *s->in_group);
    for (int64_t i = 0; i < (int64_t)s->stop.n_slots * each; i++) {
        int64_t rank = (int64_t)s->stop_slot[i / each] * each + i % each;
        int64_t first = rank - rank / stride % shape->size[dimension] * stride;
        for (int64_t k = 0; k < shape->size[dimension]; k++)
            s->in_group[(first + k * stride) / each] = true;
    }
    for (int32_t slot = 0; slot < nodes; slot++) {
        if (!s->in_group[slot])
            continue;
        while (at < s->stop.n_slots && s->stop_slot[at] < slot)
            at++;
        s->evict_slot[n] = slot;
        s->guilty[n++] = at < s->stop.n_slots && s->stop_slot[at] == slot;
    }
    return n;
}

static bool is_evicted(const struct hc_life *s, int32_t n, int32_t slot)
{
    int32_t low = 0;
    while (low < n) { /* they ascend */
        int32_t middle = low + (n - low) / 2;
        if (s->evict_slot[middle] == slot)
            return true;
        if (s->evict_slot[middle] < slot)
            low = middle + 1;
        else
            n = middle;
    }
    return false;
}

/* Saves in memory: whether a state and its copy are gone with the first n of s->evict_slot. */
bool hc_life_loses_copies(const struct hc_life *s, int32_t n)
{
    const struct hc_lifetime_checkpoint *c = &s->config->checkpoint;
    int32_t each = s->config->job.gpus_per_node;
    if (!s->plan->places_copies)
        return n > c->memory_nodes_lost;
    for (int32_t i = 0; i < n; i++)
        for (int32_t k = 0; k < each; k++) {
            int64_t copy = hc_backup_rank(&s->plan->shape, (int64_t)s->evict_slot[i] * each + k);
            if (is_evicted(s, n, (int32_t)(copy / each)))
                return true;
        }
    return false;
}

/* The shape fits the nodes, and no state is on the node of its copy. */
enum hc_status hc_compile_backups(struct hc_compiled_lifetime *plan, struct hc_error *err)
{
    const struct hc_lifetime_job *job = &plan->config->job;
    const struct hc_lifetime_parallel *p = &job->parallel;
    if (!p->tp)
        return HC_OK;
    plan->shape.size[HC_PARALLEL_TP] = p->tp;
    plan->shape.size[HC_PARALLEL_DP] = p->dp;
    plan->shape.size[HC_PARALLEL_PP] = p->pp;
    plan->shape.ranks_per_machine = job->gpus_per_node;
    int64_t ranks = hc_backup_ranks(&plan->shape);
    if (ranks != (int64_t)job->nodes * job->gpus_per_node)
        return hc_fail_at(err, "/job/parallel",
                          "tp %d, pp %d and dp %d are %lld ranks, not the %lld GPUs of "
                          "the job",
                          (int)p->tp, (int)p->pp, (int)p->dp, (long long)ranks,
                          (long long)job->nodes * job->gpus_per_node);
    plan->places_copies = plan->config->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY;
    for (int64_t rank = 0; rank < ranks && plan->places_copies; rank++) {
        int64_t copy = hc_backup_rank(&plan->shape, rank);
        if (copy / job->gpus_per_node == rank / job->gpus_per_node)
            return hc_fail_at(err, "/job/parallel",
                              "rank %lld and its copy, on rank %lld, would be on the "
                              "same node",
                              (long long)rank, (long long)copy);
    }
    return HC_OK;
}
