#include "store/segment/dictionary.h"

#include "core/base/memory.h"
#include "core/tables/op_type.h"
#include "core/tables/table.h"
#include "store/objects/chunk_index.h"
#include "store/objects/segment_layout.h"
#include "store/segment/column_dataset.h"
#include "store/segment/hdf5_util.h"

#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

/* What a dictionary is written as: chunks of so many strings of that size, the last one padded. */
struct blocks {
    hid_t dataset;
    size_t size, chunk_rows;
    struct hc_codec_pool *pool;
};

static enum hc_status write_block(const struct blocks *to, const char *const *values, size_t n,
                                  int64_t chunk, struct hc_error *err)
{
    struct hc_stored_chunk stored = {0};
    char *block = hc_new_array(to->chunk_rows, to->size, err);
    if (!block)
        return err->status;
    for (size_t i = 0; i < n; i++)
        memcpy(block + i * to->size, values[i], strlen(values[i]));
    enum hc_status status = hc_reserve(&stored.bytes, &stored.capacity,
                                       hc_chunk_bound(to->chunk_rows, to->size), 1, err);
    if (!status) {
        stored.size =
            hc_chunk_encode(&to->pool->codecs[0], block, to->chunk_rows, to->size, stored.bytes);
        status = hc_dataset_write_chunk(to->dataset, chunk, (int64_t)to->chunk_rows, &stored, err);
    }
    free(stored.bytes);
    free(block);
    return status;
}

static enum hc_status write_blocks(const struct blocks *to, const char *const *values, size_t n,
                                   struct hc_error *err)
{
    hsize_t n_rows = n;
    if (n == 0)
        return HC_OK;
    if (H5Dset_extent(to->dataset, &n_rows) < 0)
        return hc_hdf5_fail(err, HC_IO, "cannot extend a dictionary");
    enum hc_status status = hc_codec_pool_reserve(to->pool, to->chunk_rows * to->size, err);
    int64_t chunk = 0;
    for (size_t first = 0; first < n && !status; first += to->chunk_rows) {
        size_t left = n - first;
        status = write_block(to, values + first, left < to->chunk_rows ? left : to->chunk_rows,
                             chunk++, err);
    }
    return status;
}

/* All of them in one chunk, where that is not too large: one long text makes all as long. */
static size_t rows_of_chunk(size_t n, size_t size)
{
    const size_t of_several = (size_t)1 << 23; /* bytes of a chunk */
    return n * size <= (size_t)HC_CHUNK_BYTES_MAX ? n : of_several / size;
}

enum hc_status hc_dictionary_write(hid_t group, const char *name, const char *const *values,
                                   size_t n, struct hc_codec_pool *pool, struct hc_error *err)
{
    size_t size = 1;
    for (size_t i = 0; i < n; i++)
        size = strlen(values[i]) > size ? strlen(values[i]) : size;
    if (size > HC_TEXT_MAX || n > HC_DICTIONARY_MAX)
        return hc_fail(
            err, HC_BAD_INPUT,
            "the names of '%s' (%zu of up to %zu bytes) are more than a segment can hold", name, n,
            size);
    enum hc_status status = HC_OK;
    hid_t dataset = -1, type = hc_hdf5_text_type(size);
    size_t chunk_rows = rows_of_chunk(n ? n : 1, size);
    hid_t properties = hc_dataset_properties(HC_FILL_NONE, (int64_t)chunk_rows, err);
    if (properties >= 0)
        dataset = hc_dataset_create(group, name, type, properties, err);
    if (dataset < 0)
        status = err->status;
    else
        status = write_blocks(&(struct blocks){dataset, size, chunk_rows, pool}, values, n, err);
    if (dataset >= 0)
        H5Dclose(dataset);
    return status;
}

/* ---- reading ---- */

/* Of the texts of a dictionary. */
struct text_space {
    size_t used, capacity;
};

/* Append n fixed-size strings, which need not end in a zero, as terminated ones. */
static enum hc_status unpack(struct hc_dictionary *dictionary, size_t first, const char *block,
                             size_t n, struct text_space *space, struct hc_error *err)
{
    size_t size = dictionary->shape.values.size;
    for (size_t i = 0; i < n; i++) {
        size_t length = strnlen(block + i * size, size);
        if (hc_reserve(&dictionary->text, &space->capacity, space->used + length + 1, 1, err))
            return err->status;
        memcpy(dictionary->text + space->used, block + i * size, length);
        dictionary->text[space->used + length] = '\0';
        dictionary->start[first + i] = space->used;
        space->used += length + 1;
    }
    return HC_OK;
}

/* Read the strings of one chunk after the other. */
static enum hc_status read_blocks(struct hc_dictionary *dictionary, struct hc_segment_file *file,
                                  char *block, struct hc_codec_pool *pool, struct hc_error *err)
{
    const struct hc_dataset_shape *shape = &dictionary->shape;
    struct hc_stored_chunk stored = {0};
    struct hc_chunk_place *places = NULL;
    struct text_space space = {0};
    size_t n = (size_t)shape->chunk_rows, size = shape->values.size;
    enum hc_status status = hc_codec_pool_reserve(pool, n * size, err);
    if (!status)
        status = hc_chunk_index_read(file, shape, &places, err);
    for (size_t first = 0, i = 0; first < dictionary->n && !status; first += n, i++) {
        size_t left = dictionary->n - first;
        status = hc_chunk_read(file, &places[i], (int64_t)i, &stored, err);
        if (status)
            break;
        enum hc_chunk_fault fault =
            hc_chunk_decode(&pool->codecs[0], stored.bytes, stored.size, block, n, size);
        status = fault ? hc_fail(err, HC_BAD_INPUT, "chunk %zu is damaged: %s", i,
                                 hc_chunk_fault_text(fault))
                       : unpack(dictionary, first, block, left < n ? left : n, &space, err);
    }
    free(stored.bytes);
    free(places);
    return status;
}

