/* folder.h - the directories of an archive, and what is in them, by descriptor.
 *
 * Whatever hindcast opens, renames or removes inside an archive goes through a folder: relative to
 * an open directory, never through a symbolic link, never waiting for the other end of a pipe. So
 * nothing outside is read, written or removed, whatever somebody put into the archive; only the
 * path of the archive itself, which the user names, may be a link.
 *
 * "There is none" is an answer and not a failure: an absent file or folder is HC_OK with the
 * descriptor -1. HC_IO always means that the system refused, or that what is there is no regular
 * file (or directory) and was therefore left alone: nothing is known of its contents.
 *
 *     struct hc_folder segments;
 *     if (hc_folder_open_part(&segments, "my-archive", "segments", err))
 *         return err->status;
 *     status = hc_folder_open_file(&segments, "a.h5", O_RDONLY, &fd, err);
 *     hc_folder_close(&segments);
 */
#ifndef HC_STORE_FOLDER_FOLDER_H
#define HC_STORE_FOLDER_FOLDER_H

#include "core/base/status.h"
#include "core/files/file_access.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The file of an archive whose owner, group, mode and ACL say who may do what with all others. */
#define HC_MANIFEST_FILE "manifest.json"

struct hc_folder {
    int fd;     /* a directory that can be searched (O_PATH); -1: there is none */
    char *path; /* for messages */
};

/* Open the directory at path, links followed. On failure there is nothing to close. */
enum hc_status hc_folder_open(struct hc_folder *folder, const char *path, struct hc_error *err);

/* Open the directory `name` in outer, which may not be a link. */
enum hc_status hc_folder_open_inner(struct hc_folder *folder, const struct hc_folder *outer,
                                    const char *name, struct hc_error *err);

/* Open the directory `name` in the directory at path; both may be absent. */
enum hc_status hc_folder_open_part(struct hc_folder *folder, const char *path, const char *name,
                                   struct hc_error *err);

/* May be called on a zeroed folder, and on one that is closed. */
void hc_folder_close(struct hc_folder *folder);

/* Make the directory `name` unless it is there, for those who may read the file `like`. */
enum hc_status hc_folder_make(const struct hc_folder *folder, const char *name, const char *like,
                              struct hc_error *err);

/* Whether something has that name, a dangling link included. */
enum hc_status hc_folder_has(const struct hc_folder *folder, const char *name, bool *there,
                             struct hc_error *err);

/* Open the regular file `name` with flags (O_RDONLY, O_RDWR, O_CREAT...). */
enum hc_status hc_folder_open_file(const struct hc_folder *folder, const char *name, int flags,
                                   int *fd, struct hc_error *err);

/* All of the regular file `name`, with a NUL behind it; *text is the caller's, NULL when there is
 * no such file. Files beyond 1 GiB are HC_BAD_INPUT. */
enum hc_status hc_folder_read(const struct hc_folder *folder, const char *name, char **text,
                              size_t *length, struct hc_error *err);

/* Remove the file `name`; *gone tells that it was not there any more. */
enum hc_status hc_folder_remove(const struct hc_folder *folder, const char *name, bool *gone,
                                struct hc_error *err);

/* fsync the directory, so that renames in it survive a crash. */
enum hc_status hc_folder_sync(const struct hc_folder *folder, struct hc_error *err);

/* What `name` is ("a symbolic link", "a directory", "a FIFO"...), or NULL when it is of the wanted
 * kind (S_IFREG, S_IFDIR), absent, or nobody can tell. */
const char *hc_folder_oddity(const struct hc_folder *folder, const char *name, mode_t wanted);

#endif
