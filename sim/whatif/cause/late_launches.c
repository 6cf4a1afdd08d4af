/* late_launches.c - who starts ops late: workers, hosts, dp ranks or stages as culprits, with what
 * the trace would gain were they in time (docs/methods/causes.md). */
#include "sim/whatif/cause/culprit_search.h"
#include "sim/whatif/cause/launch_delays.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A worker is named when its late ops take this part of those of the worst one. */
#define LATE_AS_WORST 0.2
/* All workers are late, and the job is named, from this part of them on. */
#define LATE_JOB 0.9
/* At most so many are described: each is replayed. */
#define MOST_CULPRITS 8
#define UNKNOWN       ((struct hc_measured){NAN, NAN, NAN})

struct search {
    struct hc_whatif_analysis *analysis;
    struct hc_launch_delays delays;
    uint8_t *is_member;    /* [n_workers] late, and not yet in a culprit */
    struct hc_culprit *to; /* [MOST_CULPRITS] */
    size_t n;
};

/* ---- one culprit ---- */

static const char *host_of(const struct search *search, size_t worker)
{
    const struct hc_whatif_result *r = search->analysis->result;
    return hc_job_node(&r->job, r->workers[worker].rank);
}

static size_t count_late(const struct search *search, const struct hc_culprit *culprit, size_t s)
{
    size_t n = 0;
    for (size_t i = 0; i < culprit->n_members; i++)
        n += search->delays.is_late[(size_t)culprit->members[i] * search->delays.n_steps + s];
    return n;
}

/* The steps in which half of the members are late; where there is none, those in which one is. */
static void find_steps(const struct search *search, struct hc_culprit *culprit)
{
    size_t n_steps = search->delays.n_steps, most = 0;
    for (size_t s = 0; s < n_steps; s++) {
        size_t n = count_late(search, culprit, s);
        most = n > most ? n : most;
    }
    size_t least = 2 * most >= culprit->n_members ? (culprit->n_members + 1) / 2 : 1;
    for (size_t s = 0; s < n_steps; s++)
        culprit->is_slow[s] = count_late(search, culprit, s) >= least;
    hc_culprit_find_pattern(culprit, n_steps);
}

/* Fill factors [n_slow_steps]: the mean over members of delay over the usual. Returns by how much
 * the ops of the mean member start late in the mean one of these steps, in s. */
static double find_factors(const struct search *search, const struct hc_culprit *culprit,
                           double *factors)
{
    const struct hc_launch_delays *delays = &search->delays;
    double late_s = 0;
    size_t n = 0;
    for (size_t s = 0; s < delays->n_steps; s++) {
        double mean_ns = 0;
        for (size_t i = 0; culprit->is_slow[s] && i < culprit->n_members; i++) {
            size_t worker = (size_t)culprit->members[i];
            double delay_ns = delays->mean_ns[worker * delays->n_steps + s];
            mean_ns += delay_ns / (double)culprit->n_members;
            late_s += (delay_ns - delays->usual_ns) *
                      delays->n_ops[worker % delays->n_stages * delays->n_steps + s] /
                      (double)culprit->n_members / (double)culprit->n_slow_steps / 1e9;
        }
        if (culprit->is_slow[s])
            factors[n++] = delays->usual_ns > 0 ? mean_ns / delays->usual_ns : NAN;
    }
    return late_s;
}

/* One stretch for each run of late steps. Launch delays are so far from the usual ones where they
 * are late that the ends are taken as exact. */
static void list_stretches(struct hc_culprit *culprit, const double *factors, size_t n_steps)
{
    size_t n = 0, k = 0;
    for (size_t s = 0; s < n_steps; s++) {
        if (!culprit->is_slow[s])
            continue;
        if (s == 0 || !culprit->is_slow[s - 1])
            culprit->stretches[n++] =
                (struct hc_slow_stretch){.first = s, .first_low = s, .first_high = s};
        struct hc_slow_stretch *stretch = &culprit->stretches[n - 1];
        stretch->last = stretch->last_low = stretch->last_high = s;
        stretch->factor += (factors[k++] - stretch->factor) / (double)(s - stretch->first + 1);
    }
}

/* ---- words ---- */

