#include "reports/export/perfetto/life_perfetto.h"

#include "core/tables/json_records.h"
#include "core/text/number_format.h"
#include "reports/export/gzip_stream.h"

#include <inttypes.h>
#include <string.h>

#define GZIP_LEVEL 1

enum track { TRACK_STATE = 1, TRACK_CAUSE, TRACK_MARKS, N_TRACKS };

static const char *const track_name[N_TRACKS] = {NULL, "state", "cause", "faults and plans"};

struct life {
    FILE *stream;
    const struct hc_lifetime_trace *trace;
    const struct hc_lifetime_config *config;
    const struct hc_life_perfetto *options;
    struct hc_life_samples samples;
    int64_t n_slices;
};

/* ---- parts of events ---- */

/* "key": "text", with what has to be escaped. */
static void put_text(const struct life *l, const char *key, const char *text)
{
    struct hc_json_writer json;
    hc_json_start(&json, l->stream, 0);
    hc_json_text(&json, key, text);
}

static void put_real(const struct life *l, const char *key, double value)
{
    struct hc_json_writer json;
    hc_json_start(&json, l->stream, 0);
    hc_json_real(&json, key, value);
}

/* Whole microseconds, rounded down: viewers read times as doubles, in which the nanoseconds of a
 * life of two months do not fit any more, and slices that touch would overlap. */
static void put_time(const struct life *l, const char *key, int64_t us)
{
    fprintf(l->stream, ",\"%s\":%" PRId64, key, us);
}

static void begin_slice(struct life *l, const char *name, enum track track, int64_t start_ns,
                        int64_t end_ns)
{
    fputc('{', l->stream);
    put_text(l, "name", name);
    fprintf(l->stream, ",\"ph\":\"X\",\"pid\":0,\"tid\":%d", track);
    put_time(l, "ts", start_ns / 1000);
    put_time(l, "dur", end_ns / 1000 - start_ns / 1000);
    fputs(",\"args\":{", l->stream);
    l->n_slices++;
}

/* ---- slices ---- */

static const char *state_name(const struct hc_lifetime_span *span)
{
    if (span->what == HC_SPAN_QUEUE)
        return "queue";
    return span->what == HC_WHAT_PRODUCTIVE_IDEAL ? "productive"
                                                  : hc_what_name((enum hc_what)span->what);
}

static const char *cause_name(const struct life *l, int32_t cause)
{
    return cause < 0 ? NULL : l->config->fault[cause].name;
}

static void put_state(struct life *l, const struct hc_lifetime_span *span)
{
    begin_slice(l, state_name(span), TRACK_STATE, span->start_ns, span->end_ns);
    put_text(l, "why", hc_why_name((enum hc_why)span->why));
    if (span->cause >= 0) {
        fputc(',', l->stream);
        put_text(l, "cause", cause_name(l, span->cause));
    }
    if (span->stall_ns) {
        fputc(',', l->stream);
        put_real(l, "checkpoint_stall_s", (double)span->stall_ns * 1e-9);
    }
    if (span->excess_ns) {
        fputc(',', l->stream);
        put_real(l, "straggler_excess_s", (double)span->excess_ns * 1e-9);
    }
    if (span->missing_ns) {
        fputc(',', l->stream);
        put_real(l, "missing_share_s", (double)span->missing_ns * 1e-9);
    }
    if (span->more)
        fprintf(l->stream, ",\"stretches\":%" PRId64, 1 + (int64_t)span->more);
    fputs("}},\n", l->stream);
}

/* What one cause, or one reason without a cause, took in a row. */
static void put_cause(struct life *l, const struct hc_lifetime_span *first,
                      const struct hc_life_episode *episode)
{
    const char *name =
        first->cause < 0 ? hc_why_name((enum hc_why)first->why) : cause_name(l, first->cause);
    begin_slice(l, name, TRACK_CAUSE, first->start_ns, first[episode->n - 1].end_ns);
    put_text(l, "why", hc_why_name((enum hc_why)first->why));
    fputc(',', l->stream);
    put_real(l, "lost_work_s", (double)episode->lost_ns * 1e-9);
    fputs("}},\n", l->stream);
}

static bool is_caused(const struct hc_lifetime_span *span)
{
    return span->cause >= 0 || span->why != HC_WHY_NONE;
}

static void put_slices(struct life *l)
{
    const struct hc_lifetime_span *span = l->trace->span;
    for (size_t i = 0; i < l->trace->n_spans; i++)
        put_state(l, &span[i]);
    struct hc_life_episode episode;
    for (size_t i = 0; i < l->trace->n_spans; i += episode.n) {
        episode = hc_life_read_episode(l->trace, i);
        if (is_caused(&span[i]))
            put_cause(l, &span[i], &episode);
    }
}

/* ---- instants ---- */

