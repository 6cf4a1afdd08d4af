/* step_chrome.c - step timelines as Chrome traces: a complete event (ph X) an op, its stage named
 * by args.stage or by the name of its track (docs/formats/step-chrome.md). Tracks may be named
 * behind the ops, so the file is read twice. */
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/steps/chrome_steps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LANES         5 /* tracks of a rank: tid = rank * 5 + lane */
#define MAX_TRACKS    ((size_t)1 << 22)
#define MOST_BELOW_NS (-10000000) /* as HC_CLAMP_NS of the replay */

/* What the first pass counts. */
struct survey {
    int64_t n_events, n_ops, n_other, n_begins, n_profiled, n_side_by_side;
    int64_t most_stage;
};

struct step_chrome {
    struct hc_chrome_steps steps;
    struct hc_int_map tracks; /* (pid, tid) -> stage */
    struct survey survey;
    int32_t n_stages;
};

/* ---- what an event is ---- */

static bool is_op(const struct hc_chrome_event *event)
{
    return event->phase == 'X' && event->field[HC_CHROME_ARG_STEP].kind != HC_CHROME_ABSENT;
}

/* A step as a whole, as our own timelines have them beside the ops. */
static bool is_whole_step(const struct hc_chrome_event *event)
{
    return event->phase == 'X' && event->field[HC_CHROME_ARG_STEP].kind == HC_CHROME_ABSENT &&
           hc_chrome_is(event, HC_CHROME_CAT, "step");
}

/* An arrow between slices. It has no time that its slices have not. */
static bool is_arrow(const struct hc_chrome_event *event)
{
    return event->phase == 's' || event->phase == 't' || event->phase == 'f';
}

/* A process of one of several timelines in one file: "ideal, DP rank [0]". */
static bool is_side_by_side(const struct hc_chrome_event *event)
{
    const struct hc_chrome_value *name = &event->field[HC_CHROME_ARG_NAME];
    return event->phase == 'M' && hc_chrome_is(event, HC_CHROME_NAME, "process_name") &&
           name->kind == HC_CHROME_STRING && name->length < HC_CHROME_TEXT &&
           strstr(name->text, ", DP rank [") != NULL;
}

static bool is_track_name(const struct hc_chrome_event *event)
{
    return event->phase == 'M' && hc_chrome_is(event, HC_CHROME_NAME, "thread_name");
}

/* "PP rank 3, TP rank 0, compute": the stage, or -1. */
static int32_t stage_of_name(const struct hc_chrome_value *name)
{
    int stage = -1, tp_rank = -1, end = 0;
    if (name->kind != HC_CHROME_STRING || name->length > HC_CHROME_TEXT ||
        sscanf(name->text, "PP rank %9d, TP rank %9d%n", &stage, &tp_rank, &end) != 2 || end == 0 ||
        stage < 0 || tp_rank < 0)
        return -1;
    return stage;
}

/* Events as PyTorch's profiler writes them, which are of no training step. */
static bool is_profiled(const struct hc_chrome_event *event)
{
    static const char *const categories[] = {"cpu_op",   "kernel",       "Kernel",
                                             "Operator", "cuda_runtime", "python_function"};
    for (size_t i = 0; i < sizeof categories / sizeof categories[0]; i++)
        if (hc_chrome_is(event, HC_CHROME_CAT, categories[i]))
            return true;
    return false;
}

static int32_t op_type_of(const struct hc_job *job, const struct hc_chrome_value *name)
{
    if (name->kind != HC_CHROME_STRING || name->length > HC_CHROME_TEXT)
        return HC_OP_UNKNOWN;
    return hc_job_op_type(job, name->text, name->length);
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    bool has_events =
        memmem(head, length, "\"traceEvents\"", 13) || memmem(head, length, "\"ph\"", 4);
    if (!has_events || !hc_chrome_may_be(head, length))
        return 0;
    struct hc_chrome_reader *reader = NULL;
    struct hc_error err = {0};
    struct hc_chrome_event event;
    bool found = true;
    int confidence = 5; /* a trace of something: open says what is wrong with it */
    if (hc_chrome_open_bytes(&reader, head, length, &err))
        return confidence;
    while (confidence < 95 && hc_chrome_next(reader, &event, &found, &err) == HC_OK && found) {
        int sure = 5;
        if (is_op(&event))
            sure = op_type_of(NULL, &event.field[HC_CHROME_NAME]) >= 0 ? 95 : 60;
        else if (is_track_name(&event) && stage_of_name(&event.field[HC_CHROME_ARG_NAME]) >= 0)
            sure = 80;
        confidence = sure > confidence ? sure : confidence;
    }
    hc_chrome_close(reader);
    return confidence;
}

