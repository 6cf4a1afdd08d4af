/* Any bytes as a segment: opened, read and verified, or refused with a message. Bytes that are
 * refused as they are come again with the checksums of their headers and the size in their
 * superblock set right, so that mutants reach what is behind those.
 *
 * The seeds are as small as HDF5 can make them (tests/tools/small_segment.c): an index of chunks
 * takes 112 bytes in them and not 2,096.
 */
#include "core/tables/op_table.h"
#include "store/segment/segment.h"
#include "tests/support/segment_sums.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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

/* A descriptor of a file of these bytes. */
static int make_file(const uint8_t *data, size_t size)
{
    int fd = memfd_create("segment", MFD_CLOEXEC);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    return fd;
}

/* Whether it could be opened. */
static bool try_bytes(const uint8_t *data, size_t size)
{
    struct hc_error err = {0}, verified = {0};
    struct hc_segment *segment = NULL;
    bool opened = !hc_segment_open(&segment, make_file(data, size), "segment", &err);
    if (opened) {
        read_table(segment, &hc_ops_def);
        read_table(segment, &hc_steps_def);
        hc_segment_close(segment);
        if (hc_segment_verify(make_file(data, size), "segment", &verified))
            must_have_message(&verified);
    } else {
        must_have_message(&err);
        if (err.status == HC_IO)
            abort(); /* no bytes are a refusal of the system */
    }
    return opened;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (try_bytes(data, size) || size < 64)
        return 0;
    uint8_t *right = malloc(size);
    if (!right)
        return 0;
    memcpy(right, data, size);
    fix_sums(right, size);
    try_bytes(right, size);
    free(right);
    return 0;
}
