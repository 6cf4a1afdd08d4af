/* profile_builder.h - profiler traces made in memory, an event a line:
 *
 *     struct hc_profile profile;
 *     profile_begin(&profile, 2);                                  // ranks 0 and 1
 *     add_step(&profile, 0, 1, 0, 500000);                         // ProfilerStep#1 of rank 0
 *     add_call(&profile, 0, (struct built_call){.start = 10000, .duration = 5000,
 *                                               .name = "cudaLaunchKernel", .correlation = 1});
 *     add_gpu(&profile, 0, (struct built_gpu){.start = 20000, .duration = 100000, .stream = 7,
 *                                             .name = "gemm", .correlation = 1});
 *     ...
 *     hc_profile_link(&profile, HC_STEPS_BY_PROFILER, &err);
 *     hc_profile_fini(&profile);
 *
 * Times are ns. What a line leaves out is missing, and of thread "1/1". No memory ends the program.
 */
#ifndef HC_TESTS_SUPPORT_PROFILE_BUILDER_H
#define HC_TESTS_SUPPORT_PROFILE_BUILDER_H

#include "models/profiles/profile.h"

/* A kernel that computes unless said; correlation 0 and bytes 0 are missing. */
struct built_gpu {
    int64_t start, duration, correlation, bytes;
    int32_t device, stream;
    enum hc_gpu_class class;
    enum hc_gpu_activity activity;
    const char *name;
};

struct built_call {
    int64_t start, duration, correlation;
    const char *thread, *name;
};

struct built_sync {
    int64_t start, duration, correlation, record_correlation;
    int32_t stream, awaited_stream;
    const char *kind;
};

/* Marks and annotations. */
struct built_span {
    int64_t start, duration;
    const char *thread, *name;
};

/* What is said of a collective: by its kernel (of_kernel; start, duration, stream and correlation
 * are those of the kernel) or by a record on a thread. Counts of 0, a stride of 0 are missing; seq,
 * source and destination are only taken with has_seq, has_peers. */
struct built_comm {
    int64_t start, duration, correlation;
    bool of_kernel, has_seq, is_p2p, has_peers;
    int32_t stream;
    const char *thread, *op, *group, *description, *dtype;
    int32_t group_size, rank_start, rank_stride, source, destination;
    int64_t in_elements, out_elements, seq;
};

/* n ranks 0..n-1 of a world of n, named "rank0", "rank1", ... */
void profile_begin(struct hc_profile *profile, size_t n_ranks);

void add_gpu(struct hc_profile *profile, size_t rank_index, struct built_gpu gpu);
void add_call(struct hc_profile *profile, size_t rank_index, struct built_call call);
void add_sync(struct hc_profile *profile, size_t rank_index, struct built_sync sync);
void add_mark(struct hc_profile *profile, size_t rank_index, struct built_span mark);
void add_annotation(struct hc_profile *profile, size_t rank_index, struct built_span annotation);
void add_comm(struct hc_profile *profile, size_t rank_index, struct built_comm comm);

/* ProfilerStep#number. */
void add_step(struct hc_profile *profile, size_t rank_index, int64_t number, int64_t start,
              int64_t end);

/* A process group as the rank's pg_config lists it. */
void add_group(struct hc_profile *profile, size_t rank_index, const char *name,
               const char *description, const int32_t *members, size_t n_members);

/* A kernel and the call that launched it, of 5 us unless call_duration is given. */
struct built_launch {
    int64_t at, call_duration; /* of the call */
    int64_t start, duration;   /* of the kernel */
    int32_t stream;
    enum hc_gpu_activity activity;
    const char *thread, *name;
};

/* Returns the correlation of both, which no other has that was made so. */
int64_t add_launch(struct hc_profile *profile, size_t rank_index, struct built_launch launch);

/* Add ns to all starts of a rank: the clock of its host is that much ahead. */
void shift_rank(struct hc_profile *profile, size_t rank_index, int64_t ns);

/* Reorder the rows of all tables of events, as a trace with another order of events has them. */
void shuffle_events(struct hc_profile *profile, uint32_t seed);

/* The case of two ranks "By hand" that the specification of profiler traces works
 * out: the clock of rank 1 is 1 s ahead, its gemm takes 370 us instead of 100. */
void build_two_ranks(struct hc_profile *profile);

#endif
