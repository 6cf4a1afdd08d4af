/* boot_time.h - when a machine was started whose kernel log counts from there.
 * Private to this wing. */
#ifndef HC_PARSERS_KERNEL_BOOT_TIME_H
#define HC_PARSERS_KERNEL_BOOT_TIME_H

#include "core/base/status.h"
#include "parsers/io/source.h"

/* What a log of seconds since boot says of it. Missing values are HC_MISSING_I64. */
struct hc_boot_time {
    int64_t boot_ns; /* by a line in which the kernel tells the date: its clock was set, or audit
                        began */
    int64_t last_ns; /* since boot: the last stamp */
};

/* Reads all of the source. */
enum hc_status hc_boot_time_find(struct hc_boot_time *boot, const struct hc_source *source,
                                 struct hc_error *err);

#endif
