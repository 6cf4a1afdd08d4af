/* history_input.h - what an archive tells of a job of the scheduler, a training run, or a node. */
#ifndef HC_PIPELINE_DAILY_HISTORY_INPUT_H
#define HC_PIPELINE_DAILY_HISTORY_INPUT_H

#include "models/joins/history.h"
#include "store/archive/archive.h"

enum hc_history_subject { HC_HISTORY_NOTHING, HC_HISTORY_JOB, HC_HISTORY_RUN, HC_HISTORY_NODE };

/* Collect what is known of a name: a number of a job ("1234", "1234_7" a task of an array), else a
 * run (pipeline/daily/join_input.h), else a node. *subject: what the name is, HC_HISTORY_NOTHING
 * where the records have none of these. The items are sorted. */
enum hc_status hc_history_load(struct hc_history *history, enum hc_history_subject *subject,
                               const struct hc_archive *archive, const char *name,
                               struct hc_error *err);

#endif
