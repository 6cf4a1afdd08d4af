#include "pipeline/night/night_context_input.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/events/event_table.h"
#include "core/tables/jobs/job_table.h"
#include "core/tables/jobs/queue_table.h"
#include "core/tables/logs/log_tables.h"
#include "core/tables/nodes/node_state_table.h"
#include "core/tables/nodes/phase_table.h"
#include "core/tables/op_table.h"
#include "pipeline/daily/record_scan.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAYS_BEFORE 28

/* ---- sources ---- */

/* What GPU-time a table covers, and where its rows have their times. */
static const struct source_kind {
    const struct hc_table_def *def;
    size_t time_column, node_column;
    size_t clock_column; /* how times are known, of which one value says: by no clock of a source */
    int32_t no_clock;
    enum { COVERS_ATTEMPTS, COVERS_NODES, COVERS_NOTHING } covers;
    enum hc_night_cover cover; /* of attempts */
} source_kinds[] = {
    {.def = &hc_jobs_def, .time_column = HC_JOBS_END_NS, .cover = HC_COVERED_BY_RECORD},
    {.def = &hc_train_steps_def, .time_column = HC_TRAIN_STEPS_END_NS, .cover = HC_COVERED_BY_LOG},
    {.def = &hc_phases_def,
     .time_column = HC_PHASES_END_NS,
     .clock_column = HC_PHASES_CLOCK,
     .no_clock = HC_TIME_OF_FILE,
     .cover = HC_COVERED_BY_PHASES},
    {.def = &hc_ops_def, .cover = HC_COVERED_BY_TRACE},
    {.def = &hc_events_def,
     .time_column = HC_EVENTS_TIME_NS,
     .node_column = HC_EVENTS_NODE,
     .clock_column = HC_EVENTS_CLOCK,
     .no_clock = HC_CLOCK_BEFORE_FILE,
     .covers = COVERS_NODES},
    {.def = &hc_node_states_def,
     .time_column = HC_NODE_STATES_SINCE_NS,
     .node_column = HC_NODE_STATES_NODE,
     .clock_column = HC_NODE_STATES_CLOCK,
     .no_clock = HC_TIME_OF_FILE,
     .covers = COVERS_NODES},
    {.def = &hc_queue_def,
     .time_column = HC_QUEUE_TIME_NS,
     .clock_column = HC_QUEUE_CLOCK,
     .no_clock = HC_TIME_OF_FILE,
     .covers = COVERS_NOTHING},
};
#define N_SOURCE_KINDS (sizeof source_kinds / sizeof *source_kinds)

static bool is_told(const struct hc_manifest_entry *entry, const struct source_kind *kind,
                    const char *cluster)
{
    return hc_manifest_entry_is(entry, kind->def) && hc_entry_tells_of(entry, cluster);
}

/* What a scan of the rows of a source gathers. */
struct source_scan {
    const struct source_kind *kind;
    int64_t from_ns, to_ns; /* rows in between are looked at */
    int64_t n_rows;
    int64_t last_ns; /* latest of them by a clock; missing: there is none */
    struct hc_text_set nodes;
};

static enum hc_status take_rows(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    struct source_scan *scan = context;
    const int64_t *times_ns = hc_table_i64(rows->table, scan->kind->time_column);
    const int32_t *clocks = hc_table_i32(rows->table, scan->kind->clock_column);
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        int32_t code;
        if (times_ns[i] == HC_MISSING_I64 || times_ns[i] < scan->from_ns ||
            times_ns[i] >= scan->to_ns)
            continue;
        scan->n_rows++;
        if (clocks[i] != scan->kind->no_clock &&
            (scan->last_ns == HC_MISSING_I64 || times_ns[i] > scan->last_ns))
            scan->last_ns = times_ns[i];
        const char *node = scan->kind->covers == COVERS_NODES
                               ? hc_record_text(rows, scan->kind->node_column, i)
                               : NULL;
        if (node && hc_text_set_add(&scan->nodes, node, strlen(node), &code, err))
            return err->status;
    }
    return HC_OK;
}

