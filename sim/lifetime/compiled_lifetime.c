#include "sim/lifetime/compiled_lifetime.h"

#include <string.h>

static void compile_faults(struct hc_compiled_lifetime *compiled)
{
    const struct hc_lifetime_config *c = compiled->config;
    for (size_t f = 0; f < c->n_faults; f++) {
        const struct hc_lifetime_fault *fault = &c->fault[f];
        compiled->n_units[f] = hc_lifetime_units(c, fault);
        bool renews = hc_distribution_mean(&fault->between_s) > 0;
        compiled->has_clocks |= renews;
        compiled->has_records |= fault->n_incidents > 0;
        compiled->has_moments |= fault->record != NULL;
        compiled->has_infants |= fault->infant_factor != 1;
        if (renews || fault->n_incidents)
            continue;
        double rate = fault->per_day / 86400e9;
        bool own = fault->unit == HC_PER_NODE || fault->unit == HC_PER_DEVICE;
        if (fault->unit == HC_PER_DEVICE) { /* the engine draws by node: all its devices together */
            rate *= c->job.gpus_per_node;
            compiled->n_units[f] = c->job.nodes;
        }
        compiled->rate_healthy[f] = own ? rate * fault->on_healthy : rate;
        compiled->rate_lemon[f] = own ? rate * fault->on_lemon : rate;
        compiled->lemons_differ |= compiled->rate_healthy[f] != compiled->rate_lemon[f];
    }
}

/* A standby fails as a node of the job does, by what stops that one; of times between faults that
 * are not exponential by their mean. */
static void compile_standbys(struct hc_compiled_lifetime *compiled)
{
    const struct hc_lifetime_config *c = compiled->config;
    for (size_t f = 0; f < c->n_faults && c->recovery.standbys_fail; f++) {
        const struct hc_lifetime_fault *fault = &c->fault[f];
        double between_s = hc_distribution_mean(&fault->between_s);
        double each = fault->unit == HC_PER_DEVICE ? c->job.gpus_per_node : 1;
        bool own = fault->unit == HC_PER_NODE || fault->unit == HC_PER_DEVICE;
        if (!own || fault->effect != HC_EFFECT_STOP)
            continue;
        double renewed = between_s > 0 ? each / (between_s * 1e9) : 0;
        compiled->standby_healthy += renewed > 0 ? renewed : compiled->rate_healthy[f];
        compiled->standby_lemon += renewed > 0 ? renewed : compiled->rate_lemon[f];
    }
}

double hc_life_whole_steps(const struct hc_compiled_lifetime *compiled, double seconds)
{
    if (compiled->step_mean_s <= 0)
        return seconds;
    double steps = seconds / compiled->step_mean_s, whole = (double)(int64_t)steps;
    if (whole < 1)
        return compiled->step_mean_s;
    return compiled->step_mean_s * (whole + (steps - whole > 1e-9));
}

static double every_s(const struct hc_compiled_lifetime *compiled)
{
    const struct hc_lifetime_checkpoint *c = &compiled->config->checkpoint;
    double seconds = c->every_s;
    if (c->mode == HC_CHECKPOINT_EVERY_STEP)
        return compiled->step_mean_s;
    if (c->interval == HC_INTERVAL_YOUNG_DALY)
        seconds = hc_young_interval_s(hc_distribution_mean(&c->stall_s) + compiled->stall_extra_s,
                                      1 / hc_lifetime_stop_rate(compiled->config));
    if (c->interval == HC_INTERVAL_MEASURED)
        seconds = hc_distribution_mean(&c->intervals_s);
    return hc_life_whole_steps(compiled, seconds);
}

static double transfer_s(double bytes, double bytes_per_s)
{
    return bytes > 0 && bytes_per_s > 0 ? bytes / bytes_per_s : 0;
}

static enum hc_status compile_checkpoints(struct hc_compiled_lifetime *compiled,
                                          struct hc_error *err)
{
    const struct hc_lifetime_checkpoint *c = &compiled->config->checkpoint;
    compiled->every_ns = HC_LIFE_NEVER;
    if (c->mode == HC_CHECKPOINT_NONE)
        return HC_OK;
    compiled->stall_extra_s = transfer_s(c->save_bytes, c->stall_bytes_per_s);
    compiled->durable_extra_s = transfer_s(c->save_bytes, c->durable_bytes_per_s);
    compiled->load_extra_s = transfer_s(c->save_bytes, c->load_bytes_per_s);
    double seconds = every_s(compiled);
    compiled->every_ns = hc_life_ns(seconds);
    if (compiled->every_ns < 1)
        return hc_fail_at(err, "/checkpoint/every_s", "saves every %g s", seconds);
    double durable = hc_distribution_mean(&c->durable_s) + compiled->durable_extra_s;
    double next = seconds + hc_distribution_mean(&c->stall_s) + compiled->stall_extra_s;
    if (c->mode != HC_CHECKPOINT_BLOCKING && durable > next * (1 + 1e-9))
        return hc_fail_at(err, "/checkpoint/durable_s",
                          "a save takes %g s to be durable, but the next "
                          "snapshot comes after %g s",
                          durable, next);
    if (c->mode == HC_CHECKPOINT_IN_MEMORY) {
        double every = c->memory_remote_every_s / seconds + 0.5;
        compiled->remote_every = every < INT32_MAX ? (int32_t)every : INT32_MAX;
    }
    if (c->mode == HC_CHECKPOINT_IN_MEMORY && compiled->remote_every < 1)
        compiled->remote_every = 1;
    return HC_OK;
}

