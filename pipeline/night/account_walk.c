#include "pipeline/night/account_walk.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_table.h"
#include "pipeline/daily/record_scan.h"
#include "pipeline/night/attempt_phases.h"
#include "pipeline/night/attempt_timelines.h"
#include "pipeline/night/launch_rows.h"

#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))

struct walking {
    struct hc_walk *walk;
    const struct hc_walk_choice *choice;
    const struct hc_walk_sink *sink;
    struct hc_launch_rows rows;
    struct hc_int_map attempt_of; /* hash of raw job and start to an attempt of the joins */
    int32_t *same_key;
    struct hc_attempt_phases phases; /* of the attempt at hand */
    struct hc_attempt_timelines timelines;
    struct hc_traced traced; /* of the attempt at hand */
    size_t facts_room;
    struct hc_launch_facts *facts; /* of its launches */
    struct hc_walked_attempt at;
    bool *is_run_there; /* of the joins: an attempt of it is in the window */
};

/* ---- which launches ---- */

static uint64_t key_of(int64_t raw_job, int64_t start_ns)
{
    return (uint64_t)raw_job * 0x9e3779b97f4a7c15u ^ (uint64_t)start_ns;
}

static enum hc_status index_attempts(struct walking *w, struct hc_error *err)
{
    const struct hc_joins *joins = &w->walk->records.joins;
    w->same_key = hc_new_array(joins->n_attempts, sizeof *w->same_key, err);
    if (!w->same_key)
        return err->status;
    for (size_t i = 0; i < joins->n_attempts; i++) {
        size_t entry;
        if (hc_int_map_insert(&w->attempt_of,
                              key_of(joins->attempts[i].raw_job, joins->attempts[i].start_ns), -1,
                              &entry, err))
            return err->status;
        w->same_key[i] = w->attempt_of.values[entry];
        w->attempt_of.values[entry] = (int32_t)i;
    }
    return HC_OK;
}

/* Two clusters may have given one number to jobs that began at once. */
static bool is_cluster(const struct walking *w, int32_t code, const char *cluster)
{
    const char *name = hc_joins_find_text(&w->walk->records.joins, code);
    return name && cluster ? strcmp(name, cluster) == 0 : name == cluster;
}

static int32_t find_attempt(const struct walking *w, const struct hc_walked_attempt *a)
{
    const struct hc_join_attempt *attempts = w->walk->records.joins.attempts;
    int64_t entry = hc_int_map_find(&w->attempt_of, key_of(a->raw_job, a->start_ns));
    int32_t i = entry < 0 ? -1 : w->attempt_of.values[entry];
    while (i >= 0 && (attempts[i].raw_job != a->raw_job || attempts[i].start_ns != a->start_ns ||
                      attempts[i].submit_ns != a->submit_ns ||
                      !is_cluster(w, attempts[i].cluster, a->cluster)))
        i = w->same_key[i];
    return i;
}

static bool touches(const struct hc_walk_choice *choice, int64_t start_ns, int64_t end_ns)
{
    return start_ns < choice->to_ns && (end_ns == HC_MISSING_I64 || end_ns > choice->from_ns);
}

/* Runs that are in the window are walked as a whole. */
static enum hc_status find_runs(struct walking *w, struct hc_error *err)
{
    const struct hc_joins *joins = &w->walk->records.joins;
    w->is_run_there = hc_new_array(joins->n_runs, sizeof *w->is_run_there, err);
    if (!w->is_run_there)
        return err->status;
    for (size_t i = 0; i < joins->n_attempts; i++)
        if (joins->attempts[i].run >= 0 &&
            touches(w->choice, joins->attempts[i].start_ns, joins->attempts[i].end_ns))
            w->is_run_there[joins->attempts[i].run] = true;
    return HC_OK;
}

/* The latest time of the rows of a launch. */
static int64_t last_told(const struct hc_launch_rows *rows, size_t launch, int64_t start_ns)
{
    int64_t last_ns = start_ns;
    for (size_t i = rows->first_step[launch]; i < rows->first_step[launch + 1]; i++)
        last_ns = rows->steps[i].end_ns > last_ns ? rows->steps[i].end_ns : last_ns;
    for (size_t i = rows->first_save[launch]; i < rows->first_save[launch + 1]; i++)
        last_ns = rows->saves[i].time_ns > last_ns ? rows->saves[i].time_ns : last_ns;
    for (size_t i = rows->first_log_phase[launch]; i < rows->first_log_phase[launch + 1]; i++) {
        const struct hc_phase_of *phase = &rows->phases[rows->log_phases[i]];
        last_ns = phase->to_ns > last_ns ? phase->to_ns : last_ns;
    }
    return last_ns;
}

