/* Colours of what a job can be doing, which all charts of the page share. */
#include "reports/study/study_sections.h"

const char *hc_study_html_state_class(enum hc_life_state state)
{
    static const char *const classes[HC_STATE_COUNT] = {
        [HC_STATE_PRODUCTIVE] = "s3",   [HC_STATE_SLOW] = "s7",     [HC_STATE_DEGRADED] = "s11",
        [HC_STATE_CHECKPOINT] = "s4",   [HC_STATE_LOST] = "s9",     [HC_STATE_DETECTION] = "s8",
        [HC_STATE_LOCALISATION] = "s2", [HC_STATE_RECOVERY] = "s6", [HC_STATE_STARTUP] = "s1",
        [HC_STATE_QUEUE] = "s10",       [HC_STATE_STANDBY] = "s5",  [HC_STATE_POOL] = "s12",
        [HC_STATE_OTHER] = "s10",
    };
    return classes[state];
}
