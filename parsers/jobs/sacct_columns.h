/* sacct_columns.h - the columns of sacct that are read, and how. Private to this wing. */
#ifndef HC_PARSERS_JOBS_SACCT_COLUMNS_H
#define HC_PARSERS_JOBS_SACCT_COLUMNS_H

#include "parsers/jobs/job_rows.h"

#include <string.h>
#include <strings.h>

struct hc_sacct_column;
struct hc_sacct_plain;

/* Read a field of a record: all that it may say. */
typedef enum hc_status hc_sacct_put(struct hc_job_builder *builder,
                                    const struct hc_sacct_column *column, struct hc_span text,
                                    struct hc_error *err);

/* Read a field of all records of a block, as far as it is plain (sacct_plain.h). */
typedef enum hc_status hc_sacct_put_block(struct hc_sacct_plain *plain,
                                          const struct hc_sacct_column *column, size_t field,
                                          struct hc_error *err);

/* Zeroed: a column that is not read. */
struct hc_sacct_column {
    const char *name; /* as sacct writes it: "AllocTRES" */
    hc_sacct_put *put;
    hc_sacct_put_block *put_block;
    enum hc_jobs_column column; /* that it fills, the first of them */
    bool is_text;               /* may hold anything, delimiters too */
};

/* The column of a name in any case, also of names that older versions had; NULL: it is not read. */
const struct hc_sacct_column *hc_sacct_column_find(struct hc_span name);

/* Whether the column may have that text: it can be read, or is not read. */
bool hc_sacct_column_fits(const struct hc_sacct_column *column, struct hc_span text);

/* Whether it is of generic resources, which give way to those of TRES. */
static inline bool hc_sacct_column_is_gres(const struct hc_sacct_column *column)
{
    return strcasecmp(column->name + strlen(column->name) - 4, "GRES") == 0;
}

/* Whether sacct has a column of that name which may hold anything, delimiters too. */
bool hc_sacct_column_is_text(struct hc_span name);

/* Whether sacct has a column of that name, read or not. */
bool hc_sacct_column_is_known(struct hc_span name);

#endif
