/* report_output.h - a report goes where its options say: files first, which all carry the id of the
 * run, then JSON, CSV or text to -o.
 */
#ifndef HC_CLI_OPTIONS_REPORT_OUTPUT_H
#define HC_CLI_OPTIONS_REPORT_OUTPUT_H

#include "cli/frame/output.h"
#include "cli/options/report_options.h"

/* How one kind of report is written; each is handed the report that hc_report_output has. */
struct hc_report_writers {
    hc_record_writer *write_json;
    enum hc_status (*write_tables)(struct hc_outset *set, const char *directory, const void *report,
                                   struct hc_error *err);
    enum hc_status (*write_html)(const void *report, FILE *stream, struct hc_error *err);
    hc_figure_source *put_figures; /* NULL: it has no figures */
    void (*write_csv)(const void *report, FILE *stream);
    enum hc_status (*write_text)(const void *report, FILE *stream, struct hc_error *err);
};

struct hc_report_output {
    const struct hc_report_writers *writers;
    const void *report;
    const char **run_id; /* of the report: set while it is written, if there are files */
    const struct hc_report_options *options;
    const struct hc_common_options *common;
};

/* HC_FINDING in place of HC_OK where has_finding: the files stay all the same. */
enum hc_status hc_report_output_write(const struct hc_report_output *o, bool has_finding,
                                      struct hc_error *err);

#endif
