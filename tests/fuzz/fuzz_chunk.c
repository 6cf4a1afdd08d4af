/* Any bytes as values, which must come back as they were, and as a stored chunk, which must be
 * refused or decoded within its bounds. */
#include "store/codec/chunk_codec.h"
#include "tests/fuzz/target.h"

#include <stdlib.h>
#include <string.h>

static void round_trip(const uint8_t *values, size_t n, size_t size)
{
    struct hc_error err = {0};
    struct hc_codec_pool writing = {.writing = true}, reading = {0};
    size_t bound = hc_chunk_bound(n, size);
    uint8_t *stored = malloc(bound), *back = malloc(n * size);
    if (!stored || !back || hc_codec_pool_reserve(&writing, n * size, &err) ||
        hc_codec_pool_reserve(&reading, n * size, &err))
        abort();
    size_t used = hc_chunk_encode(hc_codec_pool_mine(&writing), values, n, size, stored);
    if (used > bound ||
        hc_chunk_decode(hc_codec_pool_mine(&reading), stored, used, back, n, size) ||
        memcmp(back, values, n * size) != 0)
        abort();
    /* The input as it would be found on disk; the checksum refuses nearly all. */
    hc_chunk_decode(hc_codec_pool_mine(&reading), values, n * size, back, n, size);
    free(stored);
    free(back);
    hc_codec_pool_fini(&writing);
    hc_codec_pool_fini(&reading);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const size_t sizes[] = {1, 4, 8, 5};
    if (size < 2)
        return 0;
    size_t value_size = sizes[data[0] % 4], n = (size - 1) / value_size;
    if (n)
        round_trip(data + 1, n, value_size);
    return 0;
}
