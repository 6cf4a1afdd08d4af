#include "pipeline/ingest/ingest.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "pipeline/ingest/rank_arrivals.h"
#include "pipeline/ingest/record_sources.h"
#include "pipeline/ingest/segment_fill.h"
#include "pipeline/kinds/kind.h"
#include "pipeline/sources/tar_sources.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>

/* Ranks that are read before the first of them is settled, at most. */
#define MOST_AHEAD 64

struct run {
    struct hc_archive *archive;
    const struct hc_ingest_inputs *inputs;
    const struct hc_ingest_observer *observer;
    struct hc_arrivals_run *ranks;
    struct hc_record_sources *records;
    struct hc_arrival ahead[MOST_AHEAD];
    size_t n_failed;
    struct hc_error first; /* failure */
};

/* ---- a source of a whole job ---- */

/* Read and publish an opened source that the archive does not hold yet. */
static enum hc_status ingest_new(struct run *run, struct hc_source_input *input,
                                 struct hc_error *err)
{
    struct hc_ingested ingested = {.input = input};
    struct hc_archive_ingest *ingest = NULL;
    if (hc_archive_ingest_begin(&ingest, run->archive, false, err))
        return err->status;
    enum hc_status status = hc_segment_fill(ingest, input, &ingested, err);
    if (status)
        hc_archive_ingest_abort(ingest);
    else
        status = hc_segment_close_up(ingest, &ingested, true, err);
    if (status == HC_OK)
        run->observer->done(&ingested, run->observer->context);
    hc_ingested_fini(&ingested);
    return status;
}

