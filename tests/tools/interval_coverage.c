/* interval_coverage RUNS [FIRST_SEED [KIND]]: how often the intervals of short synthetic jobs hold
 * what a long trace of the same job gives. One line a kind of job, number of steps and figure; exit
 * 1 when one of those that are asked for lies outside 92 to 98 %. */
#include "tests/support/interval_jobs.h"

#define TRUE_STEPS 8000
#define LOW_RATE   0.92
#define HIGH_RATE  0.98

#define S (1 << JOB_S)
#define W (1 << JOB_M_W)
#define L (1 << JOB_M_S)

struct setting {
    struct job_kind kind;
    unsigned asked; /* figures whose rate must be right; the others are shown only */
};

static const struct setting settings[] = {
    /* dp, pp, microbatches, compute cv, factors of loss and slow worker, stay, step sd, slow sd,
     * rho */
    {{"clean", 2, 4, 8, 0.02, 1, 1, 0, 0, 0, 0}, S | L},
    {{"noisy", 2, 4, 8, 0.1, 1, 1, 0, 0, 0, 0}, S | W | L},
    {{"very-noisy", 4, 2, 4, 0.3, 1, 1, 0, 0, 0, 0}, S | W | L},
    {{"slow-worker", 2, 4, 8, 0.02, 1, 2, 0, 0, 0, 0}, S | W | L},
    {{"slow-last-stage", 2, 4, 8, 0.02, 1.4, 1, 0, 0, 0, 0}, S | L},
    {{"both-noisy", 2, 4, 8, 0.1, 1.3, 1.3, 0, 0, 0, 0}, S | W | L},
    {{"steps-vary", 2, 4, 8, 0.02, 1.2, 1.3, 0, 0.02, 0, 0}, S | W | L},
    {{"steps-vary-0.5", 2, 4, 8, 0.02, 1.2, 1.3, 0, 0.02, 0, 0.5}, S | W | L},
    {{"steps-vary-0.8", 2, 4, 8, 0.02, 1.2, 1.3, 0, 0.02, 0, 0.8}, S | W | L},
    {{"worker-steps-0.5", 2, 4, 8, 0.02, 1, 2, 0, 0.1, 0, 0.5}, S | L},
    {{"stage-steps-0.5", 2, 4, 8, 0.02, 1.4, 1, 0, 0.1, 0, 0.5}, S},
    {{"wanders-1", 2, 4, 8, 0.02, 1, 1.5, 1, 0, 0, 0}, S},
    {{"steps-vary-much", 2, 4, 8, 0.02, 1.2, 1.3, 0, 0.1, 0, 0}, 0},
    {{"slow-varies", 2, 4, 8, 0.02, 1, 1.5, 0, 0, 0.3, 0}, S | W | L},
    {{"slow-varies-0.3", 2, 4, 8, 0.02, 1, 1.5, 0, 0, 0.3, 0.3}, 0},
    {{"slow-varies-0.5", 2, 4, 8, 0.02, 1, 1.5, 0, 0, 0.3, 0.5}, 0},
    {{"slow-varies-0.8", 2, 4, 8, 0.02, 1, 1.5, 0, 0, 0.3, 0.8}, 0},
    {{"wanders-5", 2, 4, 8, 0.02, 1, 1.5, 5, 0, 0, 0}, 0},
};
static const int32_t n_steps_of[] = {10, 15, 20, 40, 100};

struct tally {
    int n, below, above, none;
    double width, error, square;
};

static void add(struct tally *tally, const struct job_hit *hit)
{
    if (!hit->given) {
        tally->none++;
        return;
    }
    tally->n++;
    tally->below += hit->below;
    tally->above += hit->above;
    tally->width += hit->width;
    tally->error += hit->error;
    tally->square += hit->error * hit->error;
}

/* Prints one line; false when its rate is not what is asked. */
static bool report(const struct setting *setting, int32_t n_steps, int figure,
                   const struct tally *tally, double truth)
{
    static const char *const names[JOB_N_FIGURES] = {"S", "M_W", "M_S"};
    bool is_asked = setting->asked & 1u << figure;
    double n = tally->n, rate = 1 - (tally->below + tally->above) / n;
    bool is_bad = tally->n >= 100 && (rate < LOW_RATE || rate > HIGH_RATE);
    if (tally->n)
        printf("%-16s %5d %-4s %7.4f %6.1f %6.1f %6.1f %9.5f %9.5f %9.5f %6d %6d%s\n",
               setting->kind.name, n_steps, names[figure], truth, 100 * rate,
               100 * tally->below / n, 100 * tally->above / n, tally->width / n, tally->error / n,
               4 * sqrt(tally->square / n), tally->n, tally->none,
               !is_bad    ? ""
               : is_asked ? "  OUTSIDE"
                          : "  outside");
    return !is_bad || !is_asked;
}

static enum hc_status rate_jobs(struct job_hit (*hits)[JOB_N_FIGURES],
                                const struct setting *setting, int32_t n_steps, int runs,
                                const struct job_truth *truth, uint64_t seed)
{
    enum hc_status status = HC_OK;
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < runs; i++) {
        struct hc_whatif_result result;
        struct hc_error err;
        if (job_analyse(&result, &setting->kind, n_steps, seed + (uint64_t)i, &err)) {
            fprintf(stderr, "interval_coverage: %s: %s\n", setting->kind.name, err.message);
#pragma omp critical
            status = err.status;
            continue;
        }
        job_rate(hits[i], &result, truth);
        hc_whatif_result_fini(&result);
    }
    return status;
}

static bool run_setting(const struct setting *setting, int runs, uint64_t seed)
{
    struct job_truth truth;
    struct hc_error err;
    if (job_find_truth(&truth, &setting->kind, TRUE_STEPS, seed << 32, &err)) {
        fprintf(stderr, "interval_coverage: %s: %s\n", setting->kind.name, err.message);
        return false;
    }
    struct job_hit(*hits)[JOB_N_FIGURES] = calloc((size_t)runs, sizeof *hits);
    bool ok = hits;
    for (size_t k = 0; hits && k < sizeof n_steps_of / sizeof *n_steps_of; k++) {
        struct tally tallies[JOB_N_FIGURES] = {0};
        ok &= !rate_jobs(hits, setting, n_steps_of[k], runs, &truth, (seed << 32) + 1);
        for (int i = 0; i < runs; i++)
            for (int f = 0; f < JOB_N_FIGURES; f++)
                add(&tallies[f], &hits[i][f]);
        const double values[] = {truth.slowdown, truth.m_w[1], truth.m_s};
        for (int f = 0; f < JOB_N_FIGURES; f++)
            ok &= report(setting, n_steps_of[k], f, &tallies[f], values[f]);
        fflush(stdout);
    }
    free(hits);
    return ok;
}

int main(int argc, char **argv)
{
    int runs = argc > 1 ? atoi(argv[1]) : 0;
    uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
    if (runs < 1) {
        fprintf(stderr, "usage: interval_coverage RUNS [FIRST_SEED [KIND]]\n");
        return 2;
    }
    printf("%-16s %5s %-4s %7s %6s %6s %6s %9s %9s %9s %6s %6s\n", "kind", "steps", "of", "truth",
           "held%", "below%", "above%", "width", "bias", "4 rms", "runs", "none");
    bool ok = true;
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        if (argc < 4 || strcmp(argv[3], settings[i].kind.name) == 0)
            ok &= run_setting(&settings[i], runs, seed);
    return ok ? 0 : 1;
}
