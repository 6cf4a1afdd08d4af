#include "models/timings/timed_result.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/text/collective_op.h"
#include "models/timings/timed_bandwidth.h"
#include "models/timings/timed_rates.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void hc_timed_result_fini(struct hc_timed_result *result)
{
    free(result->members);
    free(result->collectives);
    free(result->processes);
    free(result->classes);
    free(result->rates);
    memset(result, 0, sizeof *result);
}

/* Communicators that may be that of the whole job, which each cost a look at all records. */
#define MOST_WORLDS 64

/* ---- an order of the records that only they decide ---- */

/* Places of the texts of a set in the order of their bytes. */
struct text_order {
    const struct hc_text_set *set;
    int32_t *place;
};

static int compare_codes(const void *a, const void *b, void *context)
{
    const struct hc_text_set *set = context;
    return strcmp(set->text[*(const int32_t *)a], set->text[*(const int32_t *)b]);
}

static enum hc_status order_texts(struct text_order *order, const struct hc_text_set *set,
                                  struct hc_error *err)
{
    int32_t *codes = hc_new_array(set->n, sizeof *codes, err);
    *order = (struct text_order){set, NULL};
    order->place = codes ? hc_new_array(set->n, sizeof *codes, err) : NULL;
    if (!order->place) {
        free(codes);
        return err->status;
    }
    for (size_t i = 0; i < set->n; i++)
        codes[i] = (int32_t)i;
    if (set->n)
        qsort_r(codes, set->n, sizeof *codes, compare_codes, (void *)(uintptr_t)set);
    for (size_t i = 0; i < set->n; i++)
        order->place[codes[i]] = (int32_t)i;
    free(codes);
    return HC_OK;
}

struct orders {
    struct text_order ids, ops, processes;
};

#define COMPARE(a, b)                                                                              \
    do {                                                                                           \
        if ((a) != (b))                                                                            \
            return (a) < (b) ? -1 : 1;                                                             \
    } while (0)

/* Collectives before sends and receives; those of one collective together, by rank. */
static int compare_records(const void *a, const void *b, void *context)
{
    const struct hc_timed_record *x = a, *y = b;
    const struct orders *orders = context;
    COMPARE(x->is_p2p, y->is_p2p);
    COMPARE(orders->ids.place[x->communicator], orders->ids.place[y->communicator]);
    COMPARE(orders->ops.place[x->op], orders->ops.place[y->op]);
    COMPARE(x->seq, y->seq);
    COMPARE(x->rank, y->rank);
    COMPARE(x->peer, y->peer);
    COMPARE(x->duration_ns, y->duration_ns);
    COMPARE(x->bytes, y->bytes);
    COMPARE(x->source, y->source);
    COMPARE(orders->processes.place[x->process], orders->processes.place[y->process]);
    return 0;
}

static enum hc_status sort_records(struct hc_timed_set *set, struct hc_error *err)
{
    struct orders orders = {{NULL, NULL}, {NULL, NULL}, {NULL, NULL}};
    enum hc_status status = order_texts(&orders.ids, &set->ids, err);
    if (status == HC_OK)
        status = order_texts(&orders.ops, &set->ops, err);
    if (status == HC_OK)
        status = order_texts(&orders.processes, &set->processes, err);
    if (status == HC_OK && set->n_records)
        qsort_r(set->records, set->n_records, sizeof *set->records, compare_records, &orders);
    free(orders.ids.place);
    free(orders.ops.place);
    free(orders.processes.place);
    return status;
}

/* ---- bandwidths ---- */

/* A log rounds its figures to six digits behind the point. */
static bool do_bandwidths_agree(double logged, double computed)
{
    return fabs(logged - computed) <= 1e-5 + 1e-3 * fabs(computed);
}

