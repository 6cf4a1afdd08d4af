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

/* Whether rows of a table lie in days, by the time that their key begins with. */
static bool is_of_records(const struct hc_table_def *def)
{
    const struct hc_kind *kind = hc_kind_find(def->name);
    return kind && kind->records;
}

static bool has_bounds(const struct hc_row_choice *choice)
{
    return choice->since_ns != INT64_MIN || choice->until_ns != INT64_MAX;
}

static enum hc_status choose_days(struct hc_row_choice *choice,
                                  const struct hc_choice_options *options, struct hc_error *err)
{
    int64_t bounds_ns[2];
    if (hc_choice_bounds(bounds_ns, options, err))
        return err->status;
    choice->cluster = options->cluster;
    choice->since_ns = bounds_ns[0];
    choice->until_ns = bounds_ns[1];
    if (!has_bounds(choice) || is_of_records(choice->def))
        return HC_OK;
    return hc_fail(
        err, HC_USAGE,
        "table '%s' is of jobs, and has no days for --since and --until: choose its rows "
        "with --where",
        choice->def->name);
}

enum hc_status hc_row_choice_init(struct hc_row_choice *choice, const struct hc_row_words *words,
                                  struct hc_error *err)
{
    *choice = (struct hc_row_choice){0};
    if (find_table(&choice->def, words->table, err) ||
        hc_query_condition_parse(&choice->condition, words->where, choice->def, err) ||
        choose_days(choice, words->choice, err))
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
    size_t time_column; /* of records: the first of their key */
};

static void apply_bounds(const struct reading *reading, const struct hc_table *table)
{
    struct hc_row_choice *choice = reading->choice;
    const int64_t *time_ns = hc_table_i64(table, reading->time_column);
    for (size_t i = 0; i < table->n_rows; i++)
        choice->is_wanted[i] &= time_ns[i] != HC_MISSING_I64 && time_ns[i] >= choice->since_ns &&
                                time_ns[i] < choice->until_ns;
}

static enum hc_status take(const struct hc_record_rows *rows, void *context, struct hc_error *err)
{
    const struct reading *reading = context;
    struct hc_row_choice *choice = reading->choice;
    if (hc_reserve(&choice->is_wanted, &choice->room, rows->table->n_rows, 1, err) ||
        hc_query_condition_filter(choice->condition, rows->table, rows->names, choice->is_wanted,
                                  err))
        return err->status;
    if (has_bounds(choice))
        apply_bounds(reading, rows->table);
    return reading->reader->sink(rows, choice->is_wanted, reading->reader->context, err);
}

/* The days of records that are looked at: those that the condition and the bounds touch. */
static void bound_scan(struct hc_record_scan *scan, const struct reading *reading)
{
    const struct hc_row_choice *choice = reading->choice;
    hc_query_condition_bounds(choice->condition, reading->time_column, &scan->from_ns,
                              &scan->to_ns);
    scan->to_ns += scan->to_ns < INT64_MAX;
    if (has_bounds(choice))
        scan->columns |= (uint64_t)1 << reading->time_column;
    if (scan->from_ns < choice->since_ns)
        scan->from_ns = choice->since_ns;
    if (scan->to_ns > choice->until_ns)
        scan->to_ns = choice->until_ns;
}

enum hc_status hc_row_choice_read(struct hc_row_choice *choice, const struct hc_row_reader *reader,
                                  struct hc_error *err)
{
    struct hc_record_scan scan = {.archive = reader->archive,
                                  .def = choice->def,
                                  .cluster = choice->cluster,
                                  .from_ns = INT64_MIN,
                                  .to_ns = INT64_MAX,
                                  .columns = hc_query_condition_columns(choice->condition) |
                                             reader->more_columns};
    struct reading reading = {.choice = choice, .reader = reader};
    for (size_t i = 0; i < choice->n_columns; i++)
        scan.columns |= (uint64_t)1 << choice->columns[i];
    if (is_of_records(choice->def)) {
        reading.time_column = hc_kind_find(choice->def->name)->records->key[0];
        bound_scan(&scan, &reading);
    }
    return hc_record_scan_run(&scan, take, &reading, err);
}
