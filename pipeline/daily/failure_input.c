#include "pipeline/daily/failure_input.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/events/event_table.h"
#include "core/tables/jobs/job_state.h"
#include "core/tables/jobs/job_table.h"
#include "models/joins/join_logs.h"
#include "pipeline/daily/correction_input.h"
#include "pipeline/daily/join_input.h"
#include "pipeline/daily/record_scan.h"
#include "pipeline/daily/recorded_input.h"

#include <stdlib.h>
#include <string.h>

#define BIT(column)  ((uint64_t)1 << (column))
#define LAST_HOUR_NS ((int64_t)3600 * 1000000000)

/* ---- events ---- */

static enum hc_status intern(struct hc_text_set *set, const char *text, int32_t *code,
                             struct hc_error *err)
{
    *code = HC_MISSING_I32;
    return text ? hc_text_set_add(set, text, strlen(text), code, err) : HC_OK;
}

/* An event in the log of a job: kept, and to be joined by the log's name. */
static enum hc_status take_own(struct hc_failure_records *records,
                               const struct hc_record_rows *rows, size_t i, struct hc_error *err)
{
    const struct hc_table *t = rows->table;
    struct hc_failures *failures = &records->failures;
    const char *path = hc_record_text(rows, HC_EVENTS_SOURCE, i);
    struct hc_own_event own = {
        .time_ns = hc_table_i64(t, HC_EVENTS_TIME_NS)[i],
        .from_ns = hc_table_i64(t, HC_EVENTS_FROM_NS)[i],
        .pid = hc_table_i64(t, HC_EVENTS_PID)[i],
        .line = hc_table_i64(t, HC_EVENTS_LINE)[i],
        .event_class = hc_table_i32(t, HC_EVENTS_CLASS)[i],
        .effect = hc_table_i32(t, HC_EVENTS_EFFECT)[i],
        .is_stamped = hc_table_i32(t, HC_EVENTS_CLOCK)[i] < HC_CLOCK_BETWEEN,
    };
    if (!path)
        return HC_OK;
    if (intern(&failures->texts, hc_record_text(rows, HC_EVENTS_NODE, i), &own.node, err) ||
        intern(&failures->texts, path, &own.source, err) ||
        intern(&failures->texts, hc_record_text(rows, HC_EVENTS_NAME, i), &own.name, err) ||
        hc_reserve(&failures->own, &failures->own_room, failures->n_own + 1, sizeof own, err))
        return err->status;
    const struct hc_fact_row fact = {
        .path = path,
        .job = hc_table_i64(t, HC_EVENTS_JOB)[i],
        .time_ns = own.time_ns,
        .tag = (int32_t)failures->n_own,
        .has_clock = hc_table_i32(t, HC_EVENTS_CLOCK)[i] != HC_CLOCK_BEFORE_FILE,
    };
    failures->own[failures->n_own++] = own;
    return hc_joins_add_fact(&records->joins, &fact, err);
}

static enum hc_status take_events(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct hc_failure_records *records = context;
    const struct hc_table *t = rows->table;
    int64_t as_of_ns = records->corrections.as_of_ns;
    for (size_t i = 0; i < t->n_rows; i++) {
        if (as_of_ns && hc_table_i64(t, HC_EVENTS_TIME_NS)[i] > as_of_ns)
            continue;
        const struct hc_node_event_row row = {
            .event = {.time_ns = hc_table_i64(t, HC_EVENTS_TIME_NS)[i],
                      .pid = hc_table_i64(t, HC_EVENTS_PID)[i],
                      .line = hc_table_i64(t, HC_EVENTS_LINE)[i],
                      .code = hc_table_i32(t, HC_EVENTS_CODE)[i],
                      .event_class = hc_table_i32(t, HC_EVENTS_CLASS)[i],
                      .effect = hc_table_i32(t, HC_EVENTS_EFFECT)[i]},
            .node = hc_record_text(rows, HC_EVENTS_NODE, i),
            .process = hc_record_text(rows, HC_EVENTS_PROCESS, i),
            .source = hc_record_text(rows, HC_EVENTS_SOURCE, i),
            .name = hc_record_text(rows, HC_EVENTS_NAME, i),
        };
        if (hc_evidence_is_of_node(row.event.event_class)
                ? hc_evidence_add(&records->set, &row, err)
                : take_own(records, rows, i, err))
            return err->status;
    }
    return HC_OK;
}

