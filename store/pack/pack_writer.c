#include "store/pack/pack_layout.h"

#include "core/base/memory.h"
#include "store/pack/block_sum.h"
#include "store/pack/pack_block.h"
#include "store/pack/pack_copy.h"

#include <stdlib.h>
#include <string.h>

struct hc_pack_writer {
    FILE *stream;
    uint64_t offset; /* of what is written next */
    size_t n_tables, tables_capacity;
    const struct hc_table_def **tables;
    uint32_t n_entries;
    struct hc_pack_bytes about, entries; /* parts of the index */
    struct hc_pack_bytes block;          /* scratch */
    /* The entry that is being written; table NULL: none. */
    const struct hc_table_def *table;
    uint8_t digest[HC_PACK_DIGEST_BYTES];
    uint64_t n_rows, chunk_rows, entry_offset;
    struct hc_pack_bytes items;
};

static enum hc_status write_bytes(struct hc_pack_writer *writer, const void *bytes, size_t n,
                                  struct hc_error *err)
{
    if (n && fwrite(bytes, 1, n, writer->stream) != n)
        return hc_fail_errno(err, "cannot write", "a pack");
    writer->offset += n;
    return HC_OK;
}

static enum hc_status put_u32(struct hc_pack_bytes *to, uint32_t value, struct hc_error *err)
{
    return hc_pack_bytes_add(to, &value, sizeof value, err);
}

static enum hc_status put_u64(struct hc_pack_bytes *to, uint64_t value, struct hc_error *err)
{
    return hc_pack_bytes_add(to, &value, sizeof value, err);
}

static enum hc_status put_text(struct hc_pack_bytes *to, const char *text, struct hc_error *err)
{
    size_t length = strlen(text);
    return put_u32(to, (uint32_t)length, err) ? err->status
                                              : hc_pack_bytes_add(to, text, length, err);
}

enum hc_status hc_pack_writer_open(struct hc_pack_writer **writer, FILE *stream, const char *about,
                                   struct hc_error *err)
{
    struct hc_pack_writer *new = hc_new_array(1, sizeof *new, err);
    if (!new)
        return err->status;
    new->stream = stream;
    if (put_text(&new->about, about, err) ||
        write_bytes(new, hc_pack_magic, sizeof hc_pack_magic, err)) {
        hc_pack_writer_abort(new);
        return err->status;
    }
    *writer = new;
    return HC_OK;
}

/* Write the block that is in scratch, and note it. */
static enum hc_status write_block(struct hc_pack_writer *writer, size_t n_texts,
                                  struct hc_error *err)
{
    const struct hc_pack_bytes *block = &writer->block;
    const struct hc_pack_item item = {(uint32_t)block->n, (uint32_t)n_texts,
                                      hc_block_sum(block->byte, block->n)};
    if (block->n > UINT32_MAX)
        return hc_fail(err, HC_INTERNAL, "a block of %zu bytes is too large for a pack", block->n);
    return hc_pack_bytes_add(&writer->items, &item, sizeof item, err)
               ? err->status
               : write_bytes(writer, block->byte, block->n, err);
}

/* ---- entries ---- */

static enum hc_status find_table(struct hc_pack_writer *writer, size_t *table, struct hc_error *err)
{
    size_t i = 0;
    while (i < writer->n_tables && writer->tables[i] != writer->table)
        i++;
    if (i == writer->n_tables) {
        if (hc_reserve(&writer->tables, &writer->tables_capacity, i + 1, sizeof *writer->tables,
                       err))
            return err->status;
        writer->tables[writer->n_tables++] = writer->table;
    }
    *table = i;
    return HC_OK;
}

/* Put the entry that is being written into the index. */
static enum hc_status end_entry(struct hc_pack_writer *writer, struct hc_error *err)
{
    struct hc_pack_bytes *to = &writer->entries;
    size_t table = 0;
    if (!writer->table)
        return HC_OK;
    if (find_table(writer, &table, err) ||
        hc_pack_bytes_add(to, writer->digest, sizeof writer->digest, err) ||
        put_u32(to, (uint32_t)table, err) || put_u64(to, writer->n_rows, err) ||
        put_u64(to, writer->chunk_rows, err) || put_u64(to, writer->entry_offset, err) ||
        hc_pack_bytes_add(to, writer->items.byte, writer->items.n, err))
        return err->status;
    writer->n_entries++;
    writer->table = NULL;
    return HC_OK;
}

static unsigned digit_value(char digit)
{
    return digit <= '9' ? (unsigned)(digit - '0') : (unsigned)(digit - 'a') + 10;
}

static enum hc_status begin_entry(struct hc_pack_writer *writer, const char *sha256,
                                  const struct hc_table_def *def, struct hc_error *err)
{
    if (end_entry(writer, err))
        return err->status;
    if (strlen(sha256) != HC_DIGEST_TEXT - 1 || !hc_pack_can_hold(def))
        return hc_fail(err, HC_INTERNAL, "'%s' of '%s' cannot be in a pack", def->name, sha256);
    for (size_t i = 0; i < HC_PACK_DIGEST_BYTES; i++)
        writer->digest[i] =
            (uint8_t)(digit_value(sha256[2 * i]) << 4 | digit_value(sha256[2 * i + 1]));
    writer->table = def;
    writer->n_rows = writer->chunk_rows = 0;
    writer->entry_offset = writer->offset;
    writer->items.n = 0;
    return HC_OK;
}

