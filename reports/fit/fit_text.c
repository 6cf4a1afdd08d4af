#include "reports/fit/fit_report.h"

#include "core/base/clock.h"
#include "core/text/number_format.h"
#include "reports/write/section.h"
#include "reports/write/text_line.h"

#include <inttypes.h>
#include <math.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

/* Four significant digits. */
static const char *short_number(double value, char text[HC_NUMBER_TEXT])
{
    if (!isfinite(value))
        return "-";
    snprintf(text, HC_NUMBER_TEXT, "%.4g", value);
    return text;
}

/* ---- parameters ---- */

static void put_value(struct hc_section *section, const struct hc_fit_parameter *p)
{
    char text[2 * HC_NUMBER_TEXT], number[HC_NUMBER_TEXT];
    switch (p->form) {
    case HC_FIT_ABSENT:
        hc_section_text(section, "not fitted");
        break;
    case HC_FIT_WORD:
        hc_section_text(section, p->word);
        break;
    default:
        snprintf(text, sizeof text, "%s%s%s", short_number(p->first.value, number),
                 p->unit[0] ? " " : "", p->unit);
        hc_section_text(section, text);
    }
}

static void put_parameter(struct hc_section *section, const struct hc_fit_parameter *p)
{
    char low[HC_NUMBER_TEXT], high[HC_NUMBER_TEXT], text[2 * HC_NUMBER_TEXT + 8];
    hc_section_text(section, p->path);
    put_value(section, p);
    snprintf(text, sizeof text, "%s to %s", short_number(p->first.low, low),
             short_number(p->first.high, high));
    hc_section_text(section, isfinite(p->first.low) ? text : "");
    hc_section_text(section, p->form == HC_FIT_DISTRIBUTION ? hc_fit_parameter_family(p) : "");
    if (p->n < 0)
        hc_section_text(section, "");
    else
        hc_section_count(section, p->n);
    hc_section_text(section, p->note);
}

enum hc_status hc_fit_write_text(const struct hc_fit_report *report, FILE *stream,
                                 struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "parameter", .is_whole = true},   {.title = "value", .gap = 2, .is_right = true},
        {.title = "95 % interval", .gap = 2},       {.title = "family", .gap = 2},
        {.title = "n", .gap = 1, .is_right = true}, {.title = "", .gap = 4, .is_below = true},
    };
    struct hc_section section = {.title = "PARAMETERS", .columns = columns, .n_columns = 6};
    struct hc_text_line line = {.used = 0};
    char days[HC_NUMBER_TEXT];
    hc_line_add(&line, "%.10s to %.10s, %s node-days of jobs with GPUs", report->from, report->to,
                hc_format_fixed(report->node_days, 1, days));
    hc_line_put(stream, "records", &line);
    hc_line_add(&line,
                report->run ? "%s"
                            : "none: size, steps and checkpoints are not fitted "
                              "(--run NAME)",
                report->run ? report->run : "");
    hc_line_put(stream, "run", &line);
    for (size_t i = 0; i < report->parameters->n; i++)
        if (report->parameters->list[i].form != HC_FIT_WORD)
            put_parameter(&section, &report->parameters->list[i]);
    hc_section_note(&section, "value: of a distribution its mean; n: times or incidents behind it");
    return hc_section_print(stream, section, err);
}

/* ---- the backtest ---- */

static void put_period(struct hc_section *section, const struct hc_backtest_period *period)
{
    char text[2 * HC_NUMBER_TEXT], from[32];
    hc_format_iso8601(period->from_day * DAY_NS, from);
    from[10] = '\0';
    hc_section_text(section, from);
    hc_section_count(section, period->to_day - period->from_day);
    hc_section_text(section, hc_format_fixed(period->node_days, 1, text));
    hc_section_count(section, period->n_strikes);
    hc_section_count(section, period->n_incidents);
    if (!period->is_held_out || period->node_days <= 0) {
        hc_section_text(section, "");
        hc_section_text(section, "");
        hc_section_text(section, period->is_held_out ? "no job ran" : "fitted");
        return;
    }
    hc_section_text(section, hc_format_fixed(period->expected, 1, text));
    snprintf(text, sizeof text, "%" PRId64 " to %" PRId64, period->low, period->high);
    hc_section_text(section, text);
    hc_section_text(section, period->is_hit                      ? "hit"
                             : period->n_incidents < period->low ? "missed: fewer"
                                                                 : "missed: more");
}

enum hc_status hc_backtest_write_text(const struct hc_backtest_report *report, FILE *stream,
                                      struct hc_error *err)
{
    static const struct hc_section_column columns[] = {
        {.title = "from", .width = 10},
        {.title = "days", .gap = 1, .is_right = true},
        {.title = "node-days", .gap = 1, .is_right = true},
        {.title = "failures", .gap = 1, .is_right = true},
        {.title = "incidents", .gap = 1, .is_right = true},
        {.title = "expected", .gap = 1, .is_right = true},
        {.title = "95 %", .gap = 2},
        {.title = "", .gap = 2},
    };
    const struct hc_backtest *b = report->backtest;
    struct hc_section section = {.title = "INCIDENTS OF THE INFRASTRUCTURE, PERIOD BY PERIOD",
                                 .columns = columns,
                                 .n_columns = 8};
    struct hc_text_line line = {.used = 0};
    char text[HC_NUMBER_TEXT], other[HC_NUMBER_TEXT];
    hc_line_add(&line, "%" PRId64 " incidents in %s node-days, %s in 1,000", b->n_fitted,
                hc_format_fixed(b->fitted_node_days, 1, text),
                hc_format_fixed(1000 * (double)b->n_fitted / b->fitted_node_days, 2, other));
    hc_line_put(stream, "fitted", &line);
    if (!isnan(b->index)) {
        hc_line_add(&line, "variance %s times that of Poisson numbers%s",
                    hc_format_fixed(b->index, 2, text),
                    isfinite(b->size) ? ": the rate is taken to vary from period to period" : "");
        hc_line_put(stream, "dispersion", &line);
    }
    hc_line_add(&line,
                "%" PRId64 " of %" PRId64 " held-out periods within 95 %%; %" PRId64
                " with fewer, %" PRId64 " with more",
                b->n_hits, b->n_hits + b->n_below + b->n_above, b->n_below, b->n_above);
    hc_line_put(stream, "hits", &line);
    for (size_t i = 0; i < b->n; i++)
        put_period(&section, &b->periods[i]);
    return hc_section_print(stream, section, err);
}
