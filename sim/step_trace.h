/* step_trace.h - a step timeline in memory, in the shape that the replay runs over. */
#ifndef HC_SIM_STEP_TRACE_H
#define HC_SIM_STEP_TRACE_H

#include "core/job.h"
#include "core/row_report.h"
#include "core/status.h"
#include "core/table.h"

struct hc_step_trace;

/* An empty trace of a job (copied). */
enum hc_status hc_step_trace_new(struct hc_step_trace **trace, const struct hc_job *job,
                                 struct hc_error *err);
void hc_step_trace_free(struct hc_step_trace *trace);

/* Add rows of `ops`, in any order. */
enum hc_status hc_step_trace_add(struct hc_step_trace *trace, const struct hc_table *ops,
                                 struct hc_error *err);

/* Take over what the parser (or the archive) says of rows that could not be read. */
enum hc_status hc_step_trace_set_report(struct hc_step_trace *trace, struct hc_row_report *report,
                                        struct hc_error *err);

#endif
