#include "pipeline/night/launch_rows.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/logs/log_tables.h"
#include "pipeline/daily/record_scan.h"

#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))
#define SLACK_NS    ((int64_t)86400 * 1000000000) /* days before the window that are read too */

struct loading {
    struct hc_launch_rows *rows;
    const struct hc_launch_rows_source *source;
    struct hc_int_map launch_of; /* hash of log and cycle to a launch */
};

/* ---- which launch ---- */

static uint64_t key_of(int64_t log_id, int32_t number)
{
    return (uint64_t)log_id * 0x9e3779b97f4a7c15u + (uint32_t)number;
}

static enum hc_status index_launches(struct loading *loading, struct hc_error *err)
{
    const struct hc_launches *launches = loading->source->launches;
    const struct hc_joins *joins = loading->source->joins;
    for (size_t i = 0; i < launches->n; i++) {
        const struct hc_join_cycle *cycle = &joins->cycles[launches->list[i].cycle];
        size_t entry;
        if (loading->source->is_wanted[i] &&
            hc_int_map_insert(&loading->launch_of,
                              key_of(joins->logs[cycle->log].id, cycle->number), (int32_t)i, &entry,
                              err))
            return err->status;
    }
    return HC_OK;
}

static int32_t find_launch(const struct loading *loading, int64_t log_id, int32_t number)
{
    int64_t entry = hc_int_map_find(&loading->launch_of, key_of(log_id, number));
    if (entry < 0)
        return -1;
    const struct hc_joins *joins = loading->source->joins;
    int32_t launch = loading->launch_of.values[entry];
    const struct hc_join_cycle *cycle =
        &joins->cycles[loading->source->launches->list[launch].cycle];
    return joins->logs[cycle->log].id == log_id && cycle->number == number ? launch : -1;
}

/* ---- tables ---- */

static enum hc_status take_steps(const struct hc_record_rows *from, void *context,
                                 struct hc_error *err)
{
    struct loading *loading = context;
    struct hc_launch_rows *rows = loading->rows;
    const struct hc_table *t = from->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int32_t launch = find_launch(loading, hc_table_i64(t, HC_TRAIN_STEPS_LOG_ID)[i],
                                     hc_table_i32(t, HC_TRAIN_STEPS_CYCLE)[i]);
        int64_t end_ns = hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[i];
        int32_t iterations = hc_table_i32(t, HC_TRAIN_STEPS_ITERATIONS)[i];
        if (launch < 0 || end_ns > loading->source->as_of_ns ||
            hc_table_i32(t, HC_TRAIN_STEPS_CLOCK)[i] == HC_LOG_NO_CLOCK)
            continue;
        if (hc_reserve(&rows->step_list, &rows->steps_room, rows->n_steps + 1,
                       sizeof *rows->step_list, err))
            return err->status;
        rows->step_list[rows->n_steps++] =
            (struct hc_step_of){launch,
                                {.end_ns = end_ns,
                                 .iteration = hc_table_i64(t, HC_TRAIN_STEPS_ITERATION)[i],
                                 .line = hc_table_i64(t, HC_TRAIN_STEPS_LINE)[i],
                                 .duration_ns = hc_table_i64(t, HC_TRAIN_STEPS_DURATION_NS)[i],
                                 .iterations = iterations == HC_MISSING_I32 ? 1 : iterations}};
    }
    return HC_OK;
}

static enum hc_status take_saves(const struct hc_record_rows *from, void *context,
                                 struct hc_error *err)
{
    struct loading *loading = context;
    struct hc_launch_rows *rows = loading->rows;
    const struct hc_table *t = from->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int32_t launch = find_launch(loading, hc_table_i64(t, HC_CHECKPOINTS_LOG_ID)[i],
                                     hc_table_i32(t, HC_CHECKPOINTS_CYCLE)[i]);
        int64_t time_ns = hc_table_i64(t, HC_CHECKPOINTS_TIME_NS)[i];
        if (launch < 0 || hc_table_i32(t, HC_CHECKPOINTS_KIND)[i] != HC_CHECKPOINT_SAVE ||
            time_ns > loading->source->as_of_ns)
            continue;
        if (hc_reserve(&rows->save_list, &rows->saves_room, rows->n_saves + 1,
                       sizeof *rows->save_list, err))
            return err->status;
        rows->save_list[rows->n_saves++] =
            (struct hc_moment_of){launch, {time_ns, hc_table_i64(t, HC_CHECKPOINTS_ITERATION)[i]}};
    }
    return HC_OK;
}

