#include "cli/options/figure_options.h"

#include <string.h>

static enum hc_status parse_format(const char *text, void *target, struct hc_error *err)
{
    struct hc_figure_choice *choice = target;
    choice->is_given = true;
    for (enum hc_figure_format format = 0; format < HC_N_FIGURE_FORMATS; format++)
        if (strcmp(text, hc_figure_formats[format]) == 0) {
            choice->format = format;
            return HC_OK;
        }
    return hc_fail(err, HC_USAGE, "'%s' is none of svg, pdf, png", text);
}

const struct hc_option hc_figure_options[] = {
    {.name = "figures",
     .kind = HC_OPTION_DIR,
     .argument = "DIR",
     .target = offsetof(struct hc_figure_options, directory),
     .unset = "none",
     .help = "also write each chart of the page to DIR, for papers and slides: data (.dat), a "
             "script for gnuplot (.gp) and, where gnuplot is installed, the picture"},
    {.name = "figure-format",
     .kind = HC_OPTION_CALLBACK,
     .argument = "FORMAT",
     .target = offsetof(struct hc_figure_options, choice),
     .unset = "svg",
     .parse = parse_format,
     .help = "format of the pictures of --figures: svg, pdf or png"},
    HC_OPTION_END,
};

enum hc_status hc_figure_options_check(const struct hc_figure_options *options,
                                       struct hc_error *err)
{
    if (options->choice.is_given && !options->directory)
        return hc_fail(err, HC_USAGE, "--figure-format is for the pictures of --figures");
    return HC_OK;
}

enum hc_status hc_figure_options_write(const struct hc_figure_options *options,
                                       struct hc_outset *set, const char *run_id,
                                       hc_figure_source *source, const void *report,
                                       struct hc_error *err)
{
    struct hc_figure_files *files = NULL;
    if (!options->directory)
        return HC_OK;
    enum hc_status status =
        hc_figure_files_open(&files, set, options->directory, options->choice.format, run_id, err);
    if (status == HC_OK) {
        const struct hc_figure_sink sink = hc_figure_files_sink(files);
        status = source(&sink, report, err);
    }
    hc_figure_files_close(files);
    return status;
}
