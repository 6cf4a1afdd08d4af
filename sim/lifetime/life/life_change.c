#include "sim/lifetime/life/life_driver.h"

void hc_life_mark(struct hc_life *s, int32_t cause, int32_t slot, const char *name)
{
    if (s->recorder)
        hc_life_record_mark(s->recorder, (struct hc_lifetime_mark){.time_ns = s->now_ns,
                                                                   .cause = cause,
                                                                   .node_slot = slot,
                                                                   .name = name});
}

/* ---- open incidents ---- */

/* The open incidents have changed: so has what they do to the job. */
static void weigh(struct hc_life *s)
{
    bool is_tainted;
    double slow = hc_incidents_slow(&s->incidents, &is_tainted);
    hc_work_weigh(&s->progress, slow, is_tainted);
}

void hc_life_close_incident(struct hc_life *s, size_t place)
{
    if (s->log)
        hc_fault_log_close(s->log, s->incidents.open[place].origin.noted);
    hc_incidents_close(&s->incidents, place);
    weigh(s);
}

/* ---- nodes ---- */

void hc_life_node_leaves(struct hc_life *s, int32_t slot)
{
    if (hc_incidents_node_leaves(&s->incidents, slot))
        weigh(s);
}

void hc_life_interrupted(struct hc_life *s)
{
    s->out->count[HC_COUNT_STOPS]++;
    s->stopped_at_ns = s->now_ns;
}

/* When the node of this slot is repaired, as it was recorded of the fault that it is evicted for;
 * -1: that is drawn. */
static int64_t repaired_ns(const struct hc_life *s, int32_t slot)
{
    const struct hc_lifetime_fault *fault = &s->config->fault[s->stop.which];
    const struct hc_life_origin *origin = &s->stop.origin;
    if (!fault->record || !origin->n_rows)
        return -1;
    return fault->record[hc_life_row_of(fault, origin, slot)].recovered_ns;
}

void hc_life_trace_stop(struct hc_life *s, const struct hc_life_origin *origin)
{
    if (s->log)
        hc_fault_log_close(s->log, s->stop.origin.noted);
    s->stop.origin = *origin;
}

void hc_life_note_evicted(struct hc_life *s, int32_t n)
{
    bool is_asked = s->log && s->compiled->finite;
    for (int32_t i = 0; i < n && is_asked; i++)
        if (s->evicted.guilty[i])
            hc_fault_log_evicted(s->log, &s->stop.origin.noted, s->evicted.slot[i],
                                 s->slots.node[s->evicted.slot[i]]);
}

void hc_life_vacate(struct hc_life *s, int32_t slot, bool guilty)
{
    s->out->count[HC_COUNT_EVICTED]++;
    s->out->count[HC_COUNT_INNOCENT] += !guilty;
    hc_life_node_leaves(s, slot);
    if (s->arrivals.infants)
        hc_infants_leave(&s->arrivals, slot);
    if (!s->compiled->finite)
        return;
    bool is_recorded = guilty && s->compiled->has_moments;
    hc_node_evict(s->client, s->slots.node[slot], guilty, is_recorded ? repaired_ns(s, slot) : -1,
                  s->now_ns);
    s->slots.node[slot] = -1;
}

void hc_life_occupy(struct hc_life *s, int32_t slot, int32_t node)
{
    bool *lemon = s->client->pool->lemon;
    if (s->compiled->finite) {
        s->slots.node[slot] = node;
    } else {
        node = slot;
        if (s->config->lemon_share > 0)
            lemon[node] = hc_life_chance(&s->streams, s->config->lemon_share, HC_STREAM_LEMONS);
    }
    hc_slots_set_lemon(&s->slots, slot, lemon[node]);
    if (s->arrivals.infants)
        hc_infants_come(&s->arrivals, slot);
    hc_arrivals_renew(&s->arrivals, slot);
}

/* ---- losses ---- */

static void book_loss(struct hc_life *s, const struct hc_life_run *lost, enum hc_why why)
{
    hc_life_book_loss(&s->account, lost, why);
    if (s->recorder)
        hc_life_record_loss(s->recorder, lost, why, s->account.blame);
}

void hc_life_lose(struct hc_life *s, enum hc_why why)
{
    struct hc_life_run lost = hc_work_lose(&s->progress, s->now_ns);
    book_loss(s, &lost, why);
}

void hc_life_lose_taint(struct hc_life *s, enum hc_why why)
{
    struct hc_life_run lost = hc_work_lose_taint(&s->progress);
    book_loss(s, &lost, why);
}

void hc_life_lose_memory(struct hc_life *s, enum hc_why why)
{
    struct hc_life_run lost = hc_work_lose_memory(&s->progress);
    book_loss(s, &lost, why);
}

void hc_life_fall_back(struct hc_life *s, int32_t n, enum hc_why why)
{
    struct hc_life_run lost;
    if (n && s->progress.is_tainted) {
        hc_life_lose_taint(s, why);
        return;
    }
    for (; n && hc_work_fall_back(&s->progress, &lost); n--)
        book_loss(s, &lost, why);
}
