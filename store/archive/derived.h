/* derived.h - results kept beside the segments that they were found from: ARCHIVE/derived/.
 *
 * A cache, and nothing else: any file may be deleted at any time, and what is not there, damaged or
 * of something else is found again. A file is a sealed JSON document (core/files/sealed_json.h)
 * under a name that is its key, written to a temporary name and renamed, so any number of processes
 * may read and write at once. Nothing is synced to the disk: a file torn by a crash breaks its
 * seal.
 */
#ifndef HC_STORE_ARCHIVE_DERIVED_H
#define HC_STORE_ARCHIVE_DERIVED_H

#include "core/base/status.h"
#include "store/archive/archive_stray.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_DERIVED_DIRECTORY "derived"

/* In place of the digest of a segment: a result that belongs to the archive as a whole. */
#define HC_DERIVED_OF_ARCHIVE "0000000000000000000000000000000000000000000000000000000000000000"

/* What a result depends on. */
struct hc_derived_key {
    const char *segment_sha256;
    const char *kind;   /* "fleet-row" */
    const char *inputs; /* versions and options that change it, as canonical text */
};

/* The sealed document that is kept for a key in the archive at path, or false. Whoever asks
 * compares what the document says of its key with the key. *text is the caller's. */
bool hc_derived_get(const char *archive, const struct hc_derived_key *key, char **text,
                    size_t *length);

/* The same for who has to tell nothing from what could not be read now; *text is NULL but where it
 * is whole, and err says why it is damaged or unreadable. */
enum hc_derived_state {
    HC_DERIVED_ABSENT,
    HC_DERIVED_WHOLE,
    HC_DERIVED_DAMAGED,
    HC_DERIVED_UNREADABLE
};
enum hc_derived_state hc_derived_look(const char *archive, const struct hc_derived_key *key,
                                      char **text, size_t *length, struct hc_error *err);

/* Keep a sealed document, in place of what was there. The first one that a process keeps sweeps
 * what dead processes left. */
enum hc_status hc_derived_put(const char *archive, const struct hc_derived_key *key,
                              const char *text, struct hc_error *err);

/* Remove what belongs to the archive as a whole: rows that it was told to have are not there any
 * more. *n_removed: how many files. */
enum hc_status hc_derived_forget(const char *archive, size_t *n_removed, struct hc_error *err);

/* The derived files of no segment that archive names, temporary files of dead writers, and what is
 * not a derived file at all. */
enum hc_status hc_visit_derived(const struct hc_reporter *reporter,
                                const struct hc_archive *archive, struct hc_error *err);

#endif
