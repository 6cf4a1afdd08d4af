#include "pipeline/daily/history_input.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/corrections/correction_table.h"
#include "core/tables/events/event_table.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/nodes/node_state_table.h"
#include "core/tables/nodes/phase_table.h"
#include "core/text/node_list.h"
#include "core/text/number_format.h"
#include "core/text/text_set.h"
#include "models/evidence/corrections.h"
#include "pipeline/daily/history_joined.h"
#include "pipeline/daily/join_input.h"
#include "pipeline/daily/record_scan.h"
#include "pipeline/daily/recorded_input.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BEFORE_NS ((int64_t)600 * 1000000000) /* events of nodes around an attempt */
#define AFTER_NS  ((int64_t)300 * 1000000000)

static enum hc_status add(struct hc_history_search *search, const struct hc_record_rows *rows,
                          const struct hc_history_item *item, size_t source_column, size_t row,
                          struct hc_error *err)
{
    struct hc_history_item whole = *item;
    whole.source = (char *)(uintptr_t)hc_record_text(rows, source_column, row);
    whole.line = hc_table_i64(rows->table, source_column + 1)[row]; /* line follows source */
    return item->time_ns == HC_MISSING_I64 ? HC_OK : hc_history_add(search->history, &whole, err);
}

/* ---- jobs ---- */

static uint64_t key_of(int64_t raw_job, int64_t submit_ns)
{
    return (uint64_t)raw_job * 0x9e3779b97f4a7c15u ^ (uint64_t)submit_ns;
}

/* Whether an attempt is one of the run's. */
static bool is_of_run(const struct hc_history_search *search, const struct hc_table *t, size_t i)
{
    int64_t raw_job = hc_jobs_raw_job(t, i), submit_ns = hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i];
    int64_t entry = hc_int_map_find(&search->attempts, key_of(raw_job, submit_ns));
    if (entry < 0)
        return false;
    const struct hc_join_attempt *a = &search->joins.attempts[search->attempts.values[entry]];
    return a->raw_job == raw_job && a->submit_ns == submit_ns;
}

static enum hc_status list_attempts(struct hc_history_search *search, struct hc_error *err)
{
    for (size_t a = 0; a < search->joins.n_attempts; a++) {
        const struct hc_join_attempt *attempt = &search->joins.attempts[a];
        size_t entry;
        if (attempt->run == search->run &&
            (hc_int_map_insert(&search->attempts, key_of(attempt->raw_job, attempt->submit_ns),
                               (int32_t)a, &entry, err) ||
             hc_int_map_insert(&search->jobs, (uint64_t)attempt->job, (int32_t)a, &entry, err)))
            return err->status;
    }
    return HC_OK;
}

static bool is_its_job(const struct hc_history_search *search, const struct hc_record_rows *rows,
                       size_t i)
{
    const struct hc_table *t = rows->table;
    if (search->subject == HC_HISTORY_NODE)
        return hc_history_has_node(hc_record_text(rows, HC_JOBS_NODE_LIST, i), search->name);
    if (search->subject == HC_HISTORY_RUN)
        return is_of_run(search, t, i);
    return (hc_table_i64(t, HC_JOBS_JOB)[i] == search->job ||
            hc_table_i64(t, HC_JOBS_RAW_JOB)[i] == search->job) &&
           (search->array_task == HC_MISSING_I32 ||
            hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i] == search->array_task);
}

static uint64_t number_key(int64_t job, int32_t task)
{
    return (uint64_t)job * 0x9e3779b97f4a7c15u ^ (uint32_t)task;
}

/* What records may call an attempt: by the number of the allocation, as a prolog of Slurm 22.05
 * does also for a task of an array, by that of the array with the task, or, where all its tasks are
 * meant, without. */
static enum hc_status note_numbers(struct hc_history_search *search, const struct hc_table *t,
                                   size_t i, struct hc_error *err)
{
    int64_t job = hc_table_i64(t, HC_JOBS_JOB)[i], raw_job = hc_jobs_raw_job(t, i);
    int32_t task = hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i];
    bool is_whole =
        task == HC_MISSING_I32 || (search->subject == HC_HISTORY_JOB && search->job == job &&
                                   search->array_task == HC_MISSING_I32);
    const struct {
        int64_t job;
        int32_t task;
    } names[] = {{raw_job, HC_MISSING_I32},
                 {raw_job, task},
                 {job, task},
                 {is_whole ? job : HC_MISSING_I64, HC_MISSING_I32}};
    size_t entry;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (names[k].job != HC_MISSING_I64 &&
            hc_int_map_insert(&search->numbers, number_key(names[k].job, names[k].task), 0, &entry,
                              err))
            return err->status;
    return HC_OK;
}

