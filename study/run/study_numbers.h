/* study_numbers.h - figures of a study as text: as many digits as they deserve. */
#ifndef HC_STUDY_RUN_STUDY_NUMBERS_H
#define HC_STUDY_RUN_STUDY_NUMBERS_H

#include "core/text/number_format.h"
#include "study/run/study_result.h"

#define HC_STUDY_NUMBER (4 * HC_NUMBER_TEXT)

/* "0.9676 +- 0.0006": the half-width with one or two digits, the mean to its last. "-" where it is
 * not known; without an interval about four digits. An interval that goes farther to one side:
 * "97.2 (96.5 to 98.4)". */
const char *hc_study_value_text(const struct hc_study_value *value, char text[HC_STUDY_NUMBER]);

/* The same with a sign: "+0.0087 +- 0.0006". */
const char *hc_study_change_text(const struct hc_study_value *value, char text[HC_STUDY_NUMBER]);

/* A number alone: "21,441,400", "0.9676", "1.5". */
const char *hc_study_number_text(double value, char text[HC_NUMBER_TEXT]);

/* "0.680 to 0.935": two digits of the width. */
void hc_study_range_text(double low, double high, char text[HC_STUDY_NUMBER]);

/* " GPU-h", or nothing for a count or a share. */
const char *hc_study_unit_text(const char *unit, char text[HC_NUMBER_TEXT]);

/* What a difference is worth: whether its interval leaves out nought. */
bool hc_study_is_clear(const struct hc_study_value *difference);

/* Whether its interval holds nought: it has one, and is not clear. */
bool hc_study_is_unclear(const struct hc_study_value *difference);

/* A difference as a share of what it is a difference from; NaN where there is none. */
double hc_study_relative(const struct hc_study_value *difference, double base);

#endif
