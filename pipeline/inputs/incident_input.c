#include "pipeline/inputs/incident_input.h"

#include "core/base/log.h"
#include "pipeline/inputs/segment_input.h"

#include <stdlib.h>
#include <string.h>

#define BATCH_ROWS 8192

enum hc_status hc_incident_input_start(struct hc_incident_input *input,
                                       struct hc_source_input *trace, struct hc_error *err)
{
    memset(input, 0, sizeof *input);
    input->trace = trace;
    return hc_incident_names_init(&input->names, err);
}

void hc_incident_input_end(struct hc_incident_input *input)
{
    hc_incident_names_fini(&input->names);
    hc_table_fini(&input->inventory);
    memset(input, 0, sizeof *input);
}

static enum hc_status read_batches(struct hc_incident_input *input, void *parser,
                                   struct hc_table *rows, hc_trace_batch *batch, void *context,
                                   struct hc_error *err)
{
    struct hc_source_input *trace = input->trace;
    struct hc_progress progress;
    enum hc_status status = HC_OK;
    hc_progress_start(&progress, trace->source.name, "B", trace->source.size);
    while (!status) {
        rows->n_rows = 0;
        status = trace->format->next_batch(parser, rows, &trace->report, err);
        if (status || rows->n_rows == 0)
            break;
        input->n_rows += (int64_t)rows->n_rows;
        status = hc_source_input_check_rows(trace, err);
        status = status ? status : batch(rows, context, err);
        hc_progress_update(&progress, trace->format->position(parser));
    }
    hc_progress_end(&progress);
    if (!status && hc_row_report_limit(&trace->report, trace->options->max_bad, err))
        return hc_context(err, "'%s'", trace->source.name);
    return status ? status : trace->format->inventory(parser, &input->inventory, err);
}

enum hc_status hc_incident_input_read(struct hc_incident_input *input, hc_trace_batch *batch,
                                      void *context, struct hc_error *err)
{
    struct hc_source_input *trace = input->trace;
    struct hc_parse_options options = {.job = &trace->job,
                                       .max_rows_per_byte = trace->options->max_rows_per_byte,
                                       .names = &input->names};
    struct hc_table rows = {0};
    void *parser = NULL;
    if (hc_format_is_steps(trace->format))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is a step timeline (%s), not a list of incidents",
                       trace->source.name, trace->format->name);
    enum hc_status status = hc_table_init(&rows, &hc_incidents_def, BATCH_ROWS, err);
    if (!status)
        status = trace->format->open(&parser, &trace->source, &options, err);
    if (!status)
        status = read_batches(input, parser, &rows, batch, context, err);
    trace->format->close(parser);
    hc_table_fini(&rows);
    return hc_source_input_verify(trace, status, err);
}

/* ---- into a segment ---- */

static enum hc_status store_batch(const struct hc_table *rows, void *context, struct hc_error *err)
{
    return hc_segment_writer_append(context, rows, err);
}

enum hc_status hc_incident_input_store(struct hc_incident_input *input,
                                       struct hc_segment_writer *writer, struct hc_error *err)
{
    for (int i = 0; i < HC_N_INCIDENT_DICTIONARIES; i++)
        if (hc_segment_writer_names(writer,
                                    hc_incident_dictionary_name((enum hc_incident_dictionary)i),
                                    &input->names.set[i], err))
            return err->status;
    /* Also a source without any incident has the table. */
    const struct hc_table none = {.def = &hc_incidents_def};
    if (hc_segment_writer_append(writer, &none, err) ||
        hc_incident_input_read(input, store_batch, writer, err))
        return err->status;
    return hc_segment_writer_append(writer, &input->inventory, err);
}

/* ---- into a set ---- */

struct loading {
    struct hc_incident_set *set;
    const struct hc_incident_names *names;
    int32_t source;
};

static enum hc_status load_incidents(const struct hc_table *rows, void *context,
                                     struct hc_error *err)
{
    const struct loading *loading = context;
    return hc_incident_set_add(loading->set, rows, loading->names, loading->source, err);
}

static enum hc_status load_inventory(const struct hc_table *rows, void *context,
                                     struct hc_error *err)
{
    const struct loading *loading = context;
    return hc_incident_set_observe(loading->set, rows, loading->names, loading->source, err);
}

static void warn_bad(const struct hc_source_input *trace)
{
    const struct hc_row_report *report = &trace->report;
    for (int reason = 0; reason < HC_N_BAD_REASONS; reason++)
        if (report->count[reason])
            hc_warn("'%s': %lld %s skipped; first: %s", trace->source.name,
                    (long long)report->count[reason],
                    hc_bad_reason_text((enum hc_bad_reason)reason), report->example[reason]);
}

enum hc_status hc_incident_load_file(struct hc_incident_set *set, const char *path,
                                     const struct hc_trace_options *options,
                                     char sha256[HC_DIGEST_TEXT], struct hc_error *err)
{
    struct hc_source_input trace;
    struct hc_incident_input input = {0};
    if (hc_source_input_open(&trace, path, options, err))
        return err->status;
    struct loading loading = {set, &input.names, set->n_sources};
    enum hc_status status = hc_incident_input_start(&input, &trace, err);
    if (!status)
        status = hc_incident_input_read(&input, load_incidents, &loading, err);
    if (!status)
        status = load_inventory(&input.inventory, &loading, err);
    if (!status) {
        warn_bad(&trace);
        memcpy(sha256, trace.source.sha256, sizeof trace.source.sha256);
        set->n_sources++;
    }
    hc_incident_input_end(&input);
    hc_source_input_close(&trace);
    return status;
}

static enum hc_status load_tables(struct hc_segment *segment, struct loading *loading,
                                  struct hc_incident_names *names, struct hc_error *err)
{
    for (int i = 0; i < HC_N_INCIDENT_DICTIONARIES; i++)
        if (hc_segment_names(segment, hc_incident_dictionary_name((enum hc_incident_dictionary)i),
                             &names->set[i], err))
            return err->status;
    if (hc_segment_each(segment, &hc_incidents_def, (1U << HC_INCIDENTS_N_COLUMNS) - 1,
                        load_incidents, loading, err))
        return err->status;
    return hc_segment_each(segment, &hc_inventory_def, (1U << HC_INVENTORY_N_COLUMNS) - 1,
                           load_inventory, loading, err);
}

enum hc_status hc_incident_load_segment(struct hc_incident_set *set,
                                        const struct hc_archive *archive,
                                        const struct hc_manifest_entry *entry, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct hc_incident_names names = {0};
    struct loading loading = {set, &names, set->n_sources};
    enum hc_status status = hc_archive_open_segment(archive, entry, &segment, err);
    if (!status && load_tables(segment, &loading, &names, err))
        status = hc_context(err, "'%s/%s'", archive->path, entry->file);
    if (!status)
        set->n_sources++;
    hc_segment_close(segment);
    hc_incident_names_fini(&names);
    return status;
}
