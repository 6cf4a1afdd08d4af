/* dump_rows.h - the values of a dump as rows of the tables of
 * core/tables/collectives/collective_tables.h. Private to this wing. */
#ifndef HC_PARSERS_COLLECTIVES_DUMP_ROWS_H
#define HC_PARSERS_COLLECTIVES_DUMP_ROWS_H

#include "core/tables/row_report.h"
#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "parsers/collectives/dump_value.h"
#include "parsers/io/source.h"

#include <stdbool.h>

/* Dictionaries of the kind that rows refer to. */
enum hc_dump_dictionary {
    HC_DUMP_OF_GROUP,
    HC_DUMP_OF_DESCRIPTION,
    HC_DUMP_OF_OP,
    HC_DUMP_OF_SIZES,
    HC_DUMP_OF_DTYPE,
    HC_DUMP_OF_THREAD,
    HC_DUMP_OF_VERSION,
    HC_DUMP_N_DICTIONARIES
};

#define HC_DUMP_LAST_CODES 16

struct hc_dump_rows {
    const struct hc_source *source;
    struct hc_text_set *set[HC_DUMP_N_DICTIONARIES];
    int32_t last[HC_DUMP_N_DICTIONARIES][HC_DUMP_LAST_CODES]; /* codes given last, or -1 */
    /* Of the current call: tables in the order of enum hc_collective_table. */
    struct hc_table *tables;
    struct hc_row_report *report;
    int64_t n_entries, n_dropped;
    /* Of the dump as a whole, from its end on. */
    bool is_over, is_cut, is_done;
    struct hc_dump_value groups, progress, version, library_version;
    size_t next_group, next_progress; /* items of the dictionaries that are rows already */
    const char *next_member;          /* in the text of the ranks of next_group, or NULL */
    size_t next_item;                 /* in their list */
};

/* names has the dictionaries of the kind; a missing one is HC_INTERNAL. */
enum hc_status hc_dump_rows_init(struct hc_dump_rows *rows, const struct hc_source *source,
                                 struct hc_table_names *names, struct hc_error *err);

/* The taker of the values of a dump: entries become rows, for which there must be room, stack
 * frames are dropped, all else is left. context is the struct. */
enum hc_status hc_dump_rows_take(void *context, const struct hc_dump_value *pairs, size_t n,
                                 bool *taken, struct hc_error *err);

/* The dump is this value, without its entries; a cut one as far as it goes. HC_BAD_INPUT where it
 * is no dump, or cut before its first entry. */
enum hc_status hc_dump_rows_end(struct hc_dump_rows *rows, const struct hc_dump_value *dump,
                                bool is_cut, struct hc_error *err);

/* Behind the end: rows of groups, progress and the dump, until a table is full or all are there. */
enum hc_status hc_dump_rows_rest(struct hc_dump_rows *rows, struct hc_error *err);

#endif
