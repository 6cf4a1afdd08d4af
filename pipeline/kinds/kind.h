/* kind.h - the kinds of input: what tables one yields, and what is checked of them on the way in.
 *
 * A kind is a list of table definitions (core/tables) with an optional guard; a format says by its
 * main table which kind it yields. Everything between a file and its answer to `ls` goes by that
 * row: ingest, manifest, `ls`, `show`, `check`, repair and gc know no kind by name.
 *
 * To add a kind: its tables in core/tables, a row in kind_table.c that HC_KIND_ROWS names, a format
 * that yields it, and whatever reads the tables for an answer. tests/kinds does so without touching
 * any of these files.
 */
#ifndef HC_PIPELINE_KINDS_KIND_H
#define HC_PIPELINE_KINDS_KIND_H

#include "core/tables/table.h"
#include "core/tables/table_names.h"
#include "pipeline/kinds/guard.h"
#include "store/segment/segment.h"

#include <stddef.h>

#define HC_KIND_MOST_TABLES 16

/* Records that sources tell of again and again, such as those of a scheduler: a dump of tonight
 * holds the jobs of last night once more, further on. Their rows are kept by day, merged by key
 * (pipeline/ingest/day_records.h), whatever file they came from. */
struct hc_record_rules {
    size_t n_key;
    const uint8_t *key;   /* columns of whole numbers, the first the day column: merged by them */
    uint8_t cluster;      /* column that names the cluster; missing: that of the source */
    uint8_t source, line; /* columns that say where a row was read: no facts of the record */
    /* The key ends in a hash, which means nothing to a reader: rows of one time are kept in order
     * of their node (0: no such column), their line and what they say, and not in order of the key
     * (pipeline/ingest/row_order.h). */
    bool has_hash;
    uint8_t node;
    uint64_t of_path; /* bit c: column c is made of the path of a log */
    /* Bit c: column c changes while the record lives (its state, its end). Such a column is that of
     * the latest moment, also where it is missing then; the others, such as who submitted a job,
     * are taken from whatever row has them. So the order of the sources never matters. */
    uint64_t changing;
    /* Whether row_a of a tells of a later moment than row_b of b, of one key. */
    bool (*is_later)(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                     size_t row_b);
};

struct hc_kind {
    const char *name;                         /* "incidents" */
    const char *phrase;                       /* "a list of incidents" */
    const struct hc_table_def *const *tables; /* the main one first; ends in NULL; at most
                                                 HC_KIND_MOST_TABLES */
    size_t n_listed; /* of them, the first that have a column in `ls`; 0: all */

    /* What cannot be done where this kind is wanted and another is given: "there is nothing to
     * replay". NULL: nothing is said. */
    const char *lack;
    /* The command that reads this kind, to be named where another is wanted; or NULL. */
    const char *command;
    /* What the rows are that a reader passes over (rows_ignored). NULL: of op types that the
     * metadata says to ignore. */
    const char *ignored;
    /* Why a source without a row is refused, as "has no ops: ..."; NULL: it is kept, since it says
     * that there was nothing. */
    const char *empty;

    /* The sets of texts of its tables, those of fixed codes filled; NULL: all begin empty. */
    enum hc_status (*start_names)(struct hc_table_names *names, struct hc_error *err);

    const struct hc_guard *guard; /* or NULL */

    /* What `show` says of a segment in words of the kind; NULL: its tables and what their columns
     * mean. For JSON, the description has a record of description_record, an object of this name.
     */
    enum hc_status (*describe)(struct hc_segment *segment, struct hc_description *description,
                               struct hc_error *err);
    const char *description_name;
    const struct hc_record_def *description_record;

    /* Segments of the kind are of a job. With this column of the main table (Unix time, int64 ns),
     * they are of what a source says of one day: that of its earliest row. */
    const char *day_column;

    /* Or, of what a source says of many days, in many segments: how records are told apart and
     * merged. NULL: a source is a segment. */
    const struct hc_record_rules *records;

    /* Of records: the tables that a source fills side by side (next_tables), this one's first, each
     * the main table of a kind with rules of its own; ends in NULL. The segments of this kind have
     * its own table only. NULL: sources fill the one table. */
    const struct hc_table_def *const *yields;

    /* Of what each rank of a job records for itself, a source is of one rank, a segment too: its
     * number is the first column of the only row of this table, one of tables. Sources without
     * metadata of their own are of the job that their directory is named after, and those of one
     * command are published together. NULL: sources are of whole jobs. */
    const struct hc_table_def *rank_table;
};

/* All kinds, ending in NULL: HC_KIND_ROWS in kind_rows.c. A program that defines this list itself,
 * as a test does, has the kinds that it names: the linker then leaves out that file. */
extern const struct hc_kind *const hc_kind_rows[];

extern const struct hc_kind hc_kind_steps, hc_kind_incidents, hc_kind_profiles, hc_kind_collectives,
    hc_kind_execution, hc_kind_timings, hc_kind_bandwidths, hc_kind_jobs, hc_kind_events,
    hc_kind_train_steps, hc_kind_cycles, hc_kind_checkpoints, hc_kind_train_measures,
    hc_kind_phases, hc_kind_node_states, hc_kind_queue, hc_kind_corrections;
#define HC_KIND_ROWS                                                                               \
    &hc_kind_steps, &hc_kind_incidents, &hc_kind_profiles, &hc_kind_collectives,                   \
        &hc_kind_execution, &hc_kind_timings, &hc_kind_bandwidths, &hc_kind_jobs, &hc_kind_events, \
        &hc_kind_train_steps, &hc_kind_cycles, &hc_kind_checkpoints, &hc_kind_train_measures,      \
        &hc_kind_phases, &hc_kind_node_states, &hc_kind_queue, &hc_kind_corrections

/* An empty set of texts for each dictionary of the tables of a kind (with of_source, of those that
 * its sources fill), those of fixed codes filled. */
enum hc_status hc_kind_start_names(const struct hc_kind *kind, bool of_source,
                                   struct hc_table_names *names, struct hc_error *err);

/* The kind whose main table has that name, or NULL. */
const struct hc_kind *hc_kind_find(const char *table);

/* Its name; of a main table that is of no known kind, the name of that. */
const char *hc_kind_name(const char *table);

/* What the rows are that readers of its sources pass over. */
const char *hc_kind_ignored(const char *table);

#endif
