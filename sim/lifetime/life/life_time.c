/* How time passes, and what is booked for it. */
#include "sim/lifetime/life/life_driver.h"

#include "core/base/memory.h"
#include "sim/lifetime/nodes/pool_turns.h"

/* ---- events of the job ---- */

/* Put off what stops the job until it runs again; one planned stop is not put off twice. */
static void put_off(struct hc_life *s, const struct hc_event *event)
{
    struct hc_life_due *due = &s->due;
    for (size_t i = due->first; i < due->n && event->kind != HC_LIFE_FOUND; i++)
        if (due->event[i].kind == event->kind && due->event[i].who == event->who) {
            s->out->count[HC_COUNT_ABSORBED]++;
            return;
        }
    if (!hc_life_failed(&s->end, hc_reserve(&due->event, &due->capacity, due->n + 1,
                                            sizeof *due->event, s->end.err)))
        due->event[due->n++] = *event;
}

static void stop_for(struct hc_life *s, enum hc_life_stop_kind kind, int32_t which)
{
    s->stopped = true;
    s->stop.kind = (int32_t)kind;
    s->stop.which = which;
    s->stop.n_slots = 0;
    if (s->has_origins)
        hc_life_trace_stop(s, &HC_LIFE_NO_ORIGIN);
}

static void stop_for_event(struct hc_life *s, const struct hc_event *event)
{
    stop_for(s,
             event->kind == HC_LIFE_PLANNED ? HC_STOP_PLANNED
             : event->kind == HC_LIFE_CODE  ? HC_STOP_CODE
                                            : HC_STOP_OPEN,
             event->who);
}

/* A planned stop is due; the next of its kind is entered. */
static void note_planned(struct hc_life *s, const struct hc_event *event)
{
    const struct hc_lifetime_planned_stop *stop = &s->config->job.planned_stop[event->who];
    if (stop->every_s > 0)
        hc_life_push(s, event->time_ns + hc_life_ns(stop->every_s), HC_LIFE_PLANNED, event->who);
    hc_life_mark(s, -1, -1, stop->name);
}

/* New code is due. True: it went in at once, while the job stands. */
static bool merge_code(struct hc_life *s, const struct hc_event *event, bool running)
{
    const struct hc_lifetime_code_change *change = &s->config->job.code_change[event->who];
    hc_life_mark(s, -1, -1, change->name);
    if (running)
        return false;
    s->progress.code_speed *= change->speed_factor;
    s->out->count[HC_COUNT_MERGED]++;
    return true;
}

/* A node's repair or check ends, or a standby is ready. */
static void handle_node_event(struct hc_life *s, const struct hc_event *event)
{
    hc_turn_meet(s->client, HC_TURN_NODE, s->now_ns);
    if (event->kind == HC_LIFE_STANDBY_FAILS) {
        hc_node_standby_fails(s->client, s->now_ns);
        return;
    }
    struct hc_node_news news = hc_node_handle(s->client, event);
    if (news.repaired >= 0 && s->log)
        hc_fault_log_repaired(s->log, news.repaired, news.back == HC_NODE_RETIRED ? -1 : s->now_ns);
    if (news.repaired >= 0 && s->arrivals.infants)
        hc_infants_repaired(&s->arrivals, news.repaired);
    if (news.back >= 0 && !(s->account.n_absent && hc_life_elastic_wants(s, news.back)))
        hc_node_return(s->client, news.back, s->now_ns);
}

/* Take the next event of the calendar, which is due now. */
static void handle(struct hc_life *s, bool running)
{
    struct hc_event event = hc_event_heap_pop(&s->calendar);
    s->out->count[HC_COUNT_EVENTS]++;
    switch (event.kind) {
    case HC_LIFE_FOUND:
        if (!s->incidents.open[event.who].live)
            return;
        break;
    case HC_LIFE_PASSES:
        if (s->incidents.open[event.who].live)
            hc_life_close_incident(s, (size_t)event.who);
        return;
    case HC_LIFE_PLANNED:
        note_planned(s, &event);
        break;
    case HC_LIFE_CODE:
        if (merge_code(s, &event, running))
            return;
        break;
    case HC_LIFE_CHOSEN:
    case HC_LIFE_STARTS:
    case HC_LIFE_ARRIVES:
        if (hc_life_elastic_event(s, &event, running))
            stop_for(s, HC_STOP_REJOIN, 0);
        return;
    default:
        handle_node_event(s, &event);
        return;
    }
    if (running)
        stop_for_event(s, &event);
    else
        put_off(s, &event);
}

