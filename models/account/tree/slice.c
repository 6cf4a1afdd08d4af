#include "models/account/tree/slice.h"

const char *hc_mark_name(enum hc_mark mark)
{
    static const char *const names[HC_N_MARKS] = {"measured", "estimated", "unknown"};
    return names[mark];
}

static const struct {
    const char *name, *sentence;
} rules[HC_N_SLICE_RULES] = {
    [HC_RULE_NO_LOG] = {"no_log", "no log joined this attempt: nothing says what its GPUs did"},
    [HC_RULE_BEFORE_LAUNCH] =
        {"before_launch",
         "before the first line of the log of the launch, where no phase is marked"},
    [HC_RULE_PHASE] = {"phase", "a phase of the start-up, up to the end of its slowest node"},
    [HC_RULE_UNMARKED_START] =
        {"unmarked_start",
         "in the log of the launch before its first step, where no phase is marked"},
    [HC_RULE_NEVER_STEPPED] = {"never_stepped",
                               "a launch that ended before its first step, up to its fault"},
    [HC_RULE_NO_STEPS] = {"no_steps", "a launch that came to its own end, and whose log tells of "
                                      "no step: nothing says what its GPUs did"},
    [HC_RULE_WARM_UP] = {"warm_up",
                         "first steps above the steady median, counted for what they are above it"},
    [HC_RULE_STEPS] = {"steps", "steps of the log: their number times the time that one took"},
    [HC_RULE_STEPS_AT_PACE] = {"steps_at_pace",
                               "no line says, but the next one was not due yet: steps went on at "
                               "the pace of the last ones"},
    [HC_RULE_RESUMED_BELOW] = {"resumed_below",
                               "steps above the iteration from which the run really resumed"},
    [HC_RULE_AT_RISK] = {"at_risk", "steps above the last checkpoint of a run that has not gone on "
                                    "yet"},
    [HC_RULE_ABANDONED] = {"abandoned", "steps above the last checkpoint of a run that nobody went "
                                        "on with for 7 days"},
    [HC_RULE_PARTIAL_STEP] = {"partial_step",
                              "steps that no line tells of, from the last one to the middle of the "
                              "interval in which the fault lies"},
    [HC_RULE_SAVE_IN_GAP] = {"save_in_gap",
                             "between steps, beyond what they took, where a checkpoint was saved"},
    [HC_RULE_SAVE_AS_OTHERS] = {"save_as_others",
                                "a save behind the last line of steps, which held them up as long "
                                "as others of the launch did"},
    [HC_RULE_EVALUATION_IN_GAP] = {"evaluation_in_gap",
                                   "between steps, beyond what they took, where the model was "
                                   "evaluated"},
    [HC_RULE_GAP] = {"gap", "between steps, beyond what they took, and nothing says why"},
    [HC_RULE_FAULT_TO_NOTICE] = {"fault_to_notice",
                                 "from the middle of the interval in which the fault lies to the "
                                 "line that notices it"},
    [HC_RULE_NOTICE_TO_LAUNCH] = {"notice_to_launch",
                                  "from the notice of the fault to the next launch in the same "
                                  "allocation"},
    [HC_RULE_NOTICE_TO_END] = {"notice_to_end",
                               "from the notice of the fault to the end of the allocation"},
    [HC_RULE_BEYOND_PACE] = {"beyond_pace",
                             "the next line of the log was due and did not come, and nothing says "
                             "why"},
    [HC_RULE_TRAINING_DONE] = {"training_done",
                               "from the end of the training to that of the allocation"},
    [HC_RULE_SMALLER_WORLD] = {"smaller_world",
                               "GPUs of the allocation that a launch with fewer ranks left out"},
    [HC_RULE_STANDBY] = {"standby", "GPUs of the allocation that no rank of the launch was on"},
    [HC_RULE_TIMELINE] = {"timeline",
                          "traced steps: step time x (1 - 1/S), by the what-if of their "
                          "timeline"},
    [HC_RULE_TIMELINE_OF_OTHERS] = {"timeline_of_others",
                                    "steps beside traced ones of the same attempt, by the slowdown "
                                    "of these"},
};

const char *hc_slice_rule_name(enum hc_slice_rule rule)
{
    return rules[rule].name;
}

const char *hc_slice_rule_sentence(enum hc_slice_rule rule)
{
    return rules[rule].sentence;
}
