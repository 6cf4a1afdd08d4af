/* manifest.json as text: reading, also what hindcast 0.1 wrote, and writing. */
#include "core/base/memory.h"
#include "core/base/missing.h"
#include "core/text/text_stream.h"
#include "store/archive/manifest.h"
#include "store/archive/manifest_fields.h"
#include "store/archive/segment_name.h"
#include "store/folder/folder.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define SCHEMA "hindcast-archive"
#define MAJOR  2
#define MINOR  1 /* 0, as before 0.2, where no segment is of one rank */

/* What hindcast 0.1 wrote, which is read and replaced by 2.0 with the next publication: 1.0, or 1.1
 * where there are incidents. */
#define OLD_MAJOR 1
#define OLD_MINOR 1

/* ---- reading ---- */

struct version {
    bool is_old;   /* as hindcast 0.1 wrote it */
    bool is_newer; /* than this hindcast writes: it may have keys that are not known here */
};

static struct version version_of(json_int_t major, json_int_t minor)
{
    return (struct version){
        .is_old = major == OLD_MAJOR,
        .is_newer = major > MAJOR || minor > (major == MAJOR ? MINOR : OLD_MINOR),
    };
}

static enum hc_status read_text(const struct hc_manifest_field *field, const json_t *value,
                                char *base, struct hc_error *err)
{
    const char *text = json_string_value(value);
    if (!text)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a string", field->key);
    if (field->kind == HC_FIELD_FILE_NAME && !hc_is_segment_file(text))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is '%.200s', which is not a file in %s/",
                       field->key, text, HC_SEGMENT_DIRECTORY);
    if (hc_field_is_text(field->kind)) {
        char *copy = hc_copy_text(text, err);
        memcpy(base + field->offset, &copy, sizeof copy);
        return copy ? HC_OK : err->status;
    }
    size_t length = strspn(text, "0123456789abcdef");
    bool absent = field->kind == HC_FIELD_OPTIONAL_DIGEST && length == 0;
    if (text[length] || (length != HC_DIGEST_TEXT - 1 && !absent))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a SHA-256", field->key);
    memcpy(base + field->offset, text, length + 1);
    return HC_OK;
}

static enum hc_status read_number(const struct hc_manifest_field *field, const json_t *value,
                                  char *base, struct hc_error *err)
{
    json_int_t number = json_integer_value(value);
    bool counted = field->kind == HC_FIELD_INT64; /* sizes and counts are not negative */
    if (!json_is_integer(value) || (counted && number < 0) ||
        (field->kind == HC_FIELD_INT32 && (number < INT32_MIN || number > INT32_MAX)))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not an integer, or out of range", field->key);
    if (field->kind == HC_FIELD_INT64)
        memcpy(base + field->offset, &(int64_t){number}, sizeof(int64_t));
    else
        memcpy(base + field->offset, &(int32_t){(int32_t)number}, sizeof(int32_t));
    return HC_OK;
}

/* Refuse keys that are not in the list, unless a newer minor version may have added them. */
static enum hc_status check_keys(json_t *object, const char *const *known, size_t n_known,
                                 bool newer, struct hc_error *err)
{
    const char *key = NULL;
    json_t *value = NULL;
    json_object_foreach(object, key, value)
    {
        bool found = newer;
        for (size_t i = 0; i < n_known && !found; i++)
            found = strcmp(known[i], key) == 0;
        if (!found)
            return hc_fail(err, HC_BAD_INPUT, "unknown key '%.100s'", key);
    }
    return HC_OK;
}

static enum hc_status read_count(const char *key, const json_t *value, int64_t *count,
                                 struct hc_error *err)
{
    if (!json_is_integer(value) || json_integer_value(value) < 0)
        return hc_fail(err, HC_BAD_INPUT, "'%.100s' is not an integer, or out of range", key);
    *count = json_integer_value(value);
    return HC_OK;
}

