#include "models/incidents/incident_set.h"

#include "core/base/memory.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum hc_status hc_incident_set_init(struct hc_incident_set *set, struct hc_error *err)
{
    memset(set, 0, sizeof *set);
    return hc_incident_names_init(&set->names, err);
}

void hc_incident_set_fini(struct hc_incident_set *set)
{
    hc_table_names_fini(&set->names);
    free(set->incidents);
    free(set->observations);
    memset(set, 0, sizeof *set);
}

/* The code in the set of a code of a source. */
static enum hc_status translate(struct hc_incident_set *set, const struct hc_table_names *names,
                                enum hc_incident_dictionary dictionary, int32_t *code,
                                struct hc_error *err)
{
    if (*code == HC_MISSING_I32)
        return HC_OK;
    if (*code < 0 || (size_t)*code >= names->set[dictionary].n)
        return hc_fail(err, HC_INTERNAL, "%d is not a code of '%s'", (int)*code,
                       hc_incident_dictionary_name(dictionary));
    const char *text = names->set[dictionary].text[*code];
    bool is_fixed = dictionary == HC_NAMES_CAUSE || dictionary == HC_NAMES_CLASS ||
                    dictionary == HC_NAMES_CLOCK;
    if (!is_fixed)
        return hc_text_set_add(&set->names.set[dictionary], text, strlen(text), code, err);
    *code = hc_text_set_find(&set->names.set[dictionary], text, strlen(text));
    if (*code < 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "%s '%s' is not known to this version; use a newer "
                       "hindcast",
                       hc_incident_dictionary_name(dictionary), text);
    return HC_OK;
}

enum hc_status hc_incident_set_add(struct hc_incident_set *set, const struct hc_table *incidents,
                                   const struct hc_table_names *names, int32_t source,
                                   struct hc_error *err)
{
    if (hc_reserve(&set->incidents, &set->capacity, set->n + incidents->n_rows,
                   sizeof *set->incidents, err))
        return err->status;
    for (size_t i = 0; i < incidents->n_rows; i++) {
        struct hc_incident *incident = &set->incidents[set->n];
        *incident = (struct hc_incident){
            .time_ns = hc_table_i64(incidents, HC_INCIDENTS_TIME_NS)[i],
            .detected_ns = hc_table_i64(incidents, HC_INCIDENTS_DETECTED_NS)[i],
            .located_ns = hc_table_i64(incidents, HC_INCIDENTS_LOCATED_NS)[i],
            .recovered_ns = hc_table_i64(incidents, HC_INCIDENTS_RECOVERED_NS)[i],
            .source = source,
            .group = hc_table_i32(incidents, HC_INCIDENTS_GROUP)[i],
            .node = hc_table_i32(incidents, HC_INCIDENTS_NODE)[i],
            .cause = hc_table_i32(incidents, HC_INCIDENTS_CAUSE)[i],
            .text = hc_table_i32(incidents, HC_INCIDENTS_TEXT)[i],
            .noticed = hc_table_i32(incidents, HC_INCIDENTS_CLASS)[i],
            .action = hc_table_i32(incidents, HC_INCIDENTS_ACTION)[i],
            .count = hc_table_i32(incidents, HC_INCIDENTS_COUNT)[i],
            .slot = hc_table_i32(incidents, HC_INCIDENTS_SLOT)[i],
            .part_of = hc_table_i32(incidents, HC_INCIDENTS_PART_OF)[i],
            .replica = hc_table_i32(incidents, HC_INCIDENTS_REPLICA)[i],
        };
        if (translate(set, names, HC_NAMES_GROUP, &incident->group, err) ||
            translate(set, names, HC_NAMES_NODE, &incident->node, err) ||
            translate(set, names, HC_NAMES_CAUSE, &incident->cause, err) ||
            translate(set, names, HC_NAMES_TEXT, &incident->text, err) ||
            translate(set, names, HC_NAMES_CLASS, &incident->noticed, err) ||
            translate(set, names, HC_NAMES_ACTION, &incident->action, err))
            return err->status;
        if (incident->cause < 0 || incident->noticed < 0 || incident->count < 1)
            return hc_fail(err, HC_BAD_INPUT, "incident %zu has no cause, class or count", i);
        set->n++;
    }
    return HC_OK;
}

bool hc_incident_set_has_replicas(const struct hc_incident_set *set)
{
    for (size_t i = 1; i < set->n; i++)
        if (set->incidents[i].source == set->incidents[i - 1].source &&
            set->incidents[i].replica != set->incidents[i - 1].replica)
            return true;
    return false;
}

enum hc_status hc_incident_set_observe(struct hc_incident_set *set,
                                       const struct hc_table *inventory,
                                       const struct hc_table_names *names, int32_t source,
                                       struct hc_error *err)
{
    if (hc_reserve(&set->observations, &set->observation_capacity,
                   set->n_observations + inventory->n_rows, sizeof *set->observations, err))
        return err->status;
    for (size_t i = 0; i < inventory->n_rows; i++) {
        struct hc_observation *observation = &set->observations[set->n_observations];
        *observation = (struct hc_observation){
            .source = source,
            .group = hc_table_i32(inventory, HC_INVENTORY_GROUP)[i],
            .nodes = hc_table_i32(inventory, HC_INVENTORY_NODES)[i],
            .clock = hc_table_i32(inventory, HC_INVENTORY_CLOCK)[i],
            .start_ns = hc_table_i64(inventory, HC_INVENTORY_START_NS)[i],
            .end_ns = hc_table_i64(inventory, HC_INVENTORY_END_NS)[i],
        };
        if (translate(set, names, HC_NAMES_GROUP, &observation->group, err) ||
            translate(set, names, HC_NAMES_CLOCK, &observation->clock, err))
            return err->status;
        if (observation->clock < 0)
            observation->clock = HC_CLOCK_RELATIVE;
        set->n_observations++;
    }
    return HC_OK;
}