static void compare_bandwidth(struct hc_timed_result *result, const struct hc_timed_set *set,
                              size_t i)
{
    const struct hc_timed_record *record = &set->records[i];
    const char *op = set->ops.text[record->op];
    int32_t n_ranks = set->communicators[record->communicator].n_ranks;
    int64_t bytes = hc_timed_bytes(op, n_ranks, record->bytes);
    double algobw = hc_timed_algobw(bytes, record->duration_ns);
    double busbw = hc_timed_busbw(op, n_ranks, bytes, record->duration_ns);
    bool has_algobw = !isnan(record->algobw_gb_s) && !isnan(algobw);
    bool has_busbw = !isnan(record->busbw_gb_s) && !isnan(busbw);
    if (!has_algobw && !has_busbw)
        return;
    result->totals.n_compared++;
    if ((has_algobw && !do_bandwidths_agree(record->algobw_gb_s, algobw)) ||
        (has_busbw && !do_bandwidths_agree(record->busbw_gb_s, busbw))) {
        if (result->totals.n_disagree++ == 0)
            result->disagreeing = i;
    }
}

/* ---- collectives ---- */

static bool is_one_collective(const struct hc_timed_record *a, const struct hc_timed_record *b)
{
    return !b->is_p2p && a->communicator == b->communicator && a->op == b->op && a->seq == b->seq;
}

static bool are_alike(const struct hc_timed_record *a, const struct hc_timed_record *b)
{
    return a->duration_ns == b->duration_ns && a->bytes == b->bytes && a->source == b->source &&
           a->process == b->process;
}

/* The members among records [from, end), each once. */
static void take_members(struct hc_timed_result *result, const struct hc_timed_set *set,
                         size_t from, size_t end)
{
    struct hc_timed_collective *to = &result->collectives[result->n_collectives];
    *to = (struct hc_timed_collective){.first = result->n_members};
    for (size_t i = from; i < end; i++) {
        const struct hc_timed_record *record = &set->records[i];
        const struct hc_timed_record *before = i > from ? &set->records[i - 1] : NULL;
        if (before && before->rank == record->rank) {
            bool is_repeated = are_alike(before, record);
            result->totals.n_repeated += is_repeated;
            to->is_contradicted |= !is_repeated;
            continue;
        }
        result->members[result->n_members++] = (uint32_t)i;
        to->n++;
    }
}

static const struct hc_timed_record *member_of(const struct hc_timed_result *result,
                                               const struct hc_timed_set *set,
                                               const struct hc_timed_collective *collective,
                                               size_t i)
{
    return &set->records[result->members[collective->first + i]];
}

int64_t hc_timed_wait_ns(const struct hc_timed_result *result, const struct hc_timed_set *set,
                         const struct hc_timed_collective *collective, size_t member)
{
    return member_of(result, set, collective, member)->duration_ns - collective->least_ns;
}

/* Size, times, and who was last. */
static void describe_collective(struct hc_timed_result *result, const struct hc_timed_set *set,
                                struct hc_timed_collective *to)
{
    const struct hc_timed_record *first = member_of(result, set, to, 0), *last = first;
    int32_t n_ranks = set->communicators[first->communicator].n_ranks;
    const char *op = set->ops.text[first->op];
    int64_t second_ns = HC_MISSING_I64, bytes = first->bytes;
    for (size_t i = 1; i < to->n; i++) {
        const struct hc_timed_record *member = member_of(result, set, to, i);
        const struct hc_timed_record *slower =
            member->duration_ns < last->duration_ns ? last : member;
        if (second_ns == HC_MISSING_I64 || slower->duration_ns < second_ns)
            second_ns = slower->duration_ns;
        last = slower == last ? member : last;
        to->are_sizes_other |= member->bytes != first->bytes;
        to->are_timed_other |= member->source != first->source;
        bytes = member->bytes > bytes ? member->bytes : bytes;
    }
    to->communicator = first->communicator;
    to->op = first->op;
    to->seq = first->seq;
    to->is_complete = (int64_t)to->n == n_ranks;
    to->bytes = hc_timed_bytes(op, n_ranks, bytes);
    to->least_ns = last->duration_ns;
    to->lead_ns = second_ns == HC_MISSING_I64 ? second_ns : second_ns - last->duration_ns;
    to->algobw_gb_s = hc_timed_algobw(to->bytes, to->least_ns);
    to->busbw_gb_s = hc_timed_busbw(op, n_ranks, to->bytes, to->least_ns);
    to->last = to->last_process = HC_MISSING_I32;
    if (!hc_collective_op_is_joint(op) || to->is_contradicted || to->are_timed_other || to->n < 2)
        return;
    to->last = last->rank;
    to->last_process = last->process;
    for (size_t i = 0; i < to->n; i++)
        to->waited_ns = hc_capped_sum(to->waited_ns, hc_timed_wait_ns(result, set, to, i));
}

