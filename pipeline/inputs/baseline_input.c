#include "pipeline/inputs/baseline_input.h"

#include "core/tables/collectives/bandwidth_table.h"
#include "parsers/registry/format_registry.h"
#include "pipeline/sources/source_list.h"
#include "store/segment/segment_each.h"

#include <string.h>

/* Where rows go, and what their codes are of. */
struct taker {
    struct hc_bandwidth_tables *tables;
    const struct hc_table_names *names;
};

static enum hc_status take_rows(const struct hc_table *rows, void *context, struct hc_error *err)
{
    const struct taker *taker = context;
    for (size_t d = 0; d < taker->names->n; d++)
        if (strcmp(taker->names->dictionary[d], "collective") == 0)
            return hc_bandwidth_tables_add(taker->tables, rows, &taker->names->set[d], err);
    return hc_fail(err, HC_INTERNAL, "bandwidths have no dictionary of operations");
}

/* What is wrong with a baseline should not be judged by the options of the traces. */
static const struct hc_trace_options plain_options = HC_TRACE_DEFAULTS;

static enum hc_status load_file(struct hc_bandwidth_tables *tables, const char *path,
                                struct hc_error *err)
{
    struct hc_source_input input;
    if (hc_source_input_open(&input, path, &plain_options, err))
        return err->status;
    struct taker taker = {tables, &input.names};
    enum hc_status status = hc_source_input_expect(&input, &hc_bandwidths_def, err);
    if (status == HC_OK)
        status = hc_source_input_read(&input, take_rows, &taker, err);
    hc_source_input_close(&input);
    return status;
}

static enum hc_status load_files(struct hc_bandwidth_tables *tables, const char *name,
                                 struct hc_error *err)
{
    struct hc_source_list list = {0};
    size_t n = 0;
    enum hc_status status = hc_source_list_add(&list, name, err);
    for (size_t i = 0; i < list.n && status == HC_OK; i++) {
        const struct hc_listed_source *listed = &list.sources[i];
        const struct hc_format *format = NULL;
        if (listed->is_member)
            status = hc_format_of_path(&format, listed->path, err);
        if (status || (listed->is_member && (!format || format->table != &hc_bandwidths_def)))
            continue;
        n++;
        status = load_file(tables, listed->path, err);
    }
    hc_source_list_fini(&list);
    if (status == HC_OK && n == 0)
        status = hc_fail(err, HC_BAD_INPUT, "no file in '%s' is a table of nccl-tests", name);
    return status;
}

static enum hc_status load_job(struct hc_bandwidth_tables *tables, struct hc_trace_loader *loader,
                               const char *name, struct hc_error *err)
{
    const struct hc_manifest_entry *entry = NULL;
    struct hc_segment *segment = NULL;
    struct hc_table_names names = {0};
    const struct hc_table_def *def = &hc_bandwidths_def;
    if ((!loader->archive && hc_archive_open(&loader->archive, loader->archive_path, false, err)) ||
        hc_archive_find(loader->archive, name, def->name, &entry, err) ||
        hc_archive_open_segment(loader->archive, entry, &segment, err))
        return err->status;
    struct taker taker = {tables, &names};
    enum hc_status status = hc_table_names_init(&names, hc_bandwidth_kind_tables, err);
    for (size_t d = 0; d < names.n && status == HC_OK; d++)
        status = hc_segment_names(segment, names.dictionary[d], &names.set[d], err);
    if (status == HC_OK)
        status = hc_segment_each(segment, def, (1U << def->n_columns) - 1, take_rows, &taker, err);
    hc_table_names_fini(&names);
    hc_segment_close(segment);
    return status;
}

enum hc_status hc_baseline_load(struct hc_bandwidth_tables *tables, struct hc_trace_loader *loader,
                                const char *const *names, size_t n, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    memset(tables, 0, sizeof *tables);
    for (size_t i = 0; i < n && status == HC_OK; i++)
        status = hc_is_trace_file(names[i]) || hc_is_directory(names[i])
                     ? load_files(tables, names[i], err)
                     : load_job(tables, loader, names[i], err);
    if (status)
        hc_bandwidth_tables_fini(tables);
    else
        hc_bandwidth_tables_finish(tables);
    return status ? hc_context(err, "baseline") : HC_OK;
}
