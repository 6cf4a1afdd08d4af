/* entry_dates.h - when what a segment of an archive tells of was: its first and its last time. */
#ifndef HC_PIPELINE_CHOICE_ENTRY_DATES_H
#define HC_PIPELINE_CHOICE_ENTRY_DATES_H

#include "store/archive/archive.h"

/* Unix time in ns, or HC_MISSING_I64 both: the source has no calendar, or a kind has no times. */
struct hc_entry_dates {
    int64_t first_ns;
    int64_t last_ns; /* of records of a day or a month: the beginning of the day after it */
};

/* Of records, their day in UTC, which the manifest says; of all else the segment is opened, and its
 * column of times is read: of a step timeline as its metadata and clock say
 * (models/steps/step_dates.h), of a profiler trace from the base of its rank. HC_BAD_INPUT, HC_IO:
 * the segment is damaged, or cannot be read; *dates is missing then. */
enum hc_status hc_entry_dates_find(struct hc_entry_dates *dates, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err);

#endif
