#include "core/tables/logs/log_tables.h"

#include "core/tables/events/event_table.h"
#include "core/tables/nodes/phase_table.h"

#include <math.h>
#include <string.h>

#define NS(name, words)                                                                            \
    {                                                                                              \
        name, HC_I64, "ns", words, NULL                                                            \
    }
#define COUNT(name, words)                                                                         \
    {                                                                                              \
        name, HC_I64, "", words, NULL                                                              \
    }
#define SMALL(name, words)                                                                         \
    {                                                                                              \
        name, HC_I32, "", words, NULL                                                              \
    }
#define TEXT(name, words, dictionary)                                                              \
    {                                                                                              \
        name, HC_I32, "", words, dictionary                                                        \
    }

static const struct hc_column_def train_steps_columns[HC_TRAIN_STEPS_N_COLUMNS] = {
    [HC_TRAIN_STEPS_END_NS] = NS("end_ns", "when the last iteration of the line was done"),
    [HC_TRAIN_STEPS_ITERATION] = COUNT("iteration", "number of the iteration"),
    [HC_TRAIN_STEPS_LOG_ID] = COUNT("log_id", "hash of the name of the log"),
    [HC_TRAIN_STEPS_CLUSTER] = TEXT("cluster", "cluster", "cluster"),
    [HC_TRAIN_STEPS_JOB] = COUNT("job", "number of the job, by the name of the log"),
    [HC_TRAIN_STEPS_LOG] = TEXT("log", "name of the log", "log"),
    [HC_TRAIN_STEPS_CYCLE] = SMALL("cycle", "launch in the log, from 0"),
    [HC_TRAIN_STEPS_ITERATIONS] = SMALL("iterations", "that the line is about"),
    [HC_TRAIN_STEPS_DURATION_NS] = NS("duration_ns", "mean time of one of them"),
    [HC_TRAIN_STEPS_SAMPLES] = COUNT("samples", "consumed up to here"),
    [HC_TRAIN_STEPS_TOKENS] = COUNT("tokens", "consumed up to here"),
    [HC_TRAIN_STEPS_LOSS] = {"loss", HC_F64, "", "loss", NULL},
    [HC_TRAIN_STEPS_TFLOPS] = {"tflops", HC_F64, "TFLOP/s", "of a GPU", NULL},
    [HC_TRAIN_STEPS_SKIPPED] = SMALL("skipped", "iterations that were skipped"),
    [HC_TRAIN_STEPS_NAN] = SMALL("nan", "iterations whose loss was no number"),
    [HC_TRAIN_STEPS_CLOCK] = TEXT("clock", "how the time is known", "log_clock"),
    [HC_TRAIN_STEPS_SOURCE] = TEXT("source", "file that says so", "source"),
    [HC_TRAIN_STEPS_LINE] = COUNT("line", "line of that file"),
};

static const struct hc_column_def cycles_columns[HC_CYCLES_N_COLUMNS] = {
    [HC_CYCLES_START_NS] = NS("start_ns", "first that the log tells of it"),
    [HC_CYCLES_LOG_ID] = COUNT("log_id", "hash of the name of the log"),
    [HC_CYCLES_NUMBER] = SMALL("cycle", "launch in the log, from 0"),
    [HC_CYCLES_CLUSTER] = TEXT("cluster", "cluster", "cluster"),
    [HC_CYCLES_JOB] = COUNT("job", "number of the job, by the name of the log"),
    [HC_CYCLES_LOG] = TEXT("log", "name of the log", "log"),
    [HC_CYCLES_FRAMEWORK] = TEXT("framework", "whose lines it has", "framework"),
    [HC_CYCLES_FIRST_STEP_NS] = NS("first_step_ns", "when the first iteration began"),
    [HC_CYCLES_END_NS] = NS("end_ns", "last that the log tells of it"),
    [HC_CYCLES_FIRST_ITERATION] = COUNT("first_iteration", "first that it made"),
    [HC_CYCLES_LAST_ITERATION] = COUNT("last_iteration", "last that it made"),
    [HC_CYCLES_LOADED_ITERATION] = COUNT("loaded_iteration", "of the checkpoint it began from"),
    [HC_CYCLES_SAVED_ITERATION] = COUNT("saved_iteration", "of the last checkpoint it saved"),
    [HC_CYCLES_WORLD_SIZE] = SMALL("world_size", "ranks"),
    [HC_CYCLES_IS_DONE] = SMALL("is_done", "1: it says that training is done"),
    [HC_CYCLES_RESTARTS] = SMALL("restarts", "times the job was requeued before"),
    [HC_CYCLES_NODE_LIST] = TEXT("node_list", "nodes in use", "node_list"),
    [HC_CYCLES_CLOCK] = TEXT("clock", "how its start is known", "log_clock"),
    [HC_CYCLES_SOURCE] = TEXT("source", "file that says so", "source"),
    [HC_CYCLES_LINE] = COUNT("line", "line of that file"),
};

