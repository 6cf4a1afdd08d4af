#include "cli/frame/record_shard.h"

#include "cli/frame/given_arguments.h"
#include "cli/frame/output.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/files/outfile.h"
#include "pipeline/packs/record_part.h"
#include "store/archive/archive.h"

#include <stdlib.h>
#include <string.h>

/* ---- which options a report is made of ---- */

static const char *given_output(const struct hc_given_options *given)
{
    const char *path = NULL;
    for (size_t i = 0; i < given->n; i++)
        if (strcmp(given->list[i].option->name, "output") == 0)
            path = given->list[i].text;
    return path && strcmp(path, "-") != 0 ? path : NULL;
}

static enum hc_status check_options(const struct hc_given_options *given, struct hc_error *err)
{
    if (!given_output(given))
        return hc_fail(err, HC_USAGE, "--shard writes a part: name its file with -o");
    for (size_t i = 0; i < given->n; i++) {
        const struct hc_option *option = given->list[i].option;
        if (hc_option_is_of_merge(option) && !hc_option_is_of_the_run(option))
            return hc_fail(err, HC_USAGE,
                           "--%s is for the whole report: give it to 'hindcast merge'",
                           option->name);
    }
    return HC_OK;
}

/* The command line of the report but for where it is from and where it goes, in the order of the
 * table of options, so that the same report is the same text. */
static enum hc_status put_arguments(struct hc_record_part *part,
                                    const struct hc_given_options *given,
                                    const struct hc_words *words, struct hc_error *err)
{
    part->arguments = hc_new_array(given->n + words->n + 1, sizeof *part->arguments, err);
    if (!part->arguments)
        return err->status;
    for (size_t i = 0; i < given->n; i++) {
        const struct hc_given_option *option = &given->list[i];
        if (hc_option_is_of_the_run(option->option))
            continue;
        char *text = option->text ? hc_new_text(err, "--%s=%s", option->option->name, option->text)
                                  : hc_new_text(err, "--%s", option->option->name);
        if (!text)
            return err->status;
        part->arguments[part->n_arguments++] = text;
    }
    for (size_t i = 0; i < words->n + (words->n > 0); i++) {
        const char *word = i ? words->word[i - 1] : "--";
        if (!(part->arguments[part->n_arguments] = hc_copy_text(word, err)))
            return err->status;
        part->n_arguments++;
    }
    return HC_OK;
}

/* ---- a shard ---- */

static enum hc_status write_part(const struct hc_record_part *part,
                                 const struct hc_common_options *common,
                                 const struct hc_archive *archive, const char *path,
                                 struct hc_error *err)
{
    struct hc_common_options to = *common;
    struct hc_output output;
    to.output = path;
    if (hc_is_regular_file(path) && hc_record_part_is_done(part, path)) {
        hc_note("shard %d/%d was done before with the same inputs: '%s' stays as it is",
                (int)part->shard.index, (int)part->shard.n, path);
        return HC_OK;
    }
    if (hc_output_open(&output, &to, false, err))
        return err->status;
    enum hc_status status = hc_record_part_write(part, archive, output.stream, err);
    return hc_output_end(&output, status, err);
}

enum hc_status hc_record_shard_run(const struct hc_command *command,
                                   const struct hc_common_options *common,
                                   const struct hc_archive_options *archive,
                                   const struct hc_words *words, struct hc_error *err)
{
    struct hc_record_part part = {.shard = archive->shard};
    struct hc_archive *opened = NULL;
    if (check_options(common->given, err) ||
        hc_archive_open(&opened, hc_archive_path(archive), false, err))
        return err->status;
    enum hc_status status = put_arguments(&part, common->given, words, err);
    if (!status && (!(part.command = hc_copy_text(command->name, err)) ||
                    !(part.archive = hc_copy_text(opened->path, err))))
        status = err->status;
    if (!status)
        status = hc_records_digest(opened, part.segments_sha256, err);
    if (!status)
        status = write_part(&part, common, opened, given_output(common->given), err);
    hc_record_part_fini(&part);
    hc_archive_close(opened);
    return status;
}
