/* empty_directory.h - generators write to a directory of their own: what an earlier run left there
 * would be taken for theirs. Private to this wing. */
#ifndef HC_PIPELINE_SYNTH_EMPTY_DIRECTORY_H
#define HC_PIPELINE_SYNTH_EMPTY_DIRECTORY_H

#include "core/base/status.h"

/* HC_USAGE when something is in the directory; one that is not there is fine. what: "fleet". */
enum hc_status hc_check_empty(const char *path, const char *what, struct hc_error *err);

#endif
