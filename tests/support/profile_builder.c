#include "tests/support/profile_builder.h"

#include "core/base/memory.h"
#include "core/random/philox.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct hc_error err;

static void need(enum hc_status status)
{
    if (!status)
        return;
    fprintf(stderr, "profile builder: %s\n", err.message);
    abort();
}

void profile_begin(struct hc_profile *profile, size_t n_ranks)
{
    memset(profile, 0, sizeof *profile);
    need(hc_table_names_init(&profile->names, hc_profile_tables, &err));
    profile->n_ranks = n_ranks;
    profile->ranks = hc_new_array(n_ranks, sizeof *profile->ranks, &err);
    need(profile->ranks ? HC_OK : err.status);
    for (size_t r = 0; r < n_ranks; r++) {
        struct hc_profile_rank *rank = &profile->ranks[r];
        rank->name = hc_new_text(&err, "rank%zu", r);
        need(rank->name ? HC_OK : err.status);
        rank->rank = (int32_t)r;
        rank->world_size = (int32_t)n_ranks;
        for (size_t t = 0; t < HC_PROFILE_N_TABLES; t++)
            need(hc_table_init(&rank->table[t], hc_profile_tables[t], 8, &err));
        struct hc_table *ranks = &rank->table[HC_PROFILE_RANKS];
        ranks->n_rows = 1;
        for (size_t c = 0; c < HC_RANKS_N_COLUMNS; c++)
            if (hc_ranks_def.columns[c].type == HC_I64)
                hc_table_i64(ranks, c)[0] = 0;
            else
                hc_table_i32(ranks, c)[0] = 0;
        hc_table_i64(ranks, HC_RANKS_FIRST_START_NS)[0] = HC_MISSING_I64;
        hc_table_i64(ranks, HC_RANKS_LAST_END_NS)[0] = HC_MISSING_I64;
        hc_table_i32(ranks, HC_RANKS_RANK)[0] = (int32_t)r;
        hc_table_i32(ranks, HC_RANKS_WORLD_SIZE)[0] = (int32_t)n_ranks;
    }
}

/* The table with room for one more row, whose values are all missing; its index in *row. */
static struct hc_table *new_row(struct hc_profile *profile, size_t rank_index,
                                enum hc_profile_table which, size_t *row)
{
    struct hc_table *table = &profile->ranks[rank_index].table[which];
    need(hc_table_reserve(table, table->n_rows + 1, &err));
    *row = table->n_rows++;
    for (size_t c = 0; c < table->def->n_columns; c++)
        if (table->def->columns[c].type == HC_I64)
            hc_table_i64(table, c)[*row] = HC_MISSING_I64;
        else
            hc_table_i32(table, c)[*row] = HC_MISSING_I32;
    return table;
}

static int32_t code_of(struct hc_profile *profile, const char *dictionary, const char *text)
{
    int32_t code = HC_MISSING_I32;
    for (size_t d = 0; text && d < profile->names.n; d++)
        if (!strcmp(profile->names.dictionary[d], dictionary))
            need(hc_text_set_add(&profile->names.set[d], text, strlen(text), &code, &err));
    return code;
}

static int32_t thread_of(struct hc_profile *profile, const char *thread)
{
    return code_of(profile, "thread", thread ? thread : "1/1");
}

static int64_t positive(int64_t value)
{
    return value > 0 ? value : HC_MISSING_I64;
}

void add_gpu(struct hc_profile *profile, size_t rank_index, struct built_gpu gpu)
{
    size_t row;
    const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_GPU, &row);
    hc_table_i64(table, HC_GPU_START_NS)[row] = gpu.start;
    hc_table_i64(table, HC_GPU_DURATION_NS)[row] = gpu.duration;
    hc_table_i32(table, HC_GPU_DEVICE)[row] = gpu.device;
    hc_table_i32(table, HC_GPU_STREAM)[row] = gpu.stream;
    hc_table_i32(table, HC_GPU_CLASS)[row] = (int32_t)gpu.class;
    hc_table_i32(table, HC_GPU_ACTIVITY)[row] = (int32_t)gpu.activity;
    hc_table_i32(table, HC_GPU_NAME)[row] = code_of(profile, "event", gpu.name);
    hc_table_i64(table, HC_GPU_CORRELATION)[row] = positive(gpu.correlation);
    hc_table_i64(table, HC_GPU_BYTES)[row] = positive(gpu.bytes);
}

void add_call(struct hc_profile *profile, size_t rank_index, struct built_call call)
{
    size_t row;
    const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_CALLS, &row);
    hc_table_i64(table, HC_CALLS_START_NS)[row] = call.start;
    hc_table_i64(table, HC_CALLS_DURATION_NS)[row] = call.duration;
    hc_table_i32(table, HC_CALLS_THREAD)[row] = thread_of(profile, call.thread);
    hc_table_i32(table, HC_CALLS_NAME)[row] = code_of(profile, "event", call.name);
    hc_table_i64(table, HC_CALLS_CORRELATION)[row] = positive(call.correlation);
}