/* ---- attempts ---- */

/* What joined each attempt, found by its number and submission. */
struct judging {
    struct hc_failure_records *records;
    int64_t as_of_ns, n_running;
    struct hc_int_map attempt_of; /* hash of number and submission to the first in next[] */
    int32_t *next;                /* of an attempt: another with the same hash, or -1 */
    struct own_fact {
        int64_t time_ns;
        int32_t attempt, own;
    } * facts; /* those that joined, by attempt and time */
    size_t n_facts;
    int32_t *own; /* room for the codes of one end */
    struct launch {
        int64_t start_ns, end_ns;
        int32_t attempt, log;
        bool has_stepped, has_saved, is_done;
    } * launches; /* cycles that joined, by attempt and time; those at one time are one */
    size_t n_launches;
};

static uint64_t key_of(int64_t raw_job, int64_t submit_ns)
{
    return (uint64_t)raw_job * 0x9e3779b97f4a7c15u ^ (uint64_t)submit_ns;
}

static int compare_launches(const void *a, const void *b)
{
    const struct launch *x = a, *y = b;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    return (x->start_ns > y->start_ns) - (x->start_ns < y->start_ns);
}

/* What begins before another has ended is the same launch; and where a log saves and makes no step,
 * as that of the first of several ranks does, the steps are in the next one. */
static bool is_same_launch(const struct launch *before, const struct launch *launch)
{
    return before->attempt == launch->attempt &&
           (launch->start_ns <= before->end_ns ||
            (before->log != launch->log && !before->has_stepped && before->has_saved));
}

/* Several logs may tell of one launch, as one a rank, or a file of the launcher besides. */
static void unite_launches(struct judging *judging)
{
    size_t n = 0;
    for (size_t i = 0; i < judging->n_launches; i++) {
        const struct launch launch = judging->launches[i];
        struct launch *before = n ? &judging->launches[n - 1] : NULL;
        if (before && is_same_launch(before, &launch)) {
            before->end_ns = launch.end_ns > before->end_ns ? launch.end_ns : before->end_ns;
            before->has_stepped |= launch.has_stepped;
            before->has_saved |= launch.has_saved;
            before->is_done |= launch.is_done;
        } else {
            judging->launches[n++] = launch;
        }
    }
    judging->n_launches = n;
}

static int compare_facts(const void *a, const void *b)
{
    const struct own_fact *x = a, *y = b;
    if (x->attempt != y->attempt)
        return x->attempt < y->attempt ? -1 : 1;
    if (x->time_ns != y->time_ns)
        return x->time_ns < y->time_ns ? -1 : 1;
    return (x->own > y->own) - (x->own < y->own);
}

static struct launch launch_of(const struct hc_join_cycle *cycle)
{
    int64_t end_ns = cycle->end_ns == HC_MISSING_I64 ? cycle->start_ns : cycle->end_ns;
    return (struct launch){.start_ns = cycle->start_ns,
                           .end_ns = end_ns,
                           .attempt = cycle->attempt,
                           .log = cycle->log,
                           .has_stepped = cycle->first_step_ns != HC_MISSING_I64,
                           .has_saved = cycle->saved_iteration != HC_MISSING_I64,
                           .is_done = cycle->is_done};
}

