/* A sweep as a user runs it: 1,000 points of 100 replicas of 90 days on 1,200 nodes, on one and on
 * two threads; and the scenario of the specification, its 21 points and its search. */
#include "bench/bench.h"

#include "study/grammar/scenario_prepare.h"
#include "study/run/study_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static const char sweep[] =
    "/sweep=[{\"path\": \"/recovery/warm_standbys\", \"range\": {\"from\": 0, \"to\": 9, \"step\": "
    "1}}, {\"path\": \"/recovery/replenish_h\", \"range\": {\"from\": 1, \"to\": 100, \"step\": "
    "1}}]";

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

#define N_REPLICAS 100000 /* of the sweep, over its points */

/* Wall seconds from the file to the answer. */
static double run(const char *const *settings, int threads, size_t *n_points)
{
    char path[HC_BENCH_PATH];
    const char *root = getenv("SOURCE_DIR");
    struct hc_scenario scenario;
    struct hc_study study;
    struct hc_study_answer answer = {.arena = {NULL}};
    struct hc_error err;
    double from_s = now_s();
    snprintf(path, sizeof path, "%s/tests/scenarios/spec/standbys.json", root ? root : ".");
    const struct hc_scenario_request request = {
        .path = path, .settings = settings, .n_settings = settings ? 2 : 0, .engines = hc_engines};
    if (hc_scenario_prepare(&scenario, &study, &request, &err) ||
        hc_scenario_errors_status(&scenario.errors, &err) ||
        hc_study_run(&answer, &scenario, &study, threads, &err))
        hc_bench_stop(&err);
    *n_points = answer.result.n_points;
    hc_study_answer_fini(&answer);
    hc_scenario_fini(&scenario);
    return now_s() - from_s;
}

/* The better of two, so that what others do on the machine counts less. */
static double least(const char *const *settings, int threads, size_t *n_points)
{
    double first = run(settings, threads, n_points), second = run(settings, threads, n_points);
    return first < second ? first : second;
}

static const char *const thousand[2] = {sweep, "/replicas=100"};

static void run_thousand(void *n_points)
{
    run(thousand, 1, n_points);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    size_t n_points = 0;
    hc_bench_note(&bench, "standbys.json, one thread", least(NULL, 1, &n_points), "s (wall)");
    double one = least(thousand, 1, &n_points), two = least(thousand, 2, &n_points);
    hc_bench_note(&bench, "points of the sweep", (double)n_points, "");
    hc_bench_note(&bench, "1,000 points x 100 replicas, one thread", one, "s (wall)");
    hc_bench_note(&bench, "1,000 points x 100 replicas, two threads", two, "s (wall)");
    struct hc_bench_pair pair = hc_bench_beside(HC_BENCH_SORT, run_thousand, &n_points);
    hc_bench_limit(&bench, "1,000 points x 100 replicas", &pair, N_REPLICAS, "replicas/s", 710);
    hc_bench_note(&bench, "two threads against one", one / two, "times (wall)");
    hc_bench_note(&bench, "memory", hc_bench_peak_mb(), "MB");
    return hc_bench_end(&bench);
}
