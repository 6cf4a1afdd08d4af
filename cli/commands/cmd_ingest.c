/* cmd_ingest.c - `hindcast ingest`. */
#include "cli/commands/ingest_report.h"
#include "cli/frame/command.h"
#include "cli/frame/file_guide.h"
#include "cli/frame/output.h"
#include "cli/options/trace_options.h"
#include "core/base/memory.h"
#include "pipeline/ingest/ingest.h"
#include "pipeline/site/pattern_input.h"
#include "pipeline/site/site_ingest.h"
#include "pipeline/sources/source_list.h"
#include "store/archive/archive.h"

#include <stdlib.h>

struct ingest_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    const char *zone, *cluster, *site, *patterns;
};

static void note_done(const struct hc_ingested *ingested, void *report)
{
    hc_ingest_report_done(report, ingested);
}

static void note_failed(const char *path, const struct hc_error *failure, void *report)
{
    hc_ingest_report_failed(report, path, failure);
}

/* What is read into the archive: the inputs, or the sources of a site. */
struct work {
    const struct hc_ingest_inputs *inputs;
    const struct hc_site *site; /* NULL: inputs */
    const struct hc_trace_options *options;
    struct hc_site_counts counts;
};

static enum hc_status do_work(struct work *work, struct hc_archive *archive,
                              const struct hc_ingest_observer *observer, struct hc_error *err)
{
    if (!work->site)
        return hc_ingest_all(archive, work->inputs, observer, err);
    return hc_site_ingest(archive, work->site, work->options, observer, &work->counts, err);
}

static enum hc_status run_work(const struct ingest_settings *settings, struct work *work,
                               struct hc_error *err)
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
    hc_ingest_report_start(&report, &output, &settings->common, archive->path);
    const struct hc_ingest_observer observer = {note_done, note_failed, &report};
    enum hc_status status = do_work(work, archive, &observer, err);
    if (work->site)
        hc_ingest_report_site(&report, &work->counts);
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

/* An archive is written to, and not read: it is named by -a. */
static enum hc_status refuse_archive(const char *word, struct hc_error *err)
{
    if (!hc_is_directory(word) || !hc_file_is_archive(word))
        return HC_OK;
    return hc_fail(err, HC_USAGE,
                   "'%s' is an archive: name the files to read into it, as 'hindcast ingest -a %s "
                   "FILE'",
                   word, word);
}

/* The files that the words name. What no format knows is left out of a directory, and said. */
static enum hc_status list_files(struct hc_source_list *list, const struct hc_words *words,
                                 const struct hc_trace_options *options, struct hc_error *err)
{
    for (size_t i = 0; i < words->n; i++)
        if (refuse_archive(words->word[i], err) || hc_source_list_add(list, words->word[i], err))
            return err->status;
    return hc_source_list_keep_known(list, options->format != NULL, err);
}

/* The files, those of one job that its ranks recorded put together. */
static enum hc_status run_sets(const struct ingest_settings *ingest,
                               const struct hc_rank_sets *sets, struct hc_error *err)
{
    struct hc_trace_options trace = ingest->trace;
    trace.sets = sets;
    struct hc_ingest_inputs inputs = {
        .options = &trace, .paths = sets->inputs, .n = sets->n_inputs};
    if (!hc_trace_options_check(&trace, sets->n_inputs, err) &&
        !hc_ingest_plan_make(&inputs.plan, sets->inputs, sets->n_inputs, &trace, err))
        run_work(ingest, &(struct work){.inputs = &inputs}, err);
    hc_ingest_plan_fini(&inputs.plan);
    return err->status;
}

/* As run_sets, in the zone that the settings name. */
static enum hc_status run_in_zone(const struct ingest_settings *settings,
                                  const struct hc_rank_sets *sets, struct hc_error *err)
{
    struct ingest_settings ingest = *settings;
    struct hc_zone zone = {0};
    if (ingest.zone && hc_zone_init(&zone, ingest.zone, err))
        return hc_context(err, "--zone");
    ingest.trace.zone = &zone;
    ingest.trace.cluster = ingest.cluster;
    enum hc_status status = run_sets(&ingest, sets, err);
    hc_zone_fini(&zone);
    return status;
}

static enum hc_status run_files(const struct ingest_settings *ingest,
                                const struct hc_source_list *list, struct hc_error *err)
{
    struct hc_rank_sets sets = {0};
    const char **paths = hc_new_array(list->n, sizeof *paths, err);
    for (size_t i = 0; paths && i < list->n; i++)
        paths[i] = list->sources[i].path;
    if (paths && !hc_rank_sets_gather(&sets, paths, list->n, ingest->trace.format, err))
        run_in_zone(ingest, &sets, err);
    hc_rank_sets_fini(&sets);
    free(paths);
    return err->status;
}

