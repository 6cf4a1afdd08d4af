#include "reports/rates/rates_records.h"

#include "core/base/clock.h"
#include "core/tables/incidents/incident_scope.h"
#include "core/tables/jobs/job_state.h"
#include "reports/rates/rates_report.h"

static const struct hc_rates_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_failure_rates *rates_of(const struct hc_item *at)
{
    return report_of(at)->rates;
}

#define RATE(...)   HC_FIELD(struct hc_rate_row, __VA_ARGS__)
#define RATE_OF(at) HC_OF(struct hc_rate_row, at)
HC_GIVES_TEXT(rate_class, hc_rate_class_name(RATE_OF(at)->class))
HC_GIVES_TEXT(rate_basis, hc_rate_basis_name(RATE_OF(at)->basis))
static const struct hc_field rate_fields[] = {
    HC_TEXT_OF("class", rate_class,
               "failures that are counted: certain, likely, infrastructure (both), with_unknown"),
    HC_TEXT_OF("basis", rate_basis, "node-time: running, allocated, installed"),
    RATE("failures", n, "", "of running: those that ended a launch"),
    RATE("node_days", node_days, "d", "that they are counted over"),
    RATE("per_1000", per_1000, "", "failures per 1,000 node-days"),
    RATE("low", low, "", "of the exact Poisson interval of 95 %"),
    RATE("high", high, "", "of the same"),
    RATE("dispersion", dispersion, "",
         "variance over mean of the counts of days, at least 1: more than 1 where failures come "
         "in bursts"),
    RATE("wide_low", wide_low, "", "of the interval, widened by the dispersion"),
    RATE("wide_high", wide_high, "", "of the same"),
    RATE("mttf_h", mttf_h, "h", "mean time to failure of a node"),
    RATE("mttf_low", mttf_low, "h", "by the widened interval"),
    RATE("mttf_high", mttf_high, "h", "by the same; null: none failed"),
};
static const struct hc_record_def rate_record = HC_RECORD(NULL, rate_fields);

#define INCIDENT(...) HC_FIELD(struct hc_rated_incident, __VA_ARGS__)
#define FAILURE_OF(at)                                                                             \
    (&rates_of(at)->failures->failures[HC_OF(struct hc_rated_incident, at)->failure])
HC_GIVES(int64_t, incident_job, FAILURE_OF(at)->job)
HC_GIVES_TEXT(incident_end, hc_known_iso8601(FAILURE_OF(at)->end_ns, room))
HC_GIVES_TEXT(incident_scope, hc_incident_scope_name(HC_OF(struct hc_rated_incident, at)->scope))
HC_GIVES_TEXT(incident_evidence, hc_evidence_name(FAILURE_OF(at)->evidence))
HC_GIVES_TEXT(incident_event, FAILURE_OF(at)->event
                                  ? hc_event_class_name(FAILURE_OF(at)->event->event_class)
                                  : NULL)
HC_GIVES(double, incident_hours, hc_gpu_hours(HC_OF(struct hc_rated_incident, at)->gpu_ns))
static const struct hc_field incident_fields[] = {
    HC_INTEGER_OF("job", incident_job, "", "that it stopped first"),
    HC_TEXT_OF("end", incident_end, "of that attempt or launch"),
    HC_TEXT_OF("scope", incident_scope,
               "how far it reached: as people or its record say, else device or node"),
    HC_TEXT_OF("evidence", incident_evidence, "that it was of the infrastructure"),
    HC_TEXT_OF("event", incident_event, "what a node said; null: the scheduler alone tells it"),
    INCIDENT("stopped", n_stopped, "", "attempts and launches"),
    HC_REAL_OF("gpu_hours", incident_hours, "GPU-hours", "that it cost in all"),
};
static const struct hc_record_def incident_record = HC_RECORD(NULL, incident_fields);

#define REPORT(...) HC_FIELD(struct hc_rates_report, __VA_ARGS__)
HC_GIVES_TEXT(first_day, report_of(at)->days->n ? report_of(at)->days->names[0] : NULL)
HC_GIVES_TEXT(last_day, report_of(at)->days->n
                            ? report_of(at)->days->names[report_of(at)->days->n - 1]
                            : NULL)
HC_GIVES(double, chance_of, rates_of(at)->chance)
HC_GIVES(int64_t, known_of, rates_of(at)->n_chance_known)
HC_GIVES(int64_t, user_of, rates_of(at)->n_user)
HC_GIVES(int64_t, coincident_of, rates_of(at)->n_coincident)
HC_GIVES(int64_t, without_of, rates_of(at)->n_attempts_without_nodes)
HC_GIVES(size_t, count_rates, (size_t)HC_N_RATE_CLASSES *HC_N_RATE_BASES)
HC_GIVES_ITEM(rate_at, &rates_of(at)->rows[i / HC_N_RATE_BASES][i % HC_N_RATE_BASES])
HC_GIVES(size_t, count_incidents, rates_of(at)->n_incidents)
HC_GIVES_ITEM(incident_at, &rates_of(at)->incidents[i])
static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("zone", zone, "", "of the days"),
    HC_TEXT_OF("first_day", first_day, "that is looked at"),
    HC_TEXT_OF("last_day", last_day, "that is looked at"),
    REPORT("nodes", n_installed, "", "that are taken for installed"),
    REPORT("is_nodes_given", is_installed_given, "",
           "by --nodes; else they are those that jobs of these days name"),
    HC_REAL_OF("chance", chance_of, "",
               "likely failures that chance alone would give: the same windows on other days"),
    HC_INTEGER_OF("chance_of", known_of, "", "failures of which other days are known"),
    HC_INTEGER_OF("user", user_of, "", "failures of users, which no rate counts"),
    HC_INTEGER_OF("coincident", coincident_of, "",
                  "unknown ones with an event in their window that proves nothing"),
    HC_INTEGER_OF("attempts_without_nodes", without_of, "",
                  "whose record does not tell how many nodes they had: in no node-time"),
    HC_LIST_OF("rates", count_rates, rate_at, &rate_record, "by class and node-time",
               .rules = HC_LINE),
    HC_LIST_OF("incidents", count_incidents, incident_at, &incident_record,
               "of the infrastructure, dearest first", .rules = HC_LINE),
};
const struct hc_record_def hc_rates_record = HC_RECORD(NULL, report_fields);
