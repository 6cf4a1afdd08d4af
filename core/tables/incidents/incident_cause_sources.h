/* incident_cause_sources.h - what the words of each source of incidents mean in our taxonomy.
 *
 * Every value that the published data sets hold is listed; a value that is not is "unknown", kept
 * as text and counted.
 */
#ifndef HC_CORE_TABLES_INCIDENTS_INCIDENT_CAUSE_SOURCES_H
#define HC_CORE_TABLES_INCIDENTS_INCIDENT_CAUSE_SOURCES_H

#include "core/tables/incidents/incident_cause.h"

#include <stddef.h>

enum hc_fault_source {
    HC_SOURCE_INFINITEHBD, /* "Level: Class: Desc" */
    HC_SOURCE_LANL,        /* "Category: value" */
    HC_SOURCE_PUBLISHED    /* phrases of published tables: Llama 3, ByteRobust, in any case */
};

/* The cause that a text stands for: the entry equal to it, else the longest listed beginning up to
 * a ": " (an entry "Level: Class" covers all below it), else HC_CAUSE_UNKNOWN. */
enum hc_incident_cause hc_incident_cause_of_text(enum hc_fault_source source, const char *text,
                                                 size_t length);

#endif
