#include "core/tables/account/leaf.h"

struct leaf {
    const char *name, *title, *sentence;
    enum hc_goodput_category goodput;
};

static const struct leaf leaves[HC_WHAT_COUNT] = {
    [HC_WHAT_STARTUP_IMAGE] = {"startup.image", "start-up: image",
                               "fetching and starting the container image",
                               HC_GOODPUT_TRAINING_PREP},
    [HC_WHAT_STARTUP_ENVIRONMENT] = {"startup.environment", "start-up: environment",
                                     "packages, mounts and checks of the node",
                                     HC_GOODPUT_TRAINING_PREP},
    [HC_WHAT_STARTUP_INIT] = {"startup.init", "start-up: initialisation",
                              "processes, devices and communicators", HC_GOODPUT_ACCELERATOR_INIT},
    [HC_WHAT_STARTUP_LOAD] = {"startup.load", "start-up: checkpoint load", "loading the checkpoint",
                              HC_GOODPUT_CHECKPOINT_RESTORE},
    [HC_WHAT_STARTUP_COMPILE] = {"startup.compile", "start-up: compilation",
                                 "compiling the program", HC_GOODPUT_PROGRAM_STARTUP},
    [HC_WHAT_STARTUP_FIRST_STEP] = {"startup.first_step", "start-up: first step",
                                    "from the end of the other phases to the first step",
                                    HC_GOODPUT_PROGRAM_STARTUP},
    [HC_WHAT_STARTUP_WARM_UP] = {"startup.warm_up", "start-up: warm-up",
                                 "what steps take above the steady median until they are steady",
                                 HC_GOODPUT_PROGRAM_STARTUP},
    [HC_WHAT_STARTUP_FAILED] = {"startup.failed", "start-up that failed",
                                "a launch that never reached a step, up to its fault",
                                HC_GOODPUT_RECOVERY},
    [HC_WHAT_STARTUP_UNSPLIT] = {"startup.unsplit", "start-up, not split",
                                 "start-up of which nothing marks the phases", HC_GOODPUT_OTHER},
    [HC_WHAT_PRODUCTIVE_IDEAL] = {"productive.ideal", "productive",
                                  "steps that count, without the excess of stragglers",
                                  HC_GOODPUT_PRODUCTIVE},
    [HC_WHAT_PRODUCTIVE_STRAGGLER_EXCESS] = {"productive.straggler_excess",
                                             "productive: excess of slow steps",
                                             "what stragglers add to steps that count",
                                             HC_GOODPUT_PRODUCTIVE},
    [HC_WHAT_PRODUCTIVE_UNSPLIT] = {"productive.unsplit", "productive, not split",
                                    "steps that count, without a timeline that could split them",
                                    HC_GOODPUT_PRODUCTIVE},
    [HC_WHAT_DEGRADED] = {"degraded", "degraded: held nodes that idled",
                          "GPUs of the allocation that are missing from the steps that are run",
                          HC_GOODPUT_ELASTIC_DOWN},
    [HC_WHAT_CHECKPOINT_STALL] = {"checkpoint.stall", "checkpoint stalls",
                                  "steps held up by a save", HC_GOODPUT_CHECKPOINT_SAVE},
    [HC_WHAT_EVALUATION] = {"evaluation", "evaluation", "evaluating the model between steps",
                            HC_GOODPUT_CUSTOM},
    [HC_WHAT_DATA_WAIT] = {"data_wait", "waiting for data", "steps held up by the loading of data",
                           HC_GOODPUT_DATA_LOADING_SYNC},
    [HC_WHAT_LOST_WORK] = {"lost_work", "lost work",
                           "steps above the iteration from which the run really resumed",
                           HC_GOODPUT_WASTED_PROGRESS},
    [HC_WHAT_ABANDONED] = {"abandoned", "abandoned work",
                           "steps above the last checkpoint of a run that nobody went on with",
                           HC_GOODPUT_WASTED_PROGRESS},
    [HC_WHAT_DETECTION] = {"detection", "detection", "from a fault to its notice",
                           HC_GOODPUT_RECOVERY},
    [HC_WHAT_LOCALISATION] = {"localisation", "localisation",
                              "from the notice of a fault to its place", HC_GOODPUT_RECOVERY},
    [HC_WHAT_RECOVERY] = {"recovery", "recovery", "from there to the next launch of the processes",
                          HC_GOODPUT_RECOVERY},
    [HC_WHAT_IDLE_AFTER] = {"idle_after", "idle after the end",
                            "after the end of training, before the nodes are given back",
                            HC_GOODPUT_OTHER},
    [HC_WHAT_UNKNOWN] = {"unknown", "unknown", "nothing recorded says", HC_GOODPUT_OTHER},
    [HC_WHAT_STANDBY_IDLE] = {"standby.idle", "idle standbys", "warm standbys that wait",
                              HC_GOODPUT_OTHER},
    [HC_WHAT_POOL_IDLE] = {"pool.idle", "free nodes of the pool",
                           "free nodes of a pool that is kept for the job", HC_GOODPUT_OTHER},
};

