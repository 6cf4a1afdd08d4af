/* finding_rates FLEETS [FIRST_SEED [WEEKS]]: how often findings say that something changed in
 * fleets in which nothing did, a line a law and kind. Exit 1 where a law has more than one false
 * finding a week, beyond what chance explains. */
#include "models/stats/special.h"
#include "tests/support/finding_fleets.h"

#include <stdio.h>
#include <stdlib.h>

static size_t tell(const struct fleet_law *law, const size_t n[HC_N_FINDING_KINDS], double weeks)
{
    size_t all = 0;
    printf("%-10s", law->name);
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        all += n[kind];
        printf("  %s %.3f", hc_finding_kind_name((enum hc_finding_kind)kind),
               (double)n[kind] / weeks);
    }
    printf("  all %.3f\n", (double)all / weeks);
    fflush(stdout);
    return all;
}

int main(int argc, char **argv)
{
    int n_fleets = argc > 1 ? atoi(argv[1]) : 10, weeks = argc > 3 ? atoi(argv[3]) : 8;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct hc_findings_options options = hc_findings_defaults();
    int failed = 0;
    for (int i = 0; i < N_FLEET_LAWS; i++) {
        size_t n[HC_N_FINDING_KINDS] = {0};
        for (int f = 0; f < n_fleets; f++) {
            struct fleet_plan plan = fleet_plan_usual(
                &fleet_laws[i], seed + (uint64_t)f, hc_findings_days_wanted(&options) + 7 * weeks);
            finding_fleet_count(&plan, 7 * weeks, n);
        }
        size_t all = tell(&fleet_laws[i], n, (double)n_fleets * weeks);
        failed |= hc_sf_poisson_upper((double)all, (double)n_fleets * weeks) < 0.001;
    }
    return failed;
}
