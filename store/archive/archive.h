/* archive.h - the archive: a directory of immutable segments and a manifest.
 *
 * Any number of ingests may run at once, and readers never wait for them: a segment is written to a
 * temporary name, closed, fsynced, renamed, and only then entered in manifest.json, itself replaced
 * atomically under one writer lock that the kernel frees when its holder dies.
 */
#ifndef HC_STORE_ARCHIVE_ARCHIVE_H
#define HC_STORE_ARCHIVE_ARCHIVE_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "store/segment/segment.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One published segment, as the manifest has it. */
struct hc_manifest_entry {
    char *file; /* relative to the archive: "segments/default~AR~0.<hash>.h5" */
    char sha256[HC_DIGEST_TEXT];
    int64_t size;
    char *cluster, *job_id;
    int32_t attempt;
    /* "" of a job; else job_id is the source that tells of this day, or of this month ("2026-03")
     */
    char day[HC_DAY_TEXT];
    char *table;     /* the main one, which says what the segment is of: "ops" */
    int32_t of_rank; /* of what this rank recorded; HC_MISSING_I32: of the job as a whole */
    struct hc_table_counts tables;
    char *source_path;
    char source_sha256[HC_DIGEST_TEXT];
    char meta_sha256[HC_DIGEST_TEXT]; /* "" without metadata */
    char *format;
    int32_t format_version;
    char *options;
};

struct hc_archive {
    char *path;
    int64_t generation; /* raised by one with every publication */
    bool newer;         /* of a newer minor version: can be read, but not added to */
    size_t n_entries;
    struct hc_manifest_entry *entries; /* ascending by cluster, job id, attempt, day, table, rank */
    bool created;                      /* by the call that opened it */
    atomic_bool swept;                 /* leftovers of dead writers were removed */
    bool unfinished; /* its creation was cut short: it is empty, and the next ingest completes it */
    int reader;      /* what tells others that it is read (archive_readers.h), or -1 */
};

/* Open the archive at path for reading. With create, an absent or empty directory becomes an
 * archive; a directory that is something else is refused. HC_IO: it does not exist, or the system
 * refused to read it, of which nothing follows for what is in it. */
enum hc_status hc_archive_open(struct hc_archive **archive, const char *path, bool create,
                               struct hc_error *err);
void hc_archive_close(struct hc_archive *archive);

/* From here on, segments that leave the archive may go from the disk as well: of one that is open
 * for its entries alone, by who is about to remove some. */
void hc_archive_end_reading(struct hc_archive *archive);

/* Make the archive at path unless it is there; *created tells whether this call made it. */
enum hc_status hc_archive_create(const char *path, bool *created, struct hc_error *err);

/* Remove an archive that opening it created and into which nothing was published or is being
 * written: an ingest that fails leaves nothing behind. */
void hc_archive_discard_if_empty(struct hc_archive *archive);

/* Open the segment of an entry, also where it left the archive since that was opened. HC_BAD_INPUT:
 * it is missing, its bytes are wrong, or it is of another job or source than the manifest says;
 * HC_IO: it could not be read now, is no regular file (links are not followed), or is gone together
 * with its entry; HC_INTERNAL: no memory. */
enum hc_status hc_archive_open_segment(const struct hc_archive *archive,
                                       const struct hc_manifest_entry *entry,
                                       struct hc_segment **segment, struct hc_error *err);

/* Open the file of an entry for reading, with nothing said of its contents; *fd is -1 on failure,
 * whose classes are those of hc_archive_open_segment. */
enum hc_status hc_archive_open_file(const struct hc_archive *archive,
                                    const struct hc_manifest_entry *entry, int *fd,
                                    struct hc_error *err);

/* Compare size and SHA-256 of an open file with what the manifest says: HC_BAD_INPUT where they
 * differ. */
enum hc_status hc_archive_verify_file(const struct hc_archive *archive,
                                      const struct hc_manifest_entry *entry, int fd,
                                      struct hc_error *err);

/* Open the file of an entry and compare size and SHA-256 with what the manifest says. What is read
 * from *fd then is what was verified. */
enum hc_status hc_archive_open_verified(const struct hc_archive *archive,
                                        const struct hc_manifest_entry *entry, int *fd,
                                        struct hc_error *err);

/* Whether the manifest, which may have been replaced since the archive was opened, names the files
 * of all n entries; true where it cannot be read. */
bool hc_archive_still_names(const struct hc_archive *archive,
                            const struct hc_manifest_entry *entries, size_t n);

/* Path of an entry's segment file, for messages and records; the caller frees it. */
enum hc_status hc_archive_segment_path(const struct hc_archive *archive,
                                       const struct hc_manifest_entry *entry, char **path,
                                       struct hc_error *err);

/* The entries of the ranks of one job, attempt and main table are neighbours: how many there are
 * from this one of them to the last, at least 1. */
size_t hc_archive_n_ranks(const struct hc_archive *archive, const struct hc_manifest_entry *entry);

/* Whether the segment of an entry is of what the rows of def are of: def is its main table. */
bool hc_manifest_entry_is(const struct hc_manifest_entry *entry, const struct hc_table_def *def);

