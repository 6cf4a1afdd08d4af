#include "pipeline/night/night_context_input.h"

#include "core/base/clock.h"
#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DAYS_BEFORE 28

/* ---- sources ---- */

/* Entries are in order of their sources, so a source of a table is new where it differs from the
 * one before. */
static enum hc_status add_sources(struct hc_night_context *context,
                                  const struct hc_archive *archive, int64_t as_of_ns,
                                  struct hc_error *err)
{
    char as_of[32] = "9999";
    if (as_of_ns != INT64_MAX)
        hc_format_iso8601(as_of_ns, as_of);
    static const char *const tables[] = {"jobs",   "events", "node_states", "nodes",
                                         "phases", "queue",  "train_steps"};
    size_t n_tables = sizeof tables / sizeof *tables;
    context->sources = hc_new_array(n_tables, sizeof *context->sources, err);
    for (size_t t = 0; t < n_tables && context->sources; t++) {
        struct hc_night_source source = {.table = tables[t]};
        const char *before = NULL;
        for (size_t i = 0; i < archive->n_entries; i++) {
            const struct hc_manifest_entry *entry = &archive->entries[i];
            if (strcmp(entry->table, tables[t]) != 0 ||
                strncmp(entry->day, as_of, strlen(entry->day)) > 0) /* it came later */
                continue;
            if (!before || strcmp(before, entry->job_id) != 0)
                source.n_sources++;
            before = entry->job_id;
            if (!source.last_day || strcmp(entry->day, source.last_day) > 0)
                source.last_day = entry->day;
        }
        if (source.n_sources)
            context->sources[context->n_sources++] = source;
    }
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
                                     const struct hc_night_data *data, size_t n_days,
                                     struct hc_error *err)
{
    const struct hc_finding_series_set *series = &data->series;
    int32_t last = (int32_t)series->days.n, first = last - (int32_t)n_days;
    const int32_t edges[3] = {first - DAYS_BEFORE, first, last};
    *context = (struct hc_night_context){.n_sources = 0};
    return add_sources(context, choice->archive, choice->as_of_ns, err) ||
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
