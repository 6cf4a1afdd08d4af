#include "study/grammar/scenario_study.h"

#include "study/grammar/scenario_check.h"

#include <math.h>
#include <string.h>

/* A member when it has this type, else NULL: the check of types has complained. */
static const struct hc_node *typed(const struct hc_node *node, const char *key,
                                   enum hc_node_type type)
{
    const struct hc_node *child = hc_node_member(node, key);
    return child && child->type == type ? child : NULL;
}

static double number_or(const struct hc_node *node, const char *key, double otherwise)
{
    const struct hc_node *child = typed(node, key, HC_NODE_NUMBER);
    return child ? child->number : otherwise;
}

/* Whether a name is that of a table of the engine, which only report/figures may have. */
static bool is_table(const struct hc_engine *engine, const struct hc_node *name)
{
    for (size_t i = 0; engine->tables && engine->tables[i]; i++)
        if (name->type == HC_NODE_TEXT && strcmp(name->text, engine->tables[i]) == 0)
            return true;
    return false;
}

static void read_figures(struct hc_study_figures *figures, const struct hc_node *array,
                         const char *pointer, struct hc_scenario *scenario)
{
    if (!array)
        return;
    figures->figure =
        hc_arena_new(&scenario->arena, array->n * sizeof(void *), &scenario->errors.no_memory);
    for (const struct hc_node *child = array->first; child && figures->figure;
         child = child->next) {
        if (strcmp(pointer, "/report/figures") == 0 && is_table(scenario->engine, child))
            continue;
        const struct hc_engine_figure *figure = hc_study_figure(scenario, child, pointer);
        for (size_t i = 0; figure && i < figures->n; i++)
            if (figures->figure[i] == figure) {
                hc_scenario_complain(&scenario->errors, &child->place, pointer,
                                     "'%s' is there twice", figure->name);
                figure = NULL;
            }
        if (figure)
            figures->figure[figures->n++] = figure;
    }
}

static void read_replicas(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *replicas = hc_node_member(scenario->root, "replicas");
    study->replicas = HC_SCENARIO_REPLICAS;
    if (!replicas)
        return;
    if (replicas->type == HC_NODE_NUMBER) {
        if (replicas->number >= 1 && replicas->number <= HC_SCENARIO_MOST_REPLICAS)
            study->replicas = (int32_t)replicas->number;
        return;
    }
    double most = number_or(replicas, "max", 10000);
    if (most >= 2 && most <= HC_SCENARIO_MOST_REPLICAS)
        study->replicas = (int32_t)most;
    const struct hc_node *until = hc_node_member(replicas, "until");
    const struct hc_node *name = hc_node_member(until, "figure");
    study->until = hc_study_figure(scenario, name, "/replicas/until/figure");
    study->half_width = number_or(until, "half_width", 0);
    if (study->until && !study->until->has_interval)
        hc_scenario_complain(&scenario->errors, &name->place, "/replicas/until/figure",
                             "'%s' has no interval", study->until->name);
}

static void read_compare(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *compare = typed(scenario->root, "compare", HC_NODE_OBJECT);
    const struct hc_node *base = typed(compare, "base", HC_NODE_TEXT),
                         *common = typed(compare, "common_random_numbers", HC_NODE_BOOL);
    study->common_random_numbers = !common || common->truth;
    if (!compare)
        return;
    study->is_compared = true;
    if (study->n_variants < 2)
        hc_scenario_complain(&scenario->errors, &compare->place, "/compare",
                             "needs 'variants': there is nothing to compare");
    const char *names[HC_MOST_KEYS];
    size_t which = study->n_variants;
    for (size_t i = 0; i < study->n_variants; i++) {
        if (i < HC_MOST_KEYS)
            names[i] = study->variant[i].name;
        if (strcmp(study->variant[i].name, base ? base->text : "base") == 0)
            which = i;
    }
    if (which < study->n_variants)
        study->compare_base = which;
    else if (base && *base->text)
        hc_scenario_complain(
            &scenario->errors, &base->place, "/compare/base", "there is no such variant%s",
            hc_did_you_mean(base->text, names,
                            study->n_variants < HC_MOST_KEYS ? study->n_variants : HC_MOST_KEYS)
                .text);
    read_figures(&study->compare_figures, typed(compare, "figures", HC_NODE_ARRAY),
                 "/compare/figures", scenario);
}

/* ---- what is varied ---- */

static bool is_numeric(const struct hc_scenario_key *key)
{
    return key->kind == HC_KEY_COUNT || key->kind == HC_KEY_NUMBER || key->kind == HC_KEY_DURATION;
}

