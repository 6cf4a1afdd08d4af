/* writer_lock.h - locks that the kernel frees when their holder dies.
 *
 * They are open file description locks: unlike those of fcntl's F_SETLK they belong to one file
 * descriptor, so that threads exclude each other and HDF5's closing of the same file frees nothing.
 *
 * A lock of an archive is held by writers alone: the lock file can be opened by those only who may
 * write the manifest. It has the name of who holds a lock, for those who wait.
 */
#ifndef HC_STORE_FOLDER_WRITER_LOCK_H
#define HC_STORE_FOLDER_WRITER_LOCK_H

#include "core/base/status.h"

#include <stdbool.h>

#define HC_LOCK_FILE    "lock"
#define HC_READERS_FILE "readers" /* see store/archive/archive_readers.h */

/* Lock the open file fd for writing. False, with errno set, when it cannot be locked at once. */
bool hc_lock_fd(int fd);

/* Whether somebody else holds the lock of the open file fd for writing. False when that cannot be
 * told. A lock for reading, which every reader of the file can take, is nothing here. */
bool hc_is_locked(int fd);

/* How long the two that follow wait for a lock in all, in seconds; negative, as at first: for ever.
 */
void hc_lock_set_timeout(double timeout_s);

/* Take the writer lock of the archive at path, waiting for it; after two seconds standard error
 * says who holds it. The lock is freed by closing *fd. HC_IO: it was not free in time. */
enum hc_status hc_archive_lock(const char *path, int *fd, struct hc_error *err);

/* The same of another lock of the archive: of what is read, changed and published again, such as
 * the records of a day. Whoever holds it may take the writer lock, but not the other way round. */
enum hc_status hc_records_lock(const char *path, int *fd, struct hc_error *err);

/* As hc_archive_lock, but -1 at once when the lock is held, or cannot be taken at all. */
int hc_archive_try_lock(const char *path);

#endif
