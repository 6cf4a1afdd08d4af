/* outset.h - files that belong together: all of them are new, or all are as they were.
 *
 * A command adds every file that it writes to one set and fills their streams; nothing is seen
 * under the final names before commit. Commit has all bytes on the disk first. Then, with signals
 * held back, it takes the files one after the other: the old one is kept aside under a temporary
 * name, the new one renamed. When one of these steps fails, what was kept aside comes back. So
 * after an error, SIGINT, SIGTERM or SIGHUP all files are new or all are old. After SIGKILL or loss
 * of power each file is whole, but some may be new and some old; an index (hc_outset_index_begin)
 * then tells, since it is renamed last and holds the digest of every file.
 *
 *     struct hc_outset *set = NULL;
 *     FILE *table, *page;
 *     if (hc_outset_open(&set, err) || hc_outset_directory(set, "out", err) ||
 *         hc_outset_index_begin(set, "out", HC_OUTSET_INDEX, run_id, err) ||
 *         hc_outset_add(set, "out/table.csv", &table, err))
 *         goto out;
 *     hc_outset_index_end(set);
 *     if (hc_outset_add(set, "page.html", &page, err))
 *         goto out;
 *     ... write to both ...
 *     status = hc_outset_commit(set, err);
 *   out:
 *     hc_outset_close(set);
 *
 * Standard output, pipes and devices cannot be taken back: they are written after the files are in
 * place (so what goes there is held in a temporary file, see hc_outset_add_held).
 *
 * Two writers of the same files commit one after the other: each locks the directories meanwhile
 * (as far as the file system can). What an earlier writer left when it was killed is swept then.
 */
#ifndef HC_CORE_FILES_OUTSET_H
#define HC_CORE_FILES_OUTSET_H

#include "core/base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#define HC_OUTSET_INDEX "files.sha256"

/* What all files of a run carry, so that those of two runs are told apart: the beginning of the
 * SHA-256 of its record (hc_digest_stream), and so the same for the same result. */
#define HC_RUN_ID 17 /* with the terminator */

struct hc_outset;

/* The id of a run whose record has this digest. */
void hc_run_id(const char *digest, char run_id[HC_RUN_ID]);

enum hc_status hc_outset_open(struct hc_outset **set, struct hc_error *err);

/* Add the file at path, as hc_outfile_open says; *stream is open until commit or close, and errors
 * on it are found by commit. HC_USAGE when the set has the file already. */
enum hc_status hc_outset_add(struct hc_outset *set, const char *path, FILE **stream,
                             struct hc_error *err);

/* The same, but a target that is written in place (a pipe, a device) receives nothing until all
 * other files of the set have their final names. */
enum hc_status hc_outset_add_held(struct hc_outset *set, const char *path, FILE **stream,
                                  struct hc_error *err);

/* The same for a table as CSV: one that has its first line alone when it is committed, the names of
 * columns, is no file of the set, and no index lists it. */
enum hc_status hc_outset_add_table(struct hc_outset *set, const char *path, FILE **stream,
                                   struct hc_error *err);

/* Add a file that is already written completely, at `from`: commit renames it to path. When the set
 * is closed without commit, the file at `from` is removed if is_ours, and else left there. */
enum hc_status hc_outset_adopt(struct hc_outset *set, const char *from, const char *path,
                               bool is_ours, struct hc_error *err);

/* Have commit remove the file at path, which need not be there: part of an older set. */
enum hc_status hc_outset_drop(struct hc_outset *set, const char *path, struct hc_error *err);

/* Name a file that exists and stays as it is, but belongs to the set for its readers, so that the
 * index of the set lists it. */
enum hc_status hc_outset_keep(struct hc_outset *set, const char *path, struct hc_error *err);

/* Make directory and its parents. Those that did not exist before are removed again unless the set
 * is committed. */
enum hc_status hc_outset_directory(struct hc_outset *set, const char *directory,
                                   struct hc_error *err);

/* Make a directory for files that are adopted later. It goes at the end, committed or not, unless
 * something is in it. */
enum hc_status hc_outset_scratch_directory(struct hc_outset *set, const char *directory,
                                           struct hc_error *err);

/* Begin the files of an index in directory, which is there: those that are added until
 * hc_outset_index_end are below it, and commit lists them with their SHA-256, as `sha256sum -c`
 * reads it. The first line, which that takes for a comment, has run_id. name is HC_OUTSET_INDEX, or
 * another where a directory has several sets. What the index of an older run names, this run has
 * not and nobody changed since goes on commit. HC_USAGE when something else has that name. */
enum hc_status hc_outset_index_begin(struct hc_outset *set, const char *directory, const char *name,
                                     const char *run_id, struct hc_error *err);
void hc_outset_index_end(struct hc_outset *set);

/* Put all in place. On failure all is as it was, except where the message says what could not be
 * put back. When only what is written in place fails, the files are new. */
enum hc_status hc_outset_commit(struct hc_outset *set, struct hc_error *err);

/* Free the set; what was not committed goes. NULL is fine. */
void hc_outset_close(struct hc_outset *set);

#endif
