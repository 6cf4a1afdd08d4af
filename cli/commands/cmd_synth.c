/* cmd_synth.c - `hindcast synth steps` and `synth kineto`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/synth_options.h"
#include "cli/options/synth_trace_options.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "parsers/steps/metadata.h"
#include "pipeline/synth/synth_fleet.h"
#include "pipeline/synth/synth_traces.h"
#include "reports/export/metadata_writer.h"
#include "reports/export/step_csv_writer.h"
#include "reports/export/step_parquet_writer.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 65536

/* Where the rows go: one of the two. */
struct trace_file {
    struct hc_step_csv *csv;
    struct hc_step_parquet *parquet;
};

enum trace_format { TRACE_CSV, TRACE_CSV_GZ, TRACE_PARQUET };

static bool ends_in(const char *text, const char *end)
{
    size_t length = strlen(text), n = strlen(end);
    return length > n && strcmp(text + length - n, end) == 0;
}

static enum hc_status find_format(enum trace_format *format, const struct hc_synth_settings *s,
                                  struct hc_error *err)
{
    const char *path = s->common.output;
    if (strcmp(path, "-") == 0 || ends_in(path, ".csv"))
        *format = TRACE_CSV;
    else if (ends_in(path, ".csv.gz"))
        *format = TRACE_CSV_GZ;
    else if (ends_in(path, ".parquet"))
        *format = TRACE_PARQUET;
    else
        return hc_fail(err, HC_USAGE,
                       "cannot tell the format of '%s' by its name; end it in .csv, .csv.gz or "
                       ".parquet, or use '-' for CSV on standard output",
                       path);
    if (s->float32 && *format != TRACE_PARQUET)
        return hc_fail(err, HC_USAGE, "option '--float32' is for Parquet, and '%s' is CSV", path);
    return HC_OK;
}

static enum hc_status open_file(struct trace_file *file, enum trace_format format, FILE *stream,
                                const struct hc_synth_settings *s, struct hc_error *err)
{
    const char *name = strcmp(s->common.output, "-") ? s->common.output : "standard output";
    const struct hc_step_parquet_options options = {.float32_times = s->float32};
    if (format == TRACE_PARQUET)
        return hc_step_parquet_open(&file->parquet, stream, name, &options, err);
    return hc_step_csv_open(&file->csv, stream, name, format == TRACE_CSV_GZ, err);
}

static enum hc_status write_rows(struct trace_file *file, struct hc_synth_steps *generator,
                                 struct hc_error *err)
{
    struct hc_table ops;
    struct hc_progress progress;
    if (hc_table_init(&ops, &hc_ops_def, BATCH_ROWS, err))
        return err->status;
    enum hc_status status;
    int64_t n_rows = 0;
    hc_progress_start(&progress, "synth steps", "ops", hc_synth_steps_rows(generator));
    do {
        ops.n_rows = 0;
        status = hc_synth_steps_next(generator, &ops, err);
        if (status == HC_OK)
            status = file->csv ? hc_step_csv_write(file->csv, &ops, err)
                               : hc_step_parquet_write(file->parquet, &ops, err);
        hc_progress_update(&progress, n_rows += (int64_t)ops.n_rows);
    } while (status == HC_OK && ops.n_rows > 0);
    hc_progress_end(&progress);
    if (status == HC_OK)
        status = file->csv ? hc_step_csv_finish(file->csv, err)
                           : hc_step_parquet_finish(file->parquet, err);
    hc_table_fini(&ops);
    return status;
}

/* Beside trace-X.csv and X.csv: meta-X.yaml, where reading looks for it. */
static enum hc_status path_beside(const char *trace, char **path, struct hc_error *err)
{
    char *id = NULL;
    if (hc_job_id_of_path(trace, &id, err))
        return err->status;
    const char *slash = strrchr(trace, '/');
    *path = hc_new_text(err, "%.*smeta-%s.yaml", slash ? (int)(slash - trace + 1) : 0, trace, id);
    free(id);
    return *path ? HC_OK : err->status;
}

