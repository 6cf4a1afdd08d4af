/* log_name.h - what names the log of a job, whatever rotation and compression made of its file. */
#ifndef HC_PARSERS_IO_LOG_NAME_H
#define HC_PARSERS_IO_LOG_NAME_H

#include "core/base/status.h"

#include <stddef.h>
#include <stdint.h>

/* "runs/run-03/100234.out.2.gz": what names the log whatever became of the file: the last two parts
 * of its path without what rotation and compression put behind it, and a hash of the whole path
 * without that. The name is a part of path.
 *
 * The id is of the path, since the content cannot tell: a log that grew or was rotated begins with
 * another line each time, and two jobs may write the same lines at the same time. It tells the rows
 * of two logs apart, and orders nothing (pipeline/ingest/row_order.h). */
struct hc_log_name {
    const char *text;
    size_t length;
    int64_t id;
    int64_t job; /* digits that are a part of the name of the file; HC_MISSING_I64: none, several */
};

/* HC_IO where the path cannot be looked up now: by another one the same rows would be of another
 * log. What is no path ("standard input") is named by its text. */
enum hc_status hc_log_name_read(struct hc_log_name *name, const char *path, struct hc_error *err);

/* A hash of a path without all that rotation and compression may have put into it: "a.log" for
 * "a.log.1.gz", "a.log-20260301", and also for "a.1.log", "a-20260301.log", which may as well be
 * logs of their own: only their content tells. */
uint64_t hc_log_path_key(const char *path);

#endif
