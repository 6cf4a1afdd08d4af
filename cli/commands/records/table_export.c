#include "cli/commands/records/table_export.h"

#include "cli/frame/output.h"
#include "core/base/log.h"
#include "core/text/number_format.h"
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

static enum hc_status take(const struct hc_record_rows *rows, const uint8_t *is_wanted,
                           void *context, struct hc_error *err)
{
    struct session *session = context;
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        if (!is_wanted[i])
            continue;
        session->n++;
        if (session->rows)
            hc_query_rows_add(session->rows, rows->table, rows->names, i);
        else if (hc_record_parquet_add(session->parquet, rows->table, rows->names, i, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status finish(struct session *session, enum hc_status status, struct hc_error *err)
{
    struct hc_error late = {0};
    if (session->parquet && !status)
        status = hc_record_parquet_finish(session->parquet, err);
    hc_record_parquet_close(session->parquet);
    if (hc_query_rows_end(session->rows, &late) && !status) {
        *err = late;
        status = late.status;
    }
    return status;
}

static enum hc_status write_rows(const struct hc_table_export *given, struct session *session,
                                 const struct hc_archive *archive, struct hc_row_choice *choice,
                                 struct hc_error *err)
{
    const struct hc_row_reader reader = {
        .archive = archive, .cluster = given->cluster, .sink = take, .context = session};
    enum hc_status status = start(session, err);
    if (!status)
        status = hc_row_choice_read(choice, &reader, err);
    return finish(session, status, err);
}

static enum hc_status export_from(const struct hc_table_export *given,
                                  const struct hc_archive *archive, struct hc_row_choice *choice,
                                  struct hc_error *err)
{
    struct hc_output output;
    char count[HC_NUMBER_TEXT];
    if (hc_output_open(&output, given->common, false, err))
        return err->status;
    struct session session = {.choice = choice, .output = &output, .form = given->form};
    enum hc_status status =
        hc_output_end(&output, write_rows(given, &session, archive, choice, err), err);
    if (!status)
        hc_note("wrote %s row%s of %s", hc_format_count(session.n, count),
                session.n == 1 ? "" : "s", choice->def->name);
    return status;
}

enum hc_status hc_table_export(const struct hc_table_export *given, struct hc_error *err)
{
    struct hc_row_choice choice;
    struct hc_archive *archive = NULL;
    enum hc_status status = hc_row_choice_init(&choice, &given->words, err);
    if (!status)
        status = hc_archive_open(&archive, given->archive, false, err);
    if (!status)
        status = export_from(given, archive, &choice, err);
    hc_archive_close(archive);
    hc_row_choice_fini(&choice);
    return status;
}
