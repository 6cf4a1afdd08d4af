/* cmd_query.c - `hindcast query`. */
#include "cli/commands/records/row_choice.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "core/base/memory.h"
#include "models/query/query_groups.h"
#include "reports/query/query_rows.h"
#include "store/archive/archive.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_ROWS 25

static const char *const form_words[] = {"text", "csv", "jsonl", NULL}; /* as the enum */

struct query_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    const char *where, *group_by, *aggregates, *order, *columns;
    struct hc_choice_options choice;
    int64_t limit;
    int form; /* enum hc_query_form */
};

/* A query at work. */
struct query {
    const struct query_settings *settings;
    struct hc_row_choice choice;
    bool has_groups;
    struct hc_query_plan plan;
    struct hc_query_groups *groups;
    struct hc_query_rows *rows;
};

static enum hc_status prepare(struct query *q, const char *table, struct hc_error *err)
{
    const struct query_settings *s = q->settings;
    if (s->common.json)
        return hc_fail(err, HC_USAGE, "rows are many: --as jsonl writes an object a line");
    q->has_groups = s->group_by || s->aggregates;
    if (s->order && !q->has_groups)
        return hc_fail(err, HC_USAGE, "--order is for groups: rows come by cluster, day and key");
    if (s->columns && q->has_groups)
        return hc_fail(err, HC_USAGE,
                       "--columns is for rows, and --agg and --group-by make groups");
    if (hc_row_choice_init(&q->choice,
                           &(struct hc_row_words){table, s->where, s->columns, &s->choice}, err))
        return err->status;
    if (!q->has_groups)
        return HC_OK;
    q->choice.n_columns = 0; /* those of the plan are read */
    return hc_query_plan_parse(&q->plan, q->choice.def, s->group_by, s->aggregates, err);
}

/* ---- running ---- */

static enum hc_status take(const struct hc_record_rows *rows, const uint8_t *is_wanted,
                           void *context, struct hc_error *err)
{
    struct query *q = context;
    if (q->has_groups)
        return hc_query_groups_add(q->groups, rows->table, rows->names, rows->entry, is_wanted,
                                   err);
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (is_wanted[i])
            hc_query_rows_add(q->rows, rows->table, rows->names, i);
    return HC_OK;
}

static enum hc_status answer(struct query *q, const struct hc_archive *archive,
                             const struct hc_output *output, struct hc_error *err)
{
    const struct query_settings *s = q->settings;
    enum hc_query_form form = (enum hc_query_form)s->form;
    int64_t most = s->limit ? s->limit : form == HC_QUERY_TEXT ? TEXT_ROWS : INT64_MAX;
    if (q->has_groups ? hc_query_groups_new(&q->groups, &q->plan, err)
                      : hc_query_rows_new(&q->rows, output->stream, form, q->choice.def,
                                          q->choice.columns, q->choice.n_columns, most, err))
        return err->status;
    const struct hc_row_reader reader = {.archive = archive,
                                         .more_columns =
                                             q->has_groups ? hc_query_plan_columns(&q->plan) : 0,
                                         .sink = take,
                                         .context = q};
    enum hc_status status = hc_row_choice_read(&q->choice, &reader, err);
    if (!q->has_groups) {
        struct hc_error late = {0};
        if (hc_query_rows_end(q->rows, &late) && !status) {
            *err = late;
            status = late.status;
        }
        return status;
    }
    if (!status)
        status = hc_query_groups_order(q->groups, s->order, err);
    return status ? status
                  : hc_query_write_groups(output->stream, form, q->groups, &q->plan, most, err);
}

static enum hc_status run_query(struct query *q, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    struct hc_output output;
    if (hc_archive_open(&archive, hc_archive_path(&q->settings->archive), false, err))
        return err->status;
    enum hc_status status = hc_output_open(&output, &q->settings->common, false, err);
    if (!status) {
        status = answer(q, archive, &output, err);
        status = hc_output_end(&output, status, err);
    }
    hc_archive_close(archive);
    return status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    struct query *q = hc_new_array(1, sizeof *q, err);
    if (!q)
        return err->status;
    q->settings = settings;
    enum hc_status status = prepare(q, words->word[0], err);
    if (!status)
        status = run_query(q, err);
    hc_row_choice_fini(&q->choice);
    hc_query_groups_free(q->groups);
    free(q);
    return status;
}

#define TEXT(field, form, nothing, words)                                                          \
    .kind = HC_OPTION_TEXT, .argument = (form), .target = offsetof(struct query_settings, field),  \
    .unset = (nothing), .help = (words)

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct query_settings, archive, hc_archive_options),
    {.name = "where",
     TEXT(where, "CONDITION", "every row",
          "rows that are wanted, as \"gpus >= 8 and state in (failed, node_fail) and not user ~ "
          "'test*'\"; times as 2026-03-30, durations as 90min, 'is missing'")},
    {.name = "group-by",
     TEXT(group_by, "COLUMN,...", "one group, where --agg is given",
          "put rows together that agree in these columns")},
    {.name = "agg",
     TEXT(aggregates, "FIGURE,...", "count, where --group-by is given",
          "figures of a group: count, sum(X), mean(X), min(X), max(X), p50(X), p99(X)")},
    {.name = "order",
     TEXT(order, "FIGURE", "by --group-by", "sort groups by a figure or column, as 'count desc'")},
    {.name = "columns", TEXT(columns, "COLUMN,...", "all", "columns of the rows that are shown")},
    HC_OPTION_GROUP(struct query_settings, choice, hc_choice_options),
    {.name = "limit",
     .kind = HC_OPTION_INT,
     .argument = "N",
     .target = offsetof(struct query_settings, limit),
     .unset = "25 as text, else all",
     .low = 1,
     .high = 1e15,
     .help = "show at most so many rows or groups"},
    {.name = "as",
     .kind = HC_OPTION_CHOICE,
     .argument = "FORM",
     .target = offsetof(struct query_settings, form),
     .value = "text",
     .choices = form_words,
     .help = "text, csv or jsonl (an object a line); the latter two have numbers in the units that "
             "the names of the columns say"},
    HC_OPTION_GROUP(struct query_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"TABLE", "a table of the archive, as 'jobs'", 1, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_query = {
    .name = "query",
    .summary = "look at the rows of a table of the archive",
    .description =
        "Reads one table over all segments of an archive, one of them at a time, and shows the "
        "rows that are wanted, or figures of groups of them. Rows come by cluster, day and key. "
        "For more than that, export the table.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast query jobs --where 'gpus>=8' --columns job,user",
                              "hindcast query jobs --group-by state --agg count,sum(gpus)", NULL},
    .settings_size = sizeof(struct query_settings),
    .run = run,
};
