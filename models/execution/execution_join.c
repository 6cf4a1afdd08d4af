#include "models/execution/execution_join.h"

#include "core/base/memory.h"
#include "core/base/missing.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* A call of record_param_comms. */
struct call {
    int64_t thread; /* in the order in which threads are joined */
    int64_t order;  /* in the thread: number of the node, start */
    uint32_t row;   /* of et_comms, comms */
};

struct calls {
    size_t n;
    struct call *list; /* by thread, then order */
};

static int compare_calls(const void *a, const void *b)
{
    const struct call *x = a, *y = b;
    if (x->thread != y->thread)
        return (x->thread > y->thread) - (x->thread < y->thread);
    if (x->order != y->order)
        return (x->order > y->order) - (x->order < y->order);
    return (x->row > y->row) - (x->row < y->row);
}

static void refuse(struct hc_execution_joined *joined, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void refuse(struct hc_execution_joined *joined, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    vsnprintf(joined->why, sizeof joined->why, format, args);
    va_end(args);
    joined->is_refused = true;
}

static struct hc_text_set *set_of(const struct hc_table_names *names, const char *dictionary)
{
    for (size_t i = 0; i < names->n; i++)
        if (strcmp(names->dictionary[i], dictionary) == 0)
            return (struct hc_text_set *)&names->set[i];
    return NULL;
}

static const char *text_of(const struct hc_table_names *names, const char *dictionary, int32_t code)
{
    const struct hc_text_set *set = set_of(names, dictionary);
    return set && code >= 0 && (size_t)code < set->n ? set->text[code] : "";
}

/* ---- the calls of either trace ---- */

static const char *op_of(const struct hc_execution *execution, size_t row)
{
    return text_of(&execution->names, "collective",
                   hc_table_i32(&execution->comms, HC_ET_COMMS_OP)[row]);
}

static enum hc_status list_executed(const struct hc_execution *execution, struct calls *calls,
                                    struct hc_error *err)
{
    const struct hc_table *comms = &execution->comms;
    calls->list = hc_new_array(comms->n_rows, sizeof *calls->list, err);
    if (!calls->list)
        return err->status;
    for (size_t i = 0; i < comms->n_rows; i++)
        if (strcmp(op_of(execution, i), "wait") != 0)
            calls->list[calls->n++] =
                (struct call){hc_table_i32(comms, HC_ET_COMMS_THREAD)[i],
                              hc_table_i64(comms, HC_ET_COMMS_NODE)[i], (uint32_t)i};
    if (calls->n)
        qsort(calls->list, calls->n, sizeof *calls->list, compare_calls);
    return HC_OK;
}

/* All records of the rank, by thread and start. Before threads have an order, it is their code. */
static enum hc_status list_records(const struct hc_profile_rank *rank, struct calls *calls,
                                   struct hc_error *err)
{
    const struct hc_table *comms = &rank->table[HC_PROFILE_COMMS];
    calls->list = hc_new_array(comms->n_rows, sizeof *calls->list, err);
    if (!calls->list)
        return err->status;
    for (size_t i = 0; i < comms->n_rows; i++)
        if (hc_table_i32(comms, HC_COMMS_ORIGIN)[i] == HC_COMM_OF_RECORD)
            calls->list[calls->n++] =
                (struct call){hc_table_i32(comms, HC_COMMS_THREAD)[i],
                              hc_table_i64(comms, HC_COMMS_START_NS)[i], (uint32_t)i};
    if (calls->n)
        qsort(calls->list, calls->n, sizeof *calls->list, compare_calls);
    return HC_OK;
}

/* The last record of a thread that begins no later than a time: its place, or n. */
static size_t find_record(const struct calls *calls, int64_t thread, int64_t ns)
{
    const struct call key = {thread, ns, UINT32_MAX};
    size_t low = 0, high = calls->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_calls(&calls->list[middle], &key) <= 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 && calls->list[low - 1].thread == thread ? low - 1 : calls->n;
}

/* The communication kernel that each record launched: row of gpu, or HC_NO_ROW. */
static enum hc_status find_kernels(const struct hc_profile_rank *rank, const struct calls *calls,
                                   uint32_t **kernels, struct hc_error *err)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const struct hc_table *comms = &rank->table[HC_PROFILE_COMMS];
    const struct hc_table *of_calls = &rank->table[HC_PROFILE_CALLS];
    *kernels = hc_new_aligned(calls->n, sizeof **kernels, err);
    if (!*kernels)
        return err->status;
    memset(*kernels, 0xff, calls->n * sizeof **kernels);
    for (size_t i = 0; i < gpu->n_rows; i++) {
        if (hc_table_i32(gpu, HC_GPU_ACTIVITY)[i] != HC_GPU_COMMUNICATES ||
            rank->launch[i] == HC_NO_ROW)
            continue;
        int64_t ns = hc_table_i64(of_calls, HC_CALLS_START_NS)[rank->launch[i]];
        size_t at =
            find_record(calls, hc_table_i32(of_calls, HC_CALLS_THREAD)[rank->launch[i]], ns);
        if (at == calls->n)
            continue;
        uint32_t row = calls->list[at].row;
        if (hc_table_i64(comms, HC_COMMS_START_NS)[row] +
                hc_table_i64(comms, HC_COMMS_DURATION_NS)[row] >=
            ns)
            (*kernels)[at] = (uint32_t)i;
    }
    return HC_OK;
}

