/* kineto_event.h - one event of a Kineto trace, taken from its text in one go.
 *
 * An event is an object; what is kept of it are pointers into the window of the text. Events that
 * nothing is read from (no complete event, or of a class that is only counted) are passed over as
 * soon as that shows, which is before their arguments as the profiler writes them.
 * Private to this wing.
 */
#ifndef HC_PARSERS_PROFILES_KINETO_EVENT_H
#define HC_PARSERS_PROFILES_KINETO_EVENT_H

#include "parsers/profiles/trace_text.h"

enum hc_kineto_class {
    HC_KINETO_CPU_OP,
    HC_KINETO_KERNEL,
    HC_KINETO_MEMCPY,
    HC_KINETO_MEMSET,
    HC_KINETO_CALL,
    HC_KINETO_ANNOTATION,
    HC_KINETO_SYNC,
    HC_KINETO_FIRST_COUNTED, /* from here on only counted */
    HC_KINETO_PYTHON = HC_KINETO_FIRST_COUNTED,
    HC_KINETO_KNOWN, /* of the profiler too: Trace, overhead, gpu_user_annotation */
    HC_KINETO_OTHER,
    HC_KINETO_N_CLASSES
};

struct hc_kineto_event {
    bool is_complete; /* ph X: all others are of no interest */
    enum hc_kineto_class class;
    struct hc_trace_value name, pid, tid, ts, dur;
    struct hc_trace_value args; /* an object with its braces, or absent */
};

enum hc_kineto_scan {
    HC_SCAN_EVENT,  /* an event was read */
    HC_SCAN_MORE,   /* it goes on behind end */
    HC_SCAN_DAMAGED /* it is no JSON */
};

/* The event whose brace is at `at`; *behind is the byte behind it, of a damaged one where the
 * damage shows. */
enum hc_kineto_scan hc_kineto_scan_event(struct hc_kineto_event *event, const char *at,
                                         const char *end, const char **behind);

/* One argument after the other: *at is behind the brace of args at first. False at the end; then
 * *at is NULL where the arguments are no JSON. */
bool hc_kineto_next_arg(const char **at, const char *end, struct hc_trace_value *key,
                        struct hc_trace_value *value);

#endif
