#include "pipeline/daily/join_input.h"

#include "core/base/clock.h"
#include "core/base/int_map.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_state.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/logs/log_tables.h"
#include "models/joins/join_logs.h"
#include "models/joins/join_match.h"
#include "models/joins/lineage.h"
#include "pipeline/daily/record_scan.h"
#include "pipeline/daily/timeline_input.h"
#include "pipeline/site/site_run_names.h"

#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))
#define ALL         (~(uint64_t)0)

/* What is filled, and from what. */
struct loading {
    struct hc_joins *joins;
    const struct hc_join_source *source;
    struct hc_int_map told; /* hashes of the cycles of which a line of steps was told by as_of_ns,
                             * that began to step in the days before */
};

/* ---- as of a time ---- */

/* Lines of steps come hours apart at most: of a launch that began to step so long before a time,
 * one was told by then. */
#define STEPS_NS ((int64_t)2 * 86400 * 1000000000)

static uint64_t key_of(int64_t log_id, int32_t number)
{
    return (uint64_t)log_id * 0x9e3779b97f4a7c15u + (uint32_t)number;
}

static enum hc_status take_told(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    struct loading *loading = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        size_t entry;
        if (hc_table_i64(t, HC_TRAIN_STEPS_END_NS)[i] <= loading->source->as_of_ns &&
            hc_int_map_insert(&loading->told,
                              key_of(hc_table_i64(t, HC_TRAIN_STEPS_LOG_ID)[i],
                                     hc_table_i32(t, HC_TRAIN_STEPS_CYCLE)[i]),
                              0, &entry, err))
            return err->status;
    }
    return HC_OK;
}

/* Find the launches of which lines of steps were told just before the time. */
static enum hc_status find_told(struct loading *loading, struct hc_error *err)
{
    int64_t as_of_ns = loading->source->as_of_ns;
    const struct hc_record_scan scan = {
        .archive = loading->source->archive,
        .def = &hc_train_steps_def,
        .from_ns = as_of_ns < INT64_MIN + STEPS_NS ? INT64_MIN : as_of_ns - STEPS_NS,
        .to_ns = hc_capped_sum(as_of_ns, 1),
        .columns =
            BIT(HC_TRAIN_STEPS_END_NS) | BIT(HC_TRAIN_STEPS_LOG_ID) | BIT(HC_TRAIN_STEPS_CYCLE)};
    return as_of_ns == 0 ? HC_OK : hc_record_scan_run(&scan, take_told, loading, err);
}

/* A cycle as it was known at a time; false: it had not begun. What it saved by then is for the rows
 * of its checkpoints to say. */
static bool know_then(const struct loading *loading, struct hc_cycle_row *row)
{
    int64_t as_of_ns = loading->source->as_of_ns;
    struct hc_join_cycle *cycle = &row->cycle;
    if (as_of_ns == 0 || !cycle->has_clock || cycle->end_ns <= as_of_ns)
        return true;
    cycle->end_ns = as_of_ns;
    cycle->is_done = false;
    if (cycle->first_step_ns > as_of_ns)
        cycle->first_step_ns = HC_MISSING_I64;
    if (cycle->first_step_ns == HC_MISSING_I64 ||
        (cycle->first_step_ns > as_of_ns - STEPS_NS &&
         hc_int_map_find(&loading->told, key_of(row->log_id, cycle->number)) < 0)) {
        cycle->first_iteration = cycle->last_iteration = HC_MISSING_I64;
        cycle->saved_iteration = HC_MISSING_I64;
    }
    return cycle->start_ns <= as_of_ns;
}

/* The same of an attempt; false: it had not begun. */
static bool know_attempt_then(struct hc_join_attempt *attempt, int64_t as_of_ns)
{
    int64_t held_ns;
    if (as_of_ns == 0 || attempt->start_ns == HC_MISSING_I64)
        return true;
    if (attempt->end_ns > as_of_ns) {
        attempt->end_ns = HC_MISSING_I64;
        attempt->state = HC_JOB_RUNNING;
        if (__builtin_sub_overflow(as_of_ns, attempt->start_ns, &held_ns) ||
            __builtin_mul_overflow(held_ns, attempt->gpus, &attempt->gpu_ns))
            attempt->gpu_ns = 0;
    }
    return attempt->start_ns <= as_of_ns;
}

