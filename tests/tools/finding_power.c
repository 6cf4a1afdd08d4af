/* finding_power FLEETS [FIRST_SEED [KIND [NODES]]]: in how many fleets a planted change is found
 * within so many days, by what there is to see of it; a line a law, kind and exposure. */
#include "tests/support/finding_fleets.h"

#include <stdio.h>
#include <stdlib.h>

#define MOST_DELAY 28

struct setting {
    enum hc_finding_kind kind;
    const char *unit; /* of exposure */
    double exposures[8];
    int delays[4];
};
static const struct setting settings[] = {
    {HC_FINDING_LEMON_NODE,
     "failures of a good node in 28 days, lemon at 10 times",
     {0.3, 0.5, 1, 2, 4, 8, 16, 40},
     {2, 7, 14, 28}},
    {HC_FINDING_EVENT_RATE,
     "events a day, then at 3 times",
     {1, 2, 4, 8, 16, 32, 64, 128},
     {1, 2, 3, 7}},
    {HC_FINDING_STARTUP,
     "starts a day, then at 2 times",
     {10, 20, 50, 100, 200, 500, 1000},
     {1, 2, 3, 7}},
    {HC_FINDING_QUEUE,
     "waits a day, then at 1.5 times",
     {50, 100, 200, 500, 1000, 2000, 5000},
     {1, 2, 3, 7}},
    {HC_FINDING_RUN_ETTR, "runs, one of which falls by 5 points", {5, 20, 50, 100}, {1, 2, 3, 7}},
    {HC_FINDING_COFAILURE,
     "failed jobs a day, and 8 jobs of 6 users at once",
     {20, 60, 200, 600, 2000},
     {1, 2, 3, 7}},
};

static int n_nodes; /* 0: as usual */

static void measure(const struct setting *setting, const struct fleet_law *law, double exposure,
                    int n_fleets, uint64_t seed)
{
    int found[4] = {0};
    for (int f = 0; f < n_fleets; f++) {
        struct fleet_plan plan =
            fleet_plan_changed(law, seed + (uint64_t)f, setting->kind, exposure, MOST_DELAY);
        plan.n_nodes = plan.n_nodes && n_nodes ? n_nodes : plan.n_nodes;
        int delay = finding_fleet_delay(&plan, setting->kind, MOST_DELAY);
        for (int d = 0; d < 4; d++)
            found[d] += delay <= setting->delays[d];
    }
    printf("%-10s %-14s %6g ", law->name, hc_finding_kind_name(setting->kind), exposure);
    for (int d = 0; d < 4; d++)
        printf("  %2d days %3.0f %%", setting->delays[d], 100.0 * found[d] / n_fleets);
    printf("\n");
    fflush(stdout);
}

int main(int argc, char **argv)
{
    int n_fleets = argc > 1 ? atoi(argv[1]) : 50;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1001;
    n_nodes = argc > 4 ? atoi(argv[4]) : 0;
    for (size_t s = 0; s < sizeof settings / sizeof settings[0]; s++) {
        if (argc > 3 && atoi(argv[3]) != (int)settings[s].kind)
            continue;
        printf("%s: %s\n", hc_finding_kind_name(settings[s].kind), settings[s].unit);
        for (int law = 0; law < N_FLEET_LAWS; law++)
            for (int e = 0; e < 8 && settings[s].exposures[e] > 0; e++)
                measure(&settings[s], &fleet_laws[law], settings[s].exposures[e], n_fleets, seed);
    }
    return 0;
}
