/* life_views.h - what the views of a study show of lifetimes only. */
#ifndef HC_REPORTS_STUDY_LIFETIME_LIFE_VIEWS_H
#define HC_REPORTS_STUDY_LIFETIME_LIFE_VIEWS_H

#include "reports/study/study_engine_views.h"

extern const struct hc_study_engine_views hc_life_views;

#endif
