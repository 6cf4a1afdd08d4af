#include "pipeline/ingest/segment_fill.h"

#include "core/base/clock.h"
#include "pipeline/kinds/kind.h"

#include <string.h>

/* A source on its way into a segment. */
struct passage {
    struct hc_source_input *input;
    struct hc_segment_writer *writer;
    void *guard;          /* of the kind, or NULL */
    int day_column;       /* of the main table, or -1 */
    int64_t first_row_ns; /* by it: the earliest */
};

static int column_of(const struct hc_table_def *def, const char *name)
{
    for (size_t c = 0; name && c < def->n_columns; c++)
        if (strcmp(def->columns[c].name, name) == 0)
            return (int)c;
    return -1;
}

static void note_times(struct passage *passage, const struct hc_table *rows)
{
    if (passage->day_column < 0)
        return;
    const int64_t *time_ns = hc_table_i64(rows, (size_t)passage->day_column);
    for (size_t i = 0; i < rows->n_rows; i++)
        if (time_ns[i] != HC_MISSING_I64 &&
            (passage->first_row_ns == HC_MISSING_I64 || time_ns[i] < passage->first_row_ns))
            passage->first_row_ns = time_ns[i];
}

static enum hc_status store(const struct hc_table *rows, void *context, struct hc_error *err)
{
    return hc_segment_writer_append(context, rows, err);
}

/* The batches, and further tables that the parser makes. */
static enum hc_status take_rows(const struct hc_table *rows, void *context, struct hc_error *err)
{
    struct passage *passage = context;
    const struct hc_kind *kind = passage->input->kind;
    int64_t n_duplicates = 0;
    if (kind->rank_table && rows->def == kind->rank_table)
        passage->input->job.of_rank = hc_table_i32(rows, 0)[0];
    if (rows->def == kind->tables[0]) {
        note_times(passage, rows);
        if (passage->guard && (kind->guard->take(passage->guard, rows, &n_duplicates, err) ||
                               hc_source_input_check_bad(passage->input, n_duplicates, err)))
            return err->status;
    }
    return store(rows, passage->writer, err);
}

/* The dictionaries of the kind, and its tables: also one without a row is there. */
static enum hc_status prepare_segment(const struct passage *passage, struct hc_error *err)
{
    const struct hc_table_names *names = &passage->input->names;
    for (size_t i = 0; i < names->n; i++)
        if (hc_segment_writer_names(passage->writer, names->dictionary[i], &names->set[i], err))
            return err->status;
    const struct hc_table_def *const *def = passage->input->kind->tables;
    for (; *def; def++) {
        const struct hc_table none = {.def = *def};
        if (store(&none, passage->writer, err))
            return err->status;
    }
    return HC_OK;
}

/* What the guard says when all rows have passed. */
static enum hc_status conclude(const struct passage *passage, struct hc_error *err)
{
    struct hc_source_input *input = passage->input;
    const struct hc_guard *guard = input->kind->guard;
    if (!guard)
        return HC_OK;
    if (guard->finish(passage->guard, &input->report, err) ||
        hc_row_report_limit(&input->report, input->options->max_bad, err) ||
        guard->judge(passage->guard, err))
        return hc_context(err, "'%s'", input->source.name);
    return guard->add_tables(passage->guard, store, passage->writer, err);
}

/* A segment that is of a day needs to know which. */
static enum hc_status find_day(const struct passage *passage, struct hc_error *err)
{
    struct hc_job *job = &passage->input->job;
    char when[32] = "";
    if (passage->day_column < 0)
        return HC_OK;
    if (passage->first_row_ns != HC_MISSING_I64)
        hc_format_iso8601(passage->first_row_ns, when);
    when[HC_DAY_TEXT - 1] = '\0';
    if (!hc_is_day(when))
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' has no row with a time, so that nothing says of which day it is",
                       passage->input->source.name);
    memcpy(job->day, when, sizeof job->day);
    return HC_OK;
}

/* Read the source into an open segment. */
static enum hc_status fill_segment(struct passage *passage, struct hc_error *err)
{
    struct hc_source_input *input = passage->input;
    const struct hc_guard *guard = input->kind->guard;
    enum hc_status status = HC_OK;
    if (guard)
        status = guard->start(&passage->guard, &input->job, input->options->max_step_ops, err);
    if (!status)
        status = prepare_segment(passage, err);
    if (!status)
        status = hc_source_input_read(input, take_rows, passage, err);
    if (!status)
        status = conclude(passage, err);
    return status ? status : find_day(passage, err);
}

enum hc_status hc_segment_fill(struct hc_archive_ingest *ingest, struct hc_source_input *input,
                               struct hc_ingested *ingested, struct hc_error *err)
{
    const struct hc_kind *kind = input->kind;
    struct passage passage = {.input = input,
                              .writer = hc_archive_ingest_writer(ingest),
                              .day_column = column_of(kind->tables[0], kind->day_column),
                              .first_row_ns = HC_MISSING_I64};
    enum hc_status status = fill_segment(&passage, err);
    ingested->guard = passage.guard;
    if (status == HC_OK && kind->guard && kind->guard->account)
        status = kind->guard->account(passage.guard, &ingested->account, err);
    return status;
}

enum hc_status hc_segment_close_up(struct hc_archive_ingest *ingest, struct hc_ingested *ingested,
                                   bool publishes, struct hc_error *err)
{
    const struct hc_source_input *input = ingested->input;
    struct hc_provenance provenance = {0};
    if (hc_segment_writer_counts(hc_archive_ingest_writer(ingest), &ingested->tables, err) ||
        hc_source_input_provenance(input, &provenance, err)) {
        if (publishes)
            hc_archive_ingest_abort(ingest);
        return err->status;
    }
    enum hc_status status =
        publishes
            ? hc_archive_ingest_commit(ingest, &input->job, &provenance, &ingested->replaced, err)
            : hc_archive_ingest_finish(ingest, &input->job, &provenance, err);
    hc_provenance_fini(&provenance);
    return status;
}

void hc_ingested_fini(struct hc_ingested *ingested)
{
    const struct hc_guard *guard = ingested->input->kind->guard;
    hc_rows_account_fini(&ingested->account);
    hc_table_counts_fini(&ingested->tables);
    if (guard)
        guard->free(ingested->guard);
}