/* Measures of an evaluation tell that there was one; that of Megatron's set-up of its data
 * ("train/valid/test-data-iterators-setup") does not. */
static bool is_evaluation(const char *name)
{
    return name && (strstr(name, "eval") || strstr(name, "valid")) && !strstr(name, "setup");
}

/* The iteration of a measure that comes before the first line of steps: where the steps began, once
 * they had. Missing: it is of the start-up, where a framework also times the setting up of its
 * validation data. */
static int64_t before_first_line(const struct hc_launch *launch, int64_t time_ns)
{
    return launch->first_step_ns != HC_MISSING_I64 && time_ns >= launch->first_step_ns
               ? launch->resumed_iteration
               : HC_MISSING_I64;
}

static enum hc_status take_measures(const struct hc_record_rows *from, void *context,
                                    struct hc_error *err)
{
    struct loading *loading = context;
    struct hc_launch_rows *rows = loading->rows;
    const struct hc_table *t = from->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t iteration = hc_table_i64(t, HC_TRAIN_MEASURES_ITERATION)[i];
        int64_t time_ns = hc_table_i64(t, HC_TRAIN_MEASURES_TIME_NS)[i];
        if (time_ns > loading->source->as_of_ns ||
            !is_evaluation(hc_record_text(from, HC_TRAIN_MEASURES_NAME, i)))
            continue;
        int32_t launch = find_launch(loading, hc_table_i64(t, HC_TRAIN_MEASURES_LOG_ID)[i],
                                     hc_table_i32(t, HC_TRAIN_MEASURES_CYCLE)[i]);
        if (launch < 0)
            continue;
        if (iteration == HC_MISSING_I64)
            iteration = before_first_line(&loading->source->launches->list[launch], time_ns);
        if (iteration == HC_MISSING_I64)
            continue;
        if (hc_reserve(&rows->evaluation_list, &rows->evaluations_room, rows->n_evaluations + 1,
                       sizeof *rows->evaluation_list, err))
            return err->status;
        rows->evaluation_list[rows->n_evaluations++] =
            (struct hc_moment_of){launch, {time_ns, iteration}};
    }
    return HC_OK;
}

static enum hc_status take_phases(const struct hc_record_rows *from, void *context,
                                  struct hc_error *err)
{
    struct loading *loading = context;
    struct hc_launch_rows *rows = loading->rows;
    const struct hc_table *t = from->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t start_ns = hc_table_i64(t, HC_PHASES_START_NS)[i];
        int64_t end_ns = hc_table_i64(t, HC_PHASES_END_NS)[i];
        int64_t log_id = hc_table_i64(t, HC_PHASES_LOG_ID)[i];
        int32_t cycle = hc_table_i32(t, HC_PHASES_CYCLE)[i];
        const char *cluster = hc_record_text(from, HC_PHASES_CLUSTER, i);
        const char *node = hc_record_text(from, HC_PHASES_NODE, i);
        struct hc_phase_of phase = {
            .job = hc_table_i64(t, HC_PHASES_JOB)[i],
            .from_ns = start_ns,
            .to_ns = end_ns,
            .restarts = hc_table_i32(t, HC_PHASES_RESTARTS)[i],
            .array_task = hc_table_i32(t, HC_PHASES_ARRAY_TASK)[i],
            .launch = log_id == HC_MISSING_I64 ? -1 : find_launch(loading, log_id, cycle),
            .cycle = cycle,
            .cluster = HC_MISSING_I32,
            .node = HC_MISSING_I32,
            .phase = hc_table_i32(t, HC_PHASES_PHASE)[i]};
        if (end_ns > loading->source->as_of_ns || end_ns == HC_MISSING_I64 ||
            (phase.launch < 0 && phase.job == HC_MISSING_I64))
            continue;
        if ((cluster &&
             hc_text_set_add(&rows->clusters, cluster, strlen(cluster), &phase.cluster, err)) ||
            (node && hc_text_set_add(&rows->nodes, node, strlen(node), &phase.node, err)) ||
            hc_reserve(&rows->phases, &rows->phases_room, rows->n_phases + 1, sizeof *rows->phases,
                       err))
            return err->status;
        rows->phases[rows->n_phases++] = phase;
    }
    return HC_OK;
}

