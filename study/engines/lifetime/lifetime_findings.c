#include "study/engines/lifetime/lifetime_findings.h"
#include "study/engines/lifetime/lifetime_rankings.h"
#include "study/engines/lifetime/lifetime_wing.h"

#include <assert.h>
#include <math.h>
#include <string.h>

const struct hc_life_findings *hc_life_run_findings(const struct hc_study_run *run)
{
    const struct hc_life_detail *life = hc_life_run_detail(run);
    return life ? life->findings : NULL;
}

/* ---- the account ---- */

struct teller {
    const struct hc_study_result *result;
    const struct hc_lifetime_config *config;
    const struct hc_lifetime_summary *summary;
    struct hc_life_findings *findings;
    struct hc_arena *arena;
};

static double hours(const struct teller *t, hc_gpu_ns gpu_ns)
{
    return t->summary->n ? hc_gpu_hours(gpu_ns) / (double)t->summary->n : NAN;
}

static double share(const struct teller *t, hc_gpu_ns gpu_ns)
{
    return hc_gpu_hours(gpu_ns) / hc_gpu_hours(hc_account_total(&t->summary->account));
}

static double money(const struct teller *t, double gpu_h)
{
    return t->result->price_per_gpu_h > 0 ? gpu_h * t->result->price_per_gpu_h : NAN;
}

static enum hc_status tell_leaves(struct teller *t, struct hc_error *err)
{
    struct hc_life_findings *d = t->findings;
    d->leaf = hc_arena_new(t->arena, HC_WHAT_COUNT * HC_WHY_COUNT * sizeof *d->leaf, err);
    if (!d->leaf)
        return err->status;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++) {
            hc_gpu_ns leaf = t->summary->account.leaf[what][why];
            if (!leaf)
                continue;
            d->leaf[d->n_leaves++] = (struct hc_life_leaf){.what = hc_what_name((enum hc_what)what),
                                                           .why = hc_why_name((enum hc_why)why),
                                                           .gpu_h = hours(t, leaf),
                                                           .share = share(t, leaf)};
            d->has_why[why] = true;
        }
    return HC_OK;
}

static void add_what(struct teller *t, enum hc_what what, const char *title,
                     const hc_gpu_ns leaf[HC_WHY_COUNT])
{
    struct hc_life_what *row = &t->findings->what[t->findings->n_whats++];
    hc_gpu_ns sum = 0;
    for (int why = 0; why < HC_WHY_COUNT; why++) {
        sum += leaf[why];
        row->why_gpu_h[why] = leaf[why] ? hours(t, leaf[why]) : NAN;
    }
    row->what = what;
    row->title = title;
    row->gpu_h = hours(t, sum);
    row->share = share(t, sum);
    row->money = money(t, row->gpu_h);
}

