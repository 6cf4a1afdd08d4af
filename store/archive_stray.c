#include "store/archive_stray.h"

#include "core/memory.h"
#include "store/archive_entry.h"
#include "store/archive_lock.h"
#include "store/locked_temporary.h"
#include "store/manifest.h"
#include "store/segment_name.h"

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

void hc_report_removed(const struct hc_reporter *reporter, enum hc_check_kind kind,
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

/* ---- leftovers ---- */

void hc_visit_leftover(const struct hc_reporter *reporter, const struct hc_folder *folder,
                       const char *name, const char *file)
{
    struct hc_error why;
    bool remove = reporter->mode != HC_STRAY_REPORT;
    enum hc_leftover found = hc_leftover_clear(folder, name, remove, &why);
    if (found == HC_LEFTOVER_KEPT)
        hc_report_refused(reporter, folder, name, file, &why);
    else if (found == HC_LEFTOVER_DEAD && remove)
        hc_report_removed(reporter, HC_CHECK_LEFTOVER, file);
    else if (found == HC_LEFTOVER_DEAD)
        hc_report(reporter, HC_CHECK_LEFTOVER, file, "its writer is gone; 'archive gc' removes it");
}

enum hc_status hc_visit_manifests(const struct hc_reporter *reporter, struct hc_error *err)
{
    struct hc_folder folder;
    struct hc_directory_list list;
    if (hc_folder_open(&folder, reporter->path, err))
        return err->status;
    enum hc_status status = hc_list_directory(&list, &folder, err);
    for (size_t i = 0; i < list.n; i++)
        if (hc_is_temporary_name(list.names[i], hc_manifest_affix))
            hc_visit_leftover(reporter, &folder, list.names[i], list.names[i]);
    hc_directory_list_fini(&list);
    hc_folder_close(&folder);
    return status;
}

void hc_archive_sweep(const char *path)
{
    struct hc_folder segments;
    struct hc_error ignored;
    if (hc_folder_open_part(&segments, path, HC_SEGMENT_DIRECTORY, &ignored))
        return;
    hc_leftovers_sweep(&segments, hc_segment_affix);
    hc_folder_close(&segments);
}

void hc_archive_sweep_manifests(const char *path)
{
    struct hc_folder folder;
    struct hc_error ignored;
    if (hc_folder_open(&folder, path, &ignored))
        return;
    hc_leftovers_sweep(&folder, hc_manifest_affix);
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
    struct timespec written;
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
    struct stat info = {0};
    int fd = -1;
    if (visit->verified == entry)
        return;
    visit->verified = entry;
    visit->verdict = (struct hc_error){.status = HC_OK};
    enum hc_status status = hc_archive_open_verified(visit->archive, entry, &fd, &visit->verdict);
    if (!status && fstat(fd, &info))
        hc_fail_errno(&visit->verdict, "cannot read", entry->file);
    visit->written = info.st_mtim;
    if (fd >= 0)
        close(fd);
}

static bool is_later(const struct timespec *a, const struct timespec *b)
{
    return a->tv_sec != b->tv_sec ? a->tv_sec > b->tv_sec : a->tv_nsec > b->tv_nsec;
}

/* A whole segment may go only when another, that was just read and is whole, stands in its place.
 */
static void judge_whole(struct visit *visit, const struct stray *stray, struct judgement *judgement)
{
    const struct hc_manifest_entry *named = hc_manifest_find(visit->archive, &stray->entry);
    if (!named) {
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "whole, but the manifest names no segment of its job '%.200s'; 'check --repair' "
               "enters it",
               stray->entry.job_id);
        return;
    }
    verify_named(visit, named);
    bool is_copy = strcmp(named->sha256, stray->entry.sha256) == 0;
    if (visit->verdict.status) {
        bool is_damaged = visit->verdict.status == HC_BAD_INPUT;
        decide(judgement, is_damaged ? HC_CHECK_UNPUBLISHED : HC_CHECK_UNREADABLE,
               "whole, and kept, because of the segment that the manifest names in its place: %s",
               visit->verdict.message);
    } else if (is_copy || !is_later(&stray->info.st_mtim, &visit->written)) {
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "whole, but the manifest does not name it%s; 'archive gc' removes it", "");
        judgement->may_go = true;
    } else {
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "whole, and newer than the segment that the manifest names for its job, as after an "
               "ingest that was cut short; ingest '%.200s' again, or remove it by hand",
               stray->entry.source_path);
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

static enum hc_status judge(struct visit *visit, struct stray *stray, struct judgement *judgement,
                            struct hc_error *err)
{
    struct hc_error why = {0};
    enum hc_status status = describe_stray(stray, &why);
    if (status == HC_OK)
        judge_whole(visit, stray, judgement);
    else if (status == HC_BAD_INPUT)
        decide(judgement, HC_CHECK_UNPUBLISHED,
               "%.700s; it is no whole segment, and kept: remove it by hand", why.message);
    else if (status == HC_INTERNAL)
        *err = why;
    else
        decide(judgement, HC_CHECK_UNREADABLE, "%s", why.message);
    hc_manifest_entry_fini(&stray->entry);
    return status == HC_INTERNAL ? status : HC_OK;
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
        hc_report_removed(visit->reporter, judgement->kind, file);
}

static enum hc_status visit_unnamed(struct visit *visit, const char *name, const char *file,
                                    struct hc_error *err)
{
    struct hc_error why;
    struct judgement judgement = {.may_go = false};
    struct stray stray = {.name = file, .fd = -1};
    if (hc_folder_open_file(visit->segments, name, O_RDONLY, &stray.fd, &why)) {
        hc_report_refused(visit->reporter, visit->segments, name, file, &why);
        return HC_OK;
    }
    if (stray.fd < 0)
        return HC_OK;
    enum hc_status status = HC_OK;
    if (!hc_is_segment_name(name)) {
        hc_report(visit->reporter, HC_CHECK_FOREIGN, file,
                  "not named as a segment of an archive; left alone");
    } else if (!hc_is_locked(stray.fd)) { /* else its writer is about to publish it */
        status = judge(visit, &stray, &judgement, err);
        if (!status)
            carry_out(visit, &judgement, name, file);
    }
    close(stray.fd);
    return status;
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
    for (size_t i = 0; !status && i < list->n; i++) {
        const char *name = list->names[i];
        char *file = hc_new_text(err, "%s/%s", HC_SEGMENT_DIRECTORY, name);
        if (!file)
            return err->status;
        if (hc_is_temporary_name(name, hc_segment_affix))
            hc_visit_leftover(reporter, segments, name, file);
        else if (reporter->mode != HC_STRAY_REMOVE_LEFTOVERS && !is_named(archive, file))
            status = visit_unnamed(&visit, name, file, err);
        free(file);
    }
    return status;
}
