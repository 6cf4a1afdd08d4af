/* incident_cause.h - the fixed words for what made an incident, and who has to answer for it.
 *
 * A cause belongs to one domain (what part was at fault), has one origin (whose failure it is, by
 * which rates are counted) and one class (how it is noticed), which a source may overrule. Names
 * are stable: the archive keeps them, not the numbers. The free text of the source is kept beside
 * the cause.
 */
#ifndef HC_CORE_TABLES_INCIDENTS_INCIDENT_CAUSE_H
#define HC_CORE_TABLES_INCIDENTS_INCIDENT_CAUSE_H

#include <stddef.h>
#include <stdint.h>

enum hc_fault_domain {
    HC_DOMAIN_HARDWARE,
    HC_DOMAIN_SOFTWARE,
    HC_DOMAIN_NETWORK,
    HC_DOMAIN_FACILITIES,
    HC_DOMAIN_HUMAN,
    HC_DOMAIN_PLANNED,
    HC_DOMAIN_UNDETERMINED, /* looked for and not found */
    HC_DOMAIN_UNKNOWN,      /* nothing recorded says, or hindcast does not know the word */
    HC_N_DOMAINS
};

enum hc_fault_origin {
    HC_ORIGIN_INFRASTRUCTURE,
    HC_ORIGIN_USER,    /* the training program, its data or its configuration */
    HC_ORIGIN_PLANNED, /* meant to happen: no failure */
    HC_ORIGIN_UNKNOWN,
    HC_N_ORIGINS
};

enum hc_incident_class {
    HC_CLASS_EXPLICIT, /* something says so: an error, an alert, a dead node */
    HC_CLASS_IMPLICIT, /* nothing does: a hang, a decline, a NaN */
    HC_CLASS_MANUAL,   /* a person stopped it */
    HC_N_CLASSES
};

enum hc_incident_cause {
    HC_CAUSE_GPU,
    HC_CAUSE_GPU_MEMORY,
    HC_CAUSE_GPU_LINK,
    HC_CAUSE_SILENT_CORRUPTION,
    HC_CAUSE_CPU,
    HC_CAUSE_MEMORY,
    HC_CAUSE_STORAGE,
    HC_CAUSE_NIC,
    HC_CAUSE_INTERCONNECT,
    HC_CAUSE_POWER_SUPPLY,
    HC_CAUSE_COOLING,
    HC_CAUSE_BOARD,
    HC_CAUSE_HARDWARE_MAINTENANCE,
    HC_CAUSE_HARDWARE_OTHER,
    HC_CAUSE_OS,
    HC_CAUSE_FIRMWARE,
    HC_CAUSE_FILESYSTEM,
    HC_CAUSE_SCHEDULER,
    HC_CAUSE_LIBRARY,
    HC_CAUSE_SERVICE,
    HC_CAUSE_COLLECTIVE,
    HC_CAUSE_HANG,
    HC_CAUSE_SLOW,
    HC_CAUSE_RESOURCES,
    HC_CAUSE_PROGRAM,
    HC_CAUSE_LOSS,
    HC_CAUSE_SOFTWARE_MAINTENANCE,
    HC_CAUSE_SOFTWARE_OTHER,
    HC_CAUSE_LINK,
    HC_CAUSE_SWITCH,
    HC_CAUSE_NETWORK_OTHER,
    HC_CAUSE_POWER,
    HC_CAUSE_CHILLER,
    HC_CAUSE_FACILITIES_OTHER,
    HC_CAUSE_OPERATOR,
    HC_CAUSE_CODE_CHANGE,
    HC_CAUSE_CHANGE,
    HC_CAUSE_TEST,
    HC_CAUSE_STRESS_TEST,
    HC_CAUSE_SUSPECT_NODE,
    HC_CAUSE_NODE_CRASH,
    HC_CAUSE_UNDETERMINED,
    HC_CAUSE_UNKNOWN,
    HC_N_INCIDENT_CAUSES
};

struct hc_incident_cause_info {
    const char *name; /* "hardware.gpu" */
    enum hc_fault_domain domain;
    enum hc_fault_origin origin;
    enum hc_incident_class noticed;
    const char *meaning;
};

const struct hc_incident_cause_info *hc_incident_cause_info(enum hc_incident_cause cause);
const char *hc_fault_domain_name(enum hc_fault_domain domain);
const char *hc_fault_origin_name(enum hc_fault_origin origin);
const char *hc_incident_class_name(enum hc_incident_class class);

/* The cause or class of that name, or -1. */
int hc_incident_cause_find(const char *name, size_t length);
int hc_incident_class_find(const char *name, size_t length);

#endif
