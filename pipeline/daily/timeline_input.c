#include "pipeline/daily/timeline_input.h"

#include "core/base/log.h"
#include "core/base/missing.h"
#include "core/tables/op_table.h"
#include "core/tables/profile_tables.h"
#include "models/joins/join_logs.h"
#include "pipeline/choice/timeline_steps.h"
#include "pipeline/daily/record_scan.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))

/* A clock that shows a time before this (September 2001) counts from a beginning of its own. */
#define LEAST_UNIX_NS ((int64_t)1000000000000000000)

/* The timeline of profilers at hand: the scan gives the rows of its segments one after the other.
 */
struct timeline {
    struct hc_joins *joins;
    char name[HC_TIMELINE_NAME];
    char path[4096];
    int64_t job, from_ns, to_ns;
};

static enum hc_status put(struct timeline *t, struct hc_error *err)
{
    bool is_unix = t->from_ns >= LEAST_UNIX_NS;
    const struct hc_timeline_row row = {.path = t->path,
                                        .name = t->name,
                                        .job = t->job,
                                        .from_ns = is_unix ? t->from_ns : HC_MISSING_I64,
                                        .to_ns = is_unix ? t->to_ns : HC_MISSING_I64};
    return t->name[0] ? hc_joins_add_timeline(t->joins, &row, err) : HC_OK;
}

/* The number of a job that a timeline is called by: its only one of three digits or more
 * ("1234", "job-1234"). */
static int64_t number_in(const char *name)
{
    int64_t number = HC_MISSING_I64;
    for (size_t n; *name; name += n) {
        n = strspn(name, "0123456789");
        if (n > 2 && n < 19 && number != HC_MISSING_I64)
            return HC_MISSING_I64;
        if (n > 2 && n < 19)
            number = strtoll(name, NULL, 10);
        n += strcspn(name + n, "0123456789");
    }
    return number;
}

static enum hc_status begin(struct timeline *t, const struct hc_manifest_entry *entry,
                            struct hc_error *err)
{
    char name[HC_TIMELINE_NAME];
    hc_timeline_name(entry, name);
    if (strcmp(name, t->name) == 0)
        return HC_OK;
    if (put(t, err))
        return err->status;
    memcpy(t->name, name, sizeof name);
    snprintf(t->path, sizeof t->path, "%s", entry->source_path);
    t->job = number_in(entry->job_id);
    t->from_ns = t->to_ns = HC_MISSING_I64;
    return HC_OK;
}

static void widen(struct timeline *t, int64_t from_ns, int64_t to_ns)
{
    if (from_ns == HC_MISSING_I64)
        return;
    if (t->from_ns == HC_MISSING_I64 || from_ns < t->from_ns)
        t->from_ns = from_ns;
    if (to_ns > t->to_ns) /* a missing one is the least of all numbers */
        t->to_ns = to_ns;
}

static int64_t on_base(int64_t base_ns, int64_t ns)
{
    int64_t sum;
    bool is_known = base_ns != HC_MISSING_I64 && ns != HC_MISSING_I64;
    return is_known && !__builtin_add_overflow(base_ns, ns, &sum) ? sum : ns;
}

static enum hc_status take_ranks(const struct hc_record_rows *rows, void *context,
                                 struct hc_error *err)
{
    struct timeline *t = context;
    const struct hc_table *ranks = rows->table;
    if (begin(t, rows->entry, err))
        return err->status;
    for (size_t i = 0; i < ranks->n_rows; i++) {
        int64_t base_ns = hc_table_i64(ranks, HC_RANKS_BASE_NS)[i];
        widen(t, on_base(base_ns, hc_table_i64(ranks, HC_RANKS_FIRST_START_NS)[i]),
              on_base(base_ns, hc_table_i64(ranks, HC_RANKS_LAST_END_NS)[i]));
    }
    return HC_OK;
}

static enum hc_status scan_ranks(struct hc_joins *joins, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    struct timeline at = {.joins = joins};
    const struct hc_record_scan ranks = {
        .archive = archive,
        .def = &hc_ranks_def,
        .from_ns = INT64_MIN,
        .to_ns = INT64_MAX,
        .columns = BIT(HC_RANKS_BASE_NS) | BIT(HC_RANKS_FIRST_START_NS) | BIT(HC_RANKS_LAST_END_NS),
    };
    return hc_record_scan_run(&ranks, take_ranks, &at, err) ? err->status : put(&at, err);
}

static enum hc_status add_ops(struct hc_joins *joins, const struct hc_archive *archive,
                              const struct hc_manifest_entry *entry, struct hc_error *err)
{
    char name[HC_TIMELINE_NAME];
    struct hc_timeline_steps steps = {.n = 0};
    enum hc_status status = hc_timeline_steps_load(&steps, archive, entry, err);
    hc_timeline_name(entry, name);
    struct hc_timeline_row row = {.path = entry->source_path,
                                  .name = name,
                                  .job = number_in(entry->job_id),
                                  .from_ns = HC_MISSING_I64,
                                  .to_ns = HC_MISSING_I64,
                                  .n_steps = (int64_t)steps.n};
    if (!status && steps.is_dated) {
        row.from_ns = steps.spans[0].from_ns;
        row.to_ns = steps.spans[steps.n - 1].to_ns;
    }
    hc_timeline_steps_fini(&steps);
    if (status == HC_BAD_INPUT) { /* what else the archive tells is told without it */
        hc_warn("timeline '%s' is left out: %s", name, err->message);
        return HC_OK;
    }
    return status ? status : hc_joins_add_timeline(joins, &row, err);
}

enum hc_status hc_timelines_load(struct hc_joins *joins, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (hc_manifest_entry_is(&archive->entries[i], &hc_ops_def) &&
            add_ops(joins, archive, &archive->entries[i], err))
            return err->status;
    return scan_ranks(joins, archive, err);
}
