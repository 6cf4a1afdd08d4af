/* status.h - how every part of hindcast reports failure.
 *
 * A function that can fail returns enum hc_status and fills the caller's struct hc_error where the
 * failure is known. Callers on the way up may put context in front of the message; only main prints
 * it. The status values are the exit codes of the program.
 */
#ifndef HC_CORE_BASE_STATUS_H
#define HC_CORE_BASE_STATUS_H

#include <stdbool.h>

enum hc_status {
    HC_OK = 0,
    HC_FINDING = 1,   /* the work succeeded and found something over its threshold */
    HC_USAGE = 2,     /* the command line is wrong */
    HC_BAD_INPUT = 3, /* a file, row or value from outside is wrong */
    HC_IO = 4,        /* the system refused to read or write */
    HC_INTERNAL = 5   /* out of memory, or an internal error */
};

#define HC_ERROR_SIZE 1024

struct hc_error {
    enum hc_status status;
    char message[HC_ERROR_SIZE]; /* lower case, subject quoted, no newline; "" when HC_OK */
    int place_length; /* of hc_fail_at: bytes of the place that the message begins with; else 0 */
};

/* Fill err with a formatted message and return status, so that callers can `return hc_fail(...)`.
 * A message that does not fit is cut and ends in "...". */
enum hc_status hc_fail(struct hc_error *err, enum hc_status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Fill err with HC_BAD_INPUT and "<place>: <formatted>", where place names a member of what was
 * checked ("/job/nodes"; "" for the whole): whoever knows it under another name can tell them
 * apart. */
enum hc_status hc_fail_at(struct hc_error *err, const char *place, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Put the place of what was checked in front of the place inside it; returns err->status. */
enum hc_status hc_fail_within(struct hc_error *err, const char *place);

/* The message without its place. */
const char *hc_error_sentence(const struct hc_error *err);

/* The status of a system call that failed with errno number: HC_INTERNAL without memory, else
 * HC_IO. */
enum hc_status hc_errno_status(int number);

/* Fill err with "<what> '<path>': <strerror(errno)>" and hc_errno_status(errno); returns that. */
enum hc_status hc_fail_errno(struct hc_error *err, const char *what, const char *path);

/* Fill err with HC_INTERNAL for an allocation of size bytes that failed; returns HC_INTERNAL. */
enum hc_status hc_fail_memory(struct hc_error *err, unsigned long long size);

/* Whether a lack of memory was met by one of these three: a command that goes on without a part,
 * and counts what it could not read, ends with HC_INTERNAL then. */
bool hc_memory_was_short(void);

/* Put "<formatted>: " in front of the message already in err; returns err->status. */
enum hc_status hc_context(struct hc_error *err, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
