/* fit_steps.c - the step times that the logs of one run tell. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/logs/log_tables.h"
#include "pipeline/daily/record_scan.h"
#include "pipeline/fit/fit_loading.h"

#define BIT(column) ((uint64_t)1 << (column))
#define MOST_LINES  ((size_t)4 << 20)

/* The cycle that a line is of, or NULL: of another run. */
static const struct hc_join_cycle *cycle_of(const struct hc_fit_loading *loading,
                                            const struct hc_table *t, size_t i)
{
    const struct hc_joins *joins = &loading->failures->joins;
    int64_t entry =
        hc_int_map_find(&joins->log_of_id, (uint64_t)hc_table_i64(t, HC_TRAIN_STEPS_LOG_ID)[i]);
    if (entry < 0)
        return NULL;
    const struct hc_join_log *log = &joins->logs[joins->log_of_id.values[entry]];
    int32_t number = hc_table_i32(t, HC_TRAIN_STEPS_CYCLE)[i];
    for (size_t k = 0; k < log->n_cycles; k++) {
        const struct hc_join_cycle *cycle = &joins->cycles[log->cycles + k];
        if (cycle->number == number)
            return cycle->run == loading->records->run ? cycle : NULL;
    }
    return NULL;
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
    struct hc_fit_loading *loading = context;
    struct hc_fit_steps *steps = &loading->records->steps;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t duration_ns = hc_table_i64(t, HC_TRAIN_STEPS_DURATION_NS)[i];
        int64_t end_ns = hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[i];
        int64_t iteration = hc_table_i64(t, HC_TRAIN_STEPS_ITERATION)[i];
        int32_t n = hc_table_i32(t, HC_TRAIN_STEPS_ITERATIONS)[i];
        const struct hc_join_cycle *cycle = cycle_of(loading, t, i);
        if (!cycle || duration_ns == HC_MISSING_I64 || duration_ns <= 0 ||
            end_ns < loading->records->from_ns || end_ns >= loading->records->to_ns)
            continue;
        n = n == HC_MISSING_I32 || n < 1 ? 1 : n;
        if (iteration - n < cycle->first_iteration) {
            steps->n_first++;
            continue;
        }
        if (add_line(steps, (double)duration_ns * 1e-9, n, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_fit_load_steps(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_record_scan scan = {
        .archive = loading->choice->archive,
        .def = &hc_train_steps_def,
        .from_ns = loading->records->from_ns,
        .to_ns = loading->records->to_ns,
        .columns = BIT(HC_TRAIN_STEPS_END_NS) | BIT(HC_TRAIN_STEPS_ITERATION) |
                   BIT(HC_TRAIN_STEPS_LOG_ID) | BIT(HC_TRAIN_STEPS_CYCLE) |
                   BIT(HC_TRAIN_STEPS_ITERATIONS) | BIT(HC_TRAIN_STEPS_DURATION_NS)};
    return loading->records->run < 0 ? HC_OK : hc_record_scan_run(&scan, take_steps, loading, err);
}
