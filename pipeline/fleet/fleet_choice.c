#include "pipeline/fleet/fleet_choice.h"

#include "core/base/memory.h"
#include "core/tables/table_names.h"
#include "pipeline/choice/entry_dates.h"
#include "pipeline/fleet/fleet_jobs.h"
#include "pipeline/fleet/fleet_run.h"
#include "reports/fleet/fleet_views.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- the columns ---- */

/* In the order of what they cost: of the manifest, of the segment, of the what-if. */
enum column {
    CLUSTER,
    ID,
    ATTEMPT,
    ATTEMPTS,
    ROWS,
    FIRST_NS,
    LAST_NS,
    DP_SIZE,
    PP_SIZE,
    VPP_SIZE,
    TP_SIZE,
    GPUS,
    STEPS,
    OPS,
    GPU_HOURS,
    FATE,
    SLOWDOWN,
    WASTE,
    LAUNCH_SLOWDOWN,
    DISCREPANCY,
    MAX_WORKER,
    M_W,
    M_S,
    CAUSE,
    N_COLUMNS,
    FIRST_OF_DATES = FIRST_NS,
    FIRST_OF_SEGMENT = DP_SIZE,
    FIRST_OF_WHATIF = FATE
};

static const struct hc_column_def columns[N_COLUMNS] = {
    [CLUSTER] = {"cluster", HC_I32, "", "as it was ingested", "cluster"},
    [ID] = {"id", HC_I32, "", "of the job", "id"},
    [ATTEMPT] = {"attempt", HC_I32, "", "the newest", NULL},
    [ATTEMPTS] = {"attempts", HC_I64, "", "of the job in the archive", NULL},
    [ROWS] = {"rows", HC_I64, "", "of its timeline", NULL},
    [FIRST_NS] = {"first_ns", HC_I64, "ns", "first time of its timeline, Unix time", NULL},
    [LAST_NS] = {"last_ns", HC_I64, "ns", "last time of its timeline", NULL},
    [DP_SIZE] = {"dp_size", HC_I32, "", "by its metadata", NULL},
    [PP_SIZE] = {"pp_size", HC_I32, "", "by its metadata", NULL},
    [VPP_SIZE] = {"vpp_size", HC_I32, "", "by its metadata", NULL},
    [TP_SIZE] = {"tp_size", HC_I32, "", "by its metadata", NULL},
    [GPUS] = {"gpus", HC_I64, "", "by its metadata", NULL},
    [STEPS] = {"steps", HC_I64, "", "whole ones", NULL},
    [OPS] = {"ops", HC_I64, "", "of these", NULL},
    [GPU_HOURS] = {"gpu_hours_traced", HC_F64, "", "of these", NULL},
    [FATE] = {"fate", HC_I32, "", "of the what-if: analysed, few_steps, discrepancy, ...", "fate"},
    [SLOWDOWN] = {"slowdown", HC_F64, "", "S", NULL},
    [WASTE] = {"waste", HC_F64, "", "1 - 1/S", NULL},
    [LAUNCH_SLOWDOWN] = {"launch_slowdown", HC_F64, "", "traced over replayed steps", NULL},
    [DISCREPANCY] = {"discrepancy", HC_F64, "", "of replay and trace, without sign", NULL},
    [MAX_WORKER] = {"max_worker_slowdown", HC_F64, "", "S of the slowest worker alone", NULL},
    [M_W] = {"m_w", HC_F64, "", "share of the excess by the slowest workers", NULL},
    [M_S] = {"m_s", HC_F64, "", "share of the excess by the last stage", NULL},
    [CAUSE] = {"cause", HC_I32, "", "of its straggling: worker, stage, ...", "cause"},
};

const struct hc_table_def hc_fleet_choice_def = {
    .name = "timelines", .n_columns = N_COLUMNS, .columns = columns};

static bool reads_from(uint64_t read, enum column first)
{
    return read >> first != 0;
}

/* ---- the rows ---- */

struct rows {
    struct hc_table table;
    struct hc_table_names names;
};

static enum hc_status put_text(struct rows *rows, enum column column, size_t at, const char *text,
                               struct hc_error *err)
{
    struct hc_text_set *set = hc_table_names_find(&rows->names, columns[column].dictionary);
    return hc_text_set_add(set, text, strlen(text), &hc_table_i32(&rows->table, column)[at], err);
}

