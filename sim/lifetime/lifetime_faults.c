/* When faults strike, where, and what they do at once.
 *
 * The clocks of faults count exposure: time in which the job can be struck. Exponential ones have
 * one clock a cause, of the rate of all its units together; when that rate changes, the time left
 * is stretched, which keeps it exponential. Renewals have a clock a unit. Records go by wall time.
 */
#include "sim/lifetime/lifetime_state.h"

#include "core/base/memory.h"

static double rate_per_ns(const struct hc_life *s, int32_t cause, int32_t n_lemons)
{
    const struct hc_compiled_lifetime *plan = s->plan;
    return plan->rate_healthy[cause] * (plan->n_units[cause] - n_lemons) +
           plan->rate_lemon[cause] * n_lemons;
}

static void draw_arrival(struct hc_life *s, int32_t cause)
{
    double rate = rate_per_ns(s, cause, s->n_lemon_slots);
    s->next_ns[cause] = HC_LIFE_NEVER;
    if (rate <= 0)
        return;
    double u = hc_open_uniform(&s->rng[HC_STREAM_ARRIVAL + cause]);
    struct hc_distribution d = hc_distribution_exponential(1 / rate * 1e-9);
    int64_t wait_ns = hc_life_ns(hc_distribution_exceeded(&d, u));
    if (wait_ns < HC_LIFE_NEVER)
        s->next_ns[cause] = s->exposure_ns + wait_ns;
}

/* After wait_ns more of exposure, or never: hardly any rate may be left. */
static int64_t exposed_for(const struct hc_life *s, double wait_ns)
{
    return wait_ns < (double)HC_LIFE_NEVER ? s->exposure_ns + (int64_t)(wait_ns + 0.5)
                                           : HC_LIFE_NEVER;
}

/* The number of slots with lemons is not lemons_before any more. */
void hc_life_rates_changed(struct hc_life *s, int32_t lemons_before)
{
    if (!s->plan->lemons_differ || lemons_before == s->n_lemon_slots)
        return;
    for (int32_t f = 0; f < (int32_t)s->config->n_faults; f++) {
        if (s->plan->rate_healthy[f] == s->plan->rate_lemon[f])
            continue;
        double before = rate_per_ns(s, f, lemons_before);
        double after = rate_per_ns(s, f, s->n_lemon_slots);
        if (before <= 0 || after <= 0 || s->next_ns[f] >= HC_LIFE_NEVER)
            draw_arrival(s, f);
        else
            s->next_ns[f] =
                exposed_for(s, (double)(s->next_ns[f] - s->exposure_ns) * (before / after));
    }
}

static void start_clock(struct hc_life *s, int32_t cause, int32_t unit)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    int64_t wait_ns =
        hc_life_ns(hc_distribution_draw(&fault->between_s, &s->rng[HC_STREAM_ARRIVAL + cause]));
    s->clock_ns[cause][unit] = s->exposure_ns + wait_ns;
    if (wait_ns >= HC_LIFE_NEVER || s->status)
        return;
    s->status = hc_event_heap_push(
        &s->clocks,
        (struct hc_event){.time_ns = s->exposure_ns + wait_ns, .kind = cause, .who = unit}, s->err);
    s->over |= s->status != HC_OK;
}

/* Entries of units that were renewed since are no faults. */
void hc_life_drop_stale(struct hc_life *s)
{
    while (s->clocks.n) {
        const struct hc_event *top = &s->clocks.event[0];
        int32_t cause = top->kind - HC_LIFETIME_MAX_FAULTS;
        if (top->time_ns == (cause < 0 ? s->clock_ns[top->kind][top->who]
                                       : hc_life_infant_next_ns(s, cause, top->who)))
            return;
        hc_event_heap_pop(&s->clocks);
    }
}

/* A new node in this slot: the renewals of its own begin anew. */
void hc_life_renew_clocks(struct hc_life *s, int32_t slot)
{
    for (int32_t f = 0; f < (int32_t)s->config->n_faults && s->plan->has_clocks; f++) {
        if (!s->clock_ns[f])
            continue;
        if (s->config->fault[f].unit == HC_PER_NODE)
            start_clock(s, f, slot);
        for (int32_t g = 0;
             s->config->fault[f].unit == HC_PER_DEVICE && g < s->config->job.gpus_per_node; g++)
            start_clock(s, f, slot * s->config->job.gpus_per_node + g);
    }
    hc_life_drop_stale(s);
}

