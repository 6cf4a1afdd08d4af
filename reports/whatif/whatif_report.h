/* whatif_report.h - what every view of a straggler what-if is made from. */
#ifndef HC_REPORTS_WHATIF_WHATIF_REPORT_H
#define HC_REPORTS_WHATIF_WHATIF_REPORT_H

#include "sim/whatif/whatif.h"

#include <stdint.h>

struct hc_whatif_report {
    const struct hc_whatif_result *result;
    const char *source_path, *source_sha256, *format; /* the trace that was read, first hand */
    int64_t source_size;
    int32_t format_version;
    const char *archive, *segment; /* where it was read from, or NULL for a file */
    const char *steps_option;      /* "--steps" as given, or NULL */
    bool is_only;                  /* the command line (hc_made_by) is about this job alone */
    bool keeps_outliers;           /* steps that stand apart were to be analysed, too */
    unsigned depth;                /* enum hc_depth bits: what was asked for beyond the figures */
    const char *run_id; /* where it is one of several files: what all of them carry; or NULL */
};

#endif
