/* steps_guard.h - the guard of step timelines: the census that knows which steps are whole, and the
 * check that their dependency graphs can be replayed; it makes the table `steps`.
 *
 * Private to this wing. */
#ifndef HC_PIPELINE_KINDS_STEPS_GUARD_H
#define HC_PIPELINE_KINDS_STEPS_GUARD_H

#include "pipeline/kinds/guard.h"

extern const struct hc_guard hc_steps_guard;

#endif
