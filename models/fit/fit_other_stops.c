/* fit_other_stops.c - what else stops runs, by the day of a run: failures of the user, limits of
 * time, pre-emption.
 *
 * They are faults of the scenario as well, since a life without them would be too good. A stop of
 * this kind gives its nodes back, which the engine knows of a requeue only, whose wait is the same
 * for all; so the time until the run goes on is its remedy here, and the nodes count as held.
 */
#include "models/fit/fit_making.h"

#include "models/stats/poisson_interval.h"
#include "models/stats/rounding.h"

#include <math.h>
#include <stdio.h>

#define LEAST_OWN 5 /* stops of the run that was asked for; of fewer those of all runs count */

static const struct {
    const char *name, *why;
} kinds[HC_N_STOP_KINDS] = {
    [HC_STOP_USER] = {"user_failures", "user"},
    [HC_STOP_UNKNOWN] = {"unknown_failures", "unknown"},
    [HC_STOP_LIMIT] = {"time_limits", "planned"},
    [HC_STOP_CANCELLED] = {"cancellations", "user"},
    [HC_STOP_PREEMPTION] = {"preemptions", "preemption"},
    [HC_STOP_END] = {"job_ends", "planned"},
};

/* Whose stops count: those of a run, or (-1) of all. */
struct scope {
    int32_t run;
    double days;
};

static struct scope scope_of(const struct hc_fit_records *records)
{
    struct scope scope = {-1, 0};
    int64_t n_own = 0;
    for (size_t i = 0; i < records->n_stops && records->run >= 0; i++)
        n_own += records->stops[i].run == records->run;
    if (n_own >= LEAST_OWN)
        scope.run = records->run;
    for (size_t i = 0; i < records->n_runs; i++)
        if (scope.run < 0 || scope.run == (int32_t)i)
            scope.days += records->runs[i].days;
    return scope;
}

static bool is_of(const struct hc_fit_stop *stop, enum hc_fit_stop_kind kind, int32_t run)
{
    return stop->kind == kind && (run < 0 || stop->run == run);
}

static enum hc_status add_word(struct hc_fit_making *making, const char *name, const char *key,
                               const char *word, struct hc_error *err)
{
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "", err, "/faults/%s/%s", name, key);
    if (!p)
        return err->status;
    p->form = HC_FIT_WORD;
    p->word = word;
    return HC_OK;
}

static enum hc_status add_rate(struct hc_fit_making *making, enum hc_fit_stop_kind kind, int64_t n,
                               struct scope scope, struct hc_error *err)
{
    struct hc_fit_parameter *p =
        hc_fit_parameter_add(making->parameters, "jobs, events, cycles of logs", err,
                             "/faults/%s/per_job_day", kinds[kind].name);
    double low, high;
    if (!p)
        return err->status;
    hc_poisson_interval(n, HC_FIT_LEVEL, &low, &high);
    p->form = HC_FIT_NUMBER;
    p->unit = "1/d";
    p->n = n;
    p->first = (struct hc_estimate){hc_round_digits((double)n / scope.days, HC_FIT_DIGITS),
                                    hc_round_digits(low / scope.days, HC_FIT_DIGITS),
                                    hc_round_digits(high / scope.days, HC_FIT_DIGITS)};
    hc_fit_note(p, "%lld in %.1f days of %s", (long long)n, scope.days,
                scope.run < 0 ? "all runs" : "this run");
    return HC_OK;
}

static enum hc_status add_wait(struct hc_fit_making *making, enum hc_fit_stop_kind kind,
                               struct scope scope, struct hc_error *err)
{
    struct hc_survival times = {.n = 0};
    struct hc_fit_parameter *p;
    char path[HC_FIT_PATH];
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < making->records->n_stops && !status; i++) {
        const struct hc_fit_stop *stop = &making->records->stops[i];
        if (is_of(stop, kind, scope.run) && !isnan(stop->gap_s))
            status = hc_survival_add(&times, stop->gap_s, stop->is_cut, 1, err);
    }
    if (status) {
        hc_survival_fini(&times);
        return status;
    }
    snprintf(path, sizeof path, "/faults/%s/remedy_s", kinds[kind].name);
    if (hc_fit_making_times(making, &times, path, "jobs, cycles of logs", &p, err))
        return err->status;
    hc_fit_note(p, p->form == HC_FIT_ABSENT
                       ? "no run was seen to go on after it"
                       : "to the start of the next job of the run; its nodes count as held");
    return HC_OK;
}

enum hc_status hc_fit_make_stops(struct hc_fit_making *making, struct hc_error *err)
{
    const struct hc_fit_records *records = making->records;
    struct scope scope = scope_of(records);
    for (int kind = 0; kind < HC_N_STOP_KINDS && scope.days > 0; kind++) {
        const char *name = kinds[kind].name;
        int64_t n = 0;
        for (size_t i = 0; i < records->n_stops; i++)
            n += is_of(&records->stops[i], (enum hc_fit_stop_kind)kind, scope.run);
        if (n == 0)
            continue;
        if (add_word(making, name, "class", "explicit", err) ||
            add_word(making, name, "why", kinds[kind].why, err) ||
            add_rate(making, (enum hc_fit_stop_kind)kind, n, scope, err) ||
            add_word(making, name, "remedy", "reattempt", err) ||
            add_wait(making, (enum hc_fit_stop_kind)kind, scope, err))
            return err->status;
    }
    return HC_OK;
}
