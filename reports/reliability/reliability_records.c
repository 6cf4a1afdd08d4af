#include "reports/reliability/reliability_records.h"

#include "reports/reliability/reliability_report.h"

static const struct hc_reliability_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_tally *tally_of(const struct hc_item *at)
{
    return at->record;
}

static const struct hc_incident_cause_info *info_of(const struct hc_item *at)
{
    return hc_incident_cause_info((enum hc_incident_cause)tally_of(at)->key);
}

/* ---- totals ---- */

HC_GIVES(double, level_of, HC_RELIABILITY_LEVEL)
HC_GIVES(bool, knows_nodes, HC_OF(struct hc_reliability, at)->n_groups_known > 0)

#define TOTAL(...) HC_FIELD(struct hc_reliability, __VA_ARGS__)
static const struct hc_field total_fields[] = {
    TOTAL("sources", n_sources, "", "files or segments"),
    TOTAL("incidents", n_incidents, "", "all that are counted"),
    TOTAL("incidents_out_of_window", n_out_of_window, "", "left out by `--from` and `--to`"),
    TOTAL("incidents_exposed", n_exposed, "", "those that rates count"),
    TOTAL("incidents_without_time", n_no_time, "", "of which that is not recorded"),
    TOTAL("incidents_without_node", n_no_node, "", "of which that is not recorded"),
    TOTAL("incidents_without_end", n_no_end, "", "of which that is not recorded"),
    TOTAL("groups", n_groups, "", "parts of the fleet"),
    TOTAL("groups_known", n_groups_known, "",
          "those of which nodes and time of watching are known"),
    TOTAL("nodes", nodes, "", "of the known groups", .has = knows_nodes),
    TOTAL("node_days", node_days, "node-days", "of the known groups"),
    TOTAL("span_days", span_days, "days", "of the known groups"),
    TOTAL("nodes_struck", n_nodes_struck, "", "nodes with at least one incident"),
    TOTAL("repeats", n_repeats, "", "incidents of a node that had one before"),
    TOTAL("overlapping_starts", n_overlapping, "",
          "incidents that begin while the node has an open one"),
    HC_REAL_OF("level", level_of, "", "of all intervals"),
};
static const struct hc_record_def totals = HC_RECORD(NULL, total_fields);

/* ---- rates and repair ---- */

HC_GIVES_TEXT(rule_of, hc_rate_rule_name((enum hc_rate_rule)at->index))

#define RATE(...) HC_FIELD(struct hc_reliability_rate, __VA_ARGS__)
#define RATE_ESTIMATE(name, member, sentence)                                                      \
    HC_OBJECT(struct hc_reliability_rate, name, member, &hc_estimate_record, sentence,             \
              .rules = HC_LINE)
static const struct hc_field rate_fields[] = {
    HC_TEXT_OF("failures", rule_of, "which are counted as such"),
    RATE("count", count, "", "of them"),
    RATE("exposed", exposed, "", "of them, those in the rate"),
    RATE_ESTIMATE("per_1000_node_days", per_1000, ""),
    RATE_ESTIMATE("mttf_node_h", mttf_node_h, "time in use of a node per failure"),
    RATE_ESTIMATE("mttf_fleet_h", mttf_fleet_h, "time until any of the nodes fails"),
    RATE("mtbf_node_h", mtbf_node_h, "h", "up-time of a node per failure"),
};
static const struct hc_record_def rate = HC_RECORD(NULL, rate_fields);

static const struct hc_field repair_fields[] = {
    TOTAL("known", all.n_repairs, "", "repair times"),
    TOTAL("mttr_h", mttr_h, "h", "their mean"),
    TOTAL("mean_s", all.repair_mean_s, "s", "the same"),
    TOTAL("median_s", all.repair_median_s, "s", "their median"),
    TOTAL("outages", n_outages, "", "of nodes in known groups, overlapping incidents merged"),
    TOTAL("down_node_days", down_node_days, "node-days", "of these"),
    TOTAL("availability", availability, "", "share of the node-days that nodes were up"),
};
static const struct hc_record_def repair = HC_RECORD(NULL, repair_fields);

/* ---- tallies ---- */

#define TALLY(...) HC_FIELD(struct hc_tally, __VA_ARGS__)
#define TALLY_HEAD                                                                                 \
    TALLY("count", count, "", "of incidents"), TALLY("share", share, "", "of all incidents")
#define TALLY_RATE                                                                                 \
    HC_OBJECT(struct hc_tally, "per_1000_node_days", per_1000, &hc_estimate_record, "",            \
              .rules = HC_LINE)
#define TALLY_REPAIRS                                                                              \
    TALLY("repairs", n_repairs, "", "whose end is known"),                                         \
        TALLY("repair_mean_s", repair_mean_s, "s", "of these"),                                    \
        TALLY("repair_median_s", repair_median_s, "s", "of these")
static const struct hc_field tally_fields[] = {TALLY_HEAD, TALLY_RATE, TALLY_REPAIRS};
static const struct hc_record_def tally = HC_RECORD("a tally", tally_fields);

