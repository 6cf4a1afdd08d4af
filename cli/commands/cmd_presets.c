/* cmd_presets.c - `hindcast presets`. */
#include "cli/frame/columns.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "pipeline/records/listing_records.h"
#include "study/grammar/presets.h"

#include <stdio.h>

struct presets_settings {
    struct hc_common_options common;
    bool cite;
};

static enum hc_status list_text(FILE *stream, struct hc_error *err)
{
    struct hc_columns columns = {.n_columns = 3};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < hc_n_presets && status == HC_OK; i++) {
        char name[64];
        snprintf(name, sizeof name, "%s@%d", hc_presets[i].name, hc_presets[i].version);
        const char *const cells[] = {name, hc_presets[i].title, hc_presets[i].source};
        for (int c = 0; c < 3 && status == HC_OK; c++)
            status = hc_columns_add(&columns, cells[c], err);
    }
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 0);
    hc_columns_fini(&columns);
    return status;
}

/* Those from `first` on; with their texts where only one is asked for. */
static enum hc_status write_json(const struct hc_output *output, const struct hc_preset *first,
                                 size_t n, bool with_text, struct hc_error *err)
{
    struct hc_json_writer json;
    const struct hc_item around = {.record = &with_text};
    hc_output_json_start(&json, output, "hindcast-presets");
    hc_json_array(&json, "presets");
    for (size_t i = 0; i < n; i++)
        hc_record_json(&json, NULL, &hc_preset_record, &(struct hc_item){&first[i], i, &around});
    hc_json_end(&json);
    return hc_output_json_end(&json, output, err);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct presets_settings *presets = settings;
    struct hc_output output;
    const struct hc_preset *one = NULL;
    enum hc_status status = HC_OK;
    if (words->n && !(one = hc_preset_find(words->word[0], HC_USAGE, err)))
        return err->status;
    if (presets->cite && !one)
        return hc_fail(err, HC_USAGE, "--cite is of one preset; give PRESET");
    if (presets->cite && presets->common.json)
        return hc_fail(err, HC_USAGE, "--cite prints BibTeX, not JSON; --json has it as 'cite'");
    if (hc_output_open(&output, &presets->common, false, err))
        return err->status;
    if (presets->common.json)
        status = write_json(&output, one ? one : hc_presets, one ? 1 : hc_n_presets, one, err);
    else if (presets->cite)
        fputs(one->cite, output.stream);
    else if (one)
        fwrite(one->text, 1, one->length, output.stream);
    else
        status = list_text(output.stream, err);
    return hc_output_end(&output, status, err);
}

static const struct hc_option options[] = {
    {.name = "cite",
     .kind = HC_OPTION_FLAG,
     .target = offsetof(struct presets_settings, cite),
     .help = "print where the figures of PRESET are from, as BibTeX"},
    HC_OPTION_GROUP(struct presets_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_presets = {
    .name = "presets",
    .summary = "list scenarios of published systems, or print one",
    .description =
        "Each preset is a scenario with the figures of a paper; its comments say of every number "
        "whether it is published, derived or assumed. With PRESET, its file is printed, to start "
        "from. 'preset:NAME' may also stand for a file in 'include' and on the command lines that "
        "take a scenario. PRESET is a name, which stands for its newest version, or NAME@VERSION: "
        "a "
        "version that was published stays as it was.\n"
        "docs/presets.md has them in tables.",
    .options = options,
    .positionals =
        (const struct hc_positional[]){{"PRESET", "preset to print", 0, 1}, {.name = NULL}},
    .examples =
        (const char *const[]){"hindcast presets", "hindcast presets -o mine.jsonc llama3",
                              "hindcast presets airesim@1", "hindcast presets --cite llama3",
                              "hindcast presets --json", NULL},
    .settings_size = sizeof(struct presets_settings),
    .threads_later = true,
    .run = run,
};
