#include "cli/commands/fleet_whatif.h"

#include "cli/commands/fleet_output.h"
#include "cli/options/fail_on.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "core/process/made_by.h"
#include "core/process/threads.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "core/text/text_stream.h"
#include "pipeline/fleet/fleet_choice.h"
#include "pipeline/fleet/fleet_pages.h"
#include "pipeline/fleet/fleet_partial.h"
#include "pipeline/fleet/fleet_run.h"
#include "store/archive/derived.h"

#include <stdlib.h>
#include <string.h>

/* ---- what is asked for ---- */

/* An option of the command line, as it was given; NULL: it was not. */
static const char *given_text(const struct hc_fleet_request *request, const char *name)
{
    const struct hc_given_options *given = request->common->given;
    for (size_t i = 0; given && i < given->n; i++)
        if (strcmp(given->list[i].option->name, name) == 0)
            return given->list[i].text;
    return NULL;
}

/* What chooses the jobs: shards of two choices do not belong together. */
static void write_choice(FILE *stream, const struct hc_fleet_request *request)
{
    static const char *const names[] = {"cluster", "since", "until", "where"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *text = given_text(request, names[i]);
        if (text)
            fprintf(stream, " --%s '%s'", names[i], text);
    }
    for (size_t i = 0; i < request->names->n; i++)
        fprintf(stream, " '%s'", request->names->word[i]);
}

static char *options_text(const struct hc_fleet_request *request, struct hc_error *err)
{
    char real[HC_NUMBER_TEXT], *text = NULL;
    size_t length;
    FILE *stream = hc_text_stream(&text, &length, err);
    if (!stream)
        return NULL;
    fprintf(stream, "--threshold %s%s%s", hc_format_real(request->threshold, real),
            request->pages->quick ? " --quick" : "",
            request->keeps_outliers ? " --keep-outliers" : "");
    if (request->steps->text)
        fprintf(stream, " --steps %s", request->steps->text);
    write_choice(stream, request);
    hc_text_stream_end(stream, &text, HC_OK, err);
    return text;
}

static unsigned depth_of(const struct hc_fleet_request *request)
{
    return request->pages->quick ? 0 : HC_FLEET_DEPTH;
}

/* All of a partial but its rows. */
static enum hc_status describe(struct hc_fleet_partial *partial,
                               const struct hc_fleet_request *request,
                               const struct hc_archive *archive, size_t n_jobs,
                               struct hc_error *err)
{
    struct hc_shard shard = request->fleet->shard;
    partial->shard = shard.n ? shard : (struct hc_shard){1, 1};
    partial->limits = hc_fleet_options_limits(request->fleet);
    partial->n_jobs = (int64_t)n_jobs;
    partial->archive = hc_copy_text(archive->path, err);
    partial->inputs = hc_fleet_inputs(request->steps, request->keeps_outliers, request->threshold,
                                      depth_of(request), err);
    partial->options = options_text(request, err);
    partial->command = hc_copy_text(hc_made_by().command, err);
    if (!partial->archive || !partial->inputs || !partial->options || !partial->command)
        return err->status;
    return hc_fleet_digest(archive, partial->segments_sha256, err);
}

static enum hc_status check_request(const struct hc_fleet_request *request, struct hc_error *err)
{
    bool is_shard = request->fleet->shard.n > 0;
    if (is_shard && strcmp(request->common->output, "-") == 0)
        return hc_fail(err, HC_USAGE, "--shard writes a partial: name its file with -o");
    if (request->pages->picture_step.n)
        return hc_fail(err, HC_USAGE, "--picture-step is for the page of one job, not for --all");
    if (is_shard && (request->pages->report.csv || request->pages->report.figures.directory ||
                     request->common->json))
        return hc_fail(err, HC_USAGE,
                       "--json, --csv and --figures are for the whole fleet: give them to "
                       "'hindcast merge'");
    if (is_shard && request->pages->report.fail_on.n)
        return hc_fail(err, HC_USAGE,
                       "--fail-on is for the whole fleet: give it to 'hindcast merge'");
    return hc_fail_on_check(&request->pages->report.fail_on, &hc_fleet_figures, err);
}