HC_GIVES_TEXT(domain_of, hc_fault_domain_name((enum hc_fault_domain)tally_of(at)->key))
HC_GIVES_TEXT(class_of, hc_incident_class_name((enum hc_incident_class)tally_of(at)->key))
HC_GIVES_TEXT(origin_of, hc_fault_origin_name((enum hc_fault_origin)tally_of(at)->key))
HC_GIVES_TEXT(cause_of, info_of(at)->name)
HC_GIVES_TEXT(domain_of_cause, hc_fault_domain_name(info_of(at)->domain))
HC_GIVES_TEXT(origin_of_cause, hc_fault_origin_name(info_of(at)->origin))
HC_GIVES_TEXT(words_of, hc_reliability_words(report_of(at), at->record))
HC_GIVES_TEXT(action_of, hc_reliability_name(report_of(at), HC_NAMES_ACTION, tally_of(at)->key))
HC_GIVES_TEXT(cause_of_words,
              hc_incident_cause_info((enum hc_incident_cause)tally_of(at)->cause)->name)
HC_GIVES_TEXT(node_of, hc_reliability_name(report_of(at), HC_NAMES_NODE, tally_of(at)->node))

static const char *month_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    _Static_assert(HC_PERIOD_TEXT <= HC_CELL_ROOM, "a month must fit a cell");
    return hc_reliability_month(tally_of(at)->key, room);
}

static const struct hc_field domain_fields[] = {HC_TEXT_OF("domain", domain_of, "what failed"),
                                                HC_SAME_PART(&tally)};
static const struct hc_field class_fields[] = {
    HC_TEXT_OF("class", class_of, "`explicit`, `implicit` or `manual`"), HC_SAME_PART(&tally)};
static const struct hc_field origin_fields[] = {
    HC_TEXT_OF("origin", origin_of, "whose fault it is"), HC_SAME_PART(&tally)};
static const struct hc_field cause_fields[] = {
    HC_TEXT_OF("cause", cause_of, "of the taxonomy"),
    HC_TEXT_OF("domain", domain_of_cause, "of the cause"),
    HC_TEXT_OF("origin", origin_of_cause, "of the cause"),
    HC_SAME_PART(&tally),
};
static const struct hc_field text_fields[] = {
    HC_TEXT_OF("text", words_of, "words of the source"),
    HC_TEXT_OF("cause", cause_of_words, "that they were taken for"),
    HC_SAME_PART(&tally),
};
static const struct hc_field action_fields[] = {
    HC_TEXT_OF("action", action_of, "what was done, in words of the source"), HC_SAME_PART(&tally)};
static const struct hc_field node_fields[] = {
    HC_TEXT_OF("node", node_of, "its name"),
    TALLY("source", source, "", "place of its source among all, from 0"),
    TALLY_HEAD,
    TALLY_REPAIRS,
};
static const struct hc_field month_fields[] = {
    HC_TEXT_OF("month", month_of, "of a calendar, or 30 days since the source begins"),
    HC_SAME_PART(&tally),
};
static const struct hc_record_def domain = HC_RECORD(NULL, domain_fields);
static const struct hc_record_def class = HC_RECORD(NULL, class_fields);
static const struct hc_record_def origin = HC_RECORD(NULL, origin_fields);
static const struct hc_record_def text = HC_RECORD(NULL, text_fields);
static const struct hc_record_def action = HC_RECORD(NULL, action_fields);
const struct hc_record_def hc_cause_tally_record = HC_RECORD(NULL, cause_fields);
const struct hc_record_def hc_node_tally_record = HC_RECORD(NULL, node_fields);
const struct hc_record_def hc_month_tally_record = HC_RECORD(NULL, month_fields);

/* ---- the document ---- */

#define TALLIES(name, member, def, sentence)                                                       \
    HC_LIST(struct hc_reliability, name, member.rows, member.n, def, sentence)
static const struct hc_field result_fields[] = {
    HC_SAME_PART(&totals),
    HC_ARRAY(struct hc_reliability, "rates", rates, &rate, "three rows"),
    HC_GROUP("repair", &repair, ""),
    TALLIES("by_domain", domains, &domain, "tallies"),
    TALLIES("by_class", classes, &class, "tallies"),
    TALLIES("by_origin", origins, &origin, "tallies"),
    TALLIES("by_cause", causes, &hc_cause_tally_record, "tallies, the most frequent first"),
    TALLIES("by_text", texts, &text, "tallies by the words of the source"),
    TALLIES("by_action", actions, &action, "tallies of those of which the action is recorded"),
    TALLIES("by_node", nodes_struck, &hc_node_tally_record, "tallies, the most frequent first"),
    TALLIES("by_month", months, &hc_month_tally_record,
            "tallies; the rate is over the node-days of the month"),
};
static const struct hc_record_def result = HC_RECORD(NULL, result_fields);

HC_GIVES_ITEM(result_of, report_of(at)->result)

static const struct hc_field document_fields[] = {
    HC_PART_OF(result_of, &result),
    HC_SAME_PART(&hc_reliability_analysis_record),
};
const struct hc_record_def hc_reliability_record = HC_RECORD(NULL, document_fields);
