/* cmd_site_schema.c - `hindcast site schema`. */
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "pipeline/site/site_schema.h"

struct site_schema_settings {
    struct hc_common_options common;
};

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct site_schema_settings *s = settings;
    struct hc_output output;
    struct hc_json_writer json;
    (void)words;
    if (hc_output_open(&output, &s->common, false, err))
        return err->status;
    hc_json_start(&json, output.stream, 2);
    hc_json_object(&json, NULL);
    hc_site_schema_write(&json);
    return hc_output_end(&output, hc_output_json_end(&json, &output, err), err);
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct site_schema_settings, common, hc_plain_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_site_schema = {
    .name = "site schema",
    .summary = "print the keys of site files as JSON Schema",
    .description = "For editors. What depends on several keys, on tables or on formats is not in "
                   "it: 'site check' finds that too.",
    .options = options,
    .examples = (const char *const[]){"hindcast site schema -o site.schema.json", NULL},
    .settings_size = sizeof(struct site_schema_settings),
    .threads_later = true,
    .run = run,
};
