/* profile_report.h - the views of profiler traces: who was traced, what the GPUs did, which
 * collectives waited for whom, on which clocks, and what stragglers cost. */
#ifndef HC_REPORTS_PROFILES_PROFILE_REPORT_H
#define HC_REPORTS_PROFILES_PROFILE_REPORT_H

#include "core/files/outset.h"
#include "core/tables/job.h"
#include "core/text/json_writer.h"
#include "models/profiles/breakdown.h"
#include "models/profiles/collectives.h"
#include "sim/profiles/profile_whatif.h"

#include <stdio.h>

/* The trace of a rank. */
struct hc_traced_file {
    const char *path, *sha256, *format, *segment; /* segment: of an archive, or NULL */
    int64_t size, n_events, n_dropped;
};

struct hc_profile_report {
    const struct hc_job *job;
    const char *archive; /* or NULL */
    const struct hc_profile *profile;
    const struct hc_traced_file *files; /* of each rank of the profile */

    /* What was asked for; NULL: it was not, and is in no view. */
    const struct hc_breakdown_rows *breakdown;
    const struct hc_collectives *collectives;
    const double *expected_gb_s; /* bus bandwidth of each collective by a baseline, or NaN */
    double below;                /* share of it that is worth saying */
    const struct hc_profile_whatif_result *whatif;
    size_t n_questions;
    const struct hc_profile_question *questions; /* beside answer_ns of the result */
    bool shows_collectives, shows_stragglers, shows_clocks, shows_path;

    const char *run_id; /* where it is one of several files: what all of them carry; or NULL */
};

/* HC_INTERNAL with err filled when memory was short. */
enum hc_status hc_profile_write_text(const struct hc_profile_report *report, FILE *stream,
                                     struct hc_error *err);

/* The page. HC_INTERNAL as before. */
enum hc_status hc_profile_write_html(const struct hc_profile_report *report, FILE *stream,
                                     struct hc_error *err);

/* Members of the object that is open. */
void hc_profile_write_json(const struct hc_profile_report *report, struct hc_json_writer *json);

/* The main table of what was asked for. */
void hc_profile_write_csv(const struct hc_profile_report *report, FILE *stream);

/* Add the tables of what was asked for to the set as files of a directory; report->run_id is
 * needed. */
enum hc_status hc_profile_write_tables(struct hc_outset *set, const char *directory,
                                       const struct hc_profile_report *report,
                                       struct hc_error *err);

#endif
