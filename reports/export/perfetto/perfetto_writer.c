#include "reports/export/perfetto/perfetto_writer.h"

#include "core/base/memory.h"
#include "core/tables/json_records.h"
#include "core/tables/op_type.h"
#include "reports/export/gzip_stream.h"
#include "reports/export/perfetto/pair_arrows.h"
#include "reports/export/perfetto/perfetto_text.h"
#include "reports/export/perfetto/timeline_tracks.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define BUFFER_SIZE 65536
/* Names of a type twice, nine numbers of at most 21 characters, and the keys. */
#define LONGEST_EVENT 512
/* Text with 200 bytes an event: speed counts more than the last tenth of its size. */
#define GZIP_LEVEL     1
#define MOST_GROUPS    8
#define HC_RUN_ID_ROOM 64

const char *const hc_timeline_names[HC_N_TIMELINES + 1] = {"traced", "replayed", "ideal", NULL};

/* A step as a whole, in one of the groups. */
struct step_span {
    int32_t step;
    uint32_t group;
    int64_t start_ns, length_ns;
};

struct hc_perfetto {
    FILE *stream; /* of the caller, or compressing into it */
    bool is_gzip;
    char *name;
    struct hc_track_layout layout; /* of the group that is open */
    struct hc_group {
        char name[96];
        enum hc_timeline timeline;
        size_t first_span;
    } groups[MOST_GROUPS]; /* the first has no name where there is only one timeline */
    size_t n_groups;       /* that were begun by name */
    char run_id[HC_RUN_ID_ROOM];
    int32_t first_pid;  /* of the group that is open */
    uint32_t first_tid; /* and of its tracks */
    bool has_layout;
    struct hc_job job; /* of the first step */
    struct hc_timeline_source source;
    int32_t first_step, last_step;
    int64_t offset_ns; /* where the next step starts, or later */
    size_t n_spans, span_capacity;
    struct step_span *spans;
    size_t n_marks;
    const struct hc_perfetto_mark *marks;
    struct hc_pair_arrows arrows; /* of the step that is being written */
    struct hc_perfetto_counts counts;
    bool is_started;
    size_t n_held;
    char prefix[HC_N_OP_TYPES][160]; /* of an event of each type */
    size_t prefix_length[HC_N_OP_TYPES];
    char held[BUFFER_SIZE];
};

static enum hc_status flush(struct hc_perfetto *p, struct hc_error *err)
{
    size_t n = fwrite(p->held, 1, p->n_held, p->stream);
    if (n != p->n_held)
        return hc_fail_errno(err, "cannot write", p->name);
    p->n_held = 0;
    return HC_OK;
}

/* ---- start ---- */

enum hc_status hc_perfetto_open(struct hc_perfetto **perfetto, FILE *stream, const char *name,
                                bool gzip, struct hc_error *err)
{
    struct hc_perfetto *p = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->is_gzip = gzip;
    p->name = hc_copy_text(name, err);
    if (p->name)
        p->stream = gzip ? hc_gzip_stream(stream, GZIP_LEVEL, err) : stream;
    if (!p->stream) {
        free(p->name);
        free(p);
        return err->status;
    }
    for (int t = 0; t < HC_N_OP_TYPES; t++)
        p->prefix_length[t] = (size_t)snprintf(
            p->prefix[t], sizeof p->prefix[t],
            "{\"name\":\"%s\",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":", hc_op_type_name(t),
            hc_op_type_name(t));
    *perfetto = p;
    return HC_OK;
}

static struct hc_group *open_group(struct hc_perfetto *p)
{
    return &p->groups[p->n_groups ? p->n_groups - 1 : 0];
}

static enum hc_status start(struct hc_perfetto *p, const struct hc_timeline_step *step,
                            struct hc_error *err)
{
    p->source = *step->source;
    p->first_step = step->step;
    if (hc_job_copy(&p->job, step->source->job, err))
        return err->status;
    p->is_started = true;
    fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", p->stream);
    return HC_OK;
}

