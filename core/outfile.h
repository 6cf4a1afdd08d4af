/* outfile.h - output files that are there whole or not at all.
 *
 * The output is written to a file without a name in the same directory, of which a killed process
 * leaves nothing, or to a temporary name where the file system (NFS) has no such files; commit
 * fsyncs it and gives it its name.
 * "-" is standard output, which cannot be atomic; commit then only checks that it was written. So
 * it is for devices and pipes (/dev/null), which are written in place and never replaced. A
 * symbolic link is followed.
 */
#ifndef HC_CORE_OUTFILE_H
#define HC_CORE_OUTFILE_H

#include "core/status.h"

#include <stdbool.h>
#include <stdio.h>

struct hc_outfile {
    FILE *stream;
    char *path;      /* final name with links resolved, or "-" */
    char *temporary; /* NULL for what is written in place */
    bool is_unnamed; /* there is no file `temporary` before commit */
};

enum hc_status hc_outfile_open(struct hc_outfile *out, const char *path, struct hc_error *err);

/* Flush, check, fsync and rename. On failure the temporary file is gone and the old file, if there
 * was one, is as it was. */
enum hc_status hc_outfile_commit(struct hc_outfile *out, struct hc_error *err);

/* Give up: remove the temporary file. Does nothing after commit, or on a zeroed struct. */
void hc_outfile_abort(struct hc_outfile *out);

/* fsync the directory that holds path, so that a rename in it survives a crash. */
enum hc_status hc_sync_directory_of(const char *path, struct hc_error *err);

/* Whether path is a regular file, or a link to one: what an earlier run wrote. Anything else is not
 * even opened to see whether it is that: reading a pipe waits for a writer, /dev/zero never ends.
 */
bool hc_is_regular_file(const char *path);

/* Make directory and its parents; existing ones are fine. */
enum hc_status hc_make_directories(const char *directory, struct hc_error *err);

#endif
