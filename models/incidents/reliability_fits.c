/* Distributions fitted per group, with the trend that would make them worthless. */
#include "core/base/memory.h"
#include "core/random/stable_math.h"
#include "models/incidents/incident_times.h"
#include "models/incidents/reliability_analysis.h"
#include "models/incidents/reliability_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void mark_failures(bool is_failure[HC_N_INCIDENT_CAUSES])
{
    for (int cause = 0; cause < HC_N_INCIDENT_CAUSES; cause++)
        is_failure[cause] = hc_is_failure(HC_RATE_INFRASTRUCTURE, cause);
}

/* What is gathered of one group, or of all. */
struct times {
    struct hc_survival between, repair;
    int64_t named;
};

static enum hc_status add_repairs(struct times *times, const struct hc_incident *incidents,
                                  size_t n, const struct hc_node_history *history,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_incident *incident = &incidents[i];
        bool is_timed = incident->time_ns != HC_MISSING_I64;
        bool is_outside = is_timed && (incident->time_ns < history->start_ns ||
                                       incident->time_ns > history->end_ns);
        if (!history->is_failure[incident->cause] || is_outside)
            continue;
        if (!is_timed || incident->recovered_ns == HC_MISSING_I64)
            times->repair.n_unknown += incident->count;
        else if (hc_survival_add(&times->repair,
                                 (double)(incident->recovered_ns - incident->time_ns) / 1e9, false,
                                 incident->count, err))
            return err->status;
    }
    return HC_OK;
}

/* The nodes of an exposure. e NULL: of every one. */
static enum hc_status gather(struct times *times, const struct hc_reliability_work *work,
                             const struct hc_exposure *wanted, struct hc_error *err)
{
    bool is_failure[HC_N_INCIDENT_CAUSES];
    mark_failures(is_failure);
    for (size_t i = 0, end; i < work->n; i = end) {
        const struct hc_incident *first = &work->incidents[i];
        end = hc_node_end(work, i);
        const struct hc_exposure *e = hc_exposure_find(work, first->source, first->group);
        if (!e || !e->is_known || (wanted && e != wanted))
            continue;
        const struct hc_node_history history = {first,     end - i,    e->start_ns,
                                                e->end_ns, is_failure, work->is_new};
        if (add_repairs(times, first, end - i, &history, err))
            return err->status;
        if (first->node < 0)
            continue;
        times->named++;
        if (hc_survival_add_node(&times->between, &history, err))
            return err->status;
    }
    return HC_OK;
}

/* Nodes without any incident were in use all the time. */
static enum hc_status add_silent(struct times *times, const struct hc_reliability_work *work,
                                 const struct hc_exposure *wanted, struct hc_error *err)
{
    for (size_t i = 0; i < work->n_exposures; i++) {
        const struct hc_exposure *e = &work->exposures[i];
        if (!e->is_known || (wanted && e != wanted))
            continue;
        int64_t silent = e->nodes - hc_nodes_named(work, e);
        double watched_s = (double)(e->end_ns - e->start_ns) / 1e9;
        if (silent > 0 && (work->is_new ? hc_survival_add : hc_survival_add_residual)(
                              &times->between, watched_s, true, silent, err))
            return err->status;
    }
    return HC_OK;
}

/* The curve of the times, with the best fit at its points. */
static enum hc_status make_curve(struct hc_survival_curve *curve, const struct hc_fits *fits,
                                 const struct hc_survival *survival, struct hc_error *err)
{
    if (hc_survival_curve(curve, survival, err))
        return err->status;
    for (size_t i = 0; i < curve->n; i++) {
        const struct hc_fit *fit = fits->best >= 0 ? &fits->fit[fits->best] : NULL;
        curve->fitted[i] =
            !fit ? NAN
            : curve->time_s[i] > 0
                ? hc_stable_exp(hc_fit_log_survival((enum hc_fit_family)fits->best, fit->scale,
                                                    fit->shape, curve->time_s[i]))
                : 1;
    }
    return HC_OK;
}

static enum hc_status fit_group(struct hc_group_fit *fit, const struct hc_reliability_work *work,
                                const struct hc_exposure *wanted, struct hc_error *err)
{
    struct times times = {.named = 0};
    enum hc_status status = gather(&times, work, wanted, err);
    if (!status)
        status = add_silent(&times, work, wanted, err);
    hc_survival_finish(&times.between);
    hc_survival_finish(&times.repair);
    if (!status)
        status = hc_fit_survival(&fit->between, &times.between, err);
    if (!status)
        status = hc_fit_survival(&fit->repair, &times.repair, err);
    if (!status)
        status = make_curve(&fit->between_curve, &fit->between, &times.between, err);
    if (!status)
        status = make_curve(&fit->repair_curve, &fit->repair, &times.repair, err);
    fit->n_failures = times.between.n_events;
    fit->n_censored = times.between.n_censored;
    fit->n_zeros = times.between.n_zeros + times.repair.n_zeros;
    fit->n_overlapping = times.between.n_overlapping;
    fit->n_repairs = times.repair.n_events;
    fit->n_no_end = times.repair.n_unknown;
    fit->has_trend_test = hc_laplace_trend(&times.between, &fit->trend, &fit->trend_p);
    if (wanted && times.named > wanted->nodes)
        fit->lacks = "more nodes are named than were watched";
    if (status) {
        hc_survival_curve_fini(&fit->between_curve);
        hc_survival_curve_fini(&fit->repair_curve);
    }
    hc_survival_fini(&times.between);
    hc_survival_fini(&times.repair);
    return status;
}

enum hc_status hc_reliability_fit(struct hc_group_fits *fits, const struct hc_incident_set *set,
                                  const struct hc_reliability_options *options,
                                  struct hc_error *err)
{
    struct hc_reliability_work work = {.set = set, .is_new = options->age != 0};
    struct hc_reliability counts = {.n_rows = 0};
    *fits = (struct hc_group_fits){.n = 0};
    enum hc_status status = hc_reliability_work_open(&work, options, &counts, err);
    if (!status) {
        fits->rows = hc_new_array(work.n_exposures + 1, sizeof *fits->rows, err);
        status = fits->rows ? HC_OK : err->status;
    }
    if (!status && counts.n_groups_known > 1) {
        struct hc_group_fit *all = &fits->rows[fits->n++];
        *all = (struct hc_group_fit){.source = -1, .group = -1, .nodes = counts.nodes};
        status = fit_group(all, &work, NULL, err);
    }
    for (size_t i = 0; i < work.n_exposures && !status; i++) {
        const struct hc_exposure *e = &work.exposures[i];
        if (!e->is_known)
            continue;
        struct hc_group_fit *fit = &fits->rows[fits->n++];
        *fit = (struct hc_group_fit){.source = e->source, .group = e->group, .nodes = e->nodes};
        status = fit_group(fit, &work, e, err);
    }
    hc_reliability_work_close(&work);
    if (status)
        hc_group_fits_fini(fits);
    return status;
}

void hc_group_fits_fini(struct hc_group_fits *fits)
{
    for (size_t i = 0; fits->rows && i < fits->n; i++) {
        hc_survival_curve_fini(&fits->rows[i].between_curve);
        hc_survival_curve_fini(&fits->rows[i].repair_curve);
    }
    free(fits->rows);
    *fits = (struct hc_group_fits){.n = 0};
}
