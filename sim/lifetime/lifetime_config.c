/* Defaults of a lifetime, and what is refused. */
#include "sim/lifetime/lifetime_config.h"

#include "models/stats/student.h"
#include "sim/lifetime/compiled_lifetime.h"

#include <stdint.h>
#include <stdio.h>

struct hc_lifetime_config hc_lifetime_config_defaults(void)
{
    return (struct hc_lifetime_config){
        .job = {.nodes = 1, .gpus_per_node = 8},
        .recovery = {.refill = HC_REFILL_ALWAYS, .full_start_on_reschedule = true},
        .elastic = {.keeps_state = true},
        .seed = 1,
        .confidence = HC_CONFIDENCE};
}

struct hc_lifetime_fault hc_lifetime_fault_defaults(void)
{
    return (struct hc_lifetime_fault){.why = HC_WHY_INFRASTRUCTURE,
                                      .on_healthy = 1,
                                      .on_lemon = 1,
                                      .infant_factor = 1,
                                      .detection = {.inspect_count = 1},
                                      .remedy = HC_REMEDY_EVICT,
                                      .helps = 1,
                                      .ladder_helps = 1,
                                      .group_nodes = 1,
                                      .domain_nodes = 1,
                                      .slow_factor = 1};
}

struct hc_lifetime_phase hc_lifetime_phase_defaults(void)
{
    return (struct hc_lifetime_phase){.what = HC_WHAT_STARTUP_UNSPLIT, .factor = 1};
}

struct hc_lifetime_planned_stop hc_lifetime_planned_stop_defaults(void)
{
    return (struct hc_lifetime_planned_stop){.saves_first = true};
}

/* ---- what is checked ---- */

/* A check of one member says where inside it the fault is; put the place of the member in front. */
static enum hc_status inside(struct hc_error *err, const char *place, const char *name)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", place, name ? name : "?");
    return hc_fail_within(err, whole);
}

/* A place in the config and the values that it may have. */
struct limit {
    const char *place;
    double value, low, high;
};

static enum hc_status check_limits(const char *prefix, const struct limit *limit, size_t n,
                                   struct hc_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (!(limit[i].value >= limit[i].low && limit[i].value <= limit[i].high))
            return hc_fail_at(err, limit[i].place, "%g is not from %g to %g", limit[i].value,
                              limit[i].low, limit[i].high),
                   *prefix ? hc_fail_within(err, prefix) : err->status;
    return HC_OK;
}

struct drawn {
    const char *place;
    const struct hc_distribution *d;
};

static enum hc_status check_drawn(const char *prefix, const struct drawn *drawn, size_t n,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < n; i++)
        if (hc_distribution_check(drawn[i].d, drawn[i].place, err))
            return *prefix ? hc_fail_within(err, prefix) : err->status;
    return HC_OK;
}

#define LENGTH(array) (sizeof(array) / sizeof *(array))
#define LONG_S        HC_LIFETIME_MOST_S

