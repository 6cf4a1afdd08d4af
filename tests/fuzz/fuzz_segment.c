/* Any bytes as a segment: opened, read and verified, or refused with a message.
 *
 * With HC_FUZZ_SUMS in the environment the checksums of HDF5's object headers are set right after
 * each mutation. libhdf5 1.10.8 does not survive that for long (docs/formats/archive.md,
 * "Integrity"), so it is not the default.
 */
#include "core/op_table.h"
#include "store/segment.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* ---- mutations that HDF5's checksums do not catch ---- */

uint32_t H5_checksum_metadata(const void *data, size_t length, uint32_t initial); /* of HDF5 */
size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t max_size) __attribute__((weak));
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed);

static uint64_t number(const uint8_t *bytes, int n)
{
    uint64_t value = 0;
    while (n-- > 0)
        value = value << 8 | bytes[n];
    return value;
}

/* Set the checksum behind bytes [at, end), where there is room for it. */
static void fix_sum(uint8_t *data, size_t size, size_t at, uint64_t end)
{
    if (end < at || size < 4 || end > size - 4)
        return;
    uint32_t sum = H5_checksum_metadata(data + at, (size_t)end - at, 0);
    for (int i = 0; i < 4; i++)
        data[end + (uint64_t)i] = (uint8_t)(sum >> 8 * i);
}

static void fix_header(uint8_t *data, size_t size, size_t at)
{
    int flags = data[at + 5], width = 1 << (flags & 3), head = flags & 4 ? 6 : 4;
    size_t first = at + 6 + (flags & 0x20 ? 16 : 0) + (flags & 0x10 ? 4 : 0);
    uint64_t length = number(data + first, width);
    first += (size_t)width;
    if (length > size - first)
        return;
    for (size_t m = first; m + (size_t)head + 16 <= first + length;
         m += (size_t)head + number(data + m + 1, 2))
        if (data[m] == 0x10 && number(data + m + head, 8) < size &&
            number(data + m + head + 8, 8) <= size && number(data + m + head + 8, 8) >= 8)
            fix_sum(data, size, number(data + m + head, 8),
                    number(data + m + head, 8) + number(data + m + head + 8, 8) - 4);
    fix_sum(data, size, at, first + length);
}

static void fix_sums(uint8_t *data, size_t size)
{
    for (size_t at = 0; at + 64 < size; at++)
        if (memcmp(data + at, "OHDR\2", 5) == 0)
            fix_header(data, size, at);
    if (size > 48)
        fix_sum(data, size, 0, 44); /* superblock */
}

/* Change a few bytes of one node (with HC_FUZZ_SUMS: of an object header), or anything. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t max_size, unsigned seed)
{
    static const char *const marks[] = {"OHDR", "OCHK", "TREE", "\211HDF"};
    if (size < 64 || seed % 8 == 0)
        return LLVMFuzzerMutate(data, size, max_size);
    bool with_sums = getenv("HC_FUZZ_SUMS");
    const char *mark = marks[with_sums ? seed / 8 % 4 : 2];
    size_t start = (size_t)(seed * 2654435761u) % size;
    for (size_t i = 0; i + 64 < size; i++) {
        size_t at = (start + i) % (size - 64);
        if (memcmp(data + at, mark, 4) != 0)
            continue;
        size_t from = at + seed / 128 % 512, n = 1 + seed / 65536 % 24;
        if (from + n < size)
            LLVMFuzzerMutate(data + from, n, n);
        break;
    }
    if (with_sums)
        fix_sums(data, size);
    return size;
}

/* ---- the target ---- */

static void must_have_message(const struct hc_error *err)
{
    if (!*err->message)
        abort();
}

static void read_table(struct hc_segment *segment, const struct hc_table_def *def)
{
    struct hc_error err = {0};
    struct hc_table rows = {0};
    int64_t n_rows = hc_segment_n_rows(segment, def);
    int64_t chunk_rows = hc_segment_chunk_rows(segment, def);
    if (hc_table_init(&rows, def, (size_t)chunk_rows, &err))
        return;
    for (int64_t chunk = 0; chunk < 4 && chunk * chunk_rows < n_rows; chunk++)
        if (hc_segment_read(segment, def, UINT32_MAX, chunk, &rows, &err))
            must_have_message(&err);
        else if (rows.n_rows > rows.capacity)
            abort();
    hc_table_fini(&rows);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct hc_error err = {0};
    struct hc_segment *segment = NULL;
    char path[] = "/tmp/hindcast-fuzz-XXXXXX"; /* HDF5 opens no memfd */
    int fd = mkstemp(path);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    if (hc_segment_open(&segment, path, &err)) {
        must_have_message(&err);
    } else {
        read_table(segment, &hc_ops_def);
        read_table(segment, &hc_steps_def);
        hc_segment_close(segment);
    }
    if (hc_segment_verify(path, &err))
        must_have_message(&err);
    close(fd);
    unlink(path);
    return 0;
}
