/* incident_scope.h - how far an incident reached (account.md 4): in lists of incidents, and in what
 * people say of one. */
#ifndef HC_CORE_TABLES_INCIDENTS_INCIDENT_SCOPE_H
#define HC_CORE_TABLES_INCIDENTS_INCIDENT_SCOPE_H

#include <stddef.h>
#include <stdint.h>

enum hc_incident_scope {
    HC_SCOPE_JOB,
    HC_SCOPE_DEVICE,
    HC_SCOPE_NODE,
    HC_SCOPE_SWITCH,
    HC_SCOPE_RACK,
    HC_SCOPE_PARTITION,
    HC_SCOPE_FILE_SYSTEM,
    HC_SCOPE_CLUSTER,
    HC_N_INCIDENT_SCOPES
};

/* By their codes. */
extern const char *const hc_incident_scopes[HC_N_INCIDENT_SCOPES];

/* "file_system"; NULL of a missing one */
const char *hc_incident_scope_name(int32_t scope);
/* The scope of that name, or -1. */
int hc_incident_scope_find(const char *name, size_t length);

#endif
