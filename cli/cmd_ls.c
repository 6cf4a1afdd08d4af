/* cmd_ls.c - `hindcast ls`. */
#include "cli/columns.h"
#include "cli/command.h"
#include "cli/output.h"
#include "core/base/memory.h"
#include "core/tables/op_table.h"
#include "core/text/number_format.h"
#include "store/archive/archive.h"

#include <stdlib.h>

struct ls_settings {
    struct hc_common_options common;
    struct hc_archive_options archive;
};

static const char *kind_name(const struct hc_manifest_entry *entry)
{
    return hc_manifest_entry_is(entry, &hc_ops_def) ? "steps" : entry->table;
}

static enum hc_status add_row(struct hc_columns *columns, const struct hc_manifest_entry *entry,
                              struct hc_error *err)
{
    char size[HC_NUMBER_TEXT];
    char *name = hc_new_text(err, "%s/%s", entry->cluster, entry->job_id);
    enum hc_status status = name ? hc_columns_add(columns, name, err) : err->status;
    free(name);
    const long long counts[] = {entry->attempt, hc_manifest_entry_rows(entry, &hc_steps_def),
                                hc_manifest_entry_rows(entry, &hc_ops_def)};
    bool is_steps = hc_manifest_entry_is(entry, &hc_ops_def);
    for (size_t i = 0; i < 3 && status == HC_OK; i++)
        status = is_steps || i == 0 ? hc_columns_add_count(columns, counts[i], err)
                                    : hc_columns_add(columns, NULL, err);
    if (status == HC_OK)
        status = hc_columns_add(columns, hc_format_bytes(entry->size, size), err);
    if (status == HC_OK)
        status = hc_columns_add(columns, entry->format, err);
    return status;
}

static enum hc_status write_text(FILE *stream, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    static const char *const titles[] = {"JOB", "ATTEMPT", "STEPS", "OPS", "SIZE", "FORMAT"};
    struct hc_columns columns = {.n_columns = 6, .right = 0x1e};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < 6 && status == HC_OK; i++)
        status = hc_columns_add(&columns, titles[i], err);
    for (size_t i = 0; i < archive->n_entries && status == HC_OK; i++)
        status = add_row(&columns, &archive->entries[i], err);
    if (status == HC_OK)
        hc_columns_print(&columns, stream, 0);
    hc_columns_fini(&columns);
    return status;
}

static void write_tables(struct hc_json_writer *json, const struct hc_table_counts *tables)
{
    hc_json_object(json, "tables");
    for (size_t i = 0; i < tables->n; i++)
        hc_json_i64(json, tables->list[i].table, tables->list[i].n_rows);
    hc_json_end(json);
}

static enum hc_status write_json(const struct hc_output *output, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    struct hc_json_writer json;
    hc_output_json_start(&json, output, "hindcast-ls");
    hc_json_text(&json, "archive", archive->path);
    hc_json_i64(&json, "generation", archive->generation);
    hc_json_array(&json, "jobs");
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        hc_json_object(&json, NULL);
        hc_json_text(&json, "cluster", entry->cluster);
        hc_json_text(&json, "id", entry->job_id);
        hc_json_i32(&json, "attempt", entry->attempt);
        hc_json_text(&json, "kind", kind_name(entry));
        write_tables(&json, &entry->tables);
        hc_json_i64(&json, "size_bytes", entry->size);
        hc_json_text(&json, "format", entry->format);
        hc_json_i32(&json, "format_version", entry->format_version);
        hc_json_text(&json, "source_path", entry->source_path);
        hc_json_text(&json, "source_sha256", entry->source_sha256);
        hc_json_text(&json, "segment", entry->file);
        hc_json_end(&json);
    }
    hc_json_end(&json);
    return hc_output_json_end(&json, output, err);
}

static enum hc_status run(void *settings, const struct hc_words *words, struct hc_error *err)
{
    const struct ls_settings *ls = settings;
    struct hc_archive *archive = NULL;
    struct hc_output output;
    (void)words;
    if (hc_archive_open(&archive, hc_archive_path(&ls->archive), false, err))
        return err->status;
    enum hc_status status = hc_output_open(&output, &ls->common, false, err);
    if (status == HC_OK) {
        status = ls->common.json ? write_json(&output, archive, err)
                                 : write_text(output.stream, archive, err);
        status = hc_output_end(&output, status, err);
    }
    hc_archive_close(archive);
    return status;
}

static const struct hc_option options[] = {
    HC_OPTION_GROUP(struct ls_settings, archive, hc_archive_options),
    HC_OPTION_GROUP(struct ls_settings, common, hc_common_options),
    HC_OPTION_END,
};

const struct hc_command hc_command_ls = {
    .name = "ls",
    .summary = "list the jobs of an archive",
    .options = options,
    .examples = (const char *const[]){"hindcast ls -a nightly", NULL},
    .settings_size = sizeof(struct ls_settings),
    .run = run,
};
