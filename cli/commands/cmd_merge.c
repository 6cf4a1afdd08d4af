/* cmd_merge.c - `hindcast merge`. */
#include "cli/commands/fleet_output.h"
#include "cli/frame/command.h"
#include "cli/frame/file_guide.h"
#include "cli/frame/output.h"
#include "cli/frame/record_merge.h"
#include "cli/options/fail_on.h"
#include "core/base/memory.h"
#include "core/files/input_file.h"
#include "core/process/made_by.h"
#include "pipeline/fleet/fleet_partial.h"
#include "store/pack/pack.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct merge_settings {
    struct hc_common_options common;
    struct hc_report_options report; /* html is a directory */
};

struct parts {
    size_t n;
    struct hc_fleet_partial *part;
    const char **path; /* beside part */
};

/* ---- checking ---- */

/* Each shard of one fleet once. */
static enum hc_status check_parts(const struct parts *parts, struct hc_error *err)
{
    struct hc_shard *shards = hc_new_array(parts->n, sizeof *shards, err);
    if (!shards)
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < parts->n && status == HC_OK; i++) {
        shards[i] = parts->part[i].shard;
        if (hc_fleet_partial_match(&parts->part[0], &parts->part[i], err))
            status = hc_context(err, "'%s' and '%s' do not belong together", parts->path[0],
                                parts->path[i]);
    }
    if (status == HC_OK)
        status = hc_shards_check(shards, parts->path, parts->n, err);
    free(shards);
    return status;
}

/* ---- joining ---- */

/* Move the rows of all parts into *fleet, sorted. */
static enum hc_status join(struct hc_fleet_partial *fleet, struct parts *parts,
                           struct hc_error *err)
{
    size_t n = 0;
    for (size_t i = 0; i < parts->n; i++)
        n += parts->part[i].n_rows;
    if ((int64_t)n != parts->part[0].n_jobs)
        return hc_fail(err, HC_BAD_INPUT,
                       "the shards have %zu jobs in all, but their archive has %" PRId64, n,
                       parts->part[0].n_jobs);
    struct hc_fleet_row *rows = hc_new_array(n, sizeof *rows, err);
    if (!rows)
        return err->status;
    n = 0;
    for (size_t i = 0; i < parts->n; i++) {
        memcpy(rows + n, parts->part[i].rows, parts->part[i].n_rows * sizeof *rows);
        n += parts->part[i].n_rows;
        parts->part[i].n_rows = 0; /* handed over */
    }
    qsort(rows, n, sizeof *rows, hc_fleet_row_compare);
    /* The path is that of shard 1, whatever the order of the arguments. */
    for (size_t i = 0; i < parts->n; i++)
        if (parts->part[i].shard.index == 1) {
            *fleet = parts->part[i];
            parts->part[i] = (struct hc_fleet_partial){.rows = fleet->rows};
        }
    fleet->rows = rows;
    fleet->n_rows = n;
    return HC_OK;
}

static enum hc_status check_unique(const struct hc_fleet_partial *fleet, struct hc_error *err)
{
    for (size_t i = 1; i < fleet->n_rows; i++)
        if (hc_fleet_row_compare(&fleet->rows[i - 1], &fleet->rows[i]) == 0)
            return hc_fail(err, HC_BAD_INPUT, "job '%s/%s' attempt %d is in two shards",
                           fleet->rows[i].cluster, fleet->rows[i].job_id,
                           (int)fleet->rows[i].attempt);
    return HC_OK;
}

/* ---- the command ---- */

static enum hc_status read_parts(struct parts *parts, const struct hc_words *words,
                                 struct hc_error *err)
{
    parts->part = hc_new_array(words->n, sizeof *parts->part, err);
    parts->path = words->word;
    if (!parts->part)
        return err->status;
    for (; parts->n < words->n; parts->n++)
        if (hc_fleet_partial_read(&parts->part[parts->n], words->word[parts->n], err))
            return err->status;
    return check_parts(parts, err);
}

static enum hc_status merge(struct hc_fleet_partial *fleet, const struct hc_words *words,
                            struct hc_error *err)
{
    struct parts parts = {0};
    enum hc_status status = read_parts(&parts, words, err);
    if (status == HC_OK)
        status = join(fleet, &parts, err);
    if (status == HC_OK)
        status = check_unique(fleet, err);
    for (size_t i = 0; i < parts.n; i++)
        hc_fleet_partial_fini(&parts.part[i]);
    free(parts.part);
    return status;
}

