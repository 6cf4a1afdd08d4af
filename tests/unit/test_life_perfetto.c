/* A recorded life as Chrome trace JSON: whole, nothing overlaps on a track, and the figures are
 * those of the replica. */
#include "reports/export/perfetto/life_perfetto.h"
#include "tests/support/any_life.h"
#include "tests/support/lifetime_case.h"

#include <check.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

static struct hc_error err;

static json_t *export_life(const struct hc_lifetime_trace *trace,
                           const struct hc_lifetime_config *config,
                           const struct hc_life_perfetto *options)
{
    char *text = NULL;
    size_t size = 0;
    FILE *stream = open_memstream(&text, &size);
    if (hc_life_perfetto_write(stream, trace, config, options, &err))
        ck_abort_msg("%s", err.message);
    fclose(stream);
    json_error_t error;
    json_t *root = json_loadb(text, size, JSON_REJECT_DUPLICATES, &error);
    ck_assert_msg(root != NULL, "line %d: %s", error.line, error.text);
    free(text);
    return root;
}

static int64_t us_of(const json_t *event, const char *key)
{
    const json_t *us = json_object_get(event, key);
    ck_assert(json_is_integer(us));
    return json_integer_value(us);
}

static bool is(const json_t *event, const char *key, const char *text)
{
    return strcmp(json_string_value(json_object_get(event, key)), text) == 0;
}

enum { N_TRACKS = 4 };

/* What an export holds. */
struct seen {
    int64_t n[N_TRACKS], end_us[N_TRACKS], productive_us, n_marks;
    double cumulative, lost_gpu_h;
    bool named[N_TRACKS];
};

static void see_slice(struct seen *seen, const json_t *event)
{
    int64_t track = json_integer_value(json_object_get(event, "tid"));
    int64_t start_us = us_of(event, "ts");
    ck_assert(track > 0 && track < N_TRACKS);
    ck_assert_int_ge(start_us, seen->end_us[track]);
    if (track == 1)
        ck_assert_int_eq(start_us, seen->end_us[track]);
    seen->end_us[track] = start_us + us_of(event, "dur");
    ck_assert_int_ge(seen->end_us[track], start_us);
    seen->n[track]++;
    const json_t *stall = json_object_get(json_object_get(event, "args"), "checkpoint_stall_s");
    if (is(event, "name", "productive"))
        seen->productive_us +=
            us_of(event, "dur") - llround((stall ? json_number_value(stall) : 0) * 1e6);
}

static void see_counter(struct seen *seen, const json_t *event)
{
    const json_t *value = json_object_get(json_object_get(event, "args"), "value");
    ck_assert(json_is_number(value));
    double number = json_number_value(value);
    if (is(event, "name", "lost GPU-hours")) {
        ck_assert_double_ge(number, seen->lost_gpu_h);
        seen->lost_gpu_h = number;
        return;
    }
    ck_assert(number >= 0 && number <= 1);
    if (is(event, "name", "ETTR, cumulative"))
        seen->cumulative = number;
    else
        ck_assert(is(event, "name", "ETTR, sliding"));
}

static void see(struct seen *seen, const json_t *root)
{
    size_t i;
    const json_t *event;
    json_array_foreach(json_object_get(root, "traceEvents"), i, event)
    {
        ck_assert_int_eq(json_integer_value(json_object_get(event, "pid")), 0);
        if (is(event, "ph", "X"))
            see_slice(seen, event);
        else if (is(event, "ph", "C"))
            see_counter(seen, event);
        else if (is(event, "ph", "i"))
            seen->n_marks++;
        else if (is(event, "name", "thread_name"))
            seen->named[json_integer_value(json_object_get(event, "tid"))] = true;
        else
            ck_assert(is(event, "ph", "M"));
    }
}

START_TEST(any_life_is_exported_whole)
{
    for (uint64_t key = 0; key < 60; key++) {
        struct any_life life;
        struct hc_lifetime_trace trace;
        struct hc_lifetime_replica out;
        struct seen seen = {0};
        any_life_init(&life, key);
        ck_assert_int_eq(hc_lifetime_trace_run(&trace, &life.config, 1, &out, &err), HC_OK);
        json_t *root = export_life(&trace, &life.config,
                                   &(struct hc_life_perfetto){.name = "any", .replica = 1});
        see(&seen, root);
        ck_assert_int_eq(seen.n[1], (int64_t)trace.n_spans);
        ck_assert_int_eq(seen.end_us[1], out.wall_ns / 1000);
        ck_assert_int_eq(seen.n_marks, (int64_t)trace.n_marks);
        ck_assert(seen.named[1] && seen.named[2] && seen.named[3]);
        ck_assert_int_le(llabs(seen.productive_us - out.productive_ns / 1000),
                         (int64_t)trace.n_spans);
        if (out.wall_ns > out.first_queue_ns)
            ck_assert_double_eq_tol(seen.cumulative,
                                    hc_lifetime_figure(&out, HC_FIGURE_ETTR_BYTEROBUST), 1e-12);
        ck_assert_double_eq_tol(seen.lost_gpu_h, hc_lifetime_figure(&out, HC_FIGURE_LOST_GPU_H),
                                1e-9 * (1 + seen.lost_gpu_h));
        json_decref(root);
        hc_lifetime_trace_fini(&trace);
    }
}
END_TEST

