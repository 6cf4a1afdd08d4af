/* study_winner.h - what a winner gave when it was run again with random numbers of its own, in
 * words. Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_WINNER_H
#define HC_REPORTS_STUDY_STUDY_WINNER_H

#include "study/run/study_result.h"

#define HC_WINNER_WORDS 640

/* "Run again with faults of its own, it gives 0.9712 +- 0.0006, and meets the condition. Of 100
 * draws of the inputs, 63 meet it." Empty where nothing was found. */
const char *hc_study_found_again(const struct hc_study_result *result, char text[HC_WINNER_WORDS]);

/* Of a sweep: which point does best, what it gives again, and what the intervals of all points are
 * good for. Empty where all points are the same. */
const char *hc_study_best_again(const struct hc_study_result *result, char text[HC_WINNER_WORDS]);

#endif