static enum hc_status add_stays(struct hc_history_search *search, const struct hc_record_rows *rows,
                                size_t i, struct hc_error *err)
{
    const char *list = hc_record_text(rows, HC_JOBS_NODE_LIST, i);
    int64_t start_ns = hc_table_i64(rows->table, HC_JOBS_START_NS)[i];
    int64_t end_ns = hc_table_i64(rows->table, HC_JOBS_END_NS)[i];
    struct hc_node_list_reader reader;
    struct hc_error ignored = {0};
    if (search->subject == HC_HISTORY_NODE || !list || start_ns == HC_MISSING_I64 ||
        hc_node_list_open(&reader, list, strlen(list), &ignored))
        return HC_OK;
    for (const char *name; (name = hc_node_list_next(&reader));) {
        struct hc_history_stay stay = {.from_ns = start_ns - BEFORE_NS,
                                       .to_ns = end_ns == HC_MISSING_I64 ? INT64_MAX
                                                                         : end_ns + AFTER_NS};
        if (hc_text_set_add(&search->nodes, name, strlen(name), &stay.node, err) ||
            hc_reserve(&search->stays, &search->stays_room, search->n_stays + 1,
                       sizeof *search->stays, err))
            return err->status;
        search->stays[search->n_stays++] = stay;
    }
    return HC_OK;
}

static size_t say_job(const struct hc_table *t, size_t i, char text[HC_HISTORY_TEXT])
{
    int32_t task = hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i];
    int32_t restarts = hc_table_i32(t, HC_JOBS_RESTARTS)[i];
    int n = snprintf(text, HC_HISTORY_TEXT, "job %" PRId64, hc_table_i64(t, HC_JOBS_JOB)[i]);
    if (task != HC_MISSING_I32)
        n += snprintf(text + n, HC_HISTORY_TEXT - (size_t)n, "_%" PRId32, task);
    if (restarts != HC_MISSING_I32 && restarts > 0)
        n += snprintf(text + n, HC_HISTORY_TEXT - (size_t)n, " (restart %" PRId32 ")", restarts);
    return (size_t)n;
}

static const char *or_nobody(const char *text)
{
    return text ? text : "?";
}

static enum hc_status add_job(struct hc_history_search *search, const struct hc_record_rows *rows,
                              size_t i, struct hc_error *err)
{
    const struct hc_table *t = rows->table;
    char text[HC_HISTORY_TEXT], length[HC_NUMBER_TEXT];
    size_t n = say_job(t, i, text);
    int32_t gpus = hc_table_i32(t, HC_JOBS_GPUS)[i];
    int64_t elapsed_ns = hc_table_i64(t, HC_JOBS_ELAPSED_NS)[i];
    struct hc_history_item item = {
        .time_ns = hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i], .table = "jobs", .text = text};
    snprintf(text + n, HC_HISTORY_TEXT - n, " '%s' of %s submitted to %s",
             or_nobody(hc_record_text(rows, HC_JOBS_NAME, i)),
             or_nobody(hc_record_text(rows, HC_JOBS_USER, i)),
             or_nobody(hc_record_text(rows, HC_JOBS_PARTITION, i)));
    if (add(search, rows, &item, HC_JOBS_SOURCE, i, err))
        return err->status;
    item.time_ns = hc_table_i64(t, HC_JOBS_START_NS)[i];
    snprintf(text + n, HC_HISTORY_TEXT - n, " starts on %.400s with %" PRId32 " GPUs",
             or_nobody(hc_record_text(rows, HC_JOBS_NODE_LIST, i)),
             gpus == HC_MISSING_I32 ? 0 : gpus);
    if (add(search, rows, &item, HC_JOBS_SOURCE, i, err))
        return err->status;
    item.time_ns = hc_table_i64(t, HC_JOBS_END_NS)[i];
    snprintf(text + n, HC_HISTORY_TEXT - n, " ends: %s after %s",
             or_nobody(hc_record_text(rows, HC_JOBS_STATE, i)),
             elapsed_ns == HC_MISSING_I64 ? "?"
                                          : hc_format_seconds((double)elapsed_ns / 1e9, length));
    return add(search, rows, &item, HC_JOBS_SOURCE, i, err);
}

