/* timeline_steps.h - when the steps of a timeline of ops in an archive were. */
#ifndef HC_PIPELINE_CHOICE_TIMELINE_STEPS_H
#define HC_PIPELINE_CHOICE_TIMELINE_STEPS_H

#include "models/steps/step_dates.h"
#include "store/archive/archive.h"

struct hc_timeline_steps {
    size_t n, room;
    struct hc_step_span *spans; /* by step; Unix time where is_dated, else the source's */
    bool is_dated;              /* by its own clock, or by the start that its metadata says */
    bool is_estimated;          /* steps have clocks of their own */
};

/* Read the steps of a segment of ops. Zeroed before; the caller's to hc_timeline_steps_fini
 * whatever the result. HC_BAD_INPUT: the segment is damaged. */
enum hc_status hc_timeline_steps_load(struct hc_timeline_steps *steps,
                                      const struct hc_archive *archive,
                                      const struct hc_manifest_entry *entry, struct hc_error *err);
void hc_timeline_steps_fini(struct hc_timeline_steps *steps);

/* What joins know the timeline of a segment by: "cluster/job#attempt". */
#define HC_TIMELINE_NAME 600
void hc_timeline_name(const struct hc_manifest_entry *entry, char name[HC_TIMELINE_NAME]);

#endif
