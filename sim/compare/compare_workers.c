/* compare_workers.c - workers, and the hosts that they run on: how long their passes take, by
 * themselves and beside the other dp ranks of their stage. */
#include "core/base/memory.h"
#include "core/base/select.h"
#include "sim/compare/change.h"
#include "sim/compare/compare_parts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NS_PER_S 1e9

/* What the workers of one side are held against. */
struct side {
    const struct hc_whatif_result *r;
    double *peer_ns; /* [n_stages][n_steps] passes of the middle dp rank */
    double *passes;  /* [2][n_stages][n_steps] forward, backward passes of a dp rank, times 1e9 */
    double *part, *whole; /* [n_steps] scratch */
};

static const double *passes_of(const struct hc_whatif_result *r, size_t direction, size_t worker)
{
    return r->depth.durations.pass_ns + (direction * r->n_workers + worker) * r->n_steps;
}

static double pass_time(const struct hc_whatif_result *r, size_t worker, size_t step)
{
    return passes_of(r, 0, worker)[step] + passes_of(r, 1, worker)[step];
}

/* Of two middle dp ranks the faster: of two of which one is slow, that is the other. times: scratch
 * [dp_size]. */
static double peer_time(const struct hc_whatif_result *r, size_t stage, size_t step, double *times)
{
    size_t dp_size = (size_t)r->dp_size;
    for (size_t d = 0; d < dp_size; d++)
        times[d] = pass_time(r, d * (size_t)r->pp_size + stage, step);
    return hc_select(times, dp_size, (dp_size - 1) / 2);
}

static void find_peers(const struct side *side, double *times)
{
    const struct hc_whatif_result *r = side->r;
    for (size_t stage = 0; stage < (size_t)r->pp_size; stage++)
        for (size_t s = 0; s < r->n_steps; s++)
            side->peer_ns[stage * r->n_steps + s] = peer_time(r, stage, s, times);
}

enum hc_status hc_pass_ratios(double *ratio, const struct hc_whatif_result *r, size_t worker,
                              struct hc_error *err)
{
    double *times = hc_new_array((size_t)r->dp_size, sizeof *times, err);
    for (size_t s = 0; times && s < r->n_steps; s++)
        ratio[s] = pass_time(r, worker, s) / peer_time(r, worker % (size_t)r->pp_size, s, times);
    free(times);
    return times ? HC_OK : err->status;
}

static void count_passes(const struct side *side)
{
    static const int types[2] = {HC_FORWARD_COMPUTE, HC_BACKWARD_COMPUTE};
    const struct hc_whatif_result *r = side->r;
    size_t n = (size_t)r->pp_size * r->n_steps;
    for (size_t direction = 0; direction < 2; direction++)
        for (size_t i = 0; i < n; i++)
            side->passes[direction * n + i] =
                r->depth.durations.n_ops[(size_t)types[direction] * n + i] * NS_PER_S / r->dp_size;
}

static enum hc_status side_init(struct side *side, const struct hc_whatif_result *r,
                                struct hc_error *err)
{
    size_t n = (size_t)r->pp_size * r->n_steps;
    *side = (struct side){.r = r};
    double *times = hc_new_array((size_t)r->dp_size, sizeof *times, err);
    side->peer_ns = hc_new_array(n, sizeof *side->peer_ns, err);
    side->passes = hc_new_array(n, 2 * sizeof *side->passes, err);
    side->part = hc_new_array(r->n_steps, 2 * sizeof *side->part, err);
    bool ok = times && side->peer_ns && side->passes && side->part;
    if (ok) {
        side->whole = side->part + r->n_steps;
        find_peers(side, times);
        count_passes(side);
    }
    free(times);
    return ok ? HC_OK : err->status;
}

static void sides_fini(struct side sides[2])
{
    for (int i = 0; i < 2; i++) {
        free(sides[i].peer_ns);
        free(sides[i].passes);
        free(sides[i].part);
    }
}

