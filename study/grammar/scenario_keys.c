/* The keys that all engines share: what is asked, of what, how often. */
#include "study/grammar/scenario_keys.h"

#include "models/stats/student.h"

#include <string.h>

/* ---- distributions ---- */

static const struct hc_scenario_key lognormal_keys[] = {
    {"median", HC_KEY_NUMBER, .takes_interval = true, .is_above = true, .help = "Median."},
    {"p99", HC_KEY_NUMBER, .takes_interval = true, .is_above = true,
     .help = "99th percentile, above the median."},
    {"mean", HC_KEY_NUMBER, .takes_interval = true, .is_above = true,
     .help = "Mean, with `sd` instead of the two above."},
    {"sd", HC_KEY_NUMBER, .takes_interval = true, .is_above = true, .help = "Standard deviation."},
    {.name = NULL},
};

static const struct hc_scenario_key shape_keys[] = {
    {"mean", HC_KEY_NUMBER, .takes_interval = true, .is_required = true, .is_above = true,
     .help = "Mean."},
    {"shape", HC_KEY_NUMBER, .takes_interval = true, .is_required = true, .low = 0.05, .high = 100,
     .help = "Shape; 1 is exponential, less has a longer tail."},
    {.name = NULL},
};

static const struct hc_scenario_key exponential_keys[] = {
    {"mean", HC_KEY_NUMBER, .takes_interval = true, .is_required = true, .is_above = true,
     .help = "Mean."},
    {.name = NULL},
};

static const struct hc_scenario_key empirical_keys[] = {
    {"values", HC_KEY_VALUES, .is_required = true,
     .help = "Numbers; each is as likely as the others."},
    {.name = NULL},
};

const struct hc_scenario_key hc_distribution_keys[] = {
    {"lognormal", HC_KEY_OBJECT, .members = lognormal_keys,
     .help = "By `median` and `p99`, or by `mean` and `sd`."},
    {"weibull", HC_KEY_OBJECT, .members = shape_keys, .help = "By `mean` and `shape`."},
    {"gamma", HC_KEY_OBJECT, .members = shape_keys, .help = "By `mean` and `shape`."},
    {"exponential", HC_KEY_OBJECT, .members = exponential_keys, .help = "By its `mean`."},
    {"empirical", HC_KEY_OBJECT, .members = empirical_keys, .help = "One of `values`."},
    {"recorded", HC_KEY_OBJECT, .members = hc_recorded_keys,
     .help = "One of the times that incidents took, each as likely as the others. The file or job "
             "is read before the run."},
    {"fitted", HC_KEY_OBJECT, .members = hc_fitted_keys,
     .help = "Fitted to such times by maximum likelihood (docs/methods/reliability.md)."},
    {"replay", HC_KEY_OBJECT, .members = hc_replayed_keys,
     .help =
         "Of a step time: what a scenario on a step timeline makes of the steps of a job, one of "
         "them each time. It is run before this one."},
    {.name = NULL},
};

const struct hc_distribution_later hc_distributions_later[] = {{NULL, NULL}};

bool hc_is_distribution(const struct hc_node *node)
{
    if (!node || node->type != HC_NODE_OBJECT)
        return false;
    for (const struct hc_node *child = node->first; child; child = child->next) {
        if (hc_scenario_key(hc_distribution_keys, child->key))
            return true;
        for (size_t i = 0; hc_distributions_later[i].name; i++)
            if (strcmp(child->key, hc_distributions_later[i].name) == 0)
                return true;
    }
    return false;
}

/* ---- what is asked ---- */

static const struct hc_scenario_key until_keys[] = {
    {"figure", HC_KEY_FIGURE, .is_required = true, .help = "The figure whose interval decides."},
    {"half_width", HC_KEY_NUMBER, .is_required = true, .is_above = true,
     .unit = "that of the figure", .help = "Half-width of its interval at which the runs end."},
    {.name = NULL},
};

static const struct hc_scenario_key inputs_keys[] = {
    {"draws", HC_KEY_COUNT, .high = HC_INPUT_MOST_DRAWS, .value = HC_SCENARIO_TEXT(HC_INPUT_DRAWS),
     .help = "How often all fitted and recorded inputs are drawn anew; 0 is never."},
    {"replicas", HC_KEY_COUNT, .low = 1, .high = HC_INPUT_MOST_REPLICAS,
     .value = HC_SCENARIO_TEXT(HC_INPUT_REPLICAS),
     .help = "Replicas of each draw; at most those of the scenario."},
    {.name = NULL},
};

