/* leaf.h - where GPU-time went: one `what` and one `why` for each GPU-nanosecond. The leaves sum to
 * the time that was held, exactly.
 *
 * The one definition of the tree of allocated time (docs/methods/account.md), of the account of a
 * cluster and of the simulators alike. 100,000 GPUs over 90 days are 8e20 GPU-ns: more than 64 bits
 * hold, so sums have 128.
 */
#ifndef HC_CORE_TABLES_ACCOUNT_LEAF_H
#define HC_CORE_TABLES_ACCOUNT_LEAF_H

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
    HC_WHAT_STARTUP_WARM_UP, /* what the first steps take above the steady median */
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
    HC_WHAT_ABANDONED, /* at risk in a run that nobody went on with */
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
/* For people: "start-up: image"; "pre-emption". */
const char *hc_what_title(enum hc_what what);
const char *hc_why_title(enum hc_why why);
/* What the leaf means, a clause without a full stop. */
const char *hc_what_sentence(enum hc_what what);
/* Whether a leaf has a reason: the others have HC_WHY_NONE. */
bool hc_what_has_why(enum hc_what what);

/* The categories of ml-goodput (BadputType of Google's ml-goodput-measurement), by their numbers
 * there. Each leaf has exactly one, so that their sums agree with the tree. */
enum hc_goodput_category {
    HC_GOODPUT_PRODUCTIVE,
    HC_GOODPUT_ACCELERATOR_INIT,
    HC_GOODPUT_TRAINING_PREP,
    HC_GOODPUT_PROGRAM_STARTUP,
    HC_GOODPUT_DATA_LOADING_SYNC,
    HC_GOODPUT_DATA_LOADING_ASYNC, /* no leaf: it holds nothing up */
    HC_GOODPUT_CHECKPOINT_SAVE,
    HC_GOODPUT_CHECKPOINT_RESTORE,
    HC_GOODPUT_WASTED_PROGRESS,
    HC_GOODPUT_RECOVERY,
    HC_GOODPUT_CUSTOM,
    HC_GOODPUT_OTHER,
    HC_GOODPUT_ELASTIC_DOWN,
    HC_N_GOODPUT_CATEGORIES
};
enum hc_goodput_category hc_what_goodput(enum hc_what what);
/* "WASTED_PROGRESS_FROM_DISRUPTION" */
const char *hc_goodput_name(enum hc_goodput_category category);

/* ---- sums ---- */

void hc_account_add(struct hc_account *account, const struct hc_account *other);
hc_gpu_ns hc_account_total(const struct hc_account *account);
hc_gpu_ns hc_account_what(const struct hc_account *account, enum hc_what what);
double hc_gpu_hours(hc_gpu_ns gpu_ns);

#endif
