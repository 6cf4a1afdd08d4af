#include "core/base/memory.h"
#include "store/objects/object_attribute.h"
#include "store/objects/segment_layout.h"
#include "store/segment/segment.h"
#include "store/segment/segment_meta.h"
#include "store/segment/segment_scan.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_LIST_ROWS (1 << 22) /* aliases or ranks of a job */

/* ---- chunks ---- */

/* Columns to read at once, and where to. */
struct selection {
    size_t n;
    const struct hc_stored_column *columns[HC_TABLE_MAX_COLUMNS];
    void *out[HC_TABLE_MAX_COLUMNS]; /* room for a whole chunk */
};

static size_t rows_of_chunk(const struct hc_stored_table *table, int64_t chunk)
{
    int64_t left = table->n_rows - chunk * table->chunk_rows;
    return (size_t)(left < table->chunk_rows ? left : table->chunk_rows);
}

static enum hc_status fetch(struct hc_segment *segment, const struct hc_stored_table *table,
                            const struct selection *selection, int64_t chunk, struct hc_error *err)
{
    for (size_t i = 0; i < selection->n; i++) {
        const struct hc_stored_column *column = selection->columns[i];
        if (hc_chunk_read(&segment->file, &column->places[chunk], chunk, &segment->chunks[i], err))
            return hc_context(err, "'%s': dataset '/%s/%s'", segment->path, table->name,
                              column->name);
    }
    return HC_OK;
}

static enum hc_status decode(struct hc_segment *segment, const struct hc_stored_table *table,
                             const struct selection *selection, int64_t chunk, struct hc_error *err)
{
    size_t n = (size_t)table->chunk_rows;
    enum hc_chunk_fault faults[HC_TABLE_MAX_COLUMNS] = {HC_CHUNK_WHOLE};
    if (hc_codec_pool_reserve(&segment->pool, n * sizeof(union hc_value), err))
        return err->status;
#pragma omp parallel for schedule(dynamic) if (n >= 4096)
    for (size_t i = 0; i < selection->n; i++)
        faults[i] = hc_chunk_decode(hc_codec_pool_mine(&segment->pool), segment->chunks[i].bytes,
                                    segment->chunks[i].size, selection->out[i], n,
                                    selection->columns[i]->shape.values.size);
    for (size_t i = 0; i < selection->n; i++)
        if (faults[i])
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': dataset '/%s/%s': chunk %" PRId64
                           " is damaged: %s; ingest the source again",
                           segment->path, table->name, selection->columns[i]->name, chunk,
                           hc_chunk_fault_text(faults[i]));
    return HC_OK;
}

/* Refuse codes that the dictionary of their column does not have: readers use them as indices. */
static enum hc_status check_codes(const struct hc_segment *segment,
                                  const struct hc_stored_table *table,
                                  const struct selection *selection, int64_t chunk,
                                  struct hc_error *err)
{
    size_t n = rows_of_chunk(table, chunk);
    for (size_t i = 0; i < selection->n; i++) {
        const struct hc_stored_column *column = selection->columns[i];
        if (!column->dictionary)
            continue;
        const int32_t *codes = selection->out[i];
        size_t bad = hc_dictionary_check(column->dictionary, codes, n);
        if (bad < n)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': dataset '/%s/%s': row %" PRId64
                           ": %d is not a code of dictionary '%s', which has %zu",
                           segment->path, table->name, column->name,
                           chunk * table->chunk_rows + (int64_t)bad, (int)codes[bad],
                           column->dictionary->name, column->dictionary->n);
    }
    return HC_OK;
}

static enum hc_status read_selection(struct hc_segment *segment,
                                     const struct hc_stored_table *table,
                                     const struct selection *selection, int64_t chunk,
                                     struct hc_error *err)
{
    enum hc_status status = fetch(segment, table, selection, chunk, err);
    if (!status)
        status = decode(segment, table, selection, chunk, err);
    return status ? status : check_codes(segment, table, selection, chunk, err);
}

/* ---- tables ---- */

const struct hc_table_counts *hc_segment_tables(const struct hc_segment *segment)
{
    return &segment->counts;
}

