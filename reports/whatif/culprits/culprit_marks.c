#include "reports/whatif/culprits/culprit_marks.h"

#include "core/base/memory.h"
#include "core/text/number_format.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void add_mark(struct hc_perfetto_mark *mark, const struct hc_whatif_result *result,
                     const struct hc_culprit *culprit, const struct hc_slow_stretch *stretch)
{
    char factor[HC_NUMBER_TEXT], ops[HC_OPS_TEXT];
    double times = stretch ? stretch->factor : culprit->factor.value;
    mark->first_step = result->steps[stretch ? stretch->first : culprit->since];
    mark->last_step = result->steps[stretch ? stretch->last : culprit->until];
    snprintf(mark->track, sizeof mark->track, "slow: %s", culprit->name);
    hc_culprit_ops_text(culprit, ops);
    if (isfinite(times))
        snprintf(mark->name, sizeof mark->name, "%s: %s times", ops,
                 hc_format_fixed(times, 2, factor));
    else
        snprintf(mark->name, sizeof mark->name, "%s", ops);
}

enum hc_status hc_culprit_marks(struct hc_perfetto_mark **marks, size_t *n,
                                const struct hc_whatif_result *result, struct hc_error *err)
{
    const struct hc_culprits *culprits = &result->depth.culprits;
    size_t most = 0;
    for (size_t c = 0; c < culprits->n; c++)
        most += culprits->culprits[c].n_stretches + 1;
    *n = 0;
    *marks = hc_new_array(most, sizeof **marks, err);
    for (size_t c = 0; *marks && c < culprits->n; c++) {
        const struct hc_culprit *culprit = &culprits->culprits[c];
        if (!culprit->stretches)
            add_mark(&(*marks)[(*n)++], result, culprit, NULL);
        for (size_t i = 0; culprit->stretches && i < culprit->n_stretches; i++)
            add_mark(&(*marks)[(*n)++], result, culprit, &culprit->stretches[i]);
    }
    return *marks ? HC_OK : err->status;
}
