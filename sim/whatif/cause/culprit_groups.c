/* culprit_groups.c - workers that are slow in the same steps, put together by what they share. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"
#include "core/tables/job_places.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static struct hc_whatif_result *result_of(const struct hc_grouping *g)
{
    return g->search->analysis->result;
}

/* ---- one culprit ---- */

struct hc_culprit *hc_culprit_new(struct hc_straggler_cause_search *search)
{
    const struct hc_measured unknown = {NAN, NAN, NAN};
    struct hc_whatif_result *r = search->analysis->result;
    struct hc_culprits *out = &r->depth.culprits;
    struct hc_error *err = search->analysis->err;
    if ((out->n & (out->n - 1)) == 0) { /* 0 or a power of 2: all places are taken */
        struct hc_culprit *grown = hc_new_array(out->n ? 2 * out->n : 1, sizeof *grown, err);
        if (!grown)
            return NULL;
        if (out->n)
            memcpy(grown, out->culprits, out->n * sizeof *grown);
        free(out->culprits);
        out->culprits = grown;
    }
    struct hc_culprit *culprit = &out->culprits[out->n];
    *culprit = (struct hc_culprit){.dp_rank = -1,
                                   .stage = -1,
                                   .direction = HC_LINK_BOTH_WAYS,
                                   .factor = unknown,
                                   .forward_factor = unknown,
                                   .backward_factor = unknown,
                                   .transfer_factor = unknown,
                                   .pass_duty = unknown,
                                   .alone_share = unknown,
                                   .gpu_hours_lost = NAN};
    culprit->members = hc_new_array(r->n_workers, sizeof *culprit->members, err);
    culprit->is_slow = hc_new_array(r->n_steps, 1, err);
    out->n++; /* the owner of the result frees it, whole or not */
    return culprit->members && culprit->is_slow ? culprit : NULL;
}

/* A step is slow when half of the members are slow in it; where there is none, when one is. */
static void mark_steps(const struct hc_grouping *g, struct hc_culprit *culprit)
{
    size_t n_steps = result_of(g)->n_steps, n_slow = 0;
    for (int all = 0; all < 2 && n_slow == 0; all++)
        for (size_t t = 0; t < n_steps; t++) {
            size_t n = 0;
            for (size_t i = 0; g->is_slow && i < culprit->n_members; i++)
                n += g->is_slow[(size_t)culprit->members[i] * n_steps + t];
            culprit->is_slow[t] = !g->is_slow || (all ? n > 0 : 2 * n >= culprit->n_members);
            n_slow += culprit->is_slow[t];
        }
}

/* ---- who belongs together ---- */

/* Whether a worker shares something with the first one. */
typedef bool belongs_fn(const struct hc_whatif_result *r, size_t worker, size_t first);

static bool is_on_host(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    const struct hc_worker_place *places = r->places.workers;
    return r->places.n_hosts && places[first].host >= 0 &&
           places[worker].host == places[first].host;
}

static bool is_on_switch(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    const char *one = r->places.n_hosts ? hc_worker_switch(&r->places, first) : NULL;
    const char *other = one ? hc_worker_switch(&r->places, worker) : NULL;
    return one && other && strcmp(one, other) == 0;
}

/* The same GPU, counted on its host, of whatever host. */
static bool is_in_slot(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    const struct hc_worker_place *places = r->places.workers;
    return r->places.n_hosts > 1 && places[first].first_gpu != HC_MISSING_I32 &&
           places[worker].first_gpu == places[first].first_gpu;
}

static bool is_in_dp_rank(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    return r->pp_size > 1 && r->workers[worker].dp_rank == r->workers[first].dp_rank;
}

static bool is_in_stage(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    return r->pp_size > 1 && r->workers[worker].stage == r->workers[first].stage;
}

static bool is_itself(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    (void)r;
    return worker == first;
}

/* By what is said of workers that are the same by several: a stage that changes as a whole has got
 * other work, whatever hosts it is on, and nothing in the trace speaks for a machine then. */
static const struct {
    enum hc_culprit_kind kind;
    belongs_fn *belongs;
} kinds[] = {{HC_CULPRIT_STAGE, is_in_stage},
             {HC_CULPRIT_DP_RANK, is_in_dp_rank},
             {HC_CULPRIT_HOST, is_on_host},
             {HC_CULPRIT_SLOT, is_in_slot},
             {HC_CULPRIT_SWITCH, is_on_switch}}; /* the last: it does not lengthen compute */
