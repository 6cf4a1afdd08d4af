#include "study/engines/lifetime/scenario_bind.h"

#include "study/engines/lifetime/scenario_jobs.h"
#include "study/engines/lifetime/scenario_recorded.h"
#include "study/engines/lifetime/scenario_whatif.h"
#include "study/grammar/scenario_keys.h"
#include "study/grammar/scenario_text.h"

#include <stdlib.h>
#include <string.h>

struct binder {
    struct hc_arena *arena;
    struct hc_error *err;
    const struct hc_lifetime_config *config; /* what is bound so far */
    struct hc_path path;                     /* of the value that is bound */
    struct hc_scenario_errors errors;        /* of defaults, which have none */
};

static bool bind_table(struct binder *b, const struct hc_scenario_key *table,
                       const struct hc_node *node, unsigned char *base);

/* ---- durations ---- */

static double part(const struct hc_node *shape, const char *name)
{
    const struct hc_node *child = hc_node_member(shape, name);
    return child ? child->number : 0;
}

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static bool bind_empirical(struct binder *b, const struct hc_node *shape, double scale,
                           struct hc_distribution *to)
{
    const struct hc_node *values = hc_node_member(shape, "values");
    double *value = values ? hc_arena_new(b->arena, values->n * sizeof *value, b->err) : NULL;
    if (!value)
        return false;
    size_t n = 0;
    for (const struct hc_node *child = values->first; child; child = child->next)
        value[n++] = child->number;
    qsort(value, n, sizeof *value, by_value);
    *to = (struct hc_distribution){
        .kind = HC_DISTRIBUTION_EMPIRICAL, .scale = scale, .value = value, .n_values = n};
    return true;
}

/* Put the pointer of the value in front of a message, which may begin with the rest of it. */
static bool refused(struct binder *b, const char *key)
{
    char message[HC_ERROR_SIZE];
    if (b->err->status != HC_BAD_INPUT)
        return false;
    memcpy(message, b->err->message, sizeof message);
    hc_fail(b->err, HC_BAD_INPUT, "%s/%s%s%s", b->path.text, key, *message == '/' ? "" : ": ",
            message);
    return false;
}

static bool bind_times(struct binder *b, const struct hc_node *shape, struct hc_distribution *to)
{
    enum hc_status status = *shape->key == 'r' ? hc_bind_recorded_times(to, shape, b->arena, b->err)
                                               : hc_bind_fitted_times(to, shape, b->arena, b->err);
    return status == HC_OK || refused(b, shape->key);
}

static bool bind_duration(struct binder *b, const struct hc_node *value, double scale,
                          struct hc_distribution *to)
{
    const struct hc_node *shape = value->first;
    if (value->type == HC_NODE_NUMBER) {
        *to = hc_distribution_constant(value->number * scale);
        return true;
    }
    if (strcmp(shape->key, "empirical") == 0)
        return bind_empirical(b, shape, scale, to);
    if (strcmp(shape->key, "recorded") == 0 || strcmp(shape->key, "fitted") == 0)
        return bind_times(b, shape, to);
    double mean = part(shape, "mean") * scale;
    if (strcmp(shape->key, "exponential") == 0)
        *to = hc_distribution_exponential(mean);
    else if (strcmp(shape->key, "weibull") == 0)
        *to = hc_distribution_weibull_mean(mean, part(shape, "shape"));
    else if (strcmp(shape->key, "gamma") == 0)
        *to = hc_distribution_gamma_mean(mean, part(shape, "shape"));
    else if (mean > 0)
        *to = hc_distribution_lognormal_mean(mean, part(shape, "sd") * scale);
    else
        *to = hc_distribution_lognormal_p99(part(shape, "median") * scale,
                                            part(shape, "p99") * scale);
    return true;
}

/* ---- numbers ---- */

/* An object says which job the number is taken from. */
static bool bind_number(struct binder *b, const struct hc_node *value, double scale, double *to)
{
    const struct hc_node *whatif = hc_node_member(value, "whatif");
    if (whatif && hc_bind_whatif_factor(to, whatif, b->err))
        return refused(b, "whatif");
    if (!whatif)
        *to = value->number * scale;
    return true;
}

/* ---- words ---- */

static int32_t place_among(const char *const *choices, const char *word)
{
    int32_t i = 0;
    while (choices[i] && strcmp(choices[i], word) != 0)
        i++;
    return i;
}

