#include "cli/commands/profiles/profile_output.h"

#include "cli/options/fail_on.h"
#include "cli/options/report_output.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/text/collective_op.h"
#include "pipeline/inputs/baseline_input.h"
#include "pipeline/inputs/execution_input.h"
#include "reports/profiles/profile_figures.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* All that a report points to. */
struct analysis {
    struct hc_loaded_profile loaded;
    struct hc_traced_file *files;
    struct hc_breakdown_rows breakdown;
    struct hc_collectives collectives;
    struct hc_profile_whatif_result whatif;
    double *expected_gb_s; /* of each collective; NULL: no baseline */
    struct hc_profile_questions questions;
};

static void analysis_fini(struct analysis *a)
{
    hc_profile_whatif_result_fini(&a->whatif);
    hc_collectives_fini(&a->collectives);
    hc_breakdown_rows_fini(&a->breakdown);
    free(a->files);
    free(a->expected_gb_s);
    hc_profile_questions_fini(&a->questions);
    hc_loaded_profile_fini(&a->loaded);
}

/* The source of a rank: by its name, since linking puts ranks into their order. */
static const struct hc_profile_source *source_of(const struct hc_loaded_profile *loaded,
                                                 const struct hc_profile_rank *rank)
{
    for (size_t i = 0; i < loaded->n_sources; i++)
        if (strcmp(loaded->sources[i].path, rank->name) == 0)
            return &loaded->sources[i];
    return &loaded->sources[0];
}

static enum hc_status list_files(struct analysis *a, struct hc_error *err)
{
    const struct hc_profile *profile = &a->loaded.profile;
    a->files = hc_new_array(profile->n_ranks, sizeof *a->files, err);
    if (!a->files)
        return err->status;
    for (size_t r = 0; r < profile->n_ranks; r++) {
        const struct hc_profile_source *source = source_of(&a->loaded, &profile->ranks[r]);
        a->files[r] = (struct hc_traced_file){
            .path = source->path,
            .sha256 = source->sha256,
            .format = source->format,
            .segment = source->segment,
            .size = source->size,
            .n_events = source->rows_read,
            .n_dropped = source->n_bad,
        };
    }
    if (a->loaded.n_left_out)
        hc_warn("%zu file%s left out, no profiler trace, such as '%s'", a->loaded.n_left_out,
                a->loaded.n_left_out == 1 ? " is" : "s are", a->loaded.left_out);
    return HC_OK;
}

enum hc_status hc_profile_choose_steps(struct hc_profile_whatif_options *options,
                                       const struct hc_step_ranges *steps, struct hc_error *err)
{
    return hc_profile_whatif_choose(options, steps, err) ? hc_context(err, "option '--steps'")
                                                         : HC_OK;
}

/* What the baseline expects of each collective. */
static enum hc_status expect_bandwidths(struct analysis *a,
                                        const struct hc_profile_request *request,
                                        struct hc_trace_loader *loader, struct hc_error *err)
{
    const struct hc_collectives *collectives = &a->collectives;
    struct hc_bandwidth_tables tables = {0};
    if (!request->baseline || request->baseline->n == 0)
        return HC_OK;
    if (hc_baseline_load(&tables, loader, request->baseline->word, request->baseline->n, err))
        return err->status;
    a->expected_gb_s = hc_new_array(collectives->n, sizeof *a->expected_gb_s, err);
    for (size_t c = 0; a->expected_gb_s && c < collectives->n; c++) {
        const struct hc_collective *collective = &collectives->collectives[c];
        int32_t size = (int32_t)collectives->groups[collective->group].size;
        bool is_p2p = hc_collective_op_is_p2p(collective->op);
        a->expected_gb_s[c] = hc_expected_bandwidth(&tables, is_p2p ? "sendrecv" : collective->op,
                                                    is_p2p ? 2 : size, collective->bytes)
                                  .busbw_gb_s;
    }
    hc_bandwidth_tables_fini(&tables);
    return a->expected_gb_s ? HC_OK : err->status;
}

#define NEED_COLLECTIVES                                                                           \
    (HC_PROFILE_COLLECTIVES | HC_PROFILE_STRAGGLERS | HC_PROFILE_CLOCKS | HC_PROFILE_PATH |        \
     HC_PROFILE_WHATIF)
