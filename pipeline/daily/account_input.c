#include "pipeline/daily/account_input.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "pipeline/daily/correction_input.h"
#include "pipeline/daily/record_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BIT(column) ((uint64_t)1 << (column))
#define COLUMNS                                                                                    \
    (BIT(HC_JOBS_JOB) | BIT(HC_JOBS_ARRAY_TASK) | BIT(HC_JOBS_HET_COMPONENT) |                     \
     BIT(HC_JOBS_RESTARTS) | BIT(HC_JOBS_PARTITION) | BIT(HC_JOBS_ACCOUNT) | BIT(HC_JOBS_USER) |   \
     BIT(HC_JOBS_STATE) | BIT(HC_JOBS_SUBMIT_NS) | BIT(HC_JOBS_ELIGIBLE_NS) |                      \
     BIT(HC_JOBS_START_NS) | BIT(HC_JOBS_END_NS) | BIT(HC_JOBS_ELAPSED_NS) |                       \
     BIT(HC_JOBS_SUSPENDED_NS) | BIT(HC_JOBS_GPUS) | BIT(HC_JOBS_CPUS) | BIT(HC_JOBS_NODES))

struct loading {
    struct hc_job_account *account;
    const struct hc_account_choice *choice;
    bool has_nodes; /* corrections are about nodes: lists of them are read */
};

/* What the site says of its partition: GPUs that the record leaves out, and the price. */
static void ask_site(const struct hc_site *site, int32_t nodes, struct hc_account_attempt *attempt)
{
    for (size_t i = 0; site && attempt->partition && i < site->n_partitions; i++) {
        const struct hc_site_partition *partition = &site->partitions[i];
        if (strcmp(partition->name, attempt->partition) != 0)
            continue;
        attempt->price = llround(partition->price * HC_ACCOUNT_PRICE_UNITS);
        if (attempt->gpus == HC_MISSING_I32 && nodes != HC_MISSING_I32 &&
            partition->gpus_per_node > 0 && nodes <= INT32_MAX / partition->gpus_per_node) {
            attempt->gpus = nodes * partition->gpus_per_node;
            attempt->has_estimated_gpus = true;
        }
    }
}

static enum hc_status take_rows(const struct hc_record_rows *rows, void *context,
                                struct hc_error *err)
{
    const struct loading *loading = context;
    const struct hc_table *t = rows->table;
    for (size_t i = 0; i < t->n_rows; i++) {
        struct hc_account_attempt attempt = {
            .job = hc_table_i64(t, HC_JOBS_JOB)[i],
            .submit_ns = hc_table_i64(t, HC_JOBS_SUBMIT_NS)[i],
            .eligible_ns = hc_table_i64(t, HC_JOBS_ELIGIBLE_NS)[i],
            .start_ns = hc_table_i64(t, HC_JOBS_START_NS)[i],
            .end_ns = hc_table_i64(t, HC_JOBS_END_NS)[i],
            .elapsed_ns = hc_table_i64(t, HC_JOBS_ELAPSED_NS)[i],
            .suspended_ns = hc_table_i64(t, HC_JOBS_SUSPENDED_NS)[i],
            .array_task = hc_table_i32(t, HC_JOBS_ARRAY_TASK)[i],
            .het_component = hc_table_i32(t, HC_JOBS_HET_COMPONENT)[i],
            .restarts = hc_table_i32(t, HC_JOBS_RESTARTS)[i],
            .gpus = hc_table_i32(t, HC_JOBS_GPUS)[i],
            .cpus = hc_table_i32(t, HC_JOBS_CPUS)[i],
            .state = hc_table_i32(t, HC_JOBS_STATE)[i],
            .cluster = rows->entry->cluster,
            .partition = hc_record_text(rows, HC_JOBS_PARTITION, i),
            .account = hc_record_text(rows, HC_JOBS_ACCOUNT, i),
            .user = hc_record_text(rows, HC_JOBS_USER, i),
            .nodes = loading->has_nodes ? hc_record_text(rows, HC_JOBS_NODE_LIST, i) : NULL,
        };
        ask_site(loading->choice->site, hc_table_i32(t, HC_JOBS_NODES)[i], &attempt);
        if (hc_job_account_add(loading->account, &attempt, err))
            return err->status;
    }
    return HC_OK;
}

struct extent {
    int64_t first_ns, last_ns;
};

