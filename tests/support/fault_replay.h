/* fault_replay.h - the faults of one replica, noted down and given back to a config in place of
 * what they were drawn from. */
#ifndef HC_TESTS_FAULT_REPLAY_H
#define HC_TESTS_FAULT_REPLAY_H

#include "core/base/memory.h"
#include "sim/lifetime/lifetime_faults.h"

#include <stdlib.h>

struct noted_faults {
    struct hc_drawn_fault *row;
    size_t n, capacity;
};

static inline enum hc_status note_fault(void *context, const struct hc_drawn_fault *fault,
                                        struct hc_error *err)
{
    struct noted_faults *noted = context;
    if (hc_reserve(&noted->row, &noted->capacity, noted->n + 1, sizeof *noted->row, err))
        return err->status;
    noted->row[noted->n++] = *fault;
    return HC_OK;
}

static inline int by_noted_order(const void *a, const void *b)
{
    const struct hc_drawn_fault *x = a, *y = b;
    if (x->at_ns != y->at_ns)
        return x->at_ns < y->at_ns ? -1 : 1;
    if (x->part_of != y->part_of)
        return x->part_of < y->part_of ? -1 : 1;
    return (x->slot > y->slot) - (x->slot < y->slot);
}

/* A config that replays: its faults have no clocks, only records. Points into itself. */
struct fault_replay {
    struct hc_lifetime_config config;
    struct hc_lifetime_fault fault[HC_LIFETIME_MAX_FAULTS];
    struct hc_lifetime_incident *incident;
    struct hc_lifetime_record *record;
};

static inline void fault_replay_init(struct fault_replay *replay,
                                     const struct hc_lifetime_config *config,
                                     struct noted_faults *noted, struct hc_error *err)
{
    size_t at = 0;
    if (noted->n)
        qsort(noted->row, noted->n, sizeof *noted->row, by_noted_order);
    replay->config = *config;
    replay->incident = hc_new_array(noted->n + 1, sizeof *replay->incident, err);
    replay->record = hc_new_array(noted->n + 1, sizeof *replay->record, err);
    for (size_t f = 0; f < config->n_faults; f++) {
        struct hc_lifetime_fault *fault = &replay->fault[f];
        *fault = config->fault[f];
        fault->per_day = 0;
        fault->between_s = hc_distribution_constant(0);
        fault->on_healthy = fault->on_lemon = 1;
        fault->incident = &replay->incident[at];
        fault->record = &replay->record[at];
        fault->n_incidents = 0;
        for (size_t i = 0; i < noted->n; i++) {
            const struct hc_drawn_fault *row = &noted->row[i];
            if (row->cause != (int32_t)f)
                continue;
            replay->incident[at] =
                (struct hc_lifetime_incident){(double)row->at_ns * 1e-9, row->slot, 1};
            replay->record[at++] = (struct hc_lifetime_record){
                row->at_ns, row->detected_ns, row->located_ns, row->recovered_ns, row->part_of};
            fault->n_incidents++;
        }
    }
    replay->config.fault = replay->fault;
}

static inline void fault_replay_fini(struct fault_replay *replay, struct noted_faults *noted)
{
    free(replay->incident);
    free(replay->record);
    free(noted->row);
    *noted = (struct noted_faults){0};
}

#endif