static void bind_choices(const struct hc_scenario_key *key, const struct hc_node *value,
                         unsigned char *base)
{
    int32_t *to = (int32_t *)(void *)(base + key->target), n = 0;
    for (const struct hc_node *child = value->first; child; child = child->next)
        to[n++] = place_among(key->choices, child->text);
    *(int32_t *)(void *)(base + key->n_target) = n;
}

/* ---- what the table cannot say ---- */

static bool finish_fault(struct binder *b, struct hc_lifetime_fault *fault,
                         const struct hc_node *node)
{
    const struct hc_node *recorded = hc_node_member(node, "incidents_from");
    bool is_manual = fault->fault_class == HC_FAULT_MANUAL;
    if (!hc_node_member(node, "why"))
        fault->why = is_manual ? HC_WHY_USER : HC_WHY_INFRASTRUCTURE;
    if (!hc_node_member(node, "effect"))
        fault->effect = is_manual ? HC_EFFECT_NONE : HC_EFFECT_STOP;
    if (recorded && hc_bind_recorded_fault(fault, recorded, b->config->job.nodes, b->arena, b->err))
        return refused(b, "incidents_from");
    return true;
}

static void finish_phase(struct hc_lifetime_phase *phase, const struct hc_node *node)
{
    if (!hc_node_member(node, "first_s"))
        phase->first_s = phase->full_s;
    if (!hc_node_member(node, "hot_s"))
        phase->hot_s = phase->full_s;
}

static int by_time(const void *a, const void *b)
{
    const struct hc_lifetime_incident *x = a, *y = b;
    if (x->at_s != y->at_s)
        return x->at_s < y->at_s ? -1 : 1;
    return (x->node > y->node) - (x->node < y->node);
}

static void start_element(const struct hc_scenario_key *key, void *element)
{
    if (strcmp(key->name, "faults") == 0)
        *(struct hc_lifetime_fault *)element = hc_lifetime_fault_defaults();
    else if (strcmp(key->name, "phases") == 0)
        *(struct hc_lifetime_phase *)element = hc_lifetime_phase_defaults();
    else if (strcmp(key->name, "planned_stops") == 0)
        *(struct hc_lifetime_planned_stop *)element = hc_lifetime_planned_stop_defaults();
}

static bool finish_element(struct binder *b, const struct hc_scenario_key *key,
                           const struct hc_node *node, void *element)
{
    if (strcmp(key->name, "faults") == 0)
        return finish_fault(b, element, node);
    if (strcmp(key->name, "phases") == 0)
        finish_phase(element, node);
    else if (strcmp(key->name, "incidents") == 0 && !hc_node_member(node, "node"))
        ((struct hc_lifetime_incident *)element)->node = -1;
    return true;
}

/* The short form of start-up is one phase. */
static bool bind_startup(struct binder *b, const struct hc_node *node,
                         struct hc_lifetime_startup *startup)
{
    static const struct {
        const char *name;
        size_t target;
    } rows[] = {{"full_s", offsetof(struct hc_lifetime_phase, full_s)},
                {"first_s", offsetof(struct hc_lifetime_phase, first_s)},
                {"hot_s", offsetof(struct hc_lifetime_phase, hot_s)}};
    if (!hc_node_member(node, "full_s"))
        return true;
    struct hc_lifetime_phase *phase = hc_arena_new(b->arena, sizeof *phase, b->err);
    if (!phase)
        return false;
    *phase = hc_lifetime_phase_defaults();
    phase->name = "startup";
    hc_path_add(&b->path, "startup");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct hc_node *value = hc_node_member(node, rows[i].name);
        void *to = (unsigned char *)phase + rows[i].target;
        size_t before = hc_path_add(&b->path, rows[i].name);
        if (value && !bind_duration(b, value, 1, to))
            return false;
        hc_path_back(&b->path, before);
    }
    finish_phase(phase, node);
    *startup = (struct hc_lifetime_startup){phase, 1};
    return true;
}

/* ---- walking ---- */

static bool bind_named(struct binder *b, const struct hc_scenario_key *key,
                       const struct hc_node *value, unsigned char *base)
{
    size_t n = 0;
    unsigned char *elements = hc_arena_new(b->arena, value->n * key->element_size, b->err);
    if (!elements)
        return false;
    for (const struct hc_node *child = value->first; child; child = child->next, n++) {
        unsigned char *element = elements + n * key->element_size;
        size_t before = hc_path_add(&b->path, child->key);
        start_element(key, element);
        if (!bind_table(b, key->members, child, element))
            return false;
        if (!key->is_nameless)
            memcpy(element, &child->key, sizeof child->key);
        if (!finish_element(b, key, child, element))
            return false;
        hc_path_back(&b->path, before);
    }
    if (strcmp(key->name, "incidents") == 0)
        qsort(elements, n, key->element_size, by_time);
    memcpy(base + key->target, &elements, sizeof elements);
    memcpy(base + key->n_target, &n, sizeof n);
    return true;
}

