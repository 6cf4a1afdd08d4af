#include "models/query/anonymous_rows.h"

#include "core/base/missing.h"
#include "core/tables/events/event_class.h"
#include "core/text/node_list.h"
#include "core/text/text_stream.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS  ((int64_t)86400 * 1000000000)
#define YEAR_NS (365 * DAY_NS)

/* TOOLS: names of tools stay, others are hashed. JOBS: numbers of jobs, as the numbers of jobs. */
enum fate { DROPPED, STAYS, HASHED, NODES, SHIFTED, TOOLS, JOBS };

/* What counts from a start of its own, as the times of a relative list of incidents do, tells of no
 * date; shifted it would tell the offset. No machine of this field ran in the seventies. */
#define LATEST_RELATIVE_NS (10 * YEAR_NS)

/* Texts by their dictionary, numbers by the name of the column. Equal domains have equal hashes for
 * equal names; it stands before the hash, too. */
struct rule {
    const char *name;
    enum fate fate;
    const char *domain;
};

static const struct rule texts[] = {
    {"cluster", HASHED, "cluster"},
    {"partition", HASHED, "partition"},
    {"partitions", NODES, "partition"},
    {"qos", HASHED, "qos"},
    {"account", HASHED, "account"},
    {"user", HASHED, "user"},
    {"job_name", HASHED, "name"},
    {"reservation", HASHED, "reservation"},
    {"node_list", NODES, "node"},
    {"failed_node", HASHED, "node"},
    {"node_name", HASHED, "node"},
    {"event_node", HASHED, "node"},
    {"device", HASHED, "device"},
    {"process", TOOLS, "process"},
    {"event_name", HASHED, "event"},
    {"path", HASHED, "path"},
    {"checkpoint_path", HASHED, "path"},
    {"source", HASHED, "path"},
    {"log", HASHED, "log"},
    {"incident", HASHED, "incident"},
    {"incident_job", JOBS, "name"},
    {"incident_group", HASHED, "group"},
    {"incident_node", NODES, "node"},
    {"job_state", STAYS, NULL},
    {"node_state", STAYS, NULL},
    {"queue_wait", STAYS, NULL},
    {"how_known", STAYS, NULL},
    {"time_basis", STAYS, NULL},
    {"event_clock", STAYS, NULL},
    {"event_class", STAYS, NULL},
    {"event_effect", STAYS, NULL},
    {"log_clock", STAYS, NULL},
    {"checkpoint_kind", STAYS, NULL},
    {"framework", STAYS, NULL},
    {"phase", STAYS, NULL},
    {"measure", STAYS, NULL},
    {"measure_unit", STAYS, NULL},
    {"gpu_type", STAYS, NULL},
    {"correction_cause", STAYS, NULL},
    {"correction_scope", STAYS, NULL},
    {"cause", STAYS, NULL},
    {"incident_class", STAYS, NULL},
    {"incident_scope", STAYS, NULL},
    {"comment", DROPPED, NULL},
    {"message", DROPPED, NULL},
    {"job_reason", DROPPED, NULL},
    {"node_reason", DROPPED, NULL},
    {"queue_reason", DROPPED, NULL}, /* may name nodes; what it says is in waits_for */
    {"phase_detail", DROPPED, NULL},
    {"correction_detail", DROPPED, NULL},
    {"correction_reason", DROPPED, NULL},
    {"incident_text", DROPPED, NULL},
    {"incident_action", DROPPED, NULL},
};