static enum hc_status check_job(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct hc_lifetime_job *job = &c->job;
    const struct limit limit[] = {
        {"/nodes", job->nodes, 1, HC_LIFETIME_MOST_NODES},
        {"/gpus_per_node", job->gpus_per_node, 1, HC_LIFETIME_MOST_GPUS_PER_NODE},
        {"/priority", job->priority, -HC_LIFETIME_MOST_PRIORITY, HC_LIFETIME_MOST_PRIORITY},
        {"/work_s", job->work_s, 0, LONG_S},
        {"/horizon_s", job->horizon_s, 0, LONG_S},
        {"/parallel/tp", job->parallel.tp, 0, HC_LIFETIME_MOST_DEGREE},
        {"/parallel/pp", job->parallel.pp, 0, HC_LIFETIME_MOST_DEGREE},
        {"/parallel/dp", job->parallel.dp, 0, HC_LIFETIME_MOST_DEGREE}};
    const struct drawn drawn[] = {{"/step_s", &job->step_s}};
    if (check_limits("/job", limit, LENGTH(limit), err) ||
        check_drawn("/job", drawn, LENGTH(drawn), err))
        return err->status;
    if (job->work_s <= 0 && job->horizon_s <= 0)
        return hc_fail_at(err, "/job", "has neither work_s nor horizon_s: it never ends");
    double fastest = 1;
    bool all = job->parallel.tp && job->parallel.pp && job->parallel.dp;
    if (!all && (job->parallel.tp || job->parallel.pp || job->parallel.dp))
        return hc_fail_at(err, "/job/parallel", "has not all of tp, pp and dp");
    for (size_t i = 0; i < job->n_code_changes; i++) {
        const struct hc_lifetime_code_change *change = &job->code_change[i];
        const struct limit of_change[] = {{"/at_s", change->at_s, 0, LONG_S},
                                          {"/speed_factor", change->speed_factor,
                                           1.0 / HC_LIFETIME_MOST_SLOW, HC_LIFETIME_MOST_SLOW}};
        if (check_limits("", of_change, LENGTH(of_change), err))
            return inside(err, "/job/code_changes/", change->name);
        fastest *= change->speed_factor > 1 ? change->speed_factor : 1;
    }
    if (fastest * job->horizon_s > HC_LIFETIME_MOST_WORK_S)
        return hc_fail_at(err, "/job/code_changes",
                          "%g s at %g times the speed are more than %g s of work", job->horizon_s,
                          fastest, HC_LIFETIME_MOST_WORK_S);
    for (size_t i = 0; i < job->n_planned_stops; i++) {
        const struct hc_lifetime_planned_stop *stop = &job->planned_stop[i];
        const struct limit of_stop[] = {{"/first_s", stop->first_s, 0, LONG_S},
                                        {"/every_s", stop->every_s, 0, LONG_S}};
        const struct drawn lasts[] = {{"/lasts_s", &stop->lasts_s}};
        if (check_limits("", of_stop, LENGTH(of_stop), err) || check_drawn("", lasts, 1, err))
            return inside(err, "/job/planned_stops/", stop->name);
        if (stop->every_s > 0 && stop->every_s < HC_LIFETIME_LEAST_STOP_S)
            return hc_fail_at(err, "/every_s", "%g is below %g", stop->every_s,
                              HC_LIFETIME_LEAST_STOP_S),
                   inside(err, "/job/planned_stops/", stop->name);
        if (stop->saves_first && c->checkpoint.mode == HC_CHECKPOINT_NONE)
            return hc_fail_at(err, "/saves_first", "there are no checkpoints"),
                   inside(err, "/job/planned_stops/", stop->name);
    }
    return HC_OK;
}

/* ---- faults ---- */

/* Those of each recorded life ascend. */
static enum hc_status check_incidents(const struct hc_lifetime_fault *f, struct hc_error *err)
{
    size_t life = 1; /* the next to begin */
    for (size_t i = 0; i < f->n_incidents; i++) {
        bool is_first = i == 0;
        for (; life < f->lives.n && f->lives.begin[life] <= i; life++)
            is_first |= f->lives.begin[life] == i;
        if (!(f->incident[i].at_s >= 0 && f->incident[i].at_s <= LONG_S) ||
            (!is_first && f->incident[i].at_s < f->incident[i - 1].at_s))
            return hc_fail_at(err, "/incidents",
                              "incident %zu at %g s is before the one before it, or not "
                              "from 0 to %g",
                              i, f->incident[i].at_s, LONG_S);
    }
    return HC_OK;
}

static enum hc_status check_arrivals(const struct hc_lifetime_config *c,
                                     const struct hc_lifetime_fault *f, struct hc_error *err)
{
    bool renews = hc_distribution_mean(&f->between_s) > 0;
    int ways = (f->per_day > 0) + renews + (f->n_incidents > 0);
    bool by_node = f->unit == HC_PER_NODE || f->unit == HC_PER_DEVICE;
    if (ways > 1)
        return hc_fail_at(err, "", "has more than one of per_day, between_s and incidents");
    const char *factor = f->on_lemon != 1 ? "/on_lemon" : "/on_healthy";
    if (f->on_healthy != 1 || f->on_lemon != 1) {
        if (!by_node || renews || f->n_incidents)
            return hc_fail_at(err, factor, "only a rate per node or per device differs for lemons");
        if (f->on_lemon != f->on_healthy && c->lemon_share <= 0)
            return hc_fail_at(err, factor, "/lemon_share is 0: there are no lemons");
    }
    if (f->infant_factor != 1 && (!by_node || f->per_day <= 0))
        return hc_fail_at(err, "/infant_factor",
                          "only a rate per node or per device differs after a repair");
    if (f->infant_factor != 1 && c->recovery.pool_nodes == 0)
        return hc_fail_at(err, "/infant_factor",
                          "without /recovery/pool_nodes no node is repaired");
    return check_incidents(f, err);
}