static void put_marks(const struct life *l)
{
    for (size_t i = 0; i < l->trace->n_marks; i++) {
        const struct hc_lifetime_mark *mark = &l->trace->mark[i];
        fputc('{', l->stream);
        put_text(l, "name", mark->name);
        fprintf(l->stream, ",\"ph\":\"i\",\"s\":\"t\",\"pid\":0,\"tid\":%d", TRACK_MARKS);
        put_time(l, "ts", mark->time_ns / 1000);
        fputs(",\"args\":{", l->stream);
        put_text(l, "why",
                 hc_why_name(mark->cause < 0 ? HC_WHY_PLANNED
                                             : (enum hc_why)l->config->fault[mark->cause].why));
        if (mark->node_slot >= 0)
            fprintf(l->stream, ",\"node_slot\":%" PRId32, mark->node_slot);
        if (mark->more)
            fprintf(l->stream, ",\"events\":%" PRId64, 1 + (int64_t)mark->more);
        fputs("}},\n", l->stream);
    }
}

/* ---- counters ---- */

static void put_counter(const struct life *l, const char *name, int64_t at_ns, double value)
{
    fprintf(l->stream, "{\"name\":\"%s\",\"ph\":\"C\",\"pid\":0", name);
    put_time(l, "ts", at_ns / 1000);
    fputs(",\"args\":{", l->stream);
    put_real(l, "value", value);
    fputs("}},\n", l->stream);
}

static void put_counters(struct life *l)
{
    struct hc_life_sample sample;
    while (hc_life_samples_next(&l->samples, &sample)) {
        put_counter(l, "ETTR, cumulative", sample.at_ns, sample.cumulative);
        put_counter(l, "ETTR, sliding", sample.at_ns, sample.sliding);
        put_counter(l, "lost GPU-hours", sample.at_ns, sample.lost_gpu_h);
    }
}

/* ---- names, and what the document says of itself ---- */

static void put_names(const struct life *l)
{
    for (int track = TRACK_STATE; track < N_TRACKS; track++)
        fprintf(l->stream,
                "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":0,\"tid\":%d,\"args\":{\"name\":"
                "\"%s\"}},\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":0,\"tid\":%d,"
                "\"args\":{\"sort_index\":%d}},\n",
                track, track_name[track], track, track);
    fputs("{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":0,\"args\":{", l->stream);
    put_text(l, "name", l->options->name ? l->options->name : "job");
    fputs("}}\n", l->stream);
}

static void describe(const struct life *l)
{
    struct hc_json_writer json;
    hc_json_start(&json, l->stream, 1);
    hc_json_object(&json, NULL);
    hc_json_head(&json,
                 &(struct hc_document_head){"hindcast-life", 1, 1, l->options->run_id, true});
    hc_json_text(&json, "name", l->options->name);
    hc_json_i64(&json, "replica", (int64_t)l->options->replica);
    hc_json_i64(&json, "seed", (int64_t)l->config->seed);
    hc_json_i32(&json, "nodes", l->config->job.nodes);
    hc_json_i32(&json, "gpus_per_node", l->config->job.gpus_per_node);
    hc_json_text(&json, "time_zero", "submission");
    hc_json_i64(&json, "first_start_ns", l->samples.first_start_ns);
    hc_json_i64(&json, "wall_ns", l->samples.end_ns);
    hc_json_real(&json, "window_s", (double)l->samples.window_ns * 1e-9);
    hc_json_i64(&json, "slices", l->n_slices);
    hc_json_i64(&json, "marks", (int64_t)l->trace->n_marks);
    hc_json_i64(&json, "samples", l->samples.n);
    if (l->trace->fold.slice_ns) {
        hc_json_object(&json, "summed_up");
        hc_json_real(&json, "slice_s", (double)l->trace->fold.slice_ns * 1e-9);
        hc_json_i64(&json, "stretches", hc_life_n_stretches(l->trace));
        hc_json_i64(&json, "events", hc_life_n_events(l->trace));
        hc_json_i64(&json, "most_events", (int64_t)l->trace->most);
        hc_json_end(&json);
    }
    hc_json_end(&json);
}

static void put_document(struct life *l)
{
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", l->stream);
    put_slices(l);
    put_marks(l);
    put_counters(l);
    put_names(l);
    fputs("],\n\"otherData\":", l->stream);
    describe(l);
    fputs("}\n", l->stream);
}

enum hc_status hc_life_perfetto_write(FILE *stream, const struct hc_lifetime_trace *trace,
                                      const struct hc_lifetime_config *config,
                                      const struct hc_life_perfetto *options, struct hc_error *err)
{
    struct life l = {.stream = stream, .trace = trace, .config = config, .options = options};
    if (options->gzip && !(l.stream = hc_gzip_stream(stream, GZIP_LEVEL, err)))
        return err->status;
    hc_life_samples_start(&l.samples, trace, &config->job, options->window_s);
    put_document(&l);
    bool failed = fflush(l.stream) || ferror(l.stream);
    if (options->gzip)
        failed |= fclose(l.stream) != 0 || fflush(stream);
    return failed ? hc_fail_errno(err, "cannot write", options->output) : HC_OK;
}
