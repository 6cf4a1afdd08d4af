/* account.h - where GPU-time went: one `what` and one `why` for each GPU-nanosecond. The leaves sum
 * to the time that was held, exactly.
 *
 * The tree of allocated time of docs/methods/lifetime.md, plus the idle standbys that a job keeps
 * for itself. 100,000 GPUs over 90 days are 8e20 GPU-ns: more than 64 bits hold, so sums have 128.
 */
#ifndef HC_SIM_ENGINE_ACCOUNT_H
#define HC_SIM_ENGINE_ACCOUNT_H

#include <stdbool.h>
#include <stdint.h>

__extension__ typedef __int128 hc_gpu_ns;

enum hc_what {
    HC_WHAT_STARTUP_IMAGE,
    HC_WHAT_STARTUP_ENVIRONMENT,
    HC_WHAT_STARTUP_INIT,
    HC_WHAT_STARTUP_LOAD,
    HC_WHAT_STARTUP_COMPILE,
    HC_WHAT_STARTUP_FIRST_STEP,
    HC_WHAT_STARTUP_FAILED,
    HC_WHAT_STARTUP_UNSPLIT,
    HC_WHAT_PRODUCTIVE_IDEAL,
    HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS,
    HC_WHAT_PRODUCTIVE_UNSPLIT,
    HC_WHAT_DEGRADED,
    HC_WHAT_CHECKPOINT_STALL,
    HC_WHAT_EVALUATION,
    HC_WHAT_DATA_WAIT,
    HC_WHAT_LOST_WORK,
    HC_WHAT_DETECTION,
    HC_WHAT_LOCALISATION,
    HC_WHAT_RECOVERY,
    HC_WHAT_IDLE_AFTER,
    HC_WHAT_UNKNOWN,
    HC_WHAT_STANDBY_IDLE, /* warm standbys that wait: not of the job's own nodes */
    HC_WHAT_POOL_IDLE,    /* free nodes of a pool with an end, kept for the job */
    HC_WHAT_COUNT
};

enum hc_why {
    HC_WHY_FIRST_START,
    HC_WHY_INFRASTRUCTURE,
    HC_WHY_USER,
    HC_WHY_PLANNED,
    HC_WHY_PREEMPTION,
    HC_WHY_UNKNOWN,
    HC_WHY_NONE, /* what needs no reason: productive time and its checkpoints */
    HC_WHY_COUNT
};

struct hc_account {
    hc_gpu_ns leaf[HC_WHAT_COUNT][HC_WHY_COUNT];
};

/* "startup.image", "lost_work", ...; "infrastructure", ... */
const char *hc_what_name(enum hc_what what);
const char *hc_why_name(enum hc_why why);

void hc_account_add(struct hc_account *account, const struct hc_account *other);
hc_gpu_ns hc_account_total(const struct hc_account *account);
hc_gpu_ns hc_account_what(const struct hc_account *account, enum hc_what what);
double hc_gpu_hours(hc_gpu_ns gpu_ns);

#endif
