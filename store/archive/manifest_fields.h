/* manifest_fields.h - the keys of an entry of the manifest and what of the entry they are.
 *
 * Private to this wing. */
#ifndef HC_STORE_ARCHIVE_MANIFEST_FIELDS_H
#define HC_STORE_ARCHIVE_MANIFEST_FIELDS_H

#include "core/base/status.h"
#include "store/archive/archive.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_MANIFEST_DAY_KEY    "day"
#define HC_MANIFEST_RANK_KEY   "rank"
#define HC_MANIFEST_TABLE_KEY  "table"
#define HC_MANIFEST_TABLES_KEY "tables"

enum hc_manifest_field_kind {
    HC_FIELD_FILE_NAME,
    HC_FIELD_TEXT,
    HC_FIELD_DIGEST,
    HC_FIELD_OPTIONAL_DIGEST,
    HC_FIELD_INT32,
    HC_FIELD_INT64
};

struct hc_manifest_field {
    const char *key;
    enum hc_manifest_field_kind kind;
    size_t offset; /* in struct hc_manifest_entry */
};

/* In the order in which they are written. Besides these there is "tables", an object of their rows,
 * "day" where the segment is not of a job, and "rank" where it is of one rank of it. */
#define HC_MANIFEST_N_FIELDS 13
extern const struct hc_manifest_field hc_manifest_fields[HC_MANIFEST_N_FIELDS];

static inline bool hc_field_is_text(enum hc_manifest_field_kind kind)
{
    return kind == HC_FIELD_FILE_NAME || kind == HC_FIELD_TEXT;
}

/* Put the entries that were read into the order of the manifest. HC_BAD_INPUT when two are of one
 * job and table, or of one file. */
enum hc_status hc_manifest_sort(struct hc_archive *archive, struct hc_error *err);

#endif
