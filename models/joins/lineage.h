/* lineage.h - which attempts are one run, by the checkpoints that they wrote and loaded.
 *
 * A cycle that loads what another wrote continues the run of that one (account.md 1); where the
 * other run goes on beside it, or had come to its end, or where it saves elsewhere from an older
 * checkpoint, it is a fork: a run of its own that begins from the other. A cycle that loads nothing
 * is the beginning of a run, or another try of one that has saved nothing yet: to the same place,
 * or by the same user, under the same name, in the same work directory, after it had failed. Cycles
 * of one attempt, and attempts under one number of the scheduler (requeues), are one run.
 */
#ifndef HC_MODELS_JOINS_LINEAGE_H
#define HC_MODELS_JOINS_LINEAGE_H

#include "models/joins/joins.h"

/* After the match. Runs are in order of time. */
enum hc_status hc_joins_make_runs(struct hc_joins *joins, struct hc_error *err);

#endif
