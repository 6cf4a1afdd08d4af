/* trial_tally [--bars] [--right] [--list] [--figures] FIRST_SEED N [CASE|GROUP...] - N trials of
 * each case (or of those named), made anew, shown to the program $HINDCAST, and judged. A table by
 * case and group: of how many each question was asked, and which part passed, in percent. --list:
 * what was said of trials that are not right; `trial_maker CASE SEED FOLDER` makes one of them
 * again.
 * --figures: of culprits that were found, in percent, how many intervals of their figures are
 * given, and how many of these hold what was planted (where S is 1.1 or more, for shares).
 * --bars: exit 1 when a group lies below what is asked of it. --right: exit 1 when a trial is not
 * right. Exit 2 usage, 3 a trial could not be made or read. */
#include "tests/trials/trial_answer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct tally {
    int n, asked[TRIAL_N_QUESTIONS], passed[TRIAL_N_QUESTIONS];
    int n_figures[TRIAL_N_FIGURES], n_given[TRIAL_N_FIGURES], n_held[TRIAL_N_FIGURES];
};

struct asked {
    const char *program;
    char folder[64];
    uint64_t first;
    int n;
    bool lists, has_bars, wants_right, has_figures;
};

static const char *const questions[TRIAL_N_QUESTIONS] = {
    "right", "cause", "place",  "onset", "end",    "duty", "ops",  "host", "factor",
    "span",  "band",  "levels", "alone", "period", "gain", "once", "blame"};

/* What a group must reach (issues 11 and 36), in percent. */
static const struct bar {
    const char *group;
    enum trial_question question;
    double least;
} bars[] = {
    {"lasting", TRIAL_ASKS_RIGHT, 98},      {"partial", TRIAL_ASKS_RIGHT, 95},
    {"partial", TRIAL_ASKS_ONSET, 90},      {"partial", TRIAL_ASKS_END, 90},
    {"partial", TRIAL_ASKS_DUTY, 90},       {"partial", TRIAL_ASKS_HOST, 95},
    {"clean", TRIAL_ASKS_RIGHT, 98},        {"clean", TRIAL_ASKS_BLAME, 98},
    {"two", TRIAL_ASKS_RIGHT, 85},          {"mended", TRIAL_ASKS_RIGHT, 95},
    {"mended", TRIAL_ASKS_END, 90},         {"stages", TRIAL_ASKS_RIGHT, 95},
    {"stages", TRIAL_ASKS_BLAME, 98},       {"common", TRIAL_ASKS_RIGHT, 90},
    {"common", TRIAL_ASKS_BLAME, 98},       {"levels", TRIAL_ASKS_RIGHT, 95},
    {"levels", TRIAL_ASKS_ONSET, 90},       {"levels", TRIAL_ASKS_ONCE, 95},
    {"own", TRIAL_ASKS_RIGHT, 95},          {"own", TRIAL_ASKS_PERIOD, 90},
    {"loader", TRIAL_ASKS_RIGHT, 95},       {"loader", TRIAL_ASKS_PERIOD, 90},
    {"slots", TRIAL_ASKS_RIGHT, 95},        {"many", TRIAL_ASKS_RIGHT, 95},
    {"many", TRIAL_ASKS_GAIN, 95},          {"links", TRIAL_ASKS_RIGHT, 95},
    {"links", TRIAL_ASKS_HOST, 95},         {"pairs", TRIAL_ASKS_RIGHT, 85},
    {"placed-clean", TRIAL_ASKS_RIGHT, 98}, {"placed-clean", TRIAL_ASKS_BLAME, 98},
};

static void add(struct tally *tally, const struct trial_outcome *outcome)
{
    tally->n++;
    for (int i = 0; i < TRIAL_N_QUESTIONS; i++) {
        tally->asked[i] += outcome->asked >> i & 1;
        tally->passed[i] += outcome->passed >> i & 1;
    }
    for (int i = 0; i < TRIAL_N_FIGURES; i++) {
        tally->n_figures[i] += outcome->n_figures[i];
        tally->n_given[i] += outcome->n_given[i];
        tally->n_held[i] += outcome->n_held[i];
    }
}