static enum hc_status take_cycles(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    const struct loading *loading = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *cluster = hc_record_text(rows, HC_CYCLES_CLUSTER, i);
        struct hc_cycle_row row = {
            .log_id = hc_table_i64(t, HC_CYCLES_LOG_ID)[i],
            .job = hc_table_i64(t, HC_CYCLES_JOB)[i],
            .path = hc_record_text(rows, HC_CYCLES_SOURCE, i),
            .cluster = cluster ? cluster : rows->entry->cluster,
            .cycle = {
                .start_ns = hc_table_i64(t, HC_CYCLES_START_NS)[i],
                .first_step_ns = hc_table_i64(t, HC_CYCLES_FIRST_STEP_NS)[i],
                .end_ns = hc_table_i64(t, HC_CYCLES_END_NS)[i],
                .first_iteration = hc_table_i64(t, HC_CYCLES_FIRST_ITERATION)[i],
                .last_iteration = hc_table_i64(t, HC_CYCLES_LAST_ITERATION)[i],
                .loaded_iteration = hc_table_i64(t, HC_CYCLES_LOADED_ITERATION)[i],
                .saved_iteration = hc_table_i64(t, HC_CYCLES_SAVED_ITERATION)[i],
                .line = hc_table_i64(t, HC_CYCLES_LINE)[i],
                .number = hc_table_i32(t, HC_CYCLES_NUMBER)[i],
                .world_size = hc_table_i32(t, HC_CYCLES_WORLD_SIZE)[i],
                .has_clock = hc_table_i32(t, HC_CYCLES_CLOCK)[i] != HC_LOG_NO_CLOCK,
                .is_done = hc_table_i32(t, HC_CYCLES_IS_DONE)[i] == 1,
            }};
        if (know_then(loading, &row) && hc_joins_add_cycle(loading->joins, &row, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status take_checkpoints(const struct hc_record_rows *rows, void *context,
                                       struct hc_error *err)
{
    const struct loading *loading = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        const struct hc_checkpoint_row row = {
            .log_id = hc_table_i64(t, HC_CHECKPOINTS_LOG_ID)[i],
            .time_ns = hc_table_i64(t, HC_CHECKPOINTS_TIME_NS)[i],
            .iteration = hc_table_i64(t, HC_CHECKPOINTS_ITERATION)[i],
            .number = hc_table_i32(t, HC_CHECKPOINTS_CYCLE)[i],
            .path = hc_record_text(rows, HC_CHECKPOINTS_PATH, i),
            .is_load = hc_table_i32(t, HC_CHECKPOINTS_KIND)[i] == HC_CHECKPOINT_LOAD,
        };
        bool is_known = loading->source->as_of_ns == 0 || row.time_ns <= loading->source->as_of_ns;
        if (is_known && hc_joins_add_checkpoint(loading->joins, &row, err))
            return err->status;
    }
    return HC_OK;
}

static const char *run_of(const struct loading *loading, const struct hc_record_rows *rows,
                          size_t i, char room[HC_SITE_RUN_ROOM])
{
    const char *cluster = hc_record_text(rows, HC_JOBS_CLUSTER, i);
    const struct hc_site_attempt attempt = {
        .job = hc_table_i64(rows->table, HC_JOBS_JOB)[i],
        .cluster = cluster ? cluster : rows->entry->cluster,
        .name = hc_record_text(rows, HC_JOBS_NAME, i),
        .comment = hc_record_text(rows, HC_JOBS_COMMENT, i),
        .work_dir = hc_record_text(rows, HC_JOBS_WORK_DIR, i),
    };
    const struct hc_site *site = loading->source->site;
    return site ? hc_site_run_name(site, &attempt, room) : NULL;
}

static void offer_to_incidents(const struct loading *loading, const struct hc_record_rows *rows,
                               size_t i, const struct hc_attempt_row *row)
{
    if (!loading->source->recorded || loading->source->recorded->n == 0)
        return;
    const struct hc_recorded_attempt attempt = {.cluster = row->cluster,
                                                .partition =
                                                    hc_record_text(rows, HC_JOBS_PARTITION, i),
                                                .nodes = hc_record_text(rows, HC_JOBS_NODE_LIST, i),
                                                .job = row->attempt.job,
                                                .start_ns = row->attempt.start_ns,
                                                .end_ns = row->attempt.end_ns,
                                                .gpu_ns = row->attempt.gpu_ns,
                                                .restarts = row->attempt.restarts};
    hc_recorded_offer(loading->source->recorded, &attempt);
}

static enum hc_status take_jobs(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    const struct loading *loading = context;
    const struct hc_table *t = rows->table;
    char room[HC_SITE_RUN_ROOM];
    if (loading->source->spans)
        hc_segment_spans_see(loading->source->spans, loading->source->archive, rows);
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *cluster = hc_record_text(rows, HC_JOBS_CLUSTER, i);
        struct hc_attempt_row row = {
            .attempt = {.job = hc_table_i64(t, HC_JOBS_JOB)[i],
                        .raw_job = hc_jobs_raw_job(t, i),
                        .submit_ns = hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i],
                        .start_ns = hc_table_i64(t, HC_JOBS_START_NS)[i],
                        .end_ns = hc_table_i64(t, HC_JOBS_END_NS)[i],
                        .gpu_ns = hc_jobs_held_gpu_ns(t, i),
                        .line = hc_table_i64(t, HC_JOBS_LINE)[i],
                        .array_task = hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i],
                        .restarts = hc_table_i32(t, HC_JOBS_RESTARTS)[i],
                        .state = hc_table_i32(t, HC_JOBS_STATE)[i],
                        .nodes = hc_table_i32(t, HC_JOBS_NODES)[i],
                        .gpus = hc_table_i32(t, HC_JOBS_GPUS)[i]},
            .cluster = cluster ? cluster : rows->entry->cluster,
            .user = hc_record_text(rows, HC_JOBS_USER, i),
            .name = hc_record_text(rows, HC_JOBS_NAME, i),
            .work_dir = hc_record_text(rows, HC_JOBS_WORK_DIR, i),
            .standard_output = hc_record_text(rows, HC_JOBS_STDOUT, i),
            .standard_error = hc_record_text(rows, HC_JOBS_STDERR, i),
            .source = hc_record_text(rows, HC_JOBS_SOURCE, i),
            .run = run_of(loading, rows, i, room),
        };
        if (!know_attempt_then(&row.attempt, loading->source->as_of_ns))
            continue;
        if (hc_joins_offer(loading->joins, &row, err) ||
            (loading->source->spans &&
             hc_segment_spans_keep(loading->source->spans, loading->source->archive, rows,
                                   loading->joins->n_attempts, err)))
            return err->status;
        offer_to_incidents(loading, rows, i, &row);
    }
    return HC_OK;
}

