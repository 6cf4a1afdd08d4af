/* ETTR over time, of many replicas.
 *
 * What is read of a life is time in steps up to the times of the curve and of their windows. Long
 * lives are summed up between those (MOST_SPANS), which changes none of the sums.
 *
 * In two passes. The first finds how long the replicas live, which gives the times of the curve;
 * the second lives each replica once more and records it. Values are kept by time and then by
 * replica, so that means and quantiles are made in one order, whichever thread lived which replica.
 */
#include "sim/lifetime/lifetime_trace.h"

#include "core/base/memory.h"
#include "core/process/threads.h"
#include "sim/engine/crew.h"
#include "sim/lifetime/pool/life_host.h"

#include <omp.h>
#include <stdlib.h>
#include <string.h>

#define MOST_SPANS 65536

static const double level[HC_CURVE_N_LINES] = {0, 0.05, 0.25, 0.5, 0.75, 0.95};

struct drawing {
    struct hc_lifetime_curve *curve;
    const struct hc_compiled_lifetime *compiled;
    int64_t window_ns;
    int64_t *life_ns;             /* [n_replicas], since the first start */
    int64_t *first_ns;            /* [n_replicas], the first start, since submission */
    int64_t *time_ns;             /* [n] */
    double *cumulative, *sliding; /* [n * n_replicas]: by time, then by replica */
    uint64_t failed_at;
    struct hc_error err;
};

/* ---- how long they live ---- */

static enum hc_status find_lives(struct drawing *d, struct hc_error *err)
{
    enum { BLOCK = 256 };
    uint64_t all = d->curve->n_replicas;
    struct hc_lifetime_replica *block = hc_new_array(BLOCK, sizeof *block, err);
    if (!block)
        return err->status;
    enum hc_status status = HC_OK;
    for (uint64_t at = 0; at < all && !status; at += BLOCK) {
        size_t n = all - at < BLOCK ? (size_t)(all - at) : BLOCK;
        status = hc_lifetime_run(d->compiled->config, at, n, block, err);
        for (size_t i = 0; i < n && !status; i++) {
            d->first_ns[at + i] = block[i].first_queue_ns;
            d->life_ns[at + i] = block[i].wall_ns - block[i].first_queue_ns;
        }
    }
    free(block);
    return status;
}

/* Evenly spaced; the last is the longest life. */
static void set_times(struct drawing *d)
{
    struct hc_lifetime_curve *curve = d->curve;
    int64_t longest_ns = 0;
    for (uint64_t r = 0; r < curve->n_replicas; r++)
        longest_ns = d->life_ns[r] > longest_ns ? d->life_ns[r] : longest_ns;
    for (size_t i = 0; i < curve->n; i++) {
        d->time_ns[i] = (int64_t)((hc_gpu_ns)longest_ns * (int64_t)(i + 1) / (int64_t)curve->n);
        curve->time_s[i] = (double)d->time_ns[i] * 1e-9;
    }
}

/* ---- one replica ---- */

static int64_t window_at(const struct drawing *d, size_t i)
{
    return d->window_ns < d->time_ns[i] ? d->window_ns : d->time_ns[i];
}

/* Two ascending lists in one: the times of the curve, and where their windows begin. cut_ns has
 * room for both. */
static void set_cuts(const struct drawing *d, uint64_t replica, int64_t *cut_ns)
{
    size_t n = d->curve->n, at = 0, begin = 0;
    int64_t first_ns = d->first_ns[replica];
    for (size_t k = 0; k < 2 * n; k++) {
        int64_t begin_ns = begin < n ? d->time_ns[begin] - window_at(d, begin) : INT64_MAX;
        bool is_begin = begin < n && (at == n || begin_ns <= d->time_ns[at]);
        cut_ns[k] = first_ns + (is_begin ? begin_ns : d->time_ns[at]);
        begin += is_begin;
        at += !is_begin;
    }
}

