/* trial_maker CASE SEED FOLDER - writes the trial of that case and seed into the folder
 * (trace-CASE-SEED.csv, meta-CASE-SEED.yaml, truth-CASE-SEED.json). trial_maker --list: the cases.
 * Exit: 0, 1 no such trial could be drawn or written, 2 usage. */
#include "tests/trials/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "--list") == 0) {
        for (size_t i = 0; i < trial_n_cases; i++)
            printf("%-16s %s\n", trial_cases[i].name, trial_cases[i].group);
        return 0;
    }
    const struct trial_case *of = argc == 4 ? trial_find_case(argv[1]) : NULL;
    if (!of) {
        fprintf(stderr, "usage: trial_maker CASE SEED FOLDER, or --list for the cases\n");
        return 2;
    }
    struct trial trial;
    char name[80];
    snprintf(name, sizeof name, "%s-%s", of->name, argv[2]);
    if (!trial_make(&trial, of, strtoull(argv[2], NULL, 10))) {
        fprintf(stderr, "trial_maker: %s: no draw is of this case\n", name);
        return 1;
    }
    bool ok = trial_write(&trial, argv[3], name);
    if (!ok)
        perror("trial_maker");
    trial_fini(&trial);
    return ok ? 0 : 1;
}