/* The key that the text at node points at; whole sections cannot be varied. */
static const struct hc_scenario_key *varied(struct hc_scenario *scenario, const char *pointer,
                                            const struct hc_place *place, bool by_number)
{
    const struct hc_scenario_key *key =
        hc_scenario_resolve_key(scenario, scenario->root, pointer, false, place);
    if (!key)
        return NULL;
    if (key->kind == HC_KEY_OBJECT || key->kind == HC_KEY_NAMED) {
        hc_scenario_complain(&scenario->errors, place, pointer,
                             "is no single value; a variant can set it as a whole");
        return NULL;
    }
    if (by_number && !is_numeric(key)) {
        hc_scenario_complain(&scenario->errors, place, pointer, "is no number");
        return NULL;
    }
    return key;
}

double hc_study_range_count(const struct hc_study_range *range)
{
    return floor((range->to - range->from) / range->step * (1 + 1e-12) + 1e-9) + 1;
}

/* Complains of a range that does not go upwards or has too many values; returns how many. */
static size_t read_range(struct hc_study_range *range, const struct hc_node *node,
                         const char *pointer, struct hc_scenario_errors *errors)
{
    if (!typed(node, "from", HC_NODE_NUMBER) || !typed(node, "to", HC_NODE_NUMBER) ||
        number_or(node, "step", 0) <= 0)
        return 0;
    *range = (struct hc_study_range){number_or(node, "from", 0), number_or(node, "to", 0),
                                     number_or(node, "step", 0)};
    if (range->to < range->from) {
        hc_scenario_complain(errors, &hc_node_member(node, "to")->place, pointer,
                             "'to' must be at least 'from' (%.15g), not %.15g", range->from,
                             range->to);
        return 0;
    }
    double n = hc_study_range_count(range);
    if (n > HC_STUDY_MAX_VALUES) {
        hc_scenario_complain(errors, &node->place, pointer, "has more than %d values",
                             HC_STUDY_MAX_VALUES);
        return 0;
    }
    return (size_t)n;
}

/* Each value must be one that the key may have. */
static void check_values(const struct hc_study_sweep *sweep, struct hc_path *path,
                         struct hc_scenario_errors *errors)
{
    for (size_t i = 0; i < sweep->n; i++) {
        size_t before = hc_path_add_index(path, i);
        struct hc_node_interval interval;
        if (hc_node_interval(sweep->value[i], &interval))
            hc_scenario_complain(errors, &sweep->value[i]->place, path->text,
                                 "must be one number: values of a sweep have no interval");
        hc_scenario_check_value(sweep->key, sweep->value[i], path, errors);
        hc_path_back(path, before);
    }
}

static void read_sweep(struct hc_study_sweep *sweep, struct hc_scenario *scenario,
                       const struct hc_node *node, struct hc_path *path)
{
    const struct hc_node *pointer = typed(node, "path", HC_NODE_TEXT),
                         *values = typed(node, "values", HC_NODE_ARRAY),
                         *steps = typed(node, "range", HC_NODE_OBJECT);
    struct hc_error *err = &scenario->errors.no_memory;
    struct hc_study_range range = {0, 0, 0};
    if (!pointer || !*pointer->text || (!values && !steps))
        return;
    sweep->path = pointer->text;
    sweep->key = varied(scenario, pointer->text, &pointer->place, steps != NULL);
    if (!sweep->key)
        return;
    size_t before = hc_path_add(path, values ? "values" : "range");
    size_t n = values ? values->n : read_range(&range, steps, path->text, &scenario->errors);
    sweep->value = hc_arena_new(&scenario->arena, n * sizeof(void *), err);
    const struct hc_node *child = values ? values->first : NULL;
    for (size_t i = 0; sweep->value && i < n; i++, child = values ? child->next : NULL) {
        sweep->value[i] =
            values ? child
                   : hc_study_number(scenario, range.from + (double)i * range.step, &steps->place);
        if (!sweep->value[i])
            return;
        sweep->n++;
    }
    check_values(sweep, path, &scenario->errors);
    hc_path_back(path, before);
}

static void read_sweeps(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *sweeps = typed(scenario->root, "sweep", HC_NODE_ARRAY);
    double points = 1;
    study->n_points = 1;
    if (!sweeps)
        return;
    study->sweep = hc_arena_new(&scenario->arena, sweeps->n * sizeof *study->sweep,
                                &scenario->errors.no_memory);
    struct hc_path path = {.length = 0};
    hc_path_add(&path, "sweep");
    size_t i = 0,
           most = hc_scenario_key(hc_scenario_keys, "sweep")->most; /* more are complained of */
    for (const struct hc_node *child = sweeps->first; child && study->sweep && i < most;
         child = child->next, i++) {
        struct hc_study_sweep *sweep = &study->sweep[study->n_sweeps++];
        size_t before = hc_path_add_index(&path, i);
        read_sweep(sweep, scenario, child, &path);
        for (size_t j = 0; j < i && sweep->path; j++)
            if (study->sweep[j].path && strcmp(study->sweep[j].path, sweep->path) == 0)
                hc_scenario_complain(&scenario->errors, &child->place, path.text,
                                     "'%s' is swept twice", sweep->path);
        hc_path_back(&path, before);
        points *= (double)(sweep->n ? sweep->n : 1);
    }
    if (points > HC_STUDY_MAX_POINTS)
        hc_scenario_complain(&scenario->errors, &sweeps->place, "/sweep",
                             "the grid has %.15g points, %d at most", points, HC_STUDY_MAX_POINTS);
    else
        study->n_points = (size_t)points;
}

