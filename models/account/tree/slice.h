/* slice.h - a stretch of the time of an attempt, with what its GPUs did then, why, and how that is
 * known.
 *
 * The slices of an attempt tile its time: each of its GPU-nanoseconds is in exactly one, so that
 * every sum over slices is exact, whatever it is grouped by (account.md 2).
 */
#ifndef HC_MODELS_ACCOUNT_TREE_SLICE_H
#define HC_MODELS_ACCOUNT_TREE_SLICE_H

#include "core/base/status.h"
#include "core/tables/account/leaf.h"
#include "models/evidence/evidence.h"

#include <stddef.h>
#include <stdint.h>

/* How a figure is known. */
enum hc_mark {
    HC_MARK_MEASURED,
    HC_MARK_ESTIMATED, /* with the assumption that its rule names */
    HC_MARK_UNKNOWN,
    HC_N_MARKS
};

/* By what rule a slice has its leaf: what --explain prints. */
enum hc_slice_rule {
    HC_RULE_NO_LOG,
    HC_RULE_BEFORE_LAUNCH,
    HC_RULE_PHASE,
    HC_RULE_UNMARKED_START,
    HC_RULE_NEVER_STEPPED,
    HC_RULE_NO_STEPS,
    HC_RULE_WARM_UP,
    HC_RULE_STEPS,
    HC_RULE_STEPS_AT_PACE,
    HC_RULE_RESUMED_BELOW,
    HC_RULE_AT_RISK,
    HC_RULE_ABANDONED,
    HC_RULE_PARTIAL_STEP,
    HC_RULE_SAVE_IN_GAP,
    HC_RULE_SAVE_AS_OTHERS,
    HC_RULE_EVALUATION_IN_GAP,
    HC_RULE_GAP,
    HC_RULE_FAULT_TO_NOTICE,
    HC_RULE_NOTICE_TO_LAUNCH,
    HC_RULE_NOTICE_TO_END,
    HC_RULE_BEYOND_PACE,
    HC_RULE_TRAINING_DONE,
    HC_RULE_SMALLER_WORLD,
    HC_RULE_STANDBY,
    HC_RULE_TIMELINE,
    HC_RULE_TIMELINE_OF_OTHERS,
    HC_N_SLICE_RULES
};

struct hc_slice {
    int64_t from_ns, to_ns; /* Unix time */
    int64_t uncertain_ns;   /* width of the interval in which its beginning lies; 0: exact */
    int64_t line;           /* of the source, or missing */
    int64_t steps;          /* that were done in it; 0 where none, or nobody knows how many */
    int64_t
        excess_bound_ns; /* of productive.unsplit beside traced steps: its excess if they were as
                          * slow as these, which is the most that stragglers may have added */
    int32_t gpus;
    int32_t launch;  /* of hc_launches, or -1 */
    int32_t failure; /* that it is the cost of, or -1 */
    int32_t source;  /* code of the texts of the joins, or missing: the record of the scheduler */
    enum hc_what what;
    enum hc_why why;
    enum hc_failure_evidence evidence; /* of why; HC_EVIDENCE_NONE where it has none */
    enum hc_mark mark;
    enum hc_slice_rule rule;
};

typedef enum hc_status hc_slice_take(const struct hc_slice *slice, void *context,
                                     struct hc_error *err);

/* Where slices go. */
struct hc_slice_sink {
    hc_slice_take *take;
    void *context;
};

static inline hc_gpu_ns hc_slice_gpu_ns(const struct hc_slice *slice)
{
    return (hc_gpu_ns)(slice->to_ns - slice->from_ns) * slice->gpus;
}

/* "estimated" */
const char *hc_mark_name(enum hc_mark mark);
/* "resumed_below" */
const char *hc_slice_rule_name(enum hc_slice_rule rule);
/* What the rule says, as a sentence without a full stop. */
const char *hc_slice_rule_sentence(enum hc_slice_rule rule);

#endif
