/* culprit_groups.c - workers that are slow in the same steps, put together by what they share. */
#include "sim/whatif/cause/culprit_search.h"

#include "core/base/memory.h"
#include "core/tables/job_places.h"

#include <stdlib.h>
#include <string.h>

struct grouping {
    struct hc_straggler_cause_search *search;
    struct hc_job_places places;
    uint8_t *in; /* [n_workers] workers that are slow in the same steps, not grouped yet */
    enum hc_slow_pattern pattern; /* of those in `in`: ALWAYS, RECURRENT (changes) or SOME_PASSES */
};

static const struct hc_whatif_result *result_of(const struct grouping *g)
{
    return g->search->analysis->result;
}

/* ---- one culprit ---- */

struct hc_culprit *hc_culprit_new(struct hc_straggler_cause_search *search)
{
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
    *culprit = (struct hc_culprit){.dp_rank = -1, .stage = -1, .direction = HC_LINK_BOTH_WAYS};
    culprit->members = hc_new_array(r->n_workers, sizeof *culprit->members, err);
    culprit->is_slow = hc_new_array(r->n_steps, 1, err);
    out->n++; /* the owner of the result frees it, whole or not */
    return culprit->members && culprit->is_slow ? culprit : NULL;
}

/* A step is slow when half of the members are slow in it. */
static void mark_steps(struct grouping *g, struct hc_culprit *culprit)
{
    const struct hc_slow_map *slow = &g->search->slow;
    size_t n_steps = result_of(g)->n_steps;
    for (size_t t = 0; t < n_steps; t++) {
        size_t n = 0;
        for (size_t i = 0; i < culprit->n_members; i++)
            n += slow->is_slow[(size_t)culprit->members[i] * n_steps + t];
        culprit->is_slow[t] = g->pattern != HC_SLOW_RECURRENT || 2 * n >= culprit->n_members;
    }
}

/* ---- who belongs together ---- */

/* Whether a worker shares something with the first one. */
typedef bool belongs_fn(const struct grouping *g, size_t worker, size_t first);

static bool is_on_host(const struct grouping *g, size_t worker, size_t first)
{
    int32_t host = g->places.n_hosts ? g->places.workers[first].host : -1;
    return host >= 0 && g->places.workers[worker].host == host;
}

static bool is_on_switch(const struct grouping *g, size_t worker, size_t first)
{
    if (!g->places.n_hosts)
        return false;
    const char *one = hc_worker_switch(&g->places, first);
    const char *other = hc_worker_switch(&g->places, worker);
    return one && other && strcmp(one, other) == 0;
}

static bool is_in_dp_rank(const struct grouping *g, size_t worker, size_t first)
{
    const struct hc_worker *workers = result_of(g)->workers;
    return workers[worker].dp_rank == workers[first].dp_rank;
}

static bool is_in_stage(const struct grouping *g, size_t worker, size_t first)
{
    const struct hc_worker *workers = result_of(g)->workers;
    return workers[worker].stage == workers[first].stage;
}

static bool is_itself(const struct grouping *g, size_t worker, size_t first)
{
    (void)g;
    return worker == first;
}

/* Whether all members of a culprit belong to its first one. */
static bool share(const struct grouping *g, const struct hc_culprit *culprit, belongs_fn *belongs)
{
    for (size_t i = 0; i < culprit->n_members; i++)
        if (!belongs(g, (size_t)culprit->members[i], (size_t)culprit->members[0]))
            return false;
    return true;
}

