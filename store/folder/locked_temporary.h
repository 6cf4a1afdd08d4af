/* locked_temporary.h - files of an archive while they are written: under a name of their own, and
 * locked by their writer, so that everybody can tell a file at work from what a killed writer left.
 *
 * The name is on the list that signals remove (core/process/temporary_files.h). A file that nobody
 * holds the lock of is a leftover, and whoever writes next may remove it.
 */
#ifndef HC_STORE_FOLDER_LOCKED_TEMPORARY_H
#define HC_STORE_FOLDER_LOCKED_TEMPORARY_H

#include "core/base/status.h"
#include "store/folder/folder.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* What is written under temporary names. Name and first bytes together tell a file of ours from
 * one that somebody put there: only what has both is removed. */
struct hc_temporary_kind {
    const char *prefix, *suffix;
    /* Whether a file of this kind begins with these n bytes (1 to HC_HEAD_BYTES, fewer only where
     * the file is shorter), whenever its writer was killed. An empty file is of any kind. */
    bool (*begins_so)(const uint8_t *head, size_t n);
    /* The file, seen from the folder, whose access the file has under its final name. Until then
     * only those who may write that one can open it: a reader that locks it would keep it from
     * going once its writer is dead. NULL, or where there is none: as the umask says. */
    const char *like;
};
#define HC_HEAD_BYTES 8

/* begins_so of JSON documents. */
bool hc_begins_as_document(const uint8_t *head, size_t n);

struct hc_locked_temporary {
    const struct hc_folder *folder;
    const struct hc_temporary_kind *kind;
    char *path;       /* for what opens by path, and for signals */
    const char *name; /* the last part of path */
    int fd;           /* open for writing; its lock says that we are alive */
};

/* Make "<prefix><process>-<random><suffix>" in folder, which must stay open until the release.
 * Where the file system has no locks this fails only if needs_lock. */
enum hc_status hc_locked_temporary_make(struct hc_locked_temporary *temporary,
                                        const struct hc_folder *folder,
                                        const struct hc_temporary_kind *kind, bool needs_lock,
                                        struct hc_error *err);

/* Give it its final name, in place of what has that name, and the access that its kind says. */
enum hc_status hc_locked_temporary_rename(const struct hc_locked_temporary *temporary,
                                          const char *name, struct hc_error *err);

/* Remove it unless it was renamed, then free its lock. May be called on a zeroed one. */
void hc_locked_temporary_release(struct hc_locked_temporary *temporary);

/* Whether a name is one that hc_locked_temporary_make gives, or an older hindcast gave: between
 * prefix and suffix "<process>-<16 hex digits>", or three hex numbers (process, count, nanoseconds
 * since 1970), or the six characters of mkstemp. */
bool hc_is_temporary_name(const char *name, const struct hc_temporary_kind *kind);

/* What becomes of a leftover. */
enum hc_leftover {
    HC_LEFTOVER_AT_WORK, /* its writer lives, or it is gone by now */
    HC_LEFTOVER_DEAD,    /* (removed, where that was asked for) */
    HC_LEFTOVER_FOREIGN, /* it does not begin as what hindcast writes: somebody else's, and kept */
    HC_LEFTOVER_KEPT     /* it cannot be told, or removed: err says why */
};

/* Look at the file `name` of folder, which has a temporary name of that kind, and with remove
 * remove it if its writer is dead. It goes while we hold its lock, so that a writer which has just
 * made it sees that it lost it. */
enum hc_leftover hc_leftover_clear(const struct hc_folder *folder, const char *name,
                                   const struct hc_temporary_kind *kind, bool remove,
                                   struct hc_error *err);

/* Remove what dead writers left in folder, as far as that is possible. */
void hc_leftovers_sweep(const struct hc_folder *folder, const struct hc_temporary_kind *kind);

/* Replace the file `name` by length bytes: whole or not at all. kind is of the temporary file.
 * With durable, it survives a crash of the machine once this returned HC_OK; when only the last
 * step of that fails, the new file is there all the same. */
enum hc_status hc_folder_replace(const struct hc_folder *folder, const char *name,
                                 const struct hc_temporary_kind *kind, const char *bytes,
                                 size_t length, bool durable, struct hc_error *err);

#endif
