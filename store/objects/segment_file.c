#include "store/objects/segment_file.h"

#include "core/files/read_at.h"

#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/stat.h>

enum hc_status hc_segment_file_init(struct hc_segment_file *file, int fd, const char *name,
                                    struct hc_error *err)
{
    struct stat info;
    if (fstat(fd, &info))
        return hc_fail_errno(err, "cannot open", name);
    if (!S_ISREG(info.st_mode))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a file", name);
    file->fd = fd;
    file->size = file->unclaimed = info.st_size;
    file->start = file->length = 0;
    return HC_OK;
}

enum hc_status hc_segment_file_damaged(struct hc_error *err, int64_t at, const char *what)
{
    return hc_fail(err, HC_BAD_INPUT, "byte %" PRId64 ": %s; ingest the source again", at, what);
}

static enum hc_status check_inside(const struct hc_segment_file *file, int64_t at, int64_t n,
                                   struct hc_error *err)
{
    if (at < 0 || n < 0 || at > file->size - n)
        return hc_segment_file_damaged(err, at, "it lies outside the file");
    return HC_OK;
}

static enum hc_status read_whole(const struct hc_segment_file *file, int64_t at, size_t n,
                                 uint8_t *bytes, struct hc_error *err)
{
    ssize_t got = hc_read_at(file->fd, bytes, n, (off_t)at);
    if (got < 0)
        return hc_fail(err, hc_errno_status(errno), "cannot read byte %" PRId64 ": %s", at,
                       strerror(errno));
    if ((size_t)got < n)
        return hc_segment_file_damaged(err, at + (int64_t)got, "the file has become shorter");
    return HC_OK;
}

const uint8_t *hc_segment_file_look(struct hc_segment_file *file, int64_t at, int64_t n,
                                    struct hc_error *err)
{
    if (at >= file->start && at - file->start <= file->length - n)
        return file->window + (at - file->start);
    if (check_inside(file, at, n, err))
        return NULL;
    int64_t left = file->size - at, fill = left < HC_SEGMENT_WINDOW ? left : HC_SEGMENT_WINDOW;
    file->length = 0;
    if (read_whole(file, at, (size_t)fill, file->window, err))
        return NULL;
    file->start = at;
    file->length = fill;
    return file->window;
}

enum hc_status hc_segment_file_read(struct hc_segment_file *file, int64_t at, int64_t n,
                                    uint8_t *bytes, struct hc_error *err)
{
    if (check_inside(file, at, n, err))
        return err->status;
    if (n > HC_SEGMENT_WINDOW)
        return read_whole(file, at, (size_t)n, bytes, err);
    const uint8_t *found = hc_segment_file_look(file, at, n, err);
    if (!found)
        return err->status;
    memcpy(bytes, found, (size_t)n);
    return HC_OK;
}

enum hc_status hc_segment_file_claim(struct hc_segment_file *file, int64_t n, int64_t at,
                                     struct hc_error *err)
{
    if (n < 0 || n > file->unclaimed)
        return hc_segment_file_damaged(err, at,
                                       "more headers and chunks than the file has room for");
    file->unclaimed -= n;
    return HC_OK;
}

int64_t hc_segment_file_address(const struct hc_segment_file *file, const uint8_t *bytes)
{
    uint64_t address = hc_little_endian(bytes, 8);
    return address > (uint64_t)file->size ? -1 : (int64_t)address;
}
