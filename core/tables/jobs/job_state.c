#include "core/tables/jobs/job_state.h"

#include <string.h>
#include <strings.h>

static const struct {
    const char *name;
    bool is_end;
} states[HC_N_JOB_STATES] = {
    [HC_JOB_PENDING] = {"pending", false},     [HC_JOB_RUNNING] = {"running", false},
    [HC_JOB_SUSPENDED] = {"suspended", false}, [HC_JOB_REQUEUED] = {"requeued", true},
    [HC_JOB_RESIZING] = {"resizing", true},    [HC_JOB_COMPLETED] = {"completed", true},
    [HC_JOB_FAILED] = {"failed", true},        [HC_JOB_OUT_OF_MEMORY] = {"out_of_memory", true},
    [HC_JOB_TIMEOUT] = {"timeout", true},      [HC_JOB_DEADLINE] = {"deadline", true},
    [HC_JOB_CANCELLED] = {"cancelled", true},  [HC_JOB_REVOKED] = {"revoked", true},
    [HC_JOB_PREEMPTED] = {"preempted", true},  [HC_JOB_NODE_FAIL] = {"node_fail", true},
    [HC_JOB_BOOT_FAIL] = {"boot_fail", true},  [HC_JOB_LAUNCH_FAILED] = {"launch_failed", true},
};

static const struct {
    const char *word, *abbreviation;
    enum hc_job_state state;
} words[] = {
    {"COMPLETED", "CD", HC_JOB_COMPLETED},
    {"FAILED", "F", HC_JOB_FAILED},
    {"CANCELLED", "CA", HC_JOB_CANCELLED},
    {"TIMEOUT", "TO", HC_JOB_TIMEOUT},
    {"NODE_FAIL", "NF", HC_JOB_NODE_FAIL},
    {"OUT_OF_MEMORY", "OOM", HC_JOB_OUT_OF_MEMORY},
    {"PREEMPTED", "PR", HC_JOB_PREEMPTED},
    {"REQUEUED", "RQ", HC_JOB_REQUEUED},
    {"RUNNING", "R", HC_JOB_RUNNING},
    {"PENDING", "PD", HC_JOB_PENDING},
    {"SUSPENDED", "S", HC_JOB_SUSPENDED},
    {"BOOT_FAIL", "BF", HC_JOB_BOOT_FAIL},
    {"DEADLINE", "DL", HC_JOB_DEADLINE},
    {"RESIZING", "RS", HC_JOB_RESIZING},
    {"REVOKED", "RV", HC_JOB_REVOKED},
    {"LAUNCH_FAILED", "LF", HC_JOB_LAUNCH_FAILED},
    /* On the way: */
    {"COMPLETING", "CG", HC_JOB_RUNNING},
    {"CONFIGURING", "CF", HC_JOB_RUNNING},
    {"STAGE_OUT", "SO", HC_JOB_RUNNING},
    {"SIGNALING", "SI", HC_JOB_RUNNING},
    {"POWER_UP_NODE", "PU", HC_JOB_RUNNING},
    {"UPDATE_DB", "UD", HC_JOB_RUNNING},
    {"EXPEDITING", "EX", HC_JOB_PENDING},
    {"RECONFIG_FAIL", "RCF", HC_JOB_BOOT_FAIL},
    {"STOPPED", "ST", HC_JOB_SUSPENDED},
    {"REQUEUE_FED", "RF", HC_JOB_PENDING},
    {"REQUEUE_HOLD", "RH", HC_JOB_PENDING},
    {"RESV_DEL_HOLD", "RD", HC_JOB_PENDING},
    {"SPECIAL_EXIT", "SE", HC_JOB_PENDING},
};

const char *hc_job_state_name(enum hc_job_state state)
{
    return states[state].name;
}

bool hc_job_state_is_end(enum hc_job_state state)
{
    return states[state].is_end;
}

bool hc_job_state_is_failure(int32_t state)
{
    return state == HC_JOB_FAILED || state == HC_JOB_OUT_OF_MEMORY || state == HC_JOB_NODE_FAIL ||
           state == HC_JOB_BOOT_FAIL || state == HC_JOB_LAUNCH_FAILED || state == HC_JOB_REQUEUED;
}

static bool is_word(const char *word, const char *text, size_t length)
{
    return strlen(word) == length && strncasecmp(word, text, length) == 0;
}

int hc_job_state_find(const char *word, size_t length)
{
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (is_word(words[i].word, word, length) || is_word(words[i].abbreviation, word, length))
            return (int)words[i].state;
    return -1;
}
