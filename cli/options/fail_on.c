#include "cli/options/fail_on.h"

#include "core/base/log.h"
#include "core/base/printable.h"
#include "core/text/number_format.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A report has these three, whatever is asked. */
static enum hc_status check_quantiles(const struct hc_condition *condition, const char *text,
                                      struct hc_error *err)
{
    for (size_t i = 0; i < condition->n; i++) {
        int32_t percent = condition->term[i].percent;
        if (percent && percent != 5 && percent != 50 && percent != 95)
            return hc_fail(err, HC_USAGE, "'%s': of quantiles it takes '.p05', '.p50' and '.p95'",
                           hc_printable(text, strlen(text)).text);
    }
    return HC_OK;
}

static enum hc_status parse(struct hc_condition *condition, const char *text,
                            const struct hc_report_figures *figures, struct hc_error *err)
{
    if (hc_condition_parse(condition, text, figures->figure, figures->n, err) == HC_OK &&
        check_quantiles(condition, text, err) == HC_OK)
        return HC_OK;
    err->status = HC_USAGE;
    return hc_context(err, "option '--fail-on'");
}

enum hc_status hc_fail_on_check(const struct hc_words *conditions,
                                const struct hc_report_figures *figures, struct hc_error *err)
{
    for (size_t i = 0; i < conditions->n; i++) {
        struct hc_condition condition;
        if (parse(&condition, conditions->word[i], figures, err))
            return err->status;
    }
    return HC_OK;
}

/* "waste is 0.21, cost.gpu_hours_lost is 3.5": the figures of all terms. */
static void describe(const struct hc_condition *condition, const struct hc_condition_value *value,
                     const struct hc_report_figures *figures, char *text, size_t size)
{
    static const char *const bounds[] = {"", ".low", ".high"}; /* as the enum */
    size_t length = 0;
    for (size_t i = 0; i < condition->n && length < size; i++) {
        const struct hc_condition_term *term = &condition->term[i];
        double asked = hc_condition_asked_value(term, &value[i]);
        char number[HC_NUMBER_TEXT];
        size_t of_word;
        const char *word = hc_condition_word(&figures->figure[term->figure], asked, &of_word);
        char quantile[16] = "";
        if (term->percent)
            snprintf(quantile, sizeof quantile, ".p%02d", (int)term->percent);
        length += (size_t)snprintf(text + length, size - length, "%s%s%s%s is %s", i ? ", " : "",
                                   figures->figure[term->figure].name, quantile,
                                   bounds[term->bound], word ? "" : hc_format_real(asked, number));
        if (word && length < size)
            length += (size_t)snprintf(text + length, size - length, "%.*s", (int)of_word, word);
    }
}

static struct hc_condition_value value_of(const struct hc_condition_term *term,
                                          const struct hc_report_figures *figures,
                                          const void *report)
{
    if (term->percent)
        return figures->quantile(report, term->figure, term->percent);
    return figures->value(report, term->figure);
}

/* A condition on what is not known holds no more than its opposite would. */
static void tell_unknown(const struct hc_condition *condition,
                         const struct hc_condition_value *value, const char *text)
{
    for (size_t i = 0; i < condition->n; i++)
        if (isnan(hc_condition_asked_value(&condition->term[i], &value[i]))) {
            hc_note("--fail-on '%s' cannot be told: what it asks about is not known", text);
            return;
        }
}

enum hc_status hc_fail_on(const struct hc_words *conditions,
                          const struct hc_report_figures *figures, const void *report,
                          const char *subject, struct hc_error *err)
{
    for (size_t i = 0; i < conditions->n; i++) {
        struct hc_condition condition;
        struct hc_condition_value value[HC_CONDITION_MOST_TERMS];
        if (parse(&condition, conditions->word[i], figures, err))
            return err->status;
        for (size_t t = 0; t < condition.n; t++)
            value[t] = value_of(&condition.term[t], figures, report);
        if (!hc_condition_holds(&condition, value)) {
            tell_unknown(&condition, value, conditions->word[i]);
            continue;
        }
        char text[512];
        describe(&condition, value, figures, text, sizeof text);
        return hc_fail(err, HC_FINDING, "%s%s--fail-on '%s' holds: %s", subject ? subject : "",
                       subject ? ": " : "", conditions->word[i], text);
    }
    return HC_OK;
}
