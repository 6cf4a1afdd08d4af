/* lifetime_rankings.h - the lists of findings that are longest first. Private to this wing. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_RANKINGS_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_RANKINGS_H

#include "study/engines/lifetime/lifetime_findings.h"

/* Fill by_stage, by_cause, fault_counts and fault_lengths from the rest of the findings. What is
 * made lives in the arena. */
enum hc_status hc_life_rank(struct hc_life_findings *findings, struct hc_arena *arena,
                            struct hc_error *err);

#endif