static void read_trace(struct drawing *d, const struct hc_lifetime_trace *trace,
                       int64_t first_start_ns, uint64_t replica)
{
    struct hc_life_reader now = {.trace = trace, .what = HC_WHAT_PRODUCTIVE_IDEAL}, before = now;
    for (size_t i = 0; i < d->curve->n && d->time_ns[i] <= d->life_ns[replica]; i++) {
        int64_t time_ns = d->time_ns[i];
        int64_t window_ns = window_at(d, i);
        if (!time_ns)
            continue;
        int64_t at_ns = first_start_ns + time_ns, productive_ns = hc_life_read_total(&now, at_ns);
        int64_t recent_ns = productive_ns - hc_life_read_total(&before, at_ns - window_ns);
        size_t place = i * d->curve->n_replicas + replica;
        d->cumulative[place] = (double)productive_ns / (double)time_ns;
        d->sliding[place] = (double)recent_ns / (double)window_ns;
    }
}

/* ---- all of them ---- */

struct pencil {
    struct hc_life_host *host;
    struct hc_lifetime_trace trace;
    int64_t *cut_ns; /* [2 * n] */
    struct hc_lifetime_replica result;
    struct hc_error err;
};

static void fail(struct drawing *d, uint64_t at, const struct hc_error *err)
{
#pragma omp critical(hc_lifetime_curve)
    if (at < d->failed_at) {
        d->failed_at = at;
        d->err = *err;
    }
}

static enum hc_status draw_replica(struct drawing *d, struct pencil *p, uint64_t replica)
{
    set_cuts(d, replica, p->cut_ns);
    if (hc_life_host_record(p->host, replica, &p->result, &p->trace))
        return p->err.status;
    read_trace(d, &p->trace, p->result.first_queue_ns, replica);
    return HC_OK;
}

static enum hc_status new_pencil(struct pencil *p, const struct drawing *d)
{
    size_t n = 2 * d->curve->n;
    if (!(p->cut_ns = hc_new_array(n, sizeof *p->cut_ns, &p->err)))
        return p->err.status;
    p->trace = (struct hc_lifetime_trace){.most = MOST_SPANS, .cut_ns = p->cut_ns, .n_cuts = n};
    return hc_life_host_new(&p->host, d->compiled, &p->err);
}

/* One thread's share. */
static void draw_share(struct drawing *d)
{
    struct hc_error err;
    struct pencil *p = hc_new_array(1, sizeof *p, &err);
    bool ready = p && !new_pencil(p, d);
    if (!ready)
        fail(d, 0, p ? &p->err : &err);
#pragma omp for schedule(dynamic, 1)
    for (uint64_t r = 0; r < d->curve->n_replicas; r++)
        if (ready && draw_replica(d, p, r))
            fail(d, r, &p->err);
    if (p) {
        hc_life_host_free(p->host);
        hc_lifetime_trace_fini(&p->trace);
        free(p->cut_ns);
    }
    free(p);
}

/* ---- lines ---- */

static int compare(const void *x, const void *y)
{
    double a = *(const double *)x, b = *(const double *)y;
    return (a > b) - (a < b);
}

/* Mean, and quantiles between the two nearest of n values, which are sorted in place. */
static void set_lines(double *const line[HC_CURVE_N_LINES], size_t at, double *value, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += value[i];
    line[HC_CURVE_MEAN][at] = n ? sum / (double)n : __builtin_nan("");
    qsort(value, n, sizeof *value, compare);
    for (int l = HC_CURVE_P05; l < HC_CURVE_N_LINES; l++) {
        double place = n ? level[l] * (double)(n - 1) : 0;
        size_t below = (size_t)place, above = below + 1 < n ? below + 1 : below;
        line[l][at] = n ? value[below] + (place - (double)below) * (value[above] - value[below])
                        : __builtin_nan("");
    }
}

/* Move the values of the replicas that still live at time i to the front. Returns how many. */
static size_t gather(const struct drawing *d, size_t i, double *value)
{
    size_t n = 0;
    for (uint64_t r = 0; r < d->curve->n_replicas && d->time_ns[i]; r++)
        if (d->life_ns[r] >= d->time_ns[i])
            value[n++] = value[r];
    return n;
}

