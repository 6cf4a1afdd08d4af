/* pack_source.h - whether the scans of this process read packs in place of segments, and which.
 *
 * Records that were read once are kept in the archive as packs (store/archive/derived_pack.h), if
 * the command says so; the merge of shards has packs of its own beside. Nothing that is reported
 * depends on either: a pack has the same rows in the same order, and what it lacks is read from the
 * segment. Commands say it once, before they scan, as they say how many threads there are; who
 * scans without that, such as a test, reads segments.
 */
#ifndef HC_PIPELINE_PACKS_PACK_SOURCE_H
#define HC_PIPELINE_PACKS_PACK_SOURCE_H

#include "store/pack/pack.h"

#include <stdbool.h>
#include <stddef.h>

struct hc_pack_source {
    bool keeps; /* packs of the archive are read, and made where they are not there */
    /* Packs that are looked into first, of shards that are merged; they must stay. */
    size_t n_parts;
    struct hc_pack *const *parts;
};

void hc_pack_source_use(const struct hc_pack_source *source);
struct hc_pack_source hc_pack_source(void);

/* No more packs are made by this process: they could not be kept, as the first of these errors
 * says, which is told once. */
void hc_pack_source_give_up(const char *archive, const struct hc_error *why);

#endif