static enum hc_status prepare(struct judging *judging, struct hc_error *err)
{
    struct hc_joins *joins = &judging->records->joins;
    judging->next = hc_new_array(joins->n_attempts, sizeof *judging->next, err);
    judging->facts =
        judging->next ? hc_new_array(joins->n_facts, sizeof *judging->facts, err) : NULL;
    judging->own = judging->facts ? hc_new_array(joins->n_facts, sizeof *judging->own, err) : NULL;
    judging->launches =
        judging->own ? hc_new_array(joins->n_cycles, sizeof *judging->launches, err) : NULL;
    if (!judging->launches)
        return err->status;
    for (size_t i = 0; i < joins->n_cycles; i++)
        if (joins->cycles[i].attempt >= 0 && joins->cycles[i].has_clock &&
            joins->cycles[i].start_ns != HC_MISSING_I64)
            judging->launches[judging->n_launches++] = launch_of(&joins->cycles[i]);
    if (judging->n_launches)
        qsort(judging->launches, judging->n_launches, sizeof *judging->launches, compare_launches);
    unite_launches(judging);
    for (size_t i = 0; i < joins->n_attempts; i++) {
        size_t entry;
        if (hc_int_map_insert(&judging->attempt_of,
                              key_of(joins->attempts[i].raw_job, joins->attempts[i].submit_ns), -1,
                              &entry, err))
            return err->status;
        judging->next[i] = judging->attempt_of.values[entry];
        judging->attempt_of.values[entry] = (int32_t)i;
    }
    for (size_t i = 0; i < joins->n_facts; i++) {
        const struct hc_join_fact *fact = &joins->facts[i];
        if (fact->attempt < 0)
            judging->records->n_own_unjoined++;
        else
            judging->facts[judging->n_facts++] =
                (struct own_fact){fact->time_ns, fact->attempt, fact->tag};
    }
    if (judging->n_facts)
        qsort(judging->facts, judging->n_facts, sizeof *judging->facts, compare_facts);
    return HC_OK;
}

static bool is_same(const char *a, const char *b)
{
    return a && b ? strcmp(a, b) == 0 : a == b;
}

static int32_t attempt_of(const struct judging *judging, const struct hc_failure_row *row)
{
    const struct hc_failure *failure = &row->failure;
    const struct hc_joins *joins = &judging->records->joins;
    const struct hc_join_attempt *attempts = judging->records->joins.attempts;
    int64_t entry =
        hc_int_map_find(&judging->attempt_of, key_of(failure->raw_job, failure->submit_ns));
    int32_t i = entry < 0 ? -1 : judging->attempt_of.values[entry];
    while (i >= 0 && (attempts[i].raw_job != failure->raw_job ||
                      attempts[i].submit_ns != failure->submit_ns ||
                      attempts[i].start_ns != failure->start_ns ||
                      !is_same(hc_joins_find_text(joins, attempts[i].cluster), row->cluster)))
        i = judging->next[i];
    return i;
}

/* What the log of an attempt said from one time to another. */
static void hear(const struct judging *judging, int32_t attempt, int64_t from_ns, int64_t to_ns,
                 struct hc_failure_row *row)
{
    size_t low = 0, high = judging->n_facts;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        const struct own_fact *fact = &judging->facts[middle];
        if (fact->attempt < attempt || (fact->attempt == attempt && fact->time_ns < from_ns))
            low = middle + 1;
        else
            high = middle;
    }
    row->own = judging->own;
    row->n_own = 0;
    for (; low < judging->n_facts && judging->facts[low].attempt == attempt &&
           judging->facts[low].time_ns <= to_ns;
         low++)
        judging->own[row->n_own++] = judging->facts[low].own;
}

/* The launches of an attempt: judging->launches[*first] and on. */
static size_t launches_of(const struct judging *judging, int32_t attempt, size_t *first)
{
    size_t low = 0, high = judging->n_launches, n = 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (judging->launches[middle].attempt < attempt)
            low = middle + 1;
        else
            high = middle;
    }
    *first = low;
    while (low + n < judging->n_launches && judging->launches[low + n].attempt == attempt)
        n++;
    return n;
}

/* Launches of training in an attempt that another followed in place: each ended by a failure. */
static enum hc_status add_launches(struct judging *judging, const struct hc_failure_row *whole,
                                   int32_t attempt, const struct launch *launches, size_t n,
                                   struct hc_error *err)
{
    for (size_t k = 0; k + 1 < n; k++) {
        struct hc_failure_row row = *whole;
        if (launches[k].is_done) /* another training followed */
            continue;
        row.failure.cycle = (int32_t)k;
        row.failure.start_ns = row.end.start_ns = launches[k].start_ns;
        row.failure.end_ns = row.end.end_ns = launches[k + 1].start_ns;
        if (row.failure.gpus <= 0 ||
            __builtin_mul_overflow(row.end.end_ns - row.end.start_ns, (int64_t)row.failure.gpus,
                                   &row.failure.gpu_ns))
            row.failure.gpu_ns = 0;
        hear(judging, attempt, row.end.start_ns, row.end.end_ns - 1, &row);
        if (hc_failures_add(&judging->records->failures, &row, err))
            return err->status;
    }
    return HC_OK;
}

