/* Races in hindcast on purpose: the program with functions wrapped that its threads call at the
 * same time. Each wrapper counts its calls without a lock. A ThreadSanitizer that does not report
 * that proves nothing where it is silent about the program itself: it does not see the threads, or
 * there are none.
 *
 * tests/CMakeLists.txt links this with cli/main.c as `racy_hindcast`, with --wrap for each. */
#include "sim/lifetime/life/life.h"
#include "sim/lifetime/pool/shared_pool_state.h"
#include "sim/replay/sweep.h"
#include "sim/synth/step_synth.h"
#include "sim/whatif/whatif.h"
#include "store/codec/chunk_codec.h"

struct counts {
    long encode, decode, synth, sweep, whatif, life, pool;
} planted; /* not static: as any state that should not be shared */

size_t __real_hc_chunk_encode(struct hc_chunk_codec *codec, const void *values, size_t n,
                              size_t size, uint8_t *out);
size_t __wrap_hc_chunk_encode(struct hc_chunk_codec *codec, const void *values, size_t n,
                              size_t size, uint8_t *out);
size_t __wrap_hc_chunk_encode(struct hc_chunk_codec *codec, const void *values, size_t n,
                              size_t size, uint8_t *out)
{
    planted.encode++;
    return __real_hc_chunk_encode(codec, values, n, size, out);
}

enum hc_chunk_fault __real_hc_chunk_decode(struct hc_chunk_codec *codec, const uint8_t *stored,
                                           size_t stored_size, void *values, size_t n, size_t size);
enum hc_chunk_fault __wrap_hc_chunk_decode(struct hc_chunk_codec *codec, const uint8_t *stored,
                                           size_t stored_size, void *values, size_t n, size_t size);
enum hc_chunk_fault __wrap_hc_chunk_decode(struct hc_chunk_codec *codec, const uint8_t *stored,
                                           size_t stored_size, void *values, size_t n, size_t size)
{
    planted.decode++;
    return __real_hc_chunk_decode(codec, stored, stored_size, values, n, size);
}

enum hc_status __real_hc_synth_steps_next(struct hc_synth_steps *generator, struct hc_table *ops,
                                          struct hc_error *err);
enum hc_status __wrap_hc_synth_steps_next(struct hc_synth_steps *generator, struct hc_table *ops,
                                          struct hc_error *err);
enum hc_status __wrap_hc_synth_steps_next(struct hc_synth_steps *generator, struct hc_table *ops,
                                          struct hc_error *err)
{
    planted.synth++;
    return __real_hc_synth_steps_next(generator, ops, err);
}

void __real_hc_sweep_run(const struct hc_sweep *sweep, struct hc_sweep_space *space,
                         struct hc_sweep_times *times);
void __wrap_hc_sweep_run(const struct hc_sweep *sweep, struct hc_sweep_space *space,
                         struct hc_sweep_times *times);
void __wrap_hc_sweep_run(const struct hc_sweep *sweep, struct hc_sweep_space *space,
                         struct hc_sweep_times *times)
{
    planted.sweep++;
    __real_hc_sweep_run(sweep, space, times);
}

enum hc_status __real_hc_whatif_run(struct hc_whatif_result *result, struct hc_step_trace *trace,
                                    const struct hc_whatif_options *options, struct hc_error *err);
enum hc_status __wrap_hc_whatif_run(struct hc_whatif_result *result, struct hc_step_trace *trace,
                                    const struct hc_whatif_options *options, struct hc_error *err);
enum hc_status __wrap_hc_whatif_run(struct hc_whatif_result *result, struct hc_step_trace *trace,
                                    const struct hc_whatif_options *options, struct hc_error *err)
{
    planted.whatif++;
    return __real_hc_whatif_run(result, trace, options, err);
}

enum hc_status __real_hc_life_replica(struct hc_life *life, uint64_t replica,
                                      struct hc_lifetime_replica *out);
enum hc_status __wrap_hc_life_replica(struct hc_life *life, uint64_t replica,
                                      struct hc_lifetime_replica *out);
enum hc_status __wrap_hc_life_replica(struct hc_life *life, uint64_t replica,
                                      struct hc_lifetime_replica *out)
{
    planted.life++;
    return __real_hc_life_replica(life, replica, out);
}

enum hc_status __real_hc_shared_pool_replica(struct hc_pool_seats *seats, uint64_t replica,
                                             struct hc_lifetime_replica *job,
                                             struct hc_lifetime_pool *pool);
enum hc_status __wrap_hc_shared_pool_replica(struct hc_pool_seats *seats, uint64_t replica,
                                             struct hc_lifetime_replica *job,
                                             struct hc_lifetime_pool *pool);
enum hc_status __wrap_hc_shared_pool_replica(struct hc_pool_seats *seats, uint64_t replica,
                                             struct hc_lifetime_replica *job,
                                             struct hc_lifetime_pool *pool)
{
    planted.pool++;
    return __real_hc_shared_pool_replica(seats, replica, job, pool);
}
