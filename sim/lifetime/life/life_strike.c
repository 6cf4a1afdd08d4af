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

static void stop_slots(struct hc_life *s, int32_t first, int32_t n)
{
    int32_t nodes = s->config->job.nodes;
    s->stop.n_slots = 0;
    for (int32_t slot = first < 0 ? 0 : first; slot < first + n && slot < nodes; slot++)
        s->stop.slot[s->stop.n_slots++] = slot;
}

/* A fault of one node's own: none where the node is an infant that is spared. */
static void stop_slot(struct hc_life *s, int32_t cause, int32_t slot, bool is_added)
{
    enum hc_infant_strike strike = s->arrivals.infants
                                       ? hc_infants_strike(&s->arrivals, cause, slot, is_added)
                                       : HC_INFANT_NONE;
    s->out->count[HC_COUNT_INFANT_FAULTS] += strike == HC_INFANT_STRUCK;
    stop_slots(s, slot, strike != HC_INFANT_SPARED);
}

/* What is recorded of further nodes at the very time of this incident is the same stop. */
static void add_together(struct hc_life *s, int32_t cause, const struct hc_lifetime_incident *i)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    size_t *next_incident = &s->arrivals.next_incident[cause];
    while (s->stop.n_slots && fault->effect == HC_EFFECT_STOP &&
           *next_incident < fault->n_incidents) {
        const struct hc_lifetime_incident *next = &fault->incident[*next_incident];
        if (hc_life_ns(next->at_s) != hc_life_ns(i->at_s) || next->node < 0)
            return;
        int32_t nodes = s->config->job.nodes, last = s->stop.slot[s->stop.n_slots - 1];
        if (next->node <= last || next->node >= nodes)
            return; /* of a node that is taken already, or that the job does not have */
        for (int32_t slot = next->node;
             slot < next->node + (next->nodes > 0 ? next->nodes : 1) && slot < nodes; slot++)
            s->stop.slot[s->stop.n_slots++] = slot;
        (*next_incident)++;
    }
}

static void place_incident(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_incident *i =
        &s->config->fault[cause].incident[s->arrivals.next_incident[cause]++];
    stop_slots(s, i->node >= 0 ? i->node : draw_slot(s, cause), i->nodes > 0 ? i->nodes : 1);
    add_together(s, cause, i);
}

/* Which slots the arrival of a cause takes, into s->stop; its clock goes on. */
static void place_arrival(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    int32_t unit = hc_arrivals_take(&s->arrivals, cause);
    switch (fault->unit) {
    case HC_PER_DOMAIN:
        if (unit < 0)
            unit = (int32_t)hc_philox_integer(&s->streams.rng[HC_STREAM_PLACE],
                                              (uint64_t)s->compiled->n_units[cause]);
        stop_slots(s, unit * fault->domain_nodes, fault->domain_nodes);
        return;
    case HC_PER_DEVICE:
        stop_slot(s, cause, unit < 0 ? draw_slot(s, cause) : unit / s->config->job.gpus_per_node,
                  false);
        return;
    case HC_PER_NODE:
        stop_slot(s, cause, unit < 0 ? draw_slot(s, cause) : unit, false);
        return;
    default: /* per job: somewhere */
        stop_slots(s, draw_slot(s, cause), 1);
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

/* The job goes on with this fault, until it is found or passes. */
static void open_incident(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    int32_t place = hc_incidents_open(&s->incidents, cause, s->stop.slot[0],
                                      s->stop.slot[s->stop.n_slots - 1], &s->end);
    if (place < 0)
        return;
    if (fault->remedy == HC_REMEDY_NONE)
        hc_life_push(s, s->now_ns + hc_life_draw(&s->streams, &fault->lasts_s, HC_STREAM_DETECT),
                     HC_LIFE_PASSES, place);
    else if (fault->effect == HC_EFFECT_NONE)
        hc_life_push(s, s->now_ns + hc_life_ns(fault->forced_after_s), HC_LIFE_FOUND, place);
    else
        hc_life_push(s, s->now_ns + hc_life_detect_ns(s, fault), HC_LIFE_FOUND, place);
    struct hc_life_progress *p = &s->progress;
    bool is_slowest = fault->effect == HC_EFFECT_SLOW && fault->slow_factor > p->slow;
    hc_work_weigh(p, is_slowest ? fault->slow_factor : p->slow,
                  p->is_tainted || fault->effect == HC_EFFECT_CORRUPT);
}

bool hc_life_strike(struct hc_life *s, int32_t cause, bool running)
{
    bool is_added = cause >= HC_LIFETIME_MAX_FAULTS; /* by the infancy of a node */
    cause -= is_added ? HC_LIFETIME_MAX_FAULTS : 0;
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    s->out->count[HC_COUNT_EVENTS]++;
    if (is_added)
        stop_slot(s, cause, hc_infants_take(&s->arrivals, cause), true);
    else if (fault->n_incidents)
        place_incident(s, cause);
    else
        place_arrival(s, cause);
    if (s->elastic)
        hc_life_elastic_struck(s, cause);
    if (!s->stop.n_slots) { /* the record is of another job's node; the node does not run */
        s->out->count[HC_COUNT_ABSORBED] += fault->n_incidents > 0;
        return false;
    }
    s->out->count[HC_COUNT_FAULTS]++;
    s->out->faults[cause]++;
    hc_life_mark(s, cause, s->stop.slot[0], fault->name);
    bool waits = fault->effect == HC_EFFECT_NONE && (fault->forced_after_s > 0 || !running);
    if (waits || fault->effect == HC_EFFECT_SLOW || fault->effect == HC_EFFECT_CORRUPT) {
        open_incident(s, cause);
        return false;
    }
    s->stop.kind = HC_STOP_FAULT;
    s->stop.which = cause;
    return true;
}
