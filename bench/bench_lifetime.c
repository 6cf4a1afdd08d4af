/* The lifetime simulator: AIReSim's default case, events a second, and a second thread. */
#include "bench/bench.h"

#include "core/clock.h"
#include "core/memory.h"
#include "tests/unit/lifetime_case.h"

#include <stdio.h>
#include <stdlib.h>

struct subject {
    struct airesim *a;
    struct hc_lifetime_replica *result;
    size_t n;
};

static void run(void *context)
{
    struct subject *s = context;
    struct hc_error err;
    if (hc_lifetime_run(&s->a->config, 0, s->n, s->result, &err))
        hc_bench_stop(&err);
}

int main(void)
{
    struct hc_bench bench = hc_bench_start();
    struct airesim a;
    struct hc_error err;
    airesim_init(&a);
    enum { N = 40 };
    struct subject s = {&a, hc_new_array(N, sizeof *s.result, &err), N};
    if (!s.result)
        hc_bench_stop(&err);
    a.config.threads = 1;
    double seconds = hc_bench_seconds(run, &s), events = 0;
    struct hc_lifetime_summary sum = {0};
    for (size_t i = 0; i < N; i++) {
        events += (double)s.result[i].count[HC_COUNT_EVENTS];
        hc_lifetime_summary_add(&sum, &s.result[i]);
    }
    for (int i = 0; i < HC_FIGURE_COUNT; i++)
        printf("%s %g sd %g\n", hc_lifetime_figure_name(i), sum.figure[i].mean,
               hc_moments_sd(&sum.figure[i]));
    for (int i = 0; i < HC_COUNT_COUNT; i++)
        printf("%s %g sd %g\n", hc_lifetime_count_name(i), sum.count[i].mean,
               hc_moments_sd(&sum.count[i]));
    printf("bad %g %g\n", sum.faults[1].mean, hc_moments_sd(&sum.faults[1]));
    hc_bench_at_most(&bench, "AIReSim's case", seconds / N * 1e3, "ms a replication", 10);
    hc_bench_at_least(&bench, "AIReSim's case", events / seconds / 1e6, "M events/s", 5);
    free(s.result);
    return hc_bench_end(&bench);
}