#define N_KINDS (sizeof kinds / sizeof *kinds)

/* How many workers share something with the first of them; 0 where one of them is not slow, or
 * comes before it. */
static size_t count_whole(const struct hc_grouping *g, size_t first, belongs_fn *belongs)
{
    size_t n = 0;
    for (size_t w = 0; w < result_of(g)->n_workers; w++) {
        if (!belongs(result_of(g), w, first))
            continue;
        if (!g->in[w] || w < first)
            return 0;
        n++;
    }
    return n;
}

/* Make a culprit of the workers for which belongs(worker, first). */
static enum hc_status take(struct hc_grouping *g, enum hc_culprit_kind kind, size_t first,
                           belongs_fn *belongs)
{
    struct hc_culprit *culprit = hc_culprit_new(g->search);
    if (!culprit)
        return g->search->analysis->err->status;
    const struct hc_whatif_result *r = result_of(g);
    culprit->kind = kind;
    culprit->ops = g->ops;
    culprit->pattern = g->pattern;
    culprit->cause = g->ops == HC_SLOW_LAUNCHES    ? HC_STRAGGLER_LAUNCH
                     : g->ops == HC_SLOW_TRANSFERS ? HC_STRAGGLER_LINK
                     : kind == HC_CULPRIT_STAGE    ? HC_STRAGGLER_STAGE
                     : kind == HC_CULPRIT_JOB      ? HC_STRAGGLER_COMMON
                                                   : HC_STRAGGLER_WORKER;
    bool one_host = kind != HC_CULPRIT_STAGE && kind != HC_CULPRIT_JOB, one_switch = one_host;
    for (size_t w = 0; w < r->n_workers; w++) {
        if (!belongs(r, w, first))
            continue;
        culprit->members[culprit->n_members++] = (int32_t)w;
        g->in[w] = 0;
        one_host = one_host && is_on_host(r, w, first);
        one_switch = one_switch && is_on_switch(r, w, first);
        if (g->culprit_of)
            g->culprit_of[w] = (int32_t)(r->depth.culprits.n - 1);
    }
    const struct hc_worker *worker = &r->workers[first];
    culprit->rank = worker->rank;
    if (kind == HC_CULPRIT_WORKER || kind == HC_CULPRIT_DP_RANK)
        culprit->dp_rank = worker->dp_rank;
    if (kind == HC_CULPRIT_WORKER || kind == HC_CULPRIT_STAGE)
        culprit->stage = worker->stage;
    if (one_host)
        culprit->host = hc_worker_host(&r->places, first);
    if (one_switch)
        culprit->switch_name = hc_worker_switch(&r->places, first);
    mark_steps(g, culprit);
    return HC_OK;
}

/* Take the largest group that is slow as a whole. *n: of how many workers; 0 where there is none.
 */
static enum hc_status take_largest(struct hc_grouping *g, size_t *n)
{
    size_t kind = 0, first = 0, n_kinds = g->ops == HC_SLOW_TRANSFERS ? N_KINDS : N_KINDS - 1;
    *n = 1;
    for (size_t k = 0; k < n_kinds; k++)
        for (size_t w = 0; w < result_of(g)->n_workers; w++) {
            size_t n_whole = g->in[w] ? count_whole(g, w, kinds[k].belongs) : 0;
            if (n_whole <= *n)
                continue;
            *n = n_whole;
            kind = k;
            first = w;
        }
    *n = *n > 1 ? *n : 0;
    return *n ? take(g, kinds[kind].kind, first, kinds[kind].belongs) : HC_OK;
}

static enum hc_status split(struct hc_grouping *g)
{
    for (size_t n = 1; n;)
        if (take_largest(g, &n))
            return g->search->analysis->err->status;
    for (size_t w = 0; w < result_of(g)->n_workers; w++)
        if (g->in[w] && take(g, HC_CULPRIT_WORKER, w, is_itself))
            return g->search->analysis->err->status;
    return HC_OK;
}

static bool is_anyone(const struct hc_whatif_result *r, size_t worker, size_t first)
{
    (void)r, (void)worker, (void)first;
    return true;
}

enum hc_status hc_culprits_add_job(struct hc_grouping *g, enum hc_culprit_kind kind)
{
    return take(g, kind, 0, is_anyone);
}

