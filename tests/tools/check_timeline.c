/* check_timeline - what must hold of timelines in Chrome trace JSON, plain or gzip.
 *
 *   check_timeline tracks FILE                   every slice is within its own time on its track:
 *                                                nothing overlaps; tracks and processes are named
 *   check_timeline compare OURS OTHER TS_US DUR_US   the same slices: each one matched by pid,
 * name, step, seq_id, stage and rank, none left over, times within the tolerances
 *
 * Stage and rank are those of the args, else as the OSDI'25 artifact has them: the stage in the
 * name of the track ("PP rank 3, ..."), the rank a fifth of the track's number. Exit: 0 yes, 1 no,
 * 2 usage, 3 a file that cannot be read.
 */
#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#define NAME_SIZE   48
#define MAX_PRINTED 10
#define NO_STAGE    (-1)

struct slice {
    char name[NAME_SIZE];
    long long pid, tid, step, seq_id, stage, rank;
    double ts_us, dur_us;
    long long start_ns, end_ns;
};

struct track {
    long long pid, tid, stage, sort_index;
    bool is_named;
};

struct timeline {
    size_t n_slices, n_tracks, n_processes;
    struct slice *slices;
    struct track *tracks;
    long long *named_processes;
    size_t n_bad; /* events without what they must have */
};

/* ---- reading ---- */

static size_t read_gzip(void *buffer, size_t size, void *file)
{
    int n = gzread(file, buffer, (unsigned)size);
    return n < 0 ? (size_t)-1 : (size_t)n;
}

static json_t *load(const char *path)
{
    json_error_t error;
    gzFile file = gzopen(path, "rb");
    if (!file) {
        fprintf(stderr, "check_timeline: cannot read '%s'\n", path);
        exit(3);
    }
    json_t *root = json_load_callback(read_gzip, file, JSON_REJECT_DUPLICATES, &error);
    if (gzclose(file) != Z_OK || !root) {
        fprintf(stderr, "check_timeline: '%s' is not whole JSON: %s\n", path,
                root ? "its gzip member is damaged" : error.text);
        exit(3);
    }
    return root;
}

static long long integer_of(const json_t *object, const char *key, long long otherwise)
{
    const json_t *value = json_object_get(object, key);
    return json_is_integer(value) ? json_integer_value(value) : otherwise;
}

static struct track *find_track(struct timeline *timeline, long long pid, long long tid)
{
    /* Metadata of a track stands together: the last ones are the likely ones. */
    for (size_t i = timeline->n_tracks; i-- > 0;)
        if (timeline->tracks[i].pid == pid && timeline->tracks[i].tid == tid)
            return &timeline->tracks[i];
    struct track *track = &timeline->tracks[timeline->n_tracks++];
    *track = (struct track){.pid = pid, .tid = tid, .stage = NO_STAGE, .sort_index = -1};
    return track;
}

static void add_metadata(struct timeline *timeline, const json_t *event, const char *name)
{
    const json_t *args = json_object_get(event, "args");
    long long pid = integer_of(event, "pid", -1);
    if (strcmp(name, "process_name") == 0)
        timeline->named_processes[timeline->n_processes++] = pid;
    if (strncmp(name, "thread_", 7) != 0)
        return;
    struct track *track = find_track(timeline, pid, integer_of(event, "tid", -1));
    const char *text = json_string_value(json_object_get(args, "name"));
    if (strcmp(name, "thread_name") == 0 && text) {
        track->is_named = true;
        if (sscanf(text, "PP rank %lld,", &track->stage) != 1)
            track->stage = NO_STAGE;
    }
    if (strcmp(name, "thread_sort_index") == 0)
        track->sort_index = integer_of(args, "sort_index", -1);
}

