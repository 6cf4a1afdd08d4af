/* A fault strikes: which slots it takes, and whether it stops the job. */
#include "sim/lifetime/life/life_driver.h"

/* ---- where ---- */

/* A slot for a fault of one node: lemons and ordinary ones by their rates. */
static int32_t draw_slot(struct hc_life *s, int32_t cause)
{
    struct hc_philox *rng = &s->streams.rng[HC_STREAM_PLACE];
    int32_t nodes = s->config->job.nodes, n_lemons = s->slots.n_lemons;
    double healthy = s->compiled->rate_healthy[cause], lemon = s->compiled->rate_lemon[cause];
    if (!n_lemons || healthy == lemon)
        return (int32_t)hc_philox_integer(rng, (uint64_t)nodes);
    double of_lemons = lemon * n_lemons, all = of_lemons + healthy * (nodes - n_lemons);
    if (hc_philox_uniform(rng) * all < of_lemons || n_lemons == nodes)
        return s->slots.lemon_slot[hc_philox_integer(rng, (uint64_t)n_lemons)];
    int32_t slot;
    do
        slot = (int32_t)hc_philox_integer(rng, (uint64_t)nodes);
    while (hc_slots_is_lemon(&s->slots, slot));
    return slot;
}

static void strike_slots(struct hc_life *s, int32_t first, int32_t n)
{
    int32_t nodes = s->config->job.nodes;
    s->struck.n_slots = 0;
    for (int32_t slot = first < 0 ? 0 : first; slot < first + n && slot < nodes; slot++)
        s->struck.slot[s->struck.n_slots++] = slot;
}

/* A fault of one node's own: none where the node is an infant that is spared. */
static void strike_slot(struct hc_life *s, int32_t cause, int32_t slot, bool is_added)
{
    enum hc_infant_strike strike = s->arrivals.infants
                                       ? hc_infants_strike(&s->arrivals, cause, slot, is_added)
                                       : HC_INFANT_NONE;
    s->out->count[HC_COUNT_INFANT_FAULTS] += strike == HC_INFANT_STRUCK;
    strike_slots(s, slot, strike != HC_INFANT_SPARED);
}

/* Whether the record `next` is of the fault of the record `first`: the list says so or, of a fault
 * that stops the job, its time is the very same. */
static bool is_together(const struct hc_lifetime_fault *fault, size_t first, size_t next)
{
    int32_t part_of = fault->record ? fault->record[first].part_of : -1;
    if (part_of >= 0 || (fault->record && fault->record[next].part_of >= 0))
        return part_of == fault->record[next].part_of;
    return fault->effect == HC_EFFECT_STOP &&
           hc_incident_at_ns(fault, next) == hc_incident_at_ns(fault, first);
}

/* The nodes of further records that are one fault with the first. */
static void add_together(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    size_t *next_incident = &s->arrivals.next_incident[cause];
    struct hc_life_stop *struck = &s->struck;
    while (struck->n_slots && *next_incident < s->arrivals.end_incident[cause] &&
           is_together(fault, struck->origin.row, *next_incident)) {
        const struct hc_lifetime_incident *next = &fault->incident[*next_incident];
        int32_t nodes = s->config->job.nodes, last = struck->slot[struck->n_slots - 1];
        if (next->node <= last || next->node >= nodes)
            return; /* of a node that is taken already, or that the job does not have */
        for (int32_t slot = next->node;
             slot < next->node + (next->nodes > 0 ? next->nodes : 1) && slot < nodes; slot++)
            struck->slot[struck->n_slots++] = slot;
        struck->origin.n_rows++;
        (*next_incident)++;
    }
}

/* Out of line, as open_incident(): most faults are drawn and stop the job. */
static __attribute__((noinline)) void place_incident(struct hc_life *s, int32_t cause)
{
    size_t row = s->arrivals.next_incident[cause]++;
    const struct hc_lifetime_incident *i = &s->config->fault[cause].incident[row];
    strike_slots(s, i->node >= 0 ? i->node : draw_slot(s, cause), i->nodes > 0 ? i->nodes : 1);
    s->struck.origin.row = row;
    s->struck.origin.n_rows = 1;
    add_together(s, cause);
}

