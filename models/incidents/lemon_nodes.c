/* Nodes whose rate is above that of their group, by what the rates of nodes and windows are like.
 */
#include "models/incidents/reliability_analysis.h"

#include "core/base/memory.h"
#include "core/random/stable_math.h"
#include "models/incidents/reliability_counts.h"
#include "models/stats/root.h"
#include "models/stats/rounding.h"
#include "models/stats/special.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define LEAST_SHAPE 1e-3
#define MOST_SHAPE  1e4 /* rates that differ by less than 1 % */

/* ---- what a failure counts ---- */

/* A failure of one cause at one time on several nodes of a group is one failure that they share,
 * unless it is of the hardware of the node, which has it to itself. */
struct shared {
    const struct hc_incident *incident;
    size_t place;
};

static int compare_shared(const void *a, const void *b)
{
    const struct hc_incident *x = ((const struct shared *)a)->incident,
                             *y = ((const struct shared *)b)->incident;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->cause != y->cause)
        return x->cause < y->cause ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool is_one(const struct hc_incident *x, const struct hc_incident *y)
{
    return x->source == y->source && x->group == y->group && x->time_ns == y->time_ns &&
           x->cause == y->cause;
}

/* The part of each incident of the work that its node has to answer for. */
static enum hc_status weigh(const struct hc_reliability_work *work, double *weight,
                            struct hc_error *err)
{
    struct shared *all = hc_new_array(work->n, sizeof *all, err);
    if (!all)
        return err->status;
    for (size_t i = 0; i < work->n; i++)
        all[i] = (struct shared){&work->incidents[i], i};
    if (work->n)
        qsort(all, work->n, sizeof *all, compare_shared);
    for (size_t i = 0, end; i < work->n; i = end) {
        const struct hc_incident *first = all[i].incident;
        int nodes = 1;
        for (end = i + 1; end < work->n && is_one(all[end].incident, first); end++)
            nodes += all[end].incident->node != all[end - 1].incident->node;
        enum hc_fault_domain domain =
            hc_incident_cause_info((enum hc_incident_cause)first->cause)->domain;
        for (size_t j = i; j < end; j++)
            weight[all[j].place] =
                domain == HC_DOMAIN_HARDWARE || first->node < 0 ? 1 : 1.0 / nodes;
    }
    free(all);
    return HC_OK;
}

/* ---- nodes in windows ---- */

/* Window w of an exposure, counted back from its end. */
static void window(const struct hc_exposure *e, int64_t w, int64_t length_ns, struct hc_lemon *cell)
{
    cell->to_ns = e->end_ns - w * length_ns;
    cell->from_ns = cell->to_ns - length_ns > e->start_ns ? cell->to_ns - length_ns : e->start_ns;
    cell->days = (double)(cell->to_ns - cell->from_ns) / HC_NS_PER_DAY;
}

static void finish_cell(struct hc_lemon *cell, int32_t counts[HC_N_INCIDENT_CAUSES])
{
    for (int cause = 0; cause < HC_N_INCIDENT_CAUSES; cause++) {
        cell->n_causes += counts[cause] > 0;
        if (counts[cause] > 0 && (cell->cause < 0 || counts[cause] > counts[cell->cause]))
            cell->cause = cause;
    }
    memset(counts, 0, HC_N_INCIDENT_CAUSES * sizeof *counts);
}

struct filling {
    struct hc_lemons *lemons;
    size_t capacity;
    int64_t length_ns;
    const double *weight;
    int32_t counts[HC_N_INCIDENT_CAUSES];
};

