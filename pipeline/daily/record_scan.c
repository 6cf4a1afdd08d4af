#include "pipeline/daily/record_scan.h"

#include "core/base/clock.h"
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "pipeline/packs/pack_month.h"
#include "store/segment/segment_each.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
    struct hc_table packed;      /* rows of a chunk of a pack */
    struct hc_pack_month *month; /* rows that are read from the segment are for it too; or NULL */
    size_t n_passed;             /* chunks of the segment that were delivered before */
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

/* A chunk, from wherever it was read. */
static enum hc_status deliver(const struct hc_table *table, void *context, struct hc_error *err)
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

/* ---- from the segment ---- */

static enum hc_status take_chunk(const struct hc_table *table, void *context, struct hc_error *err)
{
    struct delivery *delivery = context;
    if (delivery->month)
        hc_pack_month_rows(delivery->month, table);
    if (delivery->n_passed == 0)
        return deliver(table, delivery, err);
    delivery->n_passed--;
    return HC_OK;
}

/* The texts of the columns that are read, or of all. */
static enum hc_status read_names(const struct hc_record_scan *scan, struct hc_segment *segment,
                                 bool all, struct hc_table_names *names, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < names->n && !status; i++)
        if (all || has_column_of(scan, names->dictionary[i]))
            status = hc_segment_names(segment, names->dictionary[i], &names->set[i], err);
    return status;
}

/* Whether the rows of a segment go into a new pack. Its whole file must be what the manifest says:
 * what is kept under its SHA-256 is believed from then on. */
static bool is_to_be_packed(struct hc_pack_month *month, size_t i, struct hc_segment *segment)
{
    struct hc_error why;
    int fd = -1;
    if (hc_segment_chunk_rows(segment, month->def) > HC_PACK_MOST_CHUNK_ROWS ||
        !hc_pack_month_begins(month, i) ||
        hc_archive_open_verified(month->archive, &month->entries[i], &fd, &why))
        return false;
    close(fd);
    return true;
}

/* Texts of a segment for the pack alone: those that are delivered were read before. */
static enum hc_status pack_names(struct hc_pack_month *month, size_t i, struct hc_segment *segment,
                                 struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {month->def, NULL};
    struct hc_table_names names = {0};
    enum hc_status status = hc_table_names_init(&names, tables, err);
    if (!status)
        status = read_names(NULL, segment, true, &names, err);
    if (!status)
        hc_pack_month_names(month, i, &names);
    hc_table_names_fini(&names);
    return status;
}

/* n_passed: chunks that were delivered from a pack, which was found to be damaged behind them; the
 * names are known then. */
static enum hc_status read_segment(const struct hc_record_scan *scan, struct hc_pack_month *month,
                                   size_t i, size_t n_passed, struct delivery *delivery,
                                   struct hc_error *err)
{
    const struct hc_manifest_entry *entry = &month->entries[i];
    struct hc_table_names *names = delivery->rows.names;
    struct hc_segment *segment = NULL;
    if (hc_archive_open_segment(scan->archive, entry, &segment, err))
        return err->status;
    bool is_packed = is_to_be_packed(month, i, segment);
    delivery->month = is_packed ? month : NULL;
    delivery->n_passed = n_passed;
    enum hc_status status = HC_OK;
    if (n_passed == 0) {
        status = read_names(scan, segment, is_packed, names, err);
        if (!status && is_packed)
            hc_pack_month_names(month, i, names);
        if (!status)
            status = name_cluster(delivery, scan, entry->cluster, names, err);
    } else if (is_packed) {
        status = pack_names(month, i, segment, err);
    }
    if (!status)
        status = hc_segment_each(segment, scan->def, is_packed ? UINT64_MAX : scan->columns,
                                 take_chunk, delivery, err);
    hc_segment_close(segment);
    return status;
}

/* ---- from a pack ---- */