#define JOB_COLUMNS                                                                                \
    (BIT(HC_JOBS_JOB) | BIT(HC_JOBS_RAW_JOB) | BIT(HC_JOBS_ARRAY_TASK) |                           \
     BIT(HC_JOBS_HET_COMPONENT) | BIT(HC_JOBS_RESTARTS) | BIT(HC_JOBS_CLUSTER) |                   \
     BIT(HC_JOBS_COMMENT) | BIT(HC_JOBS_USER) | BIT(HC_JOBS_NAME) | BIT(HC_JOBS_STATE) |           \
     BIT(HC_JOBS_SUBMIT_NS) | BIT(HC_JOBS_START_NS) | BIT(HC_JOBS_END_NS) |                        \
     BIT(HC_JOBS_ELAPSED_NS) | BIT(HC_JOBS_SUSPENDED_NS) | BIT(HC_JOBS_NODES) |                    \
     BIT(HC_JOBS_GPUS) | BIT(HC_JOBS_WORK_DIR) | BIT(HC_JOBS_STDOUT) | BIT(HC_JOBS_STDERR) |       \
     BIT(HC_JOBS_SOURCE) | BIT(HC_JOBS_LINE))

static enum hc_status scan(struct loading *loading, const struct hc_table_def *def,
                           hc_record_sink *sink, struct hc_error *err)
{
    bool is_jobs = def == &hc_jobs_def;
    const struct hc_record_scan scan = {
        .archive = loading->source->archive,
        .def = def,
        .cluster = is_jobs ? loading->source->cluster : NULL,
        .from_ns = INT64_MIN,
        .to_ns = INT64_MAX,
        .columns = !is_jobs ? ALL
                   : loading->source->recorded && loading->source->recorded->n
                       ? JOB_COLUMNS | BIT(HC_JOBS_PARTITION) | BIT(HC_JOBS_NODE_LIST)
                       : JOB_COLUMNS};
    return hc_record_scan_run(&scan, sink, loading, err);
}

static enum hc_status load(struct loading *loading, struct hc_error *err)
{
    struct hc_joins *joins = loading->joins;
    const struct hc_join_source *source = loading->source;
    if (find_told(loading, err) || scan(loading, hc_cycle_tables[0], take_cycles, err) ||
        (source->with_timelines && hc_timelines_load(joins, source->archive, err)) ||
        hc_joins_end_cycles(joins, err) ||
        scan(loading, hc_checkpoint_tables[0], take_checkpoints, err) ||
        scan(loading, &hc_jobs_def, take_jobs, err))
        return err->status;
    hc_joins_match(joins);
    return hc_joins_make_runs(joins, err);
}

enum hc_status hc_joins_load(struct hc_joins *joins, const struct hc_join_source *source,
                             struct hc_error *err)
{
    struct loading loading = {.joins = joins, .source = source};
    enum hc_status status = load(&loading, err);
    hc_int_map_fini(&loading.told);
    return status;
}
