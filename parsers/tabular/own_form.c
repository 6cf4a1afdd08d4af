#include "parsers/tabular/own_form.h"

#include "core/tables/corrections/correction_table.h"
#include "core/tables/events/event_table.h"
#include "core/tables/incidents/incident_cause_sources.h"
#include "core/tables/incidents/incident_table.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/logs/log_tables.h"
#include "core/tables/nodes/node_state_table.h"
#include "core/tables/nodes/phase_table.h"

#include <stdio.h>
#include <string.h>

/* ---- values of the last row ---- */

static int32_t i32_of(const struct hc_record_writer *w, size_t column)
{
    return hc_table_i32(w->rows, column)[w->rows->n_rows - 1];
}

static int64_t i64_of(const struct hc_record_writer *w, size_t column)
{
    return hc_table_i64(w->rows, column)[w->rows->n_rows - 1];
}

static const char *text_of(const struct hc_record_writer *w, size_t column)
{
    int32_t code = i32_of(w, column);
    const char *dictionary = w->rows->def->columns[column].dictionary;
    return code < 0 ? "" : hc_table_names_find(w->names, dictionary)->text[code];
}

static void default_i32(const struct hc_record_writer *w, size_t column, int32_t value)
{
    if (i32_of(w, column) == HC_MISSING_I32)
        hc_record_put_i32(w, column, value);
}

static void default_i64(const struct hc_record_writer *w, size_t column, int64_t value)
{
    if (i64_of(w, column) == HC_MISSING_I64)
        hc_record_put_i64(w, column, value);
}

/* ---- jobs ---- */

static bool put_job_word(const struct hc_record_writer *w, size_t column, const char *text,
                         size_t length)
{
    int state = column == HC_JOBS_STATE ? hc_job_state_find(text, length) : -1;
    if (state >= 0)
        hc_record_put_i32(w, column, state);
    return state >= 0;
}

static void complete_job(const struct hc_record_writer *w, bool is_local)
{
    (void)is_local;
    int64_t start = i64_of(w, HC_JOBS_START_NS), end = i64_of(w, HC_JOBS_END_NS);
    default_i64(w, HC_JOBS_RAW_JOB, i64_of(w, HC_JOBS_JOB));
    if (start != HC_MISSING_I64 && end != HC_MISSING_I64 && end >= start)
        default_i64(w, HC_JOBS_ELAPSED_NS, end - start);
}

/* ---- events ---- */

static struct hc_event_text event_text(const struct hc_record_writer *w, size_t column)
{
    const char *text = text_of(w, column);
    return (struct hc_event_text){text, strlen(text)};
}

static void complete_event(const struct hc_record_writer *w, bool is_local)
{
    default_i32(w, HC_EVENTS_CLASS, HC_EVENT_OTHER);
    default_i32(w, HC_EVENTS_EFFECT, HC_EFFECT_INFORMS);
    default_i32(w, HC_EVENTS_CLOCK, is_local ? HC_CLOCK_ZONE_ASSUMED : HC_CLOCK_STAMPED);
    struct hc_event event = hc_event_none;
    event.job = i64_of(w, HC_EVENTS_JOB);
    event.pid = i64_of(w, HC_EVENTS_PID);
    event.rank = i32_of(w, HC_EVENTS_RANK);
    event.code = i32_of(w, HC_EVENTS_CODE);
    event.event_class = (enum hc_event_class)i32_of(w, HC_EVENTS_CLASS);
    event.node = event_text(w, HC_EVENTS_NODE);
    event.device = event_text(w, HC_EVENTS_DEVICE);
    event.message = event_text(w, HC_EVENTS_MESSAGE);
    default_i64(w, HC_EVENTS_FACT, hc_event_fact(&event));
}

/* ---- phases, states of nodes ---- */

static void complete_phase(const struct hc_record_writer *w, bool is_local)
{
    const char *node = text_of(w, HC_PHASES_NODE), *detail = text_of(w, HC_PHASES_DETAIL);
    struct hc_phase_row phase = hc_phase_none;
    default_i32(w, HC_PHASES_CLOCK, is_local ? HC_TIME_LOCAL : HC_TIME_STATED);
    phase.log_id = i64_of(w, HC_PHASES_LOG_ID);
    phase.rank = i32_of(w, HC_PHASES_RANK);
    phase.restarts = i32_of(w, HC_PHASES_RESTARTS);
    phase.cycle = i32_of(w, HC_PHASES_CYCLE);
    phase.array_task = i32_of(w, HC_PHASES_ARRAY_TASK);
    phase.phase = (enum hc_phase)i32_of(w, HC_PHASES_PHASE);
    phase.node = (struct hc_phase_text){node, strlen(node)};
    phase.detail = (struct hc_phase_text){detail, strlen(detail)};
    default_i64(w, HC_PHASES_FACT, hc_phase_fact(&phase));
}

