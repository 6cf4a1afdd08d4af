/* step_dttracer.c - the aggregated traces of MegatronApp's DT-Tracer: begin and end events of the
 * passes, nothing else (docs/formats/step-dttracer.md). Read twice: how many stages and ranks there
 * are is known at the end only. */
#include "core/base/int_map.h"
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

#define MAX_TRACKS ((size_t)1 << 20)

/* A (pid, tid): what has begun on it, and how many of each type its iteration has. */
struct track {
    int32_t stage, dp_rank;
    int64_t iteration; /* HC_MISSING_I64 before the first */
    int32_t n[HC_N_OP_TYPES];
    int32_t open_type; /* HC_OP_UNKNOWN: nothing has begun */
    int64_t begin_ns, begin_byte;
    uint8_t begin_flag;
};

struct step_dttracer {
    struct hc_chrome_steps steps;
    struct hc_int_map track_map; /* (pid, tid) -> index into tracks */
    struct hc_int_map tid_map;   /* tid -> dp rank */
    size_t tracks_capacity;
    struct track *tracks;
    int32_t n_stages, dp_size;
    int64_t n_passes, n_other;
    size_t n_closed; /* tracks that were looked through at the end */
};

/* ---- what an event is ---- */

/* The op type of a begin or end event, HC_OP_UNKNOWN for a name that says none. */
static int32_t op_type_of(const struct hc_job *job, const struct hc_chrome_event *event)
{
    const struct hc_chrome_value *name = &event->field[HC_CHROME_NAME];
    if (name->kind != HC_CHROME_STRING || name->length > HC_CHROME_TEXT)
        return HC_OP_UNKNOWN;
    int32_t type = hc_job_op_type(job, name->text, name->length);
    if (type != HC_OP_UNKNOWN)
        return type;
    if (hc_chrome_is(event, HC_CHROME_NAME, "forward"))
        return HC_FORWARD_COMPUTE;
    return hc_chrome_is(event, HC_CHROME_NAME, "backward") ? HC_BACKWARD_COMPUTE : HC_OP_UNKNOWN;
}

static bool is_begin_or_end(const struct hc_chrome_event *event)
{
    return event->phase == 'B' || event->phase == 'E';
}

static int probe(const unsigned char *head, size_t length, const char *path)
{
    (void)path;
    if (!hc_chrome_may_be(head, length))
        return 0;
    struct hc_chrome_reader *reader = NULL;
    struct hc_error err = {0};
    struct hc_chrome_event event;
    bool found = true;
    int confidence = 0;
    if (hc_chrome_open_bytes(&reader, head, length, &err))
        return 0;
    while (confidence == 0 && hc_chrome_next(reader, &event, &found, &err) == HC_OK && found) {
        bool is_pass = is_begin_or_end(&event) && op_type_of(NULL, &event) >= 0;
        bool is_mark =
            event.phase == 'i' && hc_chrome_is(&event, HC_CHROME_NAME, "iteration begin");
        if ((is_pass || is_mark) && event.field[HC_CHROME_ARG_ITERATION].kind != HC_CHROME_ABSENT)
            confidence = 95;
    }
    hc_chrome_close(reader);
    return confidence;
}

/* ---- first pass: stages and ranks ---- */

/* pid and tid of an event. */
static enum hc_status place_of(const struct step_dttracer *p, int32_t place[2],
                               struct hc_error *err)
{
    static const enum hc_chrome_field fields[2] = {HC_CHROME_PID, HC_CHROME_TID};
    for (int i = 0; i < 2; i++) {
        int64_t value = 0;
        enum hc_text_number result = hc_chrome_i64(&p->steps.event, fields[i], &value);
        if (result != HC_TEXT_OK || value < 0 || value > INT32_MAX - 1)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': byte %lld: the %s '%s' of a pass is no rank (0, 1, ...)",
                           p->steps.source->name, (long long)p->steps.event.byte,
                           hc_chrome_field_name(fields[i]),
                           p->steps.event.field[fields[i]].kind == HC_CHROME_NUMBER ||
                                   p->steps.event.field[fields[i]].kind == HC_CHROME_STRING
                               ? hc_printable(p->steps.event.field[fields[i]].text,
                                              strlen(p->steps.event.field[fields[i]].text))
                                     .text
                               : "");
        place[i] = (int32_t)value;
    }
    return HC_OK;
}

