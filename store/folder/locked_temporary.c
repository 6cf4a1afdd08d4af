#include "store/folder/locked_temporary.h"

#include "core/base/memory.h"
#include "core/files/read_at.h"
#include "core/process/temporary_files.h"
#include "store/folder/directory_list.h"
#include "store/folder/writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#define MAX_TRIES 16 /* for a name that is ours */

/* ---- making ---- */

/* Without random numbers (an old kernel that has not gathered any) a count: the name is taken only
 * if nobody has it. */
static uint64_t some_number(void)
{
    static atomic_uint_fast64_t count;
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, GRND_NONBLOCK) != sizeof number)
        number = atomic_fetch_add(&count, 1);
    return number;
}

/* Between the making of the file and its lock, a cleaner may take it for the leftover of a dead
 * writer: then it is locked by the cleaner, or has no name any more. */
static bool is_ours(int fd, bool needs_lock, bool *again)
{
    struct stat info;
    bool locked = hc_lock_fd(fd);
    bool is_contended = !locked && (errno == EAGAIN || errno == EACCES);
    bool is_named = fstat(fd, &info) == 0 && info.st_nlink > 0;
    *again = is_contended || (locked && !is_named);
    if (locked && !is_named)
        errno = ENOENT; /* for the message, should no further name be tried */
    return is_named && (locked || (!needs_lock && !is_contended));
}

static enum hc_status read_access(struct hc_file_access *access,
                                  const struct hc_locked_temporary *temporary, struct hc_error *err)
{
    access->is_known = false;
    return temporary->kind->like ? hc_file_access_read(access, temporary->folder->fd,
                                                       temporary->kind->like, S_IFREG, err)
                                 : HC_OK;
}

static enum hc_status try_name(struct hc_locked_temporary *temporary,
                               const struct hc_temporary_kind *kind, bool needs_lock, bool *again,
                               struct hc_error *err)
{
    struct hc_file_access access;
    const struct hc_folder *folder = temporary->folder;
    *again = false;
    if (read_access(&access, temporary, err))
        return err->status;
    hc_file_access_of_writers(&access);
    temporary->path = hc_new_text(err, "%s/%s%d-%016" PRIx64 "%s", folder->path, kind->prefix,
                                  (int)getpid(), some_number(), kind->suffix);
    if (!temporary->path)
        return err->status;
    temporary->name = temporary->path + strlen(folder->path) + 1;
    /* A signal that another thread takes would find no file yet, and end the process when it is
     * there. */
    hc_temporary_hold();
    hc_temporary_add(temporary->path);
    temporary->fd =
        openat(folder->fd, temporary->name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
               access.is_known ? 0600 : 0666);
    int made_errno = errno;
    hc_temporary_release();
    errno = made_errno;
    if (temporary->fd >= 0 && is_ours(temporary->fd, needs_lock, again)) {
        if (hc_file_access_give(&access, temporary->fd, temporary->path, err) == HC_OK)
            return HC_OK;
    } else {
        *again |= temporary->fd < 0 && errno == EEXIST;
        hc_fail_errno(err, temporary->fd < 0 ? "cannot create" : "cannot lock", temporary->path);
    }
    hc_locked_temporary_release(temporary);
    temporary->folder = folder;
    temporary->kind = kind;
    return err->status;
}

enum hc_status hc_locked_temporary_make(struct hc_locked_temporary *temporary,
                                        const struct hc_folder *folder,
                                        const struct hc_temporary_kind *kind, bool needs_lock,
                                        struct hc_error *err)
{
    enum hc_status status = HC_IO;
    struct hc_error why = {.status = HC_OK};
    bool again = true;
    *temporary = (struct hc_locked_temporary){.folder = folder, .kind = kind, .fd = -1};
    for (int i = 0; i < MAX_TRIES && status && again; i++)
        status = try_name(temporary, kind, needs_lock, &again, &why);
    if (status) /* a name that was lost before another was had is no error */
        *err = why;
    return status;
}

