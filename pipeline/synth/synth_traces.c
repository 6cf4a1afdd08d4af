#include "pipeline/synth/synth_traces.h"

#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outset.h"
#include "core/text/number_format.h"
#include "pipeline/synth/empty_directory.h"
#include "pipeline/synth/trace_truth.h"
#include "reports/export/kineto_writer.h"

#include <stdlib.h>
#include <string.h>

struct session {
    const struct hc_synth_traces *traces;
    const char *directory;
    struct hc_trace_synth *synth;
    struct hc_outset *set;
    int32_t n_ranks;
    struct hc_kineto_writer *writers;
    char **names; /* of the files, with the directory */
    int64_t n_events;
};

static enum hc_status open_rank(struct session *s, int32_t rank, struct hc_error *err)
{
    struct hc_kineto_head head = {
        .rank = rank, .world_size = s->n_ranks, .base_ns = hc_trace_synth_base_ns(s->synth, rank)};
    FILE *stream;
    head.groups = hc_trace_synth_groups(s->synth, rank, &head.n_groups);
    s->names[rank] = hc_new_text(err, "%s/rank-%d.pt.trace.json%s", s->directory, rank,
                                 s->traces->packs ? ".gz" : "");
    if (!s->names[rank] || hc_outset_add(s->set, s->names[rank], &stream, err))
        return err->status;
    return hc_kineto_start(&s->writers[rank], stream, s->traces->packs, &head, err);
}

static enum hc_status open_ranks(struct session *s, struct hc_error *err)
{
    if (hc_outset_open(&s->set, err) || hc_outset_directory(s->set, s->directory, err))
        return err->status;
    s->writers = hc_new_array((size_t)s->n_ranks, sizeof *s->writers, err);
    s->names = hc_new_array((size_t)s->n_ranks, sizeof *s->names, err);
    enum hc_status status = s->writers && s->names ? HC_OK : err->status;
    for (int32_t r = 0; status == HC_OK && r < s->n_ranks; r++)
        status = open_rank(s, r, err);
    return status;
}

static enum hc_status write_steps(struct session *s, struct hc_error *err)
{
    struct hc_progress progress;
    enum hc_status status;
    bool is_end = false;
    int64_t n_steps = 0;
    hc_progress_start(&progress, "synth kineto", "steps", s->traces->options.n_steps);
    while ((status = hc_trace_synth_step(s->synth, &is_end, err)) == HC_OK && !is_end) {
        for (int32_t r = 0; r < s->n_ranks; r++) {
            size_t n;
            const struct hc_trace_event *events = hc_trace_synth_events(s->synth, r, &n);
            hc_kineto_write(&s->writers[r], events, n);
            s->n_events += (int64_t)n;
        }
        hc_progress_update(&progress, ++n_steps);
    }
    hc_progress_end(&progress);
    return status;
}

/* Ends all of them, whatever happened to one. */
static enum hc_status end_ranks(struct session *s, enum hc_status status, struct hc_error *err)
{
    struct hc_error other = {0};
    for (int32_t r = 0; s->writers && s->names && r < s->n_ranks; r++) {
        if (!s->names[r])
            break;
        const char *name = strrchr(s->names[r], '/') + 1; /* the same bytes in any directory */
        enum hc_status ended = hc_kineto_end(&s->writers[r], name, status == HC_OK ? err : &other);
        status = status == HC_OK ? ended : status;
    }
    return status;
}

static enum hc_status write_truth(struct session *s, struct hc_error *err)
{
    FILE *stream;
    char *path = hc_new_text(err, "%s/truth.json", s->directory);
    if (!path)
        return err->status;
    enum hc_status status = hc_outset_add(s->set, path, &stream, err);
    if (status == HC_OK)
        status = hc_trace_truth_write(stream, path, s->synth, &s->traces->options, err);
    free(path);
    return status;
}

static enum hc_status write_all(struct session *s, struct hc_error *err)
{
    enum hc_status status = open_ranks(s, err);
    if (status == HC_OK)
        status = write_steps(s, err);
    status = end_ranks(s, status, err);
    if (status == HC_OK)
        status = write_truth(s, err);
    return status ? status : hc_outset_commit(s->set, err);
}

enum hc_status hc_synth_traces_write(const struct hc_synth_traces *traces, struct hc_error *err)
{
    struct session s = {.traces = traces};
    size_t length = strlen(traces->directory);
    char events[HC_NUMBER_TEXT];
    while (length > 1 && traces->directory[length - 1] == '/')
        length--;
    char *directory = hc_new_text(err, "%.*s", (int)length, traces->directory);
    if (!directory)
        return err->status;
    s.directory = directory;
    enum hc_status status = hc_check_empty(directory, "set of traces", err);
    if (status == HC_OK)
        status = hc_trace_synth_open(&s.synth, &traces->options, err);
    if (status == HC_OK) {
        s.n_ranks = hc_trace_synth_ranks(s.synth);
        status = write_all(&s, err);
    }
    if (status == HC_OK)
        hc_note("wrote %s events of %d ranks to '%s'", hc_format_count(s.n_events, events),
                s.n_ranks, directory);
    hc_outset_close(s.set);
    hc_trace_synth_close(s.synth);
    for (int32_t r = 0; s.names && r < s.n_ranks; r++)
        free(s.names[r]);
    free(s.names);
    free(s.writers);
    free(directory);
    return status;
}
