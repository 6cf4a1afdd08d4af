#include "models/profiles/profile_clocks.h"

#include "core/base/memory.h"
#include "models/clocks/clock_set.h"

#include <stdlib.h>
#include <string.h>

#define ANY_STEP INT64_MIN

struct solver {
    struct hc_collectives *collectives;
    const struct hc_profile *profile;
    int64_t *origin_ns;        /* of each rank */
    int64_t *low_ns, *high_ns; /* of each rank, in times from the origins */
    uint32_t *tie;             /* of each rank: a lower one that sure collectives tie it to */
    struct hc_clock_set all;   /* the joint collectives of all steps */
};

void hc_contradiction_fini(struct hc_contradiction *contradiction)
{
    free(contradiction->ranks);
    free(contradiction->collectives);
    *contradiction = (struct hc_contradiction){0};
}

void hc_profile_clocks_fini(struct hc_rank_clock *clocks, size_t n)
{
    for (size_t r = 0; clocks && r < n; r++)
        free(clocks[r].segments);
}

/* The middle one of the kernels of each rank: near all the others, even if one is damaged. */
static void choose_origins(struct solver *s)
{
    const struct hc_collectives *collectives = s->collectives;
    for (size_t k = 0, end; k < collectives->n_kernels; k = end) {
        uint32_t rank = collectives->kernels[k].rank_index;
        for (end = k; end < collectives->n_kernels && collectives->kernels[end].rank_index == rank;)
            end++;
        const struct hc_table *gpu = &s->profile->ranks[rank].table[HC_PROFILE_GPU];
        s->origin_ns[rank] =
            hc_table_i64(gpu, HC_GPU_START_NS)[collectives->kernels[k + (end - k - 1) / 2].row];
    }
}

/* A difference of clocks in times from the origins as one of the clocks themselves. */
static int64_t absolute(const struct solver *s, size_t rank, size_t reference, int64_t ns)
{
    return (int64_t)((uint64_t)ns + (uint64_t)s->origin_ns[rank] -
                     (uint64_t)s->origin_ns[reference]);
}

static int64_t absolute_bound(const struct solver *s, size_t rank, size_t reference, int64_t ns)
{
    return ns == HC_MISSING_I64 ? ns : absolute(s, rank, reference, ns);
}

static void set_bounds(const struct solver *s, struct hc_rank_clock *clock, size_t r)
{
    clock->low_ns = absolute_bound(s, r, s->all.reference[r], s->low_ns[r]);
    clock->high_ns = absolute_bound(s, r, s->all.reference[r], s->high_ns[r]);
}

/* The cycle's collectives by their indices among all. */
static void take_cycle(struct hc_contradiction *contradiction, struct hc_clock_cycle *cycle,
                       const struct hc_clock_set *set)
{
    for (size_t i = 0; i < cycle->n; i++)
        cycle->events[i] = set->label[cycle->events[i]];
    hc_contradiction_fini(contradiction);
    *contradiction = (struct hc_contradiction){cycle->n, cycle->ranks, cycle->events};
}

/* ---- what tells clocks ---- */

static bool is_usable(const struct solver *s, size_t c)
{
    const struct hc_collective *collective = &s->collectives->collectives[c];
    return collective->is_joint && !s->collectives->groups[collective->group].is_refused;
}

static uint32_t rank_of_member(const struct solver *s, size_t c, size_t m)
{
    const struct hc_collectives *collectives = s->collectives;
    uint32_t kernel = collectives->member_kernels[collectives->collectives[c].first + m];
    return collectives->kernels[kernel].rank_index;
}

static uint32_t lowest_tied(const struct solver *s, uint32_t rank)
{
    while (s->tie[rank] != rank)
        rank = s->tie[rank] = s->tie[s->tie[rank]];
    return rank;
}

/* Where kernels are lost, joins by place may be shifted. So those tell clocks only of ranks that no
 * other collectives tie to each other. */
static void tie_ranks(const struct solver *s)
{
    for (size_t r = 0; r < s->profile->n_ranks; r++)
        s->tie[r] = (uint32_t)r;
    for (size_t c = 0; c < s->collectives->n; c++) {
        const struct hc_collective *collective = &s->collectives->collectives[c];
        if (!is_usable(s, c) || collective->is_uneven)
            continue;
        for (size_t m = 1; m < collective->n; m++) {
            uint32_t a = lowest_tied(s, rank_of_member(s, c, 0)),
                     b = lowest_tied(s, rank_of_member(s, c, m));
            s->tie[a > b ? a : b] = a > b ? b : a;
        }
    }
}

