#include "store/pack/pack_layout.h"

#include "core/base/memory.h"
#include "core/files/read_at.h"
#include "store/pack/block_sum.h"
#include "store/pack/pack_block.h"
#include "store/pack/pack_copy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ITEM_BYTES sizeof(struct hc_pack_item)
/* Blocks with no more than this between them are fetched by one read: to pass over a page costs
 * less than another call. */
#define GAP_BYTES   4096
#define MOST_WANTED (HC_TABLE_MAX_COLUMNS + HC_MOST_DICTIONARIES)
#define RUN_BYTES   ((size_t)1 << 20)
#define MOST_ABOUT  (1 << 20)

/* A table as the index describes it; names point into the index and end nowhere. */
struct packed_table {
    const uint8_t *description; /* from its name to its last column */
    size_t length;
    size_t n_columns, n_dictionaries;
    const struct hc_table_def *def; /* that was found to be the same; NULL: none yet */
};

struct hc_pack {
    int fd;
    char *name, *about;
    uint64_t data_end; /* where the index begins */
    uint8_t *index;
    size_t index_length;
    size_t n_tables, n_entries;
    struct packed_table *tables;
    struct hc_pack_entry *entries;
    size_t *by_digest; /* entries in order of their SHA-256 */
    uint8_t *buffer;
    size_t buffer_size;
};

void hc_pack_close(struct hc_pack *pack)
{
    if (!pack)
        return;
    close(pack->fd);
    free(pack->name);
    free(pack->about);
    free(pack->index);
    free(pack->tables);
    free(pack->entries);
    free(pack->by_digest);
    free(pack->buffer);
    free(pack);
}

static enum hc_status bad(const struct hc_pack *pack, const char *what, struct hc_error *err)
{
    return hc_fail(err, HC_BAD_INPUT, "'%s' is no whole pack: %s", pack->name, what);
}

static enum hc_status read_at(const struct hc_pack *pack, void *bytes, size_t n, uint64_t at,
                              struct hc_error *err)
{
    ssize_t got = hc_read_at(pack->fd, bytes, n, (off_t)at);
    if (got < 0)
        return hc_fail_errno(err, "cannot read", pack->name);
    return (size_t)got == n ? HC_OK : bad(pack, "it is shorter than it was", err);
}

/* ---- the index ---- */

/* What is left of the index. */
struct cursor {
    const uint8_t *at, *end;
    bool is_short; /* more was asked for than is there */
};

static const uint8_t *take(struct cursor *cursor, size_t n)
{
    const uint8_t *at = cursor->at;
    if ((size_t)(cursor->end - at) < n) {
        cursor->is_short = true;
        return NULL;
    }
    cursor->at += n;
    return at;
}

static uint64_t take_number(struct cursor *cursor, size_t width)
{
    uint64_t value = 0;
    const uint8_t *at = take(cursor, width);
    if (at)
        memcpy(&value, at, width);
    return value;
}

static const char *take_text(struct cursor *cursor, size_t *length)
{
    *length = take_number(cursor, 4);
    return (const char *)take(cursor, *length);
}

/* Whether a text of the index is one of a table that is known. */
static bool take_same(struct cursor *cursor, const char *known)
{
    size_t length;
    const char *text = take_text(cursor, &length);
    return text && strlen(known) == length && memcmp(text, known, length) == 0;
}

static bool is_of(const struct packed_table *table, const struct hc_table_def *def)
{
    struct cursor cursor = {table->description, table->description + table->length, false};
    if (!take_same(&cursor, def->name) || take_number(&cursor, 4) != def->n_columns)
        return false;
    for (size_t c = 0; c < def->n_columns; c++) {
        const struct hc_column_def *column = &def->columns[c];
        if (!take_same(&cursor, column->name) || take_number(&cursor, 1) != column->type ||
            !take_same(&cursor, column->dictionary ? column->dictionary : ""))
            return false;
    }
    return true;
}

/* Whether the dictionary of a column is one that an earlier column names. */
static bool is_named_before(const uint8_t *columns, const uint8_t *end, const char *name,
                            size_t length)
{
    struct cursor cursor = {columns, end, false};
    size_t other;
    while (cursor.at < end && !cursor.is_short) {
        take_text(&cursor, &other);
        take(&cursor, 1);
        const char *text = take_text(&cursor, &other);
        if (text && other == length && memcmp(text, name, length) == 0)
            return true;
    }
    return false;
}

