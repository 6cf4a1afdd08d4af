/* gathered_rows.h - rows of one table of records, from one source after the other, that wait to be
 * merged into the days of the archive.
 *
 * A night has hundreds of logs with rows of the same days. Merged log by log, each would read and
 * write those days anew: 20 logs of 15 MB took 77 s of CPU so, and take 10 s together.
 */
#ifndef HC_PIPELINE_INGEST_GATHERED_ROWS_H
#define HC_PIPELINE_INGEST_GATHERED_ROWS_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "pipeline/kinds/kind.h"

/* Zeroed memory but for the kind has no rows. */
struct hc_gathered_rows {
    const struct hc_kind *kind;
    struct hc_table table;       /* the main one of the kind */
    struct hc_table_names names; /* the texts behind its codes */
    int32_t *source;             /* [table.n_rows]: number of the source that a row is of */
    size_t source_capacity;
};

/* Append rows of a source; names are the texts behind their codes. */
enum hc_status hc_gathered_rows_add(struct hc_gathered_rows *gathered, const struct hc_table *rows,
                                    const struct hc_table_names *names, int32_t source,
                                    struct hc_error *err);

/* Forget the rows from number n_rows on, as those of a source that turned out to be bad. */
void hc_gathered_rows_cut(struct hc_gathered_rows *gathered, size_t n_rows);

/* Forget all rows and texts, and give back their memory. */
void hc_gathered_rows_fini(struct hc_gathered_rows *gathered);

#endif
