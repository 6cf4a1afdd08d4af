/* stretch_coverage RUNS [FIRST_SEED [KIND]]: how often the intervals of S by stretch hold what the
 * same stretch of a long trace gives, of synthetic jobs that change once. One line a kind of job,
 * number of steps and stretch; exit 1 when, from 20 steps on, fewer than 92 % of those that are
 * given hold it. Where steps follow each other by 0.8 the rate is shown only: ten of them do not
 * tell (docs/methods/intervals.md). */
#include "tests/support/interval_jobs.h"

#define TRUE_STEPS  8000
#define ASKED_STEPS 20
#define LOW_RATE    0.92
#define MOST_RHO    0.7
#define LEAST_GIVEN 100 /* of fewer intervals a rate says too little */

enum { BEFORE, AFTER, N_STRETCHES };

/* Two dp ranks of four stages and eight microbatches that change after a share of the trace. */
#define KIND(NAME, ONSET, CV, ...)                                                                 \
    {                                                                                              \
        .name = (NAME), .dp = 2, .pp = 4, .microbatches = 8, .onset = (ONSET), .compute_cv = (CV), \
        .loss_factor = 1, __VA_ARGS__                                                              \
    }

static const struct job_kind kinds[] = {
    KIND("worker", 0.5, 0.02, .slow_factor = 1.5),
    KIND("worker-noisy", 0.5, 0.1, .slow_factor = 1.5),
    KIND("worker-late", 0.7, 0.1, .slow_factor = 1.5),
    KIND("worker-weak", 0.5, 0.1, .slow_factor = 1.2),
    KIND("worker-heavy", 0.5, 0.4, .slow_factor = 2),
    KIND("worker-varies", 0.5, 0.02, .slow_factor = 1.5, .slow_sd = 0.15),
    KIND("worker-varies-0.5", 0.5, 0.02, .slow_factor = 1.5, .slow_sd = 0.15, .rho = 0.5),
    KIND("worker-varies-0.8", 0.5, 0.02, .slow_factor = 1.5, .slow_sd = 0.15, .rho = 0.8),
    KIND("job", 0.5, 0.02, .slow_factor = 1, .job_factor = 1.3),
    KIND("job-noisy", 0.5, 0.1, .slow_factor = 1, .job_factor = 1.3),
    KIND("job-late", 0.7, 0.1, .slow_factor = 1, .job_factor = 1.15),
    KIND("job-steps", 0.5, 0.02, .slow_factor = 1, .job_factor = 1.3, .step_sd = 0.02),
    KIND("job-steps-0.5", 0.5, 0.02, .slow_factor = 1, .job_factor = 1.3, .step_sd = 0.02,
         .rho = 0.5),
    KIND("job-steps-0.8", 0.5, 0.02, .slow_factor = 1, .job_factor = 1.3, .step_sd = 0.02,
         .rho = 0.8),
};
static const int32_t n_steps_of[] = {10, 20, 40};

struct tally {
    int n, below, above, none;
    double width;
};

static size_t index_of_onset(const struct job_kind *kind, size_t n_steps)
{
    return (size_t)ceil(kind->onset * (double)n_steps);
}

static double slowdown_of(const struct hc_whatif_result *result, size_t first, size_t end)
{
    double replayed = 0, ideal = 0;
    for (size_t s = first; s < end; s++) {
        replayed += (double)result->replayed_ns[s];
        ideal += (double)result->ideal_end_ns[s];
    }
    return replayed / ideal;
}

static enum hc_status analyse(struct hc_whatif_result *result, const struct job_kind *kind,
                              int32_t n_steps, uint64_t seed, struct hc_error *err)
{
    struct hc_whatif_options options = job_options;
    struct hc_step_trace *trace = NULL;
    options.depth = n_steps < TRUE_STEPS ? HC_DEPTH_INTERVALS | HC_DEPTH_CAUSE : 0;
    enum hc_status status = job_trace(&trace, kind, n_steps, seed, err);
    if (status == HC_OK)
        status = hc_whatif_run(result, trace, &options, err);
    hc_step_trace_free(trace);
    return status;
}

