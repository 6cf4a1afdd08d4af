/* Infant mortality: a node that comes from repair fails at another rate (infant_factor times its
 * own) until it has been exposed in the job for some time.
 *
 * Above a factor of 1 the surplus is a second process of arrivals beside the usual one, which
 * leaves the usual draws as they are. This is exact since only exponential causes may have a
 * factor. Below 1, a part of the usual strikes is dropped by chance. */
#include "sim/lifetime/life/life_arrivals.h"

#include "core/base/memory.h"

enum hc_status hc_infants_init(struct hc_life_arrivals *a, struct hc_error *err)
{
    size_t slots = (size_t)a->config->job.nodes;
    struct hc_life_infants *in = hc_new_array(1, sizeof *in, err);
    a->infants = in;
    if (!in ||
        !(in->used_ns = hc_new_array((size_t)a->compiled->n_nodes, sizeof *in->used_ns, err)) ||
        !(in->since_ns = hc_new_array(slots, sizeof *in->since_ns, err)))
        return err->status;
    for (size_t f = 0; f < a->config->n_faults; f++) {
        in->factor[f] = a->config->fault[f].infant_factor;
        if (in->factor[f] == 1)
            continue;
        in->lasts_ns[f] = hc_life_ns(a->config->fault[f].infant_s);
        if (!(in->next_ns[f] = hc_new_array(slots, sizeof *in->next_ns[f], err)))
            return err->status;
    }
    return HC_OK;
}

void hc_infants_begin(struct hc_life_arrivals *a)
{
    struct hc_life_infants *in = a->infants;
    for (int32_t node = 0; node < a->compiled->n_nodes; node++)
        in->used_ns[node] = -1;
    for (int32_t slot = 0; slot < a->config->job.nodes; slot++)
        in->since_ns[slot] = -1;
    for (size_t f = 0; f < a->config->n_faults; f++)
        for (int32_t slot = 0; in->lasts_ns[f] && slot < a->config->job.nodes; slot++)
            in->next_ns[f][slot] = HC_LIFE_NEVER;
}

/* Exposure (ns) that the node in this slot still has to pass before its infancy ends; <= 0: it has
 * ended, or never was. */
static int64_t left_ns(const struct hc_life_arrivals *a, int32_t cause, int32_t slot)
{
    const struct hc_life_infants *in = a->infants;
    if (in->since_ns[slot] < 0)
        return 0;
    return in->lasts_ns[cause] - in->used_ns[a->slots->node[slot]] -
           (a->exposure_ns - in->since_ns[slot]);
}

/* Draw when the surplus of the infant's rate next strikes, and enter it in the calendar unless the
 * infancy ends before. */
static void draw_next(struct hc_life_arrivals *a, int32_t cause, int32_t slot)
{
    struct hc_life_infants *in = a->infants;
    double rate = hc_slots_is_lemon(a->slots, slot) ? a->compiled->rate_lemon[cause]
                                                    : a->compiled->rate_healthy[cause];
    rate *= in->factor[cause] - 1;
    int64_t left = left_ns(a, cause, slot);
    in->next_ns[cause][slot] = HC_LIFE_NEVER;
    if (rate <= 0 || left <= 0 || a->end->status)
        return;
    struct hc_distribution d = hc_distribution_exponential(1 / rate * 1e-9);
    int64_t wait_ns = hc_life_ns(hc_distribution_draw(&d, &a->streams->extra[HC_EXTRA_INFANTS]));
    if (wait_ns >= left)
        return;
    in->next_ns[cause][slot] = a->exposure_ns + wait_ns;
    hc_arrivals_enter(a, wait_ns, cause + HC_LIFETIME_MAX_FAULTS, slot);
}

void hc_infants_repaired(struct hc_life_arrivals *a, int32_t node)
{
    a->infants->used_ns[node] = 0;
}

void hc_infants_leave(struct hc_life_arrivals *a, int32_t slot)
{
    struct hc_life_infants *in = a->infants;
    if (in->since_ns[slot] < 0)
        return;
    in->used_ns[a->slots->node[slot]] += a->exposure_ns - in->since_ns[slot];
    in->since_ns[slot] = -1;
    for (size_t f = 0; f < a->config->n_faults; f++)
        if (in->lasts_ns[f])
            in->next_ns[f][slot] = HC_LIFE_NEVER;
    hc_arrivals_drop_stale(a);
}

void hc_infants_come(struct hc_life_arrivals *a, int32_t slot)
{
    struct hc_life_infants *in = a->infants;
    if (in->used_ns[a->slots->node[slot]] < 0)
        return;
    in->since_ns[slot] = a->exposure_ns;
    for (int32_t f = 0; f < (int32_t)a->config->n_faults; f++)
        if (in->lasts_ns[f])
            draw_next(a, f, slot);
}

int32_t hc_infants_take(struct hc_life_arrivals *a, int32_t cause)
{
    int32_t slot = hc_event_heap_pop(&a->clocks).who;
    draw_next(a, cause, slot);
    hc_arrivals_drop_stale(a);
    return slot;
}

enum hc_infant_strike hc_infants_strike(struct hc_life_arrivals *a, int32_t cause, int32_t slot,
                                        bool is_added)
{
    const struct hc_life_infants *in = a->infants;
    if (!in->lasts_ns[cause] || left_ns(a, cause, slot) <= 0)
        return HC_INFANT_NONE;
    if (!is_added && in->factor[cause] < 1 &&
        hc_philox_uniform(&a->streams->extra[HC_EXTRA_INFANTS]) >= in->factor[cause])
        return HC_INFANT_SPARED;
    return HC_INFANT_STRUCK;
}
