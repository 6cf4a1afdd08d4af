/* archive_readers.h - who reads what an archive was: files that leave the manifest stay on the disk
 * until nobody reads a manifest any more that names them.
 *
 * Each publication raises the generation of the manifest. A reader holds a lock for reading on one
 * byte of the file `readers`: that of the generation that it has read. Before it has read the
 * manifest it holds all bytes, so that no writer can miss it. A writer that takes segments out of
 * the manifest publishes that first, as generation G, and then asks whether anybody holds a byte
 * below G. If not, the files go. Else they get the name "<name>.gone-<G>", under which those
 * readers find them and nothing else does; the next writer removes them, once the last of these
 * readers is done or a week has passed. Nobody waits for a reader.
 *
 * Where the file system has no locks, or the archive has no such file yet (an older hindcast made
 * it), files go at once, and a reader says that the archive changed while it was read.
 *
 * Private to this wing. */
#ifndef HC_STORE_ARCHIVE_ARCHIVE_READERS_H
#define HC_STORE_ARCHIVE_ARCHIVE_READERS_H

#include "core/base/status.h"
#include "store/folder/folder.h"

#include <stdbool.h>
#include <stdint.h>

/* Begin to read the archive at path, of whatever generation; to be ended by close. -1: nobody is
 * told. */
int hc_reader_begin(const char *path);

/* Of this generation, from here on. */
void hc_reader_settle(int fd, int64_t generation);

/* Whether somebody reads a generation before this one. Readers that are about to read the manifest
 * count, too: with is_patient, those get a moment (50 ms at most) to settle. */
bool hc_has_readers_before(const char *path, int64_t generation, bool is_patient);

/* Take the segment `name` from segments/: `generation`, which is published, is the first without
 * it. It may be gone. */
enum hc_status hc_retire_segment(const struct hc_folder *segments, const char *name,
                                 int64_t generation, bool has_readers, struct hc_error *err);

/* Open the segment `name` for reading, which was taken; *fd is -1 where there is none. */
enum hc_status hc_open_retired(const struct hc_folder *segments, const char *name, int *fd,
                               struct hc_error *err);

/* Whether a name in segments/ is that of a segment that was taken, and its generation. */
bool hc_is_retired_name(const char *name, int64_t *generation);

/* Whether such a file of the archive at path may go. */
bool hc_retired_may_go(const char *path, const struct hc_folder *segments, const char *name);

#endif
