/* trial_coverage FIRST_SEED N STEPS [CASE|GROUP...] - how often the 95 % interval that the program
 * $HINDCAST gives for S of a short trace holds S of a long one, of N trials of each case (or of
 * those named: clean and lasting ones, but none of workers that walk at random, which have no long
 * run). Noise and schedule are those of tests/trials/, and so is
 * the long trace's S: steps without launch delays over ideal ones, by the trial's own schedule. The
 * short trace is the first STEPS steps. Exit: 0, 1 when fewer than 92 % of all that are given hold
 * it, 2 usage, 3 a trial could not be made or read. */
#include "tests/trials/trial_answer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define LOW_RATE 0.92
/* Steps of a long trace: as many as keep it below these places for ops, within these bounds. */
#define LONG_SLOTS 2000000
#define LEAST      400
#define MOST       2000

struct tally {
    int n, below, above, none;
    double width, error;
};

struct asked {
    const char *program;
    char folder[64];
    uint64_t first;
    int n, n_steps;
};

static bool ask(struct trial_answer *answer, struct trial *trial, const struct asked *asked)
{
    char path[128];
    int all = trial->shape.n_steps;
    snprintf(path, sizeof path, "%s/trace-t.csv", asked->folder);
    trial->shape.n_steps = asked->n_steps;
    bool ok =
        trial_write(trial, asked->folder, "t") && trial_ask(answer, trial, asked->program, path);
    trial->shape.n_steps = all;
    return ok;
}

static bool lengthen(struct trial *trial)
{
    size_t a_step = trial->n_slots / (size_t)trial->shape.n_steps, n = LONG_SLOTS / a_step;
    n = n < LEAST ? LEAST : n > MOST ? MOST : n;
    return trial_lengthen(trial, (int)n, trial->seed);
}

/* One trial; false when it cannot be made or shown. */
static bool try(const struct asked *asked, const struct trial_case *of, uint64_t seed,
                struct tally *tally)
{
    struct trial trial;
    struct trial_answer answer = {0};
    if (!trial_make(&trial, of, seed)) {
        fprintf(stderr, "trial_coverage: %s %llu: no draw is of this case\n", of->name,
                (unsigned long long)seed);
        return false;
    }
    bool ok = lengthen(&trial) && ask(&answer, &trial, asked);
    if (ok && isnan(answer.slowdown_low))
        tally->none++;
    else if (ok) {
        double truth = trial.launched_s / trial.ideal_s;
        tally->n++;
        tally->below += answer.slowdown_high < truth;
        tally->above += answer.slowdown_low > truth;
        tally->width += answer.slowdown_high - answer.slowdown_low;
        tally->error += answer.slowdown - truth;
    }
    trial_answer_fini(&answer);
    trial_fini(&trial);
    return ok;
}

static void print_tally(const char *name, const struct tally *t)
{
    double n = t->n;
    printf("%-16s %5d %6.1f %6.1f %6.1f %6.1f %8.5f %9.5f\n", name, t->n + t->none,
           100 * n / (n + t->none), 100 * (1 - (t->below + t->above) / n), 100 * t->below / n,
           100 * t->above / n, t->width / n, t->error / n);
    fflush(stdout);
}

static bool is_wanted(const struct trial_case *of, char **names, int n_names)
{
    bool lasts = of->nuisance != TRIAL_WALKING &&
                 (strcmp(of->group, "clean") == 0 || strcmp(of->group, "lasting") == 0);
    for (int i = 0; i < n_names; i++)
        if (strcmp(names[i], of->name) == 0 || strcmp(names[i], of->group) == 0)
            return lasts;
    return lasts && n_names == 0;
}

static int try_all(const struct asked *asked, char **names, int n_names)
{
    struct tally all = {0};
    printf("%-16s %5s %6s %6s %6s %6s %8s %9s\n", "case", "n", "given%", "held%", "below%",
           "above%", "width", "bias");
    for (size_t k = 0; k < trial_n_cases; k++) {
        struct tally tally = {0};
        if (!is_wanted(&trial_cases[k], names, n_names))
            continue;
        for (int i = 0; i < asked->n; i++)
            if (!try(asked, &trial_cases[k], asked->first + (uint64_t)i, &tally))
                return 3;
        print_tally(trial_cases[k].name, &tally);
        all.n += tally.n;
        all.none += tally.none;
        all.below += tally.below;
        all.above += tally.above;
        all.width += tally.width;
        all.error += tally.error;
    }
    print_tally("all", &all);
    return all.n - all.below - all.above >= LOW_RATE * all.n ? 0 : 1;
}

int main(int argc, char **argv)
{
    struct asked asked = {.program = getenv("HINDCAST"), .folder = "/tmp/trial-coverage-XXXXXX"};
    if (argc > 3) {
        asked.first = strtoull(argv[1], NULL, 10);
        asked.n = atoi(argv[2]);
        asked.n_steps = atoi(argv[3]);
    }
    if (!asked.program || asked.n < 1 || asked.n_steps < 1 || asked.n_steps > LEAST) {
        fprintf(stderr,
                "usage: HINDCAST=PROGRAM trial_coverage FIRST_SEED N STEPS [CASE|GROUP...]\n");
        return 2;
    }
    if (!mkdtemp(asked.folder)) {
        perror("trial_coverage");
        return 3;
    }
    int status = try_all(&asked, argv + 4, argc - 4);
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", asked.folder);
    return system(command) ? 3 : status;
}
