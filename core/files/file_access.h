/* file_access.h - who may do what with a file: owner, group, mode and POSIX ACL.
 *
 * A file that is written anew and renamed over an old one is another file: without more it has the
 * owner of who wrote it and the mode of that user's umask. These functions give it what the old one
 * had, as far as the system permits, and never more than that: where the group cannot be kept,
 * the bits of group and others become what both had.
 */
#ifndef HC_CORE_FILES_FILE_ACCESS_H
#define HC_CORE_FILES_FILE_ACCESS_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HC_ACL_BYTES 4096 /* some 500 entries; ext4 has room for no more */

struct hc_file_access {
    bool is_known;
    mode_t mode; /* permissions; of a directory with its setgid bit */
    uid_t uid;
    gid_t gid;
    size_t acl_size; /* 0: none */
    uint8_t acl[HC_ACL_BYTES];
};

/* The access of the file (S_IFREG) or directory (S_IFDIR) `name` in the open directory `fd`
 * (AT_FDCWD: name is a path), no link followed; is_known is false where there is nothing of that
 * kind. */
enum hc_status hc_file_access_read(struct hc_file_access *access, int fd, const char *name,
                                   mode_t kind, struct hc_error *err);

/* Give it to the open file fd, which the caller made and which messages call `name`. What is not
 * known changes nothing. */
enum hc_status hc_file_access_give(const struct hc_file_access *access, int fd, const char *name,
                                   struct hc_error *err);

/* Give the open file or directory fd the access of what is at path, if it is of the same kind. */
enum hc_status hc_file_access_keep(const char *path, int fd, struct hc_error *err);

/* Take the right to read from all who have no right to write. */
void hc_file_access_of_writers(struct hc_file_access *access);

/* The access of a directory of such files: it can be searched by all who can read them. */
void hc_file_access_of_directory(struct hc_file_access *access);

#endif
