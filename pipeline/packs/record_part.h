/* record_part.h - the part of a shard of a report of records: a pack (store/pack/pack.h) with the
 * records of its share of an archive, and what the report is.
 *
 * Whatever the report, the part has all records of its segments: which of them a report reads is
 * known only when it runs. The segments are dealt by their rows, in the order of the manifest, so
 * that shards take about as long; who gets what is a function of the manifest alone. What a part
 * says of itself is a JSON object (docs/formats/pack.md).
 */
#ifndef HC_PIPELINE_PACKS_RECORD_PART_H
#define HC_PIPELINE_PACKS_RECORD_PART_H

#include "core/base/digest.h"
#include "core/base/status.h"
#include "pipeline/fleet/shard.h"
#include "store/archive/archive.h"
#include "store/pack/pack.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define HC_RECORD_PART_SCHEMA "hindcast-record-part"
#define HC_RECORD_PART_MAJOR  1

/* Strings are owned. */
struct hc_record_part {
    struct hc_shard shard;
    char *command; /* "report nightly" */
    size_t n_arguments;
    char **arguments;                     /* "--date=2026-03-30", then "--" and words */
    char *archive;                        /* as it was named */
    char segments_sha256[HC_DIGEST_TEXT]; /* see hc_records_digest */
};

void hc_record_part_fini(struct hc_record_part *part);

/* SHA-256 over all entries of the manifest: what a report was made from. */
enum hc_status hc_records_digest(const struct hc_archive *archive, char digest[HC_DIGEST_TEXT],
                                 struct hc_error *err);

enum hc_status hc_record_part_write(const struct hc_record_part *part,
                                    const struct hc_archive *archive, FILE *stream,
                                    struct hc_error *err);

/* Whether the file at path is this part already, and whole. */
bool hc_record_part_is_done(const struct hc_record_part *part, const char *path);

/* All shards of one report. */
struct hc_record_parts {
    size_t n;
    struct hc_pack **packs;
    struct hc_record_part *parts;
    const struct hc_record_part *first; /* shard 1 */
};

/* Open the parts at n paths, read all of them and check that they are each shard of one report
 * once, and of the archive as it is now. HC_BAD_INPUT, naming the file, where one is damaged,
 * missing, doubled, or of another report, archive or version. To be closed whatever the result. */
enum hc_status hc_record_parts_open(struct hc_record_parts *parts, const char *const *paths,
                                    size_t n, struct hc_error *err);
void hc_record_parts_close(struct hc_record_parts *parts);

#endif
