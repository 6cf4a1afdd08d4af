/* The keys that choose recorded incidents: of a fault that replays them, and of distributions that
 * are taken from them or fitted to them. */
#include "core/tables/job.h"
#include "study/grammar/data_provider.h"
#include "study/grammar/scenario_keys.h"

static const char *const times[] = {"repair", "detection", "localisation", NULL};
static const char *const fitted_times[] = {"repair", "detection", "localisation", "between", NULL};
static const char *const families[] = {"best",  "exponential", "weibull",
                                       "gamma", "lognormal",   NULL};

static const char *const moments[] = {"recorded", "drawn", NULL};

/* Which incidents, the same wherever some are chosen. */
#define CHOICE                                                                                     \
    {"file",                                                                                       \
     HC_KEY_TEXT,                                                                                  \
     .data = HC_DATA_INCIDENTS,                                                                    \
     .either = "source",                                                                           \
     .is_either_needed = true,                                                                     \
     .help = "A list of incidents (docs/formats/incidents.md); the name is relative to the "       \
             "scenario file that has it."},                                                        \
        {"job",                                                                                    \
         HC_KEY_TEXT,                                                                              \
         .data = HC_DATA_INCIDENTS,                                                                \
         .is_data_job = true,                                                                      \
         .either = "source",                                                                       \
         .help = "A list of incidents of the archive, by the name that `hindcast ls` gives it."},  \
        {"causes", HC_KEY_TEXTS, .unset = "all that were not planned",                             \
         .help = "Causes of the taxonomy, or its domains (`hardware`)."},                          \
        {"groups", HC_KEY_TEXTS, .unset = "all", .help = "Parts of the fleet, by name."},          \
        {"texts", HC_KEY_TEXTS, .unset = "all",                                                    \
         .help = "What the source says (`text`), word for word; then planned ones count, too, "    \
                 "unless `causes` says otherwise."},                                               \
        {"replica", HC_KEY_COUNT, .high = HC_SCENARIO_MOST_REPLICAS, .unset = "all",               \
         .help = "Of a list that a simulation wrote: only the faults of this replica."},           \
        {"nodes",                                                                                  \
         HC_KEY_COUNT,                                                                             \
         .low = 1,                                                                                 \
         .high = HC_MOST_NODES,                                                                    \
         .unset = "as recorded",                                                                   \
         .help = "Nodes of a group that were watched, where the source does not say."},            \
        {"from_d",                                                                                 \
         HC_KEY_NUMBER,                                                                            \
         .unit = "d",                                                                              \
         .value = "0",                                                                             \
         .high = HC_SCENARIO_MOST_DAYS,                                                            \
         .help = "First day of the records that counts; day 0 is when watching began."},           \
    {                                                                                              \
        "to_d", HC_KEY_NUMBER, .unit = "d", .is_above = true, .high = HC_SCENARIO_MOST_DAYS,       \
                               .unset = "the end of watching", .help = "Where it ends."            \
    }

const struct hc_scenario_key hc_incidents_from_keys[] = {
    CHOICE,
    {"start_d", HC_KEY_NUMBER, .unit = "d", .value = "0", .high = HC_SCENARIO_MOST_DAYS,
     .help = "Wall time since the job was submitted at which `from_d` falls."},
    {"moments", HC_KEY_CHOICE, .choices = moments, .value = "\"recorded\"",
     .help = "When an incident is noticed and placed, its node repaired, a slow one over: as the "
             "list says, where it does; or `drawn`, by the keys of the scenario alone."},
    {.name = NULL},
};

const struct hc_scenario_key hc_recorded_keys[] = {
    CHOICE,
    {"what", HC_KEY_CHOICE, .is_required = true, .choices = times,
     .help = "Of each incident: begin to recovery, begin to notice, or notice to place."},
    {"draw", HC_KEY_COUNT, .high = HC_INPUT_MOST_DRAWS, .value = "0",
     .help =
         "Not the times as they are, but a draw of as many of them (bootstrap), by its number."},
    {.name = NULL},
};

static const char *const ages[] = {"stationary", "new", NULL};

const struct hc_scenario_key hc_fitted_keys[] = {
    CHOICE,
    {"what", HC_KEY_CHOICE, .is_required = true, .choices = fitted_times,
     .help = "As for `recorded`; `between`: time in use of a node until its next failure."},
    {"family", HC_KEY_CHOICE, .choices = families, .value = "\"best\"",
     .help = "`best` is the one with the lowest AICc."},
    {"draw", HC_KEY_COUNT, .high = HC_INPUT_MOST_DRAWS, .value = "0",
     .help = "Not the best parameters, but a draw of what the times leave open (posterior), by its "
             "number."},
    {"age", HC_KEY_CHOICE, .choices = ages, .value = "\"stationary\"", .needs = "what=between",
     .help = "Of the nodes when watching began: in service for long, or `new`."},
    {.name = NULL},
};

static const char *const resampled[] = {"steps", NULL};

const struct hc_scenario_key hc_replayed_keys[] = {
    {"scenario", HC_KEY_TEXT, .is_required = true, .data = HC_DATA_REPLAY,
     .help = "A scenario of the kind `replay`; the name is relative to the scenario file that has "
             "it."},
    {"variant", HC_KEY_TEXT, .value = "\"base\"",
     .help = "Which of its variants; `base` is that scenario itself."},
    {"scale_measured", HC_KEY_BOOL, .value = "true",
     .help =
         "Take the step time as it was measured, times what the variant takes over the untouched "
         "job, both replayed, so that what the replay is off cancels; else the replayed time "
         "itself."},
    {"resample", HC_KEY_CHOICE, .choices = resampled, .value = "\"steps\"",
     .help = "What is drawn: the steps of the trace, each as likely as the others."},
    {.name = NULL},
};

static const char *const slow_figures[] = {"slowdown", HC_DATA_WORST_WORKER, NULL};

static const struct hc_scenario_key whatif_keys[] = {
    {"job", HC_KEY_TEXT, .data = HC_DATA_WHATIF, .is_data_job = true, .either = "source",
     .is_either_needed = true, .help = "A job of the archive, as `hindcast whatif` names it."},
    {"file", HC_KEY_TEXT, .data = HC_DATA_WHATIF, .either = "source",
     .help = "A trace of its steps; the name is relative to the scenario file that has it."},
    {"figure", HC_KEY_CHOICE, .choices = slow_figures, .value = "\"slowdown\"",
     .help = "S of the job, or the highest exact S of one of its workers, all others ideal."},
    {.name = NULL},
};

const struct hc_scenario_key hc_whatif_number_keys[] = {
    {"whatif", HC_KEY_OBJECT, .is_required = true, .members = whatif_keys,
     .help = "What the straggler what-if says of a job: it is replayed before the run."},
    {.name = NULL},
};
