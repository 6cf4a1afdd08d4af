#include "models/account/rates/failure_rates.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/incidents/incident_scope.h"
#include "core/tables/jobs/job_state.h"
#include "models/evidence/recorded.h"
#include "models/stats/poisson_interval.h"

#include <math.h>
#include <stdlib.h>

#define DAY_NS 86400e9

const char *hc_rate_class_name(enum hc_rate_class class)
{
    static const char *const names[HC_N_RATE_CLASSES] = {"certain", "likely", "infrastructure",
                                                         "with_unknown"};
    return names[class];
}

const char *hc_rate_basis_name(enum hc_rate_basis basis)
{
    static const char *const names[HC_N_RATE_BASES] = {"running", "allocated", "installed"};
    return names[basis];
}

/* ---- node-time and counts by day ---- */

void hc_rates_take(struct hc_failure_rates *rates, enum hc_rate_basis basis, int64_t from_ns,
                   int64_t to_ns, int32_t nodes)
{
    for (size_t d = 0; d < rates->n_days; d++) {
        int64_t from = from_ns > rates->edges_ns[d] ? from_ns : rates->edges_ns[d];
        int64_t to = to_ns < rates->edges_ns[d + 1] ? to_ns : rates->edges_ns[d + 1];
        if (rates->edges_ns[d] >= to_ns)
            return;
        if (from < to)
            rates->days[d].node_ns[basis] += (hc_gpu_ns)(to - from) * nodes;
    }
}

static bool is_in_class(const struct hc_failure *f, enum hc_rate_class class)
{
    bool is_infrastructure = f->side == HC_SIDE_INFRASTRUCTURE;
    bool is_certain = is_infrastructure && f->evidence == HC_EVIDENCE_CERTAIN;
    switch (class) {
    case HC_RATED_CERTAIN:
        return is_certain;
    case HC_RATED_LIKELY:
        return is_infrastructure && !is_certain;
    case HC_RATED_BOTH:
        return is_infrastructure;
    default:
        return is_infrastructure || f->side == HC_SIDE_UNKNOWN;
    }
}

/* The day of a time, or n_days. */
static size_t day_of(const struct hc_failure_rates *rates, int64_t ns)
{
    for (size_t d = 0; d < rates->n_days && ns >= rates->edges_ns[0]; d++)
        if (ns < rates->edges_ns[d + 1])
            return d;
    return rates->n_days;
}

static bool is_counted(const struct hc_failure_rates *rates, const struct hc_failure *f)
{
    return f->gpus > 0 && day_of(rates, f->end_ns) < rates->n_days;
}

static void count_failures(struct hc_failure_rates *rates)
{
    double expected = 0;
    for (size_t i = 0; i < rates->failures->n; i++) {
        const struct hc_failure *f = &rates->failures->failures[i];
        if (!is_counted(rates, f))
            continue;
        struct hc_rates_day *day = &rates->days[day_of(rates, f->end_ns)];
        for (int c = 0; c < HC_N_RATE_CLASSES; c++)
            for (int b = 0; b < HC_N_RATE_BASES; b++)
                day->n[c][b] += is_in_class(f, (enum hc_rate_class)c) &&
                                (b != HC_RATED_RUNNING || rates->ended_launch[i]);
        rates->n_user += f->side == HC_SIDE_USER;
        rates->n_coincident += f->side == HC_SIDE_UNKNOWN && f->evidence == HC_EVIDENCE_COINCIDENT;
        if (f->n_shifts > 0 && !f->correction && f->state != HC_JOB_NODE_FAIL) {
            rates->n_chance_known++;
            expected += (double)f->n_chance / f->n_shifts;
        }
    }
    rates->chance = rates->n_chance_known ? expected : NAN;
}

/* ---- rates ---- */

/* Pearson's chi-square of counts over their degrees of freedom; bursts make it more than 1. Days
 * are joined with those that follow until 1 failure is expected in them: chi-square is of no use
 * where less is. */
static double dispersion_of(const struct hc_failure_rates *rates, const struct hc_rate_row *row,
                            hc_gpu_ns all_ns)
{
    double chi2 = 0, expected = 0, seen = 0;
    int64_t freedom = -1;
    for (size_t d = 0; d < rates->n_days; d++) {
        expected += (double)row->n * (double)rates->days[d].node_ns[row->basis] / (double)all_ns;
        seen += (double)rates->days[d].n[row->class][row->basis];
        if (expected < 1 - 1e-9)
            continue;
        chi2 += (seen - expected) * (seen - expected) / expected;
        freedom++;
        expected = seen = 0;
    }
    return freedom < 1 ? 1 : fmax(1, chi2 / (double)freedom);
}