/* What brings progress first, then what a stop consists of in its order, then what is beside it. */
static enum hc_status tell_whats(struct teller *t, struct hc_error *err)
{
    static const enum hc_what order[] = {HC_WHAT_PRODUCTIVE_IDEAL,
                                         HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS,
                                         HC_WHAT_PRODUCTIVE_UNSPLIT,
                                         HC_WHAT_DEGRADED,
                                         HC_WHAT_CHECKPOINT_STALL,
                                         HC_WHAT_EVALUATION,
                                         HC_WHAT_DATA_WAIT,
                                         HC_WHAT_LOST_WORK,
                                         HC_WHAT_ABANDONED,
                                         HC_WHAT_DETECTION,
                                         HC_WHAT_LOCALISATION,
                                         HC_WHAT_RECOVERY,
                                         HC_WHAT_STARTUP_IMAGE,
                                         HC_WHAT_STARTUP_ENVIRONMENT,
                                         HC_WHAT_STARTUP_INIT,
                                         HC_WHAT_STARTUP_LOAD,
                                         HC_WHAT_STARTUP_COMPILE,
                                         HC_WHAT_STARTUP_FIRST_STEP,
                                         HC_WHAT_STARTUP_WARM_UP,
                                         HC_WHAT_STARTUP_UNSPLIT,
                                         HC_WHAT_STARTUP_FAILED,
                                         HC_WHAT_IDLE_AFTER,
                                         HC_WHAT_STANDBY_IDLE,
                                         HC_WHAT_POOL_IDLE,
                                         HC_WHAT_UNKNOWN};
    static_assert(sizeof order / sizeof *order == HC_WHAT_COUNT, "each leaf has its row");
    struct hc_life_findings *d = t->findings;
    hc_gpu_ns all[HC_WHY_COUNT] = {0};
    d->what = hc_arena_new(t->arena, (HC_WHAT_COUNT + 1) * sizeof *d->what, err);
    if (!d->what)
        return err->status;
    for (int i = 0; i < HC_WHAT_COUNT; i++) {
        const hc_gpu_ns *leaf = t->summary->account.leaf[order[i]];
        for (int why = 0; why < HC_WHY_COUNT; why++)
            all[why] += leaf[why];
        if (hc_account_what(&t->summary->account, order[i]) != 0)
            add_what(t, order[i], hc_life_what_title(order[i]), leaf);
    }
    add_what(t, HC_WHAT_COUNT, "all", all);
    return HC_OK;
}

/* ---- the account as a tree ---- */

/* Characters of the name of a what before its point: "startup" of "startup.load". */
static size_t group_length(enum hc_what what)
{
    return strcspn(hc_what_name(what), ".");
}

static bool is_of_group(enum hc_what what, enum hc_what first)
{
    size_t length = group_length(first);
    return group_length(what) == length &&
           strncmp(hc_what_name(what), hc_what_name(first), length) == 0;
}

static void add_branch(struct teller *t, int depth, const char *name, hc_gpu_ns gpu_ns)
{
    t->findings->branch[t->findings->n_branches++] = (struct hc_life_branch){
        .depth = depth, .name = name, .gpu_h = hours(t, gpu_ns), .share = share(t, gpu_ns)};
}

/* A group of one what has no line of its own. */
static enum hc_status add_group(struct teller *t, enum hc_what first, struct hc_error *err)
{
    const struct hc_account *account = &t->summary->account;
    hc_gpu_ns sum = 0;
    int n = 0;
    for (int what = first; what < HC_WHAT_COUNT; what++)
        if (is_of_group((enum hc_what)what, first)) {
            hc_gpu_ns part = hc_account_what(account, (enum hc_what)what);
            sum += part;
            n += part != 0;
        }
    if (n > 1) {
        const char *name = hc_arena_text(t->arena, hc_what_name(first), group_length(first), err);
        if (!name)
            return err->status;
        add_branch(t, 0, name, sum);
    }
    for (int what = first; what < HC_WHAT_COUNT && n > 0; what++) {
        hc_gpu_ns part = hc_account_what(account, (enum hc_what)what);
        if (!part || !is_of_group((enum hc_what)what, first))
            continue;
        add_branch(t, n > 1, hc_what_name((enum hc_what)what), part);
        for (int why = 0; why < HC_WHY_COUNT; why++)
            if (why != HC_WHY_NONE && account->leaf[what][why])
                add_branch(t, 1 + (n > 1), hc_why_name((enum hc_why)why), account->leaf[what][why]);
    }
    return HC_OK;
}

static enum hc_status tell_branches(struct teller *t, struct hc_error *err)
{
    struct hc_life_findings *d = t->findings;
    size_t most = 2 * HC_WHAT_COUNT + HC_WHAT_COUNT * HC_WHY_COUNT;
    d->branch = hc_arena_new(t->arena, most * sizeof *d->branch, err);
    if (!d->branch)
        return err->status;
    for (int what = 0; what < HC_WHAT_COUNT; what++) {
        bool is_first = true;
        for (int before = 0; before < what; before++)
            is_first = is_first && !is_of_group((enum hc_what)before, (enum hc_what)what);
        if (is_first && add_group(t, (enum hc_what)what, err))
            return err->status;
    }
    return HC_OK;
}

