#include "parsers/io/source.h"

#include "core/base/memory.h"
#include "core/base/printable.h"
#include "core/text/number_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define COPY_SIZE ((size_t)1 << 18)

/* An unlinked temporary file, or -1 with err filled. */
static int open_spool(const char *directory, struct hc_error *err)
{
    char *path = hc_new_text(err, "%s/hindcast-XXXXXX", directory);
    if (!path)
        return -1;
    int fd = mkostemp(path, O_CLOEXEC);
    if (fd < 0)
        hc_fail_errno(err, "cannot make a temporary file in", directory);
    else
        unlink(path);
    free(path);
    return fd;
}

static enum hc_status write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return HC_IO;
        bytes += n;
        length -= (size_t)n;
    }
    return HC_OK;
}

/* What is to be kept: read and its context, and the name for messages. */
struct incoming {
    const char *name;
    hc_source_read *read;
    void *context;
};

/* Bytes that may be kept of one source. */
static enum hc_status spool_limit(int64_t *most, struct hc_error *err)
{
    static const char units[] = "KMGT";
    const char *text = getenv("HINDCAST_MAX_SPOOL"), *unit;
    *most = HC_MAX_SPOOL;
    if (!text || !*text)
        return HC_OK;
    size_t length = strlen(text);
    unit = strchr(units, text[length - 1]);
    int shift = unit ? 10 * (int)(unit - units + 1) : 0;
    if (hc_text_to_i64(text, length - (unit != NULL), most) || *most < 1 ||
        *most > INT64_MAX >> shift)
        return hc_fail(
            err, HC_USAGE,
            "HINDCAST_MAX_SPOOL is '%s', which is no number of bytes, as '500M' or '40G'",
            hc_printable(text, length).text);
    *most <<= shift;
    return HC_OK;
}

static enum hc_status fail_too_much(const struct incoming *incoming, int64_t most,
                                    const char *directory, struct hc_error *err)
{
    return hc_fail(
        err, HC_BAD_INPUT,
        "'%s' has more than %lld bytes, the most that are kept in '%s' while it is read; "
        "name it as a file (unpack an archive first), or raise HINDCAST_MAX_SPOOL, as "
        "'40G'",
        incoming->name, (long long)most, directory);
}

static enum hc_status copy_to(int spool, const struct incoming *incoming, const char *directory,
                              struct hc_error *err)
{
    int64_t most, kept = 0;
    char *buffer = spool_limit(&most, err) ? NULL : hc_new_array(COPY_SIZE, 1, err);
    if (!buffer)
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t n = 1; n != 0 && status == HC_OK;) {
        status = incoming->read(incoming->context, buffer, COPY_SIZE, &n, err);
        kept += (int64_t)n;
        if (status == HC_OK && kept > most)
            status = fail_too_much(incoming, most, directory, err);
        if (status == HC_OK && write_all(spool, buffer, n))
            status = hc_fail(err, HC_IO,
                             "cannot keep '%s' in '%s': %s; set TMPDIR to a directory with room",
                             incoming->name, directory, strerror(errno));
    }
    free(buffer);
    return status;
}

/* *fd of a temporary file with everything that was to be read; -1 when there is none. */
static enum hc_status keep(int *fd, const struct incoming *incoming, struct hc_error *err)
{
    const char *directory = getenv("TMPDIR");
    if (!directory || !*directory)
        directory = "/tmp";
    *fd = open_spool(directory, err);
    return *fd < 0 ? err->status : copy_to(*fd, incoming, directory, err);
}

static enum hc_status read_file(void *file, void *buffer, size_t capacity, size_t *length,
                                struct hc_error *err)
{
    return hc_input_file_read(file, buffer, capacity, length, err);
}

/* Replace the fd by one of a temporary file with everything that was still to be read from it. */
static enum hc_status spool(struct hc_input_file *file, struct hc_error *err)
{
    const struct incoming incoming = {file->name, read_file, file};
    int fd = -1;
    enum hc_status status = keep(&fd, &incoming, err);
    if (fd < 0)
        return status;
    close(file->fd);
    file->fd = fd;
    return status;
}

/* Files of /proc are regular with size 0, and standard input may be half read: both are spooled,
 * so that offset 0 is the first byte and the size is right. */
static bool needs_spool(const struct hc_input_file *file)
{
    return !S_ISREG(file->info.st_mode) || file->info.st_size == 0 ||
           lseek(file->fd, 0, SEEK_CUR) != 0;
}

static enum hc_status open_fd(struct hc_source *source, const char *path, struct hc_error *err)
{
    struct hc_input_file file;
    if (hc_input_file_open(&file, path, err))
        return err->status;
    source->is_spooled = needs_spool(&file);
    if (!(source->name = hc_copy_text(file.name, err)) || (source->is_spooled && spool(&file, err)))
        hc_input_file_close(&file);
    source->fd = file.fd;
    return source->fd < 0 ? err->status : HC_OK;
}

