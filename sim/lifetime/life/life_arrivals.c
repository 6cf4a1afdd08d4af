#include "sim/lifetime/life/life_arrivals.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_arrivals_init(struct hc_life_arrivals *a,
                                const struct hc_compiled_lifetime *compiled, struct hc_error *err)
{
    a->compiled = compiled;
    a->config = compiled->config;
    if (hc_event_heap_init(&a->clocks, 16, err))
        return err->status;
    for (size_t f = 0; f < a->config->n_faults; f++) {
        size_t n = (size_t)compiled->n_units[f];
        if (hc_distribution_mean(&a->config->fault[f].between_s) > 0 &&
            !(a->clock_ns[f] = hc_new_array(n, sizeof *a->clock_ns[f], err)))
            return err->status;
    }
    return HC_OK;
}

void hc_arrivals_fini(struct hc_life_arrivals *a)
{
    struct hc_life_infants *infants = a->infants;
    for (int f = 0; f < HC_LIFETIME_MAX_FAULTS; f++) {
        free(a->clock_ns[f]);
        if (infants)
            free(infants->next_ns[f]);
    }
    if (infants) {
        free(infants->used_ns);
        free(infants->since_ns);
    }
    free(infants);
    hc_event_heap_fini(&a->clocks);
}

static double rate_per_ns(const struct hc_life_arrivals *a, int32_t cause, int32_t n_lemons)
{
    const struct hc_compiled_lifetime *c = a->compiled;
    return c->rate_healthy[cause] * (c->n_units[cause] - n_lemons) +
           c->rate_lemon[cause] * n_lemons;
}

static void draw_arrival(struct hc_life_arrivals *a, int32_t cause)
{
    double rate = rate_per_ns(a, cause, a->slots->n_lemons);
    a->next_ns[cause] = HC_LIFE_NEVER;
    if (rate <= 0)
        return;
    double u = hc_open_uniform(&a->streams->rng[HC_STREAM_ARRIVAL + cause]);
    struct hc_distribution d = hc_distribution_exponential(1 / rate * 1e-9);
    int64_t wait_ns = hc_life_ns(hc_distribution_exceeded(&d, u));
    if (wait_ns < HC_LIFE_NEVER)
        a->next_ns[cause] = a->exposure_ns + wait_ns;
}

/* After wait_ns more of exposure, or never: hardly any rate may be left. */
static int64_t exposed_for(const struct hc_life_arrivals *a, double wait_ns)
{
    return wait_ns < (double)HC_LIFE_NEVER ? a->exposure_ns + (int64_t)(wait_ns + 0.5)
                                           : HC_LIFE_NEVER;
}

void hc_arrivals_rates_changed(struct hc_life_arrivals *a, int32_t n_before)
{
    if (!a->compiled->lemons_differ || n_before == a->slots->n_lemons)
        return;
    for (int32_t f = 0; f < (int32_t)a->config->n_faults; f++) {
        if (a->compiled->rate_healthy[f] == a->compiled->rate_lemon[f])
            continue;
        double before = rate_per_ns(a, f, n_before);
        double after = rate_per_ns(a, f, a->slots->n_lemons);
        if (before <= 0 || after <= 0 || a->next_ns[f] >= HC_LIFE_NEVER)
            draw_arrival(a, f);
        else
            a->next_ns[f] =
                exposed_for(a, (double)(a->next_ns[f] - a->exposure_ns) * (before / after));
    }
}

void hc_arrivals_enter(struct hc_life_arrivals *a, int64_t wait_ns, int32_t kind, int32_t who)
{
    struct hc_event event = {.time_ns = a->exposure_ns + wait_ns, .kind = kind, .who = who};
    if (!a->end->status)
        hc_life_failed(a->end, hc_event_heap_push(&a->clocks, event, a->end->err));
}

/* Of a node that the job has when it is submitted. */
static double first_wait_s(const struct hc_lifetime_fault *fault, struct hc_philox *rng)
{
    if (fault->age == HC_AGE_STATIONARY)
        return hc_distribution_draw_residual(&fault->between_s, rng);
    double age_s = fault->age == HC_AGE_GIVEN ? hc_distribution_draw(&fault->age_s, rng) : 0;
    return hc_distribution_draw_left(&fault->between_s, age_s, rng);
}

static void start_clock(struct hc_life_arrivals *a, int32_t cause, int32_t unit, bool is_first)
{
    const struct hc_lifetime_fault *fault = &a->config->fault[cause];
    struct hc_philox *rng = &a->streams->rng[HC_STREAM_ARRIVAL + cause];
    int64_t wait_ns = hc_life_ns(is_first ? first_wait_s(fault, rng)
                                          : hc_distribution_draw(&fault->between_s, rng));
    a->clock_ns[cause][unit] = a->exposure_ns + wait_ns;
    if (wait_ns < HC_LIFE_NEVER)
        hc_arrivals_enter(a, wait_ns, cause, unit);
}

