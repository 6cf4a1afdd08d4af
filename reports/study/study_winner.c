#include "reports/study/study_winner.h"

#include "study/run/study_numbers.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

static void add(char text[HC_WINNER_WORDS], size_t *used, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static void add(char text[HC_WINNER_WORDS], size_t *used, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int n = vsnprintf(text + *used, HC_WINNER_WORDS - *used, format, list);
    va_end(list);
    *used += n > 0 ? (size_t)n : 0;
    if (*used >= HC_WINNER_WORDS)
        *used = HC_WINNER_WORDS - 1;
}

static void add_value(char text[HC_WINNER_WORDS], size_t *used,
                      const struct hc_study_result *result, const struct hc_study_value *value,
                      size_t column)
{
    char number[HC_STUDY_NUMBER], unit[HC_NUMBER_TEXT];
    add(text, used, "%s%s", hc_study_value_text(value, number),
        hc_study_unit_text(result->column[column].unit, unit));
}

static void add_inputs(char text[HC_WINNER_WORDS], size_t *used,
                       const struct hc_study_result *result, const struct hc_study_again *again,
                       size_t column)
{
    char range[HC_STUDY_NUMBER], unit[HC_NUMBER_TEXT];
    if (!again->inputs || !isfinite(again->inputs[column].low) ||
        !isfinite(again->inputs[column].high))
        return;
    hc_study_range_text(again->inputs[column].low, again->inputs[column].high, range);
    add(text, used, " (inputs: %s%s)", range,
        hc_study_unit_text(result->column[column].unit, unit));
}

const char *hc_study_found_again(const struct hc_study_result *result, char text[HC_WINNER_WORDS])
{
    const struct hc_study_again *again = &result->found.again;
    size_t used = 0, column = result->found.column;
    text[0] = '\0';
    if (!again->is_there || column == HC_STUDY_NONE)
        return text;
    add(text, &used, "Run again with %s of its own, it gives ", result->events);
    for (size_t i = 0; i < result->found.n_terms; i++) {
        column = result->found.term[i].figure;
        add(text, &used, "%s%s ", i ? ", " : "", result->column[column].name);
        add_value(text, &used, result, &again->value[column], column);
        add_inputs(text, &used, result, again, column);
    }
    add(text, &used, again->holds ? ", and meets the condition." : ", and misses the condition.");
    if (again->n_draws)
        add(text, &used, " Of %zu draws of the inputs, the means of %zu meet it.", again->n_draws,
            again->n_hold);
    return text;
}

/* "warm_standbys 4, interval_s 600" */
static void add_point(char text[HC_WINNER_WORDS], size_t *used,
                      const struct hc_study_result *result, size_t cell)
{
    size_t below = result->n_points;
    if (result->n_runs > 1)
        add(text, used, "'%.60s', ", result->run[cell / result->n_points].name);
    for (size_t a = 0; a < result->n_axes; a++) {
        const struct hc_study_axis *axis = &result->axis[a];
        below /= axis->n;
        add(text, used, "%s%.60s %.40s", a ? ", " : "", axis->path,
            axis->label[cell % result->n_points / below % axis->n]);
    }
}

const char *hc_study_best_again(const struct hc_study_result *result, char text[HC_WINNER_WORDS])
{
    const struct hc_study_again *again = &result->best_again;
    size_t used = 0;
    text[0] = '\0';
    if (!again->is_there)
        return text;
    size_t cell = result->order.best_cell[0], column = result->order.swept[0];
    add(text, &used, "Best of %zu points by %s is ", result->n_runs * result->n_points,
        result->column[column].name);
    add_point(text, &used, result, cell);
    add(text, &used, ": ");
    add_value(text, &used, result, &result->cell[cell].value[column], column);
    add(text, &used, "; run again with %s of its own, ", result->events);
    add_value(text, &used, result, &again->value[column], column);
    add_inputs(text, &used, result, again, column);
    add(text, &used,
        ". The interval of a point is for that point alone (pointwise), not for all of them at "
        "once.");
    return text;
}
