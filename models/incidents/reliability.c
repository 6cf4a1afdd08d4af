#include "models/incidents/reliability.h"

#include "core/base/memory.h"
#include "models/incidents/reliability_counts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define PERIOD_NS (30 * (int64_t)HC_NS_PER_DAY) /* a month where there is no calendar */

/* ---- what was watched ---- */

const struct hc_exposure *hc_exposure_find(const struct hc_reliability_work *work, int32_t source,
                                           int32_t group)
{
    for (size_t i = 0; i < work->n_exposures; i++)
        if (work->exposures[i].source == source && work->exposures[i].group == group)
            return &work->exposures[i];
    return NULL;
}

/* The observation with what the options add and cut. */
static struct hc_exposure expose(const struct hc_observation *observation,
                                 const struct hc_reliability_options *options)
{
    struct hc_exposure e = {.source = observation->source,
                            .group = observation->group,
                            .nodes = observation->nodes,
                            .start_ns = observation->start_ns,
                            .end_ns = observation->end_ns};
    if (e.nodes == HC_MISSING_I32)
        e.nodes = options->nodes;
    if (options->has_from && options->from_ns > e.start_ns) /* missing is the least */
        e.start_ns = options->from_ns;
    if (options->has_to && (e.end_ns == HC_MISSING_I64 || options->to_ns < e.end_ns))
        e.end_ns = options->to_ns;
    e.is_known = e.nodes > 0 && e.start_ns != HC_MISSING_I64 && e.end_ns != HC_MISSING_I64 &&
                 e.end_ns > e.start_ns;
    if (e.is_known)
        e.node_days = (double)e.nodes * ((double)(e.end_ns - e.start_ns) / HC_NS_PER_DAY);
    return e;
}

/* Days from the first start to the last end, over the sources. */
static double span_of(const struct hc_reliability_work *work)
{
    double days = 0;
    for (int32_t source = 0; source < work->set->n_sources; source++) {
        int64_t start_ns = INT64_MAX, end_ns = INT64_MIN;
        for (size_t i = 0; i < work->n_exposures; i++) {
            const struct hc_exposure *e = &work->exposures[i];
            if (e->source != source || !e->is_known)
                continue;
            start_ns = e->start_ns < start_ns ? e->start_ns : start_ns;
            end_ns = e->end_ns > end_ns ? e->end_ns : end_ns;
        }
        days += end_ns > start_ns ? (double)(end_ns - start_ns) / HC_NS_PER_DAY : 0;
    }
    return days;
}

static enum hc_status check_clocks(const struct hc_incident_set *set,
                                   const struct hc_reliability_options *options,
                                   struct hc_error *err)
{
    for (size_t i = 0; i < set->n_observations; i++) {
        bool is_relative = set->observations[i].clock == HC_CLOCK_RELATIVE;
        if ((options->has_from || options->has_to) && is_relative != options->is_relative)
            return hc_fail(err, HC_USAGE, "--from and --to %s",
                           is_relative ? "must be days, as 54d: the times of a source are not "
                                         "those of a calendar"
                                       : "must be dates: the times of a source are those of a "
                                         "calendar");
    }
    return HC_OK;
}

static enum hc_status gather_exposures(struct hc_reliability_work *work,
                                       const struct hc_reliability_options *options,
                                       struct hc_reliability *result, struct hc_error *err)
{
    const struct hc_incident_set *set = work->set;
    if (check_clocks(set, options, err))
        return err->status;
    work->exposures = hc_new_array(set->n_observations, sizeof *work->exposures, err);
    if (!work->exposures)
        return err->status;
    for (size_t i = 0; i < set->n_observations; i++) {
        struct hc_exposure e = expose(&set->observations[i], options);
        if (hc_exposure_find(work, e.source, e.group))
            return hc_fail(err, HC_BAD_INPUT, "a group is observed twice in one source");
        work->exposures[work->n_exposures++] = e;
        work->node_days += e.node_days;
        result->nodes += e.is_known ? e.nodes : 0;
        result->n_groups_known += e.is_known;
    }
    result->n_groups = work->n_exposures;
    result->node_days = work->node_days;
    result->span_days = span_of(work);
    return HC_OK;
}

/* ---- which incidents ---- */

static int compare_incidents(const void *a, const void *b)
{
    const struct hc_incident *x = a, *y = b;
    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->recovered_ns != y->recovered_ns)
        return x->recovered_ns < y->recovered_ns ? -1 : 1;
    return (x->text > y->text) - (x->text < y->text);
}

/* Incidents without a time stay: nothing says that they are outside. */
static bool is_within(const struct hc_incident *incident,
                      const struct hc_reliability_options *options)
{
    if (incident->time_ns == HC_MISSING_I64)
        return true;
    return !(options->has_from && incident->time_ns < options->from_ns) &&
           !(options->has_to && incident->time_ns >= options->to_ns);
}

