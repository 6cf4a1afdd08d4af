#include "models/timings/timed_rates.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/select.h"
#include "models/timings/timed_bandwidth.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* One transfer: a collective, or a send or receive. */
struct transfer {
    const char *op_name;
    int32_t op, n_ranks, communicator;
    int64_t bytes, time_ns;
    double busbw_gb_s, expected_gb_s;
};

struct transfers {
    size_t n;
    struct transfer *list;
    double *values;   /* room for one of each */
    int64_t *times;   /* likewise */
    const char **ids; /* of communicators */
    double below;
};

static struct transfer of_record(const struct hc_timed_set *set,
                                 const struct hc_timed_record *record,
                                 const struct hc_bandwidth_tables *baseline)
{
    const char *op = set->ops.text[record->op];
    int32_t n_ranks = set->communicators[record->communicator].n_ranks;
    struct transfer transfer = {
        .op_name = op,
        .op = record->op,
        .n_ranks = n_ranks,
        .communicator = record->communicator,
        .bytes = record->bytes,
        .time_ns = record->duration_ns,
        .busbw_gb_s = hc_timed_busbw(op, n_ranks, record->bytes, record->duration_ns),
        .expected_gb_s = NAN,
    };
    if (baseline && record->bytes != HC_MISSING_I64) /* nccl-tests calls both ends sendrecv */
        transfer.expected_gb_s =
            hc_expected_bandwidth(baseline, "sendrecv", 2, record->bytes).busbw_gb_s;
    return transfer;
}

static enum hc_status list_transfers(struct transfers *to, const struct hc_timed_result *result,
                                     const struct hc_timed_set *set,
                                     const struct hc_timed_options *options, struct hc_error *err)
{
    size_t n_p2p = (size_t)result->totals.n_p2p, n = result->n_collectives + n_p2p;
    to->list = hc_new_array(n, sizeof *to->list, err);
    to->values = to->list ? hc_new_array(n, sizeof *to->values, err) : NULL;
    to->times = to->values ? hc_new_array(n, sizeof *to->times, err) : NULL;
    to->ids = (const char **)(uintptr_t)set->ids.text;
    to->below = options->below;
    if (!to->times)
        return err->status;
    for (size_t c = 0; c < result->n_collectives; c++) {
        const struct hc_timed_collective *from = &result->collectives[c];
        to->list[to->n++] = (struct transfer){
            set->ops.text[from->op],
            from->op,
            set->communicators[from->communicator].n_ranks,
            from->communicator,
            from->bytes,
            from->least_ns,
            from->busbw_gb_s,
            from->expected.busbw_gb_s,
        };
    }
    for (size_t i = set->n_records - n_p2p; i < set->n_records; i++)
        to->list[to->n++] = of_record(set, &set->records[i], options->baseline);
    return HC_OK;
}

/* ---- transfers that are alike ---- */

/* The largest power of two that is not above a size; below 1, the size itself. */
static int64_t class_of(int64_t bytes)
{
    return bytes < 1 ? bytes : (int64_t)1 << (63 - __builtin_clzll((uint64_t)bytes));
}

#define COMPARE(a, b)                                                                              \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            return (a) < (b) ? -1 : 1;                                                             \
    } while (0)

static int compare_by_class(const void *a, const void *b, void *context)
{
    const struct transfer *x = a, *y = b;
    (void)context;
    int order = strcmp(x->op_name, y->op_name);
    if (order)
        return order;
    COMPARE(x->n_ranks, y->n_ranks);
    COMPARE(class_of(x->bytes), class_of(y->bytes));
    return 0;
}

static int compare_by_size(const void *a, const void *b, void *context)
{
    const struct transfer *x = a, *y = b;
    const struct transfers *all = context;
    int order = strcmp(x->op_name, y->op_name);
    if (order == 0)
        order = strcmp(all->ids[x->communicator], all->ids[y->communicator]);
    if (order)
        return order;
    COMPARE(x->bytes, y->bytes);
    return 0;
}

/* What a transfer lost: its time, less what it would have taken at the expected bandwidth. */
static int64_t lost_ns(const struct transfer *transfer)
{
    double share = transfer->busbw_gb_s / transfer->expected_gb_s;
    return share < 1 ? (int64_t)((double)transfer->time_ns * (1 - share)) : 0;
}

/* The lower median of the values that are there, or NaN. */
static double median_of(double *values, size_t n)
{
    return n ? hc_lower_median(values, n) : NAN;
}

