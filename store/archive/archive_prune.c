/* Removing segments of days that nobody wants any more. */
#include "core/base/memory.h"
#include "store/archive/archive.h"
#include "store/archive/archive_entry.h"
#include "store/archive/archive_readers.h"
#include "store/archive/archive_stray.h"
#include "store/archive/derived.h"
#include "store/archive/derived_pack.h"
#include "store/archive/manifest.h"
#include "store/archive/segment_name.h"
#include "store/folder/directory_list.h"
#include "store/folder/folder.h"
#include "store/folder/writer_lock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct pruning {
    const struct hc_prune *prune;
    struct hc_archive *archive;
    struct hc_folder segments;
    bool has_readers; /* of what the archive was before this prune */
};

static bool is_named(const struct hc_archive *archive, const char *file)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (strcmp(archive->entries[i].file, file) == 0)
            return true;
    return false;
}

/* Whether all of n entries go, which are the ranks of a job: one without some of its ranks would be
 * another job. */
static bool all_go(const struct hc_prune *prune, const struct hc_manifest_entry *entries, size_t n)
{
    bool go = true;
    for (size_t i = 0; i < n; i++)
        go &= prune->goes(&entries[i], prune->context);
    return go;
}

/* Take what goes out of the entries; *removed has it, in its order. */
static void split_entries(const struct pruning *pruning, struct hc_manifest_entry *removed,
                          size_t *n_removed)
{
    const struct hc_prune *prune = pruning->prune;
    struct hc_archive *archive = pruning->archive;
    size_t n_kept = 0;
    *n_removed = 0;
    for (size_t i = 0; i < archive->n_entries;) {
        size_t n = hc_archive_n_ranks(archive, &archive->entries[i]);
        bool go = all_go(prune, &archive->entries[i], n);
        for (size_t end = i + n; i < end; i++)
            *(go ? &removed[(*n_removed)++] : &archive->entries[n_kept++]) = archive->entries[i];
    }
    archive->n_entries = n_kept;
}

/* The files of entries that the manifest does not have any more. */
static enum hc_status remove_files(const struct pruning *pruning,
                                   const struct hc_manifest_entry *removed, size_t n,
                                   struct hc_error *err)
{
    for (size_t i = 0; i < n; i++) {
        if (!is_named(pruning->archive, removed[i].file) &&
            hc_retire_segment(&pruning->segments, hc_segment_base_name(removed[i].file),
                              pruning->archive->generation, pruning->has_readers, err))
            return err->status;
        pruning->prune->removed(&removed[i], pruning->prune->context);
    }
    return HC_OK;
}

static enum hc_status prune_published(struct pruning *pruning, struct hc_error *err)
{
    struct hc_archive *archive = pruning->archive;
    size_t n = 0;
    struct hc_manifest_entry *removed = hc_new_array(archive->n_entries + 1, sizeof *removed, err);
    if (!removed)
        return err->status;
    split_entries(pruning, removed, &n);
    enum hc_status status = HC_OK;
    if (n && !pruning->prune->is_dry) {
        /* The manifest first: what it names is always there. */
        archive->generation++;
        status = hc_manifest_write(archive, err);
        if (!status)
            status = hc_derived_pack_forget(archive->path, removed, n, err);
        pruning->has_readers =
            !status && hc_has_readers_before(archive->path, archive->generation, true);
        if (!status)
            status = remove_files(pruning, removed, n, err);
    } else {
        for (size_t i = 0; i < n; i++)
            pruning->prune->removed(&removed[i], pruning->prune->context);
    }
    for (size_t i = 0; i < n; i++)
        hc_manifest_entry_fini(&removed[i]);
    free(removed);
    return status;
}

/* The month goes that stands for the day of a stray: a repair would enter the day again. */
static bool its_month_goes(const struct pruning *pruning, const struct hc_manifest_entry *stray)
{
    const struct hc_manifest_entry *named = hc_manifest_covering(pruning->archive, stray);
    return named && hc_is_month(named->day) && pruning->prune->goes(named, pruning->prune->context);
}

/* A file that the manifest does not name: when a prune was killed before it came to it, it goes
 * now. What cannot be read as a whole segment is left to check and gc. */