static bool is_of_op_types(const struct hc_dictionary *dictionary)
{
    return strcmp(dictionary->name, HC_DICTIONARY_OP_TYPE) == 0;
}

static enum hc_status load(struct hc_dictionary *dictionary, struct hc_segment_file *file,
                           struct hc_codec_pool *pool, struct hc_error *err)
{
    const struct hc_dataset_shape *shape = &dictionary->shape;
    char *block = hc_new_array((size_t)shape->chunk_rows, shape->values.size, err);
    dictionary->start = hc_new_array(dictionary->n, sizeof *dictionary->start, err);
    enum hc_status status = block && dictionary->start ? HC_OK : err->status;
    if (!status && dictionary->n)
        status = read_blocks(dictionary, file, block, pool, err);
    free(block);
    return status;
}

enum hc_status hc_dictionary_load(struct hc_dictionary *dictionary, struct hc_segment_file *file,
                                  struct hc_codec_pool *pool, struct hc_error *err)
{
    if (!dictionary->is_loaded && load(dictionary, file, pool, err))
        return hc_context(err, "dataset '/%s/%s'", HC_DICTIONARY_GROUP, dictionary->name);
    dictionary->is_loaded = true;
    return HC_OK;
}

static enum hc_status read_shape(struct hc_dictionary *dictionary, const struct hc_object *dataset,
                                 struct hc_segment_file *file, struct hc_error *err)
{
    struct hc_dataset_shape *shape = &dictionary->shape;
    if (hc_dataset_shape_read(dataset, file, shape, err))
        return err->status;
    if (!shape->values.text || shape->n_rows > (int64_t)HC_DICTIONARY_MAX)
        return hc_fail(err, HC_BAD_INPUT, "it is not a dictionary of strings");
    dictionary->n = dictionary->n_same = (size_t)shape->n_rows;
    return HC_OK;
}

/* What the codes of op types are in this version. */
static enum hc_status find_meanings(struct hc_dictionary *dictionary, struct hc_error *err)
{
    dictionary->meaning = hc_new_array(dictionary->n, sizeof *dictionary->meaning, err);
    if (!dictionary->meaning)
        return err->status;
    dictionary->n_same = 0;
    for (size_t i = 0; i < dictionary->n; i++) {
        const char *text = hc_dictionary_text(dictionary, i);
        dictionary->meaning[i] = hc_op_type_find(text, strlen(text));
        if (dictionary->n_same == i && dictionary->meaning[i] == (int32_t)i)
            dictionary->n_same++;
    }
    return HC_OK;
}

enum hc_status hc_dictionary_read(struct hc_dictionary *dictionary, const struct hc_link *link,
                                  struct hc_segment_file *file, struct hc_codec_pool *pool,
                                  struct hc_error *err)
{
    struct hc_object dataset;
    memset(dictionary, 0, sizeof *dictionary);
    dictionary->name = hc_copy_text(link->name, err);
    if (!dictionary->name)
        return err->status;
    enum hc_status status = hc_object_read(&dataset, file, link->object, err);
    if (!status)
        status = read_shape(dictionary, &dataset, file, err);
    hc_object_fini(&dataset);
    if (status)
        hc_context(err, "dataset '/%s/%s'", HC_DICTIONARY_GROUP, link->name);
    else if (is_of_op_types(dictionary))
        status = hc_dictionary_load(dictionary, file, pool, err) ? err->status
                                                                 : find_meanings(dictionary, err);
    if (status)
        hc_dictionary_fini(dictionary);
    return status;
}

void hc_dictionary_fini(struct hc_dictionary *dictionary)
{
    free(dictionary->name);
    free(dictionary->start);
    free(dictionary->text);
    free(dictionary->meaning);
    memset(dictionary, 0, sizeof *dictionary);
}

const char *hc_dictionary_text(const struct hc_dictionary *dictionary, size_t code)
{
    return dictionary->text + dictionary->start[code];
}

/* ---- codes ---- */

size_t hc_dictionary_check(const struct hc_dictionary *dictionary, const int32_t *codes, size_t n)
{
    uint32_t limit = (uint32_t)dictionary->n;
    int bad = 0;
    for (size_t i = 0; i < n; i++)
        bad |= ((uint32_t)codes[i] >= limit) & (codes[i] != HC_MISSING_I32);
    for (size_t i = 0; bad && i < n; i++)
        if ((uint32_t)codes[i] >= limit && codes[i] != HC_MISSING_I32)
            return i;
    return n;
}

size_t hc_dictionary_translate(const struct hc_dictionary *dictionary, int32_t *codes, size_t n)
{
    if (dictionary->n_same == dictionary->n)
        return n;
    for (size_t i = 0; i < n; i++) {
        if (codes[i] == HC_MISSING_I32)
            continue;
        int32_t meaning = dictionary->meaning[codes[i]];
        if (meaning < 0)
            return i;
        codes[i] = meaning;
    }
    return n;
}
