#include "reports/export/perfetto/profile_perfetto.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/json_records.h"
#include "core/text/json_writer.h"
#include "reports/export/gzip_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Text with 200 bytes an event: speed counts more than the last tenth of its size. */
#define GZIP_LEVEL 1

/* A track of a process: of a stream, a thread, or all steps. */
struct track {
    enum hc_profile_slice_kind kind;
    int32_t stream;
    char *thread;
    unsigned number; /* 0, 1, ... of those of one stream or thread: slices of one never overlap */
    int64_t busy_until_ns;
};

/* A rank, or the critical path. */
struct process {
    int32_t rank;
    size_t n, capacity;
    struct track *tracks; /* tid: their place */
};

/* A kernel of a collective. */
struct member {
    int32_t collective, rank;
    uint32_t tid;
    int64_t start_ns, end_ns;
};

struct hc_profile_perfetto {
    FILE *stream; /* of the caller, or compressing into it */
    bool is_gzip, is_started, has_processes;
    char *name;
    char group[96];   /* "": there is one */
    int32_t pid_base; /* process ids of this group are ranks from here on */
    int64_t first_ns, origin_ns;
    size_t n_ranks;
    struct process *processes; /* of the ranks by index, then the critical path */
    size_t n_members, member_capacity;
    struct member *members;
    struct hc_profile_perfetto_counts counts;
};

static const char *const part_words[HC_N_PATH_PARTS] = {
    [HC_PATH_CPU] = "cpu",         [HC_PATH_WAKE] = "wake",
    [HC_PATH_LAUNCH] = "launch",   [HC_PATH_SYNC] = "sync",
    [HC_PATH_COMPUTE] = "compute", [HC_PATH_MEMCPY] = "memcpy",
    [HC_PATH_COMM] = "transfer",   [HC_PATH_STREAM] = "stream",
    [HC_PATH_EVENT] = "event",     [HC_PATH_UNEXPLAINED] = "unexplained",
};

enum hc_status hc_profile_perfetto_open(struct hc_profile_perfetto **perfetto, FILE *stream,
                                        const char *name, bool gzip, struct hc_error *err)
{
    struct hc_profile_perfetto *p = *perfetto = hc_new_array(1, sizeof *p, err);
    if (!p)
        return err->status;
    p->name = hc_copy_text(name, err);
    if (p->name)
        p->stream = gzip ? hc_gzip_stream(stream, GZIP_LEVEL, err) : stream;
    if (p->stream) {
        p->is_gzip = gzip;
        return HC_OK;
    }
    hc_profile_perfetto_close(p);
    *perfetto = NULL;
    return err->status;
}

static void free_processes(struct hc_profile_perfetto *p)
{
    for (size_t i = 0; p->processes && i <= p->n_ranks; i++) {
        for (size_t t = 0; t < p->processes[i].n; t++)
            free(p->processes[i].tracks[t].thread);
        free(p->processes[i].tracks);
    }
    free(p->processes);
    p->processes = NULL;
}

void hc_profile_perfetto_close(struct hc_profile_perfetto *perfetto)
{
    if (!perfetto)
        return;
    if (perfetto->is_gzip)
        fclose(perfetto->stream);
    free_processes(perfetto);
    free(perfetto->members);
    free(perfetto->name);
    free(perfetto);
}

/* The first slice of a file says when its time begins; the first of a group, which processes it
 * has.
 */
static enum hc_status start(struct hc_profile_perfetto *p, const struct hc_profile_scene *scene,
                            struct hc_error *err)
{
    if (!p->is_started) {
        p->first_ns = scene->first_ns;
        p->origin_ns = scene->origin_ns + scene->first_ns;
        fputs("{\"displayTimeUnit\":\"ms\",\"traceEvents\":[\n", p->stream);
    }
    p->is_started = p->has_processes = true;
    p->n_ranks = scene->profile->n_ranks;
    p->processes = hc_new_array(p->n_ranks + 1, sizeof *p->processes, err);
    if (!p->processes)
        return err->status;
    for (size_t r = 0; r < p->n_ranks; r++)
        p->processes[r].rank = scene->profile->ranks[r].rank;
    p->processes[p->n_ranks].rank = p->processes[p->n_ranks - 1].rank + 1;
    return HC_OK;
}

