/* replay_views.h - what the views of a study show of step timelines only. */
#ifndef HC_REPORTS_STUDY_REPLAY_REPLAY_VIEWS_H
#define HC_REPORTS_STUDY_REPLAY_REPLAY_VIEWS_H

#include "reports/study/study_engine_views.h"

extern const struct hc_study_engine_views hc_replay_views;

#endif
