#include "parsers/logs/pattern_check.h"

#include "parsers/failures/failure_patterns.h"
#include "parsers/logs/log_patterns.h"

enum hc_status hc_patterns_check(struct hc_pattern_text patterns, struct hc_error *err)
{
    struct hc_failure_patterns *of_failures = NULL;
    struct hc_log_patterns *of_runs = NULL;
    if (!hc_failure_patterns_make(&of_failures, patterns, err))
        hc_log_patterns_make(&of_runs, patterns, err);
    hc_failure_patterns_free(of_failures);
    hc_log_patterns_free(of_runs);
    return err->status;
}