void add_sync(struct hc_profile *profile, size_t rank_index, struct built_sync sync)
{
    size_t row;
    const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_SYNCS, &row);
    hc_table_i64(table, HC_SYNCS_START_NS)[row] = sync.start;
    hc_table_i64(table, HC_SYNCS_DURATION_NS)[row] = sync.duration;
    hc_table_i32(table, HC_SYNCS_KIND)[row] = code_of(profile, "event", sync.kind);
    hc_table_i32(table, HC_SYNCS_STREAM)[row] = sync.stream;
    hc_table_i32(table, HC_SYNCS_AWAITED_STREAM)[row] = sync.awaited_stream;
    hc_table_i64(table, HC_SYNCS_RECORD_CORRELATION)[row] = positive(sync.record_correlation);
    hc_table_i64(table, HC_SYNCS_CORRELATION)[row] = positive(sync.correlation);
}

void add_mark(struct hc_profile *profile, size_t rank_index, struct built_span mark)
{
    size_t row;
    const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_MARKS, &row);
    hc_table_i64(table, HC_MARKS_START_NS)[row] = mark.start;
    hc_table_i64(table, HC_MARKS_DURATION_NS)[row] = mark.duration;
    hc_table_i32(table, HC_MARKS_THREAD)[row] = thread_of(profile, mark.thread);
    hc_table_i32(table, HC_MARKS_NAME)[row] = code_of(profile, "event", mark.name);
}

void add_annotation(struct hc_profile *profile, size_t rank_index, struct built_span annotation)
{
    size_t row;
    const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_ANNOTATIONS, &row);
    hc_table_i64(table, HC_ANNOTATIONS_START_NS)[row] = annotation.start;
    hc_table_i64(table, HC_ANNOTATIONS_DURATION_NS)[row] = annotation.duration;
    hc_table_i32(table, HC_ANNOTATIONS_THREAD)[row] = thread_of(profile, annotation.thread);
    hc_table_i32(table, HC_ANNOTATIONS_NAME)[row] = code_of(profile, "event", annotation.name);
}

void add_step(struct hc_profile *profile, size_t rank_index, int64_t number, int64_t start,
              int64_t end)
{
    char name[64];
    snprintf(name, sizeof name, "ProfilerStep#%lld", (long long)number);
    add_annotation(profile, rank_index,
                   (struct built_span){.start = start, .duration = end - start, .name = name});
}

static void set_sizes(const struct hc_table *table, size_t row, const struct built_comm *comm)
{
    if (comm->group_size > 0)
        hc_table_i32(table, HC_COMMS_GROUP_SIZE)[row] = comm->group_size;
    hc_table_i64(table, HC_COMMS_IN_ELEMENTS)[row] = positive(comm->in_elements);
    hc_table_i64(table, HC_COMMS_OUT_ELEMENTS)[row] = positive(comm->out_elements);
    if (comm->rank_stride != 0) {
        hc_table_i32(table, HC_COMMS_RANK_START)[row] = comm->rank_start;
        hc_table_i32(table, HC_COMMS_RANK_STRIDE)[row] = comm->rank_stride;
    }
    if (comm->has_seq)
        hc_table_i64(table, HC_COMMS_SEQ)[row] = comm->seq;
    hc_table_i32(table, HC_COMMS_IS_P2P)[row] = comm->is_p2p;
    if (comm->has_peers) {
        hc_table_i32(table, HC_COMMS_SOURCE_RANK)[row] = comm->source;
        hc_table_i32(table, HC_COMMS_DESTINATION_RANK)[row] = comm->destination;
    }
}

void add_comm(struct hc_profile *profile, size_t rank_index, struct built_comm comm)
{
    size_t row;
    const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_COMMS, &row);
    hc_table_i64(table, HC_COMMS_START_NS)[row] = comm.start;
    hc_table_i64(table, HC_COMMS_DURATION_NS)[row] = comm.duration;
    hc_table_i32(table, HC_COMMS_ORIGIN)[row] =
        (int32_t)(comm.of_kernel ? HC_COMM_OF_KERNEL : HC_COMM_OF_RECORD);
    if (comm.of_kernel) {
        hc_table_i32(table, HC_COMMS_STREAM)[row] = comm.stream;
        hc_table_i64(table, HC_COMMS_CORRELATION)[row] = positive(comm.correlation);
    } else {
        hc_table_i32(table, HC_COMMS_THREAD)[row] = thread_of(profile, comm.thread);
    }
    hc_table_i32(table, HC_COMMS_OP)[row] = code_of(profile, "collective", comm.op);
    hc_table_i32(table, HC_COMMS_GROUP)[row] = code_of(profile, "group", comm.group);
    hc_table_i32(table, HC_COMMS_DESCRIPTION)[row] =
        code_of(profile, "group_description", comm.description);
    hc_table_i32(table, HC_COMMS_DTYPE)[row] = code_of(profile, "dtype", comm.dtype);
    set_sizes(table, row, &comm);
}

