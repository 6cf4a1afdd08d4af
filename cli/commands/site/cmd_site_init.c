/* cmd_site_init.c - `hindcast site init`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "pipeline/site/site_init.h"

#include <stdlib.h>
#include <string.h>

struct site_init_settings {
    struct hc_common_options common;
};

/* Write it where none is: what somebody wrote there is never replaced. */
static enum hc_status write_file(const struct hc_found_files *found, const char *path,
                                 struct hc_error *err)
{
    struct hc_outfile out;
    if (hc_outfile_open(&out, path, err))
        return err->status;
    hc_site_init_write(found, out.stream);
    if (hc_outfile_commit(&out, err))
        hc_outfile_abort(&out);
    return err->status;
}

/* "found 3 files of slurm-sacct"; what is in no format comes last. */
static void report(const struct hc_found_files *found, const char *path, FILE *stream)
{
    for (size_t i = 0, end; i < found->n; i = end) {
        size_t n_files = 0;
        for (end = i; end < found->n && found->groups[end].format == found->groups[i].format; end++)
            n_files += found->groups[end].n_files;
        const struct hc_format *format = found->groups[i].format;
        hc_output_line(stream, "found %zu %s: %s%s%s", n_files, n_files == 1 ? "file" : "files",
                       format ? format->name : "in no known format", format ? ", " : "",
                       format ? format->description : "");
    }
    if (found->n_empty)
        hc_output_line(stream, "found %zu without a byte", found->n_empty);
    hc_output_line(stream, "wrote '%s'; 'hindcast site check' looks at it", path);
}

static enum hc_status init(const char *directory, const char *path, struct hc_error *err)
{
    struct hc_found_files found = {0};
    enum hc_file_kind kind = HC_FILE_NONE;
    enum hc_status status = hc_look_at_file(path, &kind, err);
    if (!status && kind != HC_FILE_NONE)
        return hc_fail(err, HC_USAGE, "'%s' is there already: nothing is written", path);
    if (!status)
        status = hc_site_look(&found, directory, err);
    if (!status && found.n_forbidden)
        hc_warn("%zu files or directories below '%s' may not be looked at, and are left out",
                found.n_forbidden, directory);
    if (!status && (!found.n || !found.groups[0].format))
        status = hc_fail(err, HC_BAD_INPUT, "no file below '%s' is in a format that is read here",
                         directory);
    if (!status)
        status = write_file(&found, path, err);
    if (!status)
        report(&found, path, stdout);
    hc_found_files_fini(&found);
    return status;
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    (void)settings;
    char *directory = hc_copy_text(words->word[0], err);
    if (!directory)
        return err->status;
    for (size_t n = strlen(directory); n > 1 && directory[n - 1] == '/'; n--)
        directory[n - 1] = '\0';
    char *path = hc_new_text(err, "%s/site.json", directory);
    enum hc_status status = path ? init(directory, path, err) : err->status;
    free(path);
    free(directory);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct site_init_settings, common, hc_silent_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_site_init = {
    .name = "site init",
    .summary = "write a site file for what lies in a directory",
    .description =
        "Looks at the first bytes of every file below DIR, and writes DIR/site.json: a source for "
        "each format that was found, with patterns of its files in which numbers of their names "
        "are "
        "left open, so that those of tomorrow are read too. It can be ingested at once; what is to "
        "be said besides (cluster, time zone, partitions, runs) stands there as comments. A site "
        "file that is there already is never replaced.",
    .options = options,
    .positionals =
        (const struct hc_positional[]){{"DIR", "directory to look at", 1, 1}, {.name = NULL}},
    .examples = (const char *const[]){"hindcast site init /data/records", NULL},
    .settings_size = sizeof(struct site_init_settings),
    .run = run,
};
