#include "parsers/failures/failure_state.h"

#include "core/base/utf8.h"

#include <string.h>

/* ---- as a record ---- */

static const char *clock_name(int value)
{
    return hc_event_clock_name((enum hc_event_clock)value);
}
static const char *class_name(int value)
{
    return hc_event_class_name((enum hc_event_class)value);
}
static const char *effect_name(int value)
{
    return hc_event_effect_name((enum hc_event_effect)value);
}

#define TRACEBACK(...) HC_FIELD(struct hc_traceback, __VA_ARGS__)
static const struct hc_field traceback_fields[] = {
    TRACEBACK("who", who, "", "whose lines they are"),
    TRACEBACK("line", line, "", "where it begins"),
    TRACEBACK("lines", n_lines, "", "of it so far"),
    TRACEBACK("frame", frame, "", "the last one"),
};
static const struct hc_record_def traceback_record = HC_RECORD(NULL, traceback_fields);

#define WAITING(...) HC_FIELD(struct hc_waiting_failure, __VA_ARGS__)
static const struct hc_field waiting_fields[] = {
    WAITING("time_ns", time_ns, "ns", "of the stamp before it"),
    WAITING("from_ns", from_ns, "ns", "not earlier than this"),
    WAITING("to_ns", to_ns, "ns", "not later than this"),
    WAITING("job", job, "", "job"),
    WAITING("pid", pid, "", "process"),
    WAITING("line", line, "", "where it is told"),
    WAITING("log_id", log_id, "", "of its log"),
    WAITING("rank", rank, "", "rank"),
    WAITING("code", code, "", "code"),
    HC_NAME(struct hc_waiting_failure, "clock", clock, clock_name, HC_N_EVENT_CLOCKS,
            "how its time is known"),
    HC_NAME(struct hc_waiting_failure, "class", event_class, class_name, HC_N_EVENT_CLASSES,
            "what it is"),
    HC_NAME(struct hc_waiting_failure, "effect", effect, effect_name, HC_N_EVENT_EFFECTS,
            "what it does to the job"),
    WAITING("node", node, "", "node"),
    WAITING("device", device, "", "device"),
    WAITING("process", process, "", "name of the process"),
    WAITING("name", name, "", "name"),
    WAITING("message", message, "", "message"),
};
static const struct hc_record_def waiting_record = HC_RECORD(NULL, waiting_fields);

/* The lines of a block give these of its event; the rest is the same for all. */
#define CAUSE(...) HC_FIELD(struct hc_root_cause, __VA_ARGS__)
static const struct hc_field cause_fields[] = {
    CAUSE("is_open", is_open, "", "its lines are coming"),
    CAUSE("lines", n_lines, "", "of it so far"),
    CAUSE("line", line, "", "where it begins"),
    CAUSE("rank", event.rank, "", "rank"),
    CAUSE("code", event.code, "", "exit code"),
    CAUSE("pid", event.pid, "", "process"),
    CAUSE("time", time, "", "as written"),
    CAUSE("node", node, "", "node"),
    CAUSE("message", message, "", "message"),
};
static const struct hc_record_def cause_record = HC_RECORD(NULL, cause_fields);

#define STATE(...) HC_FIELD(struct hc_failure_state, __VA_ARGS__)
static const struct hc_field state_fields[] = {
    STATE("last_ns", last_ns, "ns", "of the last stamp"),
    HC_LIST_IN(struct hc_failure_state, "tracebacks", tracebacks, n_tracebacks, &traceback_record,
               "that have not ended", .rules = HC_LINE),
    HC_LIST_IN(struct hc_failure_state, "waiting", waiting, n_waiting, &waiting_record,
               "failures that wait for a stamp", .rules = HC_LINE),
    HC_OBJECT(struct hc_failure_state, "root_cause", cause, &cause_record, "block of torchrun",
              .rules = HC_LINE),
};
const struct hc_record_def hc_failure_state_record = HC_RECORD(NULL, state_fields);

