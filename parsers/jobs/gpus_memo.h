/* gpus_memo.h - what lists of resources that came before were found to say. A cluster has a few
 * dozen of them, which a dump repeats on every line: to compare one takes a fifth of reading it.
 * Private to this wing. */
#ifndef HC_PARSERS_JOBS_GPUS_MEMO_H
#define HC_PARSERS_JOBS_GPUS_MEMO_H

#include "parsers/jobs/slurm_values.h"

#define HC_GPUS_MEMO_SLOTS 64
#define HC_GPUS_MEMO_TEXT  120 /* bytes of the longest list that is kept */

/* Zeroed memory is an empty memo. */
struct hc_gpus_memo {
    struct hc_gpus_seen {
        size_t length; /* 0: nothing is here */
        char text[HC_GPUS_MEMO_TEXT];
        enum hc_slurm_text what;
        struct hc_slurm_gpus gpus; /* whose type lies in text */
    } seen[HC_GPUS_MEMO_SLOTS];
    struct hc_slurm_gpus other; /* of the list that was read last and is not kept */
};

/* As hc_slurm_gpus; *gpus and the type in it stay until the next call. */
enum hc_slurm_text hc_gpus_memo_read(struct hc_gpus_memo *memo, struct hc_span text,
                                     const struct hc_slurm_gpus **gpus);

#endif
