/* writer_lock.h - locks that the kernel frees when their holder dies.
 *
 * They are open file description locks: unlike those of fcntl's F_SETLK they belong to one file
 * descriptor, so that threads exclude each other and HDF5's closing of the same file frees nothing.
 */
#ifndef HC_STORE_FOLDER_WRITER_LOCK_H
#define HC_STORE_FOLDER_WRITER_LOCK_H

#include "core/base/status.h"

#include <stdbool.h>

#define HC_LOCK_FILE "lock"

/* Lock the open file fd for writing; with wait, until it is free. False, with errno set, when it
 * cannot be locked. */
bool hc_lock_fd(int fd, bool wait);

/* Whether somebody else holds the lock of the open file fd. False when that cannot be told. */
bool hc_is_locked(int fd);

/* Take the writer lock of the archive at path, waiting for it. The lock is freed by closing *fd. */
enum hc_status hc_archive_lock(const char *path, int *fd, struct hc_error *err);

/* The same of another lock of the archive: of what is read, changed and published again, such as
 * the records of a day. Whoever holds it may take the writer lock, but not the other way round. */
enum hc_status hc_records_lock(const char *path, int *fd, struct hc_error *err);

/* As hc_archive_lock, but -1 at once when the lock is held, or cannot be taken at all. */
int hc_archive_try_lock(const char *path);

#endif
