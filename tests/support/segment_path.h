/* segment_path.h - segments by their path; the product opens them in the archive's folder only. */
#ifndef HC_TESTS_SUPPORT_SEGMENT_PATH_H
#define HC_TESTS_SUPPORT_SEGMENT_PATH_H

#include "store/segment/segment.h"

#include <fcntl.h>

/* A descriptor on path, which must be there. O_NONBLOCK: the open of a FIFO would wait for a
 * writer. */
static inline int segment_descriptor(const char *path)
{
    return open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
}

static inline enum hc_status segment_open_path(struct hc_segment **segment, const char *path,
                                               struct hc_error *err)
{
    return hc_segment_open(segment, segment_descriptor(path), path, err);
}

static inline enum hc_status segment_verify_path(const char *path, struct hc_error *err)
{
    return hc_segment_verify(segment_descriptor(path), path, err);
}

#endif