/* Which slots the arrival of a cause takes, into s->struck; its clock goes on. */
static void place_arrival(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    int32_t unit = hc_arrivals_take(&s->arrivals, cause);
    switch (fault->unit) {
    case HC_PER_DOMAIN:
        if (unit < 0)
            unit = (int32_t)hc_philox_integer(&s->streams.rng[HC_STREAM_PLACE],
                                              (uint64_t)s->compiled->n_units[cause]);
        strike_slots(s, unit * fault->domain_nodes, fault->domain_nodes);
        return;
    case HC_PER_DEVICE:
        strike_slot(s, cause, unit < 0 ? draw_slot(s, cause) : unit / s->config->job.gpus_per_node,
                    false);
        return;
    case HC_PER_NODE:
        strike_slot(s, cause, unit < 0 ? draw_slot(s, cause) : unit, false);
        return;
    default: /* per job: somewhere */
        strike_slots(s, draw_slot(s, cause), 1);
    }
}

/* ---- what it does ---- */

int64_t hc_life_detect_ns(struct hc_life *s, const struct hc_lifetime_fault *fault)
{
    const struct hc_lifetime_detection *d = &fault->detection;
    struct hc_philox *rng = &s->streams.rng[HC_STREAM_DETECT];
    double seconds = hc_distribution_draw(&d->delay_s, rng);
    if (d->inspect_every_s > 0)
        seconds += d->inspect_every_s * (hc_philox_uniform(rng) + d->inspect_count - 1);
    else if (d->timeout_s > 0 && seconds == 0)
        seconds = d->timeout_s;
    return hc_life_ns(d->timeout_s > 0 && seconds > d->timeout_s ? d->timeout_s : seconds);
}

/* When an incident ends or is noticed: as it was recorded, or else after what was drawn. */
static int64_t recorded_ns(const struct hc_life *s, int64_t recorded_ns, int64_t drawn_ns)
{
    if (recorded_ns < 0)
        return s->now_ns + drawn_ns;
    return recorded_ns > s->now_ns ? recorded_ns : s->now_ns;
}

/* A slow fault passes by itself; or one that was recorded to be over does so before it is found. */
static void pass_at(struct hc_life *s, int32_t place, int64_t at_ns)
{
    hc_life_push(s, at_ns, HC_LIFE_PASSES, place);
    if (!s->log)
        return;
    hc_fault_log_recovered(s->log, s->struck.origin.noted, at_ns);
    hc_fault_log_close(s->log, s->struck.origin.noted);
    s->incidents.open[place].origin.noted = -1;
}

/* When all nodes of the fault had recovered; -1: of one that is not recorded. */
static int64_t over_ns(const struct hc_lifetime_fault *fault, const struct hc_life_origin *origin)
{
    int64_t last_ns = -1;
    for (int32_t i = 0; i < origin->n_rows && fault->record; i++) {
        int64_t one_ns = fault->record[origin->row + (size_t)i].recovered_ns;
        if (one_ns < 0)
            return -1;
        last_ns = one_ns > last_ns ? one_ns : last_ns;
    }
    return last_ns;
}

/* What ends or reveals the incident at this place. What was recorded goes first; draws are made all
 * the same, so that others from their streams stay what they are. */
