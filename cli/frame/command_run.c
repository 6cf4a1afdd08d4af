#include "cli/frame/command_run.h"

#include "cli/frame/given_arguments.h"
#include "cli/frame/record_shard.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/process/made_by.h"
#include "core/process/threads.h"
#include "pipeline/packs/pack_source.h"
#include "pipeline/sources/source_list.h"
#include "store/folder/writer_lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_OWNERS 4 /* commands that have an option, to be named */

static void apply_common(struct hc_common_options *common, bool threads_later)
{
    hc_log_set_quiet(common->quiet);
    if (threads_later && !common->threads) {
        hc_threads_postpone();
        return;
    }
    int threads = hc_threads_prepare((int)common->threads);
    if (common->threads > threads)
        common->threads = threads;
}

/* The options of the archive of a command, where `is` is true of one of them; or NULL. */
static const struct hc_archive_options *find_archive(const struct hc_command *command,
                                                     const void *settings,
                                                     bool (*is)(const struct hc_option *option))
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    for (size_t i = 0; i < n; i++)
        if (is(places[i].option))
            return (const void *)((const char *)settings + places[i].offset -
                                  places[i].option->target);
    return NULL;
}

static enum hc_status run_parsed(const struct hc_command *command, void *settings,
                                 const struct hc_words *words, struct hc_error *err)
{
    const struct hc_archive_options *records = find_archive(command, settings, hc_is_record_option);
    const struct hc_archive_options *written = find_archive(command, settings, hc_is_lock_option);
    struct hc_pack_source source = hc_pack_source();
    apply_common(settings, command->threads_later);
    hc_lock_set_timeout(written && written->lock_timeout.is_given ? written->lock_timeout.s : -1);
    source.keeps = records && !records->no_cache;
    hc_pack_source_use(&source);
    return records && records->shard.n ? hc_record_shard_run(command, settings, records, words, err)
                                       : command->run(settings, words, err);
}

/* Run it; what it writes says by which command. */
static enum hc_status run_named(const struct hc_command *command,
                                struct hc_common_options *settings, const struct hc_words *words,
                                struct hc_error *err)
{
    const struct hc_made_by before = hc_made_by();
    struct hc_made_by made_by = before;
    char *text = hc_given_command(command, settings->given, words, err);
    if (!text)
        return err->status;
    made_by.command = text;
    hc_made_by_set(&made_by);
    enum hc_status status = run_parsed(command, settings, words, err);
    hc_made_by_set(&before);
    free(text);
    return status;
}

/* ---- what is wrong with a command line ---- */

/* The word of an option ("--by=usr") that no option of the command begins with, or NULL. */
static const char *find_unknown(const struct hc_option *options, int argc, char *const *argv)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(options, places);
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
        size_t length = strcspn(argv[i], "="), known = 0;
        while (known < n && strncmp(places[known].option->name, argv[i] + 2, length - 2) != 0)
            known++;
        if (strncmp(argv[i], "--", 2) == 0 && known == n)
            return argv[i];
    }
    return NULL;
}

static bool has_option(const struct hc_command *command, const char *name, size_t length)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    for (size_t i = 0; i < n; i++)
        if (strncmp(places[i].option->name, name, length) == 0 && !places[i].option->name[length])
            return true;
    return false;
}

/* "; 'query' has it", of an option that is one of other commands. */
static void describe_owners(const char *word, char *text, size_t size)
{
    const struct hc_command *const *table = hc_command_table();
    size_t length = 0, n = 0, letters = word ? strcspn(word, "=") : 0;
    *text = '\0';
    for (size_t i = 0; letters > 2 && table[i]; i++) {
        if (!has_option(table[i], word + 2, letters - 2) || length >= size)
            continue;
        length += (size_t)snprintf(text + length, size - length, "%s'%s'", n ? ", " : "; it is of ",
                                   table[i]->name);
        n++;
    }
    if (n > MOST_OWNERS) /* nothing that would tell commands apart */
        *text = '\0';
}

/* "; '--html' has taken 'JOB' ...", where the last word of the command line is the value of an
 * option that writes, and no argument is left. */
static void describe_swallowed(const struct hc_command *command, int argc, char *const *argv,
                               char *text, size_t size)
{
    struct hc_given_options given = {0};
    struct hc_error ignored = {0};
    *text = '\0';
    if (argc < 2 || hc_options_given(command->options, argc, (char **)argv, &given, &ignored))
        given.n = 0;
    for (size_t i = 0; i < given.n; i++) {
        const struct hc_option *option = given.list[i].option;
        bool writes = option->kind == HC_OPTION_FILE || option->kind == HC_OPTION_DIR ||
                      option->kind == HC_OPTION_PATH;
        if (writes && given.list[i].text == argv[argc - 1])
            snprintf(text, size, "; '--%s' has taken '%s' as its %s: give '--%s %s %s'",
                     option->name, argv[argc - 1], option->argument, option->name, option->argument,
                     argv[argc - 1]);
    }
    free(given.list);
}

/* Whether the message says that the first argument is missing. */
static bool lacks_argument(const struct hc_command *command, const struct hc_words *words,
                           const char *message)
{
    const char *name = command->positionals ? command->positionals->name : "?";
    return words->n == 0 && strncmp(message, name, strlen(name)) == 0;
}

/* Whether a word that is too many is the archive, which an option names. */
static bool is_archive_word(const struct hc_command *command, const struct hc_words *words)
{
    return !command->positionals && words->n == 1 && hc_is_directory(words->word[0]) &&
           has_option(command, "archive", strlen("archive"));
}

/* Add to a message of HC_USAGE what may have been meant, and the way to the help. */
static void advise(const struct hc_command *command, int argc, char *const *argv,
                   const struct hc_words *words, struct hc_error *err)
{
    char message[HC_ERROR_SIZE], more[512] = "";
    memcpy(message, err->message, sizeof message);
    bool is_guessed = strstr(message, "did you mean") != NULL;
    if (strncmp(message, "unknown option '--", strlen("unknown option '--")) == 0 && !is_guessed)
        describe_owners(find_unknown(command->options, argc, argv), more, sizeof more);
    else if (lacks_argument(command, words, message))
        describe_swallowed(command, argc, argv, more, sizeof more);
    else if (is_archive_word(command, words))
        snprintf(more, sizeof more, "; the archive is named by '-a %s'", words->word[0]);
    hc_fail(err, HC_USAGE, "%s%s; see 'hindcast %s --help'", message, more, command->name);
}

enum hc_status hc_command_run(const struct hc_command *command, int argc, char **argv,
                              struct hc_error *err)
{
    struct hc_common_options *settings = hc_new_array(1, command->settings_size, err);
    if (!settings)
        return err->status;
    struct hc_words words = {0};
    struct hc_given_options given = {0};
    enum hc_status status = hc_options_parse(command->options, argc, argv, settings, &words, err);
    if (status == HC_OK)
        status = hc_positionals_check(command->positionals, &words, err);
    if (status == HC_USAGE)
        advise(command, argc, argv, &words, err);
    if (status == HC_OK)
        status = hc_options_given(command->options, argc, argv, &given, err);
    settings->given = &given;
    if (status == HC_OK)
        status = run_named(command, settings, &words, err);
    if (status == HC_USAGE && lacks_argument(command, &words, err->message) && given.list)
        advise(command, argc, argv, &words, err);
    hc_options_release(command->options, settings, &words);
    free(given.list);
    free(settings);
    return status;
}
