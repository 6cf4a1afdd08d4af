/* fit_steps.c - the step times that the logs of one run tell, what its saves cost, and how far the
 * lines of steps lie apart in the launches that were struck. */
#include "pipeline/fit/fit_loading.h"

#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/logs/log_tables.h"
#include "pipeline/daily/record_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))
#define MOST_LINES  ((size_t)4 << 20)
#define SAVE_TIMER  "save-checkpoint" /* of Megatron-LM, in seconds */

struct taking {
    struct hc_fit_loading *loading;
    double *line_s; /* of a cycle of the joins: between its lines of steps, the last; 0: none */
};

/* The cycle of a log and number, or -1. */
static int64_t cycle_of(const struct hc_fit_loading *loading, int64_t log_id, int32_t number)
{
    const struct hc_joins *joins = &loading->failures->joins;
    int64_t entry = hc_int_map_find(&joins->log_of_id, (uint64_t)log_id);
    if (entry < 0)
        return -1;
    const struct hc_join_log *log = &joins->logs[joins->log_of_id.values[entry]];
    for (size_t k = 0; k < log->n_cycles; k++)
        if (joins->cycles[log->cycles + k].number == number)
            return (int64_t)(log->cycles + k);
    return -1;
}

static bool is_of_run(const struct hc_fit_loading *loading, int64_t cycle)
{
    return loading->records->run >= 0 &&
           loading->failures->joins.cycles[cycle].run == loading->records->run;
}

static enum hc_status add_line(struct hc_fit_steps *steps, double seconds, double iterations,
                               struct hc_error *err)
{
    if (steps->n >= MOST_LINES) {
        steps->n_beyond++;
        return HC_OK;
    }
    if (hc_reserve(&steps->seconds, &steps->room, steps->n + 1, sizeof *steps->seconds, err) ||
        hc_reserve(&steps->iterations, &steps->iterations_room, steps->n + 1,
                   sizeof *steps->iterations, err))
        return err->status;
    steps->seconds[steps->n] = seconds;
    steps->iterations[steps->n++] = iterations;
    return HC_OK;
}

static enum hc_status take_steps(const struct hc_record_rows *rows, void *context,
                                 struct hc_error *err)
{
    struct taking *taking = context;
    struct hc_fit_loading *loading = taking->loading;
    struct hc_fit_steps *steps = &loading->records->steps;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t duration_ns = hc_table_i64(t, HC_TRAIN_STEPS_DURATION_NS)[i];
        int64_t end_ns = hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[i];
        int64_t iteration = hc_table_i64(t, HC_TRAIN_STEPS_ITERATION)[i];
        int32_t n = hc_table_i32(t, HC_TRAIN_STEPS_ITERATIONS)[i];
        int64_t cycle = cycle_of(loading, hc_table_i64(t, HC_TRAIN_STEPS_LOG_ID)[i],
                                 hc_table_i32(t, HC_TRAIN_STEPS_CYCLE)[i]);
        if (cycle < 0 || duration_ns == HC_MISSING_I64 || duration_ns <= 0)
            continue;
        n = n == HC_MISSING_I32 || n < 1 ? 1 : n;
        taking->line_s[cycle] = (double)duration_ns * 1e-9 * n;
        if (!is_of_run(loading, cycle) || end_ns < loading->records->from_ns ||
            end_ns >= loading->records->to_ns)
            continue;
        if (iteration - n < loading->failures->joins.cycles[cycle].first_iteration)
            steps->n_first++;
        else if (add_line(steps, (double)duration_ns * 1e-9, n, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_timers(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct hc_fit_loading *loading = context;
    struct hc_fit_records *records = loading->records;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *name = hc_record_text(rows, HC_TRAIN_MEASURES_NAME, i);
        double value = hc_table_f64(t, HC_TRAIN_MEASURES_VALUE)[i];
        double most = hc_table_f64(t, HC_TRAIN_MEASURES_MAX)[i];
        int64_t time_ns = hc_table_i64(t, HC_TRAIN_MEASURES_TIME_NS)[i];
        if (!name || strcmp(name, SAVE_TIMER) != 0 || time_ns < records->from_ns ||
            time_ns >= records->to_ns)
            continue;
        int64_t cycle = cycle_of(loading, hc_table_i64(t, HC_TRAIN_MEASURES_LOG_ID)[i],
                                 hc_table_i32(t, HC_TRAIN_MEASURES_CYCLE)[i]);
        value = isnan(most) ? value : most; /* of all ranks, the slowest holds the step */
        if (cycle < 0 || !is_of_run(loading, cycle) || !(value >= 0))
            continue;
        if (hc_reserve(&records->stalls, &records->stalls_room, records->n_stalls + 1,
                       sizeof *records->stalls, err))
            return err->status;
        records->stalls[records->n_stalls++] = value;
    }
    return HC_OK;
}

static enum hc_status scan_steps(struct hc_fit_loading *loading, struct hc_error *err)
{
    struct hc_fit_records *records = loading->records;
    struct taking taking = {loading,
                            hc_new_array(loading->failures->joins.n_cycles, sizeof(double), err)};
    const struct hc_record_scan scan = {
        .archive = loading->choice->archive,
        .def = &hc_train_steps_def,
        .from_ns = records->from_ns,
        .to_ns = records->to_ns,
        .columns = BIT(HC_TRAIN_STEPS_END_NS) | BIT(HC_TRAIN_STEPS_ITERATION) |
                   BIT(HC_TRAIN_STEPS_LOG_ID) | BIT(HC_TRAIN_STEPS_CYCLE) |
                   BIT(HC_TRAIN_STEPS_ITERATIONS) | BIT(HC_TRAIN_STEPS_DURATION_NS)};
    enum hc_status status =
        taking.line_s ? hc_record_scan_run(&scan, take_steps, &taking, err) : err->status;
    for (size_t i = 0; i < records->n_strikes && !status; i++) {
        struct hc_fit_strike *strike = &records->strikes[i];
        if (strike->cycle >= 0 && taking.line_s[strike->cycle] > 0)
            strike->line_s = taking.line_s[strike->cycle];
    }
    free(taking.line_s);
    return status;
}

enum hc_status hc_fit_load_steps(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_fit_records *records = loading->records;
    const struct hc_record_scan timers = {
        .archive = loading->choice->archive,
        .def = &hc_train_measures_def,
        .from_ns = records->from_ns,
        .to_ns = records->to_ns,
        .columns = BIT(HC_TRAIN_MEASURES_TIME_NS) | BIT(HC_TRAIN_MEASURES_LOG_ID) |
                   BIT(HC_TRAIN_MEASURES_CYCLE) | BIT(HC_TRAIN_MEASURES_NAME) |
                   BIT(HC_TRAIN_MEASURES_VALUE) | BIT(HC_TRAIN_MEASURES_MAX)};
    bool is_needed = records->run >= 0;
    for (size_t i = 0; i < records->n_strikes; i++)
        is_needed |= !isnan(records->strikes[i].detect_most_s);
    if (is_needed && scan_steps(loading, err))
        return err->status;
    return records->run < 0 ? HC_OK : hc_record_scan_run(&timers, take_timers, loading, err);
}