/* Rows of a source from one time to before another. */
static enum hc_status scan_rows(struct source_scan *scan, const struct hc_night_choice *choice,
                                struct hc_error *err)
{
    const struct hc_archive *archive = choice->archive;
    uint64_t columns = (uint64_t)1 << scan->kind->time_column;
    columns |= (uint64_t)1 << scan->kind->clock_column;
    bool *is_wanted = hc_new_array(archive->n_entries, sizeof *is_wanted, err);
    if (!is_wanted)
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++)
        is_wanted[i] = is_told(&archive->entries[i], scan->kind, choice->cluster);
    if (scan->kind->covers == COVERS_NODES)
        columns |= (uint64_t)1 << scan->kind->node_column;
    scan->last_ns = HC_MISSING_I64;
    enum hc_status status = hc_record_scan_run(&(struct hc_record_scan){.archive = archive,
                                                                        .def = scan->kind->def,
                                                                        .from_ns = scan->from_ns,
                                                                        .to_ns = scan->to_ns,
                                                                        .columns = columns,
                                                                        .is_wanted = is_wanted},
                                               take_rows, scan, err);
    free(is_wanted);
    return status;
}

/* The last day (or month) before a text of which the archive has rows of a table; NULL: none. */
static const char *find_last_day(const struct source_kind *kind,
                                 const struct hc_night_choice *choice, const char *before)
{
    const char *last_day = NULL;
    char as_of[32] = "9999";
    if (choice->as_of_ns != INT64_MAX)
        hc_format_iso8601(choice->as_of_ns, as_of);
    for (size_t i = 0; i < choice->archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &choice->archive->entries[i];
        if (!is_told(entry, kind, choice->cluster) ||
            strncmp(entry->day, as_of, strlen(entry->day)) > 0 /* it came later */ ||
            (entry->day[0] && strcmp(entry->day, before) >= 0))
            continue;
        if (!last_day || strcmp(entry->day, last_day) > 0)
            last_day = entry->day;
    }
    return last_day;
}

/* The last time stamp of a table that has days: in its last segments, or, where all that they tell
 * came later, in those before. Without any row, the source is not known then. */
static enum hc_status find_last_time(struct hc_night_source *source, struct source_scan *scan,
                                     const struct hc_night_choice *choice, const char *last_day,
                                     struct hc_error *err)
{
    while (last_day && source->last_ns == HC_MISSING_I64) {
        char day[32];
        snprintf(day, sizeof day, "%s%sT00:00:00Z", last_day, strlen(last_day) == 7 ? "-01" : "");
        if (!hc_parse_iso8601(day, strlen(day), &scan->from_ns))
            return HC_OK;
        scan->to_ns = choice->as_of_ns == INT64_MAX ? INT64_MAX : choice->as_of_ns + 1;
        if (scan_rows(scan, choice, err))
            return err->status;
        source->last_ns = scan->last_ns;
        last_day = find_last_day(scan->kind, choice, last_day);
    }
    return HC_OK;
}

static hc_gpu_ns covered_by(const struct hc_night_result *result, enum hc_night_cover cover)
{
    hc_gpu_ns sum = 0;
    for (size_t day = result->range.first;
         day <= result->range.last && result->night->covered_gpu_ns; day++)
        sum += result->night->covered_gpu_ns[day][cover];
    return sum;
}

/* GPU-hours on nodes that rows of the days reported, or any event, name. */
static enum hc_status add_node_hours(struct hc_night_source *source, struct source_scan *scan,
                                     const struct hc_night_choice *choice,
                                     const struct hc_night_data *data,
                                     const struct hc_night_result *result, struct hc_error *err)
{
    const struct hc_night_days *days = &result->night->days;
    const struct hc_group_rows *nodes = &result->by[HC_CUBE_NODE];
    const struct hc_text_set *named = &data->walk.records.failures.set->nodes;
    if (scan->kind->def == &hc_node_states_def) {
        scan->from_ns = days->edges_ns[result->range.first];
        scan->to_ns = days->edges_ns[result->range.last + 1];
        if (choice->as_of_ns < scan->to_ns)
            scan->to_ns = choice->as_of_ns + 1;
        hc_text_set_fini(&scan->nodes);
        if (scan_rows(scan, choice, err))
            return err->status;
        named = &scan->nodes;
    }
    source->gpu_hours = 0;
    for (size_t i = 0; i < nodes->n; i++)
        if (nodes->rows[i].name &&
            hc_text_set_find(named, nodes->rows[i].name, strlen(nodes->rows[i].name)) >= 0)
            source->gpu_hours += nodes->rows[i].gpu_hours;
    return HC_OK;
}

