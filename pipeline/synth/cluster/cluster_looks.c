/* cluster_looks.c - what somebody who looks at the nodes once a day, and at the queue every ten
 * minutes, keeps of it; and the truth of what the GPUs of the nodes were on each day. */
#include "pipeline/synth/cluster/cluster_files.h"

#include "core/tables/account/leaf.h"
#include "pipeline/synth/cluster/cluster_sweep.h"
#include "pipeline/synth/cluster/cluster_text.h"

#include <inttypes.h>

#define DAY_S     ((int64_t)86400)
#define LOOK_S    600
#define SECOND_NS 1000000000

/* ---- looks ---- */

static void write_nodes(FILE *stream, const struct hc_cluster_site *site, int32_t of, int dialect)
{
    (void)of, (void)dialect;
    hc_cluster_write_scontrol(stream, hc_cluster_sweep_nodes(site->sweep));
}

static void write_queue(FILE *stream, const struct hc_cluster_site *site, int32_t of, int dialect)
{
    (void)dialect;
    int64_t from_s = site->cluster.options.start_s + of * DAY_S;
    for (int64_t at_s = from_s; at_s < from_s + DAY_S; at_s += LOOK_S) {
        hc_cluster_sweep_to(site->sweep, at_s);
        hc_cluster_write_queue(stream, site->sweep);
    }
}

/* "nodes/2026-03-01.txt" */
static enum hc_status add_day(struct hc_cluster_site *site, const char *before,
                              const struct hc_cluster_part *part, struct hc_error *err)
{
    char name[64], date[16];
    hc_cluster_format_date(date, site->cluster.options.start_s + part->of * DAY_S);
    snprintf(name, sizeof name, "%s%s.txt", before, date);
    return hc_cluster_add_part(site, name, part, false, err);
}

/* In order of time, as the sweep goes forwards only. */
static enum hc_status look(struct hc_cluster_site *site, const struct hc_cluster_looks *looks,
                           struct hc_error *err)
{
    int32_t n_days = site->cluster.options.n_days;
    for (int32_t day = 0; day < n_days; day++) {
        const struct hc_cluster_part nodes = {write_nodes, day, 0}, queue = {write_queue, day, 0};
        hc_cluster_sweep_to(site->sweep, site->cluster.options.start_s + day * DAY_S);
        if (looks->node_days && day % looks->node_days == 0 && add_day(site, "nodes/", &nodes, err))
            return err->status;
        if (day >= n_days - looks->queue_days && add_day(site, "queue/queue-", &queue, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_cluster_add_looks(struct hc_cluster_site *site,
                                    const struct hc_cluster_looks *looks, struct hc_error *err)
{
    struct hc_cluster_sweep sweep;
    if ((looks->node_days && hc_cluster_add_directory(site, "nodes", err)) ||
        (looks->queue_days && hc_cluster_add_directory(site, "queue", err)) ||
        hc_cluster_sweep_open(&sweep, &site->cluster, err))
        return err->status;
    site->sweep = &sweep;
    enum hc_status status = look(site, looks, err);
    site->sweep = NULL;
    hc_cluster_sweep_close(&sweep);
    return status;
}

/* ---- the truth ---- */

struct installed {
    hc_gpu_ns gpus[HC_CLUSTER_N_USES], wanted; /* wanted: of idle */
};

static void put_day(FILE *stream, int64_t day_s, enum hc_cluster_partition partition,
                    const struct installed *day)
{
    hc_cluster_put_date(stream, day_s);
    fprintf(stream, ",%s", hc_cluster_partition_name(partition));
    for (int use = 0; use < HC_CLUSTER_N_USES; use++) {
        fputc(',', stream);
        hc_cluster_put_gpu_ns(stream, day->gpus[use]);
    }
    fputc(',', stream);
    hc_cluster_put_gpu_ns(stream, day->wanted);
    fputc('\n', stream);
}

/* Nothing changes until to_s. */
static void add_span(struct installed days[], const struct hc_cluster_sweep *sweep, int64_t to_s)
{
    hc_gpu_ns span_ns = (hc_gpu_ns)(to_s - sweep->instant.at_s) * SECOND_NS;
    for (int p = 0; p < HC_CLUSTER_N_PARTITIONS; p++) {
        for (int use = 0; use < HC_CLUSTER_N_USES; use++)
            days[p].gpus[use] += sweep->gpus[p][use] * span_ns;
        if (sweep->n_wanting[p] > 0)
            days[p].wanted += sweep->gpus[p][HC_CLUSTER_IDLE] * span_ns;
    }
}

enum hc_status hc_cluster_write_installed(FILE *stream, const struct hc_cluster *cluster,
                                          struct hc_error *err)
{
    struct hc_cluster_sweep sweep;
    if (hc_cluster_sweep_open(&sweep, cluster, err))
        return err->status;
    fputs("day,partition,allocated_gpu_ns,down_gpu_ns,drained_gpu_ns,idle_gpu_ns,"
          "idle_demand_gpu_ns\n",
          stream);
    while (sweep.instant.at_s < cluster->end_s) {
        struct installed days[HC_CLUSTER_N_PARTITIONS] = {0};
        int64_t day_s = sweep.instant.at_s - sweep.instant.at_s % DAY_S, end_s = day_s + DAY_S;
        end_s = end_s < cluster->end_s ? end_s : cluster->end_s;
        hc_cluster_sweep_to(&sweep, sweep.instant.at_s);
        while (sweep.instant.at_s < end_s) {
            int64_t to_s = hc_cluster_sweep_next_s(&sweep);
            to_s = to_s < end_s ? to_s : end_s;
            add_span(days, &sweep, to_s);
            hc_cluster_sweep_to(&sweep, to_s);
        }
        for (int p = 0; p < HC_CLUSTER_N_PARTITIONS; p++)
            put_day(stream, day_s, (enum hc_cluster_partition)p, &days[p]);
    }
    hc_cluster_sweep_close(&sweep);
    return HC_OK;
}