static int32_t pid_of(const struct hc_profile_perfetto *p, int32_t rank)
{
    return p->pid_base + rank;
}

/* ---- tracks ---- */

static bool is_of(const struct track *track, const struct hc_profile_slice *slice)
{
    if (track->kind != slice->kind)
        return false;
    if (slice->kind == HC_SLICE_GPU)
        return track->stream == slice->stream;
    return slice->kind != HC_SLICE_CALL || strcmp(track->thread, slice->thread) == 0;
}

/* The first track of its stream or thread on which a slice overlaps nothing. */
static enum hc_status place(struct process *process, const struct hc_profile_slice *slice,
                            uint32_t *tid, struct hc_error *err)
{
    unsigned n_alike = 0;
    for (*tid = 0; *tid < process->n; (*tid)++) {
        struct track *track = &process->tracks[*tid];
        if (!is_of(track, slice))
            continue;
        if (track->busy_until_ns <= slice->start_ns)
            break;
        n_alike++;
    }
    if (*tid == process->n) {
        struct track track = {.kind = slice->kind, .stream = slice->stream, .number = n_alike};
        if (process->n == process->capacity &&
            hc_reserve(&process->tracks, &process->capacity, process->n + 1,
                       sizeof *process->tracks, err))
            return err->status;
        if (slice->thread && !(track.thread = hc_copy_text(slice->thread, err)))
            return err->status;
        process->tracks[process->n++] = track;
    }
    process->tracks[*tid].busy_until_ns = slice->end_ns;
    return HC_OK;
}

/* ---- slices ---- */

static void put_us(FILE *stream, const char *key, int64_t ns)
{
    fprintf(stream, ",\"%s\":%" PRId64 ".%03d", key, ns / 1000, (int)(ns % 1000));
}

static const char *category(const struct hc_profile_slice *slice)
{
    static const char *const words[] = {
        [HC_SLICE_STEP] = "step", [HC_SLICE_CALL] = "call", [HC_SLICE_GPU] = "gpu"};
    if (slice->kind == HC_SLICE_GPU && slice->part == HC_PATH_COMM)
        return "communication";
    if (slice->kind == HC_SLICE_GPU || slice->kind == HC_SLICE_PATH)
        return part_words[slice->part];
    return words[slice->kind];
}

static void put_slice(const struct hc_profile_perfetto *p, int32_t pid, uint32_t tid,
                      const struct hc_profile_slice *slice)
{
    FILE *stream = p->stream;
    char step[40];
    snprintf(step, sizeof step, "step %" PRId64, slice->step);
    fputs("{\"name\":", stream);
    hc_json_string(
        stream, slice->kind == HC_SLICE_STEP && slice->step != HC_MISSING_I64 ? step : slice->name);
    fprintf(stream, ",\"cat\":\"%s\",\"ph\":\"X\",\"pid\":%d,\"tid\":%u", category(slice), pid,
            tid);
    put_us(stream, "ts", slice->start_ns - p->first_ns);
    put_us(stream, "dur", slice->end_ns - slice->start_ns);
    fputs(",\"args\":{", stream);
    const char *separator = "";
    if (slice->kind == HC_SLICE_PATH) {
        fprintf(stream, "\"rank\":%d", slice->rank);
        separator = ",";
    } else if (slice->step != HC_MISSING_I64) {
        fprintf(stream, "\"step\":%" PRId64, slice->step);
        separator = ",";
    }
    if (slice->collective >= 0)
        fprintf(stream, "%s\"collective\":%d", separator, slice->collective);
    fputs("}},\n", stream);
}

static enum hc_status remember(struct hc_profile_perfetto *p, const struct hc_profile_slice *slice,
                               uint32_t tid, struct hc_error *err)
{
    if (p->n_members == p->member_capacity &&
        hc_reserve(&p->members, &p->member_capacity, p->n_members + 1, sizeof *p->members, err))
        return err->status;
    p->members[p->n_members++] =
        (struct member){slice->collective, slice->rank, tid, slice->start_ns, slice->end_ns};
    return HC_OK;
}

