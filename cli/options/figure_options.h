/* figure_options.h - --figures and --figure-format, the same for every command that has figures. */
#ifndef HC_CLI_OPTIONS_FIGURE_OPTIONS_H
#define HC_CLI_OPTIONS_FIGURE_OPTIONS_H

#include "cli/frame/options.h"
#include "core/files/outset.h"
#include "reports/figure/gnuplot/figure_files.h"

struct hc_figure_options {
    const char *directory; /* NULL: no figures are asked for */
    struct hc_figure_choice {
        bool is_given;
        enum hc_figure_format format;
    } choice;
};
extern const struct hc_option hc_figure_options[];

/* HC_USAGE for a format without figures. */
enum hc_status hc_figure_options_check(const struct hc_figure_options *options,
                                       struct hc_error *err);

/* Put the figures of a report into a sink. */
typedef enum hc_status hc_figure_source(const struct hc_figure_sink *sink, const void *report,
                                        struct hc_error *err);

/* Add the figures of a report to the set, if they are asked for. */
enum hc_status hc_figure_options_write(const struct hc_figure_options *options,
                                       struct hc_outset *set, const char *run_id,
                                       hc_figure_source *source, const void *report,
                                       struct hc_error *err);

#endif