static bool is_set_aside(const struct solver *s, size_t c)
{
    const struct hc_collective *collective = &s->collectives->collectives[c];
    if (!collective->is_uneven)
        return false;
    uint32_t first = lowest_tied(s, rank_of_member(s, c, 0));
    for (size_t m = 1; m < collective->n; m++)
        if (lowest_tied(s, rank_of_member(s, c, m)) != first)
            return false;
    return true;
}

static bool tells_clocks(const struct solver *s, size_t c, int64_t step)
{
    const struct hc_collectives *collectives = s->collectives;
    const struct hc_collective *collective = &collectives->collectives[c];
    if (!is_usable(s, c) || is_set_aside(s, c))
        return false;
    if (step == ANY_STEP)
        return true;
    const struct hc_comm_kernel *lowest =
        &collectives->kernels[collectives->member_kernels[collective->first]];
    const struct hc_profile_rank *rank = &s->profile->ranks[lowest->rank_index];
    int32_t own = rank->step[lowest->row];
    return own != HC_NO_STEP && rank->steps[own].number == step;
}

/* Times that are further from the origin are damage. */
static int64_t from_origin(const struct solver *s, uint32_t rank, int64_t ns)
{
    int64_t distance = ns - s->origin_ns[rank];
    if (distance < -HC_CLOCK_FARTHEST_NS)
        return -HC_CLOCK_FARTHEST_NS;
    return distance > HC_CLOCK_FARTHEST_NS ? HC_CLOCK_FARTHEST_NS : distance;
}

static void add_kernel(const struct solver *s, struct hc_clock_set *set, uint32_t kernel)
{
    uint32_t rank = s->collectives->kernels[kernel].rank_index;
    uint32_t row = s->collectives->kernels[kernel].row;
    const struct hc_table *gpu = &s->profile->ranks[rank].table[HC_PROFILE_GPU];
    int64_t start_ns = hc_table_i64(gpu, HC_GPU_START_NS)[row];
    int64_t end_ns = start_ns + hc_table_i64(gpu, HC_GPU_DURATION_NS)[row];
    hc_clock_set_add(set, rank, from_origin(s, rank, start_ns), from_origin(s, rank, end_ns));
}

/* The joint collectives of a step (its number), or of all: those of refused groups aside. */
static enum hc_status make_set(const struct solver *s, struct hc_clock_set *set, int64_t step,
                               struct hc_error *err)
{
    const struct hc_collectives *collectives = s->collectives;
    size_t n = 0, n_members = 0;
    for (size_t c = 0; c < collectives->n; c++)
        if (tells_clocks(s, c, step)) {
            n++;
            n_members += collectives->collectives[c].n;
        }
    if (hc_clock_set_init(set, s->profile->n_ranks, n, n_members, err))
        return err->status;
    for (size_t c = 0; c < collectives->n; c++) {
        const struct hc_collective *collective = &collectives->collectives[c];
        if (!tells_clocks(s, c, step))
            continue;
        for (size_t m = 0; m < collective->n; m++)
            add_kernel(s, set, collectives->member_kernels[collective->first + m]);
        hc_clock_set_end_event(set, (uint32_t)c);
    }
    return hc_clock_set_align(set, err);
}

/* ---- the whole ---- */

/* One offset for each rank. */
static enum hc_status solve_whole(struct solver *s, bool *has_drift,
                                  struct hc_contradiction *contradiction, struct hc_error *err)
{
    struct hc_clock_cycle cycle;
    if (make_set(s, &s->all, ANY_STEP, err) || hc_clock_set_drifts(&s->all, has_drift, err) ||
        hc_clock_set_bounds(&s->all, s->low_ns, s->high_ns, &cycle, err))
        return err->status;
    for (size_t r = 0; r < s->profile->n_ranks; r++) {
        struct hc_rank_clock *clock = &s->collectives->clocks[r];
        free(clock->segments);
        *clock = (struct hc_rank_clock){
            .component = s->all.component[r],
            .offset_ns = absolute(s, r, s->all.reference[r], s->all.offset_ns[r]),
            .low_ns = HC_MISSING_I64,
            .high_ns = HC_MISSING_I64,
        };
        if (cycle.n == 0)
            set_bounds(s, clock, r);
    }
    take_cycle(contradiction, &cycle, &s->all);
    return HC_OK;
}

/* ---- a step at a time ---- */