static void foresee(struct hc_life *s, int32_t place, const struct hc_lifetime_fault *fault)
{
    const struct hc_lifetime_record *record = hc_life_record_of(fault, &s->struck.origin);
    int64_t recovered_ns = over_ns(fault, &s->struck.origin);
    if (fault->remedy == HC_REMEDY_NONE) {
        int64_t lasts_ns = hc_life_draw(&s->streams, &fault->lasts_s, HC_STREAM_DETECT);
        pass_at(s, place, recorded_ns(s, recovered_ns, lasts_ns));
        return;
    }
    if (fault->effect == HC_EFFECT_NONE) {
        hc_life_push(s, s->now_ns + hc_life_ns(fault->forced_after_s), HC_LIFE_FOUND, place);
        return;
    }
    int64_t detect_ns = hc_life_detect_ns(s, fault);
    int64_t found_ns = recorded_ns(s, record ? record->detected_ns : -1, detect_ns);
    if (s->log)
        hc_fault_log_detected(s->log, s->struck.origin.noted, found_ns);
    if (recovered_ns >= 0 && recovered_ns < found_ns && fault->effect == HC_EFFECT_SLOW)
        pass_at(s, place, recorded_ns(s, recovered_ns, 0));
    else
        hc_life_push(s, found_ns, HC_LIFE_FOUND, place);
}

/* The job goes on with this fault, until it is found or passes. */
static __attribute__((noinline)) void open_incident(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    const struct hc_life_stop *struck = &s->struck;
    const struct hc_life_incident incident = {.fault = cause,
                                              .slot = struck->slot[0],
                                              .n_slots = struck->slot[struck->n_slots - 1] + 1 -
                                                         struck->slot[0],
                                              .origin = struck->origin};
    int32_t place = hc_incidents_open(&s->incidents, &incident, &s->end);
    if (place < 0)
        return;
    foresee(s, place, fault);
    struct hc_life_progress *p = &s->progress;
    bool is_slowest = fault->effect == HC_EFFECT_SLOW && fault->slow_factor > p->slow;
    hc_work_weigh(p, is_slowest ? fault->slow_factor : p->slow,
                  p->is_tainted || fault->effect == HC_EFFECT_CORRUPT);
}

/* It stops the job: s->stop is of it, of the fault before no more comes, and the slots of that
 * serve the next fault. */
static void stop_for_fault(struct hc_life *s, int32_t cause)
{
    int32_t *slot = s->stop.slot;
    if (s->has_origins)
        hc_life_trace_stop(s, &s->struck.origin);
    s->stop.slot = s->struck.slot;
    s->stop.n_slots = s->struck.n_slots;
    s->struck.slot = slot;
    s->stop.kind = HC_STOP_FAULT;
    s->stop.which = cause;
}

bool hc_life_strike(struct hc_life *s, int32_t cause, bool running)
{
    bool is_added = cause >= HC_LIFETIME_MAX_FAULTS; /* by the infancy of a node */
    cause -= is_added ? HC_LIFETIME_MAX_FAULTS : 0;
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    s->out->count[HC_COUNT_EVENTS]++;
    if (s->has_origins)
        s->struck.origin = HC_LIFE_NO_ORIGIN;
    if (is_added)
        strike_slot(s, cause, hc_infants_take(&s->arrivals, cause), true);
    else if (fault->n_incidents)
        place_incident(s, cause);
    else
        place_arrival(s, cause);
    if (s->elastic)
        hc_life_elastic_struck(s, cause);
    if (!s->struck.n_slots) { /* the record is of another job's node; the node does not run */
        s->out->count[HC_COUNT_ABSORBED] += fault->n_incidents > 0;
        return false;
    }
    s->out->count[HC_COUNT_FAULTS]++;
    s->out->faults[cause]++;
    if (s->recorder)
        hc_life_mark(s, cause, s->struck.slot[0], fault->name);
    if (s->log)
        s->struck.origin.noted =
            hc_fault_log_open(s->log, cause, s->struck.slot, s->struck.n_slots, s->now_ns);
    bool waits = fault->effect == HC_EFFECT_NONE && (fault->forced_after_s > 0 || !running);
    if (waits || fault->effect == HC_EFFECT_SLOW || fault->effect == HC_EFFECT_CORRUPT) {
        open_incident(s, cause);
        return false;
    }
    stop_for_fault(s, cause);
    return true;
}
