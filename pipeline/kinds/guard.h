/* guard.h - what a kind of input checks of its rows on the way into a segment, beyond what every
 * row is checked for: which parts are whole, and whether they can be used at all. */
#ifndef HC_PIPELINE_KINDS_GUARD_H
#define HC_PIPELINE_KINDS_GUARD_H

#include "core/base/status.h"
#include "core/tables/job.h"
#include "core/tables/record.h"
#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "pipeline/kinds/description.h"

#include <stdint.h>

typedef enum hc_status hc_table_sink(const struct hc_table *table, void *context,
                                     struct hc_error *err);

/* The calls come in this order; after a failure, only free. */
struct hc_guard {
    /* max_part_rows: what a part, such as one dp rank of a step, may have; 0: any number. */
    enum hc_status (*start)(void **guard, const struct hc_job *job, int64_t max_part_rows,
                            struct hc_error *err);

    /* A batch of the main table; *n_duplicates is the number of rows so far that were there twice.
     */
    enum hc_status (*take)(void *guard, const struct hc_table *rows, int64_t *n_duplicates,
                           struct hc_error *err);

    /* After the last batch: what the rows lack together goes into the report, which --max-bad is
     * held against next. */
    enum hc_status (*finish)(void *guard, struct hc_row_report *report, struct hc_error *err);

    /* Whether what is there can be used: HC_BAD_INPUT says why not. */
    enum hc_status (*judge)(void *guard, struct hc_error *err);

    /* Hand over the tables of the kind that follow from its rows. */
    enum hc_status (*add_tables)(const void *guard, hc_table_sink *sink, void *context,
                                 struct hc_error *err);

    /* What the report of the ingest says of the rows besides their number; NULL: nothing. For JSON,
     * the account points to a record of account_record, whose members come among those of the
     * source. */
    enum hc_status (*account)(const void *guard, struct hc_rows_account *account,
                              struct hc_error *err);
    const struct hc_record_def *account_record;

    void (*free)(void *guard); /* NULL may be freed */
};

#endif