enum hc_status hc_pack_writer_entry(struct hc_pack_writer *writer, const char *sha256,
                                    const struct hc_table_def *def,
                                    const struct hc_table_names *names, struct hc_error *err)
{
    const char *dictionaries[HC_MOST_DICTIONARIES];
    size_t n = hc_pack_dictionaries(def, dictionaries);
    if (begin_entry(writer, sha256, def, err))
        return err->status;
    for (size_t i = 0; i < n; i++) {
        const struct hc_text_set *set =
            hc_table_names_find((struct hc_table_names *)names, dictionaries[i]);
        writer->block.n = 0;
        if (hc_pack_texts_encode(&writer->block, set, err) || write_block(writer, set->n, err))
            return err->status;
    }
    return HC_OK;
}

enum hc_status hc_pack_writer_rows(struct hc_pack_writer *writer, const struct hc_table *rows,
                                   struct hc_error *err)
{
    const struct hc_table_def *def = writer->table;
    if (writer->chunk_rows == 0)
        writer->chunk_rows = rows->n_rows;
    if (rows->n_rows > writer->chunk_rows || writer->n_rows % writer->chunk_rows)
        return hc_fail(err, HC_INTERNAL, "a chunk of %zu rows does not follow %zu in a pack",
                       rows->n_rows, (size_t)writer->n_rows);
    for (size_t c = 0; c < def->n_columns; c++) {
        writer->block.n = 0;
        if (hc_pack_column_encode(&writer->block, def->columns[c].type, rows->column[c],
                                  rows->n_rows, err) ||
            write_block(writer, 0, err))
            return err->status;
    }
    writer->n_rows += rows->n_rows;
    return HC_OK;
}

enum hc_status hc_pack_writer_copy(struct hc_pack_writer *writer, struct hc_pack *from,
                                   const struct hc_pack_entry *entry,
                                   const struct hc_table_def *def, struct hc_error *err)
{
    struct hc_pack_run run = {.n_bytes = 0};
    if (begin_entry(writer, entry->sha256, def, err))
        return err->status;
    do {
        if (hc_pack_next_run(from, entry, &run, err)) {
            writer->table = NULL; /* what was written of it is in no index */
            return err->status;
        }
        if (write_bytes(writer, run.bytes, run.n_bytes, err))
            return err->status;
    } while (run.n_bytes);
    writer->n_rows = entry->n_rows;
    writer->chunk_rows = entry->chunk_rows;
    return hc_pack_bytes_add(&writer->items, entry->items, hc_pack_items_bytes(from, entry), err);
}

/* ---- the end ---- */

static enum hc_status put_tables(const struct hc_pack_writer *writer, struct hc_pack_bytes *index,
                                 struct hc_error *err)
{
    if (put_u32(index, (uint32_t)writer->n_tables, err))
        return err->status;
    for (size_t t = 0; t < writer->n_tables; t++) {
        const struct hc_table_def *def = writer->tables[t];
        if (put_text(index, def->name, err) || put_u32(index, (uint32_t)def->n_columns, err))
            return err->status;
        for (size_t c = 0; c < def->n_columns; c++) {
            const struct hc_column_def *column = &def->columns[c];
            const uint8_t type = (uint8_t)column->type;
            if (put_text(index, column->name, err) ||
                hc_pack_bytes_add(index, &type, sizeof type, err) ||
                put_text(index, column->dictionary ? column->dictionary : "", err))
                return err->status;
        }
    }
    return HC_OK;
}

static enum hc_status write_index(struct hc_pack_writer *writer, struct hc_error *err)
{
    struct hc_pack_bytes *index = &writer->about;
    if (end_entry(writer, err) || put_tables(writer, index, err) ||
        put_u32(index, writer->n_entries, err) ||
        hc_pack_bytes_add(index, writer->entries.byte, writer->entries.n, err))
        return err->status;
    uint64_t tail[2] = {index->n, hc_block_sum(index->byte, index->n)};
    if (write_bytes(writer, index->byte, index->n, err) ||
        write_bytes(writer, tail, sizeof tail, err) ||
        write_bytes(writer, hc_pack_magic, sizeof hc_pack_magic, err))
        return err->status;
    return fflush(writer->stream) ? hc_fail_errno(err, "cannot write", "a pack") : HC_OK;
}

enum hc_status hc_pack_writer_close(struct hc_pack_writer *writer, struct hc_error *err)
{
    enum hc_status status = write_index(writer, err);
    hc_pack_writer_abort(writer);
    return status;
}

void hc_pack_writer_abort(struct hc_pack_writer *writer)
{
    if (!writer)
        return;
    free(writer->tables);
    free(writer->about.byte);
    free(writer->entries.byte);
    free(writer->block.byte);
    free(writer->items.byte);
    free(writer);
}
