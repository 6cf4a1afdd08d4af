/* fleet_views.h - what the views of a fleet have in common: keys, words and number formats. */
#ifndef HC_REPORTS_FLEET_FLEET_VIEWS_H
#define HC_REPORTS_FLEET_FLEET_VIEWS_H

#include "core/text/number_format.h"
#include "reports/fleet/fleet_report.h"
#include "sim/fleet/fleet_summary.h"

/* "analysed", "restarted", "unreadable", "damaged", "no_memory", "few_steps", "no_replay",
 * "discrepancy". */
const char *hc_fleet_stage_key(enum hc_fleet_fate fate);

/* The same for people, with the limit of the report where there is one: "over 15 attempts". */
#define HC_FLEET_STAGE_TEXT 48
const char *hc_fleet_stage_text(const struct hc_fleet_report *report, enum hc_fleet_fate fate,
                                char text[HC_FLEET_STAGE_TEXT]);

/* The stages of the funnel as they are passed. */
extern const enum hc_fleet_fate hc_fleet_stages[HC_N_FLEET_FATES];

/* "m_w", "m_s", "correlation"; "M_W > 0.5", ... */
const char *hc_fleet_metric_key(enum hc_fleet_metric_id id);
const char *hc_fleet_metric_text(enum hc_fleet_metric_id id);

/* "computation", "pipeline communication", ... */
const char *hc_fleet_class_text(enum hc_fleet_class op_class);

/* "waste", "slowdown S", ...; "jobs", "GPU-hours", ... */
const char *hc_fleet_cdf_text(enum hc_fleet_cdf_id id);
const char *hc_fleet_weight_text(enum hc_fleet_cdf_id id);
/* Whether its values are shares of 1, and not ratios. */
bool hc_fleet_cdf_is_share(enum hc_fleet_cdf_id id);
/* A value of it: shares as per cent, ratios with three decimals. */
const char *hc_fleet_cdf_value(enum hc_fleet_cdf_id id, double value, char text[HC_NUMBER_TEXT]);

/* "2 of 300 jobs are lacking: 1 cannot be read, 1 damaged; their GPU-hours are not known". */
#define HC_FLEET_LACKING_TEXT 320
const char *hc_fleet_lacking_text(const struct hc_fleet_summary *summary,
                                  char text[HC_FLEET_LACKING_TEXT]);

/* "2,048 to 4,095", "not known". */
const char *hc_fleet_size_text(const struct hc_fleet_size *size, char text[2 * HC_NUMBER_TEXT]);

/* GPU-hours in at most ten columns: "0.0042", "4.20", "38.1", "12,345", "123.4 M". */
const char *hc_fleet_hours_text(double hours, char text[HC_NUMBER_TEXT]);

/* GPU-hours of the jobs of a part; NaN when there are jobs, and of none the GPU-hours are known. */
double hc_fleet_part_hours(const struct hc_fleet_part *part);

/* "cluster/id" or only the id in the cluster "default", and "#2" for other attempts than 0. As it
 * is in the row: to be cleaned by the view. */
const char *hc_fleet_job_text(const struct hc_fleet_row *row, char *text, size_t size);

/* The place of each row in the ranking by GPU-hours lost, from 1; 0 for those that are not in it.
 * The caller frees it. NULL with err filled when memory is short. */
size_t *hc_fleet_ranks(const struct hc_fleet_report *report, struct hc_error *err);

#endif
