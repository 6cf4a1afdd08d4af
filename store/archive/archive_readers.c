#include "store/archive/archive_readers.h"

#include "core/base/memory.h"
#include "store/archive/manifest.h"
#include "store/folder/directory_list.h"
#include "store/folder/writer_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define MARK        ".gone-"
#define LONGEST_S   (7 * 86400) /* for which a file stays at most */
#define PATIENCE    10          /* pauses */
#define PAUSE_NS    5000000
#define MOST_DIGITS 18 /* of a generation */
#define ALL_BYTES   0  /* length of a lock to the end */

/* ---- who reads ---- */

static int open_readers(const char *path)
{
    struct hc_folder folder;
    struct hc_error ignored;
    int fd = -1;
    if (hc_folder_open(&folder, path, &ignored))
        return -1;
    if (folder.fd >= 0 && hc_folder_open_file(&folder, HC_READERS_FILE, O_RDONLY, &fd, &ignored))
        fd = -1;
    hc_folder_close(&folder);
    return fd;
}

static bool set_lock(int fd, short type, int64_t first, int64_t length)
{
    struct flock lock = {.l_type = type, .l_whence = SEEK_SET, .l_start = first, .l_len = length};
    return fcntl(fd, F_OFD_SETLK, &lock) == 0;
}

int hc_reader_begin(const char *path)
{
    int fd = open_readers(path);
    if (fd >= 0 && !set_lock(fd, F_RDLCK, 0, ALL_BYTES)) {
        close(fd);
        fd = -1;
    }
    return fd;
}

/* Where a lock cannot be given back in part, all of it stays until close: files stay, too. */
void hc_reader_settle(int fd, int64_t generation)
{
    if (fd < 0 || generation < 0 || generation == INT64_MAX)
        return;
    if (generation > 0)
        set_lock(fd, F_UNLCK, 0, generation);
    set_lock(fd, F_UNLCK, generation + 1, ALL_BYTES);
}

bool hc_has_readers_before(const char *path, int64_t generation, bool is_patient)
{
    const struct timespec pause = {.tv_nsec = PAUSE_NS};
    int fd = generation > 0 ? open_readers(path) : -1;
    bool has_any = fd >= 0;
    for (int i = 0; has_any; i++) {
        struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = generation};
        has_any = fcntl(fd, F_OFD_GETLK, &lock) == 0 && lock.l_type != F_UNLCK;
        if (!is_patient || i == PATIENCE)
            break;
        if (has_any)
            nanosleep(&pause, NULL);
    }
    if (fd >= 0)
        close(fd);
    return has_any;
}

/* ---- files ---- */

enum hc_status hc_retire_segment(const struct hc_folder *segments, const char *name,
                                 int64_t generation, bool has_readers, struct hc_error *err)
{
    bool gone = false;
    if (!has_readers)
        return hc_folder_remove(segments, name, &gone, err);
    char *retired = hc_new_text(err, "%s" MARK "%" PRId64, name, generation);
    if (!retired)
        return err->status;
    enum hc_status status = HC_OK;
    if (renameat(segments->fd, name, segments->fd, retired) && errno != ENOENT)
        status =
            hc_fail(err, HC_IO, "cannot rename '%s/%s': %s", segments->path, name, strerror(errno));
    free(retired);
    return status;
}

bool hc_is_retired_name(const char *name, int64_t *generation)
{
    const char *mark = strstr(name, HC_SEGMENT_SUFFIX MARK);
    const char *digits = mark ? mark + strlen(HC_SEGMENT_SUFFIX MARK) : "";
    size_t n = strspn(digits, "0123456789");
    if (n == 0 || n > MOST_DIGITS || digits[n] != '\0')
        return false;
    *generation = strtoll(digits, NULL, 10);
    return true;
}

enum hc_status hc_open_retired(const struct hc_folder *segments, const char *name, int *fd,
                               struct hc_error *err)
{
    struct hc_directory_list list;
    int64_t generation;
    size_t length = strlen(name);
    *fd = -1;
    if (hc_list_directory(&list, segments, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < list.n && !status && *fd < 0; i++)
        if (strncmp(list.names[i], name, length) == 0 &&
            strncmp(list.names[i] + length, MARK, strlen(MARK)) == 0 &&
            hc_is_retired_name(list.names[i], &generation))
            status = hc_folder_open_file(segments, list.names[i], O_RDONLY, fd, err);
    hc_directory_list_fini(&list);
    return status;
}

bool hc_retired_may_go(const char *path, const struct hc_folder *segments, const char *name)
{
    struct stat info;
    int64_t generation;
    if (!hc_is_retired_name(name, &generation))
        return false;
    bool is_old = fstatat(segments->fd, name, &info, AT_SYMLINK_NOFOLLOW) == 0 &&
                  time(NULL) - info.st_ctim.tv_sec > LONGEST_S; /* renaming sets that time */
    return is_old || !hc_has_readers_before(path, generation, false);
}
