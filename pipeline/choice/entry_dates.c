#include "pipeline/choice/entry_dates.h"

#include "core/base/clock.h"
#include "core/base/missing.h"
#include "core/tables/collectives/collective_tables.h"
#include "core/tables/collectives/timed_tables.h"
#include "core/tables/incidents/incident_table.h"
#include "core/tables/op_table.h"
#include "core/tables/profile_tables.h"
#include "pipeline/choice/timeline_steps.h"
#include "store/segment/segment_each.h"

#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))
#define DAY_NS      ((int64_t)86400 * 1000000000)
/* 1990-01-01: a time before it is one of a clock that counts from a beginning of its own. */
#define EARLIEST_NS ((int64_t)631152000 * 1000000000)

/* Where the times of a kind are: in columns of its main table. */
struct time_columns {
    const struct hc_table_def *def;
    size_t first, last;
    bool is_duration;                /* last is counted from first */
    const struct hc_table_def *base; /* of whose column base_column all are counted; or NULL */
    size_t base_column;
};

static const struct time_columns kinds[] = {
    {&hc_incidents_def, HC_INCIDENTS_TIME_NS, HC_INCIDENTS_RECOVERED_NS, false, NULL, 0},
    {&hc_gpu_def, HC_GPU_START_NS, HC_GPU_DURATION_NS, true, &hc_ranks_def, HC_RANKS_BASE_NS},
    {&hc_entries_def, HC_ENTRIES_CREATED_NS, HC_ENTRIES_COMPLETED_NS, false, NULL, 0},
    {&hc_timed_def, HC_TIMED_START_NS, HC_TIMED_STOP_NS, false, NULL, 0},
};

static const struct time_columns *columns_of(const char *table)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i].def->name, table) == 0)
            return &kinds[i];
    return NULL;
}

static void take_time(struct hc_entry_dates *dates, int64_t time_ns)
{
    if (time_ns == HC_MISSING_I64)
        return;
    if (dates->first_ns == HC_MISSING_I64 || time_ns < dates->first_ns)
        dates->first_ns = time_ns;
    if (dates->last_ns == HC_MISSING_I64 || time_ns > dates->last_ns)
        dates->last_ns = time_ns;
}

/* ---- days ---- */

/* The midnight, in UTC, of "2026-03-01"; of a month, of its first day. */
static int64_t midnight(const char *day)
{
    int64_t date = hc_days_of_date(atoi(day), atoi(day + 5), hc_is_month(day) ? 1 : atoi(day + 8));
    return date * DAY_NS;
}

static void take_day(struct hc_entry_dates *dates, const char *day)
{
    int64_t n_days = hc_is_month(day) ? hc_days_in_month(atoi(day), atoi(day + 5)) : 1;
    dates->first_ns = midnight(day);
    dates->last_ns = dates->first_ns + n_days * DAY_NS;
}

/* ---- columns of times ---- */

struct reading {
    const struct time_columns *columns;
    struct hc_entry_dates *dates;
};

static enum hc_status take_rows(const struct hc_table *table, void *context, struct hc_error *err)
{
    const struct reading *reading = context;
    const int64_t *first = hc_table_i64(table, reading->columns->first);
    const int64_t *last = hc_table_i64(table, reading->columns->last);
    (void)err;
    for (size_t i = 0; i < table->n_rows; i++) {
        take_time(reading->dates, first[i]);
        if (!reading->columns->is_duration)
            take_time(reading->dates, last[i]);
        else if (first[i] != HC_MISSING_I64 && last[i] > 0)
            take_time(reading->dates, hc_capped_sum(first[i], last[i]));
    }
    return HC_OK;
}

static enum hc_status take_base(const struct hc_table *table, void *context, struct hc_error *err)
{
    const struct reading *reading = context;
    struct hc_entry_dates *dates = reading->dates;
    int64_t base_ns =
        table->n_rows ? hc_table_i64(table, reading->columns->base_column)[0] : HC_MISSING_I64;
    (void)err;
    bool is_known = base_ns != HC_MISSING_I64 && dates->first_ns != HC_MISSING_I64;
    if (!is_known || __builtin_add_overflow(dates->first_ns, base_ns, &dates->first_ns) ||
        __builtin_add_overflow(dates->last_ns, base_ns, &dates->last_ns))
        dates->first_ns = dates->last_ns = HC_MISSING_I64;
    return HC_OK;
}

static enum hc_status read_columns(struct hc_entry_dates *dates, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry,
                                   const struct time_columns *columns, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct reading reading = {columns, dates};
    enum hc_status status = hc_archive_open_segment(archive, entry, &segment, err);
    if (!status)
        status = hc_segment_each(segment, columns->def, BIT(columns->first) | BIT(columns->last),
                                 take_rows, &reading, err);
    if (!status && columns->base)
        status = hc_segment_each(segment, columns->base, BIT(columns->base_column), take_base,
                                 &reading, err);
    hc_segment_close(segment);
    return status;
}

static enum hc_status read_steps(struct hc_entry_dates *dates, const struct hc_archive *archive,
                                 const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct hc_timeline_steps steps = {.n = 0};
    enum hc_status status = hc_timeline_steps_load(&steps, archive, entry, err);
    for (size_t i = 0; i < steps.n && !status && steps.is_dated; i++) {
        take_time(dates, steps.spans[i].from_ns);
        take_time(dates, steps.spans[i].to_ns);
    }
    hc_timeline_steps_fini(&steps);
    return status;
}

enum hc_status hc_entry_dates_find(struct hc_entry_dates *dates, const struct hc_archive *archive,
                                   const struct hc_manifest_entry *entry, struct hc_error *err)
{
    static const struct hc_entry_dates unknown = {HC_MISSING_I64, HC_MISSING_I64};
    const struct time_columns *columns = columns_of(entry->table);
    enum hc_status status = HC_OK;
    *dates = unknown;
    if (entry->day[0])
        take_day(dates, entry->day);
    else if (hc_manifest_entry_is(entry, &hc_ops_def))
        status = read_steps(dates, archive, entry, err);
    else if (columns)
        status = read_columns(dates, archive, entry, columns, err);
    if (status || dates->first_ns < EARLIEST_NS)
        *dates = unknown;
    return status;
}