/* Rows of a table in the segment of an entry; 0 when it has none. */
int64_t hc_manifest_entry_rows(const struct hc_manifest_entry *entry,
                               const struct hc_table_def *def);

/* The segment with this main table (NULL: any) that a user names: cluster/id, id, an unambiguous
 * prefix of either, or a pattern that one job matches (an exact match wins over a prefix, and that
 * over a pattern; of several attempts "id#2" names one, of several days "id#2026-03-01", and the
 * newest is the default). Otherwise HC_USAGE listing the candidates. */
enum hc_status hc_archive_find(const struct hc_archive *archive, const char *name,
                               const char *table, const struct hc_manifest_entry **entry,
                               struct hc_error *err);

/* Whether a name has wildcards: "llama-*", "east/run-?", "run-[1-3]". */
bool hc_is_job_pattern(const char *name);

/* Several jobs, as a user names them. */
struct hc_archive_choice {
    const char *name;    /* as of hc_archive_find, or a pattern of ids or of "cluster/id", with an
                            attempt or a day behind it, too; NULL: every job */
    const char *table;   /* the main one; NULL: any */
    const char *cluster; /* NULL: any */
    bool every_attempt;  /* and every day, and not the newest alone, unless the name says which */
};

/* Set is_chosen[i] of the entries that are meant, the others stay as they are. HC_USAGE: there is
 * none of that name, or a name without wildcards could be any of several jobs, or there is no such
 * cluster: the message has what is near. */
enum hc_status hc_archive_choose(const struct hc_archive *archive,
                                 const struct hc_archive_choice *choice, bool *is_chosen,
                                 struct hc_error *err);

/* A name for who takes away what has it: a whole id or "cluster/id", or a pattern of either, with
 * an attempt or a day behind it or without; a start of a name is none. Zero or more entries have
 * it. */
struct hc_entry_name {
    const char *text;
    int way; /* in which it is read: the first in which some entry has it; -1: none has it, any way
                will do (of a file that the manifest does not name any more) */
};
void hc_entry_name_init(struct hc_entry_name *name, const struct hc_archive *archive,
                        const char *text);
bool hc_entry_has_name(const struct hc_manifest_entry *entry, const struct hc_entry_name *name);

/* *found becomes the entry that already holds this source read the same way (content hash, metadata
 * hash, format, format version, options, and the same job; where job has no day or rank, any day
 * of a source, any rank of a job), or NULL; also NULL when its segment is missing or damaged, so
 * that another ingest heals it. Reads the segment. When that cannot be read, HC_IO: it may well be
 * whole, and is not written again because a disk stuttered. */
enum hc_status hc_archive_holds(const struct hc_archive *archive, const struct hc_job *job,
                                const struct hc_provenance *provenance,
                                const struct hc_manifest_entry **found, struct hc_error *err);

/* ---- writing ---- */

struct hc_archive_ingest; /* a segment being written */

/* is_small: as of hc_segment_writer_open. */
enum hc_status hc_archive_ingest_begin(struct hc_archive_ingest **ingest,
                                       struct hc_archive *archive, bool is_small,
                                       struct hc_error *err);
struct hc_segment_writer *hc_archive_ingest_writer(struct hc_archive_ingest *ingest);

/* Close the segment, rename it and publish it: under the lock the manifest is re-read, the entry of
 * the same job (or source and day) and main table replaced (*replaced tells), and the manifest
 * written anew. Freed whatever the result. When it returns HC_OK the segment survives a crash, and
 * archive holds the new manifest: entries found in it before are no longer valid. When it fails,
 * the segment is not published and its file gone; only when the very last step failed, the syncing
 * of the directory, the manifest names it, and the message says so. */
enum hc_status hc_archive_ingest_commit(struct hc_archive_ingest *ingest, const struct hc_job *job,
                                        const struct hc_provenance *provenance, bool *replaced,
                                        struct hc_error *err);
void hc_archive_ingest_abort(struct hc_archive_ingest *ingest);

/* The same in two steps, for segments that are to be there together, such as those of the ranks of
 * a job: finish closes a segment, which stays under its temporary name; publish syncs all of a set,
 * gives them their names and enters them in the manifest at once, so that a kill leaves all or none
 * of them published. After finish, also one that failed, the ingest is the caller's to publish or
 * to abort; publish frees all of the set whatever the result. An ingest that is finished holds two
 * descriptors. */
struct hc_ingest_set {
    size_t n;
    struct hc_archive_ingest *const *ingests; /* finished, of one archive */
    bool *replaced;                           /* of each; filled */
};
/* The segment, which is finished later, has what another has that the manifest names, of digest
 * sha256, written anew: it takes that one's place under a name of its own, unless the manifest
 * names something else by then. */
void hc_archive_ingest_rewrites(struct hc_archive_ingest *ingest, const char *sha256);

enum hc_status hc_archive_ingest_finish(struct hc_archive_ingest *ingest, const struct hc_job *job,
                                        const struct hc_provenance *provenance,
                                        struct hc_error *err);
