#include "store/archive/archive_stray.h"

#include "core/base/memory.h"
#include "core/files/read_at.h"
#include "store/archive/archive_entry.h"
#include "store/archive/archive_readers.h"
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "store/folder/locked_temporary.h"
#include "store/folder/writer_lock.h"
#include "store/objects/object_header.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- findings ---- */

void hc_report(const struct hc_reporter *reporter, enum hc_check_kind kind, const char *file,
               const char *message)
{
    struct hc_check_finding finding = {.kind = kind, .file = file, .message = message};
    if (reporter->callback)
        reporter->callback(&finding, reporter->context);
}

static void report_removed(const struct hc_reporter *reporter, enum hc_check_kind kind,
                           const char *file)
{
    struct hc_check_finding finding = {
        .kind = kind, .is_removed = true, .file = file, .message = "removed"};
    if (reporter->callback)
        reporter->callback(&finding, reporter->context);
}

void hc_report_refused(const struct hc_reporter *reporter, const struct hc_folder *folder,
                       const char *name, const char *file, const struct hc_error *why)
{
    struct hc_error text;
    const char *odd = hc_folder_oddity(folder, name, S_IFREG);
    if (odd) {
        hc_fail(&text, HC_FINDING, "it is %s, which no archive has there; left alone", odd);
        hc_report(reporter, HC_CHECK_FOREIGN, file, text.message);
    } else {
        hc_report(reporter, HC_CHECK_UNREADABLE, file, why->message);
    }
}

void hc_report_no_segment(const struct hc_reporter *reporter, int fd, const char *file,
                          const struct hc_error *why)
{
    uint8_t head[HC_HEAD_BYTES];
    struct hc_error text;
    ssize_t n = hc_read_at(fd, head, sizeof head, 0);
    if (n < 0) {
        hc_fail_errno(&text, "cannot read", file);
        hc_report(reporter, HC_CHECK_UNREADABLE, file, text.message);
    } else if (n < HC_HEAD_BYTES || !hc_is_hdf5_signature(head)) {
        hc_report(reporter, HC_CHECK_FOREIGN, file,
                  "named as a segment, but it does not begin as one; left alone");
    } else {
        hc_fail(&text, HC_FINDING, "%.700s; it is no whole segment, and kept: remove it by hand",
                why->message);
        hc_report(reporter, HC_CHECK_UNPUBLISHED, file, text.message);
    }
}

/* ---- leftovers ---- */

void hc_visit_leftover(const struct hc_reporter *reporter, const struct hc_folder *folder,
                       const char *name, const char *file, const struct hc_temporary_kind *kind)
{
    hc_visit_stray(reporter, folder, name, file, kind,
                   "named as a temporary file, but it does not begin as one; left alone",
                   "its writer is gone; 'archive gc' removes it");
}

void hc_visit_stray(const struct hc_reporter *reporter, const struct hc_folder *folder,
                    const char *name, const char *file, const struct hc_temporary_kind *kind,
                    const char *foreign, const char *dead)
{
    struct hc_error why;
    bool remove = reporter->mode != HC_STRAY_REPORT;
    enum hc_leftover found = hc_leftover_clear(folder, name, kind, remove, &why);
    if (found == HC_LEFTOVER_KEPT)
        hc_report_refused(reporter, folder, name, file, &why);
    else if (found == HC_LEFTOVER_FOREIGN)
        hc_report(reporter, HC_CHECK_FOREIGN, file, foreign);
    else if (found == HC_LEFTOVER_DEAD && remove)
        report_removed(reporter, HC_CHECK_LEFTOVER, file);
    else if (found == HC_LEFTOVER_DEAD)
        hc_report(reporter, HC_CHECK_LEFTOVER, file, dead);
}

enum hc_status hc_visit_manifests(const struct hc_reporter *reporter, struct hc_error *err)
{
    struct hc_folder folder;
    struct hc_directory_list list;
    if (hc_folder_open(&folder, reporter->path, err))
        return err->status;
    enum hc_status status = hc_list_directory(&list, &folder, err);
    for (size_t i = 0; i < list.n; i++) {
        const char *name = list.names[i], *prefix = hc_temporary_manifest.prefix;
        if (hc_is_temporary_name(name, &hc_temporary_manifest))
            hc_visit_leftover(reporter, &folder, name, name, &hc_temporary_manifest);
        else if (strncmp(name, prefix, strlen(prefix)) == 0)
            hc_report(reporter, HC_CHECK_FOREIGN, name,
                      "not named as hindcast names its temporary files; left alone");
    }
    hc_directory_list_fini(&list);
    hc_folder_close(&folder);
    return status;
}

/* Segments that were taken from the archive while it was read, and that nobody reads any more. */
static void sweep_retired(const char *path, const struct hc_folder *segments)
{
    struct hc_directory_list list;
    struct hc_error ignored;
    int64_t generation;
    if (hc_list_directory(&list, segments, &ignored))
        return;
    for (size_t i = 0; i < list.n; i++)
        if (hc_is_retired_name(list.names[i], &generation) &&
            hc_retired_may_go(path, segments, list.names[i]))
            hc_leftover_clear(segments, list.names[i], &hc_temporary_segment, true, &ignored);
    hc_directory_list_fini(&list);
}

