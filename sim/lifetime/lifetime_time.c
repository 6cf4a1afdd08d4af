/* How time passes, and what is booked for it. */
#include "sim/lifetime/lifetime_state.h"

#include "core/base/memory.h"

void hc_life_push(struct hc_life *s, int64_t at_ns, enum hc_life_event kind, int32_t who)
{
    if (at_ns >= HC_LIFE_NEVER || s->status)
        return;
    s->status = hc_event_heap_push(
        &s->calendar, (struct hc_event){.time_ns = at_ns, .kind = (int32_t)kind, .who = who},
        s->err);
    s->over |= s->status != HC_OK;
}

/* Put off what stops the job until it runs again; one planned stop is not put off twice. */
static void put_off(struct hc_life *s, const struct hc_event *event)
{
    for (size_t i = s->first_due; i < s->n_due && event->kind != HC_LIFE_FOUND; i++)
        if (s->due[i].kind == event->kind && s->due[i].who == event->who) {
            s->out->count[HC_COUNT_ABSORBED]++;
            return;
        }
    enum hc_status status =
        hc_reserve(&s->due, &s->due_capacity, s->n_due + 1, sizeof *s->due, s->err);
    if (status) {
        s->status = status;
        s->over = true;
        return;
    }
    s->due[s->n_due++] = *event;
}

static void stop_for(struct hc_life *s, const struct hc_event *event)
{
    s->stopped = true;
    s->stop = (struct hc_life_stop){.which = event->who};
    s->stop.kind = event->kind == HC_LIFE_PLANNED ? HC_STOP_PLANNED
                   : event->kind == HC_LIFE_CODE  ? HC_STOP_CODE
                                                  : HC_STOP_OPEN;
}

static void planned(struct hc_life *s, const struct hc_event *event)
{
    const struct hc_lifetime_planned_stop *stop = &s->config->job.planned_stop[event->who];
    if (stop->every_s > 0)
        hc_life_push(s, event->time_ns + hc_life_ns(stop->every_s), HC_LIFE_PLANNED, event->who);
    if (s->recorder)
        hc_life_record_mark(s, -1, -1, stop->name);
}

/* Take the next event of the calendar, which is due now. */
void hc_life_handle(struct hc_life *s, bool running)
{
    struct hc_event event = hc_event_heap_pop(&s->calendar);
    s->out->count[HC_COUNT_EVENTS]++;
    switch (event.kind) {
    case HC_LIFE_FOUND:
        if (!s->open[event.who].live)
            return;
        break;
    case HC_LIFE_PASSES:
        if (s->open[event.who].live)
            hc_life_close_open(s, (size_t)event.who);
        return;
    case HC_LIFE_PLANNED:
        planned(s, &event);
        break;
    case HC_LIFE_CODE:
        if (s->recorder)
            hc_life_record_mark(s, -1, -1, s->config->job.code_change[event.who].name);
        if (!running) { /* goes in while the job stands */
            s->code_speed *= s->config->job.code_change[event.who].speed_factor;
            s->out->count[HC_COUNT_MERGED]++;
            return;
        }
        break;
    case HC_LIFE_CHOSEN:
    case HC_LIFE_ARRIVES:
        hc_life_elastic_event(s, &event, running);
        return;
    default:
        hc_life_meet(s, HC_MEETS_NODE);
        hc_life_node_event(s, &event);
        return;
    }
    if (running)
        stop_for(s, &event);
    else
        put_off(s, &event);
}

/* The first thing that was put off and still stands. */
static void take_due(struct hc_life *s)
{
    while (s->first_due < s->n_due && !s->stopped) {
        struct hc_event event = s->due[s->first_due++];
        if (event.kind != HC_LIFE_FOUND || s->open[event.who].live)
            stop_for(s, &event);
    }
    if (s->first_due == s->n_due)
        s->first_due = s->n_due = 0;
}

/* Go on to at_ns, or to the horizon. True: this was the horizon. */
static bool at_horizon(struct hc_life *s, int64_t at_ns)
{
    if (at_ns < s->plan->horizon_ns)
        return false;
    s->over = true;
    return true;
}

