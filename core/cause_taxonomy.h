/* cause_taxonomy.h - the fixed words for what made an incident, and who has to answer for it.
 *
 * A cause belongs to one domain (what part was at fault), has one origin (whose failure it is, by
 * which rates are counted) and one class (how it is noticed), which a source may overrule. Names
 * are stable: the archive keeps them, not the numbers. The free text of the source is kept beside
 * the cause.
 */
#ifndef HC_CORE_CAUSE_TAXONOMY_H
#define HC_CORE_CAUSE_TAXONOMY_H

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

enum hc_fault_cause {
    HC_FAULT_GPU,
    HC_FAULT_GPU_MEMORY,
    HC_FAULT_GPU_LINK,
    HC_FAULT_SILENT_CORRUPTION,
    HC_FAULT_CPU,
    HC_FAULT_MEMORY,
    HC_FAULT_STORAGE,
    HC_FAULT_NIC,
    HC_FAULT_INTERCONNECT,
    HC_FAULT_POWER_SUPPLY,
    HC_FAULT_COOLING,
    HC_FAULT_BOARD,
    HC_FAULT_HARDWARE_MAINTENANCE,
    HC_FAULT_HARDWARE_OTHER,
    HC_FAULT_OS,
    HC_FAULT_FIRMWARE,
    HC_FAULT_FILESYSTEM,
    HC_FAULT_SCHEDULER,
    HC_FAULT_LIBRARY,
    HC_FAULT_SERVICE,
    HC_FAULT_COLLECTIVE,
    HC_FAULT_HANG,
    HC_FAULT_SLOW,
    HC_FAULT_RESOURCES,
    HC_FAULT_PROGRAM,
    HC_FAULT_LOSS,
    HC_FAULT_SOFTWARE_MAINTENANCE,
    HC_FAULT_SOFTWARE_OTHER,
    HC_FAULT_LINK,
    HC_FAULT_SWITCH,
    HC_FAULT_NETWORK_OTHER,
    HC_FAULT_POWER,
    HC_FAULT_CHILLER,
    HC_FAULT_FACILITIES_OTHER,
    HC_FAULT_OPERATOR,
    HC_FAULT_CODE_CHANGE,
    HC_FAULT_CHANGE,
    HC_FAULT_TEST,
    HC_FAULT_STRESS_TEST,
    HC_FAULT_SUSPECT_NODE,
    HC_FAULT_NODE_CRASH,
    HC_FAULT_UNDETERMINED,
    HC_FAULT_UNKNOWN,
    HC_N_FAULT_CAUSES
};

struct hc_fault_cause_info {
    const char *name; /* "hardware.gpu" */
    enum hc_fault_domain domain;
    enum hc_fault_origin origin;
    enum hc_incident_class noticed;
    const char *meaning;
};

const struct hc_fault_cause_info *hc_fault_cause_info(enum hc_fault_cause cause);
const char *hc_fault_domain_name(enum hc_fault_domain domain);
const char *hc_fault_origin_name(enum hc_fault_origin origin);
const char *hc_incident_class_name(enum hc_incident_class class);

/* The cause or class of that name, or -1. */
int hc_fault_cause_find(const char *name, size_t length);
int hc_incident_class_find(const char *name, size_t length);

#endif