/* Stop for the first thing that was put off and still stands. */
static void take_due(struct hc_life *s)
{
    struct hc_life_due *due = &s->due;
    while (due->first < due->n && !s->stopped) {
        struct hc_event event = due->event[due->first++];
        if (event.kind != HC_LIFE_FOUND || s->incidents.open[event.who].live)
            stop_for_event(s, &event);
    }
    if (due->first == due->n)
        due->first = due->n = 0;
}

/* ---- the job stands ---- */

/* Whether the life ends before at_ns: then it is over. */
static bool is_horizon_before(struct hc_life *s, int64_t at_ns)
{
    if (at_ns < s->compiled->horizon_ns)
        return false;
    s->end.over = true;
    return true;
}

/* Let the calendar go on to until_ns; where the horizon comes first, to the horizon. */
static void pass(struct hc_life *s, int64_t until_ns)
{
    while (!s->end.over) {
        int64_t next = hc_event_heap_next_ns(&s->calendar);
        int64_t at = next < until_ns ? next : until_ns;
        if (is_horizon_before(s, at)) {
            s->now_ns = s->compiled->horizon_ns;
            return;
        }
        s->now_ns = at;
        if (next > until_ns || at != next)
            return;
        handle(s, false);
    }
}

void hc_life_down(struct hc_life *s, int64_t ns, enum hc_what what, enum hc_why why)
{
    if (s->end.over || ns <= 0)
        return;
    int64_t start_ns = s->now_ns;
    pass(s, start_ns + ns);
    s->out->count[HC_COUNT_EVENTS]++;
    hc_life_book(&s->account, what, why, s->now_ns - start_ns);
    if (s->config->strikes == HC_STRIKES_ALWAYS) /* what strikes now is found when it starts */
        s->arrivals.exposure_ns += s->now_ns - start_ns;
    if (s->recorder)
        hc_life_record(s->recorder, s->now_ns, (int32_t)what, why, s->account.blame);
}

void hc_life_down_drawn(struct hc_life *s, const struct hc_distribution *lasts_s, enum hc_why why)
{
    hc_life_down(s, hc_life_draw(&s->streams, lasts_s, HC_STREAM_RECOVER), HC_WHAT_RECOVERY, why);
}

void hc_life_queue(struct hc_life *s)
{
    int32_t blame = s->account.blame;
    int64_t ns = hc_life_draw(&s->streams, &s->config->recovery.queue_s, HC_STREAM_RECOVER);
    if (s->end.over || ns <= 0)
        return;
    if (s->account.n_absent)
        hc_life_elastic_requeued(s);
    int64_t start_ns = s->now_ns;
    pass(s, start_ns + ns);
    if (s->compiled->has_records) /* no nodes are held that they could strike */
        s->out->count[HC_COUNT_ABSORBED] += hc_arrivals_skip_incidents(&s->arrivals, s->now_ns);
    s->out->queue_ns += s->now_ns - start_ns;
    s->out->unproductive_ns[blame] += s->now_ns - start_ns;
    if (s->recorder)
        hc_life_record(s->recorder, s->now_ns, HC_SPAN_QUEUE,
                       blame < HC_LIFETIME_MAX_FAULTS ? (enum hc_why)s->config->fault[blame].why
                                                      : HC_WHY_FIRST_START,
                       blame);
}

void hc_life_save_now(struct hc_life *s)
{
    hc_work_settle(&s->progress, s->now_ns);
    hc_life_down(s, s->progress.stall_ns, HC_WHAT_CHECKPOINT_STALL, HC_WHY_PLANNED);
    hc_work_save(&s->progress);
}

/* ---- the job starts ---- */

static void skip_incidents(struct hc_life *s)
{
    if (s->compiled->has_records && s->config->strikes != HC_STRIKES_ALWAYS)
        s->out->count[HC_COUNT_ABSORBED] += hc_arrivals_skip_incidents(&s->arrivals, s->now_ns);
}

