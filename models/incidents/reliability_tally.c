/* Counting incidents by what they share. */
#include "core/base/memory.h"
#include "models/incidents/reliability_counts.h"
#include "models/stats/poisson_interval.h"

#include <math.h>
#include <stdlib.h>

/* An incident under its key, with its repair time or a missing one. */
struct item {
    int64_t key, repair_ns;
    size_t incident;
};

struct hc_estimate hc_failure_rate(int64_t n, double node_days)
{
    struct hc_estimate rate = {NAN, NAN, NAN};
    if (node_days <= 0)
        return rate;
    double scale = 1000 / node_days;
    hc_poisson_interval(n, HC_RELIABILITY_LEVEL, &rate.low, &rate.high);
    rate.value = (double)n * scale;
    rate.low *= scale;
    rate.high *= scale;
    return rate;
}

static int compare_items(const void *a, const void *b)
{
    const struct item *x = a, *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    if (x->repair_ns != y->repair_ns)
        return x->repair_ns < y->repair_ns ? -1 : 1;
    return (x->incident > y->incident) - (x->incident < y->incident);
}

/* Items of one key; those without a repair time come first, since missing is the least number. */
static void take_repairs(const struct item *items, size_t n, struct hc_tally *tally)
{
    size_t first = 0;
    while (first < n && items[first].repair_ns == HC_MISSING_I64)
        first++;
    double sum =
        0; /* of whole nanoseconds: exact up to a hundred days in all, near enough beyond */
    for (size_t i = first; i < n; i++)
        sum += (double)items[i].repair_ns;
    size_t n_known = n - first;
    tally->n_repairs = (int64_t)n_known;
    tally->repair_mean_s = tally->repair_median_s = NAN;
    if (!n_known)
        return;
    const struct item *low = &items[first + (n_known - 1) / 2], *high = &items[first + n_known / 2];
    tally->repair_mean_s = sum / (double)n_known / 1e9;
    tally->repair_median_s = ((double)low->repair_ns + (double)high->repair_ns) / 2e9;
}

static void take_counts(const struct hc_reliability_work *work, const struct item *items, size_t n,
                        struct hc_tally *tally)
{
    for (size_t i = 0; i < n; i++) {
        const struct hc_incident *incident = &work->incidents[items[i].incident];
        tally->count += incident->count;
        tally->exposed += work->is_exposed[items[i].incident] ? incident->count : 0;
        tally->source = incident->source;
        tally->node = incident->node;
        tally->cause = incident->cause;
    }
}

static size_t gather(const struct hc_reliability_work *work, hc_tally_key *key, struct item *items)
{
    size_t n = 0;
    for (size_t i = 0; i < work->n; i++) {
        const struct hc_incident *incident = &work->incidents[i];
        int64_t value = key(work, i);
        bool is_over =
            incident->time_ns != HC_MISSING_I64 && incident->recovered_ns != HC_MISSING_I64;
        if (value >= 0)
            items[n++] = (struct item){
                value, is_over ? incident->recovered_ns - incident->time_ns : HC_MISSING_I64, i};
    }
    if (n)
        qsort(items, n, sizeof *items, compare_items);
    return n;
}

enum hc_status hc_tally_incidents(const struct hc_reliability_work *work, hc_tally_key *key,
                                  bool rates, struct hc_tallies *tallies, struct hc_error *err)
{
    size_t capacity = 0;
    int64_t total = 0;
    struct item *items = hc_new_array(work->n, sizeof *items, err);
    if (!items)
        return err->status;
    enum hc_status status = HC_OK;
    size_t n = gather(work, key, items);
    for (size_t i = 0; i < work->n; i++)
        total += work->incidents[i].count;
    for (size_t i = 0, end; i < n && !status; i = end) {
        for (end = i + 1; end < n && items[end].key == items[i].key;)
            end++;
        status = hc_reserve(&tallies->rows, &capacity, tallies->n + 1, sizeof *tallies->rows, err);
        if (status)
            break;
        struct hc_tally *tally = &tallies->rows[tallies->n++];
        *tally = (struct hc_tally){.key = items[i].key};
        take_counts(work, &items[i], end - i, tally);
        take_repairs(&items[i], end - i, tally);
        tally->share = (double)tally->count / (double)total;
        tally->per_1000 = hc_failure_rate(tally->exposed, rates ? work->node_days : 0);
    }
    free(items);
    return status;
}

static int compare_counts(const void *a, const void *b)
{
    const struct hc_tally *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

void hc_tallies_by_count(struct hc_tallies *tallies)
{
    if (tallies->n)
        qsort(tallies->rows, tallies->n, sizeof *tallies->rows, compare_counts);
}