static void parse_table(struct cursor *cursor, struct packed_table *table)
{
    size_t length;
    table->description = cursor->at;
    take_text(cursor, &length);
    table->n_columns = take_number(cursor, 4);
    if (table->n_columns > HC_TABLE_MAX_COLUMNS)
        cursor->is_short = true;
    const uint8_t *columns = cursor->at;
    for (size_t c = 0; c < table->n_columns && !cursor->is_short; c++) {
        const uint8_t *column = cursor->at;
        take_text(cursor, &length);
        take(cursor, 1);
        const char *dictionary = take_text(cursor, &length);
        if (dictionary && length && !is_named_before(columns, column, dictionary, length))
            table->n_dictionaries++;
    }
    table->length = (size_t)(cursor->at - table->description);
    if (table->n_dictionaries > HC_MOST_DICTIONARIES)
        cursor->is_short = true;
}

static enum hc_status parse_tables(struct hc_pack *pack, struct cursor *cursor,
                                   struct hc_error *err)
{
    size_t n = take_number(cursor, 4);
    if (n > pack->index_length / 8)
        return bad(pack, "it has more tables than bytes", err);
    if (!(pack->tables = hc_new_array(n, sizeof *pack->tables, err)))
        return err->status;
    for (; pack->n_tables < n && !cursor->is_short; pack->n_tables++)
        parse_table(cursor, &pack->tables[pack->n_tables]);
    return HC_OK;
}

size_t hc_pack_n_chunks(const struct hc_pack_entry *entry)
{
    return entry->chunk_rows ? (entry->n_rows + entry->chunk_rows - 1) / entry->chunk_rows : 0;
}

static size_t n_items(const struct hc_pack *pack, const struct hc_pack_entry *entry)
{
    const struct packed_table *table = &pack->tables[entry->table];
    return table->n_dictionaries + table->n_columns * hc_pack_n_chunks(entry);
}

static struct hc_pack_item item_at(const struct hc_pack_entry *entry, size_t i)
{
    struct hc_pack_item item;
    memcpy(&item, entry->items + i * ITEM_BYTES, ITEM_BYTES);
    return item;
}

/* All blocks of an entry lie in front of the index. */
static bool lies_within(const struct hc_pack *pack, const struct hc_pack_entry *entry)
{
    uint64_t end = entry->offset;
    for (size_t i = 0; i < n_items(pack, entry) && end <= pack->data_end; i++)
        end += item_at(entry, i).length;
    return entry->offset >= HC_PACK_MAGIC_BYTES && end <= pack->data_end;
}

static enum hc_status parse_entry(struct hc_pack *pack, struct cursor *cursor,
                                  struct hc_pack_entry *entry, struct hc_error *err)
{
    static const char digits[] = "0123456789abcdef";
    const uint8_t *digest = take(cursor, HC_PACK_DIGEST_BYTES);
    for (size_t i = 0; digest && i < HC_PACK_DIGEST_BYTES; i++) {
        entry->sha256[2 * i] = digits[digest[i] >> 4];
        entry->sha256[2 * i + 1] = digits[digest[i] & 15];
    }
    entry->table = take_number(cursor, 4);
    entry->n_rows = take_number(cursor, 8);
    entry->chunk_rows = take_number(cursor, 8);
    entry->offset = take_number(cursor, 8);
    size_t left = (size_t)(cursor->end - cursor->at);
    if (cursor->is_short || entry->table >= pack->n_tables ||
        entry->chunk_rows > HC_PACK_MOST_CHUNK_ROWS || (entry->n_rows && !entry->chunk_rows) ||
        (entry->n_rows && (entry->n_rows - 1) / entry->chunk_rows >= left / ITEM_BYTES))
        return bad(pack, "an entry of its index cannot be", err);
    entry->items = take(cursor, n_items(pack, entry) * ITEM_BYTES);
    if (!entry->items || !lies_within(pack, entry))
        return bad(pack, "its index tells of blocks that it has not", err);
    return HC_OK;
}

