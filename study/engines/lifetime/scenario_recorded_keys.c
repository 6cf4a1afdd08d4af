/* The keys that choose recorded incidents: of a fault that replays them, and of distributions that
 * are taken from them or fitted to them. */
#include "study/grammar/scenario_keys.h"

static const char *const times[] = {"repair", "detection", "localisation", NULL};
static const char *const fitted_times[] = {"repair", "detection", "localisation", "between", NULL};
static const char *const families[] = {"best",  "exponential", "weibull",
                                       "gamma", "lognormal",   NULL};

/* Which incidents, the same wherever some are chosen. */
#define CHOICE                                                                                     \
    {"file", HC_KEY_TEXT, .either = "source", .is_either_needed = true,                            \
     .help = "A list of incidents (docs/formats/incidents.md); the name is relative to the "       \
             "scenario file that has it."},                                                        \
        {"job", HC_KEY_TEXT, .either = "source",                                                   \
         .help = "A list of incidents of the archive, by the name that `hindcast ls` gives it."},  \
        {"causes", HC_KEY_TEXTS, .unset = "all that were not planned",                             \
         .help = "Causes of the taxonomy, or its domains (`hardware`)."},                          \
        {"groups", HC_KEY_TEXTS, .unset = "all", .help = "Parts of the fleet, by name."},          \
        {"nodes",                                                                                  \
         HC_KEY_COUNT,                                                                             \
         .low = 1,                                                                                 \
         .high = 10000000,                                                                         \
         .unset = "as recorded",                                                                   \
         .help = "Nodes of a group that were watched, where the source does not say."},            \
        {"from_d",                                                                                 \
         HC_KEY_NUMBER,                                                                            \
         .unit = "d",                                                                              \
         .value = "0",                                                                             \
         .high = 36500,                                                                            \
         .help = "First day of the records that counts; day 0 is when watching began."},           \
    {                                                                                              \
        "to_d", HC_KEY_NUMBER, .unit = "d", .is_above = true, .high = 36500,                       \
                               .unset = "the end of watching", .help = "Where it ends."            \
    }

const struct hc_scenario_key hc_incidents_from_keys[] = {
    CHOICE,
    {"start_d", HC_KEY_NUMBER, .unit = "d", .value = "0", .high = 36500,
     .help = "Wall time since the job was submitted at which `from_d` falls."},
    {.name = NULL},
};

const struct hc_scenario_key hc_recorded_keys[] = {
    CHOICE,
    {"what", HC_KEY_CHOICE, .is_required = true, .choices = times,
     .help = "Of each incident: begin to recovery, begin to notice, or notice to place."},
    {.name = NULL},
};

const struct hc_scenario_key hc_fitted_keys[] = {
    CHOICE,
    {"what", HC_KEY_CHOICE, .is_required = true, .choices = fitted_times,
     .help = "As for `recorded`; `between`: time in use of a node until its next failure."},
    {"family", HC_KEY_CHOICE, .choices = families, .value = "\"best\"",
     .help = "`best` is the one with the lowest AICc."},
    {.name = NULL},
};
