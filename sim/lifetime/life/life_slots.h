/* life_slots.h - which node is in which slot of the job, and which slots have lemons.
 * Private to this wing.
 *
 * In a pool without an end slot i holds node i, renewed in place. In one with an end a slot whose
 * node was evicted is empty (-1) until another comes.
 *
 * Invariant: lemon_slot[0..n_lemons) are the slots with lemons, and lemon_index[slot] is the place
 * of the slot in it, -1: no lemon. An empty slot keeps what its last node was until the next comes,
 * as the rates of faults are those of whole jobs.
 */
#ifndef HC_SIM_LIFETIME_LIFE_LIFE_SLOTS_H
#define HC_SIM_LIFETIME_LIFE_LIFE_SLOTS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdint.h>

struct hc_life_slots {
    int32_t n;
    int32_t *node;
    int32_t *lemon_slot, *lemon_index, n_lemons;
};

enum hc_status hc_slots_init(struct hc_life_slots *slots, int32_t n, struct hc_error *err);
void hc_slots_fini(struct hc_life_slots *slots);
/* Slot i has node first_node + i; lemon says of each node of the pool whether it is one. */
void hc_slots_begin(struct hc_life_slots *slots, int32_t first_node, const bool *lemon);
void hc_slots_set_lemon(struct hc_life_slots *slots, int32_t slot, bool lemon);

static inline bool hc_slots_is_lemon(const struct hc_life_slots *slots, int32_t slot)
{
    return slots->lemon_index[slot] >= 0;
}

#endif
