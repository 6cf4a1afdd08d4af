#include "reports/fit/fit_report.h"

#include "core/base/clock.h"
#include "core/base/missing.h"

#include <math.h>
#include <stdio.h>

/* ---- a parameter ---- */

#define PARAMETER(at)        HC_OF(struct hc_fit_parameter, at)
#define PARAMETER_FIELD(...) HC_FIELD(struct hc_fit_parameter, __VA_ARGS__)

static const char *form_of(const struct hc_fit_parameter *p)
{
    switch (p->form) {
    case HC_FIT_ABSENT:
        return NULL;
    case HC_FIT_WORD:
        return "word";
    case HC_FIT_COUNT:
        return "count";
    default:
        return hc_fit_parameter_family(p);
    }
}
static int64_t known(int64_t n)
{
    return n < 0 ? HC_MISSING_I64 : n;
}
HC_GIVES_TEXT(form_name, form_of(PARAMETER(at)))
HC_GIVES_TEXT(word_of, PARAMETER(at)->form == HC_FIT_WORD ? PARAMETER(at)->word : NULL)
HC_GIVES(double, mean_of, PARAMETER(at)->first.value)
HC_GIVES(double, low_of, PARAMETER(at)->first.low)
HC_GIVES(double, high_of, PARAMETER(at)->first.high)
HC_GIVES(double, second_of, PARAMETER(at)->second.value)
HC_GIVES(double, second_low_of, PARAMETER(at)->second.low)
HC_GIVES(double, second_high_of, PARAMETER(at)->second.high)
HC_GIVES(double, median_of, PARAMETER(at)->median.value)
HC_GIVES(double, median_low_of, PARAMETER(at)->median.low)
HC_GIVES(double, median_high_of, PARAMETER(at)->median.high)
HC_GIVES(int64_t, n_of, known(PARAMETER(at)->n))
HC_GIVES(int64_t, censored_of, known(PARAMETER(at)->n_censored))
HC_GIVES(int64_t, left_out_of, known(PARAMETER(at)->n_left_out))
HC_GIVES(bool, is_key, PARAMETER(at)->path[0] == '/' && !PARAMETER(at)->needs)

static const struct hc_field parameter_fields[] = {
    PARAMETER_FIELD("path", path, "",
                    "pointer in the scenario; without a slash: it is told only, and no key"),
    HC_BOOL_OF("is_key", is_key, "the scenario has it, unless it is not fitted"),
    HC_TEXT_OF("form", form_name,
               "number, count, word, or the family of the distribution; null: it is not fitted"),
    HC_TEXT_OF("word", word_of, "of form word"),
    PARAMETER_FIELD("unit", unit, "", "of mean, low, high and median"),
    HC_REAL_OF("mean", mean_of, "", "the number, or the mean of the distribution"),
    HC_REAL_OF("low", low_of, "", "of its 95 % interval; null: nothing tells"),
    HC_REAL_OF("high", high_of, "", "of that interval"),
    HC_REAL_OF("second", second_of, "",
               "of a lognormal its standard deviation, of Weibull and gamma the shape"),
    HC_REAL_OF("second_low", second_low_of, "", "of its 95 % interval"),
    HC_REAL_OF("second_high", second_high_of, "", "of that interval"),
    HC_REAL_OF("median", median_of, "", "of the times that were seen, where none was cut off"),
    HC_REAL_OF("median_low", median_low_of, "", "of its 95 % interval, by order statistics"),
    HC_REAL_OF("median_high", median_high_of, "", "of that interval"),
    HC_INTEGER_OF("n", n_of, "", "times or incidents behind it"),
    HC_INTEGER_OF("n_censored", censored_of, "", "times that were not over, as far as they went"),
    HC_INTEGER_OF("n_left_out", left_out_of, "", "of which nothing could be used"),
    PARAMETER_FIELD("source", source, "", "tables that it is from", .rules = HC_NULL_IF_EMPTY),
    PARAMETER_FIELD("note", note, "", "what else is to be known", .rules = HC_NULL_IF_EMPTY),
};
static const struct hc_record_def parameter_record = HC_RECORD(NULL, parameter_fields);

/* ---- the report ---- */

#define REPORT(...) HC_FIELD(struct hc_fit_report, __VA_ARGS__)
HC_GIVES(size_t, count_parameters, HC_OF(struct hc_fit_report, at)->parameters->n)
HC_GIVES_ITEM(nth_parameter, &HC_OF(struct hc_fit_report, at)->parameters->list[i])

