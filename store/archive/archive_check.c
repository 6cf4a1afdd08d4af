/* check, gc and stale. */
#include "store/archive/archive.h"
#include "store/archive/archive_entry.h"
#include "store/archive/archive_stray.h"
#include "store/archive/derived.h"
#include "store/archive/manifest.h"
#include "store/folder/writer_lock.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- one segment ---- */

/* What a segment says of itself must be what the manifest says of it. */
static enum hc_status compare_with_entry(int fd, const struct hc_manifest_entry *entry,
                                         struct hc_error *err)
{
    struct hc_manifest_entry own = {0};
    if (hc_archive_describe(fd, entry->file, &own, err))
        return err->status;
    memcpy(own.sha256, entry->sha256, sizeof own.sha256); /* was compared with the file */
    const char *key = hc_manifest_difference(&own, entry);
    hc_manifest_entry_fini(&own);
    if (!key)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "the manifest says another '%s' than the segment itself, whose bytes are right; "
                   "'check --repair' corrects the manifest",
                   key);
}

/* The hash comes first: nobody need parse a file whose bytes are not those that were written. All
 * passes read one descriptor, so that they are of one file. */
static enum hc_status check_segment(const struct hc_archive *archive,
                                    const struct hc_manifest_entry *entry, struct hc_error *err)
{
    int fd = -1;
    if (hc_archive_open_verified(archive, entry, &fd, err))
        return err->status;
    enum hc_status status = compare_with_entry(fd, entry, err);
    close(fd);
    return status;
}

/* is_chosen: NULL is all. */
static enum hc_status check_entries(const struct hc_reporter *reporter,
                                    const struct hc_archive *archive, const bool *is_chosen,
                                    struct hc_error *err)
{
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        if (is_chosen && !is_chosen[i])
            continue;
        struct hc_error why = {.message = "whole"};
        enum hc_status status = check_segment(archive, entry, &why);
        if ((status == HC_BAD_INPUT || status == HC_IO) &&
            !hc_archive_still_names(archive, entry, 1))
            continue; /* what another writer took away meanwhile is no damage */
        if (status == HC_INTERNAL) {
            *err = why;
            return status;
        }
        hc_report(reporter,
                  status == HC_OK          ? HC_CHECK_OK
                  : status == HC_BAD_INPUT ? HC_CHECK_DAMAGED
                                           : HC_CHECK_UNREADABLE,
                  entry->file, why.message);
    }
    return HC_OK;
}

/* ---- check ---- */

/* Check the manifest, the segments and the results that are kept. An ingest may publish a segment
 * meanwhile, so the files are listed first: a segment that is published after that is not in the
 * list, and one that was listed as the ingest wrote it is named by the manifest. So none is taken
 * for a stray. */
static enum hc_status check_parts(const struct hc_reporter *reporter, struct hc_archive *archive,
                                  const struct hc_folder *segments, struct hc_error *err)
{
    struct hc_directory_list list;
    enum hc_status status = hc_list_directory(&list, segments, err);
    if (!status && !archive->unfinished)
        status = hc_manifest_read(archive, err);
    if (!status && archive->unfinished)
        hc_report(reporter, HC_CHECK_LEFTOVER, HC_LOCK_FILE,
                  "the making of this archive was cut short: it is empty, and the next ingest "
                  "completes it");
    if (!status && (check_entries(reporter, archive, NULL, err) ||
                    hc_visit_segments(reporter, archive, segments, &list, err) ||
                    hc_visit_derived(reporter, archive, err)))
        status = err->status;
    hc_directory_list_fini(&list);
    return status;
}

enum hc_status hc_archive_check(const char *path, hc_check_callback *callback, void *context,
                                struct hc_error *err)
{
    struct hc_reporter reporter = {
        .path = path, .callback = callback, .context = context, .mode = HC_STRAY_REPORT};
    struct hc_folder segments;
    struct hc_archive *archive = NULL;
    if (hc_archive_open(&archive, path, false, err))
        return err->status;
    enum hc_status status = hc_folder_open_part(&segments, path, HC_SEGMENT_DIRECTORY, err);
    if (!status)
        status = check_parts(&reporter, archive, &segments, err);
    int lock = status ? -1 : hc_archive_try_lock(path);
    if (lock >= 0) {
        status = hc_visit_manifests(&reporter, err);
        close(lock);
    }
    hc_folder_close(&segments);
    hc_archive_close(archive);
    return status;
}

enum hc_status hc_archive_check_entries(const struct hc_archive *archive, const bool *is_chosen,
                                        hc_check_callback *callback, void *context,
                                        struct hc_error *err)
{
    const struct hc_reporter reporter = {
        .path = archive->path, .callback = callback, .context = context, .mode = HC_STRAY_REPORT};
    return check_entries(&reporter, archive, is_chosen, err);
}

/* ---- gc ---- */

/* Under the lock. Nothing is removed before the manifest was read and segments/ listed to its end.
 */
static enum hc_status collect(const struct hc_reporter *reporter, struct hc_archive *archive,
                              struct hc_error *err)
{
    struct hc_directory_list list = {0};
    struct hc_folder segments;
    if ((!archive->unfinished && hc_manifest_read(archive, err)) ||
        hc_folder_open_part(&segments, reporter->path, HC_SEGMENT_DIRECTORY, err))
        return err->status;
    enum hc_status status = hc_list_directory(&list, &segments, err);
    if (!status && (hc_visit_segments(reporter, archive, &segments, &list, err) ||
                    hc_visit_derived(reporter, archive, err) || hc_visit_manifests(reporter, err)))
        status = err->status;
    hc_directory_list_fini(&list);
    hc_folder_close(&segments);
    return status;
}

enum hc_status hc_archive_gc(const char *path, hc_check_callback *callback, void *context,
                             struct hc_error *err)
{
    struct hc_reporter reporter = {
        .path = path, .callback = callback, .context = context, .mode = HC_STRAY_REMOVE};
    struct hc_archive *archive = NULL;
    int lock = -1;
    if (hc_archive_open(&archive, path, false, err))
        return err->status;
    hc_archive_end_reading(archive);
    enum hc_status status = hc_archive_lock(path, &lock, err);
    if (!status)
        status = collect(&reporter, archive, err);
    if (lock >= 0)
        close(lock);
    hc_archive_close(archive);
    return status;
}

/* ---- stale ---- */

/* What is known of the source of an entry, as the end of a sentence. */
static const char *describe_source(const char *path)
{
    if (access(path, R_OK) == 0)
        return "is there: ingest it again";
    return errno == ENOENT || errno == ENOTDIR ? "is not there any more" : "cannot be read";
}

enum hc_status hc_archive_stale(const char *path, int (*current)(const char *format),
                                hc_check_callback *callback, void *context, struct hc_error *err)
{
    struct hc_reporter reporter = {.path = path, .callback = callback, .context = context};
    struct hc_archive *archive = NULL;
    if (hc_archive_open(&archive, path, false, err))
        return err->status;
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        struct hc_error text;
        int version = current(entry->format);
        if (version <= entry->format_version)
            continue;
        hc_fail(&text, HC_FINDING,
                "read by version %d of format '%s', which is now at %d; its source '%s' %s",
                (int)entry->format_version, entry->format, version, entry->source_path,
                describe_source(entry->source_path));
        hc_report(&reporter, HC_CHECK_STALE, entry->file, text.message);
    }
    hc_archive_close(archive);
    return HC_OK;
}