/* Incidents first to end are of one node. Cells without a failure are given up again. */
static enum hc_status fill_node(struct filling *filling, const struct hc_reliability_work *work,
                                size_t first, size_t end, struct hc_error *err)
{
    struct hc_lemons *lemons = filling->lemons;
    struct hc_lemon *cell = NULL;
    int64_t open = -1;
    for (size_t i = first; i < end; i++) {
        const struct hc_incident *incident = &work->incidents[i];
        const struct hc_exposure *e = hc_exposure_find(work, incident->source, incident->group);
        if (!work->is_exposed[i] || incident->time_ns == HC_MISSING_I64 ||
            incident->time_ns >= e->end_ns)
            continue;
        int64_t w = (e->end_ns - 1 - incident->time_ns) / filling->length_ns;
        if (!cell || w != open || cell->group != incident->group) {
            if (cell && cell->n_failures)
                finish_cell(cell, filling->counts);
            lemons->n -= cell && !cell->n_failures;
            if (hc_reserve(&lemons->rows, &filling->capacity, lemons->n + 1, sizeof *lemons->rows,
                           err))
                return err->status;
            cell = &lemons->rows[lemons->n++];
            *cell = (struct hc_lemon){.source = incident->source,
                                      .group = incident->group,
                                      .node = incident->node,
                                      .cause = -1};
            window(e, w, filling->length_ns, cell);
            open = w;
        }
        cell->n_incidents++;
        if (!hc_is_failure(HC_RATE_INFRASTRUCTURE, incident->cause))
            continue;
        cell->n_failures++;
        cell->failures += filling->weight[i];
        cell->n_shared += filling->weight[i] < 1;
        filling->counts[incident->cause]++;
    }
    if (cell && cell->n_failures)
        finish_cell(cell, filling->counts);
    lemons->n -= cell && !cell->n_failures;
    return HC_OK;
}

static enum hc_status fill(struct hc_lemons *lemons, const struct hc_reliability_work *work,
                           struct hc_error *err)
{
    double *weight = hc_new_array(work->n, sizeof *weight, err);
    struct filling filling = {.lemons = lemons,
                              .length_ns = (int64_t)(lemons->options.window_days * HC_NS_PER_DAY),
                              .weight = weight};
    enum hc_status status = weight ? weigh(work, weight, err) : err->status;
    for (size_t i = 0, end; i < work->n && !status; i = end) {
        end = hc_node_end(work, i);
        if (work->incidents[i].node >= 0)
            status = fill_node(&filling, work, i, end, err);
    }
    free(weight);
    return status;
}

/* ---- what rates are like ---- */

/* The cells of one group: those with failures, and how many without. */
struct fleet {
    const struct hc_lemons *lemons;
    const struct hc_lemon_group *group;
    double rate;               /* failures a day */
    double days[2], silent[2]; /* of whole windows, and of the one that is cut */
};

static double slope_of(double a, double digamma_of_a, double mean, double n)
{
    double change = n > 0 ? hc_sf_digamma(a + n) - digamma_of_a : 0;
    return change + hc_stable_log(a / (a + mean)) + 1 - (a + n) / (a + mean);
}

/* Derivative of the likelihood by the shape a of a gamma distribution of rates whose mean is that
 * of the group; the counts are then negative binomial. */
static double prior_slope(double a, void *context)
{
    const struct fleet *fleet = context;
    double slope = 0, digamma = hc_sf_digamma(a);
    for (int i = 0; i < 2; i++)
        if (fleet->silent[i] > 0)
            slope += fleet->silent[i] * slope_of(a, digamma, fleet->rate * fleet->days[i], 0);
    for (size_t i = 0; i < fleet->lemons->n; i++) {
        const struct hc_lemon *cell = &fleet->lemons->rows[i];
        if (cell->source == fleet->group->source && cell->group == fleet->group->group)
            slope += slope_of(a, digamma, fleet->rate * cell->days, cell->failures);
    }
    return slope;
}

static void weigh_cells(struct hc_lemons *lemons, const struct hc_lemon_group *group, double rate)
{
    double factor = lemons->options.factor, a = group->shape, b = a / rate;
    for (size_t i = 0; i < lemons->n; i++) {
        struct hc_lemon *cell = &lemons->rows[i];
        if (cell->source != group->source || cell->group != group->group)
            continue;
        bool differ = isfinite(a);
        cell->per_1000 = 1000 * (differ ? (a + cell->failures) / (b + cell->days) : rate);
        /* Rounded, so that nodes that are equal but for noise are named in the order of nodes. */
        cell->probability =
            differ ? hc_round_digits(
                         hc_sf_gamma_upper(a + cell->failures, (b + cell->days) * factor * rate),
                         HC_STATS_DIGITS)
                   : 0;
    }
}