static void add_slice(struct timeline *timeline, const json_t *event, const char *name)
{
    const json_t *args = json_object_get(event, "args");
    const json_t *ts = json_object_get(event, "ts"), *dur = json_object_get(event, "dur");
    struct slice *slice = &timeline->slices[timeline->n_slices++];
    snprintf(slice->name, sizeof slice->name, "%s", name);
    slice->pid = integer_of(event, "pid", -1);
    slice->tid = integer_of(event, "tid", -1);
    slice->step = integer_of(args, "step", -1);
    slice->seq_id = integer_of(args, "seq_id", -1);
    slice->stage = integer_of(args, "stage", NO_STAGE);
    slice->rank = integer_of(args, "rank", slice->tid / 5);
    slice->ts_us = json_number_value(ts);
    slice->dur_us = json_number_value(dur);
    slice->start_ns = llround(slice->ts_us * 1000);
    slice->end_ns = slice->start_ns + llround(slice->dur_us * 1000);
    bool is_whole = json_is_number(ts) && json_is_number(dur) && slice->ts_us >= 0 &&
                    slice->dur_us >= 0 && slice->pid >= 0 && slice->tid >= 0 && slice->step >= 0 &&
                    slice->seq_id >= 0;
    timeline->n_bad += !is_whole;
}

/* Steps as a whole, and arrows: tests/golden/timelines_both.sh says what they must be. */
static bool is_beside_the_ops(const json_t *event, const char *phase)
{
    const char *category = json_string_value(json_object_get(event, "cat"));
    return strcmp(phase, "s") == 0 || strcmp(phase, "f") == 0 ||
           (strcmp(phase, "X") == 0 && category &&
            (strcmp(category, "step") == 0 || strcmp(category, "culprit") == 0));
}

static void *new_array(size_t n, size_t size)
{
    void *array = calloc(n ? n : 1, size);
    if (!array) {
        fprintf(stderr, "check_timeline: out of memory\n");
        exit(3);
    }
    return array;
}

static struct timeline read_timeline(const char *path)
{
    json_t *root = load(path), *event = NULL;
    json_t *events = json_is_object(root) ? json_object_get(root, "traceEvents") : root;
    size_t n = json_array_size(events), index = 0;
    struct timeline timeline = {.slices = new_array(n, sizeof *timeline.slices),
                                .tracks = new_array(n, sizeof *timeline.tracks),
                                .named_processes = new_array(n, sizeof *timeline.named_processes)};
    json_array_foreach(events, index, event)
    {
        const char *phase = json_string_value(json_object_get(event, "ph"));
        const char *name = json_string_value(json_object_get(event, "name"));
        if (!phase || !name)
            timeline.n_bad++;
        else if (is_beside_the_ops(event, phase))
            continue;
        else if (strcmp(phase, "X") == 0)
            add_slice(&timeline, event, name);
        else if (strcmp(phase, "M") == 0)
            add_metadata(&timeline, event, name);
        else
            timeline.n_bad++;
    }
    json_decref(root);
    return timeline;
}

static void release(struct timeline *timeline)
{
    free(timeline->slices);
    free(timeline->tracks);
    free(timeline->named_processes);
}

/* ---- tracks ---- */

static int compare_by_track(const void *x, const void *y)
{
    const struct slice *a = x, *b = y;
    if (a->pid != b->pid)
        return a->pid > b->pid ? 1 : -1;
    if (a->tid != b->tid)
        return a->tid > b->tid ? 1 : -1;
    if (a->start_ns != b->start_ns)
        return a->start_ns > b->start_ns ? 1 : -1;
    return (a->end_ns > b->end_ns) - (a->end_ns < b->end_ns);
}

static bool is_named_process(const struct timeline *timeline, long long pid)
{
    for (size_t i = 0; i < timeline->n_processes; i++)
        if (timeline->named_processes[i] == pid)
            return true;
    return false;
}

