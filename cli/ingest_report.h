/* ingest_report.h - what `hindcast ingest` says of each trace: read, skipped and why. */
#ifndef HC_CLI_INGEST_REPORT_H
#define HC_CLI_INGEST_REPORT_H

#include "cli/output.h"
#include "core/base/status.h"
#include "models/steps/census.h"
#include "pipeline/inputs/source_input.h"

#include <stdbool.h>

struct hc_ingest_report {
    FILE *stream;
    bool is_json;
    struct hc_json_writer json;
};

void hc_ingest_report_start(struct hc_ingest_report *report, const struct hc_output *output,
                            bool is_json, const char *archive);

/* A trace that is now in the archive; census and input->report are finished. */
void hc_ingest_report_read(struct hc_ingest_report *report, const struct hc_source_input *input,
                           const struct hc_census *census, bool replaced);

/* Incidents that are now in the archive. */
void hc_ingest_report_incidents(struct hc_ingest_report *report,
                                const struct hc_source_input *input, int64_t n_incidents,
                                bool replaced);

/* A trace that the archive held already. */
void hc_ingest_report_unchanged(struct hc_ingest_report *report,
                                const struct hc_source_input *input);

/* A trace that could not be read or kept; text reports leave that to standard error. */
void hc_ingest_report_failed(struct hc_ingest_report *report, const char *path,
                             const struct hc_error *failure);

enum hc_status hc_ingest_report_end(struct hc_ingest_report *report, const struct hc_output *output,
                                    struct hc_error *err);

#endif
