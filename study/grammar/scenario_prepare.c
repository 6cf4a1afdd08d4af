#include "study/grammar/scenario_prepare.h"

#include "models/stats/student.h"
#include "study/grammar/scenario_data.h"

#include <string.h>

/* ---- settings ---- */

/* FNV-1a: names the streams of random numbers, no secret. */
static uint64_t hash_text(const char *text)
{
    uint64_t hash = 0xCBF29CE484222325u;
    for (; *text; text++)
        hash = (hash ^ (unsigned char)*text) * 0x100000001B3u;
    return hash;
}

/* One key for all that is asked, unless variants are to be independent. It is no hash of the
 * document: then a value of the command line would change all faults. */
static uint64_t key_of(const struct hc_study *study, const struct hc_study_variant *variant)
{
    uint64_t key = hash_text(HC_SCENARIO_SCHEMA);
    if (!study->common_random_numbers && variant != &study->variant[0])
        key ^= hash_text(variant->name);
    return key;
}

static double number_of(const struct hc_node *root, const char *name, double otherwise)
{
    const struct hc_node *node = hc_node_member(root, name);
    return node && node->type == HC_NODE_NUMBER ? node->number : otherwise;
}

static struct hc_run_settings settings_of(const struct hc_study *study,
                                          const struct hc_study_variant *variant,
                                          const struct hc_node *root)
{
    return (struct hc_run_settings){.seed = (uint64_t)number_of(root, "seed", 1),
                                    .key = key_of(study, variant),
                                    .first_replica = (uint64_t)number_of(root, "first_replica", 0),
                                    .replicas = study->replicas,
                                    .threads = 1,
                                    .confidence = number_of(root, "confidence", HC_CONFIDENCE)};
}

void hc_scenario_settle(const struct hc_scenario *scenario, struct hc_engine_point *point,
                        int threads)
{
    point->settings.threads = threads;
    scenario->engine->settle(point->config, &point->settings);
}

/* ---- binding ---- */

/* A complaint at the value that the refusal names, or as near to it as the text has something. */
static void complain(struct hc_scenario *scenario, struct hc_node *root,
                     const struct hc_refusal *refusal)
{
    struct hc_pointer pointer;
    struct hc_node *node = NULL;
    size_t n = hc_pointer_parse(&pointer, refusal->pointer) ? pointer.n : 0;
    while (!(node = n ? hc_pointer_walk(&pointer, n, root) : root))
        n--;
    hc_scenario_complain(&scenario->errors, &node->place, refusal->pointer, "%s",
                         refusal->sentence);
}

static enum hc_status bind_and_check(struct hc_scenario *scenario, struct hc_node *root,
                                     struct hc_engine_point *point, struct hc_error *err)
{
    const struct hc_engine *engine = scenario->engine;
    struct hc_refusal refusal = {.sentence = ""};
    point->config = hc_arena_new(&scenario->arena, engine->config_size, err);
    if (!point->config)
        return err->status;
    enum hc_status status = engine->bind(point->config, scenario, root, &refusal, err);
    if (status == HC_OK && !scenario->errors.n) {
        engine->settle(point->config, &point->settings);
        if (engine->check)
            status = engine->check(point->config, root, &refusal, err);
    }
    if (status == HC_BAD_INPUT) {
        complain(scenario, root, &refusal);
        return HC_OK;
    }
    return status;
}

enum hc_status hc_scenario_bind_point(struct hc_scenario *scenario, const struct hc_study *study,
                                      const struct hc_study_variant *variant, struct hc_node *root,
                                      struct hc_engine_point *point, struct hc_error *err)
{
    hc_scenario_check_document(scenario, root);
    point->settings = settings_of(study, variant, root);
    return scenario->errors.n ? HC_OK : bind_and_check(scenario, root, point, err);
}

/* The scenario and its variants, which have been held against the table when they were read. */
static enum hc_status bind_variants(struct hc_scenario *scenario, struct hc_study *study,
                                    struct hc_error *err)
{
    enum hc_status status = HC_OK;
    if (scenario->errors.n)
        return HC_OK;
    for (size_t i = 0; i < study->n_variants && status == HC_OK; i++) {
        struct hc_study_variant *variant = &study->variant[i];
        variant->point.settings = settings_of(study, variant, variant->root);
        scenario->errors.variant = i ? variant->name : NULL;
        status = bind_and_check(scenario, variant->root, &variant->point, err);
    }
    scenario->errors.variant = NULL;
    return status;
}

/* Replicas that the config gives: the same number in all variants, which are compared one by one.
 */
static enum hc_status count_replicas(struct hc_scenario *scenario, struct hc_study *study)
{
    const struct hc_engine *engine = scenario->engine;
    if (!engine->n_replicas || scenario->errors.n)
        return HC_OK;
    study->replicas = engine->n_replicas(study->variant[0].point.config);
    for (size_t i = 0; i < study->n_variants; i++) {
        struct hc_study_variant *variant = &study->variant[i];
        int32_t its = engine->n_replicas(variant->point.config);
        variant->point.settings.replicas = study->replicas;
        if (its != study->replicas)
            hc_scenario_complain(&scenario->errors, &variant->root->place, "/variants",
                                 "'%s' has %d %s, the scenario %d", variant->name, (int)its,
                                 engine->many, (int)study->replicas);
    }
    return HC_OK;
}

/* What comes after reading: the recorded data, then the binding of each variant. */
static enum hc_status prepare_runs(struct hc_scenario *scenario, struct hc_study *study,
                                   const struct hc_data_provider *data, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    bool is_runnable = scenario->root && !scenario->is_other;
    if (is_runnable && !scenario->errors.n)
        status = hc_scenario_read_data(scenario, study, data, err);
    if (status == HC_OK && is_runnable && scenario->engine->of_data)
        scenario->engine = scenario->engine->of_data(scenario->root);
    if (status == HC_OK && is_runnable)
        status = bind_variants(scenario, study, err);
    if (status == HC_OK && is_runnable)
        status = count_replicas(scenario, study);
    hc_scenario_errors_sort(&scenario->errors);
    return status;
}

enum hc_status hc_scenario_prepare(struct hc_scenario *scenario, struct hc_study *study,
                                   const struct hc_scenario_request *request, struct hc_error *err)
{
    enum hc_status status = hc_scenario_load(scenario, request, err);
    if (status == HC_OK)
        status = hc_study_read(study, scenario, err);
    if (status == HC_OK)
        status = prepare_runs(scenario, study, request->data, err);
    return status;
}
