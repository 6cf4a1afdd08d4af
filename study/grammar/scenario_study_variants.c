/* Variants: documents of their own, made of others and of what they set. */
#include "study/grammar/scenario_study.h"

#include "core/base/printable.h"
#include "study/grammar/scenario_check.h"

#include <string.h>

#define MOST_USED 1000 /* variants that one is made of, each time counted */

static size_t find_variant(const struct hc_study *study, const char *name)
{
    size_t i = 0;
    while (i < study->n_variants && strcmp(study->variant[i].name, name) != 0)
        i++;
    return i;
}

static void read_use(struct hc_study *study, struct hc_scenario *scenario,
                     struct hc_study_variant *variant, const struct hc_node *use)
{
    if (!use || use->type != HC_NODE_ARRAY)
        return;
    const char *names[HC_MOST_KEYS];
    size_t n = 0;
    for (; n < study->n_variants && n < HC_MOST_KEYS; n++)
        names[n] = study->variant[n].name;
    struct hc_path path = {.length = 0};
    hc_path_add(&path, "variants");
    hc_path_add(&path, variant->name);
    hc_path_add(&path, "use");
    variant->use =
        hc_arena_new(&scenario->arena, use->n * sizeof(size_t), &scenario->errors.no_memory);
    for (const struct hc_node *child = use->first; child && variant->use; child = child->next) {
        size_t which = child->type == HC_NODE_TEXT ? find_variant(study, child->text) : 0;
        if (child->type == HC_NODE_TEXT && which == study->n_variants)
            hc_scenario_complain(&scenario->errors, &child->place, path.text,
                                 "there is no variant '%s'%s",
                                 hc_printable(child->text, strlen(child->text)).text,
                                 hc_did_you_mean(child->text, names, n).text);
        else if (child->type == HC_NODE_TEXT)
            variant->use[variant->n_use++] = which;
    }
}

/* Whether a variant is made of itself; left is how many more may be looked at, 0 at the end. */
static bool is_circular(const struct hc_study *study, size_t which, size_t of, int *left)
{
    const struct hc_study_variant *variant = &study->variant[which];
    for (size_t i = 0; i < variant->n_use; i++)
        if (--*left <= 0 || variant->use[i] == of || is_circular(study, variant->use[i], of, left))
            return true;
    return false;
}

/* Put what the variant sets into root, which it is known to end with. */
static bool apply(struct hc_study *study, struct hc_scenario *scenario, size_t which,
                  struct hc_node *root)
{
    const struct hc_study_variant *variant = &study->variant[which];
    bool all = true;
    for (size_t i = 0; i < variant->n_use; i++)
        all = apply(study, scenario, variant->use[i], root) && all;
    const struct hc_node *child = variant->set ? variant->set->first : NULL;
    for (; child; child = child->next)
        all = hc_scenario_set(scenario, root, child->key, child, &child->key_place) && all;
    return all;
}

static void resolve(struct hc_study *study, struct hc_scenario *scenario, size_t which,
                    const struct hc_place *place)
{
    struct hc_study_variant *variant = &study->variant[which];
    int left = MOST_USED;
    if (is_circular(study, which, which, &left)) {
        hc_scenario_complain(&scenario->errors, place, "/variants",
                             left > 0 ? "variant '%s' uses itself"
                                      : "variant '%s' is made of too many others",
                             hc_printable(variant->name, strlen(variant->name)).text);
        return;
    }
    variant->root = hc_node_shallow(&scenario->arena, scenario->root, &scenario->errors.no_memory);
    if (!variant->root || !apply(study, scenario, which, variant->root))
        return;
    scenario->errors.variant = variant->name;
    hc_scenario_check_document(scenario, variant->root);
    scenario->errors.variant = NULL;
}

/* ---- lists ---- */

/* {"/apply": list}: what a variant that is a list stands for. */
static const struct hc_node *settings_of_list(struct hc_scenario *scenario,
                                              const struct hc_node *list)
{
    struct hc_error *err = &scenario->errors.no_memory;
    struct hc_node *set = hc_arena_new(&scenario->arena, sizeof *set, err);
    struct hc_node *apply = set ? hc_node_copy(&scenario->arena, list, err) : NULL;
    if (!apply)
        return NULL;
    set->type = HC_NODE_OBJECT;
    set->place = list->place;
    apply->key = "/apply";
    apply->key_place = list->place;
    apply->next = NULL;
    hc_node_append(set, apply);
    return set;
}

