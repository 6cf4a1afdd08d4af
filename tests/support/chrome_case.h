/* chrome_case.h - events in memory to rows, by the formats made of Chrome events. */
#ifndef HC_TESTS_UNIT_CHROME_CASE_H
#define HC_TESTS_UNIT_CHROME_CASE_H

#include "core/tables/op_table.h"
#include "core/tables/op_type.h"
#include "parsers/io/format.h"
#include "tests/support/bytes_source.h"

#include <check.h>

#define CASE_ROWS 64

/* What a file of a test gave. */
struct chrome_case {
    enum hc_status status;
    struct hc_error err;
    struct hc_row_report report;
    struct hc_table ops;
    struct hc_op_columns row;
};

/* Read text (at most CASE_ROWS rows) in small batches; undo with chrome_case_fini. */
static inline void chrome_case_read(struct chrome_case *c, const struct hc_format *format,
                                    const char *text, const struct hc_job *job)
{
    struct hc_source source = bytes_source("t.json", text, strlen(text));
    struct hc_parse_options options = {.job = job};
    struct hc_table batch = {0};
    void *parser = NULL;
    memset(c, 0, sizeof *c);
    ck_assert(hc_table_init(&c->ops, &hc_ops_def, CASE_ROWS, &c->err) == HC_OK);
    ck_assert(hc_table_init(&batch, &hc_ops_def, 3, &c->err) == HC_OK);
    c->status = format->open(&parser, &source, &options, &c->err);
    do {
        batch.n_rows = 0;
        if (c->status == HC_OK)
            c->status = format->next_batch(parser, &batch, &c->report, &c->err);
        if (c->status == HC_OK)
            hc_table_append(&c->ops, &batch, 0, batch.n_rows);
    } while (c->status == HC_OK && batch.n_rows);
    c->row = hc_op_columns(&c->ops);
    format->close(parser);
    hc_table_fini(&batch);
    hc_source_close(&source);
}

static inline void chrome_case_fini(struct chrome_case *c)
{
    hc_table_fini(&c->ops);
    hc_row_report_fini(&c->report);
}

/* The text is refused, and the message holds this. */
static inline void chrome_case_fails(const struct hc_format *format, const char *text,
                                     const char *message)
{
    struct chrome_case c;
    chrome_case_read(&c, format, text, NULL);
    ck_assert_msg(c.status == HC_BAD_INPUT, "taken: %s", text);
    ck_assert_msg(strstr(c.err.message, message) != NULL, "%s\n  for %s", c.err.message, text);
    chrome_case_fini(&c);
}

/* One row of the text is bad for that reason, in that step; good are left. */
static inline void chrome_case_bad(const struct hc_format *format, const char *text,
                                   enum hc_bad_reason reason, int32_t step, size_t good)
{
    struct chrome_case c;
    chrome_case_read(&c, format, text, NULL);
    ck_assert_msg(c.status == HC_OK, "%s: %s", text, c.err.message);
    ck_assert_msg(c.report.count[reason] == 1 && hc_row_report_total_bad(&c.report) == 1,
                  "%lld bad rows: %s", (long long)hc_row_report_total_bad(&c.report), text);
    ck_assert_uint_eq(c.ops.n_rows, good);
    if (step != HC_MISSING_I32)
        ck_assert(hc_int_map_find(&c.report.bad_steps, (uint32_t)step) >= 0);
    chrome_case_fini(&c);
}

#endif
