/* fleet_summary_hosts.c - which hosts are slow, in how many jobs, since when. */
#include "sim/fleet/fleet_summary_tables.h"

#include "core/base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A host in one job. */
struct sighting {
    const char *cluster;
    const struct hc_fleet_host *host;
    size_t row;
};

static int by_host(const void *left, const void *right)
{
    const struct sighting *a = left, *b = right;
    int order = strcmp(a->cluster, b->cluster);
    if (order == 0)
        order = strcmp(a->host->name, b->host->name);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static int by_weight(const void *left, const void *right)
{
    const struct hc_fleet_host_total *a = left, *b = right;
    double x = isnan(a->hours_lost) ? -INFINITY : a->hours_lost;
    double y = isnan(b->hours_lost) ? -INFINITY : b->hours_lost;
    if (a->n_jobs != b->n_jobs)
        return a->n_jobs > b->n_jobs ? -1 : 1;
    if (x != y)
        return x > y ? -1 : 1;
    int order = strcmp(a->cluster, b->cluster);
    return order ? order : strcmp(a->name, b->name);
}

static size_t list_sightings(struct sighting *seen, const struct hc_fleet_rows *rows)
{
    size_t n = 0;
    for (size_t i = 0; i < rows->n; i++)
        for (size_t h = 0; hc_fleet_is_analysed(&rows->row[i]) && h < rows->row[i].n_hosts; h++)
            seen[n++] = (struct sighting){rows->row[i].cluster, &rows->row[i].hosts[h], i};
    qsort(seen, n, sizeof *seen, by_host);
    return n;
}

/* A date is earlier than another one, and than none. */
static bool is_earlier(int64_t a_ns, int64_t b_ns)
{
    return a_ns != HC_MISSING_I64 && (b_ns == HC_MISSING_I64 || a_ns < b_ns);
}

static void add_sighting(struct hc_fleet_host_total *total, const struct sighting *seen)
{
    const struct hc_fleet_host *host = seen->host;
    bool is_first = total->n_stretches == 0;
    total->n_stretches += host->n_stretches;
    total->lasts |= host->lasts;
    if (!isnan(host->gpu_hours_lost))
        total->hours_lost =
            (isnan(total->hours_lost) ? 0 : total->hours_lost) + host->gpu_hours_lost;
    if (!is_first && !is_earlier(host->since_unix_ns, total->since_unix_ns))
        return;
    total->first_row = seen->row;
    total->since_step = host->since_step;
    total->since_unix_ns = host->since_unix_ns;
}

/* Add up the sightings of each host, which follow each other, those of one job next to each other.
 */
static void add_up(struct hc_fleet_summary *summary, const struct sighting *seen, size_t n,
                   const struct hc_fleet_rows *rows)
{
    struct hc_fleet_host_total *total = NULL;
    for (size_t i = 0; i < n; i++) {
        const struct sighting *before = i ? &seen[i - 1] : NULL;
        bool is_same = before && strcmp(before->cluster, seen[i].cluster) == 0 &&
                       strcmp(before->host->name, seen[i].host->name) == 0;
        if (!is_same) {
            total = &summary->hosts[summary->n_hosts++];
            *total = (struct hc_fleet_host_total){.cluster = seen[i].cluster,
                                                  .name = seen[i].host->name,
                                                  .hours_lost = NAN,
                                                  .since_unix_ns = HC_MISSING_I64};
        }
        total->n_jobs +=
            !is_same || strcmp(rows->row[before->row].job_id, rows->row[seen[i].row].job_id) != 0;
        add_sighting(total, &seen[i]);
    }
}

enum hc_status hc_fleet_find_hosts(struct hc_fleet_summary *summary,
                                   const struct hc_fleet_rows *rows, struct hc_error *err)
{
    size_t most = 0;
    for (size_t i = 0; i < rows->n; i++) {
        most += rows->row[i].n_hosts;
        summary->n_culprits += hc_fleet_is_analysed(&rows->row[i]) ? rows->row[i].n_found : 0;
    }
    struct sighting *seen = hc_new_array(most, sizeof *seen, err);
    summary->hosts = hc_new_array(most, sizeof *summary->hosts, err);
    if (seen && summary->hosts) {
        add_up(summary, seen, list_sightings(seen, rows), rows);
        qsort(summary->hosts, summary->n_hosts, sizeof *summary->hosts, by_weight);
        for (size_t i = 0; i < summary->n_hosts; i++)
            summary->n_shared_hosts += summary->hosts[i].n_jobs > 1;
    }
    free(seen);
    return seen && summary->hosts ? HC_OK : err->status;
}