static enum hc_status gather_incidents(struct hc_reliability_work *work,
                                       const struct hc_reliability_options *options,
                                       struct hc_reliability *result, struct hc_error *err)
{
    const struct hc_incident_set *set = work->set;
    work->incidents = hc_new_array(set->n, sizeof *work->incidents, err);
    work->is_exposed = hc_new_array(set->n, sizeof *work->is_exposed, err);
    if (!work->incidents || !work->is_exposed)
        return err->status;
    for (size_t i = 0; i < set->n; i++) {
        if (is_within(&set->incidents[i], options))
            work->incidents[work->n++] = set->incidents[i];
        else
            result->n_out_of_window += set->incidents[i].count;
    }
    if (work->n)
        qsort(work->incidents, work->n, sizeof *work->incidents, compare_incidents);
    for (size_t i = 0; i < work->n; i++) {
        const struct hc_incident *incident = &work->incidents[i];
        const struct hc_exposure *e = hc_exposure_find(work, incident->source, incident->group);
        work->is_exposed[i] =
            e && e->is_known &&
            (incident->time_ns == HC_MISSING_I64 ||
             (incident->time_ns >= e->start_ns && incident->time_ns <= e->end_ns));
    }
    return HC_OK;
}

/* ---- nodes one by one ---- */

static void count_incident(const struct hc_reliability_work *work, size_t i,
                           struct hc_reliability *result)
{
    const struct hc_incident *incident = &work->incidents[i];
    result->n_rows++;
    result->n_incidents += incident->count;
    result->n_exposed += work->is_exposed[i] ? incident->count : 0;
    result->n_no_time += incident->time_ns == HC_MISSING_I64 ? incident->count : 0;
    result->n_no_node += incident->node == HC_MISSING_I32 ? incident->count : 0;
    result->n_no_end += incident->recovered_ns == HC_MISSING_I64 ? incident->count : 0;
}

/* Time of a merged outage within the time of watching. */
static double days_within(const struct hc_exposure *e, int64_t start_ns, int64_t end_ns)
{
    start_ns = start_ns > e->start_ns ? start_ns : e->start_ns;
    end_ns = end_ns < e->end_ns ? end_ns : e->end_ns;
    return end_ns > start_ns ? (double)(end_ns - start_ns) / HC_NS_PER_DAY : 0;
}

/* The incidents first to end are those of one node, by time. */
static void walk_node(const struct hc_reliability_work *work, size_t first, size_t end,
                      struct hc_reliability *result)
{
    int64_t open_from = HC_MISSING_I64, open_to = HC_MISSING_I64;
    int64_t n_before = 0;
    for (size_t i = first; i <= end; i++) {
        const struct hc_incident *incident = i < end ? &work->incidents[i] : NULL;
        bool is_timed = incident && incident->time_ns != HC_MISSING_I64 &&
                        incident->recovered_ns != HC_MISSING_I64;
        bool overlaps = incident && open_to != HC_MISSING_I64 && incident->time_ns < open_to &&
                        incident->time_ns != HC_MISSING_I64;
        if (incident) {
            result->n_repeats += incident->count - (n_before == 0);
            n_before += incident->count;
            result->n_overlapping += overlaps;
        }
        if (incident && !is_timed)
            continue;
        if (overlaps) {
            open_to = incident->recovered_ns > open_to ? incident->recovered_ns : open_to;
            continue;
        }
        const struct hc_incident *any = &work->incidents[first];
        const struct hc_exposure *e = hc_exposure_find(work, any->source, any->group);
        if (open_to != HC_MISSING_I64 && e && e->is_known) {
            result->n_outages++;
            result->down_node_days += days_within(e, open_from, open_to);
        }
        open_from = incident ? incident->time_ns : open_from;
        open_to = incident ? incident->recovered_ns : open_to;
    }
    result->n_nodes_struck++;
}

size_t hc_node_end(const struct hc_reliability_work *work, size_t first)
{
    size_t end = first + 1;
    while (end < work->n && work->incidents[end].source == work->incidents[first].source &&
           work->incidents[end].node == work->incidents[first].node)
        end++;
    return end;
}

int64_t hc_nodes_named(const struct hc_reliability_work *work, const struct hc_exposure *exposure)
{
    int64_t n = 0;
    for (size_t i = 0; i < work->n; i = hc_node_end(work, i)) {
        const struct hc_incident *first = &work->incidents[i];
        n += first->node >= 0 && first->source == exposure->source &&
             first->group == exposure->group;
    }
    return n;
}

