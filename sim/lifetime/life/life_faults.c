/* A life whose faults are handed out. */
#include "sim/lifetime/life/life_driver.h"

/* The fault that the last steps were drawn for, and that did not come any more: without it the same
 * steps would be drawn by another length. Of a life that nothing struck it is all that there is. */
static void add_beyond(struct hc_life *s)
{
    const struct hc_life_fault_log *log = s->log;
    bool is_wanted = s->compiled->step_cv > 0 || !log->n_faults;
    if (!is_wanted || log->next_ns <= s->now_ns || log->next_ns >= HC_LIFE_NEVER)
        return;
    if (log->next_ns <= hc_life_ns(HC_LIFETIME_MOST_S))
        hc_fault_log_beyond(s->log, log->next_cause, log->next_ns);
    else if (s->compiled->step_cv > 0)
        hc_life_failed(&s->end, hc_fail(s->end.err, HC_BAD_INPUT,
                                        "the next fault would come after %g s, later than a list "
                                        "of incidents can say: steps of another length would be "
                                        "drawn",
                                        HC_LIFETIME_MOST_S));
}

enum hc_status hc_life_tell_faults(struct hc_life *s, uint64_t replica, hc_drawn_fault_sink *sink,
                                   void *context, struct hc_lifetime_replica *out)
{
    struct hc_life_fault_log log = {.sink = sink, .context = context, .end = &s->end};
    enum hc_status status = hc_fault_log_init(&log, s->compiled, s->end.err);
    s->log = &log;
    if (!status)
        status = hc_life_replica(s, replica, out);
    if (!status) {
        hc_fault_log_end(&log);
        add_beyond(s);
        status = s->end.status;
    }
    s->log = NULL;
    hc_fault_log_fini(&log);
    return status;
}
