/* fit_strikes.c - the failures of the infrastructure: what struck, when it was noticed, and when
 * training went on. */
#include "pipeline/fit/fit_loading.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "models/fit/fault_fit.h"
#include "models/joins/join_logs.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is looked up of the joined records, sorted. */
struct lookup {
    struct hc_fit_loading *loading;
    struct place {
        int64_t group, time_ns; /* number of the allocation; start */
        int32_t attempt;
    } * by_number;
    size_t n_by_number;
    struct told {
        int64_t time_ns;
        int32_t attempt, own;
    } * told; /* causes of ends that logs tell, by attempt and time */
    size_t n_told;
    const struct hc_node_event **events; /* of nodes, by kind and time */
    size_t n_events;
};

static int compare_places(const void *a, const void *b)
{
    const struct place *x = a, *y = b;
    if (x->group != y->group)
        return x->group < y->group ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->attempt > y->attempt) - (x->attempt < y->attempt);
}

static int compare_told(const void *a, const void *b)
{
    const struct told *x = a, *y = b;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->own > y->own) - (x->own < y->own);
}

static int compare_kinds(const struct hc_node_event *x, const struct hc_node_event *y)
{
    if (x->event_class != y->event_class)
        return x->event_class < y->event_class ? -1 : 1;
    if (x->code != y->code)
        return x->code < y->code ? -1 : 1;
    return (x->name > y->name) - (x->name < y->name);
}