static void count_collective(struct hc_timed_totals *totals,
                             const struct hc_timed_collective *collective)
{
    totals->n_contradicted += collective->is_contradicted;
    totals->n_incomplete += !collective->is_complete;
    totals->n_other_sizes += collective->are_sizes_other;
    totals->n_other_timing += collective->are_timed_other;
    totals->n_joint += collective->last != HC_MISSING_I32;
    totals->waited_ns = hc_capped_sum(totals->waited_ns, collective->waited_ns);
}

static void join_collectives(struct hc_timed_result *result, const struct hc_timed_set *set,
                             size_t n, const struct hc_timed_options *options)
{
    for (size_t i = 0, end; i < n; i = end) {
        for (end = i + 1; end < n && is_one_collective(&set->records[i], &set->records[end]);)
            end++;
        take_members(result, set, i, end);
        struct hc_timed_collective *to = &result->collectives[result->n_collectives++];
        describe_collective(result, set, to);
        count_collective(&result->totals, to);
        to->expected = (struct hc_expected_bandwidth){NAN, HC_MISSING_I32, false};
        if (options->baseline && to->bytes != HC_MISSING_I64)
            to->expected =
                hc_expected_bandwidth(options->baseline, set->ops.text[to->op],
                                      set->communicators[to->communicator].n_ranks, to->bytes);
    }
}

/* ---- processes ---- */

/* Whether all processes have exactly one place each in a communicator, of whose records
 * any number may be used; their places are put into rank. */
static bool places_all(const struct hc_timed_set *set, int32_t communicator, int32_t *rank)
{
    size_t n_placed = 0;
    for (size_t i = 0; i < set->processes.n; i++)
        rank[i] = HC_MISSING_I32;
    for (size_t i = 0; i < set->n_records; i++) {
        const struct hc_timed_record *record = &set->records[i];
        if (record->communicator != communicator)
            continue;
        if (rank[record->process] != HC_MISSING_I32 && rank[record->process] != record->rank)
            return false;
        n_placed += rank[record->process] == HC_MISSING_I32;
        rank[record->process] = record->rank;
    }
    return n_placed == set->processes.n;
}

/* The first communicator, by id, of those with most ranks in which every process has one place. */
static void find_world(struct hc_timed_result *result, const struct hc_timed_set *set,
                       int32_t *rank)
{
    int32_t before = -1;
    int n_tried = 0;
    result->world = -1;
    result->totals.n_ranks = 0;
    for (size_t i = 0; i < set->n_communicators; i++)
        if (set->communicators[i].n_ranks > result->totals.n_ranks)
            result->totals.n_ranks = set->communicators[i].n_ranks;
    for (size_t i = 0; i < set->n_records; i++) {
        int32_t communicator = set->records[i].communicator;
        if (communicator == before ||
            set->communicators[communicator].n_ranks < result->totals.n_ranks)
            continue;
        before = communicator;
        if (n_tried++ == MOST_WORLDS)
            break;
        if (places_all(set, communicator, rank)) {
            result->world = communicator;
            return;
        }
    }
    for (size_t p = 0; p < set->processes.n; p++)
        rank[p] = HC_MISSING_I32;
}

