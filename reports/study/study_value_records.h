/* study_value_records.h - values of a study field by field, for its documents and those of what its
 * engine found. */
#ifndef HC_REPORTS_STUDY_STUDY_VALUE_RECORDS_H
#define HC_REPORTS_STUDY_STUDY_VALUE_RECORDS_H

#include "core/tables/record.h"
#include "study/run/study_result.h"

/* Of a struct hc_study_value, and of its mean and interval only. */
extern const struct hc_record_def hc_study_value_record, hc_study_interval_record;

/* For CSV tables, of whatever is in a run: "run", its name. */
extern const struct hc_record_def hc_study_run_name_record;

/* A member that points to a value for each column of the study: an object by their names. */
#define HC_STUDY_FIGURES(S, name_, member, ...)                                                    \
    {                                                                                              \
        .name = name_, .type = HC_AS_MAP, .offset = offsetof(S, member),                           \
        .size = sizeof(struct hc_study_value),                                                     \
        .list = &(const struct hc_list_source){.count = hc_study_count_columns},                   \
        .record = &hc_study_figure_record, .sentence = __VA_ARGS__                                 \
    }
extern const struct hc_record_def hc_study_figure_record;

/* The same of spreads, in a run. */
extern const struct hc_record_def hc_study_named_spread_record;
size_t hc_study_count_columns(const struct hc_item *at);

#endif