void hc_life_faults_start(struct hc_life *s)
{
    for (int32_t f = 0; f < (int32_t)s->config->n_faults; f++) {
        s->next_ns[f] = HC_LIFE_NEVER;
        s->next_incident[f] = 0;
        if (s->clock_ns[f])
            for (int32_t unit = 0; unit < s->plan->n_units[f]; unit++)
                start_clock(s, f, unit);
        else if (!s->config->fault[f].n_incidents)
            draw_arrival(s, f);
    }
}

/* Wall time of the next fault, if the job is exposed until then, and its cause; one that infancy
 * added is cause + HC_LIFETIME_MAX_FAULTS. */
int64_t hc_life_fault_ns(const struct hc_life *s, int32_t *cause)
{
    int64_t first = hc_event_heap_next_ns(&s->clocks), wall = HC_LIFE_NEVER;
    int32_t by = s->clocks.n ? s->clocks.event[0].kind : 0;
    for (int32_t f = 0; f < (int32_t)s->config->n_faults; f++) {
        if (s->next_ns[f] < first) {
            first = s->next_ns[f];
            by = f;
        }
    }
    if (first < HC_LIFE_NEVER)
        wall = s->now_ns + (first - s->exposure_ns);
    for (int32_t f = 0; f < (int32_t)s->config->n_faults && s->plan->has_records; f++) {
        const struct hc_lifetime_fault *fault = &s->config->fault[f];
        if (s->next_incident[f] >= fault->n_incidents)
            continue;
        int64_t at = hc_life_ns(fault->incident[s->next_incident[f]].at_s);
        if (at < wall) {
            wall = at;
            by = f;
        }
    }
    *cause = by;
    return wall > s->now_ns ? wall : s->now_ns;
}

/* Recorded incidents of a time in which nothing could strike. */
void hc_life_skip_incidents(struct hc_life *s)
{
    for (size_t f = 0; f < s->config->n_faults && s->plan->has_records; f++) {
        const struct hc_lifetime_fault *fault = &s->config->fault[f];
        while (s->next_incident[f] < fault->n_incidents &&
               hc_life_ns(fault->incident[s->next_incident[f]].at_s) < s->now_ns) {
            s->next_incident[f]++;
            s->out->count[HC_COUNT_ABSORBED]++;
        }
    }
}

/* A slot for a fault of one node: lemons and ordinary ones by their rates. */
static int32_t choose_slot(struct hc_life *s, int32_t cause)
{
    struct hc_philox *rng = &s->rng[HC_STREAM_PLACE];
    const struct hc_compiled_lifetime *plan = s->plan;
    int32_t nodes = s->config->job.nodes, n_lemons = s->n_lemon_slots;
    double healthy = plan->rate_healthy[cause], lemon = plan->rate_lemon[cause];
    if (!n_lemons || healthy == lemon)
        return (int32_t)hc_philox_below(rng, (uint64_t)nodes);
    double of_lemons = lemon * n_lemons, all = of_lemons + healthy * (nodes - n_lemons);
    if (hc_philox_uniform(rng) * all < of_lemons || n_lemons == nodes)
        return s->lemon_slot[hc_philox_below(rng, (uint64_t)n_lemons)];
    int32_t slot;
    do
        slot = (int32_t)hc_philox_below(rng, (uint64_t)nodes);
    while (s->lemon_index[slot] >= 0);
    return slot;
}

static void slots_from(struct hc_life *s, int32_t first, int32_t n)
{
    int32_t nodes = s->config->job.nodes;
    s->stop.n_slots = 0;
    for (int32_t slot = first < 0 ? 0 : first; slot < first + n && slot < nodes; slot++)
        s->stop_slot[s->stop.n_slots++] = slot;
}

/* A fault that comes with the infancy of a node. */
static void place_infant(struct hc_life *s, int32_t cause)
{
    int32_t slot = hc_life_infant_strikes(s, cause);
    hc_life_infant_struck(s, cause, slot, true);
    slots_from(s, slot, 1);
}

/* One of the arrivals of a node's own cause: not where its infancy spares it. */
static void slot_of_node(struct hc_life *s, int32_t cause, int32_t slot)
{
    bool struck = !s->infants || hc_life_infant_struck(s, cause, slot, false);
    slots_from(s, slot, struck);
}

