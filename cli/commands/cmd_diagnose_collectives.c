/* cmd_diagnose_collectives.c - `hindcast diagnose collectives`. */
#include "cli/frame/command.h"
#include "cli/options/report_output.h"
#include "cli/options/trace_options.h"
#include "core/base/memory.h"
#include "pipeline/inputs/collective_input.h"
#include "pipeline/inputs/trace_load.h"
#include "pipeline/sources/source_list.h"
#include "reports/collectives/collectives_report.h"

#include <stdlib.h>
#include <string.h>

struct diagnose_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_trace_options trace;
    struct hc_report_options report;
};

/* ---- what became of the files ---- */

static const char *outcome_name(const struct hc_dump_file *file)
{
    switch (file->outcome) {
    case HC_DUMP_CUT:
        return "cut";
    case HC_DUMP_UNREADABLE:
        return file->is_empty ? "empty" : "unreadable";
    case HC_DUMP_TWIN:
        return "copy";
    case HC_DUMP_FOREIGN:
        return "foreign";
    default:
        return NULL;
    }
}

/* notes has room for all files. */
static void count_files(const struct hc_collective_input *input, struct hc_dump_note *notes,
                        struct hc_collectives_report *report)
{
    report->notes = notes;
    for (size_t i = 0; i < input->n_files; i++) {
        const struct hc_dump_file *file = &input->files[i];
        const char *outcome = outcome_name(file);
        bool is_unreadable = file->outcome == HC_DUMP_UNREADABLE;
        report->n_cut += file->outcome == HC_DUMP_CUT;
        report->n_twins += file->outcome == HC_DUMP_TWIN;
        report->n_foreign += file->outcome == HC_DUMP_FOREIGN;
        report->n_empty += is_unreadable && file->is_empty;
        report->n_unreadable += is_unreadable && !file->is_empty;
        if (outcome)
            notes[report->n_notes++] = (struct hc_dump_note){file->path, outcome, file->why};
    }
    for (size_t i = 0; i < input->set.n_dumps; i++)
        report->n_without_entries += input->set.dumps[i].n_entries == 0;
}

/* ---- the report ---- */

HC_PAGE_WRITERS(hc_collectives, "hindcast-diagnose-collectives");

static enum hc_status report_input(const struct diagnose_settings *settings,
                                   struct hc_collective_input *input, struct hc_error *err)
{
    struct hc_collective_diagnosis diagnosis;
    if (hc_collective_diagnose(&diagnosis, &input->set, err))
        return err->status;
    struct hc_collectives_report report = {.diagnosis = &diagnosis, .set = &input->set};
    struct hc_dump_note *notes = hc_new_array(input->n_files + 1, sizeof *notes, err);
    enum hc_status status = notes ? HC_OK : err->status;
    if (status == HC_OK) {
        count_files(input, notes, &report);
        const struct hc_report_output output = {&writers, &report, &report.run_id,
                                                &settings->report, &settings->common};
        status = hc_report_output_write(&output, diagnosis.has_finding, err);
    }
    free(notes);
    hc_collective_diagnosis_fini(&diagnosis);
    return status;
}

/* ---- the command ---- */

/* What is no file is a job of the archive, as everywhere. */
static bool is_job(const struct hc_words *words)
{
    return words->n == 1 && !hc_is_trace_file(words->word[0]) && !hc_is_directory(words->word[0]);
}

static enum hc_status load(struct hc_collective_input *input,
                           const struct diagnose_settings *settings, const struct hc_words *words,
                           struct hc_error *err)
{
    if (settings->archive.path || is_job(words)) {
        if (words->n > 1)
            return hc_fail(err, HC_USAGE, "name the dumps of one job, or one job of the archive");
        return hc_collective_load_job(input, hc_archive_path(&settings->archive), words->word[0],
                                      err);
    }
    return hc_collective_load(input, (const char *const *)words->word, words->n, &settings->trace,
                              err);
}

static enum hc_status run(void *context, const struct hc_words *words, struct hc_error *err)
{
    struct diagnose_settings *settings = context;
    struct hc_collective_input input;
    const char *html = settings->report.html;
    settings->trace.meta = "none";
    if (html && html[strlen(html) - 1] == '/')
        return hc_fail(err, HC_USAGE,
                       "--html '%s' names a directory, and the page of a diagnosis is a file",
                       html);
    if (hc_report_options_check(&settings->report, &settings->common, err) ||
        load(&input, settings, words, err))
        return err->status;
    enum hc_status status = report_input(settings, &input, err);
    hc_collective_input_fini(&input);
    return status;
}

static const struct hc_option options[] = {
    {.name = "html",
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR",
     .target = offsetof(struct diagnose_settings, report.html),
     .unset = "none",
     .help = "also write a page to FILE"},
    {.name = "csv",
     .kind = HC_OPTION_DIR,
     .argument = "DIR",
     .target = offsetof(struct diagnose_settings, report.csv),
     .unset = "none",
     .hint = "give '-' to print one table as CSV",
     .help = "also write the tables as CSV files to DIR; '-' prints the main table, the first "
             "differences, as CSV in place of the text"},
    HC_OPTION_GROUP(struct diagnose_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct diagnose_settings, trace, hc_incident_options),
    HC_OPTION_GROUP(struct diagnose_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"FILE|DIR|JOB",
     "dumps of PyTorch's flight recorder, one a rank, whose number is the last in its name; of a "
     "directory or tar archive, all of its files that are such dumps; or a job of the archive",
     1, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_diagnose_collectives = {
    .name = "diagnose collectives",
    .summary = "say which ranks hang a job, from its flight recorders",
    .description =
        "Joins what the ranks of a job had queued when it stood still, and names the suspects: "
        "ranks whose GPU does not end what has ended elsewhere, and ranks that have not come to a "
        "collective where others wait, unless they wait for such a rank themselves. Shows the "
        "first difference in each group, who waits for whom, how far each rank came, calls that "
        "differ, and sends and receives without their other end.\n"
        "Dumps that are missing, empty, cut off or damaged are counted and named; the others are "
        "used all the same.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast diagnose collectives /tmp/nccl_trace_rank_*",
                                      "hindcast diagnose collectives --json dumps/",
                                      "hindcast diagnose collectives -a nightly run-7", NULL},
    .finding = "ranks hang, wait in a circle, or call different collectives",
    .settings_size = sizeof(struct diagnose_settings),
    .run = run,
};