/* Threads in the order of their first record, the main one before them. */
static void order_threads(const struct hc_profile_rank *rank, struct calls *calls)
{
    for (size_t first = 0, end; first < calls->n; first = end) {
        int64_t thread = calls->list[first].thread;
        int64_t order = thread == rank->main_thread ? INT64_MIN : calls->list[first].order;
        for (end = first; end < calls->n && calls->list[end].thread == thread;)
            end++;
        for (size_t i = first; i < end; i++)
            calls->list[i].thread = order;
    }
    if (calls->n)
        qsort(calls->list, calls->n, sizeof *calls->list, compare_calls);
}

/* Records that communicate: by their own op, or, where they say none, by what they launched. */
static enum hc_status list_recorded(const struct hc_profile *profile,
                                    const struct hc_profile_rank *rank, struct calls *calls,
                                    uint32_t **kernel_of_row, struct hc_error *err)
{
    const struct hc_table *comms = &rank->table[HC_PROFILE_COMMS];
    uint32_t *kernels = NULL;
    size_t n = 0;
    if (list_records(rank, calls, err) || find_kernels(rank, calls, &kernels, err))
        return err->status;
    *kernel_of_row = hc_new_aligned(comms->n_rows, sizeof **kernel_of_row, err);
    for (size_t i = 0; *kernel_of_row && i < calls->n; i++) {
        const char *op = hc_profile_text(profile, "collective",
                                         hc_table_i32(comms, HC_COMMS_OP)[calls->list[i].row]);
        bool communicates = *op ? strcmp(op, "wait") != 0 : kernels[i] != HC_NO_ROW;
        (*kernel_of_row)[calls->list[i].row] = kernels[i];
        if (communicates)
            calls->list[n++] = calls->list[i];
    }
    calls->n = n;
    free(kernels);
    if (!*kernel_of_row)
        return err->status;
    order_threads(rank, calls);
    return HC_OK;
}

/* ---- whether they agree ---- */

/* Whether a kernel may be of an operation: kernels for sends and receives carry most of them. */
static bool may_be(const char *kernel, const char *op)
{
    static const struct {
        const char *part, *op;
    } names[] = {{"AllReduce", "all_reduce"},
                 {"AllGather", "all_gather"},
                 {"ReduceScatter", "reduce_scatter"},
                 {"Broadcast", "broadcast"}};
    if (!*op || strcmp(op, "barrier") == 0)
        return true;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcasestr(kernel, names[i].part))
            return strcmp(op, names[i].op) == 0;
    return !strcasestr(kernel, "SendRecv") || (strcmp(op, "all_reduce") && strcmp(op, "broadcast"));
}

