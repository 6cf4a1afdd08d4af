#include "pipeline/inputs/incident_input.h"

#include "core/base/log.h"
#include "store/segment/segment_each.h"

#include <stdlib.h>
#include <string.h>

struct loading {
    struct hc_incident_set *set;
    const struct hc_table_names *names;
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

static enum hc_status load_either(const struct hc_table *rows, void *context, struct hc_error *err)
{
    return rows->def == &hc_incidents_def ? load_incidents(rows, context, err)
                                          : load_inventory(rows, context, err);
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
    if (hc_source_input_open(&trace, path, options, err))
        return err->status;
    struct loading loading = {set, &trace.names, set->n_sources};
    enum hc_status status = hc_source_input_expect(&trace, &hc_incidents_def, err);
    if (!status)
        status = hc_source_input_read(&trace, load_either, &loading, err);
    if (!status) {
        warn_bad(&trace);
        memcpy(sha256, trace.source.sha256, sizeof trace.source.sha256);
        set->n_sources++;
    }
    hc_source_input_close(&trace);
    return status;
}

static enum hc_status load_tables(struct hc_segment *segment, struct loading *loading,
                                  struct hc_table_names *names, struct hc_error *err)
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
    struct hc_table_names names = {0};
    struct loading loading = {set, &names, set->n_sources};
    enum hc_status status = hc_archive_open_segment(archive, entry, &segment, err);
    if (!status && load_tables(segment, &loading, &names, err))
        status = hc_context(err, "'%s/%s'", archive->path, entry->file);
    if (!status)
        set->n_sources++;
    hc_segment_close(segment);
    hc_table_names_fini(&names);
    return status;
}

enum hc_status hc_incident_load_archive(struct hc_incident_set *set, const char *path,
                                        struct hc_error *err)
{
    struct hc_archive *archive = NULL;
    if (hc_archive_open(&archive, path, false, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < archive->n_entries && !status; i++)
        if (hc_manifest_entry_is(&archive->entries[i], &hc_incidents_def))
            status = hc_incident_load_segment(set, archive, &archive->entries[i], err);
    if (!status && !set->n_sources)
        status = hc_fail(err, HC_USAGE,
                         "archive '%s' holds no incidents: ingest some, or name their files",
                         archive->path);
    hc_archive_close(archive);
    return status;
}
