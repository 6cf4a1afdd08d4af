/* Any bytes as a segment: opened, read and verified, or refused with a message. */
#include "core/op_table.h"
#include "store/segment.h"

#include <stdlib.h>
#include <string.h>
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