/* At once, or when what was tried first did not help. */
static bool may_roll_back(const struct hc_lifetime_fault *f)
{
    bool may = f->remedy == HC_REMEDY_ROLLBACK;
    for (int32_t i = 0; i < f->n_ladder; i++)
        may |= f->ladder[i] == HC_REMEDY_ROLLBACK;
    return may;
}

static enum hc_status check_effect(const struct hc_lifetime_config *c,
                                   const struct hc_lifetime_fault *f, struct hc_error *err)
{
    bool saves = c->checkpoint.mode != HC_CHECKPOINT_NONE;
    if (f->effect == HC_EFFECT_SLOW && f->slow_factor <= 1)
        return hc_fail_at(err, "/slow_factor", "%g: a slow fault makes steps longer",
                          f->slow_factor);
    if (f->effect != HC_EFFECT_SLOW && f->slow_factor != 1)
        return hc_fail_at(err, "/slow_factor", "is for faults that slow the job");
    if (f->remedy == HC_REMEDY_NONE && f->effect != HC_EFFECT_SLOW)
        return hc_fail_at(err, "/remedy", "only a slow fault passes by itself");
    if (f->remedy != HC_REMEDY_NONE && hc_distribution_mean(&f->lasts_s) > 0)
        return hc_fail_at(err, "/lasts_s", "is for faults that pass by themselves");
    if (f->effect != HC_EFFECT_NONE && f->forced_after_s > 0)
        return hc_fail_at(err, "/forced_after_s", "is for changes that wait for another stop");
    if (f->saves_first && (!saves || f->effect == HC_EFFECT_STOP || f->effect == HC_EFFECT_CORRUPT))
        return hc_fail_at(err, "/saves_first", "%s",
                          saves ? "this fault leaves no time for a save"
                                : "there are no checkpoints");
    if (f->group != HC_GROUP_NODES && !c->job.parallel.tp)
        return hc_fail_at(err, "/group", "parallel groups need /job/parallel");
    if (f->rollback_checkpoints && !may_roll_back(f))
        return hc_fail_at(err, "/rollback_checkpoints", "the remedy is no rollback");
    return HC_OK;
}

static enum hc_status check_fault(const struct hc_lifetime_config *c,
                                  const struct hc_lifetime_fault *f, struct hc_error *err)
{
    const struct hc_lifetime_detection *d = &f->detection;
    const struct limit limit[] = {
        {"/class", f->fault_class, HC_FAULT_EXPLICIT, HC_FAULT_MANUAL},
        {"/why", f->why, 0, HC_WHY_COUNT - 1},
        {"/effect", f->effect, HC_EFFECT_STOP, HC_EFFECT_NONE},
        {"/unit", f->unit, HC_PER_NODE, HC_PER_DOMAIN},
        {"/age", f->age, HC_AGE_NEW, HC_AGE_GIVEN},
        {"/per_day", f->per_day, 0, HC_LIFETIME_MOST_PER_DAY},
        {"/domain_nodes", f->domain_nodes, 1, c->job.nodes > 1 ? c->job.nodes : 1},
        {"/on_healthy", f->on_healthy, 0, HC_LIFETIME_MOST_RATE_FACTOR},
        {"/on_lemon", f->on_lemon, 0, HC_LIFETIME_MOST_RATE_FACTOR},
        {"/infant_factor", f->infant_factor, 0, HC_LIFETIME_MOST_RATE_FACTOR},
        {"/infant_s", f->infant_s, f->infant_factor != 1 ? HC_LIFETIME_LEAST_INFANT_S : 0, LONG_S},
        {"/inspect_every_s", d->inspect_every_s, 0, LONG_S},
        {"/inspect_count", d->inspect_count, 1, HC_LIFETIME_MOST_INSPECTIONS},
        {"/timeout_s", d->timeout_s, 0, LONG_S},
        {"/replay_s", d->replay_s, 0, LONG_S},
        {"/misdiagnosis", d->misdiagnosis, 0, 1},
        {"/remedy", f->remedy, HC_REMEDY_REATTEMPT, HC_REMEDY_NONE},
        {"/helps", f->helps, f->n_ladder ? 0 : HC_LIFETIME_LEAST_HELP, 1},
        {"/n_ladder", f->n_ladder, 0, HC_LIFETIME_LADDER},
        {"/ladder_helps", f->ladder_helps, HC_LIFETIME_LEAST_HELP, 1},
        {"/group", f->group, HC_GROUP_NODES, HC_GROUP_DP},
        {"/group_nodes", f->group_nodes, 1, c->job.nodes},
        {"/rollback_checkpoints", f->rollback_checkpoints, 0, HC_LIFETIME_MOST_ROLLBACK},
        {"/slow_factor", f->slow_factor, 1, HC_LIFETIME_MOST_SLOW},
        {"/forced_after_s", f->forced_after_s, 0, LONG_S}};
    const struct drawn drawn[] = {{"/between_s", &f->between_s}, {"/age_s", &f->age_s},
                                  {"/delay_s", &d->delay_s},     {"/localise_s", &d->localise_s},
                                  {"/remedy_s", &f->remedy_s},   {"/lasts_s", &f->lasts_s}};
    if (check_limits("", limit, LENGTH(limit), err) || check_drawn("", drawn, LENGTH(drawn), err))
        return err->status;
    for (int32_t i = 0; i < f->n_ladder; i++)
        if (f->ladder[i] < HC_REMEDY_REATTEMPT || f->ladder[i] > HC_REMEDY_REQUEUE)
            return hc_fail_at(err, "/ladder", "no remedy has the number %d", (int)f->ladder[i]);
    if (check_arrivals(c, f, err))
        return err->status;
    return check_effect(c, f, err);
}

