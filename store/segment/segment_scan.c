#include "store/segment/segment_scan.h"

#include "core/base/memory.h"
#include "store/objects/object_attribute.h"
#include "store/objects/segment_layout.h"
#include "store/segment/segment_meta.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- dictionaries ---- */

static enum hc_status read_dictionaries(struct hc_segment *segment,
                                        const struct hc_link_list *links, struct hc_error *err)
{
    segment->dictionaries = hc_new_array(links->n, sizeof *segment->dictionaries, err);
    if (!segment->dictionaries)
        return err->status;
    for (size_t i = 0; i < links->n; i++) {
        if (hc_dictionary_read(&segment->dictionaries[i], &links->links[i], &segment->file,
                               &segment->pool, err))
            return err->status;
        segment->n_dictionaries++;
    }
    return HC_OK;
}

static enum hc_status scan_dictionaries(struct hc_segment *segment, const struct hc_link_list *root,
                                        struct hc_error *err)
{
    struct hc_object group;
    struct hc_link_list links;
    enum hc_status status =
        hc_group_read(&group, &segment->file, hc_link_find(root, HC_DICTIONARY_GROUP), &links, err);
    hc_object_fini(&group);
    if (status)
        return hc_context(err, "group '/%s'", HC_DICTIONARY_GROUP);
    return read_dictionaries(segment, &links, err);
}

static enum hc_status find_dictionary(const struct hc_segment *segment,
                                      struct hc_stored_column *column,
                                      const struct hc_object *dataset, struct hc_error *err)
{
    char *name = NULL;
    if (!hc_attribute_exists(dataset, HC_ATTRIBUTE_DICTIONARY))
        return HC_OK;
    if (hc_attribute_read_text(dataset, HC_ATTRIBUTE_DICTIONARY, &name, err))
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

static enum hc_status check_rows(struct hc_stored_table *table,
                                 const struct hc_dataset_shape *shape, struct hc_error *err)
{
    if (table->n_columns == 1) {
        table->n_rows = shape->n_rows;
        table->chunk_rows = shape->chunk_rows;
    }
    if (shape->n_rows == table->n_rows && shape->chunk_rows == table->chunk_rows)
        return HC_OK;
    return hc_fail(err, HC_BAD_INPUT,
                   "it has %" PRId64 " rows in chunks of %" PRId64 ", but '%s' has %" PRId64
                   " in chunks of %" PRId64,
                   shape->n_rows, shape->chunk_rows, table->columns[0].name, table->n_rows,
                   table->chunk_rows);
}

static enum hc_status scan_dataset(struct hc_segment *segment, struct hc_stored_table *table,
                                   struct hc_stored_column *column, const struct hc_object *dataset,
                                   struct hc_error *err)
{
    struct hc_dataset_shape *shape = &column->shape;
    if (hc_dataset_shape_read(dataset, &segment->file, shape, err))
        return err->status;
    if (shape->values.text)
        return hc_fail(err, HC_BAD_INPUT, "it is text, but columns are numbers");
    column->type = shape->values.type;
    if (check_rows(table, shape, err) || find_dictionary(segment, column, dataset, err))
        return err->status;
    return hc_chunk_index_read(&segment->file, shape, &column->places, err);
}

static enum hc_status scan_column(struct hc_segment *segment, struct hc_stored_table *table,
                                  const struct hc_link *link, struct hc_error *err)
{
    struct hc_object dataset;
    struct hc_stored_column *column = &table->columns[table->n_columns];
    column->name = hc_copy_text(link->name, err);
    if (!column->name)
        return err->status;
    table->n_columns++;
    enum hc_status status = hc_object_read(&dataset, &segment->file, link->object, err);
    if (!status)
        status = scan_dataset(segment, table, column, &dataset, err);
    hc_object_fini(&dataset);
    return status ? hc_context(err, "dataset '/%s/%s'", table->name, link->name) : HC_OK;
}

/* The table of that name, whose group the link leads to. */
static enum hc_status scan_table(struct hc_segment *segment, const char *name,
                                 const struct hc_link *link, struct hc_error *err)
{
    struct hc_object group;
    struct hc_link_list links;
    struct hc_stored_table *table = &segment->tables[segment->n_tables];
    table->chunk_rows = 1; /* of a table without columns, too: readers divide by it */
    table->name = hc_copy_text(name, err);
    if (!table->name)
        return err->status;
    segment->n_tables++;
    enum hc_status status = hc_group_read(&group, &segment->file, link, &links, err);
    hc_object_fini(&group);
    if (status)
        return hc_context(err, "group '/%s'", name);
    table->columns = hc_new_array(links.n, sizeof *table->columns, err);
    if (!table->columns)
        return err->status;
    for (size_t i = 0; !status && i < links.n; i++)
        status = scan_column(segment, table, &links.links[i], err);
    return status;
}

/* "nodes" of the table "job/nodes". */
static const struct hc_link *find_list(const struct hc_link_list *job,
                                       const struct hc_table_def *def)
{
    return hc_link_find(job, def->name + strlen(HC_JOB_GROUP "/"));
}

static enum hc_status scan_tables(struct hc_segment *segment, const struct hc_link_list *root,
                                  const struct hc_link_list *job, struct hc_error *err)
{
    static const char *const others[] = {HC_JOB_GROUP, HC_PROVENANCE_GROUP, HC_DICTIONARY_GROUP};
    segment->tables = hc_new_array(root->n + HC_N_JOB_LISTS, sizeof *segment->tables, err);
    if (!segment->tables)
        return err->status;
    for (size_t i = 0; i < HC_N_JOB_LISTS; i++) {
        const struct hc_table_def *def = hc_job_lists[i].def;
        const struct hc_link *link = find_list(job, def);
        if ((link || !hc_job_lists[i].is_optional) && scan_table(segment, def->name, link, err))
            return err->status;
    }
    for (size_t i = 0; i < root->n; i++) {
        const struct hc_link *link = &root->links[i];
        bool other = false;
        for (size_t k = 0; k < sizeof others / sizeof *others; k++)
            other |= strcmp(link->name, others[k]) == 0;
        if (!other && scan_table(segment, link->name, link, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_segment_scan(struct hc_segment *segment, const struct hc_link_list *root,
                               const struct hc_link_list *job, struct hc_error *err)
{
    if (scan_dictionaries(segment, root, err) || scan_tables(segment, root, job, err))
        return err->status;
    segment->chunks = hc_new_array(HC_MAX_LINKS, sizeof *segment->chunks, err);
    return segment->chunks ? HC_OK : err->status;
}

enum hc_status hc_segment_load_dictionary(struct hc_segment *segment,
                                          struct hc_dictionary *dictionary, struct hc_error *err)
{
    if (hc_dictionary_load(dictionary, &segment->file, &segment->pool, err))
        return hc_context(err, "'%s'", segment->path);
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
    for (size_t i = 0; segment->chunks && i < HC_MAX_LINKS; i++)
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