/* Let the calendar go on to until_ns; where the horizon comes first, to the horizon. */
static void pass(struct hc_life *s, int64_t until_ns)
{
    while (!s->over) {
        int64_t next = hc_event_heap_next_ns(&s->calendar);
        int64_t at = next < until_ns ? next : until_ns;
        if (at_horizon(s, at)) {
            s->now_ns = s->plan->horizon_ns;
            return;
        }
        s->now_ns = at;
        if (next > until_ns || at != next)
            return;
        hc_life_handle(s, false);
    }
}

/* The job stands for ns, and nothing can strike. */
void hc_life_down(struct hc_life *s, int64_t ns, enum hc_what what, enum hc_why why)
{
    if (s->over || ns <= 0)
        return;
    int64_t start_ns = s->now_ns;
    pass(s, start_ns + ns);
    s->out->count[HC_COUNT_EVENTS]++;
    hc_life_book(s, what, why, s->now_ns - start_ns);
    if (s->recorder)
        hc_life_record(s, (int32_t)what, why);
}

/* The job waits in the queue: its nodes are not held. */
void hc_life_queue(struct hc_life *s, int64_t ns)
{
    if (s->over || ns <= 0)
        return;
    if (s->n_absent)
        hc_life_elastic_requeued(s);
    int64_t start_ns = s->now_ns;
    pass(s, start_ns + ns);
    s->out->queue_ns += s->now_ns - start_ns;
    s->out->unproductive_ns[s->blame] += s->now_ns - start_ns;
    if (s->recorder)
        hc_life_record_queue(s);
}

/* Start-up for ns, during which faults may strike: false when one stopped it. The time passed is
 * added to *passed_ns, and booked by the caller. */
bool hc_life_exposed(struct hc_life *s, int64_t ns, int64_t *passed_ns)
{
    int64_t start_ns = s->now_ns, end_ns = start_ns + ns;
    bool strikes = s->config->strikes == HC_STRIKES_HELD;
    s->stopped = false;
    hc_life_skip_incidents(s);
    while (!s->over && !s->stopped) {
        int32_t cause = 0;
        int64_t fault = strikes ? hc_life_fault_ns(s, &cause) : HC_LIFE_NEVER;
        int64_t next = hc_event_heap_next_ns(&s->calendar), at = end_ns < fault ? end_ns : fault;
        at = next < at ? next : at;
        bool ends = at_horizon(s, at);
        at = ends ? s->plan->horizon_ns : at;
        s->exposure_ns += strikes ? at - s->now_ns : 0;
        s->now_ns = at;
        if (ends || at == end_ns)
            break;
        if (at == next)
            hc_life_handle(s, false);
        else
            hc_life_strike(s, cause, false);
    }
    s->out->count[HC_COUNT_EVENTS] += ns > 0;
    *passed_ns += s->now_ns - start_ns;
    return !s->stopped && !s->over;
}

/* Steps run until something stops them, the work is done or the horizon comes. */
void hc_life_run_stretch(struct hc_life *s)
{
    int32_t cause = 0;
    hc_life_skip_incidents(s);
    int64_t fault = hc_life_fault_ns(s, &cause), next = hc_event_heap_next_ns(&s->calendar);
    hc_life_begin_run(s, fault < next ? fault : next);
    s->stopped = false;
    s->blame = HC_LIFETIME_MAX_FAULTS;
    take_due(s);
    while (!s->over && !s->stopped) {
        fault = hc_life_fault_ns(s, &cause);
        next = hc_event_heap_next_ns(&s->calendar);
        int64_t done = s->now_ns + hc_life_to_completion(s), at = done < next ? done : next;
        at = fault < at ? fault : at;
        at = s->plan->horizon_ns < at ? s->plan->horizon_ns : at;
        if (s->elastic)
            hc_life_elastic_advance(s, at - s->now_ns);
        else
            hc_life_advance(s, at - s->now_ns);
        s->exposure_ns += at - s->now_ns;
        s->now_ns = at;
        if (s->recorder)
            hc_life_record_steps(s);
        if (at == done || at == s->plan->horizon_ns) {
            /* Speeds round each interval to a ns: what is still missing is run as well. */
            s->out->finished = at == done && hc_life_to_completion(s) == 0;
            s->over = s->out->finished || at == s->plan->horizon_ns;
        } else if (at == next) {
            hc_life_handle(s, true);
        } else {
            hc_life_strike(s, cause, true);
        }
    }
    s->out->count[HC_COUNT_STOPS] += s->stopped;
    s->stopped_at_ns = s->stopped ? s->now_ns : -1;
}