/* ---- the rest ---- */

static enum hc_status check_measured(const struct hc_lifetime_checkpoint *k, struct hc_error *err)
{
    const struct hc_distribution *d = &k->intervals_s;
    bool is_empirical = d->kind == HC_DISTRIBUTION_EMPIRICAL;
    if (hc_distribution_check(d, "/checkpoint/intervals_s", err))
        return err->status;
    if (!is_empirical && d->kind != HC_DISTRIBUTION_CONSTANT)
        return hc_fail_at(err, "/checkpoint/intervals_s", "measured intervals are empirical");
    double least = is_empirical ? d->value[0] * d->scale : d->scale;
    if (least < HC_LIFETIME_LEAST_SAVE_S)
        return hc_fail_at(err, "/checkpoint/intervals_s", "%g s is no time between saves", least);
    if (k->every_s != 0)
        return hc_fail_at(err, "/checkpoint/every_s", "the interval is measured");
    return HC_OK;
}

static enum hc_status check_interval(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct hc_lifetime_checkpoint *k = &c->checkpoint;
    bool fixed = k->interval == HC_INTERVAL_FIXED, measured = k->interval == HC_INTERVAL_MEASURED;
    if (k->mode == HC_CHECKPOINT_NONE)
        return HC_OK;
    if (k->mode == HC_CHECKPOINT_EVERY_STEP) {
        if (k->every_s != 0 || !fixed) /* nor are intervals measured or computed then */
            return hc_fail_at(err, "/checkpoint/every_s", "the mode saves at every step");
        if (hc_distribution_mean(&c->job.step_s) <= 0)
            return hc_fail_at(err, "/job/step_s", "saves at every step need the time of a step");
        return HC_OK;
    }
    if (fixed && k->every_s <= 0)
        return hc_fail_at(err, "/checkpoint/every_s", "%g is no time between saves", k->every_s);
    if (measured)
        return check_measured(k, err);
    if (!fixed && k->every_s != 0)
        return hc_fail_at(err, "/checkpoint/every_s", "the interval is Young/Daly's");
    if (!fixed && !(hc_lifetime_stop_rate(c) > 0))
        return hc_fail_at(err, "/checkpoint/interval",
                          "Young/Daly's needs faults that have a rate");
    return HC_OK;
}

