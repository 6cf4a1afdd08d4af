/* chrome_rows.h - from the fields of a Chrome event to raw fields of a step timeline: what both
 * formats made of such events share. Private to this wing.
 */
#ifndef HC_PARSERS_STEPS_CHROME_ROWS_H
#define HC_PARSERS_STEPS_CHROME_ROWS_H

#include "parsers/steps/chrome_events.h"
#include "parsers/steps/step_rows.h"

#include <stddef.h>
#include <stdint.h>

/* A batch of rows being decoded, and where what is wrong is counted. */
struct hc_chrome_rows {
    const struct hc_source *source;
    struct hc_step_raw *raw; /* place_word "byte" */
    struct hc_row_report *report;
};

/* Start row raw->n: bad, of no op type, at that byte, all whole numbers missing; returns its
 * number. */
size_t hc_chrome_row_start(const struct hc_chrome_rows *rows, int64_t byte);

/* Put a field into a whole number or time of row i; absent is missing. *bad is set, and the row
 * counted, when it is no number or beyond what can be held. */
enum hc_status hc_chrome_row_int(const struct hc_chrome_rows *rows, size_t i,
                                 const struct hc_chrome_event *event, enum hc_chrome_field from,
                                 enum hc_step_field to, bool *bad, struct hc_error *err);
enum hc_status hc_chrome_row_time(const struct hc_chrome_rows *rows, size_t i,
                                  const struct hc_chrome_event *event, enum hc_chrome_field from,
                                  enum hc_step_field to, bool *bad, struct hc_error *err);

/* Make room for rows of events, each with its byte. */
enum hc_status hc_chrome_raw_init(struct hc_step_raw *raw, size_t capacity, struct hc_error *err);

#endif
