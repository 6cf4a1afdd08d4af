/* study_found.h - the answer of `find` in words, which claim no more than what was tried shows.
 * Private to this wing. */
#ifndef HC_REPORTS_STUDY_STUDY_FOUND_H
#define HC_REPORTS_STUDY_STUDY_FOUND_H

#include "study/run/study_result.h"

#define HC_FOUND_WORDS 320

/* "smallest /job/nodes from 8 to 80 by 8", "largest /startup/full_s of the 5 values that were
 * tried": what the answer is among. */
const char *hc_study_found_noun(const struct hc_study_found *found, char text[HC_FOUND_WORDS]);

/* What the answer rests on, as the end of a sentence: "", or ", if the condition changes only once
 * (2 smaller values were not tried)". */
const char *hc_study_found_proviso(const struct hc_study_found *found, char text[HC_FOUND_WORDS]);

/* What it rests on that none was found, as the end of a sentence: "; they are all from 0 to 4 by
 * 2". */
const char *hc_study_found_none(const struct hc_study_found *found, char text[HC_FOUND_WORDS]);

#endif
