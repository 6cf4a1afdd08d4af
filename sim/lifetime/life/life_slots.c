#include "sim/lifetime/life/life_slots.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_slots_init(struct hc_life_slots *slots, int32_t n, struct hc_error *err)
{
    slots->n = n;
    bool made = (slots->node = hc_new_array((size_t)n, sizeof *slots->node, err)) &&
                (slots->lemon_slot = hc_new_array((size_t)n, sizeof *slots->lemon_slot, err)) &&
                (slots->lemon_index = hc_new_array((size_t)n, sizeof *slots->lemon_index, err));
    return made ? HC_OK : err->status;
}

void hc_slots_fini(struct hc_life_slots *slots)
{
    free(slots->node);
    free(slots->lemon_slot);
    free(slots->lemon_index);
}

void hc_slots_begin(struct hc_life_slots *slots, int32_t first_node, const bool *lemon)
{
    slots->n_lemons = 0;
    for (int32_t slot = 0; slot < slots->n; slot++) {
        slots->node[slot] = first_node + slot;
        slots->lemon_index[slot] = -1;
        hc_slots_set_lemon(slots, slot, lemon[first_node + slot]);
    }
}

void hc_slots_set_lemon(struct hc_life_slots *slots, int32_t slot, bool lemon)
{
    int32_t at = slots->lemon_index[slot];
    if (lemon == (at >= 0))
        return;
    if (lemon) {
        slots->lemon_index[slot] = slots->n_lemons;
        slots->lemon_slot[slots->n_lemons++] = slot;
        return;
    }
    int32_t last = slots->lemon_slot[--slots->n_lemons];
    slots->lemon_slot[at] = last;
    slots->lemon_index[last] = at;
    slots->lemon_index[slot] = -1;
}