/* ---- first pass: the tracks ---- */

static bool track_key(const struct hc_chrome_event *event, uint64_t *key)
{
    int64_t pid = 0, tid = 0;
    if (hc_chrome_i64(event, HC_CHROME_PID, &pid) || hc_chrome_i64(event, HC_CHROME_TID, &tid) ||
        pid != (int32_t)pid || tid != (int32_t)tid)
        return false;
    *key = (uint64_t)(uint32_t)pid << 32 | (uint32_t)tid;
    return true;
}

static enum hc_status note_track(struct step_chrome *p, struct hc_error *err)
{
    int32_t stage = stage_of_name(&p->steps.event.field[HC_CHROME_ARG_NAME]);
    uint64_t key = 0;
    size_t entry = 0;
    if (stage < 0 || !track_key(&p->steps.event, &key))
        return HC_OK; /* its name says no stage, or its pid and tid are no numbers: an op cannot
                         refer to it */
    if (p->tracks.n >= MAX_TRACKS)
        return hc_fail(err, HC_BAD_INPUT, "'%s' names more than 4,194,304 tracks",
                       p->steps.source->name);
    if (hc_int_map_insert(&p->tracks, key, stage, &entry, err))
        return err->status;
    if (p->tracks.values[entry] != stage)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %lld: pid %d, tid %d is named as a track of stage %d and of "
                       "stage %d: the stage of its ops is not known",
                       p->steps.source->name, (long long)p->steps.event.byte, (int32_t)(key >> 32),
                       (int32_t)key, p->tracks.values[entry], stage);
    if (stage > p->survey.most_stage)
        p->survey.most_stage = stage;
    return HC_OK;
}

static enum hc_status survey_event(struct hc_chrome_steps *steps, struct hc_error *err)
{
    struct step_chrome *p = (struct step_chrome *)steps;
    struct survey *survey = &p->survey;
    int64_t stage = 0;
    survey->n_events++;
    if (survey->n_events % HC_FREE_ROWS == 0 &&
        hc_source_check_rows(p->steps.source, survey->n_events, p->steps.options->max_rows_per_byte,
                             err))
        return err->status;
    survey->n_profiled += is_profiled(&p->steps.event);
    if (is_op(&p->steps.event)) {
        survey->n_ops++;
        if (hc_chrome_i64(&p->steps.event, HC_CHROME_ARG_STAGE, &stage) == HC_TEXT_OK &&
            stage > survey->most_stage)
            survey->most_stage = stage;
        return HC_OK;
    }
    if (is_track_name(&p->steps.event))
        return note_track(p, err);
    survey->n_side_by_side += is_side_by_side(&p->steps.event);
    survey->n_begins += p->steps.event.phase == 'B' || p->steps.event.phase == 'E';
    survey->n_other +=
        p->steps.event.phase != 'M' && p->steps.event.phase != 'X' && !is_arrow(&p->steps.event);
    return HC_OK;
}

static enum hc_status no_timeline(const struct step_chrome *p, struct hc_error *err)
{
    const char *what = p->survey.n_profiled
                           ? "; it looks like the profile of one process (PyTorch, Kineto), which "
                             "says nothing of stages and microbatches"
                       : p->survey.n_begins ? "; its B and E events are not those of DT-Tracer"
                                            : "";
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' is a Chrome trace but no step timeline: none of its %" PRId64
                   " events is a complete event (ph X) with args.step%s",
                   p->steps.source->name, p->survey.n_events, what);
}

