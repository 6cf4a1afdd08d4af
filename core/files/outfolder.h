/* outfolder.h - a folder of files that is there whole or not at all.
 *
 * The files are written one after the other into a folder under a temporary name beside the final
 * one. Commit has all bytes on the disk, then gives the folder its name in one step: by rename, or,
 * where a folder of that name is there, by renameat2(RENAME_EXCHANGE), after which the old one is
 * removed. So at any moment the name stands for the last folder that was written whole, also after
 * SIGKILL or loss of power. A symbolic link beside the folders ("latest") names the greatest of
 * them, and is replaced by the rename of a new one.
 *
 *     struct hc_outfolder *folder = NULL;
 *     FILE *stream;
 *     if (hc_outfolder_open(&folder, "reports", "2026-03-20", "latest", err) ||
 *         hc_outfolder_add(folder, "tables/leaves.csv", true, &stream, err))
 *         goto out;
 *     ... write ...
 *     status = hc_outfolder_commit(folder, run_id, err);
 *   out:
 *     hc_outfolder_close(folder);
 *
 * The folder has an index (HC_OUTSET_INDEX) with the SHA-256 of every file, as `sha256sum -c` reads
 * it, by which a later run knows it as one of ours: a folder without it, or one in which somebody
 * put a file of his own, is never replaced.
 *
 * File systems that cannot exchange two names (NFS) have a moment without the folder: the old one
 * then lies under a temporary name, from which the next writer puts it back. What a writer that was
 * killed left is removed by the next one, as far as the file system has locks to tell that it is
 * dead.
 */
#ifndef HC_CORE_FILES_OUTFOLDER_H
#define HC_CORE_FILES_OUTFOLDER_H

#include "core/base/status.h"
#include "core/files/outset.h"

#include <stdbool.h>
#include <stdio.h>

struct hc_outfolder;

/* Begin the folder `name` in directory `parent`, which is made with its parents. link: name of the
 * symbolic link to the greatest of the folders whose names have digits where `name` has them and
 * are else the same; NULL: none. HC_USAGE: the name or the link is something that must not be
 * replaced. */
enum hc_status hc_outfolder_open(struct hc_outfolder **folder, const char *parent, const char *name,
                                 const char *link, struct hc_error *err);

/* Add the file at `path` below the folder, with at most one folder in between. *stream is open
 * until the next call. is_listed: the index has its digest; else only its name, for a file that has
 * other bytes each time. HC_INTERNAL: the folder has the file already. */
enum hc_status hc_outfolder_add(struct hc_outfolder *folder, const char *path, bool is_listed,
                                FILE **stream, struct hc_error *err);

/* Put the folder in place. On failure all is as it was. */
enum hc_status hc_outfolder_commit(struct hc_outfolder *folder, const char *run_id,
                                   struct hc_error *err);

/* Free the folder; what was not committed goes. NULL is fine. */
void hc_outfolder_close(struct hc_outfolder *folder);

#endif