static bool bind_value(struct binder *b, const struct hc_scenario_key *key,
                       const struct hc_node *value, unsigned char *base)
{
    void *to = base + key->target;
    double scale = key->scale != 0 ? key->scale : 1;
    switch (key->kind) {
    case HC_KEY_BOOL:
        *(bool *)to = value->truth;
        return true;
    case HC_KEY_COUNT: {
        /* replicas until a half-width: the most of them */
        const struct hc_node *most = hc_node_member(value, "max");
        double number = value->type == HC_NODE_NUMBER ? value->number : most ? most->number : 10000;
        if (key->high > INT32_MAX)
            *(uint64_t *)to = (uint64_t)number;
        else
            *(int32_t *)to = (int32_t)number;
        return true;
    }
    case HC_KEY_NUMBER:
        return bind_number(b, value, scale, to);
    case HC_KEY_DURATION:
        return bind_duration(b, value, scale, to);
    case HC_KEY_CHOICE:
        *(int32_t *)to = place_among(key->choices, value->text);
        return true;
    case HC_KEY_CHOICES:
        bind_choices(key, value, base);
        return true;
    case HC_KEY_NAMED:
        return bind_named(b, key, value, base);
    default:
        return true;
    }
}

/* The value of a key, or its default; NULL when it has none. */
static const struct hc_node *value_of(struct binder *b, const struct hc_scenario_key *key,
                                      const struct hc_node *node)
{
    const struct hc_node *child = hc_node_member(node, key->name);
    if (child || !key->value)
        return child;
    return hc_scenario_text("default", key->value, strlen(key->value), b->arena, &b->errors);
}

static bool bind_table(struct binder *b, const struct hc_scenario_key *table,
                       const struct hc_node *node, unsigned char *base)
{
    for (const struct hc_scenario_key *key = table; key->name; key++) {
        if (!key->is_bound)
            continue;
        size_t before = hc_path_add(&b->path, key->name);
        if (key->kind == HC_KEY_OBJECT) { /* also when it is not there: its defaults hold */
            if (!bind_table(b, key->members, hc_node_member(node, key->name), base + key->target))
                return false;
            hc_path_back(&b->path, before);
            continue;
        }
        const struct hc_node *value = value_of(b, key, node);
        if (value && !bind_value(b, key, value, base))
            return false;
        if (key->also && hc_node_member(node, key->name))
            memcpy(base + key->also, &key->also_value, sizeof key->also_value);
        hc_path_back(&b->path, before);
    }
    return !b->errors.no_memory.status;
}

/* Other jobs: the config of each is that of its own document. */
static enum hc_status bind_jobs(struct hc_lifetime_config *config, const struct hc_node *root,
                                struct hc_arena *arena, struct hc_error *err)
{
    const struct hc_node *jobs = hc_node_member(root, "jobs"), *child = jobs ? jobs->first : NULL;
    struct hc_shared_pool_job *job = child ? hc_arena_new(arena, jobs->n * sizeof *job, err) : NULL;
    if (!job)
        return child ? err->status : HC_OK;
    config->other = job;
    for (; child; child = child->next, job++) {
        const struct hc_node *document = hc_scenario_job(arena, root, child, err);
        if (!document || hc_scenario_bind(&job->config, document, arena, err))
            return err->status;
        job->name = child->key;
        config->n_others++;
    }
    return HC_OK;
}

enum hc_status hc_scenario_bind(struct hc_lifetime_config *config, const struct hc_node *root,
                                struct hc_arena *arena, struct hc_error *err)
{
    struct binder b = {.arena = arena, .err = err, .config = config};
    *config = hc_lifetime_config_defaults();
    bool all = bind_table(&b, hc_scenario_keys, root, (unsigned char *)config) &&
               bind_startup(&b, hc_node_member(root, "startup"), &config->startup);
    if (!all && b.errors.no_memory.status)
        *err = b.errors.no_memory;
    hc_scenario_errors_fini(&b.errors);
    return all ? bind_jobs(config, root, arena, err) : err->status;
}
