/* archive_records.h - what `ls`, `show` and `ingest` say of segments and of the sources that they
 * are made of, field by field. */
#ifndef HC_PIPELINE_RECORDS_ARCHIVE_RECORDS_H
#define HC_PIPELINE_RECORDS_ARCHIVE_RECORDS_H

#include "core/tables/record.h"
#include "pipeline/ingest/ingest.h"
#include "pipeline/kinds/kind.h"
#include "store/archive/archive.h"
#include "store/segment/segment.h"

/* Of a struct hc_manifest_entry: what `ls` says of a segment. */
extern const struct hc_record_def hc_archive_entry_record;

/* A segment that is shown. */
struct hc_shown_segment {
    const struct hc_archive *archive;
    const struct hc_manifest_entry *entry;
    const struct hc_job *job;
    const struct hc_provenance *provenance;
    const struct hc_table_counts *tables;
    struct hc_row_report rows;
    int64_t stored_bytes, raw_bytes;   /* of all columns */
    const struct hc_kind *kind;        /* NULL: none that is known here */
    struct hc_description description; /* where the kind has one */
};

/* The document has three parts: whose segment it is; what is in it, in words of the kind
 * (hc_kind.description_record) or else as tables; where it is from and how it is stored. */
extern const struct hc_record_def hc_segment_owner_record, hc_segment_tables_record,
    hc_segment_origin_record;

/* Of a struct hc_ingested: which source it is, and what became of it. Unless it was there already,
 * the rows that are kept of it follow, and what its guard says (hc_guard.account_record). */
extern const struct hc_record_def hc_ingested_record, hc_ingested_rows_record;

struct hc_failed_source {
    const char *path, *error;
};
extern const struct hc_record_def hc_failed_source_record;

#endif