static enum hc_status conclude_survey(struct hc_chrome_steps *steps, struct hc_error *err)
{
    struct step_chrome *p = (struct step_chrome *)steps;
    if (p->survey.n_ops == 0)
        return no_timeline(p, err);
    if (p->survey.n_side_by_side)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' holds several timelines side by side, to be looked at: of a trace "
                       "there is one ('hindcast export --timeline traced')",
                       p->steps.source->name);
    if (p->survey.n_other)
        hc_warn("'%s': %" PRId64 " events that are neither complete (ph X) nor metadata are not "
                "read",
                p->steps.source->name, p->survey.n_other);
    const struct hc_job *job = p->steps.options->job;
    if (job && job->pp_size != HC_MISSING_I32)
        p->n_stages = job->pp_size;
    else
        p->n_stages = p->survey.most_stage < INT32_MAX ? (int32_t)p->survey.most_stage + 1 : 0;
    return HC_OK;
}

/* ---- second pass: the ops ---- */

/* Fill the stage and rank of a row from the name and number of its track, where the event does not
 * say them itself. */
static enum hc_status fill_worker(struct step_chrome *p, size_t i, struct hc_error *err)
{
    const struct hc_chrome_event *event = &p->steps.event;
    int64_t *stage = &p->steps.raw.ints[HC_FIELD_STAGE][i],
            *rank = &p->steps.raw.ints[HC_FIELD_RANK][i];
    if (*stage != HC_MISSING_I64 && *rank != HC_MISSING_I64)
        return HC_OK;
    uint64_t key = 0;
    bool has_track = track_key(event, &key);
    int64_t track = has_track ? hc_int_map_find(&p->tracks, key) : -1;
    if (track < 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %lld: the op is on pid '%s', tid '%s': no thread_name of the "
                       "form 'PP rank 0, TP rank 0, compute' says the stage of that track, and the "
                       "event has no args.stage and args.rank",
                       p->steps.source->name, (long long)event->byte,
                       event->field[HC_CHROME_PID].kind ? event->field[HC_CHROME_PID].text : "",
                       event->field[HC_CHROME_TID].kind ? event->field[HC_CHROME_TID].text : "");
    int32_t tid = (int32_t)key;
    if (*stage == HC_MISSING_I64)
        *stage = p->tracks.values[track];
    if (*rank == HC_MISSING_I64)
        *rank = tid < 0 ? -1 : tid / LANES;
    return HC_OK;
}

/* Passes are placed in the model by their chunk and stage. */
static void fill_global_chunk(struct step_chrome *p, size_t i)
{
    int64_t chunk = p->steps.raw.ints[HC_FIELD_MC][i], stage = p->steps.raw.ints[HC_FIELD_STAGE][i];
    if (hc_op_is_pass(p->steps.raw.op_type[i]) && chunk >= 0 && chunk <= INT32_MAX && stage >= 0 &&
        stage < p->n_stages)
        p->steps.raw.ints[HC_FIELD_GMC][i] = chunk * p->n_stages + stage;
}

static enum hc_status decode_fields(struct step_chrome *p, const struct hc_chrome_rows *rows,
                                    size_t i, bool *bad, struct hc_error *err)
{
    static const struct {
        enum hc_chrome_field from;
        enum hc_step_field to;
    } ints[] = {{HC_CHROME_ARG_STEP, HC_FIELD_STEP},     {HC_CHROME_PID, HC_FIELD_DP_RANK},
                {HC_CHROME_ARG_SEQ_ID, HC_FIELD_SEQ_ID}, {HC_CHROME_ARG_MODEL_CHUNK, HC_FIELD_MC},
                {HC_CHROME_ARG_MB_ID, HC_FIELD_MB_ID},   {HC_CHROME_ARG_STAGE, HC_FIELD_STAGE},
                {HC_CHROME_ARG_RANK, HC_FIELD_RANK}};
    enum hc_status status = HC_OK;
    for (size_t k = 0; k < sizeof ints / sizeof ints[0] && !*bad && status == HC_OK; k++)
        status = hc_chrome_row_int(rows, i, &p->steps.event, ints[k].from, ints[k].to, bad, err);
    if (!*bad && status == HC_OK)
        status =
            hc_chrome_row_time(rows, i, &p->steps.event, HC_CHROME_TS, HC_FIELD_START_TS, bad, err);
    if (!*bad && status == HC_OK)
        status = hc_chrome_row_time(rows, i, &p->steps.event, HC_CHROME_DUR, HC_FIELD_DURATION, bad,
                                    err);
    return status;
}