/* What is recorded of further nodes at the very time of incident i is the same stop. */
static void add_together(struct hc_life *s, int32_t cause, const struct hc_lifetime_incident *i)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    while (s->stop.n_slots && fault->effect == HC_EFFECT_STOP &&
           s->next_incident[cause] < fault->n_incidents) {
        const struct hc_lifetime_incident *next = &fault->incident[s->next_incident[cause]];
        if (hc_life_ns(next->at_s) != hc_life_ns(i->at_s) || next->node < 0)
            return;
        int32_t nodes = s->config->job.nodes, last = s->stop_slot[s->stop.n_slots - 1];
        if (next->node <= last || next->node >= nodes)
            return; /* of a node that is taken already, or that the job does not have */
        for (int32_t slot = next->node;
             slot < next->node + (next->nodes > 0 ? next->nodes : 1) && slot < nodes; slot++)
            s->stop_slot[s->stop.n_slots++] = slot;
        s->next_incident[cause]++;
    }
}

/* Which slots a fault takes, into stop_slot; also takes it off its clock. */
static void place_fault(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    int32_t unit = -1;
    if (fault->n_incidents) {
        const struct hc_lifetime_incident *i = &fault->incident[s->next_incident[cause]++];
        int32_t n = i->nodes > 0 ? i->nodes : 1;
        slots_from(s, i->node >= 0 ? i->node : choose_slot(s, cause), n);
        add_together(s, cause, i);
        return;
    }
    if (s->clock_ns[cause]) {
        unit = hc_event_heap_pop(&s->clocks).who;
        start_clock(s, cause, unit);
        hc_life_drop_stale(s);
    } else {
        draw_arrival(s, cause);
    }
    switch (fault->unit) {
    case HC_PER_DOMAIN:
        if (unit < 0)
            unit = (int32_t)hc_philox_below(&s->rng[HC_STREAM_PLACE],
                                            (uint64_t)s->plan->n_units[cause]);
        slots_from(s, unit * fault->domain_nodes, fault->domain_nodes);
        return;
    case HC_PER_DEVICE:
        slot_of_node(s, cause,
                     unit < 0 ? choose_slot(s, cause) : unit / s->config->job.gpus_per_node);
        return;
    case HC_PER_NODE:
        slot_of_node(s, cause, unit < 0 ? choose_slot(s, cause) : unit);
        return;
    default: /* per job: somewhere */
        slots_from(s, choose_slot(s, cause), 1);
    }
}

/* From the fault to its notice. */
int64_t hc_life_detect_ns(struct hc_life *s, const struct hc_lifetime_fault *fault)
{
    const struct hc_lifetime_detection *d = &fault->detection;
    double seconds = hc_distribution_draw(&d->delay_s, &s->rng[HC_STREAM_DETECT]);
    if (d->inspect_every_s > 0)
        seconds += d->inspect_every_s *
                   (hc_philox_uniform(&s->rng[HC_STREAM_DETECT]) + d->inspect_count - 1);
    else if (d->timeout_s > 0 && seconds == 0)
        seconds = d->timeout_s;
    return hc_life_ns(d->timeout_s > 0 && seconds > d->timeout_s ? d->timeout_s : seconds);
}

/* The slowest of what is open decides; and is there a corruption? */
static void weigh(struct hc_life *s, const struct hc_lifetime_fault *fault)
{
    if (fault->effect == HC_EFFECT_SLOW && fault->slow_factor > s->slow)
        s->slow = fault->slow_factor;
    s->is_tainted |= fault->effect == HC_EFFECT_CORRUPT;
}

void hc_life_close_open(struct hc_life *s, size_t which)
{
    int32_t last = s->live[--s->n_live];
    s->live[s->open[which].at] = last;
    s->open[last].at = s->open[which].at;
    s->open[which].live = false;
    s->slow = 1.0;
    s->is_tainted = false;
    for (size_t i = 0; i < s->n_live; i++)
        weigh(s, &s->config->fault[s->open[s->live[i]].fault]);
    if (!s->is_tainted) {
        s->tainted = (struct hc_life_run){0};
        s->saves_tainted = 0;
    }
}