static enum hc_status take_extent(const struct hc_record_rows *rows, void *context,
                                  struct hc_error *err)
{
    struct extent *extent = context;
    const int64_t *submit_ns = hc_table_i64(rows->table, HC_JOBS_SUBMIT_NS);
    (void)err;
    for (size_t i = 0; i < rows->table->n_rows; i++) {
        extent->first_ns = submit_ns[i] < extent->first_ns ? submit_ns[i] : extent->first_ns;
        extent->last_ns = submit_ns[i] > extent->last_ns ? submit_ns[i] : extent->last_ns;
    }
    return HC_OK;
}

static char *copy_day(int64_t time_ns, struct hc_error *err)
{
    char when[32];
    hc_format_iso8601(time_ns, when);
    when[HC_DAY_TEXT - 1] = '\0';
    return hc_copy_text(when, err);
}

/* Where days are segments, their names tell the first and the last; those of a month do not. */
static enum hc_status find_days(struct hc_account_source *source, const struct hc_archive *archive,
                                const char *cluster, struct hc_error *err)
{
    struct extent extent = {INT64_MAX, INT64_MIN};
    const struct hc_record_scan scan = {.archive = archive,
                                        .def = &hc_jobs_def,
                                        .cluster = cluster,
                                        .from_ns = INT64_MIN,
                                        .to_ns = INT64_MAX,
                                        .columns = BIT(HC_JOBS_SUBMIT_NS)};
    if (hc_record_scan_run(&scan, take_extent, &extent, err))
        return err->status;
    source->first_day = copy_day(extent.first_ns, err);
    source->last_day = source->first_day ? copy_day(extent.last_ns, err) : NULL;
    return source->last_day ? HC_OK : err->status;
}

/* Which days of which clusters there are. */
static enum hc_status survey(struct hc_account_source *source, const struct hc_archive *archive,
                             const char *cluster, struct hc_error *err)
{
    const char *first = NULL, *last = NULL, *before = NULL;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!hc_manifest_entry_is(entry, &hc_jobs_def) ||
            (cluster && strcmp(cluster, entry->cluster) != 0))
            continue;
        source->n_segments++;
        source->n_clusters += !before || strcmp(before, entry->cluster) != 0;
        before = entry->cluster;
        first = !first || strcmp(entry->day, first) < 0 ? entry->day : first;
        last = !last || strcmp(entry->day, last) > 0 ? entry->day : last;
    }
    if (!first)
        return hc_fail(err, HC_BAD_INPUT,
                       "archive '%s' has no accounting of a scheduler%s%s%s: ingest a dump of "
                       "sacct first (hindcast formats)",
                       archive->path, cluster ? " of cluster '" : "", cluster ? cluster : "",
                       cluster ? "'" : "");
    if (hc_is_month(first) || hc_is_month(last))
        return find_days(source, archive, cluster, err);
    source->first_day = hc_copy_text(first, err);
    source->last_day = source->first_day ? hc_copy_text(last, err) : NULL;
    return source->last_day ? HC_OK : err->status;
}

enum hc_status hc_account_load(struct hc_job_account *account, struct hc_account_source *source,
                               const struct hc_account_choice *choice, struct hc_error *err)
{
    struct loading loading = {.account = account, .choice = choice};
    *source = (struct hc_account_source){0};
    if (survey(source, choice->archive, choice->cluster, err) ||
        hc_corrections_load(&source->corrections, choice->archive, choice->cluster, err))
        return err->status;
    account->corrections = &source->corrections;
    loading.has_nodes = source->corrections.nodes.n > 0;
    /* Jobs are in the day of their submission, and may run in any later one. */
    const struct hc_record_scan scan = {
        .archive = choice->archive,
        .def = &hc_jobs_def,
        .cluster = choice->cluster,
        .from_ns = INT64_MIN,
        .to_ns = account->to_ns,
        .columns = COLUMNS | (loading.has_nodes ? BIT(HC_JOBS_NODE_LIST) : 0)};
    if (hc_record_scan_run(&scan, take_rows, &loading, err))
        return err->status;
    hc_job_account_end(account);
    return HC_OK;
}

void hc_account_source_fini(struct hc_account_source *source)
{
    free(source->first_day);
    free(source->last_day);
    hc_corrections_fini(&source->corrections);
    *source = (struct hc_account_source){0};
}