/* Timelines are of jobs, not of days: the joins know when each ended. */
static void find_last_timeline(struct hc_night_source *source, const struct hc_joins *joins,
                               int64_t as_of_ns)
{
    for (size_t i = 0; i < joins->n_timelines; i++) {
        int64_t to_ns = joins->timelines[i].to_ns;
        if (to_ns != HC_MISSING_I64 && to_ns <= as_of_ns &&
            (source->last_ns == HC_MISSING_I64 || to_ns > source->last_ns))
            source->last_ns = to_ns;
    }
}

static enum hc_status add_source(struct hc_night_context *context, const struct source_kind *kind,
                                 const struct hc_night_choice *choice,
                                 const struct hc_night_data *data,
                                 const struct hc_night_result *result, struct hc_error *err)
{
    struct hc_night_source source = {
        .table = kind->def->name, .last_ns = HC_MISSING_I64, .gpu_hours = NAN};
    struct source_scan scan = {.kind = kind};
    const char *last_day = find_last_day(kind, choice, "9999");
    bool is_known = last_day != NULL;
    enum hc_status status = HC_OK;
    if (kind->def == &hc_ops_def)
        find_last_timeline(&source, &data->walk.records.joins, choice->as_of_ns);
    else if (kind->def == &hc_jobs_def) /* a job is in the segment of the day it was submitted */
        source.last_ns =
            data->walk.last_ns <= choice->as_of_ns ? data->walk.last_ns : HC_MISSING_I64;
    else {
        status = find_last_time(&source, &scan, choice, last_day, err);
        is_known = scan.n_rows > 0;
    }
    if (kind->covers == COVERS_ATTEMPTS)
        source.gpu_hours = hc_gpu_hours(covered_by(result, kind->cover));
    else if (kind->covers == COVERS_NODES && !status)
        status = add_node_hours(&source, &scan, choice, data, result, err);
    source.share = result->gpu_hours > 0 ? source.gpu_hours / result->gpu_hours : NAN;
    hc_text_set_fini(&scan.nodes);
    if (is_known)
        context->sources[context->n_sources++] = source;
    return status;
}

static enum hc_status add_sources(struct hc_night_context *context,
                                  const struct hc_night_choice *choice,
                                  const struct hc_night_data *data,
                                  const struct hc_night_result *result, struct hc_error *err)
{
    context->sources = hc_new_array(N_SOURCE_KINDS, sizeof *context->sources, err);
    for (size_t t = 0; t < N_SOURCE_KINDS && context->sources; t++)
        if (add_source(context, &source_kinds[t], choice, data, result, err))
            return err->status;
    return context->sources ? HC_OK : err->status;
}

/* ---- joins ---- */

static void add_join(struct hc_night_context *context, const char *name, bool is_joined,
                     int64_t launches, double gpu_hours)
{
    if (launches)
        context->joins[context->n_joins++] =
            (struct hc_night_join){name, is_joined, launches, gpu_hours};
}

/* An attempt counts once, with the method of its first launch. */
static enum hc_status add_joins(struct hc_night_context *context, const struct hc_joins *joins,
                                struct hc_error *err)
{
    int64_t joined[HC_N_JOIN_METHODS] = {0}, failed[HC_N_JOIN_FAILURES] = {0};
    hc_gpu_ns gpu_ns[HC_N_JOIN_METHODS] = {0};
    bool *is_counted = hc_new_array(joins->n_attempts, sizeof *is_counted, err);
    context->joins = is_counted ? hc_new_array(HC_N_JOIN_METHODS + HC_N_JOIN_FAILURES,
                                               sizeof *context->joins, err)
                                : NULL;
    for (size_t i = 0; i < joins->n_cycles && context->joins; i++) {
        const struct hc_join_cycle *cycle = &joins->cycles[i];
        if (cycle->attempt < 0) {
            failed[cycle->failure]++;
            continue;
        }
        joined[cycle->method]++;
        if (!is_counted[cycle->attempt])
            gpu_ns[cycle->method] += joins->attempts[cycle->attempt].gpu_ns;
        is_counted[cycle->attempt] = true;
    }
    for (int m = 0; m < HC_N_JOIN_METHODS && context->joins; m++)
        add_join(context, hc_join_method_name((enum hc_join_method)m), true, joined[m],
                 hc_gpu_hours(gpu_ns[m]));
    for (int f = 0; f < HC_N_JOIN_FAILURES && context->joins; f++)
        add_join(context, hc_join_failure_name((enum hc_join_failure)f), false, failed[f], NAN);
    free(is_counted);
    return context->joins ? HC_OK : err->status;
}