#define NEED_WHATIF (HC_PROFILE_STRAGGLERS | HC_PROFILE_PATH | HC_PROFILE_WHATIF)

static enum hc_status analyse(struct analysis *a, const struct hc_profile_request *request,
                              struct hc_error *err)
{
    const struct hc_profile *profile = &a->loaded.profile;
    if (request->execution &&
        hc_execution_join_path(&a->loaded.profile, request->execution, request->trace, err))
        return err->status;
    if (hc_profile_questions_read(&a->questions, &request->asked, &a->loaded, err))
        return err->status;
    struct hc_profile_whatif_options options = {
        .n_questions = a->questions.n,
        .questions = a->questions.list,
        .threads = (int)request->common->threads,
    };
    if (hc_profile_choose_steps(&options, request->steps, err))
        return err->status;
    if (request->parts & HC_PROFILE_BREAKDOWN &&
        hc_breakdown_rows_make(&a->breakdown, profile, request->like, err))
        return err->status;
    if (request->parts & NEED_COLLECTIVES &&
        hc_collectives_match(&a->collectives, profile, !request->keeps_clocks, err))
        return err->status;
    if (request->parts & NEED_WHATIF &&
        hc_profile_whatif_run(&a->whatif, profile, &a->collectives, &options, err))
        return err->status;
    return HC_OK;
}

static struct hc_profile_report report_of(const struct analysis *a, unsigned parts, double below)
{
    return (struct hc_profile_report){
        .job = &a->loaded.job,
        .archive = a->loaded.archive,
        .profile = &a->loaded.profile,
        .files = a->files,
        .breakdown = parts & HC_PROFILE_BREAKDOWN ? &a->breakdown : NULL,
        .collectives = parts & NEED_COLLECTIVES ? &a->collectives : NULL,
        .expected_gb_s = a->expected_gb_s,
        .whatif = parts & NEED_WHATIF ? &a->whatif : NULL,
        .below = below,
        .n_questions = a->questions.n,
        .questions = a->questions.list,
        .shows_collectives = parts & HC_PROFILE_COLLECTIVES,
        .shows_stragglers = parts & HC_PROFILE_STRAGGLERS,
        .shows_clocks = parts & HC_PROFILE_CLOCKS,
        .shows_path = parts & HC_PROFILE_PATH,
    };
}

/* ---- output ---- */

HC_FIGURE_WRITERS(hc_profile, "hindcast-profile");

enum hc_status hc_profile_run(const struct hc_profile_request *request, struct hc_error *err)
{
    struct hc_trace_loader loader = {.archive_path = hc_archive_path(request->archive),
                                     .trace_options = request->trace};
    const struct hc_profile_choice choice = {
        .n = request->words->n, .arguments = request->words->word, .by = request->steps_by};
    struct analysis analysis = {0};
    const struct hc_report_options *options = request->report;
    enum hc_status status = hc_report_options_check(options, request->common, err);
    if (status == HC_OK)
        status = hc_fail_on_check(&options->fail_on, &hc_profile_figures, err);
    if (status == HC_OK && options->html && options->html[strlen(options->html) - 1] == '/')
        status =
            hc_fail(err, HC_USAGE, "--html '%s' names a directory, and the page of a job is a file",
                    options->html);
    if (status == HC_OK)
        status = hc_profile_load(&analysis.loaded, &loader, &choice, err);
    if (status == HC_OK)
        status = list_files(&analysis, err);
    if (status == HC_OK && analyse(&analysis, request, err))
        status = hc_context(err, "%s", analysis.loaded.label);
    if (status == HC_OK)
        status = expect_bandwidths(&analysis, request, &loader, err);
    if (status == HC_OK) {
        struct hc_profile_report report = report_of(&analysis, request->parts, request->below);
        const struct hc_report_output output = {&writers, &report, &report.run_id, options,
                                                request->common};
        status = hc_report_output_write(&output, false, err);
        if (status == HC_OK)
            status = hc_fail_on(&options->fail_on, &hc_profile_figures, &report, NULL, err);
    }
    analysis_fini(&analysis);
    hc_trace_loader_close(&loader);
    return status;
}
