/* profile_streams.c - the GPU events of the window: their steps and streams, the order in which
 * they were launched, and the least latencies of the rank. */
#include "sim/profiles/profile_scan.h"

#include "core/base/memory.h"

#include <stdlib.h>

#define MOST_LATENCY_NS 10000

static size_t n_gpu(const struct hc_rank_scan *scan)
{
    return scan->rank->table[HC_PROFILE_GPU].n_rows;
}

/* An event is of the step in which it was launched; one that nobody launched, of that in which it
 * began. */
static enum hc_status find_steps(struct hc_rank_scan *scan, struct hc_error *err)
{
    size_t n = n_gpu(scan);
    scan->gpu_step = hc_new_aligned(n, sizeof *scan->gpu_step, err);
    scan->gpu_flags = hc_new_array(n, 1, err);
    scan->first_in_step = hc_new_array(scan->n_steps + 2, sizeof *scan->first_in_step, err);
    scan->in_step = hc_new_aligned(n, sizeof *scan->in_step, err);
    if (!scan->gpu_step || !scan->gpu_flags || !scan->first_in_step || !scan->in_step)
        return err->status;
    int64_t begin = scan->bound_ns[0];
    for (size_t i = 0; i < n; i++) {
        uint32_t launch = hc_scan_launch(scan, i);
        int64_t start = hc_scan_gpu_start(scan, i);
        if (scan->rank->launch[i] != HC_NO_ROW)
            scan->gpu_step[i] = launch == HC_NO_ROW
                                    ? HC_NO_STEP
                                    : hc_scan_step_at(scan, hc_scan_call_start(scan, launch));
        else if (start < begin && hc_scan_gpu_end(scan, i) > begin)
            scan->gpu_step[i] = 0;
        else
            scan->gpu_step[i] = hc_scan_step_at(scan, start);
        if (scan->gpu_step[i] != HC_NO_STEP)
            scan->first_in_step[scan->gpu_step[i] + 2]++;
    }
    for (size_t k = 2; k < scan->n_steps + 2; k++)
        scan->first_in_step[k] += scan->first_in_step[k - 1];
    for (size_t i = 0; i < n; i++)
        if (scan->gpu_step[i] != HC_NO_STEP)
            scan->in_step[scan->first_in_step[scan->gpu_step[i] + 1]++] = (uint32_t)i;
    return HC_OK;
}

static enum hc_status find_streams(struct hc_rank_scan *scan, struct hc_error *err)
{
    size_t n = n_gpu(scan), entry;
    const struct hc_table *gpu = &scan->rank->table[HC_PROFILE_GPU];
    const int32_t *device = hc_table_i32(gpu, HC_GPU_DEVICE);
    const int32_t *number = hc_table_i32(gpu, HC_GPU_STREAM);
    struct hc_int_map map = {0};
    enum hc_status status = HC_OK;
    scan->stream = hc_new_array(n, sizeof *scan->stream, err);
    if (!scan->stream)
        return err->status;
    for (size_t i = 0; status == HC_OK && i < n; i++) {
        if (scan->gpu_step[i] == HC_NO_STEP)
            continue;
        uint64_t key = (uint64_t)(uint32_t)device[i] << 32 | (uint32_t)number[i];
        status = hc_int_map_insert(&map, key, (int32_t)map.n, &entry, err);
        if (status == HC_OK && map.n > UINT16_MAX)
            status = hc_fail(err, HC_BAD_INPUT, "'%s' has more than %d streams", scan->rank->name,
                             UINT16_MAX);
        if (status == HC_OK)
            scan->stream[i] = (uint16_t)map.values[entry];
    }
    scan->n_streams = map.n;
    scan->stream_number = hc_new_array(map.n, sizeof *scan->stream_number, err);
    for (size_t s = 0; scan->stream_number && s < map.n; s++)
        scan->stream_number[s] = (int32_t)(uint32_t)map.keys[s];
    hc_int_map_fini(&map);
    return scan->stream_number ? status : err->status;
}

/* Rows by the call that launched them: those that nobody launched first. */
static enum hc_status sort_by_launch(const struct hc_rank_scan *scan, uint32_t *sorted,
                                     size_t *n_sorted, struct hc_error *err)
{
    size_t n_calls = scan->rank->table[HC_PROFILE_CALLS].n_rows, n = n_gpu(scan);
    uint32_t *first = hc_new_array(n_calls + 2, sizeof *first, err);
    if (!first)
        return err->status;
    *n_sorted = 0;
    for (size_t i = 0; i < n; i++)
        if (scan->gpu_step[i] != HC_NO_STEP) {
            uint32_t launch = hc_scan_launch(scan, i);
            first[launch == HC_NO_ROW ? 1 : launch + 2]++;
            ++*n_sorted;
        }
    for (size_t c = 1; c < n_calls + 2; c++)
        first[c] += first[c - 1];
    for (size_t i = 0; i < n; i++)
        if (scan->gpu_step[i] != HC_NO_STEP) {
            uint32_t launch = hc_scan_launch(scan, i);
            sorted[first[launch == HC_NO_ROW ? 0 : launch + 1]++] = (uint32_t)i;
        }
    free(first);
    return HC_OK;
}

