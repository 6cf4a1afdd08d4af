/* night_alerts.h - what other programs take of a night: metrics, alerts, nodes to drain. */
#ifndef HC_REPORTS_NIGHT_NIGHT_ALERTS_H
#define HC_REPORTS_NIGHT_NIGHT_ALERTS_H

#include "reports/night/night_report.h"

/* The findings that nobody has acknowledged as an array of alerts, as POST /api/v2/alerts of an
 * Alertmanager takes it. An alert ends 36 hours after its day, unless a later report renews it.
 * HC_IO: the stream failed. */
enum hc_status hc_night_write_alerts(const struct hc_night_report *report, FILE *stream,
                                     struct hc_error *err);

/* Whether a finding would have its node drained: a lemon that nobody has acknowledged. */
bool hc_night_drains(const struct hc_shown_finding *shown);

/* A line `scontrol update nodename=... state=drain reason="..."` for each of these nodes. Fit for a
 * shell whatever the findings say: a name with other characters than those of host names is a
 * comment. */
void hc_night_write_drain(const struct hc_night_report *report, FILE *stream);

/* Metrics in the text format of Prometheus (0.0.4), for the textfile collector of a node-exporter:
 * gauges in base units, without times of samples, with bounded labels. */
struct hc_night_metrics {
    const struct hc_night_report *report;      /* of the newest day */
    const struct hc_night_result *final;       /* of the newest day that is final; NULL: none is */
    const struct hc_night_result *provisional; /* of the newest day, if it is not; NULL */
    int64_t success_s;                         /* Unix time at which the report was made */
};
void hc_night_write_metrics(const struct hc_night_metrics *metrics, FILE *stream);

#endif
