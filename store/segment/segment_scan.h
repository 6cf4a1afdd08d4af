/* segment_scan.h - an open segment as its reader sees it: what tables there are, and of what shape.
 * Private to this wing.
 *
 * Every object of a segment is read once and at a known depth: the root, the groups in it, the
 * datasets in those. So whatever links a file has, nothing is followed twice or in a circle.
 */
#ifndef HC_STORE_SEGMENT_SEGMENT_SCAN_H
#define HC_STORE_SEGMENT_SEGMENT_SCAN_H

#include "store/codec/chunk_codec.h"
#include "store/objects/chunk_index.h"
#include "store/objects/group_links.h"
#include "store/segment/dictionary.h"
#include "store/segment/segment.h"

#include <stddef.h>
#include <stdint.h>

struct hc_stored_column {
    char *name;
    enum hc_type type;
    struct hc_dataset_shape shape;
    struct hc_chunk_place *places;    /* of its chunks */
    struct hc_dictionary *dictionary; /* of its codes, or NULL */
};

/* All columns of a table have the same rows and chunks. */
struct hc_stored_table {
    char *name; /* "ops", "job/nodes" */
    int64_t n_rows, chunk_rows;
    size_t n_columns;
    struct hc_stored_column *columns;
};

struct hc_segment {
    char *path;
    struct hc_segment_file file;
    int32_t minor;
    struct hc_job job;
    struct hc_provenance provenance;
    char *main_table; /* as the root names it, or NULL */
    size_t n_dictionaries;
    struct hc_dictionary *dictionaries;
    size_t n_tables;
    struct hc_stored_table *tables;
    struct hc_table_counts counts; /* of those that were ingested: not the lists of the job */
    struct hc_codec_pool pool;
    struct hc_stored_chunk *chunks; /* one a column of the widest table */
};

/* List and check the dictionaries and tables that the links of the root group and of the group /job
 * lead to, and find out where the chunks of all columns are. On failure what was listed so far is
 * left for hc_segment_close. */
enum hc_status hc_segment_scan(struct hc_segment *segment, const struct hc_link_list *root,
                               const struct hc_link_list *job, struct hc_error *err);

/* The texts of a dictionary of the segment, for hc_dictionary_text. */
enum hc_status hc_segment_load_dictionary(struct hc_segment *segment,
                                          struct hc_dictionary *dictionary, struct hc_error *err);

void hc_segment_scan_fini(struct hc_segment *segment);

/* The table of that name, or NULL. */
const struct hc_stored_table *hc_segment_table(const struct hc_segment *segment, const char *name);

/* The column of that name, or NULL. */
const struct hc_stored_column *hc_stored_column(const struct hc_stored_table *table,
                                                const char *name);

#endif