static uint64_t track_key(const int32_t place[2])
{
    return (uint64_t)(uint32_t)place[0] << 32 | (uint32_t)place[1];
}

static enum hc_status survey_event(struct hc_chrome_steps *steps, struct hc_error *err)
{
    struct step_dttracer *p = (struct step_dttracer *)steps;
    p->n_other += p->steps.event.phase != 'i' && p->steps.event.phase != 'M' &&
                  !is_begin_or_end(&p->steps.event);
    if (!is_begin_or_end(&p->steps.event))
        return HC_OK;
    p->n_passes++;
    if (op_type_of(p->steps.options->job, &p->steps.event) == HC_OP_IGNORED)
        return HC_OK;
    int32_t place[2];
    size_t entry = 0, tid_entry = 0, n = p->track_map.n;
    if (place_of(p, place, err) ||
        hc_int_map_insert(&p->track_map, track_key(place), (int32_t)n, &entry, err) ||
        hc_int_map_insert(&p->tid_map, (uint32_t)place[1], 0, &tid_entry, err))
        return err->status;
    if (p->track_map.n == n)
        return HC_OK;
    if (n >= MAX_TRACKS)
        return hc_fail(err, HC_BAD_INPUT, "'%s' has passes on more than 1,048,576 tracks",
                       p->steps.source->name);
    if (hc_reserve(&p->tracks, &p->tracks_capacity, n + 1, sizeof *p->tracks, err))
        return err->status;
    p->tracks[n] =
        (struct track){.stage = place[0], .iteration = HC_MISSING_I64, .open_type = HC_OP_UNKNOWN};
    if (place[0] >= p->n_stages)
        p->n_stages = place[0] + 1;
    return HC_OK;
}

/* One tid is one data-parallel rank. Of several, nothing in the file says whether they are
 * data-parallel ranks, tensor ranks, or recordings that were put into one file: the metadata must.
 */
static enum hc_status check_tids(const struct step_dttracer *p, struct hc_error *err)
{
    const struct hc_job *job = p->steps.options->job;
    int32_t dp_size = job ? job->dp_size : HC_MISSING_I32;
    if (p->tid_map.n == 1 || (int64_t)p->tid_map.n == (int64_t)dp_size)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' has passes with %zu different tid (%d and %d first), and nothing says "
                   "whether these are data-parallel ranks, tensor ranks or recordings of different "
                   "jobs: with 'dp_size: %zu' in the metadata they are data-parallel ranks; else "
                   "make a file of each tid",
                   p->steps.source->name, p->tid_map.n, (int32_t)p->tid_map.keys[0],
                   (int32_t)p->tid_map.keys[1], p->tid_map.n);
}

static int compare_u64(const void *x, const void *y)
{
    uint64_t a = *(const uint64_t *)x, b = *(const uint64_t *)y;
    return (a > b) - (a < b);
}

/* The dp rank of a tid is its place among all tids. */
static enum hc_status number_tids(struct step_dttracer *p, struct hc_error *err)
{
    uint64_t *tids = hc_new_array(p->tid_map.n, sizeof *tids, err);
    if (!tids)
        return err->status;
    memcpy(tids, p->tid_map.keys, p->tid_map.n * sizeof *tids);
    qsort(tids, p->tid_map.n, sizeof *tids, compare_u64);
    for (size_t i = 0; i < p->tid_map.n; i++)
        p->tid_map.values[hc_int_map_find(&p->tid_map, tids[i])] = (int32_t)i;
    free(tids);
    for (size_t t = 0; t < p->track_map.n; t++) {
        int64_t entry = hc_int_map_find(&p->tid_map, (uint32_t)p->track_map.keys[t]);
        p->tracks[t].dp_rank = p->tid_map.values[entry];
    }
    p->dp_size = (int32_t)p->tid_map.n;
    return HC_OK;
}

