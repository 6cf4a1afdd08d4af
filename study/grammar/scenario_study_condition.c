#include "study/grammar/scenario_study.h"

#include "core/base/printable.h"

#include <string.h>

static void no_figure(struct hc_scenario *scenario, const char *name, const char *pointer,
                      const struct hc_place *place)
{
    const char *names[HC_MOST_KEYS];
    const struct hc_engine_figure *figure = NULL;
    size_t n = 0;
    for (; n < HC_MOST_KEYS && (figure = hc_engine_nth_figure(scenario->engine, n)); n++)
        names[n] = figure->name;
    hc_scenario_complain(&scenario->errors, place, pointer, "there is no figure '%s'%s",
                         hc_printable(name, strlen(name)).text,
                         hc_did_you_mean(name, names, n).text);
}

const struct hc_engine_figure *hc_study_figure(struct hc_scenario *scenario,
                                               const struct hc_node *name, const char *pointer)
{
    if (!name || name->type != HC_NODE_TEXT || !*name->text)
        return NULL; /* the check of types says so */
    const struct hc_engine_figure *figure =
        hc_engine_figure(scenario->engine, name->text, strlen(name->text));
    if (!figure)
        no_figure(scenario, name->text, pointer, &name->place);
    return figure;
}

size_t hc_study_list_figures(const struct hc_scenario *scenario,
                             struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES])
{
    const struct hc_engine_figure *figure = NULL;
    size_t n = 0;
    for (; n < HC_CONDITION_MOST_FIGURES && (figure = hc_engine_nth_figure(scenario->engine, n));
         n++)
        figures[n] = (struct hc_condition_figure){figure->name, figure->unit, figure->has_interval};
    return n;
}

bool hc_study_condition(struct hc_condition *condition, struct hc_scenario *scenario,
                        const char *text, const struct hc_place *place)
{
    struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES];
    struct hc_error err;
    size_t n = hc_study_list_figures(scenario, figures);
    if (hc_condition_parse(condition, text, figures, n, &err) == HC_OK)
        return true;
    hc_scenario_complain(&scenario->errors, place, "/find/such_that", "%s", err.message);
    return false;
}