static enum hc_status sides_init(struct side sides[2], const struct hc_comparison *c,
                                 struct hc_error *err)
{
    memset(sides, 0, 2 * sizeof *sides);
    if (side_init(&sides[0], c->a, err))
        return err->status;
    return side_init(&sides[1], c->b, err);
}

static struct hc_change change_of_scratch(const struct side sides[2], size_t n_asked)
{
    return hc_change_of_series(
        &(struct hc_step_series){sides[0].part, sides[0].whole, sides[0].r->n_steps},
        &(struct hc_step_series){sides[1].part, sides[1].whole, sides[1].r->n_steps}, n_asked);
}

/* ---- workers ---- */

static struct hc_change compare_passes(const struct side sides[2], size_t direction, size_t worker)
{
    struct hc_step_series series[2];
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = sides[i].r;
        size_t n_stages = (size_t)r->pp_size, stage = worker % n_stages;
        series[i] = (struct hc_step_series){
            passes_of(r, direction, worker),
            sides[i].passes + (direction * n_stages + stage) * r->n_steps, r->n_steps};
    }
    return hc_change_of_series(&series[0], &series[1], sides[0].r->n_workers);
}

/* The passes of a worker, and of its peers, added to the scratch. */
static void add_worker(const struct side *side, size_t worker)
{
    const struct hc_whatif_result *r = side->r;
    const double *peer_ns = side->peer_ns + worker % (size_t)r->pp_size * r->n_steps;
    for (size_t s = 0; s < r->n_steps; s++) {
        side->part[s] += pass_time(r, worker, s);
        side->whole[s] += peer_ns[s];
    }
}

static void clear_scratch(const struct side *side)
{
    memset(side->part, 0, 2 * side->r->n_steps * sizeof *side->part);
}

static struct hc_change compare_pass_ratio(const struct side sides[2], size_t worker)
{
    if (sides[0].r->dp_size < 2)
        return hc_change_of_values(NAN, NAN);
    for (int i = 0; i < 2; i++) {
        clear_scratch(&sides[i]);
        add_worker(&sides[i], worker);
    }
    return change_of_scratch(sides, sides[0].r->n_workers);
}

static struct hc_change compare_slowdown(const struct side sides[2], size_t worker)
{
    for (int i = 0; i < 2; i++) {
        const struct hc_whatif_result *r = sides[i].r;
        if (!r->worker_end_ns)
            return hc_change_of_values(NAN, NAN);
        for (size_t s = 0; s < r->n_steps; s++) {
            sides[i].part[s] = (double)r->worker_end_ns[worker * r->n_steps + s];
            sides[i].whole[s] = (double)r->ideal_end_ns[s];
        }
    }
    return change_of_scratch(sides, sides[0].r->n_workers);
}

static void compare_worker(struct hc_compared_worker *to, const struct side sides[2], size_t worker)
{
    const struct hc_worker *a = &sides[0].r->workers[worker], *b = &sides[1].r->workers[worker];
    *to = (struct hc_compared_worker){
        .dp_rank = a->dp_rank,
        .stage = a->stage,
        .rank_a = a->rank,
        .rank_b = b->rank,
        .host_a = hc_job_node(&sides[0].r->job, a->rank),
        .host_b = hc_job_node(&sides[1].r->job, b->rank),
        .forward_s = compare_passes(sides, 0, worker),
        .backward_s = compare_passes(sides, 1, worker),
        .pass_ratio = compare_pass_ratio(sides, worker),
        .slowdown = compare_slowdown(sides, worker),
    };
}

enum hc_status hc_compare_workers(struct hc_comparison *c, struct hc_error *err)
{
    struct side sides[2];
    if (c->a->dp_size != c->b->dp_size || c->a->pp_size != c->b->pp_size)
        return HC_OK;
    c->workers = hc_new_array(c->a->n_workers, sizeof *c->workers, err);
    if (!c->workers)
        return err->status;
    enum hc_status status = sides_init(sides, c, err);
    if (status == HC_OK)
        c->n_workers = c->a->n_workers;
    for (size_t w = 0; w < c->n_workers; w++)
        compare_worker(&c->workers[w], sides, w);
    sides_fini(sides);
    return status;
}

