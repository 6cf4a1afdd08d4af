/* pattern_check.h - whether a site's patterns of log lines (docs/formats/log-patterns.md) are
 * right, before any log is opened. */
#ifndef HC_PARSERS_LOGS_PATTERN_CHECK_H
#define HC_PARSERS_LOGS_PATTERN_CHECK_H

#include "parsers/io/format.h"

/* HC_BAD_INPUT names file, line and column of the first mistake, in patterns of failures and of
 * training runs alike. */
enum hc_status hc_patterns_check(struct hc_pattern_text patterns, struct hc_error *err);

#endif