static enum hc_status check_checkpoint(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct hc_lifetime_checkpoint *k = &c->checkpoint;
    const struct limit limit[] = {
        {"/mode", k->mode, HC_CHECKPOINT_NONE, HC_CHECKPOINT_EVERY_STEP},
        {"/interval", k->interval, HC_INTERVAL_FIXED, HC_INTERVAL_MEASURED},
        {"/every_s", k->every_s, 0, LONG_S},
        {"/save_bytes", k->save_bytes, 0, HC_LIFETIME_MOST_BYTES},
        {"/stall_bytes_per_s", k->stall_bytes_per_s, 0, HC_LIFETIME_MOST_BYTES},
        {"/durable_bytes_per_s", k->durable_bytes_per_s, 0, HC_LIFETIME_MOST_BYTES},
        {"/load_bytes_per_s", k->load_bytes_per_s, 0, HC_LIFETIME_MOST_BYTES},
        {"/corrupt", k->corrupt, 0, HC_LIFETIME_MOST_CORRUPT},
        {"/memory_nodes_lost", k->memory_nodes_lost, 0, c->job.nodes},
        {"/memory_remote_every_s", k->memory_remote_every_s, 0, LONG_S}};
    const struct drawn drawn[] = {
        {"/stall_s", &k->stall_s}, {"/durable_s", &k->durable_s}, {"/load_s", &k->load_s}};
    if (check_limits("/checkpoint", limit, LENGTH(limit), err) ||
        check_drawn("/checkpoint", drawn, LENGTH(drawn), err))
        return err->status;
    if (k->mode == HC_CHECKPOINT_BLOCKING && hc_distribution_mean(&k->durable_s) > 0)
        return hc_fail_at(err, "/checkpoint/durable_s",
                          "a blocking save is durable at the end of its stall");
    if (k->mode != HC_CHECKPOINT_IN_MEMORY &&
        (k->memory_nodes_lost || k->memory_remote_every_s > 0))
        return hc_fail_at(err, "/checkpoint/memory_remote_every_s", "is for saves in memory");
    if (k->memory_nodes_lost && c->job.parallel.tp)
        return hc_fail_at(err, "/checkpoint/memory_nodes_lost",
                          "/job/parallel says already which evictions "
                          "lose the copies");
    if (k->mode == HC_CHECKPOINT_IN_MEMORY && k->memory_remote_every_s <= 0)
        return hc_fail_at(err, "/checkpoint/memory_remote_every_s",
                          "saves in memory need remote ones behind "
                          "them");
    return check_interval(c, err);
}

static enum hc_status check_startup(const struct hc_lifetime_config *c, struct hc_error *err)
{
    for (size_t i = 0; i < c->startup.n_phases; i++) {
        const struct hc_lifetime_phase *p = &c->startup.phase[i];
        const struct limit limit[] = {
            {"/what", p->what, HC_WHAT_STARTUP_IMAGE, HC_WHAT_STARTUP_UNSPLIT},
            {"/factor", p->factor, 0, HC_LIFETIME_MOST_SLOW}};
        const struct drawn drawn[] = {
            {"/first_s", &p->first_s}, {"/full_s", &p->full_s}, {"/hot_s", &p->hot_s}};
        if (check_limits("", limit, LENGTH(limit), err) ||
            check_drawn("", drawn, LENGTH(drawn), err))
            return inside(err, "/startup/", p->name);
    }
    return HC_OK;
}

static enum hc_status check_pool(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct hc_lifetime_recovery *r = &c->recovery;
    const struct hc_lifetime_repair *p = &c->repair;
    bool repairs = hc_distribution_mean(&p->automatic_s) > 0 || p->retire > 0 ||
                   p->quarantine_faults || p->quarantine_false > 0 || p->to_manual > 0 ||
                   hc_distribution_mean(&p->innocent_s) > 0;
    if (r->pool_nodes == 0 && (r->spare_nodes || repairs))
        return hc_fail_at(err, "/recovery/pool_nodes",
                          "spares and repairs need a pool with an end");
    if (r->pool_nodes > 0 && r->pool_nodes < c->job.nodes)
        return hc_fail_at(err, "/recovery/pool_nodes", "%d do not hold a job of %d nodes",
                          (int)r->pool_nodes, (int)c->job.nodes);
    if (r->pool_nodes == 0 && r->wait_for != HC_WAIT_FOR_JOB)
        return hc_fail_at(err, "/recovery/wait_for", "needs a pool with an end");
    if (r->pool_nodes == 0 && r->refill == HC_REFILL_AT_RESCHEDULE)
        return hc_fail_at(err, "/recovery/refill", "needs a pool with an end");
    if (p->quarantine_false > 0 && p->quarantine_s <= 0)
        return hc_fail_at(err, "/repair/quarantine_s", "0 is no time in quarantine");
    if (r->standby_quantile > 0 && r->warm_standbys)
        return hc_fail_at(err, "/recovery/warm_standbys",
                          "is given, and by standby_quantile as well");
    return HC_OK;
}

