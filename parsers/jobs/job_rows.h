/* job_rows.h - rows of the `jobs` table, put together value by value by any reader of a scheduler's
 * records. Private to this wing. */
#ifndef HC_PARSERS_JOBS_JOB_ROWS_H
#define HC_PARSERS_JOBS_JOB_ROWS_H

#include "core/tables/jobs/job_table.h"
#include "core/tables/row_report.h"
#include "parsers/io/format.h"
#include "parsers/jobs/gpus_memo.h"
#include "parsers/jobs/job_nodes.h"
#include "parsers/jobs/slurm_values.h"

#include <stdbool.h>

#define HC_JOB_TEXT_MAX 4000 /* bytes of any text of a row but */
#define HC_JOB_NODES_MAX                                                                           \
    16384 /* its list of nodes, which is joined by: of thousands, far apart                        \
           */

struct hc_job_builder {
    const char *file; /* for messages */
    const struct hc_zone *zone;
    struct hc_table_names *names;
    int32_t last_code[HC_JOBS_N_COLUMNS];  /* of the text that a column had last, plus 1 */
    uint8_t dictionary[HC_JOBS_N_COLUMNS]; /* of a column, plus 1; 0: not looked up yet */
    struct hc_date_cache dates;
    struct hc_gpus_memo gpus;
    int64_t n_twice, n_never; /* local times of the hour in which clocks were set back, forward */
    struct hc_job_nodes nodes;
    /* of the batch */
    struct hc_table *rows;
    struct hc_row_report *report;
    /* of the row */
    int64_t line;
    size_t row;
    bool is_bad;
    enum hc_bad_reason reason;
    char why[200];
};

void hc_job_begin(struct hc_job_builder *builder, int64_t line);

/* Say that the row is bad; the first reason stays. */
void hc_job_bad(struct hc_job_builder *builder, enum hc_bad_reason reason, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* The dictionary of a column that has one. */
struct hc_text_set *hc_job_text_set(struct hc_job_builder *builder, enum hc_jobs_column column);

/* The code of a text that is not empty, in the dictionary of a column, which it is added to; -1: it
 * is not there, and has to be cleaned or cut for that. */
enum hc_status hc_job_text_code(struct hc_job_builder *builder, enum hc_jobs_column column,
                                struct hc_span text, int32_t *code, struct hc_error *err);

/* Put a text in a column with a dictionary; an empty one is missing. Bytes that no text holds are
 * put as '?', what is too long is cut; both are counted. */
enum hc_status hc_job_put_text(struct hc_job_builder *builder, enum hc_jobs_column column,
                               struct hc_span text, struct hc_error *err);

/* Put the list of nodes, and keep in mind how many they are. */
enum hc_status hc_job_put_node_list(struct hc_job_builder *builder, struct hc_span list,
                                    struct hc_error *err);

/* Put a number; HC_BAD_RANGE where its column cannot hold it. */
void hc_job_put_i64(struct hc_job_builder *builder, enum hc_jobs_column column, int64_t value);

/* Put a time as Slurm writes it. */
void hc_job_put_time(struct hc_job_builder *builder, enum hc_jobs_column column,
                     struct hc_span text);

/* Behind the last row: say which times and lists of nodes of the file were in doubt. */
void hc_job_warn(const struct hc_job_builder *builder);

/* The row is whole: it is kept, or counted as bad. */
enum hc_status hc_job_end(struct hc_job_builder *builder, struct hc_error *err);

#endif