static int compare_events(const void *a, const void *b)
{
    const struct hc_node_event *x = *(const struct hc_node_event *const *)a;
    const struct hc_node_event *y = *(const struct hc_node_event *const *)b;
    int kinds = compare_kinds(x, y);
    if (kinds)
        return kinds;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static bool tells_cause(const struct hc_own_event *own)
{
    return own->effect == HC_EFFECT_STOPS || own->effect == HC_EFFECT_MAY_STOP ||
           own->effect == HC_EFFECT_PROGRAM || own->effect == HC_EFFECT_HARDWARE;
}

/* ---- the look-up ---- */

static enum hc_status make_rooms(struct lookup *lookup, struct hc_error *err)
{
    const struct hc_joins *joins = &lookup->loading->failures->joins;
    size_t n_events = lookup->loading->failures->set.n;
    lookup->by_number = hc_new_array(joins->n_attempts, sizeof *lookup->by_number, err);
    lookup->told =
        lookup->by_number ? hc_new_array(joins->n_facts, sizeof *lookup->told, err) : NULL;
    lookup->events =
        lookup->told ? hc_new_array(n_events, sizeof(const struct hc_node_event *), err) : NULL;
    return lookup->events ? HC_OK : err->status;
}

static enum hc_status prepare(struct lookup *lookup, struct hc_error *err)
{
    const struct hc_failure_records *failures = lookup->loading->failures;
    const struct hc_joins *joins = &failures->joins;
    if (make_rooms(lookup, err))
        return err->status;
    for (size_t i = 0; i < joins->n_attempts; i++) {
        const struct hc_join_attempt *attempt = &joins->attempts[i];
        lookup->by_number[lookup->n_by_number++] =
            (struct place){attempt->raw_job, attempt->start_ns, (int32_t)i};
    }
    for (size_t i = 0; i < joins->n_facts; i++) {
        const struct hc_join_fact *fact = &joins->facts[i];
        if (fact->attempt >= 0 && tells_cause(&failures->failures.own[fact->tag]))
            lookup->told[lookup->n_told++] = (struct told){fact->time_ns, fact->attempt, fact->tag};
    }
    for (size_t i = 0; i < failures->set.n; i++)
        if (!failures->set.events[i].incident)
            lookup->events[lookup->n_events++] = &failures->set.events[i];
    if (lookup->n_by_number)
        qsort(lookup->by_number, lookup->n_by_number, sizeof *lookup->by_number, compare_places);
    if (lookup->n_told)
        qsort(lookup->told, lookup->n_told, sizeof *lookup->told, compare_told);
    if (lookup->n_events)
        qsort(lookup->events, lookup->n_events, sizeof *lookup->events, compare_events);
    return HC_OK;
}

static void lookup_fini(struct lookup *lookup)
{
    free(lookup->by_number);
    free(lookup->told);
    free(lookup->events);
}

/* The first place that is not before a group and time. */
static size_t find_place(const struct place *places, size_t n, int64_t group, int64_t time_ns)
{
    size_t low = 0, high = n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct place *place = &places[middle];
        if (place->group < group || (place->group == group && place->time_ns < time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* The attempt of a failure, or -1. That of a launch has begun before it. */
static int32_t attempt_of(const struct lookup *lookup, const struct hc_failure *failure)
{
    size_t i =
        find_place(lookup->by_number, lookup->n_by_number, failure->raw_job, failure->start_ns + 1);
    if (i == 0 || lookup->by_number[i - 1].group != failure->raw_job)
        return -1;
    const struct place *place = &lookup->by_number[i - 1];
    bool is_launch = failure->cycle != HC_MISSING_I32;
    return is_launch || place->time_ns == failure->start_ns ? place->attempt : -1;
}

/* ---- notice ---- */

/* The launch of an attempt that was under way last before a time, or NULL. */
static const struct hc_fit_launch *launch_before(const struct hc_fit_loading *loading,
                                                 int32_t attempt, int64_t time_ns)
{
    size_t low = 0, high = loading->n_launches;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct hc_fit_launch *launch = &loading->launches[middle];
        if (launch->attempt < attempt || (launch->attempt == attempt && launch->start_ns < time_ns))
            low = middle + 1;
        else
            high = middle;
    }
    return low && loading->launches[low - 1].attempt == attempt ? &loading->launches[low - 1]
                                                                : NULL;
}

/* What the log of an attempt says last of causes from one time to another: INT64_MIN for nothing.
 * *bound_ns: since when a watchdog's collective ran, at the earliest; INT64_MAX without one. */
static int64_t hear(const struct lookup *lookup, int32_t attempt, int64_t from_ns, int64_t to_ns,
                    int64_t *bound_ns)
{
    const struct hc_own_event *own = lookup->loading->failures->failures.own;
    int64_t notice_ns = INT64_MIN;
    size_t low = 0, high = lookup->n_told;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct told *told = &lookup->told[middle];
        if (told->attempt < attempt || (told->attempt == attempt && told->time_ns < from_ns))
            low = middle + 1;
        else
            high = middle;
    }
    *bound_ns = INT64_MAX;
    for (; low < lookup->n_told && lookup->told[low].attempt == attempt &&
           lookup->told[low].time_ns <= to_ns;
         low++) {
        const struct hc_own_event *event = &own[lookup->told[low].own];
        notice_ns = event->time_ns;
        if (event->event_class == HC_EVENT_WATCHDOG && event->from_ns != HC_MISSING_I64 &&
            event->from_ns < *bound_ns)
            *bound_ns = event->from_ns;
    }
    return notice_ns;
}

static double seconds(int64_t from_ns, int64_t to_ns)
{
    return (double)(to_ns - from_ns) * 1e-9;
}

/* When it was noticed, and how long after the fault. Nothing is known where no log was read. */
static void find_notice(const struct lookup *lookup, const struct hc_failure *failure,
                        int32_t attempt, struct hc_fit_strike *strike)
{
    bool is_launch = failure->cycle != HC_MISSING_I32;
    const struct hc_fit_launch *launch =
        attempt < 0 ? NULL : launch_before(lookup->loading, attempt, failure->end_ns);
    if (!launch)
        return;
    int64_t bound_ns, to_ns = is_launch ? failure->end_ns - 1 : failure->end_ns + HC_JOIN_SLACK_NS;
    int64_t notice_ns = hear(lookup, attempt, launch->start_ns, to_ns, &bound_ns);
    bool is_event = failure->event && !failure->event->incident;
    if (notice_ns == INT64_MIN && hc_job_state_is_failure(failure->state) && !is_launch &&
        (failure->state == HC_JOB_NODE_FAIL))
        notice_ns = failure->end_ns; /* the scheduler noticed it, and that ended the job */
    if (notice_ns == INT64_MIN || (is_event && notice_ns < failure->event->time_ns))
        return;
    notice_ns = notice_ns < failure->end_ns ? notice_ns : failure->end_ns;
    strike->is_hang = bound_ns != INT64_MAX;
    strike->held_s = seconds(notice_ns, failure->end_ns);
    if (is_event && failure->event->time_ns <= notice_ns)
        strike->detect_s = seconds(failure->event->time_ns, notice_ns);
    else if (bound_ns <= notice_ns)
        strike->detect_s = seconds(bound_ns, notice_ns);
    else if (!failure->event && launch->end_ns < notice_ns)
        strike->detect_most_s = seconds(launch->end_ns, notice_ns);
    strike->cycle = launch->cycle;
}

/* ---- what followed ---- */

static void find_follow(const struct lookup *lookup, const struct hc_failure *failure,
                        int32_t number, struct hc_fit_strike *strike)
{
    const struct hc_joins *joins = &lookup->loading->failures->joins;
    const struct hc_join_attempt *attempt = number < 0 ? NULL : &joins->attempts[number];
    struct hc_fit_namesake next;
    if (failure->cycle != HC_MISSING_I32) {
        strike->follow = HC_FOLLOW_IN_PLACE;
        return;
    }
    if (!attempt || attempt->run < 0)
        return;
    if (hc_fit_next(lookup->loading, number, failure->end_ns, &next)) {
        bool is_requeue = next.raw_job == failure->raw_job;
        strike->follow = is_requeue ? HC_FOLLOW_REQUEUE : HC_FOLLOW_NEW_JOB;
        strike->gap_s = seconds(failure->end_ns, next.start_ns);
        strike->wait_s = seconds(next.submit_ns, next.start_ns);
        if (strike->gap_s < 0) /* it began while this one ran: nothing was waited for */
            strike->follow = HC_FOLLOW_UNKNOWN;
    } else if (!joins->runs[attempt->run].is_done) {
        strike->follow = HC_FOLLOW_NOT_YET;
        strike->gap_s = seconds(failure->end_ns, lookup->loading->records->to_ns);
    }
}

/* ---- causes ---- */

/* The first event of a kind that is not before a time. */
static size_t find_event(const struct lookup *lookup, const struct hc_node_event *kind,
                         int64_t time_ns)
{
    struct hc_node_event first = *kind;
    const struct hc_node_event *key = &first;
    size_t low = 0, high = lookup->n_events;
    first.time_ns = time_ns;
    first.node = INT32_MIN;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_events(&lookup->events[middle], &key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Most nodes that have an event of a kind within two minutes of another by chance: four standard
 * deviations above what the number of all such events lets expect. */
static double most_by_chance(const struct lookup *lookup, const struct hc_node_event *kind)
{
    const struct hc_evidence_set *set = &lookup->loading->failures->set;
    double days = (double)(set->last_ns - set->first_ns) + 2.0 * HC_FIT_INCIDENT_NS;
    size_t n = find_event(lookup, kind, INT64_MAX) - find_event(lookup, kind, INT64_MIN);
    double expected = (double)n * 2.0 * HC_FIT_INCIDENT_NS / days;
    return expected + 4 * sqrt(expected) + 0.5;
}

/* Nodes with an event of the same kind within two minutes, 1 where these may be there by chance. */
static int32_t count_hit(const struct lookup *lookup, const struct hc_node_event *event)
{
    int32_t n = 0, nodes[64];
    size_t low = find_event(lookup, event, event->time_ns - HC_FIT_INCIDENT_NS);
    for (; low < lookup->n_events; low++) {
        const struct hc_node_event *other = lookup->events[low];
        int32_t k = 0, n_kept = n < 64 ? n : 64;
        if (compare_kinds(other, event) || other->time_ns > event->time_ns + HC_FIT_INCIDENT_NS)
            break;
        while (k < n_kept && nodes[k] != other->node)
            k++;
        if (k < n_kept)
            continue;
        if (n < 64)
            nodes[n] = other->node;
        n++; /* beyond 64 nodes, each event counts as one */
    }
    return n - 1 > most_by_chance(lookup, event) ? n : 1;
}

static void name_cause(const struct lookup *lookup, const struct hc_failure *failure, char *name,
                       size_t room)
{
    const struct hc_evidence_set *set = &lookup->loading->failures->set;
    const struct hc_node_event *event = failure->event;
    if (event && event->incident && event->name != HC_MISSING_I32)
        snprintf(name, room, "%.40s", set->texts.text[event->name]);
    else if (event && !event->incident && event->code != HC_MISSING_I32)
        snprintf(name, room, "%s_%d", hc_event_class_name(event->event_class), event->code);
    else if (event && !event->incident)
        snprintf(name, room, "%s", hc_event_class_name(event->event_class));
    else if (failure->correction)
        snprintf(name, room, "corrected");
    else
        snprintf(name, room, "%s", hc_job_state_name((enum hc_job_state)failure->state));
    for (char *c = name; *c; c++) /* names of faults stand in pointers */
        if (!((*c >= 'a' && *c <= 'z') || (*c >= '0' && *c <= '9')))
            *c = *c >= 'A' && *c <= 'Z' ? (char)(*c - 'A' + 'a') : '_';
}

static enum hc_status add_strike(const struct lookup *lookup, const struct hc_failure *failure,
                                 int32_t attempt, struct hc_error *err)
{
    struct hc_fit_records *records = lookup->loading->records;
    const struct hc_node_event *event = failure->event;
    bool is_event = event && !event->incident;
    struct hc_fit_strike strike = {.time_ns = is_event ? event->time_ns : failure->end_ns,
                                   .node = -1,
                                   .nodes = failure->nodes,
                                   .n_hit = is_event ? count_hit(lookup, event) : 1,
                                   .is_likely = failure->evidence == HC_EVIDENCE_LIKELY,
                                   .detect_s = NAN,
                                   .detect_most_s = NAN,
                                   .line_s = NAN,
                                   .cycle = -1,
                                   .held_s = NAN,
                                   .gap_s = NAN,
                                   .wait_s = NAN};
    char name[64];
    name_cause(lookup, failure, name, sizeof name);
    if (is_event) {
        const char *node = lookup->loading->failures->set.nodes.text[event->node];
        strike.node = hc_text_set_find(&records->nodes, node, strlen(node));
    }
    strike.run = attempt < 0 ? -1 : lookup->loading->failures->joins.attempts[attempt].run;
    find_notice(lookup, failure, attempt, &strike);
    find_follow(lookup, failure, attempt, &strike);
    if (hc_text_set_add(&records->causes, name, strlen(name), &strike.cause, err) ||
        hc_reserve(&records->strikes, &records->strikes_room, records->n_strikes + 1,
                   sizeof *records->strikes, err))
        return err->status;
    records->strikes[records->n_strikes++] = strike;
    return HC_OK;
}

static int compare_strikes(const void *a, const void *b)
{
    const struct hc_fit_strike *x = a, *y = b;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    if (x->cause != y->cause)
        return x->cause < y->cause ? -1 : 1;
    if (x->node != y->node)
        return x->node < y->node ? -1 : 1;
    if (x->nodes != y->nodes)
        return x->nodes < y->nodes ? -1 : 1;
    return x->follow < y->follow ? -1 : x->follow > y->follow;
}

/* Launches in place that the user, or nobody knows who, ended. */
static enum hc_status add_launch_stop(const struct lookup *lookup, const struct hc_failure *failure,
                                      int32_t attempt, struct hc_error *err)
{
    struct hc_fit_records *records = lookup->loading->records;
    int32_t run = attempt < 0 ? -1 : lookup->loading->failures->joins.attempts[attempt].run;
    if (run < 0)
        return HC_OK;
    if (hc_reserve(&records->stops, &records->stops_room, records->n_stops + 1,
                   sizeof *records->stops, err))
        return err->status;
    records->stops[records->n_stops++] = (struct hc_fit_stop){
        failure->side == HC_SIDE_USER ? HC_STOP_USER : HC_STOP_UNKNOWN, run, NAN, false};
    return HC_OK;
}

static enum hc_status add_failure(const struct lookup *lookup, const struct hc_failure *failure,
                                  struct hc_error *err)
{
    struct hc_fit_records *records = lookup->loading->records;
    int32_t attempt = attempt_of(lookup, failure);
    bool is_launch = failure->cycle != HC_MISSING_I32;
    records->n_failures++;
    records->n_users += failure->side == HC_SIDE_USER;
    records->n_unknown += failure->side == HC_SIDE_UNKNOWN;
    if (attempt >= 0 && !is_launch)
        lookup->loading->side[attempt] = 1 + (int32_t)failure->side;
    if (failure->side == HC_SIDE_INFRASTRUCTURE)
        return add_strike(lookup, failure, attempt, err);
    return is_launch ? add_launch_stop(lookup, failure, attempt, err) : HC_OK;
}

enum hc_status hc_fit_load_strikes(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_failures *failures = &loading->failures->failures;
    struct hc_fit_records *records = loading->records;
    struct lookup lookup = {.loading = loading};
    enum hc_status status = prepare(&lookup, err);
    for (size_t i = 0; i < failures->n && !status; i++) {
        const struct hc_failure *failure = &failures->failures[i];
        if (failure->gpus <= 0 || failure->nodes <= 0 || failure->end_ns < records->from_ns ||
            failure->end_ns > records->to_ns)
            continue;
        status = add_failure(&lookup, failure, err);
    }
    if (records->n_strikes)
        qsort(records->strikes, records->n_strikes, sizeof *records->strikes, compare_strikes);
    records->chance = failures->chance;
    lookup_fini(&lookup);
    return status;
}