static int compare_numbers(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return (one > other) - (one < other);
}

/* The numbers of all steps of the ranks, ascending, each once. */
static enum hc_status list_steps(const struct hc_profile *profile, int64_t **numbers, size_t *n,
                                 struct hc_error *err)
{
    size_t n_all = 0, kept = 0;
    for (size_t r = 0; r < profile->n_ranks; r++)
        n_all += profile->ranks[r].n_steps;
    *numbers = hc_new_array(n_all, sizeof **numbers, err);
    if (!*numbers)
        return err->status;
    *n = 0;
    for (size_t r = 0; r < profile->n_ranks; r++)
        for (size_t k = 0; k < profile->ranks[r].n_steps; k++)
            if (profile->ranks[r].steps[k].number != HC_MISSING_I64)
                (*numbers)[(*n)++] = profile->ranks[r].steps[k].number;
    qsort(*numbers, *n, sizeof **numbers, compare_numbers);
    for (size_t i = 0; i < *n; i++)
        if (kept == 0 || (*numbers)[kept - 1] != (*numbers)[i])
            (*numbers)[kept++] = (*numbers)[i];
    *n = kept;
    return HC_OK;
}

/* The offset of a rank in a step. A step may join fewer ranks than the whole: its reference is then
 * another, whose own offset is that of the whole. */
static int64_t step_offset(const struct solver *s, const struct hc_clock_set *step, size_t r)
{
    uint32_t reference = step->reference[r];
    return absolute(s, r, s->all.reference[r], step->offset_ns[r] + s->all.offset_ns[reference]);
}

/* From its first collective of the step on, a rank has the offset of that step. */
static enum hc_status add_segment(struct solver *s, const struct hc_clock_set *step, size_t r,
                                  size_t most, struct hc_error *err)
{
    struct hc_rank_clock *clock = &s->collectives->clocks[r];
    int64_t from_ns = INT64_MAX;
    for (size_t i = step->rank_first[r]; i < step->rank_first[r + 1]; i++)
        if (step->start_ns[step->members[i]] < from_ns)
            from_ns = step->start_ns[step->members[i]];
    if (from_ns == INT64_MAX)
        return HC_OK;
    if (!clock->segments)
        clock->segments = hc_new_array(most, sizeof *clock->segments, err);
    if (!clock->segments)
        return err->status;
    from_ns += s->origin_ns[r];
    /* Steps that begin before those of smaller numbers have no time of their own. */
    if (clock->n_segments > 0 && clock->segments[clock->n_segments - 1].from_ns >= from_ns)
        return HC_OK;
    clock->segments[clock->n_segments++] =
        (struct hc_clock_segment){from_ns, step_offset(s, step, r)};
    if (clock->n_segments > 1)
        return HC_OK;
    clock->offset_ns = clock->segments[0].offset_ns;
    clock->low_ns = clock->high_ns = HC_MISSING_I64;
    if (step->reference[r] == s->all.reference[r])
        set_bounds(s, clock, r);
    return HC_OK;
}

static enum hc_status solve_step(struct solver *s, int64_t number, size_t n_steps,
                                 struct hc_contradiction *contradiction, struct hc_error *err)
{
    struct hc_clock_set step;
    struct hc_clock_cycle cycle = {0};
    enum hc_status status = make_set(s, &step, number, err);
    if (status == HC_OK)
        status = hc_clock_set_bounds(&step, s->low_ns, s->high_ns, &cycle, err);
    for (size_t r = 0; status == HC_OK && cycle.n > 0 && r < s->profile->n_ranks; r++)
        s->low_ns[r] = s->high_ns[r] = HC_MISSING_I64;
    for (size_t r = 0; status == HC_OK && r < s->profile->n_ranks; r++)
        status = add_segment(s, &step, r, n_steps, err);
    if (status == HC_OK && cycle.n > 0 && contradiction->n == 0)
        take_cycle(contradiction, &cycle, &step);
    else {
        free(cycle.ranks);
        free(cycle.events);
    }
    hc_clock_set_fini(&step);
    return status;
}

static enum hc_status solve_steps(struct solver *s, const int64_t *numbers, size_t n_steps,
                                  struct hc_contradiction *contradiction, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t k = 0; status == HC_OK && k < n_steps; k++)
        status = solve_step(s, numbers[k], n_steps, contradiction, err);
    return status;
}

