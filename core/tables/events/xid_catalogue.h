/* xid_catalogue.h - the numbers under which NVIDIA's driver reports errors of a GPU ("Xid"), and
 * what each does to a job.
 *
 * Names are those of the driver's sources (nverror.h of its open kernel modules); what a code means
 * is said in words of our own. Whether a code stops the application follows NVIDIA's "Xid Errors"
 * guide. A code that the table lacks may stop it.
 */
#ifndef HC_CORE_TABLES_EVENTS_XID_CATALOGUE_H
#define HC_CORE_TABLES_EVENTS_XID_CATALOGUE_H

#include "core/tables/events/event_class.h"

#include <stdint.h>

struct hc_xid {
    int32_t code;
    const char *name;
    enum hc_event_effect effect;
    const char *meaning;
};

/* The entry of a code; NULL: it is not in the table. */
const struct hc_xid *hc_xid_find(int32_t code);

#endif
