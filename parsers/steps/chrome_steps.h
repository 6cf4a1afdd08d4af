/* chrome_steps.h - a parser of step timelines that are made of Chrome events: looks through all
 * events for what must be known first, then reads them again and takes each as at most one row.
 * Private to this wing. */
#ifndef HC_PARSERS_STEPS_CHROME_STEPS_H
#define HC_PARSERS_STEPS_CHROME_STEPS_H

#include "parsers/steps/chrome_rows.h"

#include <stdbool.h>

/* The first member of a parser, with the functions of its format. */
struct hc_chrome_steps {
    const struct hc_source *source;
    const struct hc_parse_options *options;
    const char *where; /* the steps lie end to end: "here" */
    /* When the file is read first: looks at `event`, and concludes when it was at all of them. */
    enum hc_status (*look)(struct hc_chrome_steps *steps, struct hc_error *err);
    enum hc_status (*conclude)(struct hc_chrome_steps *steps, struct hc_error *err);
    /* When it is read again: takes `event`. */
    enum hc_status (*take)(struct hc_chrome_steps *steps, const struct hc_chrome_rows *rows,
                           struct hc_error *err);
    /* After the last event, until *is_done: adds rows, of which the batch may have n in all. NULL:
     * nothing to add. */
    enum hc_status (*finish)(struct hc_chrome_steps *steps, const struct hc_chrome_rows *rows,
                             size_t n, bool *is_done, struct hc_error *err);
    struct hc_chrome_reader *reader;
    struct hc_chrome_event event;
    struct hc_step_raw raw;
    bool at_end, is_done;
};

/* Survey the source and open it again for reading. HC_USAGE with --float32, by which times that
 * count from the first step lose digits. */
enum hc_status hc_chrome_steps_start(struct hc_chrome_steps *steps, struct hc_error *err);
void hc_chrome_steps_fini(struct hc_chrome_steps *steps);

/* As `next_batch` and `position` of struct hc_format. */
enum hc_status hc_chrome_steps_next_batch(void *parser, struct hc_table *ops,
                                          struct hc_row_report *report, struct hc_error *err);
int64_t hc_chrome_steps_position(const void *parser);

#endif
