/* lifetime_record.h - the findings of a lifetime field by field, for JSON. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_RECORD_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_RECORD_H

#include "core/tables/record.h"

/* Of struct hc_life_findings: what a run of the document has besides its figures. */
extern const struct hc_record_def hc_life_json;

/* Of the same, what HTML shows besides; behind `jobs`, where documents of version 1 end. */
extern const struct hc_record_def hc_life_more_json;

#endif
