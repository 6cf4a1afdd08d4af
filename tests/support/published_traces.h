/* published_traces.h - the two traces that the OSDI'25 artifact published, AR and ST, for the tests
 * that read them: ../shared/data/bytedance-straggler, or the same below HINDCAST_SHARED.
 */
#ifndef HC_TESTS_SUPPORT_PUBLISHED_TRACES_H
#define HC_TESTS_SUPPORT_PUBLISHED_TRACES_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The exit code by which a test program says that it could not run. */
enum { TEST_SKIPPED = 77 };

/* The path of a file of the data set, in a buffer of the caller's. */
static inline const char *published_file(char path[PATH_MAX], const char *file)
{
    const char *shared = getenv("HINDCAST_SHARED");
    snprintf(path, PATH_MAX, "%s/data/bytedance-straggler/%s", shared ? shared : "../shared", file);
    return path;
}

/* Whether the data set is not at hand; says so. A test program then exits with TEST_SKIPPED. */
static inline bool published_traces_are_missing(void)
{
    char path[PATH_MAX];
    if (access(published_file(path, "data/trace-AR.parquet"), R_OK) == 0)
        return false;
    printf("skipped: '%s' is not there; set HINDCAST_SHARED\n", path);
    return true;
}

#endif
