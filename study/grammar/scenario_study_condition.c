#include "study/grammar/scenario_study.h"

#include "core/base/printable.h"

#include <string.h>

static void no_figure(const char *name, size_t length, const char *pointer,
                      const struct hc_place *place, struct hc_scenario_errors *errors)
{
    const char *names[HC_MOST_KEYS];
    char word[64];
    size_t n = 0;
    for (; hc_scenario_figures[n].name && n < HC_MOST_KEYS; n++)
        names[n] = hc_scenario_figures[n].name;
    snprintf(word, sizeof word, "%.*s", (int)(length < 60 ? length : 60), name);
    hc_scenario_complain(errors, place, pointer, "there is no figure '%s'%s",
                         hc_printable(name, length).text, hc_did_you_mean(word, names, n).text);
}

const struct hc_scenario_figure *hc_study_figure(const struct hc_node *name, const char *pointer,
                                                 struct hc_scenario_errors *errors)
{
    if (!name || name->type != HC_NODE_TEXT || !*name->text)
        return NULL; /* the check of types says so */
    const struct hc_scenario_figure *figure = hc_scenario_figure(name->text, strlen(name->text));
    if (!figure)
        no_figure(name->text, strlen(name->text), pointer, &name->place, errors);
    return figure;
}

size_t hc_study_list_figures(const struct hc_scenario *scenario,
                             struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES])
{
    size_t n = 0;
    (void)scenario; /* all kinds of scenarios have the same figures */
    for (; hc_scenario_figures[n].name && n < HC_CONDITION_MOST_FIGURES; n++)
        figures[n] =
            (struct hc_condition_figure){hc_scenario_figures[n].name, hc_scenario_figures[n].unit,
                                         hc_scenario_figures[n].has_interval};
    return n;
}

bool hc_study_condition(struct hc_condition *condition, const char *text,
                        const struct hc_place *place, struct hc_scenario_errors *errors)
{
    struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES];
    struct hc_error err;
    size_t n = hc_study_list_figures(NULL, figures);
    if (hc_condition_parse(condition, text, figures, n, &err) == HC_OK)
        return true;
    hc_scenario_complain(errors, place, "/find/such_that", "%s", err.message);
    return false;
}