/* ---- order ---- */

static int compare_steps(const void *a, const void *b)
{
    const struct hc_step_of *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->row.end_ns != y->row.end_ns)
        return x->row.end_ns < y->row.end_ns ? -1 : 1;
    return (x->row.iteration > y->row.iteration) - (x->row.iteration < y->row.iteration);
}

static int compare_moments(const void *a, const void *b)
{
    const struct hc_moment_of *x = a, *y = b;
    if (x->launch != y->launch)
        return x->launch < y->launch ? -1 : 1;
    if (x->row.iteration != y->row.iteration)
        return x->row.iteration < y->row.iteration ? -1 : 1;
    return (x->row.time_ns > y->row.time_ns) - (x->row.time_ns < y->row.time_ns);
}

static int compare_phases(const void *a, const void *b)
{
    const struct hc_phase_of *x = a, *y = b;
    if (x->job != y->job)
        return x->job < y->job ? -1 : 1;
    if (x->from_ns != y->from_ns)
        return x->from_ns < y->from_ns ? -1 : 1;
    if (x->phase != y->phase)
        return x->phase < y->phase ? -1 : 1;
    return (x->to_ns > y->to_ns) - (x->to_ns < y->to_ns);
}

/* Of steps that two lines tell, as a framework and a wrapper of it, the first counts. */
static enum hc_status order_steps(struct hc_launch_rows *rows, size_t n_launches,
                                  struct hc_error *err)
{
    if (rows->n_steps)
        qsort(rows->step_list, rows->n_steps, sizeof *rows->step_list, compare_steps);
    rows->steps = hc_new_array(rows->n_steps, sizeof *rows->steps, err);
    rows->first_step = hc_new_array(n_launches + 1, sizeof *rows->first_step, err);
    if (!rows->steps || !rows->first_step)
        return err->status;
    size_t at = 0;
    for (size_t launch = 0; launch <= n_launches; launch++) {
        rows->first_step[launch] = at;
        for (; at < rows->n_steps && rows->step_list[at].launch == (int32_t)launch; at++)
            rows->steps[at] = rows->step_list[at].row;
    }
    free(rows->step_list);
    rows->step_list = NULL;
    return HC_OK;
}

static enum hc_status order_moments(struct hc_moment_of **list, size_t n, size_t n_launches,
                                    struct hc_moment_row **ordered, size_t **first,
                                    struct hc_error *err)
{
    if (n)
        qsort(*list, n, sizeof **list, compare_moments);
    *ordered = hc_new_array(n, sizeof **ordered, err);
    *first = hc_new_array(n_launches + 1, sizeof **first, err);
    if (!*ordered || !*first)
        return err->status;
    size_t at = 0;
    for (size_t launch = 0; launch <= n_launches; launch++) {
        (*first)[launch] = at;
        for (; at < n && (*list)[at].launch == (int32_t)launch; at++)
            (*ordered)[at] = (*list)[at].row;
    }
    free(*list);
    *list = NULL;
    return HC_OK;
}

/* Those that logs tell, by launch. */
static enum hc_status order_phases(struct hc_launch_rows *rows, size_t n_launches,
                                   struct hc_error *err)
{
    if (rows->n_phases)
        qsort(rows->phases, rows->n_phases, sizeof *rows->phases, compare_phases);
    rows->log_phases = hc_new_array(rows->n_phases, sizeof *rows->log_phases, err);
    rows->first_log_phase = hc_new_array(n_launches + 2, sizeof *rows->first_log_phase, err);
    if (!rows->log_phases || !rows->first_log_phase)
        return err->status;
    for (size_t i = 0; i < rows->n_phases; i++)
        if (rows->phases[i].launch >= 0)
            rows->first_log_phase[rows->phases[i].launch + 2]++;
    for (size_t i = 2; i < n_launches + 2; i++)
        rows->first_log_phase[i] += rows->first_log_phase[i - 1];
    for (size_t i = 0; i < rows->n_phases; i++)
        if (rows->phases[i].launch >= 0)
            rows->log_phases[rows->first_log_phase[rows->phases[i].launch + 1]++] = i;
    return HC_OK;
}

