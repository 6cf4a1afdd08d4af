/* extension_times.h - a file that HDF5 wrote, without the moment at which it was written.
 * Private to this wing. */
#ifndef HC_STORE_SEGMENT_EXTENSION_TIMES_H
#define HC_STORE_SEGMENT_EXTENSION_TIMES_H

#include "core/base/status.h"

/* Set the times in the extension of the superblock to 0, where the closed file open at fd has one:
 * HDF5 makes that object without asking whether it is to have times (H5Pset_obj_track_times), and
 * the bytes of a segment depend on its contents alone. path is for messages. */
enum hc_status hc_extension_times_clear(int fd, const char *path, struct hc_error *err);

#endif