enum hc_status hc_locked_temporary_rename(const struct hc_locked_temporary *temporary,
                                          const char *name, struct hc_error *err)
{
    const struct hc_folder *folder = temporary->folder;
    struct hc_file_access access;
    if (read_access(&access, temporary, err) ||
        hc_file_access_give(&access, temporary->fd, temporary->path, err))
        return err->status;
    if (renameat(folder->fd, temporary->name, folder->fd, name) == 0)
        return HC_OK;
    return hc_fail(err, HC_IO, "cannot rename to '%s/%s': %s", folder->path, name, strerror(errno));
}

void hc_locked_temporary_release(struct hc_locked_temporary *temporary)
{
    if (temporary->path) {
        if (temporary->fd >= 0) {
            unlinkat(temporary->folder->fd, temporary->name, 0);
            close(temporary->fd);
        }
        hc_temporary_forget(temporary->path);
        free(temporary->path);
    }
    *temporary = (struct hc_locked_temporary){.fd = -1};
}

/* ---- leftovers ---- */

#define HEX          "0123456789abcdef"
#define DIGITS       "0123456789"
#define MOST_PROCESS 10 /* digits of a process, decimal or hex */
#define MOST_COUNT   8
#define TIME_DIGITS  16 /* of nanoseconds since 1970, in hex: so since 2006 */
#define MKSTEMP      6

/* The place behind `least` to `most` of the characters at p; NULL where it has not so many. */
static const char *skip(const char *p, const char *characters, size_t least, size_t most)
{
    size_t n = p ? strspn(p, characters) : 0;
    return p && n >= least && n <= most ? p + n : NULL;
}

static const char *skip_border(const char *p)
{
    return p && *p == '-' ? p + 1 : NULL;
}

/* Six letters or digits; those of one sort are a word, or a date, that somebody has chosen
 * ("backup"), and mkstemp gives such ones once in a hundred times. */
static const char *skip_mkstemp(const char *p)
{
    bool has_lower = false, has_upper = false, has_digit = false;
    for (int i = 0; i < MKSTEMP; i++) {
        bool is_lower = p[i] >= 'a' && p[i] <= 'z', is_upper = p[i] >= 'A' && p[i] <= 'Z';
        bool is_digit = p[i] >= '0' && p[i] <= '9';
        if (!is_lower && !is_upper && !is_digit)
            return NULL;
        has_lower |= is_lower;
        has_upper |= is_upper;
        has_digit |= is_digit;
    }
    return has_lower + has_upper + has_digit > 1 ? p + MKSTEMP : NULL;
}

bool hc_is_temporary_name(const char *name, const struct hc_temporary_kind *kind)
{
    size_t before = strlen(kind->prefix);
    if (strncmp(name, kind->prefix, before) != 0)
        return false;
    const char *own = name + before;
    const char *now = skip(skip_border(skip(own, DIGITS, 1, MOST_PROCESS)), HEX, 16, 16);
    const char *counted = skip_border(skip(own, HEX, 1, MOST_PROCESS));
    counted = skip_border(skip(counted, HEX, 1, MOST_COUNT));
    const char *const ends[] = {now, skip(counted, HEX, TIME_DIGITS, TIME_DIGITS),
                                skip_mkstemp(own)};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (ends[i] && strcmp(ends[i], kind->suffix) == 0)
            return true;
    return false;
}

bool hc_begins_as_document(const uint8_t *head, size_t n)
{
    return n > 0 && *head == '{';
}