int64_t hc_segment_n_rows(const struct hc_segment *segment, const struct hc_table_def *def)
{
    const struct hc_stored_table *table = hc_segment_table(segment, def->name);
    return table ? table->n_rows : 0;
}

int64_t hc_segment_chunk_rows(const struct hc_segment *segment, const struct hc_table_def *def)
{
    const struct hc_stored_table *table = hc_segment_table(segment, def->name);
    return table ? table->chunk_rows : 1;
}

static void fill_missing(void *out, enum hc_type type, size_t n)
{
    union hc_value missing = hc_missing_value(type);
    size_t size = hc_type_size(type);
    for (size_t i = 0; i < n; i++)
        memcpy((char *)out + i * size, &missing, size);
}

static bool same_dictionary(const struct hc_column_def *wanted,
                            const struct hc_stored_column *column)
{
    if (!wanted->dictionary || !column->dictionary)
        return !wanted->dictionary && !column->dictionary;
    return strcmp(wanted->dictionary, column->dictionary->name) == 0;
}

/* The columns of def that are in the mask. Those that the segment is too old to have are filled
 * with missing values instead. */
static enum hc_status select_columns(const struct hc_segment *segment,
                                     const struct hc_stored_table *stored, uint64_t column_mask,
                                     struct hc_table *table, struct selection *selection,
                                     struct hc_error *err)
{
    const struct hc_table_def *def = table->def;
    for (size_t c = 0; c < def->n_columns; c++) {
        const struct hc_column_def *wanted = &def->columns[c];
        if (!(column_mask >> c & 1))
            continue;
        const struct hc_stored_column *column = hc_stored_column(stored, wanted->name);
        if (!column && segment->minor >= def->minor)
            return hc_fail(err, HC_BAD_INPUT, "'%s': table '%s' has no column '%s'", segment->path,
                           def->name, wanted->name);
        if (!column) {
            fill_missing(table->column[c], wanted->type, table->n_rows);
            continue;
        }
        if (column->type != wanted->type || !same_dictionary(wanted, column))
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': dataset '/%s/%s' is of another type or dictionary than expected",
                           segment->path, def->name, wanted->name);
        selection->columns[selection->n] = column;
        selection->out[selection->n++] = table->column[c];
    }
    return HC_OK;
}

static enum hc_status translate(const struct hc_segment *segment,
                                const struct hc_stored_table *table,
                                const struct selection *selection, int64_t chunk, size_t n,
                                struct hc_error *err)
{
    for (size_t i = 0; i < selection->n; i++) {
        const struct hc_stored_column *column = selection->columns[i];
        if (!column->dictionary)
            continue;
        int32_t *codes = selection->out[i];
        size_t bad = hc_dictionary_translate(column->dictionary, codes, n);
        if (bad < n)
            return hc_fail(err, HC_BAD_INPUT,
                           "'%s': dataset '/%s/%s': row %" PRId64
                           ": '%s' is not known to this version; use a newer hindcast",
                           segment->path, table->name, column->name,
                           chunk * table->chunk_rows + (int64_t)bad,
                           hc_dictionary_text(column->dictionary, (size_t)codes[bad]));
    }
    return HC_OK;
}

enum hc_status hc_segment_read(struct hc_segment *segment, const struct hc_table_def *def,
                               uint64_t column_mask, int64_t chunk, struct hc_table *table,
                               struct hc_error *err)
{
    const struct hc_stored_table *stored = hc_segment_table(segment, def->name);
    struct selection selection = {0};
    if (!stored || chunk < 0 || chunk > stored->n_rows / stored->chunk_rows ||
        chunk * stored->chunk_rows >= stored->n_rows)
        return hc_fail(err, HC_INTERNAL, "'%s': table '%s' has no chunk %" PRId64, segment->path,
                       def->name, chunk);
    if (table->def != def || table->capacity < (size_t)stored->chunk_rows)
        return hc_fail(
            err, HC_INTERNAL,
            "'%s': a table for '%s' with room for %zu rows cannot take a chunk of %" PRId64,
            segment->path, def->name, table->capacity, stored->chunk_rows);
    table->n_rows = rows_of_chunk(stored, chunk);
    if (select_columns(segment, stored, column_mask, table, &selection, err) ||
        read_selection(segment, stored, &selection, chunk, err))
        return err->status;
    return translate(segment, stored, &selection, chunk, table->n_rows, err);
}