static const struct {
    const char *name, *title;
} whys[HC_WHY_COUNT] = {
    [HC_WHY_FIRST_START] = {"first_start", "first start"},
    [HC_WHY_INFRASTRUCTURE] = {"infrastructure", "infrastructure"},
    [HC_WHY_USER] = {"user", "user"},
    [HC_WHY_PLANNED] = {"planned", "planned"},
    [HC_WHY_PREEMPTION] = {"preemption", "pre-emption"},
    [HC_WHY_UNKNOWN] = {"unknown", "unknown"},
    [HC_WHY_NONE] = {"none", "no reason needed"},
};

static const char *const categories[HC_N_GOODPUT_CATEGORIES] = {
    [HC_GOODPUT_PRODUCTIVE] = "PRODUCTIVE",
    [HC_GOODPUT_ACCELERATOR_INIT] = "TPU_INITIALIZATION",
    [HC_GOODPUT_TRAINING_PREP] = "TRAINING_PREP",
    [HC_GOODPUT_PROGRAM_STARTUP] = "PROGRAM_STARTUP",
    [HC_GOODPUT_DATA_LOADING_SYNC] = "DATA_LOADING_SYNC",
    [HC_GOODPUT_DATA_LOADING_ASYNC] = "DATA_LOADING_ASYNC",
    [HC_GOODPUT_CHECKPOINT_SAVE] = "UNPRODUCTIVE_CHECKPOINT_SAVE_TIME",
    [HC_GOODPUT_CHECKPOINT_RESTORE] = "UNPRODUCTIVE_CHECKPOINT_RESTORE_TIME",
    [HC_GOODPUT_WASTED_PROGRESS] = "WASTED_PROGRESS_FROM_DISRUPTION",
    [HC_GOODPUT_RECOVERY] = "INFRASTRUCTURE_RECOVERY_FROM_DISRUPTION",
    [HC_GOODPUT_CUSTOM] = "CUSTOM_BADPUT_EVENTS",
    [HC_GOODPUT_OTHER] = "OTHER",
    [HC_GOODPUT_ELASTIC_DOWN] = "ELASTIC_SLICE_DOWN",
};

const char *hc_what_name(enum hc_what what)
{
    return leaves[what].name;
}

const char *hc_what_title(enum hc_what what)
{
    return leaves[what].title;
}

const char *hc_what_sentence(enum hc_what what)
{
    return leaves[what].sentence;
}

enum hc_goodput_category hc_what_goodput(enum hc_what what)
{
    return leaves[what].goodput;
}

const char *hc_goodput_name(enum hc_goodput_category category)
{
    return categories[category];
}

bool hc_what_has_why(enum hc_what what)
{
    return what <= HC_WHAT_STARTUP_UNSPLIT || what == HC_WHAT_DEGRADED ||
           (what >= HC_WHAT_LOST_WORK && what <= HC_WHAT_RECOVERY);
}

const char *hc_why_name(enum hc_why why)
{
    return whys[why].name;
}

const char *hc_why_title(enum hc_why why)
{
    return whys[why].title;
}

void hc_account_add(struct hc_account *account, const struct hc_account *other)
{
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        for (int why = 0; why < HC_WHY_COUNT; why++)
            account->leaf[what][why] += other->leaf[what][why];
}

hc_gpu_ns hc_account_what(const struct hc_account *account, enum hc_what what)
{
    hc_gpu_ns sum = 0;
    for (int why = 0; why < HC_WHY_COUNT; why++)
        sum += account->leaf[what][why];
    return sum;
}

hc_gpu_ns hc_account_total(const struct hc_account *account)
{
    hc_gpu_ns sum = 0;
    for (int what = 0; what < HC_WHAT_COUNT; what++)
        sum += hc_account_what(account, (enum hc_what)what);
    return sum;
}

double hc_gpu_hours(hc_gpu_ns gpu_ns)
{
    /* Whole hours and the rest apart, so that small sums keep their digits. */
    const hc_gpu_ns hour = (hc_gpu_ns)3600 * 1000000000;
    return (double)(gpu_ns / hour) + (double)(gpu_ns % hour) / 3.6e12;
}
