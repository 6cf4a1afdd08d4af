/* shared_data.h - files that others published, for the tests that read them: ../shared/data, or
 * data below HINDCAST_SHARED. They are not in the repository, and a test without them says so.
 */
#ifndef HC_TESTS_SUPPORT_SHARED_DATA_H
#define HC_TESTS_SUPPORT_SHARED_DATA_H

#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The exit code by which a test program says that it could not run. */
enum { TEST_SKIPPED = 77 };

/* The path of one of them, in a buffer of the caller's. */
static inline const char *shared_data(char path[PATH_MAX], const char *file)
{
    const char *root = getenv("HINDCAST_SHARED");
    snprintf(path, PATH_MAX, "%s/data/%s", root ? root : "../shared", file);
    return path;
}

/* Whether it is not at hand; says so. A test program then exits with TEST_SKIPPED. */
static inline bool shared_data_is_missing(const char *file)
{
    char path[PATH_MAX];
    if (access(shared_data(path, file), R_OK) == 0)
        return false;
    printf("skipped: '%s' is not there; set HINDCAST_SHARED\n", path);
    return true;
}

#endif