bool hc_life_exposed(struct hc_life *s, int64_t ns, int64_t *passed_ns)
{
    int64_t start_ns = s->now_ns, end_ns = start_ns + ns;
    bool strikes = s->config->strikes != HC_STRIKES_RUNNING;
    s->stopped = false;
    skip_incidents(s);
    while (!s->end.over && !s->stopped) {
        int32_t cause = 0;
        int64_t fault =
            strikes ? hc_arrivals_next_ns(&s->arrivals, s->now_ns, &cause) : HC_LIFE_NEVER;
        int64_t next = hc_event_heap_next_ns(&s->calendar), at = end_ns < fault ? end_ns : fault;
        at = next < at ? next : at;
        bool ends = is_horizon_before(s, at);
        at = ends ? s->compiled->horizon_ns : at;
        s->arrivals.exposure_ns += strikes ? at - s->now_ns : 0;
        s->now_ns = at;
        if (ends || at == end_ns)
            break;
        if (at == next)
            handle(s, false);
        else
            s->stopped = hc_life_strike(s, cause, false);
    }
    s->out->count[HC_COUNT_EVENTS] += ns > 0;
    *passed_ns += s->now_ns - start_ns;
    return !s->stopped && !s->end.over;
}

/* ---- the job runs ---- */

/* Steps begin; the next event is at until_ns. */
static void start_run(struct hc_life *s, int64_t until_ns)
{
    hc_work_start_run(&s->progress, &s->streams, until_ns - s->now_ns);
    if (s->elastic)
        s->progress.step_factor *= hc_life_elastic_start_run(s);
    s->stopped = false;
    s->account.blame = HC_LIFETIME_MAX_FAULTS;
    take_due(s);
}

/* Steps and saves for ns, of a job whose nodes are all there. */
static void run_whole(struct hc_life *s, int64_t ns)
{
    int64_t stalled_ns = hc_work_advance(&s->progress, s->now_ns, ns);
    if (stalled_ns)
        hc_life_book(&s->account, HC_WHAT_CHECKPOINT_STALL, HC_WHY_NONE, stalled_ns);
}

/* The same of an elastic job, whose account must know without which nodes they were. */
static void run_elastic(struct hc_life *s, int64_t ns)
{
    struct hc_life_run before = hc_work_sum(&s->progress);
    run_whole(s, ns);
    hc_life_elastic_ran(s, &before);
}

/* Steps and saves from now to at_ns. */
static void run_until(struct hc_life *s, int64_t at_ns)
{
    int64_t ns = at_ns - s->now_ns;
    if (s->elastic)
        run_elastic(s, ns);
    else
        run_whole(s, ns);
    s->arrivals.exposure_ns += ns;
    s->now_ns = at_ns;
    if (s->recorder)
        hc_life_record_steps(s->recorder, at_ns, &s->progress, hc_life_elastic_missing(s));
}

void hc_life_run_stretch(struct hc_life *s)
{
    int32_t cause = 0;
    skip_incidents(s);
    int64_t fault = hc_arrivals_next_ns(&s->arrivals, s->now_ns, &cause);
    int64_t next = hc_event_heap_next_ns(&s->calendar);
    if (s->log) {
        s->log->next_ns = fault;
        s->log->next_cause = cause;
    }
    start_run(s, fault < next ? fault : next);
    while (!s->end.over && !s->stopped) {
        fault = hc_arrivals_next_ns(&s->arrivals, s->now_ns, &cause);
        next = hc_event_heap_next_ns(&s->calendar);
        int64_t done = s->now_ns + hc_work_to_completion(&s->progress);
        int64_t at = done < next ? done : next, horizon = s->compiled->horizon_ns;
        at = fault < at ? fault : at;
        at = horizon < at ? horizon : at;
        run_until(s, at);
        if (at == done || at == horizon) {
            /* Speeds round each interval to a ns: what is still missing is run as well. */
            s->out->finished = at == done && hc_work_to_completion(&s->progress) == 0;
            s->end.over |= s->out->finished || at == horizon;
        } else if (at == next) {
            handle(s, true);
        } else {
            s->stopped = hc_life_strike(s, cause, true);
        }
    }
    if (s->stopped && s->stop.kind != HC_STOP_REJOIN)
        hc_life_interrupted(s);
}