static void make_row(struct hc_failure_rates *rates, enum hc_rate_class class,
                     enum hc_rate_basis basis)
{
    struct hc_rate_row *row = &rates->rows[class][basis];
    double low, high, wide_low, wide_high;
    hc_gpu_ns all_ns = 0;
    *row = (struct hc_rate_row){.class = class, .basis = basis};
    for (size_t d = 0; d < rates->n_days; d++) {
        row->n += rates->days[d].n[class][basis];
        all_ns += rates->days[d].node_ns[basis];
    }
    row->node_days = (double)all_ns / DAY_NS;
    row->per_1000 = row->low = row->high = row->wide_low = row->wide_high = NAN;
    row->mttf_h = row->mttf_low = row->mttf_high = row->dispersion = NAN;
    if (all_ns == 0)
        return;
    row->dispersion = row->n ? dispersion_of(rates, row, all_ns) : 1;
    hc_poisson_interval(row->n, HC_RATES_LEVEL, &low, &high);
    hc_dispersed_interval(row->n, row->dispersion, HC_RATES_LEVEL, &wide_low, &wide_high);
    row->per_1000 = 1000 * (double)row->n / row->node_days;
    row->low = 1000 * low / row->node_days;
    row->high = 1000 * high / row->node_days;
    row->wide_low = 1000 * wide_low / row->node_days;
    row->wide_high = 1000 * wide_high / row->node_days;
    row->mttf_low = 24 * row->node_days / wide_high;
    if (row->n) {
        row->mttf_h = 24 * row->node_days / (double)row->n;
        row->mttf_high = 24 * row->node_days / wide_low;
    }
}

/* ---- incidents ---- */

/* What people say of it; else what its record says; else a node where one failed or was lost, and a
 * device where one of its devices told. */
static int32_t scope_of(const struct hc_failure_rates *rates, const struct hc_failure *f)
{
    const struct hc_recorded *recorded = rates->failures->recorded;
    if (f->correction && f->correction->scope != HC_MISSING_I32)
        return f->correction->scope;
    if (f->event && f->event->incident && recorded &&
        recorded->list[f->event->incident - 1].scope != HC_MISSING_I32)
        return recorded->list[f->event->incident - 1].scope;
    return f->event && f->event->code != HC_MISSING_I32 ? HC_SCOPE_DEVICE : HC_SCOPE_NODE;
}

/* What failures have in common: a recorded incident, or an event of a node. */
static bool is_same(const struct hc_failure *a, const struct hc_failure *b)
{
    if (!a->event || !b->event)
        return false;
    if (a->event->incident || b->event->incident)
        return a->event->incident == b->event->incident;
    return a->event == b->event;
}

static int compare_incidents(const void *a, const void *b)
{
    const struct hc_rated_incident *x = a, *y = b;
    if (x->gpu_ns != y->gpu_ns)
        return x->gpu_ns > y->gpu_ns ? -1 : 1;
    return (x->failure > y->failure) - (x->failure < y->failure);
}

static enum hc_status find_incidents(struct hc_failure_rates *rates, struct hc_error *err)
{
    rates->incidents = hc_new_array(rates->failures->n, sizeof *rates->incidents, err);
    if (!rates->incidents)
        return err->status;
    for (size_t i = 0; i < rates->failures->n; i++) {
        const struct hc_failure *f = &rates->failures->failures[i];
        size_t k = 0;
        if (!is_counted(rates, f) || !is_in_class(f, HC_RATED_BOTH))
            continue;
        while (f->event && k < rates->n_incidents &&
               !is_same(f, &rates->failures->failures[rates->incidents[k].failure]))
            k++;
        if (!f->event)
            k = rates->n_incidents;
        if (k == rates->n_incidents)
            rates->incidents[rates->n_incidents++] =
                (struct hc_rated_incident){.failure = (int32_t)i, .scope = scope_of(rates, f)};
        rates->incidents[k].n_stopped++;
        rates->incidents[k].gpu_ns += rates->costs[i];
    }
    if (rates->n_incidents)
        qsort(rates->incidents, rates->n_incidents, sizeof *rates->incidents, compare_incidents);
    return HC_OK;
}

enum hc_status hc_rates_make(struct hc_failure_rates *rates, struct hc_error *err)
{
    count_failures(rates);
    for (int c = 0; c < HC_N_RATE_CLASSES; c++)
        for (int b = 0; b < HC_N_RATE_BASES; b++)
            make_row(rates, (enum hc_rate_class)c, (enum hc_rate_basis)b);
    return find_incidents(rates, err);
}

void hc_rates_fini(struct hc_failure_rates *rates)
{
    free(rates->days);
    free(rates->incidents);
    *rates = (struct hc_failure_rates){.n_days = 0};
}
