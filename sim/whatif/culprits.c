#include "sim/whatif/culprits.h"

#include <stdlib.h>

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