/* The incidents of this replica: of all that were recorded, or of one recorded life. */
static void seek_incidents(struct hc_life_arrivals *a, int32_t cause, uint64_t replica)
{
    const struct hc_lifetime_fault *fault = &a->config->fault[cause];
    const struct hc_lifetime_recorded_lives *lives = &fault->lives;
    a->next_incident[cause] = 0;
    a->end_incident[cause] = fault->n_incidents;
    if (!lives->n)
        return;
    uint64_t number = replica + a->config->first_replica, n = lives->n;
    size_t life = (size_t)((number % n + n - lives->first % n) % n);
    a->next_incident[cause] = lives->begin[life];
    a->end_incident[cause] = lives->begin[life + 1];
}

void hc_arrivals_begin(struct hc_life_arrivals *a, uint64_t replica)
{
    a->exposure_ns = 0;
    hc_event_heap_clear(&a->clocks);
    for (int32_t f = 0; f < (int32_t)a->config->n_faults; f++) {
        a->next_ns[f] = HC_LIFE_NEVER;
        seek_incidents(a, f, replica);
        if (a->clock_ns[f])
            for (int32_t unit = 0; unit < a->compiled->n_units[f]; unit++)
                start_clock(a, f, unit, true);
        else if (!a->config->fault[f].n_incidents)
            draw_arrival(a, f);
    }
}

void hc_arrivals_drop_stale(struct hc_life_arrivals *a)
{
    while (a->clocks.n) {
        const struct hc_event *top = &a->clocks.event[0];
        int32_t cause = top->kind - HC_LIFETIME_MAX_FAULTS;
        if (top->time_ns ==
            (cause < 0 ? a->clock_ns[top->kind][top->who] : a->infants->next_ns[cause][top->who]))
            return;
        hc_event_heap_pop(&a->clocks);
    }
}

void hc_arrivals_renew(struct hc_life_arrivals *a, int32_t slot)
{
    int32_t each = a->config->job.gpus_per_node;
    for (int32_t f = 0; f < (int32_t)a->config->n_faults && a->compiled->has_clocks; f++) {
        if (!a->clock_ns[f])
            continue;
        if (a->config->fault[f].unit == HC_PER_NODE)
            start_clock(a, f, slot, false);
        for (int32_t g = 0; a->config->fault[f].unit == HC_PER_DEVICE && g < each; g++)
            start_clock(a, f, slot * each + g, false);
    }
    hc_arrivals_drop_stale(a);
}

int32_t hc_arrivals_take(struct hc_life_arrivals *a, int32_t cause)
{
    if (!a->clock_ns[cause]) {
        draw_arrival(a, cause);
        return -1;
    }
    int32_t unit = hc_event_heap_pop(&a->clocks).who;
    start_clock(a, cause, unit, false);
    hc_arrivals_drop_stale(a);
    return unit;
}

int64_t hc_arrivals_next_ns(const struct hc_life_arrivals *a, int64_t now_ns, int32_t *cause)
{
    int64_t first = hc_event_heap_next_ns(&a->clocks), wall = HC_LIFE_NEVER;
    int32_t by = a->clocks.n ? a->clocks.event[0].kind : 0;
    for (int32_t f = 0; f < (int32_t)a->config->n_faults; f++) {
        if (a->next_ns[f] < first) {
            first = a->next_ns[f];
            by = f;
        }
    }
    if (first < HC_LIFE_NEVER)
        wall = now_ns + (first - a->exposure_ns);
    int32_t last_part = -1; /* at one time faults of a list keep the order in which they struck */
    for (int32_t f = 0; f < (int32_t)a->config->n_faults && a->compiled->has_records; f++) {
        const struct hc_lifetime_fault *fault = &a->config->fault[f];
        if (a->next_incident[f] >= a->end_incident[f])
            continue;
        int64_t at = hc_incident_at_ns(fault, a->next_incident[f]);
        int32_t part = fault->record ? fault->record[a->next_incident[f]].part_of : -1;
        if (at < wall || (at == wall && part < last_part)) {
            wall = at;
            by = f;
            last_part = part;
        }
    }
    *cause = by;
    return wall > now_ns ? wall : now_ns;
}

/* Whether a record is of another fault than the one before it. */
static bool begins_fault(const struct hc_lifetime_fault *fault, size_t first, size_t row)
{
    return row == first || !fault->record || fault->record[row].part_of < 0 ||
           fault->record[row].part_of != fault->record[row - 1].part_of;
}

int64_t hc_arrivals_skip_incidents(struct hc_life_arrivals *a, int64_t now_ns)
{
    int64_t n = 0;
    for (size_t f = 0; f < a->config->n_faults && a->compiled->has_records; f++) {
        const struct hc_lifetime_fault *fault = &a->config->fault[f];
        size_t first = a->next_incident[f];
        while (a->next_incident[f] < a->end_incident[f] &&
               hc_incident_at_ns(fault, a->next_incident[f]) < now_ns) {
            n += begins_fault(fault, first, a->next_incident[f]);
            a->next_incident[f]++;
        }
    }
    return n;
}
