#include "parsers/jobs/gpus_memo.h"

#include "core/text/text_hash.h"

#include <string.h>

enum hc_slurm_text hc_gpus_memo_read(struct hc_gpus_memo *memo, struct hc_span text,
                                     const struct hc_slurm_gpus **gpus)
{
    *gpus = &memo->other;
    if (text.length == 0 || text.length > HC_GPUS_MEMO_TEXT)
        return hc_slurm_gpus(text, &memo->other);
    struct hc_gpus_seen *seen =
        &memo->seen[hc_text_hash(text.text, text.length) % HC_GPUS_MEMO_SLOTS];
    if (seen->length != text.length || !hc_is_same_text(seen->text, text.text, text.length)) {
        memcpy(seen->text, text.text, text.length);
        seen->length = text.length;
        seen->what = hc_slurm_gpus((struct hc_span){seen->text, text.length}, &seen->gpus);
    }
    *gpus = &seen->gpus;
    return seen->what;
}
