/* site_try.h - whether the map of a source fits a file, by the first bytes of that. */
#ifndef HC_PIPELINE_SITE_SITE_TRY_H
#define HC_PIPELINE_SITE_SITE_TRY_H

#include "pipeline/site/site_file.h"

/* HC_BAD_INPUT, naming file and column, where the file at path lacks a column that the map of the
 * source names; of JSON, where it has no such array. HC_OK also without a map. */
enum hc_status hc_site_try(const struct hc_site_source *source, const char *path,
                           struct hc_error *err);

#endif