static enum hc_status lay_out(struct hc_perfetto *p, const struct hc_timeline_step *step,
                              struct hc_error *err)
{
    p->has_layout = true;
    p->source = *step->source;
    open_group(p)->timeline = step->timeline;
    open_group(p)->first_span = p->n_spans;
    return hc_track_layout_init(&p->layout, p->source.dp_size, p->source.n_stages, err);
}

/* ---- slices ---- */

static char *put_event(const struct hc_perfetto *p, char *to, const struct hc_timeline_op *op,
                       const struct hc_slice *slice, int32_t step)
{
    to = hc_put_text(to, p->prefix[op->op_type], p->prefix_length[op->op_type]);
    to = hc_put_number(to, p->first_pid + op->dp_rank);
    to = HC_PUT(to, ",\"tid\":");
    to = hc_put_number(to, (int64_t)p->first_tid + slice->track);
    to = HC_PUT(to, ",\"ts\":");
    to = hc_put_microseconds(to, slice->start_ns);
    to = HC_PUT(to, ",\"dur\":");
    to = hc_put_microseconds(to, slice->end_ns - slice->start_ns);
    to = HC_PUT(to, ",\"args\":{\"step\":");
    to = hc_put_number(to, step);
    to = HC_PUT(to, ",\"model_chunk\":");
    to = hc_put_id(to, op->model_chunk);
    to = HC_PUT(to, ",\"mb_id\":");
    to = hc_put_id(to, op->microbatch);
    to = HC_PUT(to, ",\"seq_id\":");
    to = hc_put_number(to, op->seq_id);
    to = HC_PUT(to, ",\"stage\":");
    to = hc_put_number(to, op->stage);
    to = HC_PUT(to, ",\"rank\":");
    to = hc_put_id(to, op->rank);
    return HC_PUT(to, "}},\n");
}

/* A send or receive is an end of an arrow. */
static void note_pair(struct hc_perfetto *p, const struct hc_timeline_op *op,
                      const struct hc_slice *slice, size_t n_pairs)
{
    if (op->pair == HC_NO_PAIR)
        return;
    struct hc_pair_arrow *arrow =
        &p->arrows.arrows[(size_t)op->dp_rank * n_pairs + (size_t)op->pair];
    bool sends = op->op_type == HC_FORWARD_SEND || op->op_type == HC_BACKWARD_SEND;
    arrow->is_pair = true;
    *(sends ? &arrow->send : &arrow->receive) =
        (struct hc_arrow_end){.pid = p->first_pid + op->dp_rank,
                              .tid = (int64_t)p->first_tid + slice->track,
                              .at_ns = slice->start_ns,
                              .is_there = slice->end_ns > slice->start_ns};
}

static enum hc_status write_arrows(struct hc_perfetto *p, struct hc_error *err)
{
    for (size_t i = 0; i < p->arrows.n; i++) {
        if (p->n_held + HC_LONGEST_ARROW > BUFFER_SIZE && flush(p, err))
            return err->status;
        char *to = p->held + p->n_held;
        p->n_held += (size_t)(hc_pair_arrow_put(&p->arrows, i, to) - to);
    }
    return HC_OK;
}

