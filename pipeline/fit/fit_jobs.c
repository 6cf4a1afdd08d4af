/* fit_jobs.c - when jobs with GPUs ran, and on which nodes. */
#include "pipeline/fit/fit_loading.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/tables/jobs/job_table.h"
#include "core/text/node_list.h"
#include "pipeline/daily/record_scan.h"

#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))
#define DAY_NS      ((int64_t)86400 * 1000000000)
#define NS_PER_DAY  86400e9
#define MOST_USES   ((size_t)4 << 20) /* stays of jobs on nodes that are kept: 96 MiB */

struct extent {
    int64_t first_ns, last_ns; /* first start, last time of any kind */
};

static enum hc_status find_extent(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct extent *extent = context;
    (void)err;
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        const int64_t times[] = {hc_table_i64(rows->table, HC_JOBS_START_NS)[i],
                                 hc_table_i64(rows->table, HC_JOBS_END_NS)[i],
                                 hc_table_i64(rows->table, HC_JOBS_SUBMIT_NS)[i]};
        for (size_t k = 0; k < 3; k++)
            if (times[k] != HC_MISSING_I64 && times[k] > extent->last_ns)
                extent->last_ns = times[k];
        if (times[0] != HC_MISSING_I64 && times[0] < extent->first_ns)
            extent->first_ns = times[0];
    }
    return HC_OK;
}

/* ---- exposure ---- */

static enum hc_status add_size(struct hc_fit_records *records, int32_t nodes, double node_days,
                               struct hc_error *err)
{
    size_t low = 0, high = records->n_sizes;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (records->sizes[middle].nodes < nodes)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == records->n_sizes || records->sizes[low].nodes != nodes) {
        if (hc_reserve(&records->sizes, &records->sizes_room, records->n_sizes + 1,
                       sizeof *records->sizes, err))
            return err->status;
        memmove(records->sizes + low + 1, records->sizes + low,
                (records->n_sizes - low) * sizeof *records->sizes);
        records->sizes[low] = (struct hc_fit_size){.nodes = nodes};
        records->n_sizes++;
    }
    records->sizes[low].node_days += node_days;
    records->node_days += node_days;
    return HC_OK;
}

static void add_days(struct hc_fit_records *records, int32_t nodes, int64_t from_ns, int64_t to_ns)
{
    while (from_ns < to_ns) {
        int64_t day = from_ns / DAY_NS, end_ns = (day + 1) * DAY_NS;
        end_ns = end_ns < to_ns ? end_ns : to_ns;
        records->day_use_days[day - records->first_day] +=
            nodes * ((double)(end_ns - from_ns) / NS_PER_DAY);
        from_ns = end_ns;
    }
}

/* Where several jobs share a node its time counts once. */
static void count_uses(struct hc_fit_records *records)
{
    records->use_days = records->node_days;
    hc_node_uses_unite(records->uses, &records->n_uses);
    if (!records->has_all_uses)
        return;
    records->use_days = 0;
    memset(records->day_use_days, 0, records->n_days * sizeof *records->day_use_days);
    for (size_t i = 0; i < records->n_uses; i++) {
        const struct hc_node_use *use = &records->uses[i];
        records->use_days += (double)(use->to_ns - use->from_ns) / NS_PER_DAY;
        add_days(records, 1, use->from_ns, use->to_ns);
    }
}

static enum hc_status add_uses(struct hc_fit_records *records, const char *nodes, int64_t from_ns,
                               int64_t to_ns, struct hc_error *err)
{
    struct hc_node_list_reader reader;
    const char *name;
    if (!records->has_all_uses)
        return HC_OK;
    if (!nodes || hc_node_list_open(&reader, nodes, strlen(nodes), err) ||
        records->n_uses + (size_t)reader.n_nodes > MOST_USES) {
        *err = (struct hc_error){.status = HC_OK};
        records->has_all_uses = false;
        records->n_uses = 0;
        return HC_OK;
    }
    while ((name = hc_node_list_next(&reader))) {
        int32_t node;
        if (hc_text_set_add(&records->nodes, name, hc_node_short_length(name), &node, err) ||
            hc_reserve(&records->uses, &records->uses_room, records->n_uses + 1,
                       sizeof *records->uses, err))
            return err->status;
        records->uses[records->n_uses++] = (struct hc_node_use){node, from_ns, to_ns};
    }
    return HC_OK;
}