/* A track as it stands in the metadata; returns how much is wrong. */
static long check_names(struct timeline *timeline, const struct slice *slice)
{
    const struct track *track = find_track(timeline, slice->pid, slice->tid);
    if (track->is_named && track->sort_index >= 0 && is_named_process(timeline, slice->pid) &&
        (slice->stage == NO_STAGE || track->stage == slice->stage))
        return 0;
    printf("  track %lld of process %lld lacks a name or sort index, or is of another stage\n",
           slice->tid, slice->pid);
    return 1;
}

static int check_tracks(const char *path)
{
    struct timeline timeline = read_timeline(path);
    long n_wrong = (long)timeline.n_bad, n_tracks = 0;
    qsort(timeline.slices, timeline.n_slices, sizeof *timeline.slices, compare_by_track);
    for (size_t i = 0; i < timeline.n_slices; i++) {
        const struct slice *b = &timeline.slices[i], *a = i ? b - 1 : NULL;
        if (!a || a->pid != b->pid || a->tid != b->tid) {
            n_tracks++;
            n_wrong += check_names(&timeline, b);
        } else if (b->start_ns < a->end_ns && n_wrong++ < MAX_PRINTED) {
            printf("  track %lld of process %lld: %s seq %lld of step %lld starts %lld ns before "
                   "%s seq %lld ends\n",
                   b->tid, b->pid, b->name, b->seq_id, b->step, a->end_ns - b->start_ns, a->name,
                   a->seq_id);
        }
    }
    printf("%s: %zu slices on %ld tracks of %zu processes, %ld wrong\n", path, timeline.n_slices,
           n_tracks, timeline.n_processes, n_wrong);
    bool ok = n_wrong == 0 && timeline.n_slices > 0;
    release(&timeline);
    return !ok;
}

/* ---- comparison ---- */

static int compare_keys(const struct slice *a, const struct slice *b)
{
    const long long x[] = {a->pid, a->rank, a->stage, a->step, a->seq_id};
    const long long y[] = {b->pid, b->rank, b->stage, b->step, b->seq_id};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        if (x[i] != y[i])
            return x[i] > y[i] ? 1 : -1;
    return strcmp(a->name, b->name);
}

static int compare_by_key(const void *x, const void *y)
{
    return compare_keys(x, y);
}

static void find_stages(struct timeline *timeline)
{
    for (size_t i = 0; i < timeline->n_slices; i++) {
        struct slice *slice = &timeline->slices[i];
        if (slice->stage == NO_STAGE)
            slice->stage = find_track(timeline, slice->pid, slice->tid)->stage;
    }
    qsort(timeline->slices, timeline->n_slices, sizeof *timeline->slices, compare_by_key);
}

static void print_slice(const char *what, const struct slice *slice)
{
    printf("  %s: %s seq %lld of step %lld, dp %lld, stage %lld, rank %lld\n", what, slice->name,
           slice->seq_id, slice->step, slice->pid, slice->stage, slice->rank);
}

/* How far the ts of one step are off, from lowest to highest. */
struct step_spread {
    long long step;
    double low_us, high_us;
};

struct tolerances {
    double ts_us, dur_us, step_us;
    const char *name; /* slices with a tolerance of their own, or NULL */
    size_t name_length;
    double name_dur_us;
};

struct comparison {
    const struct tolerances *limit;
    size_t n_matched, n_alone, n_off, n_spreads, last;
    struct step_spread *spreads;
    double worst_ts_us, worst_dur_us;
};

static void note_spread(struct comparison *c, long long step, double off_us)
{
    size_t i = c->last;
    if (c->n_spreads == 0 || c->spreads[i].step != step)
        for (i = 0; i < c->n_spreads && c->spreads[i].step != step; i++)
            continue;
    if (i == c->n_spreads)
        c->spreads[c->n_spreads++] = (struct step_spread){step, off_us, off_us};
    c->spreads[i].low_us = fmin(c->spreads[i].low_us, off_us);
    c->spreads[i].high_us = fmax(c->spreads[i].high_us, off_us);
    c->last = i;
}