/* A launch that went on when the records end had come as far as its rows tell, not as far as its
 * record says that it came since. */
static void forget_later(struct walking *w)
{
    struct hc_launches *launches = &w->walk->launches;
    const struct hc_launch_rows *rows = &w->rows;
    for (size_t i = 0; i < launches->n; i++) {
        struct hc_launch *launch = &launches->list[i];
        if (launch->end_ns != w->choice->as_of_ns)
            continue;
        launch->end_ns = last_told(rows, i, launch->start_ns);
        size_t n_steps = rows->first_step[i + 1] - rows->first_step[i];
        size_t n_saves = rows->first_save[i + 1] - rows->first_save[i];
        launch->last_iteration = n_steps ? rows->steps[rows->first_step[i + 1] - 1].iteration
                                         : launch->resumed_iteration;
        launch->saved_iteration =
            n_saves ? rows->saves[rows->first_save[i + 1] - 1].iteration : HC_MISSING_I64;
    }
}

static enum hc_status load_rows(struct walking *w, struct hc_error *err)
{
    const struct hc_launches *launches = &w->walk->launches;
    const struct hc_joins *joins = &w->walk->records.joins;
    bool *is_wanted = hc_new_array(launches->n, sizeof *is_wanted, err);
    int64_t from_ns = INT64_MAX;
    if (!is_wanted)
        return err->status;
    for (size_t i = 0; i < launches->n; i++) {
        const struct hc_join_attempt *a = &joins->attempts[launches->list[i].attempt];
        is_wanted[i] =
            touches(w->choice, a->start_ns, a->end_ns) || (a->run >= 0 && w->is_run_there[a->run]);
        if (is_wanted[i] && launches->list[i].start_ns < from_ns)
            from_ns = launches->list[i].start_ns;
    }
    if (w->choice->from_ns < from_ns)
        from_ns = w->choice->from_ns;
    enum hc_status status =
        hc_launch_rows_load(&w->rows,
                            &(struct hc_launch_rows_source){.archive = w->choice->archive,
                                                            .joins = joins,
                                                            .launches = launches,
                                                            .is_wanted = is_wanted,
                                                            .from_ns = from_ns,
                                                            .as_of_ns = w->choice->as_of_ns},
                            err);
    free(is_wanted);
    if (!status)
        forget_later(w);
    return status;
}

/* ---- an attempt ---- */

static enum hc_status give_slice(const struct hc_slice *slice, void *context, struct hc_error *err)
{
    const struct walking *w = context;
    return w->sink->slice ? w->sink->slice(&w->at, slice, w->sink->context, err) : HC_OK;
}

static enum hc_status take_slice(const struct hc_slice *slice, void *context, struct hc_error *err)
{
    const struct walking *w = context;
    return hc_straggler_split(slice, &w->traced, &(struct hc_slice_sink){give_slice, context}, err);
}

static enum hc_status fill_launches(struct walking *w, struct hc_attempt_facts *facts,
                                    struct hc_error *err)
{
    const struct hc_launches *launches = &w->walk->launches;
    const struct hc_launch_rows *rows = &w->rows;
    struct hc_night_gaps *gaps = &w->walk->gaps;
    int32_t attempt = w->at.attempt;
    size_t first = attempt < 0 ? 0 : launches->of_attempt[attempt];
    facts->n_launches = attempt < 0 ? 0 : launches->of_attempt[attempt + 1] - first;
    if (hc_attempt_phases_find(&w->phases, rows, &w->at, launches, err) ||
        hc_reserve(&w->facts, &w->facts_room, facts->n_launches + 1, sizeof *w->facts, err))
        return err->status;
    for (size_t k = 0; k < facts->n_launches; k++) {
        size_t i = first + k;
        w->facts[k] = (struct hc_launch_facts){
            .launch = &launches->list[i],
            .n_steps = rows->first_step[i + 1] - rows->first_step[i],
            .steps = rows->steps + rows->first_step[i],
            .n_saves = rows->first_save[i + 1] - rows->first_save[i],
            .saves = rows->saves + rows->first_save[i],
            .n_evaluations = rows->first_evaluation[i + 1] - rows->first_evaluation[i],
            .evaluations = rows->evaluations + rows->first_evaluation[i]};
        w->facts[k].phases = hc_attempt_phases_of(&w->phases, k, &w->facts[k].n_phases);
        gaps->n_outside += launches->list[i].start_ns < facts->start_ns ||
                           launches->list[i].start_ns > facts->end_ns;
        gaps->n_crowded += launches->list[i].world_size > facts->gpus;
    }
    facts->launches = w->facts;
    facts->phases =
        facts->n_launches ? NULL : hc_attempt_phases_of(&w->phases, 0, &facts->n_phases);
    return HC_OK;
}

