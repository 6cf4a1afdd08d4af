#include "core/files/file_access.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

#define ACL        "system.posix_acl_access"
#define ACL_HEAD   4 /* the version; then entries of tag, permissions and id, little-endian */
#define ACL_ENTRY  8
#define ACL_RIGHTS 2 /* place of the permissions in an entry, whose high byte is 0 */
#define READ       4
#define WRITE      2
#define SEARCH     1

/* ---- reading ---- */

static bool has_no_acl(int why)
{
    return why == ENODATA || why == EOPNOTSUPP || why == ENOSYS;
}

/* By the name of the descriptor: one of O_PATH, which needs no right to read, has no attributes.
 * Where /proc is not mounted, no ACL is known. */
static enum hc_status read_acl(struct hc_file_access *access, int fd, const char *name,
                               struct hc_error *err)
{
    char path[32];
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ssize_t size = getxattr(path, ACL, access->acl, sizeof access->acl);
    if (size < 0 && !has_no_acl(errno) && errno != ENOENT)
        return hc_fail_errno(err, "cannot read the access list of", name);
    access->acl_size = size > 0 ? (size_t)size : 0;
    return HC_OK;
}

enum hc_status hc_file_access_read(struct hc_file_access *access, int fd, const char *name,
                                   mode_t kind, struct hc_error *err)
{
    struct stat info;
    access->is_known = false;
    access->acl_size = 0;
    int file = openat(fd, name, O_PATH | O_NOFOLLOW | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT || errno == ENOTDIR ? HC_OK
                                                   : hc_fail_errno(err, "cannot look at", name);
    enum hc_status status = HC_OK;
    if (fstat(file, &info)) {
        status = hc_fail_errno(err, "cannot look at", name);
    } else if ((info.st_mode & S_IFMT) == kind) {
        access->is_known = true;
        access->mode = info.st_mode & (ACCESSPERMS | (S_ISDIR(kind) ? S_ISGID : 0U));
        access->uid = info.st_uid;
        access->gid = info.st_gid;
        status = read_acl(access, file, name, err);
    }
    close(file);
    return status;
}

/* ---- giving ---- */

/* Change owner and group as far as that is permitted. *has_group: the group is the wanted one. */
static enum hc_status give_owner(const struct hc_file_access *access, int fd, const char *name,
                                 const struct stat *now, bool *has_group, struct hc_error *err)
{
    *has_group = now->st_gid == access->gid;
    if (*has_group && now->st_uid == access->uid)
        return HC_OK;
    int failed = fchown(fd, access->uid, access->gid);
    if (failed && !*has_group)
        failed = fchown(fd, (uid_t)-1, access->gid);
    *has_group |= !failed;
    /* EINVAL: an id that the user namespace does not have */
    bool is_refused = errno == EPERM || errno == EINVAL || errno == EOPNOTSUPP;
    return failed && !is_refused ? hc_fail_errno(err, "cannot keep the owner of", name) : HC_OK;
}

static enum hc_status give_acl(const struct hc_file_access *access, int fd, const char *name,
                               bool is_wanted, struct hc_error *err)
{
    int failed =
        is_wanted ? fsetxattr(fd, ACL, access->acl, access->acl_size, 0) : fremovexattr(fd, ACL);
    return failed && (is_wanted || !has_no_acl(errno))
               ? hc_fail_errno(err, "cannot keep the access list of", name)
               : HC_OK;
}

/* Another group may have what both group and others had: its members were others before, and those
 * of the old group are others now. Of an access list, no bit says what the group itself had. */
static mode_t without_group(const struct hc_file_access *access)
{
    mode_t mode = access->mode & ~(mode_t)(S_IRWXG | S_IRWXO);
    mode_t both = access->acl_size ? 0 : (access->mode >> 3) & access->mode & S_IRWXO;
    return mode | both << 3 | both;
}

enum hc_status hc_file_access_give(const struct hc_file_access *access, int fd, const char *name,
                                   struct hc_error *err)
{
    struct stat now;
    bool has_group = false;
    if (!access->is_known)
        return HC_OK;
    if (fstat(fd, &now))
        return hc_fail_errno(err, "cannot look at", name);
    if (give_owner(access, fd, name, &now, &has_group, err) ||
        give_acl(access, fd, name, access->acl_size && has_group, err))
        return err->status;
    mode_t mode = has_group ? access->mode : without_group(access);
    if (S_ISDIR(now.st_mode))
        mode |= now.st_mode & S_ISGID;
    if (fstat(fd, &now)) /* an access list changes the mode */
        return hc_fail_errno(err, "cannot look at", name);
    if ((now.st_mode & ALLPERMS) != mode && fchmod(fd, mode))
        return hc_fail_errno(err, "cannot keep the mode of", name);
    return HC_OK;
}

enum hc_status hc_file_access_keep(const char *path, int fd, struct hc_error *err)
{
    struct stat info;
    struct hc_file_access access;
    if (fstat(fd, &info))
        return hc_fail_errno(err, "cannot look at", path);
    if (hc_file_access_read(&access, AT_FDCWD, path, info.st_mode & S_IFMT, err))
        return err->status;
    return hc_file_access_give(&access, fd, path, err);
}

/* ---- of other files ---- */

/* Where the permissions of a class, or of an entry, lack `lacks`, take `takes` from them; where
 * they have it, add `adds`. */
static mode_t change(mode_t rights, mode_t asks, mode_t takes, mode_t adds)
{
    return rights & asks ? rights | adds : rights & ~takes;
}

static void change_all(struct hc_file_access *access, mode_t asks, mode_t takes, mode_t adds)
{
    mode_t mode = 0;
    for (int class = 0; class < 3; class ++)
        mode |= change(access->mode >> 3 * class & 7, asks, takes, adds) << 3 * class;
    access->mode = mode;
    for (size_t at = ACL_HEAD + ACL_RIGHTS; at < access->acl_size; at += ACL_ENTRY)
        access->acl[at] = (uint8_t)change(access->acl[at], asks, takes, adds);
}

void hc_file_access_of_writers(struct hc_file_access *access)
{
    change_all(access, WRITE, READ, 0);
}

void hc_file_access_of_directory(struct hc_file_access *access)
{
    change_all(access, READ, 0, SEARCH);
}