/* Where the metadata go: where --meta says, else beside the trace; NULL for none, as beside
 * standard output. */
static enum hc_status find_meta_path(const struct hc_synth_settings *s, char **path,
                                     struct hc_error *err)
{
    *path = NULL;
    if (s->no_meta || (!s->meta && strcmp(s->common.output, "-") == 0))
        return HC_OK;
    if (!s->meta)
        return path_beside(s->common.output, path, err);
    *path = hc_copy_text(s->meta, err);
    return *path ? HC_OK : err->status;
}

static enum hc_status note_meta(const struct hc_synth_settings *s, const char *path,
                                struct hc_error *err)
{
    char *found = NULL;
    if (hc_metadata_beside(s->common.output, &found, err))
        return err->status;
    if (!found || strcmp(found, path) != 0)
        hc_note("read '%s' with --meta '%s': only of that name in the same directory it would be "
                "found by itself",
                s->common.output, path);
    free(found);
    return HC_OK;
}

static enum hc_status check_outputs(const struct hc_synth_settings *s, struct hc_error *err)
{
    if (hc_output_floods_terminal(&s->common))
        return hc_fail(err, HC_USAGE,
                       "thousands of lines of CSV would go to the terminal: give a file, as '-o "
                       "trace-x.csv', or '-o -' if that is meant");
    if (s->meta && s->no_meta)
        return hc_fail(err, HC_USAGE, "'--meta' and '--no-meta' exclude each other");
    if (s->with_discards)
        return hc_fail(err, HC_USAGE, "'--with-discards' is for a fleet; give '--fleet N' too");
    if (s->meta && strcmp(s->meta, s->common.output) == 0)
        return hc_fail(err, HC_USAGE, "trace and metadata cannot both go to '%s'", s->meta);
    return HC_OK;
}

/* The name of the job: given, else from the name of the output. */
static enum hc_status name_job(struct hc_synth_settings *s, char **name, struct hc_error *err)
{
    if (s->job)
        return HC_OK;
    if (strcmp(s->common.output, "-") == 0)
        *name = hc_copy_text("synthetic", err);
    else if (hc_job_id_of_path(s->common.output, name, err))
        return err->status;
    s->job = *name;
    return *name ? HC_OK : err->status;
}

static enum hc_status write_metadata(struct hc_outset *set, const char *path,
                                     const struct hc_synth_steps *generator, struct hc_error *err)
{
    FILE *stream;
    if (hc_outset_add_held(set, path, &stream, err))
        return err->status;
    hc_metadata_print(hc_synth_steps_job(generator), stream);
    return HC_OK;
}

/* meta: where the metadata go, or NULL. */
static enum hc_status write_files(const struct hc_synth_settings *s, enum trace_format format,
                                  struct hc_synth_steps *generator, const char *meta,
                                  struct hc_error *err)
{
    struct hc_output output;
    struct trace_file file = {0};
    if (hc_output_open(&output, &s->common, false, err))
        return err->status;
    enum hc_status status = open_file(&file, format, output.stream, s, err);
    if (status == HC_OK)
        status = write_rows(&file, generator, err);
    hc_step_csv_close(file.csv);
    hc_step_parquet_close(file.parquet);
    if (status == HC_OK && meta)
        status = write_metadata(output.set, meta, generator, err);
    return hc_output_end(&output, status, err);
}

