#include "sim/profiles/profile_scan.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

static enum hc_status find_bounds(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                                  struct hc_error *err)
{
    scan->n_steps = window->n_steps;
    scan->bound_ns = hc_new_array(window->n_steps + 1, sizeof *scan->bound_ns, err);
    if (!scan->bound_ns)
        return err->status;
    size_t found = 0;
    for (size_t k = 0; k < scan->rank->n_steps && found < window->n_steps; k++) {
        const struct hc_profile_step *step = &scan->rank->steps[k];
        if (step->number != window->numbers[found])
            continue;
        scan->bound_ns[found++] = step->cpu_start_ns;
        scan->bound_ns[found] = step->cpu_end_ns;
    }
    if (found < window->n_steps)
        return hc_fail(err, HC_BAD_INPUT,
                       "'%s' has not the steps of the other ranks in their order",
                       scan->rank->name);
    return HC_OK;
}

static int compare_waits(const void *a, const void *b)
{
    const struct hc_scan_wait *one = a, *other = b;
    if (one->kind != other->kind)
        return one->kind < other->kind ? -1 : 1;
    if (one->target != other->target)
        return one->target < other->target ? -1 : 1;
    if (one->source_of != other->source_of)
        return one->source_of < other->source_of ? -1 : 1;
    return (one->source > other->source) - (one->source < other->source);
}

static int compare_crossings(const void *a, const void *b)
{
    const struct hc_scan_crossing *one = a, *other = b;
    return (one->source > other->source) - (one->source < other->source);
}

/* The sources that a later step needs, each once with the last step that does. */
static enum hc_status find_crossings(struct hc_rank_scan *scan, struct hc_error *err)
{
    for (size_t i = 0; i < scan->n_waits; i++) {
        const struct hc_scan_wait *wait = &scan->waits[i];
        int32_t from = hc_scan_source_step(scan, wait), to = hc_scan_target_step(scan, wait);
        if (from >= to)
            continue;
        if (scan->n_crossings == scan->crossing_capacity &&
            hc_reserve(&scan->crossings, &scan->crossing_capacity, scan->n_crossings + 1,
                       sizeof *scan->crossings, err))
            return err->status;
        scan->crossings[scan->n_crossings++] =
            (struct hc_scan_crossing){.source = (uint64_t)wait->source_of << 32 | wait->source,
                                      .step = from,
                                      .last_step = to,
                                      .slot = HC_NO_POINT};
    }
    if (scan->n_crossings)
        qsort(scan->crossings, scan->n_crossings, sizeof *scan->crossings, compare_crossings);
    size_t n = 0;
    for (size_t i = 0; i < scan->n_crossings; i++) {
        if (n > 0 && scan->crossings[n - 1].source == scan->crossings[i].source) {
            struct hc_scan_crossing *held = &scan->crossings[n - 1];
            if (scan->crossings[i].last_step > held->last_step)
                held->last_step = scan->crossings[i].last_step;
        } else {
            scan->crossings[n++] = scan->crossings[i];
        }
    }
    scan->n_crossings = n;
    return HC_OK;
}

enum hc_status hc_scan_rank(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                            size_t rank_index, struct hc_error *err)
{
    *scan = (struct hc_rank_scan){.rank = &window->profile->ranks[rank_index],
                                  .rank_index = rank_index};
    enum hc_status status = HC_OK;
    if (find_bounds(scan, window, err) || hc_scan_calls(scan, window, err) ||
        hc_scan_streams(scan, err) || hc_scan_wakes(scan, window, err) ||
        hc_scan_waits(scan, window, err))
        status = err->status;
    if (status == HC_OK && scan->n_waits)
        qsort(scan->waits, scan->n_waits, sizeof *scan->waits, compare_waits);
    return status == HC_OK ? find_crossings(scan, err) : status;
}

void hc_scan_rank_fini(struct hc_rank_scan *scan)
{
    free(scan->bound_ns);
    free(scan->outer);
    free(scan->call_flags);
    free(scan->call_thread);
    hc_int_map_fini(&scan->threads);
    free(scan->gpu_step);
    free(scan->stream);
    free(scan->in_step);
    free(scan->first_in_step);
    free(scan->gpu_flags);
    free(scan->by_launch);
    free(scan->launched);
    free(scan->latest);
    free(scan->first_launched);
    free(scan->stream_number);
    free(scan->shortest_ns);
    free(scan->extras);
    free(scan->waits);
    free(scan->crossings);
    memset(scan, 0, sizeof *scan);
}
