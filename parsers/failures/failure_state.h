/* failure_state.h - what is known of the failures of a log between two of its lines, so that
 * reading can go on there (parsers/io/read_mark.h): tracebacks and the block of torchrun whose
 * lines are still coming, and failures that wait for the next stamp. */
#ifndef HC_PARSERS_FAILURES_FAILURE_STATE_H
#define HC_PARSERS_FAILURES_FAILURE_STATE_H

#include "core/tables/record.h"
#include "parsers/failures/failure_blocks.h"
#include "parsers/failures/failure_queue.h"

/* A failure that waits, with texts of its own. */
struct hc_waiting_failure {
    int64_t time_ns, from_ns, to_ns, job, pid, line, log_id;
    int32_t rank, code;
    enum hc_event_clock clock;
    enum hc_event_class event_class;
    enum hc_event_effect effect;
    char node[HC_FAILURE_WORD_MOST + 1], device[HC_FAILURE_WORD_MOST + 1],
        process[HC_FAILURE_WORD_MOST + 1], name[HC_FAILURE_WORD_MOST + 1];
    char message[HC_FAILURE_MESSAGE_MOST + 1];
};

#define HC_FAILURE_TRACEBACKS 64 /* at once: of so many ranks */
#define HC_FAILURE_WAITING    8  /* that are kept; where more wait, no state is */
struct hc_failure_state {
    int64_t last_ns; /* of the last stamp */
    size_t n_tracebacks, n_waiting;
    struct hc_traceback tracebacks[HC_FAILURE_TRACEBACKS];
    struct hc_waiting_failure waiting[HC_FAILURE_WAITING];
    struct hc_root_cause cause;
};
extern const struct hc_record_def hc_failure_state_record;

/* Where a state is taken, which decides what of a queue belongs to it. */
enum hc_failure_place {
    HC_WITHIN_LOG,        /* all, which have to wait: others are not given yet */
    HC_END_OF_GROWING,    /* what waits; others are given now */
    HC_END_OF_LOG_AT_REST /* of it, what has a time: others are given with that of the end */
};

/* Fill n_waiting and waiting. False: there are more, or something is not given yet. */
bool hc_failure_state_take_queue(struct hc_failure_state *state,
                                 const struct hc_failure_queue *queue, enum hc_failure_place place);

/* Put them into a queue again. */
enum hc_status hc_failure_state_give_queue(const struct hc_failure_state *state,
                                           struct hc_failure_queue *queue, struct hc_error *err);

/* Whether all of its texts are UTF-8, so that it can be kept. */
bool hc_failure_state_is_text(const struct hc_failure_state *state);

#endif