/* "DOWN+DRAIN" and the like: a base state and flags. */
static bool put_node_word(const struct hc_record_writer *w, size_t column, const char *text,
                          size_t length)
{
    struct hc_node_state state = {HC_NODE_UNKNOWN, 0};
    if (column != HC_NODE_STATES_STATE || !hc_node_state_add(&state, text, length))
        return false;
    hc_record_put_i32(w, HC_NODE_STATES_STATE, (int32_t)state.base);
    default_i32(w, HC_NODE_STATES_FLAGS, state.flags);
    return true;
}

static void complete_node_state(const struct hc_record_writer *w, bool is_local)
{
    const char *node = text_of(w, HC_NODE_STATES_NODE);
    default_i32(w, HC_NODE_STATES_HOW, HC_NODE_HISTORY);
    default_i32(w, HC_NODE_STATES_FLAGS, 0);
    default_i32(w, HC_NODE_STATES_CLOCK, is_local ? HC_TIME_LOCAL : HC_TIME_STATED);
    enum hc_node_knowledge how = (enum hc_node_knowledge)i32_of(w, HC_NODE_STATES_HOW);
    default_i64(w, HC_NODE_STATES_FACT, hc_node_state_fact(how, node, strlen(node)));
}

/* ---- the queue ---- */

static bool put_queue_word(const struct hc_record_writer *w, size_t column, const char *text,
                           size_t length)
{
    int state = column == HC_QUEUE_STATE ? hc_job_state_find(text, length) : -1;
    if (state >= 0)
        hc_record_put_i32(w, column, state);
    return state >= 0;
}

static void complete_queue(const struct hc_record_writer *w, bool is_local)
{
    const char *reason = text_of(w, HC_QUEUE_REASON);
    int wait =
        i32_of(w, HC_QUEUE_STATE) == HC_JOB_PENDING ? hc_queue_wait_of(reason, strlen(reason)) : -1;
    if (wait >= 0)
        default_i32(w, HC_QUEUE_WAITS_FOR, wait);
    default_i32(w, HC_QUEUE_CLOCK, is_local ? HC_TIME_LOCAL : HC_TIME_STATED);
    default_i64(w, HC_QUEUE_FACT,
                hc_queue_fact(i64_of(w, HC_QUEUE_JOB), i32_of(w, HC_QUEUE_ARRAY_TASK),
                              i32_of(w, HC_QUEUE_HET_COMPONENT)));
}

/* ---- logs of training runs ---- */

static int64_t log_id_of(const struct hc_record_writer *w, size_t log)
{
    const char *text = text_of(w, log);
    return hc_record_fact(0, text, strlen(text));
}

static void complete_train_step(const struct hc_record_writer *w, bool is_local)
{
    (void)is_local;
    default_i64(w, HC_TRAIN_STEPS_LOG_ID, log_id_of(w, HC_TRAIN_STEPS_LOG));
    default_i32(w, HC_TRAIN_STEPS_CYCLE, 0);
    default_i32(w, HC_TRAIN_STEPS_ITERATIONS, 1);
    default_i32(w, HC_TRAIN_STEPS_CLOCK, HC_LOG_STAMPED);
}

static void complete_cycle(const struct hc_record_writer *w, bool is_local)
{
    (void)is_local;
    default_i64(w, HC_CYCLES_LOG_ID, log_id_of(w, HC_CYCLES_LOG));
    default_i32(w, HC_CYCLES_NUMBER, 0);
    default_i32(w, HC_CYCLES_CLOCK, HC_LOG_STAMPED);
}

static void complete_checkpoint(const struct hc_record_writer *w, bool is_local)
{
    (void)is_local;
    default_i64(w, HC_CHECKPOINTS_LOG_ID, log_id_of(w, HC_CHECKPOINTS_LOG));
    default_i32(w, HC_CHECKPOINTS_CYCLE, 0);
    default_i32(w, HC_CHECKPOINTS_CLOCK, HC_LOG_STAMPED);
}

static void complete_train_measure(const struct hc_record_writer *w, bool is_local)
{
    char rank[16];
    const char *name = text_of(w, HC_TRAIN_MEASURES_NAME);
    (void)is_local;
    int n = snprintf(rank, sizeof rank, "%d", i32_of(w, HC_TRAIN_MEASURES_RANK));
    int64_t fact = hc_record_fact(0, name, strlen(name));
    default_i64(w, HC_TRAIN_MEASURES_LOG_ID, log_id_of(w, HC_TRAIN_MEASURES_LOG));
    default_i64(w, HC_TRAIN_MEASURES_FACT, hc_record_fact(fact, rank, (size_t)n));
    default_i32(w, HC_TRAIN_MEASURES_CYCLE, 0);
    default_i32(w, HC_TRAIN_MEASURES_CLOCK, HC_LOG_STAMPED);
}