/* Is the node that this incident struck still in the slot? */
static bool is_struck(const struct hc_life *s, size_t which, int32_t slot)
{
    return s->born[slot] <= (int32_t)which;
}

/* An open incident stops the job now: it is at those of its nodes that are still there. One of a
 * single node is at its slot, whoever is there by now. */
void hc_life_stop_open(struct hc_life *s, size_t which)
{
    const struct hc_life_open *open = &s->open[which];
    s->stop.which = open->fault;
    s->stop.n_slots = 0;
    for (int32_t slot = open->slot; slot < open->slot + open->n_slots; slot++)
        if (open->n_slots == 1 || is_struck(s, which, slot))
            s->stop_slot[s->stop.n_slots++] = slot;
}

/* The node of this slot changes: a slow fault ends with the last node that it struck. */
void hc_life_node_leaves(struct hc_life *s, int32_t slot)
{
    s->born[slot] = (int32_t)s->n_open;
    for (size_t i = s->n_live; i-- > 0;) {
        size_t which = (size_t)s->live[i];
        const struct hc_life_open *open = &s->open[which];
        int32_t end = open->slot + open->n_slots, other = open->slot;
        if (slot < open->slot || slot >= end ||
            s->config->fault[open->fault].effect != HC_EFFECT_SLOW)
            continue;
        while (other < end && !is_struck(s, which, other))
            other++;
        if (other == end)
            hc_life_close_open(s, which);
    }
}

/* A fault that the job goes on with. */
static void open_incident(struct hc_life *s, int32_t cause)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    enum hc_status status =
        hc_reserve(&s->open, &s->open_capacity, s->n_open + 1, sizeof *s->open, s->err);
    if (!status)
        status = hc_reserve(&s->live, &s->live_capacity, s->n_live + 1, sizeof *s->live, s->err);
    if (status) {
        s->status = status;
        s->over = true;
        return;
    }
    /* Places are not used again: events in the calendar name them. */
    size_t place = s->n_open++;
    s->open[place] =
        (struct hc_life_open){.fault = cause,
                              .slot = s->stop_slot[0],
                              .n_slots = s->stop_slot[s->stop.n_slots - 1] + 1 - s->stop_slot[0],
                              .at = (int32_t)s->n_live,
                              .live = true};
    s->live[s->n_live++] = (int32_t)place;
    if (fault->remedy == HC_REMEDY_NONE)
        hc_life_push(s, s->now_ns + hc_life_draw(s, &fault->lasts_s, HC_STREAM_DETECT),
                     HC_LIFE_PASSES, (int32_t)place);
    else if (fault->effect == HC_EFFECT_NONE)
        hc_life_push(s, s->now_ns + hc_life_ns(fault->forced_after_s), HC_LIFE_FOUND,
                     (int32_t)place);
    else
        hc_life_push(s, s->now_ns + hc_life_detect_ns(s, fault), HC_LIFE_FOUND, (int32_t)place);
    weigh(s, fault);
}

/* The fault that hc_life_fault_ns() announced is there. */
void hc_life_strike(struct hc_life *s, int32_t cause, bool running)
{
    bool added = cause >= HC_LIFETIME_MAX_FAULTS;
    cause -= added ? HC_LIFETIME_MAX_FAULTS : 0;
    const struct hc_lifetime_fault *fault = &s->config->fault[cause];
    s->out->count[HC_COUNT_EVENTS]++;
    if (added)
        place_infant(s, cause);
    else
        place_fault(s, cause);
    if (s->elastic)
        hc_life_elastic_struck(s, cause);
    if (!s->stop
             .n_slots) { /* a record of a node that is not of this job; a node that does not run */
        s->out->count[HC_COUNT_ABSORBED] += fault->n_incidents > 0;
        return;
    }
    s->out->count[HC_COUNT_FAULTS]++;
    s->out->faults[cause]++;
    if (s->recorder)
        hc_life_record_mark(s, cause, s->stop_slot[0], fault->name);
    bool waits = fault->effect == HC_EFFECT_NONE && (fault->forced_after_s > 0 || !running);
    if (waits || fault->effect == HC_EFFECT_SLOW || fault->effect == HC_EFFECT_CORRUPT) {
        open_incident(s, cause);
        return;
    }
    s->stopped = true;
    s->stop.kind = HC_STOP_FAULT;
    s->stop.which = cause;
}