/* Whether a file begins as the part of a report of records. What cannot be read is left to whoever
 * reads it, with its message. */
static bool is_record_part(const char *path)
{
    uint8_t head[8];
    size_t length = 0;
    struct hc_error ignored = {0};
    return strcmp(path, "-") != 0 &&
           hc_input_file_head(path, head, sizeof head, &length, &ignored) == HC_OK &&
           length == sizeof head && hc_begins_as_pack(head, length);
}

static bool has_record_part(const struct hc_words *words)
{
    for (size_t i = 0; i < words->n; i++)
        if (is_record_part(words->word[i]))
            return true;
    return false;
}

/* The report is that of the command that the shards are of. */
static void tell_command(const struct hc_fleet_partial *fleet)
{
    struct hc_made_by made_by = hc_made_by();
    made_by.command = fleet->command;
    hc_made_by_set(&made_by);
}

static enum hc_status merge_fleet(const struct merge_settings *given, const struct hc_words *words,
                                  struct hc_error *err)
{
    struct hc_fleet_partial fleet = {.archive = NULL};
    struct hc_fleet_views views = {given->common.json, &given->report, true};
    struct hc_output output;
    enum hc_status status = hc_report_options_check(&given->report, &given->common, err);
    if (status == HC_OK)
        status = hc_fail_on_check(&given->report.fail_on, &hc_fleet_figures, err);
    if (status == HC_OK)
        status = merge(&fleet, words, err);
    if (status == HC_OK) {
        tell_command(&fleet);
        status = hc_fleet_output_open(&output, &given->common, &views, err);
    }
    if (status == HC_OK) {
        hc_fleet_output_note(&fleet, 0);
        status = hc_output_end(&output, hc_fleet_output_write(&output, &views, &fleet, err), err);
        status = status ? status : hc_fleet_output_verdict(&fleet, &given->report.fail_on, err);
    }
    tell_command(&(struct hc_fleet_partial){.command = NULL});
    hc_fleet_partial_fini(&fleet);
    return status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct merge_settings *given = settings;
    for (size_t i = 0; i < words->n; i++)
        if (hc_file_guide_refuse(words->word[i], "partial", "a shard of a report", err))
            return err->status;
    return has_record_part(words) ? hc_record_shards_merge(words, &given->common, err)
                                  : merge_fleet(given, words, err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct merge_settings, report, hc_report_options),
    {.name = "json",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct merge_settings, common.json),
     .help = "write the result as JSON"},
    {.name = "output",
     .letter = 'o',
     .kind = HC_OPTION_PATH,
     .argument = "FILE|DIR",
     .target = offsetof(struct merge_settings, common.output),
     .value = "-",
     .help =
         "write the result to FILE, whole or not at all, or a nightly report to DIR as a folder; "
         "'-' is standard output"},
    HC_OPTION_GROUP(struct merge_settings, common, hc_silent_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"PARTIAL",
     "what 'hindcast whatif --all --shard I/N -o PARTIAL', or a report of records with --shard "
     "I/N, wrote, every I of N once",
     1, 0},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_merge = {
    .name = "merge",
    .summary = "join the shards of a report",
    .description =
        "Reads the partials that the shards of 'hindcast whatif --all', or of a report of records, "
        "wrote, in any order, and "
        "writes the report: the same bytes as without shards. A shard that is missing, doubled or "
        "damaged, and shards of different archives, options or versions, are refused.\n"
        "Of a fleet: where the "
        "shards lack jobs, so does the report, and the exit status says so as theirs did. --html "
        "finds the pages that the shards wrote to the same DIR.\n"
        "Of a report of records: the shards have read the records, and the report is made here, "
        "by the options that they were given and those of merge. It needs the archive, which must "
        "be as the shards found it, and the site file, under the names that they were given.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast merge shard-*.json",
                                      "hindcast merge --json -o fleet.json shard-*.json",
                                      "hindcast merge -o /srv/hindcast night-*.part", NULL},
    .finding = "a condition of --fail-on holds, or a job is damaged",
    .settings_size = sizeof(struct merge_settings),
    .run = run,
};