static const struct rule numbers[] = {
    {"job", HASHED, "job"},
    {"raw_job", HASHED, "job"},
    {"record", HASHED, "record"},
    {"cancelled_by", HASHED, "uid"},
    {"pid", HASHED, "pid"},
    {"fact", HASHED, "fact"},
    {"log_id", HASHED, "log_id"},
    {"submit_ns", SHIFTED, NULL},
    {"eligible_ns", SHIFTED, NULL},
    {"start_ns", SHIFTED, NULL},
    {"end_ns", SHIFTED, NULL},
    {"since_ns", SHIFTED, NULL},
    {"until_ns", SHIFTED, NULL},
    {"reason_ns", SHIFTED, NULL},
    {"time_ns", SHIFTED, NULL},
    {"from_ns", SHIFTED, NULL},
    {"to_ns", SHIFTED, NULL},
    {"date_ns", SHIFTED, NULL},
    {"first_step_ns", SHIFTED, NULL},
    {"detected_ns", SHIFTED, NULL},
    {"located_ns", SHIFTED, NULL},
    {"recovered_ns", SHIFTED, NULL},
    {"elapsed_ns", STAYS, NULL},
    {"suspended_ns", STAYS, NULL},
    {"time_limit_ns", STAYS, NULL},
    {"duration_ns", STAYS, NULL},
    {"array_task", STAYS, NULL},
    {"het_component", STAYS, NULL},
    {"restarts", STAYS, NULL},
    {"attempt", STAYS, NULL},
    {"count", STAYS, NULL},
    {"part_of", STAYS, NULL},
    {"replica", STAYS, NULL},
    {"slot", DROPPED, NULL}, /* where a node stands among the others */
    {"exit_code", STAYS, NULL},
    {"exit_signal", STAYS, NULL},
    {"nodes", STAYS, NULL},
    {"cpus", STAYS, NULL},
    {"gpus", STAYS, NULL},
    {"gpus_used", STAYS, NULL},
    {"requested_gpus", STAYS, NULL},
    {"flags", STAYS, NULL},
    {"line", STAYS, NULL},
    {"cycle", STAYS, NULL},
    {"rank", STAYS, NULL},
    {"code", STAYS, NULL},
    {"iteration", STAYS, NULL},
    {"iterations", STAYS, NULL},
    {"samples", STAYS, NULL},
    {"tokens", STAYS, NULL},
    {"loss", STAYS, NULL},
    {"tflops", STAYS, NULL},
    {"skipped", STAYS, NULL},
    {"nan", STAYS, NULL},
    {"first_iteration", STAYS, NULL},
    {"last_iteration", STAYS, NULL},
    {"loaded_iteration", STAYS, NULL},
    {"saved_iteration", STAYS, NULL},
    {"world_size", STAYS, NULL},
    {"is_done", STAYS, NULL},
    {"value", STAYS, NULL},
    {"min", STAYS, NULL},
    {"max", STAYS, NULL},
    {"min_rank", STAYS, NULL},
    {"max_rank", STAYS, NULL},
};

static const struct rule *find_rule(const struct hc_column_def *column)
{
    const struct rule *rules = column->dictionary ? texts : numbers;
    const char *name = column->dictionary ? column->dictionary : column->name;
    size_t n = column->dictionary ? sizeof texts / sizeof *texts : sizeof numbers / sizeof *numbers;
    for (size_t i = 0; i < n; i++)
        if (strcmp(rules[i].name, name) == 0)
            return &rules[i];
    return NULL;
}

const char *hc_anonymous_fate(const struct hc_column_def *column)
{
    static const char *const words[] = {
        [DROPPED] = "missing", [STAYS] = "stays",  [HASHED] = "hashed", [NODES] = "hashed",
        [SHIFTED] = "shifted", [TOOLS] = "hashed", [JOBS] = "hashed",
    };
    const struct rule *rule = find_rule(column);
    return rule ? words[rule->fate] : NULL;
}

enum hc_status hc_anonymous_init(struct hc_anonymous_rows *rows, const struct hc_table_def *def,
                                 const struct hc_key *key, struct hc_error *err)
{
    *rows = (struct hc_anonymous_rows){.key = key};
    /* Whole seconds: times that are known to the second still look so. */
    uint64_t seconds = hc_keyed_hash(key, "offset", "", 0) % (uint64_t)(10 * YEAR_NS / 1000000000);
    rows->shift_ns = YEAR_NS + (int64_t)seconds * 1000000000;
    return hc_table_init(&rows->table, def, HC_ANONYMOUS_ROWS, err) ? err->status
                                                                    : hc_anonymous_clear(rows, err);
}

void hc_anonymous_fini(struct hc_anonymous_rows *rows)
{
    hc_table_fini(&rows->table);
    hc_table_names_fini(&rows->names);
}

enum hc_status hc_anonymous_clear(struct hc_anonymous_rows *rows, struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {rows->table.def, NULL};
    rows->table.n_rows = 0;
    hc_table_names_fini(&rows->names);
    rows->names = (struct hc_table_names){0};
    return hc_table_names_init(&rows->names, tables, err);
}

/* ---- texts ---- */

static void put_hash(FILE *stream, const struct hc_anonymous_rows *rows, const struct rule *rule,
                     const char *text)
{
    fprintf(stream, "%s-%016" PRIx64, rule->domain,
            hc_keyed_hash(rows->key, rule->domain, text, strlen(text)));
}

/* The names of a list one by one, so that they are those of other columns; what is no list is
 * hashed as one name. */
static void put_list(FILE *stream, const struct hc_anonymous_rows *rows, const struct rule *rule,
                     const char *text)
{
    struct hc_node_list_reader reader;
    struct hc_error ignored = {0};
    const char *comma = "";
    if (hc_node_list_open(&reader, text, strlen(text), &ignored)) {
        put_hash(stream, rows, rule, text);
        return;
    }
    for (const char *name; (name = hc_node_list_next(&reader)) != NULL; comma = ",") {
        fputs(comma, stream);
        put_hash(stream, rows, rule, name);
    }
}

