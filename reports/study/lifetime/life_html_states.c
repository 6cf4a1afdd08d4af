/* Colours of what a job can be doing, which all charts of the page share. */
#include "reports/study/lifetime/life_sections.h"

enum hc_color hc_study_html_state_color(enum hc_life_state state)
{
    static const enum hc_color colors[HC_STATE_COUNT] = {
        [HC_STATE_PRODUCTIVE] = HC_GREEN,
        [HC_STATE_SLOW] = HC_SKY,
        [HC_STATE_DEGRADED] = HC_HATCHED_GREEN,
        [HC_STATE_CHECKPOINT] = HC_PURPLE,
        [HC_STATE_LOST] = HC_BLACK,
        [HC_STATE_DETECTION] = HC_YELLOW,
        [HC_STATE_LOCALISATION] = HC_VERMILLION,
        [HC_STATE_RECOVERY] = HC_ORANGE,
        [HC_STATE_STARTUP] = HC_BLUE,
        [HC_STATE_QUEUE] = HC_PALE_GREY,
        [HC_STATE_STANDBY] = HC_GREY,
        [HC_STATE_POOL] = HC_HATCHED_GREY,
        [HC_STATE_OTHER] = HC_PALE_GREY,
    };
    return colors[state];
}

void hc_study_html_state_parts(struct hc_figure_part parts[HC_STATE_COUNT])
{
    for (int s = 0; s < HC_STATE_COUNT; s++)
        parts[s] = (struct hc_figure_part){hc_life_state_name((enum hc_life_state)s),
                                           hc_study_html_state_color((enum hc_life_state)s)};
}
