/* What the table of keys cannot say of one fault, phase, incident or planned stop. */
#include "study/engines/lifetime/lifetime_wing.h"

#include "study/binding/recorded_data.h"

#include <stdio.h>

#define DAY 86400.0

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

/* The incidents of a fault, at their times on the nodes of the job. */
static bool bind_recorded(struct hc_key_binder *b, const struct hc_node *node,
                          struct hc_lifetime_fault *fault)
{
    const struct hc_lifetime_config *config = b->config;
    const struct hc_node *start = hc_node_member(node, "start_d");
    struct hc_incident_choice choice;
    struct hc_incident_replay replay;
    char within[HC_WITHIN], whole[2 * HC_WITHIN];
    double start_s = start ? start->number * DAY : 0;
    enum hc_status status = hc_recorded_choice(&choice, node, b->arena, within, b->err);
    if (status == HC_OK)
        status = hc_incident_replay_open(&replay, &choice, config->job.nodes, b->err);
    snprintf(whole, sizeof whole, "/%s%s", node->key, within);
    if (status)
        return hc_binder_passes(b, whole, status);
    struct hc_lifetime_incident *incident =
        hc_arena_new(b->arena, replay.n * sizeof *incident, b->err);
    for (size_t i = 0; incident && i < replay.n; i++)
        incident[i] =
            (struct hc_lifetime_incident){.at_s = start_s + (double)replay.incidents[i].at_ns / 1e9,
                                          .node = replay.incidents[i].slot,
                                          .nodes = 1};
    fault->incident = incident;
    fault->n_incidents = replay.n;
    hc_incident_replay_close(&replay);
    return incident || hc_binder_fails(b, HC_INTERNAL);
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
