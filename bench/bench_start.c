/* What a start of the program costs, beside jq and true: page faults, which are the same each time,
 * and CPU time. */
#include "bench/bench.h"

#include <stdio.h>

#define N_RUNS     21
#define MOST_OF_JQ 2.6

struct start {
    const char *name;
    const char *argv[3];
    double faults[N_RUNS], cpu_ms[N_RUNS];
};

int main(void)
{
    static struct start starts[] = {{"hindcast --version", {NULL, "--version"}, {0}, {0}},
                                    {"hindcast help", {NULL, "help"}, {0}, {0}},
                                    {"jq --version", {"jq", "--version"}, {0}, {0}},
                                    {"true", {"true"}, {0}, {0}}};
    struct hc_bench bench = hc_bench_start();
    const size_t n = sizeof starts / sizeof *starts;
    starts[0].argv[0] = starts[1].argv[0] = hc_bench_hindcast();
    for (size_t i = 0; i < N_RUNS; i++)
        for (size_t k = 0; k < n; k++) {
            struct hc_bench_usage usage;
            if (!hc_bench_command(starts[k].argv, &usage))
                return 1;
            starts[k].faults[i] = (double)usage.faults;
            starts[k].cpu_ms[i] = 1e3 * (usage.user_s + usage.system_s);
        }
    for (size_t k = 0; k < n; k++) {
        hc_bench_note(&bench, starts[k].name, hc_bench_median(starts[k].faults, N_RUNS), "faults");
        hc_bench_note(&bench, starts[k].name, hc_bench_median(starts[k].cpu_ms, N_RUNS), "ms CPU");
    }
    for (size_t k = 0; k < 2; k++)
        hc_bench_at_most(&bench, starts[k].name,
                         starts[k].faults[N_RUNS / 2] / starts[2].faults[N_RUNS / 2], "x jq faults",
                         MOST_OF_JQ);
    return hc_bench_end(&bench);
}