/* ---- hosts ---- */

static int by_name(const void *a, const void *b)
{
    const struct hc_compared_host *left = a, *right = b;
    return strcmp(left->host, right->host);
}

/* Name the hosts of both jobs, each once. */
static void list_hosts(struct hc_comparison *c)
{
    const struct hc_whatif_result *sides[2] = {c->a, c->b};
    size_t n = 0, n_kept = 0;
    for (int i = 0; i < 2; i++)
        for (size_t w = 0; w < sides[i]->n_workers; w++) {
            const char *host = hc_job_node(&sides[i]->job, sides[i]->workers[w].rank);
            if (!host)
                continue;
            c->hosts[n].host = host;
            c->hosts[n].workers_a = i == 0;
            c->hosts[n++].workers_b = i == 1;
        }
    qsort(c->hosts, n, sizeof *c->hosts, by_name);
    for (size_t h = 0; h < n; h++) {
        if (n_kept == 0 || strcmp(c->hosts[n_kept - 1].host, c->hosts[h].host) != 0) {
            c->hosts[n_kept++] = c->hosts[h];
            continue;
        }
        c->hosts[n_kept - 1].workers_a += c->hosts[h].workers_a;
        c->hosts[n_kept - 1].workers_b += c->hosts[h].workers_b;
    }
    c->n_hosts = n_kept;
}

/* The workers of each side, ordered by their hosts. */
struct hosted {
    const char *host;
    size_t worker;
};

static int by_host(const void *a, const void *b)
{
    const struct hosted *left = a, *right = b;
    int order = strcmp(left->host, right->host);
    return order ? order : (left->worker > right->worker) - (left->worker < right->worker);
}

static struct hosted *new_hosted(const struct hc_whatif_result *r, size_t *n, struct hc_error *err)
{
    struct hosted *hosted = hc_new_array(r->n_workers, sizeof *hosted, err);
    *n = 0;
    for (size_t w = 0; hosted && w < r->n_workers; w++) {
        const char *host = hc_job_node(&r->job, r->workers[w].rank);
        if (host)
            hosted[(*n)++] = (struct hosted){host, w};
    }
    if (hosted)
        qsort(hosted, *n, sizeof *hosted, by_host);
    return hosted;
}

/* Both lists of workers are in the order of the hosts, as c->hosts is. */
static void compare_hosts(struct hc_comparison *c, const struct side sides[2],
                          struct hosted *const hosted[2])
{
    size_t next[2] = {0, 0};
    for (size_t h = 0; h < c->n_hosts; h++) {
        const size_t n[2] = {c->hosts[h].workers_a, c->hosts[h].workers_b};
        for (int i = 0; i < 2; i++) {
            clear_scratch(&sides[i]);
            for (size_t k = 0; k < n[i]; k++)
                add_worker(&sides[i], hosted[i][next[i]++].worker);
        }
        c->hosts[h].pass_ratio = change_of_scratch(sides, c->n_hosts);
    }
}

enum hc_status hc_compare_hosts(struct hc_comparison *c, struct hc_error *err)
{
    struct side sides[2];
    struct hosted *hosted[2] = {NULL, NULL};
    size_t n[2];
    if (c->a->job.n_nodes == 0 || c->b->job.n_nodes == 0 || c->a->dp_size < 2 || c->b->dp_size < 2)
        return HC_OK;
    c->hosts = hc_new_array(c->a->n_workers + c->b->n_workers, sizeof *c->hosts, err);
    if (!c->hosts)
        return err->status;
    enum hc_status status = sides_init(sides, c, err);
    for (int i = 0; i < 2 && status == HC_OK; i++) {
        hosted[i] = new_hosted(sides[i].r, &n[i], err);
        status = hosted[i] ? HC_OK : err->status;
    }
    if (status == HC_OK) {
        list_hosts(c);
        compare_hosts(c, sides, hosted);
    }
    free(hosted[0]);
    free(hosted[1]);
    sides_fini(sides);
    return status;
}
