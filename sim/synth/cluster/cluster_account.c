#include "sim/synth/cluster/cluster_account.h"

#include "core/base/memory.h"
#include "sim/synth/cluster/cluster_node_start.h"
#include "sim/synth/cluster/cluster_runs.h"
#include "sim/synth/cluster/cluster_steps.h"

#include <stdlib.h>

#define SECOND_MS   1000
#define ABANDONED_S (7 * 86400)

/* What a step is counted as. */
struct loss {
    enum hc_what what;
    enum hc_why why;
    bool is_at_risk;
};

/* The time of one attempt, told from its start on. */
struct telling {
    const struct hc_cluster_account *account;
    const struct hc_cluster *cluster;
    const struct hc_cluster_attempt *attempt;
    int64_t at_ms, end_ms;
    hc_cluster_take_stretch *take;
    void *context;
};

/* ---- the cycles of runs ---- */

static bool has_steps(const struct hc_cluster_cycle *cycle)
{
    return cycle->first_step_s != HC_CLUSTER_NO_TIME_S;
}

static void link_cycles(struct hc_cluster_account *account, int32_t *last)
{
    const struct hc_cluster *cluster = account->cluster;
    for (size_t run = 0; run < cluster->n_runs; run++)
        last[run] = HC_CLUSTER_NONE;
    for (size_t i = 0; i < cluster->n_cycles; i++) {
        int32_t run = cluster->attempts[cluster->cycles[i].attempt].run;
        account->next[i] = HC_CLUSTER_NONE;
        account->before[i] = last[run];
        if (last[run] != HC_CLUSTER_NONE)
            account->next[last[run]] = (int32_t)i;
        last[run] = (int32_t)i;
    }
    for (size_t i = cluster->n_cycles; i-- > 0;) {
        int32_t next = account->next[i];
        account->kept[i] = next == HC_CLUSTER_NONE ? INT64_MAX : account->kept[next];
        if (next != HC_CLUSTER_NONE && has_steps(&cluster->cycles[next]) &&
            cluster->cycles[next].first_iteration < account->kept[i])
            account->kept[i] = cluster->cycles[next].first_iteration;
    }
}

enum hc_status hc_cluster_account_open(struct hc_cluster_account *account,
                                       const struct hc_cluster *cluster, struct hc_error *err)
{
    size_t n = cluster->n_cycles ? cluster->n_cycles : 1;
    int32_t *last = hc_new_array(cluster->n_runs ? cluster->n_runs : 1, sizeof *last, err);
    *account = (struct hc_cluster_account){.cluster = cluster};
    account->next = hc_new_array(n, sizeof *account->next, err);
    account->before = hc_new_array(n, sizeof *account->before, err);
    account->kept = hc_new_array(n, sizeof *account->kept, err);
    bool is_here = last && account->next && account->before && account->kept;
    if (is_here)
        link_cycles(account, last);
    else
        hc_cluster_account_close(account);
    free(last);
    return is_here ? HC_OK : err->status;
}

void hc_cluster_account_close(struct hc_cluster_account *account)
{
    free(account->next);
    free(account->before);
    free(account->kept);
    *account = (struct hc_cluster_account){0};
}

static bool is_last_of_attempt(const struct hc_cluster *cluster, int32_t cycle)
{
    const struct hc_cluster_cycle *c = &cluster->cycles[cycle];
    return cluster->attempts[c->attempt].last_cycle == (size_t)cycle;
}

/* Why a cycle ended. */
static enum hc_why why_of_end(const struct hc_cluster *cluster, int32_t cycle)
{
    const struct hc_cluster_cycle *c = &cluster->cycles[cycle];
    if (c->fault != HC_CLUSTER_NONE)
        return HC_WHY_INFRASTRUCTURE;
    switch (cluster->attempts[c->attempt].end) {
    case HC_CLUSTER_FAILED:
        return HC_WHY_USER;
    case HC_CLUSTER_TIMEOUT:
    case HC_CLUSTER_COMPLETED:
        return HC_WHY_PLANNED;
    default:
        return HC_WHY_UNKNOWN;
    }
}