static enum hc_status ingest_job(struct run *run, struct hc_source_input *input,
                                 struct hc_error *err)
{
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

/* Input i, which may still turn out to be of one rank. */
static enum hc_status ingest_one(struct run *run, size_t i, struct hc_error *err)
{
    struct hc_source_input input;
    const struct hc_ingest_inputs *inputs = run->inputs;
    if (hc_source_input_open(&input, inputs->paths[i], inputs->options, err))
        return err->status;
    enum hc_status status = hc_ingest_plan_confirm(&inputs->plan, i, &input, err);
    if (status == HC_OK && input.kind->records) {
        hc_keep_freed_arrays(1 << 20); /* days are alike */
        status = hc_record_sources_read(run->records, &input, err);
    } else if (status == HC_OK && !input.kind->rank_table) {
        status = ingest_job(run, &input, err);
    } else if (status == HC_OK) {
        hc_arrival_take(&run->ahead[0], run->ranks, &input);
        status = hc_arrival_settle(&run->ahead[0], run->ranks, err);
    }
    hc_source_input_close(&input);
    return status;
}

/* ---- failures ---- */

/* One source that fails does not keep the others from being kept. False: nothing more can be done.
 */
static bool note_failure(struct run *run, const char *path, const struct hc_error *failure)
{
    run->observer->failed(path, failure, run->observer->context);
    if (run->inputs->n > 1)
        hc_warn("%s", failure->message);
    if (run->n_failed++ == 0)
        run->first = *failure;
    return failure->status != HC_INTERNAL;
}

/* The same of a source that had been read. */
static void note_lost(const char *path, const struct hc_error *failure, void *context)
{
    note_failure(context, path, failure);
}

/* ---- sources of single ranks ---- */

static int n_threads(void)
{
    int n = omp_get_max_threads();
    return n < HC_ARRIVALS_AT_ONCE ? n : HC_ARRIVALS_AT_ONCE;
}

/* Inputs first to end, all of single ranks: read side by side, settled in order. */
static bool ingest_ranks(struct run *run, size_t first, size_t end)
{
    bool goes_on = true;
    hc_arrivals_give_back_memory();
    hc_progress_hold(end - first > 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads())
    for (size_t i = first; i < end; i++)
        hc_arrival_open(&run->ahead[i - first], run->ranks, run->inputs->paths[i],
                        run->inputs->options);
    hc_progress_hold(false);
    for (size_t i = first; i < end; i++) {
        struct hc_error failure = {0};
        bool is_other = run->ahead[i - first].is_other;
        if (hc_arrival_settle(&run->ahead[i - first], run->ranks, &failure) == HC_OK && is_other)
            ingest_one(run, i, &failure);
        if (failure.status && goes_on)
            goes_on = note_failure(run, run->inputs->paths[i], &failure);
    }
    return goes_on;
}

/* ---- the files of a tar archive ---- */

struct members {
    struct run *run;
    size_t n, n_unknown, n_ahead;
    struct hc_source_input inputs[HC_ARRIVALS_AT_ONCE];
};

/* Read the members that are open side by side, and settle them. */
static enum hc_status read_members(struct members *members, struct hc_error *err)
{
    struct run *run = members->run;
    size_t n = members->n_ahead;
    hc_arrivals_give_back_memory();
    hc_progress_hold(n > 1);
#pragma omp parallel for schedule(dynamic, 1) num_threads(n_threads())
    for (size_t i = 0; i < n; i++)
        hc_arrival_take(&run->ahead[i], run->ranks, &members->inputs[i]);
    hc_progress_hold(false);
    members->n_ahead = 0;
    for (size_t i = 0; i < n; i++) {
        struct hc_error failure = {0};
        if (hc_arrival_settle(&run->ahead[i], run->ranks, &failure) && !err->status)
            *err = failure;
    }
    return err->status;
}

/* What no format knows is left out, and counted. */
static enum hc_status take_member(struct hc_source *member, void *context, struct hc_error *err)
{
    struct members *members = context;
    struct hc_source_input *input = &members->inputs[members->n_ahead];
    if (hc_source_input_take(input, member, members->run->inputs->options, err)) {
        if (err->status != HC_BAD_INPUT)
            return err->status;
        members->n_unknown++;
        *err = (struct hc_error){0};
        return HC_OK;
    }
    members->n++;
    if (!input->is_of_rank) {
        hc_fail(err, HC_BAD_INPUT,
                "'%s': of tar archives, what ranks recorded is read, not %s: unpack it",
                input->source.name, input->kind->phrase);
        hc_source_input_close(input);
        return err->status;
    }
    members->n_ahead++;
    return members->n_ahead < HC_ARRIVALS_AT_ONCE ? HC_OK : read_members(members, err);
}

static enum hc_status ingest_tar(struct run *run, size_t i, struct hc_error *err)
{
    struct members members = {.run = run};
    const char *path = run->inputs->paths[i];
    enum hc_status status = hc_tar_each(path, take_member, &members, err);
    struct hc_error late = {0}; /* what lies before a damaged place is kept */
    if (read_members(&members, &late) && status == HC_OK) {
        *err = late;
        status = late.status;
    }
    if (status == HC_OK && members.n == 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': none of its %zu files is in a format that is read here", path,
                       members.n_unknown);
    if (status == HC_OK && members.n_unknown)
        hc_warn("'%s': %zu of its files are left out, in no format that is read here", path,
                members.n_unknown);
    return status;
}

/* ---- all ---- */

/* How many inputs from i on are of single ranks. */
static size_t count_ranks(const struct run *run, size_t i)
{
    size_t n = 0;
    while (n < MOST_AHEAD && hc_ingest_plan_is_of_rank(&run->inputs->plan, i + n))
        n++;
    return n;
}

static void ingest_each(struct run *run)
{
    bool goes_on = true;
    for (size_t i = 0, n; i < run->inputs->n && goes_on; i += n) {
        struct hc_error failure = {0};
        n = count_ranks(run, i);
        if (n > 0) {
            goes_on = ingest_ranks(run, i, i + n);
            continue;
        }
        n = 1;
        if (hc_is_tar(run->inputs->paths[i]) ? ingest_tar(run, i, &failure)
                                             : ingest_one(run, i, &failure))
            goes_on = note_failure(run, run->inputs->paths[i], &failure);
    }
}

/* After the last source: what waits is published, and the error says how many failed. */
static enum hc_status conclude(struct run *run, struct hc_error *err)
{
    struct hc_error told = {0};
    if (hc_arrivals_publish(run->ranks, err))
        return err->status;
    hc_record_sources_settle(run->records, &told);
    size_t n = run->inputs->n, n_failed = run->n_failed;
    *err = run->first;
    if (n_failed == n && n > 1)
        return hc_fail(err, run->first.status, "none of the %zu sources could be ingested",
                       n_failed);
    if (n_failed && n > 1)
        return hc_fail(err, run->first.status,
                       "%zu of %zu sources could not be ingested; the others are in '%s'", n_failed,
                       n, run->archive->path);
    return err->status;
}

enum hc_status hc_ingest_all(struct hc_archive *archive, const struct hc_ingest_inputs *inputs,
                             const struct hc_ingest_observer *observer, struct hc_error *err)
{
    struct run *run = hc_new_array(1, sizeof *run, err);
    if (!run)
        return err->status;
    run->archive = archive;
    run->inputs = inputs;
    run->observer = observer;
    const struct hc_record_settings settings = {inputs->options, observer, note_lost, run};
    enum hc_status status = hc_arrivals_run_new(&run->ranks, archive, observer, err);
    if (status == HC_OK)
        status = hc_record_sources_new(&run->records, archive, &settings, err);
    if (status == HC_OK) {
        ingest_each(run);
        status = conclude(run, err);
    }
    hc_record_sources_free(run->records);
    hc_arrivals_run_free(run->ranks);
    free(run);
    return status;
}
