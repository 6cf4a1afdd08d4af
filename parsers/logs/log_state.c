#include "parsers/logs/log_state.h"

#include <string.h>

static const char *clock_name(int clock)
{
    static const char *const names[HC_N_LOG_CLOCKS] = {"stamped", "between", "none"};
    return names[clock];
}

static const char *form_name(int form)
{
    static const char *const names[HC_N_TIMER_FORMS] = {"none", "min_max", "max", "each"};
    return names[form];
}

#define STATE(...) HC_FIELD(struct hc_log_state, __VA_ARGS__)
static const struct hc_field fields[] = {
    STATE("last_ns", rows.last_ns, "ns", "of the last stamp"),
    STATE("has_cycle", rows.has_cycle, "", "a launch is at hand"),
    STATE("cycle", rows.number, "", "its number"),
    STATE("framework", framework, "", "its framework"),
    STATE("step_framework", step_framework, "", "that of its last step"),
    STATE("start_ns", rows.start_ns, "ns", "when it began"),
    HC_NAME(struct hc_log_state, "start_clock", rows.start_clock, clock_name, HC_N_LOG_CLOCKS,
            "how that is known"),
    STATE("start_line", rows.start_line, "", "its first line"),
    STATE("first_step_ns", rows.first_step_ns, "ns", "when its first step began"),
    STATE("end_ns", rows.end_ns, "ns", "last that is told of it"),
    STATE("first_iteration", rows.first_iteration, "", "that it made"),
    STATE("last_iteration", rows.last_iteration, "", "that it made"),
    STATE("loaded_iteration", rows.loaded_iteration, "", "of the checkpoint that it loaded"),
    STATE("saved_iteration", rows.saved_iteration, "", "of the last that it saved"),
    STATE("world_size", rows.world_size, "", "ranks"),
    STATE("is_done", rows.is_done, "", "1: training is done"),
    STATE("init_s", startup.init_s, "s", "of Megatron"),
    STATE("compile_s", startup.compile_s, "s", "of kernels"),
    STATE("load_s", startup.load_s, "s", "of the checkpoint"),
    STATE("initialised_ns", startup.initialised_ns, "ns", "Megatron"),
    STATE("built_ns", startup.built_ns, "ns", "model and optimizer"),
    STATE("ready_ns", startup.ready_ns, "ns", "all"),
    STATE("compile_line", startup.compile_line, "", "line"),
    STATE("load_line", startup.load_line, "", "line"),
    STATE("built_line", startup.built_line, "", "line"),
    STATE("ready_line", startup.ready_line, "", "line"),
    STATE("is_split", startup.is_split, "", "the start-up was told"),
    HC_NAME(struct hc_log_state, "timers", timers.form, form_name, HC_N_TIMER_FORMS,
            "block of timers that is open"),
    STATE("timers_others", timers.n_others, "", "lines since its last one"),
    STATE("timer", timers.name, "", "name of the timer at hand"),
    STATE("logged_steps", n_logged_steps, "", "steps that MLPerf told of"),
    HC_OBJECT(struct hc_log_state, "failures", failures, &hc_failure_state_record,
              "what their lines say"),
};
const struct hc_record_def hc_log_state_record = HC_RECORD(NULL, fields);

/* The name as it is in the program; NULL: there is none of that name. */
static const char *framework_of(const char *name)
{
    static const char *const known[] = {"", "megatron", "mlperf", "verl", "deepspeed", "patterns"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strcmp(known[i], name) == 0)
            return known[i];
    return NULL;
}

static void put_name(char to[16], const char *name)
{
    size_t n = name ? strnlen(name, 15) : 0;
    memset(to, 0, 16);
    if (n)
        memcpy(to, name, n);
}

bool hc_log_state_save(struct hc_log_state *state, const struct hc_run_log *log,
                       const struct hc_failure_lines *failures)
{
    if (log->n_pending || !hc_failure_lines_save(failures, &state->failures))
        return false;
    state->rows = log->rows;
    put_name(state->framework, log->rows.framework);
    put_name(state->step_framework, log->rows.step_framework);
    state->startup = log->startup;
    state->timers = log->timers;
    state->n_logged_steps = log->n_logged_steps;
    return true;
}

enum hc_status hc_log_state_go_on(const struct hc_log_state *state, struct hc_run_log *log,
                                  struct hc_failure_lines *failures, struct hc_error *err)
{
    const char *framework = framework_of(state->framework);
    const char *step_framework = framework_of(state->step_framework);
    if (!framework || !step_framework)
        return hc_fail(err, HC_BAD_INPUT, "'%s': what was known of it names no framework",
                       log->rows.source);
    struct hc_log_rows rows = state->rows;
    rows.names = log->rows.names;
    rows.source = log->rows.source;
    rows.name = log->rows.name;
    rows.times = log->rows.times;
    rows.framework = *framework ? framework : NULL;
    rows.step_framework = *step_framework ? step_framework : NULL;
    log->rows = rows;
    log->startup = state->startup;
    log->timers = state->timers;
    log->n_logged_steps = state->n_logged_steps;
    return hc_failure_lines_go_on(failures, &state->failures, err);
}
