#include "parsers/steps/chrome_steps.h"

#include "core/base/memory.h"

#define BATCH HC_BUFFER_SIZE(2048)

/* Look at all events. */
static enum hc_status survey(struct hc_chrome_steps *steps, struct hc_error *err)
{
    bool found = true;
    if (hc_chrome_open(&steps->reader, steps->source, false, err))
        return err->status;
    while (found)
        if (hc_chrome_next(steps->reader, &steps->event, &found, err) ||
            (found && steps->look(steps, err)))
            return err->status;
    hc_chrome_close(steps->reader);
    steps->reader = NULL;
    return steps->conclude(steps, err);
}

enum hc_status hc_chrome_steps_start(struct hc_chrome_steps *steps, struct hc_error *err)
{
    if (steps->options->float32_times)
        return hc_fail(err, HC_USAGE,
                       "'%s': --float32 is for times that count from the start of a step; %s the "
                       "steps lie end to end, and would lose their digits",
                       steps->source->name, steps->where);
    if (hc_chrome_raw_init(&steps->raw, BATCH, err) || survey(steps, err))
        return err->status;
    return hc_chrome_open(&steps->reader, steps->source, true, err);
}

void hc_chrome_steps_fini(struct hc_chrome_steps *steps)
{
    hc_chrome_close(steps->reader);
    hc_step_raw_fini(&steps->raw);
}

/* Decode up to n rows into the raw columns. */
static enum hc_status decode(struct hc_chrome_steps *steps, size_t n, struct hc_row_report *report,
                             struct hc_error *err)
{
    const struct hc_chrome_rows rows = {steps->source, &steps->raw, report};
    steps->raw.n = 0;
    while (steps->raw.n < n && !steps->at_end) {
        bool found = false;
        if (hc_chrome_next(steps->reader, &steps->event, &found, err))
            return err->status;
        steps->at_end = !found;
        if (found && steps->take(steps, &rows, err))
            return err->status;
    }
    if (steps->at_end && steps->finish)
        return steps->finish(steps, &rows, n, &steps->is_done, err);
    steps->is_done = steps->at_end;
    return HC_OK;
}

enum hc_status hc_chrome_steps_next_batch(void *parser, struct hc_table *ops,
                                          struct hc_row_report *report, struct hc_error *err)
{
    struct hc_chrome_steps *steps = parser;
    struct hc_step_flow flow = {steps->source, steps->options, ops, report};
    while (!steps->is_done && ops->n_rows < ops->capacity) {
        size_t room = ops->capacity - ops->n_rows;
        if (decode(steps, room < BATCH ? room : BATCH, report, err) ||
            hc_step_rows_append(&steps->raw, 0, steps->raw.n, &flow, err))
            return err->status;
    }
    return HC_OK;
}

int64_t hc_chrome_steps_position(const void *parser)
{
    const struct hc_chrome_steps *steps = parser;
    return hc_chrome_position(steps->reader);
}