static void walk_nodes(const struct hc_reliability_work *work, struct hc_reliability *result)
{
    for (size_t i = 0, end; i < work->n; i = end) {
        const struct hc_incident *first = &work->incidents[i];
        end = hc_node_end(work, i);
        if (first->node != HC_MISSING_I32)
            walk_node(work, i, end, result);
    }
}

/* ---- keys ---- */

static int64_t key_all(const struct hc_reliability_work *work, size_t i)
{
    (void)work;
    (void)i;
    return 0;
}

static int64_t key_cause(const struct hc_reliability_work *work, size_t i)
{
    return work->incidents[i].cause;
}

static int64_t key_domain(const struct hc_reliability_work *work, size_t i)
{
    return (int64_t)hc_incident_cause_info((enum hc_incident_cause)work->incidents[i].cause)
        ->domain;
}

static int64_t key_origin(const struct hc_reliability_work *work, size_t i)
{
    return (int64_t)hc_incident_cause_info((enum hc_incident_cause)work->incidents[i].cause)
        ->origin;
}

static int64_t key_class(const struct hc_reliability_work *work, size_t i)
{
    return work->incidents[i].noticed;
}

/* A text may stand for several causes, where a source names them beside it. */
static int64_t key_text(const struct hc_reliability_work *work, size_t i)
{
    int64_t text = work->incidents[i].text;
    return text < 0 ? -1 : text * HC_N_INCIDENT_CAUSES + work->incidents[i].cause;
}

/* Of incidents that a program puts together without their words, an action is no code of any. */
static int64_t key_action(const struct hc_reliability_work *work, size_t i)
{
    int64_t action = work->incidents[i].action;
    return action < (int64_t)work->set->names.set[HC_NAMES_ACTION].n ? action : -1;
}

static int64_t key_node(const struct hc_reliability_work *work, size_t i)
{
    const struct hc_incident *incident = &work->incidents[i];
    return incident->node < 0 ? -1 : (int64_t)incident->source << 32 | incident->node;
}

static bool is_relative(const struct hc_reliability_work *work, int32_t source)
{
    const struct hc_incident_set *set = work->set;
    for (size_t i = 0; i < set->n_observations; i++)
        if (set->observations[i].source == source)
            return set->observations[i].clock == HC_CLOCK_RELATIVE;
    return true;
}

static int64_t key_month(const struct hc_reliability_work *work, size_t i)
{
    int64_t ns = work->incidents[i].time_ns;
    struct tm date;
    if (ns == HC_MISSING_I64)
        return -1;
    if (is_relative(work, work->incidents[i].source))
        return ns < 0 ? -1 : ns / PERIOD_NS;
    time_t seconds = (time_t)(ns / 1000000000 - (ns % 1000000000 < 0));
    if (!gmtime_r(&seconds, &date))
        return -1;
    return HC_CALENDAR_MONTHS + ((int64_t)date.tm_year + 1900) * 12 + date.tm_mon;
}

/* When the period of a key of key_month begins. */
static int64_t month_start(int64_t key)
{
    int64_t month = key - HC_CALENDAR_MONTHS;
    if (month < 0)
        return key * PERIOD_NS;
    struct tm date = {
        .tm_year = (int)(month / 12 - 1900), .tm_mon = (int)(month % 12), .tm_mday = 1};
    return (int64_t)timegm(&date) * 1000000000;
}

/* Node-days watched in a period, of the sources that have its clock. */
static double days_in_month(const struct hc_reliability_work *work, int64_t key)
{
    double days = 0;
    int64_t start_ns = month_start(key), end_ns = month_start(key + 1);
    for (size_t i = 0; i < work->n_exposures; i++) {
        const struct hc_exposure *e = &work->exposures[i];
        if (e->is_known && is_relative(work, e->source) == (key < HC_CALENDAR_MONTHS))
            days += (double)e->nodes * days_within(e, start_ns, end_ns);
    }
    return days;
}

/* ---- rates ---- */

bool hc_is_failure(enum hc_rate_rule rule, int cause)
{
    enum hc_fault_origin origin = hc_incident_cause_info((enum hc_incident_cause)cause)->origin;
    switch (rule) {
    case HC_RATE_INFRASTRUCTURE:
        return origin == HC_ORIGIN_INFRASTRUCTURE;
    case HC_RATE_WITH_UNKNOWN:
        return origin == HC_ORIGIN_INFRASTRUCTURE || origin == HC_ORIGIN_UNKNOWN;
    default:
        return origin != HC_ORIGIN_PLANNED;
    }
}

/* Hours per failure, from failures per 1,000 days: high where the rate is low. */
static struct hc_estimate hours_per_failure(struct hc_estimate per_1000, double factor)
{
    return (struct hc_estimate){24000 * factor / per_1000.value, 24000 * factor / per_1000.high,
                                24000 * factor / per_1000.low};
}

