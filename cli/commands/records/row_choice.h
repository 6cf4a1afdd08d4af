/* row_choice.h - rows of a table of an archive, as a user chooses them: which table, which rows by
 * a condition, which columns. */
#ifndef HC_CLI_COMMANDS_RECORDS_ROW_CHOICE_H
#define HC_CLI_COMMANDS_RECORDS_ROW_CHOICE_H

#include "cli/options/choice_options.h"
#include "core/base/status.h"
#include "core/tables/table.h"
#include "models/query/query_condition.h"
#include "pipeline/daily/record_scan.h"
#include "store/archive/archive.h"

#include <stddef.h>
#include <stdint.h>

/* What options say; NULL where they say nothing. */
struct hc_row_words {
    const char *table;                      /* its name */
    const char *where;                      /* NULL: every row */
    const char *columns;                    /* "job,user"; NULL: all */
    const struct hc_choice_options *choice; /* cluster and dates */
};

struct hc_row_choice {
    const struct hc_table_def *def;
    struct hc_query_condition *condition; /* NULL: every row */
    const char *cluster;                  /* NULL: all */
    /* Of records, whose key begins with a time: rows of [since_ns, until_ns); INT64_MIN and
     * INT64_MAX: no bound. */
    int64_t since_ns, until_ns;
    size_t n_columns, columns[HC_TABLE_MAX_COLUMNS];
    uint8_t *is_wanted; /* of the rows that are being given out */
    size_t room;
};

/* The table of that name, of whichever kind; NULL: there is none. */
const struct hc_table_def *hc_row_table_find(const char *name);

/* The name of a table that is near to one that there is not, or NULL. */
const char *hc_row_table_near(const char *name);

/* HC_USAGE: a table or column that there is not, naming the nearest one, no condition, or
 * dates of a table that is not of records. Release it whatever the result. */
enum hc_status hc_row_choice_init(struct hc_row_choice *choice, const struct hc_row_words *words,
                                  struct hc_error *err);
void hc_row_choice_fini(struct hc_row_choice *choice);

/* Rows of one segment, of which is_wanted marks those that the condition holds of. */
typedef enum hc_status hc_row_sink(const struct hc_record_rows *rows, const uint8_t *is_wanted,
                                   void *context, struct hc_error *err);

struct hc_row_reader {
    const struct hc_archive *archive;
    const char *cluster; /* NULL: all */
    /* Of records, whose key begins with a time: rows of [since_ns, until_ns); INT64_MIN and
     * INT64_MAX: no bound. */
    int64_t since_ns, until_ns;
    uint64_t more_columns; /* that are read beside those of the choice; bit i: column i */
    hc_row_sink *sink;
    void *context;
};

/* Give all rows of the days that the condition and the bounds touch to the sink, a piece of a
 * segment at a time: ascending by cluster, day and key. */
enum hc_status hc_row_choice_read(struct hc_row_choice *choice, const struct hc_row_reader *reader,
                                  struct hc_error *err);

#endif