static enum hc_status conclude_survey(struct hc_chrome_steps *steps, struct hc_error *err)
{
    struct step_dttracer *p = (struct step_dttracer *)steps;
    if (p->track_map.n == 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' is a Chrome trace but none of DT-Tracer: it has no begin and end "
                       "events (ph B, E) named forward and backward",
                       p->steps.source->name);
    if (check_tids(p, err))
        return err->status;
    if (p->n_other)
        hc_warn("'%s': %" PRId64 " events that are neither begin, end, instant nor metadata are "
                "not read",
                p->steps.source->name, p->n_other);
    return number_tids(p, err);
}

/* ---- second pass: pairs to rows ---- */

static int32_t step_or_missing(int64_t iteration)
{
    return iteration >= 0 && iteration <= INT32_MAX ? (int32_t)iteration : HC_MISSING_I32;
}

/* Count a bad row: a begin event without its end, or an end without its begin. */
static enum hc_status half_pair(const struct hc_chrome_rows *rows, int64_t byte, int64_t iteration,
                                const char *why, struct hc_error *err)
{
    hc_chrome_row_start(rows, byte);
    return hc_row_report_bad(rows->report, HC_BAD_NULL, step_or_missing(iteration), err,
                             "'%s': byte %lld: %s", rows->source->name, (long long)byte, why);
}

/* Start the counts of a track anew when an event is of another iteration than the one before. An
 * iteration that was left cannot come back: its ops would be counted twice. */
static enum hc_status enter_iteration(struct step_dttracer *p, struct track *track,
                                      int64_t iteration, struct hc_error *err)
{
    if (track->iteration != HC_MISSING_I64 && iteration < track->iteration)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %lld: iteration %lld of stage %d comes after iteration %lld: "
                       "events of one track are in order of time, unless recordings were put into "
                       "one file",
                       p->steps.source->name, (long long)p->steps.event.byte, (long long)iteration,
                       track->stage, (long long)track->iteration);
    if (iteration != track->iteration)
        memset(track->n, 0, sizeof track->n);
    track->iteration = iteration;
    return HC_OK;
}

static enum hc_status take_begin(struct step_dttracer *p, struct track *track, int32_t type,
                                 const struct hc_chrome_rows *rows, struct hc_error *err)
{
    int64_t iteration = 0, ns = 0;
    if (track->open_type != HC_OP_UNKNOWN &&
        half_pair(rows, track->begin_byte, track->iteration,
                  "the pass that begins here has no end before the next one begins", err))
        return err->status;
    track->open_type = HC_OP_UNKNOWN;
    if (hc_chrome_i64(&p->steps.event, HC_CHROME_ARG_ITERATION, &iteration) || iteration < 0)
        return half_pair(rows, p->steps.event.byte, HC_MISSING_I64,
                         "the begin of a pass has no valid args.iteration", err);
    if (enter_iteration(p, track, iteration, err))
        return err->status;
    enum hc_text_number result = hc_chrome_ns(&p->steps.event, HC_CHROME_TS, &ns);
    if (result != HC_TEXT_OK)
        return half_pair(rows, p->steps.event.byte, iteration,
                         "the begin of a pass has no valid ts", err);
    track->open_type = type;
    track->begin_ns = ns;
    track->begin_byte = p->steps.event.byte;
    return HC_OK;
}

