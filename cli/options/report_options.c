#include "cli/options/report_options.h"

#include <string.h>

#define CSV                                                                                        \
    {                                                                                              \
        .name = "csv", .kind = HC_OPTION_DIR, .argument = "DIR",                                   \
        .target = offsetof(struct hc_report_options, csv), .unset = "none",                        \
        .hint = "give '-' to print one table as CSV",                                              \
        .help = "also write the tables as CSV files to DIR, of several jobs to DIR/JOB; '-' "      \
                "prints the "                                                                      \
                "main table as CSV in place of the text"                                           \
    }
#define FAIL_ON                                                                                    \
    {                                                                                              \
        .name = "fail-on", .kind = HC_OPTION_LIST, .argument = "CONDITION",                        \
        .target = offsetof(struct hc_report_options, fail_on),                                     \
        .help =                                                                                    \
            "exit with 1 when it holds, as 'waste > 10 %'; figures are named as in the JSON; may " \
            "be given several times"                                                               \
    }

const struct hc_option hc_table_report_options[] = {CSV, FAIL_ON, HC_OPTION_END};

const struct hc_option hc_report_options[] = {
    {.name = "html",
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR",
     .target = offsetof(struct hc_report_options, html),
     .unset = "none",
     .help = "also write a page with charts in it to FILE; of the jobs of an archive to DIR, with "
             "index.html and a page of each job"},
    CSV,
    HC_OPTION_GROUP(struct hc_report_options, figures, hc_figure_options),
    FAIL_ON,
    HC_OPTION_END,
};

bool hc_report_is_csv(const struct hc_report_options *options)
{
    return options->csv && strcmp(options->csv, "-") == 0;
}

const char *hc_report_csv_directory(const struct hc_report_options *options)
{
    return hc_report_is_csv(options) ? NULL : options->csv;
}

enum hc_status hc_report_options_check(const struct hc_report_options *options,
                                       const struct hc_common_options *common, struct hc_error *err)
{
    if (hc_report_is_csv(options) && common->json)
        return hc_fail(err, HC_USAGE, "--csv - and --json are two outputs; give one");
    if (options->html && strcmp(options->html, "-") == 0)
        return hc_fail(err, HC_USAGE,
                       "--html needs the name of a file: standard output is for the report");
    return hc_figure_options_check(&options->figures, err);
}
