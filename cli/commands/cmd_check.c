/* cmd_check.c - `hindcast check`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "cli/options/choice_options.h"
#include "core/base/memory.h"
#include "core/text/number_format.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/records/listing_records.h"

#include <inttypes.h>
#include <stdlib.h>

struct check_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
    struct hc_choice_options choice;
    bool repair, stale, verbose;
};

/* Where findings go while they come in. */
struct listing {
    const struct check_settings *settings;
    const struct hc_words *names; /* of jobs; none: all of the archive */
    FILE *stream;
    struct hc_json_writer *json; /* NULL for text */
    int64_t n[HC_N_CHECK_KINDS];
};

static void on_finding(const struct hc_check_finding *finding, void *context)
{
    struct listing *listing = context;
    const char *message = finding->message ? finding->message : "";
    listing->n[finding->kind]++;
    if (finding->kind == HC_CHECK_OK && !listing->settings->verbose)
        return;
    if (!listing->json) {
        hc_output_line(listing->stream, "%s: %s%s%s", finding->file, hc_finding_name(finding->kind),
                       *message ? ": " : "", message);
        return;
    }
    hc_record_json(listing->json, NULL, &hc_finding_record, &(struct hc_item){.record = finding});
}

static int current_version(const char *format)
{
    const struct hc_format *found = hc_format_find(format);
    return found ? found->version : 0;
}

static bool is_for_jobs(const struct listing *listing)
{
    return listing->names->n || hc_choice_is_given(&listing->settings->choice);
}

/* Every attempt, and every day, of the jobs that are named. */
static enum hc_status inspect_jobs(struct listing *listing, const struct hc_archive *archive,
                                   struct hc_error *err)
{
    struct hc_job_choice choice;
    bool *is_chosen = hc_new_array(archive->n_entries + 1, sizeof *is_chosen, err);
    enum hc_status status =
        is_chosen ? hc_choice_start(&choice, &listing->settings->choice, err) : err->status;
    if (!status) {
        choice.archive = archive;
        choice.every_attempt = true;
        status = hc_jobs_choose(is_chosen, &choice, listing->names->word, listing->names->n, err);
    }
    if (!status)
        status = hc_archive_check_entries(archive, is_chosen, on_finding, listing, err);
    free(is_chosen);
    return status;
}

static enum hc_status inspect(struct listing *listing, struct hc_error *err)
{
    const char *path = hc_archive_path(&listing->settings->archive);
    struct hc_archive *archive = NULL;
    if (is_for_jobs(listing)) {
        enum hc_status status = hc_archive_open(&archive, path, false, err);
        if (!status)
            status = inspect_jobs(listing, archive, err);
        hc_archive_close(archive);
        return status;
    }
    if (listing->settings->repair)
        return hc_archive_repair(path, on_finding, listing, err);
    if (listing->settings->stale)
        return hc_archive_stale(path, current_version, on_finding, listing, err);
    return hc_archive_check(path, on_finding, listing, err);
}

static void print_sum(const struct listing *listing)
{
    char count[HC_NUMBER_TEXT];
    const char *separator = "";
    for (size_t i = 0; i < HC_N_CHECK_KINDS; i++) {
        bool is_asked = listing->settings->stale ? i == HC_CHECK_STALE
                                                 : i == HC_CHECK_OK || i == HC_CHECK_DAMAGED;
        if (!listing->n[i] && !is_asked)
            continue;
        fprintf(listing->stream, "%s%s %s", separator, hc_format_count(listing->n[i], count),
                hc_finding_name((enum hc_check_kind)i));
        separator = ", ";
    }
    fputc('\n', listing->stream);
}

static enum hc_status list_json(struct listing *listing, const struct hc_output *output,
                                struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-check");
    hc_json_archive(&json, hc_archive_path(&listing->settings->archive));
    hc_json_array(&json, "findings");
    listing->json = &json;
    if (inspect(listing, err))
        return err->status;
    hc_json_end(&json);
    hc_record_members(&json, &hc_finding_counts_record, &(struct hc_item){.record = listing->n});
    return hc_output_json_end(&json, output, err);
}

/* What could not be read is another matter than damage, and graver: nothing is known of it. The
 * document is written all the same. */
static enum hc_status conclude(const struct listing *listing, struct hc_output *output,
                               enum hc_status status, struct hc_error *err)
{
    int64_t n_unreadable = listing->n[HC_CHECK_UNREADABLE];
    if (status == HC_OK && (listing->n[HC_CHECK_DAMAGED] || n_unreadable))
        status = HC_FINDING;
    status = hc_output_end(output, status, err);
    if (status != HC_FINDING || !n_unreadable)
        return status;
    return hc_fail(err, HC_IO,
                   "%" PRId64
                   " of the files in archive '%s' could not be read, so nothing is known "
                   "of them: let the system read them and %s again",
                   n_unreadable, hc_archive_path(&listing->settings->archive),
                   listing->settings->repair ? "repair" : "check");
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct check_settings *check = settings;
    struct hc_output output;
    struct listing listing = {.settings = check, .names = words};
    if (check->repair && check->stale)
        return hc_fail(err, HC_USAGE, "--repair and --stale are different things: give one");
    if ((check->repair || check->stale) && is_for_jobs(&listing))
        return hc_fail(err, HC_USAGE, "--%s is for the whole archive, not for some of its jobs",
                       check->repair ? "repair" : "stale");
    if (hc_output_open(&output, &check->common, check->common.json, err))
        return err->status;
    listing.stream = output.stream;
    enum hc_status status =
        check->common.json ? list_json(&listing, &output, err) : inspect(&listing, err);
    if (status == HC_OK && !check->common.json)
        print_sum(&listing);
    return conclude(&listing, &output, status, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct check_settings, choice, hc_choice_options),
    HC_OPTION_GROUP(struct check_settings, archive, hc_written_archive_options),
    {.name = "repair",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct check_settings, repair),
     .help = "rebuild the manifest from the segments that are whole, keep what it says of those "
             "that cannot be read now, and clear what dead ingests left behind"},
    {.name = "stale",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct check_settings, stale),
     .help = "list what this hindcast would read differently than the one that ingested it, and "
             "whether the source is still there"},
    {.name = "verbose",
     .letter = 'v',
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct check_settings, verbose),
     .help = "list what is whole, too"},
    HC_OPTION_GROUP(struct check_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"JOB",
     "jobs, by name or by pattern, as 'llama-*', of which every attempt is verified; none: all of "
     "the archive, and what else is in its directory",
     0, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_check = {
    .name = "check",
    .summary = "verify every hash, checksum and schema of an archive",
    .description =
        "Reads the whole archive, or the jobs that are named. Damage is a missing segment, one "
        "whose contents are not what was "
        "published, or one of which the manifest says something else. What the system refuses to "
        "read is no damage: it is listed as unreadable, and the exit status is 4. Segments that "
        "the manifest does not name, leftovers of ingests that were killed and foreign files are "
        "harmless; 'archive gc' removes what may go.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast check -a nightly", "hindcast check 'llama-*'",
                                      "hindcast check --repair", NULL},
    .finding = "something is damaged",
    .settings_size = sizeof(struct check_settings),
    .run = run,
};
