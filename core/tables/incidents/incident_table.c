#include "core/tables/incidents/incident_table.h"

#include "core/tables/incidents/incident_scope.h"

#include <string.h>

static const char *const dictionaries[HC_N_INCIDENT_DICTIONARIES] = {
    [HC_NAMES_JOB] = "incident_job",
    [HC_NAMES_GROUP] = "incident_group",
    [HC_NAMES_NODE] = "incident_node",
    [HC_NAMES_CAUSE] = "cause",
    [HC_NAMES_TEXT] = "incident_text",
    [HC_NAMES_CLASS] = "incident_class",
    [HC_NAMES_ACTION] = "incident_action",
    [HC_NAMES_SCOPE] = "incident_scope",
    [HC_NAMES_CLOCK] = "clock",
};

static const struct hc_column_def incidents_columns[HC_INCIDENTS_N_COLUMNS] = {
    [HC_INCIDENTS_TIME_NS] = {"time_ns", HC_I64, "ns", "when it began", NULL},
    [HC_INCIDENTS_JOB] = {"job", HC_I32, "", "job that it struck", "incident_job"},
    [HC_INCIDENTS_ATTEMPT] = {"attempt", HC_I32, "", "attempt of the job", NULL},
    [HC_INCIDENTS_GROUP] = {"group", HC_I32, "", "part of the fleet", "incident_group"},
    [HC_INCIDENTS_NODE] = {"node", HC_I32, "", "node that it struck", "incident_node"},
    [HC_INCIDENTS_CAUSE] = {"cause", HC_I32, "", "cause by the fixed taxonomy", "cause"},
    [HC_INCIDENTS_TEXT] = {"text", HC_I32, "", "cause in the words of the source", "incident_text"},
    [HC_INCIDENTS_CLASS] = {"class", HC_I32, "", "how it is noticed", "incident_class"},
    [HC_INCIDENTS_DETECTED_NS] = {"detected_ns", HC_I64, "ns", "when it was noticed", NULL},
    [HC_INCIDENTS_LOCATED_NS] = {"located_ns", HC_I64, "ns", "when its place was known", NULL},
    [HC_INCIDENTS_RECOVERED_NS] = {"recovered_ns", HC_I64, "ns", "when it was over", NULL},
    [HC_INCIDENTS_ACTION] = {"action", HC_I32, "", "what was done about it", "incident_action"},
    [HC_INCIDENTS_COUNT] = {"count", HC_I32, "", "incidents that the row stands for", NULL},
    [HC_INCIDENTS_SCOPE] = {"scope", HC_I32, "", "how far it reached", "incident_scope"},
    [HC_INCIDENTS_SLOT] = {"slot", HC_I32, "", "place of the node among those watched", NULL},
    [HC_INCIDENTS_PART_OF] = {"part_of", HC_I32, "", "number of the incident of several rows",
                              NULL},
    [HC_INCIDENTS_REPLICA] = {"replica", HC_I32, "", "of the simulation that drew it", NULL},
};

const struct hc_table_def hc_incidents_def = {"incidents", HC_INCIDENTS_N_COLUMNS,
                                              incidents_columns, 5};

static const struct hc_column_def inventory_columns[HC_INVENTORY_N_COLUMNS] = {
    [HC_INVENTORY_GROUP] = {"group", HC_I32, "", "part of the fleet", "incident_group"},
    [HC_INVENTORY_NODES] = {"nodes", HC_I32, "", "nodes that were watched", NULL},
    [HC_INVENTORY_CLOCK] = {"clock", HC_I32, "", "clock of all times of the source", "clock"},
    [HC_INVENTORY_START_NS] = {"start_ns", HC_I64, "ns", "watched from", NULL},
    [HC_INVENTORY_END_NS] = {"end_ns", HC_I64, "ns", "watched to", NULL},
};

const struct hc_table_def hc_inventory_def = {"inventory", HC_INVENTORY_N_COLUMNS,
                                              inventory_columns, 1};

const struct hc_table_def *const hc_incident_tables[] = {&hc_incidents_def, &hc_inventory_def,
                                                         NULL};

const char *hc_incident_clock_name(enum hc_incident_clock clock)
{
    static const char *const names[HC_N_CLOCKS] = {"relative", "local", "unix"};
    return names[clock];
}

const char *hc_incident_dictionary_name(enum hc_incident_dictionary dictionary)
{
    return dictionaries[dictionary];
}

int hc_incident_column_dictionary(const struct hc_column_def *column)
{
    for (int i = 0; column->dictionary && i < HC_N_INCIDENT_DICTIONARIES; i++)
        if (strcmp(column->dictionary, dictionaries[i]) == 0)
            return i;
    return -1;
}

static enum hc_status add(struct hc_text_set *set, const char *name, struct hc_error *err)
{
    int32_t code = 0;
    return hc_text_set_add(set, name, strlen(name), &code, err);
}

enum hc_status hc_incident_names_init(struct hc_table_names *names, struct hc_error *err)
{
    enum hc_status status = hc_table_names_init(names, hc_incident_tables, err);
    for (int i = 0; i < HC_N_INCIDENT_CAUSES && !status; i++)
        status = add(&names->set[HC_NAMES_CAUSE],
                     hc_incident_cause_info((enum hc_incident_cause)i)->name, err);
    for (int i = 0; i < HC_N_CLASSES && !status; i++)
        status = add(&names->set[HC_NAMES_CLASS], hc_incident_class_name((enum hc_incident_class)i),
                     err);
    for (int i = 0; i < HC_N_INCIDENT_SCOPES && !status; i++)
        status = add(&names->set[HC_NAMES_SCOPE], hc_incident_scopes[i], err);
    for (int i = 0; i < HC_N_CLOCKS && !status; i++)
        status = add(&names->set[HC_NAMES_CLOCK], hc_incident_clock_name((enum hc_incident_clock)i),
                     err);
    if (status)
        hc_table_names_fini(names);
    return status;
}

static size_t add_missing(struct hc_table *table)
{
    size_t row = table->n_rows++;
    for (size_t c = 0; c < table->def->n_columns; c++)
        if (table->def->columns[c].type == HC_I32)
            hc_table_i32(table, c)[row] = HC_MISSING_I32;
        else
            hc_table_i64(table, c)[row] = HC_MISSING_I64;
    return row;
}

size_t hc_incidents_add(struct hc_table *incidents)
{
    size_t row = add_missing(incidents);
    hc_table_i32(incidents, HC_INCIDENTS_COUNT)[row] = 1;
    return row;
}

size_t hc_inventory_add(struct hc_table *inventory, enum hc_incident_clock clock)
{
    size_t row = add_missing(inventory);
    hc_table_i32(inventory, HC_INVENTORY_CLOCK)[row] = (int32_t)clock;
    return row;
}
