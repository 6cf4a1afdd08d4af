/* Replicas in parallel, and their means. */
#include "sim/lifetime/lifetime.h"

#include "core/base/memory.h"
#include "models/stats/student.h"
#include "sim/lifetime/lifetime_state.h"
#include "sim/lifetime/pool/shared_pool.h"

#include <omp.h>
#include <stdlib.h>

static const char *const count_name[HC_COUNT_COUNT] = {"faults",
                                                       "stops",
                                                       "failed_starts",
                                                       "recurrences",
                                                       "merged",
                                                       "absorbed",
                                                       "evicted",
                                                       "innocent",
                                                       "standbys_used",
                                                       "reschedules",
                                                       "requeues",
                                                       "preempted",
                                                       "waits",
                                                       "repairs",
                                                       "manual_repairs",
                                                       "retired",
                                                       "quarantined",
                                                       "corrupt_loads",
                                                       "late_finds",
                                                       "events",
                                                       "leaves",
                                                       "rejoins",
                                                       "quarantined_healthy",
                                                       "infant_faults"};

const char *hc_lifetime_count_name(enum hc_lifetime_count count)
{
    return count_name[count];
}

/* ---- replicas ---- */

/* One thread's share; the first error of the lowest replica is kept. */
struct crew {
    const struct hc_compiled_lifetime *plan;
    uint64_t first;
    size_t n, failed_at;
    struct hc_lifetime_replica *result;
    struct hc_error err;
};

static void fail_crew(struct crew *crew, size_t at, const struct hc_error *err)
{
#pragma omp critical(hc_lifetime_crew)
    if (at < crew->failed_at) {
        crew->failed_at = at;
        crew->err = *err;
    }
}

static void work(struct crew *crew)
{
    struct hc_error err;
    struct hc_life *s = hc_new_array(1, sizeof *s, &err);
    bool ready = s && !hc_life_init(s, crew->plan, &err);
    if (!ready)
        fail_crew(crew, 0, &err);
#pragma omp for schedule(dynamic, 1)
    for (size_t i = 0; i < crew->n; i++)
        if (ready && hc_life_replica(s, crew->first + i, &crew->result[i]))
            fail_crew(crew, i, &err);
    if (s)
        hc_life_fini(s);
    free(s);
}

enum hc_status hc_lifetime_run(const struct hc_lifetime_config *config, uint64_t first, size_t n,
                               struct hc_lifetime_replica *result, struct hc_error *err)
{
    struct hc_compiled_lifetime plan;
    if (config->n_others)
        return hc_lifetime_others_run(config, first, n, result, err);
    if (hc_life_check_members(config, err) || hc_compiled_lifetime(&plan, config, err))
        return err->status;
    struct crew crew = {.plan = &plan, .first = first, .n = n, .failed_at = n, .result = result};
    int threads = config->threads ? config->threads : omp_get_max_threads();
    if ((size_t)threads > n)
        threads = n ? (int)n : 1;
#pragma omp parallel num_threads(threads)
    work(&crew);
    if (crew.failed_at < n) {
        *err = crew.err;
        return err->status;
    }
    return HC_OK;
}

/* ---- moments ---- */

void hc_moments_add(struct hc_moments *m, double value)
{
    double off = value - m->mean;
    m->n += 1;
    m->mean += off / m->n;
    m->squares += off * (value - m->mean);
}

double hc_moments_sd(const struct hc_moments *m)
{
    return m->n > 1 ? __builtin_sqrt(m->squares / (m->n - 1)) : 0;
}

double hc_moments_half_width(const struct hc_moments *m, double confidence)
{
    if (m->n < 2)
        return __builtin_inf();
    return hc_student_t(m->n - 1, confidence) * hc_moments_sd(m) / __builtin_sqrt(m->n);
}

/* ---- figures ---- */

double hc_lifetime_figure(const struct hc_lifetime_replica *r, enum hc_lifetime_figure figure)
{
    double productive = (double)r->productive_ns;
    switch (figure) {
    case HC_FIGURE_ETTR_META:
        return r->wall_ns ? productive / (double)r->wall_ns : 0;
    case HC_FIGURE_ETTR_BYTEROBUST: {
        int64_t since = r->wall_ns - r->first_queue_ns;
        return since ? productive / (double)since : 0;
    }
    case HC_FIGURE_GOODPUT: {
        int64_t held = r->wall_ns - r->queue_ns;
        return held ? productive / (double)held : 0;
    }
    case HC_FIGURE_WALL_S:
        return (double)r->wall_ns * 1e-9;
    case HC_FIGURE_WORK_DONE_S:
        return (double)r->work_done_ns * 1e-9;
    case HC_FIGURE_TOTAL_GPU_H:
        return hc_gpu_hours(hc_account_total(&r->account));
    case HC_FIGURE_LOST_GPU_H:
        return hc_gpu_hours(hc_account_what(&r->account, HC_WHAT_LOST_WORK));
    case HC_FIGURE_STANDBY_IDLE_GPU_H:
        return hc_gpu_hours(hc_account_what(&r->account, HC_WHAT_STANDBY_IDLE));
    case HC_FIGURE_POOL_IDLE_GPU_H:
        return hc_gpu_hours(hc_account_what(&r->account, HC_WHAT_POOL_IDLE));
    case HC_FIGURE_FAULTS:
        return (double)r->count[HC_COUNT_FAULTS];
    default:
        return (double)r->count[HC_COUNT_STOPS];
    }
}

void hc_lifetime_summary_add(struct hc_lifetime_summary *summary,
                             const struct hc_lifetime_replica *r)
{
    summary->n++;
    summary->n_finished += r->finished;
    summary->n_starved += r->starved;
    for (int i = 0; i < HC_FIGURE_COUNT; i++)
        hc_moments_add(&summary->figure[i], hc_lifetime_figure(r, (enum hc_lifetime_figure)i));
    for (int i = 0; i < HC_COUNT_COUNT; i++)
        hc_moments_add(&summary->count[i], (double)r->count[i]);
    for (int i = 0; i < HC_LIFETIME_MAX_FAULTS; i++)
        hc_moments_add(&summary->faults[i], (double)r->faults[i]);
    for (int i = 0; i <= HC_LIFETIME_MAX_FAULTS; i++)
        hc_moments_add(&summary->unproductive_s[i], (double)r->unproductive_ns[i] * 1e-9);
    hc_account_add(&summary->account, &r->account);
    summary->productive_ns += r->productive_ns;
    summary->wall_ns += r->wall_ns;
    if (r->longest_stop_ns > summary->longest_stop_ns)
        summary->longest_stop_ns = r->longest_stop_ns;
    for (int i = 0; i < HC_STOP_LENGTHS; i++)
        summary->stops_of[i] += r->stops_of[i];
}

enum hc_status hc_lifetime_simulate(const struct hc_lifetime_config *config,
                                    struct hc_lifetime_summary *summary, struct hc_error *err)
{
    enum { BLOCK = 256 };
    *summary = (struct hc_lifetime_summary){0};
    struct hc_lifetime_replica *block = hc_new_array(BLOCK, sizeof *block, err);
    if (!block)
        return err->status;
    enum hc_status status = HC_OK;
    uint64_t all = config->replicas > 0 ? (uint64_t)config->replicas : 1;
    for (uint64_t at = 0; at < all && !status; at += BLOCK) {
        size_t n = all - at < BLOCK ? (size_t)(all - at) : BLOCK;
        status = hc_lifetime_run(config, at, n, block, err);
        for (size_t i = 0; i < n && !status; i++)
            hc_lifetime_summary_add(summary, &block[i]);
    }
    free(block);
    return status;
}