static enum hc_status take_jobs(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    struct hc_history_search *search = context;
    for (size_t i = 0; i < rows->table->n_rows; i++)
        if (is_its_job(search, rows, i) &&
            (note_numbers(search, rows->table, i, err) || add_stays(search, rows, i, err) ||
             add_job(search, rows, i, err)))
            return err->status;
    return HC_OK;
}

/* ---- events, states, phases ---- */

/* Whether a log that tells something is one of the subject's, or of others. */
enum of_log { LOG_OF_NOBODY, LOG_OF_OTHERS, LOG_OF_IT };
static enum of_log whose_log(const struct hc_history_search *search, const char *source,
                             int64_t time_ns)
{
    const struct hc_joins *joins = &search->joins;
    enum of_log whose = LOG_OF_NOBODY;
    for (size_t i = 0; source && i < joins->n_cycles && whose != LOG_OF_IT; i++) {
        const struct hc_join_cycle *cycle = &joins->cycles[i];
        if (!cycle->has_clock || time_ns < cycle->start_ns ||
            (cycle->end_ns != HC_MISSING_I64 && time_ns > cycle->end_ns + AFTER_NS) ||
            strcmp(joins->texts.text[cycle->source], source) != 0)
            continue;
        if (hc_history_is_its_cycle(search, cycle))
            whose = LOG_OF_IT;
        else if (cycle->attempt >= 0)
            whose = LOG_OF_OTHERS;
    }
    return whose;
}

/* What a row tells of: a job (or missing) and its task (or missing), a moment of a node (or NULL).
 */
struct told {
    int64_t job, time_ns;
    int32_t task;
    const char *node, *source;
};

/* Whether it is told of the subject. The log that tells it says so first, where it joined; then the
 * job that the row names: of what happened on the nodes of a job, what is of other jobs is not
 * told. */
static bool is_told_of(const struct hc_history_search *search, const struct told *told)
{
    if (search->subject == HC_HISTORY_NODE)
        return hc_history_is_there(search, told->node, told->time_ns);
    enum of_log whose = whose_log(search, told->source, told->time_ns);
    if (whose != LOG_OF_NOBODY)
        return whose == LOG_OF_IT;
    if (told->job != HC_MISSING_I64)
        return hc_int_map_find(&search->numbers, number_key(told->job, told->task)) >= 0;
    return hc_history_is_there(search, told->node, told->time_ns);
}

