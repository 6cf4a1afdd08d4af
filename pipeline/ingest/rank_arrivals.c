#include "pipeline/ingest/rank_arrivals.h"

#include "core/base/memory.h"
#include "pipeline/ingest/segment_fill.h"
#include "pipeline/kinds/kind.h"

#include <malloc.h>
#include <stdlib.h>
#include <string.h>

/* Ranks of one command are published together; more than this many would hold too many open files.
 */
#define MOST_WAITING 256

/* A rank that was settled in this command. */
struct settled {
    const struct hc_kind *kind;
    char *cluster, *id, *path;
    int32_t attempt, rank;
    char sha256[HC_DIGEST_TEXT];
};

struct hc_arrivals_run {
    struct hc_archive *archive;
    const struct hc_ingest_observer *observer;
    size_t n_waiting;
    struct hc_arrival waiting[MOST_WAITING];
    size_t n_settled, capacity;
    struct settled *settled;
};

#define LARGE_BYTES (512 << 10)

enum hc_status hc_arrivals_run_new(struct hc_arrivals_run **run, struct hc_archive *archive,
                                   const struct hc_ingest_observer *observer, struct hc_error *err)
{
    *run = hc_new_array(1, sizeof **run, err);
    if (!*run)
        return err->status;
    (*run)->archive = archive;
    (*run)->observer = observer;
    return HC_OK;
}

void hc_arrivals_give_back_memory(void)
{
    mallopt(M_MMAP_THRESHOLD, LARGE_BYTES);
}

static void release(struct hc_arrival *arrival)
{
    if (arrival->ingested.input)
        hc_ingested_fini(&arrival->ingested);
    hc_archive_ingest_abort(arrival->ingest);
    hc_source_input_close(&arrival->input);
    memset(arrival, 0, sizeof *arrival);
}

void hc_arrivals_run_free(struct hc_arrivals_run *run)
{
    for (size_t i = 0; run && i < run->n_waiting; i++)
        release(&run->waiting[i]);
    for (size_t i = 0; run && i < run->n_settled; i++) {
        free(run->settled[i].cluster);
        free(run->settled[i].id);
        free(run->settled[i].path);
    }
    if (run)
        free(run->settled);
    free(run);
}

/* ---- reading, on any thread ---- */

static enum hc_status read_new(struct hc_arrival *arrival, const struct hc_arrivals_run *run,
                               struct hc_error *err)
{
    struct hc_archive_ingest *ingest = NULL;
    struct hc_source_input *input = &arrival->input;
    if (hc_archive_ingest_begin(&ingest, run->archive, true, err))
        return err->status;
    arrival->ingested.input = input;
    if (hc_segment_fill(ingest, input, &arrival->ingested, err) ||
        hc_segment_close_up(ingest, &arrival->ingested, false, err)) {
        hc_archive_ingest_abort(ingest);
        return err->status;
    }
    arrival->ingest = ingest;
    hc_source_input_let_go(input);
    return HC_OK;
}

static enum hc_status read_opened(struct hc_arrival *arrival, const struct hc_arrivals_run *run,
                                  struct hc_error *err)
{
    struct hc_provenance provenance;
    const struct hc_manifest_entry *held = NULL;
    const struct hc_source_input *input = &arrival->input;
    if (hc_source_input_provenance(input, &provenance, err))
        return err->status;
    enum hc_status status = hc_archive_holds(run->archive, &input->job, &provenance, &held, err);
    hc_provenance_fini(&provenance);
    arrival->was_there = held;
    return status || held ? status : read_new(arrival, run, err);
}

void hc_arrival_take(struct hc_arrival *arrival, const struct hc_arrivals_run *run,
                     struct hc_source_input *input)
{
    memset(arrival, 0, sizeof *arrival);
    arrival->input = *input;
    memset(input, 0, sizeof *input);
    hc_log_keep(&arrival->said);
    read_opened(arrival, run, &arrival->failure);
    hc_log_keep(NULL);
}

void hc_arrival_open(struct hc_arrival *arrival, const struct hc_arrivals_run *run,
                     const char *path, const struct hc_trace_options *options)
{
    memset(arrival, 0, sizeof *arrival);
    hc_log_keep(&arrival->said);
    if (!hc_source_input_open(&arrival->input, path, options, &arrival->failure)) {
        arrival->is_other = !arrival->input.is_of_rank;
        if (arrival->is_other)
            hc_source_input_close(&arrival->input);
        else
            read_opened(arrival, run, &arrival->failure);
    }
    hc_log_keep(NULL);
}