/* null is a number of rows that is not known. */
static enum hc_status read_tables(json_t *object, struct hc_manifest_entry *entry,
                                  struct hc_error *err)
{
    json_t *tables = json_object_get(object, HC_MANIFEST_TABLES_KEY), *value = NULL;
    const char *table = NULL;
    bool has_main = json_object_size(tables) == 0;
    if (!json_is_object(tables))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not an object", HC_MANIFEST_TABLES_KEY);
    json_object_foreach(tables, table, value)
    {
        int64_t n_rows = HC_MISSING_I64;
        if ((!json_is_null(value) && read_count(table, value, &n_rows, err)) ||
            hc_table_counts_set(&entry->tables, table, n_rows, err))
            return err->status;
        has_main |= strcmp(table, entry->table) == 0;
    }
    if (!has_main)
        return hc_fail(err, HC_BAD_INPUT, "'%s' is '%.100s', which is not in '%s'",
                       HC_MANIFEST_TABLE_KEY, entry->table, HC_MANIFEST_TABLES_KEY);
    return HC_OK;
}

static enum hc_status read_day(json_t *object, struct hc_manifest_entry *entry,
                               struct hc_error *err)
{
    const json_t *day = json_object_get(object, HC_MANIFEST_DAY_KEY);
    const char *text = json_string_value(day);
    if (day && (!text || !(hc_is_day(text) || hc_is_month(text))))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is no day and no month", HC_MANIFEST_DAY_KEY);
    if (day)
        memcpy(entry->day, text, strlen(text) + 1);
    return HC_OK;
}

static enum hc_status read_rank(json_t *object, struct hc_manifest_entry *entry,
                                struct hc_error *err)
{
    const json_t *rank = json_object_get(object, HC_MANIFEST_RANK_KEY);
    json_int_t value = json_integer_value(rank);
    if (rank && (!json_is_integer(rank) || value < 0 || value > INT32_MAX))
        return hc_fail(err, HC_BAD_INPUT, "'%s' is not a rank", HC_MANIFEST_RANK_KEY);
    if (rank)
        entry->of_rank = (int32_t)value;
    return HC_OK;
}

static enum hc_status read_fields(json_t *object, bool is_old, struct hc_manifest_entry *entry,
                                  struct hc_error *err)
{
    for (size_t i = 0; i < HC_MANIFEST_N_FIELDS; i++) {
        const json_t *value = json_object_get(object, hc_manifest_fields[i].key);
        bool number = hc_manifest_fields[i].kind == HC_FIELD_INT32 ||
                      hc_manifest_fields[i].kind == HC_FIELD_INT64;
        if (is_old && strcmp(hc_manifest_fields[i].key, HC_MANIFEST_TABLE_KEY) == 0)
            continue;
        if (!value)
            return hc_fail(err, HC_BAD_INPUT, "'%s' is missing", hc_manifest_fields[i].key);
        if (number ? read_number(&hc_manifest_fields[i], value, (char *)entry, err)
                   : read_text(&hc_manifest_fields[i], value, (char *)entry, err))
            return err->status;
    }
    return HC_OK;
}

/* What hindcast 0.1 said of tables: a kind, or nothing of step timelines, and their numbers of rows
 * under keys of their own; of the inventory of incidents, none. */
static enum hc_status read_old_tables(json_t *object, struct hc_manifest_entry *entry,
                                      struct hc_error *err)
{
    static const char *const keys[] = {"n_ops", "n_steps", "n_incidents"};
    static const char *const tables[] = {"ops", "steps", "incidents"};
    const json_t *kind = json_object_get(object, "kind");
    const char *word = json_string_value(kind);
    size_t first = kind ? 2 : 0, end = kind ? 3 : 2;
    if (kind && (!word || strcmp(word, "incidents") != 0))
        return hc_fail(err, HC_BAD_INPUT, "'kind' is not 'incidents'");
    entry->table = hc_copy_text(tables[first], err);
    if (!entry->table)
        return err->status;
    for (size_t i = first; i < end; i++) {
        int64_t n_rows = 0;
        const json_t *value = json_object_get(object, keys[i]);
        if (!value)
            return hc_fail(err, HC_BAD_INPUT, "'%s' is missing", keys[i]);
        if (read_count(keys[i], value, &n_rows, err) ||
            hc_table_counts_set(&entry->tables, tables[i], n_rows, err))
            return err->status;
    }
    return kind ? hc_table_counts_set(&entry->tables, "inventory", HC_MISSING_I64, err) : HC_OK;
}

