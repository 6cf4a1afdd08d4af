/* study_ranges.h - the three spreads of a figure, which are never mixed: what the number of
 * replicas leaves open, what one replica may meet, what is known of the inputs. */
#ifndef HC_STUDY_RUN_STUDY_RANGES_H
#define HC_STUDY_RUN_STUDY_RANGES_H

#include "study/run/study_result.h"

enum hc_study_range_kind { HC_RANGE_SIMULATION, HC_RANGE_BETWEEN, HC_RANGE_INPUTS };
#define HC_STUDY_RANGES 3

/* Of fewer replicas, the least and the largest would pass for 5 % and 95 %. */
#define HC_STUDY_LEAST_SPREAD 20

struct hc_study_range {
    enum hc_study_range_kind kind;
    double low, high;
};

/* Those that are known and have a width, the widest first; returns their number. */
size_t hc_study_ranges(const struct hc_study_run *run, size_t column,
                       struct hc_study_range range[HC_STUDY_RANGES]);

/* The same, of those of a change against the base of the comparison. */
size_t hc_study_difference_ranges(const struct hc_study_run *run, size_t column,
                                  struct hc_study_range range[HC_STUDY_RANGES]);

/* "simulation", "between lives" with what a replica is called, "inputs". */
const char *hc_study_range_name(const struct hc_study_result *result, enum hc_study_range_kind kind,
                                char text[64]);

/* The same for programs: "simulation", "between", "inputs". */
const char *hc_study_range_key(int kind);

#endif