enum hc_status hc_segment_names(struct hc_segment *segment, const char *dictionary,
                                struct hc_text_set *set, struct hc_error *err)
{
    for (size_t d = 0; d < segment->n_dictionaries; d++) {
        struct hc_dictionary *found = &segment->dictionaries[d];
        if (strcmp(found->name, dictionary) != 0)
            continue;
        if (hc_segment_load_dictionary(segment, found, err))
            return err->status;
        for (size_t i = 0; i < found->n; i++) {
            const char *text = hc_dictionary_text(found, i);
            int32_t code = 0;
            if (hc_text_set_add(set, text, strlen(text), &code, err))
                return err->status;
            if (code != (int32_t)i)
                return hc_fail(err, HC_BAD_INPUT, "'%s': dictionary '%s' has a text twice",
                               segment->path, dictionary);
        }
    }
    return HC_OK;
}

static int64_t stored_bytes(const struct hc_stored_table *table,
                            const struct hc_stored_column *column)
{
    int64_t sum = 0;
    for (int64_t chunk = 0; chunk * table->chunk_rows < table->n_rows; chunk++)
        sum += column->places[chunk].size;
    return sum;
}

enum hc_status hc_segment_sizes(struct hc_segment *segment, const struct hc_table_def *def,
                                int64_t *stored, int64_t *raw, struct hc_error *err)
{
    (void)err;
    *stored = *raw = 0;
    const struct hc_stored_table *table = hc_segment_table(segment, def->name);
    for (size_t c = 0; table && c < table->n_columns; c++) {
        *stored += stored_bytes(table, &table->columns[c]);
        *raw += table->n_rows * (int64_t)table->columns[c].shape.values.size;
    }
    return HC_OK;
}

/* ---- opening ---- */

static enum hc_status check_schema(struct hc_segment *segment, const struct hc_object *root,
                                   struct hc_error *err)
{
    char *schema = NULL;
    int64_t major = 0, minor = 0;
    if (hc_attribute_read_text(root, HC_ATTRIBUTE_SCHEMA, &schema, err))
        return hc_context(err, "not a segment of an archive");
    bool ours = strcmp(schema, HC_SEGMENT_SCHEMA) == 0;
    free(schema);
    if (!ours)
        return hc_fail(err, HC_BAD_INPUT, "not a segment of an archive");
    if (hc_attribute_read_int(root, HC_ATTRIBUTE_MAJOR, 0, INT32_MAX, &major, err) ||
        hc_attribute_read_int(root, HC_ATTRIBUTE_MINOR, 0, INT32_MAX, &minor, err))
        return err->status;
    segment->minor = (int32_t)minor;
    if (major != HC_SEGMENT_SCHEMA_MAJOR)
        return hc_fail(err, HC_BAD_INPUT,
                       "schema version %" PRId64 ".%" PRId64
                       ", but this hindcast reads version %d; use a %s hindcast",
                       major, minor, HC_SEGMENT_SCHEMA_MAJOR,
                       major > HC_SEGMENT_SCHEMA_MAJOR ? "newer" : "older");
    return HC_OK;
}

static enum hc_status read_root(struct hc_segment *segment, struct hc_link_list *links,
                                struct hc_error *err)
{
    struct hc_object group;
    struct hc_link root = {.name = ""};
    if (hc_superblock_read(&segment->file, &root.object, err))
        return err->status;
    enum hc_status status = hc_group_read(&group, &segment->file, &root, links, err);
    if (status)
        hc_context(err, "group '/'");
    else
        status = check_schema(segment, &group, err);
    if (!status && hc_attribute_exists(&group, HC_ATTRIBUTE_TABLE))
        status = hc_attribute_read_text(&group, HC_ATTRIBUTE_TABLE, &segment->main_table, err);
    hc_object_fini(&group);
    return status;
}

static enum hc_status read_job(struct hc_segment *segment, const struct hc_link_list *root,
                               struct hc_link_list *links, struct hc_error *err)
{
    struct hc_object group;
    enum hc_status status =
        hc_group_read(&group, &segment->file, hc_link_find(root, HC_JOB_GROUP), links, err);
    if (!status)
        status = hc_job_read(&group, &segment->job, err);
    hc_object_fini(&group);
    return status ? hc_context(err, "group '/%s'", HC_JOB_GROUP) : HC_OK;
}

