#include "models/profiles/breakdown.h"

#include <stddef.h>
#include <string.h>

/* The union of intervals that come by ascending start: its length without the stretch that is still
 * growing. */
struct cover {
    bool has_stretch;
    int64_t start_ns, end_ns; /* of the stretch */
    int64_t length_ns;
};

/* HTA's whole microseconds may end before they start; such an interval alone counts as negative
 * there, so it does here. */
static void add_interval(struct cover *cover, int64_t start_ns, int64_t end_ns)
{
    if (cover->has_stretch && start_ns <= cover->end_ns) {
        cover->end_ns = end_ns > cover->end_ns ? end_ns : cover->end_ns;
        return;
    }
    if (cover->has_stretch)
        cover->length_ns += cover->end_ns - cover->start_ns;
    cover->has_stretch = true;
    cover->start_ns = start_ns;
    cover->end_ns = end_ns;
}

static int64_t length_of(const struct cover *cover)
{
    return cover->length_ns + (cover->has_stretch ? cover->end_ns - cover->start_ns : 0);
}

/* The unions that a breakdown is made of: all parts of the window are differences of them. */
struct covers {
    struct cover compute, comm;
    struct cover compute_or_comm, any;
    bool has_event;
    int64_t first_ns, last_ns; /* first start, last end */
};

static void add_event(struct covers *covers, enum hc_gpu_activity activity, int64_t start_ns,
                      int64_t end_ns)
{
    if (!covers->has_event || start_ns < covers->first_ns)
        covers->first_ns = start_ns;
    if (!covers->has_event || end_ns > covers->last_ns)
        covers->last_ns = end_ns;
    covers->has_event = true;
    if (activity == HC_GPU_COMPUTES)
        add_interval(&covers->compute, start_ns, end_ns);
    if (activity == HC_GPU_COMMUNICATES)
        add_interval(&covers->comm, start_ns, end_ns);
    if (activity != HC_GPU_COPIES)
        add_interval(&covers->compute_or_comm, start_ns, end_ns);
    add_interval(&covers->any, start_ns, end_ns);
}

static struct hc_breakdown breakdown_of(const struct covers *covers, int64_t window_ns)
{
    int64_t compute = length_of(&covers->compute);
    int64_t compute_or_comm = length_of(&covers->compute_or_comm);
    int64_t busy = length_of(&covers->any);
    return (struct hc_breakdown){
        .window_ns = window_ns,
        .compute_ns = compute,
        .exposed_comm_ns = compute_or_comm - compute,
        .overlapped_comm_ns = length_of(&covers->comm) - (compute_or_comm - compute),
        .exposed_memcpy_ns = busy - compute_or_comm,
        .idle_ns = window_ns - busy,
    };
}

/* The first row that ends after a time. */
static size_t first_ending_after(const struct hc_profile_rank *rank, int64_t ns)
{
    size_t low = 0, high = rank->table[HC_PROFILE_GPU].n_rows;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rank->latest_end_ns[middle] <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void add_rows(struct covers *covers, const struct hc_profile_rank *rank,
                     const struct hc_breakdown_choice *choice, bool linked_only)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const int64_t *start = hc_table_i64(gpu, HC_GPU_START_NS);
    const int64_t *duration = hc_table_i64(gpu, HC_GPU_DURATION_NS);
    const int32_t *activity = hc_table_i32(gpu, HC_GPU_ACTIVITY);
    bool has_window = choice->start_ns != HC_MISSING_I64;
    size_t first = has_window ? first_ending_after(rank, choice->start_ns) : 0;
    for (size_t i = first; i < gpu->n_rows && (!has_window || start[i] < choice->end_ns); i++) {
        int64_t from = start[i], to = start[i] + duration[i];
        if (linked_only && rank->launch[i] == HC_NO_ROW)
            continue;
        if (has_window && from < choice->start_ns)
            from = choice->start_ns;
        if (has_window && to > choice->end_ns)
            to = choice->end_ns;
        if (!has_window || from < to)
            add_event(covers, (enum hc_gpu_activity)activity[i], from, to);
    }
}

static int64_t floor_us(int64_t ns)
{
    return ns - ((ns % 1000) + 1000) % 1000;
}

