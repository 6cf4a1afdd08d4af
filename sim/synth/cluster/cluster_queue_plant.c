#include "sim/synth/cluster/cluster_queue_plant.h"

#include <math.h>

#define MOST_TRIES  12
#define MOST_EXTRA  4.0
#define NEAR_ENOUGH 0.02
#define LEAST_WAIT  1.0 /* seconds */

/* Mean wait, in seconds, of attempts with GPUs that could start at from_s or later; of one that
 * waits at the end of the life, until then. */
static double mean_wait_s(const struct hc_cluster *cluster, int64_t from_s)
{
    double sum = 0, n = 0;
    for (size_t i = 0; i < cluster->n_attempts; i++) {
        const struct hc_cluster_attempt *a = &cluster->attempts[i];
        if (!a->gpus || a->eligible_s < from_s || a->eligible_s > cluster->end_s)
            continue;
        int64_t until_s = a->start_s == HC_CLUSTER_NO_TIME_S ? cluster->end_s : a->start_s;
        sum += (double)(until_s - a->eligible_s);
        n++;
    }
    return n > 0 ? sum / n : 0;
}

static enum hc_status wait_of(double *wait_s, struct hc_cluster_options *options, double extra,
                              const struct hc_cluster_plant *plant, struct hc_error *err)
{
    struct hc_cluster cluster;
    options->extra_arrivals = extra;
    if (hc_cluster_live_once(&cluster, options, err))
        return err->status;
    *wait_s = mean_wait_s(&cluster, hc_cluster_plant_s(&cluster, plant));
    hc_cluster_fini(&cluster);
    return HC_OK;
}

/* Set extra_arrivals so that from the day of HC_CLUSTER_QUEUE on the mean wait is as long as that
 * of the same life without them times the factor of the plant: by living a dozen times. */
static enum hc_status set_queue(struct hc_cluster_options *options, struct hc_error *err)
{
    const struct hc_cluster_plant *plant = NULL;
    double base_s, wait_s, low = 0, high = MOST_EXTRA;
    for (int32_t i = 0; i < options->n_plants; i++)
        if (options->plants[i].kind == HC_CLUSTER_QUEUE)
            plant = &options->plants[i];
    if (!plant)
        return HC_OK;
    if (wait_of(&base_s, options, 0, plant, err))
        return err->status;
    if (base_s < LEAST_WAIT)
        return hc_fail(
            err, HC_USAGE,
            "'queue:%d': jobs hardly wait then, so no queue can grow: give more jobs, or "
            "fewer nodes",
            plant->day);
    double wanted_s = base_s * hc_cluster_plant_factor(HC_CLUSTER_QUEUE);
    double extra = 0.05;
    for (int n = 0; n < MOST_TRIES; n++) {
        if (wait_of(&wait_s, options, extra, plant, err))
            return err->status;
        if (fabs(wait_s / wanted_s - 1) <= NEAR_ENOUGH)
            break;
        if (wait_s < wanted_s)
            low = extra;
        else
            high = extra;
        extra = high >= MOST_EXTRA ? 2 * extra : (low + high) / 2;
    }
    return HC_OK;
}

enum hc_status hc_cluster_live(struct hc_cluster *cluster, const struct hc_cluster_options *options,
                               struct hc_error *err)
{
    struct hc_cluster_options set = *options;
    *cluster = (struct hc_cluster){0};
    if (set_queue(&set, err))
        return err->status;
    return hc_cluster_live_once(cluster, &set, err);
}