/* Refuses a shape that does not fit the nodes, and one that puts a state and its copy on one node.
 */
static enum hc_status compile_backups(struct hc_compiled_lifetime *compiled, struct hc_error *err)
{
    const struct hc_lifetime_job *job = &compiled->config->job;
    const struct hc_lifetime_parallel *p = &job->parallel;
    if (!p->tp)
        return HC_OK;
    compiled->shape.size[HC_PARALLEL_TP] = p->tp;
    compiled->shape.size[HC_PARALLEL_DP] = p->dp;
    compiled->shape.size[HC_PARALLEL_PP] = p->pp;
    compiled->shape.ranks_per_machine = job->gpus_per_node;
    int64_t ranks = hc_backup_ranks(&compiled->shape);
    if (ranks != (int64_t)job->nodes * job->gpus_per_node)
        return hc_fail_at(err, "/job/parallel",
                          "tp %d, pp %d and dp %d are %lld ranks, not the %lld GPUs of "
                          "the job",
                          (int)p->tp, (int)p->pp, (int)p->dp, (long long)ranks,
                          (long long)job->nodes * job->gpus_per_node);
    compiled->places_copies = compiled->config->checkpoint.mode == HC_CHECKPOINT_IN_MEMORY;
    for (int64_t rank = 0; rank < ranks && compiled->places_copies; rank++) {
        int64_t copy = hc_backup_rank(&compiled->shape, rank);
        if (copy / job->gpus_per_node == rank / job->gpus_per_node)
            return hc_fail_at(err, "/job/parallel",
                              "rank %lld and its copy, on rank %lld, would be on the "
                              "same node",
                              (long long)rank, (long long)copy);
    }
    return HC_OK;
}

enum hc_status hc_compile_lifetime(struct hc_compiled_lifetime *compiled,
                                   const struct hc_lifetime_config *config, struct hc_error *err)
{
    const struct hc_lifetime_recovery *r = &config->recovery;
    memset(compiled, 0, sizeof *compiled);
    compiled->config = config;
    compiled->work_ns = config->job.work_s > 0 ? hc_life_ns(config->job.work_s) : HC_LIFE_NEVER;
    compiled->horizon_ns =
        config->job.horizon_s > 0 ? hc_life_ns(config->job.horizon_s) : HC_LIFE_NEVER;
    if (compiled->horizon_ns == HC_LIFE_NEVER) /* a job that makes no progress must end, too */
        compiled->horizon_ns = hc_life_ns(HC_LIFETIME_PATIENCE * config->job.work_s);
    compiled->step_mean_s = hc_distribution_mean(&config->job.step_s);
    if (compiled->step_mean_s > 0)
        compiled->step_cv = hc_distribution_sd(&config->job.step_s) / compiled->step_mean_s;
    compiled->finite = r->pool_nodes > 0;
    compiled->n_nodes = compiled->finite ? r->pool_nodes + r->spare_nodes : config->job.nodes;
    compiled->standbys = r->warm_standbys;
    if (r->standby_quantile > 0)
        compiled->standbys =
            hc_binomial_quantile(config->job.nodes, r->standby_p_per_day, r->standby_quantile);
    if (compiled->finite && config->job.nodes + compiled->standbys > r->pool_nodes)
        return hc_fail_at(err, "/recovery/pool_nodes",
                          "%d nodes do not hold a job of %d and %d standbys", (int)r->pool_nodes,
                          (int)config->job.nodes, (int)compiled->standbys);
    compile_faults(compiled);
    compile_standbys(compiled);
    if (compile_backups(compiled, err))
        return err->status;
    return compile_checkpoints(compiled, err);
}

enum hc_status hc_lifetime_derive(struct hc_lifetime_derived *derived,
                                  const struct hc_lifetime_config *config, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    if (hc_compile_lifetime(&compiled, config, err))
        return err->status;
    *derived = (struct hc_lifetime_derived){.standbys = compiled.standbys,
                                            .every_ns = compiled.every_ns,
                                            .stall_extra_s = compiled.stall_extra_s,
                                            .durable_extra_s = compiled.durable_extra_s,
                                            .load_extra_s = compiled.load_extra_s};
    return HC_OK;
}