static enum hc_status walk_attempt(struct walking *w, struct hc_walked_attempt *a,
                                   struct hc_error *err)
{
    const struct hc_joins *joins = &w->walk->records.joins;
    a->attempt = find_attempt(w, a);
    a->run = a->attempt < 0 ? -1 : joins->attempts[a->attempt].run;
    w->at = *a;
    if (!touches(w->choice, a->start_ns, a->end_ns) && (a->run < 0 || !w->is_run_there[a->run]))
        return HC_OK;
    w->walk->n_attempts++;
    struct hc_attempt_facts facts = {
        .start_ns = a->start_ns,
        .end_ns = a->end_ns,
        .as_of_ns = w->choice->as_of_ns == INT64_MAX ? w->walk->last_ns : w->choice->as_of_ns,
        .gpus = a->gpus,
        .is_running = a->is_running,
        .is_completed = a->state == HC_JOB_COMPLETED};
    if (hc_attempt_timelines_of(&w->timelines, a->attempt, &w->traced, err))
        return err->status;
    w->at.is_traced = a->is_traced = w->traced.n > 0;
    if (fill_launches(w, &facts, err) ||
        (w->sink->attempt && w->sink->attempt(a, &facts, w->sink->context, err)))
        return err->status;
    for (size_t i = 0; i < w->phases.n_own && w->sink->phase; i++)
        if (w->sink->phase(a, &w->phases.own[i], w->sink->context, err))
            return err->status;
    return hc_attempt_slices(&facts, &w->walk->launches, &(struct hc_slice_sink){take_slice, w},
                             err);
}

/* ---- the records ---- */

/* Whether a state is of an attempt that ended, whatever else its record lacks. */
static bool is_over(int32_t state)
{
    return state >= 0 && state < HC_N_JOB_STATES && hc_job_state_is_end((enum hc_job_state)state);
}

/* When the attempt of a row had ended, as far as is known; false: it held nothing that is known. */
static bool place(struct walking *w, const struct hc_table *t, size_t i,
                  struct hc_walked_attempt *a)
{
    int64_t elapsed_ns = hc_table_i64(t, HC_JOBS_ELAPSED_NS)[i];
    int64_t suspended_ns = hc_table_i64(t, HC_JOBS_SUSPENDED_NS)[i];
    struct hc_night_gaps *gaps = &w->walk->gaps;
    bool has_run = elapsed_ns != HC_MISSING_I64 && elapsed_ns > 0;
    int64_t first_ns = a->start_ns == HC_MISSING_I64 ? a->submit_ns : a->start_ns;
    if (first_ns != HC_MISSING_I64 && first_ns > w->choice->as_of_ns)
        return false;
    bool is_there = touches(w->choice, first_ns, a->end_ns);
    if (a->start_ns == HC_MISSING_I64) {
        gaps->n_unplaced += is_there && has_run;
        gaps->n_never_ran += is_there && !has_run;
        return false;
    }
    bool has_end = a->end_ns != HC_MISSING_I64;
    a->is_running = !has_end && !is_over(a->state);
    if (!has_end) {
        a->end_ns = hc_capped_sum(a->start_ns, has_run ? elapsed_ns : 0);
        if (suspended_ns != HC_MISSING_I64 && suspended_ns > 0)
            a->end_ns = hc_capped_sum(a->end_ns, suspended_ns);
    }
    gaps->n_unplaced +=
        is_there && (a->end_ns < a->start_ns || (!has_end && !a->is_running && !has_run));
    gaps->n_never_ran += is_there && has_end && a->end_ns == a->start_ns;
    if (a->end_ns > w->choice->as_of_ns) {
        a->end_ns = w->choice->as_of_ns;
        a->is_running = true;
        a->state = HC_JOB_RUNNING;
    }
    return a->end_ns > a->start_ns;
}

