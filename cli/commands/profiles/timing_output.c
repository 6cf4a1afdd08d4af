#include "cli/commands/profiles/timing_output.h"

#include "cli/options/report_output.h"
#include "core/base/memory.h"
#include "pipeline/inputs/baseline_input.h"
#include "pipeline/inputs/timed_input.h"
#include "reports/timings/timings_report.h"

#include <stdlib.h>
#include <string.h>

HC_PAGE_WRITERS(hc_timings, "hindcast-timings");

/* What logs of timed collectives have no figures for. */
static enum hc_status check_options(const struct hc_timing_request *request, struct hc_error *err)
{
    const struct hc_report_options *options = request->report;
    if (options->figures.directory)
        return hc_fail(err, HC_USAGE, "--figures: there are no charts of timed collectives");
    if (options->fail_on.n)
        return hc_fail(err, HC_USAGE,
                       "--fail-on '%s': no condition can be put on timed collectives",
                       options->fail_on.word[0]);
    if (options->html && options->html[strlen(options->html) - 1] == '/')
        return hc_fail(err, HC_USAGE,
                       "--html '%s' names a directory, and the page of a job is a file",
                       options->html);
    return hc_report_options_check(options, request->common, err);
}

static struct hc_timings_file *list_files(const struct hc_timed_input *input, struct hc_error *err)
{
    struct hc_timings_file *files = hc_new_array(input->n_sources, sizeof *files, err);
    for (size_t i = 0; files && i < input->n_sources; i++) {
        const struct hc_timed_source *source = &input->sources[i];
        files[i] = (struct hc_timings_file){source->path, source->sha256,    source->segment,
                                            source->size, source->n_records, source->n_dropped};
    }
    return files;
}

enum hc_status hc_timing_run(const struct hc_timing_request *request,
                             struct hc_trace_loader *loader, struct hc_error *err)
{
    struct hc_timed_input input = {0};
    struct hc_timed_result result = {0};
    struct hc_timings_file *files = NULL;
    struct hc_bandwidth_tables tables = {0};
    const struct hc_words *baseline = request->baseline;
    const struct hc_timed_options options = {baseline->n ? &tables : NULL, request->below};
    enum hc_status status = check_options(request, err);
    if (status == HC_OK)
        status = hc_baseline_load(&tables, loader, baseline->word, baseline->n, err);
    if (status == HC_OK)
        status = hc_timed_load(&input, loader, request->words->word, request->words->n, err);
    if (status == HC_OK && hc_timed_analyse(&result, &input.set, &options, err))
        status = hc_context(err, "%s", input.label);
    if (status == HC_OK && !(files = list_files(&input, err)))
        status = err->status;
    if (status == HC_OK) {
        struct hc_timings_report report = {
            .job = &input.job,
            .archive = input.archive,
            .set = &input.set,
            .result = &result,
            .n_files = input.n_sources,
            .files = files,
            .n_twins = (int64_t)input.n_twins,
            .n_left_out = (int64_t)input.n_left_out,
            .baseline = baseline->n ? baseline->word[0] : NULL,
            .below = request->below,
        };
        const struct hc_report_output output = {&writers, &report, &report.run_id, request->report,
                                                request->common};
        status = hc_report_output_write(&output, false, err);
    }
    free(files);
    hc_timed_result_fini(&result);
    hc_timed_input_fini(&input);
    hc_bandwidth_tables_fini(&tables);
    return status;
}
