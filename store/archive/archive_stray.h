/* archive_stray.h - findings of a check, and the files of an archive that its manifest does not
 * name: whose they are, and whether they may go.
 */
#ifndef HC_STORE_ARCHIVE_ARCHIVE_STRAY_H
#define HC_STORE_ARCHIVE_ARCHIVE_STRAY_H

#include "store/archive/archive.h"
#include "store/folder/directory_list.h"
#include "store/folder/folder.h"
#include "store/folder/locked_temporary.h"

/* What is done about strays. */
enum hc_stray_mode {
    HC_STRAY_REPORT,           /* check */
    HC_STRAY_REMOVE_LEFTOVERS, /* repair: temporary files of dead writers go; segments were
                                  looked at before */
    HC_STRAY_REMOVE            /* gc: what may go goes; what stays is reported, and why */
};

/* Where findings go. */
struct hc_reporter {
    const char *path; /* of the archive */
    hc_check_callback *callback;
    void *context;
    enum hc_stray_mode mode;
};

void hc_report(const struct hc_reporter *reporter, enum hc_check_kind kind, const char *file,
               const char *message);

/* Report what could not be opened, read or removed, by what is at the name: what is no regular file
 * was never ours. */
void hc_report_refused(const struct hc_reporter *reporter, const struct hc_folder *folder,
                       const char *name, const char *file, const struct hc_error *why);

/* Report an unnamed file with a segment's name, open on fd, that is no whole segment: one that does
 * not even begin as a segment is foreign. */
void hc_report_no_segment(const struct hc_reporter *reporter, int fd, const char *file,
                          const struct hc_error *why);

/* The file `name` of folder, which has a temporary name of that kind and is `file` in the archive.
 */
void hc_visit_leftover(const struct hc_reporter *reporter, const struct hc_folder *folder,
                       const char *name, const char *file, const struct hc_temporary_kind *kind);

/* The same of a file that has its final name, and that nothing needs any more; what is said of one
 * that does not begin as kind, and of one that may go. */
void hc_visit_stray(const struct hc_reporter *reporter, const struct hc_folder *folder,
                    const char *name, const char *file, const struct hc_temporary_kind *kind,
                    const char *foreign, const char *dead);

/* The files of list, which is of segments/, that archive does not name. */
enum hc_status hc_visit_segments(const struct hc_reporter *reporter,
                                 const struct hc_archive *archive, const struct hc_folder *segments,
                                 const struct hc_directory_list *list, struct hc_error *err);

/* The temporary manifests; to be called with the writer lock held, so that none is at work. */
enum hc_status hc_visit_manifests(const struct hc_reporter *reporter, struct hc_error *err);

/* Remove the temporary segments that dead writers left in the archive at path, as far as that is
 * possible; and the temporary manifests, for which the writer lock must be held. */
void hc_archive_sweep(const char *path);
void hc_archive_sweep_manifests(const char *path);

#endif