/* What is new of the sources that the site file names. */
static enum hc_status run_site(const struct ingest_settings *ingest, struct hc_error *err)
{
    struct hc_site site;
    const struct hc_trace_options *trace = &ingest->trace;
    if (trace->format || trace->meta || ingest->zone || ingest->cluster)
        return hc_fail(err, HC_USAGE,
                       "--format, --meta, --zone and --cluster are for files on the command line; "
                       "of the sources of a site, its file says them");
    enum hc_status status = hc_site_open(&site, ingest->site, err);
    if (status == HC_OK)
        status = run_work(ingest, &(struct work){.site = &site, .options = trace}, err);
    hc_site_close(&site);
    return status;
}

static enum hc_status run_words(const struct ingest_settings *ingest, const struct hc_words *words,
                                struct hc_error *err)
{
    struct hc_source_list list = {0};
    if (words->n == 0)
        return run_site(ingest, err);
    enum hc_status status = list_files(&list, words, &ingest->trace, err);
    if (status == HC_OK)
        status = run_files(ingest, &list, err);
    hc_source_list_fini(&list);
    return status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    struct ingest_settings ingest = *(const struct ingest_settings *)settings;
    if (words->n && ingest.site)
        return hc_fail(err, HC_USAGE, "either files or --site");
    if (ingest.patterns && hc_pattern_input_load(&ingest.trace.patterns, ingest.patterns, err))
        return hc_context(err, "--patterns");
    enum hc_status status = run_words(&ingest, words, err);
    hc_pattern_input_free(&ingest.trace.patterns);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct ingest_settings, archive, hc_written_archive_options),
    HC_OPTION_GROUP(struct ingest_settings, trace, hc_trace_options),
    {.name = "zone",
     .kind = HC_OPTION_TEXT,
     .argument = "ZONE",
     .target = offsetof(struct ingest_settings, zone),
     .unset = "UTC",
     .help = "where local times without a zone were written, as 'Europe/Berlin' or '+05:30'"},
    {.name = "cluster",
     .kind = HC_OPTION_TEXT,
     .argument = "NAME",
     .target = offsetof(struct ingest_settings, cluster),
     .unset = "'default'",
     .help = "the cluster of records that name none"},
    {.name = "patterns",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct ingest_settings, patterns),
     .help = "lines of logs that a site knows by expressions (docs/formats/log-patterns.md)"},
    {.name = "site",
     .kind = HC_OPTION_TEXT,
     .argument = "FILE",
     .target = offsetof(struct ingest_settings, site),
     .unset = "$HINDCAST_SITE, else site.json",
     .help = "without FILE or DIR: read what is new of the sources that this file names"},
    HC_OPTION_GROUP(struct ingest_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"FILE|DIR",
     "a trace or a list of incidents, which may be compressed; '-' is standard input; of a "
     "directory, the files in it whose format is known. Files that ranks of one job recorded as "
     "steps (column 'job') are one trace. None: what is new of a site (--site)",
     0, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_ingest = {
    .name = "ingest",
    .summary = "read traces and incidents into an archive",
    .description =
        "Each file (all files of ranks of one job together) is a job, and is in the archive whole "
        "or not at all. A file that the archive "
        "holds already, read the same way, is left as it is; another trace of the same job "
        "replaces it. Two files of one command that would be the same job are refused before "
        "anything is written; cluster, job_id and attempt in their metadata tell them apart, and "
        "without metadata the name of the file is the id. Profiler traces are a file a rank: their "
        "job "
        "is named after their directory, its ranks come all at once, and a rank that comes later "
        "completes it. What could not be replayed (sizes other "
        "than the metadata's, steps without "
        "a valid dependency graph) is refused. An archive that is not there is made; when no "
        "trace can be kept, none is left behind.\n"
        "Records of a cluster (accounting, kernel logs) are merged by their keys into the days "
        "that they are of: the same rows again, from whatever file, change nothing. Without FILE, "
        "the sources of a site file are read (docs/site.md), but for files that are as they were.\n"
        "With --quiet, only problems are printed (files that fail, rows that were left out), "
        "unless -o "
        "says where the rest goes.\n"
        "With several files, one that fails is reported and the others are still read; the exit "
        "status is that of the first failure.",
    .options = options,
    .positionals = positionals,
    .examples =
        (const char *const[]){"hindcast ingest -a nightly trace-AR.parquet",
                              "hindcast ingest -a nightly traces/rank-*.csv",
                              "hindcast ingest -a nightly traces/run-7/",
                              "hindcast ingest -a nightly --site site.json",
                              "zcat steps.csv.gz | hindcast ingest --meta job.yaml -", NULL},
    .settings_size = sizeof(struct ingest_settings),
    .run = run,
};