enum hc_status hc_culprits_split_by_steps(struct hc_grouping *g, const uint8_t *is_slow_worker)
{
    size_t n_workers = result_of(g)->n_workers, n = result_of(g)->n_steps;
    uint8_t *left = hc_new_array(n_workers, 1, g->search->analysis->err);
    enum hc_status status = left ? HC_OK : g->search->analysis->err->status;
    for (size_t w = 0; status == HC_OK && w < n_workers; w++)
        left[w] = is_slow_worker[w] && !(g->culprit_of && g->culprit_of[w] >= 0);
    for (size_t first = 0; status == HC_OK && first < n_workers; first++) {
        if (!left[first])
            continue;
        for (size_t w = 0; w < n_workers; w++) {
            g->in[w] = left[w] && hc_same_steps(g->is_slow + first * n, g->is_slow + w * n, n);
            left[w] = left[w] && !g->in[w];
        }
        status = split(g);
    }
    free(left);
    return status;
}

/* ---- workers with slow passes ---- */

/* Whether a worker with some slow passes is a culprit by itself already, slow in all steps or in
 * part of them: then its slow passes are mended with that, and it is not told twice. */
static bool is_listed(const struct hc_grouping *g, size_t worker)
{
    const struct hc_culprits *culprits = &result_of(g)->depth.culprits;
    struct hc_remedies *remedies = &g->search->remedies;
    int32_t number = remedies->lasting_of[worker] >= 0 ? remedies->lasting_of[worker]
                                                       : remedies->changing_of[worker];
    if (number < 0 || culprits->culprits[number].n_members > 1)
        return false;
    remedies->some_passes_of[worker] = number;
    return true;
}

/* Workers that are slow in all steps, and more so in some, are one culprit: what they are slow in
 * some steps by is mended with it. */
static void join_changes(const struct hc_grouping *g)
{
    struct hc_straggler_cause_search *search = g->search;
    struct hc_remedies *remedies = &search->remedies;
    for (size_t w = 0; w < result_of(g)->n_workers; w++) {
        int32_t number = search->slow.passes[w] ? remedies->lasting_of[w] : -1;
        if (number >= 0)
            remedies->changing_of[w] = number;
    }
}

/* Those of which some passes are slow each by itself: passes that are slow at random do not tell
 * which workers belong together, unless they are all those of a host or dp rank. */
static enum hc_status group_passes(struct hc_grouping *g)
{
    struct hc_straggler_cause_search *search = g->search;
    size_t n = result_of(g)->n_workers;
    *g = (struct hc_grouping){.search = search,
                              .in = g->in,
                              .pattern = HC_SLOW_ALWAYS,
                              .culprit_of = search->remedies.lasting_of};
    for (size_t w = 0; w < n; w++)
        g->in[w] = search->remedies.slow_worker[w] > 1;
    if (split(g))
        return search->analysis->err->status;
    g->pattern = HC_SLOW_RECURRENT;
    g->is_slow = search->slow.is_slow;
    g->culprit_of = search->remedies.changing_of;
    join_changes(g);
    if (hc_culprits_split_by_steps(g, search->slow.passes))
        return search->analysis->err->status;
    g->pattern = HC_SLOW_SOME_PASSES;
    g->is_slow = NULL;
    g->culprit_of = search->remedies.some_passes_of;
    for (size_t w = 0; w < n; w++)
        g->in[w] = search->model.some_slow[w] != 0 && !is_listed(g, w);
    for (size_t w = 0; w < n; w++) /* passes of a whole stage are its work, not a busy host */
        if (g->in[w] && count_whole(g, w, is_in_stage) > 1)
            for (size_t i = w; i < n; i++)
                g->in[i] = g->in[i] && !is_in_stage(result_of(g), i, w);
    return split(g);
}

enum hc_status hc_culprits_group(struct hc_straggler_cause_search *search)
{
    size_t n = search->analysis->result->n_workers;
    struct hc_error *err = search->analysis->err;
    struct hc_grouping g = {.search = search, .in = hc_new_array(n, 1, err)};
    int32_t **culprit_of[] = {&search->remedies.lasting_of, &search->remedies.changing_of,
                              &search->remedies.some_passes_of};
    enum hc_status status = g.in ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < sizeof culprit_of / sizeof *culprit_of; i++) {
        *culprit_of[i] = hc_new_array(n, sizeof(int32_t), err);
        status = *culprit_of[i] ? HC_OK : err->status;
        for (size_t w = 0; status == HC_OK && w < n; w++)
            (*culprit_of[i])[w] = -1;
    }
    if (status == HC_OK)
        status = group_passes(&g);
    free(g.in);
    return status;
}
