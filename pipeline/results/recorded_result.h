/* recorded_result.h - what a JSON result of `hindcast simulate` says of the run that gave it.
 */
#ifndef HC_PIPELINE_RESULTS_RECORDED_RESULT_H
#define HC_PIPELINE_RESULTS_RECORDED_RESULT_H

#include "core/base/status.h"
#include "core/process/made_by.h"
#include "study/run/study_result.h"

#include <stdbool.h>
#include <stddef.h>

#define HC_DIFFERENCE_TEXT 256

/* Where two documents differ first. */
struct hc_json_difference {
    char path[HC_DIFFERENCE_TEXT]; /* "runs[0].figures.ettr.mean"; "" for the whole */
    char a[80], b[80];             /* what stands there, shortened; "nothing" */
};

struct hc_recorded_result {
    const char *path;
    char *text; /* the file, byte by byte */
    size_t length;
    struct json_t *root;
    /* All within root: */
    const char *name, *scenario;
    struct hc_made_by made_by;
    bool has_run_id;              /* it was one of several files */
    struct hc_study_input *input; /* files that were read; owned */
    size_t n_inputs;
    size_t life_events; /* of its life that are kept one by one at most; 0: it has no life */
};

/* Read it. HC_BAD_INPUT where it is no result, of another command, or of another version of
 * hindcast: what to do is said. Release with _fini in any case. */
enum hc_status hc_recorded_result_read(struct hc_recorded_result *recorded, const char *path,
                                       struct hc_error *err);
void hc_recorded_result_fini(struct hc_recorded_result *recorded);

/* The input of that path; NULL when none was recorded. */
const struct hc_study_input *hc_recorded_input(const struct hc_recorded_result *recorded,
                                               const char *path);

/* Where another document, as text, differs from the recorded one; false where all values are the
 * same. */
bool hc_recorded_differs(const struct hc_recorded_result *recorded, const char *text, size_t length,
                         struct hc_json_difference *difference);

#endif