/* ---- times ---- */

static int compare_times(const void *a, const void *b)
{
    const struct hc_day_time *x = *(const struct hc_day_time *const *)a;
    const struct hc_day_time *y = *(const struct hc_day_time *const *)b;
    if (x->name != y->name)
        return x->name < y->name ? -1 : 1;
    return (x->seconds > y->seconds) - (x->seconds < y->seconds);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const struct hc_night_times *)a)->name,
                  ((const struct hc_night_times *)b)->name);
}

/* Nearest rank of n that ascend. */
static double ranked(const struct hc_day_time **times, size_t n, size_t tenths)
{
    return n ? times[(n * tenths + 9) / 10 - 1]->seconds : NAN;
}

/* The times of days [from, to) in order of names and seconds; how many. */
static size_t sort_times(const struct hc_day_times *times, const int32_t range[2],
                         const struct hc_day_time **sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < times->n; i++)
        if (times->list[i].day >= range[0] && times->list[i].day < range[1])
            sorted[n++] = &times->list[i];
    if (n)
        qsort(sorted, n, sizeof *sorted, compare_times);
    return n;
}

static enum hc_status add_times(struct hc_night_times **rows, size_t *n_rows,
                                const struct hc_day_times *times, const int32_t edges[3],
                                struct hc_error *err)
{
    const struct hc_day_time **sorted = hc_new_array(times->n, sizeof *sorted, err);
    *rows = sorted ? hc_new_array(times->names.n, sizeof **rows, err) : NULL;
    for (int part = 0; part < 2 && *rows; part++) {
        size_t n = sort_times(times, edges + part, sorted), last;
        for (size_t first = 0; first < n; first = last) {
            for (last = first; last < n && sorted[last]->name == sorted[first]->name; last++)
                ;
            struct hc_night_times *row = &(*rows)[sorted[first]->name];
            double median = ranked(sorted + first, last - first, 5);
            *(part ? &row->n : &row->n_before) = last - first;
            *(part ? &row->median_s : &row->median_before_s) = median;
            row->p90_s = ranked(sorted + first, last - first, 9);
        }
    }
    for (size_t i = 0; i < times->names.n && *rows; i++) {
        struct hc_night_times row = (*rows)[i];
        row.name = times->names.text[i];
        row.median_before_s = row.n_before ? row.median_before_s : NAN;
        if (row.n)
            (*rows)[(*n_rows)++] = row;
    }
    if (*n_rows)
        qsort(*rows, *n_rows, sizeof **rows, compare_names);
    free(sorted);
    return *rows ? HC_OK : err->status;
}

/* ---- all of it ---- */

enum hc_status hc_night_context_make(struct hc_night_context *context,
                                     const struct hc_night_choice *choice,
                                     const struct hc_night_data *data,
                                     const struct hc_night_result *result, struct hc_error *err)
{
    const struct hc_finding_series_set *series = &data->series;
    int32_t last = (int32_t)series->days.n;
    int32_t first = last - (int32_t)(result->range.last - result->range.first + 1);
    const int32_t edges[3] = {first - DAYS_BEFORE, first, last};
    *context = (struct hc_night_context){.n_sources = 0};
    return add_sources(context, choice, data, result, err) ||
                   add_joins(context, &data->walk.records.joins, err) ||
                   add_times(&context->starts, &context->n_starts, &series->starts, edges, err) ||
                   add_times(&context->waits, &context->n_waits, &series->waits, edges, err)
               ? err->status
               : HC_OK;
}

void hc_night_context_fini(struct hc_night_context *context)
{
    free(context->sources);
    free(context->joins);
    free(context->starts);
    free(context->waits);
    *context = (struct hc_night_context){.n_sources = 0};
}