static enum hc_status prune_stray(const struct pruning *pruning, const char *name,
                                  struct hc_error *err)
{
    struct hc_error why;
    struct hc_manifest_entry entry = {0};
    int fd = -1;
    if (hc_folder_open_file(&pruning->segments, name, O_RDONLY, &fd, &why) || fd < 0)
        return HC_OK;
    char *file = hc_new_text(err, "%s/%s", HC_SEGMENT_DIRECTORY, name);
    enum hc_status status = file ? HC_OK : err->status;
    if (file && !is_named(pruning->archive, file) && !hc_is_locked(fd) &&
        hc_archive_describe(fd, file, &entry, &why) == HC_OK) {
        if (pruning->prune->goes(&entry, pruning->prune->context) ||
            its_month_goes(pruning, &entry)) {
            if (!pruning->prune->is_dry)
                status = hc_retire_segment(&pruning->segments, name, pruning->archive->generation,
                                           pruning->has_readers, err);
            if (!status)
                pruning->prune->removed(&entry, pruning->prune->context);
        }
        hc_manifest_entry_fini(&entry);
    }
    free(file);
    close(fd);
    return status;
}

static enum hc_status prune_strays(const struct pruning *pruning, struct hc_error *err)
{
    struct hc_directory_list list = {0};
    enum hc_status status = hc_list_directory(&list, &pruning->segments, err);
    for (size_t i = 0; i < list.n && !status; i++)
        if (hc_is_segment_name(list.names[i]))
            status = prune_stray(pruning, list.names[i], err);
    hc_directory_list_fini(&list);
    return status;
}

static void pass_over(const struct hc_check_finding *finding, void *context)
{
    (void)finding;
    (void)context;
}

/* Results that are kept of segments which the manifest does not name any more. What is no result of
 * ours, or cannot be removed, is left to check and gc to tell. */
static enum hc_status sweep_results(const struct pruning *pruning, struct hc_error *err)
{
    const struct hc_reporter reporter = {
        .path = pruning->archive->path, .callback = pass_over, .mode = HC_STRAY_REMOVE};
    if (!pruning->prune->sweeps_results || pruning->prune->is_dry)
        return HC_OK;
    return hc_visit_derived(&reporter, pruning->archive, err);
}

/* Under both locks: no day is being read to be written anew, and nothing is between its name and
 * the manifest. */
static enum hc_status prune_locked(struct pruning *pruning, struct hc_error *err)
{
    if (hc_manifest_read(pruning->archive, err))
        return err->status;
    if (pruning->archive->newer)
        return hc_fail(err, HC_BAD_INPUT,
                       "archive '%s' was written by a newer hindcast: this one can read it, but "
                       "not take from it",
                       pruning->archive->path);
    if (!pruning->prune->is_dry) {
        hc_archive_sweep(pruning->archive->path);
        pruning->has_readers =
            hc_has_readers_before(pruning->archive->path, pruning->archive->generation, false);
    }
    /* Strays first: what the manifest still names is none then. */
    enum hc_status status = prune_strays(pruning, err);
    if (!status)
        status = prune_published(pruning, err);
    return status ? status : sweep_results(pruning, err);
}

enum hc_status hc_archive_prune(const char *path, const struct hc_prune *prune,
                                struct hc_error *err)
{
    struct pruning pruning = {.prune = prune};
    int records = -1, writer = -1;
    if (hc_archive_open(&pruning.archive, path, false, err))
        return err->status;
    hc_archive_end_reading(pruning.archive);
    pruning.segments.fd = -1;
    enum hc_status status = hc_folder_open_part(&pruning.segments, path, HC_SEGMENT_DIRECTORY, err);
    if (!status && pruning.segments.fd < 0)
        status = hc_fail(err, HC_IO, "'%s/%s' does not exist", path, HC_SEGMENT_DIRECTORY);
    if (!status)
        status = hc_archive_lock_records(pruning.archive, &records, err);
    if (!status)
        status = hc_archive_lock(path, &writer, err);
    if (!status)
        status = prune_locked(&pruning, err);
    if (writer >= 0)
        close(writer);
    if (records >= 0)
        close(records);
    hc_folder_close(&pruning.segments);
    hc_archive_close(pruning.archive);
    return status;
}
