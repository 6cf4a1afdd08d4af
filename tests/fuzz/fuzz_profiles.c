/* Any rows as the profiler traces of up to four ranks: they are linked, their collectives joined,
 * clocks aligned, steps replayed. What is refused says why; parts add up; the order of the rows,
 * the number of threads and a clock that is set otherwise change nothing; the reports can be read.
 *
 * Ten bytes an event: kind and rank, start, duration, name, thread, correlation, stream, and two
 * that the kind explains. */
#include "models/profiles/breakdown.h"
#include "reports/profiles/profile_report.h"
#include "tests/fuzz/target.h"
#include "tests/support/profile_builder.h"

#include <jansson.h>

#define EVENT_SIZE  10
#define MOST_EVENTS 600

static const char *const names[] = {"cudaLaunchKernel",
                                    "hipExtModuleLaunchKernel",
                                    "cudaGraphLaunch",
                                    "cudaDeviceSynchronize",
                                    "hipStreamSynchronize",
                                    "cudaEventSynchronize",
                                    "cuCtxSynchronize",
                                    "cudaStreamWaitEvent",
                                    "cudaEventRecord",
                                    "cudaMemcpy",
                                    "hipMemcpyAsync",
                                    "Event Sync",
                                    "Stream Wait Event",
                                    "nccl:all_reduce",
                                    "Optimizer.step#Adam.step",
                                    "ncclDevKernel_AllGather_RING_LL",
                                    "rcclGenericKernel",
                                    "ncclKernel_SendRecv",
                                    "gemm",
                                    NULL};
static const char *const ops[] = {"all_reduce", "all_to_all", "send",      "recv",
                                  "barrier",    "odd_op",     "broadcast", NULL};
static const char *const threads[] = {"1/1", "1/2", "1/3", "2/1"};

/* Most times are near each other; the highest values stand for what is far. */
static int64_t near_or_far(uint8_t byte, int64_t unit)
{
    static const int64_t far[] = {-1, INT64_MAX / 3, 3600000000000, INT64_MIN / 3};
    return byte >= 252 ? far[byte - 252] : byte * unit;
}

static void add_comm_row(struct hc_profile *profile, size_t rank, const uint8_t *e,
                         const struct built_span *span)
{
    add_comm(profile, rank,
             (struct built_comm){.start = span->start,
                                 .duration = span->duration,
                                 .correlation = e[6],
                                 .of_kernel = e[8] & 1,
                                 .has_seq = e[8] & 2,
                                 .is_p2p = e[8] & 4,
                                 .has_peers = e[8] & 8,
                                 .stream = e[7] % 4,
                                 .thread = span->thread,
                                 .op = ops[e[4] % 8],
                                 .group = e[9] & 1   ? "0"
                                          : e[9] & 2 ? "1"
                                                     : NULL,
                                 .description = e[9] & 4 ? "dp" : NULL,
                                 .dtype = e[9] & 8 ? "Half" : NULL,
                                 .group_size = e[9] >> 4 & 3,
                                 .rank_stride = e[9] >> 6,
                                 .source = e[6] % 4,
                                 .destination = e[6] / 4 % 4,
                                 .in_elements = e[6],
                                 .seq = e[6] % 16});
}

static void add_gpu_row(struct hc_profile *profile, size_t rank, const uint8_t *e,
                        const struct built_span *span)
{
    add_gpu(profile, rank,
            (struct built_gpu){.start = span->start,
                               .duration = span->duration,
                               .correlation = e[6],
                               .device = e[8] >> 4 & 1,
                               .stream = e[7] % 4,
                               .class = (enum hc_gpu_class)(e[8] % 3),
                               .activity = (enum hc_gpu_activity)(e[8] / 3 % 3),
                               .name = span->name});
}

/* An event from its ten bytes. */
static void add_event(struct hc_profile *profile, const uint8_t *e)
{
    size_t rank = e[0] / 8 % profile->n_ranks;
    struct built_span span = {.start = near_or_far(e[1], 1000) + e[2],
                              .duration = near_or_far(e[3], 200),
                              .thread = threads[e[5] % 4],
                              .name = names[e[4] % (sizeof names / sizeof *names)]};
    switch (e[0] % 8) {
    case 0:
        add_step(profile, rank, e[4] % 4, span.start, span.start + near_or_far(e[3], 20000));
        return;
    case 1:
        add_annotation(profile, rank, span);
        return;
    case 2:
        add_mark(profile, rank, span);
        return;
    case 3:
        add_call(profile, rank,
                 (struct built_call){span.start, span.duration, e[6], span.thread, span.name});
        return;
    case 4:
        add_sync(profile, rank,
                 (struct built_sync){span.start, span.duration, e[6], e[8], e[7] % 4 - 1, e[9] % 4,
                                     span.name});
        return;
    case 5:
        add_comm_row(profile, rank, e, &span);
        return;
    default:
        add_gpu_row(profile, rank, e, &span);
    }
}

static void build(struct hc_profile *profile, const uint8_t *data, size_t size)
{
    size_t n = size > 0 ? (size - 1) / EVENT_SIZE : 0;
    profile_begin(profile, size > 0 ? 1 + data[0] % 4 : 1);
    for (size_t i = 0; i < n && i < MOST_EVENTS; i++)
        add_event(profile, data + 1 + i * EVENT_SIZE);
}

/* All that is made of a profile. */
struct made {
    enum hc_status status;
    struct hc_breakdown_rows breakdown;
    struct hc_collectives collectives;
    struct hc_profile_whatif_result whatif;
};

static const struct hc_profile_question question = {.ask = HC_ASK_SCALE, .comm = true, .factor = 2};