static enum hc_status find_truth(double truth[N_STRETCHES], const struct job_kind *kind,
                                 uint64_t seed, struct hc_error *err)
{
    struct hc_whatif_result result;
    if (analyse(&result, kind, TRUE_STEPS, seed, err))
        return err->status;
    size_t onset = index_of_onset(kind, result.n_steps);
    truth[BEFORE] = slowdown_of(&result, 0, onset);
    truth[AFTER] = slowdown_of(&result, onset, result.n_steps);
    hc_whatif_result_fini(&result);
    return HC_OK;
}

/* A stretch that was found is held against the true one that has its middle. */
static void count(struct tally tallies[N_STRETCHES], const struct hc_whatif_result *result,
                  const struct job_kind *kind, const double truth[N_STRETCHES])
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    size_t onset = index_of_onset(kind, result->n_steps);
    for (size_t i = 0; i < culprits->n_levels; i++) {
        const struct hc_job_level *level = &culprits->levels[i];
        int of = (level->first + level->last + 1) / 2 >= onset ? AFTER : BEFORE;
        struct tally *tally = &tallies[of];
        if (isnan(level->slowdown.low)) {
            tally->none++;
            continue;
        }
        tally->n++;
        tally->below += level->slowdown.high < truth[of];
        tally->above += level->slowdown.low > truth[of];
        tally->width += level->slowdown.high - level->slowdown.low;
    }
    for (int of = 0; culprits->n_levels == 0 && of < N_STRETCHES; of++)
        tallies[of].none++;
}

/* Prints the lines of one number of steps; false when its rates are not what is asked. */
static bool report(const struct job_kind *kind, int32_t n_steps,
                   const struct tally tallies[N_STRETCHES], const double truth[N_STRETCHES])
{
    static const char *const names[N_STRETCHES] = {"before", "after"};
    bool all = true;
    for (int of = 0; of < N_STRETCHES; of++) {
        const struct tally *t = &tallies[of];
        double n = t->n, rate = 1 - (t->below + t->above) / n;
        bool is_asked = n_steps >= ASKED_STEPS && kind->rho < MOST_RHO && t->n >= LEAST_GIVEN;
        bool ok = !is_asked || rate >= LOW_RATE;
        printf("%-18s %5d %-6s %7.4f %6.1f %6.1f %6.1f %6.1f %9.5f %6d%s\n", kind->name, n_steps,
               names[of], truth[of], 100 * n / (n + t->none), 100 * rate, 100 * t->below / n,
               100 * t->above / n, t->width / n, t->n, ok ? "" : "  OUTSIDE");
        all &= ok;
    }
    fflush(stdout);
    return all;
}

static bool run_steps(const struct job_kind *kind, int32_t n_steps, const double truth[N_STRETCHES],
                      int runs, uint64_t seed)
{
    struct tally tallies[N_STRETCHES] = {{0}};
    bool ok = true;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < runs; i++) {
        struct hc_whatif_result result;
        struct hc_error err;
        bool is_done = !analyse(&result, kind, n_steps, seed + (uint64_t)i, &err);
#pragma omp critical
        {
            if (is_done)
                count(tallies, &result, kind, truth);
            else
                fprintf(stderr, "stretch_coverage: %s: %s\n", kind->name, err.message);
            ok &= is_done;
        }
        if (is_done)
            hc_whatif_result_fini(&result);
    }
    return ok & report(kind, n_steps, tallies, truth);
}

static bool run_kind(const struct job_kind *kind, int runs, uint64_t seed)
{
    double truth[N_STRETCHES];
    struct hc_error err;
    if (find_truth(truth, kind, seed << 32, &err)) {
        fprintf(stderr, "stretch_coverage: %s: %s\n", kind->name, err.message);
        return false;
    }
    bool ok = true;
    for (size_t k = 0; k < sizeof n_steps_of / sizeof *n_steps_of; k++)
        ok &= run_steps(kind, n_steps_of[k], truth, runs, (seed << 32) + 1);
    return ok;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (runs < 1) {
        fprintf(stderr, "usage: stretch_coverage RUNS [FIRST_SEED [KIND]]\n");
        return 2;
    }
    printf("%-18s %5s %-6s %7s %6s %6s %6s %6s %9s %6s\n", "kind", "steps", "of", "truth", "given%",
           "held%", "below%", "above%", "width", "given");
    bool ok = true;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (argc < 4 || strcmp(argv[3], kinds[i].name) == 0)
            ok &= run_kind(&kinds[i], runs, seed);
    return ok ? 0 : 1;
}
