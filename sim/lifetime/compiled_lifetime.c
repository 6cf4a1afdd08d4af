/* What follows from a config once, before any replica; and the closed forms. */
#include "sim/lifetime/lifetime_state.h"

#include "core/random/stable_math.h"

#include <string.h>

static int32_t units_of(const struct hc_lifetime_config *config,
                        const struct hc_lifetime_fault *fault)
{
    int32_t nodes = config->job.nodes;
    switch (fault->unit) {
    case HC_PER_NODE:
        return nodes;
    case HC_PER_DEVICE:
        return nodes * config->job.gpus_per_node;
    case HC_PER_DOMAIN:
        return (nodes + fault->domain_nodes - 1) / fault->domain_nodes;
    default:
        return 1;
    }
}

/* Faults a second of exposure that stop the job, by one cause. */
static double stops_per_s(const struct hc_lifetime_config *config,
                          const struct hc_lifetime_fault *fault)
{
    if (fault->effect != HC_EFFECT_STOP)
        return 0;
    double units = units_of(config, fault), between = hc_distribution_mean(&fault->between_s);
    if (between > 0)
        return units / between;
    double lemons =
        fault->unit == HC_PER_NODE || fault->unit == HC_PER_DEVICE ? config->lemon_share : 0;
    return fault->per_day / 86400 * units *
           (fault->on_healthy * (1 - lemons) + fault->on_lemon * lemons);
}

double hc_lifetime_stop_rate(const struct hc_lifetime_config *config)
{
    double sum = 0;
    for (size_t i = 0; i < config->n_faults; i++) {
        if (config->fault[i].n_incidents)
            return __builtin_nan("");
        sum += stops_per_s(config, &config->fault[i]);
    }
    return sum;
}

static void plan_faults(struct hc_compiled_lifetime *plan)
{
    const struct hc_lifetime_config *c = plan->config;
    for (size_t f = 0; f < c->n_faults; f++) {
        const struct hc_lifetime_fault *fault = &c->fault[f];
        plan->n_units[f] = units_of(c, fault);
        bool renews = hc_distribution_mean(&fault->between_s) > 0;
        plan->has_clocks |= renews;
        plan->has_records |= fault->n_incidents > 0;
        plan->has_infants |= fault->infant_factor != 1;
        if (renews || fault->n_incidents)
            continue;
        double rate = fault->per_day / 86400e9;
        bool own = fault->unit == HC_PER_NODE || fault->unit == HC_PER_DEVICE;
        if (fault->unit == HC_PER_DEVICE) { /* from here on a node is the unit */
            rate *= c->job.gpus_per_node;
            plan->n_units[f] = c->job.nodes;
        }
        plan->rate_healthy[f] = own ? rate * fault->on_healthy : rate;
        plan->rate_lemon[f] = own ? rate * fault->on_lemon : rate;
        plan->lemons_differ |= plan->rate_healthy[f] != plan->rate_lemon[f];
    }
}

/* Time up to the end of the step in which it ends, where steps have a time. */
double hc_life_whole_steps(const struct hc_compiled_lifetime *plan, double seconds)
{
    if (plan->step_mean_s <= 0)
        return seconds;
    double steps = seconds / plan->step_mean_s, whole = (double)(int64_t)steps;
    if (whole < 1)
        return plan->step_mean_s;
    return plan->step_mean_s * (whole + (steps - whole > 1e-9));
}

static double every_s(const struct hc_compiled_lifetime *plan)
{
    const struct hc_lifetime_checkpoint *c = &plan->config->checkpoint;
    double seconds = c->every_s;
    if (c->mode == HC_CHECKPOINT_EVERY_STEP)
        return plan->step_mean_s;
    if (c->interval == HC_INTERVAL_YOUNG_DALY)
        seconds = hc_young_interval_s(hc_distribution_mean(&c->stall_s) + plan->stall_extra_s,
                                      1 / hc_lifetime_stop_rate(plan->config));
    if (c->interval == HC_INTERVAL_MEASURED)
        seconds = hc_distribution_mean(&c->intervals_s);
    return hc_life_whole_steps(plan, seconds);
}

static double transfer_s(double bytes, double bytes_per_s)
{
    return bytes > 0 && bytes_per_s > 0 ? bytes / bytes_per_s : 0;
}

