/* profile_steps.c - from the annotations of a rank to its steps, and from the launches to the step
 * of each GPU event. */
#include "core/base/memory.h"
#include "core/base/sort_keys.h"
#include "models/profiles/profile_internal.h"

#include <stdlib.h>
#include <string.h>

#define PROFILER_STEP  "ProfilerStep#"
#define OPTIMIZER_STEP "Optimizer.step#"

struct finder {
    const struct hc_profile *profile;
    struct hc_profile_rank *rank;
    size_t capacity; /* of steps */
};

static bool begins_with(const char *text, const char *beginning)
{
    return !strncmp(text, beginning, strlen(beginning));
}

static const char *annotation_text(const struct finder *f, size_t row)
{
    const struct hc_table *annotations = &f->rank->table[HC_PROFILE_ANNOTATIONS];
    return hc_profile_text(f->profile, "event",
                           hc_table_i32(annotations, HC_ANNOTATIONS_NAME)[row]);
}

/* N of "ProfilerStep#N", or -1 where the text is no such name. */
static int64_t step_number(const char *text)
{
    if (!begins_with(text, PROFILER_STEP))
        return -1;
    const char *digits = text + strlen(PROFILER_STEP);
    int64_t number = 0;
    if (!*digits)
        return -1;
    for (; *digits; digits++) {
        if (*digits < '0' || *digits > '9' || number > INT64_MAX / 10 - 1)
            return -1;
        number = number * 10 + (*digits - '0');
    }
    return number;
}

static enum hc_status add_step(struct finder *f, int64_t number, int64_t start_ns, int64_t end_ns,
                               struct hc_error *err)
{
    struct hc_profile_rank *rank = f->rank;
    if (hc_reserve(&rank->steps, &f->capacity, rank->n_steps + 1, sizeof *rank->steps, err))
        return err->status;
    rank->steps[rank->n_steps++] = (struct hc_profile_step){
        .number = number, .start_ns = start_ns, .end_ns = end_ns, .cpu_start_ns = start_ns};
    return HC_OK;
}

static bool has_number(const struct hc_profile_rank *rank, int64_t number)
{
    for (size_t k = 0; k < rank->n_steps; k++)
        if (rank->steps[k].number == number)
            return true;
    return false;
}

/* Annotations are sorted by start. A number that comes again is the same step, seen by another
 * thread, or a second schedule that began to count anew: its first stands. */
static enum hc_status add_profiler_steps(struct finder *f, struct hc_error *err)
{
    const struct hc_table *annotations = &f->rank->table[HC_PROFILE_ANNOTATIONS];
    const int64_t *start = hc_table_i64(annotations, HC_ANNOTATIONS_START_NS);
    const int64_t *duration = hc_table_i64(annotations, HC_ANNOTATIONS_DURATION_NS);
    for (size_t i = 0; i < annotations->n_rows; i++) {
        int64_t number = step_number(annotation_text(f, i));
        if (number < 0 || has_number(f->rank, number))
            continue;
        if (f->rank->n_steps == 0)
            f->rank->main_thread = hc_table_i32(annotations, HC_ANNOTATIONS_THREAD)[i];
        if (add_step(f, number, start[i], start[i] + duration[i], err))
            return err->status;
    }
    return HC_OK;
}

/* The first start and the last end in the trace; false where there is none. */
static bool find_extent(const struct hc_profile_rank *rank, int64_t *start_ns, int64_t *end_ns)
{
    static const enum hc_profile_table timed[] = {HC_PROFILE_GPU, HC_PROFILE_CALLS,
                                                  HC_PROFILE_MARKS, HC_PROFILE_ANNOTATIONS};
    const struct hc_table *whole = &rank->table[HC_PROFILE_RANKS];
    int64_t first_ns =
        whole->n_rows ? hc_table_i64(whole, HC_RANKS_FIRST_START_NS)[0] : HC_MISSING_I64;
    int64_t last_ns = whole->n_rows ? hc_table_i64(whole, HC_RANKS_LAST_END_NS)[0] : HC_MISSING_I64;
    bool is_said = first_ns != HC_MISSING_I64 && last_ns != HC_MISSING_I64 && first_ns <= last_ns;
    *start_ns = is_said ? first_ns : INT64_MAX;
    *end_ns = is_said ? last_ns : INT64_MIN;
    for (size_t t = 0; t < sizeof timed / sizeof timed[0]; t++) {
        const struct hc_table *table = &rank->table[timed[t]];
        const int64_t *start = hc_table_i64(table, 0), *duration = hc_table_i64(table, 1);
        for (size_t i = 0; i < table->n_rows; i++) {
            *start_ns = start[i] < *start_ns ? start[i] : *start_ns;
            *end_ns = start[i] + duration[i] > *end_ns ? start[i] + duration[i] : *end_ns;
        }
    }
    return *start_ns <= *end_ns;
}

