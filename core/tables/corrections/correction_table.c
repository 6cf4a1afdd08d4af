#include "core/tables/corrections/correction_table.h"

#include "core/base/missing.h"
#include "core/tables/nodes/record_rows.h"

static const struct hc_column_def columns[HC_CORRECTIONS_N_COLUMNS] = {
    [HC_CORRECTIONS_DATE_NS] = {"date_ns", HC_I64, "ns", "when the correction was made", NULL},
    [HC_CORRECTIONS_CLUSTER] = {"cluster", HC_I32, "", "cluster", "cluster"},
    [HC_CORRECTIONS_JOB] = {"job", HC_I64, "", "number of the job that users know", NULL},
    [HC_CORRECTIONS_ARRAY_TASK] = {"array_task", HC_I32, "", "task of an array", NULL},
    [HC_CORRECTIONS_RESTARTS] = {"restarts", HC_I32, "", "times it was requeued before; every one",
                                 NULL},
    [HC_CORRECTIONS_INCIDENT] = {"incident", HC_I32, "", "name of the incident it is about",
                                 "incident"},
    [HC_CORRECTIONS_NODE] = {"node", HC_I32, "", "node", "node_name"},
    [HC_CORRECTIONS_TIME_NS] = {"time_ns", HC_I64, "ns", "when the incident was", NULL},
    [HC_CORRECTIONS_CAUSE] = {"cause", HC_I32, "", "whose doing it was", "correction_cause"},
    [HC_CORRECTIONS_DETAIL] = {"detail", HC_I32, "", "what failed", "correction_detail"},
    [HC_CORRECTIONS_SCOPE] = {"scope", HC_I32, "", "how far it reached", "correction_scope"},
    [HC_CORRECTIONS_AUTHOR] = {"author", HC_I32, "", "who says so", "user"},
    [HC_CORRECTIONS_REASON] = {"reason", HC_I32, "", "how the author knows", "correction_reason"},
    [HC_CORRECTIONS_FACT] = {"fact", HC_I64, "", "hash of what it is about", NULL},
    [HC_CORRECTIONS_SOURCE] = {"source", HC_I32, "", "file that says so", "source"},
    [HC_CORRECTIONS_LINE] = {"line", HC_I64, "", "line of that file", NULL},
};

const struct hc_table_def hc_corrections_def = {"corrections", HC_CORRECTIONS_N_COLUMNS, columns,
                                                1};

const struct hc_table_def *const hc_correction_tables[] = {&hc_corrections_def, NULL};

static const char *const causes[HC_N_CORRECTION_CAUSES] = {
    [HC_CORRECTION_INFRASTRUCTURE] = "infrastructure",
    [HC_CORRECTION_USER] = "user",
    [HC_CORRECTION_PLANNED] = "planned",
    [HC_CORRECTION_PREEMPTION] = "preemption",
    [HC_CORRECTION_UNKNOWN] = "unknown",
    [HC_CORRECTION_NO_FAILURE] = "no_failure",
};

const char *hc_correction_cause_name(enum hc_correction_cause cause)
{
    return causes[cause];
}

enum hc_status hc_correction_names_init(struct hc_table_names *names, struct hc_error *err)
{
    if (hc_table_names_init(names, hc_correction_tables, err))
        return err->status;
    if (hc_record_fixed_names(names, "correction_cause", causes, HC_N_CORRECTION_CAUSES, err) ||
        hc_record_fixed_names(names, "correction_scope", hc_incident_scopes, HC_N_INCIDENT_SCOPES,
                              err))
        hc_table_names_fini(names);
    return err->status;
}

bool hc_correction_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b)
{
    (void)a;
    (void)row_a;
    (void)b;
    (void)row_b;
    return false;
}