/* Make a culprit of the workers w, of those not grouped yet, for which belongs(w). */
static enum hc_status take(struct grouping *g, enum hc_culprit_kind kind, size_t first,
                           belongs_fn *belongs)
{
    struct hc_culprit *culprit = hc_culprit_new(g->search);
    if (!culprit)
        return g->search->analysis->err->status;
    struct hc_remedies *remedies = &g->search->remedies;
    const struct hc_whatif_result *r = result_of(g);
    int32_t *culprit_of = g->pattern == HC_SLOW_ALWAYS      ? remedies->lasting_of
                          : g->pattern == HC_SLOW_RECURRENT ? remedies->changing_of
                                                            : remedies->some_passes_of;
    culprit->kind = kind;
    culprit->pattern = g->pattern;
    culprit->cause = kind == HC_CULPRIT_STAGE ? HC_STRAGGLER_STAGE : HC_STRAGGLER_WORKER;
    for (size_t w = 0; w < r->n_workers; w++) {
        if (!g->in[w] || !belongs(g, w, first))
            continue;
        culprit->members[culprit->n_members++] = (int32_t)w;
        culprit_of[w] = (int32_t)(r->depth.culprits.n - 1);
    }
    for (size_t i = 0; i < culprit->n_members; i++)
        g->in[culprit->members[i]] = 0;
    const struct hc_worker *worker = &r->workers[first];
    culprit->rank = worker->rank;
    if (kind == HC_CULPRIT_WORKER || kind == HC_CULPRIT_DP_RANK)
        culprit->dp_rank = worker->dp_rank;
    if (kind == HC_CULPRIT_WORKER || kind == HC_CULPRIT_STAGE)
        culprit->stage = worker->stage;
    if (share(g, culprit, is_on_host))
        culprit->host = hc_worker_host(&g->places, first);
    if (share(g, culprit, is_on_switch))
        culprit->switch_name = hc_worker_switch(&g->places, first);
    mark_steps(g, culprit);
    return HC_OK;
}

static const struct {
    enum hc_culprit_kind kind;
    belongs_fn *belongs;
} kinds[] = {{HC_CULPRIT_SWITCH, is_on_switch},
             {HC_CULPRIT_HOST, is_on_host},
             {HC_CULPRIT_DP_RANK, is_in_dp_rank},
             {HC_CULPRIT_STAGE, is_in_stage}};

/* Whether all workers that share something with the first are slow, and there are at least two. */
static bool is_whole(const struct grouping *g, size_t first, belongs_fn *belongs)
{
    size_t n = 0;
    for (size_t w = 0; w < result_of(g)->n_workers; w++) {
        if (!belongs(g, w, first))
            continue;
        if (!g->in[w])
            return false;
        n++;
    }
    return n > 1;
}

/* Whether two ways to belong to the first worker mean the same workers. */
static bool are_same(const struct grouping *g, size_t first, belongs_fn *a, belongs_fn *b)
{
    for (size_t w = 0; w < result_of(g)->n_workers; w++)
        if (a(g, w, first) != b(g, w, first))
            return false;
    return true;
}

/* Whether all that belongs to the first worker one way belongs to it the other way, too. */
static bool is_part(const struct grouping *g, size_t first, belongs_fn *part, belongs_fn *whole)
{
    for (size_t w = 0; w < result_of(g)->n_workers; w++)
        if (part(g, w, first) && !whole(g, w, first))
            return false;
    return true;
}

/* A switch says more than its host only if it has several; and a dp rank that is slow as a whole is
 * told before the hosts that it is on (its name has the host, where it is one). */
static bool says_most(const struct grouping *g, enum hc_culprit_kind kind, size_t first,
                      belongs_fn *belongs)
{
    if (kind == HC_CULPRIT_SWITCH && are_same(g, first, is_on_switch, is_on_host))
        return false;
    bool is_machine = kind == HC_CULPRIT_SWITCH || kind == HC_CULPRIT_HOST;
    return !is_machine || !is_whole(g, first, is_in_dp_rank) ||
           !is_part(g, first, belongs, is_in_dp_rank);
}