/* ---- the work ---- */

static void warn_of_cache(const struct hc_fleet_rows *rows, const struct hc_archive *archive)
{
    if (rows->n_unkept)
        hc_warn(
            "%zu results could not be kept in '%s/%s', and will be computed again next time: %s",
            rows->n_unkept, archive->path, HC_DERIVED_DIRECTORY, rows->why_unkept.message);
}

static struct hc_fleet_views views_of(const struct hc_fleet_request *request)
{
    return (struct hc_fleet_views){.json = request->common->json,
                                   .report = &request->pages->report};
}

static enum hc_status fill_rows(struct hc_fleet_partial *partial, size_t *n_cached,
                                struct hc_fleet_pages *pages,
                                const struct hc_fleet_request *request,
                                const struct hc_archive *archive, const struct hc_fleet_job *jobs,
                                size_t n, struct hc_error *err)
{
    struct hc_fleet_analysis analysis = {
        .archive = archive,
        .steps = request->steps,
        .keeps_outliers = request->keeps_outliers,
        .threshold = request->threshold,
        .limits = partial->limits,
        .use_cache = !request->fleet->no_cache,
        .inputs = partial->inputs,
        .depth = depth_of(request),
    };
    struct hc_fleet_rows rows;
    if (pages->directory) {
        analysis.wants = hc_fleet_pages_want;
        analysis.take = hc_fleet_pages_take;
        analysis.context = pages;
    }
    if (hc_fleet_run(&rows, &analysis, jobs, n, (int)request->common->threads, err))
        return err->status;
    warn_of_cache(&rows, archive);
    *n_cached = rows.n_cached;
    partial->rows = rows.rows;
    partial->n_rows = rows.n;
    return HC_OK;
}

/* Whether the output file is this shard already, and no pages are asked for, of which some may be
 * absent: with them the run looks, though all rows are kept. */
static bool is_done(const struct hc_fleet_partial *partial, const struct hc_fleet_request *request)
{
    const char *path = request->common->output;
    if (request->pages->report.html)
        return false;
    struct hc_fleet_partial there;
    struct hc_error why;
    if (!hc_is_regular_file(path) || hc_fleet_partial_read(&there, path, &why))
        return false;
    bool done = hc_fleet_partial_is_done(&there, partial);
    hc_fleet_partial_fini(&there);
    return done;
}

static enum hc_status write_views(struct hc_output *output, const struct hc_fleet_partial *partial,
                                  const struct hc_fleet_request *request, struct hc_error *err)
{
    const struct hc_fleet_views views = views_of(request);
    if (request->fleet->shard.n)
        return hc_fleet_partial_write(output->stream, partial, err);
    return hc_fleet_output_write(output, &views, partial, err);
}

static enum hc_status run_jobs(struct hc_fleet_partial *partial,
                               const struct hc_fleet_request *request,
                               const struct hc_archive *archive, const struct hc_fleet_job *jobs,
                               size_t n, struct hc_error *err)
{
    const struct hc_fleet_views views = views_of(request);
    struct hc_fleet_pages pages = {.directory = views.report->html,
                                   .archive = partial->archive,
                                   .inputs = partial->inputs,
                                   .are_left = request->fleet->shard.n > 0,
                                   .lock = PTHREAD_MUTEX_INITIALIZER};
    struct hc_output output;
    size_t n_cached = 0;
    if (hc_fleet_output_open(&output, request->common, &views, err))
        return err->status;
    enum hc_status status =
        views.report->html ? hc_fleet_pages_prepare(output.set, views.report->html, err) : HC_OK;
    if (status == HC_OK)
        status = fill_rows(partial, &n_cached, &pages, request, archive, jobs, n, err);
    if (status == HC_OK)
        hc_fleet_output_note(partial, n_cached);
    if (status == HC_OK)
        status = write_views(&output, partial, request, err);
    if (status) /* before the directory goes */
        hc_fleet_pages_drop(&pages);
    status = hc_output_end(&output, status, err);
    hc_fleet_pages_fini(&pages);
    return status ? status : hc_fleet_output_verdict(partial, &views.report->fail_on, err);
}