static enum hc_why why_of_start(const struct hc_cluster_account *account, int32_t cycle)
{
    int32_t before = account->before[cycle];
    return before == HC_CLUSTER_NONE ? HC_WHY_FIRST_START : why_of_end(account->cluster, before);
}

/* ---- what is lost ---- */

static struct loss no_loss(void)
{
    return (struct loss){HC_WHAT_PRODUCTIVE_UNSPLIT, HC_WHY_NONE, false};
}

/* The loss of steps above the last checkpoint of a cycle that no later one with a step follows. */
static struct loss loss_at_risk(const struct hc_cluster *cluster, int32_t cycle)
{
    const struct hc_cluster_cycle *c = &cluster->cycles[cycle];
    const struct hc_cluster_attempt *a = &cluster->attempts[c->attempt];
    bool is_old = a->end_s != HC_CLUSTER_NO_TIME_S && cluster->end_s - a->end_s >= ABANDONED_S;
    if (c->is_done || c->end_s == HC_CLUSTER_NO_TIME_S)
        return no_loss();
    return (struct loss){is_old ? HC_WHAT_ABANDONED : HC_WHAT_LOST_WORK, why_of_end(cluster, cycle),
                         !is_old};
}

/* The loss of a step of a cycle, if it is lost: that by the first end that took it. */
static struct loss loss_of(const struct hc_cluster_account *account, int32_t cycle,
                           int64_t iteration)
{
    const struct hc_cluster *cluster = account->cluster;
    if (account->kept[cycle] == INT64_MAX)
        return iteration <= cluster->cycles[cycle].saved_iteration ? no_loss()
                                                                   : loss_at_risk(cluster, cycle);
    if (iteration <= account->kept[cycle])
        return no_loss();
    int32_t i = account->next[cycle];
    while (!has_steps(&cluster->cycles[i]) || cluster->cycles[i].first_iteration >= iteration)
        i = account->next[i];
    return (struct loss){HC_WHAT_LOST_WORK, why_of_end(cluster, account->before[i]), false};
}

/* ---- stretches ---- */

static void tell_step(struct telling *t, int64_t to_ms, const struct loss *loss)
{
    struct hc_cluster_stretch stretch = {t->at_ms, to_ms, loss->what, loss->why, loss->is_at_risk};
    if (stretch.to_ms > t->end_ms)
        stretch.to_ms = t->end_ms;
    if (stretch.to_ms <= stretch.from_ms)
        return;
    t->at_ms = stretch.to_ms;
    t->take(t->context, &stretch);
}

/* What is not lost work goes on to to_ms. */
static void tell(struct telling *t, int64_t to_ms, enum hc_what what, enum hc_why why)
{
    const struct loss told = {what, hc_what_has_why(what) ? why : HC_WHY_NONE, false};
    tell_step(t, to_ms, &told);
}

/* From the allocation to the launch. */
static void tell_nodes(struct telling *t, const struct hc_cluster_cycle *cycle, enum hc_why why)
{
    static const enum hc_what whats[HC_CLUSTER_N_PHASES] = {
        [HC_CLUSTER_ALLOCATE] = HC_WHAT_STARTUP_ENVIRONMENT,
        [HC_CLUSTER_IMAGE] = HC_WHAT_STARTUP_IMAGE,
        [HC_CLUSTER_ENVIRONMENT] = HC_WHAT_STARTUP_ENVIRONMENT};
    int64_t times_s[HC_CLUSTER_N_PHASES + 1];
    hc_cluster_slowest_start(t->cluster, (size_t)(t->attempt - t->cluster->attempts), times_s);
    if (cycle->end_s != HC_CLUSTER_NO_TIME_S && cycle->stops_s < times_s[HC_CLUSTER_N_PHASES])
        return; /* it failed before its launch, and nothing is marked */
    for (int p = 0; p < HC_CLUSTER_N_PHASES; p++)
        tell(t, times_s[p + 1] * SECOND_MS, whats[p], why);
}

static void tell_start(struct telling *t, int32_t cycle)
{
    const struct hc_cluster_cycle *c = &t->cluster->cycles[cycle];
    enum hc_why why = why_of_start(t->account, cycle);
    struct hc_cluster_launch_times times;
    hc_cluster_launch_times(&times, c);
    tell(t, times.loads_s * SECOND_MS, HC_WHAT_STARTUP_INIT, why);
    tell(t, times.built_s * SECOND_MS, HC_WHAT_STARTUP_LOAD, why);
    tell(t, c->first_step_s * SECOND_MS, HC_WHAT_STARTUP_INIT, why);
}

