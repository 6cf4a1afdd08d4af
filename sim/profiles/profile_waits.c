/* profile_waits.c - waits that a trace shows: streams that wait for events of other streams, and
 * calls that wait for the GPU. */
#include "sim/profiles/profile_scan.h"

#include "core/base/memory.h"

#include <stdlib.h>
#include <string.h>

/* A row of syncs that belongs to a call, and the call that recorded the awaited event. */
struct finder {
    struct hc_rank_scan *scan;
    const struct hc_scan_window *window;
    struct hc_int_map sync_of;   /* correlation of the waiting call to row of syncs */
    struct hc_int_map record_of; /* correlation to row of calls */
    uint32_t *first_gpu;         /* of an outer call: the first GPU event that it launched */
    size_t n_pending, pending_capacity;
    uint32_t *pending; /* calls that make a stream wait and whose thread has not launched since */
};

static enum hc_call_class class_of(const struct finder *f, size_t row)
{
    int32_t name = hc_scan_call_name(f->scan, row);
    return name >= 0 ? f->window->call_class[name] : HC_CALL_OTHER;
}

static enum hc_status index_syncs(struct finder *f, struct hc_error *err)
{
    const struct hc_table *syncs = &f->scan->rank->table[HC_PROFILE_SYNCS];
    const struct hc_table *calls = &f->scan->rank->table[HC_PROFILE_CALLS];
    const int64_t *correlation = hc_table_i64(syncs, HC_SYNCS_CORRELATION);
    const int64_t *record = hc_table_i64(syncs, HC_SYNCS_RECORD_CORRELATION);
    const int64_t *of_call = hc_table_i64(calls, HC_CALLS_CORRELATION);
    size_t entry;
    for (size_t i = 0; i < syncs->n_rows; i++) {
        if (correlation[i] > 0 &&
            hc_int_map_insert(&f->sync_of, (uint64_t)correlation[i], (int32_t)i, &entry, err))
            return err->status;
        if (record[i] > 0 && hc_int_map_insert(&f->record_of, (uint64_t)record[i], -1, &entry, err))
            return err->status;
    }
    for (size_t i = 0; f->record_of.n && i < calls->n_rows; i++) {
        int64_t at = of_call[i] > 0 ? hc_int_map_find(&f->record_of, (uint64_t)of_call[i]) : -1;
        if (at >= 0 && f->record_of.values[at] < 0)
            f->record_of.values[at] = (int32_t)i;
    }
    return HC_OK;
}

/* The row of syncs of a call, or -1. */
static int64_t sync_of_call(const struct finder *f, size_t row)
{
    int64_t id = hc_table_i64(&f->scan->rank->table[HC_PROFILE_CALLS], HC_CALLS_CORRELATION)[row];
    int64_t at = id > 0 ? hc_int_map_find(&f->sync_of, (uint64_t)id) : -1;
    return at < 0 ? -1 : f->sync_of.values[at];
}

/* The call that recorded the event of a row of syncs, or -1. */
static int64_t record_of_sync(const struct finder *f, int64_t sync)
{
    if (sync < 0)
        return -1;
    int64_t id =
        hc_table_i64(&f->scan->rank->table[HC_PROFILE_SYNCS], HC_SYNCS_RECORD_CORRELATION)[sync];
    int64_t at = id > 0 ? hc_int_map_find(&f->record_of, (uint64_t)id) : -1;
    return at < 0 ? -1 : f->record_of.values[at];
}

/* How many events of a stream were launched before a call. */
static size_t launched_before(const struct hc_rank_scan *scan, size_t stream, size_t call)
{
    size_t low = scan->first_launched[stream], high = scan->first_launched[stream + 1];
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        uint32_t launch = hc_scan_launch(scan, scan->launched[middle]);
        if (launch == HC_NO_ROW || launch < call)
            low = middle + 1;
        else
            high = middle;
    }
    return low - scan->first_launched[stream];
}

/* The n-th event of a stream in launch order. */
static uint32_t nth_launched(const struct hc_rank_scan *scan, size_t stream, size_t n)
{
    return scan->launched[scan->first_launched[stream] + n];
}

static enum hc_status add_event(struct finder *f, uint32_t source, uint32_t target,
                                struct hc_error *err)
{
    f->scan->gpu_flags[target] |= HC_CALL_HAS_WAITS;
    return hc_scan_add_wait(f->scan,
                            (struct hc_scan_wait){.target = target,
                                                  .source = source,
                                                  .kind = HC_EDGE_EVENT,
                                                  .source_of = HC_SOURCE_GPU_END},
                            err);
}

/* ---- streams that wait ---- */

