#include "sim/whatif/culprits.h"

#include <math.h>
#include <stdlib.h>

static int by_loss(const void *left, const void *right)
{
    const struct hc_culprit *a = left, *b = right;
    double x = isnan(a->lost_s) ? -INFINITY : a->lost_s;
    double y = isnan(b->lost_s) ? -INFINITY : b->lost_s;
    if (x != y)
        return x > y ? -1 : 1;
    int32_t i = a->n_members ? a->members[0] : 0, j = b->n_members ? b->members[0] : 0;
    return (i > j) - (i < j);
}

void hc_culprits_sort(struct hc_culprits *culprits)
{
    if (culprits->n > 1)
        qsort(culprits->culprits, culprits->n, sizeof *culprits->culprits, by_loss);
}

void hc_culprits_fini(struct hc_culprits *culprits)
{
    for (size_t i = 0; i < culprits->n; i++) {
        free(culprits->culprits[i].members);
        free(culprits->culprits[i].is_slow);
        free(culprits->culprits[i].stretches);
    }
    free(culprits->culprits);
    free(culprits->levels);
    *culprits = (struct hc_culprits){.done = false};
}
