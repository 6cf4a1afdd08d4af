/* json_records.h - records that several documents contain, written the same everywhere. */
#ifndef HC_CORE_TABLES_JSON_RECORDS_H
#define HC_CORE_TABLES_JSON_RECORDS_H

#include "core/tables/job.h"
#include "core/tables/record.h"
#include "core/tables/row_report.h"

/* What a document begins with; hc_document_head_record adds the version of hindcast. */
struct hc_document_head {
    const char *schema;
    int32_t major, minor;
    const char *run_id; /* of a document that is one of several files, else NULL: left out */
    bool is_view; /* of a timeline for a viewer: without what made it (core/process/made_by.h) */
};
extern const struct hc_record_def hc_document_head_record;

/* Its members, in the object that is open. */
static inline void hc_json_head(struct hc_json_writer *json, const struct hc_document_head *head)
{
    hc_record_members(json, &hc_document_head_record, &(struct hc_item){.record = head});
}

/* Of a struct hc_job: the six sizes ("dp_size", ...), and what a job is known by. */
extern const struct hc_record_def hc_job_sizes_record, hc_job_key_record;

/* Of a struct hc_row_report: what was read, what was skipped and why, and what was absent. */
extern const struct hc_record_def hc_row_report_record;

/* The sizes of a job as members of the object that is open; null where missing. */
void hc_json_job_sizes(struct hc_json_writer *json, const struct hc_job *job);

#endif