static enum hc_status check_recovery(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct hc_lifetime_recovery *r = &c->recovery;
    const struct hc_lifetime_repair *p = &c->repair;
    const struct limit limit[] = {
        {"/recovery/warm_standbys", r->warm_standbys, 0, HC_LIFETIME_MOST_NODES},
        {"/recovery/standby_quantile", r->standby_quantile, 0, HC_LIFETIME_MOST_QUANTILE},
        {"/recovery/standby_p_per_day", r->standby_p_per_day, 0, 1},
        {"/recovery/shortfall", r->shortfall, HC_SHORTFALL_RESCHEDULE, HC_SHORTFALL_REQUEUE},
        {"/recovery/wait_for", r->wait_for, HC_WAIT_FOR_JOB, HC_WAIT_FOR_STANDBYS},
        {"/recovery/refill", r->refill, HC_REFILL_ALWAYS, HC_REFILL_AT_RESCHEDULE},
        {"/recovery/pool_nodes", r->pool_nodes, 0, HC_LIFETIME_MOST_NODES},
        {"/recovery/spare_nodes", r->spare_nodes, 0, HC_LIFETIME_MOST_NODES},
        {"/repair/to_manual", p->to_manual, 0, 1},
        {"/repair/automatic_false", p->automatic_false, 0, 1},
        {"/repair/manual_false", p->manual_false, 0, 1},
        {"/repair/retire", p->retire, 0, 1},
        {"/repair/quarantine_s", p->quarantine_s, 0, LONG_S},
        {"/repair/quarantine_faults", p->quarantine_faults, 0, HC_LIFETIME_MOST_QUARANTINE},
        {"/repair/quarantine_window_s", p->quarantine_window_s, 0, LONG_S},
        {"/repair/quarantine_false", p->quarantine_false, 0, 1}};
    const struct drawn drawn[] = {{"/recovery/wake_s", &r->wake_s},
                                  {"/recovery/replenish_s", &r->replenish_s},
                                  {"/recovery/reschedule_s", &r->reschedule_s},
                                  {"/recovery/queue_s", &r->queue_s},
                                  {"/recovery/preempt_s", &r->preempt_s},
                                  {"/repair/automatic_s", &p->automatic_s},
                                  {"/repair/manual_s", &p->manual_s},
                                  {"/repair/innocent_s", &p->innocent_s}};
    if (check_limits("", limit, LENGTH(limit), err))
        return err->status;
    for (size_t i = 0; i < LENGTH(drawn); i++)
        if (hc_distribution_check(drawn[i].d, drawn[i].place, err))
            return err->status;
    return check_pool(c, err);
}

static enum hc_status check_elastic(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct hc_lifetime_elastic *e = &c->elastic;
    if (!e->on)
        return HC_OK;
    const struct limit limit[] = {{"/dp_replicas", e->dp_replicas, 1, c->job.nodes},
                                  {"/min_replicas", e->min_replicas, 1, e->dp_replicas}};
    const struct drawn drawn[] = {{"/leave_s", &e->leave_s}, {"/rejoin_s", &e->rejoin_s}};
    if (check_limits("/elastic", limit, LENGTH(limit), err) ||
        check_drawn("/elastic", drawn, LENGTH(drawn), err))
        return err->status;
    if (c->job.parallel.tp && (c->job.parallel.pp > 1 || c->job.parallel.dp != e->dp_replicas))
        return hc_fail_at(err, "/elastic/dp_replicas",
                          "%d replicas of nodes in a row are not the dp replicas "
                          "of /job/parallel",
                          (int)e->dp_replicas);
    if (c->job.nodes % e->dp_replicas)
        return hc_fail_at(err, "/elastic/dp_replicas",
                          "%d nodes are not %d replicas of the same size", (int)c->job.nodes,
                          (int)e->dp_replicas);
    return HC_OK;
}

enum hc_status hc_lifetime_check_members(const struct hc_lifetime_config *c, struct hc_error *err)
{
    const struct limit limit[] = {
        {"/strikes", c->strikes, HC_STRIKES_RUNNING, HC_STRIKES_ALWAYS},
        {"/lemon_share", c->lemon_share, 0, 1},
        {"/replicas", c->replicas, 0, INT32_MAX},
        {"/threads", c->threads, 0, HC_LIFETIME_MOST_THREADS},
        {"/confidence", c->confidence, HC_LEAST_CONFIDENCE, HC_MOST_CONFIDENCE},
        {"/faults", (double)c->n_faults, 0, HC_LIFETIME_MAX_FAULTS}};
    if (check_limits("", limit, LENGTH(limit), err) || check_job(c, err))
        return err->status;
    for (size_t i = 0; i < c->n_faults; i++)
        if (check_fault(c, &c->fault[i], err))
            return inside(err, "/faults/", c->fault[i].name);
    if (check_checkpoint(c, err) || check_startup(c, err) || check_elastic(c, err))
        return err->status;
    return check_recovery(c, err);
}
