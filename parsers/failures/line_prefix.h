/* line_prefix.h - what stands before the message in a line of a job's log: which rank says it, and
 * when. Private to this wing. */
#ifndef HC_PARSERS_FAILURES_LINE_PREFIX_H
#define HC_PARSERS_FAILURES_LINE_PREFIX_H

#include "core/tables/events/event_table.h"
#include "parsers/io/line_stamp.h"

#include <stdbool.h>

struct hc_line_prefix {
    int32_t rank;              /* "12: " of srun --label, "[rank12]:"; or HC_MISSING_I32 */
    int32_t local_rank;        /* "[default12]:" of torchrun: on its node; or HC_MISSING_I32 */
    struct hc_event_text node; /* "node-7: " of pdsh, before a stamp; or empty */
    bool has_stamp;
    struct hc_line_stamp stamp;
    struct hc_event_text rest;
};

void hc_line_prefix_read(struct hc_event_text line, struct hc_line_prefix *prefix);

#endif
