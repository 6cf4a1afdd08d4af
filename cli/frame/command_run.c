#include "cli/frame/command_run.h"

#include "cli/frame/record_shard.h"
#include "core/base/log.h"
#include "core/base/memory.h"
#include "core/process/threads.h"
#include "pipeline/packs/pack_source.h"

#include <stdlib.h>
#include <string.h>

static void apply_common(struct hc_common_options *common)
{
    hc_log_set_quiet(common->quiet);
    int threads = hc_threads_prepare((int)common->threads);
    if (common->threads > threads)
        common->threads = threads;
}

/* The options of the archive of a report of records, or NULL of another command. */
static const struct hc_archive_options *find_records(const struct hc_command *command,
                                                     const void *settings)
{
    struct hc_option_place places[HC_MAX_OPTIONS];
    size_t n = hc_options_flatten(command->options, places);
    for (size_t i = 0; i < n; i++)
        if (hc_is_record_option(places[i].option))
            return (const void *)((const char *)settings + places[i].offset -
                                  places[i].option->target);
    return NULL;
}

static enum hc_status run_parsed(const struct hc_command *command, void *settings,
                                 const struct hc_words *words, struct hc_error *err)
{
    const struct hc_archive_options *records = find_records(command, settings);
    struct hc_pack_source source = hc_pack_source();
    apply_common(settings);
    source.keeps = records && !records->no_cache;
    hc_pack_source_use(&source);
    return records && records->shard.n ? hc_record_shard_run(command, settings, records, words, err)
                                       : command->run(settings, words, err);
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
    if (status == HC_USAGE) {
        char message[HC_ERROR_SIZE];
        memcpy(message, err->message, sizeof message);
        hc_fail(err, HC_USAGE, "%s; see 'hindcast %s --help'", message, command->name);
    }
    if (status == HC_OK)
        status = hc_options_given(command->options, argc, argv, &given, err);
    settings->given = &given;
    if (status == HC_OK)
        status = run_parsed(command, settings, &words, err);
    hc_options_release(command->options, settings, &words);
    free(given.list);
    free(settings);
    return status;
}