static enum hc_status read_entry(json_t *object, const struct version *version,
                                 struct hc_manifest_entry *entry, struct hc_error *err)
{
    static const char *const old[] = {"n_ops", "n_steps", "kind", "n_incidents"};
    static const char *const new[] = {HC_MANIFEST_TABLES_KEY, HC_MANIFEST_DAY_KEY,
                                      HC_MANIFEST_RANK_KEY};
    const char *keys[HC_MANIFEST_N_FIELDS + 4];
    size_t n_keys = 0;
    entry->of_rank = HC_MISSING_I32;
    if (!json_is_object(object))
        return hc_fail(err, HC_BAD_INPUT, "it is not an object");
    for (; n_keys < HC_MANIFEST_N_FIELDS; n_keys++)
        keys[n_keys] = hc_manifest_fields[n_keys].key;
    for (size_t i = 0; i < (version->is_old ? 4 : 3); i++)
        keys[n_keys++] = version->is_old ? old[i] : new[i];
    if (check_keys(object, keys, n_keys, version->is_newer, err) ||
        read_fields(object, version->is_old, entry, err))
        return err->status;
    if (version->is_old)
        return read_old_tables(object, entry, err);
    if (read_tables(object, entry, err) || read_day(object, entry, err))
        return err->status;
    return read_rank(object, entry, err);
}

static enum hc_status read_entries(json_t *segments, const struct version *version,
                                   struct hc_archive *archive, struct hc_error *err)
{
    size_t n = json_array_size(segments);
    if (!json_is_array(segments))
        return hc_fail(err, HC_BAD_INPUT, "'segments' is not an array");
    archive->entries = hc_new_array(n, sizeof *archive->entries, err);
    if (!archive->entries)
        return err->status;
    for (size_t i = 0; i < n; i++) {
        archive->n_entries++;
        if (read_entry(json_array_get(segments, i), version, &archive->entries[i], err))
            return hc_context(err, "segment %zu", i);
    }
    return hc_manifest_sort(archive, err);
}

static enum hc_status read_document(json_t *root, struct hc_archive *archive, struct hc_error *err)
{
    static const char *const keys[] = {"schema", "major", "minor", "generation", "segments"};
    const char *schema = json_string_value(json_object_get(root, "schema"));
    json_t *major = json_object_get(root, "major"), *minor = json_object_get(root, "minor");
    json_t *generation = json_object_get(root, "generation");
    if (!schema || strcmp(schema, SCHEMA) != 0)
        return hc_fail(err, HC_BAD_INPUT, "'schema' is not '%s': not the manifest of an archive",
                       SCHEMA);
    if (!json_is_integer(major) || !json_is_integer(minor) || json_integer_value(minor) < 0)
        return hc_fail(err, HC_BAD_INPUT, "'major' or 'minor' is not a version number");
    const struct version version = version_of(json_integer_value(major), json_integer_value(minor));
    archive->newer = version.is_newer;
    if (json_integer_value(major) > MAJOR || json_integer_value(major) < OLD_MAJOR)
        return hc_fail(err, HC_BAD_INPUT,
                       "version %" JSON_INTEGER_FORMAT ".%" JSON_INTEGER_FORMAT
                       ", but this hindcast reads version %d; use a newer hindcast",
                       json_integer_value(major), json_integer_value(minor), MAJOR);
    if (!json_is_integer(generation) || json_integer_value(generation) < 0)
        return hc_fail(err, HC_BAD_INPUT, "'generation' is not a count");
    archive->generation = json_integer_value(generation);
    if (check_keys(root, keys, sizeof keys / sizeof *keys, version.is_newer, err))
        return err->status;
    return read_entries(json_object_get(root, "segments"), &version, archive, err);
}

