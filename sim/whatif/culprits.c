#include "sim/whatif/culprits.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static int by_split(const void *left, const void *right)
{
    const struct hc_culprit *a = left, *b = right;
    if (a->split_s != b->split_s)
        return a->split_s > b->split_s ? -1 : 1;
    int32_t i = a->n_members ? a->members[0] : 0, j = b->n_members ? b->members[0] : 0;
    return (i > j) - (i < j);
}

void hc_culprits_sort(struct hc_culprits *culprits, enum hc_straggler_cause first)
{
    struct hc_culprit *all = culprits->culprits, moved;
    size_t n = 0;
    if (culprits->n > 1)
        qsort(all, culprits->n, sizeof *all, by_split);
    for (size_t i = 0; i < culprits->n; i++)
        if (all[i].cause == first) {
            moved = all[i];
            memmove(&all[n + 1], &all[n], (i - n) * sizeof *all);
            all[n++] = moved;
        }
}

double hc_culprit_split_share(const struct hc_culprit *culprit, const struct hc_culprits *culprits)
{
    double all_s =
        culprit->ops == HC_SLOW_LAUNCHES ? culprits->launches_together_s : culprits->together_s;
    return all_s > 0 ? culprit->split_s / all_s : NAN;
}

void hc_culprit_fini(struct hc_culprit *culprit)
{
    free(culprit->members);
    free(culprit->is_slow);
    free(culprit->stretches);
    free(culprit->type_ratio);
}

void hc_culprits_fini(struct hc_culprits *culprits)
{
    for (size_t i = 0; i < culprits->n; i++)
        hc_culprit_fini(&culprits->culprits[i]);
    free(culprits->culprits);
    free(culprits->levels);
    *culprits = (struct hc_culprits){.done = false};
}