static void write_text(struct hc_culprit *culprit, double late_s)
{
    char usual[48] = "";
    bool always = culprit->pattern == HC_SLOW_ALWAYS;
    bool is_group = culprit->n_members > 1 && culprit->kind != HC_CULPRIT_JOB;
    const char *comma = always && !is_group ? "" : ","; /* "host x, all 4 workers," */
    if (!isnan(culprit->factor.value))
        snprintf(usual, sizeof usual, ", %.*f times the usual launch delays",
                 culprit->factor.value < 10, culprit->factor.value);
    snprintf(
        culprit->text, sizeof culprit->text,
        "%.207s%s%.223s%s starts its ops %.0f ms late a step%s%s; without that, %.3f s of a mean "
        "step are gone",
        culprit->name, always ? "" : ", ", culprit->when, comma, 1e3 * late_s, usual,
        always ? "" : " while it does", culprit->lost_s);
}

/* ---- what the trace would gain ---- */

/* The members' launch delays of late steps as usual ones. */
static void be_in_time(const void *context, int32_t arg, const struct hc_step_structure *structure,
                       const struct hc_lane_block *block, double *delay)
{
    const struct search *search = context;
    const struct hc_culprit *culprit = &search->to[arg];
    size_t n_stages = search->delays.n_stages, dp_size = search->delays.n_workers / n_stages;
    double usual_ns = rint(search->delays.usual_ns); /* times of a replay are whole ns */
    for (size_t i = 0; i < culprit->n_members; i++) {
        size_t dp_rank = (size_t)culprit->members[i] / n_stages;
        int32_t stage = culprit->members[i] % (int32_t)n_stages;
        for (size_t p = 0; p < structure->order.n_ops; p++) {
            double *row = delay + p * block->stride + dp_rank;
            for (size_t k = 0; structure->stage[p] == stage && k < block->n_steps; k++)
                if (culprit->is_slow[block->step[k]] && row[k * dp_size] > usual_ns)
                    row[k * dp_size] = usual_ns;
        }
    }
}

static enum hc_status replay_in_time(struct search *search)
{
    struct hc_whatif_analysis *a = search->analysis;
    const struct hc_whatif_result *r = a->result;
    size_t n = search->n, n_steps = r->n_steps;
    struct hc_counterfactual counterfactuals[MOST_CULPRITS];
    int64_t *span_ns = hc_new_array(n * n_steps, sizeof *span_ns, a->err);
    if (!span_ns)
        return a->err->status;
    for (size_t i = 0; i < n; i++)
        counterfactuals[i] = (struct hc_counterfactual){
            .kind = HC_SWEEP_DELAYS_REWRITTEN, .arg = (int32_t)i, .span_ns = span_ns + i * n_steps};
    struct hc_counterfactuals sweeps = a->sweeps;
    sweeps.rewrite = be_in_time;
    sweeps.rewrite_context = search;
    enum hc_status status = hc_counterfactuals_run(&sweeps, counterfactuals, n, a->err);
    double excess_s = r->slowdown >= HC_STRAGGLING ? hc_whatif_excess_s(r) : NAN;
    for (size_t i = 0; status == HC_OK && i < n; i++) {
        struct hc_culprit *culprit = &search->to[i];
        culprit->lost_s = r->traced_s - hc_mean_s(span_ns + i * n_steps, n_steps);
        culprit->share.value = culprit->lost_s / excess_s;
        culprit->gpu_hours_lost =
            r->n_gpus ? culprit->lost_s * (double)n_steps * (double)r->n_gpus / 3600 : NAN;
    }
    free(span_ns);
    return status;
}

/* ---- who belongs together ---- */

/* The workers of a host, dp rank or stage, or a single one. */
struct group {
    enum hc_culprit_kind kind;
    int32_t dp_rank, stage; /* -1: any */
    const char *host;       /* NULL: any */
};

static bool belongs(const struct search *search, const struct group *group, size_t worker)
{
    const struct hc_worker *w = &search->analysis->result->workers[worker];
    const char *host = group->host ? host_of(search, worker) : NULL;
    return (group->dp_rank < 0 || w->dp_rank == group->dp_rank) &&
           (group->stage < 0 || w->stage == group->stage) &&
           (!group->host || (host && strcmp(host, group->host) == 0));
}