/* Whether both have the same threads, as many calls on each, and the same ops. */
static bool agree(const struct hc_profile *profile, const struct hc_profile_rank *rank,
                  const struct calls *recorded, const uint32_t *kernel_of_row,
                  const struct hc_execution *execution, const struct calls *executed,
                  struct hc_execution_joined *joined)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const struct hc_table *comms = &rank->table[HC_PROFILE_COMMS];
    if (recorded->n != executed->n) {
        refuse(joined, "the execution trace has %zu collectives, the profiler trace %zu",
               executed->n, recorded->n);
        return false;
    }
    for (size_t i = 0; i < recorded->n; i++) {
        uint32_t row = recorded->list[i].row, kernel = kernel_of_row[row];
        const char *op = op_of(execution, executed->list[i].row);
        const char *said =
            hc_profile_text(profile, "collective", hc_table_i32(comms, HC_COMMS_OP)[row]);
        const char *name =
            kernel == HC_NO_ROW
                ? ""
                : hc_profile_text(profile, "event", hc_table_i32(gpu, HC_GPU_NAME)[kernel]);
        bool is_new[2] = {i == 0 || recorded->list[i].thread != recorded->list[i - 1].thread,
                          i == 0 || executed->list[i].thread != executed->list[i - 1].thread};
        joined->n_threads += is_new[0];
        if (is_new[0] != is_new[1])
            refuse(joined, "thread %zu has not as many collectives in both traces",
                   joined->n_threads);
        else if ((*said && *op && strcmp(said, op) != 0) || !may_be(name, op))
            refuse(joined,
                   "collective %zu is %s in the execution trace, '%.60s' in the profiler "
                   "trace",
                   i, op, *said ? said : name);
        if (joined->is_refused)
            return false;
    }
    return true;
}

/* ---- what is given ---- */

static enum hc_status give_text(const struct hc_profile *profile, const char *dictionary,
                                const char *text, int32_t *code, struct hc_error *err)
{
    struct hc_text_set *set = set_of(&profile->names, dictionary);
    if (!set || !*text || *code != HC_MISSING_I32)
        return HC_OK;
    return hc_text_set_add(set, text, strlen(text), code, err);
}

static void give_number(int64_t *value, int64_t given)
{
    if (*value == HC_MISSING_I64)
        *value = given;
}

static enum hc_status give(const struct hc_profile *profile, struct hc_table *comms, uint32_t row,
                           const struct hc_execution *execution, uint32_t from,
                           struct hc_error *err)
{
    const struct hc_table *et = &execution->comms;
    int64_t bytes = hc_table_i64(et, HC_ET_COMMS_BYTES)[from];
    int32_t *dtype = &hc_table_i32(comms, HC_COMMS_DTYPE)[row];
    bool is_open = *dtype == HC_MISSING_I32;
    const char *type =
        text_of(&execution->names, "dtype", hc_table_i32(et, HC_ET_COMMS_DTYPE)[from]);
    int64_t in = hc_table_i64(et, HC_ET_COMMS_IN_ELEMENTS)[from];
    int64_t out = hc_table_i64(et, HC_ET_COMMS_OUT_ELEMENTS)[from];
    if (bytes != HC_MISSING_I64 && in == HC_MISSING_I64) {
        in = out = bytes;
        type = "Byte";
    }
    if (is_open) { /* number and type of elements belong together */
        give_number(&hc_table_i64(comms, HC_COMMS_IN_ELEMENTS)[row], in);
        give_number(&hc_table_i64(comms, HC_COMMS_OUT_ELEMENTS)[row], out);
        if (give_text(profile, "dtype", type, dtype, err))
            return err->status;
    }
    return give_text(profile, "collective", op_of(execution, from),
                     &hc_table_i32(comms, HC_COMMS_OP)[row], err);
}

enum hc_status hc_execution_join(struct hc_profile *profile, size_t rank_index,
                                 const struct hc_execution *execution,
                                 struct hc_execution_joined *joined, struct hc_error *err)
{
    struct hc_profile_rank *rank = &profile->ranks[rank_index];
    struct calls recorded = {0}, executed = {0};
    uint32_t *kernel_of_row = NULL;
    *joined = (struct hc_execution_joined){0};
    enum hc_status status = list_executed(execution, &executed, err);
    if (status == HC_OK)
        status = list_recorded(profile, rank, &recorded, &kernel_of_row, err);
    if (status == HC_OK &&
        agree(profile, rank, &recorded, kernel_of_row, execution, &executed, joined))
        for (size_t i = 0; i < recorded.n && status == HC_OK; i++) {
            status = give(profile, &rank->table[HC_PROFILE_COMMS], recorded.list[i].row, execution,
                          executed.list[i].row, err);
            joined->n_joined++;
        }
    free(kernel_of_row);
    free(recorded.list);
    free(executed.list);
    return status;
}

void hc_execution_fini(struct hc_execution *execution)
{
    hc_table_fini(&execution->comms);
    hc_table_names_fini(&execution->names);
    free(execution->name);
    memset(execution, 0, sizeof *execution);
}
