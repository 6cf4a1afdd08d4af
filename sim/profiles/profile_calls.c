/* profile_calls.c - which calls are points of the graph: those that launch, synchronise or make a
 * stream wait, each the outermost of its kind. */
#include "sim/profiles/profile_scan.h"

#include "core/base/memory.h"

#include <stdlib.h>

static enum hc_status mark_launches(struct hc_rank_scan *scan, struct hc_error *err)
{
    const struct hc_table *calls = &scan->rank->table[HC_PROFILE_CALLS];
    const struct hc_table *gpu = &scan->rank->table[HC_PROFILE_GPU];
    scan->call_flags = hc_new_array(calls->n_rows, 1, err);
    scan->outer = hc_new_aligned(calls->n_rows, sizeof *scan->outer, err);
    scan->call_thread = hc_new_aligned(calls->n_rows, sizeof *scan->call_thread, err);
    if (!scan->call_flags || !scan->outer || !scan->call_thread)
        return err->status;
    for (size_t i = 0; i < gpu->n_rows; i++)
        if (scan->rank->launch[i] != HC_NO_ROW)
            scan->call_flags[scan->rank->launch[i]] = HC_CALL_LAUNCHES;
    return HC_OK;
}

/* The shortest call of each name. */
static enum hc_status find_shortest(struct hc_rank_scan *scan, size_t n_names, struct hc_error *err)
{
    const struct hc_table *calls = &scan->rank->table[HC_PROFILE_CALLS];
    const int64_t *duration = hc_table_i64(calls, HC_CALLS_DURATION_NS);
    scan->shortest_ns = hc_new_array(n_names, sizeof *scan->shortest_ns, err);
    if (!scan->shortest_ns)
        return err->status;
    for (size_t i = 0; i < n_names; i++)
        scan->shortest_ns[i] = INT64_MAX;
    for (size_t i = 0; i < calls->n_rows; i++) {
        int32_t name = hc_scan_call_name(scan, i);
        if (name >= 0 && duration[i] < scan->shortest_ns[name])
            scan->shortest_ns[name] = duration[i];
    }
    return HC_OK;
}

/* Rows are sorted by start, longer first: an outer call comes before what is nested in it. */
static enum hc_status find_outer(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                                 struct hc_error *err)
{
    const struct hc_table *calls = &scan->rank->table[HC_PROFILE_CALLS];
    const int32_t *thread = hc_table_i32(calls, HC_CALLS_THREAD);
    uint32_t *last = NULL; /* outer call of each thread */
    size_t n_threads = 0, capacity = 0;
    enum hc_status status = HC_OK;
    for (size_t i = 0; status == HC_OK && i < calls->n_rows; i++) {
        int32_t name = hc_scan_call_name(scan, i), dense;
        enum hc_call_class class = name >= 0 ? window->call_class[name] : HC_CALL_OTHER;
        bool counts = scan->call_flags[i] & HC_CALL_LAUNCHES ||
                      (class != HC_CALL_OTHER && class != HC_CALL_COPY_ASYNC);
        scan->outer[i] = HC_NO_ROW;
        scan->call_thread[i] = -1;
        if (!counts || hc_scan_step_at(scan, hc_scan_call_start(scan, i)) == HC_NO_STEP)
            continue;
        status = hc_scan_thread(scan, thread[i], &dense, err);
        if (status == HC_OK && (size_t)dense >= capacity)
            status = hc_reserve(&last, &capacity, (size_t)dense + 1, sizeof *last, err);
        if (status != HC_OK)
            break;
        while (n_threads <= (size_t)dense)
            last[n_threads++] = HC_NO_ROW;
        uint32_t outer = last[dense];
        bool is_nested = outer != HC_NO_ROW &&
                         hc_scan_call_start(scan, i) < hc_scan_call_end(scan, outer) &&
                         hc_scan_call_end(scan, i) <= hc_scan_call_end(scan, outer);
        scan->outer[i] = is_nested ? outer : (uint32_t)i;
        if (is_nested)
            scan->call_flags[outer] |= scan->call_flags[i];
        else
            last[dense] = (uint32_t)i;
        scan->call_thread[i] = dense;
    }
    free(last);
    return status;
}

enum hc_status hc_scan_calls(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                             struct hc_error *err)
{
    int32_t main_thread;
    if (hc_scan_thread(scan, scan->rank->main_thread, &main_thread, err) ||
        mark_launches(scan, err) || find_shortest(scan, window->n_names, err))
        return err->status;
    return find_outer(scan, window, err);
}