/* As HTA tells the activity of what ran on a stream: by the name alone. */
static enum hc_gpu_activity hta_activity(const char *name)
{
    static const struct {
        const char *beginning;
        enum hc_gpu_activity activity;
    } rules[] = {
        {"nccl", HC_GPU_COMMUNICATES}, {"hip", HC_GPU_COMMUNICATES}, {"Memcpy", HC_GPU_COPIES},
        {"Memset", HC_GPU_COPIES},     {"dma", HC_GPU_COPIES},
    };
    for (size_t i = 0; i < sizeof rules / sizeof rules[0]; i++)
        if (!strncmp(name, rules[i].beginning, strlen(rules[i].beginning)))
            return rules[i].activity;
    return HC_GPU_COMPUTES;
}

/* One of the two tables of what HTA counts as events of the GPU. */
struct hta_rows {
    const int64_t *start_ns, *duration_ns, *correlation;
    const int32_t *stream, *name;
    size_t n, next;
};

static struct hta_rows hta_gpu_rows(const struct hc_profile_rank *rank)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    return (struct hta_rows){.start_ns = hc_table_i64(gpu, HC_GPU_START_NS),
                             .duration_ns = hc_table_i64(gpu, HC_GPU_DURATION_NS),
                             .stream = hc_table_i32(gpu, HC_GPU_STREAM),
                             .name = hc_table_i32(gpu, HC_GPU_NAME),
                             .n = gpu->n_rows};
}

static struct hta_rows hta_sync_rows(const struct hc_profile_rank *rank)
{
    const struct hc_table *syncs = &rank->table[HC_PROFILE_SYNCS];
    return (struct hta_rows){.start_ns = hc_table_i64(syncs, HC_SYNCS_START_NS),
                             .duration_ns = hc_table_i64(syncs, HC_SYNCS_DURATION_NS),
                             .correlation = hc_table_i64(syncs, HC_SYNCS_CORRELATION),
                             .stream = hc_table_i32(syncs, HC_SYNCS_STREAM),
                             .name = hc_table_i32(syncs, HC_SYNCS_KIND),
                             .n = syncs->n_rows};
}

/* HTA's start: the next whole microsecond. */
static int64_t ceil_us(int64_t ns)
{
    return -floor_us(-ns);
}

static struct hta_rows *earlier_of(struct hta_rows *a, struct hta_rows *b)
{
    if (a->next == a->n || b->next == b->n)
        return a->next < a->n ? a : b;
    return a->start_ns[a->next] <= b->start_ns[b->next] ? a : b;
}

static void add_hta_rows(struct covers *covers, const struct hc_profile *profile,
                         const struct hc_profile_rank *rank)
{
    bool linked_only = rank->n_steps > 1;
    struct hta_rows gpu = hta_gpu_rows(rank), syncs = hta_sync_rows(rank);
    while (gpu.next < gpu.n || syncs.next < syncs.n) {
        struct hta_rows *rows = earlier_of(&gpu, &syncs);
        size_t i = rows->next++;
        bool is_linked = rows == &gpu ? rank->launch[i] != HC_NO_ROW : rows->correlation[i] > 0;
        if (rows->stream[i] < 0 || (linked_only && !is_linked))
            continue;
        add_event(covers, hta_activity(hc_profile_text(profile, "event", rows->name[i])),
                  ceil_us(rows->start_ns[i]), floor_us(rows->start_ns[i] + rows->duration_ns[i]));
    }
}

void hc_profile_breakdown(struct hc_breakdown *breakdown, const struct hc_profile *profile,
                          size_t rank_index, const struct hc_breakdown_choice *choice)
{
    const struct hc_profile_rank *rank = &profile->ranks[rank_index];
    struct covers covers = {0};
    struct hc_breakdown_choice whole = {HC_MISSING_I64, HC_MISSING_I64, false, choice->like};
    if (choice->like == HC_BREAKDOWN_LIKE_HTA)
        add_hta_rows(&covers, profile, rank);
    else if (choice->like == HC_BREAKDOWN_LIKE_TRACELENS)
        add_rows(&covers, rank, &whole, true);
    else
        add_rows(&covers, rank, choice, choice->linked_only);
    int64_t window_ns = covers.has_event ? covers.last_ns - covers.first_ns : 0;
    if (choice->like == HC_BREAKDOWN_OURS && choice->start_ns != HC_MISSING_I64)
        window_ns = choice->end_ns > choice->start_ns ? choice->end_ns - choice->start_ns : 0;
    *breakdown = breakdown_of(&covers, window_ns);
}