static enum hc_status read_provenance(struct hc_segment *segment, const struct hc_link_list *root,
                                      struct hc_error *err)
{
    struct hc_object group;
    struct hc_link_list links;
    enum hc_status status =
        hc_group_read(&group, &segment->file, hc_link_find(root, HC_PROVENANCE_GROUP), &links, err);
    if (!status)
        status = hc_provenance_read(&group, &segment->provenance, err);
    hc_object_fini(&group);
    return status ? hc_context(err, "group '/%s'", HC_PROVENANCE_GROUP) : HC_OK;
}

/* The rows of one list of the job: names by their dictionary, beside a number. */
static enum hc_status read_list(struct hc_segment *segment, const struct hc_table_def *def,
                                struct hc_error *err)
{
    struct hc_table rows = {0};
    const struct hc_stored_table *stored = hc_segment_table(segment, def->name);
    const struct hc_stored_column *names = hc_stored_column(stored, def->columns[0].name);
    enum hc_status status = hc_table_init(&rows, def, (size_t)stored->chunk_rows, err);
    if (!status && names->dictionary)
        status = hc_segment_load_dictionary(segment, names->dictionary, err);
    for (int64_t chunk = 0; !status && chunk * stored->chunk_rows < stored->n_rows; chunk++) {
        status = hc_segment_read(segment, def, 3, chunk, &rows, err);
        for (size_t i = 0; !status && i < rows.n_rows; i++) {
            int32_t code = hc_table_i32(&rows, 0)[i], value = hc_table_i32(&rows, 1)[i];
            bool is_placed = def != &hc_job_switches_def || value != HC_MISSING_I32;
            if (code == HC_MISSING_I32 || !is_placed)
                status = hc_fail(err, HC_BAD_INPUT, "'%s': table '%s': row %zu has no %s",
                                 segment->path, def->name, i, is_placed ? "name" : "switch");
            else
                status = hc_job_list_add(&segment->job, def,
                                         hc_dictionary_text(names->dictionary, (size_t)code), value,
                                         err);
        }
    }
    hc_table_fini(&rows);
    return status;
}

/* The names of the switches, whose codes the list of switched nodes has. */
static enum hc_status read_switches(struct hc_segment *segment, struct hc_error *err)
{
    struct hc_job *job = &segment->job;
    const struct hc_stored_column *column =
        hc_stored_column(hc_segment_table(segment, hc_job_switches_def.name), HC_DICTIONARY_SWITCH);
    size_t n = column && column->dictionary ? column->dictionary->n : 0;
    if (n && hc_segment_load_dictionary(segment, column->dictionary, err))
        return err->status;
    if (!(job->switches = hc_new_array(n, sizeof *job->switches, err)))
        return err->status;
    for (; job->n_switches < n; job->n_switches++)
        if (!(job->switches[job->n_switches] =
                  hc_copy_text(hc_dictionary_text(column->dictionary, job->n_switches), err)))
            return err->status;
    return HC_OK;
}