/* The end event's own fields; its pp_rank, where it has one, says the same as its pid. */
static enum hc_status decode_end(struct step_dttracer *p, struct track *track,
                                 const struct hc_chrome_rows *rows, size_t i, bool *bad,
                                 struct hc_error *err)
{
    struct hc_step_raw *raw = rows->raw;
    static const struct {
        enum hc_chrome_field from;
        enum hc_step_field to;
    } ints[] = {{HC_CHROME_ARG_ITERATION, HC_FIELD_STEP},
                {HC_CHROME_ARG_MICROBATCH, HC_FIELD_MB_ID},
                {HC_CHROME_ARG_MODEL_CHUNK, HC_FIELD_MC},
                {HC_CHROME_ARG_PP_RANK, HC_FIELD_STAGE}};
    for (size_t k = 0; k < sizeof ints / sizeof ints[0] && !*bad; k++)
        if (hc_chrome_row_int(rows, i, &p->steps.event, ints[k].from, ints[k].to, bad, err))
            return err->status;
    if (!*bad &&
        hc_chrome_row_time(rows, i, &p->steps.event, HC_CHROME_TS, HC_FIELD_START_TS, bad, err))
        return err->status;
    int64_t stage = raw->ints[HC_FIELD_STAGE][i];
    if (!*bad && stage != HC_MISSING_I64 && stage != track->stage)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s': byte %lld: args.pp_rank is %lld on pid %d: which of them is the "
                       "stage is not known",
                       p->steps.source->name, (long long)p->steps.event.byte, (long long)stage,
                       track->stage);
    raw->ints[HC_FIELD_STAGE][i] = track->stage;
    return HC_OK;
}

/* From the time of the end, which is in the place of the start, to start and duration. */
static void fill_times(struct hc_step_raw *raw, size_t i, const struct track *track)
{
    int64_t end_ns = raw->start_ns[i];
    bool overflow = raw->start_flag[i] == HC_TIME_OK &&
                    __builtin_sub_overflow(end_ns, track->begin_ns, &raw->duration_ns[i]);
    raw->duration_flag[i] = overflow ? HC_TIME_OUT_OF_RANGE : raw->start_flag[i];
    raw->start_ns[i] = track->begin_ns;
    raw->start_flag[i] = HC_TIME_OK;
}

static enum hc_status take_end(struct step_dttracer *p, struct track *track, int32_t type,
                               const struct hc_chrome_rows *rows, struct hc_error *err)
{
    struct hc_step_raw *raw = rows->raw;
    int64_t iteration = 0;
    bool has_iteration =
        hc_chrome_i64(&p->steps.event, HC_CHROME_ARG_ITERATION, &iteration) == HC_TEXT_OK;
    if (track->open_type != type || (has_iteration && iteration != track->iteration))
        return half_pair(rows, p->steps.event.byte, has_iteration ? iteration : track->iteration,
                         "a pass ends here that did not begin on this track in this iteration",
                         err);
    size_t i = hc_chrome_row_start(rows, track->begin_byte);
    bool bad = false;
    track->open_type = HC_OP_UNKNOWN;
    if (decode_end(p, track, rows, i, &bad, err) || bad)
        return err->status;
    fill_times(raw, i, track);
    raw->op_type[i] = type;
    raw->ints[HC_FIELD_STEP][i] = track->iteration;
    raw->ints[HC_FIELD_DP_RANK][i] = track->dp_rank;
    raw->ints[HC_FIELD_RANK][i] = (int64_t)track->stage * p->dp_size + track->dp_rank;
    raw->ints[HC_FIELD_SEQ_ID][i] = track->n[type]++;
    int64_t chunk = raw->ints[HC_FIELD_MC][i];
    if (hc_op_is_pass(type) && chunk >= 0 && chunk <= INT32_MAX)
        raw->ints[HC_FIELD_GMC][i] = chunk * p->n_stages + track->stage;
    raw->is_bad[i] = 0;
    return HC_OK;
}

