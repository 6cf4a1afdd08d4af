#include "study/engines/lifetime/lifetime_states.h"

#include "sim/lifetime/lifetime_trace.h"

enum hc_life_state hc_life_leaf_state(int32_t what)
{
    if (what == HC_SPAN_QUEUE)
        return HC_STATE_QUEUE;
    if (what >= HC_WHAT_STARTUP_IMAGE && what <= HC_WHAT_STARTUP_UNSPLIT)
        return HC_STATE_STARTUP;
    switch (what) {
    case HC_WHAT_PRODUCTIVE_IDEAL:
    case HC_WHAT_PRODUCTIVE_UNSPLIT:
        return HC_STATE_PRODUCTIVE;
    case HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS:
        return HC_STATE_SLOW;
    case HC_WHAT_DEGRADED:
        return HC_STATE_DEGRADED;
    case HC_WHAT_CHECKPOINT_STALL:
        return HC_STATE_CHECKPOINT;
    case HC_WHAT_LOST_WORK:
    case HC_WHAT_ABANDONED:
        return HC_STATE_LOST;
    case HC_WHAT_DETECTION:
        return HC_STATE_DETECTION;
    case HC_WHAT_LOCALISATION:
        return HC_STATE_LOCALISATION;
    case HC_WHAT_RECOVERY:
        return HC_STATE_RECOVERY;
    case HC_WHAT_STANDBY_IDLE:
        return HC_STATE_STANDBY;
    case HC_WHAT_POOL_IDLE:
        return HC_STATE_POOL;
    default:
        return HC_STATE_OTHER;
    }
}

const char *hc_life_state_name(enum hc_life_state state)
{
    static const char *const names[HC_STATE_COUNT] = {
        [HC_STATE_PRODUCTIVE] = "productive",
        [HC_STATE_SLOW] = "slow steps",
        [HC_STATE_DEGRADED] = "degraded",
        [HC_STATE_CHECKPOINT] = "checkpoints",
        [HC_STATE_LOST] = "lost work",
        [HC_STATE_DETECTION] = "detection",
        [HC_STATE_LOCALISATION] = "localisation",
        [HC_STATE_RECOVERY] = "recovery",
        [HC_STATE_STARTUP] = "start-up",
        [HC_STATE_QUEUE] = "queue",
        [HC_STATE_STANDBY] = "idle standbys",
        [HC_STATE_POOL] = "free nodes of the pool",
        [HC_STATE_OTHER] = "other",
    };
    return names[state];
}

bool hc_life_state_is_running(enum hc_life_state state)
{
    return state == HC_STATE_PRODUCTIVE || state == HC_STATE_SLOW || state == HC_STATE_DEGRADED ||
           state == HC_STATE_CHECKPOINT || state == HC_STATE_LOST;
}

const char *hc_life_what_title(int32_t what)
{
    return what == HC_SPAN_QUEUE ? "queue" : hc_what_title((enum hc_what)what);
}
