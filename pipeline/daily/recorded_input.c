#include "pipeline/daily/recorded_input.h"

#include "core/base/missing.h"
#include "core/text/number_text.h"
#include "store/segment/segment_each.h"

#include <string.h>

struct loading {
    struct hc_recorded *recorded;
    struct hc_corrections *corrections;
    const struct hc_manifest_entry *entry;
    const char *list, *source;
    const struct hc_table_names *names;
    bool has_clock; /* Unix time */
    int64_t n_rows;
};

static enum hc_status take_inventory(const struct hc_table *t, void *context, struct hc_error *err)
{
    struct loading *loading = context;
    (void)err;
    for (size_t i = 0; i < t->n_rows; i++)
        loading->has_clock &= hc_table_i32(t, HC_INVENTORY_CLOCK)[i] == HC_CLOCK_UNIX;
    return HC_OK;
}

static const char *text_of(const struct loading *loading, enum hc_incident_dictionary dictionary,
                           int32_t code)
{
    return code == HC_MISSING_I32 ? NULL : loading->names->set[dictionary].text[code];
}

static enum hc_status take_rows(const struct hc_table *t, void *context, struct hc_error *err)
{
    struct loading *loading = context;
    for (size_t i = 0; i < t->n_rows; i++) {
        const char *job = text_of(loading, HC_NAMES_JOB, hc_table_i32(t, HC_INCIDENTS_JOB)[i]);
        struct hc_recorded_incident is = {
            .time_ns = hc_table_i64(t, HC_INCIDENTS_TIME_NS)[i],
            .recovered_ns = hc_table_i64(t, HC_INCIDENTS_RECOVERED_NS)[i],
            .row = ++loading->n_rows,
            .job = HC_MISSING_I64,
            .attempt = hc_table_i32(t, HC_INCIDENTS_ATTEMPT)[i],
            .cause = hc_table_i32(t, HC_INCIDENTS_CAUSE)[i],
            .noticed = hc_table_i32(t, HC_INCIDENTS_CLASS)[i],
            .scope = hc_table_i32(t, HC_INCIDENTS_SCOPE)[i],
            .cluster = loading->entry->cluster,
            .list = loading->list,
            .source = loading->source,
            .node = text_of(loading, HC_NAMES_NODE, hc_table_i32(t, HC_INCIDENTS_NODE)[i]),
            .group = text_of(loading, HC_NAMES_GROUP, hc_table_i32(t, HC_INCIDENTS_GROUP)[i]),
            .text = text_of(loading, HC_NAMES_TEXT, hc_table_i32(t, HC_INCIDENTS_TEXT)[i]),
        };
        if (is.time_ns == HC_MISSING_I64)
            continue;
        if (job && hc_text_to_i64(job, strlen(job), &is.job) != HC_TEXT_OK)
            is.job = HC_MISSING_I64;
        if (!loading->has_clock)
            is.time_ns = is.recovered_ns = HC_MISSING_I64;
        if (hc_recorded_add(loading->recorded, &is, loading->corrections, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status read_list(struct loading *loading, const struct hc_archive *archive,
                                struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    struct hc_table_names names = {0};
    if (hc_archive_open_segment(archive, loading->entry, &segment, err))
        return err->status;
    enum hc_status status = hc_table_names_init(&names, hc_incident_tables, err);
    for (int i = 0; i < HC_N_INCIDENT_DICTIONARIES && !status; i++)
        status =
            hc_segment_names(segment, hc_incident_dictionary_name((enum hc_incident_dictionary)i),
                             &names.set[i], err);
    loading->names = &names;
    loading->list = hc_segment_job(segment)->id;
    loading->source = hc_segment_provenance(segment)->source_path;
    loading->has_clock = true;
    loading->n_rows = 0;
    if (!status)
        status = hc_segment_each(segment, &hc_inventory_def, (1U << HC_INVENTORY_N_COLUMNS) - 1,
                                 take_inventory, loading, err);
    if (!status)
        status = hc_segment_each(segment, &hc_incidents_def, (1U << HC_INCIDENTS_N_COLUMNS) - 1,
                                 take_rows, loading, err);
    hc_table_names_fini(&names);
    hc_segment_close(segment);
    return status;
}

enum hc_status hc_recorded_load(struct hc_recorded *recorded, struct hc_corrections *corrections,
                                const struct hc_archive *archive, const char *cluster,
                                struct hc_error *err)
{
    struct loading loading = {.recorded = recorded, .corrections = corrections};
    for (size_t i = 0; i < archive->n_entries; i++) {
        const struct hc_manifest_entry *entry = &archive->entries[i];
        loading.entry = entry;
        if (hc_manifest_entry_is(entry, &hc_incidents_def) &&
            (!cluster || strcmp(cluster, entry->cluster) == 0 ||
             strcmp(entry->cluster, "default") == 0) &&
            read_list(&loading, archive, err))
            return err->status;
    }
    return hc_recorded_end(recorded, err);
}
