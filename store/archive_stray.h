/* archive_stray.h - findings of a check, and the files of an archive that its manifest does not
 * name.
 */
#ifndef HC_STORE_ARCHIVE_STRAY_H
#define HC_STORE_ARCHIVE_STRAY_H

#include "store/archive.h"
#include "store/directory_list.h"

/* Where findings go. */
struct hc_reporter {
    const char *path; /* of the archive */
    hc_check_callback *callback;
    void *context;
};

void hc_report(const struct hc_reporter *reporter, enum hc_check_kind kind, const char *file,
               const char *message);

/* What to do with a stray; kind is HC_CHECK_UNPUBLISHED or HC_CHECK_LEFTOVER, file relative to the
 * archive, path the file itself. */
typedef enum hc_status hc_stray_action(const struct hc_reporter *reporter, enum hc_check_kind kind,
                                       const char *file, const char *path, struct hc_error *err);

/* Report a file, unless its writer is at work. */
hc_stray_action hc_stray_report;
/* Remove a file and report that, unless its writer is at work. */
hc_stray_action hc_stray_remove;
/* Remove a file only when it is a leftover. */
hc_stray_action hc_stray_remove_leftover;

/* The names in the directory of the segments. */
enum hc_status hc_list_segments(const char *path, struct hc_directory_list *list,
                                struct hc_error *err);

/* Do action to each file of list that is temporary, or a segment that archive does not name. */
enum hc_status hc_visit_strays(const struct hc_reporter *reporter, const struct hc_archive *archive,
                               const struct hc_directory_list *list, hc_stray_action *action,
                               struct hc_error *err);

/* Do action to each temporary manifest; to be called with the writer lock held. */
enum hc_status hc_visit_manifests(const struct hc_reporter *reporter, hc_stray_action *action,
                                  struct hc_error *err);

/* Whether a name in the directory of the segments is that of a segment being written. */
bool hc_is_temporary(const char *name);

#endif
