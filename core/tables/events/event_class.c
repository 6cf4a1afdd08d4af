#include "core/tables/events/event_class.h"

#include <string.h>

static const char *const classes[HC_N_EVENT_CLASSES] = {
    [HC_EVENT_XID] = "xid",
    [HC_EVENT_SXID] = "sxid",
    [HC_EVENT_GPU_LOST] = "gpu_lost",
    [HC_EVENT_NVLINK] = "nvlink",
    [HC_EVENT_INFINIBAND] = "infiniband",
    [HC_EVENT_ETHERNET] = "ethernet",
    [HC_EVENT_PCIE] = "pcie",
    [HC_EVENT_MCE] = "mce",
    [HC_EVENT_OOM_KILLER] = "oom_killer",
    [HC_EVENT_FILESYSTEM] = "filesystem",
    [HC_EVENT_DISK] = "disk",
    [HC_EVENT_HUNG_TASK] = "hung_task",
    [HC_EVENT_PANIC] = "panic",
    [HC_EVENT_SEGFAULT] = "segfault",
    [HC_EVENT_WATCHDOG] = "watchdog",
    [HC_EVENT_NCCL] = "nccl",
    [HC_EVENT_CUDA] = "cuda",
    [HC_EVENT_OUT_OF_MEMORY] = "out_of_memory",
    [HC_EVENT_PYTHON] = "python",
    [HC_EVENT_TORCHRUN] = "torchrun",
    [HC_EVENT_SCHEDULER] = "scheduler",
    [HC_EVENT_SIGNAL] = "signal",
    [HC_EVENT_EXIT] = "exit",
    [HC_EVENT_OTHER] = "other",
};

static const char *const effects[HC_N_EVENT_EFFECTS] = {
    [HC_EFFECT_STOPS] = "stops",       [HC_EFFECT_MAY_STOP] = "may_stop",
    [HC_EFFECT_HARDWARE] = "hardware", [HC_EFFECT_PROGRAM] = "program",
    [HC_EFFECT_CLEANUP] = "cleanup",   [HC_EFFECT_SCHEDULED] = "scheduled",
    [HC_EFFECT_INFORMS] = "informs",
};

static const char *const clocks[HC_N_EVENT_CLOCKS] = {
    [HC_CLOCK_STAMPED] = "stamped",
    [HC_CLOCK_ZONE_ASSUMED] = "zone_assumed",
    [HC_CLOCK_YEAR_INFERRED] = "year_inferred",
    [HC_CLOCK_SINCE_BOOT] = "since_boot",
    [HC_CLOCK_BETWEEN] = "between",
    [HC_CLOCK_BEFORE_FILE] = "before_file",
};

const char *hc_event_class_name(enum hc_event_class event_class)
{
    return classes[event_class];
}

const char *hc_event_effect_name(enum hc_event_effect effect)
{
    return effects[effect];
}

const char *hc_event_clock_name(enum hc_event_clock clock)
{
    return clocks[clock];
}

static int find(const char *const *names, int n, const char *name, size_t length)
{
    for (int i = 0; i < n; i++)
        if (strlen(names[i]) == length && memcmp(names[i], name, length) == 0)
            return i;
    return -1;
}

int hc_event_class_find(const char *name, size_t length)
{
    return find(classes, HC_N_EVENT_CLASSES, name, length);
}

int hc_event_effect_find(const char *name, size_t length)
{
    return find(effects, HC_N_EVENT_EFFECTS, name, length);
}

bool hc_event_process_is_tool(const char *process)
{
    static const char *const tools[] = {"nvidia-smi",      "nv-hostengine",  "dcgm",
                                        "nvidia-persiste", "nvidia-bug-rep", "gpud",
                                        "nvtop",           "nvitop"};
    for (size_t i = 0; process && i < sizeof tools / sizeof *tools; i++)
        if (strncmp(process, tools[i], strlen(tools[i])) == 0)
            return true;
    return false;
}
