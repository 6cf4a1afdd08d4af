#include "sim/lifetime/life/life_incidents.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

enum hc_status hc_incidents_init(struct hc_life_incidents *i,
                                 const struct hc_lifetime_config *config, struct hc_error *err)
{
    i->config = config;
    i->born = hc_new_array((size_t)config->job.nodes, sizeof *i->born, err);
    return i->born ? HC_OK : err->status;
}

void hc_incidents_fini(struct hc_life_incidents *i)
{
    free(i->open);
    free(i->live);
    free(i->born);
}

void hc_incidents_begin(struct hc_life_incidents *i)
{
    i->n_open = i->n_live = 0;
    memset(i->born, 0, (size_t)i->config->job.nodes * sizeof *i->born);
}

int32_t hc_incidents_open(struct hc_life_incidents *i, const struct hc_life_incident *incident,
                          struct hc_life_end *end)
{
    if (hc_life_failed(end, hc_reserve(&i->open, &i->open_capacity, i->n_open + 1, sizeof *i->open,
                                       end->err)) ||
        hc_life_failed(
            end, hc_reserve(&i->live, &i->live_capacity, i->n_live + 1, sizeof *i->live, end->err)))
        return -1;
    int32_t place = (int32_t)i->n_open++;
    i->open[place] = *incident;
    i->open[place].at = (int32_t)i->n_live;
    i->open[place].live = true;
    i->live[i->n_live++] = place;
    return place;
}

void hc_incidents_close(struct hc_life_incidents *i, size_t place)
{
    int32_t last = i->live[--i->n_live];
    i->live[i->open[place].at] = last;
    i->open[last].at = i->open[place].at;
    i->open[place].live = false;
}

size_t hc_life_row_of(const struct hc_lifetime_fault *fault, const struct hc_life_origin *origin,
                      int32_t slot)
{
    size_t low = origin->row, n = (size_t)origin->n_rows;
    while (n > 1) { /* their nodes ascend */
        size_t half = n / 2;
        bool is_above = fault->incident[low + half].node <= slot;
        low += is_above ? half : 0;
        n = is_above ? n - half : half;
    }
    return low;
}

/* Whether the incident took this slot, which is between its first and its last: one of several
 * records took only those that they name. */
static bool is_taken(const struct hc_life_incidents *i, size_t place, int32_t slot)
{
    const struct hc_life_incident *open = &i->open[place];
    const struct hc_lifetime_fault *fault = &i->config->fault[open->fault];
    if (open->origin.n_rows < 2)
        return true;
    const struct hc_lifetime_incident *row =
        &fault->incident[hc_life_row_of(fault, &open->origin, slot)];
    return row->node <= slot && slot < row->node + (row->nodes > 0 ? row->nodes : 1);
}

/* Whether the node that this incident struck is still in the slot. */
static bool is_struck(const struct hc_life_incidents *i, size_t place, int32_t slot)
{
    return i->born[slot] <= (int32_t)place && is_taken(i, place, slot);
}

int32_t hc_incidents_slots(const struct hc_life_incidents *i, size_t place, int32_t *slot)
{
    const struct hc_life_incident *open = &i->open[place];
    int32_t n = 0;
    for (int32_t at = open->slot; at < open->slot + open->n_slots; at++)
        if (open->n_slots == 1 || is_struck(i, place, at))
            slot[n++] = at;
    return n;
}

bool hc_incidents_node_leaves(struct hc_life_incidents *i, int32_t slot)
{
    bool has_ended = false;
    i->born[slot] = (int32_t)i->n_open;
    for (size_t k = i->n_live; k-- > 0;) {
        size_t place = (size_t)i->live[k];
        const struct hc_life_incident *open = &i->open[place];
        int32_t end = open->slot + open->n_slots, other = open->slot;
        if (slot < open->slot || slot >= end ||
            i->config->fault[open->fault].effect != HC_EFFECT_SLOW)
            continue;
        while (other < end && !is_struck(i, place, other))
            other++;
        if (other < end)
            continue;
        hc_incidents_close(i, place);
        has_ended = true;
    }
    return has_ended;
}

double hc_incidents_slow(const struct hc_life_incidents *i, bool *is_tainted)
{
    double slow = 1.0;
    *is_tainted = false;
    for (size_t k = 0; k < i->n_live; k++) {
        const struct hc_lifetime_fault *fault = &i->config->fault[i->open[i->live[k]].fault];
        if (fault->effect == HC_EFFECT_SLOW && fault->slow_factor > slow)
            slow = fault->slow_factor;
        *is_tainted |= fault->effect == HC_EFFECT_CORRUPT;
    }
    return slow;
}
