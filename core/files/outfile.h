/* outfile.h - output files that are there whole or not at all.
 *
 * The output is written to a file without a name in the same directory, of which a killed process
 * leaves nothing, or to a temporary name where the file system (NFS) has no such files; commit
 * fsyncs it and gives it its name. A file that is replaced hands on its mode, its owner and group
 * as far as the system permits, and its ACL (core/files/file_access.h). Several files that belong
 * together: core/files/outset.h.
 * "-" is standard output, which cannot be atomic; commit then only checks that it was written. So
 * it is for devices and pipes (/dev/null), and for open files by their number (/dev/stdout,
 * /dev/fd/3), which are written in place and never replaced. A symbolic link is followed.
 */
#ifndef HC_CORE_FILES_OUTFILE_H
#define HC_CORE_FILES_OUTFILE_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stdio.h>

struct hc_outfile {
    FILE *stream;
    char *path;      /* final name with links resolved, or "-" */
    char *temporary; /* NULL for what is written in place */
    bool is_unnamed; /* there is no file `temporary` before hc_outfile_name */
};

/* A closed standard output is refused here, before anything is computed for it. */
enum hc_status hc_outfile_open(struct hc_outfile *out, const char *path, struct hc_error *err);

/* Flush, check, fsync and rename. On failure the temporary file is gone and the old file, if there
 * was one, is as it was; but where only the directory could not be synced, the new one is there. */
enum hc_status hc_outfile_commit(struct hc_outfile *out, struct hc_error *err);

/* Give up: remove the temporary file. Does nothing after commit, or on a zeroed struct. */
void hc_outfile_abort(struct hc_outfile *out);

/* The steps of commit. The first two are for what is not written in place: all bytes, and the
 * access of what is replaced, on the disk, then the temporary file under its temporary name, which
 * is as long as `path` or longer. The third is for what is written in place: flush, check and
 * close. */
enum hc_status hc_outfile_flush(struct hc_outfile *out, struct hc_error *err);
enum hc_status hc_outfile_name(struct hc_outfile *out, struct hc_error *err);
enum hc_status hc_outfile_end_in_place(struct hc_outfile *out, struct hc_error *err);

/* The name with the links in its directory and its own resolved, as far as they lead somewhere: so
 * that what a link points to is replaced and not the link, and one file has one name. NULL with err
 * filled without memory. */
char *hc_resolved_path(const char *path, struct hc_error *err);

/* A name beside path that no other process or thread has, or NULL with err filled. */
char *hc_outfile_unused_name(const char *path, struct hc_error *err);

/* Whether name, without directory, is one that hc_outfile_unused_name made for a file `base`. */
bool hc_outfile_is_unused_name(const char *name, const char *base);

/* The directory that path is in, or NULL with err filled. */
char *hc_parent_directory(const char *path, struct hc_error *err);

/* A stream for what is read back later, without a name (TMPDIR), or NULL with err filled. */
FILE *hc_scratch_stream(struct hc_error *err);

/* fsync the directory that holds path, so that a rename in it survives a crash. */
enum hc_status hc_sync_parent_directory(const char *path, struct hc_error *err);

/* What is at a path, links followed. */
enum hc_file_kind { HC_FILE_NONE, HC_FILE_REGULAR, HC_FILE_OTHER };

/* Look what is at path without opening it: reading a pipe waits for a writer, /dev/zero never ends.
 * HC_IO where the system does not let us look, which is another thing than that nothing is there.
 */
enum hc_status hc_look_at_file(const char *path, enum hc_file_kind *kind, struct hc_error *err);

/* Whether path is known to be a regular file, for those who can do without what an earlier run
 * wrote. */
bool hc_is_regular_file(const char *path);

/* Make directory and its parents; existing ones are fine. */
enum hc_status hc_make_directories(const char *directory, struct hc_error *err);

#endif