static bool is_swept(const struct hc_study *study, const char *path)
{
    for (size_t k = 0; k < study->n_sweeps; k++)
        for (size_t i = 0; study->sweep[k].path && i < study->sweep[k].n; i++)
            if (strcmp(study->sweep[k].path, path) == 0 &&
                study->sweep[k].value[i]->type == HC_NODE_NUMBER)
                return true;
    return false;
}

static void read_find(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *node = typed(scenario->root, "find", HC_NODE_OBJECT);
    const struct hc_node *smallest = typed(node, "smallest", HC_NODE_TEXT),
                         *largest = typed(node, "largest", HC_NODE_TEXT),
                         *condition = typed(node, "such_that", HC_NODE_TEXT),
                         *range = typed(node, "range", HC_NODE_OBJECT);
    const struct hc_node *pointer = smallest ? smallest : largest;
    struct hc_study_find *find = &study->find;
    if (condition && *condition->text)
        hc_study_condition(&find->condition, scenario, condition->text, &condition->place);
    if (range)
        read_range(&find->range, range, "/find/range", &scenario->errors);
    if (!pointer || !*pointer->text || !condition)
        return;
    find->is_asked = true;
    find->is_smallest = smallest != NULL;
    find->path = pointer->text;
    find->key = varied(scenario, pointer->text, &pointer->place, true);
    if (find->key && !range && find->key->kind != HC_KEY_COUNT && !is_swept(study, find->path))
        hc_scenario_complain(&scenario->errors, &node->place, "/find",
                             "needs 'range', or a sweep of '%s': it is no whole number",
                             find->path);
    const char *const ends[] = {"from", "to"};
    struct hc_path path = {.length = 0};
    hc_path_add(&path, "find");
    hc_path_add(&path, "range");
    for (size_t i = 0; find->key && i < 2; i++) {
        const struct hc_node *end = typed(range, ends[i], HC_NODE_NUMBER);
        size_t before = hc_path_add(&path, ends[i]);
        if (end)
            hc_scenario_check_value(find->key, end, &path, &scenario->errors);
        hc_path_back(&path, before);
    }
}

static void read_sensitivity_value(struct hc_study *study, struct hc_scenario *scenario,
                                   const struct hc_node *child)
{
    const struct hc_scenario_key *key = varied(scenario, child->key, &child->key_place, true);
    const struct hc_node *low = typed(child, "low", HC_NODE_NUMBER),
                         *high = typed(child, "high", HC_NODE_NUMBER);
    if (!key || !low || !high)
        return;
    struct hc_path path = {.length = 0};
    hc_path_add(&path, "sensitivity");
    hc_path_add(&path, "values");
    hc_path_add(&path, child->key);
    hc_scenario_check_value(key, low, &path, &scenario->errors);
    hc_scenario_check_value(key, high, &path, &scenario->errors);
    if (low->number >= high->number)
        hc_scenario_complain(&scenario->errors, &high->place, path.text,
                             "'high' must be above 'low' (%s), not %s", low->text, high->text);
    study->sensitivity[study->n_sensitivities++] =
        (struct hc_study_sensitivity){child->key, key, low->number, high->number};
}

static void read_sensitivity(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *node = typed(scenario->root, "sensitivity", HC_NODE_OBJECT);
    const struct hc_node *values = typed(node, "values", HC_NODE_OBJECT),
                         *name = hc_node_member(node, "figure");
    if (!node)
        return;
    study->sensitivity_figure =
        name ? hc_study_figure(scenario, name, "/sensitivity/figure") : scenario->engine->figures;
    if (!values)
        return;
    study->sensitivity = hc_arena_new(&scenario->arena, values->n * sizeof *study->sensitivity,
                                      &scenario->errors.no_memory);
    for (const struct hc_node *child = values->first; child && study->sensitivity;
         child = child->next)
        if (child->type == HC_NODE_OBJECT)
            read_sensitivity_value(study, scenario, child);
}