/* ---- failures that wait ---- */

static bool keep(char *to, size_t size, struct hc_event_text text)
{
    if (text.length >= size || (text.length && memchr(text.text, '\0', text.length)))
        return false;
    if (text.length)
        memcpy(to, text.text, text.length);
    to[text.length] = '\0';
    return true;
}

static bool take_event(struct hc_waiting_failure *to, const struct hc_event *from)
{
    *to = (struct hc_waiting_failure){.time_ns = from->time_ns,
                                      .from_ns = from->from_ns,
                                      .to_ns = from->to_ns,
                                      .job = from->job,
                                      .pid = from->pid,
                                      .line = from->line,
                                      .log_id = from->log_id,
                                      .rank = from->rank,
                                      .code = from->code,
                                      .clock = from->clock,
                                      .event_class = from->event_class,
                                      .effect = from->effect};
    return keep(to->node, sizeof to->node, from->node) &&
           keep(to->device, sizeof to->device, from->device) &&
           keep(to->process, sizeof to->process, from->process) &&
           keep(to->name, sizeof to->name, from->name) &&
           keep(to->message, sizeof to->message, from->message);
}

bool hc_failure_state_take_queue(struct hc_failure_state *state,
                                 const struct hc_failure_queue *queue, enum hc_failure_place place)
{
    state->n_waiting = 0;
    for (size_t i = 0; i < queue->n; i++) {
        struct hc_event event;
        bool is_open = hc_failure_queue_open_at(queue, i, &event);
        if (!is_open && place == HC_WITHIN_LOG)
            return false;
        if (!is_open || (place == HC_END_OF_LOG_AT_REST && event.time_ns == HC_MISSING_I64))
            continue;
        if (state->n_waiting == HC_FAILURE_WAITING ||
            !take_event(&state->waiting[state->n_waiting], &event))
            return false;
        state->n_waiting++;
    }
    return true;
}

static struct hc_event_text text_of(const char *text)
{
    return (struct hc_event_text){text, strlen(text)};
}

enum hc_status hc_failure_state_give_queue(const struct hc_failure_state *state,
                                           struct hc_failure_queue *queue, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < state->n_waiting && !status; i++) {
        const struct hc_waiting_failure *from = &state->waiting[i];
        const struct hc_event event = {.time_ns = from->time_ns,
                                       .from_ns = from->from_ns,
                                       .to_ns = from->to_ns,
                                       .job = from->job,
                                       .pid = from->pid,
                                       .line = from->line,
                                       .log_id = from->log_id,
                                       .rank = from->rank,
                                       .code = from->code,
                                       .clock = from->clock,
                                       .event_class = from->event_class,
                                       .effect = from->effect,
                                       .node = text_of(from->node),
                                       .device = text_of(from->device),
                                       .process = text_of(from->process),
                                       .name = text_of(from->name),
                                       .message = text_of(from->message)};
        status = hc_failure_queue_put(queue, &event, true, err);
    }
    return status;
}

static bool is_utf8(const char *text)
{
    for (size_t n; *text; text += n)
        if ((n = hc_utf8_length(text)) == 0)
            return false;
    return true;
}

bool hc_failure_state_is_text(const struct hc_failure_state *state)
{
    for (size_t i = 0; i < state->n_tracebacks; i++)
        if (!is_utf8(state->tracebacks[i].frame))
            return false;
    for (size_t i = 0; i < state->n_waiting; i++) {
        const struct hc_waiting_failure *one = &state->waiting[i];
        if (!is_utf8(one->node) || !is_utf8(one->device) || !is_utf8(one->process) ||
            !is_utf8(one->name) || !is_utf8(one->message))
            return false;
    }
    return is_utf8(state->cause.time) && is_utf8(state->cause.node) &&
           is_utf8(state->cause.message);
}