static void judge_group(struct hc_lemons *lemons, const struct hc_exposure *e,
                        struct hc_lemon_group *group)
{
    double length = (double)(e->end_ns - e->start_ns) / HC_NS_PER_DAY, failures = 0;
    double whole = floor(length / lemons->options.window_days + 1e-9);
    struct fleet fleet = {.lemons = lemons, .group = group};
    fleet.days[0] = lemons->options.window_days;
    fleet.days[1] = length - whole * fleet.days[0];
    bool is_cut = fleet.days[1] > 1e-9;
    fleet.silent[0] = whole * (double)e->nodes;
    fleet.silent[1] = is_cut ? (double)e->nodes : 0;
    for (size_t i = 0; i < lemons->n; i++) {
        const struct hc_lemon *cell = &lemons->rows[i];
        if (cell->source != e->source || cell->group != e->group)
            continue;
        failures += cell->failures;
        fleet.silent[is_cut && cell->from_ns == e->start_ns]--;
    }
    *group = (struct hc_lemon_group){.source = e->source, .group = e->group};
    group->n_windows = (int64_t)(((double)whole + is_cut) * (double)e->nodes);
    lemons->n_windows += group->n_windows;
    fleet.rate = failures / ((double)e->nodes * length);
    group->per_1000 = 1000 * fleet.rate;
    if (!(failures > 0) ||
        !hc_find_root(prior_slope, &fleet, LEAST_SHAPE, MOST_SHAPE, &group->shape))
        group->shape = INFINITY;
    group->shape = hc_round_digits(group->shape, HC_FIT_DIGITS);
    if (failures > 0)
        weigh_cells(lemons, group, fleet.rate);
}

/* ---- who is named ---- */

static int compare_lemons(const void *a, const void *b)
{
    const struct hc_lemon *x = a, *y = b;
    if (x->probability != y->probability)
        return x->probability > y->probability ? -1 : 1;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    return (x->from_ns > y->from_ns) - (x->from_ns < y->from_ns);
}

/* As many of the most probable as keep the expected share of wrong ones below the limit. */
static void name_lemons(struct hc_lemons *lemons)
{
    double wrong = 0;
    if (lemons->n)
        qsort(lemons->rows, lemons->n, sizeof *lemons->rows, compare_lemons);
    for (size_t i = 0; i < lemons->n; i++) {
        wrong += 1 - lemons->rows[i].probability;
        if (wrong > lemons->options.fdr * (double)(i + 1))
            break;
        lemons->rows[i].is_named = true;
        lemons->n_named++;
        lemons->expected_false = wrong;
    }
}

enum hc_status hc_find_lemons(struct hc_lemons *lemons, const struct hc_incident_set *set,
                              const struct hc_reliability_options *options,
                              const struct hc_lemon_options *how, struct hc_error *err)
{
    struct hc_reliability_work work = {.set = set};
    struct hc_reliability counts = {.n_rows = 0};
    *lemons = (struct hc_lemons){.options = *how};
    enum hc_status status = hc_reliability_work_open(&work, options, &counts, err);
    if (!status)
        status = fill(lemons, &work, err);
    if (!status) {
        lemons->groups = hc_new_array(work.n_exposures, sizeof *lemons->groups, err);
        status = lemons->groups ? HC_OK : err->status;
    }
    for (size_t i = 0; i < work.n_exposures && !status; i++)
        if (work.exposures[i].is_known)
            judge_group(lemons, &work.exposures[i], &lemons->groups[lemons->n_groups++]);
    if (!status)
        name_lemons(lemons);
    hc_reliability_work_close(&work);
    if (status)
        hc_lemons_fini(lemons);
    return status;
}

void hc_lemons_fini(struct hc_lemons *lemons)
{
    free(lemons->rows);
    free(lemons->groups);
    *lemons = (struct hc_lemons){.n = 0};
}
