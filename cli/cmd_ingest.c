/* cmd_ingest.c - `hindcast ingest`. */
#include "cli/command.h"
#include "cli/ingest_report.h"
#include "cli/output.h"
#include "cli/trace_options.h"
#include "core/base/log.h"
#include "core/tables/op_table.h"
#include "models/steps/census.h"
#include "pipeline/ingest/graph_precheck.h"
#include "pipeline/ingest/ingest_plan.h"
#include "pipeline/inputs/incident_input.h"
#include "pipeline/inputs/source_input.h"
#include "store/archive/archive.h"

#include <string.h>

struct ingest_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
};

/* What the batches of one trace go through. */
struct sinks {
    struct hc_census *census;
    struct hc_graph_precheck templates;
    struct hc_segment_writer *writer;
    const struct hc_source_input *input;
};

static enum hc_status take_batch(const struct hc_table *ops, void *context, struct hc_error *err)
{
    struct sinks *sinks = context;
    if (hc_census_add(sinks->census, ops, NULL, err) ||
        hc_source_input_check_bad(sinks->input, hc_census_n_duplicates(sinks->census), err) ||
        hc_graph_precheck_add(&sinks->templates, ops, err))
        return err->status;
    return hc_segment_writer_append(sinks->writer, ops, err);
}

static enum hc_status write_steps(const struct hc_census *census, struct hc_segment_writer *writer,
                                  struct hc_error *err)
{
    struct hc_table steps = {0};
    enum hc_status status = hc_table_init(&steps, &hc_steps_def, hc_census_n_steps(census), err);
    if (status == HC_OK) {
        hc_census_fill_steps(census, &steps);
        status = hc_segment_writer_append(writer, &steps, err);
    }
    hc_table_fini(&steps);
    return status;
}

/* Read the trace into an open segment; what was found stays in input->report and census. */
static enum hc_status fill_segment(struct hc_source_input *input, struct hc_census *census,
                                   struct hc_segment_writer *writer, struct hc_error *err)
{
    struct sinks sinks = {.census = census, .writer = writer, .input = input};
    int64_t max_step_ops = input->options->max_step_ops;
    hc_census_limit_ops(census, max_step_ops);
    enum hc_status status =
        hc_graph_precheck_init(&sinks.templates, &input->job, max_step_ops, err);
    if (status == HC_OK)
        status = hc_source_input_read(input, take_batch, &sinks, err);
    if (status == HC_OK && (hc_census_finish(census, &input->report, err) ||
                            hc_row_report_limit(&input->report, input->options->max_bad, err) ||
                            hc_graph_precheck_check(&sinks.templates, census, err)))
        status = hc_context(err, "'%s'", input->source.name);
    hc_graph_precheck_fini(&sinks.templates);
    return status ? status : write_steps(census, writer, err);
}

static enum hc_status publish(struct hc_archive_ingest *ingest, const struct hc_source_input *input,
                              bool *replaced, struct hc_error *err)
{
    struct hc_provenance provenance;
    if (hc_source_input_provenance(input, &provenance, err)) {
        hc_archive_ingest_abort(ingest);
        return err->status;
    }
    enum hc_status status =
        hc_archive_ingest_commit(ingest, &input->job, &provenance, replaced, err);
    hc_provenance_fini(&provenance);
    return status;
}

/* Read and publish an opened trace that the archive does not hold yet. */
static enum hc_status ingest_new(struct hc_archive *archive, struct hc_source_input *input,
                                 struct hc_ingest_report *report, struct hc_error *err)
{
    struct hc_census *census = NULL;
    struct hc_archive_ingest *ingest = NULL;
    bool replaced = false;
    enum hc_status status = hc_census_new(&census, err);
    if (status == HC_OK)
        status = hc_archive_ingest_begin(&ingest, archive, err);
    if (status == HC_OK) {
        status = fill_segment(input, census, hc_archive_ingest_writer(ingest), err);
        if (status == HC_OK)
            status = publish(ingest, input, &replaced, err);
        else
            hc_archive_ingest_abort(ingest);
    }
    if (status == HC_OK)
        hc_ingest_report_read(report, input, census, replaced);
    hc_census_free(census);
    return status;
}

/* The same of a list of incidents. */
static enum hc_status ingest_incidents(struct hc_archive *archive, struct hc_source_input *input,
                                       struct hc_ingest_report *report, struct hc_error *err)
{
    struct hc_incident_input incidents;
    struct hc_archive_ingest *ingest = NULL;
    struct hc_provenance provenance = {0};
    bool replaced = false;
    if (hc_incident_input_start(&incidents, input, err))
        return err->status;
    enum hc_status status = hc_archive_ingest_begin(&ingest, archive, err);
    if (status == HC_OK)
        status = hc_incident_input_store(&incidents, hc_archive_ingest_writer(ingest), err);
    if (status == HC_OK)
        status = hc_source_input_provenance(input, &provenance, err);
    if (status == HC_OK)
        status = hc_archive_ingest_commit(ingest, &input->job, &provenance, &replaced, err);
    else
        hc_archive_ingest_abort(ingest);
    if (status == HC_OK)
        hc_ingest_report_incidents(report, input, incidents.n_rows, replaced);
    hc_provenance_fini(&provenance);
    hc_incident_input_end(&incidents);
    return status;
}