static int compare_times(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* Step k ends where the k-th Optimizer.step does; the first begins with the trace, and what follows
 * the last is of no step: nothing says how much of it is missing. */
static enum hc_status add_optimizer_steps(struct finder *f, struct hc_error *err)
{
    const struct hc_table *annotations = &f->rank->table[HC_PROFILE_ANNOTATIONS];
    const int64_t *start = hc_table_i64(annotations, HC_ANNOTATIONS_START_NS);
    const int64_t *duration = hc_table_i64(annotations, HC_ANNOTATIONS_DURATION_NS);
    int64_t *cuts = hc_new_array(annotations->n_rows, sizeof *cuts, err), from, last;
    if (!cuts)
        return err->status;
    size_t n = 0;
    for (size_t i = 0; i < annotations->n_rows; i++)
        if (begins_with(annotation_text(f, i), OPTIMIZER_STEP))
            cuts[n++] = start[i] + duration[i];
    qsort(cuts, n, sizeof *cuts, compare_times);
    enum hc_status status = HC_OK;
    find_extent(f->rank, &from, &last);
    for (size_t k = 0; status == HC_OK && k < n; k++)
        if (cuts[k] > from) {
            status = add_step(f, (int64_t)f->rank->n_steps, from, cuts[k], err);
            from = cuts[k];
        }
    free(cuts);
    return status;
}

/* The last step that begins by ns, or none; what begins after the end of the last step is of no
 * step. */
static int32_t step_at(const struct hc_profile_rank *rank, int64_t ns)
{
    size_t low = 0, high = rank->n_steps;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (rank->steps[middle].cpu_start_ns <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == 0 || (low == rank->n_steps && ns >= rank->steps[low - 1].end_ns))
        return HC_NO_STEP;
    return (int32_t)(low - 1);
}

static void take_into_step(struct hc_profile_step *step, int64_t start_ns, int64_t end_ns,
                           bool is_linked)
{
    if (step->last_gpu_end_ns == HC_MISSING_I64 || end_ns > step->last_gpu_end_ns)
        step->last_gpu_end_ns = end_ns;
    if (is_linked && (step->gpu_start_ns == HC_MISSING_I64 || start_ns < step->gpu_start_ns))
        step->gpu_start_ns = start_ns;
}

static enum hc_status assign_steps(struct hc_profile_rank *rank, bool is_whole,
                                   struct hc_error *err)
{
    const struct hc_table *gpu = &rank->table[HC_PROFILE_GPU];
    const int64_t *start = hc_table_i64(gpu, HC_GPU_START_NS);
    const int64_t *duration = hc_table_i64(gpu, HC_GPU_DURATION_NS);
    const int64_t *launched = hc_table_i64(&rank->table[HC_PROFILE_CALLS], HC_CALLS_START_NS);
    rank->step = hc_new_array(gpu->n_rows, sizeof *rank->step, err);
    if (!rank->step)
        return err->status;
    bool has_no_links = rank->n_unlinked == gpu->n_rows; /* a trace of the GPU alone */
    for (size_t i = 0; i < gpu->n_rows; i++) {
        bool is_linked = rank->launch[i] != HC_NO_ROW;
        int64_t ns = is_linked ? launched[rank->launch[i]] : start[i];
        rank->step[i] = is_whole ? 0 : step_at(rank, ns);
        if (rank->step[i] != HC_NO_STEP)
            take_into_step(&rank->steps[rank->step[i]], start[i], start[i] + duration[i],
                           is_linked || has_no_links);
    }
    return HC_OK;
}

/* The GPU window of a step ends where that of the next step with one begins. A later step may begin
 * earlier, on another stream: the window is empty then. */
static void end_gpu_windows(struct hc_profile_rank *rank)
{
    int64_t next = HC_MISSING_I64;
    for (size_t k = rank->n_steps; k-- > 0;) {
        struct hc_profile_step *step = &rank->steps[k];
        if (step->gpu_start_ns == HC_MISSING_I64)
            continue;
        step->gpu_end_ns = next == HC_MISSING_I64 ? step->last_gpu_end_ns : next;
        if (step->gpu_end_ns < step->gpu_start_ns)
            step->gpu_end_ns = step->gpu_start_ns;
        next = step->gpu_start_ns;
    }
}

/* The calls that launched something, by thread and, of one thread, by start. */
static enum hc_status list_launching_calls(const struct hc_profile_rank *rank,
                                           struct hc_sort_key **listed, size_t *n,
                                           struct hc_error *err)
{
    const struct hc_table *calls = &rank->table[HC_PROFILE_CALLS];
    const int32_t *thread = hc_table_i32(calls, HC_CALLS_THREAD);
    bool *launches = hc_new_array(calls->n_rows, sizeof *launches, err);
    *n = 0;
    *listed = hc_new_aligned(calls->n_rows, sizeof **listed, err);
    enum hc_status status = launches && *listed ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < rank->table[HC_PROFILE_GPU].n_rows; i++)
        if (rank->launch[i] != HC_NO_ROW)
            launches[rank->launch[i]] = true;
    for (size_t i = 0; status == HC_OK && i < calls->n_rows; i++)
        if (launches[i])
            (*listed)[(*n)++] = (struct hc_sort_key){thread[i], (uint32_t)i};
    free(launches);
    return status == HC_OK ? hc_sort_keys(*listed, *n, err) : status;
}