/* ---- settling, in order ---- */

static bool is_same_rank(const struct settled *settled, const struct hc_source_input *input)
{
    const struct hc_job *job = &input->job;
    return settled->rank == job->of_rank && settled->kind == input->kind &&
           settled->attempt == job->attempt && strcmp(settled->cluster, job->cluster) == 0 &&
           strcmp(settled->id, job->id) == 0;
}

/* Two sources of one command that are the same rank are a mistake, unless they are equal. */
static enum hc_status check_rank(const struct hc_arrivals_run *run,
                                 const struct hc_source_input *input, bool *is_copy,
                                 struct hc_error *err)
{
    *is_copy = false;
    for (size_t i = 0; i < run->n_settled; i++) {
        const struct settled *other = &run->settled[i];
        if (!is_same_rank(other, input))
            continue;
        *is_copy = strcmp(other->sha256, input->source.sha256) == 0;
        if (!*is_copy)
            return hc_fail(err, HC_BAD_INPUT, "'%s' and '%s' are both rank %d of job '%s/%s'",
                           other->path, input->source.name, (int)input->job.of_rank,
                           input->job.cluster, input->job.id);
        break;
    }
    return HC_OK;
}

static enum hc_status note_settled(struct hc_arrivals_run *run, const struct hc_source_input *input,
                                   struct hc_error *err)
{
    if (hc_reserve(&run->settled, &run->capacity, run->n_settled + 1, sizeof *run->settled, err))
        return err->status;
    struct settled *settled = &run->settled[run->n_settled];
    *settled = (struct settled){.kind = input->kind,
                                .cluster = hc_copy_text(input->job.cluster, err),
                                .id = hc_copy_text(input->job.id, err),
                                .path = hc_copy_text(input->source.name, err),
                                .attempt = input->job.attempt,
                                .rank = input->job.of_rank};
    memcpy(settled->sha256, input->source.sha256, sizeof settled->sha256);
    run->n_settled++;
    return settled->cluster && settled->id && settled->path ? HC_OK : err->status;
}

static enum hc_status wait_for_others(struct hc_arrivals_run *run, struct hc_arrival *arrival,
                                      struct hc_error *err)
{
    if ((run->n_waiting == MOST_WAITING && hc_arrivals_publish(run, err)) ||
        note_settled(run, &arrival->input, err))
        return err->status;
    struct hc_arrival *waiting = &run->waiting[run->n_waiting++];
    *waiting = *arrival;
    waiting->ingested.input = &waiting->input;
    memset(arrival, 0, sizeof *arrival);
    return HC_OK;
}

enum hc_status hc_arrival_settle(struct hc_arrival *arrival, struct hc_arrivals_run *run,
                                 struct hc_error *err)
{
    bool is_copy = false;
    enum hc_status status = HC_OK;
    hc_log_print(&arrival->said);
    if (arrival->failure.status) {
        *err = arrival->failure;
        status = err->status;
    } else if (arrival->ingest) {
        status = check_rank(run, &arrival->input, &is_copy, err);
        if (status == HC_OK && !is_copy)
            status = wait_for_others(run, arrival, err);
    }
    if (status == HC_OK && (arrival->was_there || is_copy))
        run->observer->done(&(struct hc_ingested){.input = &arrival->input, .was_there = true},
                            run->observer->context);
    release(arrival);
    return status;
}

/* ---- publication ---- */

enum hc_status hc_arrivals_publish(struct hc_arrivals_run *run, struct hc_error *err)
{
    struct hc_archive_ingest *ingests[MOST_WAITING];
    bool replaced[MOST_WAITING] = {false};
    for (size_t i = 0; i < run->n_waiting; i++) {
        ingests[i] = run->waiting[i].ingest;
        run->waiting[i].ingest = NULL;
    }
    enum hc_status status =
        hc_archive_ingest_publish(&(struct hc_ingest_set){run->n_waiting, ingests, replaced}, err);
    for (size_t i = 0; i < run->n_waiting; i++) {
        struct hc_arrival *waiting = &run->waiting[i];
        waiting->ingested.replaced = replaced[i];
        if (status == HC_OK)
            run->observer->done(&waiting->ingested, run->observer->context);
        release(waiting);
    }
    run->n_waiting = 0;
    return status;
}