static void compute_rates(const struct hc_reliability_work *work, struct hc_reliability *result)
{
    double fleet = work->node_days > 0 ? result->span_days / work->node_days : NAN;
    for (int rule = 0; rule < HC_N_RATES; rule++) {
        struct hc_reliability_rate *rate = &result->rates[rule];
        for (size_t i = 0; i < work->n; i++) {
            const struct hc_incident *incident = &work->incidents[i];
            if (!hc_is_failure((enum hc_rate_rule)rule, incident->cause))
                continue;
            rate->count += incident->count;
            rate->exposed += work->is_exposed[i] ? incident->count : 0;
        }
        rate->per_1000 = hc_failure_rate(rate->exposed, work->node_days);
        rate->mttf_node_h = hours_per_failure(rate->per_1000, 1);
        rate->mttf_fleet_h = hours_per_failure(rate->per_1000, fleet);
        rate->mtbf_node_h =
            result->n_outages && rate->exposed
                ? (work->node_days - result->down_node_days) * 24 / (double)rate->exposed
                : NAN;
    }
}

static enum hc_status tally(struct hc_reliability_work *work, struct hc_reliability *result,
                            struct hc_error *err)
{
    struct hc_tallies all = {0};
    if (hc_tally_incidents(work, key_all, true, &all, err) ||
        hc_tally_incidents(work, key_domain, true, &result->domains, err) ||
        hc_tally_incidents(work, key_class, true, &result->classes, err) ||
        hc_tally_incidents(work, key_origin, true, &result->origins, err) ||
        hc_tally_incidents(work, key_cause, true, &result->causes, err) ||
        hc_tally_incidents(work, key_text, true, &result->texts, err) ||
        hc_tally_incidents(work, key_action, true, &result->actions, err) ||
        hc_tally_incidents(work, key_node, false, &result->nodes_struck, err) ||
        hc_tally_incidents(work, key_month, false, &result->months, err)) {
        free(all.rows);
        return err->status;
    }
    for (size_t i = 0; i < result->months.n; i++) {
        struct hc_tally *month = &result->months.rows[i];
        month->per_1000 = hc_failure_rate(month->exposed, days_in_month(work, month->key));
    }
    hc_tallies_by_count(&result->causes);
    hc_tallies_by_count(&result->texts);
    hc_tallies_by_count(&result->actions);
    hc_tallies_by_count(&result->nodes_struck);
    result->all =
        all.n ? all.rows[0] : (struct hc_tally){.repair_mean_s = NAN, .repair_median_s = NAN};
    free(all.rows);
    return HC_OK;
}

enum hc_status hc_reliability_work_open(struct hc_reliability_work *work,
                                        const struct hc_reliability_options *options,
                                        struct hc_reliability *result, struct hc_error *err)
{
    enum hc_status status = gather_exposures(work, options, result, err);
    return status ? status : gather_incidents(work, options, result, err);
}

void hc_reliability_work_close(struct hc_reliability_work *work)
{
    free(work->incidents);
    free(work->is_exposed);
    free(work->exposures);
}

enum hc_status hc_reliability_compute(struct hc_reliability *result,
                                      const struct hc_incident_set *set,
                                      const struct hc_reliability_options *options,
                                      struct hc_error *err)
{
    struct hc_reliability_work work = {.set = set};
    memset(result, 0, sizeof *result);
    result->n_sources = set->n_sources;
    if (hc_incident_set_has_replicas(set))
        return hc_fail(err, HC_BAD_INPUT,
                       "a list is of several replicas of a simulation, which are no history of "
                       "its nodes: write it with one");
    enum hc_status status = hc_reliability_work_open(&work, options, result, err);
    if (!status)
        status = tally(&work, result, err);
    if (!status) {
        for (size_t i = 0; i < work.n; i++)
            count_incident(&work, i, result);
        walk_nodes(&work, result);
        compute_rates(&work, result);
        result->mttr_h = result->all.repair_mean_s / 3600;
        bool is_told = result->n_outages > 0 && work.node_days > 0;
        result->availability = is_told ? 1 - result->down_node_days / work.node_days : NAN;
    }
    hc_reliability_work_close(&work);
    if (status)
        hc_reliability_fini(result);
    return status;
}

void hc_reliability_fini(struct hc_reliability *result)
{
    struct hc_tallies *all[] = {&result->domains,      &result->classes, &result->origins,
                                &result->causes,       &result->texts,   &result->actions,
                                &result->nodes_struck, &result->months};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        free(all[i]->rows);
    memset(result, 0, sizeof *result);
}