/* How fast a clock runs, by the first and the last step that it was aligned in. */
static void find_drifts(const struct solver *s)
{
    for (size_t r = 0; r < s->profile->n_ranks; r++) {
        struct hc_rank_clock *clock = &s->collectives->clocks[r];
        const struct hc_clock_segment *first = clock->segments;
        if (clock->n_segments < 2)
            continue;
        const struct hc_clock_segment *last = &clock->segments[clock->n_segments - 1];
        clock->drift =
            (double)(last->offset_ns - first->offset_ns) / (double)(last->from_ns - first->from_ns);
    }
}

/* One offset for each rank, unless they drift by more than collectives end apart, or contradict
 * each other as a whole and not within steps: clocks that drift do. */
static enum hc_status solve(struct solver *s, struct hc_contradiction *contradiction,
                            struct hc_error *err)
{
    int64_t *numbers = NULL;
    size_t n_steps = 0;
    bool has_drift = false;
    struct hc_contradiction within = {0};
    enum hc_status status = solve_whole(s, &has_drift, contradiction, err);
    if (status == HC_OK && (has_drift || contradiction->n > 0))
        status = list_steps(s->profile, &numbers, &n_steps, err);
    s->collectives->has_drift = false;
    if (status == HC_OK && n_steps > 1) {
        status = solve_steps(s, numbers, n_steps, &within, err);
        if (status == HC_OK && !has_drift && within.n > 0) {
            /* No drift explains it: back to one offset. */
            hc_clock_set_fini(&s->all);
            status = solve_whole(s, &has_drift, contradiction, err);
        } else if (status == HC_OK) {
            s->collectives->has_drift = true;
            find_drifts(s);
            hc_contradiction_fini(contradiction);
            *contradiction = within;
            within = (struct hc_contradiction){0};
        }
    }
    hc_contradiction_fini(&within);
    free(numbers);
    return status;
}

enum hc_status hc_profile_clocks_find(struct hc_collectives *collectives,
                                      const struct hc_profile *profile,
                                      struct hc_contradiction *contradiction, struct hc_error *err)
{
    size_t n = profile->n_ranks;
    struct solver s = {.collectives = collectives, .profile = profile};
    *contradiction = (struct hc_contradiction){0};
    s.origin_ns = hc_new_array(n, sizeof *s.origin_ns, err);
    s.low_ns = s.origin_ns ? hc_new_array(n, sizeof *s.low_ns, err) : NULL;
    s.high_ns = s.low_ns ? hc_new_array(n, sizeof *s.high_ns, err) : NULL;
    s.tie = s.high_ns ? hc_new_array(n, sizeof *s.tie, err) : NULL;
    enum hc_status status = s.tie ? HC_OK : err->status;
    if (status == HC_OK) {
        choose_origins(&s);
        tie_ranks(&s);
        status = solve(&s, contradiction, err);
    }
    hc_clock_set_fini(&s.all);
    free(s.origin_ns);
    free(s.low_ns);
    free(s.high_ns);
    free(s.tie);
    return status;
}

/* ---- times on the clocks that were found ---- */

/* The offset at a time of the rank's own clock. */
static int64_t offset_at(const struct hc_rank_clock *clock, int64_t ns)
{
    size_t low = 0, high = clock->n_segments;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (clock->segments[middle].from_ns <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    if (clock->n_segments == 0)
        return clock->offset_ns;
    return clock->segments[low > 0 ? low - 1 : 0].offset_ns;
}

/* Offsets may be as long as 64 bits; the result is a time again, whatever wraps on the way. */
static int64_t without(int64_t ns, int64_t offset_ns)
{
    return (int64_t)((uint64_t)ns - (uint64_t)offset_ns);
}

int64_t hc_aligned_ns(const struct hc_collectives *collectives, size_t rank_index, int64_t ns)
{
    return without(ns, offset_at(&collectives->clocks[rank_index], ns));
}

void hc_aligned_kernel(const struct hc_collectives *collectives, const struct hc_profile *profile,
                       uint32_t kernel, int64_t *start_ns, int64_t *end_ns)
{
    const struct hc_comm_kernel *k = &collectives->kernels[kernel];
    const struct hc_table *gpu = &profile->ranks[k->rank_index].table[HC_PROFILE_GPU];
    int64_t ns = hc_table_i64(gpu, HC_GPU_START_NS)[k->row];
    *start_ns = hc_aligned_ns(collectives, k->rank_index, ns);
    *end_ns = without(*start_ns, -hc_table_i64(gpu, HC_GPU_DURATION_NS)[k->row]);
}
