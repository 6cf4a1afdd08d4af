#include "pipeline/daily/record_scan.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "store/segment/segment_each.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DAY_NS ((int64_t)86400 * 1000000000)

struct delivery {
    struct hc_record_rows rows;
    /* The column that names the cluster, and its code where a row leaves that to its source; its
     * values, that being put in. n_columns: there is no such column. */
    size_t cluster, room;
    int32_t cluster_code;
    int32_t *clusters;
    hc_record_sink *sink;
    void *context;
};

/* Whether a day ("2026-03-01") or month ("2026-03") touches the window. */
static bool is_within(const struct hc_record_scan *scan, const char *day)
{
    char text[48];
    bool is_month = hc_is_month(day);
    int64_t start_ns, longest_ns = is_month ? 31 * DAY_NS : DAY_NS;
    int n = snprintf(text, sizeof text, "%s%sT00:00:00Z", day, is_month ? "-01" : "");
    if (!hc_parse_iso8601(text, (size_t)n, &start_ns))
        return true;
    return start_ns < scan->to_ns &&
           start_ns > scan->from_ns - (scan->from_ns > INT64_MIN + longest_ns ? longest_ns : 0);
}

static enum hc_status take_chunk(const struct hc_table *table, void *context, struct hc_error *err)
{
    struct delivery *delivery = context;
    struct hc_table whole = *table;
    delivery->rows.table = &whole;
    if (delivery->cluster < table->def->n_columns) {
        const int32_t *codes = hc_table_i32(table, delivery->cluster);
        if (hc_reserve(&delivery->clusters, &delivery->room, table->n_rows,
                       sizeof *delivery->clusters, err))
            return err->status;
        for (size_t i = 0; i < table->n_rows; i++)
            delivery->clusters[i] = codes[i] == HC_MISSING_I32 ? delivery->cluster_code : codes[i];
        whole.column[delivery->cluster] = delivery->clusters;
    }
    return delivery->sink(&delivery->rows, delivery->context, err);
}

/* Whether a column that is read has its codes in a dictionary; the texts of others are left. */
static bool has_column_of(const struct hc_record_scan *scan, const char *dictionary)
{
    for (size_t c = 0; c < scan->def->n_columns; c++) {
        const char *of_column = scan->def->columns[c].dictionary;
        if ((scan->columns >> c & 1) && of_column && strcmp(of_column, dictionary) == 0)
            return true;
    }
    return false;
}

/* Look for the column of clusters, and give that of the source a code. */
static enum hc_status name_cluster(struct delivery *delivery, const struct hc_record_scan *scan,
                                   const char *cluster, struct hc_table_names *names,
                                   struct hc_error *err)
{
    const struct hc_column_def *columns = scan->def->columns;
    size_t c = 0;
    while (c < scan->def->n_columns &&
           !(columns[c].dictionary && strcmp(columns[c].name, "cluster") == 0))
        c++;
    bool is_read = c < scan->def->n_columns && scan->columns >> c & 1 && cluster && *cluster;
    delivery->cluster = is_read ? c : scan->def->n_columns;
    return !is_read ? HC_OK
                    : hc_text_set_add(hc_table_names_find(names, columns[c].dictionary), cluster,
                                      strlen(cluster), &delivery->cluster_code, err);
}

static enum hc_status read_day(const struct hc_record_scan *scan,
                               const struct hc_manifest_entry *entry, struct delivery *delivery,
                               struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {scan->def, NULL};
    struct hc_table_names names = {0};
    struct hc_segment *segment = NULL;
    if (hc_archive_open_segment(scan->archive, entry, &segment, err))
        return err->status;
    enum hc_status status = hc_table_names_init(&names, tables, err);
    for (size_t i = 0; i < names.n && !status; i++)
        if (has_column_of(scan, names.dictionary[i]))
            status = hc_segment_names(segment, names.dictionary[i], &names.set[i], err);
    delivery->rows = (struct hc_record_rows){.names = &names, .entry = entry};
    if (!status)
        status = name_cluster(delivery, scan, entry->cluster, &names, err);
    if (!status)
        status = hc_segment_each(segment, scan->def, scan->columns, take_chunk, delivery, err);
    hc_table_names_fini(&names);
    hc_segment_close(segment);
    return status;
}

enum hc_status hc_record_scan_run(const struct hc_record_scan *scan, hc_record_sink *sink,
                                  void *context, struct hc_error *err)
{
    struct delivery delivery = {.sink = sink, .context = context};
    enum hc_status status = HC_OK;
    hc_keep_freed_arrays(1 << 20); /* days are alike */
    for (size_t i = 0; i < scan->archive->n_entries && !status; i++) {
        const struct hc_manifest_entry *entry = &scan->archive->entries[i];
        if ((!scan->is_wanted || scan->is_wanted[i]) &&
            hc_manifest_entry_rows(entry, scan->def) > 0 && is_within(scan, entry->day) &&
            (!scan->cluster || strcmp(scan->cluster, entry->cluster) == 0))
            status = read_day(scan, entry, &delivery, err);
    }
    free(delivery.clusters);
    return status;
}

const char *hc_record_text(const struct hc_record_rows *rows, size_t column, size_t row)
{
    int32_t code = hc_table_i32(rows->table, column)[row];
    const char *dictionary = rows->table->def->columns[column].dictionary;
    return code == HC_MISSING_I32 ? NULL : hc_table_names_find(rows->names, dictionary)->text[code];
}
