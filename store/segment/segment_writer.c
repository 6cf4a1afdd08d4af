#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "store/codec/chunk_codec.h"
#include "store/objects/segment_layout.h"
#include "store/segment/column_chunks.h"
#include "store/segment/column_dataset.h"
#include "store/segment/dictionary.h"
#include "store/segment/extension_times.h"
#include "store/segment/hdf5_util.h"
#include "store/segment/segment.h"
#include "store/segment/segment_meta.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MAX_TABLES 16
#define MAX_NAMES  16 /* dictionaries given by the caller */

/* A table of the segment, and the rows of it that do not fill a chunk yet. */
struct writer_table {
    const struct hc_table_def *def;
    struct hc_table rows; /* room for a chunk, or a smaller table that was given */
    int64_t n_chunks;     /* written; the datasets exist when there are any */
    int64_t chunk_rows;   /* set by the first chunk */
    hid_t datasets[HC_TABLE_MAX_COLUMNS];
    struct hc_stored_chunk stored[HC_TABLE_MAX_COLUMNS];
};

struct hc_segment_writer {
    char *path;
    hid_t file;
    size_t n_tables;
    struct writer_table *tables[MAX_TABLES];
    struct hc_codec_pool pool;
    size_t most_rows;                 /* of a chunk */
    const struct hc_name_list *names; /* dictionary of the job list being written */
    size_t n_switches;                /* entries of the dictionary of switches */
    size_t n_sets;
    struct {
        const char *name;
        const struct hc_text_set *set;
    } sets[MAX_NAMES];
};

/* ---- opening ---- */

/* The main table is named where its name is not the first, which is the one without a name. */
static enum hc_status write_main_table(const struct hc_segment_writer *writer, const char *table,
                                       struct hc_error *err)
{
    const char *first = NULL;
    bool is_there = false;
    for (size_t i = 0; i < writer->n_tables; i++) {
        const char *name = writer->tables[i]->def->name;
        if (hc_is_job_list(name))
            continue;
        is_there |= table && strcmp(name, table) == 0;
        if (!first || strcmp(name, first) < 0)
            first = name;
    }
    if (!table || !first || strcmp(table, first) == 0)
        return HC_OK;
    if (!is_there)
        return hc_fail(err, HC_INTERNAL, "no row was given of its main table '%s'", table);
    return hc_attribute_write_text(writer->file, HC_ATTRIBUTE_TABLE, table, err);
}

static enum hc_status write_root(const struct hc_segment_writer *writer, const char *tool_version,
                                 int minor, struct hc_error *err)
{
    hid_t file = writer->file;
    for (size_t i = 0; i < writer->n_tables; i++)
        if (writer->tables[i]->def->minor > minor)
            minor = writer->tables[i]->def->minor;
    if (hc_attribute_write_text(file, HC_ATTRIBUTE_SCHEMA, HC_SEGMENT_SCHEMA, err) ||
        hc_attribute_write_int(file, HC_ATTRIBUTE_MAJOR, H5T_STD_I32LE, HC_SEGMENT_SCHEMA_MAJOR,
                               err) ||
        hc_attribute_write_int(file, HC_ATTRIBUTE_MINOR, H5T_STD_I32LE, minor, err))
        return err->status;
    return hc_attribute_write_text(file, HC_ATTRIBUTE_TOOL, tool_version, err);
}

enum hc_status hc_segment_writer_open(struct hc_segment_writer **writer, const char *path,
                                      bool is_small, struct hc_error *err)
{
    struct hc_segment_writer *new = hc_new_array(1, sizeof *new, err);
    if (!new)
        return err->status;
    new->file = -1;
    new->pool.writing = true;
    new->most_rows = HC_SEGMENT_CHUNK_ROWS;
    new->path = hc_copy_text(path, err);
    if (new->path) {
        hc_hdf5_lock();
        new->file = hc_hdf5_create(path, is_small, err);
        hc_hdf5_unlock();
    }
    if (new->file < 0) {
        free(new->path);
        free(new);
        return err->status;
    }
    *writer = new;
    return HC_OK;
}

void hc_segment_writer_set_chunk(struct hc_segment_writer *writer, size_t most_rows)
{
    writer->most_rows = most_rows;
}

/* ---- columns ---- */