static const struct hc_scenario_key replicas_keys[] = {
    {"until", HC_KEY_OBJECT, .is_required = true, .members = until_keys,
     .help = "Run until the interval of a figure is narrow enough."},
    {"max", HC_KEY_COUNT, .low = 2, .high = HC_SCENARIO_MOST_REPLICAS, .value = "10000",
     .help = "Most replicas in any case."},
    {.name = NULL},
};

static const struct hc_scenario_key variant_keys[] = {
    {"set", HC_KEY_SETTINGS, .help = "Values by the pointer of what they replace."},
    {"use", HC_KEY_TEXTS, .help = "Variants that are applied before `set`, in this order."},
    {.name = NULL},
};

static const struct hc_scenario_key compare_keys[] = {
    {"base", HC_KEY_TEXT, .value = "\"base\"",
     .help = "The variant that the others are compared with; `base` is the scenario itself."},
    {"common_random_numbers", HC_KEY_BOOL, .value = "true",
     .help =
         "Give every variant the same random events, so that differences have narrow intervals."},
    {"figures", HC_KEY_FIGURES, .unset = "those that are compared by default",
     .help = "Figures that are compared, besides those that always are."},
    {.name = NULL},
};

static const struct hc_scenario_key range_keys[] = {
    {"from", HC_KEY_NUMBER, .is_required = true, .low = -1e300, .help = "First value."},
    {"to", HC_KEY_NUMBER, .is_required = true, .low = -1e300,
     .help = "Last value, not below the first; it is taken when the steps meet it."},
    {"step", HC_KEY_NUMBER, .is_required = true, .is_above = true, .help = "From value to value."},
    {.name = NULL},
};

static const struct hc_scenario_key sweep_keys[] = {
    {"path", HC_KEY_POINTER, .is_required = true, .help = "The value that is varied."},
    {"values", HC_KEY_VALUES, .either = "values", .is_either_needed = true,
     .help = "Its values, of the kind that it has."},
    {"range", HC_KEY_OBJECT, .either = "values", .members = range_keys,
     .help = "Its values, evenly spaced."},
    {.name = NULL},
};

static const struct hc_scenario_key find_keys[] = {
    {"smallest", HC_KEY_POINTER, .either = "value", .is_either_needed = true,
     .help = "The value whose smallest is sought that meets the condition."},
    {"largest", HC_KEY_POINTER, .either = "value",
     .help = "The value whose largest is sought that meets the condition."},
    {"such_that", HC_KEY_CONDITION, .is_required = true,
     .help =
         "A figure, or its quantile over replicas (`.p01` to `.p99`), or the `.low` or `.high` of "
         "either, then `>=`, `<=`, `>` or `<`, then a number, which may have a unit; several are "
         "joined by `and`."},
    {"range", HC_KEY_OBJECT, .members = range_keys,
     .unset = "the values of its sweep, else its whole range",
     .help = "Where it is sought, and how finely."},
    {.name = NULL},
};

static const struct hc_scenario_key sensitivity_value_keys[] = {
    {"low", HC_KEY_NUMBER, .is_required = true, .low = -1e300, .help = "Its low value."},
    {"high", HC_KEY_NUMBER, .is_required = true, .low = -1e300, .help = "Its high value."},
    {.name = NULL},
};

static const struct hc_scenario_key sensitivity_keys[] = {
    {"figure", HC_KEY_FIGURE, .unset = "the first of the figures",
     .help = "The figure that is looked at."},
    {"values", HC_KEY_BY_POINTER, .is_required = true, .members = sensitivity_value_keys,
     .help = "By pointer, what is varied one at a time; numbers only."},
    {.name = NULL},
};

static const struct hc_scenario_key perfetto_keys[] = {
    {"variant", HC_KEY_TEXT, .value = "\"both\"",
     .help =
         "The variant beside the untouched job; `both` (or `base`, where there are no variants) "
         "is the first of them."},
    {"step", HC_KEY_COUNT, .high = 2147483646, .unset = "the first that is replayed",
     .help = "Its number in the trace."},
    {.name = NULL},
};