static int compare_digests(const void *a, const void *b, void *context)
{
    const struct hc_pack_entry *entries = context;
    const size_t *left = a, *right = b;
    int order = strcmp(entries[*left].sha256, entries[*right].sha256);
    return order ? order : (*left > *right) - (*left < *right);
}

static enum hc_status parse_index(struct hc_pack *pack, struct hc_error *err)
{
    struct cursor cursor = {pack->index, pack->index + pack->index_length, false};
    size_t length;
    const char *about = take_text(&cursor, &length);
    if (length > MOST_ABOUT)
        return bad(pack, "it says too much of itself", err);
    if (about && !(pack->about = hc_new_text(err, "%.*s", (int)length, about)))
        return err->status;
    if (parse_tables(pack, &cursor, err))
        return err->status;
    size_t n = take_number(&cursor, 4);
    if (cursor.is_short || n > pack->index_length / HC_PACK_DIGEST_BYTES)
        return bad(pack, "its index is too short", err);
    if (!(pack->entries = hc_new_array(n, sizeof *pack->entries, err)) ||
        !(pack->by_digest = hc_new_array(n, sizeof *pack->by_digest, err)))
        return err->status;
    for (; pack->n_entries < n; pack->n_entries++) {
        if (parse_entry(pack, &cursor, &pack->entries[pack->n_entries], err))
            return err->status;
        pack->by_digest[pack->n_entries] = pack->n_entries;
    }
    if (cursor.at != cursor.end)
        return bad(pack, "its index is too long", err);
    qsort_r(pack->by_digest, n, sizeof *pack->by_digest, compare_digests, pack->entries);
    return HC_OK;
}

static enum hc_status read_index(struct hc_pack *pack, struct hc_error *err)
{
    struct stat info;
    uint8_t head[HC_PACK_MAGIC_BYTES], tail[HC_PACK_TAIL_BYTES];
    if (fstat(pack->fd, &info))
        return hc_fail_errno(err, "cannot read", pack->name);
    uint64_t size = (uint64_t)info.st_size, length, sum;
    if (!S_ISREG(info.st_mode) || size < sizeof head + sizeof tail)
        return bad(pack, "it is too short for one", err);
    if (read_at(pack, head, sizeof head, 0, err) ||
        read_at(pack, tail, sizeof tail, size - sizeof tail, err))
        return err->status;
    if (!hc_begins_as_pack(head, sizeof head))
        return bad(pack, "it begins as something else", err);
    if (head[HC_PACK_MAGIC_BYTES - 1] != HC_PACK_VERSION)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is a pack of version %d, and this hindcast has %d",
                       pack->name, head[HC_PACK_MAGIC_BYTES - 1], HC_PACK_VERSION);
    memcpy(&length, tail, sizeof length);
    memcpy(&sum, tail + sizeof length, sizeof sum);
    if (memcmp(tail + sizeof length + sizeof sum, hc_pack_magic, HC_PACK_MAGIC_BYTES) != 0 ||
        length > size - sizeof head - sizeof tail)
        return bad(pack, "its end is not there", err);
    pack->data_end = size - sizeof tail - length;
    pack->index_length = length;
    if (!(pack->index = hc_new_array(length, 1, err)) ||
        read_at(pack, pack->index, length, pack->data_end, err))
        return err->status;
    return hc_block_sum(pack->index, length) == sum ? parse_index(pack, err)
                                                    : bad(pack, "its index was changed", err);
}

enum hc_status hc_pack_open(struct hc_pack **pack, int fd, const char *name, struct hc_error *err)
{
    struct hc_pack *new = hc_new_array(1, sizeof *new, err);
    if (!new) {
        close(fd);
        return err->status;
    }
    new->fd = fd;
    if (!(new->name = hc_copy_text(name, err)) || read_index(new, err)) {
        hc_pack_close(new);
        return err->status;
    }
    *pack = new;
    return HC_OK;
}

const char *hc_pack_about(const struct hc_pack *pack)
{
    return pack->about;
}