static enum hc_status write_column_attributes(hid_t dataset, const struct hc_column_def *column,
                                              struct hc_error *err)
{
    union hc_value missing = hc_missing_value(column->type);
    hid_t type = hc_file_type(column->type);
    if (hc_attribute_write(dataset, HC_ATTRIBUTE_MISSING, type, type, &missing, err) ||
        hc_attribute_write_text(dataset, HC_ATTRIBUTE_UNIT, column->unit, err) ||
        hc_attribute_write_text(dataset, HC_ATTRIBUTE_DESCRIPTION, column->description, err))
        return err->status;
    if (!column->dictionary)
        return HC_OK;
    return hc_attribute_write_text(dataset, HC_ATTRIBUTE_DICTIONARY, column->dictionary, err);
}

static enum hc_status create_columns(struct writer_table *table, hid_t group, int64_t chunk_rows,
                                     struct hc_error *err)
{
    for (size_t i = 0; i < table->def->n_columns; i++) {
        const struct hc_column_def *column = &table->def->columns[i];
        hid_t properties = hc_dataset_properties((int)column->type, chunk_rows, err);
        if (properties < 0)
            return err->status;
        table->datasets[i] =
            hc_dataset_create(group, column->name, hc_file_type(column->type), properties, err);
        if (table->datasets[i] < 0 || write_column_attributes(table->datasets[i], column, err))
            return err->status;
    }
    table->chunk_rows = chunk_rows;
    return HC_OK;
}

/* Make the group of a table and its columns, with chunks of chunk_rows. */
static enum hc_status create_table(struct hc_segment_writer *writer, struct writer_table *table,
                                   int64_t chunk_rows, struct hc_error *err)
{
    struct hc_link_room links = {0};
    for (size_t c = 0; c < table->def->n_columns; c++)
        hc_link_room_add(&links, table->def->columns[c].name);
    hc_hdf5_lock();
    hid_t group = hc_hdf5_create_group(writer->file, table->def->name, &links, err);
    enum hc_status status = group < 0 ? err->status : create_columns(table, group, chunk_rows, err);
    if (group >= 0)
        H5Gclose(group);
    hc_hdf5_unlock();
    return status;
}

/* ---- chunks ---- */

/* How many codes the dictionary of a column has. */
static size_t dictionary_size(const struct hc_segment_writer *writer,
                              const struct hc_column_def *column)
{
    if (strcmp(column->dictionary, HC_DICTIONARY_OP_TYPE) == 0)
        return HC_N_OP_TYPES;
    for (size_t i = 0; i < writer->n_sets; i++)
        if (strcmp(column->dictionary, writer->sets[i].name) == 0)
            return writer->sets[i].set->n;
    if (strcmp(column->dictionary, HC_DICTIONARY_SWITCH) == 0)
        return writer->n_switches;
    return writer->names ? writer->names->n : 0;
}

/* No code may go to disk that its dictionary does not have. */
static enum hc_status check_codes(const struct hc_segment_writer *writer,
                                  const struct writer_table *table, struct hc_error *err)
{
    for (size_t c = 0; c < table->def->n_columns; c++) {
        const struct hc_column_def *column = &table->def->columns[c];
        if (!column->dictionary)
            continue;
        struct hc_dictionary dictionary = {.n = dictionary_size(writer, column)};
        const int32_t *codes = hc_table_i32(&table->rows, c);
        size_t bad = hc_dictionary_check(&dictionary, codes, table->rows.n_rows);
        if (bad < table->rows.n_rows)
            return hc_fail(err, HC_INTERNAL,
                           "row %" PRId64 " of '%s/%s': %d is not a code of dictionary '%s'",
                           table->n_chunks * table->chunk_rows + (int64_t)bad, table->def->name,
                           column->name, (int)codes[bad], column->dictionary);
    }
    return HC_OK;
}

static enum hc_status store_chunk(struct writer_table *table, struct hc_error *err)
{
    hsize_t n_rows = (hsize_t)(table->n_chunks * table->chunk_rows) + table->rows.n_rows;
    for (size_t c = 0; c < table->def->n_columns; c++) {
        enum hc_status status = HC_OK;
        if (H5Dset_extent(table->datasets[c], &n_rows) < 0)
            status = hc_hdf5_fail(err, HC_IO, "cannot extend it");
        else
            status = hc_dataset_write_chunk(table->datasets[c], table->n_chunks, table->chunk_rows,
                                            &table->stored[c], err);
        if (status)
            return hc_context(err, "dataset '/%s/%s'", table->def->name,
                              table->def->columns[c].name);
    }
    table->n_chunks++;
    table->rows.n_rows = 0;
    return HC_OK;
}