/* An attempt that ended; of one that runs, the launches that another followed. */
static enum hc_status take_end(struct judging *judging, struct hc_failure_row *row,
                               struct hc_error *err)
{
    int32_t attempt = attempt_of(judging, row);
    bool is_running = row->end.end_ns == HC_MISSING_I64;
    size_t first, n;
    judging->n_running += is_running;
    if (is_running && attempt < 0)
        return HC_OK;
    if (attempt >= 0) {
        n = launches_of(judging, attempt, &first);
        row->has_log = true;
        const struct launch *launches = judging->launches + first;
        if (n > 1 && add_launches(judging, row, attempt, launches, n, err))
            return err->status;
        if (is_running)
            return HC_OK;
        hear(judging, attempt, n ? launches[n - 1].start_ns : row->end.end_ns - LAST_HOUR_NS,
             row->end.end_ns + HC_JOIN_SLACK_NS, row);
    }
    return hc_failures_add(&judging->records->failures, row, err);
}

static enum hc_status take_jobs(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    const struct hc_table *t = rows->table;
    int64_t as_of_ns = ((const struct judging *)context)->as_of_ns;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t start_ns = hc_table_i64(t, HC_JOBS_START_NS)[i];
        int64_t end_ns = hc_table_i64(t, HC_JOBS_END_NS)[i];
        const char *cluster = hc_record_text(rows, HC_JOBS_CLUSTER, i);
        if (end_ns > as_of_ns)
            end_ns = HC_MISSING_I64;
        bool is_running = end_ns == HC_MISSING_I64;
        if (start_ns == HC_MISSING_I64 || start_ns > as_of_ns || (!is_running && end_ns < start_ns))
            continue;
        struct hc_failure_row row = {
            .failure = {.job = hc_table_i64(t, HC_JOBS_JOB)[i],
                        .raw_job = hc_jobs_raw_job(t, i),
                        .submit_ns = hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i],
                        .start_ns = start_ns,
                        .attempt_start_ns = start_ns,
                        .end_ns = end_ns,
                        .gpu_ns = hc_jobs_held_gpu_ns(t, i),
                        .line = hc_table_i64(t, HC_JOBS_LINE)[i],
                        .array_task = hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i],
                        .restarts = hc_table_i32(t, HC_JOBS_RESTARTS)[i],
                        .gpus = hc_table_i32(t, HC_JOBS_GPUS)[i],
                        .nodes = hc_table_i32(t, HC_JOBS_NODES)[i],
                        .state = is_running ? HC_JOB_RUNNING : hc_table_i32(t, HC_JOBS_STATE)[i],
                        .cycle = HC_MISSING_I32,
                        .own = -1},
            .end = {.start_ns = start_ns,
                    .end_ns = end_ns,
                    .root_pid = HC_MISSING_I64,
                    .partition = hc_record_text(rows, HC_JOBS_PARTITION, i),
                    .nodes = hc_record_text(rows, HC_JOBS_NODE_LIST, i)},
            .cluster = cluster ? cluster : rows->entry->cluster,
            .user = hc_record_text(rows, HC_JOBS_USER, i),
            .name = hc_record_text(rows, HC_JOBS_NAME, i),
            .source = hc_record_text(rows, HC_JOBS_SOURCE, i),
            .failed_node = hc_record_text(rows, HC_JOBS_FAILED_NODE, i),
        };
        if (take_end(context, &row, err))
            return err->status;
    }
    return HC_OK;
}

#define JOB_COLUMNS                                                                                \
    (BIT(HC_JOBS_JOB) | BIT(HC_JOBS_RAW_JOB) | BIT(HC_JOBS_ARRAY_TASK) |                           \
     BIT(HC_JOBS_HET_COMPONENT) | BIT(HC_JOBS_RESTARTS) | BIT(HC_JOBS_CLUSTER) |                   \
     BIT(HC_JOBS_PARTITION) | BIT(HC_JOBS_USER) | BIT(HC_JOBS_NAME) | BIT(HC_JOBS_STATE) |         \
     BIT(HC_JOBS_SUBMIT_NS) | BIT(HC_JOBS_START_NS) | BIT(HC_JOBS_END_NS) |                        \
     BIT(HC_JOBS_ELAPSED_NS) | BIT(HC_JOBS_SUSPENDED_NS) | BIT(HC_JOBS_NODES) |                    \
     BIT(HC_JOBS_GPUS) | BIT(HC_JOBS_NODE_LIST) | BIT(HC_JOBS_FAILED_NODE) | BIT(HC_JOBS_SOURCE) | \
     BIT(HC_JOBS_LINE))