static const struct hc_field report_fields[] = {
    REPORT("archive", archive, "", "that was read"),
    REPORT("cluster", cluster, "", "that was asked for; null: all"),
    REPORT("run", run, "", "whose job and checkpoints are fitted; null: of none"),
    REPORT("from", from, "", "first time that counts"),
    REPORT("to", to, "", "last time that counts"),
    REPORT("node_days", node_days, "days", "of jobs with GPUs: nodes times time"),
    HC_LIST_OF("parameters", count_parameters, nth_parameter, &parameter_record,
               "in the order of a scenario", .rules = HC_LINE),
};
const struct hc_record_def hc_fit_record = HC_RECORD(NULL, report_fields);

/* ---- the backtest ---- */

#define PERIOD(at)        HC_OF(struct hc_backtest_period, at)
#define PERIOD_FIELD(...) HC_FIELD(struct hc_backtest_period, __VA_ARGS__)
#define DAY_NS            ((int64_t)86400 * 1000000000)

static const char *put_day(int64_t day, char room[HC_CELL_ROOM])
{
    hc_format_iso8601(day * DAY_NS, room);
    room[10] = '\0';
    return room;
}
static bool is_predicted(const struct hc_item *at)
{
    return PERIOD(at)->is_held_out && PERIOD(at)->node_days > 0;
}
HC_GIVES_TEXT(from_of, put_day(PERIOD(at)->from_day, room))
HC_GIVES_TEXT(to_of, put_day(PERIOD(at)->to_day, room))

static const struct hc_field period_fields[] = {
    HC_TEXT_OF("from", from_of, "first day, UTC"),
    HC_TEXT_OF("to", to_of, "the day after the last"),
    PERIOD_FIELD("node_days", node_days, "days", "of jobs with GPUs"),
    PERIOD_FIELD("failures", n_strikes, "", "of the infrastructure: attempts, and launches"),
    PERIOD_FIELD("incidents", n_incidents, "", "behind them"),
    PERIOD_FIELD("is_held_out", is_held_out, "", "it is not fitted to"),
    PERIOD_FIELD("expected", expected, "", "incidents; null: not predicted", .has = is_predicted),
    PERIOD_FIELD("low", low, "", "95 % of what such a period brings lies from here",
                 .has = is_predicted),
    PERIOD_FIELD("high", high, "", "to here", .has = is_predicted),
    PERIOD_FIELD("is_hit", is_hit, "", "its incidents lie there", .has = is_predicted),
};
static const struct hc_record_def period_record = HC_RECORD(NULL, period_fields);

static const struct hc_backtest *backtest_of(const struct hc_item *at)
{
    return HC_OF(struct hc_backtest_report, at)->backtest;
}
#define BACKTEST(...) HC_FIELD(struct hc_backtest_report, __VA_ARGS__)
HC_GIVES(size_t, count_periods, backtest_of(at)->n)
HC_GIVES_ITEM(nth_period, &backtest_of(at)->periods[i])
HC_GIVES(int64_t, fitted_of, backtest_of(at)->n_fitted)
HC_GIVES(double, fitted_days_of, backtest_of(at)->fitted_node_days)
HC_GIVES(double, index_of, backtest_of(at)->index)
HC_GIVES(double, size_of, backtest_of(at)->size)
HC_GIVES(int64_t, hits_of, backtest_of(at)->n_hits)
HC_GIVES(int64_t, below_of, backtest_of(at)->n_below)
HC_GIVES(int64_t, above_of, backtest_of(at)->n_above)

static const struct hc_field backtest_fields[] = {
    BACKTEST("archive", archive, "", "that was read"),
    BACKTEST("cluster", cluster, "", "that was asked for; null: all"),
    HC_INTEGER_OF("incidents_fitted", fitted_of, "", "of the periods that are fitted to"),
    HC_REAL_OF("node_days_fitted", fitted_days_of, "days", "of these"),
    HC_REAL_OF("dispersion", index_of, "",
               "variance of their incidents over that of Poisson numbers; null: one period only"),
    HC_REAL_OF("rate_shape", size_of, "",
               "of the gamma distribution by which the rate varies from period to period; null: it "
               "is not seen to vary"),
    HC_INTEGER_OF("hits", hits_of, "", "predicted periods whose incidents lie in their interval"),
    HC_INTEGER_OF("below", below_of, "", "those with fewer"),
    HC_INTEGER_OF("above", above_of, "", "those with more"),
    BACKTEST("hit_share", hit_share, "", "hits of all predicted; null: none is"),
    HC_LIST_OF("periods", count_periods, nth_period, &period_record, "in order of time",
               .rules = HC_LINE),
};
const struct hc_record_def hc_backtest_record = HC_RECORD(NULL, backtest_fields);