static void tell_states(struct teller *t)
{
    struct hc_life_findings *d = t->findings;
    hc_gpu_ns sum[HC_STATE_COUNT] = {0};
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        sum[hc_life_leaf_state(what)] += hc_account_what(&t->summary->account, (enum hc_what)what);
    for (int state = 0; state < HC_STATE_COUNT; state++) {
        d->state_gpu_h[state] = hours(t, sum[state]);
        if (state != HC_STATE_PRODUCTIVE)
            d->unproductive_gpu_h += d->state_gpu_h[state];
    }
}

static enum hc_status tell_account(struct teller *t, struct hc_error *err)
{
    t->findings->gpu_h = hours(t, hc_account_total(&t->summary->account));
    if (tell_leaves(t, err) || tell_whats(t, err) || tell_branches(t, err))
        return err->status;
    tell_states(t);
    return HC_OK;
}

/* ---- causes and stages ---- */

static struct hc_study_value value_of(const struct hc_moments *moments, double confidence)
{
    double half = hc_moments_half_width(moments, confidence), mean = moments->mean;
    if (!(moments->n > 0))
        return (struct hc_study_value){NAN, NAN, NAN, NAN};
    return hc_study_value_of(mean, half, hc_moments_sd(moments), 0);
}

static const char *class_of(const struct hc_lifetime_fault *fault)
{
    static const char *const classes[] = {[HC_FAULT_EXPLICIT] = "explicit",
                                          [HC_FAULT_IMPLICIT] = "implicit",
                                          [HC_FAULT_MANUAL] = "manual"};
    bool has_class =
        fault->fault_class >= HC_FAULT_EXPLICIT && fault->fault_class <= HC_FAULT_MANUAL;
    return has_class ? classes[fault->fault_class] : NULL;
}

static enum hc_status tell_causes(struct teller *t, struct hc_error *err)
{
    struct hc_life_findings *d = t->findings;
    size_t n = t->config->n_faults;
    const struct hc_moments *lost = t->summary->unproductive_s;
    d->cause = hc_arena_new(t->arena, n * sizeof *d->cause, err);
    if (!d->cause)
        return err->status;
    d->n_causes = n;
    d->unproductive_s = lost[HC_LIFETIME_MAX_FAULTS].mean;
    for (size_t i = 0; i < n; i++)
        d->unproductive_s += lost[i].mean;
    d->other = (struct hc_life_cause){.faults = {NAN, NAN, NAN, NAN},
                                      .unproductive_s = lost[HC_LIFETIME_MAX_FAULTS].mean,
                                      .unproductive_of_one_s = NAN};
    d->other.share = d->other.unproductive_s / d->unproductive_s;
    for (size_t i = 0; i < n; i++) {
        double faults = t->summary->faults[i].mean;
        d->cause[i] = (struct hc_life_cause){
            .name = t->config->fault[i].name,
            .class = class_of(&t->config->fault[i]),
            .faults = value_of(&t->summary->faults[i], t->result->confidence),
            .unproductive_s = lost[i].mean,
            .share = lost[i].mean / d->unproductive_s,
            .unproductive_of_one_s = faults > 0 ? lost[i].mean / faults : NAN};
    }
    return HC_OK;
}

/* GPU-time of a state but for the first start. */
static hc_gpu_ns recovery_of(const struct hc_account *account, enum hc_life_state state)
{
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = HC_WHY_FIRST_START + 1; why < HC_WHY_COUNT; why++)
            if (hc_life_leaf_state(what) == state)
                sum += account->leaf[what][why];
    return sum;
}