static enum hc_status order_all(struct hc_launch_rows *rows, size_t n_launches,
                                struct hc_error *err)
{
    return order_phases(rows, n_launches, err) || order_steps(rows, n_launches, err) ||
                   order_moments(&rows->save_list, rows->n_saves, n_launches, &rows->saves,
                                 &rows->first_save, err) ||
                   order_moments(&rows->evaluation_list, rows->n_evaluations, n_launches,
                                 &rows->evaluations, &rows->first_evaluation, err)
               ? err->status
               : HC_OK;
}

static enum hc_status read_all(struct loading *loading, struct hc_error *err)
{
    const struct {
        const struct hc_table_def *def;
        hc_record_sink *sink;
        uint64_t columns;
    } tables[] = {
        {&hc_train_steps_def, take_steps,
         BIT(HC_TRAIN_STEPS_END_NS) | BIT(HC_TRAIN_STEPS_ITERATION) | BIT(HC_TRAIN_STEPS_LOG_ID) |
             BIT(HC_TRAIN_STEPS_CYCLE) | BIT(HC_TRAIN_STEPS_ITERATIONS) |
             BIT(HC_TRAIN_STEPS_DURATION_NS) | BIT(HC_TRAIN_STEPS_CLOCK) |
             BIT(HC_TRAIN_STEPS_LINE)},
        {&hc_checkpoints_def, take_saves,
         BIT(HC_CHECKPOINTS_TIME_NS) | BIT(HC_CHECKPOINTS_ITERATION) | BIT(HC_CHECKPOINTS_KIND) |
             BIT(HC_CHECKPOINTS_LOG_ID) | BIT(HC_CHECKPOINTS_CYCLE)},
        {&hc_train_measures_def, take_measures,
         BIT(HC_TRAIN_MEASURES_TIME_NS) | BIT(HC_TRAIN_MEASURES_ITERATION) |
             BIT(HC_TRAIN_MEASURES_LOG_ID) | BIT(HC_TRAIN_MEASURES_CYCLE) |
             BIT(HC_TRAIN_MEASURES_NAME)},
        {&hc_phases_def, take_phases, ~(uint64_t)0},
    };
    int64_t from_ns = loading->source->from_ns;
    if (index_launches(loading, err))
        return err->status;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        const struct hc_record_scan scan = {.archive = loading->source->archive,
                                            .def = tables[i].def,
                                            .from_ns =
                                                from_ns == INT64_MIN ? from_ns : from_ns - SLACK_NS,
                                            .to_ns = INT64_MAX,
                                            .columns = tables[i].columns};
        if (hc_record_scan_run(&scan, tables[i].sink, loading, err))
            return err->status;
    }
    return order_all(loading->rows, loading->source->launches->n, err);
}

enum hc_status hc_launch_rows_load(struct hc_launch_rows *rows,
                                   const struct hc_launch_rows_source *source, struct hc_error *err)
{
    struct loading loading = {.rows = rows, .source = source};
    enum hc_status status = read_all(&loading, err);
    hc_int_map_fini(&loading.launch_of);
    return status;
}

void hc_launch_rows_fini(struct hc_launch_rows *rows)
{
    free(rows->step_list);
    free(rows->save_list);
    free(rows->evaluation_list);
    free(rows->steps);
    free(rows->saves);
    free(rows->evaluations);
    free(rows->first_step);
    free(rows->first_save);
    free(rows->first_evaluation);
    free(rows->phases);
    free(rows->log_phases);
    free(rows->first_log_phase);
    hc_text_set_fini(&rows->clusters);
    hc_text_set_fini(&rows->nodes);
    *rows = (struct hc_launch_rows){0};
}
