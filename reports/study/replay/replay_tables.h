/* replay_tables.h - what only studies of step timelines show: tables for the text and the page, and
 * the sections of the page. Private to this wing. */
#ifndef HC_REPORTS_STUDY_REPLAY_REPLAY_TABLES_H
#define HC_REPORTS_STUDY_REPLAY_REPLAY_TABLES_H

#include "reports/study/study_sections.h"
#include "reports/study/study_tables.h"
#include "study/engines/replay/replay_result.h"

/* Whether slacks are known, as of step timelines. */
bool hc_replay_has_slack(const struct hc_study_result *result);

/* Whether the edits of a run are none: it is the untouched job itself. */
bool hc_replay_is_untouched(const struct hc_study_run *run);

/* What a run is called beside the untouched job: its name; "edited" where there is one run. */
const char *hc_replay_run_title(const struct hc_study_result *result, size_t run);

/* ---- tables (replay_tables.c): fill one, then print it as text or on a page ---- */

/* Step time, change and S of the untouched job and of each run; the first `most` runs. */
void hc_replay_answer_table(struct hc_study_listing *table, const struct hc_study_result *result,
                            size_t most);

/* What each edit of each run did; false where no run has edits. */
bool hc_replay_effects_table(struct hc_study_listing *table, const struct hc_study_result *result,
                             size_t most);

/* The untouched job and the runs beside each other, a column each. */
enum hc_replay_beside {
    HC_BESIDE_RANKS,   /* shortest, median, P95, longest step */
    HC_BESIDE_PARTS,   /* the critical path by op type */
    HC_BESIDE_WORKERS, /* and by worker: those with most of it */
    HC_BESIDE_SLACK,   /* the workers with least slack */
    HC_BESIDE_GAIN,    /* GPU-hours gained */
    HC_N_BESIDES
};

/* At most `most` runs, and those that fit into a width in characters (0: any); returns how many
 * were left out. */
size_t hc_replay_beside_table(struct hc_study_listing *table, const struct hc_study_result *result,
                              enum hc_replay_beside what, size_t most, size_t width);

/* ---- the text (replay_text.c) ---- */

enum hc_status hc_replay_text_answer(const struct hc_study_result *result, FILE *stream,
                                     struct hc_error *err);
enum hc_status hc_replay_text_tables(const struct hc_study_result *result, FILE *stream,
                                     struct hc_error *err);

/* ---- the page (replay_html.c) ---- */

hc_study_section hc_replay_html_steps, hc_replay_html_path, hc_replay_html_edits;

#endif
