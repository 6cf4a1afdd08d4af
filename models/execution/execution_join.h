/* execution_join.h - what an execution trace says of the collectives of a rank, brought to its
 * profiler trace (spec: profiler traces 9).
 *
 * Profiler traces of older PyTorch know when a collective ran, but not of what size; the execution
 * trace of the same step knows that. Both list the calls record_param_comms of each thread in their
 * order, by which they are joined: threads of the execution trace ascending, those of the profiler
 * trace the main one first, then as they come; calls that wait aside. (Not by rf_id and External
 * id: these are off by another number on each thread.)
 */
#ifndef HC_MODELS_EXECUTION_EXECUTION_JOIN_H
#define HC_MODELS_EXECUTION_EXECUTION_JOIN_H

#include "core/tables/execution/execution_tables.h"
#include "models/profiles/profile.h"

struct hc_execution {
    char *name; /* of the file, for messages */
    int32_t rank, rank_origin;
    struct hc_table comms; /* hc_et_comms_def */
    struct hc_table_names names;
};

struct hc_execution_joined {
    size_t n_joined, n_threads;
    bool is_refused;
    char why[200]; /* of a refusal: what does not agree */
};

/* Give the collectives of a linked rank op, sizes and type of their elements where its trace leaves
 * them open. Where numbers or ops of the two do not agree nothing is changed, and joined says so.
 * HC_INTERNAL: no memory. */
enum hc_status hc_execution_join(struct hc_profile *profile, size_t rank_index,
                                 const struct hc_execution *execution,
                                 struct hc_execution_joined *joined, struct hc_error *err);

void hc_execution_fini(struct hc_execution *execution);

#endif