/* GPUs that the record does not say, by its nodes and what the site says of the partition. */
static void count_gpus(struct walking *w, struct hc_walked_attempt *a)
{
    const struct hc_site *site = w->choice->site;
    bool is_there = touches(w->choice, a->start_ns, a->end_ns);
    if (a->gpus != HC_MISSING_I32)
        return;
    for (size_t i = 0; site && a->partition && i < site->n_partitions; i++)
        if (strcmp(site->partitions[i].name, a->partition) == 0 &&
            site->partitions[i].gpus_per_node > 0 && a->nodes > 0) {
            a->gpus = a->nodes * site->partitions[i].gpus_per_node;
            a->has_estimated_gpus = true;
            w->walk->gaps.n_gpus_estimated += is_there;
            return;
        }
    a->gpus = 0;
    w->walk->gaps.n_gpus_unknown += is_there;
}

static void count_suspended(struct walking *w, const struct hc_walked_attempt *a,
                            int64_t suspended_ns)
{
    if (suspended_ns == HC_MISSING_I64 || suspended_ns <= 0 || a->gpus <= 0 ||
        !touches(w->choice, a->start_ns, a->end_ns))
        return;
    w->walk->gaps.n_suspended++;
    w->walk->gaps.suspended_gpu_ns += (hc_gpu_ns)suspended_ns * a->gpus;
}

static enum hc_status take_jobs(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    struct walking *w = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *cluster = hc_record_text(rows, HC_JOBS_CLUSTER, i);
        struct hc_walked_attempt a = {
            .job = hc_table_i64(t, HC_JOBS_JOB)[i],
            .raw_job = hc_jobs_raw_job(t, i),
            .submit_ns = hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i],
            .eligible_ns = hc_table_i64(t, HC_JOBS_ELIGIBLE_NS)[i],
            .start_ns = hc_table_i64(t, HC_JOBS_START_NS)[i],
            .end_ns = hc_table_i64(t, HC_JOBS_END_NS)[i],
            .line = hc_table_i64(t, HC_JOBS_LINE)[i],
            .array_task = hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i],
            .restarts = hc_table_i32(t, HC_JOBS_RESTARTS)[i],
            .gpus = hc_table_i32(t, HC_JOBS_GPUS)[i],
            .nodes = hc_table_i32(t, HC_JOBS_NODES)[i],
            .state = hc_table_i32(t, HC_JOBS_STATE)[i],
            .cluster = cluster ? cluster : rows->entry->cluster,
            .user = hc_record_text(rows, HC_JOBS_USER, i),
            .account = hc_record_text(rows, HC_JOBS_ACCOUNT, i),
            .partition = hc_record_text(rows, HC_JOBS_PARTITION, i),
            .name = hc_record_text(rows, HC_JOBS_NAME, i),
            .node_list = hc_record_text(rows, HC_JOBS_NODE_LIST, i),
            .source = hc_record_text(rows, HC_JOBS_SOURCE, i),
        };
        if (!place(w, t, i, &a))
            continue;
        count_gpus(w, &a);
        count_suspended(w, &a, hc_table_i64(t, HC_JOBS_SUSPENDED_NS)[i]);
        if (a.gpus > 0 && walk_attempt(w, &a, err))
            return err->status;
    }
    return HC_OK;
}

#define JOB_COLUMNS                                                                                \
    (BIT(HC_JOBS_JOB) | BIT(HC_JOBS_RAW_JOB) | BIT(HC_JOBS_ARRAY_TASK) |                           \
     BIT(HC_JOBS_HET_COMPONENT) | BIT(HC_JOBS_RESTARTS) | BIT(HC_JOBS_CLUSTER) |                   \
     BIT(HC_JOBS_PARTITION) | BIT(HC_JOBS_ACCOUNT) | BIT(HC_JOBS_USER) | BIT(HC_JOBS_NAME) |       \
     BIT(HC_JOBS_STATE) | BIT(HC_JOBS_SUBMIT_NS) | BIT(HC_JOBS_ELIGIBLE_NS) |                      \
     BIT(HC_JOBS_START_NS) | BIT(HC_JOBS_END_NS) | BIT(HC_JOBS_ELAPSED_NS) |                       \
     BIT(HC_JOBS_SUSPENDED_NS) | BIT(HC_JOBS_NODES) | BIT(HC_JOBS_GPUS) | BIT(HC_JOBS_NODE_LIST) | \
     BIT(HC_JOBS_SOURCE) | BIT(HC_JOBS_LINE))