static int compare_processes(const void *a, const void *b, void *context)
{
    const struct hc_timed_process *x = a, *y = b;
    const struct hc_timed_set *set = context;
    COMPARE(x->rank, y->rank);
    return strcmp(set->processes.text[x->process], set->processes.text[y->process]);
}

static void add_waits(struct hc_timed_result *result, const struct hc_timed_set *set)
{
    struct hc_timed_process *processes = result->processes; /* still by code */
    for (size_t i = 0; i < set->n_records; i++)
        processes[set->records[i].process].n_records++;
    for (size_t c = 0; c < result->n_collectives; c++) {
        const struct hc_timed_collective *collective = &result->collectives[c];
        if (collective->last == HC_MISSING_I32)
            continue;
        for (size_t i = 0; i < collective->n; i++) {
            struct hc_timed_process *process =
                &processes[member_of(result, set, collective, i)->process];
            process->n_collectives++;
            process->waited_ns =
                hc_capped_sum(process->waited_ns, hc_timed_wait_ns(result, set, collective, i));
        }
        struct hc_timed_process *last = &processes[collective->last_process];
        last->n_last++;
        last->caused_ns = hc_capped_sum(last->caused_ns, collective->waited_ns);
    }
}

static enum hc_status sum_processes(struct hc_timed_result *result, struct hc_timed_set *set,
                                    struct hc_error *err)
{
    size_t n = set->processes.n;
    result->processes = hc_new_array(n, sizeof *result->processes, err);
    int32_t *rank = result->processes ? hc_new_array(n, sizeof *rank, err) : NULL;
    if (!rank)
        return err->status;
    find_world(result, set, rank);
    for (size_t p = 0; p < n; p++) {
        result->processes[p].process = (int32_t)p;
        result->processes[p].rank = rank[p];
    }
    free(rank);
    add_waits(result, set);
    result->n_processes = n;
    if (n)
        qsort_r(result->processes, n, sizeof *result->processes, compare_processes, set);
    return HC_OK;
}

/* ---- all of it ---- */

static void count_logs(struct hc_timed_totals *totals, const struct hc_timed_set *set)
{
    for (size_t i = 0; i < set->n_logs; i++) {
        totals->n_cut += set->logs[i].is_cut;
        totals->n_unknown += set->logs[i].is_unknown;
        totals->n_dropped += set->logs[i].n_dropped;
        totals->n_other += set->logs[i].n_other;
    }
}

static enum hc_status analyse(struct hc_timed_result *result, struct hc_timed_set *set,
                              const struct hc_timed_options *options, struct hc_error *err)
{
    struct hc_timed_totals *totals = &result->totals;
    size_t n = 0;
    if (set->n_records > UINT32_MAX)
        return hc_fail(err, HC_BAD_INPUT, "%zu records are more than fit: give fewer logs",
                       set->n_records);
    if (sort_records(set, err))
        return err->status;
    while (n < set->n_records && !set->records[n].is_p2p)
        n++;
    totals->n_records = (int64_t)set->n_records;
    totals->n_p2p = (int64_t)(set->n_records - n);
    result->members = hc_new_array(n, sizeof *result->members, err);
    result->collectives =
        result->members ? hc_new_array(n, sizeof *result->collectives, err) : NULL;
    if (!result->collectives)
        return err->status;
    join_collectives(result, set, n, options);
    totals->n_collectives = (int64_t)result->n_collectives;
    for (size_t i = 0; i < set->n_records; i++)
        compare_bandwidth(result, set, i);
    count_logs(totals, set);
    return sum_processes(result, set, err) ? err->status
                                           : hc_timed_find_rates(result, set, options, err);
}

enum hc_status hc_timed_analyse(struct hc_timed_result *result, struct hc_timed_set *set,
                                const struct hc_timed_options *options, struct hc_error *err)
{
    memset(result, 0, sizeof *result);
    if (analyse(result, set, options, err))
        hc_timed_result_fini(result);
    return err->status;
}
