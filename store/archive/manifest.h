/* manifest.h - manifest.json: what is in an archive. Private to this wing. */
#ifndef HC_STORE_ARCHIVE_MANIFEST_H
#define HC_STORE_ARCHIVE_MANIFEST_H

#include "store/archive/archive.h"
#include "store/folder/folder.h"
#include "store/folder/locked_temporary.h"

#define HC_SEGMENT_DIRECTORY "segments"
#define HC_SEGMENT_SUFFIX    ".h5"
#define HC_OUTER_MANIFEST    "../" HC_MANIFEST_FILE /* seen from a directory of the archive */

/* Manifests that are being written. */
extern const struct hc_temporary_kind hc_temporary_manifest;

/* Replace generation and entries of archive by what manifest.json says. HC_BAD_INPUT: it was read,
 * and says what no version of hindcast writes, which is refused by name; HC_IO: it could not be
 * read, or is not there. On failure the archive is as it was, but newer is set when that is why. */
enum hc_status hc_manifest_read(struct hc_archive *archive, struct hc_error *err);

/* Replace manifest.json atomically by the contents of archive; the writer lock must be held. After
 * a failure the old one is there, or, when only the syncing of the directory failed, the new one:
 * hc_manifest_read tells. */
enum hc_status hc_manifest_write(const struct hc_archive *archive, struct hc_error *err);

/* Enter *entry, whose strings move into the archive, in place of the entry of the same job and main
 * table if there is one; of a month, in place of those of its days as well. On failure the strings
 * stay with the caller. */
enum hc_status hc_manifest_put(struct hc_archive *archive, const struct hc_manifest_entry *entry,
                               struct hc_error *err);

/* The entry of the same job (or source and day) and main table, or NULL. */
struct hc_manifest_entry *hc_manifest_find(const struct hc_archive *archive,
                                           const struct hc_manifest_entry *like);

/* The entry that stands for what *like is of: hc_manifest_find, or the month that its day is in. */
struct hc_manifest_entry *hc_manifest_covering(const struct hc_archive *archive,
                                               const struct hc_manifest_entry *like);

/* Whether the segment of a month holds what that of a day would. */
bool hc_manifest_covers(const struct hc_manifest_entry *month, const struct hc_manifest_entry *day);

/* An entry for a segment; sha256 and size are left to the caller. Strings that are not UTF-8 are
 * made so, since JSON is. tables is copied; NULL: none. Without a main table in provenance, it is
 * the first of them. */
enum hc_status hc_manifest_entry_init(struct hc_manifest_entry *entry, const struct hc_job *job,
                                      const struct hc_provenance *provenance,
                                      const struct hc_table_counts *tables, struct hc_error *err);
enum hc_status hc_manifest_entry_copy(struct hc_manifest_entry *copy,
                                      const struct hc_manifest_entry *entry, struct hc_error *err);
void hc_manifest_entry_fini(struct hc_manifest_entry *entry);

/* Free the entries of archive. */
void hc_manifest_clear(struct hc_archive *archive);

/* The key of the first field in which two entries differ, or NULL; their file names aside, which
 * need not follow from what is in them. */
const char *hc_manifest_difference(const struct hc_manifest_entry *a,
                                   const struct hc_manifest_entry *b);

/* Whether both entries are the same source read the same way for the same job. */
bool hc_manifest_same(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b);

#endif
