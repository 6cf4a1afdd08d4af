#include "models/incidents/incident_times.h"

#include "core/base/memory.h"

#include <stdlib.h>

static void place(struct hc_survival *survival, const struct hc_node_history *history,
                  int64_t time_ns)
{
    double length = (double)(history->end_ns - history->start_ns);
    survival->n_placed++;
    survival->sum_distance += (double)(time_ns - history->start_ns) - length / 2;
    survival->sum_variance += length * length / 12;
}

static enum hc_status add_use(struct hc_survival *survival, int64_t used_ns, bool is_residual,
                              bool is_censored, struct hc_error *err)
{
    double used_s = (double)used_ns / 1e9;
    return is_residual ? hc_survival_add_residual(survival, used_s, is_censored, 1, err)
                       : hc_survival_add(survival, used_s, is_censored, 1, err);
}

enum hc_status hc_survival_add_node(struct hc_survival *survival,
                                    const struct hc_node_history *history, struct hc_error *err)
{
    int64_t down_until = history->start_ns, used = 0;
    bool is_residual = !history->is_new; /* until its first failure */
    for (size_t i = 0; i < history->n; i++) {
        const struct hc_incident *incident = &history->incidents[i];
        int64_t at = incident->time_ns;
        int64_t over = incident->recovered_ns > at ? incident->recovered_ns : at;
        bool is_failure = history->is_failure[incident->cause];
        if (at == HC_MISSING_I64) {
            survival->n_unknown += is_failure ? incident->count : 0;
            continue;
        }
        if (at >= history->end_ns)
            break;
        bool is_down = at < down_until;
        if (is_failure && at >= history->start_ns) {
            place(survival, history, at);
            survival->n_overlapping += is_down;
        }
        if (!is_down) {
            used += at - down_until;
            if (is_failure && add_use(survival, used, is_residual, false, err))
                return err->status;
            used = is_failure ? 0 : used;
            is_residual &= !is_failure;
        }
        down_until = over > down_until ? over : down_until;
    }
    if (history->end_ns > down_until)
        used += history->end_ns - down_until;
    return used > 0 ? add_use(survival, used, is_residual, true, err) : HC_OK;
}

static int64_t duration(const struct hc_incident *incident, enum hc_incident_time what)
{
    int64_t from = what == HC_TIME_LOCALISATION ? incident->detected_ns : incident->time_ns;
    int64_t to = what == HC_TIME_REPAIR      ? incident->recovered_ns
                 : what == HC_TIME_DETECTION ? incident->detected_ns
                                             : incident->located_ns;
    return from == HC_MISSING_I64 || to == HC_MISSING_I64 || to < from ? -1 : to - from;
}

static enum hc_status add_durations(struct hc_survival *survival,
                                    const struct hc_incident_choice *choice,
                                    enum hc_incident_time what, const struct hc_watch *watch,
                                    struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    for (size_t i = 0; i < set->n; i++) {
        const struct hc_incident *incident = &set->incidents[i];
        int64_t ns = duration(incident, what);
        bool is_outside =
            watch && (incident->time_ns < watch->from_ns || incident->time_ns >= watch->to_ns);
        if (!hc_is_chosen(choice, incident) || is_outside)
            continue;
        if (ns < 0)
            survival->n_unknown += incident->count;
        else if (hc_survival_add(survival, (double)ns / 1e9, false, incident->count, err))
            return err->status;
    }
    return HC_OK;
}

static int by_node(const void *a, const void *b)
{
    const struct hc_incident *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->recovered_ns != y->recovered_ns)
        return x->recovered_ns < y->recovered_ns ? -1 : 1;
    return (x->cause > y->cause) - (x->cause < y->cause);
}

/* Nodes that are never named had no incident. */
static enum hc_status add_silent(struct hc_survival *survival, const struct hc_watch *watch,
                                 const struct hc_watched_group *group, int64_t named, bool is_new,
                                 struct hc_error *err)
{
    if (named > group->nodes)
        return hc_fail(err, HC_BAD_INPUT, "%lld nodes are named, but %lld were watched",
                       (long long)named, (long long)group->nodes);
    int64_t silent = group->nodes - named;
    double watched_s = (double)(watch->to_ns - watch->from_ns) / 1e9;
    if (!silent)
        return HC_OK;
    return is_new ? hc_survival_add(survival, watched_s, true, silent, err)
                  : hc_survival_add_residual(survival, watched_s, true, silent, err);
}

static enum hc_status add_between(struct hc_survival *survival,
                                  const struct hc_incident_choice *choice,
                                  const struct hc_watch *watch, struct hc_error *err)
{
    const struct hc_incident_set *set = choice->set;
    struct hc_incident *sorted = hc_new_array(set->n, sizeof *sorted, err);
    size_t n = 0;
    if (!sorted)
        return err->status;
    for (size_t i = 0; i < set->n; i++)
        if (hc_watch_group(watch, set->incidents[i].group) &&
            (!choice->is_of_replica || set->incidents[i].replica == choice->replica))
            sorted[n++] = set->incidents[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, by_node);
    enum hc_status status = HC_OK;
    for (size_t g = 0, i = 0; g < watch->n_groups && !status; g++) {
        const struct hc_watched_group *group = &watch->groups[g];
        int64_t named = 0;
        for (i = 0; i < n && sorted[i].group != group->group;)
            i++;
        for (size_t end; i < n && sorted[i].group == group->group && !status; i = end) {
            for (end = i + 1; end < n && sorted[end].group == sorted[i].group &&
                              sorted[end].node == sorted[i].node;)
                end++;
            const struct hc_node_history history = {&sorted[i],   end - i,          watch->from_ns,
                                                    watch->to_ns, choice->is_cause, choice->is_new};
            if (sorted[i].node < 0) {
                for (size_t j = i; j < end; j++)
                    survival->n_unknown += choice->is_cause[sorted[j].cause];
                continue;
            }
            named++;
            status = hc_survival_add_node(survival, &history, err);
        }
        if (!status)
            status = add_silent(survival, watch, group, named, choice->is_new, err);
    }
    free(sorted);
    return status;
}

enum hc_status hc_survival_of_choice(struct hc_survival *survival,
                                     const struct hc_incident_choice *choice,
                                     enum hc_incident_time what, struct hc_error *err)
{
    struct hc_watch watch = {.groups = NULL};
    bool is_watched = what == HC_TIME_BETWEEN || choice->from_d > 0 || choice->to_d > 0;
    *survival = (struct hc_survival){.n = 0};
    if (what == HC_TIME_BETWEEN && !choice->is_of_replica &&
        hc_incident_set_has_replicas(choice->set))
        return hc_fail(err, HC_BAD_INPUT,
                       "the list is of several replicas of a simulation: choose one with "
                       "'replica'");
    if (is_watched && hc_watch_open(&watch, choice, err))
        return err->status;
    enum hc_status status =
        what == HC_TIME_BETWEEN
            ? add_between(survival, choice, &watch, err)
            : add_durations(survival, choice, what, is_watched ? &watch : NULL, err);
    hc_watch_close(&watch);
    if (status)
        hc_survival_fini(survival);
    else
        hc_survival_finish(survival);
    return status;
}
