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

/* Define `writers` for a report whose views are called VIEWS_write_text, VIEWS_write_json and so
 * on, each of which takes the report by its own type. schema: of its JSON, which may depend on
 * `report`.
 *
 *     HC_FIGURE_WRITERS(hc_ettr, "hindcast-ettr");     hc_ettr_write_text, ..., hc_ettr_put_figures
 *     HC_PAGE_WRITERS(hc_subject, "hindcast-subject"); without figures
 *     HC_TABLE_WRITERS(hc_rates, "hindcast-rates");    without a page, too
 */
#define HC_TABLE_WRITERS(views, schema)                                                            \
    HC_COMMON_WRITERS(views, schema)                                                               \
    static const struct hc_report_writers writers = {.write_json = write_json,                     \
                                                     .write_tables = write_tables,                 \
                                                     .write_csv = write_csv,                       \
                                                     .write_text = write_text}

#define HC_PAGE_WRITERS(views, schema)                                                             \
    HC_COMMON_WRITERS(views, schema)                                                               \
    HC_PAGE_WRITER(views)                                                                          \
    static const struct hc_report_writers writers = {.write_json = write_json,                     \
                                                     .write_tables = write_tables,                 \
                                                     .write_html = write_html,                     \
                                                     .write_csv = write_csv,                       \
                                                     .write_text = write_text}

#define HC_FIGURE_WRITERS(views, schema)                                                           \
    HC_COMMON_WRITERS(views, schema)                                                               \
    HC_PAGE_WRITER(views)                                                                          \
    static enum hc_status put_figures(const struct hc_figure_sink *sink, const void *report,       \
                                      struct hc_error *err)                                        \
    {                                                                                              \
        return views##_put_figures(sink, report, err);                                             \
    }                                                                                              \
    static const struct hc_report_writers writers = {.write_json = write_json,                     \
                                                     .write_tables = write_tables,                 \
                                                     .write_html = write_html,                     \
                                                     .put_figures = put_figures,                   \
                                                     .write_csv = write_csv,                       \
                                                     .write_text = write_text}

/* What these are made of. */
#define HC_PAGE_WRITER(views)                                                                      \
    static enum hc_status write_html(const void *report, FILE *stream, struct hc_error *err)       \
    {                                                                                              \
        return views##_write_html(report, stream, err);                                            \
    }

#define HC_COMMON_WRITERS(views, schema)                                                           \
    static enum hc_status write_json(const struct hc_output *output, const void *report,           \
                                     struct hc_error *err)                                         \
    {                                                                                              \
        struct hc_json_writer json;                                                                \
        hc_output_json_start(&json, output, schema);                                               \
        views##_write_json(report, &json);                                                         \
        return hc_output_json_end(&json, output, err);                                             \
    }                                                                                              \
    static enum hc_status write_tables(struct hc_outset *set, const char *directory,               \
                                       const void *report, struct hc_error *err)                   \
    {                                                                                              \
        return views##_write_tables(set, directory, report, err);                                  \
    }                                                                                              \
    static void write_csv(const void *report, FILE *stream)                                        \
    {                                                                                              \
        views##_write_csv(report, stream);                                                         \
    }                                                                                              \
    static enum hc_status write_text(const void *report, FILE *stream, struct hc_error *err)       \
    {                                                                                              \
        return views##_write_text(report, stream, err);                                            \
    }

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