static enum hc_status take_event(struct step_dttracer *p, const struct hc_chrome_rows *rows,
                                 struct hc_error *err)
{
    const struct hc_chrome_value *name = &p->steps.event.field[HC_CHROME_NAME];
    int32_t type = op_type_of(p->steps.options->job, &p->steps.event), place[2];
    if (type == HC_OP_UNKNOWN) {
        bool is_text = name->kind == HC_CHROME_STRING;
        size_t length = !is_text                        ? 0
                        : name->length < HC_CHROME_TEXT ? name->length
                                                        : HC_CHROME_TEXT;
        return hc_step_unknown_op_type(p->steps.source, "byte", p->steps.event.byte,
                                       is_text ? name->text : "", length, err);
    }
    if (type == HC_OP_IGNORED && p->steps.event.phase == 'E') /* its begin and end are one row */
        rows->raw->op_type[hc_chrome_row_start(rows, p->steps.event.byte)] = HC_OP_IGNORED;
    if (type == HC_OP_IGNORED)
        return HC_OK;
    if (place_of(p, place, err))
        return err->status;
    int64_t entry = hc_int_map_find(&p->track_map, track_key(place));
    if (entry < 0)
        return hc_fail(
            err, HC_BAD_INPUT,
            "'%s': byte %lld: pid %d, tid %d was not there when the file was read first: "
            "it is being written; wait until it is done",
            p->steps.source->name, (long long)p->steps.event.byte, place[0], place[1]);
    struct track *track = &p->tracks[p->track_map.values[entry]];
    return (p->steps.event.phase == 'B' ? take_begin : take_end)(p, track, type, rows, err);
}

/* Count passes that began and never ended, up to n rows at a time. */
static enum hc_status close_tracks(struct hc_chrome_steps *steps, const struct hc_chrome_rows *rows,
                                   size_t n, bool *is_done, struct hc_error *err)
{
    struct step_dttracer *p = (struct step_dttracer *)steps;
    for (; p->n_closed < p->track_map.n && rows->raw->n < n; p->n_closed++) {
        const struct track *track = &p->tracks[p->n_closed];
        if (track->open_type != HC_OP_UNKNOWN &&
            half_pair(rows, track->begin_byte, track->iteration,
                      "the pass that begins here never ends", err))
            return err->status;
    }
    *is_done = p->n_closed == p->track_map.n;
    return HC_OK;
}

static enum hc_status take(struct hc_chrome_steps *steps, const struct hc_chrome_rows *rows,
                           struct hc_error *err)
{
    return is_begin_or_end(&steps->event) ? take_event((struct step_dttracer *)steps, rows, err)
                                          : HC_OK;
}

/* ---- the format ---- */

static void close_dttracer(void *parser)
{
    struct step_dttracer *p = parser;
    if (!p)
        return;
    hc_chrome_steps_fini(&p->steps);
    hc_int_map_fini(&p->track_map);
    hc_int_map_fini(&p->tid_map);
    free(p->tracks);
    free(p);
}

static enum hc_status open_dttracer(void **parser, const struct hc_source *source,
                                    const struct hc_parse_options *options, struct hc_error *err)
{
    *parser = NULL;
    struct step_dttracer *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->steps = (struct hc_chrome_steps){.source = source,
                                        .options = options,
                                        .where = "here",
                                        .look = survey_event,
                                        .conclude = conclude_survey,
                                        .take = take,
                                        .finish = close_tracks};
    if (hc_chrome_steps_start(&p->steps, err)) {
        close_dttracer(p);
        return err->status;
    }
    *parser = p;
    return HC_OK;
}

const struct hc_format hc_format_step_dttracer = {
    .name = "step-dttracer",
    .description = "passes as DT-Tracer of MegatronApp records them (JSON)",
    .version = 1,
    .table = &hc_ops_def,
    .probe = probe,
    .open = open_dttracer,
    .next_batch = hc_chrome_steps_next_batch,
    .position = hc_chrome_steps_position,
    .close = close_dttracer,
};
