/* What a night gives to others: metrics with bounded and unique series that sum to what was held,
 * alerts and lines for a shell made of foreign text, file names, and a page of 1,000 runs. */
#include "models/account/night/night_members.h"
#include "reports/night/night_alerts.h"
#include "reports/night/night_pages.h"

#include <check.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define HOUR   INT64_C(3600000000000)
#define DAY    (24 * HOUR)
#define T0     INT64_C(1773878400000000000) /* 2026-03-19T00:00:00Z */
#define N_DAYS 2

/* ---- a night ---- */

static char run_names[1200][24];

static const char *run_name(int32_t run, const void *context)
{
    (void)context;
    return run_names[run];
}

static const char *run_user(int32_t run, const void *context)
{
    static char text[24];
    (void)context;
    snprintf(text, sizeof text, "user %d", (int)run / 4);
    return text;
}

static const char *no_cause(int32_t failure, const void *context)
{
    (void)failure, (void)context;
    return "none";
}

static void take(struct hc_night *night, const struct hc_night_attempt *attempt, enum hc_what what,
                 enum hc_why why, const int64_t times[2])
{
    struct hc_error err;
    const struct hc_slice slice = {.from_ns = times[0],
                                   .to_ns = times[1],
                                   .gpus = attempt->gpus,
                                   .launch = -1,
                                   .failure = -1,
                                   .what = what,
                                   .why = why,
                                   .evidence = HC_EVIDENCE_NONE,
                                   .mark = what == HC_WHAT_UNKNOWN ? HC_MARK_UNKNOWN
                                                                   : HC_MARK_MEASURED};
    ck_assert_int_eq(hc_night_take_slice(night, attempt, &slice, NULL, &err), HC_OK);
}

/* Each run has an attempt of 8 GPUs on a node of its own, from 22:00 of the first day to 10:00 of
 * the second: an hour starts, then steps, of which the last hour is lost where the run is odd. */
static void make_night(struct hc_night *night, int n_runs)
{
    struct hc_error err;
    *night = (struct hc_night){.days.n = N_DAYS};
    night->days.edges_ns = calloc(N_DAYS + 1, sizeof *night->days.edges_ns);
    night->days.names = calloc(N_DAYS, sizeof *night->days.names);
    for (int i = 0; i <= N_DAYS; i++)
        night->days.edges_ns[i] = T0 + i * DAY;
    strcpy(night->days.names[0], "2026-03-19");
    strcpy(night->days.names[1], "2026-03-20");
    for (int run = 0; run < n_runs; run++) {
        char user[24], node[24];
        snprintf(run_names[run], sizeof *run_names, "run-%04d", run);
        snprintf(user, sizeof user, "user %d", run / 4);
        snprintf(node, sizeof node, "n%d", run);
        const struct hc_night_attempt attempt = {.submit_ns = T0 + 21 * HOUR,
                                                 .eligible_ns = T0 + 21 * HOUR,
                                                 .start_ns = T0 + 22 * HOUR,
                                                 .end_ns = T0 + 34 * HOUR,
                                                 .gpus = 8,
                                                 .run = run,
                                                 .user = run / 4 == 3 ? "other" : user,
                                                 .account = "lab",
                                                 .partition = "p",
                                                 .node_list = node};
        const struct hc_attempt_facts facts = {0};
        ck_assert_int_eq(hc_night_take_attempt(night, &attempt, &facts, &err), HC_OK);
        take(night, &attempt, HC_WHAT_STARTUP_UNSPLIT, HC_WHY_FIRST_START,
             (int64_t[2]){T0 + 22 * HOUR, T0 + 23 * HOUR});
        take(night, &attempt, HC_WHAT_PRODUCTIVE_UNSPLIT, HC_WHY_NONE,
             (int64_t[2]){T0 + 23 * HOUR, T0 + 33 * HOUR});
        take(night, &attempt, run % 2 ? HC_WHAT_LOST_WORK : HC_WHAT_UNKNOWN,
             run % 2 ? HC_WHY_USER : HC_WHY_NONE, (int64_t[2]){T0 + 33 * HOUR, T0 + 34 * HOUR});
    }
}

static struct hc_night night;
static struct hc_night_result result;
static struct hc_failures failures;
static struct hc_night_report report;
static struct hc_finding findings[3];
static struct hc_shown_finding shown[3];
static struct hc_findings_view view;

static void begin(int n_runs)
{
    struct hc_error err;
    const struct hc_night_names names = {.failures = &failures,
                                         .run_name = run_name,
                                         .run_user = run_user,
                                         .cause = no_cause,
                                         .final_until_ns = T0 + DAY};
    make_night(&night, n_runs);
    ck_assert_int_eq(
        hc_night_result_make(&result, &night, &(struct hc_night_range){1, 1}, &names, &err), HC_OK);
    report = (struct hc_night_report){.result = &result,
                                      .archive = "A",
                                      .zone = "UTC",
                                      .as_of_ns = T0 + 3 * DAY,
                                      .top = 10,
                                      .findings = &view};
    view = (struct hc_findings_view){.rows = shown};
}