static int64_t known(int64_t count)
{
    return count > 0 ? count : HC_MISSING_I64;
}

static enum hc_status put_job(struct rows *rows, size_t at, const struct hc_fleet_job *job,
                              struct hc_error *err)
{
    struct hc_table *table = &rows->table;
    hc_table_i32(table, ATTEMPT)[at] = job->entry->attempt;
    hc_table_i64(table, ATTEMPTS)[at] = job->n_attempts;
    hc_table_i64(table, ROWS)[at] = hc_fleet_job_rows(job);
    return put_text(rows, CLUSTER, at, job->entry->cluster, err) ||
                   put_text(rows, ID, at, job->entry->job_id, err)
               ? err->status
               : HC_OK;
}

static enum hc_status put_row(struct rows *rows, size_t at, const struct hc_fleet_row *row,
                              struct hc_error *err)
{
    struct hc_table *table = &rows->table;
    hc_table_i32(table, DP_SIZE)[at] = row->dp_size;
    hc_table_i32(table, PP_SIZE)[at] = row->pp_size;
    hc_table_i32(table, VPP_SIZE)[at] = row->vpp_size;
    hc_table_i32(table, TP_SIZE)[at] = row->tp_size;
    hc_table_i64(table, GPUS)[at] = known(row->n_gpus);
    hc_table_i64(table, STEPS)[at] = row->n_steps;
    hc_table_i64(table, OPS)[at] = row->n_ops;
    hc_table_f64(table, GPU_HOURS)[at] = row->gpu_hours_traced;
    hc_table_f64(table, SLOWDOWN)[at] = row->slowdown;
    hc_table_f64(table, WASTE)[at] = row->waste;
    hc_table_f64(table, LAUNCH_SLOWDOWN)[at] = row->launch_slowdown;
    hc_table_f64(table, DISCREPANCY)[at] = row->discrepancy;
    hc_table_f64(table, MAX_WORKER)[at] = row->max_worker;
    hc_table_f64(table, M_W)[at] = row->m_w;
    hc_table_f64(table, M_S)[at] = row->m_s;
    return put_text(rows, FATE, at, hc_fleet_stage_key(row->fate), err) ||
                   put_text(rows, CAUSE, at, hc_straggler_cause_key(row->cause), err)
               ? err->status
               : HC_OK;
}

/* ---- what the condition needs of them ---- */

static const struct hc_step_ranges all_steps;

/* A job whose dates cannot be read is one of which nobody knows that it is not meant. */
static void date_jobs(struct rows *rows, uint8_t *is_lost, const struct hc_archive *archive,
                      const struct hc_fleet_job *jobs)
{
    for (size_t i = 0; i < rows->table.n_rows; i++) {
        struct hc_entry_dates dates;
        struct hc_error why;
        is_lost[i] |= hc_entry_dates_find(&dates, archive, jobs[i].entry, &why) != HC_OK;
        hc_table_i64(&rows->table, FIRST_NS)[i] = dates.first_ns;
        hc_table_i64(&rows->table, LAST_NS)[i] = dates.last_ns;
    }
}

/* Of the segments: one after the other, as they are small reads. */
static enum hc_status peek_jobs(struct rows *rows, uint8_t *is_lost,
                                const struct hc_archive *archive, const struct hc_fleet_job *jobs,
                                struct hc_error *err)
{
    for (size_t i = 0; i < rows->table.n_rows; i++) {
        const struct hc_manifest_entry *entry = jobs[i].entry;
        struct hc_fleet_row row;
        struct hc_error why;
        if (hc_fleet_row_init(&row, entry->cluster, entry->job_id, entry->attempt, err))
            return err->status;
        is_lost[i] |= hc_fleet_job_peek(&row, archive, &jobs[i], &all_steps, &why) != HC_OK;
        enum hc_status status = put_row(rows, i, &row, err);
        hc_fleet_row_fini(&row);
        if (status)
            return status;
    }
    return HC_OK;
}