static enum hc_status judge_all(struct judging *judging, const struct hc_archive *archive,
                                const char *cluster, struct hc_error *err)
{
    const struct hc_record_scan scan = {.archive = archive,
                                        .def = &hc_jobs_def,
                                        .cluster = cluster,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .columns = JOB_COLUMNS,
                                        .is_wanted = judging->records->spans.is_wanted};
    if (prepare(judging, err))
        return err->status;
    return hc_record_scan_run(&scan, take_jobs, judging, err);
}

enum hc_status hc_failures_load(struct hc_failure_records *records,
                                const struct hc_failure_source *source, struct hc_error *err)
{
    const struct hc_archive *archive = source->archive;
    const char *cluster = source->cluster;
    const struct hc_record_scan events = {.archive = archive,
                                          .def = &hc_events_def,
                                          .from_ns = INT64_MIN,
                                          .to_ns = hc_capped_sum(source->as_of_ns, 1),
                                          .columns = ~(uint64_t)0};
    struct judging judging = {.records = records, .as_of_ns = source->as_of_ns};
    records->failures.set = &records->set;
    records->failures.corrections = &records->corrections;
    records->failures.recorded = &records->recorded;
    records->recorded.as_of_ns = records->corrections.as_of_ns =
        source->as_of_ns == INT64_MAX ? 0 : source->as_of_ns;
    if (hc_corrections_load(&records->corrections, archive, cluster, err) ||
        hc_recorded_load(&records->recorded, &records->corrections, archive, cluster, err) ||
        hc_recorded_as_evidence(&records->recorded, &records->set, err) ||
        hc_record_scan_run(&events, take_events, records, err) ||
        hc_evidence_end(&records->set, err) ||
        hc_segment_spans_init(&records->spans, archive, err) ||
        hc_joins_load(&records->joins,
                      &(struct hc_join_source){
                          .archive = archive,
                          .cluster = cluster,
                          .site = source->site,
                          .as_of_ns = source->as_of_ns == INT64_MAX ? 0 : source->as_of_ns,
                          .with_timelines = source->with_timelines,
                          .spans = &records->spans},
                      err) ||
        hc_segment_spans_choose(&records->spans, &records->joins, source->from_ns, err))
        return err->status;
    enum hc_status status = judge_all(&judging, archive, cluster, err);
    hc_int_map_fini(&judging.attempt_of);
    free(judging.next);
    free(judging.facts);
    free(judging.own);
    free(judging.launches);
    /* Of a window behind the last record no segment is opened: attempts that ran are there still.
     */
    if (!status && records->failures.n_ends + judging.n_running == 0 &&
        records->joins.n_offered == 0 && records->spans.latest_ns != INT64_MIN)
        status = hc_fail(err, HC_BAD_INPUT,
                         "archive '%s' tells of no job that had begun by the time of --as-of",
                         archive->path);
    else if (!status && records->failures.n_ends + judging.n_running == 0 &&
             records->joins.n_offered == 0)
        status = hc_fail(err, HC_BAD_INPUT,
                         "archive '%s' has no accounting of jobs that ran%s%s%s: ingest a dump of "
                         "sacct first (hindcast formats slurm-sacct)",
                         archive->path, cluster ? " of cluster '" : "", cluster ? cluster : "",
                         cluster ? "'" : "");
    hc_failures_sum(&records->failures);
    return status;
}

void hc_failure_records_fini(struct hc_failure_records *records)
{
    hc_failures_fini(&records->failures);
    hc_evidence_fini(&records->set);
    hc_corrections_fini(&records->corrections);
    hc_recorded_fini(&records->recorded);
    hc_joins_fini(&records->joins);
    hc_segment_spans_fini(&records->spans);
}