static void end(void)
{
    hc_night_result_fini(&result);
    hc_night_fini(&night);
}

static void add_finding(enum hc_finding_kind kind, char *subject, char *text, const char *until)
{
    struct hc_finding *finding = &findings[view.n];
    *finding = (struct hc_finding){.id = "0123456789abcdef",
                                   .kind = kind,
                                   .severity = HC_FINDING_WARNING,
                                   .subject = subject,
                                   .text = text,
                                   .first_seen = 20531};
    shown[view.n++] = (struct hc_shown_finding){.finding = finding, .acknowledged_until = until};
}

/* ---- metrics ---- */

static char *metrics_text(void)
{
    char *text = NULL;
    size_t length;
    FILE *stream = open_memstream(&text, &length);
    hc_night_write_metrics(
        &(struct hc_night_metrics){
            .report = &report, .final = NULL, .provisional = &result, .success_s = 1774051200},
        stream);
    ck_assert_int_eq(fclose(stream), 0);
    return text;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

/* The series of a metric, each once; the sum of their values. */
static double sum_series(const char *text, const char *metric, size_t *n)
{
    char *copy = strdup(text), **series = calloc(20000, sizeof *series), *rest;
    double sum = 0;
    *n = 0;
    for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        char *space = strrchr(line, ' ');
        if (line[0] == '#' || strncmp(line, metric, strlen(metric)) != 0 ||
            !strchr("{ ", line[strlen(metric)]))
            continue;
        *space = '\0';
        sum += atof(space + 1);
        series[(*n)++] = line;
    }
    qsort(series, *n, sizeof *series, compare_lines);
    for (size_t i = 1; i < *n; i++)
        ck_assert_str_ne(series[i - 1], series[i]);
    free(series);
    free(copy);
    return sum;
}

START_TEST(metrics_sum_and_are_bounded)
{
    size_t n;
    begin(1000);
    char *text = metrics_text();
    double held = sum_series(text, "hindcast_gpu_held_seconds", &n);
    ck_assert_uint_eq(n, 1);
    ck_assert_double_eq(held, 1000.0 * 8 * 10 * 3600); /* of the second day */
    ck_assert_double_eq(sum_series(text, "hindcast_gpu_seconds", &n), held);
    ck_assert_double_eq(sum_series(text, "hindcast_gpu_known_seconds", &n), held);
    ck_assert_double_eq(sum_series(text, "hindcast_user_gpu_seconds", &n), held);
    ck_assert_uint_le(n, 2 * 51);
    sum_series(text, "hindcast_run_ettr_ratio", &n);
    ck_assert_uint_le(n, 4 * 50);
    ck_assert_uint_gt(n, 0);
    sum_series(text, "hindcast_run_gpu_seconds", &n);
    ck_assert_uint_eq(n, 50);
    ck_assert_ptr_nonnull(
        strstr(text, "hindcast_nightly_last_success_timestamp_seconds 1774051200\n"));
    ck_assert_ptr_nonnull(strstr(text, "what=\"lost_work\",why=\"user\"} 14400000.0\n"));
    free(text);
    end();
}
END_TEST

/* What a name may hold breaks no line and no label, and is UTF-8. */
START_TEST(metrics_of_foreign_names)
{
    begin(3);
    strcpy(run_names[0], "a\"b\\c\nd");
    strcpy(run_names[1], "\xff\xc3\xa9");
    char *text = metrics_text();
    ck_assert_ptr_nonnull(strstr(text, "run=\"a\\\"b\\\\c\\\\x0ad\""));
    ck_assert_ptr_nonnull(strstr(text, "run=\"\\\\xff\xc3\xa9\""));
    free(text);
    end();
}
END_TEST

/* ---- alerts and nodes to drain ---- */

START_TEST(alerts_and_drain)
{
    struct hc_error err;
    char *text = NULL;
    size_t length;
    begin(3);
    add_finding(HC_FINDING_LEMON_NODE, (char *)"gpu7", (char *)"fails \"often\" $(rm -r /)\n`x`",
                NULL);
    add_finding(HC_FINDING_LEMON_NODE, (char *)"gpu8; reboot", (char *)"x", NULL);
    add_finding(HC_FINDING_LEMON_NODE, (char *)"gpu9", (char *)"x", "2026-04-01");
    FILE *stream = open_memstream(&text, &length);
    hc_night_write_drain(&report, stream);
    fclose(stream);
    ck_assert_ptr_nonnull(strstr(text, "\nscontrol update nodename=gpu7 state=drain "
                                       "reason=\"hindcast 0123456789abcdef: fails ?often? ?(rm "
                                       "-r /)??x?\"\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n# no name of a host, left to you: scontrol update "
                                       "nodename=gpu8??reboot "));
    ck_assert_ptr_null(strstr(text, "gpu9"));
    free(text);
    stream = open_memstream(&text, &length);
    ck_assert_int_eq(hc_night_write_alerts(&report, stream, &err), HC_OK);
    fclose(stream);
    json_t *alerts = json_loads(text, 0, NULL);
    ck_assert_ptr_nonnull(alerts);
    ck_assert_uint_eq(json_array_size(alerts), 2); /* the third is acknowledged */
    json_t *labels = json_object_get(json_array_get(alerts, 0), "labels");
    ck_assert_str_eq(json_string_value(json_object_get(labels, "subject")), "gpu7");
    ck_assert_str_eq(json_string_value(json_object_get(json_array_get(alerts, 0), "startsAt")),
                     "2026-03-19T00:00:00.000000000Z");
    json_decref(alerts);
    free(text);
    end();
}
END_TEST

