/* archive_entry.h - what a segment says of itself, as the manifest would say it.
 * Private to this wing. */
#ifndef HC_STORE_ARCHIVE_ARCHIVE_ENTRY_H
#define HC_STORE_ARCHIVE_ARCHIVE_ENTRY_H

#include "store/archive/archive.h"

/* Read all of the segment that fd is open on, verify it (as hc_segment_verify), and fill *entry
 * with what is in it, `file` being its name; only sha256 is left empty. fd stays the caller's. The
 * status says whose fault a failure is: HC_BAD_INPUT the file's, HC_IO or HC_INTERNAL not. */
enum hc_status hc_archive_describe(int fd, const char *file, struct hc_manifest_entry *entry,
                                   struct hc_error *err);

#endif
