/* Figures of a replica, and means over many. */
#include "sim/lifetime/lifetime.h"

#include "models/stats/student.h"

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
                                                       "infant_faults",
                                                       "standbys_failed"};

const char *hc_lifetime_count_name(enum hc_lifetime_count count)
{
    return count_name[count];
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