static enum hc_status plan_checkpoints(struct hc_compiled_lifetime *plan, struct hc_error *err)
{
    const struct hc_lifetime_checkpoint *c = &plan->config->checkpoint;
    plan->every_ns = HC_LIFE_NEVER;
    if (c->mode == HC_CHECKPOINT_NONE)
        return HC_OK;
    plan->stall_extra_s = transfer_s(c->save_bytes, c->stall_bytes_per_s);
    plan->durable_extra_s = transfer_s(c->save_bytes, c->durable_bytes_per_s);
    plan->load_extra_s = transfer_s(c->save_bytes, c->load_bytes_per_s);
    double seconds = every_s(plan);
    plan->every_ns = hc_life_ns(seconds);
    if (plan->every_ns < 1)
        return hc_fail_at(err, "/checkpoint/every_s", "saves every %g s", seconds);
    double durable = hc_distribution_mean(&c->durable_s) + plan->durable_extra_s;
    double next = seconds + hc_distribution_mean(&c->stall_s) + plan->stall_extra_s;
    if (c->mode != HC_CHECKPOINT_BLOCKING && durable > next * (1 + 1e-9))
        return hc_fail_at(err, "/checkpoint/durable_s",
                          "a save takes %g s to be durable, but the next "
                          "snapshot comes after %g s",
                          durable, next);
    if (c->mode == HC_CHECKPOINT_IN_MEMORY)
        plan->remote_every = (int32_t)(c->memory_remote_every_s / seconds + 0.5);
    if (c->mode == HC_CHECKPOINT_IN_MEMORY && plan->remote_every < 1)
        plan->remote_every = 1;
    return HC_OK;
}

enum hc_status hc_compiled_lifetime(struct hc_compiled_lifetime *plan,
                                    const struct hc_lifetime_config *config, struct hc_error *err)
{
    const struct hc_lifetime_recovery *r = &config->recovery;
    memset(plan, 0, sizeof *plan);
    plan->config = config;
    plan->work_ns = config->job.work_s > 0 ? hc_life_ns(config->job.work_s) : HC_LIFE_NEVER;
    plan->horizon_ns =
        config->job.horizon_s > 0 ? hc_life_ns(config->job.horizon_s) : HC_LIFE_NEVER;
    if (plan->horizon_ns == HC_LIFE_NEVER) /* a job that cannot get on must end somewhere */
        plan->horizon_ns = hc_life_ns(HC_LIFETIME_PATIENCE * config->job.work_s);
    plan->step_mean_s = hc_distribution_mean(&config->job.step_s);
    if (plan->step_mean_s > 0)
        plan->step_cv = hc_distribution_sd(&config->job.step_s) / plan->step_mean_s;
    plan->finite = r->pool_nodes > 0;
    plan->n_nodes = plan->finite ? r->pool_nodes + r->spare_nodes : config->job.nodes;
    plan->standbys = r->warm_standbys;
    if (r->standby_quantile > 0)
        plan->standbys =
            hc_binomial_quantile(config->job.nodes, r->standby_p_per_day, r->standby_quantile);
    if (plan->finite && config->job.nodes + plan->standbys > r->pool_nodes)
        return hc_fail_at(err, "/recovery/pool_nodes",
                          "%d nodes do not hold a job of %d and %d standbys", (int)r->pool_nodes,
                          (int)config->job.nodes, (int)plan->standbys);
    plan_faults(plan);
    if (hc_compile_backups(plan, err))
        return err->status;
    return plan_checkpoints(plan, err);
}

enum hc_status hc_lifetime_derive(struct hc_lifetime_derived *derived,
                                  const struct hc_lifetime_config *config, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    if (hc_compiled_lifetime(&compiled, config, err))
        return err->status;
    *derived = (struct hc_lifetime_derived){.standbys = compiled.standbys,
                                            .every_ns = compiled.every_ns,
                                            .stall_extra_s = compiled.stall_extra_s,
                                            .durable_extra_s = compiled.durable_extra_s,
                                            .load_extra_s = compiled.load_extra_s};
    return HC_OK;
}

/* ---- closed forms ---- */

double hc_ettr_exact(const struct hc_ettr_terms *t)
{
    double rate = t->rate_per_s, cycle = t->every_s + t->write_s;
    if (rate <= 0)
        return t->every_s / cycle;
    double scheduled =
        hc_stable_exp(rate * t->restart_s) * (hc_stable_exp(rate * cycle) - 1) / rate;
    return t->every_s / (scheduled * (1 + rate * t->queue_s));
}

double hc_ettr_first_order(const struct hc_ettr_terms *t)
{
    return (1 - t->rate_per_s * (t->restart_s + t->every_s / 2)) /
           (1 + t->write_s / t->every_s + t->rate_per_s * t->queue_s);
}

double hc_young_interval_s(double write_s, double between_faults_s)
{
    return __builtin_sqrt(2 * write_s * between_faults_s);
}

int32_t hc_binomial_quantile(int32_t n, double p, double quantile)
{
    if (p <= 0 || p >= 1)
        return p <= 0 ? 0 : n;
    double log_term = n * hc_stable_log(1 - p), below = 0;
    double log_odds = hc_stable_log(p / (1 - p));
    for (int32_t k = 0; k < n; k++) {
        below += hc_stable_exp(log_term);
        if (below >= quantile)
            return k;
        log_term += hc_stable_log((double)(n - k) / (k + 1)) + log_odds;
    }
    return n;
}

int32_t hc_dual_phase_machine(int32_t m, int32_t n, int32_t h, int32_t v)
{
    for (int32_t x = h * m; x < (h + 1) * m && x < m * n; x++)
        if (x >= 0 && x % n == v)
            return x;
    return -1;
}
