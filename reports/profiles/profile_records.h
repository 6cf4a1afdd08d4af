/* profile_records.h - the record of a report on profiler traces. */
#ifndef HC_REPORTS_PROFILES_PROFILE_RECORDS_H
#define HC_REPORTS_PROFILES_PROFILE_RECORDS_H

#include "core/tables/record.h"

extern const struct hc_record_def hc_profile_record; /* of a struct hc_profile_report */

#endif
