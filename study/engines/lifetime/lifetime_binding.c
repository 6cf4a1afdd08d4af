/* A scenario of a lifetime into the config of the engine, beyond what the table of keys says. */
#include "study/engines/lifetime/lifetime_wing.h"

/* ---- start-up ---- */

#define PHASE(member) HC_KEY_BOUND(hc_lifetime_phase, member)

/* The short form of start-up is one phase: the same keys, with that phase as their config. */
static const struct hc_scenario_key short_keys[] = {
    {"full_s", HC_KEY_DURATION, PHASE(full_s)},
    {"first_s", HC_KEY_DURATION, PHASE(first_s)},
    {"hot_s", HC_KEY_DURATION, PHASE(hot_s)},
    {.name = NULL},
};

static const struct hc_scenario_key short_startup[] = {
    {"startup", HC_KEY_OBJECT, .is_bound = true, .members = short_keys},
    {.name = NULL},
};

static enum hc_status bind_startup(struct hc_lifetime_config *config, const struct hc_node *root,
                                   struct hc_arena *arena, struct hc_refusal *refusal,
                                   struct hc_error *err)
{
    const struct hc_node *startup = hc_node_member(root, "startup");
    if (!hc_node_member(startup, "full_s"))
        return HC_OK;
    struct hc_lifetime_phase *phase = hc_arena_new(arena, sizeof *phase, err);
    if (!phase)
        return err->status;
    *phase = hc_lifetime_phase_defaults();
    phase->name = "startup";
    enum hc_status status = hc_bind_keys(phase, short_startup, root, arena, refusal, err);
    hc_lifetime_finish_phase(NULL, startup, phase);
    config->startup = (struct hc_lifetime_startup){phase, 1};
    return status;
}

/* ---- work ---- */

/* Steps as time: what variants with another step time have in common is their number. */
static enum hc_status bind_work(struct hc_lifetime_job *job, struct hc_refusal *refusal)
{
    double step_s = hc_distribution_mean(&job->step_s);
    if (!(step_s > 0))
        return hc_refuse(refusal, "/job/work_steps", "needs the time of a step above 0");
    job->work_s = job->work_steps * step_s;
    return HC_OK;
}

/* ---- all of it ---- */

/* One job: its sections, without those that share its pool. */
static enum hc_status bind_job(struct hc_lifetime_config *config, struct hc_scenario *scenario,
                               const struct hc_node *root, struct hc_refusal *refusal,
                               struct hc_error *err)
{
    *config = hc_lifetime_config_defaults();
    enum hc_status status =
        hc_bind_keys(config, hc_lifetime_keys, root, &scenario->arena, refusal, err);
    if (status == HC_OK && config->job.work_steps > 0)
        status = bind_work(&config->job, refusal);
    return status ? status : bind_startup(config, root, &scenario->arena, refusal, err);
}

/* Other jobs: the config of each is that of its own document. */
static enum hc_status bind_jobs(struct hc_lifetime_config *config, struct hc_scenario *scenario,
                                const struct hc_node *root, struct hc_refusal *refusal,
                                struct hc_error *err)
{
    const struct hc_node *jobs = hc_node_member(root, "jobs"), *child = jobs ? jobs->first : NULL;
    struct hc_arena *arena = &scenario->arena;
    struct hc_shared_pool_job *job = child ? hc_arena_new(arena, jobs->n * sizeof *job, err) : NULL;
    if (!job)
        return child ? err->status : HC_OK;
    config->other = job;
    for (; child; child = child->next, job++) {
        const struct hc_node *document = hc_scenario_job(arena, root, child, err);
        if (!document)
            return err->status;
        enum hc_status status = bind_job(&job->config, scenario, document, refusal, err);
        if (status)
            return status;
        job->name = child->key;
        config->n_others++;
    }
    return HC_OK;
}

enum hc_status hc_lifetime_bind(void *config, struct hc_scenario *scenario,
                                const struct hc_node *root, struct hc_refusal *refusal,
                                struct hc_error *err)
{
    if (hc_scenario_check_jobs(scenario, root, err))
        return err->status;
    if (scenario->errors.n)
        return HC_OK;
    enum hc_status status = bind_job(config, scenario, root, refusal, err);
    return status ? status : bind_jobs(config, scenario, root, refusal, err);
}