/* ---- which jobs ---- */

/* Keep the jobs that names, cluster and dates mean. */
static enum hc_status keep_chosen(struct hc_fleet_job *jobs, size_t *n,
                                  const struct hc_fleet_request *request,
                                  const struct hc_archive *archive, struct hc_error *err)
{
    bool *is_chosen = NULL;
    size_t n_kept = 0;
    if (!hc_choice_is_given(request->choice) && request->names->n == 0)
        return HC_OK;
    enum hc_status status = hc_choice_entries(&is_chosen, archive, request->choice, hc_ops_def.name,
                                              request->names, err);
    for (size_t i = 0; i < *n && !status; i++)
        if (is_chosen[jobs[i].entry - archive->entries])
            jobs[n_kept++] = jobs[i];
    free(is_chosen);
    *n = n_kept;
    return status;
}

/* Keep those that --where holds of; both lists are in the order of the manifest. */
static enum hc_status keep_wanted(struct hc_fleet_job *jobs, size_t *n,
                                  const struct hc_fleet_request *request,
                                  const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_query_condition *condition = NULL;
    struct hc_fleet_choice choice = {.n = 0};
    size_t n_kept = 0, c = 0, n_before = *n;
    if (!request->fleet->where)
        return HC_OK;
    enum hc_status status =
        hc_query_condition_parse(&condition, request->fleet->where, &hc_fleet_choice_def, err);
    if (!status)
        status = hc_fleet_choose(&choice, archive, condition, (int)request->common->threads, err);
    for (size_t i = 0; i < *n && !status; i++) {
        while (c < choice.n && choice.jobs[c].entry < jobs[i].entry)
            c++;
        if (c < choice.n && choice.jobs[c].entry == jobs[i].entry)
            jobs[n_kept++] = jobs[i];
    }
    *n = n_kept;
    free(choice.jobs);
    hc_query_condition_free(condition);
    if (!status && n_before && !n_kept)
        return hc_fail(err, HC_USAGE, "none of the %zu jobs of archive '%s' meets '%.200s'",
                       n_before, archive->path, request->fleet->where);
    return status;
}

static enum hc_status run_archive(struct hc_fleet_partial *partial,
                                  const struct hc_fleet_request *request,
                                  const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_fleet_job *jobs = NULL;
    struct hc_shard shard = request->fleet->shard;
    size_t n = 0;
    if (hc_fleet_jobs_list(archive, &jobs, &n, err))
        return err->status;
    enum hc_status status = keep_chosen(jobs, &n, request, archive, err);
    if (status == HC_OK)
        status = keep_wanted(jobs, &n, request, archive, err);
    if (status == HC_OK)
        status = describe(partial, request, archive, n, err);
    if (status == HC_OK && shard.n)
        status = hc_fleet_jobs_deal(jobs, &n, shard, err);
    if (status == HC_OK && shard.n && is_done(partial, request))
        hc_note("shard %d/%d was done before with the same inputs: '%s' stays as it is",
                (int)shard.index, (int)shard.n, request->common->output);
    else if (status == HC_OK)
        status = run_jobs(partial, request, archive, jobs, n, err);
    free(jobs);
    return status;
}

enum hc_status hc_fleet_whatif(const struct hc_fleet_request *request, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    struct hc_fleet_partial partial = {.archive = NULL};
    hc_threads_raise(1);
    if (check_request(request, err) ||
        hc_archive_open(&archive, hc_archive_path(request->archive), false, err))
        return err->status;
    enum hc_status status = run_archive(&partial, request, archive, err);
    hc_fleet_partial_fini(&partial);
    hc_archive_close(archive);
    return status;
}
