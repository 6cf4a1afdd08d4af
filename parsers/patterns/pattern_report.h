/* pattern_report.h - what is told of expressions that have used up their steps. */
#ifndef HC_PARSERS_PATTERNS_PATTERN_REPORT_H
#define HC_PARSERS_PATTERNS_PATTERN_REPORT_H

#include "parsers/patterns/text_pattern.h"

/* Warn of the texts of a file in which the steps did not suffice, if there were any; name is that
 * of the pattern, for people: "pattern [step] of site.conf". pattern may be NULL. */
void hc_text_pattern_report(const struct hc_text_pattern *pattern, const char *name,
                            const char *file);

#endif
