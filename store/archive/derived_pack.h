/* derived_pack.h - packs (store/pack/pack.h) kept beside the segments that they have the rows of:
 * ARCHIVE/derived/records.<month>.<key>.pack.
 *
 * A pack is of the segments of one cluster, source, main table and month. As all that lies in
 * derived/ (store/archive/derived.h) it may be deleted at any time, is written under a temporary
 * name and renamed, and is never synced: one that is torn says so itself. Any number of processes
 * may read and write at once; the last that finishes leaves its own.
 *
 *     struct hc_derived_pack pack;
 *     if (hc_derived_pack_begin(&pack, archive->path, entry, err) == HC_OK) {
 *         ... write to pack.stream ...
 *         status = hc_derived_pack_commit(&pack, err);
 *     }
 *     hc_derived_pack_end(&pack);
 */
#ifndef HC_STORE_ARCHIVE_DERIVED_PACK_H
#define HC_STORE_ARCHIVE_DERIVED_PACK_H

#include "core/base/status.h"
#include "store/archive/archive_stray.h"
#include "store/folder/folder.h"
#include "store/folder/locked_temporary.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define HC_DERIVED_PACK "a kept pack" /* what messages that nobody may see call it */

/* Whether the segment of an entry can be in a kept pack: it is of a day or month of records. */
bool hc_has_pack(const struct hc_manifest_entry *entry);

/* Whether two segments are in one pack. Those of one pack are neighbours in the manifest. */
bool hc_is_same_pack(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b);

/* Open the pack that the segment of an entry is in, for reading; *fd is -1 where there is none. */
enum hc_status hc_derived_pack_open(const char *archive, const struct hc_manifest_entry *entry,
                                    int *fd, struct hc_error *err);

/* A pack while it is written. */
struct hc_derived_pack {
    struct hc_folder folder;
    struct hc_locked_temporary temporary;
    char *name;
    FILE *stream;
};

/* Begin the pack that the segment of an entry is in. To hc_derived_pack_end whatever the result. */
enum hc_status hc_derived_pack_begin(struct hc_derived_pack *pack, const char *archive,
                                     const struct hc_manifest_entry *entry, struct hc_error *err);

/* Put it in place of what was there. */
enum hc_status hc_derived_pack_commit(struct hc_derived_pack *pack, struct hc_error *err);
void hc_derived_pack_end(struct hc_derived_pack *pack);

/* Remove the packs that n segments, which are gone, may be in: what was pruned is not to stay in
 * them. */
enum hc_status hc_derived_pack_forget(const char *archive, const struct hc_manifest_entry *gone,
                                      size_t n, struct hc_error *err);

/* Look at the file `name` of folder, which is derived/; false: it has not the name of a pack, nor
 * that of one that was being written. */
bool hc_visit_derived_pack(const struct hc_reporter *reporter, const struct hc_archive *archive,
                           const struct hc_folder *folder, const char *name);

#endif
