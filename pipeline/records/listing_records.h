/* listing_records.h - lines of what commands list, field by field: formats, presets, findings in an
 * archive. */
#ifndef HC_PIPELINE_RECORDS_LISTING_RECORDS_H
#define HC_PIPELINE_RECORDS_LISTING_RECORDS_H

#include "core/tables/record.h"
#include "store/archive/archive.h"

/* Of the archive that a document is about, named by its path. */
struct hc_named_archive {
    const char *path;
};
extern const struct hc_record_def hc_named_archive_record;

static inline void hc_json_archive(struct hc_json_writer *json, const char *path)
{
    const struct hc_named_archive archive = {path};
    hc_record_members(json, &hc_named_archive_record, &(struct hc_item){.record = &archive});
}

/* Of a struct hc_format. */
extern const struct hc_record_def hc_format_record;

/* Of a struct hc_preset; the item around it is a bool, whether its text is asked for. */
extern const struct hc_record_def hc_preset_record;

/* Of a struct hc_check_finding: of a check, and of gc, which says the same without a word for it.
 */
extern const struct hc_record_def hc_finding_record, hc_gc_finding_record;

/* "ok", "damaged", ...: what a finding is called. */
const char *hc_finding_name(enum hc_check_kind kind);

/* "counts": of an int64_t for each sort of finding, in their order. */
extern const struct hc_record_def hc_finding_counts_record;

#endif
