/* published_traces.h - the two traces that the OSDI'25 artifact published, AR and ST, for the tests
 * that read them: ../shared/data/bytedance-straggler, or the same below HINDCAST_SHARED.
 */
#ifndef HC_TESTS_SUPPORT_PUBLISHED_TRACES_H
#define HC_TESTS_SUPPORT_PUBLISHED_TRACES_H

#include "tests/support/shared_data.h"

/* The path of a file of the data set, in a buffer of the caller's. */
static inline const char *published_file(char path[PATH_MAX], const char *file)
{
    char inner[256];
    snprintf(inner, sizeof inner, "bytedance-straggler/%s", file);
    return shared_data(path, inner);
}

static inline bool published_traces_are_missing(void)
{
    return shared_data_is_missing("bytedance-straggler/data/trace-AR.parquet");
}

#endif