static enum hc_status take_events(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct hc_history_search *search = context;
    const struct hc_table *t = rows->table;
    char text[HC_HISTORY_TEXT];
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t time_ns = hc_table_i64(t, HC_EVENTS_TIME_NS)[i];
        const char *node = hc_record_text(rows, HC_EVENTS_NODE, i);
        const char *message = hc_record_text(rows, HC_EVENTS_MESSAGE, i);
        const char *name = hc_record_text(rows, HC_EVENTS_NAME, i);
        const struct told told = {.job = hc_table_i64(t, HC_EVENTS_JOB)[i],
                                  .task = HC_MISSING_I32,
                                  .time_ns = time_ns,
                                  .node = node,
                                  .source = hc_record_text(rows, HC_EVENTS_SOURCE, i)};
        if (!is_told_of(search, &told))
            continue;
        snprintf(text, sizeof text, "%s%s%s, %s: %.400s", node ? node : "", node ? ": " : "",
                 or_nobody(hc_record_text(rows, HC_EVENTS_CLASS, i)),
                 or_nobody(hc_record_text(rows, HC_EVENTS_EFFECT, i)),
                 message && message[0] ? message : or_nobody(name));
        const struct hc_history_item item = {.time_ns = time_ns, .table = "events", .text = text};
        if (add(search, rows, &item, HC_EVENTS_SOURCE, i, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_states(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct hc_history_search *search = context;
    const struct hc_table *t = rows->table;
    char text[HC_HISTORY_TEXT];
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t since_ns = hc_table_i64(t, HC_NODE_STATES_SINCE_NS)[i];
        int64_t until_ns = hc_table_i64(t, HC_NODE_STATES_UNTIL_NS)[i];
        const char *node = hc_record_text(rows, HC_NODE_STATES_NODE, i);
        const char *reason = hc_record_text(rows, HC_NODE_STATES_REASON, i);
        if (!hc_history_is_there(search, node, since_ns))
            continue;
        int n =
            snprintf(text, sizeof text, "%s: %s%s%s%.400s", node,
                     or_nobody(hc_record_text(rows, HC_NODE_STATES_STATE, i)),
                     hc_table_i32(t, HC_NODE_STATES_FLAGS)[i] & HC_NODE_DRAIN ? ", drained" : "",
                     reason ? ", " : "", reason ? reason : "");
        struct hc_history_item item = {.time_ns = since_ns, .table = "node_states", .text = text};
        if (add(search, rows, &item, HC_NODE_STATES_SOURCE, i, err))
            return err->status;
        item.time_ns = until_ns;
        snprintf(text + n, sizeof text - (size_t)n, ": over");
        if (hc_history_is_there(search, node, until_ns) &&
            add(search, rows, &item, HC_NODE_STATES_SOURCE, i, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_phases(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct hc_history_search *search = context;
    const struct hc_table *t = rows->table;
    char text[HC_HISTORY_TEXT], length[HC_NUMBER_TEXT];
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t start_ns = hc_table_i64(t, HC_PHASES_START_NS)[i];
        const char *node = hc_record_text(rows, HC_PHASES_NODE, i);
        const struct told told = {.job = hc_table_i64(t, HC_PHASES_JOB)[i],
                                  .task = hc_table_i32(t, HC_PHASES_ARRAY_TASK)[i],
                                  .time_ns = start_ns,
                                  .node = node,
                                  .source = hc_record_text(rows, HC_PHASES_SOURCE, i)};
        if (!is_told_of(search, &told))
            continue;
        int64_t end_ns = hc_table_i64(t, HC_PHASES_END_NS)[i];
        int n = snprintf(text, sizeof text, "%s%sphase %s begins", node ? node : "",
                         node ? ": " : "", or_nobody(hc_record_text(rows, HC_PHASES_PHASE, i)));
        if (end_ns != HC_MISSING_I64)
            snprintf(text + n, sizeof text - (size_t)n, ", for %s",
                     hc_format_seconds((double)(end_ns - start_ns) / 1e9, length));
        const struct hc_history_item item = {.time_ns = start_ns, .table = "phases", .text = text};
        if (add(search, rows, &item, HC_PHASES_SOURCE, i, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- what people say ---- */

static bool is_about(const struct hc_history_search *search, const struct hc_record_rows *rows,
                     size_t i)
{
    int64_t job = hc_table_i64(rows->table, HC_CORRECTIONS_JOB)[i];
    int32_t task = hc_table_i32(rows->table, HC_CORRECTIONS_ARRAY_TASK)[i];
    const char *node = hc_record_text(rows, HC_CORRECTIONS_NODE, i);
    if (search->subject == HC_HISTORY_NODE)
        return node && strcmp(node, search->name) == 0;
    if (job == HC_MISSING_I64)
        return hc_history_is_there(search, node,
                                   hc_table_i64(rows->table, HC_CORRECTIONS_TIME_NS)[i]);
    if (search->subject == HC_HISTORY_RUN)
        return hc_int_map_find(&search->jobs, (uint64_t)job) >= 0;
    return job == search->job && (task == HC_MISSING_I32 || search->array_task == HC_MISSING_I32 ||
                                  task == search->array_task);
}

static enum hc_status take_corrections(const struct hc_record_rows *rows, void *context,
                                       struct hc_error *err)
{
    struct hc_history_search *search = context;
    const struct hc_table *t = rows->table;
    char text[HC_HISTORY_TEXT], about[350];
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *detail = hc_record_text(rows, HC_CORRECTIONS_DETAIL, i);
        const struct hc_correction subject = {
            .job = hc_table_i64(t, HC_CORRECTIONS_JOB)[i],
            .array_task = hc_table_i32(t, HC_CORRECTIONS_ARRAY_TASK)[i],
            .restarts = hc_table_i32(t, HC_CORRECTIONS_RESTARTS)[i],
            .incident = hc_record_text(rows, HC_CORRECTIONS_INCIDENT, i),
            .node = hc_record_text(rows, HC_CORRECTIONS_NODE, i),
            .time_ns = hc_table_i64(t, HC_CORRECTIONS_TIME_NS)[i]};
        if (!is_about(search, rows, i))
            continue;
        hc_correction_subject(&subject, about, sizeof about);
        snprintf(text, sizeof text, "%.60s corrects %s: %s%s%.120s: %.200s",
                 or_nobody(hc_record_text(rows, HC_CORRECTIONS_AUTHOR, i)), about,
                 or_nobody(hc_record_text(rows, HC_CORRECTIONS_CAUSE, i)), detail ? ", " : "",
                 detail ? detail : "", or_nobody(hc_record_text(rows, HC_CORRECTIONS_REASON, i)));
        const struct hc_history_item item = {.time_ns = hc_table_i64(t, HC_CORRECTIONS_DATE_NS)[i],
                                             .table = "corrections",
                                             .text = text};
        if (add(search, rows, &item, HC_CORRECTIONS_SOURCE, i, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- what the name is ---- */

static bool read_job(struct hc_history_search *search)
{
    char *end;
    size_t digits = strspn(search->name, "0123456789");
    if (digits == 0 || digits > 18)
        return false;
    search->job = strtoll(search->name, &end, 10);
    search->array_task = HC_MISSING_I32;
    if (*end == '_' && isdigit((unsigned char)end[1]) && strlen(end) < 11)
        search->array_task = (int32_t)strtol(end + 1, &end, 10);
    return *end == '\0';
}

static int32_t find_run(const struct hc_joins *joins, const char *name)
{
    for (size_t i = 0; i < joins->n_runs; i++)
        if (strcmp(joins->texts.text[joins->runs[i].name], name) == 0)
            return (int32_t)i;
    return -1;
}

static enum hc_status collect(struct hc_history_search *search, const struct hc_archive *archive,
                              struct hc_error *err)
{
    static const struct {
        const struct hc_table_def *def;
        hc_record_sink *sink;
    } tables[] = {{&hc_jobs_def, take_jobs}, /* first: the stays are those of its jobs */
                  {&hc_events_def, take_events},
                  {&hc_node_states_def, take_states},
                  {&hc_phases_def, take_phases},
                  {&hc_corrections_def, take_corrections}};
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct hc_record_scan scan = {.archive = archive,
                                            .def = tables[i].def,
                                            .from_ns = INT64_MIN,
                                            .to_ns = INT64_MAX,
                                            .columns = ~(uint64_t)0};
        if (hc_record_scan_run(&scan, tables[i].sink, search, err))
            return err->status;
    }
    return hc_history_add_joined(search, err);
}

static enum hc_status look_up(struct hc_history_search *search, const struct hc_archive *archive,
                              struct hc_error *err)
{
    search->subject = HC_HISTORY_JOB;
    if (read_job(search) && collect(search, archive, err))
        return err->status;
    if (search->history->n)
        return HC_OK;
    search->run = find_run(&search->joins, search->name);
    search->subject = HC_HISTORY_RUN;
    if (search->run >= 0)
        return list_attempts(search, err) ? err->status : collect(search, archive, err);
    search->subject = HC_HISTORY_NODE;
    if (collect(search, archive, err))
        return err->status;
    if (search->history->n == 0)
        search->subject = HC_HISTORY_NOTHING;
    return HC_OK;
}

enum hc_status hc_history_load(struct hc_history *history, enum hc_history_subject *subject,
                               const struct hc_archive *archive, const char *name,
                               struct hc_error *err)
{
    struct hc_history_search search = {.history = history, .name = name};
    enum hc_status status = hc_joins_load(
        &search.joins, &(struct hc_join_source){.archive = archive, .with_timelines = true}, err);
    if (!status)
        status = hc_recorded_load(&search.recorded, NULL, archive, NULL, err);
    if (!status)
        status = look_up(&search, archive, err);
    *subject = search.subject;
    hc_history_sort(history);
    hc_joins_fini(&search.joins);
    hc_text_set_fini(&search.nodes);
    hc_int_map_fini(&search.attempts);
    hc_int_map_fini(&search.numbers);
    hc_int_map_fini(&search.jobs);
    hc_recorded_fini(&search.recorded);
    free(search.stays);
    return status;
}