/* The ops of one worker. */
static enum hc_status write_worker(struct hc_perfetto *p, const struct hc_timeline_step *step,
                                   const struct hc_timeline_op *ops, size_t n, int64_t offset_ns,
                                   struct hc_error *err)
{
    if (hc_track_layout_place(&p->layout, ops, n, offset_ns, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        if (p->n_held + LONGEST_EVENT > BUFFER_SIZE && flush(p, err))
            return err->status;
        char *to = p->held + p->n_held;
        p->n_held += (size_t)(put_event(p, to, &ops[i], &p->layout.slices[i], p->last_step) - to);
        note_pair(p, &ops[i], &p->layout.slices[i], step->n_pairs);
        p->counts.n_backward += ops[i].end_ns < ops[i].transfer_ns;
    }
    p->counts.n_slices += (int64_t)n;
    return HC_OK;
}

/* How far a step has to move so that it starts at 0 or later, and where the next one starts: a
 * tenth of its length after its end. */
static int64_t find_shift(const struct hc_timeline_step *step, int64_t *length_ns)
{
    int64_t first_ns = 0, last_ns = 0;
    for (size_t i = 0; i < step->n_ops; i++) {
        const struct hc_timeline_op *op = &step->ops[i];
        first_ns = op->transfer_ns < first_ns ? op->transfer_ns : first_ns;
        last_ns = op->end_ns > last_ns ? op->end_ns : last_ns;
        last_ns = op->transfer_ns > last_ns ? op->transfer_ns : last_ns;
    }
    *length_ns = last_ns - first_ns;
    return -first_ns;
}

/* A step of a further group stands beside the same step of the first, or behind the one before. */
static void find_place(struct hc_perfetto *p, int32_t step)
{
    size_t k = p->n_spans - open_group(p)->first_span, n_first = p->groups[1].first_span;
    bool has_other = p->n_groups > 1 && k < n_first && p->spans[k].step == step;
    if (has_other && p->spans[k].start_ns > p->offset_ns)
        p->offset_ns = p->spans[k].start_ns;
}

static enum hc_status note_span(struct hc_perfetto *p, int32_t step, int64_t length_ns,
                                struct hc_error *err)
{
    if (hc_reserve(&p->spans, &p->span_capacity, p->n_spans + 1, sizeof *p->spans, err))
        return err->status;
    p->spans[p->n_spans++] =
        (struct step_span){step, (uint32_t)(open_group(p) - p->groups), p->offset_ns, length_ns};
    p->counts.n_steps += open_group(p) == p->groups;
    if (__builtin_add_overflow(p->offset_ns, length_ns + length_ns / 10, &p->offset_ns))
        return hc_fail(err, HC_BAD_INPUT,
                       "the steps up to %d, laid end to end, take more than 292 years", step);
    return HC_OK;
}

enum hc_status hc_perfetto_step(struct hc_perfetto *perfetto, const struct hc_timeline_step *step,
                                struct hc_error *err)
{
    struct hc_perfetto *p = perfetto;
    if ((!p->is_started && start(p, step, err)) || (!p->has_layout && lay_out(p, step, err)) ||
        hc_pair_arrows_begin(&p->arrows, step->n_pairs * (size_t)p->source.dp_size, err))
        return err->status;
    find_place(p, step->step);
    p->last_step = step->step;
    int64_t length_ns = 0, offset_ns = p->offset_ns + find_shift(step, &length_ns);
    for (size_t i = 0, end = 0; i < step->n_ops; i = end) {
        while (end < step->n_ops && step->ops[end].dp_rank == step->ops[i].dp_rank &&
               step->ops[end].stage == step->ops[i].stage)
            end++;
        if (write_worker(p, step, step->ops + i, end - i, offset_ns, err))
            return err->status;
    }
    if (write_arrows(p, err) || note_span(p, step->step, length_ns, err))
        return err->status;
    int64_t error_ns = llabs(step->span_ns - step->recorded_ns);
    if (step->timeline == HC_TIMELINE_TRACED && error_ns > p->counts.worst_ns)
        p->counts.worst_ns = error_ns;
    return HC_OK;
}

/* ---- tracks and what the document says of itself ---- */

static int compare_tracks(const void *x, const void *y, void *layout)
{
    const struct hc_track *a = &((const struct hc_track_layout *)layout)->tracks[*(uint32_t *)x];
    const struct hc_track *b = &((const struct hc_track_layout *)layout)->tracks[*(uint32_t *)y];
    if (a->rank != b->rank)
        return a->rank > b->rank ? 1 : -1;
    if (a->stage != b->stage) /* of workers without a rank */
        return a->stage > b->stage ? 1 : -1;
    if (a->lane != b->lane)
        return a->lane > b->lane ? 1 : -1;
    return (a->number > b->number) - (a->number < b->number);
}

/* "PP rank 1, TP rank 0, compute on gpu-001": with the host where the metadata says it. */
static void name_track(const struct hc_perfetto *p, const struct hc_track *track, uint32_t tid,
                       size_t place)
{
    FILE *stream = p->stream;
    const char *host = hc_job_node(&p->job, track->rank);
    char further[32] = "", name[192];
    if (track->number)
        snprintf(further, sizeof further, " (%u)", track->number + 1);
    snprintf(name, sizeof name, "PP rank %d, TP rank 0, %s%s%s%.64s", track->stage,
             hc_lane_name(track->lane), further, host ? " on " : "", host ? host : "");
    fprintf(stream,
            "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,"
            "\"args\":{\"name\":",
            p->first_pid + track->dp_rank, p->first_tid + tid);
    hc_json_string(stream, name);
    fputs("}},\n", stream);
    fprintf(stream,
            "{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,"
            "\"args\":{\"sort_index\":%zu}},\n",
            p->first_pid + track->dp_rank, p->first_tid + tid, place);
}

/* Of tracks with slices. */
static enum hc_status name_tracks(struct hc_perfetto *p, struct hc_error *err)
{
    uint32_t *order = hc_new_array(p->layout.n_tracks, sizeof *order, err);
    if (!order)
        return err->status;
    size_t n = 0;
    for (size_t t = 0; t < p->layout.n_tracks; t++)
        if (p->layout.tracks[t].n_slices) {
            order[n++] = (uint32_t)t;
            p->counts.n_further_tracks += p->layout.tracks[t].number > 0;
        }
    qsort_r(order, n, sizeof *order, compare_tracks, &p->layout);
    for (size_t i = 0; i < n; i++)
        name_track(p, &p->layout.tracks[order[i]], order[i], i);
    free(order);
    return HC_OK;
}

/* A dp rank of a group stands beside the same dp rank of the other groups. */
static void name_processes(const struct hc_perfetto *p)
{
    for (int32_t d = 0; d < p->source.dp_size; d++) {
        char name[160];
        const char *group = p->n_groups ? p->groups[p->n_groups - 1].name : "";
        int64_t place = p->n_groups ? (int64_t)d * MOST_GROUPS + (int64_t)p->n_groups - 1 : d;
        snprintf(name, sizeof name, "%s%sDP rank [%d]", group, *group ? ", " : "", (int)d);
        fprintf(p->stream, "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":",
                p->first_pid + d);
        hc_json_string(p->stream, name);
        fprintf(p->stream,
                "}},\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%d,"
                "\"args\":{\"sort_index\":%" PRId64 "}},\n",
                p->first_pid + d, place);
    }
}

/* End the timeline that is open: its slices are written, and its tracks and processes named. */
static enum hc_status end_group(struct hc_perfetto *p, struct hc_error *err)
{
    if (flush(p, err) || name_tracks(p, err))
        return err->status;
    name_processes(p);
    p->counts.n_moved += p->layout.n_moved;
    p->first_pid += p->source.dp_size;
    p->first_tid += (uint32_t)p->layout.n_tracks;
    hc_track_layout_fini(&p->layout);
    p->layout = (struct hc_track_layout){.tracks = NULL};
    p->has_layout = false;
    p->offset_ns = 0;
    return HC_OK;
}

enum hc_status hc_perfetto_begin_group(struct hc_perfetto *perfetto,
                                       const struct hc_perfetto_group *group, struct hc_error *err)
{
    struct hc_perfetto *p = perfetto;
    if (p->n_groups == MOST_GROUPS)
        return hc_fail(err, HC_INTERNAL, "more than %d timelines in one file", MOST_GROUPS);
    if (p->has_layout && end_group(p, err))
        return err->status;
    snprintf(p->groups[p->n_groups++].name, sizeof p->groups->name, "%.95s", group->name);
    if (group->run_id)
        snprintf(p->run_id, sizeof p->run_id, "%.63s", group->run_id);
    return HC_OK;
}

/* The steps of each group as slices of a process of its own, which stands before those of the dp
 * ranks. */
static void write_steps(struct hc_perfetto *p)
{
    for (size_t i = 0; i < p->n_spans; i++) {
        const struct step_span *span = &p->spans[i];
        char event[256], *to = event;
        to = HC_PUT(to, "{\"name\":\"step ");
        to = hc_put_number(to, span->step);
        to = HC_PUT(to, "\",\"cat\":\"step\",\"ph\":\"X\",\"pid\":");
        to = hc_put_number(to, (int64_t)p->first_pid + span->group);
        to = HC_PUT(to, ",\"tid\":");
        to = hc_put_number(to, (int64_t)p->first_tid + span->group);
        to = HC_PUT(to, ",\"ts\":");
        to = hc_put_microseconds(to, span->start_ns);
        to = HC_PUT(to, ",\"dur\":");
        to = hc_put_microseconds(to, span->length_ns);
        to = HC_PUT(to, "},\n");
        fwrite(event, 1, (size_t)(to - event), p->stream);
    }
    size_t n = p->n_groups ? p->n_groups : 1;
    for (size_t g = 0; g < n; g++) {
        char name[160];
        int32_t pid = p->first_pid + (int32_t)g;
        snprintf(name, sizeof name, "%s%ssteps", p->groups[g].name, *p->groups[g].name ? ", " : "");
        fprintf(p->stream,
                "{\"name\":\"process_name\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"name\":", pid);
        hc_json_string(p->stream, name);
        fprintf(p->stream,
                "}},\n{\"name\":\"process_sort_index\",\"ph\":\"M\",\"pid\":%d,"
                "\"args\":{\"sort_index\":%d}},\n"
                "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%" PRIu32
                ",\"args\":{\"name\":\"steps\"}}%s\n",
                pid, (int)g - MOST_GROUPS, pid, p->first_tid + (uint32_t)g, g + 1 < n ? "," : "");
    }
}

void hc_perfetto_set_marks(struct hc_perfetto *perfetto, const struct hc_perfetto_mark *marks,
                           size_t n)
{
    perfetto->marks = marks;
    perfetto->n_marks = n;
}

/* From the first of its steps that the timeline has to the last; nothing where it has none. */
static void write_mark(struct hc_perfetto *p, const struct hc_perfetto_mark *mark, uint32_t tid)
{
    const struct step_span *first = NULL, *last = NULL;
    char start[32], length[32];
    for (size_t i = 0; i < p->n_spans && p->spans[i].group == 0; i++)
        if (p->spans[i].step >= mark->first_step && p->spans[i].step <= mark->last_step) {
            first = first ? first : &p->spans[i];
            last = &p->spans[i];
        }
    if (!first)
        return;
    *hc_put_microseconds(start, first->start_ns) = '\0';
    *hc_put_microseconds(length, last->start_ns + last->length_ns - first->start_ns) = '\0';
    fputs("{\"name\":", p->stream);
    hc_json_string(p->stream, mark->name);
    fprintf(p->stream,
            ",\"cat\":\"culprit\",\"ph\":\"X\",\"pid\":%d,\"tid\":%" PRIu32
            ",\"ts\":%s,\"dur\":%s,\"args\":{\"first_step\":%d,\"last_step\":%d}},\n",
            p->first_pid, tid, start, length, mark->first_step, mark->last_step);
}

/* Each track of marks stands in the process of the steps of the first group. */
static void write_marks(struct hc_perfetto *p)
{
    uint32_t tid = p->first_tid + MOST_GROUPS;
    for (size_t i = 0; i < p->n_marks; i++) {
        bool is_new = i == 0 || strcmp(p->marks[i].track, p->marks[i - 1].track) != 0;
        tid += is_new && i > 0;
        write_mark(p, &p->marks[i], tid);
        if (!is_new)
            continue;
        fprintf(p->stream,
                "{\"name\":\"thread_name\",\"ph\":\"M\",\"pid\":%d,\"tid\":%" PRIu32
                ",\"args\":{\"name\":",
                p->first_pid, tid);
        hc_json_string(p->stream, p->marks[i].track);
        fprintf(p->stream,
                "}},\n{\"name\":\"thread_sort_index\",\"ph\":\"M\",\"pid\":%d,\"tid\":%" PRIu32
                ",\"args\":{\"sort_index\":%" PRIu32 "}},\n",
                p->first_pid, tid, tid);
    }
}

static void list_groups(const struct hc_perfetto *p, struct hc_json_writer *json)
{
    hc_json_array(json, "side_by_side");
    for (size_t i = 0; i < p->n_groups; i++)
        hc_json_text(json, NULL, p->groups[i].name);
    hc_json_end(json);
}

/* "traced", or "traced and ideal" where these stand side by side. */
static void describe_timeline(const struct hc_perfetto *p, struct hc_json_writer *json)
{
    const char *first = hc_timeline_names[p->groups[0].timeline];
    char both[64];
    snprintf(both, sizeof both, "%s", first);
    if (p->n_groups > 1 && p->groups[1].timeline != p->groups[0].timeline)
        snprintf(both, sizeof both, "%s and %s", first, hc_timeline_names[p->groups[1].timeline]);
    hc_json_text(json, "timeline", both);
}

static void describe(const struct hc_perfetto *p)
{
    struct hc_json_writer json;
    hc_json_start(&json, p->stream, 1);
    hc_json_object(&json, NULL);
    hc_json_head(&json, &(struct hc_document_head){"hindcast-timeline", 1, 1,
                                                   *p->run_id ? p->run_id : NULL, true});
    hc_json_text(&json, "cluster", p->job.cluster);
    hc_json_text(&json, "id", p->job.id);
    hc_json_i32(&json, "attempt", p->job.attempt);
    describe_timeline(p, &json);
    if (p->n_groups)
        list_groups(p, &json);
    hc_json_text(&json, "waiting", "hidden: communication is shown from its transfer on");
    hc_json_text(&json, "layout",
                 "steps end to end, each followed by a gap of a tenth of its length");
    hc_json_i64(&json, "steps", p->counts.n_steps);
    hc_json_i32(&json, "first_step", p->first_step);
    hc_json_i32(&json, "last_step", p->last_step);
    hc_json_i64(&json, "steps_left_out", (int64_t)p->source.n_left_out);
    hc_json_i64(&json, "ops", p->counts.n_slices);
    hc_json_i64(&json, "arrows", p->arrows.n_written);
    hc_json_i64(&json, "pairs_without_arrow", p->arrows.n_without);
    hc_json_i64(&json, "ops_on_further_tracks", p->counts.n_moved);
    hc_json_i64(&json, "further_tracks", p->counts.n_further_tracks);
    hc_json_i64(&json, "ops_without_length", p->counts.n_backward);
    hc_json_i64(&json, "clamped_transfers", p->source.clamped_transfers);
    hc_json_i64(&json, "clamped_delays", p->source.clamped_delays);
    hc_json_bool(&json, "source_hides_waiting", p->source.hides_waiting);
    hc_json_end(&json);
}

enum hc_status hc_perfetto_finish(struct hc_perfetto *perfetto, struct hc_perfetto_counts *counts,
                                  struct hc_error *err)
{
    struct hc_perfetto *p = perfetto;
    if (end_group(p, err))
        return err->status;
    write_marks(p);
    write_steps(p);
    fputs("],\n\"otherData\":", p->stream);
    describe(p);
    fputs("}\n", p->stream);
    bool failed = fflush(p->stream) || ferror(p->stream);
    if (p->is_gzip) {
        failed |= fclose(p->stream) != 0;
        p->is_gzip = false;
    }
    *counts = p->counts;
    return failed ? hc_fail_errno(err, "cannot write", p->name) : HC_OK;
}

void hc_perfetto_close(struct hc_perfetto *perfetto)
{
    if (!perfetto)
        return;
    if (perfetto->is_gzip)
        fclose(perfetto->stream);
    hc_track_layout_fini(&perfetto->layout);
    hc_pair_arrows_fini(&perfetto->arrows);
    free(perfetto->spans);
    hc_job_fini(&perfetto->job);
    free(perfetto->name);
    free(perfetto);
}
