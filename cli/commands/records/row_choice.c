#include "cli/commands/records/row_choice.h"

#include "core/base/memory.h"
#include "core/base/nearest.h"
#include "pipeline/kinds/kind.h"

#include <stdlib.h>
#include <string.h>

#define MOST_TABLES 128

static const struct hc_table_def *table_at(const struct hc_kind *kind, const char *name)
{
    for (size_t i = 0; kind->tables[i]; i++)
        if (strcmp(kind->tables[i]->name, name) == 0)
            return kind->tables[i];
    return NULL;
}

const struct hc_table_def *hc_row_table_find(const char *name)
{
    const struct hc_table_def *def = NULL;
    for (size_t i = 0; hc_kind_rows[i] && !def; i++)
        def = table_at(hc_kind_rows[i], name);
    return def;
}

const char *hc_row_table_near(const char *name)
{
    const char *names[MOST_TABLES];
    size_t n = 0;
    for (size_t i = 0; hc_kind_rows[i]; i++)
        for (size_t k = 0; hc_kind_rows[i]->tables[k] && n < MOST_TABLES; k++)
            names[n++] = hc_kind_rows[i]->tables[k]->name;
    return hc_nearest(name, strlen(name), names, n);
}

static enum hc_status find_table(const struct hc_table_def **def, const char *name,
                                 struct hc_error *err)
{
    *def = hc_row_table_find(name);
    if (*def)
        return HC_OK;
    const char *nearest = hc_row_table_near(name);
    if (nearest)
        return hc_fail(err, HC_USAGE, "there is no table '%.80s' (did you mean '%s'?)", name,
                       nearest);
    return hc_fail(
        err, HC_USAGE,
        "there is no table '%.80s', as 'jobs' or 'events'; of a job, 'hindcast show' says "
        "what is known",
        name);
}

static enum hc_status choose_columns(struct hc_row_choice *choice, const char *at,
                                     struct hc_error *err)
{
    if (!at)
        for (; choice->n_columns < choice->def->n_columns; choice->n_columns++)
            choice->columns[choice->n_columns] = choice->n_columns;
    while (at && *at) {
        size_t n = strcspn(at, ", ");
        if (n && choice->n_columns == HC_TABLE_MAX_COLUMNS)
            return hc_fail(err, HC_USAGE, "--columns names too many");
        if (n && hc_query_column(&choice->columns[choice->n_columns++], choice->def, at, n, err))
            return hc_context(err, "--columns");
        at += n + (at[n] != '\0');
    }
    return HC_OK;
}

enum hc_status hc_row_choice_init(struct hc_row_choice *choice, const struct hc_row_words *words,
                                  struct hc_error *err)
{
    *choice = (struct hc_row_choice){0};
    if (find_table(&choice->def, words->table, err) ||
        hc_query_condition_parse(&choice->condition, words->where, choice->def, err))
        return err->status;
    return choose_columns(choice, words->columns, err);
}

void hc_row_choice_fini(struct hc_row_choice *choice)
{
    hc_query_condition_free(choice->condition);
    free(choice->is_wanted);
    *choice = (struct hc_row_choice){0};
}

/* ---- reading ---- */

struct reading {
    struct hc_row_choice *choice;
    const struct hc_row_reader *reader;
    bool has_bounds;
    size_t time_column; /* with bounds */
};

static void apply_bounds(const struct reading *reading, const struct hc_table *table)
{
    const int64_t *time_ns = hc_table_i64(table, reading->time_column);
    for (size_t i = 0; i < table->n_rows; i++)
        reading->choice->is_wanted[i] &= time_ns[i] != HC_MISSING_I64 &&
                                         time_ns[i] >= reading->reader->since_ns &&
                                         time_ns[i] < reading->reader->until_ns;
}

static enum hc_status take(const struct hc_record_rows *rows, void *context, struct hc_error *err)
{
    const struct reading *reading = context;
    struct hc_row_choice *choice = reading->choice;
    if (hc_reserve(&choice->is_wanted, &choice->room, rows->table->n_rows, 1, err) ||
        hc_query_condition_filter(choice->condition, rows->table, rows->names, choice->is_wanted,
                                  err))
        return err->status;
    if (reading->has_bounds)
        apply_bounds(reading, rows->table);
    return reading->reader->sink(rows, choice->is_wanted, reading->reader->context, err);
}

/* The days of records that are looked at: those that the condition and the bounds touch. */
static void bound_scan(struct hc_record_scan *scan, struct reading *reading)
{
    const struct hc_row_reader *reader = reading->reader;
    hc_query_condition_bounds(reading->choice->condition, reading->time_column, &scan->from_ns,
                              &scan->to_ns);
    scan->to_ns += scan->to_ns < INT64_MAX;
    if (!reading->has_bounds)
        return;
    scan->columns |= (uint64_t)1 << reading->time_column;
    if (scan->from_ns < reader->since_ns)
        scan->from_ns = reader->since_ns;
    if (scan->to_ns > reader->until_ns)
        scan->to_ns = reader->until_ns;
}

enum hc_status hc_row_choice_read(struct hc_row_choice *choice, const struct hc_row_reader *reader,
                                  struct hc_error *err)
{
    const struct hc_kind *kind = hc_kind_find(choice->def->name);
    bool is_of_records = kind && kind->records; /* in days by their key */
    struct hc_record_scan scan = {.archive = reader->archive,
                                  .def = choice->def,
                                  .cluster = reader->cluster,
                                  .from_ns = INT64_MIN,
                                  .to_ns = INT64_MAX,
                                  .columns = hc_query_condition_columns(choice->condition) |
                                             reader->more_columns};
    struct reading reading = {.choice = choice,
                              .reader = reader,
                              .has_bounds =
                                  reader->since_ns != INT64_MIN || reader->until_ns != INT64_MAX,
                              .time_column = is_of_records ? kind->records->key[0] : 0};
    if (reading.has_bounds && !is_of_records)
        return hc_fail(err, HC_USAGE,
                       "table '%s' is of jobs, and has no days for --since and --until: choose its "
                       "rows with --where",
                       choice->def->name);
    for (size_t i = 0; i < choice->n_columns; i++)
        scan.columns |= (uint64_t)1 << choice->columns[i];
    if (is_of_records)
        bound_scan(&scan, &reading);
    return hc_record_scan_run(&scan, take, &reading, err);
}
