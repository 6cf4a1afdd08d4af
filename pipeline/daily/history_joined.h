/* history_joined.h - facts of a subject that records have only once they are joined.
 * Private to this wing. */
#ifndef HC_PIPELINE_DAILY_HISTORY_JOINED_H
#define HC_PIPELINE_DAILY_HISTORY_JOINED_H

#include "pipeline/daily/history_search.h"

/* Launches of training, timelines, and recorded incidents whose time is known. */
enum hc_status hc_history_add_joined(struct hc_history_search *search, struct hc_error *err);

#endif
