/* Fits, trend, two times and lemon nodes as JSON. */
#include "reports/reliability/reliability_report.h"

#include <math.h>

/* ---- fits ---- */

static void put_fits(struct hc_json_writer *json, const char *key, const struct hc_fits *fits)
{
    hc_json_object(json, key);
    hc_json_text(json, "best",
                 fits->best < 0 ? NULL : hc_fit_family_name((enum hc_fit_family)fits->best));
    hc_json_array(json, "families");
    for (int i = 0; i < HC_N_FIT_FAMILIES; i++) {
        const struct hc_fit *fit = &fits->fit[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "family", hc_fit_family_name((enum hc_fit_family)i));
        hc_json_text(json, "lacks", fit->lacks);
        hc_json_real(json, "mean_s", fit->mean);
        hc_reliability_put_estimate(
            json, "scale_s", &(struct hc_estimate){fit->scale, fit->scale_low, fit->scale_high});
        hc_reliability_put_estimate(
            json, "shape", &(struct hc_estimate){fit->shape, fit->shape_low, fit->shape_high});
        hc_json_real(json, "log_likelihood", fit->log_likelihood);
        hc_json_real(json, "aic", fit->aic);
        hc_json_real(json, "aicc", fit->aicc);
        hc_json_real(json, "bic", fit->bic);
        hc_json_real(json, "distance", fit->distance);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_end(json);
}

static void put_groups(struct hc_json_writer *json, const struct hc_reliability_report *report)
{
    const struct hc_group_fits *fits = report->fits;
    hc_json_array(json, "fits");
    for (size_t i = 0; i < fits->n; i++) {
        const struct hc_group_fit *fit = &fits->rows[i];
        hc_json_object(json, NULL);
        hc_json_bool(json, "all_groups", fit->source < 0);
        hc_json_i64(json, "source", fit->source < 0 ? HC_MISSING_I64 : fit->source);
        hc_json_text(json, "group", hc_reliability_name(report, HC_NAMES_GROUP, fit->group));
        hc_json_i64(json, "nodes", fit->nodes);
        hc_json_i64(json, "failures", fit->n_failures);
        hc_json_i64(json, "cut_off", fit->n_censored);
        hc_json_i64(json, "overlapping_failures", fit->n_overlapping);
        hc_json_i64(json, "repairs", fit->n_repairs);
        hc_json_i64(json, "repairs_without_end", fit->n_no_end);
        hc_json_i64(json, "zeros", fit->n_zeros);
        hc_json_text(json, "lacks", fit->lacks);
        hc_json_real(json, "trend", fit->has_trend_test ? fit->trend : NAN);
        hc_json_real(json, "trend_p", fit->has_trend_test ? fit->trend_p : NAN);
        put_fits(json, "between", &fit->between);
        put_fits(json, "time_to_repair", &fit->repair);
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* ---- two times ---- */

static void put_comparison(struct hc_json_writer *json, const struct hc_reliability_report *report)
{
    hc_json_array(json, "comparison");
    for (int i = 0; i < HC_N_RATES; i++) {
        const struct hc_rate_comparison *c = &report->comparison[i];
        hc_json_object(json, NULL);
        hc_json_text(json, "failures", hc_rate_rule_name((enum hc_rate_rule)i));
        hc_json_i64(json, "first", c->first);
        hc_json_real(json, "first_node_days", c->first_days);
        hc_json_i64(json, "second", c->second);
        hc_json_real(json, "second_node_days", c->second_days);
        hc_reliability_put_estimate(json, "rate_ratio", &c->ratio);
        hc_json_real(json, "p_value", c->p_value);
        hc_json_end(json);
    }
    hc_json_end(json);
}

/* ---- lemons ---- */

static void put_lemon(struct hc_json_writer *json, const struct hc_reliability_report *report,
                      const struct hc_lemon *lemon)
{
    hc_json_object(json, NULL);
    hc_json_text(json, "node", hc_reliability_name(report, HC_NAMES_NODE, lemon->node));
    hc_json_i64(json, "source", lemon->source);
    hc_json_text(json, "group", hc_reliability_name(report, HC_NAMES_GROUP, lemon->group));
    hc_json_i64(json, "from_ns", lemon->from_ns);
    hc_json_i64(json, "to_ns", lemon->to_ns);
    hc_json_real(json, "days", lemon->days);
    hc_json_real(json, "weighted_failures", lemon->failures);
    hc_json_i64(json, "failures", lemon->n_failures);
    hc_json_i64(json, "shared_failures", lemon->n_shared);
    hc_json_i64(json, "incidents", lemon->n_incidents);
    hc_json_i64(json, "causes", lemon->n_causes);
    hc_json_text(json, "cause", hc_incident_cause_info((enum hc_incident_cause)lemon->cause)->name);
    hc_json_real(json, "rate_per_1000", lemon->per_1000);
    hc_json_real(json, "probability", lemon->probability);
    hc_json_bool(json, "named", lemon->is_named);
    hc_json_end(json);
}

static void put_lemons(struct hc_json_writer *json, const struct hc_reliability_report *report)
{
    const struct hc_lemons *lemons = report->lemons;
    hc_json_object(json, "lemons");
    hc_json_real(json, "factor", lemons->options.factor);
    hc_json_real(json, "window_days", lemons->options.window_days);
    hc_json_real(json, "false_discovery_limit", lemons->options.fdr);
    hc_json_i64(json, "named", (int64_t)lemons->n_named);
    hc_json_real(json, "expected_false", lemons->expected_false);
    hc_json_array(json, "rates_of_groups");
    for (size_t i = 0; i < lemons->n_groups; i++) {
        const struct hc_lemon_group *group = &lemons->groups[i];
        hc_json_object(json, NULL);
        hc_json_i64(json, "source", group->source);
        hc_json_text(json, "group", hc_reliability_name(report, HC_NAMES_GROUP, group->group));
        hc_json_i64(json, "windows", group->n_windows);
        hc_json_real(json, "rate_per_1000", group->per_1000);
        hc_json_real(json, "shape_of_rates", group->shape);
        hc_json_end(json);
    }
    hc_json_end(json);
    hc_json_array(json, "node_windows");
    for (size_t i = 0; i < lemons->n; i++)
        if (lemons->rows[i].is_named || lemons->rows[i].probability >= 0.5)
            put_lemon(json, report, &lemons->rows[i]);
    hc_json_end(json);
    hc_json_end(json);
}

void hc_reliability_write_analysis_json(const struct hc_reliability_report *report,
                                        struct hc_json_writer *json)
{
    if (report->comparison)
        put_comparison(json, report);
    if (report->fits)
        put_groups(json, report);
    if (report->lemons)
        put_lemons(json, report);
}
