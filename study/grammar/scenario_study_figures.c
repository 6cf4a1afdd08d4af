/* Figures by their names, and conditions on them: those of the engine, and "wall_d.p95", a quantile
 * of one over replicas. */
#include "study/grammar/scenario_study.h"

#include "core/base/printable.h"

#include <string.h>

/* ---- quantiles ---- */

static struct hc_study_quantile *new_quantile(struct hc_scenario *scenario,
                                              const struct hc_engine_figure *whole, int percent)
{
    struct hc_arena *arena = &scenario->arena;
    struct hc_error *err = &scenario->errors.no_memory;
    struct hc_study_quantile *made = hc_arena_new(arena, sizeof *made, err);
    if (!made)
        return NULL;
    made->whole = whole;
    made->figure = *whole;
    made->figure.percent = percent;
    made->figure.is_share_of_replicas = false;
    made->figure.places = (struct hc_figure_places){.compared = HC_COMPARED_WHEN_ASKED};
    made->figure.cut_off = NULL;
    made->figure.name = hc_arena_format(arena, err, "%s.p%02d", whole->name, percent);
    made->figure.title = hc_arena_format(arena, err, "p%02d of %s", percent,
                                         whole->title ? whole->title : whole->name);
    made->figure.help = hc_arena_format(arena, err, "%d %% of %s have at most this: %s", percent,
                                        scenario->engine->many, whole->help);
    return made->figure.name && made->figure.title && made->figure.help ? made : NULL;
}

/* The quantile of a figure that has intervals, 1 to 99 percent; NULL with errors.no_memory. */
static const struct hc_engine_figure *quantile_of(struct hc_scenario *scenario,
                                                  const struct hc_engine_figure *whole, int percent)
{
    struct hc_study_quantile **end = &scenario->quantiles;
    for (; *end; end = &(*end)->next)
        if ((*end)->whole == whole && (*end)->figure.percent == percent)
            return &(*end)->figure;
    *end = new_quantile(scenario, whole, percent);
    return *end ? &(*end)->figure : NULL;
}

/* ---- names ---- */

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

/* A figure without interval is computed from no replica; a share of replicas is of all of them. */
static bool has_spread(const struct hc_engine_figure *figure)
{
    return figure->has_interval && !figure->is_share_of_replicas;
}

static const struct hc_engine_figure *find_quantile(struct hc_scenario *scenario, const char *name)
{
    const char *dot = strrchr(name, '.');
    int percent = dot ? hc_condition_percent(dot, strlen(dot)) : 0;
    const struct hc_engine_figure *whole =
        percent ? hc_engine_figure(scenario->engine, name, (size_t)(dot - name)) : NULL;
    return whole && has_spread(whole) ? quantile_of(scenario, whole, percent) : NULL;
}

const struct hc_engine_figure *hc_study_figure(struct hc_scenario *scenario,
                                               const struct hc_node *name, const char *pointer)
{
    if (!name || name->type != HC_NODE_TEXT || !*name->text)
        return NULL; /* the check of types says so */
    const struct hc_engine_figure *figure =
        hc_engine_figure(scenario->engine, name->text, strlen(name->text));
    if (!figure)
        figure = find_quantile(scenario, name->text);
    if (!figure)
        no_figure(scenario, name->text, pointer, &name->place);
    return figure;
}

/* ---- conditions ---- */

size_t hc_study_list_figures(const struct hc_scenario *scenario,
                             struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES])
{
    const struct hc_engine_figure *figure = NULL;
    size_t n = 0;
    for (; n < HC_CONDITION_MOST_FIGURES && (figure = hc_engine_nth_figure(scenario->engine, n));
         n++)
        figures[n] = (struct hc_condition_figure){figure->name, figure->unit, figure->has_interval,
                                                  has_spread(figure)};
    return n;
}

const struct hc_engine_figure *hc_study_term_figure(struct hc_scenario *scenario,
                                                    const struct hc_condition_term *term)
{
    const struct hc_engine_figure *whole = hc_engine_nth_figure(scenario->engine, term->figure);
    return term->percent ? quantile_of(scenario, whole, term->percent) : whole;
}

bool hc_study_condition(struct hc_condition *condition, struct hc_scenario *scenario,
                        const char *text, const struct hc_place *place)
{
    struct hc_condition_figure figures[HC_CONDITION_MOST_FIGURES];
    struct hc_error err;
    size_t n = hc_study_list_figures(scenario, figures);
    if (hc_condition_parse(condition, text, figures, n, &err) == HC_OK) {
        for (size_t i = 0; i < condition->n; i++) /* before columns are made of all of them */
            hc_study_term_figure(scenario, &condition->term[i]);
        return true;
    }
    hc_scenario_complain(&scenario->errors, place, "/find/such_that", "%s", err.message);
    return false;
}
