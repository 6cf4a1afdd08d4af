/* incident_table.h - the `incidents` table, and what was observed to find them (`inventory`). */
#ifndef HC_CORE_TABLES_INCIDENTS_INCIDENT_TABLE_H
#define HC_CORE_TABLES_INCIDENTS_INCIDENT_TABLE_H

#include "core/tables/incidents/incident_cause.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

/* One row an incident. Times are on the clock of the source; what is not known is missing. */
enum hc_incidents_column {
    HC_INCIDENTS_TIME_NS, /* when it began */
    HC_INCIDENTS_JOB,
    HC_INCIDENTS_ATTEMPT,
    HC_INCIDENTS_GROUP, /* the part of the fleet it belongs to: a system, a cluster */
    HC_INCIDENTS_NODE,
    HC_INCIDENTS_CAUSE, /* enum hc_incident_cause */
    HC_INCIDENTS_TEXT,  /* the words of the source */
    HC_INCIDENTS_CLASS, /* enum hc_incident_class */
    HC_INCIDENTS_DETECTED_NS,
    HC_INCIDENTS_LOCATED_NS,
    HC_INCIDENTS_RECOVERED_NS,
    HC_INCIDENTS_ACTION,
    HC_INCIDENTS_COUNT,   /* 1; more where a source gives a total only */
    HC_INCIDENTS_SCOPE,   /* enum hc_incident_scope: how far it reached */
    HC_INCIDENTS_SLOT,    /* place of its node among those that were watched, from 0 */
    HC_INCIDENTS_PART_OF, /* rows with the same number are one incident, of several nodes */
    HC_INCIDENTS_REPLICA, /* of a simulation that drew it */
    HC_INCIDENTS_N_COLUMNS
};

/* One row a group: how many nodes were watched, and from when to when. */
enum hc_inventory_column {
    HC_INVENTORY_GROUP,
    HC_INVENTORY_NODES,
    HC_INVENTORY_CLOCK, /* enum hc_incident_clock */
    HC_INVENTORY_START_NS,
    HC_INVENTORY_END_NS,
    HC_INVENTORY_N_COLUMNS
};

enum hc_incident_clock {
    HC_CLOCK_RELATIVE, /* from a beginning that the source does not place */
    HC_CLOCK_LOCAL,    /* the calendar of a place, its zone not said: counted as if UTC */
    HC_CLOCK_UNIX,
    HC_N_CLOCKS
};
const char *hc_incident_clock_name(enum hc_incident_clock clock);

extern const struct hc_table_def hc_incidents_def, hc_inventory_def;

/* The dictionaries of both tables. Causes, classes, scopes and clocks are fixed: code and enum
 * agree. */
enum hc_incident_dictionary {
    HC_NAMES_JOB,
    HC_NAMES_GROUP,
    HC_NAMES_NODE,
    HC_NAMES_CAUSE,
    HC_NAMES_TEXT,
    HC_NAMES_CLASS,
    HC_NAMES_ACTION,
    HC_NAMES_SCOPE,
    HC_NAMES_CLOCK,
    HC_N_INCIDENT_DICTIONARIES
};

/* The name of a dictionary in the archive. */
const char *hc_incident_dictionary_name(enum hc_incident_dictionary dictionary);

/* The list of both tables, ending in NULL: the order of their dictionaries is that of the enum. */
extern const struct hc_table_def *const hc_incident_tables[];

/* The sets of both tables, those of fixed codes filled. */
enum hc_status hc_incident_names_init(struct hc_table_names *names, struct hc_error *err);

/* Append a row whose every value is missing but count, 1; the table must have room. Its index. */
size_t hc_incidents_add(struct hc_table *incidents);

/* The same for `inventory`, all missing but the clock. */
size_t hc_inventory_add(struct hc_table *inventory, enum hc_incident_clock clock);

/* Which dictionary the codes of a column of either table belong to, or -1. */
int hc_incident_column_dictionary(const struct hc_column_def *column);

#endif
