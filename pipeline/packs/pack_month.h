/* pack_month.h - the segments that share a pack, while a scan goes through them: what the pack has
 * is read from it, what it lacks is put into a new one on the way.
 *
 * The new pack is begun with the first segment that the old one lacks, and has all segments of the
 * month that either has, in the order of the manifest; so its bytes depend on which segments are in
 * it and on nothing else, and those of segments that are gone leave it. The caller names each
 * segment in turn:
 *
 *     struct hc_pack_month month;
 *     hc_pack_month_open(&month, archive, &hc_jobs_def, entries, n);
 *     for (size_t i = 0; i < n; i++) {
 *         if (hc_pack_month_find(&month, i, &found))
 *             ... read found.pack ... then hc_pack_month_pass(&month, i);
 *         else if (hc_pack_month_begins(&month, i))
 *             ... read the segment, all of it, give it to hc_pack_month_names and _rows ...
 *     }
 *     hc_pack_month_close(&month, status == HC_OK);
 *
 * Nothing here fails a scan: what cannot be kept is not kept, with one warning.
 */
#ifndef HC_PIPELINE_PACKS_PACK_MONTH_H
#define HC_PIPELINE_PACKS_PACK_MONTH_H

#include "core/base/status.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "store/archive/archive.h"
#include "store/archive/derived_pack.h"
#include "store/pack/pack.h"

#include <stdbool.h>
#include <stddef.h>

struct hc_pack_month {
    const struct hc_archive *archive;
    const struct hc_table_def *def;
    const struct hc_manifest_entry *entries;
    size_t n;
    struct hc_pack *kept; /* or NULL */
    struct hc_derived_pack file;
    struct hc_pack_writer *writer; /* of the new pack; NULL: none is begun */
};

/* Of the n entries from this one on, how many share a pack; 1 for one that is in none. */
size_t hc_pack_month_length(const struct hc_manifest_entry *entries, size_t n);

/* entries: those that share a pack. */
void hc_pack_month_open(struct hc_pack_month *month, const struct hc_archive *archive,
                        const struct hc_table_def *def, const struct hc_manifest_entry *entries,
                        size_t n);

/* A pack that has the rows of a segment. */
struct hc_packed_rows {
    struct hc_pack *pack;
    const struct hc_pack_entry *entry;
};
bool hc_pack_month_find(const struct hc_pack_month *month, size_t i, struct hc_packed_rows *found);

/* Segment i is not read from its file: the new pack, if there is one, has it from the old. */
void hc_pack_month_pass(struct hc_pack_month *month, size_t i);

/* Segment i is read from its file now. Whether all of its rows are wanted for the new pack. */
bool hc_pack_month_begins(struct hc_pack_month *month, size_t i);

/* Its texts, before its first rows; then its rows, all columns filled. */
void hc_pack_month_names(struct hc_pack_month *month, size_t i, const struct hc_table_names *names);
void hc_pack_month_rows(struct hc_pack_month *month, const struct hc_table *rows);

/* Put the new pack in place, if there is one and is_whole. */
void hc_pack_month_close(struct hc_pack_month *month, bool is_whole);

#endif