enum hc_status hc_profile_perfetto_slice(const struct hc_profile_scene *scene,
                                         const struct hc_profile_slice *slice, void *context,
                                         struct hc_error *err)
{
    struct hc_profile_perfetto *p = context;
    uint32_t tid;
    if (!p->has_processes && start(p, scene, err))
        return err->status;
    bool is_path = slice->kind == HC_SLICE_PATH;
    struct process *process = &p->processes[is_path ? p->n_ranks : slice->rank_index];
    if (place(process, slice, &tid, err))
        return err->status;
    put_slice(p, pid_of(p, process->rank), tid, slice);
    p->counts.n_slices += !is_path;
    p->counts.n_path += is_path;
    p->counts.n_moved += process->tracks[tid].number > 0;
    if (slice->kind == HC_SLICE_GPU && slice->collective >= 0)
        return remember(p, slice, tid, err);
    return HC_OK;
}

/* ---- arrows ---- */

/* Of a collective the last to arrive comes first. */
static int compare_members(const void *a, const void *b)
{
    const struct member *x = a, *y = b;
    if (x->collective != y->collective)
        return (x->collective > y->collective) - (x->collective < y->collective);
    if (x->start_ns != y->start_ns)
        return (x->start_ns < y->start_ns) - (x->start_ns > y->start_ns);
    return (x->rank > y->rank) - (x->rank < y->rank);
}

static void put_flow_end(const struct hc_profile_perfetto *p, const char *phase, int64_t id,
                         const struct member *member, int64_t at_ns)
{
    fprintf(p->stream,
            "{\"name\":\"collective\",\"cat\":\"collective\",\"ph\":%s,\"id\":%" PRId64
            ",\"pid\":%d,\"tid\":%u",
            phase, id, pid_of(p, member->rank), member->tid);
    put_us(p->stream, "ts", at_ns - p->first_ns);
    fprintf(p->stream, ",\"args\":{\"collective\":%d}},\n", member->collective);
}

static void put_flows(struct hc_profile_perfetto *p)
{
    if (p->n_members)
        qsort(p->members, p->n_members, sizeof *p->members, compare_members);
    for (size_t i = 0, last = 0; i < p->n_members; i++) {
        const struct member *member = &p->members[i];
        if (i == 0 || member->collective != p->members[last].collective) {
            last = i;
            continue;
        }
        int64_t at_ns = p->members[last].start_ns;
        if (member->end_ns < at_ns) {
            p->counts.n_without_flows++;
            continue;
        }
        int64_t id = ++p->counts.n_flows;
        put_flow_end(p, "\"s\"", id, &p->members[last], at_ns);
        put_flow_end(p, "\"f\",\"bp\":\"e\"", id, member, at_ns);
    }
}

/* ---- names ---- */

static void put_name(FILE *stream, const char *what, int32_t pid, uint32_t tid, const char *name)
{
    fprintf(stream, "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"args\":{\"name\":", what,
            pid, tid);
    hc_json_string(stream, name);
    fputs("}},\n", stream);
}

static void put_sort_index(FILE *stream, const char *what, int32_t pid, uint32_t tid, int64_t place)
{
    fprintf(stream,
            "{\"name\":\"%s\",\"ph\":\"M\",\"pid\":%d,\"tid\":%u,\"args\":{\"sort_index\":%" PRId64
            "}},\n",
            what, pid, tid, place);
}

/* Steps, streams by number, threads in the order in which they came. */
static int64_t track_place(const struct track *track, size_t tid)
{
    return track->kind == HC_SLICE_STEP  ? 0
           : track->kind == HC_SLICE_GPU ? 2 + (int64_t)track->stream
                                         : ((int64_t)1 << 31) + (int64_t)tid;
}

static void name_tracks(const struct hc_profile_perfetto *p, const struct process *process)
{
    for (size_t t = 0; t < process->n; t++) {
        const struct track *track = &process->tracks[t];
        char name[128], further[24] = "";
        if (track->number)
            snprintf(further, sizeof further, " (%u)", track->number + 1);
        if (track->kind == HC_SLICE_GPU)
            snprintf(name, sizeof name, "stream %d%s", track->stream, further);
        else
            snprintf(name, sizeof name, "%.90s%s",
                     track->kind == HC_SLICE_CALL   ? track->thread
                     : track->kind == HC_SLICE_STEP ? "steps"
                                                    : "critical path",
                     further);
        put_name(p->stream, "thread_name", pid_of(p, process->rank), (uint32_t)t, name);
        put_sort_index(p->stream, "thread_sort_index", pid_of(p, process->rank), (uint32_t)t,
                       track_place(track, t));
    }
}

