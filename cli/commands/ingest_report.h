/* ingest_report.h - what `hindcast ingest` says of each source: read, skipped and why.
 * Private to this wing. */
#ifndef HC_CLI_COMMANDS_INGEST_REPORT_H
#define HC_CLI_COMMANDS_INGEST_REPORT_H

#include "cli/frame/output.h"
#include "core/base/status.h"
#include "pipeline/ingest/ingest.h"
#include "pipeline/site/site_ingest.h"

#include <stdbool.h>

struct hc_ingest_report {
    FILE *stream;
    bool is_json;
    bool is_quiet; /* --quiet, and no -o asks for the report: problems only */
    struct hc_json_writer json;
    const struct hc_site_counts *site; /* NULL: the inputs were named */
    /* Sources so far, by what became of them, and rows that are new to the archive with them. */
    int64_t n_ingested, n_replaced, n_unchanged, n_failed, n_rows;
};

void hc_ingest_report_start(struct hc_ingest_report *report, const struct hc_output *output,
                            const struct hc_common_options *common, const char *archive);

/* A source that is in the archive now, or was there already. */
void hc_ingest_report_done(struct hc_ingest_report *report, const struct hc_ingested *ingested);

/* A trace that could not be read or kept; text reports leave that to standard error. */
void hc_ingest_report_failed(struct hc_ingest_report *report, const char *path,
                             const struct hc_error *failure);

/* What became of the files of a site. */
void hc_ingest_report_site(struct hc_ingest_report *report, const struct hc_site_counts *counts);

/* Of several sources, in text, a line with their sum. */
enum hc_status hc_ingest_report_end(struct hc_ingest_report *report, const struct hc_output *output,
                                    struct hc_error *err);

#endif
