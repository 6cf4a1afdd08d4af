/* reliability_report.h - the views of a reliability result. */
#ifndef HC_REPORTS_RELIABILITY_RELIABILITY_REPORT_H
#define HC_REPORTS_RELIABILITY_RELIABILITY_REPORT_H

#include "core/text/json_writer.h"
#include "models/incidents/reliability.h"
#include "models/incidents/reliability_analysis.h"

#include <stdio.h>

enum hc_reliability_grouping { HC_BY_CAUSE, HC_BY_NODE, HC_BY_MONTH };

struct hc_reliability_report {
    const struct hc_reliability *result;
    const struct hc_table_names *names;
    enum hc_reliability_grouping by; /* the table at the end of the text, and that of the CSV */
    /* NULL: not asked for. */
    const struct hc_rate_comparison *comparison; /* [HC_N_RATES] */
    const struct hc_group_fits *fits;
    const struct hc_lemons *lemons;
    bool is_relative;   /* times are days since a beginning of the source's own */
    const char *run_id; /* of a page that is one of several files; or NULL */
};

void hc_reliability_write_text(const struct hc_reliability_report *report, FILE *stream);

/* Members of the object that is open. */
void hc_reliability_write_json(const struct hc_reliability_report *report,
                               struct hc_json_writer *json);
void hc_reliability_write_csv(const struct hc_reliability_report *report, FILE *stream);

/* The page: what was watched, the figures, failures, causes, nodes and months, and what was asked
 * for beyond counts. Fails when memory is short or the stream does. */
enum hc_status hc_reliability_write_html(const struct hc_reliability_report *report, FILE *stream,
                                         struct hc_error *err);

/* What was asked for beyond counts, as text: called by hc_reliability_write_text. */
void hc_reliability_write_analysis_text(const struct hc_reliability_report *report, FILE *stream);

/* ---- labels, the same in every view ---- */

#define HC_PERIOD_TEXT 64

/* "infrastructure", "infrastructure and unknown", "all but planned" */
const char *hc_rate_rule_name(enum hc_rate_rule rule);

/* "2024-05", or "day 30 to 60". */
const char *hc_reliability_month(int64_t key, char text[HC_PERIOD_TEXT]);

/* "2024-05-31", or "day 30". */
const char *hc_reliability_day(int64_t ns, bool is_relative, char text[HC_PERIOD_TEXT]);

/* "3.2 d", "1.50 h", "12.0 min". text has HC_NUMBER_TEXT bytes. */
const char *hc_reliability_hours(double h, char *text);

/* The text of a code, or NULL where it is missing. */
const char *hc_reliability_name(const struct hc_reliability_report *report,
                                enum hc_incident_dictionary dictionary, int64_t code);

/* The words of the source that a row of result->texts stands for. */
const char *hc_reliability_words(const struct hc_reliability_report *report,
                                 const struct hc_tally *row);

#endif