/* Of 53 bits, which every reader of JSON takes as they are. */
static int64_t hashed_number(const struct hc_anonymous_rows *rows, const char *domain,
                             int64_t value)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%" PRId64, value);
    return (int64_t)(hc_keyed_hash(rows->key, domain, text, (size_t)n) >> 11);
}

/* The number of a job is what it is in other tables, and its task or component stays ("7_3",
 * "7+1"); what is no number is hashed as the name of a job. */
static void put_job(FILE *stream, const struct hc_anonymous_rows *rows, const struct rule *rule,
                    const char *text)
{
    char *end;
    errno = 0;
    long long job = strtoll(text, &end, 10);
    size_t n_task = *end == '_' || *end == '+' ? strspn(end + 1, "0123456789") : 0;
    bool is_number = text[0] >= '0' && text[0] <= '9' && !errno &&
                     (*end == '\0' || (n_task && end[1 + n_task] == '\0'));
    if (is_number)
        fprintf(stream, "%" PRId64 "%s", hashed_number(rows, "job", job), end);
    else
        put_hash(stream, rows, rule, text);
}

static enum hc_status add_text(struct hc_anonymous_rows *rows, const struct rule *rule,
                               const char *text, struct hc_text_set *set, int32_t *code,
                               struct hc_error *err)
{
    char *changed = NULL;
    size_t size = 0;
    if (rule->fate == STAYS || (rule->fate == TOOLS && hc_event_process_is_tool(text)))
        return hc_text_set_add(set, text, strlen(text), code, err);
    FILE *stream = hc_text_stream(&changed, &size, err);
    if (!stream)
        return err->status;
    if (rule->fate == NODES)
        put_list(stream, rows, rule, text);
    else if (rule->fate == JOBS)
        put_job(stream, rows, rule, text);
    else
        put_hash(stream, rows, rule, text);
    enum hc_status status = hc_text_stream_end(stream, &changed, HC_OK, err);
    if (status == HC_OK)
        status = hc_text_set_add(set, changed, size, code, err);
    free(changed);
    return status;
}

static enum hc_status take_text(struct hc_anonymous_rows *rows,
                                const struct hc_anonymous_source *source, size_t column, size_t row,
                                struct hc_error *err)
{
    const struct hc_column_def *def = &source->table->def->columns[column];
    const struct rule *rule = find_rule(def);
    int32_t code = hc_table_i32(source->table, column)[row];
    int32_t *to = &hc_table_i32(&rows->table, column)[rows->table.n_rows];
    const struct hc_text_set *from = hc_table_names_find(source->names, def->dictionary);
    *to = HC_MISSING_I32;
    if (!rule || rule->fate == DROPPED || code == HC_MISSING_I32 || !from)
        return HC_OK;
    return add_text(rows, rule, from->text[code],
                    hc_table_names_find(&rows->names, def->dictionary), to, err);
}

/* ---- numbers ---- */

static int64_t changed_i64(const struct hc_anonymous_rows *rows, const struct rule *rule,
                           int64_t value)
{
    if (!rule || rule->fate == DROPPED || value == HC_MISSING_I64)
        return HC_MISSING_I64;
    if (rule->fate == SHIFTED)
        return value > LATEST_RELATIVE_NS ? value - rows->shift_ns : value;
    return rule->fate == HASHED ? hashed_number(rows, rule->domain, value) : value;
}

static void take_number(struct hc_anonymous_rows *rows, const struct hc_table *from, size_t column,
                        size_t row)
{
    const struct hc_column_def *def = &from->def->columns[column];
    const struct rule *rule = find_rule(def);
    size_t to = rows->table.n_rows;
    bool is_kept = rule && rule->fate == STAYS;
    if (def->type == HC_F64)
        hc_table_f64(&rows->table, column)[to] = is_kept ? hc_table_f64(from, column)[row] : NAN;
    else if (def->type == HC_I64)
        hc_table_i64(&rows->table, column)[to] =
            changed_i64(rows, rule, hc_table_i64(from, column)[row]);
    else
        hc_table_i32(&rows->table, column)[to] =
            is_kept ? hc_table_i32(from, column)[row] : HC_MISSING_I32;
}

enum hc_status hc_anonymous_add(struct hc_anonymous_rows *rows,
                                const struct hc_anonymous_source *source, size_t row,
                                struct hc_error *err)
{
    for (size_t i = 0; i < source->n_columns; i++) {
        size_t column = source->columns[i];
        if (!source->table->def->columns[column].dictionary)
            take_number(rows, source->table, column, row);
        else if (take_text(rows, source, column, row, err))
            return err->status;
    }
    rows->table.n_rows++;
    return HC_OK;
}
