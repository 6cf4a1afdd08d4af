/* scan_window.c - the window of a replay, and what the passes of a scan share. */
#include "sim/profiles/profile_scan.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A name without the suffix of a version or of the default stream ("_v2", "_ptsz"). */
static size_t bare_length(const char *name)
{
    const char *suffix = strchr(name, '_');
    return suffix ? (size_t)(suffix - name) : strlen(name);
}

static bool is_one_of(const char *name, size_t length, const char *const *list)
{
    for (; *list; list++)
        if (strlen(*list) == length && !strncmp(name, *list, length))
            return true;
    return false;
}

static enum hc_call_class class_of(const char *name)
{
    static const char *const device[] = {"cudaDeviceSynchronize", "hipDeviceSynchronize",
                                         "cuCtxSynchronize", NULL};
    static const char *const stream[] = {"cudaStreamSynchronize", "hipStreamSynchronize",
                                         "cuStreamSynchronize", NULL};
    static const char *const event[] = {"cudaEventSynchronize", "hipEventSynchronize",
                                        "cuEventSynchronize", NULL};
    static const char *const copy[] = {"cudaMemcpy", "hipMemcpy", NULL};
    size_t length = bare_length(name);
    if (is_one_of(name, length, device))
        return HC_CALL_SYNC_DEVICE;
    if (is_one_of(name, length, stream))
        return HC_CALL_SYNC_STREAM;
    if (is_one_of(name, length, event))
        return HC_CALL_SYNC_EVENT;
    if (is_one_of(name, length, copy))
        return HC_CALL_COPY;
    if (strstr(name, "StreamWaitEvent"))
        return HC_CALL_WAITS_EVENT;
    return strstr(name, "Memcpy") ? HC_CALL_COPY_ASYNC : HC_CALL_OTHER;
}

enum hc_status hc_scan_window_init(struct hc_scan_window *window, const struct hc_profile *profile,
                                   const struct hc_collectives *collectives, struct hc_error *err)
{
    *window = (struct hc_scan_window){.profile = profile, .collectives = collectives};
    const struct hc_text_set *set = hc_profile_dictionary(profile, "event");
    window->n_names = set ? set->n : 0;
    window->call_class = hc_new_array(window->n_names, 1, err);
    if (!window->call_class)
        return err->status;
    for (size_t i = 0; i < window->n_names; i++)
        window->call_class[i] = (uint8_t)class_of(set->text[i]);
    return HC_OK;
}

enum hc_status hc_profile_whatif_choose(struct hc_profile_whatif_options *options,
                                        const struct hc_step_ranges *steps, struct hc_error *err)
{
    options->first_step = options->last_step = HC_MISSING_I64;
    if (!steps || steps->n == 0)
        return HC_OK;
    if (steps->n > 1)
        return hc_fail(err, HC_USAGE, "the window of profiler traces is one range, as 10-12");
    options->first_step = steps->range[0][0];
    options->last_step = steps->range[0][1];
    return HC_OK;
}

enum hc_status hc_scan_window_choose(struct hc_scan_window *window,
                                     const struct hc_profile_whatif_options *options,
                                     struct hc_error *err)
{
    const struct hc_profile *profile = window->profile;
    int64_t low = options->first_step, high = options->last_step;
    size_t first = 0, end = profile->n_common_steps;
    while (low != HC_MISSING_I64 && first < end && profile->common_steps[first] < low)
        first++;
    while (high != HC_MISSING_I64 && end > first && profile->common_steps[end - 1] > high)
        end--;
    if (first == end)
        return hc_fail(err, HC_BAD_INPUT,
                       profile->n_common_steps ? "no step that all ranks have is among the wanted"
                                               : "the ranks have no step in common");
    window->n_steps = end - first;
    window->numbers = profile->common_steps + first;
    return HC_OK;
}

void hc_scan_window_fini(struct hc_scan_window *window)
{
    free(window->call_class);
    memset(window, 0, sizeof *window);
}

int32_t hc_scan_step_at(const struct hc_rank_scan *scan, int64_t ns)
{
    size_t low = 0, high = scan->n_steps + 1;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (scan->bound_ns[middle] <= ns)
            low = middle + 1;
        else
            high = middle;
    }
    return low == 0 || low == scan->n_steps + 1 ? HC_NO_STEP : (int32_t)(low - 1);
}

enum hc_status hc_scan_thread(struct hc_rank_scan *scan, int32_t code, int32_t *thread,
                              struct hc_error *err)
{
    size_t entry;
    if (hc_int_map_insert(&scan->threads, (uint32_t)code, (int32_t)scan->threads.n, &entry, err))
        return err->status;
    *thread = scan->threads.values[entry];
    return HC_OK;
}

enum hc_status hc_scan_add_wait(struct hc_rank_scan *scan, struct hc_scan_wait wait,
                                struct hc_error *err)
{
    if (scan->n_waits == scan->wait_capacity &&
        hc_reserve(&scan->waits, &scan->wait_capacity, scan->n_waits + 1, sizeof *scan->waits, err))
        return err->status;
    scan->waits[scan->n_waits++] = wait;
    return HC_OK;
}

int32_t hc_scan_source_step(const struct hc_rank_scan *scan, const struct hc_scan_wait *wait)
{
    if (wait->source_of == HC_SOURCE_GPU_END)
        return scan->gpu_step[wait->source];
    if (wait->source_of == HC_SOURCE_EXTRA)
        return scan->extras[wait->source].step;
    return hc_scan_step_at(scan, hc_scan_call_start(scan, wait->source));
}

int32_t hc_scan_target_step(const struct hc_rank_scan *scan, const struct hc_scan_wait *wait)
{
    if (wait->kind == HC_EDGE_EVENT)
        return scan->gpu_step[wait->target];
    if (wait->kind == HC_EDGE_WAKE)
        return scan->extras[wait->target].step;
    return hc_scan_step_at(scan, hc_scan_call_start(scan, wait->target));
}
