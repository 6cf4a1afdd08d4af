/* sealed_record.h - a record in the form that is stored, as a sealed document. */
#ifndef HC_PIPELINE_RECORDS_SEALED_RECORD_H
#define HC_PIPELINE_RECORDS_SEALED_RECORD_H

#include "core/base/status.h"
#include "core/tables/record.h"

/* The members of a record (hc_record_store) with their seal behind them (core/files/sealed_json.h);
 * the caller frees it. NULL with err filled when memory is short. */
char *hc_sealed_record(const struct hc_record_def *def, const void *record, struct hc_error *err);

#endif