static enum hc_status write_fleet(const struct hc_synth_settings *s, struct hc_error *err)
{
    const struct hc_synth_fleet fleet = {.directory = s->common.output,
                                         .drawn = {.seed = (uint64_t)s->seed,
                                                   .n_jobs = (int32_t)s->fleet,
                                                   .with_discards = s->with_discards},
                                         .float32 = s->float32};
    return hc_synth_options_check_fleet(s, err) ? err->status : hc_synth_fleet_write(&fleet, err);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    struct hc_synth_settings *s = settings;
    struct hc_synth_steps_options options;
    struct hc_synth_slow *slow = NULL;
    struct hc_synth_steps *generator = NULL;
    enum trace_format format = TRACE_CSV;
    char *name = NULL, *meta = NULL, count[HC_NUMBER_TEXT];
    (void)words;
    if (s->fleet)
        return write_fleet(s, err);
    enum hc_status status = check_outputs(s, err);
    if (status == HC_OK)
        status = find_format(&format, s, err);
    if (status == HC_OK)
        status = name_job(s, &name, err);
    if (status == HC_OK)
        status = hc_synth_options_fill(&options, &slow, s, err);
    if (status == HC_OK)
        status = hc_synth_steps_open(&generator, &options, err);
    if (status == HC_OK)
        status = find_meta_path(s, &meta, err);
    if (status == HC_OK)
        status = write_files(s, format, generator, meta, err);
    if (status == HC_OK && strcmp(s->common.output, "-") != 0)
        hc_note("wrote %s ops of %d steps to '%s'",
                hc_format_count(hc_synth_steps_rows(generator), count), options.n_steps,
                s->common.output);
    if (status == HC_OK && meta)
        status = note_meta(s, meta, err);
    hc_synth_steps_close(generator);
    free(slow);
    free(meta);
    free(name);
    return status;
}

const struct hc_command hc_command_synth_steps = {
    .name = "synth steps",
    .summary = "make a step timeline whose causes of slowness are known",
    .description =
        "Runs the schedule of a training job forward in time with random durations and writes the "
        "ops as a profiler would have recorded them, with the metadata beside them. -o names a "
        ".csv, .csv.gz or .parquet file; '-' is CSV on standard output.\n"
        "Without slow workers, stages or extras the job is healthy: what a replay then finds is "
        "the cost of random variation.\n"
        "With --fleet, makes many jobs with and without causes in the directory that -o names, and "
        "truth.csv, which says what was planted in each.",
    .options = hc_synth_options,
    .examples =
        (const char *const[]){"hindcast synth steps --slow-worker 1,2,1.5 -o trace-slow.parquet",
                              "hindcast synth steps --vpp 2 --overlap-dp --seed 7 -o trace-vpp.csv",
                              "hindcast synth steps --fleet 300 --seed 1 -o fleet", NULL},
    .settings_size = sizeof(struct hc_synth_settings),
    .run = run,
};

/* ---- synth kineto ---- */

static enum hc_status run_kineto(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct hc_synth_trace_settings *s = settings;
    struct hc_synth_trace_lists lists = {0};
    (void)words;
    if (!s->common.output)
        return hc_fail(err, HC_USAGE, "say where to: -o DIR");
    struct hc_synth_traces traces = {.directory = s->common.output, .packs = s->gzip};
    enum hc_status status = hc_synth_trace_options_fill(&traces.options, &lists, s, err);
    if (status == HC_OK)
        status = hc_synth_traces_write(&traces, err);
    hc_synth_trace_lists_fini(&lists);
    return status;
}

const struct hc_command hc_command_synth_kineto = {
    .name = "synth kineto",
    .summary = "make profiler traces of many ranks whose stragglers are known",
    .description =
        "Simulates the ranks of a training job and writes for each what the PyTorch profiler would "
        "have recorded: steps, ops, calls, kernels on streams of computation and communication, "
        "collectives, waits. truth.json beside them says what was planted, what that costs by the "
        "same simulation without it, and by how much the clocks are off.\n"
        "Without plants the job is healthy but for the jitter of its kernels.",
    .options = hc_synth_trace_options,
    .examples =
        (const char *const[]){"hindcast synth kineto --dp 8 --slow-rank 5,1.3 -o traces",
                              "hindcast synth kineto --pp 2 --late-host 1,20 --no-seq -o traces",
                              NULL},
    .settings_size = sizeof(struct hc_synth_trace_settings),
    .run = run_kineto,
};
