/* input_file.h - the one place that opens a file for reading: a trace, metadata, a scenario and
 * what it includes, a partial, a result, the list of files of an older run. (What lies in an
 * archive is opened by store/folder/folder.h, relative to its directory; tests/structure/opening.sh
 * forbids all other places.)
 *
 * A name may lead to anything. Opening a FIFO blocks until somebody writes into it, before any
 * fstat could tell; /dev/zero never ends; a tape rewinds when it is closed. So everything is opened
 * with O_NONBLOCK, and then judged by what it is:
 *
 *   regular file       read as it is
 *   FIFO, pipe         read to its end, waiting while a writer has it open; one that nobody writes
 *                      into is refused after a few seconds. `--meta <(cat m.yaml)` is a pipe.
 *   standard input     "-", whatever it is but a device; a terminal is read, somebody types
 *   directory, device, socket  refused (HC_BAD_INPUT)
 *
 * How much is read is the caller's to limit, since a pipe does not say how much will come:
 *
 *     char *text = NULL;
 *     size_t length = 0;
 *     if (hc_input_file_load(path, (size_t)4 << 20, &text, &length, err))
 *         return err->status;
 *
 * What is read twice (hashed, then parsed) may be written to in between: hc_file_state tells. */
#ifndef HC_CORE_FILES_INPUT_FILE_H
#define HC_CORE_FILES_INPUT_FILE_H

#include "core/base/digest.h"
#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/stat.h>

struct hc_input_file {
    int fd;           /* -1 when it is closed */
    const char *name; /* "standard input" or the path, which stays the caller's */
    struct stat info; /* as it was opened */
    int grace_ms;     /* how long a FIFO that nobody writes into is waited for; 0: not */
};

/* Open path ("-" is standard input, of which a duplicate is taken) for reading. HC_IO when the
 * system refuses, HC_BAD_INPUT for a directory or a device. */
enum hc_status hc_input_file_open(struct hc_input_file *file, const char *path,
                                  struct hc_error *err);

/* Does nothing on one that could not be opened. */
void hc_input_file_close(struct hc_input_file *file);

/* Read what is there, at least one byte and at most capacity, at the file's offset; *length 0 is
 * the end. Waits for the writer of a pipe. HC_BAD_INPUT for a FIFO that nobody writes into. */
enum hc_status hc_input_file_read(struct hc_input_file *file, void *buffer, size_t capacity,
                                  size_t *length, struct hc_error *err);

/* The most that is read of a JSON document that hindcast wrote (a result, the report of a night or
 * a run). Its tree of values takes seven times as much memory, and 21 times that of an array of
 * small numbers (measured); 128 MiB are a sweep of some 28,000 points. */
#define HC_DOCUMENT_MAX_BYTES ((size_t)128 << 20)

/* All that the file at path holds, with a NUL behind it, for the caller to free. HC_BAD_INPUT for
 * more than most bytes. */
enum hc_status hc_input_file_load(const char *path, size_t most, char **bytes, size_t *length,
                                  struct hc_error *err);

/* HC_BAD_INPUT: more than most bytes. */
enum hc_status hc_fail_too_large(struct hc_error *err, const char *name, size_t most);

/* The first bytes of the regular file at path, up to capacity. HC_BAD_INPUT for anything else, of
 * which nothing is read: what is taken from a pipe is gone for its reader. */
enum hc_status hc_input_file_head(const char *path, void *bytes, size_t capacity, size_t *length,
                                  struct hc_error *err);

/* SHA-256 of the regular file at path; HC_BAD_INPUT for anything else, which cannot be read twice.
 */
enum hc_status hc_input_file_digest(const char *path, char text[HC_DIGEST_TEXT],
                                    struct hc_error *err);

/* The regular file at path as a stream, not through a symbolic link: for what an earlier run left
 * in a folder of outputs. *stream is NULL where nothing is there. */
enum hc_status hc_input_file_stream(const char *path, FILE **stream, struct hc_error *err);

/* What tells one content of a file from the next, without reading it. */
struct hc_file_state {
    struct stat info;
    /* The file was changed so shortly before that another change may leave the same times: then
     * they prove nothing, and the content must be compared. */
    bool is_recent;
    bool is_at_rest; /* nothing was written to it for ten minutes */
};

enum hc_status hc_file_state_take(struct hc_file_state *state, int fd, const char *name,
                                  struct hc_error *err);

/* HC_IO when the file behind fd is not what it was: its inode, size, time of change of content
 * and time of change of anything. */
enum hc_status hc_file_state_verify(const struct hc_file_state *state, int fd, const char *name,
                                    struct hc_error *err);

/* "was changed while it was read", for those who found it out by its content. */
enum hc_status hc_fail_changed(struct hc_error *err, const char *name);

#endif
