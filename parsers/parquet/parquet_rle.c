#include "parsers/parquet/parquet_rle.h"

#include "parsers/parquet/parquet_bytes.h"
#include "parsers/parquet/parquet_thrift.h"

#define PADDING                                                                                    \
    7 /* most values that a packed run may hold for nothing: it comes in groups of 8               \
       */

/* Eight values of a constant width; the compiler unrolls it and knows every shift. */
static inline __attribute__((always_inline)) void unpack_groups(const uint8_t *in, size_t n_groups,
                                                                uint32_t *out, unsigned width)
{
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    for (size_t g = 0; g < n_groups; g++, in += width, out += 8)
        for (unsigned i = 0; i < 8; i++)
            out[i] = (uint32_t)(hc_load_u64(in + i * width / 8) >> (i * width % 8) & mask);
}

typedef void unpack_function(const uint8_t *in, size_t n_groups, uint32_t *out);

/* clang-format off */
#define EACH_WIDTH(X) \
    X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9) X(10) X(11) X(12) X(13) X(14) X(15) X(16) \
    X(17) X(18) X(19) X(20) X(21) X(22) X(23) X(24) X(25) X(26) X(27) X(28) X(29) X(30) X(31) X(32)
/* clang-format on */

#define DEFINE_UNPACK(width)                                                                       \
    static void unpack_##width(const uint8_t *in, size_t n_groups, uint32_t *out)                  \
    {                                                                                              \
        unpack_groups(in, n_groups, out, width);                                                   \
    }
EACH_WIDTH(DEFINE_UNPACK)

#define LIST_UNPACK(width) [width] = unpack_##width,
static unpack_function *const unpack[33] = {EACH_WIDTH(LIST_UNPACK)};

enum hc_status hc_rle_init(struct hc_rle *rle, const uint8_t *at, const uint8_t *end,
                           unsigned width, struct hc_error *err)
{
    *rle = (struct hc_rle){.at = at, .end = end, .width = width};
    if (width > 32)
        return hc_fail(err, HC_BAD_INPUT, "values of %u bits are wider than 32", width);
    return HC_OK;
}

static bool start_repeated(struct hc_rle *rle, uint64_t n)
{
    size_t n_bytes = (rle->width + 7) / 8;
    if (n == 0 || (size_t)(rle->end - rle->at) < n_bytes)
        return false;
    rle->value = 0;
    for (size_t i = 0; i < n_bytes; i++)
        rle->value |= (uint32_t)rle->at[i] << 8 * i;
    if (rle->width < 32 && rle->value >> rle->width != 0)
        return false;
    rle->at += n_bytes;
    rle->is_packed = false;
    rle->run_left = n;
    return true;
}

/* Some writers cut the padding of the last run; then the run is what its bytes hold. */
static bool start_packed(struct hc_rle *rle, uint64_t n_groups)
{
    if (n_groups == 0 || n_groups > UINT64_MAX / 64)
        return false;
    size_t available = (size_t)(rle->end - rle->at);
    uint64_t n_bytes = n_groups * rle->width, n_values = n_groups * 8;
    if (n_bytes > available) {
        n_values = (uint64_t)available * 8 / rle->width;
        n_bytes = available;
        if (n_values == 0 || n_groups * 8 - n_values > PADDING)
            return false;
    }
    rle->packed = rle->at;
    rle->at += n_bytes;
    rle->is_packed = true;
    rle->taken = 0;
    rle->run_left = n_values;
    return true;
}

static bool start_run(struct hc_rle *rle)
{
    uint64_t head;
    if (rle->width == 0 && rle->at == rle->end) {
        /* values of no bits need no runs, and some writers give none */
        rle->is_packed = true;
        rle->run_left = PADDING;
        return true;
    }
    const uint8_t *start = rle->at;
    if (hc_read_varint(&rle->at, rle->end, &head) &&
        (head & 1 ? start_packed(rle, head >> 1) : start_repeated(rle, head >> 1)))
        return true;
    rle->at = start; /* so that whoever tries again meets the same damage */
    return false;
}

/* n values of the current packed run; whole groups by the fast way once at a byte boundary. */
static void read_packed(struct hc_rle *rle, size_t n, uint32_t *out)
{
    const unsigned width = rle->width;
    const uint64_t mask = ((uint64_t)1 << width) - 1;
    if (width == 0) {
        memset(out, 0, n * sizeof *out);
        return;
    }
    while (n > 0) {
        uint64_t bit = rle->taken * width;
        if (rle->taken % 8 == 0 && n >= 8) {
            size_t n_groups = n / 8;
            unpack[width](rle->packed + bit / 8, n_groups, out);
            out += n_groups * 8;
            n -= n_groups * 8;
            rle->taken += n_groups * 8;
            continue;
        }
        *out++ = (uint32_t)(hc_load_u64(rle->packed + bit / 8) >> (bit % 8) & mask);
        rle->taken++;
        n--;
    }
}

enum hc_status hc_rle_read(struct hc_rle *rle, size_t n, uint32_t *out, struct hc_error *err)
{
    while (n > 0) {
        if (rle->run_left == 0 && !start_run(rle))
            return hc_fail(err, HC_BAD_INPUT,
                           "a run of levels or indices is damaged, or %zu values are missing", n);
        size_t part = rle->run_left < n ? (size_t)rle->run_left : n;
        if (rle->is_packed)
            read_packed(rle, part, out);
        else
            for (size_t i = 0; i < part; i++)
                out[i] = rle->value;
        rle->run_left -= part;
        out += part;
        n -= part;
    }
    return HC_OK;
}

bool hc_rle_take(struct hc_rle *rle, size_t n, uint32_t value)
{
    if (rle->run_left == 0 && !start_run(rle))
        return false;
    if (rle->is_packed || rle->value != value || rle->run_left < n)
        return false;
    rle->run_left -= n;
    return true;
}

enum hc_status hc_rle_finish(const struct hc_rle *rle, struct hc_error *err)
{
    if (rle->at != rle->end)
        return hc_fail(err, HC_BAD_INPUT, "%td bytes follow its levels or indices",
                       rle->end - rle->at);
    if (rle->run_left > (rle->is_packed ? PADDING : 0))
        return hc_fail(err, HC_BAD_INPUT, "its last run has %llu values too many",
                       (unsigned long long)rle->run_left);
    return HC_OK;
}