/* ---- corrections ---- */

static void complete_correction(const struct hc_record_writer *w, bool is_local)
{
    char numbers[120];
    const char *incident = text_of(w, HC_CORRECTIONS_INCIDENT);
    const char *node = text_of(w, HC_CORRECTIONS_NODE);
    (void)is_local;
    int n =
        snprintf(numbers, sizeof numbers, "%lld %d %d %lld",
                 (long long)i64_of(w, HC_CORRECTIONS_JOB), i32_of(w, HC_CORRECTIONS_ARRAY_TASK),
                 i32_of(w, HC_CORRECTIONS_RESTARTS), (long long)i64_of(w, HC_CORRECTIONS_TIME_NS));
    int64_t fact = hc_record_fact(0, numbers, (size_t)n);
    fact = hc_record_fact(fact, incident, strlen(incident));
    default_i64(w, HC_CORRECTIONS_FACT, hc_record_fact(fact, node, strlen(node)));
}

/* ---- incidents ---- */

static void complete_incident(const struct hc_record_writer *w, bool is_local)
{
    const char *text = text_of(w, HC_INCIDENTS_TEXT);
    int cause = *text ? hc_incident_cause_of_text(HC_SOURCE_PUBLISHED, text, strlen(text))
                      : HC_CAUSE_UNKNOWN;
    (void)is_local;
    default_i32(w, HC_INCIDENTS_COUNT, 1);
    default_i32(w, HC_INCIDENTS_CAUSE, cause);
    cause = i32_of(w, HC_INCIDENTS_CAUSE);
    default_i32(w, HC_INCIDENTS_CLASS,
                (int32_t)hc_incident_cause_info((enum hc_incident_cause)cause)->noticed);
}

static const char *wrong_incident(const struct hc_record_writer *w)
{
    int64_t time_ns = i64_of(w, HC_INCIDENTS_TIME_NS);
    for (size_t c = HC_INCIDENTS_DETECTED_NS; c <= HC_INCIDENTS_RECOVERED_NS; c++)
        if (i64_of(w, c) != HC_MISSING_I64 && i64_of(w, c) < time_ns)
            return c == HC_INCIDENTS_DETECTED_NS  ? "'detected_ns' is before 'time_ns'"
                   : c == HC_INCIDENTS_LOCATED_NS ? "'located_ns' is before 'time_ns'"
                                                  : "'recovered_ns' is before 'time_ns'";
    return i32_of(w, HC_INCIDENTS_COUNT) == 1 ? NULL : "'count' is not 1, but one time is given";
}

/* ---- the forms ---- */