/* Transfers [from, end) as one rate. */
static struct hc_timed_rate rate_of(struct transfers *all, size_t from, size_t end)
{
    const struct transfer *first = &all->list[from];
    struct hc_timed_rate rate = {.op = first->op,
                                 .communicator = first->communicator,
                                 .n_ranks = first->n_ranks,
                                 .bytes = first->bytes,
                                 .n = (int64_t)(end - from),
                                 .least_busbw_gb_s = NAN};
    size_t n = 0;
    for (size_t i = from; i < end; i++) {
        const struct transfer *transfer = &all->list[i];
        all->times[i - from] = transfer->time_ns;
        rate.total_ns = hc_capped_sum(rate.total_ns, transfer->time_ns);
        rate.lost_ns = hc_capped_sum(rate.lost_ns, lost_ns(transfer));
        rate.n_below += transfer->busbw_gb_s / transfer->expected_gb_s < all->below;
        rate.least_busbw_gb_s = fmin(rate.least_busbw_gb_s, transfer->busbw_gb_s);
        if (!isnan(transfer->busbw_gb_s))
            all->values[n++] = transfer->busbw_gb_s;
    }
    rate.busbw_gb_s = median_of(all->values, n);
    n = 0;
    for (size_t i = from; i < end; i++)
        if (!isnan(all->list[i].expected_gb_s))
            all->values[n++] = all->list[i].expected_gb_s;
    rate.expected_gb_s = median_of(all->values, n);
    rate.share = rate.busbw_gb_s / rate.expected_gb_s;
    rate.median_ns = hc_lower_median_i64(all->times, end - from);
    return rate;
}

/* All of them, by an order in which those that are alike stand together. */
static enum hc_status make_rates(struct transfers *all, struct hc_timed_rate **rates, size_t *n,
                                 int (*compare)(const void *, const void *, void *),
                                 struct hc_error *err)
{
    size_t n_alike = 0;
    if (all->n)
        qsort_r(all->list, all->n, sizeof *all->list, compare, all);
    for (size_t i = 0; i < all->n; i++)
        n_alike += i == 0 || compare(&all->list[i - 1], &all->list[i], all) != 0;
    *rates = hc_new_array(n_alike, sizeof **rates, err);
    if (!*rates)
        return err->status;
    for (size_t i = 0, end; i < all->n; i = end) {
        for (end = i + 1; end < all->n && compare(&all->list[i], &all->list[end], all) == 0;)
            end++;
        (*rates)[(*n)++] = rate_of(all, i, end);
    }
    return HC_OK;
}

/* The most lost time first, then the most time; of equals their first order holds. */
struct ranked {
    struct hc_timed_rate rate;
    size_t place;
};

static int compare_rates(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    COMPARE(y->rate.lost_ns, x->rate.lost_ns);
    COMPARE(y->rate.total_ns, x->rate.total_ns);
    COMPARE(x->place, y->place);
    return 0;
}

static enum hc_status sort_rates(struct hc_timed_rate *rates, size_t n, struct hc_error *err)
{
    struct ranked *ranked = hc_new_array(n, sizeof *ranked, err);
    if (!ranked)
        return err->status;
    for (size_t i = 0; i < n; i++)
        ranked[i] = (struct ranked){rates[i], i};
    if (n)
        qsort(ranked, n, sizeof *ranked, compare_rates);
    for (size_t i = 0; i < n; i++)
        rates[i] = ranked[i].rate;
    free(ranked);
    return HC_OK;
}

enum hc_status hc_timed_find_rates(struct hc_timed_result *result, const struct hc_timed_set *set,
                                   const struct hc_timed_options *options, struct hc_error *err)
{
    struct transfers all = {0};
    enum hc_status status = list_transfers(&all, result, set, options, err);
    for (size_t i = 0; status == HC_OK && i < all.n; i++) {
        double share = all.list[i].busbw_gb_s / all.list[i].expected_gb_s;
        result->totals.n_expected += !isnan(share);
        result->totals.n_below += share < options->below;
    }
    if (status == HC_OK)
        status = make_rates(&all, &result->classes, &result->n_classes, compare_by_class, err);
    for (size_t i = 0; i < result->n_classes; i++) {
        result->classes[i].communicator = HC_MISSING_I32;
        result->classes[i].bytes = class_of(result->classes[i].bytes);
    }
    if (status == HC_OK)
        status = make_rates(&all, &result->rates, &result->n_rates, compare_by_size, err);
    if (status == HC_OK)
        status = sort_rates(result->rates, result->n_rates, err);
    free(all.list);
    free(all.values);
    free(all.times);
    return status;
}