/* Of a life that was summed up the tracks still fit, and the file says what is in them. */
START_TEST(a_summed_life_says_so)
{
    for (uint64_t key = 0; key < 30; key++) {
        struct any_life life;
        struct hc_lifetime_trace trace;
        struct hc_lifetime_replica out;
        struct seen seen = {0};
        const struct hc_life_request request = {.replica = 1, .most = 10};
        any_life_init(&life, key);
        ck_assert_int_eq(hc_lifetime_trace_within(&trace, &life.config, &request, &out, &err),
                         HC_OK);
        json_t *root = export_life(&trace, &life.config,
                                   &(struct hc_life_perfetto){.name = "any", .replica = 1});
        see(&seen, root);
        const json_t *summed = json_object_get(json_object_get(root, "otherData"), "summed_up");
        ck_assert(json_is_object(summed) == (trace.fold.slice_ns > 0));
        if (summed)
            ck_assert_int_eq(json_integer_value(json_object_get(summed, "stretches")),
                             hc_life_n_stretches(&trace));
        ck_assert_int_eq(seen.end_us[1], out.wall_ns / 1000);
        ck_assert_int_le(llabs(seen.productive_us - out.productive_ns / 1000),
                         (int64_t)trace.n_spans);
        json_decref(root);
        hc_lifetime_trace_fini(&trace);
    }
}
END_TEST

START_TEST(names_are_escaped)
{
    struct any_life life;
    struct hc_lifetime_trace trace;
    any_life_init(&life, 7);
    ck_assert_uint_gt(life.config.n_faults, 0);
    for (size_t f = 0; f < life.config.n_faults; f++)
        life.fault[f].name = "a \"quoted\\ name\n";
    ck_assert_int_eq(hc_lifetime_trace_run(&trace, &life.config, 0, NULL, &err), HC_OK);
    json_t *root =
        export_life(&trace, &life.config, &(struct hc_life_perfetto){.name = "\"\\\xff"});
    const json_t *other = json_object_get(root, "otherData");
    ck_assert_str_eq(json_string_value(json_object_get(other, "name")), "\"\\\xef\xbf\xbd");
    json_decref(root);
    hc_lifetime_trace_fini(&trace);
}
END_TEST

/* 11,000 failures: bounded counters, and gzip gives the same text. */
START_TEST(a_long_life)
{
    struct hc_airesim_case a;
    struct hc_lifetime_trace trace;
    struct seen seen = {0};
    hc_airesim_case_init(&a);
    ck_assert_int_eq(hc_lifetime_trace_run(&trace, &a.config, 0, NULL, &err), HC_OK);
    struct hc_life_perfetto options = {.name = "airesim", .window_s = 3600};
    json_t *root = export_life(&trace, &a.config, &options);
    see(&seen, root);
    ck_assert_int_gt(seen.n_marks, 10000);
    ck_assert_int_eq(
        json_integer_value(json_object_get(json_object_get(root, "otherData"), "samples")), 10000);
    json_decref(root);

    char *text[2] = {0};
    size_t size[2];
    for (int i = 0; i < 2; i++) {
        FILE *stream = open_memstream(&text[i], &size[i]);
        options.gzip = i;
        ck_assert_int_eq(hc_life_perfetto_write(stream, &trace, &a.config, &options, &err), HC_OK);
        fclose(stream);
    }
    unsigned char *unpacked = malloc(size[0] + 1);
    z_stream z = {.next_in = (unsigned char *)text[1],
                  .avail_in = (unsigned)size[1],
                  .next_out = unpacked,
                  .avail_out = (unsigned)size[0] + 1};
    ck_assert_int_eq(inflateInit2(&z, 31), Z_OK);
    ck_assert_int_eq(inflate(&z, Z_FINISH), Z_STREAM_END);
    ck_assert_uint_eq(z.total_out, size[0]);
    ck_assert_mem_eq(unpacked, text[0], size[0]);
    inflateEnd(&z);
    free(unpacked);
    free(text[0]);
    free(text[1]);
    hc_lifetime_trace_fini(&trace);
}
END_TEST

START_TEST(a_full_disk_is_said)
{
    struct any_life life;
    struct hc_lifetime_trace trace;
    any_life_init(&life, 3);
    ck_assert_int_eq(hc_lifetime_trace_run(&trace, &life.config, 0, NULL, &err), HC_OK);
    for (int gzip = 0; gzip < 2; gzip++) {
        FILE *full = fopen("/dev/full", "w");
        struct hc_life_perfetto options = {.output = "life.json", .gzip = gzip};
        ck_assert_int_eq(hc_life_perfetto_write(full, &trace, &life.config, &options, &err), HC_IO);
        ck_assert_str_eq(err.message, "cannot write 'life.json': No space left on device");
        fclose(full);
    }
    hc_lifetime_trace_fini(&trace);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("life_perfetto");
    TCase *tests = tcase_create("all");
    tcase_set_timeout(tests, 120);
    suite_add_tcase(suite, tests);
    tcase_add_test(tests, any_life_is_exported_whole);
    tcase_add_test(tests, a_summed_life_says_so);
    tcase_add_test(tests, names_are_escaped);
    tcase_add_test(tests, a_long_life);
    tcase_add_test(tests, a_full_disk_is_said);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed != 0;
}
