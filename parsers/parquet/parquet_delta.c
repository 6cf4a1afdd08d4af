#include "parsers/parquet/parquet_delta.h"

#include "parsers/parquet/parquet_bytes.h"
#include "parsers/parquet/parquet_thrift.h"

#define MAX_BLOCK ((uint64_t)1 << 24) /* values; writers use 128 */

static enum hc_status fail_cut(struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "its delta encoding is damaged or ends too early");
}

enum hc_status hc_delta_init(struct hc_delta *delta, const uint8_t *at, const uint8_t *end,
                             struct hc_error *err)
{
    uint64_t block_size, first;
    *delta = (struct hc_delta){.at = at, .end = end};
    if (at == end) /* a page of nulls may have nothing at all */
        return HC_OK;
    if (!hc_read_varint(&delta->at, end, &block_size) ||
        !hc_read_varint(&delta->at, end, &delta->n_minis) ||
        !hc_read_varint(&delta->at, end, &delta->left) || !hc_read_varint(&delta->at, end, &first))
        return fail_cut(err);
    if (block_size == 0 || block_size > MAX_BLOCK || delta->n_minis == 0 ||
        block_size % delta->n_minis != 0 || block_size / delta->n_minis % 32 != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "a delta encoding in blocks of %llu values and %llu parts is not possible",
                       (unsigned long long)block_size, (unsigned long long)delta->n_minis);
    delta->mini_size = block_size / delta->n_minis;
    delta->mini = delta->n_minis;
    delta->value = (uint64_t)hc_zigzag(first);
    return HC_OK;
}

static bool start_block(struct hc_delta *delta)
{
    uint64_t min_delta;
    if (!hc_read_varint(&delta->at, delta->end, &min_delta) ||
        (uint64_t)(delta->end - delta->at) < delta->n_minis)
        return false;
    delta->min_delta = (uint64_t)hc_zigzag(min_delta);
    delta->widths = delta->at;
    delta->at += delta->n_minis;
    delta->mini = 0;
    return true;
}

static bool start_mini(struct hc_delta *delta)
{
    if (delta->mini == delta->n_minis && !start_block(delta))
        return false;
    delta->width = delta->widths[delta->mini++];
    uint64_t n_bytes = delta->mini_size / 8 * delta->width;
    if (delta->width > 64 || (uint64_t)(delta->end - delta->at) < n_bytes)
        return false;
    delta->packed = delta->at;
    delta->at += n_bytes;
    delta->bit = 0;
    delta->mini_left = delta->mini_size;
    return true;
}

/* The next packed delta; up to 64 bits, which may reach over nine bytes. */
static inline uint64_t next_packed(struct hc_delta *delta)
{
    const uint8_t *at = delta->packed + delta->bit / 8;
    unsigned shift = delta->bit % 8, width = delta->width;
    delta->bit += width;
    uint64_t value = hc_load_u64(at) >> shift;
    if (shift + width > 64)
        value |= (uint64_t)at[8] << (64 - shift);
    return width < 64 ? value & (((uint64_t)1 << width) - 1) : value;
}

enum hc_status hc_delta_read(struct hc_delta *delta, size_t n, int64_t *out, struct hc_error *err)
{
    if (n > delta->left)
        return hc_fail(err, HC_BAD_INPUT, "its delta encoding has %zu values too few",
                       (size_t)(n - delta->left));
    if (n > 0 && !delta->has_first) {
        delta->has_first = true;
        delta->left--;
        *out++ = (int64_t)delta->value;
        n--;
    }
    while (n > 0) {
        if (delta->mini_left == 0 && !start_mini(delta))
            return fail_cut(err);
        size_t part = delta->mini_left < n ? (size_t)delta->mini_left : n;
        for (size_t i = 0; i < part; i++) {
            delta->value += delta->min_delta + next_packed(delta);
            out[i] = (int64_t)delta->value;
        }
        delta->mini_left -= part;
        delta->left -= part;
        out += part;
        n -= part;
    }
    return HC_OK;
}

enum hc_status hc_delta_end(const struct hc_delta *delta, const uint8_t **end, struct hc_error *err)
{
    struct hc_delta walk = *delta;
    uint64_t left = walk.left > 0 ? walk.left - 1 : 0; /* the first one is in the header */
    while (left > 0) {
        if (!start_mini(&walk))
            return fail_cut(err);
        left -= left < walk.mini_size ? left : walk.mini_size;
    }
    *end = walk.at;
    return HC_OK;
}

enum hc_status hc_delta_finish(const struct hc_delta *delta, struct hc_error *err)
{
    if (delta->left > 0)
        return hc_fail(err, HC_BAD_INPUT, "its delta encoding has %llu values too many",
                       (unsigned long long)delta->left);
    if (delta->at != delta->end)
        return hc_fail(err, HC_BAD_INPUT, "%td bytes follow its delta encoding",
                       delta->end - delta->at);
    return HC_OK;
}
