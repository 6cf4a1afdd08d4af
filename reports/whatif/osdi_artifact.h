/* osdi_artifact.h - a straggler what-if in the files of the OSDI'25 artifact. */
#ifndef HC_REPORTS_WHATIF_OSDI_ARTIFACT_H
#define HC_REPORTS_WHATIF_OSDI_ARTIFACT_H

#include "core/base/status.h"
#include "core/files/outset.h"
#include "reports/whatif/whatif_report.h"

/* Leaves room for the rest of a file name of 255 bytes. */
#define HC_COMPAT_NAME_LENGTH 200

/* What stands for JOB in the file names below. It is not the id itself, since an id may hold a
 * slash, begin with a dot, or be too long: two different ids may get the same name. */
void hc_osdi_artifact_name(const char *id, char name[HC_COMPAT_NAME_LENGTH + 1]);

/* Add result-JOB.json, ms-JOB.json, mw-JOB.json and their index files-JOB.sha256 to the set, in
 * directory (made when absent). Characters of the job id that do not belong in a file name become
 * '_'. When M_W (or M_S) was not done, as without a decomposition, its file is not written, one of
 * an earlier run is to be removed, and a warning says so. report->run_id is needed.
 * HC_BAD_INPUT when the steps have more than one structure: that layout assumes one. */
enum hc_status hc_whatif_write_compat(struct hc_outset *set, const char *directory,
                                      const struct hc_whatif_report *report, struct hc_error *err);

#endif