void hc_archive_sweep(const char *path)
{
    struct hc_folder segments;
    struct hc_error ignored;
    if (hc_folder_open_part(&segments, path, HC_SEGMENT_DIRECTORY, &ignored))
        return;
    hc_leftovers_sweep(&segments, &hc_temporary_segment);
    sweep_retired(path, &segments);
    hc_folder_close(&segments);
}

void hc_archive_sweep_manifests(const char *path)
{
    struct hc_folder folder;
    struct hc_error ignored;
    if (hc_folder_open(&folder, path, &ignored))
        return;
    hc_leftovers_sweep(&folder, &hc_temporary_manifest);
    hc_folder_close(&folder);
}

/* ---- segments that are not named ---- */

/* The pass over segments/. */
struct visit {
    const struct hc_reporter *reporter;
    const struct hc_archive *archive;
    const struct hc_folder *segments;
    /* The entry that was verified last: strays of one job are neighbours. */
    const struct hc_manifest_entry *verified;
    struct hc_error verdict; /* status HC_OK: it is whole */
    struct stat info;        /* its file */
    bool has_readers;        /* of what the archive was before, which may open its strays */
};

/* An unnamed file that was opened. */
struct stray {
    const char *name;
    int fd;
    struct stat info;
    struct hc_manifest_entry entry; /* what it says of itself */
};

struct judgement {
    enum hc_check_kind kind;
    bool may_go;
    char message[HC_ERROR_SIZE];
};

static void decide(struct judgement *judgement, enum hc_check_kind kind, const char *format,
                   const char *detail)
{
    struct hc_error text;
    hc_fail(&text, HC_FINDING, format, detail);
    judgement->kind = kind;
    memcpy(judgement->message, text.message, sizeof judgement->message);
}

static void verify_named(struct visit *visit, const struct hc_manifest_entry *entry)
{
    int fd = -1;
    if (visit->verified == entry)
        return;
    visit->verified = entry;
    visit->verdict = (struct hc_error){.status = HC_OK};
    enum hc_status status = hc_archive_open_verified(visit->archive, entry, &fd, &visit->verdict);
    if (!status && fstat(fd, &visit->info))
        hc_fail_errno(&visit->verdict, "cannot read", entry->file);
    if (fd >= 0)
        close(fd);
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* Why times do not say that a segment was replaced by the one that is named, or NULL when they do:
 * that one was written later, and what happened to the files since (ctime) was in that order, too.
 * Equal times, and those of files that were copied, touched or restored, say nothing. */
static const char *doubt(const struct stat *stray, const struct stat *named)
{
    if (is_later(&stray->st_mtim, &named->st_mtim))
        return "newer than the segment that the manifest names for its job, as after an ingest "
               "that was cut short";
    if (!is_later(&named->st_mtim, &stray->st_mtim))
        return "of the same time as the segment that the manifest names for its job, so that "
               "nothing says which of them is the newer";
    if (is_later(&stray->st_ctim, &named->st_ctim))
        return "older than the segment that the manifest names for its job, but copied, touched or "
               "restored after that was published, so that its time proves nothing";
    return NULL;
}

static bool has_days_of(const struct hc_archive *archive, const struct hc_manifest_entry *month)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (hc_manifest_covers(month, &archive->entries[i]))
            return true;
    return false;
}

/* A whole segment may go only when another, that was just read and is whole, stands in its place.
 */
static void judge_whole(struct visit *visit, const struct stray *stray, struct judgement *judgement)
{
    const struct hc_manifest_entry *named = hc_manifest_covering(visit->archive, &stray->entry);
    if (!named && has_days_of(visit->archive, &stray->entry)) {
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "whole, and of a month of %.200s whose days the manifest names one by one, as after "
               "an 'archive compact' that was cut short; the next one replaces it, or remove it by "
               "hand",
               stray->entry.job_id);
        return;
    }
    if (!named) {
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "whole, but the manifest names no segment of its job '%.200s'; 'check --repair' "
               "enters it",
               stray->entry.job_id);
        return;
    }
    verify_named(visit, named);
    bool is_copy = strcmp(named->sha256, stray->entry.sha256) == 0;
    const char *why = doubt(&stray->info, &visit->info);
    if (visit->verdict.status) {
        bool is_damaged = visit->verdict.status == HC_BAD_INPUT;
        decide(judgement, is_damaged ? HC_CHECK_UNPUBLISHED : HC_CHECK_UNREADABLE,
               "whole, and kept, because of the segment that the manifest names in its place: %s",
               visit->verdict.message);
    } else if (is_copy || !why) {
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "whole, but the manifest does not name it; 'archive gc' removes it%s",
               visit->has_readers ? " once the commands are done that read what the archive was"
                                  : "");
        judgement->may_go = !visit->has_readers;
    } else {
        struct hc_error text;
        hc_fail(&text, HC_FINDING,
                "whole, and %s; ingest '%.200s' again if this is its newest, or remove it by hand",
                why, stray->entry.source_path);
        decide(judgement, HC_CHECK_UNPUBLISHED, "%s", text.message);
    }
}