/* cuts: NULL where no beginning is asked for. */
static enum hc_status measure(struct hc_source *source, struct hc_digest_cuts *cuts,
                              struct hc_error *err)
{
    if (hc_file_state_take(&source->state, source->fd, source->name, err) ||
        (cuts ? hc_digest_fd_cuts(source->fd, source->name, cuts, source->sha256, err)
              : hc_digest_fd(source->fd, source->name, source->sha256, err)))
        return err->status;
    source->size = source->state.info.st_size;
    return source->is_spooled ? HC_OK
                              : hc_file_state_verify(&source->state, source->fd, source->name, err);
}

enum hc_status hc_source_open_cuts(struct hc_source *source, const char *path,
                                   struct hc_digest_cuts *cuts, struct hc_error *err)
{
    memset(source, 0, sizeof *source);
    source->fd = -1;
    if (open_fd(source, path, err) || measure(source, cuts, err)) {
        hc_source_close(source);
        return err->status;
    }
    posix_fadvise(source->fd, 0, 0, POSIX_FADV_SEQUENTIAL);
    return HC_OK;
}

enum hc_status hc_source_open(struct hc_source *source, const char *path, struct hc_error *err)
{
    return hc_source_open_cuts(source, path, NULL, err);
}

enum hc_status hc_source_spool(struct hc_source *source, const char *name, hc_source_read *read,
                               void *context, struct hc_error *err)
{
    const struct incoming incoming = {name, read, context};
    memset(source, 0, sizeof *source);
    source->fd = -1;
    source->is_spooled = true;
    source->name = hc_copy_text(name, err);
    if (source->name && !keep(&source->fd, &incoming, err) && !measure(source, NULL, err))
        return HC_OK;
    hc_source_close(source);
    return err->status;
}

enum hc_status hc_source_check_unpacked(const struct hc_source *archive, int64_t n_packed,
                                        int64_t n_unpacked, struct hc_error *err)
{
    if (n_unpacked <= HC_UNPACK_FREE ||
        (n_unpacked - HC_UNPACK_FREE) / HC_UNPACK_A_BYTE <= n_packed)
        return HC_OK;
    return hc_fail(
        err, HC_BAD_INPUT,
        "'%s' unpacks to %lld bytes or more from %lld, over %lld MiB and %d for each byte "
        "beyond: it is made to fill a disk, or packed uncommonly well; then unpack it "
        "yourself and name the files",
        archive->name, (long long)n_unpacked, (long long)n_packed,
        (long long)(HC_UNPACK_FREE >> 20), HC_UNPACK_A_BYTE);
}

enum hc_status hc_source_verify(const struct hc_source *source, struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    if (source->is_spooled)
        return HC_OK;
    if (hc_file_state_verify(&source->state, source->fd, source->name, err))
        return err->status;
    if (!source->state.is_recent)
        return HC_OK;
    if (hc_digest_fd(source->fd, source->name, digest, err))
        return err->status;
    return strcmp(digest, source->sha256) == 0 ? HC_OK : hc_fail_changed(err, source->name);
}

void hc_source_close(struct hc_source *source)
{
    if (source->name && source->fd >= 0)
        close(source->fd);
    free(source->name);
    memset(source, 0, sizeof *source);
    source->fd = -1;
}

enum hc_status hc_source_check_rows(const struct hc_source *source, int64_t n_rows,
                                    int64_t rows_per_byte, struct hc_error *err)
{
    int64_t beyond = n_rows - HC_FREE_ROWS;
    if (rows_per_byte == 0 || beyond <= 0 ||
        beyond / rows_per_byte + (beyond % rows_per_byte != 0) <= source->size)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "'%s' has %lld rows or more in %lld bytes, over a million and %lld a byte "
                   "beyond: it is made to fill memory, or packed uncommonly well; then raise "
                   "--max-rows-per-byte",
                   source->name, (long long)n_rows, (long long)source->size,
                   (long long)rows_per_byte);
}

enum hc_status hc_source_read_at(const struct hc_source *source, int64_t offset, void *buffer,
                                 size_t length, struct hc_error *err)
{
    char *to = buffer;
    while (length > 0) {
        ssize_t n = pread(source->fd, to, length, offset);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0)
            return hc_fail_errno(err, "cannot read", source->name);
        if (n == 0)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': byte %lld: the file ends here but %zu more bytes were expected; "
                           "it is cut off or was changed",
                           source->name, (long long)offset, length);
        to += n;
        offset += n;
        length -= (size_t)n;
    }
    return HC_OK;
}
