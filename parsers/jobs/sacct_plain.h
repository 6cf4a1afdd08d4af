/* sacct_plain.h - the values of a block of records of sacct, column by column, as far as they are
 * written in the ways in which nearly all are.
 *
 * A record with anything else is odd: a value that is wrong, a time that the clocks showed twice, a
 * text that has to be cleaned, a list of nodes that disagrees with their number. Of such a record
 * nothing is said or counted here: it is to be read once more, field by field (the `put` of
 * sacct_columns.h), which knows all spellings and says what is wrong with them.
 *
 * Private to this wing. */
#ifndef HC_PARSERS_JOBS_SACCT_PLAIN_H
#define HC_PARSERS_JOBS_SACCT_PLAIN_H

#include "parsers/jobs/job_rows.h"
#include "parsers/jobs/sacct_block.h"
#include "parsers/jobs/sacct_columns.h"

#define HC_SACCT_PLAIN_TEXTS  64
#define HC_SACCT_PLAIN_DAYS   32
#define HC_SACCT_PLAIN_STATES 16

/* A text of at most 16 bytes (core/text/text_hash.h), and its code. */
struct hc_sacct_text {
    uint64_t word[2];
    uint32_t length; /* 0: none */
    int32_t code;
};

/* A date on all of which the clocks were as far ahead of UTC. */
struct hc_sacct_day {
    uint64_t year_month; /* "2026-03-"; 0: no day */
    uint16_t day;
    int64_t start_ns; /* its midnight, Unix time */
};

/* A text of at most 16 bytes, and what hc_slurm_state says of it. */
struct hc_sacct_state {
    uint64_t word[2];
    size_t length; /* 0: none */
    enum hc_slurm_text what;
    int32_t state;
    int64_t by;
};

/* Zeroed memory but for the first two. */
struct hc_sacct_plain {
    struct hc_job_builder *builder;
    struct hc_sacct_block *block;
    size_t first; /* row of the table that the first record of the block has */
    bool is_odd[HC_SACCT_BLOCK_RECORDS];
    int32_t n_listed[HC_SACCT_BLOCK_RECORDS]; /* nodes of the record's list; 0: it has none */
    /* By code of a list of nodes: how many they are; 0: not counted yet, -1: it cannot be read. */
    int32_t *n_of_list;
    size_t n_of_list_capacity;
    struct hc_sacct_text texts[HC_JOBS_N_COLUMNS][HC_SACCT_PLAIN_TEXTS];
    struct hc_sacct_day days[HC_SACCT_PLAIN_DAYS];
    struct hc_sacct_state states[HC_SACCT_PLAIN_STATES];
};

/* The values of a column of the table, from the first record on. */
static inline int64_t *hc_sacct_plain_i64(const struct hc_sacct_plain *plain,
                                          enum hc_jobs_column column)
{
    return hc_table_i64(plain->builder->rows, column) + plain->first;
}

static inline int32_t *hc_sacct_plain_i32(const struct hc_sacct_plain *plain,
                                          enum hc_jobs_column column)
{
    return hc_table_i32(plain->builder->rows, column) + plain->first;
}

/* The dictionaries of the rows are others from now on. */
void hc_sacct_plain_forget(struct hc_sacct_plain *plain);
void hc_sacct_plain_fini(struct hc_sacct_plain *plain);

/* Append a row for each record of the block, with its line and source; no record is odd yet. */
enum hc_status hc_sacct_plain_begin(struct hc_sacct_plain *plain, struct hc_error *err);

/* Once all columns are read: further records are odd by what they say as a whole. Returns how many
 * are. */
size_t hc_sacct_plain_end(struct hc_sacct_plain *plain);

/* ---- how the field of a column is read, of all records: each is a `put_block` ---- */

hc_sacct_put_block hc_sacct_plain_text, hc_sacct_plain_text_or_none, hc_sacct_plain_node_list,
    hc_sacct_plain_time, hc_sacct_plain_duration, hc_sacct_plain_count, hc_sacct_plain_seconds,
    hc_sacct_plain_minutes, hc_sacct_plain_job_id, hc_sacct_plain_state, hc_sacct_plain_exit_code,
    hc_sacct_plain_gpus;

#endif