static enum hc_status take_jobs(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    struct hc_fit_records *records = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        int64_t from_ns = hc_table_i64(t, HC_JOBS_START_NS)[i];
        int64_t to_ns = hc_table_i64(t, HC_JOBS_END_NS)[i];
        int32_t nodes = hc_table_i32(t, HC_JOBS_NODES)[i];
        bool is_running = to_ns == HC_MISSING_I64;
        if (from_ns == HC_MISSING_I64 || hc_table_i32(t, HC_JOBS_GPUS)[i] <= 0 || nodes <= 0)
            continue;
        to_ns = is_running || to_ns > records->to_ns ? records->to_ns : to_ns;
        from_ns = from_ns < records->from_ns ? records->from_ns : from_ns;
        if (to_ns <= from_ns)
            continue;
        records->n_running += is_running;
        add_days(records, nodes, from_ns, to_ns);
        if (add_size(records, nodes, nodes * ((double)(to_ns - from_ns) / NS_PER_DAY), err) ||
            add_uses(records, hc_record_text(rows, HC_JOBS_NODE_LIST, i), from_ns, to_ns, err))
            return err->status;
    }
    return HC_OK;
}

/* The days of the window, of which the exposure is kept apart. */
static enum hc_status make_days(struct hc_fit_records *records, struct hc_error *err)
{
    int64_t last_day = (records->to_ns - 1) / DAY_NS;
    records->first_day = records->from_ns / DAY_NS;
    if (records->from_ns < 0 || last_day - records->first_day >= HC_FIT_DAYS)
        return hc_fail(err, HC_BAD_INPUT,
                       "the jobs of the archive lie %d days apart or more: their times cannot be "
                       "right; name what is to be fitted with --from and --to",
                       HC_FIT_DAYS);
    records->n_days = (size_t)(last_day - records->first_day + 1);
    records->day_use_days = hc_new_array(records->n_days, sizeof *records->day_use_days, err);
    return records->day_use_days ? HC_OK : err->status;
}

enum hc_status hc_fit_load_jobs(struct hc_fit_loading *loading, struct hc_error *err)
{
    const struct hc_fit_choice *choice = loading->choice;
    struct hc_fit_records *records = loading->records;
    struct extent extent = {INT64_MAX, INT64_MIN};
    struct hc_record_scan scan = {.archive = choice->archive,
                                  .def = &hc_jobs_def,
                                  .cluster = choice->cluster,
                                  .from_ns = INT64_MIN,
                                  .to_ns = INT64_MAX,
                                  .columns = BIT(HC_JOBS_START_NS) | BIT(HC_JOBS_END_NS) |
                                             BIT(HC_JOBS_SUBMIT_NS)};
    if (hc_record_scan_run(&scan, find_extent, &extent, err))
        return err->status;
    records->from_ns = choice->from_ns > extent.first_ns ? choice->from_ns : extent.first_ns;
    records->to_ns = choice->to_ns < extent.last_ns ? choice->to_ns : extent.last_ns;
    if (records->from_ns >= records->to_ns)
        return hc_fail(err, HC_BAD_INPUT, "no job of archive '%s' ran between --from and --to",
                       choice->archive->path);
    records->has_all_uses = true;
    scan.columns |= BIT(HC_JOBS_NODES) | BIT(HC_JOBS_GPUS) | BIT(HC_JOBS_NODE_LIST);
    if (make_days(records, err) || hc_record_scan_run(&scan, take_jobs, records, err))
        return err->status;
    count_uses(records);
    return HC_OK;
}