/* The op type of the event's name, else of its category. */
static enum hc_status decode_type(struct step_chrome *p, int32_t *op_type, struct hc_error *err)
{
    const struct hc_chrome_value *name = &p->steps.event.field[HC_CHROME_NAME];
    *op_type = op_type_of(p->steps.options->job, name);
    if (*op_type == HC_OP_UNKNOWN)
        *op_type = op_type_of(p->steps.options->job, &p->steps.event.field[HC_CHROME_CAT]);
    if (*op_type != HC_OP_UNKNOWN || name->kind != HC_CHROME_STRING || name->length == 0)
        return HC_OK;
    size_t length = name->length < HC_CHROME_TEXT ? name->length : HC_CHROME_TEXT;
    return hc_step_unknown_op_type(p->steps.source, "byte", p->steps.event.byte, name->text, length,
                                   err);
}

/* The transfer of a communication op, which its event shows, runs from the start of the last
 * participant by that one's clock to the op's own end by another: it may come out a little below 0.
 * The same span in the other forms, which record the whole op, is kept down to -10 ms
 * (docs/methods/straggler-whatif.md); an event has no length below 0 and is taken as 0. */
static void clip_duration(struct step_chrome *p, size_t i, struct hc_row_report *report)
{
    int64_t *ns = &p->steps.raw.duration_ns[i];
    if (p->steps.raw.duration_flag[i] != HC_TIME_OK || *ns >= 0 || *ns <= MOST_BELOW_NS)
        return;
    hc_row_report_clipped(report, "'%s': byte %lld: dur %s us", p->steps.source->name,
                          (long long)p->steps.event.byte,
                          hc_printable(p->steps.event.field[HC_CHROME_DUR].text,
                                       strlen(p->steps.event.field[HC_CHROME_DUR].text))
                              .text);
    *ns = 0;
}

/* An op. A complete event without a step is a bad row. */
static enum hc_status take(struct hc_chrome_steps *steps, const struct hc_chrome_rows *rows,
                           struct hc_error *err)
{
    struct step_chrome *p = (struct step_chrome *)steps;
    if (steps->event.phase != 'X' || is_whole_step(&steps->event))
        return HC_OK;
    size_t i = hc_chrome_row_start(rows, steps->event.byte);
    bool bad = false;
    if (decode_type(p, &p->steps.raw.op_type[i], err))
        return err->status;
    if (p->steps.raw.op_type[i] == HC_OP_IGNORED)
        return HC_OK;
    if (decode_fields(p, rows, i, &bad, err) || bad)
        return err->status;
    if (fill_worker(p, i, err))
        return err->status;
    fill_global_chunk(p, i);
    clip_duration(p, i, rows->report);
    p->steps.raw.is_bad[i] = 0;
    return HC_OK;
}

/* ---- the format ---- */

static void close_chrome(void *parser)
{
    struct step_chrome *p = parser;
    if (!p)
        return;
    hc_chrome_steps_fini(&p->steps);
    hc_int_map_fini(&p->tracks);
    free(p);
}

static enum hc_status open_chrome(void **parser, const struct hc_source *source,
                                  const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct step_chrome *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->steps = (struct hc_chrome_steps){.source = source,
                                        .options = options,
                                        .where = "in a Chrome timeline",
                                        .look = survey_event,
                                        .conclude = conclude_survey,
                                        .take = take};
    p->survey.most_stage = -1;
    if (hc_chrome_steps_start(&p->steps, err)) {
        close_chrome(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

const struct hc_format hc_format_step_chrome = {
    .name = "step-chrome",
    .description = "step timeline as Chrome trace (JSON; plain, gzip, zstd or xz)",
    .version = 1,
    .table = &hc_ops_def,
    .hides_waiting = true,
    .probe = probe,
    .open = open_chrome,
    .next_batch = hc_chrome_steps_next_batch,
    .position = hc_chrome_steps_position,
    .close = close_chrome,
};