/* Write the rows at hand as one chunk. */
static enum hc_status flush_rows(struct hc_segment_writer *writer, struct writer_table *table,
                                 struct hc_error *err)
{
    int64_t n = (int64_t)table->rows.n_rows;
    if (check_codes(writer, table, err))
        return err->status;
    if (!table->chunk_rows && create_table(writer, table, n ? n : 1, err))
        return err->status;
    if (n == 0)
        return HC_OK;
    if (hc_column_chunks_encode(&writer->pool, &table->rows, (size_t)table->chunk_rows,
                                table->stored, err))
        return err->status;
    hc_hdf5_lock();
    enum hc_status status = store_chunk(table, err);
    hc_hdf5_unlock();
    return status;
}

/* ---- appending ---- */

static void free_table(struct writer_table *table)
{
    hc_table_fini(&table->rows);
    for (size_t c = 0; c < HC_TABLE_MAX_COLUMNS; c++)
        free(table->stored[c].bytes);
    free(table);
}

/* The table of that def, or NULL. */
static struct writer_table *find_table(const struct hc_segment_writer *writer,
                                       const struct hc_table_def *def)
{
    for (size_t i = 0; i < writer->n_tables; i++)
        if (writer->tables[i]->def == def)
            return writer->tables[i];
    return NULL;
}

/* A table without room for rows. */
static enum hc_status add_table(struct hc_segment_writer *writer, const struct hc_table_def *def,
                                struct writer_table **added, struct hc_error *err)
{
    if (writer->n_tables == MAX_TABLES)
        return hc_fail(err, HC_INTERNAL, "a segment has at most %d tables", MAX_TABLES);
    struct writer_table *table = hc_new_array(1, sizeof *table, err);
    if (!table)
        return err->status;
    table->def = def;
    for (size_t c = 0; c < HC_TABLE_MAX_COLUMNS; c++)
        table->datasets[c] = -1;
    table->rows.def = def;
    writer->tables[writer->n_tables++] = *added = table;
    return HC_OK;
}

/* The table of that def, which is made where there is none, with room for a chunk. */
static enum hc_status need_table(struct hc_segment_writer *writer, const struct hc_table_def *def,
                                 struct writer_table **table, struct hc_error *err)
{
    *table = find_table(writer, def);
    if (!*table && add_table(writer, def, table, err))
        return err->status;
    struct hc_table *rows = &(*table)->rows, wider;
    if (rows->capacity >= writer->most_rows)
        return HC_OK;
    if (hc_table_init(&wider, def, writer->most_rows, err))
        return err->status;
    hc_table_append(&wider, rows, 0, rows->n_rows);
    hc_table_fini(rows);
    *rows = wider;
    return HC_OK;
}

enum hc_status hc_segment_writer_append(struct hc_segment_writer *writer,
                                        const struct hc_table *table, struct hc_error *err)
{
    struct writer_table *to = NULL;
    if (need_table(writer, table->def, &to, err))
        return err->status;
    for (size_t first = 0, n; first < table->n_rows; first += n) {
        n = writer->most_rows - to->rows.n_rows;
        if (n > table->n_rows - first)
            n = table->n_rows - first;
        hc_table_append(&to->rows, table, first, n);
        if (to->rows.n_rows == writer->most_rows && flush_rows(writer, to, err))
            return hc_context(err, "'%s'", writer->path);
    }
    return HC_OK;
}

enum hc_status hc_segment_writer_take(struct hc_segment_writer *writer, struct hc_table *table,
                                      struct hc_error *err)
{
    const struct hc_table_def *def = table->def;
    struct writer_table *to = NULL;
    if (table->n_rows > writer->most_rows || find_table(writer, def)) {
        enum hc_status status = hc_segment_writer_append(writer, table, err);
        hc_table_fini(table);
        return status;
    }
    if (add_table(writer, def, &to, err))
        return err->status;
    to->rows = *table;
    *table = (struct hc_table){0};
    return HC_OK;
}

enum hc_status hc_segment_writer_counts(const struct hc_segment_writer *writer,
                                        struct hc_table_counts *counts, struct hc_error *err)
{
    for (size_t i = 0; i < writer->n_tables; i++) {
        const struct writer_table *table = writer->tables[i];
        int64_t n_rows = table->n_chunks * table->chunk_rows + (int64_t)table->rows.n_rows;
        if (!hc_is_job_list(table->def->name) &&
            hc_table_counts_set(counts, table->def->name, n_rows, err)) {
            hc_table_counts_fini(counts);
            return err->status;
        }
    }
    return HC_OK;
}