static enum hc_status scan_jobs(struct walking *w, struct hc_error *err)
{
    const struct hc_record_scan scan = {.archive = w->choice->archive,
                                        .def = &hc_jobs_def,
                                        .cluster = w->choice->cluster,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .columns = JOB_COLUMNS,
                                        .is_wanted = w->walk->records.spans.is_wanted};
    return hc_record_scan_run(&scan, take_jobs, w, err);
}

static bool has_several_clusters(const struct hc_archive *archive)
{
    const char *cluster = NULL;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!hc_manifest_entry_is(entry, &hc_jobs_def))
            continue;
        if (cluster && strcmp(cluster, entry->cluster) != 0)
            return true;
        cluster = entry->cluster;
    }
    return false;
}

/* Launches that the joins cannot place, or place though they may be another cluster's. */
static void count_joins(struct hc_night_gaps *gaps, const struct hc_joins *joins,
                        const struct hc_archive *archive)
{
    bool is_unsure = has_several_clusters(archive);
    for (size_t i = 0; i < joins->n_cycles; i++) {
        const struct hc_join_cycle *cycle = &joins->cycles[i];
        gaps->n_unjoined += cycle->attempt < 0;
        gaps->n_any_cluster +=
            is_unsure && cycle->attempt >= 0 && joins->logs[cycle->log].cluster == HC_MISSING_I32;
    }
}

static enum hc_status walk_all(struct walking *w, struct hc_error *err)
{
    struct hc_walk *walk = w->walk;
    const struct hc_walk_choice *choice = w->choice;
    if (hc_failures_load(&walk->records,
                         &(struct hc_failure_source){.archive = choice->archive,
                                                     .cluster = choice->cluster,
                                                     .site = choice->site,
                                                     .as_of_ns = choice->as_of_ns,
                                                     .from_ns = choice->from_ns,
                                                     .with_timelines = true},
                         err))
        return err->status;
    walk->last_ns = walk->records.spans.latest_ns;
    if (hc_launches_make(&walk->launches, &walk->records.joins, &walk->records.failures, err) ||
        hc_attempt_timelines_open(&w->timelines, &walk->records.joins, choice->site,
                                  choice->as_of_ns, err) ||
        find_runs(w, err) || load_rows(w, err) || index_attempts(w, err))
        return err->status;
    walk->gaps.n_without_clock = walk->launches.n_without_clock;
    walk->gaps.n_united = walk->launches.n_united;
    count_joins(&walk->gaps, &walk->records.joins, choice->archive);
    return scan_jobs(w, err);
}

enum hc_status hc_walk_run(struct hc_walk *walk, const struct hc_walk_choice *choice,
                           const struct hc_walk_sink *sink, struct hc_error *err)
{
    struct walking w = {.walk = walk,
                        .choice = choice,
                        .sink = sink,
                        .timelines = {.archive = choice->archive, .use = &walk->timelines}};
    *walk = (struct hc_walk){0};
    enum hc_status status = walk_all(&w, err);
    hc_launch_rows_fini(&w.rows);
    hc_int_map_fini(&w.attempt_of);
    hc_attempt_phases_fini(&w.phases);
    hc_attempt_timelines_close(&w.timelines);
    free(w.same_key);
    free(w.is_run_there);
    free(w.facts);
    return status;
}

void hc_walk_fini(struct hc_walk *walk)
{
    hc_launches_fini(&walk->launches);
    hc_failure_records_fini(&walk->records);
}

bool hc_entry_tells_of(const struct hc_manifest_entry *entry, const char *cluster)
{
    return !cluster || strcmp(entry->cluster, cluster) == 0 ||
           (!hc_manifest_entry_is(entry, &hc_jobs_def) && strcmp(entry->cluster, "default") == 0);
}