static enum hc_status read_lists(struct hc_segment *segment, struct hc_error *err)
{
    for (size_t i = 0; i < HC_N_JOB_LISTS; i++) {
        const struct hc_table_def *def = hc_job_lists[i].def;
        int64_t n_rows = hc_segment_n_rows(segment, def);
        if (n_rows > MAX_LIST_ROWS)
            return hc_fail(err, HC_BAD_INPUT, "'%s': table '%s' has more than %d rows",
                           segment->path, def->name, MAX_LIST_ROWS);
        if (hc_job_list_reserve(&segment->job, def, (size_t)n_rows, err))
            return err->status;
        if (n_rows == 0)
            continue;
        if (read_list(segment, def, err) ||
            (def == &hc_job_switches_def && read_switches(segment, err)))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status count_tables(struct hc_segment *segment, struct hc_error *err)
{
    for (size_t i = 0; i < segment->n_tables; i++) {
        const struct hc_stored_table *table = &segment->tables[i];
        if (!hc_is_job_list(table->name) &&
            hc_table_counts_set(&segment->counts, table->name, table->n_rows, err))
            return err->status;
    }
    return HC_OK;
}

/* The table that the root names, else the first by name. */
static enum hc_status find_main_table(struct hc_segment *segment, struct hc_error *err)
{
    const struct hc_table_counts *counts = &segment->counts;
    const char *table = segment->main_table;
    if (table && !hc_segment_table(segment, table))
        return hc_fail(err, HC_BAD_INPUT, "'%s': its main table '%.100s' is not there",
                       segment->path, table);
    if (!table)
        table = counts->n ? counts->list[0].table : "";
    segment->provenance.table = hc_copy_text(table, err);
    return segment->provenance.table ? HC_OK : err->status;
}

static enum hc_status open_contents(struct hc_segment *segment, struct hc_error *err)
{
    struct hc_link_list root, job;
    if (read_root(segment, &root, err) || read_job(segment, &root, &job, err) ||
        read_provenance(segment, &root, err) || hc_segment_scan(segment, &root, &job, err))
        return hc_context(err, "'%s'", segment->path);
    if (count_tables(segment, err) || find_main_table(segment, err))
        return err->status;
    return read_lists(segment, err);
}

enum hc_status hc_segment_open(struct hc_segment **segment, int fd, const char *name,
                               struct hc_error *err)
{
    struct hc_segment *new = hc_new_array(1, sizeof *new, err);
    if (!new) {
        close(fd);
        return err->status;
    }
    new->file.fd = fd;
    new->path = hc_copy_text(name, err);
    if (!new->path || hc_segment_file_init(&new->file, fd, name, err) || open_contents(new, err)) {
        hc_segment_close(new);
        return err->status;
    }
    *segment = new;
    return HC_OK;
}

void hc_segment_close(struct hc_segment *segment)
{
    if (!segment)
        return;
    close(segment->file.fd);
    hc_segment_scan_fini(segment);
    hc_table_counts_fini(&segment->counts);
    hc_codec_pool_fini(&segment->pool);
    hc_job_fini(&segment->job);
    hc_provenance_fini(&segment->provenance);
    free(segment->main_table);
    free(segment->path);
    free(segment);
}

const struct hc_job *hc_segment_job(const struct hc_segment *segment)
{
    return &segment->job;
}

const struct hc_provenance *hc_segment_provenance(const struct hc_segment *segment)
{
    return &segment->provenance;
}

/* ---- verifying ---- */

/* Read all of a group of columns of a table. */
static enum hc_status verify_columns(struct hc_segment *segment,
                                     const struct hc_stored_table *table, size_t first, size_t n,
                                     struct hc_error *err)
{
    struct selection selection = {.n = n};
    enum hc_status status = HC_OK;
    for (size_t i = 0; i < n; i++) {
        const struct hc_stored_column *column = &table->columns[first + i];
        selection.columns[i] = column;
        selection.out[i] =
            hc_new_aligned((size_t)table->chunk_rows, column->shape.values.size, err);
        if (!selection.out[i])
            status = err->status;
    }
    for (int64_t chunk = 0; !status && chunk * table->chunk_rows < table->n_rows; chunk++)
        status = read_selection(segment, table, &selection, chunk, err);
    for (size_t i = 0; i < n; i++)
        free(selection.out[i]);
    return status;
}

enum hc_status hc_segment_verify(int fd, const char *name, struct hc_error *err)
{
    struct hc_segment *segment = NULL;
    if (hc_segment_open(&segment, fd, name, err))
        return err->status;
    enum hc_status status = HC_OK;
    for (size_t d = 0; !status && d < segment->n_dictionaries; d++)
        status = hc_segment_load_dictionary(segment, &segment->dictionaries[d], err);
    for (size_t t = 0; t < segment->n_tables; t++) {
        const struct hc_stored_table *table = &segment->tables[t];
        for (size_t c = 0, n; !status && c < table->n_columns; c += n) {
            n = table->n_columns - c;
            n = n < HC_TABLE_MAX_COLUMNS ? n : HC_TABLE_MAX_COLUMNS;
            status = verify_columns(segment, table, c, n, err);
        }
    }
    hc_segment_close(segment);
    return status;
}