static size_t find_list_of_one(const struct hc_study *study, const struct hc_node *variants,
                               const char *name)
{
    size_t i = 1;
    for (const struct hc_node *child = variants->first; child; child = child->next, i++)
        if (child->type == HC_NODE_ARRAY && child->n == 1 && child->first->type == HC_NODE_TEXT &&
            strcmp(child->first->text, name) == 0)
            return i;
    return study->n_variants;
}

/* A list of several, each of which is a variant alone, is made of these: then it has an
 * interaction. */
static void read_list(struct hc_study *study, struct hc_scenario *scenario, size_t which,
                      const struct hc_node *list)
{
    struct hc_study_variant *variant = &study->variant[which];
    const struct hc_node *variants = hc_node_member(scenario->root, "variants");
    if (!hc_scenario_key(scenario->engine->keys, "apply")) {
        hc_scenario_complain(&scenario->errors, &list->place, "/variants",
                             "'%s' is a list: this kind of scenario has nothing to apply",
                             variant->name);
        return;
    }
    variant->set = settings_of_list(scenario, list);
    size_t *use =
               hc_arena_new(&scenario->arena, list->n * sizeof *use, &scenario->errors.no_memory),
           n = 0;
    for (const struct hc_node *child = list->first; child && use && list->n > 1;
         child = child->next) {
        size_t one = child->type == HC_NODE_TEXT ? find_list_of_one(study, variants, child->text)
                                                 : study->n_variants;
        if (one == study->n_variants)
            return;
        use[n++] = one;
    }
    variant->use = use;
    variant->n_use = n;
}

void hc_study_read_variants(struct hc_study *study, struct hc_scenario *scenario)
{
    const struct hc_node *variants = hc_node_member(scenario->root, "variants");
    bool is_object = variants && variants->type == HC_NODE_OBJECT &&
                     variants->n <= hc_scenario_key(hc_scenario_keys, "variants")->most;
    size_t n = 1 + (is_object ? variants->n : 0);
    study->variant =
        hc_arena_new(&scenario->arena, n * sizeof *study->variant, &scenario->errors.no_memory);
    if (!study->variant)
        return;
    study->variant[study->n_variants++] =
        (struct hc_study_variant){.name = "base", .root = scenario->root};
    const struct hc_node *child = is_object ? variants->first : NULL;
    for (; child; child = child->next) {
        if (strcmp(child->key, "base") == 0)
            hc_scenario_complain(&scenario->errors, &child->key_place, "/variants/base",
                                 "'base' is the scenario itself; give the variant another name");
        study->variant[study->n_variants++] = (struct hc_study_variant){.name = child->key};
    }
    child = is_object ? variants->first : NULL;
    for (size_t i = 1; child; child = child->next, i++) {
        if (child->type == HC_NODE_ARRAY) {
            read_list(study, scenario, i, child);
            continue;
        }
        const struct hc_node *set = hc_node_member(child, "set");
        study->variant[i].set = set && set->type == HC_NODE_OBJECT ? set : NULL;
        read_use(study, scenario, &study->variant[i], hc_node_member(child, "use"));
    }
    child = is_object ? variants->first : NULL;
    for (size_t i = 1; child && !scenario->errors.no_memory.status; child = child->next, i++)
        resolve(study, scenario, i, &child->key_place);
}

struct hc_node *hc_study_point(struct hc_scenario *scenario, const struct hc_study_variant *variant,
                               size_t n, const char *const *paths,
                               const struct hc_node *const *values)
{
    struct hc_node *root =
        hc_node_shallow(&scenario->arena, variant->root, &scenario->errors.no_memory);
    for (size_t i = 0; i < n && root; i++)
        if (!hc_scenario_set(scenario, root, paths[i], values[i], &values[i]->place))
            root = NULL;
    return root;
}

struct hc_node *hc_study_number(struct hc_scenario *scenario, double number,
                                const struct hc_place *place)
{
    struct hc_error *err = &scenario->errors.no_memory;
    struct hc_node *node = hc_arena_new(&scenario->arena, sizeof *node, err);
    if (!node)
        return NULL;
    node->type = HC_NODE_NUMBER;
    node->number = number;
    node->text = hc_arena_format(&scenario->arena, err, "%.15g", number);
    node->place = *place;
    return node->text ? node : NULL;
}