/* What the segment says of itself, after all of it was read. */
static enum hc_status describe_stray(struct stray *stray, struct hc_error *err)
{
    if (fstat(stray->fd, &stray->info))
        return hc_fail_errno(err, "cannot read", stray->name);
    if (hc_archive_describe(stray->fd, stray->name, &stray->entry, err))
        return err->status;
    return hc_digest_fd(stray->fd, stray->name, stray->entry.sha256, err);
}

static void carry_out(const struct visit *visit, const struct judgement *judgement,
                      const char *name, const char *file)
{
    struct hc_error why;
    bool gone = false;
    if (!judgement->may_go || visit->reporter->mode != HC_STRAY_REMOVE)
        hc_report(visit->reporter, judgement->kind, file, judgement->message);
    else if (hc_folder_remove(visit->segments, name, &gone, &why))
        hc_report(visit->reporter, HC_CHECK_UNREADABLE, file, why.message);
    else if (!gone)
        report_removed(visit->reporter, judgement->kind, file);
}

/* Read an unnamed file with a segment's name, then report it or remove it. */
static enum hc_status judge(struct visit *visit, struct stray *stray, const char *name,
                            struct hc_error *err)
{
    struct judgement judgement = {.may_go = false};
    struct hc_error why = {0};
    enum hc_status status = describe_stray(stray, &why);
    if (status == HC_OK) {
        judge_whole(visit, stray, &judgement);
        carry_out(visit, &judgement, name, stray->name);
    } else if (status == HC_BAD_INPUT) {
        hc_report_no_segment(visit->reporter, stray->fd, stray->name, &why);
    } else if (status == HC_INTERNAL) {
        *err = why;
    } else {
        hc_report(visit->reporter, HC_CHECK_UNREADABLE, stray->name, why.message);
    }
    hc_manifest_entry_fini(&stray->entry);
    return status == HC_INTERNAL ? status : HC_OK;
}

static enum hc_status visit_unnamed(struct visit *visit, const char *name, const char *file,
                                    struct hc_error *err)
{
    struct hc_error why;
    struct stray stray = {.name = file, .fd = -1};
    if (hc_folder_open_file(visit->segments, name, O_RDONLY, &stray.fd, &why)) {
        hc_report_refused(visit->reporter, visit->segments, name, file, &why);
        return HC_OK;
    }
    if (stray.fd < 0)
        return HC_OK;
    enum hc_status status = HC_OK;
    if (!hc_is_locked(stray.fd)) /* else its writer is about to publish it */
        status = judge(visit, &stray, name, err);
    close(stray.fd);
    return status;
}

/* A segment that was taken from the archive while it was read. */
static void visit_retired(const struct visit *visit, const char *name, const char *file)
{
    const struct hc_reporter *reporter = visit->reporter;
    if (hc_retired_may_go(reporter->path, visit->segments, name))
        hc_visit_leftover(reporter, visit->segments, name, file, &hc_temporary_segment);
    else
        hc_report(reporter, HC_CHECK_LEFTOVER, file,
                  "no part of the archive any more, but a command may still read it; it goes with "
                  "the next ingest or 'archive gc' after that");
}

/* Its name says that it is not ours: it need not be opened. */
static void visit_foreign(const struct visit *visit, const char *name, const char *file)
{
    struct hc_error text;
    hc_fail(&text, HC_FINDING, "not named as a segment of an archive; left alone");
    if (hc_folder_oddity(visit->segments, name, S_IFREG))
        hc_report_refused(visit->reporter, visit->segments, name, file, &text);
    else
        hc_report(visit->reporter, HC_CHECK_FOREIGN, file, text.message);
}

static bool is_named(const struct hc_archive *archive, const char *file)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strcmp(archive->entries[i].file, file) == 0)
            return true;
    return false;
}

enum hc_status hc_visit_segments(const struct hc_reporter *reporter,
                                 const struct hc_archive *archive, const struct hc_folder *segments,
                                 const struct hc_directory_list *list, struct hc_error *err)
{
    struct visit visit = {.reporter = reporter, .archive = archive, .segments = segments};
    enum hc_status status = HC_OK;
    int64_t generation;
    if (reporter->mode == HC_STRAY_REMOVE)
        visit.has_readers = hc_has_readers_before(reporter->path, archive->generation, true);
    for (size_t i = 0; !status && i < list->n; i++) {
        const char *name = list->names[i];
        char *file = hc_new_text(err, "%s/%s", HC_SEGMENT_DIRECTORY, name);
        if (!file)
            return err->status;
        if (hc_is_temporary_name(name, &hc_temporary_segment))
            hc_visit_leftover(reporter, segments, name, file, &hc_temporary_segment);
        else if (hc_is_retired_name(name, &generation))
            visit_retired(&visit, name, file);
        else if (!is_named(archive, file) && !hc_is_segment_name(name))
            visit_foreign(&visit, name, file);
        else if (reporter->mode != HC_STRAY_REMOVE_LEFTOVERS && !is_named(archive, file))
            status = visit_unnamed(&visit, name, file, err);
        free(file);
    }
    return status;
}