/* Jansson reads from memory, so that a disk that cannot be read is not taken for a text that ends
 * too early. */
static enum hc_status parse(const char *text, size_t length, struct hc_archive *archive,
                            struct hc_error *err)
{
    json_error_t why;
    json_t *root = json_loadb(text, length, JSON_REJECT_DUPLICATES, &why);
    enum hc_status status = HC_OK;
    /* Where Jansson finds no memory for its first buffer, it says nothing at all. */
    if (!root && (json_error_code(&why) == json_error_out_of_memory || !*why.text))
        status = hc_fail_memory(err, length);
    else if (!root)
        status = hc_fail(err, HC_BAD_INPUT, "'%s/%s':%d:%d: %s; 'check --repair' rebuilds it",
                         archive->path, HC_MANIFEST_FILE, why.line, why.column, why.text);
    else if (read_document(root, archive, err))
        status = hc_context(err, "'%s/%s'", archive->path, HC_MANIFEST_FILE);
    json_decref(root);
    return status;
}

static enum hc_status read_file(const char *path, char **text, size_t *length, struct hc_error *err)
{
    struct hc_folder folder;
    *text = NULL;
    if (hc_folder_open(&folder, path, err))
        return err->status;
    enum hc_status status =
        folder.fd < 0 ? HC_OK : hc_folder_read(&folder, HC_MANIFEST_FILE, text, length, err);
    hc_folder_close(&folder);
    if (!status && !*text)
        status = hc_fail(err, HC_IO, "archive '%s' has no %s", path, HC_MANIFEST_FILE);
    return status;
}

enum hc_status hc_manifest_read(struct hc_archive *archive, struct hc_error *err)
{
    struct hc_archive new = {.path = archive->path,
                             .created = archive->created,
                             .swept = archive->swept,
                             .reader = archive->reader};
    char *text = NULL;
    size_t length = 0;
    if (read_file(archive->path, &text, &length, err))
        return err->status;
    enum hc_status status = parse(text, length, &new, err);
    free(text);
    if (status) {
        archive->newer = new.newer;
        hc_manifest_clear(&new);
        return status;
    }
    hc_manifest_clear(archive);
    *archive = new;
    return HC_OK;
}

/* ---- writing ---- */

/* Not 0 on failure. */
static int set_tables(json_t *object, const struct hc_manifest_entry *entry)
{
    json_t *tables = json_object();
    int failed = json_object_set_new(object, HC_MANIFEST_TABLES_KEY, tables);
    for (size_t i = 0; i < entry->tables.n; i++) {
        const struct hc_table_count *count = &entry->tables.list[i];
        bool is_known = count->n_rows != HC_MISSING_I64;
        failed |= json_object_set_new(tables, count->table,
                                      is_known ? json_integer(count->n_rows) : json_null());
    }
    return failed;
}

