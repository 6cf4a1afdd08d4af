#include "sim/lifetime/life/life_fault_log.h"

#include "core/base/memory.h"

#include <stdlib.h>

enum hc_status hc_fault_log_init(struct hc_life_fault_log *log,
                                 const struct hc_compiled_lifetime *compiled, struct hc_error *err)
{
    size_t nodes = (size_t)compiled->n_nodes;
    log->free = -1;
    if (!compiled->finite)
        return HC_OK;
    log->note_of = hc_new_array(nodes, sizeof *log->note_of, err);
    for (size_t i = 0; log->note_of && i < nodes; i++)
        log->note_of[i] = -1;
    return log->note_of ? HC_OK : err->status;
}

void hc_fault_log_fini(struct hc_life_fault_log *log)
{
    free(log->note);
    free(log->note_of);
}

/* ---- notes ---- */

static int32_t new_note(struct hc_life_fault_log *log)
{
    int32_t place = log->free;
    if (place >= 0) {
        log->free = log->note[place].next;
        return place;
    }
    if (hc_life_failed(log->end, hc_reserve(&log->note, &log->capacity, log->n + 1,
                                            sizeof *log->note, log->end->err)))
        return -1;
    return (int32_t)log->n++;
}

/* Hand the note out, unless the life has failed, and free its place. */
static void hand_out(struct hc_life_fault_log *log, int32_t place)
{
    struct hc_life_note *note = &log->note[place];
    if (!log->end->status)
        hc_life_failed(log->end, log->sink(log->context, &note->fault, log->end->err));
    note->is_used = false;
    note->next = log->free;
    log->free = place;
}

int32_t hc_fault_log_open(struct hc_life_fault_log *log, int32_t cause, const int32_t *slot,
                          int32_t n, int64_t at_ns)
{
    int32_t list = -1;
    if (log->end->status)
        return -1;
    for (int32_t i = n; i-- > 0;) {
        int32_t place = new_note(log);
        if (place < 0)
            return -1;
        log->note[place] =
            (struct hc_life_note){.fault = {cause, log->n_faults, slot[i], at_ns, -1, -1, -1},
                                  .next = list,
                                  .is_used = true};
        list = place;
    }
    log->n_faults++;
    return list;
}

void hc_fault_log_detected(struct hc_life_fault_log *log, int32_t list, int64_t at_ns)
{
    for (; list >= 0; list = log->note[list].next)
        log->note[list].fault.detected_ns = at_ns;
}

void hc_fault_log_located(struct hc_life_fault_log *log, int32_t list, int64_t at_ns)
{
    for (; list >= 0; list = log->note[list].next)
        log->note[list].fault.located_ns = at_ns;
}

void hc_fault_log_recovered(struct hc_life_fault_log *log, int32_t list, int64_t at_ns)
{
    for (; list >= 0; list = log->note[list].next)
        log->note[list].fault.recovered_ns = at_ns;
}

/* ---- repair ---- */

void hc_fault_log_evicted(struct hc_life_fault_log *log, int32_t *list, int32_t slot, int32_t node)
{
    int32_t *at = list;
    while (*at >= 0 && log->note[*at].fault.slot != slot) /* mostly the first: both ascend */
        at = &log->note[*at].next;
    if (*at < 0)
        return;
    log->note_of[node] = *at;
    *at = log->note[*at].next;
}

void hc_fault_log_repaired(struct hc_life_fault_log *log, int32_t node, int64_t at_ns)
{
    int32_t place = log->note_of[node];
    if (place < 0)
        return;
    log->note_of[node] = -1;
    log->note[place].fault.recovered_ns = at_ns;
    hand_out(log, place);
}

/* ---- the end ---- */

void hc_fault_log_close(struct hc_life_fault_log *log, int32_t list)
{
    while (list >= 0) {
        int32_t next = log->note[list].next;
        hand_out(log, list);
        list = next;
    }
}

void hc_fault_log_end(struct hc_life_fault_log *log)
{
    for (size_t i = 0; i < log->n; i++)
        if (log->note[i].is_used)
            hand_out(log, (int32_t)i);
}

void hc_fault_log_beyond(struct hc_life_fault_log *log, int32_t cause, int64_t at_ns)
{
    const struct hc_drawn_fault fault = {cause, log->n_faults, -1, at_ns, -1, -1, -1};
    if (!log->end->status)
        hc_life_failed(log->end, log->sink(log->context, &fault, log->end->err));
}
