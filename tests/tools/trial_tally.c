/* trial_tally [--bars] [--right] [--list] FIRST_SEED N [CASE|GROUP...] - N trials of each case (or
 * of those named), made anew, shown to the program $HINDCAST, and judged. A table by case and
 * group: of how many each question was asked, and which part passed, in percent. --list: what was
 * said of trials that are not right; `trial_maker CASE SEED FOLDER` makes one of them again.
 * --bars: exit 1 when a group lies below what is asked of it. --right: exit 1 when a trial is not
 * right. Exit 2 usage, 3 a trial could not be made or read. */
#include "tests/trials/trial_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally {
    int n, asked[TRIAL_N_QUESTIONS], passed[TRIAL_N_QUESTIONS];
};

struct asked {
    const char *program;
    char folder[64];
    uint64_t first;
    int n;
    bool lists, has_bars, wants_right;
};

static const char *const questions[TRIAL_N_QUESTIONS] = {
    "right", "cause",  "place", "onset", "end",    "duty", "ops",
    "host",  "factor", "span",  "band",  "levels", "alone"};

/* What a group must reach (issue 11), in percent. */
static const struct bar {
    const char *group;
    enum trial_question question;
    double least;
} bars[] = {
    {"lasting", TRIAL_ASKS_RIGHT, 98}, {"partial", TRIAL_ASKS_RIGHT, 95},
    {"partial", TRIAL_ASKS_ONSET, 90}, {"partial", TRIAL_ASKS_END, 90},
    {"partial", TRIAL_ASKS_DUTY, 90},  {"partial", TRIAL_ASKS_HOST, 95},
    {"clean", TRIAL_ASKS_RIGHT, 98},   {"two", TRIAL_ASKS_RIGHT, 85},
    {"mended", TRIAL_ASKS_RIGHT, 95},  {"mended", TRIAL_ASKS_END, 90},
};

static void add(struct tally *tally, const struct trial_outcome *outcome)
{
    tally->n++;
    for (int i = 0; i < TRIAL_N_QUESTIONS; i++) {
        tally->asked[i] += outcome->asked >> i & 1;
        tally->passed[i] += outcome->passed >> i & 1;
    }
}

static double percent(const struct tally *tally, int question)
{
    return 100.0 * tally->passed[question] / tally->asked[question];
}

static void print_tally(const char *name, const struct tally *tally)
{
    printf("%-16s %4d", name, tally->n);
    for (int i = 0; i < TRIAL_N_QUESTIONS; i++)
        if (tally->asked[i])
            printf(" %6.1f", percent(tally, i));
        else
            printf(" %6s", "-");
    printf("\n");
    fflush(stdout);
}

/* One trial; false when it cannot be made or shown. */
static bool try(const struct asked *asked, const struct trial_case *of, uint64_t seed,
                struct trial_outcome *outcome)
{
    struct trial trial;
    if (!trial_make(&trial, of, seed)) {
        fprintf(stderr, "trial_tally: %s %llu: no draw is of this case\n", of->name,
                (unsigned long long)seed);
        return false;
    }
    char path[128];
    snprintf(path, sizeof path, "%s/trace-t.csv", asked->folder);
    struct trial_answer answer = {0};
    bool ok =
        trial_write(&trial, asked->folder, "t") && trial_ask(&answer, &trial, asked->program, path);
    if (ok)
        trial_judge(outcome, &trial, &answer);
    trial_answer_fini(&answer);
    trial_fini(&trial);
    return ok;
}

static bool try_case(const struct asked *asked, const struct trial_case *of, struct tally *tally)
{
    for (int i = 0; i < asked->n; i++) {
        struct trial_outcome outcome;
        uint64_t seed = asked->first + (uint64_t)i;
        if (!try(asked, of, seed, &outcome))
            return false;
        add(tally, &outcome);
        bool is_right = outcome.passed >> TRIAL_ASKS_RIGHT & 1;
        if (asked->lists && (!is_right || outcome.passed != outcome.asked)) {
            printf("  %s %llu not", of->name, (unsigned long long)seed);
            for (int q = 0; q < TRIAL_N_QUESTIONS; q++)
                if ((outcome.asked & ~outcome.passed) >> q & 1)
                    printf(" %s", questions[q]);
            printf(": %s\n", outcome.why);
        }
    }
    return true;
}

static bool is_chosen(const struct trial_case *of, char **names, int n)
{
    bool is = n == 0;
    for (int i = 0; i < n; i++)
        is |= strcmp(names[i], of->name) == 0 || strcmp(names[i], of->group) == 0;
    return is;
}

/* Below a bar; a figure that was never asked for cannot be below it. */
static bool is_below(const char *group, const struct tally *tally)
{
    bool is = false;
    for (size_t i = 0; i < sizeof bars / sizeof *bars; i++) {
        const struct bar *bar = &bars[i];
        if (strcmp(bar->group, group) == 0 && tally->asked[bar->question] &&
            percent(tally, bar->question) < bar->least) {
            printf("%s: %s %.1f %%, at least %.0f %% asked for\n", group, questions[bar->question],
                   percent(tally, bar->question), bar->least);
            is = true;
        }
    }
    return is;
}

/* All chosen cases, which are in the order of their groups. */
static int try_all(const struct asked *asked, char **names, int n_names)
{
    bool is_bad = false, is_wrong = false;
    struct tally group = {0};
    printf("%-16s %4s", "case", "n");
    for (int i = 0; i < TRIAL_N_QUESTIONS; i++)
        printf(" %6s", questions[i]);
    printf("\n");
    for (size_t i = 0; i < trial_n_cases; i++) {
        const struct trial_case *of = &trial_cases[i];
        struct tally tally = {0};
        if (is_chosen(of, names, n_names)) {
            if (!try_case(asked, of, &tally))
                return 3;
            print_tally(of->name, &tally);
            is_wrong |= tally.passed[TRIAL_ASKS_RIGHT] < tally.n;
        }
        group.n += tally.n;
        for (int q = 0; q < TRIAL_N_QUESTIONS; q++) {
            group.asked[q] += tally.asked[q];
            group.passed[q] += tally.passed[q];
        }
        if (group.n && (i + 1 == trial_n_cases || strcmp(of[1].group, of->group) != 0)) {
            char name[32];
            snprintf(name, sizeof name, "= %s", of->group);
            print_tally(name, &group);
            is_bad |= is_below(of->group, &group);
            group = (struct tally){0};
        }
    }
    return (asked->has_bars && is_bad) || (asked->wants_right && is_wrong) ? 1 : 0;
}

int main(int argc, char **argv)
{
    struct asked asked = {.program = getenv("HINDCAST"), .folder = "/tmp/trials-XXXXXX"};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        asked.has_bars |= strcmp(argv[at], "--bars") == 0;
        asked.wants_right |= strcmp(argv[at], "--right") == 0;
        asked.lists |= strcmp(argv[at], "--list") == 0;
    }
    if (argc - at < 2 || !asked.program) {
        fprintf(stderr,
                "usage: HINDCAST=PROGRAM trial_tally [--bars] [--right] [--list] FIRST_SEED N "
                "[CASE|GROUP...]\n");
        return 2;
    }
    asked.first = strtoull(argv[at], NULL, 10);
    asked.n = atoi(argv[at + 1]);
    if (!mkdtemp(asked.folder)) {
        perror("trial_tally");
        return 3;
    }
    int status = try_all(&asked, argv + at + 2, argc - at - 2);
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", asked.folder);
    return system(command) ? 3 : status;
}
