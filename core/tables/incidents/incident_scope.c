#include "core/tables/incidents/incident_scope.h"

#include "core/base/missing.h"

#include <string.h>

const char *const hc_incident_scopes[HC_N_INCIDENT_SCOPES] = {
    [HC_SCOPE_JOB] = "job",
    [HC_SCOPE_DEVICE] = "device",
    [HC_SCOPE_NODE] = "node",
    [HC_SCOPE_SWITCH] = "switch",
    [HC_SCOPE_RACK] = "rack",
    [HC_SCOPE_PARTITION] = "partition",
    [HC_SCOPE_FILE_SYSTEM] = "file_system",
    [HC_SCOPE_CLUSTER] = "cluster",
};

const char *hc_incident_scope_name(int32_t scope)
{
    return scope == HC_MISSING_I32 ? NULL : hc_incident_scopes[scope];
}

int hc_incident_scope_find(const char *name, size_t length)
{
    for (int i = 0; i < HC_N_INCIDENT_SCOPES; i++)
        if (strlen(hc_incident_scopes[i]) == length &&
            memcmp(hc_incident_scopes[i], name, length) == 0)
            return i;
    return -1;
}
