#include "store/segment_scan.h"

#include "core/memory.h"
#include "store/hdf5_util.h"
#include "store/segment_layout.h"
#include "store/segment_meta.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Bounds on what a file may claim; far above what any version writes. */
#define MAX_NAMES       64
#define MAX_NAME_LENGTH 64

struct name_list {
    size_t n;
    char names[MAX_NAMES][MAX_NAME_LENGTH];
};

/* Links in the order of their names. Soft and external links are refused: nothing of a segment is
 * anywhere else. */
static herr_t take_link(hid_t group, const char *name, const H5L_info_t *info, void *context)
{
    struct name_list *list = context;
    (void)group;
    if (info->type != H5L_TYPE_HARD || list->n == MAX_NAMES || strlen(name) >= MAX_NAME_LENGTH)
        return -1;
    strcpy(list->names[list->n++], name);
    return 0;
}

static enum hc_status list_names(hid_t group, const char *path, struct name_list *list,
                                 struct hc_error *err)
{
    H5G_info_t info;
    list->n = 0;
    if (H5Gget_info(group, &info) < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "group '/%s' cannot be read", path);
    if (info.storage_type != H5G_STORAGE_TYPE_COMPACT && info.nlinks > 0)
        return hc_fail(err, HC_BAD_INPUT, "group '/%s' is not stored as in a segment", path);
    if (H5Literate(group, H5_INDEX_NAME, H5_ITER_INC, NULL, take_link, list) < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT,
                            "group '/%s' cannot be listed, or has links that no segment has", path);
    return HC_OK;
}

/* ---- dictionaries ---- */

static enum hc_status scan_dictionaries(struct hc_segment *segment, struct hc_error *err)
{
    struct name_list list;
    hid_t group = H5Gopen2(segment->file, HC_DICTIONARY_GROUP, H5P_DEFAULT);
    if (group < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "group '/%s'", HC_DICTIONARY_GROUP);
    enum hc_status status = list_names(group, HC_DICTIONARY_GROUP, &list, err);
    if (!status) {
        segment->dictionaries = hc_new_array(list.n, sizeof *segment->dictionaries, err);
        status = segment->dictionaries ? HC_OK : err->status;
    }
    for (size_t i = 0; !status && i < list.n; i++) {
        status = hc_dictionary_read(&segment->dictionaries[i], group, list.names[i],
                                    &segment->chunk_file, &segment->pool, err);
        segment->n_dictionaries += !status;
    }
    H5Gclose(group);
    return status;
}

static enum hc_status find_dictionary(const struct hc_segment *segment,
                                      struct hc_stored_column *column, struct hc_error *err)
{
    char *name = NULL;
    if (!hc_attribute_exists(column->dataset, HC_ATTRIBUTE_DICTIONARY))
        return HC_OK;
    if (hc_attribute_read_text(column->dataset, HC_ATTRIBUTE_DICTIONARY, &name, err))
        return err->status;
    for (size_t i = 0; i < segment->n_dictionaries; i++)
        if (strcmp(segment->dictionaries[i].name, name) == 0)
            column->dictionary = &segment->dictionaries[i];
    enum hc_status status = HC_OK;
    if (!column->dictionary)
        status = hc_fail(err, HC_BAD_INPUT, "its dictionary '%s' is missing", name);
    else if (column->type != HC_I32)
        status = hc_fail(err, HC_BAD_INPUT, "its codes are not 32-bit integers");
    free(name);
    return status;
}

/* ---- tables ---- */

static enum hc_status scan_column(struct hc_segment *segment, struct hc_stored_table *table,
                                  hid_t group, const char *name, struct hc_error *err)
{
    struct hc_stored_column *column = &table->columns[table->n_columns];
    column->name = hc_copy_text(name, err);
    if (!column->name)
        return err->status;
    column->dataset = H5Dopen2(group, name, H5P_DEFAULT);
    table->n_columns++;
    if (column->dataset < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "it cannot be opened");
    if (hc_dataset_inspect(column->dataset, segment->chunk_file.size, &column->shape, err))
        return err->status;
    const struct hc_dataset_shape *shape = &column->shape;
    if (shape->class == H5T_STRING)
        return hc_fail(err, HC_BAD_INPUT, "it is text, but columns are numbers");
    column->type = shape->class == H5T_FLOAT ? HC_F64 : shape->size == 4 ? HC_I32 : HC_I64;
    if (table->n_columns == 1) {
        table->n_rows = shape->n_rows;
        table->chunk_rows = shape->chunk_rows;
    }
    if (shape->n_rows != table->n_rows || shape->chunk_rows != table->chunk_rows)
        return hc_fail(err, HC_BAD_INPUT,
                       "it has %" PRId64 " rows in chunks of %" PRId64 ", but '%s' has %" PRId64
                       " in chunks of %" PRId64,
                       shape->n_rows, shape->chunk_rows, table->columns[0].name, table->n_rows,
                       table->chunk_rows);
    return find_dictionary(segment, column, err);
}

