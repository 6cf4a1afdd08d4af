/* check, gc and stale. */
#include "core/incident_table.h"
#include "core/op_table.h"
#include "store/archive.h"
#include "store/archive_lock.h"
#include "store/archive_stray.h"
#include "store/derived.h"
#include "store/manifest.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- one segment ---- */

/* What a segment says of itself must be what the manifest says of it. */
static enum hc_status compare_with_entry(const char *path, const struct hc_manifest_entry *entry,
                                         struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct hc_manifest_entry own = {0};
    if (hc_segment_open(&segment, path, err))
        return err->status;
    enum hc_status status =
        hc_manifest_entry_init(&own, hc_segment_job(segment), hc_segment_provenance(segment), err);
    if (!status && (!hc_manifest_same(&own, entry) ||
                    hc_segment_n_rows(segment, &hc_ops_def) != entry->n_ops ||
                    hc_segment_n_rows(segment, &hc_steps_def) != entry->n_steps ||
                    hc_segment_n_rows(segment, &hc_incidents_def) != entry->n_incidents))
        status = hc_fail(err, HC_BAD_INPUT,
                         "it is of another job, source or size than the manifest says");
    hc_manifest_entry_fini(&own);
    hc_segment_close(segment);
    return status;
}

/* The hash comes first: HDF5 need not see a file whose bytes are not those that were written. */
static enum hc_status check_segment(const char *path, const struct hc_manifest_entry *entry,
                                    struct hc_error *err)
{
    char digest[HC_DIGEST_TEXT];
    struct stat info;
    if (stat(path, &info))
        return hc_fail_errno(err, "cannot open", path);
    if (hc_digest_file(path, digest, err))
        return err->status;
    if (info.st_size != entry->size || strcmp(digest, entry->sha256) != 0)
        return hc_fail(err, HC_BAD_INPUT,
                       "its SHA-256 is %.12s... over %" PRId64 " bytes, but %.12s... over %" PRId64
                       " were written; ingest the source '%.200s' again",
                       digest, (int64_t)info.st_size, entry->sha256, entry->size,
                       entry->source_path);
    if (hc_segment_verify(path, err))
        return err->status;
    return compare_with_entry(path, entry, err);
}

static enum hc_status check_entries(const struct hc_reporter *reporter,
                                    const struct hc_archive *archive, struct hc_error *err)
{
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        struct hc_error why;
        char *path = NULL;
        if (hc_archive_segment_path(archive, entry, &path, err))
            return err->status;
        enum hc_status status = check_segment(path, entry, &why);
        free(path);
        if (status == HC_INTERNAL) {
            *err = why;
            return status;
        }
        hc_report(reporter, status ? HC_CHECK_DAMAGED : HC_CHECK_OK, entry->file,
                  status ? why.message : "whole");
    }
    return HC_OK;
}

/* ---- check ---- */

/* The files are listed before the manifest is read: what is published in between is in it, and
 * nothing that it names is taken for a stray. */
enum hc_status hc_archive_check(const char *path, hc_check_callback *callback, void *context,
                                struct hc_error *err)
{
    struct hc_reporter reporter = {.path = path, .callback = callback, .context = context};
    struct hc_directory_list list = {0};
    struct hc_archive *archive = NULL;
    enum hc_status status = HC_OK;
    if (hc_archive_open(&archive, path, false, err))
        return err->status;
    if (hc_list_segments(path, &list, err) || hc_manifest_read(archive, err) ||
        check_entries(&reporter, archive, err) ||
        hc_visit_strays(&reporter, archive, &list, hc_stray_report, err) ||
        hc_visit_derived(&reporter, archive, hc_derived_report, err))
        status = err->status;
    int lock = status ? -1 : hc_archive_try_lock(path);
    if (lock >= 0) {
        status = hc_visit_manifests(&reporter, hc_stray_report, err);
        close(lock);
    }
    hc_directory_list_fini(&list);
    hc_archive_close(archive);
    return status;
}

enum hc_status hc_archive_gc(const char *path, hc_check_callback *callback, void *context,
                             struct hc_error *err)
{
    struct hc_reporter reporter = {.path = path, .callback = callback, .context = context};
    struct hc_directory_list list = {0};
    struct hc_archive *archive = NULL;
    int lock = -1;
    enum hc_status status = HC_OK;
    if (hc_archive_open(&archive, path, false, err))
        return err->status;
    if (hc_archive_lock(path, &lock, err) || hc_manifest_read(archive, err) ||
        hc_list_segments(path, &list, err) ||
        hc_visit_strays(&reporter, archive, &list, hc_stray_remove, err) ||
        hc_visit_derived(&reporter, archive, hc_derived_remove, err) ||
        hc_visit_manifests(&reporter, hc_stray_remove, err))
        status = err->status;
    if (lock >= 0)
        close(lock);
    hc_directory_list_fini(&list);
    hc_archive_close(archive);
    return status;
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
        bool there = access(entry->source_path, R_OK) == 0;
        hc_fail(&text, HC_FINDING,
                "read by version %d of format '%s', which is now at %d; its source '%s' %s",
                (int)entry->format_version, entry->format, version, entry->source_path,
                there ? "is there: ingest it again" : "is not there any more");
        hc_report(&reporter, HC_CHECK_STALE, entry->file, text.message);
    }
    hc_archive_close(archive);
    return HC_OK;
}
