/* day_merge.h - the rows of one day: those that the archive has and those of a batch, merged by
 * key. */
#ifndef HC_PIPELINE_INGEST_DAY_MERGE_H
#define HC_PIPELINE_INGEST_DAY_MERGE_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "pipeline/kinds/kind.h"

/* Rows, and the texts of their codes with what these are called in the merged rows. */
struct hc_day_rows {
    const struct hc_table *table;
    const struct hc_table_names *names;
    struct hc_code_map *maps; /* one a set of names; zeroed, and empty again for each day */
    uint8_t set[HC_TABLE_MAX_COLUMNS]; /* of names, of each column with a dictionary; filled */
};

/* Codes of one set in another. Entries of another group than the one at hand are none. */
struct hc_code_map {
    size_t capacity;
    struct hc_mapped_code {
        uint32_t group;
        int32_t code;
    } * codes;
};

/* What became of the records that a source tells of, each counted once. */
struct hc_day_outcome {
    int64_t n_new, n_changed, n_same;
};

struct hc_day_merge {
    const struct hc_kind *kind;
    struct hc_day_rows held, batch;
    struct hc_table *merged;           /* with room for all rows; filled in order of the key */
    struct hc_table_names *names;      /* of the merged rows: empty but for those of fixed codes */
    uint8_t set[HC_TABLE_MAX_COLUMNS]; /* of names, of each column with a dictionary; filled */
    uint32_t group;                    /* another one for each merge with the same maps, from 1 */
    const int32_t *source;             /* of each row of the batch; NULL: all are of one_source */
    int32_t one_source;
    struct hc_day_outcome *outcomes; /* [number of a source]: what became of its records is added */
    bool is_changed;                 /* set where the merged rows differ from those that are held */
};

/* Append to the merged rows n rows of the batch (their numbers, in order of the key; of equal keys
 * the newer one last) merged with all rows that are held, which are in order of the key, each key
 * once. */
enum hc_status hc_day_merge_run(struct hc_day_merge *merge, const uint32_t *rows, size_t n,
                                struct hc_error *err);

/* Order of two rows by the key: below, 0, above. */
int hc_day_compare_keys(const struct hc_record_rules *rules, const struct hc_table *a, size_t row_a,
                        const struct hc_table *b, size_t row_b);

#endif