enum hc_status hc_archive_ingest_publish(const struct hc_ingest_set *set, struct hc_error *err);

/* Wait until nobody else changes records of the archive, and bring its entries up to date: what is
 * read of them then stays the newest until *lock is closed. */
enum hc_status hc_archive_lock_records(struct hc_archive *archive, int *lock, struct hc_error *err);

/* ---- checking ---- */

/* What `hindcast check` found; one call per finding, in a fixed order. "Damaged" and "unreadable"
 * are never mixed: of the first the bytes were read and are wrong, of the second nothing is known.
 */
enum hc_check_kind {
    HC_CHECK_OK,          /* a segment that is whole (only reported when verbose) */
    HC_CHECK_DAMAGED,     /* missing file, wrong hash, bad checksum, wrong schema: an error */
    HC_CHECK_UNREADABLE,  /* the system refused to read (or remove) it, or it is no regular file: an
                             error of another sort, after which nothing may be thrown away */
    HC_CHECK_UNPUBLISHED, /* a segment that the manifest does not name (a kill between rename and
                             publication, or replaced): harmless */
    HC_CHECK_LEFTOVER,    /* a temporary file whose writer is gone: harmless */
    HC_CHECK_FOREIGN,     /* not a file of an archive: left alone */
    HC_CHECK_STALE        /* --stale: a newer parser would read the source differently */
};
#define HC_N_CHECK_KINDS (HC_CHECK_STALE + 1)

struct hc_check_finding {
    enum hc_check_kind kind;
    bool is_removed; /* by gc or repair */
    const char *file;
    const char *message; /* what is wrong; for stale ones, versions and whether the source exists */
};

typedef void hc_check_callback(const struct hc_check_finding *finding, void *context);

/* Verify every segment of the manifest: hash, schema, checksums, and that it is what the manifest
 * says. HC_OK also when something was found, HC_CHECK_UNREADABLE included: the callback tells.
 * Errors are only what kept the check from running. */
enum hc_status hc_archive_check(const char *path, hc_check_callback *callback, void *context,
                                struct hc_error *err);

/* The same for the chosen entries alone (is_chosen[i] of each), as the open archive has them: what
 * else is in its directory is not looked at. */
enum hc_status hc_archive_check_entries(const struct hc_archive *archive, const bool *is_chosen,
                                        hc_check_callback *callback, void *context,
                                        struct hc_error *err);

/* Rebuild the manifest from the segments on disk: whole ones are entered (the newest file wins
 * where several hold one job), damaged ones reported and left out, leftovers of dead writers
 * removed. What the old manifest says of a segment that cannot be read now is kept. An old manifest
 * that cannot be read (HC_IO) is not replaced; one whose text is wrong is, and one that is missing
 * made, provided that every file with a segment's name can be read. Else nothing is changed, which
 * HC_CHECK_UNREADABLE of those files and HC_CHECK_DAMAGED of the manifest tell. */
enum hc_status hc_archive_repair(const char *path, hc_check_callback *callback, void *context,
                                 struct hc_error *err);

/* Report the entries that were read by an older version of their format's parser than there is now.
 * current(format) gives the version now; 0 for a format that is not known any more. */
enum hc_status hc_archive_stale(const char *path, int (*current)(const char *format),
                                hc_check_callback *callback, void *context, struct hc_error *err);

/* Remove what is not needed any more: leftovers of dead writers, results kept of segments that are
 * gone, and replaced segments. A segment is removed only when it was read whole, the manifest names
 * another of its job and main table that is whole too, and that one is newer or has the same bytes.
 * All else stays, with one finding for each that says why: what could not be read or removed
 * (HC_CHECK_UNREADABLE), segments of jobs that the manifest does not name, files that are not of an
 * archive. Without the manifest (HC_IO, HC_BAD_INPUT) nothing is removed. Segments of writers at
 * work stay, and so does what readers that opened the archive before may still open. */
enum hc_status hc_archive_gc(const char *path, hc_check_callback *callback, void *context,
                             struct hc_error *err);

/* ---- pruning ---- */

struct hc_prune {
    /* Whether a segment goes. */
    bool (*goes)(const struct hc_manifest_entry *entry, void *context);
    /* Called for each that went, or with is_dry would go; of a file that the manifest does not
     * name, sha256 is empty. */
    void (*removed)(const struct hc_manifest_entry *entry, void *context);
    void *context;
    bool is_dry;         /* nothing is changed */
    bool sweeps_results; /* what is kept of segments that are gone (derived.h) goes, too */
};

/* Remove segments: all that go leave the manifest at once, and then the disk. Killed in between,
 * files are left that nothing names, which the next prune of as much removes: goes is asked of them
 * first, and then of what the manifest names. With a month go the days that it was made of. Waits
 * for ingests of records and keeps others from publishing meanwhile. A file that readers who opened
 * the archive before may still open goes with the next writer after them. HC_IO: a file could not
 * be removed; the manifest does not name it any more. */
enum hc_status hc_archive_prune(const char *path, const struct hc_prune *prune,
                                struct hc_error *err);

#endif