/* Make culprits of the workers in g->in. */
static enum hc_status split(struct grouping *g)
{
    size_t n = result_of(g)->n_workers;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t w = 0; w < n; w++)
            if (g->in[w] && is_whole(g, w, kinds[k].belongs) &&
                says_most(g, kinds[k].kind, w, kinds[k].belongs) &&
                take(g, kinds[k].kind, w, kinds[k].belongs))
                return g->search->analysis->err->status;
    for (size_t w = 0; w < n; w++)
        if (g->in[w] && take(g, HC_CULPRIT_WORKER, w, is_itself))
            return g->search->analysis->err->status;
    return HC_OK;
}

static bool are_slow_together(const struct hc_slow_map *slow, size_t a, size_t b)
{
    size_t n = slow->n_steps;
    return hc_same_steps(slow->is_slow + a * n, slow->is_slow + b * n, n);
}

static enum hc_status group_changing(struct grouping *g)
{
    const struct hc_slow_map *slow = &g->search->slow;
    const int32_t *culprit_of = g->search->remedies.changing_of;
    g->pattern = HC_SLOW_RECURRENT;
    for (size_t first = 0; first < slow->n_workers; first++) {
        if (!slow->passes[first] || culprit_of[first] >= 0)
            continue;
        for (size_t w = first; w < slow->n_workers; w++)
            g->in[w] = slow->passes[w] && culprit_of[w] < 0 && are_slow_together(slow, first, w);
        if (split(g))
            return g->search->analysis->err->status;
    }
    return HC_OK;
}

static enum hc_status group_lasting(struct grouping *g)
{
    g->pattern = HC_SLOW_ALWAYS;
    for (size_t w = 0; w < result_of(g)->n_workers; w++)
        g->in[w] = g->search->remedies.slow_worker[w] > 1;
    return split(g);
}

/* Whether a worker with some slow passes is a culprit by itself already, slow in all steps or in
 * part of them: then its slow passes are mended with that, and it is not told twice. */
static bool is_listed(struct grouping *g, size_t worker)
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

/* Each of them by itself: passes that are slow at random do not tell which workers belong together,
 * unless they are all those of a host or dp rank. */
static enum hc_status group_some_passes(struct grouping *g)
{
    g->pattern = HC_SLOW_SOME_PASSES;
    for (size_t w = 0; w < result_of(g)->n_workers; w++)
        g->in[w] = g->search->model.some_slow[w] != 0 && !is_listed(g, w);
    return split(g);
}

/* ---- all together ---- */

static enum hc_status find_places(struct grouping *g)
{
    const struct hc_whatif_result *r = result_of(g);
    struct hc_error *err = g->search->analysis->err;
    int32_t *ranks = hc_new_array(r->n_workers, sizeof *ranks, err);
    if (!ranks)
        return err->status;
    for (size_t w = 0; w < r->n_workers; w++)
        ranks[w] = r->workers[w].rank;
    enum hc_status status = hc_job_places_find(&g->places, &r->job, ranks, r->n_workers, err);
    free(ranks);
    return status;
}

enum hc_status hc_culprits_group(struct hc_straggler_cause_search *search)
{
    struct hc_whatif_result *r = search->analysis->result;
    struct hc_error *err = search->analysis->err;
    struct grouping g = {.search = search};
    g.in = hc_new_array(r->n_workers, 1, err);
    int32_t **culprit_of[] = {&search->remedies.lasting_of, &search->remedies.changing_of,
                              &search->remedies.some_passes_of};
    enum hc_status status = g.in ? find_places(&g) : err->status;
    for (size_t i = 0; status == HC_OK && i < sizeof culprit_of / sizeof *culprit_of; i++) {
        *culprit_of[i] = hc_new_array(r->n_workers, sizeof(int32_t), err);
        status = *culprit_of[i] ? HC_OK : err->status;
        for (size_t w = 0; status == HC_OK && w < r->n_workers; w++)
            (*culprit_of[i])[w] = -1;
    }
    if (status == HC_OK)
        status = group_lasting(&g);
    if (status == HC_OK)
        status = group_changing(&g);
    if (status == HC_OK)
        status = group_some_passes(&g);
    hc_job_places_fini(&g.places);
    free(g.in);
    return status;
}