/* The number of workers of a group; 0 where one of them is not late. */
static size_t count_group(const struct search *search, const struct group *group)
{
    size_t n = 0;
    for (size_t w = 0; w < search->delays.n_workers; w++) {
        if (!belongs(search, group, w))
            continue;
        if (!search->is_member[w])
            return 0;
        n++;
    }
    return n;
}

/* Make a culprit of the marked workers of a group (of the job: of all), and unmark them. */
static enum hc_status add_culprit(struct search *search, const struct group *group)
{
    const struct hc_whatif_result *r = search->analysis->result;
    struct hc_error *err = search->analysis->err;
    if (search->n == MOST_CULPRITS)
        return HC_OK;
    struct hc_culprit *culprit = &search->to[search->n++];
    *culprit = (struct hc_culprit){.kind = group->kind,
                                   .ops = HC_SLOW_LAUNCHES,
                                   .cause = HC_STRAGGLER_LAUNCH,
                                   .dp_rank = group->dp_rank,
                                   .stage = group->stage,
                                   .direction = -1,
                                   .factor = UNKNOWN,
                                   .forward_factor = UNKNOWN,
                                   .backward_factor = UNKNOWN,
                                   .transfer_factor = UNKNOWN,
                                   .pass_duty = UNKNOWN,
                                   .share = UNKNOWN,
                                   .lost_s = NAN,
                                   .gpu_hours_lost = NAN};
    culprit->members = hc_new_array(r->n_workers, sizeof *culprit->members, err);
    culprit->is_slow = hc_new_array(r->n_steps, sizeof *culprit->is_slow, err);
    if (!culprit->members || !culprit->is_slow)
        return err->status;
    for (size_t w = 0; w < r->n_workers; w++)
        if (belongs(search, group, w) && (search->is_member[w] || group->kind == HC_CULPRIT_JOB)) {
            culprit->members[culprit->n_members++] = (int32_t)w;
            search->is_member[w] = 0;
        }
    culprit->rank = r->workers[culprit->members[0]].rank;
    culprit->host = group->host ? group->host
                    : group->kind == HC_CULPRIT_WORKER
                        ? host_of(search, (size_t)culprit->members[0])
                        : NULL;
    return HC_OK;
}

static enum hc_status add_hosts(struct search *search)
{
    for (size_t w = 0; w < search->delays.n_workers; w++) {
        struct group group = {HC_CULPRIT_HOST, -1, -1, host_of(search, w)};
        if (!search->is_member[w] || !group.host || count_group(search, &group) < 2)
            continue;
        if (add_culprit(search, &group))
            return search->analysis->err->status;
    }
    return HC_OK;
}

static enum hc_status add_rows(struct search *search, enum hc_culprit_kind kind, int32_t n)
{
    for (int32_t i = 0; i < n; i++) {
        bool by_dp_rank = kind == HC_CULPRIT_DP_RANK;
        struct group group = {kind, by_dp_rank ? i : -1, by_dp_rank ? -1 : i, NULL};
        if (count_group(search, &group) >= 2 && add_culprit(search, &group))
            return search->analysis->err->status;
    }
    return HC_OK;
}

/* The workers that are left, the worst first. */
static enum hc_status add_workers(struct search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    size_t *order = hc_descending(search->delays.late_ns, r->n_workers, search->analysis->err);
    enum hc_status status = order ? HC_OK : search->analysis->err->status;
    for (size_t i = 0; status == HC_OK && i < r->n_workers; i++) {
        const struct hc_worker *worker = &r->workers[order[i]];
        struct group group = {HC_CULPRIT_WORKER, worker->dp_rank, worker->stage, NULL};
        if (search->is_member[order[i]])
            status = add_culprit(search, &group);
    }
    free(order);
    return status;
}

/* Mark the workers that are late enough to be named. Returns how many. */
static size_t mark_members(struct search *search)
{
    const struct hc_launch_delays *delays = &search->delays;
    double worst_ns = 0;
    size_t n = 0;
    for (size_t w = 0; w < delays->n_workers; w++)
        worst_ns = fmax(worst_ns, delays->late_ns[w]);
    for (size_t w = 0; w < delays->n_workers; w++) {
        search->is_member[w] = worst_ns > 0 && delays->late_ns[w] >= LATE_AS_WORST * worst_ns;
        n += search->is_member[w];
    }
    return n;
}

