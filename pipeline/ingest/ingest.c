#include "pipeline/ingest/ingest.h"

#include "core/base/clock.h"
#include "core/base/log.h"
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

/* Frees ingest whatever the result. */
static enum hc_status publish(struct hc_archive_ingest *ingest, struct hc_ingested *ingested,
                              struct hc_error *err)
{
    const struct hc_source_input *input = ingested->input;
    struct hc_provenance provenance = {0};
    if (hc_segment_writer_counts(hc_archive_ingest_writer(ingest), &ingested->tables, err) ||
        hc_source_input_provenance(input, &provenance, err)) {
        hc_archive_ingest_abort(ingest);
        return err->status;
    }
    enum hc_status status =
        hc_archive_ingest_commit(ingest, &input->job, &provenance, &ingested->replaced, err);
    hc_provenance_fini(&provenance);
    return status;
}

/* Read and publish an opened source that the archive does not hold yet. */
static enum hc_status ingest_new(struct hc_archive *archive, struct hc_source_input *input,
                                 const struct hc_ingest_observer *observer, struct hc_error *err)
{
    const struct hc_kind *kind = input->kind;
    struct passage passage = {.input = input,
                              .day_column = column_of(kind->tables[0], kind->day_column),
                              .first_row_ns = HC_MISSING_I64};
    struct hc_ingested ingested = {.input = input};
    struct hc_archive_ingest *ingest = NULL;
    if (hc_archive_ingest_begin(&ingest, archive, err))
        return err->status;
    passage.writer = hc_archive_ingest_writer(ingest);
    enum hc_status status = fill_segment(&passage, err);
    if (status == HC_OK && kind->guard && kind->guard->account)
        status = kind->guard->account(passage.guard, &ingested.account, err);
    if (status == HC_OK)
        status = publish(ingest, &ingested, err);
    else
        hc_archive_ingest_abort(ingest);
    if (status == HC_OK)
        observer->done(&ingested, observer->context);
    hc_account_fini(&ingested.account);
    if (kind->guard)
        kind->guard->free(passage.guard);
    hc_table_counts_fini(&ingested.tables);
    return status;
}

static enum hc_status ingest_opened(struct hc_archive *archive, struct hc_source_input *input,
                                    const struct hc_ingest_observer *observer, struct hc_error *err)
{
    struct hc_provenance provenance;
    const struct hc_manifest_entry *held = NULL;
    if (hc_source_input_provenance(input, &provenance, err))
        return err->status;
    enum hc_status status = hc_archive_holds(archive, &input->job, &provenance, &held, err);
    hc_provenance_fini(&provenance);
    if (status == HC_OK && !held)
        return ingest_new(archive, input, observer, err);
    if (status == HC_OK)
        observer->done(&(struct hc_ingested){.input = input, .was_there = true}, observer->context);
    return status;
}

static enum hc_status ingest_one(struct hc_archive *archive, const struct hc_ingest_inputs *inputs,
                                 size_t i, const struct hc_ingest_observer *observer,
                                 struct hc_error *err)
{
    struct hc_source_input input;
    if (hc_source_input_open(&input, inputs->paths[i], inputs->options, err))
        return err->status;
    enum hc_status status = hc_ingest_plan_confirm(&inputs->plan, i, &input, err);
    if (status == HC_OK)
        status = ingest_opened(archive, &input, observer, err);
    hc_source_input_close(&input);
    return status;
}

enum hc_status hc_ingest_all(struct hc_archive *archive, const struct hc_ingest_inputs *inputs,
                             const struct hc_ingest_observer *observer, struct hc_error *err)
{
    struct hc_error first = {0};
    size_t n_failed = 0;
    for (size_t i = 0; i < inputs->n; i++) {
        struct hc_error failure = {0};
        if (ingest_one(archive, inputs, i, observer, &failure) == HC_OK)
            continue;
        observer->failed(inputs->paths[i], &failure, observer->context);
        if (inputs->n > 1)
            hc_warn("%s", failure.message);
        if (n_failed++ == 0)
            first = failure;
        if (failure.status == HC_INTERNAL)
            break;
    }
    *err = first;
    if (n_failed == inputs->n && inputs->n > 1)
        hc_fail(err, first.status, "none of the %zu sources could be ingested", n_failed);
    else if (n_failed && inputs->n > 1)
        hc_fail(err, first.status,
                "%zu of %zu sources could not be ingested; the others are in '%s'", n_failed,
                inputs->n, archive->path);
    return err->status;
}
