/* steps_account.h - what `ingest` says of a step timeline: how many steps it has, and which of them
 * no analysis will use. Private to this wing. */
#ifndef HC_PIPELINE_KINDS_STEPS_ACCOUNT_H
#define HC_PIPELINE_KINDS_STEPS_ACCOUNT_H

#include "core/base/status.h"
#include "core/tables/record.h"
#include "models/steps/census.h"
#include "pipeline/kinds/description.h"

/* Of a finished census, which stays as long as the account. */
enum hc_status hc_steps_account(const struct hc_census *census, struct hc_rows_account *account,
                                struct hc_error *err);
extern const struct hc_record_def hc_steps_account_record;

#endif