/* Where every worker is late in every step, no usual delay is left to be late against: the delays
 * as a whole are what is lost. */
static enum hc_status add_all(struct search *search)
{
    struct hc_launch_delays *delays = &search->delays;
    struct group all = {delays->n_workers > 1 ? HC_CULPRIT_JOB : HC_CULPRIT_WORKER, -1, -1, NULL};
    delays->usual_ns = 0;
    memset(delays->is_late, 1, delays->n_workers * delays->n_steps);
    memset(search->is_member, 1, delays->n_workers);
    return add_culprit(search, &all);
}

static enum hc_status group_workers(struct search *search)
{
    const struct hc_whatif_result *r = search->analysis->result;
    size_t n = mark_members(search);
    if (n == 0)
        return r->launch_slowdown >= HC_STRAGGLING ? add_all(search) : HC_OK;
    if (n > 1 && (double)n >= LATE_JOB * (double)r->n_workers)
        return add_culprit(search, &(struct group){HC_CULPRIT_JOB, -1, -1, NULL});
    if (add_hosts(search) ||
        add_rows(search, HC_CULPRIT_DP_RANK, r->pp_size > 1 ? r->dp_size : 0) ||
        add_rows(search, HC_CULPRIT_STAGE, r->dp_size > 1 ? r->pp_size : 0))
        return search->analysis->err->status;
    return add_workers(search);
}

static enum hc_status describe(struct search *search)
{
    size_t n_steps = search->delays.n_steps;
    struct hc_error *err = search->analysis->err;
    double *factors = hc_new_array(n_steps, sizeof *factors, err);
    if (!factors)
        return err->status;
    for (size_t i = 0; i < search->n; i++)
        find_steps(search, &search->to[i]);
    enum hc_status status = replay_in_time(search);
    for (size_t i = 0; status == HC_OK && i < search->n; i++) {
        struct hc_culprit *culprit = &search->to[i];
        double late_s = find_factors(search, culprit, factors);
        culprit->factor = hc_mean_of_steps(factors, culprit->n_slow_steps);
        if (culprit->factor.low < 0) /* of few steps; no ratio of delays is */
            culprit->factor.low = 0;
        culprit->stretches = hc_new_array(culprit->n_stretches, sizeof *culprit->stretches, err);
        if (!culprit->stretches) {
            status = err->status;
            break;
        }
        list_stretches(culprit, factors, n_steps);
        hc_culprit_write_name(culprit, search->analysis->result);
        hc_culprit_write_when(culprit, search->analysis->result);
        write_text(culprit, late_s);
    }
    free(factors);
    return status;
}

/* ---- all together ---- */

enum hc_status hc_late_launches_find(struct hc_culprits *culprits,
                                     struct hc_whatif_analysis *analysis)
{
    const struct hc_whatif_result *r = analysis->result;
    struct hc_error *err = analysis->err;
    if (!(r->launch_slowdown >= r->threshold) || !(r->traced_s > r->replayed_s))
        return HC_OK; /* not known where the trace hides waiting */
    struct search search = {.analysis = analysis};
    search.is_member = hc_new_array(r->n_workers, sizeof *search.is_member, err);
    struct hc_culprit *all = hc_new_array(culprits->n + MOST_CULPRITS, sizeof *all, err);
    enum hc_status status = search.is_member && all ? HC_OK : err->status;
    if (status == HC_OK) {
        if (culprits->n)
            memcpy(all, culprits->culprits, culprits->n * sizeof *all);
        free(culprits->culprits);
        culprits->culprits = all;
        search.to = all + culprits->n;
        status = hc_launch_delays_find(&search.delays, analysis);
    }
    if (status == HC_OK)
        status = group_workers(&search);
    culprits->n += search.n;
    if (status == HC_OK && search.n > 0)
        status = describe(&search);
    hc_culprits_sort(culprits);
    hc_launch_delays_fini(&search.delays);
    free(search.is_member);
    if (culprits->culprits != all)
        free(all);
    return status;
}
