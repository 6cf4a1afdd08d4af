/* Infant mortality: a node that was repaired has another rate for a while, which counts exposure in
 * the job.
 *
 * Arrivals of a cause stay what they are. What a factor above 1 adds is a process of each repaired
 * node of its own, for the rest of its infancy; what one below 1 takes away is thinned. Both are
 * exact for exponential causes, which are the only ones that may have a factor. */
#include "sim/lifetime/lifetime_state.h"

#include "core/base/memory.h"

#include <stdlib.h>

struct hc_life_infants {
    int64_t *used_ns;  /* of node: exposure since its repair; -1: none */
    int64_t *since_ns; /* of slot: exposure when such a node came; -1: none */
    int64_t *next_ns[HC_LIFETIME_MAX_FAULTS]; /* of slot, by exposure; tells stale entries */
    int64_t lasts_ns[HC_LIFETIME_MAX_FAULTS]; /* 0: the cause knows no infants */
    double factor[HC_LIFETIME_MAX_FAULTS];
};

enum hc_status hc_life_infants_init(struct hc_life *s, struct hc_error *err)
{
    size_t slots = (size_t)s->config->job.nodes;
    struct hc_life_infants *in = hc_new_array(1, sizeof *in, err);
    s->infants = in;
    if (!in || !(in->used_ns = hc_new_array((size_t)s->plan->n_nodes, sizeof *in->used_ns, err)) ||
        !(in->since_ns = hc_new_array(slots, sizeof *in->since_ns, err)))
        return err->status;
    for (size_t f = 0; f < s->config->n_faults; f++) {
        in->factor[f] = s->config->fault[f].infant_factor;
        if (in->factor[f] == 1)
            continue;
        in->lasts_ns[f] = hc_life_ns(s->config->fault[f].infant_s);
        if (!(in->next_ns[f] = hc_new_array(slots, sizeof *in->next_ns[f], err)))
            return err->status;
    }
    return HC_OK;
}

void hc_life_infants_fini(struct hc_life *s)
{
    struct hc_life_infants *in = s->infants;
    for (size_t f = 0; in && f < HC_LIFETIME_MAX_FAULTS; f++)
        free(in->next_ns[f]);
    if (in) {
        free(in->used_ns);
        free(in->since_ns);
    }
    free(in);
}

void hc_life_infants_reset(struct hc_life *s)
{
    struct hc_life_infants *in = s->infants;
    for (int32_t node = 0; node < s->plan->n_nodes; node++)
        in->used_ns[node] = -1;
    for (int32_t slot = 0; slot < s->config->job.nodes; slot++)
        in->since_ns[slot] = -1;
    for (size_t f = 0; f < s->config->n_faults; f++)
        for (int32_t slot = 0; in->lasts_ns[f] && slot < s->config->job.nodes; slot++)
            in->next_ns[f][slot] = HC_LIFE_NEVER;
}

/* Exposure that is left of the infancy of the node in a slot; <= 0: none. */
static int64_t left_ns(const struct hc_life *s, int32_t cause, int32_t slot)
{
    const struct hc_life_infants *in = s->infants;
    if (in->since_ns[slot] < 0)
        return 0;
    return in->lasts_ns[cause] - in->used_ns[s->slot_node[slot]] -
           (s->exposure_ns - in->since_ns[slot]);
}

/* The next arrival that infancy adds, when it comes before the end of it. */
static void draw_next(struct hc_life *s, int32_t cause, int32_t slot)
{
    struct hc_life_infants *in = s->infants;
    const struct hc_compiled_lifetime *plan = s->plan;
    bool is_lemon = s->lemon_index[slot] >= 0;
    double rate =
        (is_lemon ? plan->rate_lemon[cause] : plan->rate_healthy[cause]) * (in->factor[cause] - 1);
    int64_t left = left_ns(s, cause, slot);
    in->next_ns[cause][slot] = HC_LIFE_NEVER;
    if (rate <= 0 || left <= 0 || s->status)
        return;
    struct hc_distribution d = hc_distribution_exponential(1 / rate * 1e-9);
    int64_t wait_ns = hc_life_ns(hc_distribution_draw(&d, &s->extra[HC_EXTRA_INFANTS]));
    if (wait_ns >= left)
        return;
    in->next_ns[cause][slot] = s->exposure_ns + wait_ns;
    s->status = hc_event_heap_push(&s->clocks,
                                   (struct hc_event){.time_ns = s->exposure_ns + wait_ns,
                                                     .kind = cause + HC_LIFETIME_MAX_FAULTS,
                                                     .who = slot},
                                   s->err);
    s->over |= s->status != HC_OK;
}

void hc_life_infant_repaired(struct hc_life *s, int32_t node)
{
    s->infants->used_ns[node] = 0;
}

/* The node of this slot goes: its infancy, if it has one, goes on when it comes back. */
void hc_life_infant_leaves(struct hc_life *s, int32_t slot)
{
    struct hc_life_infants *in = s->infants;
    if (in->since_ns[slot] < 0)
        return;
    in->used_ns[s->slot_node[slot]] += s->exposure_ns - in->since_ns[slot];
    in->since_ns[slot] = -1;
    for (size_t f = 0; f < s->config->n_faults; f++)
        if (in->lasts_ns[f])
            in->next_ns[f][slot] = HC_LIFE_NEVER;
    hc_life_drop_stale(s);
}

void hc_life_infant_comes(struct hc_life *s, int32_t slot)
{
    struct hc_life_infants *in = s->infants;
    if (in->used_ns[s->slot_node[slot]] < 0)
        return;
    in->since_ns[slot] = s->exposure_ns;
    for (int32_t f = 0; f < (int32_t)s->config->n_faults; f++)
        if (in->lasts_ns[f])
            draw_next(s, f, slot);
}

int64_t hc_life_infant_next_ns(const struct hc_life *s, int32_t cause, int32_t slot)
{
    return s->infants->next_ns[cause][slot];
}

/* The arrival that infancy added and that is due: its slot. */
int32_t hc_life_infant_strikes(struct hc_life *s, int32_t cause)
{
    int32_t slot = hc_event_heap_pop(&s->clocks).who;
    draw_next(s, cause, slot);
    hc_life_drop_stale(s);
    return slot;
}

/* A fault of this cause is to strike this slot: false where infancy spares it. */
bool hc_life_infant_struck(struct hc_life *s, int32_t cause, int32_t slot, bool added)
{
    struct hc_life_infants *in = s->infants;
    if (!in->lasts_ns[cause] || left_ns(s, cause, slot) <= 0)
        return true;
    if (!added && in->factor[cause] < 1 &&
        hc_philox_uniform(&s->extra[HC_EXTRA_INFANTS]) >= in->factor[cause])
        return false;
    s->out->count[HC_COUNT_INFANT_FAULTS]++;
    return true;
}