const struct hc_pack_entry *hc_pack_find(const struct hc_pack *pack, const char *sha256,
                                         const struct hc_table_def *def)
{
    size_t low = 0, high = pack->n_entries;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (strcmp(pack->entries[pack->by_digest[middle]].sha256, sha256) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < pack->n_entries; low++) {
        const struct hc_pack_entry *entry = &pack->entries[pack->by_digest[low]];
        struct packed_table *table = &pack->tables[entry->table];
        if (strcmp(entry->sha256, sha256) != 0)
            return NULL;
        if (table->def == def)
            return entry;
        if (!table->def && is_of(table, def)) {
            table->def = def;
            return entry;
        }
    }
    return NULL;
}

/* ---- blocks ---- */

/* A block that is wanted, and where it is in the buffer. */
struct wanted {
    struct hc_pack_item item;
    uint64_t offset;
    size_t at;
};

static enum hc_status make_room(struct hc_pack *pack, size_t n, struct hc_error *err)
{
    return hc_reserve(&pack->buffer, &pack->buffer_size, n, 1, err);
}

/* Fetch blocks, which are in the order of the file, with as few reads as it takes. */
static enum hc_status fetch(struct hc_pack *pack, struct wanted *wanted, size_t n,
                            struct hc_error *err)
{
    size_t used = 0;
    for (size_t i = 0, end; i < n; i = end) {
        uint64_t from = wanted[i].offset, to = from + wanted[i].item.length;
        for (end = i + 1; end < n && wanted[end].offset - to <= GAP_BYTES; end++)
            to = wanted[end].offset + wanted[end].item.length;
        if (make_room(pack, used + (to - from), err) ||
            read_at(pack, pack->buffer + used, to - from, from, err))
            return err->status;
        for (size_t k = i; k < end; k++)
            wanted[k].at = used + (wanted[k].offset - from);
        used += to - from;
    }
    for (size_t i = 0; i < n; i++)
        if (hc_block_sum(pack->buffer + wanted[i].at, wanted[i].item.length) != wanted[i].item.sum)
            return bad(pack, "a block was changed", err);
    return HC_OK;
}

enum hc_status hc_pack_next_run(struct hc_pack *pack, const struct hc_pack_entry *entry,
                                struct hc_pack_run *run, struct hc_error *err)
{
    size_t n = n_items(pack, entry), length = 0, end = run->next, at = 0;
    if (run->next == 0)
        run->offset = entry->offset;
    for (; end < n && (length == 0 || length + item_at(entry, end).length <= RUN_BYTES); end++)
        length += item_at(entry, end).length;
    if (make_room(pack, length, err) || read_at(pack, pack->buffer, length, run->offset, err))
        return err->status;
    for (size_t i = run->next; i < end; i++) {
        const struct hc_pack_item item = item_at(entry, i);
        if (hc_block_sum(pack->buffer + at, item.length) != item.sum)
            return bad(pack, "a block was changed", err);
        at += item.length;
    }
    *run = (struct hc_pack_run){pack->buffer, length, end, run->offset + length};
    return HC_OK;
}

size_t hc_pack_items_bytes(const struct hc_pack *pack, const struct hc_pack_entry *entry)
{
    return n_items(pack, entry) * ITEM_BYTES;
}

enum hc_status hc_pack_verify(struct hc_pack *pack, struct hc_error *err)
{
    for (size_t i = 0; i < pack->n_entries; i++) {
        struct hc_pack_run run = {.n_bytes = 0};
        do
            if (hc_pack_next_run(pack, &pack->entries[i], &run, err))
                return err->status;
        while (run.n_bytes);
    }
    return HC_OK;
}

/* ---- rows ---- */

static bool is_read(const struct hc_pack_choice *choice, size_t column)
{
    return choice->columns >> column & 1;
}

/* Whether a column that is read has its codes in a dictionary. */
static bool needs_texts(const struct hc_pack_choice *choice, const struct hc_table_def *def,
                        const char *dictionary)
{
    for (size_t c = 0; c < def->n_columns; c++) {
        const char *of_column = def->columns[c].dictionary;
        if (is_read(choice, c) && of_column && strcmp(of_column, dictionary) == 0)
            return true;
    }
    return false;
}