static json_t *entry_object(const struct hc_manifest_entry *entry)
{
    const char *base = (const char *)entry;
    json_t *object = json_object();
    for (size_t i = 0; object && i < HC_MANIFEST_N_FIELDS; i++) {
        const struct hc_manifest_field *field = &hc_manifest_fields[i];
        char *text = NULL;
        int32_t i32 = 0;
        int64_t i64 = 0;
        json_t *value = NULL;
        if (hc_field_is_text(field->kind)) {
            memcpy(&text, base + field->offset, sizeof text);
            value = json_string(text);
        } else if (field->kind == HC_FIELD_INT32) {
            memcpy(&i32, base + field->offset, sizeof i32);
            value = json_integer(i32);
        } else if (field->kind == HC_FIELD_INT64) {
            memcpy(&i64, base + field->offset, sizeof i64);
            value = json_integer(i64);
        } else {
            value = json_string(base + field->offset);
        }
        if (json_object_set_new(object, field->key, value)) {
            json_decref(object);
            return NULL;
        }
    }
    if (object &&
        (set_tables(object, entry) ||
         (entry->day[0] &&
          json_object_set_new(object, HC_MANIFEST_DAY_KEY, json_string(entry->day))) ||
         (entry->of_rank != HC_MISSING_I32 &&
          json_object_set_new(object, HC_MANIFEST_RANK_KEY, json_integer(entry->of_rank))))) {
        json_decref(object);
        return NULL;
    }
    return object;
}

static enum hc_status write_entry(FILE *stream, const struct hc_manifest_entry *entry, bool last,
                                  struct hc_error *err)
{
    json_t *object = entry_object(entry);
    char *line = object ? json_dumps(object, JSON_PRESERVE_ORDER) : NULL;
    json_decref(object);
    if (!line)
        return hc_fail(err, HC_INTERNAL, "the entry of job '%s/%s' cannot be written as JSON",
                       entry->cluster, entry->job_id);
    fprintf(stream, "    %s%s\n", line, last ? "" : ",");
    free(line);
    return HC_OK;
}

static int minor_of(const struct hc_archive *archive)
{
    for (size_t i = 0; i < archive->n_entries; i++)
        if (archive->entries[i].of_rank != HC_MISSING_I32)
            return MINOR;
    return 0;
}

static enum hc_status write_text(FILE *stream, const struct hc_archive *archive,
                                 struct hc_error *err)
{
    enum hc_status status = HC_OK;
    fprintf(stream,
            "{\n  \"schema\": \"%s\",\n  \"major\": %d,\n  \"minor\": %d,\n"
            "  \"generation\": %" PRId64 ",\n  \"segments\": [\n",
            SCHEMA, MAJOR, minor_of(archive), archive->generation);
    for (size_t i = 0; !status && i < archive->n_entries; i++)
        status = write_entry(stream, &archive->entries[i], i + 1 == archive->n_entries, err);
    fprintf(stream, "  ]\n}\n");
    return status;
}

/* Read the text that is to be published once more: what was lost in writing it must not replace
 * what is there. */
static enum hc_status check_text(const struct hc_archive *archive, const char *text, size_t length,
                                 struct hc_error *err)
{
    struct hc_archive again = {.path = archive->path};
    enum hc_status status = parse(text, length, &again, err);
    if (!status &&
        (again.n_entries != archive->n_entries || again.generation != archive->generation))
        status = hc_fail(err, HC_INTERNAL, "internal error: '%s/%s' would lose entries; it stays",
                         archive->path, HC_MANIFEST_FILE);
    hc_manifest_clear(&again);
    return status;
}

enum hc_status hc_manifest_write(const struct hc_archive *archive, struct hc_error *err)
{
    struct hc_folder folder = {.fd = -1};
    char *text = NULL;
    size_t length = 0;
    FILE *stream = hc_text_stream(&text, &length, err);
    if (!stream)
        return err->status;
    enum hc_status status =
        hc_text_stream_end(stream, &text, write_text(stream, archive, err), err);
    if (!status)
        status = check_text(archive, text, length, err);
    if (!status)
        status = hc_folder_open(&folder, archive->path, err);
    if (!status && folder.fd < 0)
        status = hc_fail(err, HC_IO, "archive '%s' does not exist any more", archive->path);
    if (!status)
        status = hc_folder_replace(&folder, HC_MANIFEST_FILE, &hc_temporary_manifest, text, length,
                                   true, err);
    hc_folder_close(&folder);
    free(text);
    return status;
}
