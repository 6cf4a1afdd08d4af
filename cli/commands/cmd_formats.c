/* cmd_formats.c - `hindcast formats`. */
#include "cli/frame/columns.h"
#include "cli/frame/command.h"
#include "cli/frame/output.h"
#include "parsers/registry/format_registry.h"
#include "parsers/tabular/own_template.h"
#include "pipeline/records/listing_records.h"

struct formats_settings {
    struct hc_common_options common;
    const char *table; /* whose own form is printed */
};

static enum hc_status write_text(FILE *stream, struct hc_error *err)
{
    struct hc_columns columns = {.n_columns = 2};
    enum hc_status status = HC_OK;
    size_t n = 0;
    const struct hc_format *const *formats = hc_formats(&n);
    for (size_t i = 0; i < n && status == HC_OK; i++) {
        status = hc_columns_add(&columns, formats[i]->name, err);
        if (status == HC_OK)
            status = hc_columns_add(&columns, formats[i]->description, err);
    }
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 0);
    hc_columns_fini(&columns);
    return status;
}

static enum hc_status write_json(const struct hc_output *output, struct hc_error *err)
{
    struct hc_json_writer json;
    size_t n = 0;
    const struct hc_format *const *formats = hc_formats(&n);
    hc_output_json_start(&json, output, "hindcast-formats");
    hc_json_array(&json, "formats");
    for (size_t i = 0; i < n; i++)
        hc_record_json(&json, NULL, &hc_format_record, &(struct hc_item){.record = formats[i]});
    hc_json_end(&json);
    return hc_output_json_end(&json, output, err);
}

/* Of one format, also how to make such a file. */
static enum hc_status write_one(FILE *stream, const char *name, struct hc_error *err)
{
    const struct hc_format *format = hc_format_find(name);
    const char *near = format ? NULL : hc_format_near(name);
    if (near)
        return hc_fail(err, HC_USAGE, "no format is called '%.80s' (did you mean '%s'?)", name,
                       near);
    if (!format)
        return hc_fail(err, HC_USAGE, "no format is called '%.80s'; 'hindcast formats' lists them",
                       name);
    fprintf(stream, "%s: %s\n", format->name, format->description);
    if (format->recipe)
        fprintf(stream, "\n%s", format->recipe);
    return HC_OK;
}

/* The own form of a table, to be filled. */
static enum hc_status write_template(FILE *stream, const char *table, struct hc_error *err)
{
    size_t n, length = 0;
    char tables[200] = "";
    const struct hc_own_form *form = hc_own_form_find(table), *forms = hc_own_forms(&n);
    for (size_t i = 0; i < n && length < sizeof tables; i++)
        length += (size_t)snprintf(tables + length, sizeof tables - length, "%s%s", i ? ", " : "",
                                   forms[i].def->name);
    return form ? hc_own_template_write(form, stream, err)
                : hc_fail(err, HC_USAGE, "no table '%.80s' has an own form; these have: %s", table,
                          tables);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct formats_settings *formats = settings;
    struct hc_output output;
    if (words->n && formats->common.json)
        return hc_fail(err, HC_USAGE, "--json lists all formats: leave out '%.80s'",
                       words->word[0]);
    if (formats->table && (words->n || formats->common.json))
        return hc_fail(err, HC_USAGE, "--template goes with no format and without --json");
    if (hc_output_open(&output, &formats->common, false, err))
        return err->status;
    enum hc_status status = formats->table ? write_template(output.stream, formats->table, err)
                            : words->n     ? write_one(output.stream, words->word[0], err)
                            : formats->common.json ? write_json(&output, err)
                                                   : write_text(output.stream, err);
    return hc_output_end(&output, status, err);
}

static const struct hc_option options[] = {
    {.name = "template",
     .kind = HC_OPTION_TEXT,
     .argument = "TABLE",
     .target = offsetof(struct formats_settings, table),
     .unset = "none",
     .help = "print the own form of this table of records, to be filled"},
    HC_OPTION_GROUP(struct formats_settings, common, hc_common_options),
    HC_OPTION_END,
};

static const struct hc_positional positionals[] = {
    {"NAME", "a format: also say how to make such a file", 0, 1},
    {NULL, NULL, 0, 0},
};

const struct hc_command hc_command_formats = {
    .name = "formats",
    .summary = "list the formats that can be read",
    .description =
        "Formats are recognised by content; gzip, zstd, xz and zip archives of one file are seen "
        "through. --format "
        "of ingest and whatif names one where that fails. Every table of records has an own form, "
        "CSV or JSON lines of its columns, which --template prints to be filled.",
    .options = options,
    .positionals = positionals,
    .examples = (const char *const[]){"hindcast formats", "hindcast formats slurm-sacct",
                                      "hindcast formats --template corrections", NULL},
    .settings_size = sizeof(struct formats_settings),
    .threads_later = true,
    .run = run,
};
