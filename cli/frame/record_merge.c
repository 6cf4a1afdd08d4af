#include "cli/frame/record_merge.h"

#include "cli/frame/command_run.h"
#include "core/base/memory.h"
#include "pipeline/packs/pack_source.h"
#include "pipeline/packs/record_part.h"

#include <stdlib.h>
#include <string.h>

static enum hc_status add_word(struct hc_words *line, char *text, struct hc_error *err)
{
    return text ? hc_words_add(line, text, err) : err->status;
}

/* The command line of the report, as it would be without shards; all its words are to be freed. */
static enum hc_status make_line(struct hc_words *line, const struct hc_command *command,
                                const struct hc_record_part *part,
                                const struct hc_given_options *given, struct hc_error *err)
{
    const char *space = strrchr(command->name, ' ');
    if (add_word(line, hc_copy_text(space ? space + 1 : command->name, err), err) ||
        add_word(line, hc_copy_text("--no-cache", err), err) ||
        add_word(line, hc_new_text(err, "--archive=%s", part->archive), err))
        return err->status;
    for (size_t i = 0; i < given->n; i++) {
        const struct hc_given_option *option = &given->list[i];
        char *text = option->text ? hc_new_text(err, "--%s=%s", option->option->name, option->text)
                                  : hc_new_text(err, "--%s", option->option->name);
        if (add_word(line, text, err))
            return err->status;
    }
    for (size_t i = 0; i < part->n_arguments; i++)
        if (add_word(line, hc_copy_text(part->arguments[i], err), err))
            return err->status;
    return HC_OK;
}

static enum hc_status run_report(const struct hc_record_part *part,
                                 const struct hc_given_options *given, struct hc_error *err)
{
    struct hc_words line = {0};
    const struct hc_command *command = hc_command_named(part->command);
    if (!command)
        return hc_fail(err, HC_BAD_INPUT, "the shards are of '%.100s', which is no command",
                       part->command);
    enum hc_status status = make_line(&line, command, part, given, err);
    /* getopt puts words in another order: those that are freed are in a list of their own. */
    char **words = hc_new_array(line.n + 1, sizeof *words, err);
    if (!words)
        status = err->status;
    for (size_t i = 0; words && i < line.n; i++)
        words[i] = (char *)line.word[i];
    if (!status)
        status = hc_command_run(command, (int)line.n, words, err);
    for (size_t i = 0; i < line.n; i++)
        free((char *)line.word[i]);
    free(line.word);
    free(words);
    return status;
}

enum hc_status hc_record_shards_merge(const struct hc_words *paths,
                                      const struct hc_common_options *common, struct hc_error *err)
{
    struct hc_record_parts parts = {.n = 0};
    enum hc_status status = hc_record_parts_open(&parts, paths->word, paths->n, err);
    if (!status) {
        hc_pack_source_use(&(struct hc_pack_source){.n_parts = parts.n, .parts = parts.packs});
        status = run_report(parts.first, common->given, err);
        hc_pack_source_use(&(struct hc_pack_source){.n_parts = 0});
    }
    hc_record_parts_close(&parts);
    return status;
}