/* As `whatif --all` has them without further options, so that rows are kept for both. */
static enum hc_status analyse_jobs(struct rows *rows, uint8_t *is_lost,
                                   const struct hc_archive *archive,
                                   const struct hc_fleet_job *jobs, int threads,
                                   struct hc_error *err)
{
    struct hc_fleet_analysis analysis = {
        .archive = archive,
        .steps = &all_steps,
        .threshold = HC_FLEET_THRESHOLD,
        .limits = {HC_FLEET_MAX_ATTEMPTS, HC_FLEET_MIN_STEPS, HC_DISCREPANCY_LIMIT},
        .use_cache = true,
        .depth = HC_FLEET_DEPTH};
    struct hc_fleet_rows found = {.n = 0};
    char *inputs = hc_fleet_inputs(&all_steps, false, HC_FLEET_THRESHOLD, HC_FLEET_DEPTH, err);
    analysis.inputs = inputs;
    enum hc_status status =
        inputs ? hc_fleet_run(&found, &analysis, jobs, rows->table.n_rows, threads, err)
               : err->status;
    for (size_t i = 0; i < found.n && !status; i++) {
        is_lost[i] |= hc_fleet_is_lacking(found.rows[i].fate);
        status = put_row(rows, i, &found.rows[i], err);
    }
    hc_fleet_rows_fini(&found);
    free(inputs);
    return status;
}

static enum hc_status fill_rows(struct rows *rows, uint8_t *is_lost,
                                const struct hc_archive *archive, const struct hc_fleet_job *jobs,
                                uint64_t read, int threads, struct hc_error *err)
{
    for (size_t i = 0; i < rows->table.n_rows; i++)
        if (put_job(rows, i, &jobs[i], err))
            return err->status;
    if (read & ((uint64_t)3 << FIRST_OF_DATES))
        date_jobs(rows, is_lost, archive, jobs);
    if (reads_from(read, FIRST_OF_WHATIF))
        return analyse_jobs(rows, is_lost, archive, jobs, threads, err);
    return reads_from(read, FIRST_OF_SEGMENT) ? peek_jobs(rows, is_lost, archive, jobs, err)
                                              : HC_OK;
}

/* ---- the choice ---- */

static enum hc_status new_rows(struct rows *rows, size_t n, struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {&hc_fleet_choice_def, NULL};
    if (hc_table_init(&rows->table, &hc_fleet_choice_def, n, err) ||
        hc_table_names_init(&rows->names, tables, err))
        return err->status;
    rows->table.n_rows = n;
    return HC_OK;
}

static enum hc_status keep_wanted(struct hc_fleet_choice *choice, const struct hc_archive *archive,
                                  struct hc_query_condition *condition, int threads,
                                  struct hc_error *err)
{
    struct rows rows = {.table = {.def = NULL}};
    size_t n = choice->n_in_archive;
    uint8_t *is_wanted = hc_new_array(2 * n, 1, err), *is_lost = is_wanted ? is_wanted + n : NULL;
    enum hc_status status = is_wanted ? new_rows(&rows, n, err) : err->status;
    if (!status)
        status = fill_rows(&rows, is_lost, archive, choice->jobs,
                           hc_query_condition_columns(condition), threads, err);
    if (!status)
        status = hc_query_condition_filter(condition, &rows.table, &rows.names, is_wanted, err);
    for (size_t i = 0; i < n && !status; i++)
        if (is_wanted[i] || is_lost[i])
            choice->jobs[choice->n++] = choice->jobs[i];
    hc_table_names_fini(&rows.names);
    hc_table_fini(&rows.table);
    free(is_wanted);
    return status;
}

enum hc_status hc_fleet_choose(struct hc_fleet_choice *choice, const struct hc_archive *archive,
                               struct hc_query_condition *condition, int threads,
                               struct hc_error *err)
{
    *choice = (struct hc_fleet_choice){.n = 0};
    if (hc_fleet_jobs_list(archive, &choice->jobs, &choice->n_in_archive, err))
        return err->status;
    if (!condition) {
        choice->n = choice->n_in_archive;
        return HC_OK;
    }
    enum hc_status status = keep_wanted(choice, archive, condition, threads, err);
    if (status) {
        free(choice->jobs);
        *choice = (struct hc_fleet_choice){.n = 0};
    }
    return status;
}