static const struct hc_own_form forms[] = {
    {.format = "jobs-table",
     .def = &hc_jobs_def,
     .start_names = hc_job_names_init,
     .required = "job submit_ns state",
     .durations = "elapsed_ns suspended_ns time_limit_ns",
     .derived = "raw_job elapsed_ns source line",
     .example = "job=4711,user=ann,account=nlp,partition=gpu,state=node_fail,"
                "submit_ns=2026-03-01T08:00:00+01:00,start_ns=2026-03-01T08:05:00+01:00,"
                "end_ns=2026-03-01T09:35:00+01:00,nodes=2,gpus=16",
     .put_word = put_job_word,
     .complete = complete_job},
    {.format = "events-table",
     .def = &hc_events_def,
     .start_names = hc_event_names_init,
     .required = "time_ns class",
     .durations = "",
     .derived = "clock fact source line",
     .example = "time_ns=2026-03-01T09:31:12Z,node=n07,device=GPU 3,class=xid,code=79,"
                "effect=stops,message=GPU has fallen off the bus",
     .complete = complete_event},
    {.format = "phases-table",
     .def = &hc_phases_def,
     .start_names = hc_phase_names_init,
     .required = "start_ns phase",
     .durations = "",
     .derived = "clock fact source line",
     .example = "start_ns=2026-03-01T08:05:00Z,end_ns=2026-03-01T08:06:30Z,job=4711,node=n07,"
                "phase=image",
     .complete = complete_phase},
    {.format = "node_states-table",
     .def = &hc_node_states_def,
     .start_names = hc_node_state_names_init,
     .required = "since_ns node state",
     .durations = "",
     .derived = "clock fact source line",
     .example = "since_ns=2026-03-01T09:31:30Z,until_ns=2026-03-02T14:00:00Z,node=n07,state=down,"
                "reason=GPU off the bus,user=ann",
     .put_word = put_node_word,
     .complete = complete_node_state},
    {.format = "queue-table",
     .def = &hc_queue_def,
     .start_names = hc_queue_names_init,
     .required = "time_ns",
     .durations = "",
     .derived = "waits_for clock fact source line",
     .example = "time_ns=2026-03-01T08:00:00Z,job=4711,partition=gpu,user=ann,account=nlp,"
                "state=pending,reason=Resources,nodes=2,gpus=16,submit_ns=2026-03-01T07:12:00Z",
     .put_word = put_queue_word,
     .complete = complete_queue},
    {.format = "train_steps-table",
     .def = &hc_train_steps_def,
     .start_names = hc_train_step_names_init,
     .required = "end_ns iteration log",
     .durations = "duration_ns",
     .derived = "log_id iterations clock source line",
     .example = "end_ns=2026-03-01T08:10:12.5Z,iteration=100,log=run7,job=4711,"
                "duration_ns=1250000000,tokens=419430400,loss=7.25",
     .complete = complete_train_step},
    {.format = "cycles-table",
     .def = &hc_cycles_def,
     .start_names = hc_cycle_names_init,
     .required = "start_ns log",
     .durations = "",
     .derived = "log_id clock source line",
     .example =
         "start_ns=2026-03-01T08:06:30Z,log=run7,job=4711,first_step_ns=2026-03-01T08:08:05Z,"
         "end_ns=2026-03-01T09:31:10Z,first_iteration=1,last_iteration=3986",
     .complete = complete_cycle},
    {.format = "checkpoints-table",
     .def = &hc_checkpoints_def,
     .start_names = hc_checkpoint_names_init,
     .required = "time_ns iteration kind log",
     .durations = "",
     .derived = "log_id clock source line",
     .example = "time_ns=2026-03-01T09:10:00Z,iteration=3000,kind=save,log=run7,job=4711,"
                "path=/ckpt/run7/iter_0003000",
     .complete = complete_checkpoint},
    {.format = "train_measures-table",
     .def = &hc_train_measures_def,
     .start_names = hc_train_measure_names_init,
     .required = "time_ns log name",
     .durations = "",
     .derived = "log_id fact clock source line",
     .example = "time_ns=2026-03-01T08:10:12.5Z,iteration=100,log=run7,job=4711,"
                "name=grad_norm,rank=0,value=1.25",
     .complete = complete_train_measure},
    {.format = "corrections-table",
     .def = &hc_corrections_def,
     .start_names = hc_correction_names_init,
     .required = "date_ns cause author reason",
     .durations = "",
     .derived = "fact source line",
     .example = "date_ns=2026-03-02T10:00:00Z,job=4711,cause=infrastructure,detail=NVLink of GPU 3,"
                "scope=device,node=n07,author=ann,reason=ticket 88: board replaced",
     .complete = complete_correction},
    {.format = "incidents-table",
     .def = &hc_incidents_def,
     .start_names = hc_incident_names_init,
     .required = "time_ns",
     .durations = "",
     .derived = "cause class count",
     .example = "time_ns=2026-03-01T09:31:12Z,job=4711,node=n07,text=GPU memory,scope=device,"
                "recovered_ns=2026-03-02T14:00:00Z,action=board replaced",
     .complete = complete_incident,
     .wrong = wrong_incident},
};

const struct hc_own_form *hc_own_forms(size_t *n)
{
    *n = sizeof forms / sizeof *forms;
    return forms;
}

const struct hc_own_form *hc_own_form_find(const char *table)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strcmp(forms[i].def->name, table) == 0)
            return &forms[i];
    return NULL;
}

size_t hc_own_column(const struct hc_table_def *def, const char *name, size_t length)
{
    size_t c = 0;
    while (c < def->n_columns && (strlen(def->columns[c].name) != length ||
                                  memcmp(def->columns[c].name, name, length) != 0))
        c++;
    return c;
}

/* Whether a list of words has the name of a column. */
static bool lists(const char *words, const struct hc_own_form *form, size_t column)
{
    const char *name = form->def->columns[column].name;
    size_t length = strlen(name);
    for (const char *at = words; (at = strstr(at, name)); at += length)
        if ((at == words || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

bool hc_own_is_required(const struct hc_own_form *form, size_t column)
{
    return lists(form->required, form, column);
}

bool hc_own_is_duration(const struct hc_own_form *form, size_t column)
{
    return lists(form->durations, form, column);
}

bool hc_own_is_derived(const struct hc_own_form *form, size_t column)
{
    return lists(form->derived, form, column);
}

bool hc_own_is_time(const struct hc_own_form *form, size_t column)
{
    return strcmp(form->def->columns[column].unit, "ns") == 0 && !hc_own_is_duration(form, column);
}

const struct hc_text_set *hc_own_words(const struct hc_own_form *form, struct hc_table_names *names,
                                       size_t column)
{
    const char *dictionary = form->def->columns[column].dictionary;
    const struct hc_text_set *set = dictionary ? hc_table_names_find(names, dictionary) : NULL;
    return set && set->n ? set : NULL;
}