static enum hc_status find_launch_order(struct hc_rank_scan *scan, struct hc_error *err)
{
    size_t n = n_gpu(scan), n_sorted = 0;
    uint32_t *sorted = scan->by_launch = hc_new_aligned(n, sizeof *sorted, err);
    scan->launched = hc_new_aligned(n, sizeof *scan->launched, err);
    scan->latest = hc_new_aligned(n, sizeof *scan->latest, err);
    scan->first_launched = hc_new_array(scan->n_streams + 2, sizeof *scan->first_launched, err);
    enum hc_status status = sorted && scan->launched && scan->latest && scan->first_launched
                                ? sort_by_launch(scan, sorted, &n_sorted, err)
                                : err->status;
    if (status == HC_OK) {
        size_t *first = scan->first_launched;
        for (size_t i = 0; i < n_sorted; i++)
            first[scan->stream[sorted[i]] + 2]++;
        for (size_t s = 2; s < scan->n_streams + 2; s++)
            first[s] += first[s - 1];
        for (size_t i = 0; i < n_sorted; i++) {
            size_t at = first[scan->stream[sorted[i]] + 1]++;
            scan->launched[at] = scan->latest[at] = sorted[i];
        }
        for (size_t s = 0; s < scan->n_streams; s++)
            for (size_t at = first[s] + 1; at < first[s + 1]; at++)
                if (hc_scan_gpu_end(scan, scan->latest[at - 1]) >=
                    hc_scan_gpu_end(scan, scan->latest[at]))
                    scan->latest[at] = scan->latest[at - 1];
    }
    scan->n_by_launch = n_sorted;
    return status;
}

/* Least latency of each class among events whose stream was empty when they were launched, else of
 * all, and the least gap of a stream. */
static enum hc_status find_latencies(struct hc_rank_scan *scan, struct hc_error *err)
{
    const int32_t *class = hc_table_i32(&scan->rank->table[HC_PROFILE_GPU], HC_GPU_CLASS);
    int64_t *free_from = hc_new_array(scan->n_streams, sizeof *free_from, err);
    int64_t of_empty[3] = {INT64_MAX, INT64_MAX, INT64_MAX}, of_all[3], gap = INT64_MAX;
    if (!free_from)
        return err->status;
    for (size_t s = 0; s < scan->n_streams; s++)
        free_from[s] = INT64_MIN;
    for (size_t k = 0; k < 3; k++)
        of_all[k] = INT64_MAX;
    for (size_t i = 0; i < n_gpu(scan); i++) {
        if (scan->gpu_step[i] == HC_NO_STEP)
            continue;
        size_t s = scan->stream[i], k = (size_t) class[i] < 3 ? (size_t) class[i] : 0;
        uint32_t launch = hc_scan_launch(scan, i);
        int64_t start = hc_scan_gpu_start(scan, i);
        if (launch != HC_NO_ROW) {
            int64_t at = hc_scan_call_start(scan, launch), latency = start - at;
            of_all[k] = latency < of_all[k] ? latency : of_all[k];
            if (free_from[s] <= at && latency < of_empty[k])
                of_empty[k] = latency;
        }
        if (free_from[s] != INT64_MIN && start >= free_from[s] && start - free_from[s] < gap)
            gap = start - free_from[s];
        int64_t end = hc_scan_gpu_end(scan, i);
        free_from[s] = end > free_from[s] ? end : free_from[s];
    }
    free(free_from);
    for (size_t k = 0; k < 3; k++) {
        int64_t latency = of_empty[k] <= MOST_LATENCY_NS ? of_empty[k] : of_all[k];
        scan->latency_ns[k] = latency < MOST_LATENCY_NS ? latency : MOST_LATENCY_NS;
    }
    scan->stream_gap_ns = gap == INT64_MAX ? 0 : gap;
    return HC_OK;
}

enum hc_status hc_scan_streams(struct hc_rank_scan *scan, struct hc_error *err)
{
    if (find_steps(scan, err) || find_streams(scan, err) || find_launch_order(scan, err))
        return err->status;
    return find_latencies(scan, err);
}