static enum hc_status scan_columns(struct hc_segment *segment, struct hc_stored_table *table,
                                   hid_t group, struct hc_error *err)
{
    struct name_list list;
    if (list_names(group, table->name, &list, err))
        return err->status;
    table->columns = hc_new_array(list.n, sizeof *table->columns, err);
    if (!table->columns)
        return err->status;
    for (size_t i = 0; i < list.n; i++)
        if (scan_column(segment, table, group, list.names[i], err))
            return hc_context(err, "dataset '/%s/%s'", table->name, list.names[i]);
    return HC_OK;
}

static enum hc_status scan_table(struct hc_segment *segment, const char *name, struct hc_error *err)
{
    struct hc_stored_table *table = &segment->tables[segment->n_tables];
    table->chunk_rows = 1; /* of a table without columns, too: readers divide by it */
    table->name = hc_copy_text(name, err);
    if (!table->name)
        return err->status;
    segment->n_tables++;
    hid_t group = H5Gopen2(segment->file, name, H5P_DEFAULT);
    if (group < 0)
        return hc_hdf5_fail(err, HC_BAD_INPUT, "group '/%s' cannot be opened", name);
    enum hc_status status = scan_columns(segment, table, group, err);
    H5Gclose(group);
    return status;
}

static enum hc_status scan_tables(struct hc_segment *segment, struct hc_error *err)
{
    static const char *const others[] = {HC_JOB_GROUP, HC_PROVENANCE_GROUP, HC_DICTIONARY_GROUP};
    struct name_list list;
    if (list_names(segment->file, "", &list, err))
        return err->status;
    segment->tables = hc_new_array(list.n + 2, sizeof *segment->tables, err);
    if (!segment->tables || scan_table(segment, hc_job_aliases_def.name, err) ||
        scan_table(segment, hc_job_nodes_def.name, err))
        return err->status;
    for (size_t i = 0; i < list.n; i++) {
        bool other = false;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other |= strcmp(list.names[i], others[k]) == 0;
        if (!other && scan_table(segment, list.names[i], err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_segment_scan(struct hc_segment *segment, struct hc_error *err)
{
    if (scan_dictionaries(segment, err) || scan_tables(segment, err))
        return err->status;
    segment->chunks = hc_new_array(MAX_NAMES, sizeof *segment->chunks, err);
    return segment->chunks ? HC_OK : err->status;
}

enum hc_status hc_segment_scan_places(struct hc_segment *segment, struct hc_error *err)
{
    for (size_t t = 0; t < segment->n_tables; t++) {
        const struct hc_stored_table *table = &segment->tables[t];
        for (size_t c = 0; c < table->n_columns; c++) {
            struct hc_stored_column *column = &table->columns[c];
            if (hc_chunk_index_read(&segment->chunk_file, &column->shape, &column->places, err))
                return hc_context(err, "dataset '/%s/%s'", table->name, column->name);
        }
    }
    return HC_OK;
}

void hc_segment_scan_fini(struct hc_segment *segment)
{
    for (size_t i = 0; i < segment->n_tables; i++) {
        struct hc_stored_table *table = &segment->tables[i];
        for (size_t c = 0; c < table->n_columns; c++) {
            free(table->columns[c].name);
            free(table->columns[c].places);
        }
        free(table->columns);
        free(table->name);
    }
    free(segment->tables);
    for (size_t i = 0; i < segment->n_dictionaries; i++)
        hc_dictionary_fini(&segment->dictionaries[i]);
    free(segment->dictionaries);
    for (size_t i = 0; segment->chunks && i < MAX_NAMES; i++)
        free(segment->chunks[i].bytes);
    free(segment->chunks);
}

const struct hc_stored_table *hc_segment_table(const struct hc_segment *segment, const char *name)
{
    for (size_t i = 0; i < segment->n_tables; i++)
        if (strcmp(segment->tables[i].name, name) == 0)
            return &segment->tables[i];
    return NULL;
}

const struct hc_stored_column *hc_stored_column(const struct hc_stored_table *table,
                                                const char *name)
{
    for (size_t i = 0; i < table->n_columns; i++)
        if (strcmp(table->columns[i].name, name) == 0)
            return &table->columns[i];
    return NULL;
}
