#include "core/tables/nodes/phase_table.h"

#include "core/base/missing.h"
#include "core/tables/nodes/record_rows.h"

#include <stdio.h>
#include <string.h>

static const struct hc_column_def phase_columns[HC_PHASES_N_COLUMNS] = {
    [HC_PHASES_START_NS] = {"start_ns", HC_I64, "ns", "when it began", NULL},
    [HC_PHASES_END_NS] = {"end_ns", HC_I64, "ns", "when it ended", NULL},
    [HC_PHASES_CLUSTER] = {"cluster", HC_I32, "", "cluster", "cluster"},
    [HC_PHASES_JOB] = {"job", HC_I64, "", "number of the job that users know", NULL},
    [HC_PHASES_ARRAY_TASK] = {"array_task", HC_I32, "", "task of an array", NULL},
    [HC_PHASES_RESTARTS] = {"restarts", HC_I32, "", "times the job was requeued before", NULL},
    [HC_PHASES_CYCLE] = {"cycle", HC_I32, "", "launch within the allocation", NULL},
    [HC_PHASES_NODE] = {"node", HC_I32, "", "node", "node_name"},
    [HC_PHASES_RANK] = {"rank", HC_I32, "", "rank", NULL},
    [HC_PHASES_PHASE] = {"phase", HC_I32, "", "what was done", "phase"},
    [HC_PHASES_DETAIL] = {"detail", HC_I32, "", "what the source says of it", "phase_detail"},
    [HC_PHASES_CLOCK] = {"clock", HC_I32, "", "how its times are known", "time_basis"},
    [HC_PHASES_LOG_ID] = {"log_id", HC_I64, "", "hash of the name of the log or pod", NULL},
    [HC_PHASES_FACT] = {"fact", HC_I64, "", "hash of node, rank, restart, phase and log", NULL},
    [HC_PHASES_SOURCE] = {"source", HC_I32, "", "file that says so", "source"},
    [HC_PHASES_LINE] = {"line", HC_I64, "", "line of that file", NULL},
};

const struct hc_table_def hc_phases_def = {"phases", HC_PHASES_N_COLUMNS, phase_columns, 1};

const struct hc_table_def *const hc_phase_tables[] = {&hc_phases_def, NULL};

const struct hc_phase_row hc_phase_none = {
    .start_ns = HC_MISSING_I64,
    .end_ns = HC_MISSING_I64,
    .job = HC_MISSING_I64,
    .log_id = HC_MISSING_I64,
    .line = HC_MISSING_I64,
    .array_task = HC_MISSING_I32,
    .restarts = HC_MISSING_I32,
    .cycle = HC_MISSING_I32,
    .rank = HC_MISSING_I32,
    .phase = HC_PHASE_OTHER,
    .clock = HC_TIME_STATED,
};

static const char *const phase_words[HC_N_PHASES] = {
    [HC_PHASE_QUEUE] = "queue",     [HC_PHASE_ALLOCATE] = "allocate",
    [HC_PHASE_IMAGE] = "image",     [HC_PHASE_ENVIRONMENT] = "environment",
    [HC_PHASE_INIT] = "init",       [HC_PHASE_LOAD] = "load",
    [HC_PHASE_COMPILE] = "compile", [HC_PHASE_WARM_UP] = "warm_up",
    [HC_PHASE_DATA] = "data",       [HC_PHASE_FIRST_STEP] = "first_step",
    [HC_PHASE_OTHER] = "other",
};

enum hc_status hc_phase_names_init(struct hc_table_names *names, struct hc_error *err)
{
    static const char *const bases[HC_N_TIME_BASES] = HC_TIME_BASIS_NAMES;
    if (hc_table_names_init(names, hc_phase_tables, err))
        return err->status;
    enum hc_status status = hc_record_fixed_names(names, "phase", phase_words, HC_N_PHASES, err);
    if (!status)
        status = hc_record_fixed_names(names, "time_basis", bases, HC_N_TIME_BASES, err);
    if (status)
        hc_table_names_fini(names);
    return status;
}

const char *hc_phase_name(enum hc_phase phase)
{
    return phase_words[phase];
}

enum hc_phase hc_phase_find(const char *name, size_t length)
{
    for (int i = 0; i < HC_N_PHASES; i++)
        if (strlen(phase_words[i]) == length && memcmp(phase_words[i], name, length) == 0)
            return (enum hc_phase)i;
    return HC_PHASE_OTHER;
}

bool hc_phase_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b)
{
    /* A missing end is the least of all numbers. */
    return hc_table_i64(a, HC_PHASES_END_NS)[row_a] > hc_table_i64(b, HC_PHASES_END_NS)[row_b];
}

int64_t hc_phase_fact(const struct hc_phase_row *phase)
{
    char numbers[100];
    int n = snprintf(numbers, sizeof numbers, "%d %d %d %d %s", phase->rank, phase->restarts,
                     phase->cycle, phase->array_task, phase_words[phase->phase]);
    int64_t fact = hc_record_fact(0, phase->node.text, phase->node.length);
    fact = hc_record_fact(fact, numbers, (size_t)n);
    if (phase->log_id != HC_MISSING_I64) {
        n = snprintf(numbers, sizeof numbers, "%lld", (long long)phase->log_id);
        fact = hc_record_fact(fact, numbers, (size_t)n);
    }
    return phase->phase == HC_PHASE_OTHER
               ? hc_record_fact(fact, phase->detail.text, phase->detail.length)
               : fact;
}

enum hc_status hc_phase_put(const struct hc_phase_row *phase, struct hc_table_names *names,
                            struct hc_table *rows, struct hc_error *err)
{
    struct hc_record_writer writer = {names, rows};
    hc_record_begin(&writer);
    hc_record_put_i64(&writer, HC_PHASES_START_NS, phase->start_ns);
    hc_record_put_i64(&writer, HC_PHASES_END_NS, phase->end_ns);
    hc_record_put_i64(&writer, HC_PHASES_JOB, phase->job);
    hc_record_put_i32(&writer, HC_PHASES_ARRAY_TASK, phase->array_task);
    hc_record_put_i32(&writer, HC_PHASES_RESTARTS, phase->restarts);
    hc_record_put_i32(&writer, HC_PHASES_CYCLE, phase->cycle);
    hc_record_put_i32(&writer, HC_PHASES_RANK, phase->rank);
    hc_record_put_i32(&writer, HC_PHASES_PHASE, (int32_t)phase->phase);
    hc_record_put_i32(&writer, HC_PHASES_CLOCK, (int32_t)phase->clock);
    hc_record_put_i64(&writer, HC_PHASES_LOG_ID, phase->log_id);
    hc_record_put_i64(&writer, HC_PHASES_FACT, hc_phase_fact(phase));
    hc_record_put_i64(&writer, HC_PHASES_LINE, phase->line);
    if (hc_record_put_text(&writer, HC_PHASES_NODE, phase->node.text, phase->node.length, err) ||
        hc_record_put_text(&writer, HC_PHASES_DETAIL, phase->detail.text, phase->detail.length,
                           err) ||
        hc_record_put_text(&writer, HC_PHASES_SOURCE, phase->source.text, phase->source.length,
                           err))
        return err->status;
    return HC_OK;
}