/* What cannot be had: money without a price; of one run, what is left over of several. */
static void check_figure(const struct hc_study *study, struct hc_scenario *scenario,
                         const struct hc_engine_figure *figure, const char *section)
{
    const struct hc_node *node = hc_node_member(scenario->root, section);
    char pointer[64];
    if (!figure || !node)
        return;
    snprintf(pointer, sizeof pointer, "/%s", section);
    if (figure->needs_price && study->price_per_gpu_h == 0)
        hc_scenario_complain(
            &scenario->errors, &node->place, pointer, "the figure '%s' needs '%s'", figure->name,
            strcmp(section, "report") == 0 ? "price_per_gpu_h" : "/report/price_per_gpu_h");
    if (figure->needs_done_by && study->done_by_d == 0)
        hc_scenario_complain(&scenario->errors, &node->place, pointer,
                             "the figure '%s' needs '/report/done_by_d'", figure->name);
    if (!figure->has_interval && strcmp(section, "compare") != 0 && strcmp(section, "report") != 0)
        hc_scenario_complain(&scenario->errors, &node->place, pointer,
                             "'%s' is a figure of comparisons only", figure->name);
}

static void check_figures(const struct hc_study *study, struct hc_scenario *scenario)
{
    for (size_t i = 0; i < study->report_figures.n; i++)
        check_figure(study, scenario, study->report_figures.figure[i], "report");
    for (size_t i = 0; i < study->compare_figures.n; i++)
        check_figure(study, scenario, study->compare_figures.figure[i], "compare");
    for (size_t i = 0; study->find.is_asked && i < study->find.condition.n; i++)
        check_figure(study, scenario,
                     hc_study_term_figure(scenario, &study->find.condition.term[i]), "find");
    check_figure(study, scenario, study->sensitivity_figure, "sensitivity");
    if (study->until && study->until->has_interval)
        check_figure(study, scenario, study->until, "replicas");
}

/* Figures, and among them tables of the engine. */
static void read_reported(struct hc_study *study, const struct hc_node *array,
                          struct hc_scenario *scenario)
{
    if (!array)
        return;
    study->report_tables =
        hc_arena_new(&scenario->arena, array->n * sizeof(char *), &scenario->errors.no_memory);
    for (const struct hc_node *child = array->first; child && study->report_tables;
         child = child->next)
        if (is_table(scenario->engine, child))
            study->report_tables[study->n_report_tables++] = child->text;
    read_figures(&study->report_figures, array, "/report/figures", scenario);
}

static void read_report(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *report = typed(scenario->root, "report", HC_NODE_OBJECT);
    double replica = number_or(report, "replica", 0);
    read_reported(study, typed(report, "figures", HC_NODE_ARRAY), scenario);
    study->price_per_gpu_h = number_or(report, "price_per_gpu_h", 0);
    study->done_by_d = number_or(report, "done_by_d", 0);
    study->report_replica =
        replica >= 0 && replica <= HC_SCENARIO_MOST_REPLICAS ? (int32_t)replica : 0;
    const struct hc_node *node = hc_node_member(report, "replica");
    if (node && replica >= study->replicas)
        hc_scenario_complain(&scenario->errors, &node->place, "/report/replica",
                             "must be below the number of replicas (%d), not %.15g",
                             study->replicas, replica);
    check_figures(study, scenario);
}

static void read_inputs(struct hc_study *study, const struct hc_scenario *scenario)
{
    const struct hc_node *inputs = typed(scenario->root, "inputs", HC_NODE_OBJECT);
    double draws = number_or(inputs, "draws", HC_INPUT_DRAWS),
           replicas = number_or(inputs, "replicas", HC_INPUT_REPLICAS);
    /* What is not within the limits of the keys is complained of elsewhere. */
    study->input_draws = draws >= 0 && draws <= HC_INPUT_MOST_DRAWS ? (int32_t)draws : 0;
    study->input_replicas =
        replicas >= 1 && replicas <= HC_INPUT_MOST_REPLICAS ? (int32_t)replicas : 1;
}

enum hc_status hc_study_read(struct hc_study *study, struct hc_scenario *scenario,
                             struct hc_error *err)
{
    const struct hc_node *question = typed(scenario->root, "question", HC_NODE_TEXT);
    *study = (struct hc_study){.question = question ? question->text : NULL};
    if (scenario->root && !scenario->is_other) {
        read_replicas(study, scenario);
        hc_study_read_variants(study, scenario);
        read_compare(study, scenario);
        read_sweeps(study, scenario);
        read_find(study, scenario);
        read_sensitivity(study, scenario);
        read_inputs(study, scenario);
        read_report(study, scenario);
        hc_scenario_errors_sort(&scenario->errors);
    }
    if (scenario->errors.no_memory.status) {
        *err = scenario->errors.no_memory;
        return err->status;
    }
    return HC_OK;
}
