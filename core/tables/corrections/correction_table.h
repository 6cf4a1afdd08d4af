/* correction_table.h - the `corrections` table: what a person knows better than the records.
 *
 * A row says of one attempt, or of one incident, what ended or caused it. It goes before whatever
 * rules infer, stays when everything is computed anew, and names its author. Its key is its date
 * and a hash of what it is about (job, array task, restarts, incident, node, time): the same line
 * again with another cause replaces the earlier one. Of several about the same, that of the latest
 * date holds; who reads the table decides so.
 */
#ifndef HC_CORE_TABLES_CORRECTIONS_CORRECTION_TABLE_H
#define HC_CORE_TABLES_CORRECTIONS_CORRECTION_TABLE_H

#include "core/tables/incidents/incident_scope.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"

#include <stdbool.h>

/* Whose doing it was: the causes of the account of GPU-time, and that there was no failure. */
enum hc_correction_cause {
    HC_CORRECTION_INFRASTRUCTURE,
    HC_CORRECTION_USER,
    HC_CORRECTION_PLANNED,
    HC_CORRECTION_PREEMPTION,
    HC_CORRECTION_UNKNOWN,
    HC_CORRECTION_NO_FAILURE,
    HC_N_CORRECTION_CAUSES
};

/* "infrastructure" */
const char *hc_correction_cause_name(enum hc_correction_cause cause);

enum hc_corrections_column {
    HC_CORRECTIONS_DATE_NS, /* when it was made */
    HC_CORRECTIONS_CLUSTER,
    HC_CORRECTIONS_JOB, /* number that users know; with the next two, the attempt */
    HC_CORRECTIONS_ARRAY_TASK,
    HC_CORRECTIONS_RESTARTS, /* missing: every attempt of the job */
    HC_CORRECTIONS_INCIDENT, /* its name, where it is about an incident */
    HC_CORRECTIONS_NODE,
    HC_CORRECTIONS_TIME_NS, /* of the incident */
    HC_CORRECTIONS_CAUSE,   /* enum hc_correction_cause */
    HC_CORRECTIONS_DETAIL,  /* what failed: "NVLink of GPU 3" */
    HC_CORRECTIONS_SCOPE,   /* enum hc_incident_scope */
    HC_CORRECTIONS_AUTHOR,
    HC_CORRECTIONS_REASON, /* how the author knows */
    HC_CORRECTIONS_FACT,   /* hash of what it is about */
    HC_CORRECTIONS_SOURCE,
    HC_CORRECTIONS_LINE,
    HC_CORRECTIONS_N_COLUMNS
};

extern const struct hc_table_def hc_corrections_def;

/* The list of the one table, ending in NULL. */
extern const struct hc_table_def *const hc_correction_tables[];

/* The sets of the table, those of fixed codes filled. */
enum hc_status hc_correction_names_init(struct hc_table_names *names, struct hc_error *err);

/* Never: of two rows of one key, the one that was read last holds. */
bool hc_correction_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b);

#endif