static const struct hc_column_def checkpoints_columns[HC_CHECKPOINTS_N_COLUMNS] = {
    [HC_CHECKPOINTS_TIME_NS] = NS("time_ns", "when it was saved or loaded"),
    [HC_CHECKPOINTS_ITERATION] = COUNT("iteration", "that it is of"),
    [HC_CHECKPOINTS_KIND] = TEXT("kind", "save or load", "checkpoint_kind"),
    [HC_CHECKPOINTS_LOG_ID] = COUNT("log_id", "hash of the name of the log"),
    [HC_CHECKPOINTS_CLUSTER] = TEXT("cluster", "cluster", "cluster"),
    [HC_CHECKPOINTS_JOB] = COUNT("job", "number of the job, by the name of the log"),
    [HC_CHECKPOINTS_LOG] = TEXT("log", "name of the log", "log"),
    [HC_CHECKPOINTS_CYCLE] = SMALL("cycle", "launch in the log, from 0"),
    [HC_CHECKPOINTS_PATH] = TEXT("path", "where it lies", "checkpoint_path"),
    [HC_CHECKPOINTS_CLOCK] = TEXT("clock", "how the time is known", "log_clock"),
    [HC_CHECKPOINTS_SOURCE] = TEXT("source", "file that says so", "source"),
    [HC_CHECKPOINTS_LINE] = COUNT("line", "line of that file"),
};

#define REAL(name, words)                                                                          \
    {                                                                                              \
        name, HC_F64, "", words, NULL                                                              \
    }
static const struct hc_column_def measures_columns[HC_TRAIN_MEASURES_N_COLUMNS] = {
    [HC_TRAIN_MEASURES_TIME_NS] = NS("time_ns", "when the log says it"),
    [HC_TRAIN_MEASURES_ITERATION] = COUNT("iteration", "number of the last iteration before"),
    [HC_TRAIN_MEASURES_LOG_ID] = COUNT("log_id", "hash of the name of the log"),
    [HC_TRAIN_MEASURES_FACT] = COUNT("fact", "hash of name and rank"),
    [HC_TRAIN_MEASURES_CLUSTER] = TEXT("cluster", "cluster", "cluster"),
    [HC_TRAIN_MEASURES_JOB] = COUNT("job", "number of the job, by the name of the log"),
    [HC_TRAIN_MEASURES_LOG] = TEXT("log", "name of the log", "log"),
    [HC_TRAIN_MEASURES_CYCLE] = SMALL("cycle", "launch in the log, from 0"),
    [HC_TRAIN_MEASURES_NAME] = TEXT("name", "what is measured", "measure"),
    [HC_TRAIN_MEASURES_UNIT] = TEXT("unit", "of value, min and max", "measure_unit"),
    [HC_TRAIN_MEASURES_RANK] = SMALL("rank", "that the value is of"),
    [HC_TRAIN_MEASURES_VALUE] = REAL("value", "of one rank"),
    [HC_TRAIN_MEASURES_MIN] = REAL("min", "over all ranks"),
    [HC_TRAIN_MEASURES_MAX] = REAL("max", "over all ranks"),
    [HC_TRAIN_MEASURES_MIN_RANK] = SMALL("min_rank", "rank of the least"),
    [HC_TRAIN_MEASURES_MAX_RANK] = SMALL("max_rank", "rank of the largest"),
    [HC_TRAIN_MEASURES_CLOCK] = TEXT("clock", "how the time is known", "log_clock"),
    [HC_TRAIN_MEASURES_SOURCE] = TEXT("source", "file that says so", "source"),
    [HC_TRAIN_MEASURES_LINE] = COUNT("line", "line of that file"),
};

const struct hc_table_def hc_train_steps_def = {"train_steps", HC_TRAIN_STEPS_N_COLUMNS,
                                                train_steps_columns, 1};
const struct hc_table_def hc_cycles_def = {"cycles", HC_CYCLES_N_COLUMNS, cycles_columns, 1};
const struct hc_table_def hc_checkpoints_def = {"checkpoints", HC_CHECKPOINTS_N_COLUMNS,
                                                checkpoints_columns, 1};

const struct hc_table_def hc_train_measures_def = {"train_measures", HC_TRAIN_MEASURES_N_COLUMNS,
                                                   measures_columns, 1};

const struct hc_table_def *const hc_log_tables[] = {
    [HC_LOG_STEPS] = &hc_train_steps_def,
    [HC_LOG_CYCLES] = &hc_cycles_def,
    [HC_LOG_CHECKPOINTS] = &hc_checkpoints_def,
    [HC_LOG_EVENTS] = &hc_events_def,
    [HC_LOG_MEASURES] = &hc_train_measures_def,
    [HC_LOG_PHASES] = &hc_phases_def,
    [HC_N_LOG_TABLES] = NULL,
};
const struct hc_table_def *const hc_train_step_tables[] = {&hc_train_steps_def, NULL};
const struct hc_table_def *const hc_cycle_tables[] = {&hc_cycles_def, NULL};
const struct hc_table_def *const hc_checkpoint_tables[] = {&hc_checkpoints_def, NULL};
const struct hc_table_def *const hc_train_measure_tables[] = {&hc_train_measures_def, NULL};