/* By what is in the file that fd is open on, whether its writer may have been hindcast. */
static enum hc_leftover tell_by_contents(int fd, const char *name,
                                         const struct hc_temporary_kind *kind, struct hc_error *err)
{
    uint8_t head[HC_HEAD_BYTES];
    ssize_t n = hc_read_at(fd, head, sizeof head, 0);
    if (n < 0) {
        hc_fail_errno(err, "cannot read", name);
        return HC_LEFTOVER_KEPT;
    }
    return n == 0 || kind->begins_so(head, (size_t)n) ? HC_LEFTOVER_DEAD : HC_LEFTOVER_FOREIGN;
}

/* Nothing is looked at before it is locked: a writer at work may have written anything so far. */
static enum hc_leftover tell(int fd, const char *name, const struct hc_temporary_kind *kind,
                             bool remove, struct hc_error *err)
{
    bool is_free = remove ? hc_lock_fd(fd) : !hc_is_locked(fd);
    bool is_contended = !is_free && (!remove || errno == EAGAIN || errno == EACCES);
    if (is_free || (is_contended && !hc_is_locked(fd))) /* who only reads it may hold it */
        return tell_by_contents(fd, name, kind, err);
    if (is_contended)
        return HC_LEFTOVER_AT_WORK;
    hc_fail_errno(err, "cannot lock", name);
    return HC_LEFTOVER_KEPT;
}

enum hc_leftover hc_leftover_clear(const struct hc_folder *folder, const char *name,
                                   const struct hc_temporary_kind *kind, bool remove,
                                   struct hc_error *err)
{
    int fd = -1;
    bool gone = false;
    if (hc_folder_open_file(folder, name, remove ? O_RDWR : O_RDONLY, &fd, err))
        return HC_LEFTOVER_KEPT;
    if (fd < 0)
        return HC_LEFTOVER_AT_WORK;
    enum hc_leftover result = tell(fd, name, kind, remove, err);
    if (result == HC_LEFTOVER_DEAD && remove) {
        if (hc_folder_remove(folder, name, &gone, err))
            result = HC_LEFTOVER_KEPT;
        else if (gone)
            result = HC_LEFTOVER_AT_WORK;
    }
    close(fd);
    return result;
}

void hc_leftovers_sweep(const struct hc_folder *folder, const struct hc_temporary_kind *kind)
{
    struct hc_directory_list list;
    struct hc_error ignored;
    if (hc_list_directory(&list, folder, &ignored))
        return;
    for (size_t i = 0; i < list.n; i++)
        if (hc_is_temporary_name(list.names[i], kind))
            hc_leftover_clear(folder, list.names[i], kind, true, &ignored);
    hc_directory_list_fini(&list);
}

/* ---- whole files ---- */

static enum hc_status write_all(const struct hc_locked_temporary *temporary, const char *bytes,
                                size_t length, struct hc_error *err)
{
    while (length) {
        ssize_t n = write(temporary->fd, bytes, length);
        if (n < 0 && errno == EINTR)
            continue;
        if (n <= 0)
            return hc_fail_errno(err, "cannot write", temporary->path);
        bytes += n;
        length -= (size_t)n;
    }
    return HC_OK;
}

enum hc_status hc_folder_replace(const struct hc_folder *folder, const char *name,
                                 const struct hc_temporary_kind *kind, const char *bytes,
                                 size_t length, bool durable, struct hc_error *err)
{
    struct hc_locked_temporary temporary;
    const char *odd = hc_folder_oddity(folder, name, S_IFREG);
    if (odd) /* a rename would replace it */
        return hc_fail(err, HC_IO, "'%s/%s' is %s and no file, so it is not replaced: move it away",
                       folder->path, name, odd);
    if (hc_locked_temporary_make(&temporary, folder, kind, false, err))
        return err->status;
    enum hc_status status = write_all(&temporary, bytes, length, err);
    if (!status && durable && fsync(temporary.fd))
        status = hc_fail_errno(err, "cannot sync", temporary.path);
    if (!status)
        status = hc_locked_temporary_rename(&temporary, name, err);
    hc_locked_temporary_release(&temporary);
    return !status && durable ? hc_folder_sync(folder, err) : status;
}