/* The steps up to stops_ms, and what comes between them. */
static void tell_steps(struct telling *t, int32_t cycle, int64_t stops_ms)
{
    const struct hc_cluster_cycle *c = &t->cluster->cycles[cycle];
    struct hc_cluster_steps steps;
    struct hc_cluster_step step;
    hc_cluster_steps_begin(&steps, t->cluster, c);
    while (steps.iteration < c->last_iteration && hc_cluster_steps_next(&steps, &step)) {
        const struct loss loss = loss_of(t->account, cycle, step.iteration);
        tell_step(t, step.end_ms, &loss);
        int64_t evaluated_ms = step.evaluated_ms < stops_ms ? step.evaluated_ms : stops_ms;
        int64_t saved_ms = step.saved_ms < stops_ms ? step.saved_ms : stops_ms;
        tell(t, evaluated_ms, HC_WHAT_EVALUATION, HC_WHY_NONE);
        tell(t, saved_ms, HC_WHAT_CHECKPOINT_STALL, HC_WHY_NONE);
    }
    if (c->is_done)
        tell(t, t->end_ms, HC_WHAT_IDLE_AFTER, HC_WHY_NONE);
    else if (c->end_s == HC_CLUSTER_NO_TIME_S)
        tell(t, stops_ms, HC_WHAT_PRODUCTIVE_UNSPLIT, HC_WHY_NONE);
    else
        tell(t, stops_ms, HC_WHAT_LOST_WORK, why_of_end(t->cluster, cycle));
}

/* A cycle up to the next launch, or to the end of the attempt. */
static void tell_cycle(struct telling *t, int32_t cycle, int64_t next_ms)
{
    const struct hc_cluster_cycle *c = &t->cluster->cycles[cycle];
    enum hc_why why = why_of_end(t->cluster, cycle);
    bool is_over = c->end_s != HC_CLUSTER_NO_TIME_S;
    if (c->number == 0)
        tell_nodes(t, c, why_of_start(t->account, cycle));
    if (has_steps(c)) {
        tell_start(t, cycle);
        tell_steps(t, cycle, c->stops_s * SECOND_MS);
    } else if (is_over) {
        tell(t, c->stops_s * SECOND_MS, HC_WHAT_STARTUP_FAILED, why);
    } else {
        tell(t, t->end_ms, HC_WHAT_STARTUP_UNSPLIT, why_of_start(t->account, cycle));
    }
    if (c->fault != HC_CLUSTER_NONE)
        tell(t, c->end_s * SECOND_MS, HC_WHAT_DETECTION, why);
    tell(t, next_ms, HC_WHAT_RECOVERY, why);
}

void hc_cluster_account_of(const struct hc_cluster_account *account, size_t attempt,
                           hc_cluster_take_stretch *take, void *context)
{
    const struct hc_cluster *cluster = account->cluster;
    const struct hc_cluster_attempt *a = &cluster->attempts[attempt];
    if (a->start_s == HC_CLUSTER_NO_TIME_S)
        return;
    int64_t end_s = a->end_s == HC_CLUSTER_NO_TIME_S ? cluster->end_s : a->end_s;
    struct telling t = {account,           cluster, a,      a->start_s * SECOND_MS,
                        end_s * SECOND_MS, take,    context};
    if (a->n_cycles) {
        int32_t cycle = (int32_t)a->last_cycle;
        while (cluster->cycles[cycle].attempt == (int32_t)attempt &&
               cluster->cycles[cycle].number > 0)
            cycle = account->before[cycle];
        for (; !is_last_of_attempt(cluster, cycle); cycle = account->next[cycle])
            tell_cycle(&t, cycle, cluster->cycles[account->next[cycle]].start_s * SECOND_MS);
        tell_cycle(&t, cycle, t.end_ms);
    }
    tell(&t, t.end_ms, HC_WHAT_UNKNOWN, HC_WHY_NONE);
}