/* ---- closing ---- */

static enum hc_status write_dictionary(struct hc_segment_writer *writer, hid_t group,
                                       const char *name, const struct hc_name_list *names,
                                       struct hc_error *err)
{
    hc_hdf5_lock();
    enum hc_status status =
        hc_dictionary_write(group, name, names->names, names->n, &writer->pool, err);
    hc_hdf5_unlock();
    return status ? hc_context(err, "dataset '/%s/%s'", HC_DICTIONARY_GROUP, name) : HC_OK;
}

/* A list of the job: its names as a dictionary, its rows as a table. */
static enum hc_status write_list(struct hc_segment_writer *writer, hid_t dictionaries,
                                 const struct hc_job *job, const struct hc_table_def *def,
                                 struct hc_error *err)
{
    struct hc_name_list names = {0};
    struct hc_table rows = {0};
    if (hc_job_list_table(job, def, &names, &rows, err))
        return err->status;
    writer->names = &names;
    struct writer_table *table = NULL;
    enum hc_status status =
        write_dictionary(writer, dictionaries, def->columns[0].dictionary, &names, err);
    if (!status)
        status = need_table(writer, def, &table, err);
    if (!status)
        status = hc_segment_writer_append(writer, &rows, err);
    if (!status)
        status = flush_rows(writer, table, err);
    writer->names = NULL;
    free(names.names);
    hc_table_fini(&rows);
    return status;
}

static enum hc_status write_switches(struct hc_segment_writer *writer, hid_t dictionaries,
                                     const struct hc_job *job, struct hc_error *err)
{
    const struct hc_name_list names = {.n = job->n_switches, .names = (const char **)job->switches};
    writer->n_switches = job->n_switches;
    return write_dictionary(writer, dictionaries, HC_DICTIONARY_SWITCH, &names, err);
}

static bool is_written(const struct hc_job_list *list, const struct hc_job *job)
{
    return !list->is_optional || hc_job_list_length(job, list->def) > 0;
}

static enum hc_status write_lists(struct hc_segment_writer *writer, hid_t dictionaries,
                                  const struct hc_job *job, struct hc_error *err)
{
    if (job->n_switched && write_switches(writer, dictionaries, job, err))
        return err->status;
    for (size_t i = 0; i < HC_N_JOB_LISTS; i++) {
        const struct hc_job_list *list = &hc_job_lists[i];
        if (is_written(list, job) && write_list(writer, dictionaries, job, list->def, err))
            return err->status;
    }
    return HC_OK;
}

static enum hc_status write_op_types(struct hc_segment_writer *writer, hid_t dictionaries,
                                     struct hc_error *err)
{
    const char *text[HC_N_OP_TYPES];
    for (int type = 0; type < HC_N_OP_TYPES; type++)
        text[type] = hc_op_type_name(type);
    struct hc_name_list names = {.n = HC_N_OP_TYPES, .names = text};
    return write_dictionary(writer, dictionaries, HC_DICTIONARY_OP_TYPE, &names, err);
}

