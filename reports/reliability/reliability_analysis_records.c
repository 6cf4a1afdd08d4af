/* Fields of fits, trend, two times and lemon nodes. */
#include "reports/reliability/reliability_records.h"

#include "reports/reliability/reliability_report.h"

static const struct hc_reliability_report *report_of(const struct hc_item *at)
{
    return hc_item_root(at);
}

static const struct hc_field estimate_fields[] = {
    HC_FIELD(struct hc_estimate, "value", value, "",
             "of the estimate; null where it cannot be told"),
    HC_FIELD(struct hc_estimate, "low", low, "", "lower end of its interval"),
    HC_FIELD(struct hc_estimate, "high", high, "", "upper end"),
};
const struct hc_record_def hc_estimate_record = HC_RECORD("an estimate", estimate_fields);

/* ---- fits ---- */

HC_GIVES_TEXT(family_of, hc_fit_family_name((enum hc_fit_family)at->index))

static const char *best_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_fits *fits = at->record;
    (void)room;
    return fits->best < 0 ? NULL : hc_fit_family_name((enum hc_fit_family)fits->best);
}

#define FIT(...) HC_FIELD(struct hc_fit, __VA_ARGS__)
#define FIT_ESTIMATE(member)                                                                       \
    {                                                                                              \
        FIT("value", member, "", "of the fit"), FIT("low", member##_low, "", "of its interval"),   \
            FIT("high", member##_high, "", "of its interval")                                      \
    }
static const struct hc_field scale_fields[] = FIT_ESTIMATE(scale);
static const struct hc_field shape_fields[] = FIT_ESTIMATE(shape);
static const struct hc_record_def scale = HC_RECORD(NULL, scale_fields);
static const struct hc_record_def shape = HC_RECORD(NULL, shape_fields);

static const struct hc_field fit_fields[] = {
    HC_TEXT_OF("family", family_of, "of distributions"),
    FIT("lacks", lacks, "", "why there is no fit"),
    FIT("mean_s", mean, "s", "of the fit"),
    HC_GROUP("scale_s", &scale, "exponential: the mean; lognormal: the median", .rules = HC_LINE),
    HC_GROUP("shape", &shape, "lognormal: sigma", .rules = HC_LINE),
    FIT("log_likelihood", log_likelihood, "", "of seconds"),
    FIT("aic", aic, "", "Akaike's criterion"),
    FIT("aicc", aicc, "", "the same for few times"),
    FIT("bic", bic, "", "Schwarz's criterion"),
    FIT("distance", distance, "", "from Kaplan and Meier's curve"),
};
static const struct hc_record_def fit = HC_RECORD(NULL, fit_fields);

static const struct hc_field fits_fields[] = {
    HC_TEXT_OF("best", best_of, "name of the family that fits best"),
    HC_ARRAY(struct hc_fits, "families", fit, &fit, "four"),
};
static const struct hc_record_def fits = HC_RECORD("fits", fits_fields);

HC_GIVES(bool, is_of_all, HC_OF(struct hc_group_fit, at)->source < 0)
HC_GIVES(bool, is_of_one, !is_of_all(at))
HC_GIVES(bool, has_trend, HC_OF(struct hc_group_fit, at)->has_trend_test)
HC_GIVES_TEXT(group_of_fit, hc_reliability_name(report_of(at), HC_NAMES_GROUP,
                                                HC_OF(struct hc_group_fit, at)->group))

#define GROUP(...) HC_FIELD(struct hc_group_fit, __VA_ARGS__)
static const struct hc_field group_fit_fields[] = {
    HC_BOOL_OF("all_groups", is_of_all, "of all of them together"),
    GROUP("source", source, "", "of the group", .has = is_of_one),
    HC_TEXT_OF("group", group_of_fit, "its name"),
    GROUP("nodes", nodes, "", "of the group"),
    GROUP("failures", n_failures, "", "times in use that ended in one"),
    GROUP("cut_off", n_censored, "", "times in use that did not"),
    GROUP("overlapping_failures", n_overlapping, "", "begin while the node is down"),
    GROUP("repairs", n_repairs, "", "with a known end"),
    GROUP("repairs_without_end", n_no_end, "", "repairs that are in no fit"),
    GROUP("zeros", n_zeros, "", "times of nought, taken as half the shortest other one"),
    GROUP("lacks", lacks, "", "why there is no fit"),
    GROUP("trend", trend, "", "Laplace's statistic, positive where failures come late",
          .has = has_trend),
    GROUP("trend_p", trend_p, "", "its p value", .has = has_trend),
    HC_OBJECT(struct hc_group_fit, "between", between, &fits, "of the times in use"),
    HC_OBJECT(struct hc_group_fit, "time_to_repair", repair, &fits, "of the repairs"),
};
static const struct hc_record_def group_fit = HC_RECORD(NULL, group_fit_fields);

/* ---- two times ---- */

HC_GIVES_TEXT(rule_of, hc_rate_rule_name((enum hc_rate_rule)at->index))

#define COMPARISON(...) HC_FIELD(struct hc_rate_comparison, __VA_ARGS__)
static const struct hc_field comparison_fields[] = {
    HC_TEXT_OF("failures", rule_of, "which are counted as such"),
    COMPARISON("first", first, "", "number of failures"),
    COMPARISON("first_node_days", first_days, "node-days", "of the first time"),
    COMPARISON("second", second, "", "number of failures"),
    COMPARISON("second_node_days", second_days, "node-days", "of the second time"),
    HC_OBJECT(struct hc_rate_comparison, "rate_ratio", ratio, &hc_estimate_record,
              "second over first", .rules = HC_LINE),
    COMPARISON("p_value", p_value, "", "exact, both sides"),
};
static const struct hc_record_def comparison = HC_RECORD(NULL, comparison_fields);

/* ---- lemons ---- */

HC_GIVES_TEXT(node_of,
              hc_reliability_name(report_of(at), HC_NAMES_NODE, HC_OF(struct hc_lemon, at)->node))
HC_GIVES_TEXT(group_of_lemon,
              hc_reliability_name(report_of(at), HC_NAMES_GROUP, HC_OF(struct hc_lemon, at)->group))
HC_GIVES_TEXT(group_of_rate, hc_reliability_name(report_of(at), HC_NAMES_GROUP,
                                                 HC_OF(struct hc_lemon_group, at)->group))

static const char *cause_of(const struct hc_item *at, char room[HC_CELL_ROOM])
{
    const struct hc_lemon *lemon = at->record;
    (void)room;
    return hc_incident_cause_info((enum hc_incident_cause)lemon->cause)->name;
}

#define LEMON(...) HC_FIELD(struct hc_lemon, __VA_ARGS__)
static const struct hc_field lemon_fields[] = {
    HC_TEXT_OF("node", node_of, "its name"),
    LEMON("source", source, "", "of the node"),
    HC_TEXT_OF("group", group_of_lemon, "of the node"),
    LEMON("from_ns", from_ns, "ns", "beginning of the window"),
    LEMON("to_ns", to_ns, "ns", "its end"),
    LEMON("days", days, "days", "watched in the window"),
    LEMON("weighted_failures", failures, "", "a shared one in part"),
    LEMON("failures", n_failures, "", "each counted whole"),
    LEMON("shared_failures", n_shared, "", "of these, with other nodes"),
    LEMON("incidents", n_incidents, "", "of any origin"),
    LEMON("causes", n_causes, "", "different ones"),
    HC_TEXT_OF("cause", cause_of, "the most frequent"),
    LEMON("rate_per_1000", per_1000, "", "mean of what its rate can be, per 1,000 days"),
    LEMON("probability", probability, "", "that it is above the factor times that of its group"),
    LEMON("named", is_named, "", "as a lemon"),
};
static const struct hc_record_def lemon = HC_RECORD(NULL, lemon_fields);

#define RATES(...) HC_FIELD(struct hc_lemon_group, __VA_ARGS__)
static const struct hc_field group_fields[] = {
    RATES("source", source, "", "of the group"),
    HC_TEXT_OF("group", group_of_rate, "its name"),
    RATES("windows", n_windows, "", "of nodes"),
    RATES("rate_per_1000", per_1000, "", "failures per 1,000 node-days"),
    RATES("shape_of_rates", shape, "",
          "shape of their gamma distribution, null where nodes do not differ"),
};
static const struct hc_record_def group = HC_RECORD(NULL, group_fields);

HC_GIVES(size_t, count_windows, HC_OF(struct hc_lemons, at)->n)

/* Those that may be lemons. */
static const void *window_at(const struct hc_item *at, size_t i)
{
    const struct hc_lemon *row = &HC_OF(struct hc_lemons, at)->rows[i];
    return row->is_named || row->probability >= 0.5 ? row : NULL;
}

#define LEMONS(...) HC_FIELD(struct hc_lemons, __VA_ARGS__)
static const struct hc_field lemons_fields[] = {
    LEMONS("factor", options.factor, "", "as asked for"),
    LEMONS("window_days", options.window_days, "days", "as asked for"),
    LEMONS("false_discovery_limit", options.fdr, "", "as asked for"),
    LEMONS("named", n_named, "", "windows of nodes"),
    LEMONS("expected_false", expected_false, "", "of those named"),
    HC_LIST(struct hc_lemons, "rates_of_groups", groups, n_groups, &group, ""),
    HC_LIST_OF("node_windows", count_windows, window_at, &lemon,
               "the most probable first: those named and those with a probability of a half or "
               "more"),
};
static const struct hc_record_def lemons = HC_RECORD(NULL, lemons_fields);

/* ---- what was asked for ---- */

HC_GIVES(bool, has_comparison, report_of(at)->comparison != NULL)
HC_GIVES(bool, has_fits, report_of(at)->fits != NULL)
HC_GIVES(bool, has_lemons, report_of(at)->lemons != NULL)
HC_GIVES(size_t, count_rates, HC_N_RATES)
HC_GIVES_ITEM(comparison_at, &report_of(at)->comparison[i])
HC_GIVES(size_t, count_fits, report_of(at)->fits->n)
HC_GIVES_ITEM(fit_at, &report_of(at)->fits->rows[i])

static const struct hc_field analysis_fields[] = {
    HC_LIST_OF("comparison", count_rates, comparison_at, &comparison,
               "with `--compare-from` or `--compare-to`: a row for each of `rates`",
               .has = has_comparison, .rules = HC_LEFT_OUT),
    HC_LIST_OF("fits", count_fits, fit_at, &group_fit,
               "with `--fits`: a row a group, and before them one of all where there are several",
               .has = has_fits, .rules = HC_LEFT_OUT),
    HC_OBJECT_BEHIND(struct hc_reliability_report, "lemons", lemons, &lemons, "with `--lemons`",
                     .has = has_lemons, .rules = HC_LEFT_OUT),
};
const struct hc_record_def hc_reliability_analysis_record = HC_RECORD(NULL, analysis_fields);
