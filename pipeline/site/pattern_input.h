/* pattern_input.h - the file of patterns by which a site's log lines are known. */
#ifndef HC_PIPELINE_SITE_PATTERN_INPUT_H
#define HC_PIPELINE_SITE_PATTERN_INPUT_H

#include "parsers/io/format.h"

/* Read and check the file at path, which must outlive the patterns; free with
 * hc_pattern_input_free. HC_BAD_INPUT names file, line and column of what is wrong in it. */
enum hc_status hc_pattern_input_load(struct hc_pattern_text *patterns, const char *path,
                                     struct hc_error *err);
void hc_pattern_input_free(struct hc_pattern_text *patterns);

#endif