void add_group(struct hc_profile *profile, size_t rank_index, const char *name,
               const char *description, const int32_t *members, size_t n_members)
{
    for (size_t m = 0; m < n_members; m++) {
        size_t row;
        const struct hc_table *table = new_row(profile, rank_index, HC_PROFILE_GROUPS, &row);
        hc_table_i32(table, HC_GROUPS_GROUP)[row] = code_of(profile, "group", name);
        hc_table_i32(table, HC_GROUPS_DESCRIPTION)[row] =
            code_of(profile, "group_description", description);
        hc_table_i32(table, HC_GROUPS_SIZE)[row] = (int32_t)n_members;
        hc_table_i32(table, HC_GROUPS_MEMBER)[row] = members[m];
    }
}

int64_t add_launch(struct hc_profile *profile, size_t rank_index, struct built_launch launch)
{
    int64_t correlation =
        (int64_t)profile->ranks[rank_index].table[HC_PROFILE_CALLS].n_rows + 1000000;
    add_call(profile, rank_index,
             (struct built_call){.start = launch.at,
                                 .duration = launch.call_duration ? launch.call_duration : 5000,
                                 .thread = launch.thread,
                                 .name = "cudaLaunchKernel",
                                 .correlation = correlation});
    add_gpu(profile, rank_index,
            (struct built_gpu){.start = launch.start,
                               .duration = launch.duration,
                               .stream = launch.stream,
                               .activity = launch.activity,
                               .name = launch.name,
                               .correlation = correlation});
    return correlation;
}

static const enum hc_profile_table tables_of_events[] = {
    HC_PROFILE_GPU,   HC_PROFILE_CALLS,       HC_PROFILE_SYNCS,
    HC_PROFILE_MARKS, HC_PROFILE_ANNOTATIONS, HC_PROFILE_COMMS,
};
#define N_TABLES_OF_EVENTS (sizeof tables_of_events / sizeof tables_of_events[0])

void shift_rank(struct hc_profile *profile, size_t rank_index, int64_t ns)
{
    for (size_t t = 0; t < N_TABLES_OF_EVENTS; t++) {
        struct hc_table *table = &profile->ranks[rank_index].table[tables_of_events[t]];
        for (size_t i = 0; i < table->n_rows; i++)
            hc_table_i64(table, 0)[i] += ns; /* the first column of each is the start */
    }
}

static void swap_rows(struct hc_table *table, size_t a, size_t b)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        size_t size = hc_type_size(table->def->columns[c].type);
        char kept[sizeof(int64_t)], *column = table->column[c];
        memcpy(kept, column + a * size, size);
        memcpy(column + a * size, column + b * size, size);
        memcpy(column + b * size, kept, size);
    }
}

void shuffle_events(struct hc_profile *profile, uint32_t seed)
{
    struct hc_philox rng;
    hc_philox_seek(&rng, seed, 0, 0);
    for (size_t r = 0; r < profile->n_ranks; r++)
        for (size_t t = 0; t < N_TABLES_OF_EVENTS; t++) {
            struct hc_table *table = &profile->ranks[r].table[tables_of_events[t]];
            for (size_t i = table->n_rows; i > 1; i--) {
                size_t other = (size_t)hc_philox_integer(&rng, i);
                swap_rows(table, i - 1, other);
            }
        }
}

/* The kernels of one rank: a gemm that ends late on rank 1, and an all-reduce that waits for it. */
static void add_hand_rank(struct hc_profile *profile, size_t r, int64_t gemm_ns, int64_t comm_start)
{
    static const int64_t us = 1000;
    add_step(profile, r, 1, 0, 500 * us);
    add_call(profile, r, (struct built_call){10 * us, 5 * us, 1, NULL, "cudaLaunchKernel"});
    add_call(profile, r, (struct built_call){25 * us, 1 * us, 3, NULL, "cudaStreamWaitEvent"});
    add_call(profile, r, (struct built_call){30 * us, 5 * us, 2, NULL, "cudaLaunchKernelExC"});
    add_call(profile, r, (struct built_call){40 * us, 390 * us, 4, NULL, "cudaDeviceSynchronize"});
    add_gpu(
        profile, r,
        (struct built_gpu){
            .start = 20 * us, .duration = gemm_ns, .stream = 7, .name = "gemm", .correlation = 1});
    add_gpu(profile, r,
            (struct built_gpu){.start = comm_start,
                               .duration = 420 * us - comm_start,
                               .stream = 20,
                               .activity = HC_GPU_COMMUNICATES,
                               .name = "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
                               .correlation = 2});
    add_comm(profile, r,
             (struct built_comm){.start = comm_start,
                                 .duration = 420 * us - comm_start,
                                 .correlation = 2,
                                 .of_kernel = true,
                                 .stream = 20,
                                 .op = "all_reduce",
                                 .group = "0",
                                 .description = "default_pg",
                                 .dtype = "Float",
                                 .group_size = 2,
                                 .in_elements = 1000000,
                                 .out_elements = 1000000});
}

void build_two_ranks(struct hc_profile *profile)
{
    profile_begin(profile, 2);
    add_hand_rank(profile, 0, 100000, 125000);
    add_hand_rank(profile, 1, 370000, 395000);
    shift_rank(profile, 1, 1000000000);
}