static enum hc_status write_sets(struct hc_segment_writer *writer, hid_t dictionaries,
                                 struct hc_error *err)
{
    for (size_t i = 0; i < writer->n_sets; i++) {
        const struct hc_text_set *set = writer->sets[i].set;
        const struct hc_name_list names = {.n = set->n, .names = (const char **)set->text};
        if (write_dictionary(writer, dictionaries, writer->sets[i].name, &names, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_segment_writer_names(struct hc_segment_writer *writer, const char *dictionary,
                                       const struct hc_text_set *set, struct hc_error *err)
{
    if (writer->n_sets == MAX_NAMES)
        return hc_fail(err, HC_INTERNAL, "a segment has at most %d dictionaries", MAX_NAMES);
    writer->sets[writer->n_sets].name = dictionary;
    writer->sets[writer->n_sets++].set = set;
    return HC_OK;
}

/* The groups /job and /provenance and the attributes of the root. */
static enum hc_status write_groups(struct hc_segment_writer *writer, const struct hc_job *job,
                                   const struct hc_provenance *provenance, struct hc_error *err)
{
    const char *tool = provenance->tool_version ? provenance->tool_version : HC_VERSION;
    enum hc_status status = HC_OK;
    hc_hdf5_lock();
    hid_t job_group = hc_hdf5_create_group(writer->file, HC_JOB_GROUP, NULL, err), other = -1;
    if (job_group >= 0)
        other = hc_hdf5_create_group(writer->file, HC_PROVENANCE_GROUP, NULL, err);
    if (other < 0 || hc_job_write(job_group, job, err) ||
        hc_provenance_write(other, provenance, err) ||
        write_root(writer, tool, hc_job_minor(job), err) ||
        write_main_table(writer, provenance->table, err))
        status = err->status;
    if (job_group >= 0)
        H5Gclose(job_group);
    if (other >= 0)
        H5Gclose(other);
    hc_hdf5_unlock();
    return status;
}

static struct hc_link_room room_of_dictionaries(const struct hc_segment_writer *writer,
                                                const struct hc_job *job)
{
    struct hc_link_room room = {0};
    hc_link_room_add(&room, HC_DICTIONARY_OP_TYPE);
    if (job->n_switched)
        hc_link_room_add(&room, HC_DICTIONARY_SWITCH);
    for (size_t i = 0; i < HC_N_JOB_LISTS; i++)
        if (is_written(&hc_job_lists[i], job))
            hc_link_room_add(&room, hc_job_lists[i].def->columns[0].dictionary);
    for (size_t i = 0; i < writer->n_sets; i++)
        hc_link_room_add(&room, writer->sets[i].name);
    return room;
}

static enum hc_status write_dictionaries(struct hc_segment_writer *writer, const struct hc_job *job,
                                         struct hc_error *err)
{
    const struct hc_link_room room = room_of_dictionaries(writer, job);
    hc_hdf5_lock();
    hid_t group = hc_hdf5_create_group(writer->file, HC_DICTIONARY_GROUP, &room, err);
    hc_hdf5_unlock();
    if (group < 0 || write_op_types(writer, group, err) || write_lists(writer, group, job, err) ||
        write_sets(writer, group, err))
        return err->status;
    hc_hdf5_lock();
    H5Gclose(group);
    hc_hdf5_unlock();
    return HC_OK;
}

static enum hc_status finish(struct hc_segment_writer *writer, const struct hc_job *job,
                             const struct hc_provenance *provenance, struct hc_error *err)
{
    for (size_t i = 0; i < writer->n_tables; i++) {
        struct writer_table *table = writer->tables[i];
        if ((table->rows.n_rows || !table->chunk_rows) && flush_rows(writer, table, err))
            return err->status;
    }
    if (write_groups(writer, job, provenance, err))
        return err->status;
    return write_dictionaries(writer, job, err);
}

/* fclose_degree is strong: datasets and groups that are open go with the file. */
static enum hc_status close_file(struct hc_segment_writer *writer, struct hc_error *err)
{
    enum hc_status status = HC_OK;
    hc_hdf5_lock();
    if (writer->file >= 0 && H5Fclose(writer->file) < 0)
        status = hc_hdf5_fail(err, HC_IO, "cannot finish it");
    writer->file = -1;
    hc_hdf5_unlock();
    return status;
}

/* The system begins to write the file out, so that the wait of who syncs it is short. */
static enum hc_status complete_file(const char *path, struct hc_error *err)
{
    int fd = open(path, O_RDWR | O_CLOEXEC);
    if (fd < 0)
        return hc_fail_errno(err, "cannot complete", path);
    enum hc_status status = hc_extension_times_clear(fd, path, err);
    sync_file_range(fd, 0, 0, SYNC_FILE_RANGE_WRITE); /* syncing tells what fails */
    close(fd);
    return status;
}

static void free_writer(struct hc_segment_writer *writer)
{
    for (size_t i = 0; i < writer->n_tables; i++)
        free_table(writer->tables[i]);
    hc_codec_pool_fini(&writer->pool);
    free(writer->path);
    free(writer);
}

enum hc_status hc_segment_writer_close(struct hc_segment_writer *writer, const struct hc_job *job,
                                       const struct hc_provenance *provenance, struct hc_error *err)
{
    enum hc_status status = finish(writer, job, provenance, err);
    if (!status)
        status = close_file(writer, err);
    if (status)
        hc_context(err, "'%s'", writer->path);
    else
        status = complete_file(writer->path, err);
    if (status) {
        hc_segment_writer_abort(writer);
        return status;
    }
    free_writer(writer);
    return HC_OK;
}

void hc_segment_writer_abort(struct hc_segment_writer *writer)
{
    struct hc_error ignored;
    if (!writer)
        return;
    close_file(writer, &ignored);
    unlink(writer->path);
    free_writer(writer);
}
