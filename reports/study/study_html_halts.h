/* study_html_halts.h - the interruptions of a recorded life; only the study_html files include it.
 */
#ifndef HC_REPORTS_STUDY_STUDY_HTML_HALTS_H
#define HC_REPORTS_STUDY_STUDY_HTML_HALTS_H

#include "reports/study/study_sections.h"

/* Stretches without steps in a row: [first, first + n) of the spans. */
struct hc_study_halt {
    size_t first, n;
    size_t lost_first; /* steps that were lost just before; first where there are none */
    int64_t length_ns, lost_ns;
    int32_t cause; /* index of config->fault, or -1 */
    const char *name;
};

struct hc_study_halts {
    struct hc_study_halt *halt; /* longest first */
    size_t n, capacity;
};

/* Whether the job makes steps in this state, lost ones too. */
bool hc_study_html_is_running(enum hc_study_state state);

/* The halts of the life of a study. Release with free(halts->halt) in any case. */
enum hc_status hc_study_html_find_halts(struct hc_study_halts *halts,
                                        const struct hc_study_result *result, struct hc_error *err);

/* Pictures of the longest, and a table. */
enum hc_status hc_study_html_draw_halts(FILE *stream, const struct hc_figure_sink *figures,
                                        const struct hc_study_result *result,
                                        const struct hc_study_halts *halts, struct hc_error *err);

#endif