static void add_tally(struct tally *to, const struct tally *more)
{
    to->n += more->n;
    for (int i = 0; i < TRIAL_N_QUESTIONS; i++) {
        to->asked[i] += more->asked[i];
        to->passed[i] += more->passed[i];
    }
    for (int i = 0; i < TRIAL_N_FIGURES; i++) {
        to->n_figures[i] += more->n_figures[i];
        to->n_given[i] += more->n_given[i];
        to->n_held[i] += more->n_held[i];
    }
}

static double percent(const struct tally *tally, int question)
{
    return 100.0 * tally->passed[question] / tally->asked[question];
}

static void print_figures(const char *name, const struct tally *tally)
{
    printf("%-16s %4d", name, tally->n);
    for (int i = 0; i < TRIAL_N_FIGURES; i++)
        if (tally->n_given[i])
            printf("    %6.1f %6.1f", 100.0 * tally->n_given[i] / tally->n_figures[i],
                   100.0 * tally->n_held[i] / tally->n_given[i]);
        else
            printf("    %6s %6s", tally->n_figures[i] ? "0.0" : "-", "-");
    printf("\n");
    fflush(stdout);
}

static void print_tally(const struct asked *asked, const char *name, const struct tally *tally)
{
    if (asked->has_figures) {
        print_figures(name, tally);
        return;
    }
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
        if (asked->lists && asked->has_figures) {
            if (*outcome.missed)
                printf("  %s %llu:%s\n", of->name, (unsigned long long)seed, outcome.missed);
            continue;
        }
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

/* Whether all names are of cases or groups: one that was renamed must not pass unseen. */
static bool are_known(char **names, int n)
{
    for (int i = 0; i < n; i++) {
        bool is_known = false;
        for (size_t k = 0; k < trial_n_cases; k++)
            is_known |= is_chosen(&trial_cases[k], names + i, 1);
        if (!is_known) {
            fprintf(stderr, "trial_tally: %s is no case and no group\n", names[i]);
            return false;
        }
    }
    return true;
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

static void print_head(const struct asked *asked)
{
    static const char *const figures[TRIAL_N_FIGURES] = {"factor", "share", "duty", "pass duty"};
    printf("%-16s %4s", "case", "n");
    for (int i = 0; i < TRIAL_N_FIGURES && asked->has_figures; i++)
        printf("    %13s", figures[i]);
    for (int i = 0; i < TRIAL_N_QUESTIONS && !asked->has_figures; i++)
        printf(" %6s", questions[i]);
    printf("\n%s", asked->has_figures ? "in percent: given, and of these holding\n" : "");
}

/* All chosen cases, which are in the order of their groups. */
static int try_all(const struct asked *asked, char **names, int n_names)
{
    bool is_bad = false, is_wrong = false;
    struct tally group = {0};
    print_head(asked);
    for (size_t i = 0; i < trial_n_cases; i++) {
        const struct trial_case *of = &trial_cases[i];
        struct tally tally = {0};
        if (is_chosen(of, names, n_names)) {
            if (!try_case(asked, of, &tally))
                return 3;
            print_tally(asked, of->name, &tally);
            is_wrong |= tally.passed[TRIAL_ASKS_RIGHT] < tally.n;
        }
        add_tally(&group, &tally);
        if (group.n && (i + 1 == trial_n_cases || strcmp(of[1].group, of->group) != 0)) {
            char name[32];
            snprintf(name, sizeof name, "= %s", of->group);
            print_tally(asked, name, &group);
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
        asked.has_figures |= strcmp(argv[at], "--figures") == 0;
    }
    if (argc - at < 2 || !asked.program) {
        fprintf(stderr, "usage: HINDCAST=PROGRAM trial_tally [--bars] [--right] [--list] "
                        "[--figures] FIRST_SEED N "
                        "[CASE|GROUP...]\n");
        return 2;
    }
    asked.first = strtoull(argv[at], NULL, 10);
    asked.n = atoi(argv[at + 1]);
    if (!are_known(argv + at + 2, argc - at - 2))
        return 2;
    if (!mkdtemp(asked.folder)) {
        perror("trial_tally");
        return 3;
    }
    int status = try_all(&asked, argv + at + 2, argc - at - 2);
    char command[128];
    snprintf(command, sizeof command, "rm -r '%s'", asked.folder);
    return system(command) ? 3 : status;
}