static void name_processes(const struct hc_profile_perfetto *p)
{
    for (size_t i = 0; i <= p->n_ranks; i++) {
        const struct process *process = &p->processes[i];
        int32_t pid = pid_of(p, process->rank);
        char name[160], rank[32];
        snprintf(rank, sizeof rank, "rank %d", process->rank);
        snprintf(name, sizeof name, "%s%s%s", p->group, *p->group ? ": " : "",
                 i < p->n_ranks ? rank : "critical path");
        put_name(p->stream, "process_name", pid, 0, name);
        name_tracks(p, process);
        put_sort_index(p->stream, "process_sort_index", pid, 0,
                       i < p->n_ranks ? pid : p->pid_base - 1);
    }
}

/* A group is at its end when its arrows and names are written. */
static void end_group(struct hc_profile_perfetto *p)
{
    put_flows(p);
    name_processes(p);
    p->n_members = 0;
}

enum hc_status hc_profile_perfetto_begin_group(struct hc_profile_perfetto *perfetto,
                                               const char *name, struct hc_error *err)
{
    struct hc_profile_perfetto *p = perfetto;
    if (p->has_processes) {
        end_group(p);
        if (__builtin_add_overflow(pid_of(p, p->processes[p->n_ranks].rank), 2, &p->pid_base))
            return hc_fail(err, HC_BAD_INPUT, "ranks are numbered too high to stand side by side");
        free_processes(p);
        p->has_processes = false;
    }
    snprintf(p->group, sizeof p->group, "%.95s", name);
    return HC_OK;
}

const char *const hc_profile_timeline_words[] = {"traced", "replayed", "ideal"};

static void describe(const struct hc_profile_perfetto *p, const struct hc_job *job,
                     const char *timeline)
{
    struct hc_json_writer json;
    hc_json_start(&json, p->stream, 1);
    hc_json_object(&json, NULL);
    hc_json_head(&json, &(struct hc_document_head){"hindcast-profile-timeline", 1, 0, NULL, true});
    hc_json_text(&json, "cluster", job->cluster);
    hc_json_text(&json, "id", job->id);
    hc_json_i32(&json, "attempt", job->attempt);
    hc_json_text(&json, "timeline", timeline);
    hc_json_i64(&json, "start_unix_ns", p->origin_ns);
    hc_json_i64(&json, "slices", p->counts.n_slices);
    hc_json_i64(&json, "path_slices", p->counts.n_path);
    hc_json_i64(&json, "arrows", p->counts.n_flows);
    hc_json_i64(&json, "members_without_arrow", p->counts.n_without_flows);
    hc_json_i64(&json, "slices_on_further_tracks", p->counts.n_moved);
    hc_json_end(&json);
}

enum hc_status hc_profile_perfetto_finish(struct hc_profile_perfetto *perfetto,
                                          const struct hc_job *job, const char *timeline,
                                          struct hc_profile_perfetto_counts *counts,
                                          struct hc_error *err)
{
    struct hc_profile_perfetto *p = perfetto;
    if (!p->has_processes) /* nothing to show */
        return hc_fail(err, HC_BAD_INPUT, "there is nothing to show");
    end_group(p);
    /* A last event, behind which no comma stands. */
    fprintf(p->stream,
            "{\"name\":\"process_labels\",\"ph\":\"M\",\"pid\":%d,\"args\":{\"labels\":\"%s\"}}\n",
            pid_of(p, p->processes[p->n_ranks].rank), "what decides when the steps end");
    fputs("],\n\"otherData\":", p->stream);
    describe(p, job, timeline);
    fputs("}\n", p->stream);
    bool failed = fflush(p->stream) || ferror(p->stream);
    if (p->is_gzip) {
        failed |= fclose(p->stream) != 0;
        p->is_gzip = false;
    }
    *counts = p->counts;
    return failed ? hc_fail_errno(err, "cannot write", p->name) : HC_OK;
}