/* The thread of most calls that launched something; of equal ones, that which did so first. */
static enum hc_status find_launching_thread(struct hc_profile_rank *rank, struct hc_error *err)
{
    struct hc_sort_key *launches = NULL;
    size_t n, most = 0;
    uint32_t first_of_most = HC_NO_ROW;
    enum hc_status status = list_launching_calls(rank, &launches, &n, err);
    for (size_t from = 0, end; status == HC_OK && from < n; from = end) {
        for (end = from + 1; end < n && launches[end].key == launches[from].key;)
            end++;
        if (end - from > most || (end - from == most && launches[from].row < first_of_most)) {
            rank->main_thread = (int32_t)launches[from].key;
            most = end - from;
            first_of_most = launches[from].row;
        }
    }
    free(launches);
    return status;
}

static void end_cpu_windows(struct hc_profile_rank *rank)
{
    for (size_t k = 0; k < rank->n_steps; k++) {
        struct hc_profile_step *step = &rank->steps[k];
        step->cpu_end_ns = k + 1 < rank->n_steps ? step[1].cpu_start_ns : step->end_ns;
        step->gpu_start_ns = step->gpu_end_ns = step->last_gpu_end_ns = HC_MISSING_I64;
    }
}

enum hc_status hc_profile_find_steps(const struct hc_profile *profile, struct hc_profile_rank *rank,
                                     enum hc_steps_by by, struct hc_error *err)
{
    struct finder f = {profile, rank, 0};
    int64_t start_ns, end_ns;
    rank->main_thread = HC_MISSING_I32;
    if (by == HC_STEPS_BY_OPTIMIZER ? add_optimizer_steps(&f, err) : add_profiler_steps(&f, err))
        return err->status;
    bool is_whole = rank->n_steps == 0 && find_extent(rank, &start_ns, &end_ns);
    if (is_whole && add_step(&f, HC_MISSING_I64, start_ns, end_ns, err))
        return err->status;
    end_cpu_windows(rank);
    if (assign_steps(rank, is_whole, err))
        return err->status;
    end_gpu_windows(rank);
    return rank->main_thread == HC_MISSING_I32 ? find_launching_thread(rank, err) : HC_OK;
}

static bool has_in_all(const struct hc_profile *profile, int64_t number)
{
    for (size_t r = 1; r < profile->n_ranks; r++)
        if (!has_number(&profile->ranks[r], number))
            return false;
    return true;
}

enum hc_status hc_profile_find_common_steps(struct hc_profile *profile, struct hc_error *err)
{
    const struct hc_profile_rank *first = profile->ranks;
    free(profile->common_steps);
    profile->n_common_steps = 0;
    profile->common_steps =
        hc_new_array(profile->n_ranks > 0 ? first->n_steps : 0, sizeof(int64_t), err);
    if (!profile->common_steps)
        return err->status;
    for (size_t k = 0; profile->n_ranks > 0 && k < first->n_steps; k++)
        if (has_in_all(profile, first->steps[k].number))
            profile->common_steps[profile->n_common_steps++] = first->steps[k].number;
    qsort(profile->common_steps, profile->n_common_steps, sizeof(int64_t), compare_times);
    return HC_OK;
}
