/* cmd_site_check.c - `hindcast site check`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/site/site_ingest.h"
#include "pipeline/site/site_try.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct site_check_settings {
    struct hc_common_options common;
};

struct check {
    FILE *stream;
    size_t n_findings;
    struct hc_error refused; /* by the system: the first thing that could not be looked at */
};

#define MOST_SHOWN 5 /* files of one source that something is wrong with */

static void print_mistakes(FILE *stream, const struct hc_scenario_errors *errors)
{
    char text[1024];
    for (size_t i = 0; i < errors->n; i++) {
        hc_scenario_error_format(&errors->error[i], text, sizeof text);
        hc_output_line(stream, "%s", text);
    }
    if (errors->n_more)
        hc_output_line(stream, "and %zu more", errors->n_more);
}

/* Whether the file can be read and its format is known, or the site file names it. */
static bool check_file(struct check *check, const struct hc_site_source *source, const char *path,
                       bool is_shown)
{
    struct hc_error why = {0};
    const struct hc_format *format = NULL;
    const char *what = NULL;
    if (access(path, R_OK)) {
        what = strerror(errno);
        hc_fail_errno(&why, "cannot read", path);
    } else if (!source->format && (hc_format_of_content(&format, path, &why) || !format))
        what = "in no format that is read here; 'format' may name one, or 'map' say how to read it";
    else if (hc_site_try(source, path, &why))
        what = why.message;
    if ((why.status == HC_IO || why.status == HC_INTERNAL) && !check->refused.status)
        check->refused = why;
    if (what && is_shown)
        hc_output_line(check->stream, "  %s: %s", path, what);
    check->n_findings += what != NULL;
    return !what;
}

/* The log of what has not happened. */
static bool is_empty(const char *path)
{
    struct stat info;
    return stat(path, &info) == 0 && info.st_size == 0;
}

static enum hc_status check_source(struct check *check, const struct hc_site *site, size_t index,
                                   struct hc_error *err)
{
    struct hc_site_files files = {0};
    size_t n_twice = 0, n_wrong = 0, n_empty = 0;
    const struct hc_site_source *source = &site->sources[index];
    if (hc_site_source_files(site, index, &files, &n_twice, err)) {
        hc_site_files_fini(&files);
        return err->status;
    }
    hc_output_line(check->stream, "%s: %zu files%s%s", source->name, files.n + n_twice,
                   source->format ? " as " : "", source->format ? source->format : "");
    for (size_t i = 0; i < files.n; i++)
        if (is_empty(files.path[i]))
            n_empty++;
        else
            n_wrong += !check_file(check, source, files.path[i], n_wrong < MOST_SHOWN);
    if (n_wrong > MOST_SHOWN)
        hc_output_line(check->stream, "  and %zu more such files", n_wrong - MOST_SHOWN);
    if (n_empty)
        hc_output_line(check->stream, "  %zu of them are empty", n_empty);
    if (n_twice)
        hc_output_line(check->stream, "  %zu of them are of an earlier source, too", n_twice);
    if (files.n + n_twice == 0)
        hc_output_line(check->stream, "  no file has a name as its patterns say");
    if (files.n_refused) {
        hc_output_line(check->stream, "  %s%s", files.refused.message,
                       files.n_refused > 1 ? ", and more such" : "");
        if (!check->refused.status)
            check->refused = files.refused;
    }
    check->n_findings += (n_twice > 0) + (files.n + n_twice == 0);
    hc_site_files_fini(&files);
    return HC_OK;
}

static enum hc_status check_site(struct check *check, const char *path, struct hc_error *err)
{
    struct hc_site site;
    enum hc_status status = hc_site_open(&site, path, err);
    print_mistakes(check->stream, &site.errors);
    for (size_t i = 0; i < site.n_sources && !status; i++)
        status = check_source(check, &site, i, err);
    hc_site_close(&site);
    if (!status && check->refused.status)
        *err = check->refused;
    if (err->status)
        return err->status;
    return check->n_findings ? HC_FINDING : HC_OK;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct site_check_settings *s = settings;
    struct hc_output output;
    if (s->common.json)
        return hc_fail(err, HC_USAGE, "what is found in a site file is text only, no JSON");
    if (hc_output_open(&output, &s->common, false, err))
        return err->status;
    struct check check = {.stream = output.stream};
    enum hc_status status = check_site(&check, words->n ? words->word[0] : NULL, err);
    struct hc_error late = {0};
    if (hc_output_commit(&output, &late)) {
        hc_output_abort(&output);
        if (status == HC_OK || status == HC_FINDING) {
            *err = late;
            status = late.status;
        }
    }
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct site_check_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_site_check = {
    .name = "site check",
    .summary = "look whether a site file can be read, and what its patterns name",
    .description =
        "Every mistake in the file is given with its line and column. Then the files of each "
        "source are counted, and said: patterns without a file, files in no known format, files "
        "that lack a column that a map names, files that two sources name, and what cannot be "
        "read. "
        "Only their first bytes are read. "
        "Without FILE, the site file is that of the environment variable HINDCAST_SITE, else "
        "site.json. docs/site.md says what may be in it.",
    .options = options,
    .positionals =
        (const struct hc_positional[]){{"FILE", "site file to check", 0, 1}, {.name = NULL}},
    .examples = (const char *const[]){"hindcast site check site.json", NULL},
    .finding = "a pattern has no file, or a file is in no known format",
    .settings_size = sizeof(struct site_check_settings),
    .run = run,
};