/* The inputs of one command. */
struct inputs {
    const struct hc_trace_options *options;
    const struct hc_words *files;
    struct hc_ingest_plan plan;
};

static enum hc_status ingest_file(struct hc_archive *archive, const struct inputs *inputs, size_t i,
                                  struct hc_ingest_report *report, struct hc_error *err)
{
    struct hc_source_input input;
    struct hc_provenance provenance;
    if (hc_source_input_open(&input, inputs->files->word[i], inputs->options, err))
        return err->status;
    enum hc_status status = hc_ingest_plan_confirm(&inputs->plan, i, &input, err);
    if (status == HC_OK)
        status = hc_source_input_provenance(&input, &provenance, err);
    if (status == HC_OK) {
        const struct hc_manifest_entry *held = NULL;
        if (hc_archive_holds(archive, &input.job, &provenance, &held, err))
            status = err->status;
        else if (held)
            hc_ingest_report_unchanged(report, &input);
        else if (!hc_format_is_steps(input.format))
            status = ingest_incidents(archive, &input, report, err);
        else
            status = ingest_new(archive, &input, report, err);
        hc_provenance_fini(&provenance);
    }
    hc_source_input_close(&input);
    return status;
}

/* Every file is a job of its own: one that fails does not keep the others from being kept. */
static enum hc_status ingest_all(struct hc_archive *archive, const struct inputs *inputs,
                                 struct hc_ingest_report *report, struct hc_error *err)
{
    const struct hc_words *files = inputs->files;
    struct hc_error first = {0};
    size_t n_failed = 0;
    for (size_t i = 0; i < files->n; i++) {
        struct hc_error failure = {0};
        if (ingest_file(archive, inputs, i, report, &failure) == HC_OK)
            continue;
        hc_ingest_report_failed(report, files->word[i], &failure);
        if (files->n > 1)
            hc_warn("%s", failure.message);
        if (n_failed++ == 0)
            first = failure;
        if (failure.status == HC_INTERNAL)
            break;
    }
    *err = first;
    if (n_failed == files->n && files->n > 1)
        hc_fail(err, first.status, "none of the %zu traces could be ingested", n_failed);
    else if (n_failed && files->n > 1)
        hc_fail(err, first.status,
                "%zu of %zu traces could not be ingested; the others are in '%s'", n_failed,
                files->n, archive->path);
    return err->status;
}

static enum hc_status run_planned(const struct ingest_settings *settings,
                                  const struct inputs *inputs, struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    struct hc_output output;
    if (hc_archive_open(&archive, hc_archive_path(&settings->archive), true, err))
        return err->status;
    if (hc_output_open(&output, &settings->common, false, err)) {
        hc_archive_discard_if_empty(archive);
        hc_archive_close(archive);
        return err->status;
    }
    struct hc_ingest_report report;
    hc_ingest_report_start(&report, &output, settings->common.json, archive->path);
    enum hc_status status = ingest_all(archive, inputs, &report, err);
    /* What was kept is reported, whatever failed after it. */
    struct hc_error late = {0};
    if (hc_ingest_report_end(&report, &output, &late) || hc_output_commit(&output, &late)) {
        hc_output_abort(&output);
        if (status == HC_OK)
            *err = late;
    }
    if (err->status)
        hc_archive_discard_if_empty(archive);
    hc_archive_close(archive);
    return err->status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct ingest_settings *ingest = settings;
    struct inputs inputs = {.options = &ingest->trace, .files = words};
    if (hc_trace_options_check(&ingest->trace, words->n, err) ||
        hc_ingest_plan_make(&inputs.plan, words->word, words->n, &ingest->trace, err))
        return err->status;
    enum hc_status status = run_planned(ingest, &inputs, err);
    hc_ingest_plan_fini(&inputs.plan);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct ingest_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct ingest_settings, trace, hc_trace_options),
    HC_OPTION_GROUP(struct ingest_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"FILE", "a trace or a list of incidents, which may be compressed; '-' is standard input", 1,
     0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_ingest = {
    .name = "ingest",
    .summary = "read traces and incidents into an archive",
    .description =
        "Each file is a job, and is in the archive whole or not at all. A file that the archive "
        "holds already, read the same way, is left as it is; another trace of the same job "
        "replaces it. Two files of one command that would be the same job are refused before "
        "anything is written; cluster, job_id and attempt in their metadata tell them apart, and "
        "without metadata the name of the file is the id. What could not be replayed (sizes other "
        "than the metadata's, steps without "
        "a valid dependency graph) is refused. An archive that is not there is made; when no "
        "trace can be kept, none is left behind.\n"
        "With several files, one that fails is reported and the others are still read; the exit "
        "status is that of the first failure.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast ingest -a nightly trace-AR.parquet",
                              "zcat steps.csv.gz | hindcast ingest --meta job.yaml -", NULL},
    .settings_size = sizeof(struct ingest_settings),
    .run = run,
};