static enum hc_status make_rows(struct made *made, const struct hc_profile *profile,
                                struct hc_error *err)
{
    for (int like = HC_BREAKDOWN_OURS; like <= HC_BREAKDOWN_LIKE_HTA; like++) {
        hc_breakdown_rows_fini(&made->breakdown);
        enum hc_status status =
            hc_breakdown_rows_make(&made->breakdown, profile, (enum hc_breakdown_like)like, err);
        if (status)
            return status;
        for (size_t i = 0; i < made->breakdown.n; i++) {
            const struct hc_breakdown *b = &made->breakdown.rows[i].breakdown;
            require(like ==
                        HC_BREAKDOWN_LIKE_HTA || /* whole microseconds may end before they start */
                    (b->compute_ns >= 0 && b->idle_ns >= 0 && b->exposed_comm_ns >= 0));
            require(b->compute_ns + b->exposed_comm_ns + b->exposed_memcpy_ns + b->idle_ns ==
                    b->window_ns);
        }
    }
    return HC_OK;
}

static void make(struct made *made, struct hc_profile *profile, int n_threads)
{
    struct hc_error err = {0};
    struct hc_profile_whatif_options options = {.first_step = HC_MISSING_I64,
                                                .last_step = HC_MISSING_I64,
                                                .n_questions = 1,
                                                .questions = &question,
                                                .threads = n_threads};
    *made = (struct made){0};
    made->status = hc_profile_link(profile, HC_STEPS_BY_PROFILER, &err);
    if (!made->status)
        made->status = make_rows(made, profile, &err);
    if (!made->status)
        made->status = hc_collectives_match(&made->collectives, profile, true, &err);
    if (!made->status)
        made->status =
            hc_profile_whatif_run(&made->whatif, profile, &made->collectives, &options, &err);
    require(made->status == HC_OK || made->status == HC_BAD_INPUT);
    require(made->status == HC_OK || err.message[0]);
}

static void made_fini(struct made *made)
{
    hc_breakdown_rows_fini(&made->breakdown);
    hc_collectives_fini(&made->collectives);
    hc_profile_whatif_result_fini(&made->whatif);
}

static struct hc_profile_report report_of(const struct made *made, const struct hc_profile *profile,
                                          const struct hc_job *job,
                                          const struct hc_traced_file *files)
{
    return (struct hc_profile_report){.job = job,
                                      .profile = profile,
                                      .files = files,
                                      .breakdown = &made->breakdown,
                                      .collectives = &made->collectives,
                                      .whatif = &made->whatif,
                                      .n_questions = 1,
                                      .questions = &question,
                                      .shows_collectives = true,
                                      .shows_stragglers = true,
                                      .shows_path = true};
}

static void write_json(const struct hc_profile_report *report, FILE *stream)
{
    struct hc_json_writer writer;
    struct hc_error err = {0};
    hc_json_start(&writer, stream, 2);
    hc_json_object(&writer, NULL);
    hc_profile_write_json(report, &writer);
    hc_json_end(&writer);
    require(!hc_json_finish(&writer, "fuzz", &err));
}

/* The JSON of a profile, to be freed; clocks are left out. The page and the text are written, too.
 */
static char *show(const struct made *made, const struct hc_profile *profile)
{
    static const struct hc_traced_file files[4] = {{"a", "", "kineto", NULL, 1, 1, 0},
                                                   {"b", "", "kineto", NULL, 1, 1, 0},
                                                   {"c", "", "kineto", NULL, 1, 1, 0},
                                                   {"d", "", "kineto", NULL, 1, 1, 0}};
    struct hc_error err = {0};
    struct hc_job job;
    char *text[2] = {NULL, NULL};
    size_t size[2];
    require(!hc_job_init(&job, "fuzz", &err));
    struct hc_profile_report report = report_of(made, profile, &job, files);
    FILE *json = open_memstream(&text[0], &size[0]), *others = open_memstream(&text[1], &size[1]);
    require(json && others);
    write_json(&report, json);
    report.shows_clocks = true;
    require(!hc_profile_write_text(&report, others, &err));
    require(!hc_profile_write_html(&report, others, &err));
    hc_profile_write_csv(&report, others);
    require(!fclose(json) && !fclose(others));
    free(text[1]);
    json_t *read = json_loadb(text[0], size[0], JSON_REJECT_DUPLICATES, NULL);
    require(read);
    json_decref(read);
    hc_job_fini(&job);
    return text[0];
}

static void check_parts(const struct made *made)
{
    const struct hc_profile_whatif_result *w = &made->whatif;
    int64_t parts = 0;
    for (size_t k = 0; k < HC_N_PATH_PARTS; k++)
        parts += w->path_ns[k];
    if (w->n_path > 0)
        require(parts == w->path[w->n_path - 1].to_ns - w->path[0].from_ns);
    for (size_t r = 0; r < made->collectives.n_clocks; r++) {
        const struct hc_rank_clock *clock = &made->collectives.clocks[r];
        require(clock->wait_ns >= 0);
        if (clock->low_ns != HC_MISSING_I64 && clock->high_ns != HC_MISSING_I64)
            require(clock->low_ns <= clock->high_ns);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_profile profile, other;
    struct made made, again;
    build(&profile, data, size);
    make(&made, &profile, 1);
    build(&other, data, size);
    shuffle_events(&other, 1);
    make(&again, &other, 2);
    require(made.status == again.status);
    if (!made.status) {
        check_parts(&made);
        char *one = show(&made, &profile), *two = show(&again, &other);
        require(strcmp(one, two) == 0);
        free(one);
        free(two);
    }
    made_fini(&made);
    made_fini(&again);
    hc_profile_fini(&profile);
    hc_profile_fini(&other);
    return 0;
}