static enum hc_status tell_stages(struct teller *t, struct hc_error *err)
{
    static const enum hc_life_state states[] = {HC_STATE_DETECTION, HC_STATE_LOCALISATION,
                                                HC_STATE_RECOVERY, HC_STATE_STARTUP, HC_STATE_LOST};
    struct hc_life_findings *d = t->findings;
    double gpus = (double)d->nodes * d->gpus_per_node;
    double stops = t->summary->count[HC_COUNT_STOPS].mean * (double)t->summary->n;
    d->stage = hc_arena_new(t->arena, sizeof states / sizeof *states * sizeof *d->stage, err);
    if (!d->stage)
        return err->status;
    if (!(stops > 0) || !(d->unproductive_gpu_h > 0))
        return HC_OK;
    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        hc_gpu_ns sum = recovery_of(&t->summary->account, states[i]);
        if (sum)
            d->stage[d->n_stages++] =
                (struct hc_life_stage){.state = states[i],
                                       .of_stop_s = (double)sum * 1e-9 / gpus / stops,
                                       .gpu_h = hours(t, sum),
                                       .share = hours(t, sum) / d->unproductive_gpu_h};
    }
    return HC_OK;
}

/* ---- counts, stops, theory ---- */

static const char *title_of(enum hc_lifetime_count count)
{
    static const char *const titles[HC_COUNT_COUNT] = {
        [HC_COUNT_FAULTS] = "faults that struck",
        [HC_COUNT_STOPS] = "stops of running steps",
        [HC_COUNT_FAILED_STARTS] = "starts that failed",
        [HC_COUNT_RECURRENCES] = "faults that came back: the remedy did not help",
        [HC_COUNT_MERGED] = "changes of code that went in with another stop",
        [HC_COUNT_ABSORBED] = "recorded incidents and planned stops that met a job that stood",
        [HC_COUNT_EVICTED] = "nodes evicted",
        [HC_COUNT_INNOCENT] = "of these, without fault",
        [HC_COUNT_STANDBYS_USED] = "standbys used",
        [HC_COUNT_RESCHEDULES] = "times that hosts were chosen anew",
        [HC_COUNT_REQUEUES] = "times that the job was queued again",
        [HC_COUNT_PREEMPTED] = "spare nodes taken from other work",
        [HC_COUNT_WAITS] = "waits for a repair: no node was to be had",
        [HC_COUNT_REPAIRS] = "repairs",
        [HC_COUNT_MANUAL_REPAIRS] = "of these, manual",
        [HC_COUNT_RETIRED] = "nodes given up",
        [HC_COUNT_QUARANTINED] = "nodes put in quarantine",
        [HC_COUNT_CORRUPT_LOADS] = "checkpoints found corrupt",
        [HC_COUNT_LATE_FINDS] = "silent corruptions found",
        [HC_COUNT_EVENTS] = "events simulated",
        [HC_COUNT_LEAVES] = "times that the job went on smaller",
        [HC_COUNT_REJOINS] = "times that it stood to take replicas back",
        [HC_COUNT_QUARANTINED_HEALTHY] = "nodes in quarantine that were no lemons",
        [HC_COUNT_INFANT_FAULTS] = "faults of nodes soon after their repair",
        [HC_COUNT_STANDBYS_FAILED] = "standbys that failed while they waited",
    };
    return titles[count] ? titles[count] : hc_lifetime_count_name(count);
}

static void tell_counts(struct teller *t)
{
    for (int i = 0; i < HC_COUNT_COUNT; i++)
        t->findings->tally[i] =
            (struct hc_life_tally){.name = hc_lifetime_count_name((enum hc_lifetime_count)i),
                                   .title = title_of((enum hc_lifetime_count)i),
                                   .value = value_of(&t->summary->count[i], t->result->confidence)};
}