/* With ids the trace says which stream waits for what. */
static enum hc_status wait_by_id(struct finder *f, size_t call, int64_t sync, size_t record,
                                 struct hc_error *err)
{
    const struct hc_table *syncs = &f->scan->rank->table[HC_PROFILE_SYNCS];
    int32_t waits = hc_table_i32(syncs, HC_SYNCS_STREAM)[sync];
    int32_t awaited = hc_table_i32(syncs, HC_SYNCS_AWAITED_STREAM)[sync];
    const struct hc_rank_scan *scan = f->scan;
    for (size_t s = 0; s < scan->n_streams; s++) {
        size_t n = scan->stream_number[s] == awaited ? launched_before(scan, s, record) : 0;
        for (size_t t = 0; n > 0 && t < scan->n_streams; t++) {
            size_t next = launched_before(scan, t, call);
            size_t n_on_stream = scan->first_launched[t + 1] - scan->first_launched[t];
            if (t == s || scan->stream_number[t] != waits || next == n_on_stream)
                continue;
            if (add_event(f, nth_launched(scan, s, n - 1), nth_launched(scan, t, next), err))
                return err->status;
        }
    }
    return HC_OK;
}

/* Without ids: what a thread launches next waits for the other streams, as far as they were done.
 */
static enum hc_status wait_by_order(struct finder *f, size_t call, uint32_t target,
                                    struct hc_error *err)
{
    const struct hc_rank_scan *scan = f->scan;
    for (size_t s = 0; s < scan->n_streams; s++) {
        size_t n = s == scan->stream[target] ? 0 : launched_before(scan, s, call);
        if (n == 0)
            continue;
        uint32_t source = nth_launched(scan, s, n - 1);
        if (hc_scan_gpu_end(scan, source) <= hc_scan_gpu_start(scan, target) &&
            add_event(f, source, target, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status end_pending(struct finder *f, size_t call, struct hc_error *err)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->n_pending; i++) {
        uint32_t waits = f->pending[i];
        if (f->scan->call_thread[waits] != f->scan->call_thread[call])
            f->pending[kept++] = waits;
        else if (wait_by_order(f, waits, f->first_gpu[call], err))
            return err->status;
    }
    f->n_pending = kept;
    return HC_OK;
}

static enum hc_status take_wait_call(struct finder *f, size_t call, struct hc_error *err)
{
    int64_t sync = sync_of_call(f, call), record = record_of_sync(f, sync);
    if (record >= 0)
        return wait_by_id(f, call, sync, (size_t)record, err);
    if (f->n_pending == f->pending_capacity &&
        hc_reserve(&f->pending, &f->pending_capacity, f->n_pending + 1, sizeof *f->pending, err))
        return err->status;
    f->pending[f->n_pending++] = (uint32_t)call;
    return HC_OK;
}

/* ---- calls that wait ---- */

/* The events that a call waits for, at most one a stream. */
struct awaited {
    size_t n;
    uint32_t *rows;
};

/* Of each stream concerned, the event that ends last among those launched before `limit`, if it
 * ends within the call. stream: a number, or HC_MISSING_I32 for all. */
static void find_awaited(const struct finder *f, size_t call, size_t limit, int32_t stream,
                         struct awaited *awaited)
{
    const struct hc_rank_scan *scan = f->scan;
    for (size_t s = 0; s < scan->n_streams; s++) {
        if (stream != HC_MISSING_I32 && scan->stream_number[s] != stream)
            continue;
        size_t n = launched_before(scan, s, limit);
        if (n == 0)
            continue;
        uint32_t last = scan->latest[scan->first_launched[s] + n - 1];
        if (hc_scan_gpu_end(scan, last) <= hc_scan_call_end(scan, call))
            awaited->rows[awaited->n++] = last;
    }
}

static void keep_latest(const struct finder *f, struct awaited *awaited)
{
    for (size_t i = 1; i < awaited->n; i++)
        if (hc_scan_gpu_end(f->scan, awaited->rows[i]) > hc_scan_gpu_end(f->scan, awaited->rows[0]))
            awaited->rows[0] = awaited->rows[i];
    awaited->n = awaited->n > 0;
}

/* A copy waits for the last of its own events where all end inside it. */
static void find_copied(const struct finder *f, size_t call, struct awaited *awaited)
{
    const struct hc_rank_scan *scan = f->scan;
    int64_t last = INT64_MIN;
    for (size_t s = 0; s < scan->n_streams; s++) {
        size_t n_on_stream = scan->first_launched[s + 1] - scan->first_launched[s];
        for (size_t n = launched_before(scan, s, call); n < n_on_stream; n++) {
            uint32_t row = nth_launched(scan, s, n);
            if (hc_scan_launch(scan, row) != call)
                break;
            if (hc_scan_gpu_end(scan, row) > hc_scan_call_end(scan, call)) {
                awaited->n = 0;
                return;
            }
            if (hc_scan_gpu_end(scan, row) > last) {
                last = hc_scan_gpu_end(scan, row);
                awaited->rows[0] = row;
                awaited->n = 1;
            }
        }
    }
}

static void find_stream_sync(const struct finder *f, size_t call, struct awaited *awaited)
{
    int64_t sync = sync_of_call(f, call);
    int32_t stream = HC_MISSING_I32;
    if (sync >= 0)
        stream = hc_table_i32(&f->scan->rank->table[HC_PROFILE_SYNCS], HC_SYNCS_STREAM)[sync];
    bool is_known = stream != HC_MISSING_I32 && stream >= 0;
    find_awaited(f, call, call, is_known ? stream : HC_MISSING_I32, awaited);
    if (!is_known)
        keep_latest(f, awaited);
}

static void find_event_sync(const struct finder *f, size_t call, struct awaited *awaited)
{
    int64_t sync = sync_of_call(f, call), record = record_of_sync(f, sync);
    int32_t stream = HC_MISSING_I32;
    if (sync >= 0)
        stream =
            hc_table_i32(&f->scan->rank->table[HC_PROFILE_SYNCS], HC_SYNCS_AWAITED_STREAM)[sync];
    bool is_known = record >= 0 && stream != HC_MISSING_I32 && stream >= 0;
    find_awaited(f, call, is_known ? (size_t)record : call, is_known ? stream : HC_MISSING_I32,
                 awaited);
    if (!is_known)
        keep_latest(f, awaited);
}

static enum hc_status take_sync_call(struct finder *f, size_t call, enum hc_call_class class,
                                     struct awaited *awaited, struct hc_error *err)
{
    struct hc_rank_scan *scan = f->scan;
    awaited->n = 0;
    if (class == HC_CALL_SYNC_DEVICE)
        find_awaited(f, call, call, HC_MISSING_I32, awaited);
    else if (class == HC_CALL_SYNC_STREAM)
        find_stream_sync(f, call, awaited);
    else if (class == HC_CALL_SYNC_EVENT)
        find_event_sync(f, call, awaited);
    else if (scan->call_flags[call] & HC_CALL_LAUNCHES)
        find_copied(f, call, awaited);
    else
        find_awaited(f, call, call, HC_MISSING_I32, awaited);
    int64_t last = INT64_MIN;
    for (size_t i = 0; i < awaited->n; i++) {
        int64_t end = hc_scan_gpu_end(scan, awaited->rows[i]);
        last = end > last ? end : last;
    }
    if (awaited->n == 0)
        return HC_OK;
    bool reaches_in = last > hc_scan_call_start(scan, call);
    int64_t after = reaches_in ? last : hc_scan_call_start(scan, call);
    scan->call_flags[call] |= HC_CALL_HAS_WAITS | (reaches_in ? HC_CALL_SHORTENED : 0);
    for (size_t i = 0; i < awaited->n; i++)
        if (hc_scan_add_wait(scan,
                             (struct hc_scan_wait){.w_ns = hc_scan_call_end(scan, call) - after,
                                                   .target = (uint32_t)call,
                                                   .source = awaited->rows[i],
                                                   .kind = HC_EDGE_SYNC,
                                                   .source_of = HC_SOURCE_GPU_END},
                             err))
            return err->status;
    return HC_OK;
}

static enum hc_status find_first_launched(struct finder *f, struct hc_error *err)
{
    const struct hc_rank_scan *scan = f->scan;
    size_t n_calls = scan->rank->table[HC_PROFILE_CALLS].n_rows;
    f->first_gpu = hc_new_aligned(n_calls, sizeof *f->first_gpu, err);
    if (!f->first_gpu)
        return err->status;
    memset(f->first_gpu, 0xff, n_calls * sizeof *f->first_gpu);
    for (size_t i = 0; i < scan->rank->table[HC_PROFILE_GPU].n_rows; i++) {
        uint32_t launch = scan->gpu_step[i] == HC_NO_STEP ? HC_NO_ROW : hc_scan_launch(scan, i);
        if (launch != HC_NO_ROW && f->first_gpu[launch] == HC_NO_ROW)
            f->first_gpu[launch] = (uint32_t)i;
    }
    return HC_OK;
}

static enum hc_status take_calls(struct finder *f, struct hc_error *err)
{
    const struct hc_rank_scan *scan = f->scan;
    struct awaited awaited = {0};
    awaited.rows = hc_new_array(scan->n_streams, sizeof *awaited.rows, err);
    enum hc_status status = awaited.rows ? HC_OK : err->status;
    for (size_t i = 0; status == HC_OK && i < scan->rank->table[HC_PROFILE_CALLS].n_rows; i++) {
        if (scan->outer[i] != i)
            continue;
        enum hc_call_class class = class_of(f, i);
        if (f->first_gpu[i] != HC_NO_ROW)
            status = end_pending(f, i, err);
        if (status == HC_OK && class == HC_CALL_WAITS_EVENT)
            status = take_wait_call(f, i, err);
        else if (status == HC_OK && class != HC_CALL_OTHER)
            status = take_sync_call(f, i, class, &awaited, err);
    }
    free(awaited.rows);
    return status;
}

enum hc_status hc_scan_waits(struct hc_rank_scan *scan, const struct hc_scan_window *window,
                             struct hc_error *err)
{
    struct finder f = {.scan = scan, .window = window};
    enum hc_status status = HC_OK;
    if (index_syncs(&f, err) || find_first_launched(&f, err) || take_calls(&f, err))
        status = err->status;
    free(f.first_gpu);
    free(f.pending);
    hc_int_map_fini(&f.sync_of);
    hc_int_map_fini(&f.record_of);
    return status;
}
