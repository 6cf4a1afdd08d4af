#include "cli/commands/records/table_export.h"

#include "cli/frame/output.h"
#include "core/base/log.h"
#include "core/files/keyed_hash.h"
#include "core/tables/incidents/incident_table.h"
#include "core/text/number_format.h"
#include "models/query/anonymous_rows.h"
#include "pipeline/kinds/kind.h"
#include "reports/export/record_parquet_writer.h"
#include "reports/query/query_rows.h"

#include <string.h>

/* An export at work: one of the two writers. */
struct session {
    const struct hc_row_choice *choice;
    const struct hc_output *output;
    enum hc_table_form form;
    struct hc_query_rows *rows;
    struct hc_record_parquet *parquet;
    int64_t n;
    const struct hc_key *key;           /* NULL: rows as they are */
    struct hc_anonymous_rows anonymous; /* rows that wait to be written */
};

static enum hc_status start(struct session *session, struct hc_error *err)
{
    const struct hc_row_choice *choice = session->choice;
    FILE *stream = session->output->stream;
    const char *path = session->output->path;
    if (session->form != HC_TABLE_PARQUET)
        return hc_query_rows_new(&session->rows, stream,
                                 session->form == HC_TABLE_CSV ? HC_QUERY_CSV : HC_QUERY_JSONL,
                                 choice->def, choice->columns, choice->n_columns, INT64_MAX, err);
    return hc_record_parquet_open(
        &session->parquet, stream, strcmp(path, "-") == 0 ? "standard output" : path,
        &(struct hc_record_columns){choice->def, choice->n_columns, choice->columns}, err);
}

static enum hc_status write_row(struct session *session, const struct hc_table *table,
                                struct hc_table_names *names, size_t row, struct hc_error *err)
{
    if (!session->rows)
        return hc_record_parquet_add(session->parquet, table, names, row, err);
    hc_query_rows_add(session->rows, table, names, row);
    return HC_OK;
}

static enum hc_status write_anonymous(struct session *session, struct hc_error *err)
{
    struct hc_anonymous_rows *rows = &session->anonymous;
    for (size_t i = 0; i < rows->table.n_rows; i++)
        if (write_row(session, &rows->table, &rows->names, i, err))
            return err->status;
    return hc_anonymous_clear(rows, err);
}

static enum hc_status add_anonymous(struct session *session, const struct hc_record_rows *rows,
                                    size_t row, struct hc_error *err)
{
    const struct hc_anonymous_source source = {rows->table, rows->names, session->choice->n_columns,
                                               session->choice->columns};
    if (hc_anonymous_add(&session->anonymous, &source, row, err))
        return err->status;
    return session->anonymous.table.n_rows == HC_ANONYMOUS_ROWS ? write_anonymous(session, err)
                                                                : HC_OK;
}

static enum hc_status take(const struct hc_record_rows *rows, const uint8_t *is_wanted,
                           void *context, struct hc_error *err)
{
    struct session *session = context;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < rows->table->n_rows && !status; i++) {
        if (!is_wanted[i])
            continue;
        session->n++;
        status = session->key ? add_anonymous(session, rows, i, err)
                              : write_row(session, rows->table, rows->names, i, err);
    }
    return status;
}

static enum hc_status finish(struct session *session, enum hc_status status, struct hc_error *err)
{
    struct hc_error late = {0};
    if (session->key && !status)
        status = write_anonymous(session, err);
    if (session->parquet && !status)
        status = hc_record_parquet_finish(session->parquet, err);
    hc_record_parquet_close(session->parquet);
    hc_anonymous_fini(&session->anonymous);
    if (hc_query_rows_end(session->rows, &late) && !status) {
        *err = late;
        status = late.status;
    }
    return status;
}

static enum hc_status write_rows(struct session *session, const struct hc_archive *archive,
                                 struct hc_row_choice *choice, struct hc_error *err)
{
    const struct hc_row_reader reader = {.archive = archive, .sink = take, .context = session};
    enum hc_status status = start(session, err);
    if (!status && session->key)
        status = hc_anonymous_init(&session->anonymous, choice->def, session->key, err);
    if (!status)
        status = hc_row_choice_read(choice, &reader, err);
    return finish(session, status, err);
}

/* Columns that are empty in what was written, though rows may have them. */
static void note_left_out(const struct hc_row_choice *choice)
{
    char list[1024] = "";
    size_t n = 0;
    for (size_t i = 0; i < choice->n_columns; i++) {
        const struct hc_column_def *column = &choice->def->columns[choice->columns[i]];
        const char *fate = hc_anonymous_fate(column);
        if ((!fate || strcmp(fate, "missing") == 0) && n < sizeof list - 64)
            n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", n ? ", " : "", column->name);
    }
    if (n)
        hc_note("left out, since anybody may have written anything there: %s", list);
}

static enum hc_status export_from(const struct hc_table_export *given,
                                  const struct hc_archive *archive, struct hc_row_choice *choice,
                                  struct hc_error *err)
{
    struct hc_key key;
    struct hc_output output;
    char count[HC_NUMBER_TEXT];
    if (given->key && hc_key_load(&key, given->key, err))
        return err->status;
    if (hc_output_open(&output, given->common, false, err))
        return err->status;
    struct session session = {
        .choice = choice, .output = &output, .form = given->form, .key = given->key ? &key : NULL};
    enum hc_status status = hc_output_end(&output, write_rows(&session, archive, choice, err), err);
    if (!status)
        hc_note("wrote %s row%s of %s", hc_format_count(session.n, count),
                session.n == 1 ? "" : "s", choice->def->name);
    if (!status && given->key)
        note_left_out(choice);
    return status;
}

/* What becomes of each column is said of records and incidents only. */
static enum hc_status check_may_be_anonymous(const struct hc_table_def *def, struct hc_error *err)
{
    const struct hc_kind *kind = hc_kind_find(def->name);
    if (def == &hc_incidents_def || (kind && kind->records))
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "--anonymise is for tables of records, as 'jobs' or 'events', and for "
                   "'incidents'; '%s' is none",
                   def->name);
}

enum hc_status hc_table_export(const struct hc_table_export *given, struct hc_error *err)
{
    struct hc_row_choice choice;
    struct hc_archive *archive = NULL;
    enum hc_status status = hc_row_choice_init(&choice, &given->words, err);
    if (!status && given->key)
        status = check_may_be_anonymous(choice.def, err);
    if (!status)
        status = hc_archive_open(&archive, given->archive, false, err);
    if (!status)
        status = export_from(given, archive, &choice, err);
    hc_archive_close(archive);
    hc_row_choice_fini(&choice);
    return status;
}