/* What is read of an entry: first the dictionaries, then the columns. */
struct reading {
    const struct hc_table_def *def;
    const char *dictionaries[HC_MOST_DICTIONARIES];
    size_t n_dictionaries;
    size_t n_wanted, n_texts_wanted;
    struct wanted wanted[MOST_WANTED];
    size_t of[MOST_WANTED]; /* which dictionary, or column, it is */
};

/* Go through the blocks up to those of the chunk, and note what is wanted of them. */
static void plan(struct reading *reading, const struct hc_pack_choice *choice, bool with_texts)
{
    const struct hc_pack_entry *entry = choice->entry;
    const struct hc_table_def *def = reading->def;
    size_t n_before = reading->n_dictionaries + choice->chunk * def->n_columns;
    uint64_t offset = entry->offset;
    for (size_t i = 0; i < n_before + def->n_columns; i++) {
        const struct hc_pack_item item = item_at(entry, i);
        bool is_dictionary = i < reading->n_dictionaries;
        bool is_wanted = is_dictionary
                             ? with_texts && needs_texts(choice, def, reading->dictionaries[i])
                             : i >= n_before && is_read(choice, i - n_before);
        if (is_wanted) {
            reading->of[reading->n_wanted] = is_dictionary ? i : i - n_before;
            reading->wanted[reading->n_wanted++] = (struct wanted){item, offset, 0};
            reading->n_texts_wanted += is_dictionary;
        }
        offset += item.length;
    }
}

/* How many texts there are for the codes of a column. */
static size_t texts_of(const struct reading *reading, const struct hc_pack_entry *entry,
                       const char *dictionary)
{
    size_t i = 0;
    while (strcmp(reading->dictionaries[i], dictionary) != 0)
        i++;
    return item_at(entry, i).n_texts;
}

static enum hc_status fill_column(const struct hc_pack *pack, const struct reading *reading,
                                  const struct hc_pack_choice *choice, size_t i,
                                  struct hc_table *rows, struct hc_error *err)
{
    const struct wanted *wanted = &reading->wanted[i];
    const struct hc_column_def *column = &reading->def->columns[reading->of[i]];
    void *values = rows->column[reading->of[i]];
    if (hc_pack_column_decode(pack->buffer + wanted->at, wanted->item.length, column->type, values,
                              rows->n_rows, err))
        return err->status;
    return column->dictionary
               ? hc_pack_check_codes(values, rows->n_rows,
                                     texts_of(reading, choice->entry, column->dictionary), err)
               : HC_OK;
}

static enum hc_status fill_texts(const struct hc_pack *pack, const struct reading *reading,
                                 size_t i, struct hc_table_names *names, struct hc_error *err)
{
    const struct wanted *wanted = &reading->wanted[i];
    struct hc_text_set *set = hc_table_names_find(names, reading->dictionaries[reading->of[i]]);
    return hc_text_set_fill(set, pack->buffer + wanted->at, wanted->item.length,
                            wanted->item.n_texts, err);
}

enum hc_status hc_pack_read(struct hc_pack *pack, const struct hc_pack_choice *choice,
                            struct hc_table *rows, struct hc_table_names *names,
                            struct hc_error *err)
{
    const struct hc_pack_entry *entry = choice->entry;
    struct reading reading = {.def = rows->def};
    uint64_t first = choice->chunk * entry->chunk_rows;
    uint64_t n =
        entry->n_rows - first < entry->chunk_rows ? entry->n_rows - first : entry->chunk_rows;
    if (choice->chunk >= hc_pack_n_chunks(entry) || n > rows->capacity)
        return hc_fail(err, HC_INTERNAL, "'%s' has no such chunk, or there is no room", pack->name);
    reading.n_dictionaries = hc_pack_dictionaries(rows->def, reading.dictionaries);
    plan(&reading, choice, names != NULL);
    if (fetch(pack, reading.wanted, reading.n_wanted, err))
        return err->status;
    rows->n_rows = n;
    for (size_t i = 0; i < reading.n_wanted; i++)
        if (i < reading.n_texts_wanted ? fill_texts(pack, &reading, i, names, err)
                                       : fill_column(pack, &reading, choice, i, rows, err))
            return hc_context(err, "'%s'", pack->name);
    return HC_OK;
}
