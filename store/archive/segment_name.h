/* segment_name.h - file names of segments: safe on any file system, the same for the same source.
 */
#ifndef HC_STORE_ARCHIVE_SEGMENT_NAME_H
#define HC_STORE_ARCHIVE_SEGMENT_NAME_H

#include "store/archive/archive.h"
#include "store/folder/locked_temporary.h"

#include <stdbool.h>

/* Segments that are being written. */
extern const struct hc_temporary_kind hc_temporary_segment;

/* "segments/<cluster>~<id>~<attempt>.<hash>.h5", with the day of a source in place of the attempt,
 * or the attempt and the rank, "0-17", where it is of one rank: the hash is over the job, the
 * digests of source and metadata, how they were read, and the digest of the segment that this one
 * rewrites ("": none). Names are shorter than 200 bytes. NULL with err filled on failure; the
 * caller frees it. */
char *hc_segment_file_name(const struct hc_manifest_entry *entry, const char *rewrites,
                           struct hc_error *err);

/* Whether file, relative to the archive, is the name of a segment in its directory, and no path to
 * somewhere else. */
bool hc_is_segment_file(const char *file);

/* The name in its directory of such a file. */
const char *hc_segment_base_name(const char *file);

/* Whether name, in the directory of the segments, is of the form that hc_segment_file_name gives:
 * "<cluster>~<id>~<attempt, day or attempt-rank>.<12 hex digits>.h5". */
bool hc_is_segment_name(const char *name);

/* A copy of text in which bytes that are not UTF-8 are percent-encoded, or NULL with err filled. */
char *hc_utf8_text(const char *text, struct hc_error *err);

#endif
