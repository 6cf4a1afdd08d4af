/* What the table of keys cannot say of one fault, phase, incident or planned stop. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "study/binding/recorded_data.h"

#include <stdio.h>
#include <string.h>

#define DAY      86400.0
#define NEVER_NS ((int64_t)1 << 61) /* later than any life; sums with it do not overflow */

void hc_lifetime_start_fault(void *fault)
{
    *(struct hc_lifetime_fault *)fault = hc_lifetime_fault_defaults();
}

void hc_lifetime_start_phase(void *phase)
{
    *(struct hc_lifetime_phase *)phase = hc_lifetime_phase_defaults();
}

void hc_lifetime_start_planned_stop(void *stop)
{
    *(struct hc_lifetime_planned_stop *)stop = hc_lifetime_planned_stop_defaults();
}

/* A moment of an incident after what the scenario adds; -1: not recorded. */
static int64_t moment(int64_t at_ns, int64_t start_ns)
{
    if (at_ns < 0)
        return -1;
    return at_ns < NEVER_NS - start_ns ? start_ns + at_ns : NEVER_NS;
}

static void put_record(struct hc_lifetime_incident *incident, struct hc_lifetime_record *record,
                       const struct hc_replayed_incident *replayed, int64_t start_ns, bool is_drawn)
{
    *record = (struct hc_lifetime_record){
        .at_ns = start_ns + replayed->at_ns,
        .detected_ns = is_drawn ? -1 : moment(replayed->detected_ns, start_ns),
        .located_ns = is_drawn ? -1 : moment(replayed->located_ns, start_ns),
        .recovered_ns = is_drawn ? -1 : moment(replayed->recovered_ns, start_ns),
        .part_of = replayed->part_of};
    *incident = (struct hc_lifetime_incident){
        .at_s = (double)record->at_ns / 1e9, .node = replayed->slot, .nodes = 1};
}

/* Where the incidents of each replica of the list begin, which are in the order of these. */
static const size_t *begins(const struct hc_incident_replay *replay, struct hc_arena *arena,
                            struct hc_error *err)
{
    size_t *begin = hc_arena_new(arena, (replay->n_replicas + 1) * sizeof *begin, err), at = 0;
    for (size_t i = 0; begin && i <= replay->n_replicas; i++) {
        while (at < replay->n && replay->incidents[at].replica < replay->first_replica + (int32_t)i)
            at++;
        begin[i] = at;
    }
    return begin;
}

static enum hc_status put_records(struct hc_lifetime_fault *fault,
                                  const struct hc_incident_replay *replay, int64_t start_ns,
                                  bool is_drawn, struct hc_arena *arena, struct hc_error *err)
{
    struct hc_lifetime_incident *incident = hc_arena_new(arena, replay->n * sizeof *incident, err);
    struct hc_lifetime_record *record = hc_arena_new(arena, replay->n * sizeof *record, err);
    if (!incident || !record)
        return err->status;
    for (size_t i = 0; i < replay->n; i++)
        put_record(&incident[i], &record[i], &replay->incidents[i], start_ns, is_drawn);
    fault->incident = incident;
    fault->record = record;
    fault->n_incidents = replay->n;
    if (replay->n_replicas < 2)
        return HC_OK;
    fault->lives.first = (uint64_t)replay->first_replica;
    fault->lives.n = replay->n_replicas;
    fault->lives.begin = begins(replay, arena, err);
    return fault->lives.begin ? HC_OK : err->status;
}

/* The incidents of a fault, at their times on the nodes of the job. */
static bool bind_recorded(struct hc_key_binder *b, const struct hc_node *node,
                          struct hc_lifetime_fault *fault)
{
    const struct hc_lifetime_config *config = b->config;
    const struct hc_node *start = hc_node_member(node, "start_d"),
                         *moments = hc_node_member(node, "moments");
    bool is_drawn = moments && strcmp(moments->text, "drawn") == 0;
    struct hc_incident_choice choice;
    struct hc_incident_replay replay;
    char within[HC_WITHIN], whole[2 * HC_WITHIN];
    enum hc_status status = hc_recorded_choice(&choice, node, b->arena, within, b->err);
    if (status == HC_OK)
        status = hc_incident_replay_open(&replay, &choice, config->job.nodes, b->err);
    snprintf(whole, sizeof whole, "/%s%s", node->key, within);
    if (status)
        return hc_binder_passes(b, whole, status);
    int64_t start_ns = start ? (int64_t)(start->number * DAY * 1e9 + 0.5) : 0;
    status = put_records(fault, &replay, start_ns, is_drawn, b->arena, b->err);
    hc_incident_replay_close(&replay);
    return status == HC_OK || hc_binder_fails(b, HC_INTERNAL);
}

/* A fleet whose faults were recorded was in service. */
static bool is_of_records(const struct hc_node *between)
{
    return between && (hc_node_member(between, "fitted") || hc_node_member(between, "recorded"));
}

bool hc_lifetime_finish_fault(struct hc_key_binder *b, const struct hc_node *node, void *element)
{
    struct hc_lifetime_fault *fault = element;
    const struct hc_node *recorded = hc_node_member(node, "incidents_from");
    bool is_manual = fault->fault_class == HC_FAULT_MANUAL;
    if (!hc_node_member(node, "why"))
        fault->why = is_manual ? HC_WHY_USER : HC_WHY_INFRASTRUCTURE;
    if (!hc_node_member(node, "effect"))
        fault->effect = is_manual ? HC_EFFECT_NONE : HC_EFFECT_STOP;
    if (!hc_node_member(node, "age") && !hc_node_member(node, "age_h"))
        fault->age =
            is_of_records(hc_node_member(node, "between_h")) ? HC_AGE_STATIONARY : HC_AGE_NEW;
    return !recorded || bind_recorded(b, recorded, fault);
}

bool hc_lifetime_finish_phase(struct hc_key_binder *b, const struct hc_node *node, void *element)
{
    struct hc_lifetime_phase *phase = element;
    (void)b;
    if (!hc_node_member(node, "first_s"))
        phase->first_s = phase->full_s;
    if (!hc_node_member(node, "hot_s"))
        phase->hot_s = phase->full_s;
    return true;
}

bool hc_lifetime_finish_incident(struct hc_key_binder *b, const struct hc_node *node, void *element)
{
    (void)b;
    if (!hc_node_member(node, "node"))
        ((struct hc_lifetime_incident *)element)->node = -1;
    return true;
}

int hc_lifetime_incident_order(const void *a, const void *b)
{
    const struct hc_lifetime_incident *x = a, *y = b;
    if (x->at_s != y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}
