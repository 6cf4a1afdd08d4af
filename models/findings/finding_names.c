#include "models/findings/findings.h"

const char *hc_finding_kind_name(enum hc_finding_kind kind)
{
    static const char *const names[HC_N_FINDING_KINDS] = {
        [HC_FINDING_LEMON_NODE] = "lemon_node",
        [HC_FINDING_EVENT_RATE] = "event_rate",
        [HC_FINDING_STARTUP] = "startup",
        [HC_FINDING_RUN_ETTR] = "run_ettr",
        [HC_FINDING_QUEUE] = "queue",
        [HC_FINDING_COFAILURE] = "cofailure",
        [HC_FINDING_RECONCILIATION] = "reconciliation",
        [HC_FINDING_STALE_SOURCE] = "stale_source",
    };
    return names[kind];
}

const char *hc_finding_severity_name(enum hc_finding_severity severity)
{
    static const char *const names[] = {"info", "warning", "critical"};
    return names[severity];
}