/* Deliver the chunks of a pack up to the first that is damaged; *n_chunks: how many. */
static enum hc_status read_packed(const struct hc_record_scan *scan,
                                  const struct hc_packed_rows *found, const char *cluster,
                                  struct delivery *delivery, size_t *n_chunks, struct hc_error *err)
{
    struct hc_error why;
    struct hc_table_names *names = delivery->rows.names;
    if (hc_table_reserve(&delivery->packed, found->entry->chunk_rows, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < hc_pack_n_chunks(found->entry) && !status; i++) {
        const struct hc_pack_choice choice = {found->entry, scan->columns, i};
        if (hc_pack_read(found->pack, &choice, &delivery->packed, i ? NULL : names, &why))
            return HC_OK;
        if (i == 0)
            status = name_cluster(delivery, scan, cluster, names, err);
        if (!status)
            status = deliver(&delivery->packed, delivery, err);
        ++*n_chunks;
    }
    return status;
}

static enum hc_status read_day(const struct hc_record_scan *scan, struct hc_pack_month *month,
                               size_t i, struct delivery *delivery, struct hc_error *err)
{
    const struct hc_table_def *const tables[] = {scan->def, NULL};
    const struct hc_manifest_entry *entry = &month->entries[i];
    struct hc_table_names names = {0};
    struct hc_packed_rows found;
    size_t n_chunks = 0;
    enum hc_status status = hc_table_names_init(&names, tables, err);
    delivery->rows = (struct hc_record_rows){.names = &names, .entry = entry};
    bool is_packed = !status && hc_pack_month_find(month, i, &found);
    if (is_packed)
        status = read_packed(scan, &found, entry->cluster, delivery, &n_chunks, err);
    if (!status && is_packed && n_chunks == 0) { /* a text may have been read before the damage */
        hc_table_names_fini(&names);
        status = hc_table_names_init(&names, tables, err);
    }
    bool is_whole = is_packed && n_chunks == hc_pack_n_chunks(found.entry);
    if (!status && !is_whole)
        status = read_segment(scan, month, i, n_chunks, delivery, err);
    else if (!status)
        hc_pack_month_pass(month, i);
    hc_table_names_fini(&names);
    return status;
}

/* ---- all of them ---- */

static bool is_scanned(const struct hc_record_scan *scan, size_t i)
{
    const struct hc_manifest_entry *entry = &scan->archive->entries[i];
    return (!scan->is_wanted || scan->is_wanted[i]) &&
           hc_manifest_entry_rows(entry, scan->def) > 0 && is_within(scan, entry->day) &&
           (!scan->cluster || strcmp(scan->cluster, entry->cluster) == 0);
}

/* The entries from first on that share a pack. */
static enum hc_status read_month(const struct hc_record_scan *scan, size_t first, size_t n,
                                 struct delivery *delivery, struct hc_error *err)
{
    struct hc_pack_month month;
    enum hc_status status = HC_OK;
    size_t n_scanned = 0;
    for (size_t i = 0; i < n; i++)
        n_scanned += is_scanned(scan, first + i);
    if (n_scanned == 0)
        return HC_OK;
    hc_pack_month_open(&month, scan->archive, scan->def, scan->archive->entries + first, n);
    for (size_t i = 0; i < n && !status; i++) {
        if (is_scanned(scan, first + i))
            status = read_day(scan, &month, i, delivery, err);
        else
            hc_pack_month_pass(&month, i);
    }
    hc_pack_month_close(&month, !status);
    return status;
}

enum hc_status hc_record_scan_run(const struct hc_record_scan *scan, hc_record_sink *sink,
                                  void *context, struct hc_error *err)
{
    const struct hc_archive *archive = scan->archive;
    struct delivery delivery = {.sink = sink, .context = context, .packed = {.def = scan->def}};
    enum hc_status status = HC_OK;
    hc_keep_freed_arrays(1 << 20); /* days are alike */
    for (size_t i = 0, n; i < archive->n_entries && !status; i += n) {
        n = hc_pack_month_length(archive->entries + i, archive->n_entries - i);
        status = read_month(scan, i, n, &delivery, err);
    }
    hc_table_fini(&delivery.packed);
    free(delivery.clusters);
    return status;
}

const char *hc_record_text(const struct hc_record_rows *rows, size_t column, size_t row)
{
    int32_t code = hc_table_i32(rows->table, column)[row];
    const char *dictionary = rows->table->def->columns[column].dictionary;
    return code == HC_MISSING_I32 ? NULL : hc_table_names_find(rows->names, dictionary)->text[code];
}
