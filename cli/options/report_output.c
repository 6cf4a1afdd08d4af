#include "cli/options/report_output.h"

static bool has_figures(const struct hc_report_output *o)
{
    return o->writers->put_figures && o->options->figures.directory;
}

static enum hc_status write_files(const struct hc_report_output *o, struct hc_outset *set,
                                  struct hc_error *err)
{
    const char *tables = hc_report_csv_directory(o->options);
    FILE *stream;
    if (tables && o->writers->write_tables(set, tables, o->report, err))
        return err->status;
    if (o->options->html && (hc_outset_add_held(set, o->options->html, &stream, err) ||
                             o->writers->write_html(o->report, stream, err)))
        return err->status;
    return has_figures(o) ? hc_figure_options_write(&o->options->figures, set, *o->run_id,
                                                    o->writers->put_figures, o->report, err)
                          : HC_OK;
}

static enum hc_status write_stream(const struct hc_report_output *o, const struct hc_output *output,
                                   struct hc_error *err)
{
    if (o->common->json)
        return o->writers->write_json(output, o->report, err);
    if (!hc_report_is_csv(o->options))
        return o->writers->write_text(o->report, output->stream, err);
    o->writers->write_csv(o->report, output->stream);
    return HC_OK;
}

enum hc_status hc_report_output_write(const struct hc_report_output *o, bool has_finding,
                                      struct hc_error *err)
{
    struct hc_output output;
    char run_id[HC_RUN_ID];
    bool has_files = hc_report_csv_directory(o->options) || o->options->html || has_figures(o);
    if (hc_output_open(&output, o->common, has_files, err))
        return err->status;
    enum hc_status status = HC_OK;
    if (has_files) {
        status = hc_output_run_id(run_id, o->writers->write_json, o->report, err);
        *o->run_id = run_id;
    }
    if (status == HC_OK)
        status = write_files(o, output.set, err);
    if (status == HC_OK)
        status = write_stream(o, &output, err);
    *o->run_id = NULL;
    if (status == HC_OK && has_finding)
        status = HC_FINDING;
    return hc_output_end(&output, status, err);
}
