/* lifetime_states.h - what a job can be doing, in the thirteen states that charts and tables tell
 * apart, and what the leaves of the account are called for people. */
#ifndef HC_STUDY_ENGINES_LIFETIME_LIFETIME_STATES_H
#define HC_STUDY_ENGINES_LIFETIME_LIFETIME_STATES_H

#include "core/tables/account/leaf.h"

#include <stdbool.h>

enum hc_life_state {
    HC_STATE_PRODUCTIVE,
    HC_STATE_SLOW, /* the part of slow steps that a healthy one would not have taken */
    HC_STATE_DEGRADED,
    HC_STATE_CHECKPOINT,
    HC_STATE_LOST,
    HC_STATE_DETECTION,
    HC_STATE_LOCALISATION,
    HC_STATE_RECOVERY,
    HC_STATE_STARTUP,
    HC_STATE_QUEUE,
    HC_STATE_STANDBY,
    HC_STATE_POOL, /* free nodes of a pool with an end */
    HC_STATE_OTHER,
    HC_STATE_COUNT
};

/* The state of a leaf of the account, or of a span of a life (HC_SPAN_QUEUE too). */
enum hc_life_state hc_life_leaf_state(int32_t what);

/* "idle standbys". */
const char *hc_life_state_name(enum hc_life_state state);

/* Whether the job makes steps in this state, lost ones too. */
bool hc_life_state_is_running(enum hc_life_state state);

/* For people: "start-up: checkpoint load", "queue" of HC_SPAN_QUEUE; "pre-emption". The names of
 * the account (hc_what_name, hc_why_name) are those of JSON. */
const char *hc_life_what_title(int32_t what);

#endif