/* ---- pages ---- */

static const char *path_of(const char *name)
{
    static char paths[4][HC_NIGHT_PAGE_PATH];
    static int next;
    char *path = paths[next++ % 4];
    hc_night_page_path(HC_NIGHT_PAGE_RUN, name, path);
    return path;
}

/* Plain names stay; others cannot lead elsewhere, nor to the page of another name. */
START_TEST(page_names)
{
    char many[400];
    ck_assert_str_eq(path_of("llama-70b_v2.1"), "runs/llama-70b_v2.1.html");
    ck_assert_int_eq(strncmp(path_of("../../etc/passwd"), "runs/_._.._etc_passwd-", 22), 0);
    ck_assert_int_eq(strncmp(path_of("a b"), "runs/a_b-", 9), 0);
    ck_assert_str_ne(path_of("a b"), path_of("a/b"));
    ck_assert_str_ne(path_of("a b"), path_of("a_b"));
    /* A name that is the made-up name of another gets one of its own. */
    char made[HC_NIGHT_PAGE_PATH];
    snprintf(made, sizeof made, "%.*s", (int)strlen(path_of("a b")) - 10, path_of("a b") + 5);
    ck_assert_str_ne(path_of(made), path_of("a b"));
    memset(many, 'x', sizeof many);
    many[sizeof many - 1] = '\0';
    ck_assert_uint_lt(strlen(path_of(many)), 130);
    ck_assert_int_eq(strncmp(path_of(""), "runs/-", 6), 0);
}
END_TEST

START_TEST(page_of_a_thousand_runs)
{
    struct hc_error err;
    struct hc_night_page_list list = {0};
    char *text = NULL;
    size_t length, n_links = 0;
    begin(1100);
    ck_assert_int_eq(hc_night_page_list_make(&list, &result, &err), HC_OK);
    ck_assert_uint_eq(list.names[HC_NIGHT_PAGE_RUN].n, HC_NIGHT_MOST_PAGES);
    report.pages = &list;
    FILE *stream = open_memstream(&text, &length);
    ck_assert_int_eq(hc_night_write_html(&report, stream, &err), HC_OK);
    fclose(stream);
    for (const char *p = text; (p = strstr(p, "href=\"runs/run-")); p++)
        n_links++;
    printf("a page of 1,000 runs: %zu bytes\n", length);
    ck_assert_uint_eq(n_links, 1000);
    ck_assert_uint_lt(length, 2000000);
    ck_assert_ptr_nonnull(strstr(text, "100 more are in the tables"));
    ck_assert_ptr_nonnull(strstr(text, "No findings"));
    free(text);
    hc_night_page_list_fini(&list);
    end();
}
END_TEST

/* The members of a dimension sum to the groups of the result. */
START_TEST(members_are_the_groups)
{
    struct hc_error err;
    begin(20);
    const enum hc_cube_dimension dimensions[] = {HC_CUBE_USER, HC_CUBE_NODE};
    for (int d = 0; d < 2; d++) {
        struct hc_night_members members;
        ck_assert_int_eq(hc_night_members_make(&members, &result, dimensions[d], &err), HC_OK);
        ck_assert_int_eq(hc_night_members_find(&members, "nobody"), -1);
        for (size_t i = 0; i < result.by[dimensions[d]].n; i++) {
            const struct hc_group_row *row = &result.by[dimensions[d]].rows[i];
            struct hc_night_member member;
            int32_t code = hc_night_members_find(&members, row->name);
            ck_assert_int_eq(hc_night_member_make(&member, &members, code, &err), HC_OK);
            ck_assert_double_eq(member.all.gpu_hours, row->gpu_hours);
            ck_assert_double_eq(member.all.lost, row->lost);
            ck_assert_double_eq(member.days[1].gpu_hours, row->gpu_hours);
            ck_assert_double_eq(member.days[0].startup, row->gpu_hours / 10);
            hc_night_member_fini(&member);
        }
        hc_night_members_fini(&members);
    }
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("night_outputs");
    TCase *cases = tcase_create("all");
    tcase_add_test(cases, metrics_sum_and_are_bounded);
    tcase_add_test(cases, metrics_of_foreign_names);
    tcase_add_test(cases, alerts_and_drain);
    tcase_add_test(cases, page_names);
    tcase_add_test(cases, page_of_a_thousand_runs);
    tcase_add_test(cases, members_are_the_groups);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