static const struct hc_scenario_key report_keys[] = {
    {"figures", HC_KEY_FIGURES, .unset = "all",
     .help = "Figures of the summary; of a scenario on step timelines also its tables `edits`, "
             "`steps`, `critical_path`, `gain`, where not all of them are wanted."},
    {"price_per_gpu_h", HC_KEY_NUMBER, .unit = "money", .unset = "no money is shown",
     .help = "Price of a GPU-hour."},
    {"done_by_d", HC_KEY_NUMBER, .unit = "d", .is_above = true, .high = HC_SCENARIO_MOST_DAYS,
     .unset = "it is not told",
     .help = "Tell the probability to be done by this day since the job was submitted."},
    {"replica", HC_KEY_COUNT, .value = "0",
     .help = "The replica that is drawn as a timeline, counted from `first_replica`."},
    {"perfetto", HC_KEY_OBJECT, .members = perfetto_keys,
     .help = "Of a scenario on step timelines: the step whose ops `-o DIR/` writes for Perfetto, "
             "untouched and edited side by side."},
    {.name = NULL},
};

static const char *const schemas[] = {HC_SCENARIO_SCHEMA, NULL};

const struct hc_scenario_key hc_scenario_keys[] = {
    {"schema", HC_KEY_CHOICE, .is_required = true, .choices = schemas,
     .help = "The grammar and its version."},
    {"kind", HC_KEY_CHOICE, .is_required = true,
     .help = "The engine that answers; one that comes later is refused."},
    {"question", HC_KEY_TEXT, .help = "What is asked, in a sentence; printed with the answer."},
    {"include", HC_KEY_FILES,
     .help = "Scenario files, relative to this one, that this one is laid over."},
    {"remove", HC_KEY_POINTERS, .help = "What of the included files is left out."},
    {"seed", HC_KEY_COUNT, .high = HC_SCENARIO_MOST_SEED, .value = "1", .is_setting = true,
     .help = "Seed of the random numbers: the same gives the same answer."},
    {"replicas", HC_KEY_COUNT, .low = 1, .high = HC_SCENARIO_MOST_REPLICAS,
     .value = HC_SCENARIO_REPLICAS_TEXT, .members = replicas_keys,
     .help = "How many replicas are simulated, or until when."},
    {"first_replica", HC_KEY_COUNT, .high = HC_SCENARIO_MOST_REPLICAS, .value = "0",
     .help = "Number of the first of them: replica 7 is the same whether others are simulated or "
             "not."},
    {"confidence", HC_KEY_NUMBER, .low = HC_LEAST_CONFIDENCE, .high = HC_MOST_CONFIDENCE,
     .value = HC_SCENARIO_CONFIDENCE_TEXT, .is_setting = true, .help = "Level of the intervals."},
    {"inputs", HC_KEY_OBJECT, .members = inputs_keys,
     .help = "How what fitted and recorded inputs leave open is told."},
    {"variants", HC_KEY_NAMED, .most = 64, .members = variant_keys, .list_of = "apply",
     .help = "By name, changes that are compared with the scenario as it is; where an engine has "
             "the key `apply`, a list of what is applied."},
    {"compare", HC_KEY_OBJECT, .members = compare_keys, .help = "How variants are compared."},
    {"sweep", HC_KEY_LIST, .most = 8, .members = sweep_keys,
     .help = "Values to go through; several make a grid."},
    {"find", HC_KEY_OBJECT, .members = find_keys,
     .help = "The smallest or largest value of a key that meets a condition."},
    {"sensitivity", HC_KEY_OBJECT, .members = sensitivity_keys,
     .help = "What a figure gains and loses with each of several values."},
    {"report", HC_KEY_OBJECT, .members = report_keys, .help = "What is reported."},
    {.name = NULL},
};

/* ---- looking up ---- */

const struct hc_scenario_key *hc_scenario_key(const struct hc_scenario_key *table, const char *name)
{
    for (; table->name; table++)
        if (strcmp(table->name, name) == 0)
            return table;
    return NULL;
}

size_t hc_scenario_key_names(const struct hc_scenario_key *table, const char *names[HC_MOST_KEYS])
{
    size_t n = 0;
    for (; table->name && n < HC_MOST_KEYS; table++)
        names[n++] = table->name;
    return n;
}
