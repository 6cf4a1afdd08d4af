/* finding_rates FLEETS [FIRST_SEED [WEEKS]]: how often findings say that something changed in
 * fleets in which nothing did, a line a law and kind. Exit 1 where a law has more than one false
 * finding a week, beyond what chance explains. */
#include "models/stats/special.h"
#include "tests/support/finding_fleets.h"

#include <stdio.h>
#include <stdlib.h>

static struct hc_error err;

static void tell(const struct fleet_law *law, const size_t n[HC_N_FINDING_KINDS], double weeks)
{
    size_t all = 0;
    printf("%-10s", law->name);
    for (int kind = 0; kind < HC_N_FINDING_KINDS; kind++) {
        all += n[kind];
        printf("  %s %.3f", hc_finding_kind_name((enum hc_finding_kind)kind),
               (double)n[kind] / weeks);
    }
    printf("  all %.3f\n", (double)all / weeks);
}

int main(int argc, char **argv)
{
    int n_fleets = argc > 1 ? atoi(argv[1]) : 10, weeks = argc > 3 ? atoi(argv[3]) : 8;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    struct hc_findings_options options = hc_findings_defaults();
    int failed = 0;
    for (int i = 0; i < N_FLEET_LAWS; i++) {
        size_t n[HC_N_FINDING_KINDS] = {0}, all = 0;
        for (int f = 0; f < n_fleets; f++) {
            struct fleet_plan plan = fleet_plan_usual(
                &fleet_laws[i], seed + (uint64_t)f, hc_findings_days_wanted(&options) + 7 * weeks);
            struct finding_fleet fleet;
            struct hc_findings_backtest backtest;
            finding_fleet_make(&fleet, &plan);
            if (hc_findings_backtest(&backtest, &fleet.input, &options, 7 * weeks, &err)) {
                fprintf(stderr, "%s\n", err.message);
                return 5;
            }
            for (size_t j = 0; j < backtest.n; j++) {
                n[backtest.rows[j].kind]++;
                if (getenv("ONSETS"))
                    printf("%s %d: %s day %d\n", fleet_laws[i].name, f, backtest.rows[j].subject,
                           backtest.rows[j].day);
            }
            all += backtest.n;
            hc_findings_backtest_fini(&backtest);
            finding_fleet_free(&fleet);
        }
        tell(&fleet_laws[i], n, (double)n_fleets * weeks);
        failed |= hc_sf_poisson_upper((double)all, (double)n_fleets * weeks) < 0.001;
    }
    return failed;
}