static void compare_slices(struct comparison *c, const struct slice *a, const struct slice *b)
{
    const struct tolerances *limit = c->limit;
    double ts_us = fabs(a->ts_us - b->ts_us), dur_us = fabs(a->dur_us - b->dur_us);
    bool own = limit->name && strlen(a->name) == limit->name_length &&
               strncmp(a->name, limit->name, limit->name_length) == 0;
    c->worst_ts_us = fmax(c->worst_ts_us, ts_us);
    c->worst_dur_us = fmax(c->worst_dur_us, dur_us);
    c->n_matched++;
    note_spread(c, a->step, a->ts_us - b->ts_us);
    if ((ts_us > limit->ts_us || dur_us > (own ? limit->name_dur_us : limit->dur_us)) &&
        c->n_off++ < MAX_PRINTED)
        print_slice("times differ", a);
}

/* The widest spread of a step; returns false when it is over the limit. */
static bool judge_spreads(const struct comparison *c, double *widest_us)
{
    *widest_us = 0;
    for (size_t i = 0; i < c->n_spreads; i++)
        *widest_us = fmax(*widest_us, c->spreads[i].high_us - c->spreads[i].low_us);
    return *widest_us <= c->limit->step_us;
}

static int compare_timelines(const char *ours_path, const char *other_path,
                             const struct tolerances *limit)
{
    struct timeline ours = read_timeline(ours_path), other = read_timeline(other_path);
    struct comparison c = {.limit = limit, .spreads = new_array(ours.n_slices, sizeof *c.spreads)};
    size_t i = 0, k = 0;
    double widest_us = 0;
    find_stages(&ours);
    find_stages(&other);
    while (i < ours.n_slices || k < other.n_slices) {
        int order = i == ours.n_slices    ? 1
                    : k == other.n_slices ? -1
                                          : compare_keys(&ours.slices[i], &other.slices[k]);
        if (order == 0) {
            compare_slices(&c, &ours.slices[i++], &other.slices[k++]);
            continue;
        }
        if (c.n_alone++ < MAX_PRINTED)
            print_slice(order < 0 ? "only in ours" : "only in the other",
                        order < 0 ? &ours.slices[i] : &other.slices[k]);
        order < 0 ? i++ : k++;
    }
    bool ok = judge_spreads(&c, &widest_us) && c.n_matched && c.n_alone == 0 && c.n_off == 0 &&
              ours.n_bad == 0 && other.n_bad == 0;
    printf("%s: %zu slices matched, %zu alone, %zu off; largest difference %.3f us of ts (%.3f us "
           "within a step), %.3f us of dur\n",
           ours_path, c.n_matched, c.n_alone, c.n_off, c.worst_ts_us, widest_us, c.worst_dur_us);
    free(c.spreads);
    release(&ours);
    release(&other);
    return !ok;
}

int main(int argc, char **argv)
{
    if (argc == 3 && strcmp(argv[1], "tracks") == 0)
        return check_tracks(argv[2]);
    if ((argc == 7 || argc == 8) && strcmp(argv[1], "compare") == 0) {
        struct tolerances limit = {
            strtod(argv[4], NULL), strtod(argv[5], NULL), strtod(argv[6], NULL), NULL, 0, 0};
        const char *equals = argc == 8 ? strchr(argv[7], '=') : NULL;
        if (equals)
            limit = (struct tolerances){limit.ts_us,
                                        limit.dur_us,
                                        limit.step_us,
                                        argv[7],
                                        (size_t)(equals - argv[7]),
                                        strtod(equals + 1, NULL)};
        return compare_timelines(argv[2], argv[3], &limit);
    }
    fprintf(stderr, "usage: check_timeline tracks FILE | compare OURS OTHER TS_US DUR_US STEP_US "
                    "[NAME=DUR_US]\n");
    return 2;
}
