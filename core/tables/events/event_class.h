/* event_class.h - what a health event is about, what it does to a job, and how its time is known.
 * Names are stable: the archive keeps them, not the numbers. */
#ifndef HC_CORE_TABLES_EVENTS_EVENT_CLASS_H
#define HC_CORE_TABLES_EVENTS_EVENT_CLASS_H

#include <stdbool.h>
#include <stddef.h>

enum hc_event_class {
    HC_EVENT_XID,        /* error of a GPU that NVIDIA's driver numbers */
    HC_EVENT_SXID,       /* the same of an NVSwitch */
    HC_EVENT_GPU_LOST,   /* a GPU no longer answers, said without a number */
    HC_EVENT_NVLINK,     /* links between GPUs */
    HC_EVENT_INFINIBAND, /* ports and adapters of the job's network */
    HC_EVENT_ETHERNET,
    HC_EVENT_PCIE, /* advanced error reporting of the bus */
    HC_EVENT_MCE,  /* machine checks, errors of the main memory */
    HC_EVENT_OOM_KILLER,
    HC_EVENT_FILESYSTEM, /* one that does not answer, or is damaged */
    HC_EVENT_DISK,
    HC_EVENT_HUNG_TASK, /* a task, or a processor, that makes no progress */
    HC_EVENT_PANIC,     /* the kernel gives up */
    HC_EVENT_SEGFAULT,
    HC_EVENT_WATCHDOG, /* a collective that did not end in its time */
    HC_EVENT_NCCL,
    HC_EVENT_CUDA,
    HC_EVENT_OUT_OF_MEMORY, /* of a GPU, as the program tells it */
    HC_EVENT_PYTHON,        /* a traceback */
    HC_EVENT_TORCHRUN,      /* the launcher's account of which process failed first */
    HC_EVENT_SCHEDULER,     /* what the scheduler did to a job */
    HC_EVENT_SIGNAL,        /* a process got one: SIGTERM, SIGKILL */
    HC_EVENT_EXIT,          /* a process ended with an exit code */
    HC_EVENT_OTHER,
    HC_N_EVENT_CLASSES
};

enum hc_event_effect {
    HC_EFFECT_STOPS,     /* the application cannot go on */
    HC_EFFECT_MAY_STOP,  /* it may not be able to */
    HC_EFFECT_HARDWARE,  /* the hardware is damaged or degraded, whether or not anything stops */
    HC_EFFECT_PROGRAM,   /* the application stops, most often through a mistake of its own */
    HC_EFFECT_CLEANUP,   /* follows another end: of a process that was killed, of a reset */
    HC_EFFECT_SCHEDULED, /* the scheduler or a person ended it */
    HC_EFFECT_INFORMS,   /* nothing stops by it */
    HC_N_EVENT_EFFECTS
};

/* The better known one comes first. */
enum hc_event_clock {
    HC_CLOCK_STAMPED,       /* the line has date, time and zone */
    HC_CLOCK_ZONE_ASSUMED,  /* it has no zone: that of the site */
    HC_CLOCK_YEAR_INFERRED, /* and no year: by the order of lines and the time of the file */
    HC_CLOCK_SINCE_BOOT,    /* seconds since boot, which another line dates */
    HC_CLOCK_BETWEEN,       /* no stamp: between those of other lines */
    HC_CLOCK_BEFORE_FILE,   /* no stamp at all: before the file was written last */
    HC_N_EVENT_CLOCKS
};

/* "xid", "may_stop", "zone_assumed" */
const char *hc_event_class_name(enum hc_event_class event_class);
const char *hc_event_effect_name(enum hc_event_effect effect);
const char *hc_event_clock_name(enum hc_event_clock clock);

/* The class or effect of that name, or -1. */
int hc_event_class_find(const char *name, size_t length);
int hc_event_effect_find(const char *name, size_t length);

/* Whether a process of that name, or NULL, looks at GPUs beside jobs: a fault of its is not one of
 * a job's. */
bool hc_event_process_is_tool(const char *process);

#endif
