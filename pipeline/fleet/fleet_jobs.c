#include "pipeline/fleet/fleet_jobs.h"

#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/text_stream.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- jobs ---- */

static bool same_job(const struct hc_manifest_entry *a, const struct hc_manifest_entry *b)
{
    return strcmp(a->cluster, b->cluster) == 0 && strcmp(a->job_id, b->job_id) == 0;
}

/* Attempts of a job follow each other in the manifest, the newest last. */
enum hc_status hc_fleet_jobs_list(const struct hc_archive *archive, struct hc_fleet_job **jobs,
                                  size_t *n, struct hc_error *err)
{
    *n = 0;
    *jobs = hc_new_array(archive->n_entries, sizeof **jobs, err);
    if (!*jobs)
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!hc_manifest_entry_is(entry, &hc_ops_def))
            continue;
        bool is_new = *n == 0 || !same_job((*jobs)[*n - 1].entry, entry);
        if (is_new)
            (*jobs)[(*n)++] = (struct hc_fleet_job){.entry = entry};
        (*jobs)[*n - 1].entry = entry;
        (*jobs)[*n - 1].n_attempts++;
    }
    return HC_OK;
}

static int compare_sizes(const void *a, const void *b, void *jobs)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    int64_t n_x = hc_fleet_job_rows(&((const struct hc_fleet_job *)jobs)[x]);
    int64_t n_y = hc_fleet_job_rows(&((const struct hc_fleet_job *)jobs)[y]);
    if (n_x != n_y)
        return n_x > n_y ? -1 : 1;
    return (x > y) - (x < y);
}

size_t *hc_fleet_jobs_by_size(const struct hc_fleet_job *jobs, size_t n, struct hc_error *err)
{
    size_t *order = hc_new_array(n, sizeof *order, err);
    for (size_t i = 0; order && i < n; i++)
        order[i] = i;
    if (order && n)
        qsort_r(order, n, sizeof *order, compare_sizes, (void *)jobs);
    return order;
}

/* ---- shards ---- */

static size_t least_loaded(const int64_t *load, size_t n)
{
    size_t least = 0;
    for (size_t i = 1; i < n; i++)
        if (load[i] < load[least])
            least = i;
    return least;
}

enum hc_status hc_fleet_jobs_deal(struct hc_fleet_job *jobs, size_t *n, struct hc_shard shard,
                                  struct hc_error *err)
{
    size_t n_kept = 0, n_shards = (size_t)shard.n;
    size_t *order = hc_fleet_jobs_by_size(jobs, *n, err);
    int64_t *load = hc_new_array(n_shards, sizeof *load, err);
    bool *mine = hc_new_array(*n, sizeof *mine, err);
    enum hc_status status = order && load && mine ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < *n; i++) {
        size_t to = least_loaded(load, n_shards);
        load[to] += hc_fleet_job_rows(&jobs[order[i]]) + 1; /* a job without rows is work, too */
        mine[order[i]] = to + 1 == (size_t)shard.index;
    }
    for (size_t i = 0; status == HC_OK && i < *n; i++)
        if (mine[i])
            jobs[n_kept++] = jobs[i];
    if (status == HC_OK)
        *n = n_kept;
    free(order);
    free(load);
    free(mine);
    return status;
}

/* ---- what the fleet is made from ---- */

enum hc_status hc_fleet_digest(const struct hc_archive *archive, char digest[HC_DIGEST_TEXT],
                               struct hc_error *err)
{
    char *text = NULL;
    size_t length = 0;
    FILE *stream = hc_text_stream(&text, &length, err);
    if (!stream)
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (!hc_manifest_entry_is(entry, &hc_ops_def))
            continue;
        fprintf(stream, "%s%c%s%c%d%c%s\n", entry->cluster, 0, entry->job_id, 0,
                (int)entry->attempt, 0, entry->sha256);
    }
    if (hc_text_stream_end(stream, &text, HC_OK, err))
        return err->status;
    hc_digest_bytes(text, length, digest);
    free(text);
    return HC_OK;
}
