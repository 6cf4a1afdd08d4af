#include "store/archive/archive_entry.h"

#include "core/base/memory.h"
#include "store/archive/manifest.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>

static enum hc_status fill_entry(const struct hc_segment *segment, const char *file,
                                 struct hc_manifest_entry *entry, struct hc_error *err)
{
    if (hc_manifest_entry_init(entry, hc_segment_job(segment), hc_segment_provenance(segment),
                               hc_segment_tables(segment), err))
        return err->status;
    free(entry->file);
    entry->file = hc_copy_text(file, err);
    if (entry->file)
        return HC_OK;
    hc_manifest_entry_fini(entry);
    return err->status;
}

/* The readers of segments close what they are given. */
static enum hc_status duplicate(int fd, const char *file, int *copy, struct hc_error *err)
{
    *copy = fcntl(fd, F_DUPFD_CLOEXEC, 0);
    return *copy < 0 ? hc_fail_errno(err, "cannot read", file) : HC_OK;
}

enum hc_status hc_archive_describe(int fd, const char *file, struct hc_manifest_entry *entry,
                                   struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct stat info;
    int copy = -1;
    if (fstat(fd, &info))
        return hc_fail_errno(err, "cannot read", file);
    if (duplicate(fd, file, &copy, err) || hc_segment_verify(copy, file, err) ||
        duplicate(fd, file, &copy, err) || hc_segment_open(&segment, copy, file, err))
        return err->status;
    enum hc_status status = fill_entry(segment, file, entry, err);
    if (!status)
        entry->size = info.st_size;
    hc_segment_close(segment);
    return status;
}
