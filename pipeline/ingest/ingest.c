#include "pipeline/ingest/ingest.h"

#include "core/base/clock.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "pipeline/ingest/day_records.h"
#include "pipeline/inputs/tar_sources.h"
#include "pipeline/kinds/kind.h"

#include <stdio.h>
#include <stdlib.h>
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

/* ---- publication ---- */

/* What ranks of jobs recorded waits, so that the ranks of one command are published together; more
 * than this many would hold too many open files. */
#define MOST_WAITING 256

/* A source whose segment is finished. */
struct waiting {
    struct hc_source_input input;
    struct hc_ingested ingested;
    struct hc_archive_ingest *ingest;
};

struct run {
    struct hc_archive *archive;
    const struct hc_ingest_observer *observer;
    size_t n_waiting;
    struct waiting waiting[MOST_WAITING];
};

static void ingested_fini(struct hc_ingested *ingested)
{
    const struct hc_guard *guard = ingested->input->kind->guard;
    hc_account_fini(&ingested->account);
    hc_table_counts_fini(&ingested->tables);
    if (guard)
        guard->free(ingested->guard);
}

/* Close the segment: to wait for others, or published at once. It frees the ingest in the second
 * case, whatever the result. */
static enum hc_status finish(struct hc_archive_ingest *ingest, struct hc_ingested *ingested,
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

/* Publish all that wait. */
static enum hc_status publish_waiting(struct run *run, struct hc_error *err)
{
    struct hc_archive_ingest *ingests[MOST_WAITING];
    bool replaced[MOST_WAITING] = {false};
    for (size_t i = 0; i < run->n_waiting; i++)
        ingests[i] = run->waiting[i].ingest;
    enum hc_status status =
        hc_archive_ingest_publish(&(struct hc_ingest_set){run->n_waiting, ingests, replaced}, err);
    for (size_t i = 0; i < run->n_waiting; i++) {
        struct waiting *waiting = &run->waiting[i];
        waiting->ingested.replaced = replaced[i];
        if (status == HC_OK)
            run->observer->done(&waiting->ingested, run->observer->context);
        ingested_fini(&waiting->ingested);
        hc_source_input_close(&waiting->input);
    }
    run->n_waiting = 0;
    return status;
}

/* The files of a tar archive. */
struct members {
    struct run *run;
    const struct hc_trace_options *options;
    size_t n, n_unknown;
};

static bool is_same_rank(const struct hc_job *a, const struct hc_job *b)
{
    return a->of_rank == b->of_rank && a->attempt == b->attempt &&
           strcmp(a->cluster, b->cluster) == 0 && strcmp(a->id, b->id) == 0;
}

/* Two sources of one command that are the same rank are a mistake, unless they are equal. */
static enum hc_status check_rank(const struct run *run, const struct hc_source_input *input,
                                 bool *is_copy, struct hc_error *err)
{
    *is_copy = false;
    for (size_t i = 0; i < run->n_waiting && !*is_copy; i++) {
        const struct hc_source_input *other = &run->waiting[i].input;
        if (other->kind != input->kind || !is_same_rank(&other->job, &input->job))
            continue;
        *is_copy = strcmp(other->source.sha256, input->source.sha256) == 0;
        if (!*is_copy)
            return hc_fail(err, HC_BAD_INPUT, "'%s' and '%s' are both rank %d of job '%s/%s'",
                           other->source.name, input->source.name, (int)input->job.of_rank,
                           input->job.cluster, input->job.id);
    }
    return HC_OK;
}

/* Takes input and ingested on success, and leaves zeros; and ingest. */
static enum hc_status wait_for_others(struct run *run, struct hc_archive_ingest *ingest,
                                      struct hc_source_input *input, struct hc_ingested *ingested,
                                      struct hc_error *err)
{
    if (run->n_waiting == MOST_WAITING && publish_waiting(run, err))
        return err->status;
    struct waiting *waiting = &run->waiting[run->n_waiting++];
    *waiting = (struct waiting){*input, *ingested, ingest};
    waiting->ingested.input = &waiting->input;
    memset(input, 0, sizeof *input);
    memset(ingested, 0, sizeof *ingested);
    return HC_OK;
}

/* ---- a source ---- */

/* Read an opened source into a segment, with all that is to be said of it. */
static enum hc_status read_segment(struct hc_archive_ingest *ingest, struct hc_source_input *input,
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

/* What a rank recorded, read: it waits for the others, which takes input and ingested and leaves
 * zeros. Frees ingest on failure. */
static enum hc_status keep_rank(struct run *run, struct hc_archive_ingest *ingest,
                                struct hc_source_input *input, struct hc_ingested *ingested,
                                struct hc_error *err)
{
    bool is_copy = false;
    enum hc_status status = finish(ingest, ingested, false, err);
    if (status == HC_OK)
        status = check_rank(run, input, &is_copy, err);
    if (status == HC_OK && !is_copy)
        status = wait_for_others(run, ingest, input, ingested, err);
    if (status || is_copy)
        hc_archive_ingest_abort(ingest);
    if (status == HC_OK && is_copy)
        run->observer->done(&(struct hc_ingested){.input = input, .was_there = true},
                            run->observer->context);
    return status;
}

/* Read and publish an opened source that the archive does not hold yet, or let it wait. */
static enum hc_status ingest_new(struct run *run, struct hc_source_input *input,
                                 struct hc_error *err)
{
    struct hc_ingested ingested = {.input = input};
    struct hc_archive_ingest *ingest = NULL;
    if (hc_archive_ingest_begin(&ingest, run->archive, err))
        return err->status;
    enum hc_status status = read_segment(ingest, input, &ingested, err);
    if (status)
        hc_archive_ingest_abort(ingest);
    else if (input->kind->rank_table)
        status = keep_rank(run, ingest, input, &ingested, err);
    else
        status = finish(ingest, &ingested, true, err);
    if (status == HC_OK && ingested.input && !ingested.input->kind->rank_table)
        run->observer->done(&ingested, run->observer->context);
    if (ingested.input)
        ingested_fini(&ingested);
    return status;
}

/* Records that many sources tell of, into the days that they are of. */
static enum hc_status ingest_records(struct run *run, struct hc_source_input *input,
                                     struct hc_error *err)
{
    struct hc_day_records records = {.archive = run->archive, .input = input};
    struct hc_ingested ingested = {.input = input};
    char count[3][HC_NUMBER_TEXT];
    if (hc_source_input_read(input, hc_day_records_take, &records, err))
        return err->status;
    ingested.was_there = records.n_days && !records.n_days_changed;
    snprintf(ingested.account.extent, sizeof ingested.account.extent,
             "new, %s changed, %s as they were, in %s days",
             hc_format_count(records.n_changed, count[0]),
             hc_format_count(records.n_same, count[1]), hc_format_count(records.n_days, count[2]));
    enum hc_status status =
        hc_table_counts_set(&ingested.tables, input->format->table->name, records.n_new, err);
    if (status == HC_OK)
        run->observer->done(&ingested, run->observer->context);
    ingested_fini(&ingested);
    return status;
}

static enum hc_status ingest_opened(struct run *run, struct hc_source_input *input,
                                    struct hc_error *err)
{
    if (input->kind->records)
        return ingest_records(run, input, err);
    struct hc_provenance provenance;
    const struct hc_manifest_entry *held = NULL;
    if (hc_source_input_provenance(input, &provenance, err))
        return err->status;
    enum hc_status status = hc_archive_holds(run->archive, &input->job, &provenance, &held, err);
    hc_provenance_fini(&provenance);
    if (status == HC_OK && !held)
        return ingest_new(run, input, err);
    if (status == HC_OK)
        run->observer->done(&(struct hc_ingested){.input = input, .was_there = true},
                            run->observer->context);
    return status;
}

/* A member of a tar archive; what no format knows is left out, and counted. */
static enum hc_status ingest_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct members *members = context;
    struct hc_source_input input;
    if (hc_source_input_take(&input, member, members->options, err)) {
        if (err->status != HC_BAD_INPUT)
            return err->status;
        members->n_unknown++;
        *err = (struct hc_error){0};
        return HC_OK;
    }
    members->n++;
    enum hc_status status =
        input.is_of_rank
            ? ingest_opened(members->run, &input, err)
            : hc_fail(err, HC_BAD_INPUT,
                      "'%s': of tar archives, what ranks recorded is read, not %s: unpack it",
                      input.source.name, input.kind->phrase);
    hc_source_input_close(&input);
    return status;
}

static enum hc_status ingest_tar(struct run *run, const struct hc_ingest_inputs *inputs, size_t i,
                                 struct hc_error *err)
{
    struct members members = {.run = run, .options = inputs->options};
    if (hc_tar_each(inputs->paths[i], ingest_member, &members, err))
        return err->status;
    if (members.n == 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': none of its %zu files is in a format that is read "
                       "here",
                       inputs->paths[i], members.n_unknown);
    if (members.n_unknown)
        hc_warn("'%s': %zu of its files are left out, in no format that is read here",
                inputs->paths[i], members.n_unknown);
    return HC_OK;
}

static enum hc_status ingest_one(struct run *run, const struct hc_ingest_inputs *inputs, size_t i,
                                 struct hc_error *err)
{
    struct hc_source_input input;
    if (hc_is_tar(inputs->paths[i]))
        return ingest_tar(run, inputs, i, err);
    if (hc_source_input_open(&input, inputs->paths[i], inputs->options, err))
        return err->status;
    enum hc_status status = hc_ingest_plan_confirm(&inputs->plan, i, &input, err);
    if (status == HC_OK)
        status = ingest_opened(run, &input, err);
    hc_source_input_close(&input);
    return status;
}

/* All inputs, one after the other; the first failure, and how many there were. */
static size_t ingest_each(struct run *run, const struct hc_ingest_inputs *inputs,
                          struct hc_error *first)
{
    size_t n_failed = 0;
    for (size_t i = 0; i < inputs->n; i++) {
        struct hc_error failure = {0};
        if (ingest_one(run, inputs, i, &failure) == HC_OK)
            continue;
        run->observer->failed(inputs->paths[i], &failure, run->observer->context);
        if (inputs->n > 1)
            hc_warn("%s", failure.message);
        if (n_failed++ == 0)
            *first = failure;
        if (failure.status == HC_INTERNAL)
            break;
    }
    return n_failed;
}

enum hc_status hc_ingest_all(struct hc_archive *archive, const struct hc_ingest_inputs *inputs,
                             const struct hc_ingest_observer *observer, struct hc_error *err)
{
    struct hc_error first = {0};
    struct run *run = hc_new_array(1, sizeof *run, err);
    if (!run)
        return err->status;
    run->archive = archive;
    run->observer = observer;
    size_t n_failed = ingest_each(run, inputs, &first);
    enum hc_status status = publish_waiting(run, err);
    free(run);
    if (status)
        return status;
    *err = first;
    if (n_failed == inputs->n && inputs->n > 1)
        hc_fail(err, first.status, "none of the %zu sources could be ingested", n_failed);
    else if (n_failed && inputs->n > 1)
        hc_fail(err, first.status,
                "%zu of %zu sources could not be ingested; the others are in '%s'", n_failed,
                inputs->n, archive->path);
    return err->status;
}