static void tell_stops(struct teller *t)
{
    struct hc_life_stops *stops = &t->findings->stops;
    const uint64_t *of = t->summary->stops_of;
    int64_t longest_ns = t->summary->longest_stop_ns;
    for (int i = 0; i < HC_STOP_LENGTHS; i++)
        stops->n += of[i];
    stops->p50_s = hc_stop_quantile_s(of, longest_ns, 0.5);
    stops->p90_s = hc_stop_quantile_s(of, longest_ns, 0.9);
    stops->p99_s = hc_stop_quantile_s(of, longest_ns, 0.99);
    stops->longest_s = (double)longest_ns * 1e-9;
}

static double half_over_s(const struct hc_lifetime_curve *curve)
{
    for (size_t i = 0; i + 1 < curve->n; i++)
        if ((double)curve->n_alive[i] * 2 < (double)curve->n_replicas)
            return curve->time_s[i];
    return NAN;
}

static void tell_facts(struct teller *t, const struct hc_life_detail *life)
{
    struct hc_life_findings *d = t->findings;
    const struct hc_lifetime_checkpoint *checkpoint = &t->config->checkpoint;
    bool is_fixed = checkpoint->interval == HC_INTERVAL_FIXED && checkpoint->every_s > 0;
    const struct hc_study_reference *theory = &life->reference;
    *d = (struct hc_life_findings){
        .nodes = t->config->job.nodes,
        .gpus_per_node = t->config->job.gpus_per_node,
        .work_s = t->config->job.work_s > 0 ? t->config->job.work_s : 0,
        .horizon_s = t->config->job.horizon_s,
        .save_every_s = is_fixed ? checkpoint->every_s : 0,
        .n_lives = t->summary->n,
        .n_finished = t->summary->n_finished,
        .n_starved = t->summary->n_starved,
        .reference = *theory,
        .has_reference = isfinite(theory->ettr_exact) || isfinite(theory->ettr_first_order) ||
                         isfinite(theory->mttf_s) || isfinite(theory->young_interval_s),
        .curve = life->curve && life->curve->n > 0 ? life->curve : NULL,
        .half_over_s = life->curve ? half_over_s(life->curve) : NAN,
        .jobs = life->jobs,
    };
}

/* The mean of a figure of the run times the price. */
static double unproductive_money(const struct teller *t, const struct hc_study_run *run)
{
    for (size_t c = 0; c < t->result->n_columns; c++)
        if (strcmp(t->result->column[c].name, "unproductive_gpu_h") == 0)
            return money(t, run->value[c].mean);
    return NAN;
}

static enum hc_status tell_run(struct teller *t, const struct hc_study_run *run,
                               struct hc_error *err)
{
    struct hc_life_detail *life = hc_life_run_detail(run);
    t->config = life->config;
    t->summary = &life->summary;
    t->findings = hc_arena_new(t->arena, sizeof *t->findings, err);
    if (!t->findings)
        return err->status;
    tell_facts(t, life);
    if (tell_account(t, err) || tell_causes(t, err) || tell_stages(t, err) ||
        hc_life_rank(t->findings, t->arena, err))
        return err->status;
    t->findings->unproductive_money = unproductive_money(t, run);
    tell_counts(t);
    tell_stops(t);
    life->findings = t->findings;
    return HC_OK;
}

enum hc_status hc_life_find_all(struct hc_study_result *result, struct hc_arena *arena,
                                struct hc_error *err)
{
    struct teller t = {.result = result, .arena = arena};
    for (size_t i = 0; i < result->n_runs && hc_life_run_detail(&result->run[i]); i++)
        if (tell_run(&t, &result->run[i], err))
            return err->status;
    const struct hc_life_detail *base = result->n_runs ? hc_life_run_detail(&result->run[0]) : NULL;
    if (!base || !base->life || base->life->n_spans == 0)
        return HC_OK;
    struct hc_life_story *story = hc_arena_new(arena, sizeof *story, err);
    if (!story || hc_life_tell(story, base->life, base->config, arena, err))
        return err->status;
    story->replica = base->config->first_replica + result->drawn_replica;
    base->findings->life = story;
    return HC_OK;
}