/* ---- names ---- */

static enum hc_status add_texts(struct hc_table_names *names, const char *dictionary,
                                const char *const *texts, size_t n, struct hc_error *err)
{
    struct hc_text_set *set = hc_table_names_find(names, dictionary);
    int32_t code;
    for (size_t i = 0; set && i < n; i++)
        if (hc_text_set_add(set, texts[i], strlen(texts[i]), &code, err))
            return err->status;
    return HC_OK;
}

static enum hc_status start(struct hc_table_names *names, const struct hc_table_def *const *tables,
                            struct hc_error *err)
{
    static const char *const clocks[HC_N_LOG_CLOCKS] = {"stamped", "between", "none"};
    static const char *const kinds[HC_N_CHECKPOINT_KINDS] = {"save", "load"};
    enum hc_status status = hc_table_names_init(names, tables, err);
    if (!status)
        status = add_texts(names, "log_clock", clocks, HC_N_LOG_CLOCKS, err);
    if (!status)
        status = add_texts(names, "checkpoint_kind", kinds, HC_N_CHECKPOINT_KINDS, err);
    if (status)
        hc_table_names_fini(names);
    return status;
}

enum hc_status hc_train_step_names_init(struct hc_table_names *names, struct hc_error *err)
{
    return start(names, hc_train_step_tables, err);
}

enum hc_status hc_cycle_names_init(struct hc_table_names *names, struct hc_error *err)
{
    return start(names, hc_cycle_tables, err);
}

enum hc_status hc_checkpoint_names_init(struct hc_table_names *names, struct hc_error *err)
{
    return start(names, hc_checkpoint_tables, err);
}

enum hc_status hc_train_measure_names_init(struct hc_table_names *names, struct hc_error *err)
{
    return start(names, hc_train_measure_tables, err);
}

/* ---- two rows of one key ---- */

/* Of rows that say other things under one key, the same one wins whatever the order in which they
 * are read: the one with the better clock, then the one further down in its log. */
static bool is_better_told(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                           size_t row_b, size_t clock, size_t line)
{
    int32_t x = hc_table_i32(a, clock)[row_a], y = hc_table_i32(b, clock)[row_b];
    return x != y ? x < y : hc_table_i64(a, line)[row_a] > hc_table_i64(b, line)[row_b];
}

bool hc_train_step_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b)
{
    return is_better_told(a, row_a, b, row_b, HC_TRAIN_STEPS_CLOCK, HC_TRAIN_STEPS_LINE);
}

bool hc_checkpoint_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                            size_t row_b)
{
    return is_better_told(a, row_a, b, row_b, HC_CHECKPOINTS_CLOCK, HC_CHECKPOINTS_LINE);
}

bool hc_train_measure_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                               size_t row_b)
{
    return is_better_told(a, row_a, b, row_b, HC_TRAIN_MEASURES_CLOCK, HC_TRAIN_MEASURES_LINE);
}

/* Launches of which a log says neither time nor step are told apart by their lines alone: of two in
 * files of one name, that of more ranks wins. */
bool hc_cycle_is_later(const struct hc_table *a, size_t row_a, const struct hc_table *b,
                       size_t row_b)
{
    static const enum hc_cycles_column grows[] = {HC_CYCLES_END_NS, HC_CYCLES_LAST_ITERATION,
                                                  HC_CYCLES_SAVED_ITERATION};
    static const enum hc_cycles_column settles[] = {HC_CYCLES_IS_DONE, HC_CYCLES_WORLD_SIZE};
    for (size_t i = 0; i < sizeof grows / sizeof *grows; i++) {
        int64_t x = hc_table_i64(a, grows[i])[row_a], y = hc_table_i64(b, grows[i])[row_b];
        if (x != y)
            return x > y;
    }
    for (size_t i = 0; i < sizeof settles / sizeof *settles; i++) {
        int32_t x = hc_table_i32(a, settles[i])[row_a], y = hc_table_i32(b, settles[i])[row_b];
        if (x != y)
            return x > y;
    }
    return hc_table_i64(a, HC_CYCLES_LINE)[row_a] > hc_table_i64(b, HC_CYCLES_LINE)[row_b];
}

size_t hc_log_row_add(struct hc_table *table)
{
    size_t row = table->n_rows++;
    for (size_t c = 0; c < table->def->n_columns; c++)
        switch (table->def->columns[c].type) {
        case HC_I32:
            hc_table_i32(table, c)[row] = HC_MISSING_I32;
            break;
        case HC_I64:
            hc_table_i64(table, c)[row] = HC_MISSING_I64;
            break;
        case HC_F64:
            hc_table_f64(table, c)[row] = NAN;
            break;
        }
    return row;
}