static void draw_lines(struct drawing *d)
{
    struct hc_lifetime_curve *curve = d->curve;
#pragma omp for schedule(static)
    for (size_t i = 0; i < curve->n; i++) {
        double *cumulative = d->cumulative + i * curve->n_replicas;
        double *sliding = d->sliding + i * curve->n_replicas;
        size_t n = gather(d, i, cumulative);
        curve->n_alive[i] = (int64_t)gather(d, i, sliding);
        set_lines(curve->cumulative, i, cumulative, n);
        set_lines(curve->sliding, i, sliding, n);
    }
}

/* ---- start and end ---- */

static enum hc_status new_lines(struct hc_lifetime_curve *c, struct hc_error *err)
{
    bool made = (c->time_s = hc_new_array(c->n, sizeof *c->time_s, err)) &&
                (c->n_alive = hc_new_array(c->n, sizeof *c->n_alive, err));
    for (int l = 0; l < HC_CURVE_N_LINES && made; l++)
        made = (c->cumulative[l] = hc_new_array(c->n, sizeof *c->cumulative[l], err)) &&
               (c->sliding[l] = hc_new_array(c->n, sizeof *c->sliding[l], err));
    return made ? HC_OK : err->status;
}

static enum hc_status new_drawing(struct drawing *d, struct hc_error *err)
{
    size_t n = d->curve->n, n_replicas = d->curve->n_replicas, all;
    if (__builtin_mul_overflow(n, n_replicas, &all))
        return hc_fail(err, HC_BAD_INPUT, "ETTR over time: %zu times of %zu replicas are too many",
                       n, n_replicas);
    bool made = (d->life_ns = hc_new_array(n_replicas, sizeof *d->life_ns, err)) &&
                (d->first_ns = hc_new_array(n_replicas, sizeof *d->first_ns, err)) &&
                (d->time_ns = hc_new_array(n, sizeof *d->time_ns, err)) &&
                (d->cumulative = hc_new_array(all, sizeof *d->cumulative, err)) &&
                (d->sliding = hc_new_array(all, sizeof *d->sliding, err));
    return made ? HC_OK : err->status;
}

static enum hc_status draw(struct drawing *d, struct hc_error *err)
{
    const struct hc_lifetime_config *config = d->compiled->config;
    if (new_lines(d->curve, err) || new_drawing(d, err) || find_lives(d, err))
        return err->status;
    set_times(d);
    /* The lives were run before: where that was little, so is this. */
    int threads = hc_crew_is_alone() ? 1 : config->threads ? config->threads : hc_threads_most();
    if (threads > 1)
        threads = hc_threads_raise(threads);
#pragma omp parallel num_threads(threads)
    {
        draw_share(d);
        draw_lines(d);
    }
    if (d->failed_at == UINT64_MAX)
        return HC_OK;
    *err = d->err;
    return err->status;
}

enum hc_status hc_lifetime_curve_run(struct hc_lifetime_curve *curve,
                                     const struct hc_lifetime_config *config, uint64_t n_replicas,
                                     size_t n, double window_s, struct hc_error *err)
{
    struct hc_compiled_lifetime compiled;
    *curve = (struct hc_lifetime_curve){.n = n, .window_s = window_s, .n_replicas = n_replicas};
    if (!n || !n_replicas || !(window_s >= 1e-9 && window_s < 4e9))
        return hc_fail(err, HC_BAD_INPUT,
                       "ETTR over time: %zu times of %llu replicas, over the last %g s", n,
                       (unsigned long long)n_replicas, window_s);
    if (hc_lifetime_config_check(config, err) || hc_compile_lifetime(&compiled, config, err))
        return err->status;
    struct drawing d = {.curve = curve,
                        .compiled = &compiled,
                        .window_ns = hc_life_ns(window_s),
                        .failed_at = UINT64_MAX};
    enum hc_status status = draw(&d, err);
    free(d.life_ns);
    free(d.first_ns);
    free(d.time_ns);
    free(d.cumulative);
    free(d.sliding);
    return status;
}

void hc_lifetime_curve_fini(struct hc_lifetime_curve *curve)
{
    free(curve->time_s);
    free(curve->n_alive);
    for (int l = 0; l < HC_CURVE_N_LINES; l++) {
        free(curve->cumulative[l]);
        free(curve->sliding[l]);
    }
    *curve = (struct hc_lifetime_curve){0};
}
